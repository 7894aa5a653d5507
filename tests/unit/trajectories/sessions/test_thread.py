from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading

import pytest

from trajectories.errors import TargetError
from trajectories.sessions.thread import SessionThread


class Recorded:
    """Something to close that says when it was closed."""

    def __init__(self, order: list[str], name: str = "one") -> None:
        self.order = order
        self.name = name
        self.thread: threading.Thread | None = None

    async def close(self) -> None:
        self.order.append(self.name)
        self.thread = threading.current_thread()


async def opened(thing: Recorded) -> Recorded:
    return thing


def test_coroutines_run_on_one_thread_that_is_not_the_callers() -> None:
    async def where() -> threading.Thread:
        return threading.current_thread()

    with SessionThread() as thread:
        first, second = thread.call(where()), thread.submit(where()).result(5)
    assert first is second
    assert first is not threading.current_thread()
    assert not first.is_alive()


def test_what_a_coroutine_raises_reaches_the_caller() -> None:
    async def refuse() -> None:
        raise TargetError("no", "why")

    with SessionThread() as thread, pytest.raises(TargetError, match="no"):
        thread.call(refuse())


def test_a_call_that_takes_too_long_is_cancelled() -> None:
    cancelled = threading.Event()

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    with SessionThread() as thread:
        with pytest.raises(TargetError, match="did not answer within"):
            thread.call(for_ever(), 0.05)
        assert cancelled.wait(5)


def test_a_timeout_of_the_work_itself_is_not_taken_for_ours() -> None:
    async def late() -> None:
        raise TimeoutError("inner")

    with SessionThread() as thread, pytest.raises(TimeoutError, match="inner"):
        thread.call(late())


def test_closing_cancels_the_work_first_and_closes_the_last_opened_first() -> None:
    order: list[str] = []
    started = threading.Event()

    async def working() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            order.append("work")

    thread = SessionThread()
    things = [Recorded(order, "browser"), Recorded(order, "page")]
    for thing in things:
        thread.open(opened(thing))
    future = thread.submit(working())
    assert started.wait(5)
    thread.close()
    assert order == ["work", "page", "browser"]
    assert future.cancelled()
    assert things[0].thread is not threading.current_thread()


def test_a_closed_thread_takes_no_more_work_and_closes_twice() -> None:
    async def nothing() -> None:
        """Never runs."""

    thread = SessionThread()
    thread.close()
    thread.close()
    assert thread.closed
    with pytest.raises(TargetError, match="closed"):
        thread.submit(nothing())


def test_a_bug_in_close_is_not_hidden() -> None:
    class Broken:
        async def close(self) -> None:
            raise ZeroDivisionError

    async def broken() -> Broken:
        return Broken()

    order: list[str] = []
    thread = SessionThread()
    thread.open(opened(Recorded(order)))
    thread.open(broken())
    with pytest.raises(ZeroDivisionError):
        thread.close()
    assert order == ["one"]


def test_waiting_for_itself_is_refused() -> None:
    async def nothing() -> None:
        """Never runs."""

    async def inner() -> str:
        try:
            thread.call(nothing())
        except RuntimeError as error:
            return str(error)
        return ""

    with SessionThread() as thread:
        assert "wait for itself" in thread.call(inner())


def test_a_forgotten_session_closes_when_the_program_ends() -> None:
    program = """
        from trajectories.sessions.thread import SessionThread
        class Session:
            async def close(self):
                print("closed", flush=True)
        async def opened():
            return Session()
        SessionThread().open(opened())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("closed\n", "", 0)
