"""The pictures of the window: every perspective, on an empty, a typical and an over-full one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from evaluators.corpus import Corpus, StateEntry
from qt import samples
from tools.screens import __main__ as screens
from tools.screens import data, pictures, session, views
from tools.screens.scenes import SCENES
from trajectories.storage.store import Store

STEPS = 30


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The typical workspace, from a painted instrument."""
    root = samples.make_workspace(tmp_path_factory.mktemp("screens") / "typical")
    shutil.rmtree(root / "tasks")  # the shipped ones instead
    with Store(root) as store:
        store.save(samples.episode(22, "xrd-demo-0", "the demo's run"))
        store.save(samples.episode(5, "xrd-S2-0", "Doors"))
    (root / "corpora" / "xrd").mkdir(parents=True)
    corpus = Corpus(root / "corpora" / "xrd")
    corpus.add_state(StateEntry("xrd-demo-0@3", "in the middle", "xrd"))
    return root


@pytest.fixture
def scratch(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to make pictures in; the over-full workspace is smaller here."""
    for name, value in (("EPISODES", 60), ("STEPS", STEPS), ("STATES", 12), ("TASKS", 6)):
        monkeypatch.setattr(data, name, value)
    shutil.copytree(recorded, tmp_path / "typical")
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    return tmp_path


@pytest.mark.parametrize("kind", ["empty", "typical", "over-full"])
@pytest.mark.parametrize("name", list(views.PERSPECTIVES))
def test_every_perspective_is_pictured(qtbot: QtBot, scratch: Path, name: str, kind: str) -> None:
    scene = views.PERSPECTIVES[name]
    made = session.make(name, kind, "1440", scene, scratch / "out", scratch)
    assert [path.name for path in made] == [
        f"{name}-{kind}-{mode}-1440.png" for mode in ("light", "dark")
    ]
    light, dark = (Image.open(path).convert("RGB") for path in made)
    for image in (light, dark):
        assert image.size == (1440, 900)
        assert pictures.ink(image) > 60
    assert brightness(light) > brightness(dark)


def brightness(image: Image.Image) -> float:
    """Of its pixels on average, 0…255."""
    return float(np.asarray(image.convert("L")).mean())


@pytest.mark.parametrize("name", list(SCENES))
def test_every_scene_is_pictured(qtbot: QtBot, scratch: Path, name: str) -> None:
    (light, _) = session.make(name, "scenes", "1440", SCENES[name], scratch / "out", scratch)
    assert pictures.ink(Image.open(light).convert("RGB")) > 30


def test_a_picture_at_150_per_cent_has_the_pixels_of_the_screen(scratch: Path) -> None:
    out = scratch / "out"
    command = [sys.executable, "-m", "tools.screens", "--kind", "empty", "--scale", "1920-150"]
    command += ["--output", str(out), "--scratch", str(scratch), "--only", "capture"]
    subprocess.run(
        command, check=True, cwd=screens.ROOT, env=screens.environment("1920-150"), timeout=120,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for path in out.iterdir():
        with Image.open(path) as image:
            assert image.size == (1920, 1080)
    assert len(list(out.iterdir())) == 2


def test_fewer_colours_keep_surfaces_as_they_are() -> None:
    image = Image.radial_gradient("L").convert("RGB").resize((600, 400))
    image.paste((0x1D, 0x20, 0x24), (0, 0, 300, 400))
    image.paste((0x26, 0x2A, 0x2F), (0, 0, 300, 60))
    reduced, off = pictures.reduce(image)
    assert off <= pictures.MOST_OFF
    shown = reduced.convert("RGB")
    assert shown.getpixel((10, 200)) == (0x1D, 0x20, 0x24)
    assert shown.getpixel((10, 10)) == (0x26, 0x2A, 0x2F)


def test_the_same_picture_has_the_same_bytes(tmp_path: Path) -> None:
    image = Image.linear_gradient("L").convert("RGB")
    first = pictures.write(image, tmp_path / "a.png").read_bytes()
    assert pictures.write(image, tmp_path / "b.png").read_bytes() == first
