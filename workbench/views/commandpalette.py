"""The command palette: every action by name, and whatever the library holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from workbench.models.actions import ACTIONS
from workbench.models.actionspec import ActionSpec
from workbench.models.entries import Entry, Kind, rows
from workbench.models.finding import found
from workbench.models.situation import Situation
from workbench.models.whynot import why_not
from workbench.views import icons, parts, theme
from workbench.views.library import RowDelegate
from workbench.views.overlay import Overlay, key_text
from workbench.views.tree import ENTRY_ROLE

MOST, RECENT = 200, 12
Thing = ActionSpec | Entry
_ICONS: dict[Kind, str] = {
    "target": "desktop", "task": "clipboard-text", "episode": "film-strip", "corpus": "grid-four",
}  # fmt: skip


def text_of(thing: Thing) -> str:
    """What a row of the palette is found by."""
    if isinstance(thing, ActionSpec):
        return f"{thing.text} {thing.menu} {thing.tip}"
    return f"{thing.text} {thing.kind} {thing.key}"


def key_of(thing: Thing) -> str:
    """What stands for it in the list of recent ones."""
    return thing.id if isinstance(thing, ActionSpec) else f"{thing.kind}:{thing.key}"


class CommandPalette(Overlay):
    """Return does the action, or opens the row of the library, that is marked.

    Signal: opened(Entry). recent: what was used last, newest first.
    """

    opened = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        actions: dict[str, QAction],
        situation: Callable[[], Situation],
        entries: Callable[[], Sequence[Entry]],
    ) -> None:
        super().__init__(parent, "Command palette", 640, 440)
        self._actions = actions
        self._situation = situation
        self._entries = entries
        self._things: list[Thing] = []
        self.recent: list[str] = []
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("Do or open…")
        self.edit.setAccessibleName("Command")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(icons.SIZE, icons.SIZE))
        self.list.setItemDelegate(RowDelegate(self.list))
        self.nothing = parts.label("Nothing matches. Every word must occur.", "secondary")
        self.nothing.setContentsMargins(8, 4, 8, 4)
        self.edit.textChanged.connect(self._show)
        self.edit.installEventFilter(self)
        self.list.itemClicked.connect(self._do)
        self.setLayout(parts.column(self.edit, self.nothing, self.list, padding=8))

    def ask(self) -> None:
        """Open it, empty."""
        self._things = [*ACTIONS, *(row for row in rows(self._entries()) if row.kind in _ICONS)]
        self.edit.clear()
        self._show("")
        self.open(self.edit)

    def _show(self, text: str) -> None:
        self.list.clear()
        by_key = {key_of(thing): thing for thing in self._things}
        recent = [by_key[key] for key in self.recent if key in by_key]
        situation = self._situation()
        ranked = found(text, self._things, text_of, recent)
        shown = sorted(ranked, key=self._disabled)[:MOST]
        for thing in shown:
            self.list.addItem(self._item(thing, situation))
        self.list.setCurrentRow(0)
        self.nothing.setVisible(not shown)

    def _disabled(self, thing: Thing) -> bool:
        return isinstance(thing, ActionSpec) and not self._actions[thing.id].isEnabled()

    def _item(self, thing: Thing, situation: Situation) -> QListWidgetItem:
        if isinstance(thing, Entry):
            item = QListWidgetItem(icons.icon(_ICONS[thing.kind], "secondary"), thing.text)
            note = f"{thing.kind} · {thing.note}" if thing.note else thing.kind
            item.setData(ENTRY_ROLE, Entry(thing.kind, key_of(thing), thing.text, note))
            return item
        item = QListWidgetItem(icons.icon(thing.icon, "secondary"), f"{thing.menu}: {thing.text}")
        note = key_text(thing.shortcut)
        if self._disabled(thing):
            note = why_not(thing, situation) or note
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setForeground(theme.colour("secondary"))
        item.setData(ENTRY_ROLE, Entry("task", thing.id, item.text(), note))
        return item

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and isinstance(event, QKeyEvent):
            return event.type() is QEvent.Type.KeyPress and self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self._step(1 if key == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                page = max(1, self.list.height() // 24 - 1)
                self._step(page if key == Qt.Key.Key_PageDown else -page, around=False)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._do(self.list.currentItem())
            case Qt.Key.Key_Escape:
                self.dismiss()
            case _:
                return False
        return True

    def _step(self, by: int, *, around: bool = True) -> None:
        count = max(1, self.list.count())
        to = self.list.currentRow() + by
        self.list.setCurrentRow(to % count if around else min(max(to, 0), count - 1))

    def _do(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        key = item.data(ENTRY_ROLE).key
        thing = next((t for t in self._things if key_of(t) == key), None)
        if thing is None or self._disabled(thing):
            return
        self.dismiss()
        self.recent = [key, *(k for k in self.recent if k != key)][:RECENT]
        if isinstance(thing, ActionSpec):
            self._actions[thing.id].trigger()
        else:
            self.opened.emit(thing)
