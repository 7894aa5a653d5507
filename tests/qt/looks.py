"""What every view is looked at for: found by walking the widgets, so new ones are covered."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QScrollArea,
    QSplitterHandle,
    QStackedWidget,
    QWidget,
)

from workbench.models.palette import contrast
from workbench.views.actionbar import ToolBar
from workbench.views.library import LibraryPanel
from workbench.views.overlay import Overlay
from workbench.views.parts import ElidedLabel
from workbench.views.stage import Stage
from workbench.views.status import StatusLine

LEAST = 24
ESCAPED = ('<span style="white-space:pre-wrap">', "</span>")


def shown(root: QWidget) -> Iterator[QWidget]:
    """Every widget that is there to be seen."""
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and widget.window() is root.window():
            yield widget


def path_of(widget: QWidget) -> str:
    """Where a widget is, for a message."""
    names = []
    at: QWidget | None = widget
    while at is not None:
        names.append(at.objectName() or at.accessibleName() or type(at).__name__)
        at = at.parentWidget()
    return " < ".join(names[:4])


def cut_texts(root: QWidget) -> list[str]:
    """Labels and buttons that have less room than their text takes, without saying so."""
    out = []
    for widget in shown(root):
        match widget:
            case ElidedLabel():
                cut = "…" in widget.text() and "…" not in widget.full() and not widget.toolTip()
            case QLabel() if widget.text() and widget.wordWrap():
                cut = widget.heightForWidth(widget.width()) > widget.height() + 1
            case QLabel() if widget.text():
                cut = widget.sizeHint().width() > widget.width() + 1
            case QComboBox() | QAbstractSpinBox():
                cut = False
            case QAbstractButton() if widget.text() and not isinstance(widget, QCheckBox):
                cut = widget.sizeHint().width() > widget.width() + 1
            case _:
                cut = False
        if cut:
            out.append(f"{path_of(widget)}: {getattr(widget, 'text', str)()!r}")
    return out


def outside(root: QWidget) -> list[str]:
    """Widgets that stick out of the window, or of a panel that does not scroll."""
    whole = QRect(root.mapToGlobal(root.rect().topLeft()), root.size())
    out = []
    for area in (w for w in shown(root) if isinstance(w, QScrollArea)):
        inner = area.widget()
        if inner is not None and inner.width() > area.viewport().width():
            out.append(f"{path_of(inner)}: {inner.width()} > {area.viewport().width()} wide")
    for widget in shown(root):
        if isinstance(widget, QMenuBar) or _scrolls(widget):
            continue
        place = QRect(widget.mapToGlobal(widget.rect().topLeft()), widget.size())
        if not whole.contains(place):
            out.append(f"{path_of(widget)}: {place}")
    return out


def _scrolls(widget: QWidget) -> bool:
    at = widget.parentWidget()
    while at is not None:
        if at.objectName() == "qt_scrollarea_viewport":
            return True
        at = at.parentWidget()
    return False


def _inner(widget: QWidget) -> bool:
    """Whether it is a part of another control, which has the name."""
    above = widget.parentWidget()
    part = isinstance(above, QAbstractSpinBox | QComboBox | QLineEdit | QMenuBar)
    popup = type(above).__name__ == "QComboBoxPrivateContainer"
    return part or popup or widget.objectName().startswith("qt_")


def focusable(root: QWidget) -> list[QWidget]:
    """Every widget that can take the focus by Tab now."""
    return [
        widget
        for widget in shown(root)
        if widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not _inner(widget)
        and not isinstance(widget, QSplitterHandle | QMenuBar)
    ]


def name_of(widget: QWidget) -> str:
    """What a screen reader says of it."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


def nameless(root: QWidget) -> list[str]:
    """Widgets that take the focus and have no name."""
    return [path_of(widget) for widget in focusable(root) if not name_of(widget)]


def panel_of(widget: QWidget) -> QWidget:
    """The panel a widget stands in: an overlay, a dialog, or a part of the window."""
    at = widget
    while (above := at.parentWidget()) is not None:
        ends = isinstance(at, Overlay | Stage | LibraryPanel | ToolBar | StatusLine | QDialog)
        if ends or isinstance(above, QStackedWidget):
            return at
        at = above
    return at


def namesakes(root: QWidget) -> list[str]:
    """Two widgets of one panel with the same name."""
    seen: dict[tuple[int, str], QWidget] = {}
    out = []
    for widget in focusable(root):
        key = (id(panel_of(widget)), name_of(widget))
        if key in seen:
            out.append(f"{name_of(widget)!r}: {path_of(widget)} and {path_of(seen[key])}")
        seen[key] = widget
    return out


