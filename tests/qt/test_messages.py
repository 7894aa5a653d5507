"""The message bar: what it shows, what it offers, what it keeps."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qt.driving import WAIT, Left
from workbench.services.messages import HISTORY, Message, MessageHub
from workbench.views.window import MainWindow

pytestmark = pytest.mark.usefixtures("light")


def test_what_a_message_offers_is_a_button(qtbot: QtBot, window: MainWindow) -> None:
    done: list[str] = []
    bar = window.stage.messages
    window.services.messages.post(
        "done", "Saved.", "In task T1.", ("Undo", lambda: done.append("u"))
    )
    qtbot.waitUntil(lambda: bool(bar.rows), timeout=WAIT)
    offer = bar.rows[0].offer
    assert offer is not None
    assert offer.text() == "Undo"
    QTest.mouseClick(offer, Left)
    assert done == ["u"]
    assert not bar.rows


def test_the_hub_keeps_the_last_messages(qtbot: QtBot) -> None:
    hub = MessageHub()
    hub.listen()
    for number in range(HISTORY + 5):
        hub.post("info", f"message {number}")
    qtbot.waitUntil(lambda: len(hub.history) == HISTORY, timeout=WAIT)
    assert hub.history[0].text == f"message {HISTORY + 4}"
    assert hub.history[0].at > hub.history[-1].at - 1
    assert Message("info", "a", at=1) == Message("info", "a", at=2)
