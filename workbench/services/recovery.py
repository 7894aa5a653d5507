"""The recovery folder of a workspace: what was typed and not saved when the window failed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from trajectories.errors import StorageError
from workbench.services.crash import write_recovery

FOLDER, TEXTS = "recovery", "texts.json"
MOST_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class KeptText:
    """What stood in a field, and what the field is called."""

    field: str
    text: str


class RecoveryFolder:
    """Where documents go when the window fails."""

    def __init__(self, workspace: Path) -> None:
        self.path = workspace / FOLDER

    def keep_texts(self, texts: Sequence[KeptText]) -> None:
        """Write the texts; none leaves what is there."""
        if texts:
            cut = [KeptText(t.field, t.text[:MOST_CHARS]) for t in texts]
            body = json.dumps([asdict(t) for t in cut], ensure_ascii=False, indent=1)
            write_recovery(self.path / TEXTS, body)

    def texts(self) -> tuple[KeptText, ...]:
        """The texts kept; StorageError when the file cannot be read."""
        path = self.path / TEXTS
        try:
            rows = json.loads(path.read_text("utf-8"))
            return tuple(KeptText(str(r["field"]), str(r["text"])) for r in rows)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise StorageError(
                f"{path}: the texts kept from a crash cannot be read: {error}.",
                "The file is left as it is.",
            ) from error

    def forget_texts(self) -> None:
        """They have been taken care of."""
        try:
            (self.path / TEXTS).unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(
                f"{self.path / TEXTS} cannot be removed: {error.strerror}."
            ) from error