def small(root: QWidget) -> list[str]:
    """What is clicked and smaller than 24 pixels."""
    clicked = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox)
    return [
        f"{path_of(widget)}: {widget.width()} × {widget.height()}"
        for widget in shown(root)
        if isinstance(widget, clicked)
        and not _inner(widget)
        and min(widget.width(), widget.height()) < LEAST
    ]


def rich(root: QWidget) -> list[str]:
    """Labels and tool tips that Qt could take for rich text."""
    labels = [
        f"label {path_of(label)}"
        for label in root.findChildren(QLabel)
        if label.textFormat() is not Qt.TextFormat.PlainText
    ]
    tips = [
        f"tool tip {path_of(widget)}: {widget.toolTip()!r}"
        for widget in root.findChildren(QWidget)
        if could_be_rich(widget.toolTip())
    ]
    return labels + tips


def could_be_rich(tip: str) -> bool:
    """Whether Qt could take it for rich text; what `parts.plain_tip` escaped cannot be."""
    return "<" in tip.removeprefix(ESCAPED[0]).removesuffix(ESCAPED[1])


def place_of(widget: QWidget, *, scrolled: bool = True) -> QRect:
    """Where a widget is in its window; scrolled=False: where it would be with nothing scrolled."""
    at = widget.mapTo(widget.window(), QPoint(0, 0))
    above = widget.parentWidget()
    while not scrolled and above is not None:
        if isinstance(above, QScrollArea):
            at += QPoint(above.horizontalScrollBar().value(), above.verticalScrollBar().value())
        above = above.parentWidget()
    return QRect(at, widget.size())


def tab_stops(root: QWidget, start: QWidget, most: int = 200) -> list[QWidget]:
    """Where Tab goes from a widget until it comes back."""
    start.setFocus()
    out: list[QWidget] = []
    for _ in range(most):
        here = QApplication.focusWidget()
        assert here is not None, f"no focus after {[path_of(w) for w in out]}, {root}"
        if here in out:
            return out
        out.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never came back: {[path_of(w) for w in out[-5:]]}")


def jumps(stops: list[QWidget]) -> list[str]:
    """Where Tab goes against the reading order within a panel."""
    out = []
    for a, b in itertools.pairwise(stops):
        if panel_of(a) is not panel_of(b):
            continue
        one, two = place_of(a, scrolled=False), place_of(b, scrolled=False)
        above = two.bottom() <= one.top()
        same_line = two.top() < one.bottom() and one.top() < two.bottom()
        if above or (same_line and two.right() <= one.left()):
            out.append(f"{name_of(a)!r} -> {name_of(b)!r} in {path_of(b)}")
    return out


def without_focus_mark(root: QWidget) -> list[str]:
    """Widgets that look the same with the focus and without it."""
    out = []
    elsewhere = QWidget(root)
    elsewhere.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    elsewhere.setGeometry(0, 0, 1, 1)
    elsewhere.show()
    for widget in [w for w in focusable(root) if w is not elsewhere]:
        elsewhere.setFocus()
        before = _seen(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if _seen(widget) == before:
            out.append(f"{name_of(widget)!r} {path_of(widget)}")
    elsewhere.hide()
    elsewhere.setParent(None)
    elsewhere.deleteLater()
    return out


def _seen(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()


def faint(root: QWidget) -> list[str]:
    """Text whose darkest (or lightest) pixels stand out from the ground by less than 4.5 : 1."""
    out = []
    for widget in shown(root):
        text = widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""
        if not text.strip() or not widget.isEnabled() or _inner(widget) or _hidden_away(widget):
            continue
        ratio = contrast_of(widget)
        if ratio < 4.5:
            out.append(f"{ratio:.1f}: {text[:40]!r} in {path_of(widget)}")
    return out


def _hidden_away(widget: QWidget) -> bool:
    return widget.visibleRegion().isEmpty() or widget.width() < 8


def contrast_of(widget: QWidget) -> float:
    """The highest contrast of a pixel with the ground, which is the commonest colour."""
    window = widget.window()
    image = window.grab(place_of(widget).intersected(window.rect())).toImage()
    counted = Counter(
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    )
    if not counted:
        return 21.0
    ground = counted.most_common(1)[0][0]
    return max(contrast(ground, colour) for colour in counted)


def strays(root: QWidget) -> list[str]:
    """Windows nobody asked for: a part that was shown before it had a parent."""
    return [
        path_of(widget)
        for widget in QApplication.topLevelWidgets()
        if widget.isVisible() and not isinstance(widget, QMainWindow | QDialog)
    ]
