"""The folder all work is kept in, and the paths inside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trajectories.errors import StorageError


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace folder; nothing is created before it is needed."""

    root: Path

    @property
    def episodes(self) -> Path:
        """One folder per episode."""
        return self.root / "episodes"

    @property
    def corpora(self) -> Path:
        """One folder per corpus: states, facts and labels as JSON lines."""
        return self.root / "corpora"

    @property
    def tasks(self) -> Path:
        """The user's own task files."""
        return self.root / "tasks"

    @property
    def index(self) -> Path:
        """The index database; it can be deleted at any time."""
        return self.root / "index.sqlite"

    def ensure(self) -> Workspace:
        """Create the folder when it is missing; StorageError when that is not possible."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"The workspace {self.root} cannot be used: {error.strerror}.",
                "Choose another folder with --workspace DIR.",
            ) from error
        return self


def default_root() -> Path:
    """The XDG data folder of the program."""
    import platformdirs

    return platformdirs.user_data_path("graticule", appauthor=False)


def resolve(directory: str | Path | None) -> Workspace:
    """The workspace of that folder, or the default one."""
    root = default_root() if directory is None else Path(directory).expanduser()
    return Workspace(root.absolute())
