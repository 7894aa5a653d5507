"""The task files that ship with Graticule, one folder a suite."""
