"""One document on stdout, everything else on stderr, and nothing that steers the terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Generator

import pytest

from trajectories.errors import StorageError
from trajectories.progress import Progress
from workbench.cli.output import Output, describe, plain, width_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def make(as_json: bool = False, err: io.StringIO | None = None) -> Output:
    return Output(as_json, io.StringIO(), err or io.StringIO())


def text_of(output: Output) -> tuple[str, str]:
    assert isinstance(output.out, io.StringIO)
    assert isinstance(output.err, io.StringIO)
    return output.out.getvalue(), output.err.getvalue()


def test_json_is_the_only_thing_on_stdout() -> None:
    output = make(as_json=True)
    output.line("for people")
    output.table(("a",), [("b",)])
    output.note("said")
    output.document({"µ": [1, None]}, lambda: output.line("never"))
    out, err = text_of(output)
    assert json.loads(out) == {"µ": [1, None]}
    assert err == "said\n"


def test_a_second_document_is_a_bug() -> None:
    output = make(as_json=True)
    output.document([])
    with pytest.raises(RuntimeError):
        output.document([])


def test_numbers_that_json_lacks_are_a_bug() -> None:
    with pytest.raises(ValueError, match="JSON"):
        make(as_json=True).document(float("nan"))


def test_text_for_people_only_without_json() -> None:
    output = make()
    output.document({"a": 1}, lambda: output.line("a is 1"))
    assert text_of(output) == ("a is 1\n", "")


def test_columns_line_up_with_wide_characters() -> None:
    output = make()
    output.table(("name", "n"), [("硅", 1), ("copper", 22)])
    assert text_of(output)[0] == "name    n\n硅      1\ncopper  22\n"
    assert width_of("硅a") == 3


def test_control_characters_do_not_reach_the_terminal() -> None:
    output = make()
    output.line("a\x1b[31mb\x07")
    output.table(("x",), [("one\ntwo\r",)])
    output.note("\x1b]0;title\x07")
    out, err = text_of(output)
    assert "\x1b" not in out + err
    assert "\x07" not in out + err
    assert "one two" in out
    assert plain("\u202eabc") == "\ufffdabc"


def job(log: list[str]) -> Generator[Progress, None, int]:
    try:
        for i in range(3):
            yield Progress(i + 1, 3, f"part {i}")
    finally:
        log.append("closed")
    return 7


def test_a_job_is_driven_to_its_value_with_its_last_state_shown() -> None:
    output, log = make(), []  # type: tuple[Output, list[str]]
    assert output.run(job(log)) == 7
    out, err = text_of(output)
    assert out == ""
    assert err.splitlines()[-1] == "  3/3  part 2"
    assert log == ["closed"]


def test_an_interrupted_job_is_closed() -> None:
    output, log = make(), []  # type: tuple[Output, list[str]]

    class Interrupting(Output):
        def progress(self, progress: Progress) -> None:
            raise KeyboardInterrupt

    output = Interrupting(False, io.StringIO(), io.StringIO())
    with pytest.raises(KeyboardInterrupt):
        output.run(job(log))
    assert log == ["closed"]


def test_on_a_terminal_progress_is_one_living_line() -> None:
    output = make(err=Terminal())
    output.run(job([]))
    output.note("done")
    err = text_of(output)[1]
    assert err.startswith("\r\x1b[K  1/3  part 0")
    assert err.endswith("\r\x1b[Kdone\n")
    assert err.count("\n") == 1


def test_errors_are_documents_only_when_none_was_printed() -> None:
    output = make(as_json=True)
    output.document({"f1": 0.5})
    output.error(StorageError("late", "look"))
    out, err = text_of(output)
    assert json.loads(out) == {"f1": 0.5}
    assert err == "graticule: late\n  look\n"


def test_unknown_totals_are_not_shown_as_zero() -> None:
    assert describe(Progress(4, 0, "frames")) == "  4  frames"
    assert describe(Progress(4, 9, "frames")) == "  4/9  frames"


def test_json_escapes_what_would_steer_the_terminal_and_loses_nothing() -> None:
    value = {
        "title": "\x9b31m \x7f \u202eabc \ud800 硅 µ",
        "emoji": "\U0001f600",
        "tag": "\U000e0001",
    }
    output = make(as_json=True)
    output.document(value)
    out = text_of(output)[0]
    assert json.loads(out) == value
    assert all(char.isprintable() or char == "\n" for char in out)
    assert "硅 µ" in out


def test_a_message_that_quotes_megabytes_is_cut() -> None:
    output = make()
    output.error(StorageError("x" * 1_000_000))
    assert len(text_of(output)[1]) < 3_000
