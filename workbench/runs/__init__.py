"""Runs on targets without a window: recording, reference runs, agents."""
