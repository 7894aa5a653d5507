"""Names inside a workspace: episode ids and the files of an episode folder."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime

from trajectories.errors import StorageError

HEADER = "episode.json"
EVENTS = "events.jsonl"
STEPS = "steps.jsonl"
EDITS = "edits.jsonl"
BASE = "base.jsonl"
"""The steps before any edit, kept from the first edit on; undo starts from them."""
STREAM = "stream.rfb"
FRAMES = "frames"
FILES = "files"
PAGES = "page"
SOURCE = "source"
BLOBS = ((FRAMES, ".zst"), (PAGES, ".json.gz"), (FILES, ""))
"""Folders of files that are named by their digest, and how such a file's name ends."""
DIGEST = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
"""A digest in the text of a document: what it refers to."""

ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}"
"""What an episode's id looks like (`check_id` also refuses names of devices)."""
_ID = re.compile(ID)
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{n}{i}" for n in ("com", "lpt") for i in range(1, 10))]
)


def new_id(when: datetime | None = None) -> str:
    """An id that sorts by time and does not repeat: 20250131t093000-1a2b3c4d."""
    moment = (when or datetime.now(UTC)).astimezone(UTC)
    return f"{moment:%Y%m%dt%H%M%S}-{secrets.token_hex(4)}"


def check_id(episode_id: str) -> str:
    """The id itself; StorageError when it could be anything but one folder's plain name."""
    if _ID.fullmatch(episode_id) and not is_reserved(episode_id) and episode_id[-1] != ".":
        return episode_id
    raise StorageError(
        f"{episode_id!r} is not an episode id.",
        "Ids are letters, digits, '.', '_' and '-', at most 120, and begin with a letter or digit.",
    )


def is_reserved(name: str) -> bool:
    """Whether Windows gives this file name to a device, whatever its suffix."""
    return name.split(".", 1)[0].strip().casefold() in _RESERVED


def is_id(name: str) -> bool:
    """Whether a folder's name can be an episode id."""
    try:
        return bool(check_id(name))
    except StorageError:
        return False
