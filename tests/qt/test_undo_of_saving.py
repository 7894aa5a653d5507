"""Taking one of two saved criteria back is said as such; the same is not saved twice."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from qt import samples
from workbench.models.draft import Draft
from workbench.views.window import MainWindow

WAIT = 10_000


def test_each_save_and_each_undo_says_what_it_did(
    qtbot: QtBot, window: MainWindow, workspace: Path
) -> None:
    said: list[str] = []
    window.services.messages.posted.connect(lambda message: said.append(message.text))
    frame = samples.instrument()
    window.stage.show_frame(frame, "picture", "sample")
    window.go("getters")
    whole = Draft(
        getter="region_text",
        metric="exact_match",
        rect=samples.VALUE_BOX,
        of=frame.size,
        task="XRD-T1",
    )
    window.getters.document.change(whole, "Draw region")
    for name in ("save_criterion", "save_criterion", "duplicate_criterion", "undo", "undo", "redo"):
        qtbot.waitUntil(window.acts[name].isEnabled, timeout=WAIT)
        window.acts[name].trigger()
        qtbot.waitUntil(lambda: not window.services.jobs.running, timeout=WAIT)
    words = [text.removesuffix(" in task XRD-T1.") for text in said if "riterion" in text]
    kept, back = "Criterion saved", "Criterion taken back"
    same = "Nothing to save: task XRD-T1 has this criterion already (Text in region)."
    assert words == [kept, same, "Criterion duplicated", back, back, kept]
