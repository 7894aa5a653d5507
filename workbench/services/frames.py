"""Frames and thumbnails of an episode, decoded off the main thread with prefetch."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from trajectories.episode import Episode, FrameRef, NotCollectedError
from trajectories.errors import UserError
from trajectories.frame import Frame, from_bgr

CACHE_BYTES = 256 * 2**20
THUMB_HEIGHT = 144
AHEAD = (0, 1, -1, 2, -2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The frame of an observation, or why there is none."""

    index: int
    frame: Frame | None
    problem: str = ""


def frame_ref(episode: Episode, index: int) -> FrameRef:
    """Where the frame of an observation is; NotCollectedError when it has none."""
    ref = episode.observation(index).frame
    if ref is None:
        raise NotCollectedError("no frame was collected for this observation")
    return ref


class FrameLoader(QObject):
    """Loads what is asked for first, then its neighbours, then thumbnails.

    One thread; every `open` starts a new generation, and what belongs to an older one is dropped.
    """

    frame_loaded = Signal(object)
    thumb_loaded = Signal(int, object)
    failed = Signal(object)
    _came = Signal(int, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake = threading.Condition()
        self._episode: Episode | None = None
        self._generation = 0
        self._wanted: int | None = None
        self._ahead: list[int] = []
        self._thumbs: list[int] = []
        self._closing = False
        self._cache: OrderedDict[str, Frame] = OrderedDict()
        self._came.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="frames")
        self._thread.start()

    def open(self, episode: Episode | None) -> None:
        """Work for this episode from now on."""
        with self._wake:
            self._generation += 1
            self._episode = episode
            self._wanted = None
            self._ahead, self._thumbs = [], []
            self._cache.clear()

    def want(self, index: int) -> Frame | None:
        """The frame of an observation when it is in memory; else it is loaded and signalled."""
        with self._wake:
            if self._episode is None:
                return None
            ready = self._cached(self._episode, index)
            self._wanted = None if ready is not None else index
            self._ahead = [index + step for step in AHEAD[1:]]
            self._wake.notify()
            return ready

    def want_thumbs(self, indices: list[int]) -> None:
        """Make these thumbnails after all frames that are wanted."""
        with self._wake:
            self._thumbs = list(indices)
            self._wake.notify()

    def close(self) -> None:
        """End the thread; idempotent."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(10)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(
                    lambda: (
                        self._closing
                        or self._wanted is not None
                        or bool(self._ahead or self._thumbs)
                    )
                )
                if self._closing:
                    return
                generation, episode = self._generation, self._episode
                kind, index = self._next()
            if episode is not None:
                self._serve(generation, episode, kind, index)

    def _next(self) -> tuple[str, int]:
        if self._wanted is not None:
            index, self._wanted = self._wanted, None
            return "frame", index
        if self._ahead:
            return "ahead", self._ahead.pop(0)
        return "thumb", self._thumbs.pop(0)

    def _serve(self, generation: int, episode: Episode, kind: str, index: int) -> None:
        if not 0 <= index < episode.observation_count:
            return
        try:
            frame = self._load(generation, episode, index)
        except NotCollectedError as error:
            self._came.emit(generation, kind, Loaded(index, None, str(error)))
            return
        except UserError as error:
            self._came.emit(generation, kind, Loaded(index, None, str(error)))
            return
        except Exception as error:  # noqa: BLE001 — the job runner: handed on to the crash report
            self._came.emit(generation, "failed", error)
            return
        if kind == "thumb":
            frame = thumbnail(frame)
        self._came.emit(generation, kind, Loaded(index, frame))

    def _load(self, generation: int, episode: Episode, index: int) -> Frame:
        ref = frame_ref(episode, index)
        with self._wake:
            ready = self._cache.get(ref.digest)
        frame = ready or ref.load()
        with self._wake:
            if generation == self._generation:
                self._keep(ref.digest, frame)
        return frame

    def _keep(self, digest: str, frame: Frame) -> None:
        self._cache[digest] = frame
        self._cache.move_to_end(digest)
        while len(self._cache) > 1 and self._size() > CACHE_BYTES:
            self._cache.popitem(last=False)

    def _size(self) -> int:
        return sum(frame.pixels.nbytes for frame in self._cache.values())

    def _cached(self, episode: Episode, index: int) -> Frame | None:
        try:
            digest = frame_ref(episode, index).digest
        except NotCollectedError:
            return None
        frame = self._cache.get(digest)
        if frame is not None:
            self._cache.move_to_end(digest)
        return frame

    def _deliver(self, generation: int, kind: str, what: object) -> None:
        if generation != self._generation or self._closing:
            return
        if kind == "failed":
            self.failed.emit(what)
        elif isinstance(what, Loaded) and kind == "frame":
            self.frame_loaded.emit(what)
        elif isinstance(what, Loaded) and kind == "thumb":
            self.thumb_loaded.emit(what.index, what.frame)


def thumbnail(frame: Frame) -> Frame:
    """The frame scaled to the height of a thumbnail, by area."""
    import cv2

    width, height = frame.size
    size = (max(1, round(width * THUMB_HEIGHT / height)), THUMB_HEIGHT)
    if height <= THUMB_HEIGHT:
        return frame
    small = cv2.resize(frame.bgr, size, interpolation=cv2.INTER_AREA)
    return from_bgr(np.asarray(small, np.uint8), frame.t_ns)
