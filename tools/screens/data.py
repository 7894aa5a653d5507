"""The workspaces the pictures are made on: empty, typical and over-full; the same each time."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluators.matrix import load, save
from trajectories.actions import Action, Click, Done, Drag, Press, Scroll, TypeText
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
from trajectories.frame import Frame
from trajectories.geometry import Point
from trajectories.storage.store import Store

BEGIN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
PORT = re.compile(r"127\.0\.0\.1:\d+")
EPISODES, STEPS, STATES, TASKS = 10_000, 2_000, 300, 60
COLUMNS = 1_000
LONG = (
    "Open the diffraction pattern of the annealed sample, subtract the background, index every"
    " reflection up to ninety degrees and note the lattice parameter with its uncertainty in the"
    " last digits shown"
)
CJK = "打开衍射图谱并读取晶格常数 – 回折パターンを開いて格子定数を読む – 회절 패턴 열기"
TYPED = "晶格常数 5.4309 Å ± 0.0002"


def moment(index: int) -> str:
    """A time of the pictures' own calendar."""
    return (BEGIN + timedelta(minutes=7 * index)).isoformat(timespec="milliseconds")


def empty(folder: Path) -> Path:
    """A workspace as it is after installation."""
    return folder / "empty"


def typical(folder: Path) -> Path:
    """What the guided tour leaves: recorded by our own recorder, its dates made the same."""
    root = folder / "typical"
    if not root.exists():
        made = folder / "demo"
        if not (made / "workspace").is_dir():
            command = [sys.executable, "-m", "workbench", "demo", "--no-window"]
            command += ["--output", str(made)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        shutil.copytree(made / "workspace", root, ignore=shutil.ignore_patterns("index.sqlite*"))
        (root / "matrices").mkdir()
        shutil.copyfile(made / "matrix.json", root / "matrices" / "xrd.json")
        _make_the_same(root)
    return root


def _make_the_same(root: Path) -> None:
    """Dates, ports and what the recorder measured differ from run to run."""
    for index, path in enumerate(sorted((root / "episodes").glob("*/episode.json"))):
        header = json.loads(path.read_text("utf-8"))
        header["started_at"] = moment(index)
        header["target"]["url"] = PORT.sub("127.0.0.1:8000", header["target"]["url"])
        header.get("extra", {}).pop("recording", None)
        path.write_text(json.dumps(header, ensure_ascii=False) + "\n", "utf-8")
    for path in (root / "corpora").glob("*/states.jsonl"):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for index, row in enumerate(rows):
            row["when"] = moment(index)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    for path in (root / "matrices").glob("*.json"):
        os.utime(path, (BEGIN.timestamp(), BEGIN.timestamp()))


def over_full(folder: Path) -> Path:
    """Ten thousand episodes, long and CJK names, one of 2,000 steps, 300 states, 60 tasks."""
    root = folder / "over-full"
    if not root.exists():
        shutil.copytree(typical(folder), root, ignore=shutil.ignore_patterns("index.sqlite*"))
        with Store(root) as store:
            frames = _frames(store.load("xrd-demo-0"))
            store.save(long_episode(frames, STEPS))
        crowd(root, EPISODES)
        states(root, "long-run", STATES)
        tasks(root, TASKS)
        matrix(root)
    return root


def matrix(root: Path) -> None:
    """60 tasks × 1,000 states: the verdicts of the typical matrix again under other names."""
    kept = root / "matrices" / "xrd.json"
    if not kept.is_file():
        return
    base = load(kept)
    small = [task for task in base.tasks if len(task.criteria) <= 2]
    rows = [
        replace(small[i % len(small)], id=f"OWN-{i:02}", title=(LONG, CJK, "")[i % 3])
        for i in range(TASKS)
    ]
    columns = [
        replace(base.states[k % len(base.states)], id=f"long-run@{k}", title=f"{CJK} {k}")
        for k in range(COLUMNS)
    ]
    cells = {
        (row.id, column.id): replace(
            base.cell(small[i % len(small)].id, base.states[k % len(base.states)].id),
            task=row.id, state=column.id,
        )
        for i, row in enumerate(rows)
        for k, column in enumerate(columns)
    }  # fmt: skip
    path = root / "matrices" / "everything.json"
    save(replace(base, tasks=tuple(rows), states=tuple(columns), cells=cells), path)
    os.utime(path, (BEGIN.timestamp(), BEGIN.timestamp()))


def _frames(episode: Episode) -> list[Frame]:
    return [episode.observation(i).picture() for i in range(episode.observation_count)]


def long_episode(frames: list[Frame], steps: int, name: str = "long-run") -> Episode:
    """An episode of very many steps with long texts in it; its frames repeat."""
    made = tuple(
        Step(f"s{i}", _action(i, steps), _seen(frames, i), i * 10**9, note=LONG if i == 3 else "")
        for i in range(steps)
    )
    header = EpisodeHeader(
        name, EpisodeKind.REFERENCE, "XRD-full", TargetProfile("xrd", "", 1280, 800),
        started_at=moment(-1), termination=Termination.DONE, title=f"{CJK} – {LONG}",
    )  # fmt: skip
    return Episode(header, made, _seen(frames, steps))


def _action(index: int, steps: int) -> Action:
    if index == steps - 1:
        return Done()
    return (
        Click(117.0, 131.0),
        TypeText(TYPED),
        Press(("Control", "Shift", "ArrowDown")),
        Drag((Point(480, 640), Point(640, 500), Point(900, 300))),
        Scroll(830, 400, 0, 300),
        TypeText(LONG),
    )[index % 6]


def _seen(frames: list[Frame], index: int) -> Observation:
    frame = replace(frames[index % len(frames)], t_ns=index * 10**9)
    return Observation(LoadedFrame(frame), frame.t_ns, titles=collected((CJK,)))


def crowd(root: Path, count: int) -> None:
    """That many small episodes: the text of one, under other names."""
    from trajectories.storage.names import new_id

    seed = new_id()
    header = EpisodeHeader(
        seed, EpisodeKind.AGENT, "XRD-S1", TargetProfile("xrd", "", 1280, 800),
        started_at=moment(0), termination=Termination.STEP_CAP,
    )  # fmt: skip
    with Store(root) as store:
        store.save(Episode(header, (Step("s0", Click(1, 1), Observation(None, 0)),), None))
    source = root / "episodes" / seed
    texts = {p.name: p.read_text("utf-8") for p in source.iterdir() if p.is_file()}
    shutil.rmtree(source)
    for index in range(count):
        made = root / "episodes" / f"run-{index:05}"
        made.mkdir()
        head = json.dumps(_head(json.loads(texts["episode.json"]), index), ensure_ascii=False)
        for name, text in (texts | {"episode.json": head}).items():
            (made / name).write_text(text, "utf-8")


def _head(header: dict[str, Any], index: int) -> dict[str, Any]:
    titles = (f"Run {index:05}", f"{LONG}, run {index:05}", f"{CJK} {index:05}")
    ends = ("done", "fail", "step_cap", "stopped")
    return header | {
        "id": f"run-{index:05}",
        "title": titles[index % 3] if index % 5 else f"Run {index:05}",
        "started_at": moment(-2 - index),
        "termination": ends[index % 4],
        "task": f"XRD-S{1 + index % 8}",
    }


def states(root: Path, episode: str, count: int) -> None:
    """States of the long episode in the corpus, with long titles."""
    path = root / "corpora" / "xrd" / "states.jsonl"
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    with path.open("a", encoding="utf-8") as out:
        for index in range(count):
            title = f"{(CJK, LONG, 'after a press')[index % 3]} {index}"
            row = first | {"state": f"{episode}@{index}", "title": title, "when": moment(index)}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def tasks(root: Path, count: int) -> None:
    """Tasks with long and CJK names."""
    folder = root / "tasks" / "own"
    folder.mkdir(parents=True, exist_ok=True)
    made = [_task(index) for index in range(count)]
    document = {"format": 1, "suite": "own", "domain": "xrd", "tasks": made}
    text = json.dumps(document, ensure_ascii=False, indent=1)
    (folder / "many.json").write_text(text, "utf-8")


def _task(index: int) -> dict[str, Any]:
    name = (LONG, CJK, f"Lattice parameter {index}")[index % 3]
    return {
        "id": f"OWN-{index:02}",
        "name": name,
        "instruction": f"{name}. {LONG}. {CJK}",
        "criteria": [
            {
                "id": f"c{part}",
                "name": f"{(CJK, LONG)[part % 2]} {part}",
                "getter": "region_text",
                "params": {"region": {"kind": "pixels", "x": 224, "y": 100 + 30 * part,
                                      "w": 160, "h": 26, "of": [1280, 800]}},
                "metric": "exact_match",
                "expected": (CJK, "EMPTY")[part % 2],
            }
            for part in range(12 if index < 3 else 2)
        ],
    }  # fmt: skip


def sweep(root: Path) -> None:
    """Take away what pictures have left in the over-full workspace: recordings, settings."""
    for path in (root / "episodes").iterdir():
        if not path.name.startswith(("run-", "xrd-", "long-run")):
            shutil.rmtree(path)
    for name in ("window.ini", "settings.json", "recovery"):
        path = root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def kinds() -> Iterator[str]:
    """The names of the three workspaces."""
    yield from ("empty", "typical", "over-full")
