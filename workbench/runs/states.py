"""A corpus of states recorded on a simulator: solved, half way, next to right, and wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluators.corpus import Corpus, StateEntry
from trajectories.actions import Action, Done
from trajectories.episode import Episode, State, Termination
from trajectories.errors import UsageError
from trajectories.progress import Job, Progress
from trajectories.sessions.thread import SessionThread
from workbench.runs.live import LiveRecording, Wanted, play
from workbench.runs.neighbours import NARROW, plan_narrow, plan_neighbours, plan_specimens
from workbench.runs.oracle import plan_xrd

if TYPE_CHECKING:
    from evaluators.task import Task
    from trajectories.storage.store import Store

ADDED_BY = "corpus build"
Plan = Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], Sequence[Action]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One episode to record: how it starts and what is done."""

    name: str
    wanted: Wanted
    plan: Plan


@dataclass
class Built:
    """What came of it: the episodes, and the states that differ from one another."""

    episodes: list[Episode] = field(default_factory=list)
    states: list[tuple[State, str]] = field(default_factory=list)


def xrd_recipes(tasks: Sequence[Task], seeds: Iterable[int], prefix: str = "") -> list[Recipe]:
    """For each seed a run past all neighbours and wrong presses.

    For the first one also every specimen, the narrowest range, and each subtask by itself.
    """
    seeds = list(seeds)
    recipes = [_neighbours(seed, prefix) for seed in seeds]
    if seeds:
        recipes += [_specimens(seeds[0], prefix), _narrow(seeds[0], prefix)]
    for task in tasks:
        subtask = task.simulator.get("subtask")
        if isinstance(subtask, str) and seeds:
            recipes.append(_subtask(task, subtask, seeds[0], prefix))
    return recipes


def _neighbours(seed: int, prefix: str) -> Recipe:
    name = f"{prefix}xrd-neighbours-{seed}"
    wanted = Wanted("xrd", seed=seed, episode_id=name, title=f"past the neighbours, seed {seed}")
    return Recipe(name, wanted, plan_neighbours)


def _specimens(seed: int, prefix: str) -> Recipe:
    name = f"{prefix}xrd-specimens-{seed}"
    wanted = Wanted("xrd", seed=seed, episode_id=name, title=f"every specimen, seed {seed}")
    return Recipe(name, wanted, plan_specimens)


def _narrow(seed: int, prefix: str) -> Recipe:
    """Angles are set already when the step size is to be chosen."""
    name = f"{prefix}xrd-narrow-{seed}"
    wanted = Wanted("xrd", seed=seed, goal=NARROW, episode_id=name, fast_forward="S5",
                    title=f"the narrowest range, seed {seed}")  # fmt: skip
    return Recipe(name, wanted, plan_narrow)


def _subtask(task: Task, subtask: str, seed: int, prefix: str) -> Recipe:
    """Fast-forward to the subtask, then solve it by keys."""
    name = f"{prefix}xrd-{subtask}-{seed}"
    wanted = Wanted("xrd", task, seed, episode_id=name, title=f"{task.id} by keys, seed {seed}")

    def plan(controls: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]) -> Sequence[Action]:
        return plan_xrd(controls, goal, subtask, "keys")

    return Recipe(name, wanted, plan)


def record_states(store: Store, pages: Path, recipes: Sequence[Recipe]) -> Job[Built]:
    """Record what is not there yet, in one browser, and gather the states that differ.

    Progress counts recipes. An episode of that name that is complete is taken as it is.
    """
    from trajectories.sessions.chromium import Chromium

    built = Built()
    missing = [recipe for recipe in recipes if not _known(store, recipe)]
    with SessionThread("corpus") as thread:
        browser = thread.open(Chromium.launch()) if missing else None
        for done, recipe in enumerate(recipes):
            yield Progress(done, len(recipes), recipe.wanted.title)
            if recipe in missing:
                with LiveRecording(
                    store, pages, recipe.wanted, thread=thread, browser=browser
                ) as live:
                    yield from _carried_out(live, recipe, done, len(recipes))
            built.episodes.append(store.load(recipe.name))
    yield Progress(len(recipes), len(recipes), "gathering states")
    built.states = distinct_states(built.episodes)
    return built


def _carried_out(live: LiveRecording, recipe: Recipe, done: int, total: int) -> Job[None]:
    """Play the recipe's plan; progress names its actions."""
    actions = [*recipe.plan(live.controls(), live.goal), Done()]
    job = play(live, actions, len(actions))
    try:
        for progress in job:
            text = f"{recipe.wanted.title}: {progress.done}/{len(actions)} actions"
            yield Progress(done, total, text)
    finally:
        job.close()


def _known(store: Store, recipe: Recipe) -> bool:
    """Whether it was recorded to its end; one that was not goes to the bin and is made anew."""
    found = next((item for item in store.episodes() if item.id == recipe.name), None)
    if found is None:
        return False
    if found.complete and found.termination is Termination.DONE:
        return True
    store.delete(recipe.name)
    return False


def distinct_states(episodes: Iterable[Episode]) -> list[tuple[State, str]]:
    """Every state with a page state whose picture, goal and predicates were not seen before."""
    seen: dict[tuple[Any, ...], None] = {}
    out = []
    for episode in episodes:
        for cut in range(episode.observation_count):
            state = episode.state(cut)
            key = _appearance(state)
            if key is not None and key not in seen:
                seen[key] = None
                out.append((state, title_of(state)))
    return out


def _appearance(state: State) -> tuple[Any, ...] | None:
    try:
        observation = state.observation()
    except LookupError:
        return None
    if observation.frame is None or not observation.page_state.collected:
        return None
    goal = sorted(state.episode.header.target.goal.items())
    return observation.frame.digest, repr(goal), repr(_holding(state))


def _holding(state: State) -> list[str]:
    """The subtasks whose predicate holds now."""
    page = state.observation().page_state.value or {}
    judge = page.get("judge")
    if not isinstance(judge, Mapping):
        return []
    return sorted(n for n, e in judge.items() if isinstance(e, Mapping) and e.get("now") is True)


def title_of(state: State) -> str:
    """Which episode, after how many actions, and what holds."""
    holding = " ".join(_holding(state)) or "nothing"
    return f"{state.episode.header.title}, after {state.cut} actions: {holding} holds"


def fill_corpus(corpus: Corpus, states: Sequence[tuple[State, str]], domain: str) -> int:
    """Add the states that are not in the corpus yet; how many."""
    known = {entry.state for entry in corpus.states()}
    fresh = [(state, title) for state, title in states if state.id not in known]
    for state, title in fresh:
        header = state.episode.header
        corpus.add_state(
            StateEntry(state.id, title, domain, header.task, dict(header.target.goal),
                       noop=state.cut == 0, added_by=ADDED_BY)
        )  # fmt: skip
    return len(fresh)


def recipes_for(domain: str, tasks: Sequence[Task], seeds: Iterable[int]) -> list[Recipe]:
    """The recipes of an instrument; UsageError for one that has none."""
    if domain != "xrd":
        raise UsageError(f"There is no way to build a corpus for {domain!r}.", "Known: xrd.")
    return xrd_recipes([task for task in tasks if task.domain == domain], seeds)
