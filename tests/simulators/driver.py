"""Works a simulator page as a person does: by pointer and keys at the places of its controls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from trajectories.actions import Action, RawEvent, Wait, expand

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Error, Page, Request

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "assets" / "simulators"
LIBRARY = ROOT / "task_library" / "labosbench"
DATA = Path(__file__).parent / "data"

WATCH_CONTROLS = """() => {
  window.seen = [];
  labos.on('control', (event) => window.seen.push(event));
}"""


def task_set(domain: str) -> dict[str, Any]:
    """A domain's task file."""
    document: dict[str, Any] = json.loads((LIBRARY / f"{domain}.json").read_text("utf-8"))
    return document


def read_json(name: str) -> Any:
    """A file of facts of these tests."""
    return json.loads((DATA / name).read_text("utf-8"))


def watch(page: Page, complaints: list[str]) -> Callable[[], None]:
    """Collect what a page must never do: errors, warnings, requests beyond its own files."""

    def failed(error: Error) -> None:
        complaints.append(f"error: {error}")

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"console: {message.text}")

    def asked(request: Request) -> None:
        if not request.url.startswith(_allowed()):
            complaints.append(f"request: {request.url}")

    page.on("pageerror", failed)
    page.on("console", said)
    page.on("request", asked)

    def unwatch() -> None:
        page.remove_listener("pageerror", failed)
        page.remove_listener("console", said)
        page.remove_listener("request", asked)

    return unwatch


def _allowed() -> tuple[str, ...]:
    return (f"file://{PAGES}/", "http://labos.test/", "data:")


class Bench:
    """One open page of an instrument."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._url = url
        self.controls: dict[str, Mapping[str, Any]] = {}

    def open(self, **params: object) -> None:
        """Load the page; the controls are listed once."""
        query = urlencode({key.replace("__", "."): value for key, value in params.items()})
        self.page.goto(f"{self._url}?{query}")
        self.page.evaluate(WATCH_CONTROLS)
        self.list_controls()

    def list_controls(self) -> list[Mapping[str, Any]]:
        """What `labos.controls()` says now."""
        listed: list[Mapping[str, Any]] = self.page.evaluate("labos.controls()")
        self.controls = {entry["id"]: entry for entry in listed}
        return listed

    # ── acting ──────────────────────────────────────────────────────────────────────────────

    def click(self, control: str) -> None:
        """Click in the middle of a control."""
        self.click_at(*middle(self.controls[control]["bbox"]))

    def click_at(self, x: float, y: float) -> None:
        """Click at a place of the viewport."""
        self.page.mouse.click(x, y)

    def choose(self, control: str, label: str) -> None:
        """Open a menu and click an option of its list."""
        self.click(control)
        options = self.controls[control]["options"]
        self.click_at(*middle(next(o["bbox"] for o in options if o["label"] == label)))

    def perform(self, actions: Iterable[Action]) -> None:
        """Carry out actions; waits move the stepped clock."""
        for action in actions:
            for event in expand(action):
                self._send(event)

    def _send(self, event: RawEvent | Wait) -> None:
        if isinstance(event, Wait):
            self.advance(event.ms)
        elif event.kind == "move":
            self.page.mouse.move(event.x, event.y)
        elif event.kind == "down":
            self.page.mouse.down()
        elif event.kind == "up":
            self.page.mouse.up()
        elif event.kind == "key_down":
            self.page.keyboard.down(event.key)
        elif event.kind == "key_up":
            self.page.keyboard.up(event.key)

    # ── time and state ──────────────────────────────────────────────────────────────────────

    def advance(self, ms: float) -> None:
        """Move the stepped clock."""
        self.page.evaluate("ms => labos.advance(ms)", ms)

    def settle(self) -> float:
        """Move the clock until nothing moves."""
        return float(self.page.evaluate("labos.settle()"))

    def fast_forward(self, subtask: str) -> None:
        """Go to the start state of a subtask."""
        self.page.evaluate("id => labos.fastForward(id)", subtask)

    def reset(self, seed: int = 0, **options: object) -> None:
        """Start anew."""
        self.page.evaluate("([seed, options]) => labos.reset(seed, options)", [seed, options])

    @property
    def state(self) -> dict[str, Any]:
        """The instrument's visible state, S."""
        state: dict[str, Any] = self.page.evaluate("labos.getState().S")
        return state

    @property
    def insides(self) -> dict[str, Any]:
        """The hidden and derived data; needs debug=1."""
        state: dict[str, Any] = self.page.evaluate("labos.debugState()")
        return state

    @property
    def goal(self) -> dict[str, Any]:
        """The goal of this run."""
        goal: dict[str, Any] = self.page.evaluate("labos.meta.goal")
        return goal

    def judge(self) -> dict[str, dict[str, bool]]:
        """Each subtask's end condition: now and ever."""
        verdicts: dict[str, dict[str, bool]] = self.page.evaluate("labos.judge()")
        return verdicts

    def now(self, subtask: str) -> bool:
        """Whether a subtask's end condition holds now."""
        return self.judge()[subtask]["now"]

    def latched(self, subtask: str) -> bool:
        """Whether a subtask's end condition has ever held."""
        return self.judge()[subtask]["latched"]

    @property
    def last(self) -> dict[str, Any]:
        """What became of the last thing done to a control."""
        event: dict[str, Any] = self.page.evaluate("window.seen[window.seen.length - 1]")
        return event

    @property
    def message(self) -> str:
        """The message line."""
        return self.page.inner_text("#message")

    def export(self) -> dict[str, Any]:
        """The episode document."""
        episode: dict[str, Any] = self.page.evaluate("labos.exportEpisode()")
        return episode

    def text(self, element: str) -> str:
        """The text of an element."""
        return self.page.inner_text(f"#{element}")


def middle(bbox: list[float]) -> tuple[float, float]:
    """The centre of a box."""
    return bbox[0] + bbox[2] / 2, bbox[1] + bbox[3] / 2


def without_wall_time(episode: dict[str, Any]) -> dict[str, Any]:
    """An export without what may differ between two equal runs."""
    kept = json.loads(json.dumps(episode))
    for key in ("start_time", "end_time", "duration_sec"):
        kept["timestamps"].pop(key)
    for step in kept["steps"]:
        step.pop("timestamp_offset_sec")
    return dict(kept)
