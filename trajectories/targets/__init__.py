"""Targets: where sessions come from."""
