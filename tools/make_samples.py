"""Record the sample episodes anew on the XRD page and pack them into assets/samples."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from trajectories.storage.archive import SUFFIX
from trajectories.storage.store import Store
from workbench import resources
from workbench.library import open_library
from workbench.runs.sample import EPISODES
from workbench.runs.states import record_states, xrd_recipes


def main() -> None:
    """Write one file an episode."""
    out = resources.samples()
    tasks = open_library(None).domain("xrd")
    recipes = [recipe for recipe in xrd_recipes(tasks, [0]) if recipe.name in EPISODES]
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        for progress in record_states(store, resources.simulators(), recipes):
            sys.stderr.write(f"{progress.done} of {progress.total} {progress.text}\n")
        for name in EPISODES:
            store.export_archive(name, out / f"{name}{SUFFIX}")


if __name__ == "__main__":
    main()
