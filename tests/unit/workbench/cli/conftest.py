"""A workspace with pictures of a lamp panel and tasks on it: enough for every audit command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from trajectories.episode import screen
from trajectories.frame import Frame, from_bgr
from trajectories.storage.store import Store
from workbench.cli import main

Run = Callable[..., Any]
WORDS = ("OPEN", "CLOSED", "READY")


def panel(word: str, lit: bool) -> Frame:
    """200×60: a word on the left, a lamp on the right."""
    image = Image.new("RGB", (200, 60), "white")
    pen = ImageDraw.Draw(image)
    pen.text((10, 18), word, fill="black", font=ImageFont.load_default(18))
    pen.rectangle((150, 10, 189, 49), fill=(48, 176, 80) if lit else (68, 68, 68))
    return from_bgr(np.asarray(image)[:, :, ::-1])


def task(name: str, word: str, lit: bool) -> dict[str, Any]:
    share = {"name": "at_least", "params": {"minimum": 0.5}}
    colour = [48, 176, 80] if lit else [68, 68, 68]
    return {
        "id": name,
        "instruction": f"Make it say {word}.",
        "difficulty": "easy",
        "criteria": [
            {"id": "word", "getter": "region_text", "claims": f"word={word}",
             "params": {"region": _region(0, 0, 140, 60)},
             "metric": {"name": "exact_match"}, "expected": word},
            {"id": "lamp", "getter": "region_colour", "claims": f"lit={json.dumps(lit)}",
             "params": {"region": _region(150, 10, 40, 40), "colour": colour},
             "metric": share},
        ],
    }  # fmt: skip


def _region(x: int, y: int, w: int, h: int) -> dict[str, Any]:
    return {"kind": "pixels", "x": x, "y": y, "w": w, "h": h, "of": [200, 60]}


@pytest.fixture
def panels(tmp_path: Path) -> Path:
    """Six states, every word with the lamp on and off, in a corpus with their facts; six tasks."""
    folder = tmp_path / "work"
    (folder / "tasks").mkdir(parents=True)
    tasks = [task(f"{w.lower()}-{'on' if lit else 'off'}", w, lit)
             for w in WORDS for lit in (True, False)]  # fmt: skip
    document = {"format": 1, "suite": "own", "domain": "panel", "tasks": tasks}
    (folder / "tasks" / "panel.json").write_text(json.dumps(document))
    with Store(folder) as store:
        for word in WORDS:
            for lit in (True, False):
                store.save(screen(f"{word.lower()}-{'lit' if lit else 'dark'}", panel(word, lit)))
    return folder


@pytest.fixture
def run(panels: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command with --json on the workspace; its document, its exit code checked."""

    def run_json(*argv: str, code: int = 0) -> Any:
        assert main.run([*argv, "--json", "--workspace", str(panels)]) == code
        return json.loads(capsys.readouterr().out)

    return run_json


@pytest.fixture
def corpus(run: Run) -> str:
    """The corpus `panel` of all six states with two facts each."""
    for word in WORDS:
        for lit in (True, False):
            state = f"{word.lower()}-{'lit' if lit else 'dark'}@0"
            run("corpus", "add-state", "panel", state, "--title", state)
            run("corpus", "add-fact", "panel", state, f"word={word}", f"lit={json.dumps(lit)}")
    return "panel"
