"""How pixels and texts are read: OCR, colour, similarity, numbers."""
