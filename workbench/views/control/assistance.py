"""What helps with everything: the palette, the keys, the settings, the messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.models.entries import Entry
from workbench.models.situation import Situation
from workbench.services.hub import Services
from workbench.views.commandpalette import CommandPalette
from workbench.views.control.base import Handlers
from workbench.views.messagelog import MessageLog
from workbench.views.messages import MessageBar
from workbench.views.restyle import restyle
from workbench.views.settingspanel import SettingsPanel
from workbench.views.shortcuts import ShortcutsOverview


@dataclass(frozen=True)
class Around:
    """What it needs of the window it helps with."""

    root: QWidget
    acts: dict[str, QAction]
    situation: Callable[[], Situation]
    entries: Callable[[], Sequence[Entry]]
    guard: Callable[..., None]
    messages: MessageBar


class AssistanceController(QObject):
    """Signal: opened(Entry), a row of the library chosen in the palette."""

    opened = Signal(object)

    def __init__(self, services: Services, around: Around) -> None:
        super().__init__(around.root)
        self._services = services
        self._around = around
        root = around.root
        self.palette = CommandPalette(root, around.acts, around.situation, around.entries)
        self.palette.opened.connect(self.opened)
        self.shortcuts = ShortcutsOverview(root)
        self.settings = SettingsPanel(root, services.settings, around.guard)
        self.log = MessageLog(root, lambda: services.messages.history)
        around.messages.all_requested.connect(self.log.ask)
        services.messages.posted.connect(around.messages.show_message)
        services.messages.withdrawn.connect(around.messages.clear)
        services.settings.on_change(self._setting_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)
        self._setting_changed("message_s")
        self._scale = services.settings.get("scale")
        self.start_again = False

    def handlers(self) -> Handlers:
        """What its actions do."""
        return {
            "palette": self.palette.ask,
            "shortcuts": self._show_keys,
            "settings": self.settings.ask,
            "messages": self.log.ask,
            "focus_messages": self._around.messages.toggle_focus,
        }

    def _scheme_changed(self) -> None:
        if self._services.settings.get("theme") == "system":
            self._setting_changed("theme")

    def tell_aside(self, broken: Path | None) -> None:
        """Say that the window's file could not be read."""
        if broken is not None:
            self._services.messages.post(
                "warning", "Where the window was could not be read; it starts as new.",
                f"The file is kept as {broken.name}.",
            )  # fmt: skip

    def restart(self) -> None:
        """Close the window and start the program again."""
        self.start_again = True
        self._around.root.window().close()

    def _setting_changed(self, key: str) -> None:
        value = self._services.settings.get(key)
        match key:
            case "theme":
                restyle(self._around.root.window(), value, self._around.acts)
            case "message_s":
                self._around.messages.stay_s = value
            case "scale" if value != self._scale:
                self._services.messages.post(
                    "info",
                    "The scaling changes when the window is started again.",
                    "A recording is stopped and kept.",
                    ("Start again", self.restart),
                )

    def _show_keys(self) -> None:
        release = self._services.settings.get("release_key")
        self.shortcuts.ask(self._around.situation().perspective, release)
