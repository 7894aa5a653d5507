"""Getters: what can be read from a state."""
