"""Models of the window: immutable values, tables and small Qt objects that hold them."""
