"""What the window was at, as texts for its file: the episode and its step, rows, filter, zoom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import Qt

from trajectories.errors import UserError
from trajectories.storage.names import check_id
from workbench.models.entries import Kind
from workbench.models.situation import Perspective
from workbench.workspace import Workspace

if TYPE_CHECKING:
    from workbench.views.window import MainWindow

Read = Callable[[str], str]
DEMO = ".graticule-demo"
MOST_DIGITS = 9
KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}


def whereabouts(window: MainWindow) -> dict[str, str]:
    """What is kept when the window is closed."""
    cursor, entry = window.replay.cursor, window.library.current()
    return {
        "episode": cursor.episode.header.id if cursor is not None else "",
        "index": str(cursor.index) if cursor is not None else "",
        "row": f"{entry.kind}:{entry.key}" if entry is not None else "",
        "filter": window.library.filter.text(),
        "guide": window.guide.guide.as_text(),
        "recent": "\n".join(window.assistance.palette.recent),
    }


def come_back(window: MainWindow, perspective: Perspective, read: Read, *, fresh: bool) -> None:
    """Go where the window was; what is no longer there is passed over."""
    window.assistance.palette.recent = [key for key in read("recent").split("\n") if key]
    window.guide.restore(read("guide"), fresh=fresh and leads_somewhere(window))
    window.library.filter.setText(read("filter"))
    kind, _, key = read("row").partition(":")
    episode, index = read("episode"), read("index")
    if perspective in ("replay", "getters") and _is_there(window, episode):
        number = int(index) if index.isdecimal() and len(index) < MOST_DIGITS else 0
        if perspective == "getters":
            _follow(window)
        window.open_at(episode, number)
    elif kind in KINDS:
        once = Qt.ConnectionType.SingleShotConnection
        window.listing.listed.connect(lambda: window.library.select(KINDS[kind], key), once)


def _follow(window: MainWindow) -> None:
    """To Getters as soon as the episode's frame is there to draw on."""

    def arrived() -> None:
        if window.stage.source == "episode":
            window.stage.frame_changed.disconnect(arrived)
            window.go("getters")

    window.stage.frame_changed.connect(arrived)


def leads_somewhere(window: MainWindow) -> bool:
    """Whether a newcomer is shown the way: on an empty workspace, and on that of the demo."""
    workspace = Workspace(window.services.workspace)
    folder = workspace.episodes
    empty = not folder.is_dir() or not any(folder.iterdir())
    return empty or (workspace.root.parent / DEMO).is_file()


def _is_there(window: MainWindow, episode: str) -> bool:
    try:
        return (Workspace(window.services.workspace).episodes / check_id(episode)).is_dir()
    except UserError:
        return False
