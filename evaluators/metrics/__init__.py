"""Metrics: how a reading compares with what is expected."""
