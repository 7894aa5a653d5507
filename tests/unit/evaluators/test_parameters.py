"""Parameter dataclasses from JSON and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from evaluators.parameters import Range, dump, nearest, parameters_of, parse
from evaluators.reading.picture import PictureFile
from evaluators.region import NamedRegion, Region
from trajectories.errors import TaskError


@dataclass(frozen=True)
class Every:
    """One of each kind."""

    region: Region
    choice: Literal["a", "b"] = "a"
    share: Annotated[float, Range(0, 1)] = 0.5
    count: int | None = None
    flag: bool = False
    words: tuple[str, ...] = ()
    rgb: tuple[Annotated[int, Range(0, 255)], int, int] = (0, 0, 0)
    picture: PictureFile | None = None
    extra: Any = None
    note: str = field(default="", metadata={"label": "Note", "help": "for people"})

    def __post_init__(self) -> None:
        if self.note == "bad":
            raise ValueError("a bad note")


REGION = {"kind": "named", "name": "r"}


def test_a_full_round_trip() -> None:
    data = {
        "region": REGION, "choice": "b", "share": 1.0, "count": 3, "flag": True,
        "words": ["x"], "rgb": [1, 2, 3], "picture": "refs/a.png", "extra": {"k": [1]},
        "note": "n",
    }  # fmt: skip
    made = parse(Every, data, "$", "/folder")
    assert made.region == NamedRegion("r")
    assert made.picture == PictureFile("refs/a.png", "/folder")
    assert dump(made) == data
    assert dump(parse(Every, {"region": REGION}, "$"), defaults=False) == {"region": REGION}


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"choise": "a"}, "$.p.choise", "unknown parameter"),
        ({"choice": "c"}, "$.p.choice", "not one of a, b"),
        ({"choice": 1}, "$.p.choice", "not one of"),
        ({"share": 1.01}, "$.p.share", "at least 0 and at most 1"),
        ({"share": "1"}, "$.p.share", "a finite number"),
        ({"share": True}, "$.p.share", "a finite number"),
        ({"share": 10**400}, "$.p.share", "a finite number"),
        ({"count": 1.5}, "$.p.count", "a whole number"),
        ({"count": True}, "$.p.count", "a whole number"),
        ({"flag": 1}, "$.p.flag", "true or false"),
        ({"words": "x"}, "$.p.words", "must be a list"),
        ({"words": ["x", 1]}, "$.p.words[1]", "must be text"),
        ({"rgb": [1, 2]}, "$.p.rgb", "must have 3 items"),
        ({"rgb": [256, 2, 3]}, "$.p.rgb[0]", "at most 255"),
        ({"picture": "../a.png"}, "$.p.picture", "must not leave the folder"),
        ({"picture": "/etc/a.png"}, "$.p.picture", "must be relative"),
        ({"picture": "C:a.png"}, "$.p.picture", "must be relative"),
        ({"picture": "a\\b.png"}, "$.p.picture", "must be relative"),
        ({"picture": "a.exe"}, "$.p.picture", "must be a .png"),
        ({"region": {"kind": "pixel"}}, "$.p.region", "unknown region kind"),
        ({"region": 3}, "$.p.region", "must be an object"),
        ({"note": "bad"}, "$.p", "a bad note"),
    ],
)
def test_refused(change: dict[str, Any], where: str, said: str) -> None:
    with pytest.raises(TaskError) as caught:
        parse(Every, {"region": REGION, **change}, "$.p")
    assert caught.value.message.startswith(f"{where}: ")
    assert said in caught.value.message


def test_what_is_missing_is_named() -> None:
    with pytest.raises(TaskError, match="the parameter 'region' is missing"):
        parse(Every, {}, "$")
    with pytest.raises(TaskError, match="must be an object"):
        parse(Every, [], "$")


def test_nearest() -> None:
    assert nearest("choise", ["choice", "other"]) == "Did you mean choice?"
    assert nearest("zzz", ["choice", "other"]) == "Known: choice, other."


def test_descriptions_for_forms() -> None:
    by_name = {item.name: item for item in parameters_of(Every)}
    assert by_name["region"].required
    assert by_name["share"].default == 0.5
    assert (by_name["note"].label, by_name["note"].help) == ("Note", "for people")
