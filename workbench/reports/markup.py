"""HTML text made safe: everything that is not `Safe` is escaped."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence


class Safe(str):
    """Text that is markup already."""

    __slots__ = ()


def esc(text: object) -> Safe:
    """Text for element content and quoted attributes; control characters become a visible mark."""
    if isinstance(text, Safe):
        return text
    shown = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}"
                    for c in str(text))  # fmt: skip
    return Safe(html.escape(shown, quote=True))


def tag(name: str, *content: object, **attributes: object) -> Safe:
    """An element; `class_` is class, underscores are hyphens, None attributes are left out."""
    parts = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{esc(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Safe(f"<{name}{parts}>{join(content)}</{name}>")


def join(parts: Iterable[object], by: str = "") -> Safe:
    """Parts one after another, escaped where they are not markup."""
    return Safe(by.join(esc(part) for part in parts))


def rows(heads: Sequence[object], body: Iterable[Sequence[object]], numbers: set[int]) -> Safe:
    """A table's head and body; the columns in `numbers` are right-aligned."""

    def line(cell: str, values: Sequence[object]) -> Safe:
        cells = (
            tag(
                cell, v, class_="n" if i in numbers else None, scope="col" if cell == "th" else None
            )
            for i, v in enumerate(values)
        )
        return tag("tr", *cells)

    return join([tag("thead", line("th", heads)), tag("tbody", *(line("td", b) for b in body))])


def document(title: str, css: str, body: Safe) -> str:
    """One self-contained page without scripts; nothing but its own style and pictures may load."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{esc(title)}</title><style>{css}</style></head>\n"
        f"<body>{body}</body></html>\n"
    )


def data_uri(png: bytes) -> Safe:
    """A PNG as data: address."""
    return Safe("data:image/png;base64," + base64.b64encode(png).decode())
