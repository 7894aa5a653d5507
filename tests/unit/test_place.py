"""A window is not larger than the desk, and lies on it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize

from workbench.views.place import FRAME, fitted

LEAST = QSize(900, 560)


def test_what_fits_stays_as_it_is() -> None:
    assert fitted(QRect(10, 20, 1440, 900), LEAST, QRect(0, 0, 1920, 1080)) == QRect(
        10, 20, 1440, 900
    )


def test_a_window_too_large_for_the_desk_gets_room_for_its_frame() -> None:
    desk = QRect(0, 0, 1440, 900)
    there = fitted(QRect(1, 20, 1440, 900), LEAST, desk)
    assert there.size() == desk.size() - FRAME
    assert desk.contains(there)


def test_it_is_never_smaller_than_its_contents_need() -> None:
    assert fitted(QRect(0, 0, 1440, 900), LEAST, QRect(0, 0, 640, 400)).size() == LEAST
