"""Icons drawn from the icon font."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.models.actions import ACTIONS
from workbench.views import glyphs, icons, theme
from workbench.views.sign import Sign


def drawn(icon: QIcon, size: int = 16, mode: QIcon.Mode = QIcon.Mode.Normal) -> QImage:
    return icon.pixmap(QSize(size, size), 1.0, mode).toImage()


def ink(image: QImage) -> int:
    return sum(
        image.pixelColor(x, y).alpha() > 0
        for x in range(image.width())
        for y in range(image.height())
    )


def test_every_action_has_a_glyph(qapp: QApplication) -> None:
    for spec in ACTIONS:
        image = drawn(glyphs.icon(spec.icon, lambda: ("#102030", "#a0a0a0")))
        assert 8 < ink(image) < 256, spec.icon


def test_a_glyph_has_the_colour_asked_for_and_another_when_disabled(qapp: QApplication) -> None:
    icon = glyphs.icon("circle", lambda: ("#ff0000", "#00ff00"))
    for mode, colour in ((QIcon.Mode.Normal, "#ff0000"), (QIcon.Mode.Disabled, "#00ff00")):
        image = drawn(icon, 64, mode)
        strongest = max(
            (image.pixelColor(x, y) for x in range(64) for y in range(64)),
            key=lambda pixel: pixel.alpha(),
        )
        assert strongest.name() == QColor(colour).name()


def test_a_glyph_fills_the_size_asked_for(qapp: QApplication) -> None:
    icon = glyphs.icon("square", lambda: ("#000000", "#000000"))
    assert ink(drawn(icon, 48)) > 2 * ink(drawn(icon, 16))


def test_an_icon_follows_the_theme(qtbot: QtBot) -> None:
    shown = {}
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    icon, sign = icons.icon("circle", "passed"), Sign("circle", "passed")
    qtbot.addWidget(sign)
    for mode in ("light", "dark"):
        theme.apply(app, mode)
        shown[mode] = (drawn(icon, 64), sign.grab().toImage())
    for light, dark in zip(shown["light"], shown["dark"], strict=True):
        assert light != dark


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        glyphs.character("no-such-icon")


def test_the_window_does_not_import_the_package_the_font_comes_from() -> None:
    code = (
        "import sys, workbench.app; from workbench.views import icons; print(sorted(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'workbench.views.icons'" in shown.stdout
    assert "'qtawesome'" not in shown.stdout
