"""A number in a region, read by OCR and parsed strictly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evaluators.reading.numbers import parse_number
from evaluators.reading.ocr import EngineName, engine_version, read_text
from evaluators.reading.words import word_evidence
from evaluators.region import Region
from evaluators.registry import Inputs, Reading, View, getter

DIGITS = "0123456789+-−.,eE×^"


def _engines(params: Any) -> str:
    return engine_version(params.engine)


@getter(
    "region_number",
    version=1,
    label="Number in region",
    needs={"frame"},
    value="number",
    engines=_engines,
)
@dataclass(frozen=True, slots=True)
class RegionNumber:
    """The one number in a region; absent when there is none, uncertain when it is ambiguous."""

    region: Region
    unit: str | None = field(
        default=None, metadata={"help": "the unit that must follow it; empty: any or none"}
    )
    engine: EngineName = "auto"
    digits_only: bool = field(
        default=False,
        metadata={"label": "digits only", "help": "let the engine read nothing but numbers"},
    )

    def __post_init__(self) -> None:
        if self.digits_only and self.unit is not None:
            raise ValueError("digits_only leaves no room for a unit")

    def reads(self, view: View) -> Inputs:
        """The region's pixels."""
        crop, rect = view.crop(self.region)
        return Inputs({"region": crop}, {"region": rect})

    @staticmethod
    def compute(inputs: Inputs, params: RegionNumber) -> Reading[float]:
        """OCR, then the strict parser."""
        whitelist = DIGITS if params.digits_only else ""
        result = read_text(inputs.crops["region"], params.engine, whitelist)
        parsed = parse_number(result.text, params.unit)
        return Reading(
            parsed.value,
            result.confidence,
            engine_version(params.engine),
            word_evidence(result),
            parsed.problem,
        )
