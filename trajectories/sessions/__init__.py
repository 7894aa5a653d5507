"""Sessions: live surfaces that yield frames and take input."""
