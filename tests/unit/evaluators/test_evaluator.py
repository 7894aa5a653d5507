"""Questions, answers and verdicts: what each `at` means, and that errors stay errors."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from evaluators.cache import MemoryCache, StoreCache
from evaluators.evaluator import (
    Answer,
    Question,
    answer,
    answer_from_json,
    answers_for,
    cache_key,
    evaluate,
    questions,
    remember,
    settle,
)
from evaluators.registry import Registry
from evaluators.verdict import Bounds, Status, Verdict
from trajectories.episode import Episode, Observation, State
from trajectories.errors import StorageError
from trajectories.frame import Frame
from unit.evaluators.evaluator_parts import (
    criterion,
    episode,
    frame,
    numbers,
    observation,
    on,
    pixels,
    registry,
    shot,
    task,
    uniform,
)


def verdict(state: State | Episode, *criteria: dict[str, Any], **fields: Any) -> Verdict:
    if isinstance(state, Episode):
        state = state.state()
    return evaluate(task(*criteria, **fields), state, registry())


def status(state: State | Episode, **fields: Any) -> Status:
    return verdict(state, criterion(**fields)).results[0].status


# ── at ───────────────────────────────────────────────────────────────────────────────────────────


def test_final_is_the_last_observation() -> None:
    assert status(numbers(0, 0, 1)) is Status.PASSED
    assert status(numbers(1, 1, 0)) is Status.FAILED
    result = verdict(numbers(0, 0, 1), criterion()).results[0]
    assert (result.observation, result.value, result.score) == (2, 1, 1.0)


def test_final_of_a_cut_state_is_its_own_last_observation() -> None:
    assert verdict(numbers(0, 1, 0).state(1), criterion()).results[0].status is Status.PASSED


def test_final_without_a_final_observation_is_an_error() -> None:
    result = verdict(numbers(1, 1, final=False), criterion()).results[0]
    assert result.status is Status.ERROR
    assert result.score is None
    assert "final state was not recorded" in result.reason


@pytest.mark.parametrize(
    ("at", "seen", "expected"),
    [
        ("any", (0, 1, 0), Status.PASSED),
        ("any", (0, 1, None), Status.PASSED),
        ("any", (0, 0, None), Status.ERROR),
        ("any", (0, 0, 0), Status.FAILED),
        ("all", (1, 1, 1), Status.PASSED),
        ("all", (1, None, 1), Status.ERROR),
        ("all", (0, None, 1), Status.FAILED),
        ("all", (1, 1, 0), Status.FAILED),
        (0, (1, 0, 0), Status.PASSED),
        (-1, (0, 0, 1), Status.PASSED),
        (-3, (1, 0, 0), Status.PASSED),
        (1, (1, 0, 1), Status.FAILED),
        (3, (1, 1, 1), Status.ERROR),
        (-4, (1, 1, 1), Status.ERROR),
    ],
)
def test_at(at: Any, seen: tuple[float | None, ...], expected: Status) -> None:
    assert status(numbers(*seen), at=at) is expected


def test_any_names_the_observation_that_decided() -> None:
    assert verdict(numbers(0, 1, 1), criterion(at="any")).results[0].observation == 1
    assert verdict(numbers(1, 0, 1), criterion(at="all")).results[0].observation == 1


def test_any_takes_the_best_and_all_the_worst_partial_score() -> None:
    part: dict[str, Any] = {"metric": "as_score", "expected": None}
    assert verdict(numbers(0.2, 0.7), criterion(at="any", **part)).results[0].score == 0.7
    assert verdict(numbers(0.2, 0.7), criterion(at="all", **part)).results[0].score == 0.2


def test_all_says_what_could_not_be_judged_beside_a_failure() -> None:
    result = verdict(numbers(0, None, 1), criterion(at="all")).results[0]
    assert "1 observations could not be judged" in result.reason


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


def test_not_collected_is_an_error_not_a_failure() -> None:
    result = verdict(episode([Observation()]), criterion()).results[0]
    assert result.status is Status.ERROR
    assert "page state was not collected" in result.reason


def test_looked_for_and_absent_is_a_failure() -> None:
    absent = criterion(getter="page_state", params={"path": "m", "source": "page"})
    result = verdict(numbers(1), absent).results[0]
    assert (result.status, result.score) == (Status.FAILED, 0.0)
    assert result.reason == "looked for and absent"


@pytest.mark.parametrize("way", ["fail", "doubt", "odd"])
def test_a_getter_that_raises_or_doubts_is_an_error(way: str) -> None:
    result = verdict(numbers(1), criterion(params={way: True})).results[0]
    assert result.status is Status.ERROR
    reason = {"fail": "ZeroDivisionError: boom", "doubt": "uncertain: two ways", "odd": "Reading"}
    assert reason[way] in result.reason


@pytest.mark.parametrize("value", [1.5, -0.1, 2])
def test_a_score_outside_0_to_1_is_an_error_never_clamped(value: float) -> None:
    result = verdict(numbers(value), criterion(metric="as_score", expected=None)).results[0]
    assert result.status is Status.ERROR
    assert "not between 0 and 1" in result.reason


def test_a_score_is_never_rounded() -> None:
    close = verdict(numbers(1 - 1e-12), criterion(metric="as_score", expected=None))
    assert close.results[0].status is Status.FAILED
    assert close.score == 1 - 1e-12
    assert close.success is Status.FAILED


def test_a_none_passes_only_where_null_is_expected() -> None:
    missing = {"getter": "page_state", "params": {"path": "m", "source": "page"}}
    assert status(numbers(1), **missing, expected=None) is Status.PASSED
    lenient = {"metric": "as_score", "expected": None}
    assert status(numbers(1), **missing, **lenient) is Status.FAILED


def test_an_unknown_getter_of_another_registry_is_an_error() -> None:
    state = numbers(1).state()
    result = evaluate(task(criterion()), state, Registry({}, {})).results[0]
    assert result.status is Status.PASSED  # the class describes itself
    strange = criterion(getter="unavailable:magic", metric="unavailable:charm")
    result = verdict(numbers(1), strange).results[0]
    assert result.status is Status.ERROR
    assert "no getter 'magic'" in result.reason


def test_a_missing_frame_on_disk_is_an_error() -> None:
    class Gone:
        digest = "0" * 64

        def load(self) -> Frame:
            raise StorageError("The frame is missing.", "Restore the episode.")

    seen = observation(frame=None, n=1)
    gone = Observation(frame=Gone(), page_state=seen.page_state)
    region = pixels(0, 0, 9, 9, [9, 9])
    text = criterion(getter="region_text", params={"region": region}, expected="x")
    result = verdict(episode([gone]), text).results[0]
    assert result.status is Status.ERROR
    assert "The frame is missing" in result.reason


def test_a_region_of_another_frame_size_is_an_error_never_rescaled() -> None:
    region = pixels(0, 0, 100, 50, [1280, 720])
    text = criterion(getter="region_text", params={"region": region}, expected="x")
    result = verdict(shot("fityk_fit"), text).results[0]
    assert result.status is Status.ERROR
    assert "1280×720" in result.reason
    assert "1920×1080" in result.reason


# ── score and SR ─────────────────────────────────────────────────────────────────────────────────


def both(first: dict[str, Any], second: dict[str, Any], n: float = 1) -> Verdict:
    return verdict(numbers(n), criterion("a", **first), criterion("b", **second))


def test_score_is_weighted() -> None:
    got = both({"weight": 3}, {"weight": 1, "expected": 2})
    assert got.score == 0.75
    assert got.success is Status.FAILED


def test_a_required_error_leaves_the_score_open_with_bounds() -> None:
    got = both({}, {"params": {"fail": True}})
    assert got.score is None
    assert got.bounds == Bounds(0.5, 1.0)
    assert got.success is Status.ERROR


def test_another_required_failure_decides_sr_despite_an_error() -> None:
    got = both({"expected": 2}, {"params": {"fail": True}})
    assert got.score is None
    assert got.bounds == Bounds(0.0, 0.5)
    assert got.success is Status.FAILED


def test_secondary_criteria_count_for_the_score_only() -> None:
    got = both({}, {"role": "secondary", "expected": 2})
    assert got.score == 0.5
    assert got.success is Status.PASSED
    erred = both({}, {"role": "secondary", "params": {"fail": True}})
    assert (erred.score, erred.success) == (None, Status.PASSED)


def test_nothing_required_is_no_success() -> None:
    assert verdict(numbers(1)).success is Status.ERROR
    assert verdict(numbers(1)).score is None
    assert verdict(numbers(1), criterion(role="secondary")).success is Status.ERROR


# ── questions, keys, caches ──────────────────────────────────────────────────────────────────────

TEXT = criterion(
    getter="region_text",
    params={"region": on("fityk_fit", 1494, 833, 206, 22)},
    expected="1593.356",
)


def test_the_three_phases_give_what_evaluate_gives() -> None:
    one, state = task(TEXT), shot("fityk_fit")
    asked = questions(one, state, registry())
    by_key = {q.key: answer(q.payload) for q in asked if q.key is not None}
    got = settle(one, state, answers_for(asked, by_key))
    assert got == evaluate(one, state, registry())
    assert got.score == 1.0
    assert "tesserocr" in got.results[0].engine


def test_evidence_lies_in_frame_coordinates() -> None:
    evidence = evaluate(task(TEXT), shot("fityk_fit"), registry()).results[0].evidence
    x, y, width, height = evidence[0]["rect"]
    assert 1494 <= x < x + width <= 1700
    assert 833 <= y < y + height <= 855
    assert evidence[0]["text"] == "1593.356"
    assert "crop" not in evidence[0]


def test_a_question_with_a_problem_has_no_payload() -> None:
    asked = questions(task(criterion()), episode([Observation()]).state(), registry())
    assert asked[0].key is None
    with pytest.raises(ValueError, match="not collected"):
        _ = asked[0].payload


def test_questions_and_answers_go_through_a_spawned_pool() -> None:
    asked = questions(task(TEXT), shot("fityk_fit"), registry())
    copied: Question = pickle.loads(pickle.dumps(asked[0]))
    assert copied.key == asked[0].key
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        got = pool.submit(answer, copied.payload).result(timeout=60)
    assert got == answer(asked[0].payload)
    assert got.value == "1593.356"


def key_of(fields: dict[str, Any], state: State) -> str | None:
    return questions(task(criterion(**fields)), state, registry())[0].key


def test_the_key_follows_pixels_and_parameters_but_not_places() -> None:
    blank = episode([observation(frame=uniform(200, 100, 200), n=1)]).state()

    def key(x: int, **params: Any) -> str | None:
        region = pixels(x, 0, 50, 20, [200, 100])
        return key_of({"getter": "region_text", "params": {"region": region, **params}}, blank)

    assert key(0) == key(0)
    assert key(0) != key(0, engine="pytesseract")
    darker = episode([observation(frame=uniform(200, 100, 100), n=1)]).state()
    region = {"region": pixels(0, 0, 50, 20, [200, 100])}
    assert key(0) != key_of({"getter": "region_text", "params": region}, darker)


def test_the_key_follows_the_version_of_getter_and_engine() -> None:
    asked = questions(task(TEXT), shot("fityk_fit"), registry())[0]
    assert asked.spec is not None
    assert asked.inputs is not None
    newer = replace(asked.spec, version=asked.spec.version + 1)
    other = replace(asked.spec, engines=lambda params: "tesserocr 99")
    keys = {cache_key(spec, asked.params, asked.inputs) for spec in (asked.spec, newer, other)}
    assert len(keys) == 3
    assert asked.key in keys


@dataclass
class Texts:
    """A text store that counts."""

    texts: dict[str, str] = field(default_factory=dict)
    written: int = 0

    def cached_values(self, keys: Any) -> dict[str, str]:
        return {key: self.texts[key] for key in keys if key in self.texts}

    def cache_values(self, values: Any) -> None:
        self.written += len(values)
        self.texts.update(values)


def test_a_reading_comes_from_the_cache_the_second_time() -> None:
    store = Texts()
    state, one = shot("fityk_fit"), task(TEXT)
    first = evaluate(one, state, registry(), StoreCache(store))
    assert evaluate(one, state, registry(), StoreCache(store)) == first
    assert store.written == 1
    (key,) = store.texts
    store.texts[key] = json.dumps({**json.loads(store.texts[key]), "value": "forged"})
    assert evaluate(one, state, registry(), StoreCache(store)).results[0].value == "forged"


def test_a_damaged_cache_entry_is_read_anew() -> None:
    store = Texts()
    state, one = shot("fityk_fit"), task(TEXT)
    first = evaluate(one, state, registry(), StoreCache(store))
    for damage in ("{", '"text"', '{"evidence": 1}', '{"evidence": [], "surplus": 1}'):
        store.texts = dict.fromkeys(store.texts, damage)
        assert evaluate(one, state, registry(), StoreCache(store)) == first


def test_errors_are_not_cached() -> None:
    cache = MemoryCache()
    evaluate(task(criterion(params={"fail": True})), numbers(1).state(), registry(), cache)
    assert len(cache) == 0
    evaluate(task(criterion()), numbers(1).state(), registry(), cache)
    assert len(cache) == 1


def test_an_answer_survives_json() -> None:
    got = answer(questions(task(TEXT), shot("fityk_fit"), registry())[0].payload)
    assert answer_from_json(json.loads(json.dumps(got.as_json()))) == got
    assert answer_from_json({"evidence": [], "value": 1}) == Answer(value=1)


def test_a_state_of_many_criteria_decodes_each_frame_once() -> None:
    loads = []

    @dataclass(frozen=True)
    class Counted:
        digest: str = "0" * 64

        def load(self) -> Frame:
            loads.append(1)
            return frame("fityk_fit")

    state = remember(episode([Observation(frame=Counted())]).state())
    items = [{**TEXT, "id": f"c{k}"} for k in range(5)]
    for _ in range(3):
        questions(task(*items), state, registry())
    assert len(loads) == 1


def test_a_long_episode_keeps_few_frames_in_memory() -> None:
    loads: list[int] = []

    @dataclass(frozen=True)
    class Counted:
        number: int
        digest: str = "0" * 64

        def load(self) -> Frame:
            loads.append(self.number)
            return uniform(40, 20, self.number)

    seen = [Observation(frame=Counted(k)) for k in range(12)]
    region = {"region": pixels(0, 0, 10, 10, [40, 20])}
    items = [criterion(f"c{k}", getter="region_text", params=region, at="any") for k in range(4)]
    questions(task(*items), episode(seen).state(), registry())
    assert loads == list(range(12))
