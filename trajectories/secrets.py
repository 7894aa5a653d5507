"""Texts that are typed but never stored: a recording holds their name only.

A page may repeat what was typed into it, so everything else that is stored of a recording is gone
through for the text as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from trajectories.actions import RawEvent
from trajectories.episode import Collected, Observation
from trajectories.errors import TargetError, UsageError

T = TypeVar("T")
LEAST = 4
"""A shorter text would be found by chance all over what a page says."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
Secrets = Mapping[str, str]


def check(name: str, text: str) -> None:
    """UsageError for a name that is none, or a text that could not be found again."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name[:40]!r} cannot be the name of a secret.",
            "Use up to 32 letters, digits, '.', '_' and '-'; the name is stored.",
        )
    if len(text) < LEAST:
        raise UsageError(
            f"A secret has at least {LEAST} characters.",
            "A shorter one cannot be told from other text in what the target says.",
        )


def reference(name: str) -> str:
    """What stands in the place of a secret's text."""
    return f"{{secret:{name}}}"


def resolved(event: RawEvent, secrets: Secrets) -> RawEvent:
    """The event with the text to send; TargetError when the secret is not known."""
    if not event.secret or event.text:
        return event
    if event.secret not in secrets:
        raise TargetError(
            f"The secret {event.secret!r} was typed here, and its text is not known.",
            "A recording does not hold it. Give it in Capture, or with --secret NAME.",
        )
    return replace(event, text=secrets[event.secret])


def without_text(event: RawEvent) -> RawEvent:
    """The event as it is stored."""
    return replace(event, text="") if event.secret else event


def clean(value: T, secrets: Secrets) -> T:
    """The same JSON value with every secret's text replaced by its reference, keys included."""
    return Shield(secrets).clean(value)


def clean_observation(seen: Observation, secrets: Secrets) -> Observation:
    """An observation whose texts hold no secret; the frame may still show one."""
    return Shield(secrets).clean_observation(seen)


class Shield:
    """Every text given so far, and what replaces it. A text that was typed again under the same
    name, the first one mistyped, takes nothing away: the page may still show the first.
    """

    def __init__(self, secrets: Secrets | None = None) -> None:
        self._forms: tuple[_Form, ...] = ()
        for name, text in (secrets or {}).items():
            self.add(name, text)

    def add(self, name: str, text: str) -> None:
        """From now on replace this text too."""
        forms = dict.fromkeys(
            _Form(reference(name), tuple(map(spelled, text))) for spelled in _SPELLINGS
        )
        known = dict.fromkeys((*self._forms, *forms))
        self._forms = tuple(sorted(known, key=lambda form: -len(form.whole)))

    def clean(self, value: T) -> T:
        """The same JSON value with every text replaced by its reference, keys included."""
        return self._clean(value) if self._forms else value

    def clean_observation(self, seen: Observation) -> Observation:
        """An observation whose texts hold no secret; the frame may still show one."""
        return replace(
            seen,
            titles=self._field(seen.titles),
            clipboard=self._field(seen.clipboard),
            url=self._field(seen.url),
            page_state=self._field(seen.page_state),
        )

    def _field(self, field: Collected[T]) -> Collected[T]:
        return Collected(field.collected, self.clean(field.value))

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                for form in self._forms:
                    value = value.replace(form.whole, form.instead)
                for form in self._forms:
                    value = form.without_beginnings(value)
                return value
            case Mapping():
                return {self._clean(key): self._clean(item) for key, item in value.items()}
            case list() | tuple():
                return type(value)(self._clean(item) for item in value)
            case bool() | None:
                return value
            case int() | float():
                found = (form.instead for form in self._forms if form.whole == str(value))
                return next(found, value)
            case _:
                return value


@dataclass(frozen=True)
class _Form:
    """One way a text may be written, character by character."""

    instead: str
    units: tuple[str, ...]

    @cached_property
    def whole(self) -> str:
        return "".join(self.units)

    def without_beginnings(self, value: str) -> str:
        """Replace beginnings of the text that end a value: a field that is filled bit by bit, or
        takes fewer characters. One inside a longer word is another word.
        """
        head = "".join(self.units[:LEAST])
        done, at = 0, value.find(head)
        out: list[str] = []
        while at >= 0:
            end = self._end(value, at + len(head))
            if not _in_word(value, at) and _EDGE.match(value, end):
                out += (value[done:at], self.instead)
                done = end
            at = value.find(head, end)
        return "".join((*out, value[done:]))

    def _end(self, value: str, end: int) -> int:
        """How far the text goes on from there."""
        for unit in self.units[LEAST:]:
            if not value.startswith(unit, end):
                break
            end += len(unit)
        return end


_EDGE = re.compile(r"\Z|\\?[\"'<&]")


def _in_word(value: str, at: int) -> bool:
    return at > 0 and value[at].isalnum() and value[at - 1].isalnum()


_QUOTED = {"&": "&amp;", '"': "&quot;"}
_MARKUP = _QUOTED | {"<": "&lt;", ">": "&gt;"}
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda char: json.dumps(char)[1:-1],
    lambda char: json.dumps(char, ensure_ascii=False)[1:-1],
    lambda char: quote(char, safe="", errors="surrogatepass"),
    lambda char: quote_plus(char, errors="surrogatepass"),
    escape,
    lambda char: escape(char, quote=False),
    lambda char: _QUOTED.get(char, char),
    lambda char: _MARKUP.get(char, char),
)
"""As it is, in JSON, in an address, in HTML."""
