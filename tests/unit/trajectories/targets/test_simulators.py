from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from trajectories.errors import TargetError, TaskError
from trajectories.targets.base import Setup, SetupStep, setup_steps
from trajectories.targets.simulators import PageSettings, SimulatorTarget, page_url


def query(settings: PageSettings) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page_url("http://127.0.0.1:1", "xrd", settings)).query))


def test_the_address_says_how_the_page_starts() -> None:
    settings = PageSettings(7, "subtask", "S4", "stepped", 2.5, {"start": 20, "name": "a b&c"})
    assert query(settings) == {
        "seed": "7",
        "mode": "subtask",
        "clock": "stepped",
        "subtask": "S4",
        "speed": "2.5",
        "goal.start": "20",
        "goal.name": "a b&c",
    }
    assert query(PageSettings(debug=True))["debug"] == "1"


@pytest.mark.parametrize(
    "settings",
    [
        PageSettings(seed=-1),
        PageSettings(seed=2**32),
        PageSettings(speed=0),
        PageSettings(speed=float("nan")),
        PageSettings(goal={"x": [1]}),
        PageSettings(goal={"x": None}),
    ],
)
def test_settings_that_a_page_would_ignore_are_refused(settings: PageSettings) -> None:
    with pytest.raises(TargetError):
        page_url("http://127.0.0.1:1", "xrd", settings)


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    (tmp_path / "xrd").mkdir()
    (tmp_path / "xrd" / "index.html").write_text("")
    return tmp_path


def test_a_reset_decides_the_next_address(assets: Path) -> None:
    target = SimulatorTarget("xrd", assets, PageSettings(mode="full", clock="stepped"))

    async def urls() -> list[str]:
        await target.start()
        await target.start()
        step = SetupStep("fast_forward", {"subtask": "S3"})
        await target.reset(Setup("XRD-S3", [step], {"end": 90}), seed=5)
        first = target.url
        await target.reset(Setup("XRD-full"))
        second = target.url
        await target.stop()
        await target.stop()
        return [first, second]

    first, second = (dict(parse_qsl(urlsplit(url).query)) for url in asyncio.run(urls()))
    assert first == {
        "seed": "5",
        "mode": "subtask",
        "subtask": "S3",
        "clock": "stepped",
        "goal.end": "90",
    }
    assert second == {"seed": "0", "mode": "full", "clock": "stepped"}
    with pytest.raises(TargetError, match="not started"):
        _ = target.url


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (SetupStep("execute", {"command": "rm"}), r"XRD-S1\.setup\[0\]\.type: .*'execute'"),
        (SetupStep("fast_forward"), r"XRD-S1\.setup\[0\]\.parameters\.subtask"),
        (SetupStep("fast_forward", {"subtask": 3}), "must be the id"),
        (SetupStep("fast_forward", {"subtask": "S3", "x": 1}), "unknown x"),
    ],
)
def test_a_setup_it_cannot_carry_out_is_refused(
    assets: Path, step: SetupStep, message: str
) -> None:
    target = SimulatorTarget("xrd", assets)
    with pytest.raises(TaskError, match=message):
        asyncio.run(target.reset(Setup("XRD-S1", [step])))


def test_an_unknown_instrument_does_not_start(assets: Path) -> None:
    with pytest.raises(TargetError, match="no simulator 'apt'"):
        asyncio.run(SimulatorTarget("apt", assets).start())


def test_setup_steps_are_parsed_with_their_place() -> None:
    data: Any = [{"type": "fast_forward", "parameters": {"subtask": "S2"}}]
    assert setup_steps(data, "a.json") == (SetupStep("fast_forward", {"subtask": "S2"}),)
    for bad, place in [({}, r"a\.json\.setup:"), ([1], r"setup\[0\]"), ([{"type": 1}], "type")]:
        with pytest.raises(TaskError, match=place):
            setup_steps(bad, "a.json")
    with pytest.raises(TaskError, match=r"setup\[0\]\.parameters"):
        setup_steps([{"type": "x", "parameters": 3}], "a.json")
