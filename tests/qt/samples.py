"""What the tests look at: a painted instrument, an episode on it, a target, a task file."""

from __future__ import annotations

import atexit
import json
import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from trajectories.actions import (
    Action,
    Click,
    Done,
    DoubleClick,
    Drag,
    Press,
    RawEvent,
    Scroll,
    TypeText,
)
from trajectories.episode import (
    Episode,
    EpisodeHeader,
    EpisodeKind,
    LoadedFrame,
    Observation,
    Step,
    TargetProfile,
    Termination,
    collected,
)
from trajectories.frame import Frame, from_bgr
from trajectories.geometry import Point, Rect
from trajectories.sessions.base import Capabilities, Session
from trajectories.sessions.scripted import ScriptedSession, Shown
from trajectories.storage.store import Store
from trajectories.targets.base import TaskLike
from workbench.services.catalogue import TargetOffer

WIDTH, HEIGHT = 1280, 800
VALUE_BOX = Rect(216, 152, 150, 32)
"""Where the instrument writes its value."""
_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, size)


def instrument(value: str = "12.50 kV", phase: float = 0.0) -> Frame:
    """A plain instrument screen: a title, fields with values, a plot."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "#f3f4f6")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 48), fill="#1f3a5f")
    draw.text((24, 12), "Diffractometer", font=_font(20), fill="white")
    for row, (name, text) in enumerate(
        (("Tube voltage", value), ("Tube current", "30 mA"), ("Start angle", "20.0 deg"))
    ):
        y = 150 + row * 56
        draw.text((40, y + 8), name, font=_font(16), fill="#333333")
        draw.rectangle((208, y, 380, y + 36), fill="white", outline="#9aa3ad")
        draw.text((220, y + 8), text, font=_font(16), fill="#111111")
    draw.rectangle((420, 96, 1240, 720), fill="white", outline="#9aa3ad")
    x = np.linspace(0, 1, 780)
    y_values = np.full_like(x, 40.0)
    for c, h in ((0.22, 420), (0.38, 260), (0.55, 500), (0.71, 120)):
        y_values += h * np.exp(-(((x - c - phase * 0.02) / 0.008) ** 2))
    points = [(440 + i, 700 - float(v)) for i, v in enumerate(y_values)]
    draw.line(points, fill="#c0392b", width=2)
    draw.text((1120, 730), "2θ (deg)", font=_font(14), fill="#333333")
    return from_bgr(np.asarray(image)[:, :, ::-1])


def blank(width: int = 320, height: int = 200, grey: int = 128) -> Frame:
    """A uniform frame."""
    return from_bgr(np.full((height, width, 3), grey, np.uint8))


ACTIONS: tuple[Action, ...] = (
    Click(294, 168),
    DoubleClick(294, 168),
    TypeText("12.50"),
    Press(("Enter",)),
    Drag((Point(480, 640), Point(640, 500), Point(900, 300))),
    Scroll(830, 400, 0, 300),
)


def episode(
    steps: int = 12,
    name: str = "sample",
    title: str = "Set the tube voltage",
    kind: EpisodeKind = EpisodeKind.REFERENCE,
    task: str = "XRD-T1",
) -> Episode:
    """An episode of that many steps, its value changing at every step."""
    made = []
    for i in range(steps):
        action = Done() if i == steps - 1 else ACTIONS[i % len(ACTIONS)]
        made.append(Step(f"s{i}", action, seen(f"{i}.50 kV", i), i * 1_000_000_000))
    header = EpisodeHeader(
        id=name,
        kind=kind,
        task=task,
        target=TargetProfile("xrd", "", WIDTH, HEIGHT),
        started_at="2026-03-02T09:30:00.000+00:00",
        termination=Termination.DONE,
        title=title,
    )
    return Episode(header, tuple(made), seen(f"{steps}.50 kV", steps))


def seen(value: str, index: int) -> Observation:
    """An observation of the instrument."""
    frame = replace(instrument(value, index), t_ns=index * 1_000_000_000)
    return Observation(
        LoadedFrame(frame), frame.t_ns, titles=collected(("Diffractometer",)),
        page_state=collected({"kv": value}),
    )  # fmt: skip


TASK: dict[str, Any] = {
    "format": 1,
    "suite": "labosbench",
    "domain": "xrd",
    "tasks": [
        {
            "id": "XRD-T1",
            "name": "Tube voltage",
            "instruction": "Set the tube voltage to 12.50 kV.",
            "criteria": [
                {
                    "id": "c1",
                    "name": "Title",
                    "getter": "region_text",
                    "params": {
                        "region": {
                            "kind": "pixels", "x": 16, "y": 6, "w": 240, "h": 38,
                            "of": [WIDTH, HEIGHT],
                        }
                    },
                    "metric": "exact_match",
                    "expected": "Diffractometer",
                }
            ],
        }
    ],
}  # fmt: skip


def make_workspace(root: Path, episodes: int = 1, steps: int = 12) -> Path:
    """A workspace with a task file and stored episodes."""
    shutil.copytree(_stored(episodes, steps), root, dirs_exist_ok=True)
    return root


@cache
def _stored(episodes: int, steps: int) -> Path:
    """That workspace, painted and compressed once: nearly every test begins with a copy of it."""
    root = Path(mkdtemp(prefix="graticule-samples-"))
    atexit.register(shutil.rmtree, root)
    (root / "tasks" / "labosbench").mkdir(parents=True)
    (root / "tasks" / "labosbench" / "xrd.json").write_text(json.dumps(TASK), "utf-8")
    with Store(root) as store:
        for i in range(episodes):
            store.save(episode(steps, f"sample-{i}" if i else "sample"))
    return root


def expect_title(root: Path, title: str) -> None:
    """Let the sample task expect another title than the instrument has."""
    data = json.loads(json.dumps(TASK))
    data["tasks"][0]["criteria"][0]["expected"] = title
    (root / "tasks" / "labosbench" / "xrd.json").write_text(json.dumps(data), "utf-8")


def expect_value(root: Path, value: str) -> None:
    """Let the sample task's criterion read the value, and expect this one."""
    data = json.loads(json.dumps(TASK))
    criterion = data["tasks"][0]["criteria"][0]
    box = VALUE_BOX
    criterion["params"]["region"] |= {"x": box.x, "y": box.y, "w": box.width, "h": box.height}
    criterion |= {"name": "Voltage", "expected": value}
    (root / "tasks" / "labosbench" / "xrd.json").write_text(json.dumps(data), "utf-8")


