"""Texts that are typed and never stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trajectories import secrets
from trajectories.actions import (
    RawEvent,
    TypeSecret,
    TypeText,
    action_from_json,
    event_from_json,
    expand,
)
from trajectories.episode import Observation, collected
from trajectories.errors import StorageError, TargetError, UsageError
from trajectories.events import RecordedEvent
from trajectories.reduction import reduce

KNOWN = {"lab": 'pä"ss w/rd', "pin": "4711"}


def test_an_event_holds_the_name_only() -> None:
    event = RawEvent("text", text=KNOWN["lab"], secret="lab")
    assert event.as_json() == {"kind": "text", "text": "", "secret": "lab"}
    assert event_from_json(event.as_json()) == RawEvent("text", secret="lab")
    assert "secret" not in RawEvent("text", text="a").as_json()


def test_a_secret_that_is_no_text_is_refused() -> None:
    with pytest.raises(StorageError, match="secret"):
        event_from_json({"kind": "text", "text": "", "secret": 7})
    with pytest.raises(StorageError, match="name"):
        action_from_json({"kind": "type_secret", "name": None})


def test_typing_a_secret_is_a_step_of_its_own() -> None:
    events = [
        RawEvent("text", text="user"),
        RawEvent("text", secret="lab"),
        RawEvent("text", text="more"),
    ]
    recorded = [RecordedEvent(i * 10_000_000, event) for i, event in enumerate(events)]
    actions = [step.action for step in reduce(recorded).steps]
    assert actions == [TypeText("user"), TypeSecret("lab"), TypeText("more")]
    assert action_from_json(TypeSecret("lab").as_json()) == TypeSecret("lab")
    assert list(expand(TypeSecret("lab"))) == [RawEvent("text", secret="lab")]


def test_a_secret_that_is_not_known_stops() -> None:
    event = RawEvent("text", secret="lab")
    assert secrets.resolved(event, KNOWN).text == KNOWN["lab"]
    with pytest.raises(TargetError, match="'lab'"):
        secrets.resolved(event, {})


@pytest.mark.parametrize("form", [str, json.dumps, lambda t: json.dumps(t, ensure_ascii=False)])
def test_what_a_page_repeats_is_replaced(form: object) -> None:
    assert callable(form)
    log = [f"typed {form(KNOWN['lab'])}!", 4711, 47110, True, None]
    said: dict[str, Any] = {"log": log, "n": {"4711": 1}}
    cleaned = secrets.clean(said, KNOWN)
    text = json.dumps(cleaned, ensure_ascii=False)
    assert KNOWN["lab"] not in text
    assert json.dumps(KNOWN["lab"])[1:-1] not in text
    assert cleaned["log"][0].count("{secret:lab}") == 1
    assert cleaned["log"][1:] == ["{secret:pin}", 47110, True, None]
    assert cleaned["n"] == {"{secret:pin}": 1}


def test_addresses_are_cleaned_in_their_own_spelling() -> None:
    seen = Observation(
        url=collected("http://x/?q=p%C3%A4%22ss%20w%2Frd&r=p%C3%A4%22ss+w%2Frd"),
        titles=collected(("Login 4711",)),
        clipboard=collected("4711"),
    )
    cleaned = secrets.clean_observation(seen, KNOWN)
    assert cleaned.url.value == "http://x/?q={secret:lab}&r={secret:lab}"
    assert cleaned.titles.value == ("Login {secret:pin}",)
    assert cleaned.clipboard.value == "{secret:pin}"
    assert not cleaned.page_state.collected


@pytest.mark.parametrize(
    ("name", "text"),
    [("", "long enough"), ("a b", "long"), ("../x", "long"), ("lab", "abc")],
)
def test_what_cannot_be_a_secret(name: str, text: str) -> None:
    with pytest.raises(UsageError):
        secrets.check(name, text)


def test_without_secrets_nothing_is_touched() -> None:
    said = {"a": [1]}
    assert secrets.clean(said, {}) is said


@pytest.mark.parametrize(
    "said",
    [
        "value=&quot;pä&quot;ss w/rd&quot;",  # an attribute
        '<b>pä"ss w/rd</b>',
        "pä&#x22;ss w/rd",
        'pä"ss',  # the field takes fewer characters
        'typed pä"ss w/',
        '{"value":"pä\\"ss w"}',
    ],
)
def test_other_spellings_and_beginnings_are_replaced(said: str) -> None:
    cleaned = secrets.clean(said.replace("&#x22;", "&quot;"), KNOWN)
    assert "pä" not in cleaned
    assert "{secret:lab}" in cleaned


def test_other_words_that_begin_alike_stay() -> None:
    known = {"lab": "passw0rd"}
    for said in ("passed", "bypass", "pass rate 10", "compassw0"):
        assert secrets.clean(said, known) == said
    assert secrets.clean("passw0", known) == "{secret:lab}"


def test_a_text_given_again_under_its_name_still_replaces_the_first() -> None:
    shield = secrets.Shield({"lab": "mistyped-1"})
    shield.add("lab", "correct-2")
    assert shield.clean(["mistyped-1", "correct-2"]) == ["{secret:lab}"] * 2
