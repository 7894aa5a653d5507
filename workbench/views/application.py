"""The one application object."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication


def application() -> QApplication:
    """The application object, made when it is not there yet."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("graticule")
    app.setApplicationDisplayName("Graticule")
    return app
