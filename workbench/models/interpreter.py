"""Keeps the interpreter alive under PySide6 6.12 on Python 3.11."""

from __future__ import annotations

import ctypes
import sys

PLENTY = 1 << 40


def keep_none() -> bool:
    """Give None more references than can ever be lost; whether that was needed.

    PySide6 6.12.0 drops one reference to None at every call of a Qt method that returns nothing.
    From Python 3.12 on None is immortal; before, the process aborts with `none_dealloc` after some
    ten thousand such calls. Measured: QObject.setObjectName, 500 calls, refcount of None -500.
    """
    import PySide6

    version = tuple(int(part) for part in PySide6.__version__.split(".")[:2])
    if sys.version_info >= (3, 12) or version < (6, 12):
        return False
    if sys.getrefcount(None) < PLENTY:
        ctypes.c_ssize_t.from_address(id(None)).value += 2 * PLENTY
    return True
