"""Texts that must hold words or phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluators.registry import MetricError, MetricScore, metric

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_FOLD = str.maketrans(
    {"l": "1", "I": "1", "|": "1", "i": "1", "O": "0", "o": "0", "S": "5", "s": "5"}
)
_SIGNS = "-−+"
_MARKS = ".,"


@metric("text_contains", version=1, label="Contains all words", takes={"text", "json"})
@dataclass(frozen=True, slots=True)
class TextContains:
    """All words or phrases of `expected` occur: a text, or a list whose items may be alternatives.

    token: as whole words and whole numbers ("0" is not in "$0.00", "170" not in "000000170").
    """

    boundary: Literal["token", "substring"] = "token"
    ignore_case: bool = True
    confusables: Literal["keep", "fold"] = field(
        default="keep",
        metadata={"help": "fold: treat l, I and 1, O and 0, S and 5 as the same (OCR)"},
    )

    def judge(self, value: Any, expected: Any) -> MetricScore:
        """1 when all occur, else 0 naming those that do not."""
        if not isinstance(value, str):
            raise MetricError(f"the value {value!r} is not text")
        text = self._normal(value)
        missing = [
            " or ".join(variants)
            for variants in _wanted(expected)
            if not any(self._occurs(self._normal(item), text) for item in variants)
        ]
        if not missing:
            return MetricScore(1.0)
        return MetricScore(0.0, f"not found: {', '.join(repr(item) for item in missing)}")

    def problem(self, expected: Any, value_type: str) -> str | None:
        """Why `expected` cannot be looked for."""
        try:
            _wanted(expected)
        except MetricError as error:
            return str(error)
        return None

    def _normal(self, text: str) -> str:
        flat = " ".join(text.split())
        if self.confusables == "fold":
            flat = flat.translate(_FOLD)
        return flat.casefold() if self.ignore_case else flat

    def _occurs(self, needle: str, text: str) -> bool:
        if self.boundary == "substring":
            return needle in text
        start = text.find(needle)
        while start >= 0:
            if _starts(text, start, needle) and _ends(text, start + len(needle), needle):
                return True
            start = text.find(needle, start + 1)
        return False


def _wanted(expected: Any) -> list[list[str]]:
    """Each thing that must occur, as its alternatives; MetricError when that is not it."""
    items = [expected] if isinstance(expected, str) else expected
    if not isinstance(items, list) or not items:
        raise MetricError(f"a text or a list of texts is needed, found {expected!r}")
    out = [[item] if isinstance(item, str) else item for item in items]
    for variants in out:
        good = isinstance(variants, list) and variants
        if not good or not all(isinstance(item, str) and item.strip() for item in variants):
            raise MetricError(f"{variants!r} is not a text or a list of alternatives")
    return out


def _word(char: str) -> bool:
    """Whether the character joins with its neighbour to a longer word (CJK has no blanks)."""
    return (char.isalnum() or char == "_") and not _CJK.match(char)


def _starts(text: str, at: int, needle: str) -> bool:
    """Whether a word or number begins there."""
    before = text[at - 1] if at else " "
    if _word(before) and _word(needle[0]):
        return False
    if not needle[0].isdigit():
        return True
    further = text[at - 2] if at > 1 else " "
    if before in _MARKS:
        return not further.isdigit()
    return before not in _SIGNS or _word(further)


def _ends(text: str, at: int, needle: str) -> bool:
    """Whether a word or number ends there."""
    after = text[at] if at < len(text) else " "
    if _word(after) and _word(needle[-1]):
        return False
    further = text[at + 1] if at + 1 < len(text) else " "
    return not (needle[-1].isdigit() and after in _MARKS and further.isdigit())
