"""`graticule bench`: each figure beside what a user would take instead, in the same run."""
