"""Where the window was: size, panels and perspective, kept in a small file of the workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

FILE = "window.ini"
SIZE = (1440, 900)
FRAME = QSize(8, 36)
"""Room for the frame and the title a desktop puts around a window."""


def fitted(wanted: QRect, least: QSize, desk: QRect) -> QRect:
    """Where a window of that geometry, without its frame, is wholly on the desk if it can be."""
    room = desk.size() - FRAME
    size = wanted.size().boundedTo(room).expandedTo(least)
    left = max(desk.left(), min(wanted.left(), desk.right() + 1 - size.width() - FRAME.width()))
    top = max(desk.top(), min(wanted.top(), desk.bottom() + 1 - size.height() - FRAME.height()))
    return QRect(left, top, size.width(), size.height())


class Place:
    """Keeps and restores the geometry of a window, its splitters and its panels."""

    def __init__(
        self,
        folder: Path,
        window: QMainWindow,
        splitters: dict[str, QSplitter],
        panels: dict[str, tuple[QAction, QWidget]],
    ) -> None:
        self._path = folder / FILE
        self._window = window
        self._splitters = splitters
        self._panels = panels

    def _file(self) -> QSettings:
        return QSettings(str(self._path), QSettings.Format.IniFormat)

    @property
    def fresh(self) -> bool:
        """Whether no window was ever closed on this workspace."""
        return not self._path.exists()

    def value(self, name: str) -> str:
        """What was kept under a name; "" for nothing."""
        value = self._file().value(f"where/{name}", "")
        return value if isinstance(value, str) else ""

    def set_broken_aside(self) -> Path | None:
        """Rename a file that cannot be read, so that a new one can be written; its new name."""
        if self.fresh or self._readable():
            return None
        aside = self._path.with_suffix(".broken")
        try:
            os.replace(self._path, aside)
        except OSError:
            return self._path
        return aside

    def _readable(self) -> bool:
        kept = self._file()
        kept.allKeys()
        return kept.status() is QSettings.Status.NoError

    def restore(self) -> str:
        """Put everything where it was; the perspective, "" when none is known."""
        kept = self._file()
        self._window.resize(*SIZE)
        geometry = kept.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._fit()
        for name, splitter in self._splitters.items():
            state = kept.value(name)
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        for name, (action, panel) in self._panels.items():
            shown = kept.value(name, "true") == "true"
            action.setChecked(shown)
            panel.setVisible(shown)
        return str(kept.value("perspective", ""))

    def _fit(self) -> None:
        """Not larger than the desk: after a change of scaling, or of the screen, it may be."""
        if QGuiApplication.platformName() == "offscreen" or self._window.isMaximized():
            return
        now = self._window.geometry()
        there = fitted(now, self._window.minimumSize(), self._window.screen().availableGeometry())
        if there.size() != now.size():
            self._window.setGeometry(there)

    def save(self, perspective: str, where: Mapping[str, str] | None = None) -> None:
        """Keep everything for the next start; `where` is read again by `value`."""
        kept = self._file()
        kept.setValue("geometry", self._window.saveGeometry())
        kept.setValue("perspective", perspective)
        for name, splitter in self._splitters.items():
            kept.setValue(name, splitter.saveState())
        for name, (action, _) in self._panels.items():
            kept.setValue(name, "true" if action.isChecked() else "false")
        for name, text in (where or {}).items():
            kept.setValue(f"where/{name}", text)
        kept.sync()

    def toggle(self, name: str) -> None:
        """Show or hide a panel as its action says."""
        action, panel = self._panels[name]
        panel.setVisible(action.isChecked())
