"""Writing, opening and scrubbing stored full-HD frames, beside a folder of PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from trajectories.actions import Click, TypeText
from trajectories.progress import Progress
from workbench.bench.figure import Bench, Figure, Setting, each_ms, median, once_ms, spread
from workbench.bench.scenes import desktop

if TYPE_CHECKING:
    from trajectories.episode import Episode
    from trajectories.frame import Frame

STEPS = 50


def bench(setting: Setting) -> Bench:
    """One 50-step episode of desktop work; each figure beside PNG files of the same frames."""
    count = setting.count(STEPS, 6)
    frames = []
    for index in range(count + 1):
        yield Progress(index, count + 1, "drawing desktop pictures")
        frames.append(desktop(index, t_ns=index * 10**9))
    yield Progress(0, 3, "writing frames")
    written = _writing(frames, setting.scratch)
    yield Progress(1, 3, "saving the episode")
    episode_id = save_episode(frames, setting.scratch / "workspace")
    yield Progress(2, 3, "opening and scrubbing")
    return [*written, *_opening(setting.scratch, episode_id, count)]


def _writing(frames: Sequence[Frame], scratch: Path) -> list[Figure]:
    from trajectories.frame import to_png
    from trajectories.storage.frames import read_frame, write_frame

    ours, pngs = scratch / "frames", scratch / "png"
    ours.mkdir()
    pngs.mkdir()
    paths = [pngs / f"{index:03}.png" for index in range(len(frames))]
    write = each_ms(partial(write_frame, ours), frames)
    pairs = list(zip(paths, frames, strict=True))
    write_png = each_ms(lambda pair: pair[0].write_bytes(to_png(pair[1])), pairs)
    stored = sorted(ours.rglob("*.zst"))
    read = each_ms(read_frame, stored)
    read_png = each_ms(_open_png, paths)
    size, size_png = _mean_kb(stored), _mean_kb(paths)
    return [
        Figure("frame_write", "write a 1920×1080 frame (digest, encode, file)", median(write), "ms",
               "PNG file (OpenCV)", median(write_png),
               details=spread(write) | {"kB": size, "beside_kB": size_png}),
        Figure("frame_read", "open a stored 1920×1080 frame", median(read), "ms",
               "PNG file (OpenCV)", median(read_png), details=spread(read)),
    ]  # fmt: skip


def _open_png(path: Path) -> Frame:
    from trajectories.frame import from_png

    return from_png(path.read_bytes())


def _mean_kb(paths: Sequence[Path]) -> float:
    return round(sum(path.stat().st_size for path in paths) / len(paths) / 1000, 1)


def save_episode(frames: Sequence[Frame], workspace: Path, name: str = "bench") -> str:
    """Store these frames as an episode of one step fewer; its id."""
    from trajectories.storage.store import Store

    with Store(workspace) as store:
        return store.save(_episode(frames, name)).id


def _episode(frames: Sequence[Frame], name: str) -> Episode:
    from trajectories.episode import (
        Episode,
        EpisodeHeader,
        EpisodeKind,
        LoadedFrame,
        Observation,
        Step,
        Termination,
    )

    seen = [Observation(LoadedFrame(f), f.t_ns, f.virtual_ms) for f in frames]
    steps = tuple(
        Step(f"s{i}", TypeText("peak") if i % 3 else Click(100.0 + i, 200.0), before, before.t_ns)
        for i, before in enumerate(seen[:-1])
    )
    header = EpisodeHeader(name, EpisodeKind.REFERENCE, termination=Termination.DONE)
    return Episode(header, steps, seen[-1])


def _opening(scratch: Path, episode_id: str, count: int) -> list[Figure]:
    """A fresh store each time: nothing is in its memory, but the files are in the disk cache."""
    from trajectories.storage.store import Store

    def first_frame() -> None:
        with Store(scratch / "workspace") as store:
            store.load(episode_id).observation(0).picture()

    opened = [once_ms(first_frame) for _ in range(5)]
    pngs = sorted((scratch / "png").glob("*.png"))
    opened_png = each_ms(_open_png, [pngs[0]] * 5)
    scrub_png = each_ms(_open_png, pngs)
    scrub = _scrub(scratch, episode_id, count)
    return [
        Figure("episode_open", f"open a {count}-step 1080p episode to its first frame",
               median(opened), "ms", "its first PNG file", median(opened_png),
               details=spread(opened) | {"all_png_files_ms": round(sum(scrub_png), 1)}),
        Figure("episode_scrub", "scrub: one step on, first time each frame is asked for",
               median(scrub), "ms", "one PNG file", median(scrub_png), details=spread(scrub)),
    ]  # fmt: skip


def _scrub(scratch: Path, episode_id: str, count: int) -> list[float]:
    from trajectories.storage.store import Store

    with Store(scratch / "workspace") as store:
        episode = store.load(episode_id)
        return each_ms(lambda index: episode.observation(index).picture(), range(count + 1))
