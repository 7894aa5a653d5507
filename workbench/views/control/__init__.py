"""One controller per perspective: the only code that knows its panel, the canvas and services."""
