"""The outcome of a run depends on seed, actions and the virtual time of each action alone."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from simulators.conftest import Open
from simulators.driver import Bench, without_wall_time
from trajectories.actions import Action, Click, Wait, expand
from workbench.runs.oracle import plan_xrd

RECORD = """() => {
  window.inputs = [];
  labos.on('input', (event) => window.inputs.push(event));
}"""
TEN_FRAMES = """() => new Promise((done) => {
  let left = 10;
  const frame = () => { left -= 1; left ? requestAnimationFrame(frame) : done(); };
  requestAnimationFrame(frame);
})"""
STILL = "labos.getState().running.length === 0"


def plan(bench: Bench, means: Any = "mouse") -> tuple[Action, ...]:
    return plan_xrd(bench.list_controls(), bench.goal, None, means)


def test_same_actions_give_the_same_export(open_bench: Open) -> None:
    runs = []
    for cut in (1, 7):
        bench = open_bench(clock="stepped", mode="full", shot=1)
        for action in plan(bench):
            pieces = [Wait(action.ms / cut)] * cut if isinstance(action, Wait) else [action]
            bench.perform(pieces if cut == 1 or not isinstance(action, Wait) else _cut(action))
        runs.append(without_wall_time(bench.export()))
    assert runs[0] == runs[1]
    assert runs[0]["success"]


def _cut(wait: Wait) -> list[Wait]:
    """The same time in uneven slices."""
    first = round(wait.ms / 3)
    return [Wait(1), Wait(first), Wait(wait.ms - first - 1)]


@pytest.mark.parametrize("speed", [10, 400])
def test_a_run_in_real_time_is_reenacted_on_the_stepped_clock(
    open_bench: Open, speed: float
) -> None:
    live = open_bench(clock="real", mode="full", speed=0)
    live.page.evaluate(RECORD)
    for action in plan(live, "keys"):
        if isinstance(action, Wait):
            live.page.evaluate("speed => labos.setSpeed(speed)", speed)
            live.page.wait_for_function(STILL)
            live.page.evaluate("labos.setSpeed(0)")
        else:
            live.perform([action])
    assert all(verdict["now"] for verdict in live.judge().values())
    reenact_and_compare(open_bench, live)


def test_a_hasty_run_is_reenacted_with_all_its_mistakes(open_bench: Open) -> None:
    # At this speed a press lasts seconds: arrows repeat, doors are pressed while they move.
    live = open_bench(clock="real", mode="full", speed=60)
    live.page.evaluate(RECORD)
    live.perform([a for a in plan(live) if not isinstance(a, Wait)])
    live.page.wait_for_function(STILL)
    reenact_and_compare(open_bench, live)


def reenact_and_compare(open_bench: Open, live: Bench) -> None:
    """The recorded inputs on the stepped clock give the same verdicts and the same export."""
    live.page.evaluate("labos.setSpeed(0)")
    inputs = live.page.evaluate("window.inputs")
    end = live.page.evaluate("labos.getState().virtualMs")
    again = open_bench(clock="stepped", mode="full")
    reenact(again, inputs)
    again.advance(end - again.page.evaluate("labos.getState().virtualMs"))
    assert again.judge() == live.judge()
    assert again.state == live.state
    assert without_wall_time(again.export()) == without_wall_time(live.export())


def comparable(episode: dict[str, Any]) -> dict[str, Any]:
    """Without wall times and without the moment at which the export was asked for."""
    kept = without_wall_time(episode)
    kept["timestamps"].pop("virtual_ms")
    return kept


def reenact(bench: Bench, inputs: list[dict[str, Any]]) -> None:
    """Send recorded inputs at their virtual times."""
    for event in inputs:
        now = bench.page.evaluate("labos.getState().virtualMs")
        bench.advance(event["virtual_ms"] - now)
        match event["kind"]:
            case "pointerdown":
                bench.page.mouse.move(event["x"], event["y"])
                bench.page.mouse.down()
            case "pointerup":
                bench.page.mouse.up()
            case "keydown":
                bench.page.keyboard.down(event["key"])
            case "keyup":
                bench.page.keyboard.up(event["key"])


def test_a_held_arrow_in_real_time_is_reenacted(open_bench: Open) -> None:
    live = open_bench(clock="real", subtask="S4", speed=5)
    live.page.evaluate(RECORD)
    x, y, width, height = live.controls["xrd.start.up"]["bbox"]
    live.page.mouse.move(x + width / 2, y + height / 2)
    live.page.mouse.down()
    live.page.wait_for_function("labos.getState().S.start >= 30")
    live.page.mouse.up()
    live.page.evaluate("labos.setSpeed(0)")
    inputs = live.page.evaluate("window.inputs")

    again = open_bench(clock="stepped", subtask="S4")
    reenact(again, inputs)
    assert again.state == live.state
    assert comparable(again.export()) == comparable(live.export())


def test_speed_zero_stands_still(open_bench: Open) -> None:
    bench = open_bench(clock="real", subtask="S2", speed=100)
    bench.click("xrd.doors")
    bench.page.wait_for_function(STILL)
    bench.page.evaluate("labos.setSpeed(0)")
    bench.click("xrd.doors")
    bench.page.evaluate(TEN_FRAMES)
    assert bench.state["doors"] == "closing"
    bench.page.evaluate("labos.setSpeed(100)")
    bench.page.wait_for_function(STILL)
    assert bench.latched("S2")


def test_screenshots_of_equal_runs_are_equal(open_bench: Open) -> None:
    pictures = []
    for _ in range(2):
        bench = open_bench(clock="stepped", mode="full")
        bench.perform(plan(bench))
        png = Image.open(io.BytesIO(bench.page.screenshot()))
        pictures.append(np.asarray(png.convert("RGB"), dtype=np.float64))
    difference = pictures[0] - pictures[1]
    assert np.abs(difference).max() <= 1
    error = float((difference**2).mean())
    assert error == 0 or 10 * np.log10(255**2 / error) >= 50


def test_reset_brings_back_the_first_run(xrd: Bench) -> None:
    runs = []
    for _ in range(2):
        xrd.reset(3)
        xrd.perform(plan(xrd))
        runs.append(without_wall_time(xrd.export()))
    assert runs[0] == runs[1]


def test_episode_id_names_seed_task_and_run(open_bench: Open) -> None:
    ids = set()
    for params in ({}, {"seed": 1}, {"subtask": "S2"}, {"run": 2}):
        bench = open_bench(clock="stepped", **params)
        ids.add(bench.export()["episode_id"])
        assert bench.export()["episode_id"] == bench.export()["episode_id"]
    assert len(ids) == 4


def test_expanded_click_is_what_the_page_saw(xrd: Bench) -> None:
    xrd.page.evaluate(RECORD)
    xrd.perform([Click(700, 300)])
    kinds = [event["kind"] for event in xrd.page.evaluate("window.inputs")]
    assert kinds == ["pointerdown", "pointerup"]
    assert len(list(expand(Click(700, 300)))) == 3
