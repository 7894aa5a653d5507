"""Figures, the machine, and every benchmark run quickly for real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.bench import machine
from workbench.bench.figure import Figure, each_ms, p95, spread
from workbench.bench.scenes import desktop
from workbench.bench.suite import BENCHES
from workbench.cli import main


def test_the_ratio_says_how_many_times_better() -> None:
    assert Figure("a", "a", 10, "ms", "b", 40).ratio == 4
    assert Figure("a", "a", 40, "frames/s", "b", 10, smaller_is_better=False).ratio == 4
    assert Figure("a", "a", 10, "ms").ratio is None
    assert Figure("a", "a", 0, "ms", "b", 4).ratio is None


def test_the_95th_percentile_is_a_value_that_was_measured() -> None:
    assert p95([float(i) for i in range(1, 101)]) == 95
    assert p95([3.0]) == 3
    assert spread([1.0, 2.0])["n"] == 2


def test_each_item_is_timed_once() -> None:
    seen: list[int] = []
    assert len(each_ms(seen.append, range(3))) == 3
    assert seen == [0, 1, 2]


def test_pictures_are_the_same_each_time_and_differ_from_step_to_step() -> None:
    assert desktop(3).digest == desktop(3).digest
    assert desktop(3).digest != desktop(4).digest
    assert desktop(0).size == (1920, 1080)


def test_the_machine_is_described() -> None:
    told = machine.describe(["bench", "--quick"])
    assert told["command"] == "graticule bench --quick"
    assert len(told["load_average"]) == 3
    assert told["cores"] >= 1


@pytest.mark.parametrize("name", sorted(BENCHES))
def test_a_benchmark_measures_something(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["bench", "--quick", "--only", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["quick"] is True
    assert told["figures"]
    for figure in told["figures"]:
        assert figure["value"] > 0
        assert figure["unit"]
        assert (figure["beside_value"] is None) == (figure["beside"] == "")
        assert figure["beside_value"] is None or figure["ratio"] > 0


def test_an_unknown_benchmark_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["bench", "--only", "speed"]) == 2
    assert "matrix" in capsys.readouterr().err
