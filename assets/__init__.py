"""Data that ships with Graticule: simulator pages, icons, themes, fonts, samples."""
