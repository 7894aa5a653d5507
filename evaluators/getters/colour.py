"""How much of a region has a colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from evaluators.parameters import Range
from evaluators.reading.colour import areas, mean_rgb, within
from evaluators.region import Region
from evaluators.registry import Evidence, Inputs, Reading, View, getter

Byte = Annotated[int, Range(0, 255)]


@getter(
    "region_colour",
    version=1,
    label="Share of a colour in region",
    needs={"frame"},
    value="fraction",
)
@dataclass(frozen=True, slots=True)
class RegionColour:
    """The share (0…1) of pixels whose colour lies within a tolerance of the one asked for."""

    region: Region
    colour: tuple[Byte, Byte, Byte] = field(metadata={"help": "red, green, blue: 0…255"})
    tolerance: Annotated[float, Range(0, 150)] = field(
        default=10.0,
        metadata={"help": "CIE 1976 colour difference ΔE; 2.3 is just noticeable"},
    )

    def reads(self, view: View) -> Inputs:
        """The region's pixels."""
        crop, rect = view.crop(self.region)
        return Inputs({"region": crop}, {"region": rect})

    @staticmethod
    def compute(inputs: Inputs, params: RegionColour) -> Reading[float]:
        """Count the pixels; evidence: the areas that match and the region's mean colour."""
        crop = inputs.crops["region"]
        mask = within(crop, params.colour, params.tolerance)
        red, green, blue = mean_rgb(crop)
        marks = [
            Evidence("mask", "region", rect, text=f"{pixels} px") for rect, pixels in areas(mask)
        ]
        mean = Evidence("mean", "region", text=f"#{red:02x}{green:02x}{blue:02x}")
        return Reading(float(mask.mean()), engine="CIELAB ΔE76", evidence=(*marks, mean))
