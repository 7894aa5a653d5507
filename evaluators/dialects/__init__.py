"""Readers of other benchmarks' task files."""
