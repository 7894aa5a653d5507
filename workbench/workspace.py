"""The folder all work is kept in, and the paths inside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trajectories.errors import StorageError, UsageError
from trajectories.storage import names

MAX_NAME = 80


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

    def corpus(self, name: str) -> Path:
        """The folder of the corpus of that name; UsageError for a name that leaves the folder."""
        return self.corpora / checked_name(name)

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


def checked_name(name: str) -> str:
    """The name of a corpus itself when it is a plain folder name; UsageError otherwise."""
    odd = name in ("", ".", "..") or any(c in "/\\:" or not c.isprintable() for c in name)
    if odd or names.is_reserved(name) or len(name) > MAX_NAME:
        raise UsageError(f"{name!r:.80} is no name for a corpus.", "Use letters, digits, - and _.")
    return name


def default_root() -> Path:
    """The XDG data folder of the program."""
    import platformdirs

    return platformdirs.user_data_path("graticule", appauthor=False)


def resolve(directory: str | Path | None) -> Workspace:
    """The workspace of that folder, or the default one."""
    root = default_root() if directory is None else Path(directory).expanduser()
    return Workspace(root.absolute())
