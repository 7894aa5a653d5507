"""OCR words as evidence."""

from __future__ import annotations

from evaluators.reading.optics import OcrResult
from evaluators.registry import Evidence


def word_evidence(result: OcrResult, crop: str = "region") -> tuple[Evidence, ...]:
    """One "word" per word read, in pixels of the crop of that name."""
    return tuple(
        Evidence("word", crop, word.rect, text=word.text, confidence=word.confidence)
        for word in result.words
    )
