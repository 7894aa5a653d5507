"""Long work is a generator of Progress that returns its value; closing it cancels."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: `done` of `total` units (total 0 = not known) and what it does now."""

    done: int
    total: int
    text: str = ""


Job = Generator[Progress, None, T]


def run(job: Job[T], listener: Callable[[Progress], None] | None = None) -> T:
    """Drive a job to its end on this thread and return its value; any other way out closes it."""
    try:
        while True:
            try:
                progress = next(job)
            except StopIteration as stop:
                value: T = stop.value
                return value
            if listener is not None:
                listener(progress)
    finally:
        job.close()


def relayed(job: Job[T], tell: Callable[[Progress], Progress | None]) -> Job[T]:
    """The same job, its progress told another way: as `tell` puts it, None to leave it out."""
    try:
        while True:
            try:
                progress = next(job)
            except StopIteration as stop:
                value: T = stop.value
                return value
            said = tell(progress)
            if said is not None:
                yield said
    finally:
        job.close()
