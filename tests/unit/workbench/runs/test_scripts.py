"""Actions as JSON lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from trajectories.actions import Click, Done, TypeText, Wait
from trajectories.errors import StorageError
from workbench.runs.live import ending
from workbench.runs.scripts import MAX_LINE, actions, read_script
from workbench.runs.tour import REAL_SLACK_MS, paced


def test_blank_lines_and_remarks_are_left_out() -> None:
    lines = ["", "# a remark", '{"kind": "click", "x": 1, "y": 2}', '{"kind": "done"}']
    assert list(actions(lines, "x")) == [Click(1.0, 2.0), Done()]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "not an action"),
        ('{"kind": "clack"}', "clack"),
        ('{"kind": "click", "x": 1}', "lacks"),
        ('{"kind": "click", "x": NaN, "y": 1}', "'x'"),
        ("[" * 100_000, "not JSON"),
        ('{"kind": "type", "text": "' + "a" * MAX_LINE + '"}', "longer"),
    ],
)
def test_what_is_wrong_names_file_and_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('{"kind": "done"}\n' + line + "\n")
    with pytest.raises(StorageError) as caught:
        read_script(path)
    assert f"{path}:2" in caught.value.message
    assert said in caught.value.message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        read_script(tmp_path / "nowhere.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StorageError, match="UTF-8"):
        read_script(tmp_path / "latin.jsonl")


def test_a_plan_is_paced_for_a_real_clock() -> None:
    plan = [Click(1, 2), Wait(3000)]
    assert paced(plan, None) == plan
    click, wait = paced(plan, 5)
    assert click == plan[0]
    assert isinstance(wait, Wait)
    assert wait.ms == pytest.approx(660 + REAL_SLACK_MS)


def test_how_an_episode_ends_follows_from_its_last_action() -> None:
    assert ending(Done()).value == "done"
    assert ending(TypeText("x")).value == "stopped"
    assert ending(None).value == "stopped"
