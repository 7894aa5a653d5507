"""Text in a region, read by OCR."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from evaluators.parameters import Range
from evaluators.reading.ocr import EngineName, engine_version, read_text
from evaluators.reading.words import word_evidence
from evaluators.region import Region
from evaluators.registry import Inputs, Reading, View, getter


def _engines(params: Any) -> str:
    return engine_version(params.engine)


@getter(
    "region_text",
    version=1,
    label="Text in region",
    needs={"frame"},
    value="text",
    engines=_engines,
)
@dataclass(frozen=True, slots=True)
class RegionText:
    """The text in a region; empty text for a region with nothing on it."""

    region: Region
    engine: EngineName = "auto"
    min_confidence: Annotated[float, Range(0, 1)] = field(
        default=0.0,
        metadata={"label": "least confidence", "help": "below it the reading is uncertain"},
    )

    def reads(self, view: View) -> Inputs:
        """The region's pixels."""
        crop, rect = view.crop(self.region)
        return Inputs({"region": crop}, {"region": rect})

    @staticmethod
    def compute(inputs: Inputs, params: RegionText) -> Reading[str]:
        """OCR; uncertain when a word's confidence is below the least one."""
        result = read_text(inputs.crops["region"], params.engine)
        weak = [word for word in result.words if word.confidence < params.min_confidence]
        return Reading(
            result.text,
            result.confidence,
            engine_version(params.engine),
            word_evidence(result),
            f"{weak[0].text!r} was read with confidence {weak[0].confidence:.2f}" if weak else None,
        )
