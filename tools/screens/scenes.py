"""Situations beside the four perspectives: what goes wrong, and what lies over the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tools.screens import data, views
from tools.screens.views import Studio
from trajectories.episode import Episode, LoadedFrame, Observation
from trajectories.errors import StorageError
from trajectories.frame import Frame, from_bgr
from workbench.services.crash import report_of
from workbench.services.live import LiveState
from workbench.views.crash import CrashDialog

Scene = Callable[[Studio], QWidget | None]
"""Brings the window somewhere; what to take the picture of when it is not the window."""
FULL = StorageError(
    "events.jsonl could not be written: No space left on device.",
    "Free some space on that disk; what was recorded waits and is written then.",
)


def failed_target(studio: Studio) -> None:
    """A target that could not be started."""
    live = studio.services.live
    studio.window.capture.choose_target("sem")
    studio.window.library.select("target", "sem")
    studio.window.run_action("start_target")
    studio.wait(lambda: live.state is LiveState.FAILED and bool(studio.window.stage.messages.rows))


def paused(studio: Studio) -> None:
    """A recording that is paused."""
    views.start(studio)
    views.record(studio, 4)
    studio.window.run_action("pause_recording")
    studio.rest()


def baseline(studio: Studio) -> None:
    """A participant at work: the instruction and the budget, no criteria."""
    views.start(studio)
    panel = studio.window.capture_panel
    assert studio.window.library.select("task", "XRD-S2")
    panel.mode.setCurrentIndex(1)
    panel.baseline.pseudonym.setText("P07")
    views.record(studio, 4)


def difference(studio: Studio) -> None:
    """What a step changed, against the frame before."""
    views.replay(studio)
    studio.window.run_action("show_difference")
    studio.rest()


def full_disk(studio: Studio) -> None:
    """The disk refuses what is recorded."""
    views.start(studio)
    views.record(studio, 4)
    studio.services.recording.failed.emit(FULL)
    studio.wait(lambda: bool(studio.window.stage.messages.rows))


def messages(studio: Studio) -> None:
    """One of each kind, the newest on top."""
    post = studio.services.messages.post
    views.replay(studio)
    post("info", "The draft from before the crash is back.")
    post("done", "Criterion saved in task XRD-S2.", "tasks/labosbench/xrd.json")
    post("warning", "The target has shown no new frame for 12 s.", "It may have stopped.")
    post("error", FULL.message, FULL.hint)
    studio.wait(lambda: len(studio.window.stage.messages.rows) == 4)


def no_frame(studio: Studio) -> None:
    """A step for which no frame was collected."""
    store = studio.services.store
    whole = store.load("xrd-S2-0")
    first, second, *rest = whole.steps
    cut = replace(second, before=Observation(None, second.before.t_ns))
    header = replace(whole.header, id="gap", title="a run with a gap")
    store.save(Episode(header, (first, cut, *rest), whole.final))
    studio.window.listing.refresh()
    studio.rest()
    studio.window.open_episode("gap")
    studio.wait(lambda: studio.window.stage.source == "episode")
    studio.window.replay.seek(1)
    studio.wait(lambda: studio.window.canvas.frame is None)


def frame_4k(studio: Studio) -> None:
    """A frame of 3840 × 2160 with a region on it."""
    store = studio.services.store
    whole = store.load("xrd-S2-0")
    steps = tuple(replace(s, before=_enlarged(s.before)) for s in whole.steps)
    final = _enlarged(whole.final) if whole.final else None
    header = replace(whole.header, id="large", title="a run in 4K")
    store.save(Episode(header, steps, final))
    studio.window.listing.refresh()
    studio.rest()
    studio.open("large", 1)
    studio.window.run_action("draw_here")
    rect = views.HOLDER
    studio.drag(type(rect)(rect.x * 3, rect.y * 3, rect.width * 3, rect.height * 3))
    studio.rest()


def _enlarged(seen: Observation) -> Observation:
    """The same observation on a screen of 3840 × 2160."""
    if seen.frame is None:
        return seen
    small = seen.frame.load()
    big = np.repeat(np.repeat(small.bgr, 3, axis=0), 3, axis=1)
    whole = np.full((2160, 3840, 3), 216, np.uint8)
    height, width = min(2160, big.shape[0]), min(3840, big.shape[1])
    whole[:height, :width] = big[:height, :width]
    frame: Frame = from_bgr(whole, small.t_ns)
    return replace(seen, frame=LoadedFrame(frame))


def settings(studio: Studio) -> None:
    """The settings over Replay."""
    views.replay(studio)
    studio.window.run_action("settings")


def palette(studio: Studio) -> None:
    """The command palette over Replay, with something typed."""
    views.replay(studio)
    studio.window.run_action("palette")
    QTest.keyClicks(QApplication.focusWidget() or studio.window, "re")
    studio.rest()


def shortcuts(studio: Studio) -> None:
    """The overview of the keys."""
    views.replay(studio)
    studio.window.run_action("shortcuts")


def crash(studio: Studio) -> QWidget:
    """The dialog after a fault."""
    try:
        raise ValueError("cannot fit a peak to 0 points")
    except ValueError as error:
        report = report_of(error)
    text = report.split("\n\n", 1)[-1].replace(str(data.__file__).rpartition("/")[0], "…")
    head = "Graticule on Linux\nPython 3.11, Qt 6\n\n"
    dialog = CrashDialog(
        head + text, studio.window.getters.keeper.path.with_name("draft.json"), studio.window
    )
    dialog.show()
    return dialog


SCENES: dict[str, Scene] = {
    "failed-target": failed_target,
    "paused": paused,
    "baseline": baseline,
    "difference": difference,
    "full-disk": full_disk,
    "messages": messages,
    "no-frame": no_frame,
    "frame-4k": frame_4k,
    "settings": settings,
    "palette": palette,
    "shortcuts": shortcuts,
    "crash": crash,
}
