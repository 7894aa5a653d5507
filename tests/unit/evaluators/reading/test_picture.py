"""Pictures beside a task file: only there, only PNG, only of sane size."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.reading.picture import PictureFile
from trajectories.errors import StorageError, TaskError
from unit.evaluators.evaluator_parts import SCREENS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "tasks"
    (inner / "refs").mkdir(parents=True)
    png = (SCREENS / "dm_save_tiff.png").read_bytes()
    (inner / "refs" / "a.png").write_bytes(png)
    (tmp_path / "secret.png").write_bytes(png)
    (inner / "link.png").symlink_to(tmp_path / "secret.png")
    (inner / "out").symlink_to(tmp_path)
    (inner / "bad.png").write_bytes(png[:200])
    (inner / "huge.png").write_bytes(png[:16] + b"\x00\x01\x00\x00" * 2 + png[24:])
    (inner / "text.png").write_text("hello", "utf-8")
    return inner


def test_a_picture_is_loaded(folder: Path) -> None:
    assert PictureFile("refs/a.png", str(folder)).load().shape == (128, 279, 3)


def test_a_changed_picture_is_loaded_anew(folder: Path) -> None:
    picture = PictureFile("refs/a.png", str(folder))
    assert picture.load().shape == (128, 279, 3)
    (folder / "refs" / "a.png").write_bytes((SCREENS / "dm_image_status.png").read_bytes())
    assert picture.load().shape == (217, 266, 3)


@pytest.mark.parametrize(
    "name",
    ["../secret.png", "link.png", "out/secret.png", "/etc/a.png", "refs/../../secret.png",
     "C:/a.png", "refs\\a.png", "", "~/a.png", "refs//a.png", "./a.png", "a\0.png", "a.txt"],
)  # fmt: skip
def test_nothing_outside_the_folder(folder: Path, name: str) -> None:
    with pytest.raises(TaskError, match="The picture"):
        PictureFile(name, str(folder)).load()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.png", "is missing"),
        ("bad.png", "damaged"),
        ("huge.png", "claims 65536×65536"),
        ("text.png", "not a PNG"),
    ],
)
def test_damaged_pictures(folder: Path, name: str, said: str) -> None:
    with pytest.raises(StorageError, match=said):
        PictureFile(name, str(folder)).load()


def test_a_task_without_a_file_has_no_pictures() -> None:
    with pytest.raises(TaskError, match="no task file"):
        PictureFile("a.png").load()
