"""The tour: record a run on the diffractometer, evaluate it, audit the evaluators, write a report.

Everything is real: a Chromium, mouse and key events, recorded pixels, OCR. It works in a folder of
its own and can be repeated; each repeat starts anew.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluators.matrix import VerdictMatrix, save, write_bytes, write_text
from evaluators.reliability import AuditReport
from evaluators.task import Task
from evaluators.verdict import Verdict
from trajectories.actions import Action, Done, Wait
from trajectories.episode import Episode, NotCollectedError
from trajectories.errors import StorageError, TargetError
from trajectories.progress import Job
from trajectories.storage.store import Store
from workbench.library import Library
from workbench.workspace import Workspace

MARKER = ".graticule-demo"
DOMAIN = "xrd"
WORKFLOW = "XRD-full"
DEADLINE_S = 900.0
REAL_SLACK_MS = 400.0
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """speed None: the page's clock is stepped (quick, the same each time); else its real pace."""

    output: Path
    seed: int = 0
    speed: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tour left behind, with the figures to tell of it."""

    episode: Episode
    verdict: Verdict
    matrix: VerdictMatrix
    report: AuditReport
    seconds: Mapping[str, float]
    files: Mapping[str, Path]


def tour(workspace: Workspace, library: Library, options: Options, tell: Tell) -> Job[Outcome]:
    """The whole tour; `tell` hears a line at the start and at the end of each stage.

    TargetError when it is not done after `DEADLINE_S` seconds.
    """
    with Store(workspace.root) as store:
        job = _Tour(store, workspace, library, options, tell).run()
        began = time.monotonic()
        try:
            while True:
                try:
                    progress = next(job)
                except StopIteration as stop:
                    outcome: Outcome = stop.value
                    return outcome
                if time.monotonic() - began > DEADLINE_S:
                    raise TargetError(
                        f"The demo was not done after {DEADLINE_S / 60:.0f} minutes.",
                        "Try again when the machine is less busy; see: graticule doctor",
                    )
                yield progress
        finally:
            job.close()


def prepare(output: Path) -> Workspace:
    """An empty folder for the demo; one that holds anything else is left alone (StorageError)."""
    if output.exists() and not output.is_dir():
        raise StorageError(f"{output} is a file.", "Choose another folder with --output DIR.")
    if output.is_dir() and any(output.iterdir()) and not (output / MARKER).is_file():
        raise StorageError(
            f"{output} is not empty and was not made by the demo.",
            "Choose another folder with --output DIR; nothing was changed.",
        )
    try:
        shutil.rmtree(output, ignore_errors=False) if output.is_dir() else None
        output.mkdir(parents=True)
        (output / MARKER).write_text("Made by `graticule demo`; it starts anew each time.\n")
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}.") from error
    return Workspace(output / "workspace").ensure()


class _Tour:
    """The stages, and what one hands to the next."""

    def __init__(
        self, store: Store, workspace: Workspace, library: Library, options: Options, tell: Tell
    ) -> None:
        self.store = store
        self.workspace = workspace
        self.library = library
        self.options = options
        self.output = options.output
        self._say = tell
        self.seconds: dict[str, float] = {}
        self.began = time.monotonic()

    def run(self) -> Job[Outcome]:
        """All stages in order."""
        task = self.library.task(WORKFLOW)
        self._begin("record", "Recording the whole workflow on the XRD page in Chromium")
        episode = yield from self._record(task)
        self._end("record", f"{len(episode.steps)} actions, {episode.observation_count} frames")
        self._begin("evaluate", f"Evaluating it by {task.points} sub-criteria read from pixels")
        verdict = self._evaluate(task, episode)
        self._end("evaluate", f"Score {_number(verdict.score)}, SR {verdict.success.value}")
        self._begin("frames", "Writing its frames and the episode folder")
        self._write_episode(episode)
        self._end("frames", f"{self.output / 'frames'}, {self.output / 'episode'}")
        self._begin("states", "Recording states: neighbours, transitions, wrong presses")
        states = yield from self._states(episode)
        self._end("states", f"{len(states)} different states")
        self._begin("matrix", "Evaluating every state by every task")
        matrix = yield from self._matrix(states)
        self._end("matrix", f"{len(matrix.cells)} cells, {matrix.stats.readings} readings,"
                  f" {matrix.stats.computed} computed")  # fmt: skip
        self._begin("audit", "Auditing the evaluators against the simulator's own predicates")
        report = self._audit(matrix)
        self._end("audit", f"{len(report.wrong)} wrong cells, {len(report.unjudged)} not judged")
        return Outcome(episode, verdict, matrix, report, self.seconds, self._files())

    def _begin(self, name: str, text: str) -> None:
        self.began = time.monotonic()
        self._say(f"[{len(self.seconds) + 1}/6] {text} …")
        self.seconds[name] = 0.0

    def _end(self, name: str, text: str) -> None:
        self.seconds[name] = round(time.monotonic() - self.began, 2)
        self._say(f"      {text} ({self.seconds[name]:.1f} s)")

    def _record(self, task: Task) -> Job[Episode]:
        from trajectories.targets.simulators import PageSettings
        from workbench import resources
        from workbench.runs.live import LiveRecording, Wanted, play
        from workbench.runs.oracle import plan_xrd

        speed = self.options.speed
        settings = (
            PageSettings(clock="real", speed=speed) if speed else PageSettings(clock="stepped")
        )
        name = f"xrd-demo-{self.options.seed}"
        wanted = Wanted(DOMAIN, task, self.options.seed, episode_id=name, settings=settings,
                        title="the demo's run")  # fmt: skip
        with LiveRecording(self.store, resources.simulators(), wanted) as live:
            plan = paced(plan_xrd(live.controls(), live.goal, None), speed)
            return (yield from play(live, [*plan, Done()], len(plan) + 1))

    def _evaluate(self, task: Task, episode: Episode) -> Verdict:
        from workbench.runs.judging import fitted, judge

        state = episode.state()
        return judge(fitted(task, state, self.library.registry), state, self.store)

    def _write_episode(self, episode: Episode) -> None:
        from trajectories.frame import to_png

        frames = self.output / "frames"
        frames.mkdir()
        for index in range(episode.observation_count):
            try:
                picture = episode.observation(index).picture()
            except NotCollectedError:
                continue
            write_bytes(frames / f"{index:03}.png", to_png(picture))
        shutil.copytree(self.workspace.episodes / episode.id, self.output / "episode")

    def _states(self, episode: Episode) -> Job[Sequence[Any]]:
        from evaluators.corpus import create
        from workbench import resources
        from workbench.runs.states import distinct_states, fill_corpus, record_states, xrd_recipes

        tasks = self.library.domain(DOMAIN)
        recipes = xrd_recipes(tasks, [self.options.seed, self.options.seed + 1])
        built = yield from record_states(self.store, resources.simulators(), recipes)
        found = distinct_states([episode, *built.episodes])
        fill_corpus(create(self.workspace.corpora / DOMAIN), found, DOMAIN)
        return [state for state, _ in found]

    def _matrix(self, states: Sequence[Any]) -> Job[VerdictMatrix]:
        from evaluators.cache import StoreCache
        from workbench.runs.auditing import cross, open_named

        corpus = open_named(self.workspace, DOMAIN)
        titles = {entry.state: entry.title for entry in corpus.states()}
        tasks = self.library.domain(DOMAIN)
        matrix = yield from cross(tasks, states, self.library.registry, None,
                                  StoreCache(self.store), titles=titles)  # fmt: skip
        given = {"domain": DOMAIN, "corpus": DOMAIN, "task_files": []}
        matrix = replace(matrix, provenance={**matrix.provenance, **given})
        save(matrix, self.output / "matrix.json")
        return matrix

    def _audit(self, matrix: VerdictMatrix) -> AuditReport:
        from evaluators.gate import gate
        from evaluators.reliability import audit
        from workbench.reports.heatmap import save_heatmap
        from workbench.reports.html import audit_html
        from workbench.runs.auditing import blacked_out, book_for, frame_of

        report = audit(matrix, book_for(self.workspace, self.store, matrix, DOMAIN))
        text = json.dumps(report.as_json(), ensure_ascii=False, indent=1, allow_nan=False)
        write_text(self.output / "audit.json", text + "\n")
        save_heatmap(matrix, self.output / "heatmap.png", report)
        page = audit_html(matrix, report, title="XRD evaluators", frames=frame_of(self.store),
                          failures=gate(report),
                          hidden=blacked_out(self.store, matrix))  # fmt: skip
        write_text(self.output / "report.html", page)
        return report

    def _files(self) -> dict[str, Path]:
        names = ("episode", "frames", "matrix.json", "heatmap.png", "audit.json", "report.html")
        return {name: self.output / name for name in names}


def paced(plan: Sequence[Action], speed: float | None) -> list[Action]:
    """The plan for a clock of that pace: its waits are page time, real time is shorter by `speed`.

    A real clock may fall behind while the machine is busy, so each wait has some slack.
    """
    if speed is None:
        return list(plan)
    return [
        Wait(action.ms / speed * 1.1 + REAL_SLACK_MS) if isinstance(action, Wait) else action
        for action in plan
    ]


def _number(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"
