"""The sample workspace: recorded episodes that ship with the program, and a corpus of their states.

Nothing is recorded and nothing is fetched: it takes a second and works without a browser.
"""

from __future__ import annotations

from contextlib import suppress

from evaluators.corpus import Corpus, create, open_corpus
from trajectories.episode import Episode
from trajectories.errors import StorageError
from trajectories.progress import Job, Progress
from trajectories.storage.archive import SUFFIX
from trajectories.storage.store import Store
from workbench import resources
from workbench.runs.states import distinct_states, fill_corpus
from workbench.workspace import Workspace

EPISODES = ("xrd-S4-0", "xrd-S1-0")
"""What ships; the first one is opened first: the angles of a scan are set."""
CORPUS, DOMAIN = "sample", "xrd"


def make_sample(workspace: Workspace, store: Store) -> Job[str]:
    """Take the samples in that are not there yet, and fill their corpus; the first one's id."""
    episodes: list[Episode] = []
    for done, name in enumerate(EPISODES):
        yield Progress(done, len(EPISODES) + 1, name)
        episodes.append(_take_in(store, name))
    yield Progress(len(EPISODES), len(EPISODES) + 1, "gathering states")
    fill_corpus(_corpus(workspace), distinct_states(episodes), DOMAIN)
    return EPISODES[0]


def _take_in(store: Store, name: str) -> Episode:
    with suppress(StorageError):  # not there; of one that is damaged, the import says what is wrong
        return store.load(name)
    path = resources.samples() / f"{name}{SUFFIX}"
    if not path.is_file():
        raise StorageError(
            f"The sample {path.name} is not part of this installation.",
            "Record an episode in Capture instead, or run: graticule demo",
        )
    return store.import_archive(path)


def _corpus(workspace: Workspace) -> Corpus:
    folder = workspace.corpora / CORPUS
    return open_corpus(folder) if folder.is_dir() else create(folder)
