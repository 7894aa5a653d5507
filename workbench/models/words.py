"""Sizes, durations and times as people read them."""

from __future__ import annotations

from datetime import datetime

_UNITS = ("KiB", "MiB", "GiB", "TiB")


def size_text(count: int) -> str:
    """Bytes in the unit that leaves at most four digits: `812 B`, `3.4 MiB`."""
    if count < 1024:
        return f"{count} B"
    value = float(count)
    for unit in _UNITS:
        value /= 1024
        if value < 1000 or unit == _UNITS[-1]:
            break
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"


def duration_text(ms: float) -> str:
    """A duration: `840 ms`, `12.5 s`, `3 min 20 s`, `1 h 05 min`."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def time_text(iso: str) -> str:
    """A wall time of a file in the time of this machine; what is no time is shown as it is."""
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    local = moment.astimezone() if moment.tzinfo is not None else moment
    return f"{local:%Y-%m-%d %H:%M}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 step`, `1,200 steps`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
