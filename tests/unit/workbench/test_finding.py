"""Finding in the palette, and why an action cannot be done."""

from __future__ import annotations

import time

import pytest

from workbench.models.actions import ACTIONS
from workbench.models.finding import INSIDE, SCATTERED, START, WORD_START, distance, found
from workbench.models.situation import CaptureSituation, GettersSituation, Situation
from workbench.models.whynot import why_not

BY_ID = {spec.id: spec for spec in ACTIONS}


@pytest.mark.parametrize(
    ("typed", "far"),
    [
        ("", 0),
        ("save", START),
        ("crit", WORD_START),
        ("rit", INSIDE),
        ("crtn", SCATTERED),
        ("crit save", START + WORD_START),
        ("save nothing", None),
        ("x", None),
    ],
)
def test_how_far_a_text_is(typed: str, far: int | None) -> None:
    assert distance(typed, "Save criterion") == far


def test_the_nearest_comes_first_and_then_the_recent() -> None:
    things = ["Open picture", "Reopen", "Open episode", "Close"]
    assert found("open", things, str, ["Open episode"]) == [
        "Open episode", "Open picture", "Reopen",
    ]  # fmt: skip
    assert found("", things, str, ["Close"])[0] == "Close"


def test_chinese_is_found() -> None:
    assert found("电压", ["管电压", "电流"], str) == ["管电压"]


def test_ten_thousand_are_searched_at_once() -> None:
    things = [f"Episode {n} of the diffractometer" for n in range(10_000)]
    began = time.perf_counter()
    assert len(found("99 diff", things, str)) >= 100
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("action", "situation", "words"),
    [
        ("fit", Situation(), "needs a frame"),
        ("record", Situation(), "needs a running target"),
        ("stop_recording", Situation(), "while recording"),
        ("undo", Situation(), "nothing to take back"),
        ("save_criterion", Situation(), "in Getters, needs a complete criterion"),
        ("remove_region", Situation("getters"), "needs a region"),
        ("remove_region", Situation("capture", getters=GettersSituation(has_region=True)),
         "in Getters"),
        ("record", Situation(capture=CaptureSituation(live=True)), ""),
    ],
)  # fmt: skip
def test_why_not(action: str, situation: Situation, words: str) -> None:
    assert why_not(BY_ID[action], situation) == words
