"""One process of `make screens`: one workspace at one scale, all its pictures."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import cast

from tools.screens import data, pictures, views
from tools.screens.__main__ import MODES, SCALES
from tools.screens.scenes import SCENES, Scene
from workbench.services.bridge import FrameBridge
from workbench.views import theme
from workbench.views.application import application

STILL = {"age_s": lambda self: 0.0, "fps": lambda self: 12.0}
"""What is measured in real time would differ in each picture."""


def run(kind: str, scale: str, output: Path, scratch: Path, only: str) -> int:
    """Make the pictures of one workspace."""
    output, scratch = output.resolve(), scratch.resolve()
    (scratch / "desk").mkdir(parents=True, exist_ok=True)
    os.chdir(scratch / "desk")
    app = application()
    app.setCursorFlashTime(0)
    for name, value in STILL.items():
        setattr(FrameBridge, name, value)
    wanted: dict[str, Scene] = dict(SCENES if kind == "scenes" else views.PERSPECTIVES)
    for name, scene in wanted.items():
        wanted_names = [f"{name}-{kind}-{mode}-{scale}" for mode in MODES]
        if any(only in text for text in wanted_names):
            make(name, kind, scale, scene, output, scratch)
    return 0


def make(
    name: str, kind: str, scale: str, scene: Scene, output: Path,
    scratch: Path,
) -> list[Path]:  # fmt: skip
    """One view in both themes, on a workspace of its own."""
    made = workspace(kind, scratch)
    live_kind = "typical" if kind == "scenes" else kind
    studio = views.opened(made, scratch / "typical", live_kind, SCALES[scale][0])
    out = []
    try:
        widget = scene(studio) or studio.window
        for mode in MODES:
            views.in_theme(studio, cast("theme.Mode", mode))
            image = pictures.grabbed(widget)
            out.append(pictures.write(image, output / f"{name}-{kind}-{mode}-{scale}.png"))
            sys.stdout.write(f"{out[-1].name}  {out[-1].stat().st_size / 1000:.0f} kB\n")
            sys.stdout.flush()
    finally:
        views.close(studio)
    return out


def workspace(kind: str, scratch: Path) -> Path:
    """The workspace to work on, as `workspace` in the current folder: paths are on pictures.

    It is a copy: pictures leave the original as it is. Ten thousand episodes are no copy; what a
    picture has left there is taken away instead.
    """
    source = {"empty": data.empty, "over-full": data.over_full}.get(kind, data.typical)(scratch)
    place = Path("workspace")
    if place.is_symlink():
        place.unlink()
    shutil.rmtree(place, ignore_errors=True)
    if kind == "over-full":
        data.sweep(source)
        place.symlink_to(source, target_is_directory=True)
    elif source.is_dir():
        shutil.copytree(source, place)
    return place
