"""index.sqlite: what is asked often, rebuilt from the folders at any time."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from trajectories.episode import EpisodeKind, Termination
from trajectories.errors import StorageError
from trajectories.storage.migrations import MIGRATIONS
from trajectories.storage.summary import EpisodeQuery, EpisodeSummary, IndexedEpisode

_CHUNK = 500
_REFUSED = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_HALF = re.compile("[\ud800-\udfff]")
_ORDERS = {"started_at", "id", "task", "steps", "bytes"}
_COLUMNS = (
    "id",
    "kind",
    "task",
    "target",
    "title",
    "started_at",
    "termination",
    "complete",
    "steps",
    "decisions",
    "duration_ms",
    "has_final",
    "warnings",
    "bytes",
    "tags",
    "error",
)
_UPSERT = (
    f"insert into episodes ({', '.join(_COLUMNS)}) "
    f"values ({', '.join(':' + name for name in _COLUMNS)}) on conflict (id) do update set "
    f"{', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)} returning number"
)


class Index:
    """One connection behind a lock; every method may be called from any thread.

    A file that is not a database is set aside and a new index begun: it holds nothing of its own.
    In a workspace one may only read, the index is this process's own, in memory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            self._db = _open(path if os.access(path.parent, os.W_OK) else ":memory:")
        except sqlite3.OperationalError as error:
            raise _error(path, error) from error
        except sqlite3.DatabaseError:
            path.replace(path.with_name(path.name + ".damaged"))
            self._db = _open(path)

    @contextmanager
    def _use(self) -> Iterator[Database]:
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise _error(self.path, error) from error

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._use() as db, db.conn:
            yield db.conn

    def ids(self) -> set[str]:
        """The ids of all episodes in the index."""
        with self._use() as db:
            return {row[0] for row in db.execute("select id from episodes")}

    def tags(self) -> list[str]:
        """Every tag in use, sorted."""
        with self._use() as db:
            rows = db.execute("select distinct tags from episodes where tags != ''").fetchall()
        return sorted({tag for row in rows for tag in row[0].split("\n") if tag})

    def put(self, items: Iterable[IndexedEpisode]) -> None:
        """Add or replace episodes, in one transaction."""
        with self._change() as connection:
            for item in items:
                row = {name: _storable(value) for name, value in item.row.items()}
                number = connection.execute(_UPSERT, row).fetchone()[0]
                connection.execute("delete from texts where rowid = ?", [number])
                connection.execute(
                    "insert into texts (rowid, content) values (?, ?)",
                    [number, _storable(item.text)],
                )

    def remove(self, ids: Iterable[str]) -> None:
        """Take episodes out, in one transaction."""
        with self._change() as connection:
            for episode_id in ids:
                row = connection.execute(
                    "delete from episodes where id = ? returning number", [episode_id]
                ).fetchone()
                if row is not None:
                    connection.execute("delete from texts where rowid = ?", row)

    def select(self, query: EpisodeQuery) -> list[EpisodeSummary]:
        """The summaries a query asks for."""
        if query.order_by not in _ORDERS:
            raise ValueError(f"unknown order {query.order_by!r}")
        where, values = _conditions(query)
        direction = "desc" if query.descending else "asc"
        sql = (
            f"select * from episodes where {where} "
            f"order by {query.order_by} {direction}, id {direction} limit ? offset ?"
        )
        with self._use() as db:
            rows = list(db.query(sql, [*values, query.limit, query.offset]))
        try:
            return [_summary(row) for row in rows]
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise _error(self.path, error) from error

    def count(self, query: EpisodeQuery) -> int:
        """How many episodes a query matches, whatever its limit."""
        where, values = _conditions(query)
        with self._use() as db:
            row = db.execute(f"select count(*) from episodes where {where}", values).fetchone()
        return int(row[0])

    def rows(self) -> dict[str, tuple[dict[str, Any], str]]:
        """Every row and its searchable text, by id (to compare two indexes)."""
        sql = "select e.*, t.content from episodes e join texts t on t.rowid = e.number"
        with self._use() as db:
            found = list(db.query(sql))
        plain = ({k: v for k, v in row.items() if k != "number"} for row in found)
        return {row["id"]: (row, row.pop("content")) for row in plain}

    def values(self, keys: Iterable[str]) -> dict[str, str]:
        """Values of the cache; unknown keys are absent."""
        found: dict[str, str] = {}
        with self._use() as db:
            for chunk in _chunks(keys):
                marks = ",".join("?" * len(chunk))
                sql = f"select key, value from value_cache where key in ({marks})"
                found.update(db.execute(sql, chunk).fetchall())
        return found

    def put_values(self, values: Mapping[str, str]) -> None:
        """Put values into the cache, in one transaction."""
        with self._change() as connection:
            connection.executemany(
                "insert or replace into value_cache (key, value) values (?, ?)", values.items()
            )

    def value_sizes(self) -> list[tuple[str, int]]:
        """Every key of the cache with the bytes of its value."""
        with self._use() as db:
            return list(db.execute("select key, length(cast(value as blob)) from value_cache"))

    def remove_values(self, keys: Iterable[str]) -> None:
        """Take values out of the cache, in one transaction."""
        with self._change() as connection:
            connection.executemany("delete from value_cache where key = ?", ([k] for k in keys))

    def scrub(self) -> None:
        """Forget all cached values, and overwrite whatever rows that went have left in the file."""
        with self._use() as db:
            with db.conn as connection:
                connection.execute("delete from value_cache")
                connection.execute("insert into texts (texts) values ('optimize')")
            db.conn.execute("vacuum")
            db.conn.execute("pragma wal_checkpoint(truncate)").fetchall()

    def close(self) -> None:
        """Close the connection; idempotent."""
        with self._lock:
            self._db.close()


