"""Whether a file exists on the machine under study."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field
from typing import Annotated

from evaluators.parameters import Range
from evaluators.registry import Evidence, Inputs, Reading, View, getter


@getter("file_exists", version=1, label="File exists", needs={"files"}, value="flag")
@dataclass(frozen=True, slots=True)
class FileExists:
    """True or false, from the files that were listed then.

    Backslashes compare as slashes and, when either side has a drive letter, case does not matter. A
    bare name matches in any folder.
    """

    name: Annotated[str, Range(0, 500)] = field(
        default="", metadata={"help": "a path, or a bare name for any folder"}
    )
    pattern: Annotated[str, Range(0, 200)] = field(
        default="", metadata={"help": "or a pattern with * and ?, such as *.vesta"}
    )
    min_bytes: Annotated[int, Range(0)] = field(
        default=0, metadata={"label": "least size", "help": "in bytes; 1 asks for a non-empty file"}
    )

    def __post_init__(self) -> None:
        if bool(self.name) == bool(self.pattern):
            raise ValueError("either a name or a pattern is needed, and not both")

    def reads(self, view: View) -> Inputs:
        """The files that fit by name; NotCollectedError when files were not listed."""
        files = view.current.files.get("files") or ()
        fitting = [[item.name, item.size] for item in files if self._fits(item.name)]
        return Inputs(fields={"fitting": fitting})

    def _fits(self, path: str) -> bool:
        wanted = self.name or self.pattern
        path, wanted = _plain(path), _plain(wanted)
        if ":/" in path or ":/" in wanted:
            path, wanted = path.casefold(), wanted.casefold()
        if "/" not in wanted:
            path = path.rpartition("/")[2]
        return path == wanted if self.name else fnmatch.fnmatchcase(path, wanted)

    @staticmethod
    def compute(inputs: Inputs, params: FileExists) -> Reading[bool]:
        """Whether one of them is large enough; evidence names those that fit."""
        fitting = inputs.fields["fitting"]
        names = tuple(Evidence("file", text=f"{name} ({size} bytes)") for name, size in fitting)
        found = any(size >= params.min_bytes for _, size in fitting)
        return Reading(found, engine="files", evidence=names)


def _plain(path: str) -> str:
    return path.replace("\\", "/")
