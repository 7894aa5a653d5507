"""Episodes on disk: format version 1, one folder per episode, and an index that may be deleted."""
