"""The canvas: one widget, with its pure geometry beside it."""
