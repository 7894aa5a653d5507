"""QActions, menus and the toolbar, all made from the ACTIONS table."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from workbench.models.actions import ACTIONS, MENUS
from workbench.models.actionspec import ActionSpec, Scope
from workbench.models.situation import PERSPECTIVES, Situation
from workbench.views import icons, parts

HEIGHT = 36
_ICON_ONLY = {
    "undo",
    "redo",
    "first",
    "back",
    "forward",
    "last",
    "stop_target",
    "reset_target",
}
_WORDS_IF_ROOM = {"stop_recording", "pause_recording"}


def make_actions(window: QWidget, run: Callable[[str], None]) -> dict[str, QAction]:
    """One QAction per row; those of a scope still have to be given to its widget."""
    out = {}
    group = QActionGroup(window)
    for spec in ACTIONS:
        action = QAction(spec.text, window)
        action.setProperty("phosphor", spec.icon)
        action.setCheckable(spec.checkable)
        if spec.short:
            action.setIconText(spec.short)
        action.setToolTip(_tip(spec))
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
        if spec.scope == "window":
            window.addAction(action)
        if spec.id.startswith("go_"):
            group.addAction(action)
        action.triggered.connect(lambda _=False, name=spec.id: run(name))
        out[spec.id] = action
    recolour(out)
    return out


def give_to(scope: Scope, widget: QWidget, actions: dict[str, QAction]) -> None:
    """The actions of a scope: their shortcuts work while this widget, or a child, has the focus."""
    for spec in ACTIONS:
        if spec.scope == scope:
            actions[spec.id].setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            widget.addAction(actions[spec.id])


def _tip(spec: ActionSpec) -> str:
    key = QKeySequence(spec.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    text = spec.tip or spec.text.rstrip("…")
    return f"{text}   {key}" if key else text


def recolour(actions: dict[str, QAction]) -> None:
    """Icons in the colours of the palette in use."""
    for spec in ACTIONS:
        token = "failed" if spec.id in ("record",) else "text"
        actions[spec.id].setIcon(icons.icon(spec.icon, token))


def _checked(situation: Situation) -> dict[str, bool]:
    """Which of the checkable actions stand for something that holds now."""
    replay = situation.replay
    return {
        "pause_recording": situation.capture.paused,
        "play": replay.playing,
        "show_before": replay.phase == "before",
        "show_action": replay.phase == "action",
        "show_after": replay.phase == "after",
        "show_difference": replay.differing,
    }


def enable(actions: dict[str, QAction], situation: Situation) -> None:
    """What can be done now."""
    for spec in ACTIONS:
        actions[spec.id].setEnabled(spec.enabled(situation))
    for name, on in _checked(situation).items():
        actions[name].setChecked(on)
    for name, done in (("undo", situation.undo), ("redo", situation.redo)):
        word = name.capitalize()
        text = f"{word} {done[:1].lower()}{done[1:]}" if done else word
        if actions[name].text() != text:
            actions[name].setText(text)


def fill_menus(bar: QMenuBar, actions: dict[str, QAction]) -> None:
    """One menu per section of the table."""
    for name in MENUS:
        menu = bar.addMenu(name)
        for spec in ACTIONS:
            if spec.menu == name:
                menu.addAction(actions[spec.id])


class ToolBar(QWidget):
    """Perspectives at the left, what the perspective offers after them, help at the right."""

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._tools: list[tuple[QToolButton, ActionSpec]] = []
        self._segments: list[QToolButton] = []
        box = self._box = QHBoxLayout(self)
        box.setContentsMargins(parts.GAP, 0, parts.GAP, 0)
        box.setSpacing(4)
        for perspective in PERSPECTIVES:
            button = _button(actions[f"go_{perspective}"], with_text=True)
            button.setProperty("segment", True)
            self._segments.append(button)
            box.addWidget(button)
        box.addSpacing(20)
        for spec in ACTIONS:
            if spec.places:
                button = _button(actions[spec.id], with_text=spec.id not in _ICON_ONLY)
                self._tools.append((button, spec))
                box.addWidget(button)
        self.more = _more()
        self._acts = actions
        self._perspective = ""
        box.addWidget(self.more)
        box.addStretch()
        self._help = [
            _button(actions[n], with_text=n == "palette") for n in ("palette", "shortcuts")
        ]
        for button in self._help:
            box.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_perspective(self, perspective: str) -> None:
        """Show what belongs to a perspective."""
        self._perspective = perspective
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Show the tools there is room for; the others are in a menu behind them."""
        gap, edge = self._box.spacing(), 2 * parts.GAP
        ends = [*self._segments, *self._help]
        room = self.width() - edge - 20 - 2 * gap - sum(b.sizeHint().width() + gap for b in ends)
        wanted = [(b, spec) for b, spec in self._tools if self._perspective in spec.places]
        sizes = _widths(wanted, gap, words=True)
        if sum(sizes) > room:
            sizes = _widths(wanted, gap, words=False)
        fits = len(wanted)
        if sum(sizes) > room:
            room -= self.more.sizeHint().width() + gap
            fits = next((n for n in range(len(sizes)) if sum(sizes[: n + 1]) > room), len(sizes))
        shown = {id(button) for button, _ in wanted[:fits]}
        for button, _ in self._tools:
            button.setVisible(id(button) in shown)
        menu = self.more.menu()
        menu.clear()
        for _, spec in wanted[fits:]:
            menu.addAction(self._acts[spec.id])
        self.more.setVisible(fits < len(wanted))


def _widths(tools: list[tuple[QToolButton, ActionSpec]], gap: int, *, words: bool) -> list[int]:
    """How much each takes, after giving words to those that have them only where there is room."""
    for button, spec in tools:
        if spec.id in _WORDS_IF_ROOM:
            _give_words(button, words=words)
    return [button.sizeHint().width() + gap for button, _ in tools]


def _give_words(button: QToolButton, *, words: bool) -> None:
    style = Qt.ToolButtonStyle
    wanted = style.ToolButtonTextBesideIcon if words else style.ToolButtonIconOnly
    if button.toolButtonStyle() != wanted:
        parts.set_property(button, "worded", words)
        button.setToolButtonStyle(wanted)


def _more() -> QToolButton:
    out = QToolButton()
    out.setText("More")
    out.setAccessibleName("More tools")
    out.setToolTip("What there is no room for")
    out.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    out.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    out.setProperty("segment", True)
    out.setMenu(QMenu(out))
    out.hide()
    return out


def _button(action: QAction, *, with_text: bool) -> QToolButton:
    out = QToolButton()
    out.setDefaultAction(action)
    out.setProperty("worded", with_text)
    out.setIconSize(QSize(icons.SIZE, icons.SIZE))
    _give_words(out, words=with_text)
    out.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    out.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    out.setAccessibleName(action.text())
    return out