def _open(path: Path | str) -> Database:
    connection = sqlite3.connect(path, timeout=10.0, check_same_thread=False)
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        db = Database(connection)
        MIGRATIONS.apply(db)
    except BaseException:
        connection.close()
        raise
    return db


def _error(path: Path, error: Exception) -> StorageError:
    hint = "It can be deleted: `graticule reindex` builds it again from the episode folders."
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _REFUSED:
        hint = f"Free some space on that disk, then try again. {hint}"
    return StorageError(f"The index {path} cannot be used: {error}.", hint)


def _chunks(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    rest = iter(keys)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk


def _conditions(query: EpisodeQuery) -> tuple[str, list[Any]]:
    equal: list[tuple[str, Any]] = [
        ("kind", query.kind and query.kind.value),
        ("task", query.task),
        ("target", query.target),
        ("termination", query.termination and query.termination.value),
    ]
    parts = [(f"{name} = ?", value) for name, value in equal if value]
    if query.complete is not None:
        parts.append(("complete = ?", int(query.complete)))
    if query.tag:
        parts.append(("tags like ? escape '\\'", f"%\n{_escaped(query.tag)}\n%"))
    parts += [_word(word) for word in query.text.split()]
    where = " and ".join(part for part, _ in parts) or "1"
    return where, [_storable(value) for _, value in parts]


def _storable(value: Any) -> Any:
    """What SQLite can hold: half a surrogate pair (JavaScript has such text) becomes U+FFFD."""
    return _HALF.sub("\ufffd", value) if isinstance(value, str) else value


def _word(word: str) -> tuple[str, str]:
    """A condition for one word; words of less than three letters have no entry in the index."""
    if len(word) < 3:
        condition = "content like ? escape '\\'"
        value = f"%{_escaped(word)}%"
    else:
        condition, value = "texts match ?", '"' + word.replace('"', '""') + '"'
    return f"number in (select rowid from texts where {condition})", value


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _summary(row: Mapping[str, Any]) -> EpisodeSummary:
    return EpisodeSummary(
        id=row["id"],
        kind=EpisodeKind(row["kind"]),
        task=row["task"],
        target=row["target"],
        title=row["title"],
        started_at=row["started_at"],
        termination=Termination(row["termination"]),
        complete=bool(row["complete"]),
        steps=row["steps"],
        decisions=row["decisions"],
        duration_ms=row["duration_ms"],
        has_final=bool(row["has_final"]),
        warnings=row["warnings"],
        bytes=row["bytes"],
        tags=tuple(tag for tag in row["tags"].split("\n") if tag),
        error=row["error"],
    )
