"""Texts that are typed but never stored: a recording holds their name only.

A page may repeat what was typed into it, so everything else that is stored of a recording is gone
through for the text as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
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
    return _clean(value, _forms(secrets)) if secrets else value


def clean_observation(seen: Observation, secrets: Secrets) -> Observation:
    """An observation whose texts hold no secret; the frame may still show one."""
    if not secrets:
        return seen
    forms = _forms(secrets)
    return replace(
        seen,
        titles=_cleaned(seen.titles, forms),
        clipboard=_cleaned(seen.clipboard, forms),
        url=_cleaned(seen.url, forms),
        page_state=_cleaned(seen.page_state, forms),
    )


def _cleaned(field: Collected[T], forms: Mapping[str, str]) -> Collected[T]:
    return Collected(field.collected, _clean(field.value, forms))


def _forms(secrets: Secrets) -> dict[str, str]:
    """Every way a text may be written, longest first, with what replaces it."""
    out: dict[str, str] = {}
    for name, text in secrets.items():
        escaped = json.dumps(text)[1:-1]
        plain = json.dumps(text, ensure_ascii=False)[1:-1]
        for form in (text, escaped, plain, quote(text, safe=""), quote_plus(text)):
            out[form] = reference(name)
    return dict(sorted(out.items(), key=lambda item: -len(item[0])))


def _clean(value: Any, forms: Mapping[str, str]) -> Any:
    match value:
        case str():
            for form, name in forms.items():
                value = value.replace(form, name)
            return value
        case Mapping():
            return {_clean(key, forms): _clean(item, forms) for key, item in value.items()}
        case list() | tuple():
            return type(value)(_clean(item, forms) for item in value)
        case bool() | None:
            return value
        case int() | float() if str(value) in forms:
            return forms[str(value)]
        case _:
            return value