@dataclass(frozen=True)
class Dial:
    """What the scripted instrument remembers: how often it was pressed, and what was typed."""

    presses: int = 0
    text: str = ""


def change(dial: Dial, event: RawEvent, _: float) -> Dial:
    """A press counts; keys and text are appended."""
    match event.kind:
        case "down":
            return replace(dial, presses=dial.presses + 1)
        case "key_down" if len(event.key) == 1:
            return replace(dial, text=dial.text + event.key)
        case "text":
            return replace(dial, text=dial.text + event.text)
        case _:
            return dial


@cache
def _pressed(presses: int) -> Frame:
    return instrument(f"{presses}.00 kV", presses)


def draw(dial: Dial, _: float) -> Shown:
    """The instrument with the count as its value."""
    return Shown(_pressed(dial.presses), {"presses": dial.presses, "text": dial.text})


class ScriptedTarget:
    """A target whose sessions are scripted."""

    name = "scripted"
    capabilities = Capabilities(page_state=True)

    def __init__(self) -> None:
        self.sessions: list[ScriptedSession[Dial]] = []
        self.stopped = False
        self.tasks: list[str] = []

    async def start(self) -> None:
        """Nothing to start."""

    async def reset(self, task: TaskLike, seed: int = 0) -> None:
        """Remember the task."""
        self.tasks.append(task.id)

    async def open_session(self) -> Session:
        """A fresh scripted instrument."""
        self.sessions.append(ScriptedSession(Dial(), change, draw))
        return self.sessions[-1]

    async def stop(self) -> None:
        """Remember that it was stopped."""
        self.stopped = True


def scripted_offers(target: ScriptedTarget | None = None) -> tuple[TargetOffer, ...]:
    """The scripted target as the library offers it."""
    made = target or ScriptedTarget()
    return (TargetOffer("scripted", "Scripted diffractometer", "xrd", lambda: made),)
