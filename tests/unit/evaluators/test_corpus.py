"""Corpora: append-only files, the last line wins, torn and damaged lines."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from evaluators.corpus import Corpus, StateEntry, corpora, create, open_corpus
from evaluators.facts import Fact
from evaluators.labels import Label, Origin
from trajectories.errors import StorageError, UsageError
from unit.evaluators.matrix_parts import criterion, state, task


def label(value: bool | None = True, by: str = "ann", **more: Any) -> Label:
    """A human label on one cell."""
    more = {"state": "e1@3", "task": "T1", "criterion": "c1", "origin": Origin.HUMAN, **more}
    return Label(value=value, by=by, **more)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """An empty corpus."""
    return create(tmp_path / "xrd")


def test_what_is_added_is_there_for_another_reader(corpus: Corpus) -> None:
    entry = StateEntry("e1@3", "Angles set", "xrd", "XRD-S4", {"start": 20}, added_by="ann")
    corpus.add_state(entry)
    corpus.add_fact(Fact("e1@3", "specimen", "硅 silicon", "ann", "2026-01-01T00:00:00+00:00"))
    corpus.add_label(label(evidence={"note": "seen"}))
    again = open_corpus(corpus.folder)
    (found,) = again.states()
    assert (found.title, found.goal, found.added_by) == ("Angles set", {"start": 20}, "ann")
    assert found.when.endswith("+00:00")
    assert again.facts()[0].value == "硅 silicon"
    assert again.labels()[0].evidence == {"note": "seen"}
    assert again.warnings == []
    lines = (corpus.folder / "labels.jsonl").read_text().splitlines()
    assert [json.loads(line)["origin"] for line in lines] == ["human"]


def test_the_last_line_of_a_key_and_person_wins(corpus: Corpus) -> None:
    for value in (True, False):
        corpus.add_label(label(value))
    corpus.add_label(label(True, by="bob"))
    corpus.add_label(label(None, by="cyd"))
    assert {(x.by, x.value) for x in corpus.labels()} == {("ann", False), ("bob", True)}
    corpus.add_label(label(None))
    assert [x.by for x in corpus.labels()] == ["bob"]
    assert len((corpus.folder / "labels.jsonl").read_text().splitlines()) == 5


def test_states_can_be_renamed_and_removed(corpus: Corpus) -> None:
    corpus.add_state(StateEntry("a@1"))
    corpus.add_state(StateEntry("b@1"))
    corpus.add_state(StateEntry("a@1", "Named"))
    assert [(s.state, s.title) for s in corpus.states()] == [("a@1", "Named"), ("b@1", "")]
    corpus.add_state(StateEntry("a@1", removed=True))
    assert [s.state for s in corpus.states()] == ["b@1"]


def test_a_cut_off_last_line_is_left_out_with_a_warning_and_then_mended(corpus: Corpus) -> None:
    corpus.add_label(label())
    path = corpus.folder / "labels.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"state": "e1@3", "ta')
    assert len(corpus.labels()) == 1
    assert len(corpus.labels()) == 1
    (warning,) = corpus.warnings
    assert f"{path}:2" in warning
    corpus.add_label(label(False, by="bob"))
    assert len(Corpus(corpus.folder).labels()) == 2
    assert (corpus.folder / "labels.torn").read_bytes() == b'{"state": "e1@3", "ta\n'


def test_a_last_line_without_its_line_end_is_kept(corpus: Corpus) -> None:
    corpus.add_label(label())
    path = corpus.folder / "labels.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    corpus.add_label(label(False, by="bob"))
    assert [x.by for x in corpus.labels()] == ["ann", "bob"]
    assert corpus.warnings == []


GOOD = {"state": "s@1", "task": "T", "criterion": None, "value": True, "origin": "human", "by": "a"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{broken", "not JSON"),
        ("[]", "object"),
        ("7", "object"),
        (json.dumps({**GOOD, "origin": "robot"}), "origin is 'robot'"),
        (json.dumps({**GOOD, "value": 1}), "true or false"),
        (json.dumps({**GOOD, "state": ""}), "'state' is empty"),
        (json.dumps({**GOOD, "scope": "moon"}), "scope"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "value"}), "'value' is missing"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "by"}), "'by' is missing"),
        ('{"value": NaN}', "NaN"),
        ('{"value": 1e999}', "too large"),
    ],
)
def test_any_other_damage_names_file_and_line(corpus: Corpus, line: str, says: str) -> None:
    path = corpus.folder / "labels.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n\n{line}\n{json.dumps(GOOD)}\n")
    with pytest.raises(StorageError, match=says) as error:
        corpus.labels()
    assert f"{path}:3" in str(error.value)


def test_unknown_keys_survive_in_the_file(corpus: Corpus) -> None:
    path = corpus.folder / "labels.jsonl"
    line = json.dumps({**GOOD, "colour": "teal"})
    path.write_text(line + "\n")
    corpus.add_label(label())
    assert path.read_text().splitlines()[0] == line
    assert len(corpus.labels()) == 2


def test_what_cannot_be_kept_is_refused_before_anything_is_written(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="JSON"):
        corpus.add_label(label(evidence=float("nan")))
    with pytest.raises(UsageError, match="scope"):
        corpus.add_label(label(scope="moon"))
    with pytest.raises(UsageError, match="bytes"):
        corpus.add_fact(Fact("s@1", "x", "y" * 1_000_001, "ann"))
    assert (corpus.folder / "labels.jsonl").read_bytes() == b""


def test_half_a_surrogate_pair_is_kept_as_json_escapes_it(corpus: Corpus) -> None:
    fact = Fact("s@1", "title", "a\ud800b", "ann")
    corpus.add_fact(fact)
    assert b"a\\ud800b" in (corpus.folder / "facts.jsonl").read_bytes()
    assert [item.value for item in corpus.facts()] == ["a\ud800b"]


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no corpus"):
        open_corpus(tmp_path)
    create(tmp_path / "b")
    create(tmp_path / "a")
    (tmp_path / "c").mkdir()
    assert [c.name for c in corpora(tmp_path)] == ["a", "b"]
    assert corpora(tmp_path / "none") == []


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(StorageError, match="cannot be made"):
        create(tmp_path / "x")


def _write_labels(folder: str, by: str) -> None:
    corpus = Corpus(Path(folder))
    for number in range(50):
        corpus.add_label(label(by=by, state=f"e{number}@0", evidence="x" * 300))


def test_two_processes_write_without_tearing_lines(corpus: Corpus) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_write_labels, args=(str(corpus.folder), by))
        for by in ("ann", "bob")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
        writer.close()
    assert len(corpus.labels()) == 100
    assert corpus.warnings == []


def test_the_book_joins_stored_and_following_labels(corpus: Corpus) -> None:
    corpus.add_fact(Fact("e@0", "style", "wireframe", "ann"))
    corpus.add_label(label(False, state="e@0", task="T", criterion="style"))
    wanted = task("T", criterion("style", claims="style=wireframe"), criterion("other"))
    book = corpus.book([wanted], [state("e")])
    decision = book.decision("e@0", "T", "style")
    assert decision is not None
    assert (decision.value, decision.origin) == (False, Origin.HUMAN)
    assert len(book.conflicts) == 1
