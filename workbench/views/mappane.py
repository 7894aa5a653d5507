"""The upper half of Audit: what is on the map, how it is shown, the map, and its legend."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.models.auditgrid import ERROR, SKIPPED, STEPS, Mark
from workbench.views import heatpaint, parts, theme
from workbench.views.heatmap import HeatMap

LEGEND_HEIGHT = 28
_BAR, _SWATCH = 96, 14
_SAMPLES = (
    (ERROR, None, "could not be judged"),
    (SKIPPED, None, "not asked for"),
    (STEPS - 1, Mark.FALSE_POSITIVE, "false positive"),
    (0, Mark.FALSE_NEGATIVE, "false negative"),
    (STEPS // 2, Mark.UNLABELLED, "unlabelled"),
)


class Legend(QWidget):
    """What colours and signs mean; on narrow maps the last words give way."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(LEGEND_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")
        words = ", ".join(text for _, _, text in _SAMPLES)
        self.setAccessibleDescription(f"A scale from 0 to 1; signs for: {words}")

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, metrics = theme.current(), QFontMetrics(theme.font(theme.CAPTION))
        middle = self.height() / 2
        with QPainter(self) as painter:
            painter.setFont(theme.font(theme.CAPTION))
            x = self._words(painter, metrics, parts.PADDING, "0") + 6
            step = _BAR / STEPS
            for code in range(STEPS):
                box = QRectF(x + code * step, middle - 6, step + 0.5, 12)
                painter.fillRect(box, heatpaint.code_colour(code, palette))
            x = self._words(painter, metrics, x + _BAR + 6, "1") + 20
            for code, mark, text in _SAMPLES:
                if x + _SWATCH + 6 + metrics.horizontalAdvance(text) > self.width():
                    return
                box = QRectF(x, middle - _SWATCH / 2, _SWATCH, _SWATCH)
                painter.fillRect(box, theme.colour("line"))
                painter.fillRect(box, heatpaint.code_colour(code, palette))
                heatpaint.draw_sign(painter, code, box, palette)
                if mark is not None:
                    heatpaint.draw_sign(painter, 100 + mark, box, palette)
                x = self._words(painter, metrics, x + _SWATCH + 6, text) + 16

    def _words(self, painter: QPainter, metrics: QFontMetrics, x: float, text: str) -> float:
        painter.setPen(theme.colour("secondary"))
        width = metrics.horizontalAdvance(text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(x, 0, width + 2, self.height()), flags, text)
        return x + width


class MapPane(QWidget):
    """A line above the map, the map, the cell under the pointer in words, and the legend."""

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = parts.ElidedLabel("", "text")
        self.size_text = parts.ElidedLabel("", "caption")
        self.map = HeatMap()
        self.legend = Legend()
        self.readout = parts.ElidedLabel("", "secondary")
        self.readout.setFixedHeight(24)
        self.readout.setContentsMargins(parts.PADDING, 0, parts.PADDING, 0)
        self.score_level = QToolButton()
        self.score_level.setText("Score level")
        self.score_level.setAccessibleName("Score level")
        self.score_level.setToolTip("Show Scores, and each criterion when zoomed in")
        self.score_level.setCheckable(True)
        self.score_level.clicked.connect(lambda: self._to_level(actions["map_sr"], sr=False))
        self.sr_level = QToolButton()
        self.sr_level.setText("SR level")
        self.sr_level.setAccessibleName("SR level")
        self.sr_level.setToolTip(actions["map_sr"].toolTip())
        self.sr_level.setCheckable(True)
        self.sr_level.clicked.connect(lambda: self._to_level(actions["map_sr"], sr=True))
        tools = [_tool(actions[name]) for name in (
            "sort_wrong", "wrong_only", "map_out", "map_fit", "map_in",
        )]  # fmt: skip
        line = parts.row(self.title, self.size_text, self.score_level, self.sr_level, *tools, gap=4)
        line.setContentsMargins(parts.PADDING, 4, parts.GAP, 4)
        line.setStretch(0, 3)
        line.setStretch(1, 2)
        self.size_text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(line)
        for part in (self.map, self.readout, self.legend):
            box.addWidget(part)
        box.setStretch(1, 1)
        self.show_level("score")

    def _to_level(self, action: QAction, *, sr: bool) -> None:
        if action.isChecked() != sr:
            action.trigger()
        self.show_level("sr" if action.isChecked() else "score")

    def show_level(self, level: str) -> None:
        """Which of the two levels the map shows."""
        self.score_level.setChecked(level == "score")
        self.sr_level.setChecked(level == "sr")

    def show_title(self, title: str, size: str) -> None:
        """What the map is of."""
        self.title.set_full(title)
        self.size_text.set_full(size)


def _tool(action: QAction) -> QToolButton:
    out = QToolButton()
    out.setDefaultAction(action)
    out.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    out.setAccessibleName(action.text())
    return out
