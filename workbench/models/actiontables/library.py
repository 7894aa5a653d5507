"""What can be done with the library."""

from __future__ import annotations

from workbench.models.actionspec import ActionSpec
from workbench.models.situation import Situation


def _episode(s: Situation) -> bool:
    return s.library.kind == "episode"


def _binned(s: Situation) -> bool:
    return s.library.kind == "binned"


def _state(s: Situation) -> bool:
    return s.library.kind == "state"


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open_picture", "Open picture…", "File", "image", "Ctrl+O",
               places=("getters",), tip="Read a PNG or JPEG as a frame to draw regions on"),
    ActionSpec("add_pictures", "Add pictures…", "File", "image-square", "Ctrl+Shift+O",
               tip="Pictures become states of the corpus selected, or of the corpus 'pictures'"),
    ActionSpec("paste_pictures", "Paste pictures", "Edit", "clipboard", "Ctrl+V",
               tip="The picture or picture files of the clipboard become states of a corpus"),
    ActionSpec("refresh", "Refresh library", "File", "arrows-clockwise", "F5"),
    ActionSpec("find", "Filter library", "Edit", "magnifying-glass", "Ctrl+F"),
    ActionSpec("bin_episode", "Move to bin", "Edit", "trash", "Delete", _episode, "library",
               tip="The episode can be restored until the bin is emptied"),
    ActionSpec("restore_episode", "Restore from bin", "Edit", "arrow-u-up-left", "Ctrl+Backspace",
               _binned, "library"),
    ActionSpec("purge_episode", "Delete for good…", "Edit", "x-circle", "Shift+Del", _binned,
               "library", tip="The episode is deleted from the disk; it asks first"),
    ActionSpec("empty_bin", "Empty bin…", "Edit", "trash-simple", "",
               lambda s: bool(s.library.binned),
               tip="Delete the episodes of the bin for good, but for those something refers to"),
    ActionSpec("take_out_state", "Take out of corpus", "Edit", "minus-circle", "Backspace", _state,
               "library", tip="The state leaves the corpus; its episode stays"),
)  # fmt: skip
