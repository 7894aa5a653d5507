"""Qt keys to the key names of the W3C UI Events `key` attribute; pure."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

K = Qt.Key
_NAMED: dict[int, str] = {
    K.Key_Escape: "Escape",
    K.Key_Tab: "Tab",
    K.Key_Backtab: "Tab",
    K.Key_Backspace: "Backspace",
    K.Key_Return: "Enter",
    K.Key_Enter: "Enter",
    K.Key_Insert: "Insert",
    K.Key_Delete: "Delete",
    K.Key_Pause: "Pause",
    K.Key_Print: "PrintScreen",
    K.Key_Home: "Home",
    K.Key_End: "End",
    K.Key_Left: "ArrowLeft",
    K.Key_Up: "ArrowUp",
    K.Key_Right: "ArrowRight",
    K.Key_Down: "ArrowDown",
    K.Key_PageUp: "PageUp",
    K.Key_PageDown: "PageDown",
    K.Key_Shift: "Shift",
    K.Key_Control: "Control",
    K.Key_Meta: "Meta",
    K.Key_Alt: "Alt",
    K.Key_AltGr: "AltGraph",
    K.Key_CapsLock: "CapsLock",
    K.Key_NumLock: "NumLock",
    K.Key_ScrollLock: "ScrollLock",
    K.Key_Menu: "ContextMenu",
    K.Key_Space: " ",
    **{getattr(K, f"Key_F{n}"): f"F{n}" for n in range(1, 25)},
}
_CONTROL_R_KEYSYM, _CONTROL_R_XCB, _CONTROL_R_WINDOWS = 0xFFE4, 105, 0x11D


def key_name(event: QKeyEvent) -> str:
    """The W3C key name; "" for keys that have none (dead keys, media keys)."""
    named = _NAMED.get(event.key())
    if named is not None:
        return named
    text = event.text()
    if len(text) == 1 and text.isprintable():
        return text
    return _from_code(event)


def label(event: QKeyEvent) -> str:
    """What to call a key towards people, also one without a name for targets."""
    try:
        known = Qt.Key(event.key())
    except ValueError:
        known = K.Key_unknown
    if known in (K.Key_unknown, 0):
        return f"with scan code {event.nativeScanCode()}"
    return known.name.removeprefix("Key_").replace("_", " ")


def _from_code(event: QKeyEvent) -> str:
    """With Ctrl or Alt held the text is a control character: take the key itself."""
    code = event.key()
    if not 0x20 <= code < 0x110000 or not chr(code).isprintable():
        return ""
    shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return chr(code) if shifted else chr(code).lower()


def is_right_control(event: QKeyEvent) -> bool:
    """Whether the key is the right Ctrl, by key symbol or scan code of the platform."""
    return event.key() == K.Key_Control and (
        event.nativeVirtualKey() == _CONTROL_R_KEYSYM
        or event.nativeScanCode() in (_CONTROL_R_XCB, _CONTROL_R_WINDOWS)
    )


def is_key(event: QKeyEvent, choice: str) -> bool:
    """Whether the event is the key of that name in the settings."""
    match choice:
        case "Right Ctrl":
            return is_right_control(event)
        case "F12":
            return event.key() == K.Key_F12
        case "Scroll Lock":
            return event.key() == K.Key_ScrollLock
        case "Pause":
            return event.key() == K.Key_Pause
        case _:
            return False
