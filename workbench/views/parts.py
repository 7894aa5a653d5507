"""Small parts every panel is made of: labels, buttons, rows, sections, empty states."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QTextLayout
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QVBoxLayout,
    QWidget,
)

from workbench.views import icons, theme

PADDING, GAP = 12, 8
NAME_WIDTH = 112
EMPTY_WIDTH = 456
_TIP_CHARS = 60
_LONG_WORD = re.compile(r"(\S{40})(?=\S)")


def indented(spin: QSpinBox) -> QSpinBox:
    """A spin box whose number starts where the text of other controls starts."""
    spin.lineEdit().setTextMargins(6, 0, 0, 0)
    return spin


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a style property and have the style sheet look at it again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def label(text: str = "", role: str = "text", *, wrap: bool = False) -> QLabel:
    """A plain-text label. Roles: text, title, secondary, caption, value and the statuses."""
    out = QLabel(text)
    out.setTextFormat(Qt.TextFormat.PlainText)
    out.setWordWrap(wrap)
    out.setProperty("role", role)
    out.setFont(_font(role))
    return out


def _font(role: str) -> QFont:
    match role:
        case "title":
            return theme.font(theme.TITLE, strong=True)
        case "heading":
            return theme.font(theme.SMALL, strong=True)
        case "secondary":
            return theme.font(theme.SMALL)
        case "caption":
            return theme.font(theme.CAPTION)
        case "value":
            return theme.font(theme.SMALL, mono=True)
        case "reading":
            return theme.font(theme.LARGE, mono=True)
        case _:
            return theme.font(theme.BODY)


class ElidedLabel(QLabel):
    """One line of plain text that ends in … when there is no room; the tooltip has it all."""

    def __init__(self, text: str = "", role: str = "text", *, middle: bool = False) -> None:
        super().__init__()
        self._full = ""
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setFont(_font(role))
        self.setMinimumWidth(24)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.set_full(text)

    def set_full(self, text: str) -> None:
        """Show this text, cut where it must be."""
        self._full = text.replace("\n", " ⏎ ")
        self._elide()

    def full(self) -> str:
        """The whole text."""
        return self._full

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self._cut(self._full)
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(plain_tip(self._full) if "…" in shown else "")
        self.setAccessibleName(self._full)

    def _cut(self, text: str) -> str:
        return QFontMetrics(self.font()).elidedText(text, self._mode, self.width())


class Choice(QComboBox):
    """A combo box whose text ends in … when there is no room; the tooltip has it all."""

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        style = self.style()
        with QPainter(self) as painter:
            style.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option, painter, self)
            room = style.subControlRect(
                QStyle.ComplexControl.CC_ComboBox,
                option,
                QStyle.SubControl.SC_ComboBoxEditField,
                self,
            )
            mode = Qt.TextElideMode.ElideRight
            whole = option.currentText
            option.currentText = self.fontMetrics().elidedText(whole, mode, room.width() - 4)
            style.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option, painter, self)
        cut = option.currentText != whole
        tip = plain_tip(whole) if cut else ""
        if tip != self.toolTip() and (cut or self.property("cut")):
            self.setToolTip(tip)
        self.setProperty("cut", cut)


class ClampedLabel(ElidedLabel):
    """A few lines of plain text in a place of fixed height; … and a tooltip when it is longer."""

    def __init__(self, lines: int, role: str = "text") -> None:
        self._lines = lines
        super().__init__("", role)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFixedHeight(lines * QFontMetrics(self.font()).lineSpacing() + 4)

    def _cut(self, text: str) -> str:
        *whole, last = [text[a:b].rstrip() for a, b in self._breaks(text)] or [""]
        return "\n".join([*whole, super()._cut(last)])

    def _breaks(self, text: str) -> list[tuple[int, int]]:
        layout = QTextLayout(text, self.font())
        out: list[tuple[int, int]] = []
        layout.beginLayout()
        while len(out) < self._lines and (line := layout.createLine()).isValid():
            line.setLineWidth(self.width())
            start = line.textStart()
            at_end = len(out) == self._lines - 1
            out.append((start, len(text) if at_end else start + line.textLength()))
        layout.endLayout()
        return out


def breakable(text: str) -> str:
    """The text with places where a word longer than a line may be broken."""
    return _LONG_WORD.sub("\\1\u200b", text)


def plain_tip(text: str) -> str:
    """A tooltip that Qt cannot take for rich text: markup characters are escaped as such.

    A long one is escaped too, because Qt wraps only rich text.
    """
    if len(text) <= _TIP_CHARS and "<" not in text and "&" not in text:
        return text
    return f'<span style="white-space:pre-wrap">{html.escape(text)}</span>'


def button(
    text: str,
    icon: str = "",
    on_click: Callable[[], object] | None = None,
    *,
    primary: bool = False,
) -> QPushButton:
    """A push button with a verb on it."""
    out = QPushButton(text)
    out.setProperty("primary", primary)
    out.setProperty("phosphor", icon)
    out.setCursor(Qt.CursorShape.ArrowCursor)
    if on_click is not None:
        out.clicked.connect(lambda _=False: on_click())
    refresh_icon(out)
    return out


def refresh_icon(widget: QPushButton) -> None:
    """Draw the button's icon in the colours of the palette in use."""
    name = widget.property("phosphor")
    if name:
        token = "on_accent" if widget.property("primary") and widget.isEnabled() else "text"
        widget.setIcon(icons.icon(name, token))
        widget.setIconSize(QSize(icons.SIZE, icons.SIZE))


