"""How much a region looks like a reference picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluators.reading.picture import PictureFile
from evaluators.reading.ssim import ssim
from evaluators.region import Region
from evaluators.registry import Inputs, Reading, View, getter


@getter(
    "region_similarity",
    version=1,
    label="Similarity of region to a picture",
    needs={"frame"},
    value="fraction",
)
@dataclass(frozen=True, slots=True)
class RegionSimilarity:
    """SSIM (-1…1, mean of the three channels) between a region and a PNG of the same size."""

    region: Region
    reference: PictureFile = field(metadata={"help": "a PNG beside the task file"})

    def reads(self, view: View) -> Inputs:
        """The region's and the reference's pixels (both are in the digest)."""
        crop, rect = view.crop(self.region)
        return Inputs({"region": crop, "reference": self.reference.load()}, {"region": rect})

    @staticmethod
    def compute(inputs: Inputs, params: RegionSimilarity) -> Reading[float]:
        """SSIM; ValueError (an error, not a 0) when sizes differ or a side is under 7 px."""
        return Reading(ssim(inputs.crops["region"], inputs.crops["reference"]), engine="SSIM 7×7")
