"""Qt messages, and the timers, threads and top-level widgets that a test leaves behind."""

from __future__ import annotations

import functools
import gc
import sys
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from hygiene.messages import Message, Messages
from hygiene.waiting import wait_until

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType
    from PySide6.QtWidgets import QWidget

GRACE_SECONDS = 2.0
_timers: WeakSet[Any] = WeakSet()
_threads: WeakSet[Any] = WeakSet()


def is_loaded() -> bool:
    """Whether anything has imported Qt."""
    return "PySide6.QtCore" in sys.modules


def remember_starts() -> None:
    """Note every QTimer and QThread that is started from Python."""
    from PySide6.QtCore import QThread, QTimer

    _note_starts(QTimer, _timers)
    _note_starts(QThread, _threads)


def _note_starts(cls: Any, into: WeakSet[Any]) -> None:
    original = cls.start
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def start(self: Any, *args: Any) -> Any:
        into.add(self)
        return original(self, *args)

    cls.start = start


class QtWatch:
    """Listens to Qt's messages during a test, and looks for leftovers after it."""

    def __init__(self) -> None:
        self.messages = Messages("Qt message")
        self._widgets: set[int] = set()
        self._running: WeakSet[Any] = WeakSet()

    def start(self) -> None:
        """Begin to listen, with a clean slate."""
        self.messages = Messages("Qt message")
        if is_loaded():
            from PySide6.QtCore import qInstallMessageHandler

            remember_starts()
            qInstallMessageHandler(self._handle)

    def adopt(self) -> None:
        """From here on widgets, timers and threads that exist belong to the session."""
        if is_loaded():
            self._widgets |= {_address(widget) for widget in _top_levels()}
            self._running.update([*_active(_timers, "isActive"), *_active(_threads, "isRunning")])

    def problems(self) -> list[str]:
        """Stray messages, and what is left after deferred deletions were carried out."""
        if not is_loaded():
            return self.messages.problems()
        _delete_deferred()
        if self._leaks():
            gc.collect()
            _delete_deferred()
            wait_until(lambda: not self._leaks(), GRACE_SECONDS)
        told = self._leaks()
        self._clean()
        return [*self.messages.problems(), *told]

    def _handle(self, kind: QtMsgType, context: QMessageLogContext, text: str | None) -> None:
        from PySide6.QtCore import QtMsgType

        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            source = context.category or "default"
            self.messages.received.append(Message(source, kind.name, text or ""))

    def _leaks(self) -> list[str]:
        timers = [t for t in _active(_timers, "isActive") if t not in self._running]
        threads = [t for t in _active(_threads, "isRunning") if t not in self._running]
        return [
            *(f"active QTimer: {timer} every {timer.interval()} ms" for timer in timers),
            *(f"running QThread: {thread}" for thread in threads),
            *(f"leftover top-level widget: {widget}" for widget in self._new_widgets()),
        ]

    def _new_widgets(self) -> list[QWidget]:
        return [widget for widget in _top_levels() if _address(widget) not in self._widgets]

    def _clean(self) -> None:
        for timer in _active(_timers, "isActive"):
            if timer not in self._running:
                timer.stop()
        for widget in self._new_widgets():
            widget.close()
            widget.deleteLater()
        self._running.update(_active(_threads, "isRunning"))
        _delete_deferred()


def _active(objects: WeakSet[Any], question: str) -> list[Any]:
    import shiboken6

    return [o for o in list(objects) if shiboken6.isValid(o) and getattr(o, question)()]


def _top_levels() -> list[QWidget]:
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    from PySide6.QtWidgets import QApplication

    return QApplication.topLevelWidgets() if QApplication.instance() else []


def _address(widget: QWidget) -> int:
    import shiboken6

    return int(shiboken6.getCppPointer(widget)[0])


def _delete_deferred() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