def rule() -> QFrame:
    """A one-pixel line."""
    out = QFrame()
    out.setObjectName("rule")
    return out


def column(*items: QWidget | QLayout, padding: int = 0, gap: int = GAP) -> QVBoxLayout:
    """A column of widgets."""
    box = QVBoxLayout()
    _fill(box, items, padding, gap)
    return box


def row(*items: QWidget | QLayout, padding: int = 0, gap: int = GAP) -> QHBoxLayout:
    """A row of widgets."""
    box = QHBoxLayout()
    _fill(box, items, padding, gap)
    return box


def _fill(
    box: QVBoxLayout | QHBoxLayout, items: tuple[QWidget | QLayout, ...], padding: int, gap: int
) -> None:
    box.setContentsMargins(padding, padding, padding, padding)
    box.setSpacing(gap)
    for item in items:
        if isinstance(item, QWidget):
            box.addWidget(item)
        else:
            box.addLayout(item)


class Section(QWidget):
    """A heading with content below; sections are set apart by space, not by boxes."""

    def __init__(self, heading: str, *items: QWidget | QLayout, gap: int = GAP) -> None:
        super().__init__()
        self.heading = label(heading, "heading")
        self.body = column(self.heading, *items, gap=gap)
        self.body.insertSpacing(1, GAP - gap)
        self.setLayout(self.body)


def named(text: str, control: QWidget) -> QHBoxLayout:
    """A control with its name at the left, in the same columns as `Facts` and forms."""
    name = label(text, "secondary")
    name.setFixedWidth(NAME_WIDTH)
    name.setBuddy(control)
    out = row(name, control)
    out.setStretch(1, 1)
    return out


class Facts(QWidget):
    """Rows of name and value in two columns; values can be set by name."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnMinimumWidth(0, NAME_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._values: dict[str, ElidedLabel] = {}
        for name in names:
            self._add(name)

    def _add(self, name: str) -> ElidedLabel:
        place = len(self._values)
        value = ElidedLabel("–", "value")
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setMinimumHeight(20)
        self._grid.addWidget(label(name, "secondary"), place, 0)
        self._grid.addWidget(value, place, 1)
        self._values[name] = value
        return value

    def show_values(self, values: dict[str, str]) -> None:
        """Set values by name; names that are not given show a dash."""
        for name in self._values:
            self._values[name].set_full(values.get(name) or "–")

    def value(self, name: str) -> str:
        """The whole text of one value."""
        return self._values[name].full()


class EmptyState(QWidget):
    """What to do next, said in words and offered as buttons."""

    def __init__(self, title: str, text: str, *buttons: QPushButton) -> None:
        super().__init__()
        self.title = label(title, "title")
        self.text = label(text, "secondary", wrap=True)
        for part in (self.title, self.text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.text.setFixedWidth(EMPTY_WIDTH)
        self.text.setMinimumHeight(self.text.heightForWidth(EMPTY_WIDTH))
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setFixedWidth(160)
        policy = self.busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.busy.setSizePolicy(policy)
        self.busy.hide()
        actions = row(*buttons)
        actions.insertStretch(0)
        actions.addStretch()
        box = column(self.title, self.text, actions, self.busy, padding=PADDING)
        box.setAlignment(self.busy, Qt.AlignmentFlag.AlignHCenter)
        box.setAlignment(self.text, Qt.AlignmentFlag.AlignHCenter)
        box.insertStretch(0)
        box.addStretch()
        self.setLayout(box)

    def say(self, title: str, text: str, *, busy: bool = False) -> None:
        """Say something else; `busy` shows that work goes on."""
        self.title.setText(title)
        self.text.setText(text)
        self.text.setMinimumHeight(self.text.heightForWidth(EMPTY_WIDTH))
        self.busy.setVisible(busy)


def scrolled(panel: QWidget, surface: str) -> QScrollArea:
    """The panel in a frame that scrolls it up and down; it takes no focus of its own.

    surface: the tone it lies on, `panel` or `raised`.
    """
    area = QScrollArea()
    area.setWidget(panel)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    for part in (area, panel):
        part.setProperty("surface", surface)
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return area
