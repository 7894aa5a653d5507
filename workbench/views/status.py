"""The status line: target, frame age, fps, size, zoom, position and colour, jobs."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QToolButton, QWidget

from trajectories.frame import Frame
from trajectories.geometry import Point, Size
from workbench.services.worker import JobState
from workbench.views import icons, parts, theme

HEIGHT = 28


def age_text(seconds: float | None, stalled_after: float) -> str:
    """How old the picture is."""
    if seconds is None:
        return ""
    if seconds < 1:
        return "< 1 s"
    text = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
    return f"{text} · unchanged" if seconds >= stalled_after else text


def zoom_text(zoom: float) -> str:
    """The zoom in per cent."""
    return f"{zoom * 100:.0f} %"


def colour_at(frame: Frame, point: Point) -> str:
    """The colour of the pixel under a position, as #RRGGBB."""
    b, g, r, _ = (int(v) for v in frame.pixels[int(point.y), int(point.x)])
    return f"#{r:02X}{g:02X}{b:02X}"


class Swatch(QWidget):
    """The colour under the pointer."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(16, 16)
        self.setAccessibleName("Colour under the pointer")
        self._colour: str = ""

    def show_colour(self, colour: str) -> None:
        """Show #RRGGBB; "" for none."""
        if colour != self._colour:
            self._colour = colour
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._colour:
            with QPainter(self) as painter:
                painter.setPen(QPen(theme.colour("control"), 1))
                painter.setBrush(QColor(self._colour))
                painter.drawRect(QRectF(1.5, 1.5, 13, 13))


class StatusLine(QWidget):
    """Every value has its place, so nothing moves when one comes or goes.

    Signal: cancel_requested(int) with the job's id.
    """

    cancel_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._fields: dict[str, parts.ElidedLabel] = {}
        self.swatch = Swatch()
        self.job = parts.ElidedLabel("", "caption")
        self.bar = QProgressBar()
        self.cancel = QToolButton()
        self._jobs: tuple[JobState, ...] = ()
        box = QHBoxLayout(self)
        box.setContentsMargins(parts.PADDING, 0, parts.GAP, 0)
        box.setSpacing(parts.GAP)
        for name, width, stretch in (("target", 240, 240), ("age", 160, 160), ("fps", 48, 0)):
            box.addWidget(self._field(name, width), stretch)
        box.addStretch(1)
        self._add_job(box)
        for name, width in (("size", 104), ("zoom", 52), ("position", 96)):
            box.addWidget(self._field(name, width))
        box.addWidget(self.swatch)
        box.addWidget(self._field("colour", 64))
        self.show_jobs(())

    def _field(self, name: str, width: int) -> parts.ElidedLabel:
        mono = name != "target"
        out = parts.ElidedLabel("", "caption")
        out.setFont(theme.font(theme.CAPTION, mono=mono))
        _fix_width(out, width, flexible=name in ("target", "age"))
        if name in ("position", "zoom", "size"):
            out.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fields[name] = out
        return out

    def _add_job(self, box: QHBoxLayout) -> None:
        _fix_width(self.job, 200, flexible=True)
        self.job.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar.setFixedWidth(96)
        self.bar.setTextVisible(False)
        self.cancel.setAccessibleName("Cancel job")
        self.cancel.setToolTip("Cancel")
        self.cancel.setFixedSize(24, 24)
        self.cancel.setIconSize(QSize(icons.SIZE, icons.SIZE))
        self.cancel.clicked.connect(self._cancel)
        for part in (self.job, self.bar, self.cancel):
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
            box.addWidget(part, 200 if part is self.job else 0)
        self.restyle()

    def restyle(self) -> None:
        """Icons in the colours of the palette in use."""
        self.cancel.setIcon(icons.icon("x", "secondary"))
        self.swatch.update()

    def show_target(self, text: str, age: str = "", fps: float | None = None) -> None:
        """What the canvas shows, how old it is and how often it changes."""
        self._fields["target"].set_full(text)
        self._fields["age"].set_full(f"age {age}" if age else "")
        self._fields["fps"].set_full("" if fps is None else f"{fps:.0f} fps")

    def show_view(self, size: Size | None, zoom: float) -> None:
        """The frame's size and the zoom."""
        self._fields["size"].set_full(f"{size.width} × {size.height} px" if size else "")
        self._fields["zoom"].set_full(zoom_text(zoom) if size else "")

    def show_pointer(self, point: Point | None, colour: str = "") -> None:
        """Where the pointer is in frame pixels, and the colour there."""
        text = f"{int(point.x)}, {int(point.y)} px" if point else ""
        self._fields["position"].set_full(text)
        self._fields["colour"].set_full(colour)
        self.swatch.show_colour(colour)

    def show_jobs(self, jobs: tuple[JobState, ...]) -> None:
        """The oldest job with its progress, and how many more wait."""
        self._jobs = jobs
        for part in (self.job, self.bar, self.cancel):
            part.setVisible(bool(jobs))
        if not jobs:
            return
        first = jobs[0]
        more = f"  +{len(jobs) - 1}" if len(jobs) > 1 else ""
        done = f" {first.progress.done} of {first.progress.total}" if first.progress.total else ""
        self.job.set_full(f"{first.title}{done}{more}")
        self.bar.setRange(0, first.progress.total)
        self.bar.setValue(first.progress.done)

    def text(self, name: str) -> str:
        """The whole text of one field."""
        return self._fields[name].full()

    def _cancel(self) -> None:
        if self._jobs:
            self.cancel_requested.emit(self._jobs[0].id)


def _fix_width(widget: QWidget, width: int, *, flexible: bool = False) -> None:
    """A place of that width; a flexible one gives way in a narrow window, down to a third."""
    if not flexible:
        widget.setFixedWidth(width)
        widget.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return
    widget.setMinimumWidth(width // 3)
    widget.setMaximumWidth(width)
    widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
