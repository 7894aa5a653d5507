"""Keeps a criterion's draft on the disk while it is worked on, and brings it back after a kill.

Each running window has a file of its own: a second one neither takes nor overwrites it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from workbench.models.document import Document
from workbench.models.draft import Draft
from workbench.models.draftfile import draft_from_json, draft_json
from workbench.services.crash import write_recovery
from workbench.services.messages import MessageHub

SOON_MS = 500
STEM = "draft"


class DraftKeeper(QObject):
    """effective: the draft as it would be saved. blank: one to begin with."""

    def __init__(
        self,
        workspace: Path,
        document: Document,
        messages: MessageHub,
        effective: Callable[[], Draft],
        blank: Callable[[], Draft],
    ) -> None:
        super().__init__(document)
        self._folder = workspace / "recovery"
        self._document, self._messages = document, messages
        self._effective, self._blank = effective, blank
        self.path = self._folder / f"{STEM}-{os.getpid()}.json"
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._keep)
        document.changed.connect(lambda _: self._soon.start())

    def save(self) -> None:
        """Write the draft now."""
        self._soon.stop()
        write_recovery(self.path, json.dumps(draft_json(self._effective())))

    def _keep(self) -> None:
        if self._effective().rect is None:
            self.forget()
            return
        with suppress(OSError):  # a full disk is told by whatever is saved, not by every change
            self.save()

    def forget(self) -> None:
        """Nothing is left to lose: it was saved, or the window is closed."""
        self._soon.stop()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def restore(self) -> None:
        """Take back the newest draft that a window left behind, and say so."""
        path = next(self._left(), None)
        if path is None:
            return
        try:
            draft = draft_from_json(json.loads(path.read_text("utf-8")), self._blank())
            path.unlink()
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            self._messages.post(
                "warning", f"The draft kept from a crash cannot be read: {error}.", f"See {path}."
            )
            return
        self._document.start(draft)
        self._messages.post("info", "The draft from before the crash is back.")

    def _left(self) -> Iterator[Path]:
        """Drafts that no other running window works on, the newest first."""
        found = []
        for path in self._folder.glob(f"{STEM}*.json"):
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
        for when, path in sorted(found, reverse=True):
            if path == self.path or not _is_worked_on(path, when):
                yield path


def _is_worked_on(path: Path, when: float) -> bool:
    """Whether the process that wrote it still runs; a later one may have got its number."""
    import psutil

    number = path.stem.removeprefix(f"{STEM}-")
    if not number.isascii() or not number.isdigit() or len(number) > 9:
        return False
    try:
        return bool(psutil.Process(int(number)).create_time() <= when)
    except psutil.Error:
        return False
