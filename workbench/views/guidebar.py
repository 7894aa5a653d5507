"""The first steps as a bar: where one is, what to do, and a button that leads on."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.models.guide import STEPS, Guide
from workbench.views import icons, parts
from workbench.views.sign import Sign

HEIGHT = 44


class GuideBar(QWidget):
    """Signals: closed(), wanted(str) the action that leads on."""

    closed = Signal()
    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("guide")
        self.setProperty("surface", "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("First steps")
        self.setFixedHeight(HEIGHT)
        self._action = ""
        self.signs = {step.id: Sign("circle", "secondary") for step in STEPS}
        self.count = parts.label("", "caption")
        self.text = parts.ElidedLabel("", "text")
        self.how = parts.ElidedLabel("", "caption")
        self.on = parts.button("", "", lambda: self.wanted.emit(self._action), primary=True)
        self.close_button = QToolButton()
        self.close_button.setIcon(icons.icon("x", "secondary"))
        self.close_button.setIconSize(QSize(icons.SIZE, icons.SIZE))
        self.close_button.setAccessibleName("Close the first steps")
        self.close_button.setToolTip("Close; Help > First steps brings it back")
        self.close_button.clicked.connect(self.closed.emit)
        signs = parts.row(*self.signs.values(), gap=4)
        words = parts.column(self.text, self.how, gap=0)
        box = parts.row(signs, self.count, words, self.on, self.close_button)
        box.setContentsMargins(parts.PADDING, 0, parts.GAP, 0)
        box.setStretch(2, 1)
        self.setLayout(box)

    def show_guide(self, guide: Guide, action: str, button: str, how: str = "") -> None:
        """Show where one is; `action` is what the button does, "" for no button.

        how: what to do here and now, where it is not what the step says.
        """
        for step in STEPS:
            sign, done = self.signs[step.id], step.id in guide.done
            current = guide.step is not None and guide.step.id == step.id
            sign.show_icon("check-circle" if done else "circle",
                           "passed" if done else "accent" if current else "secondary")  # fmt: skip
            sign.setAccessibleName(f"{step.text}: {'done' if done else 'to do'}")
            sign.setToolTip(parts.plain_tip(step.text))
        now = guide.step
        number = STEPS.index(now) + 1 if now is not None else len(STEPS)
        self.count.setText(f"{number} of {len(STEPS)}")
        self.text.set_full(now.text if now else "That is the whole way: a tested getter")
        self.how.set_full(how or now.how if now else "Help > First steps brings this back.")
        self._action = action
        self.on.setText(button)
        self.on.setVisible(bool(action))
        self.setVisible(guide.shown)
