"""The tables of index.sqlite, one named step per change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlite_utils.migrations import Migrations

if TYPE_CHECKING:
    from sqlite_utils import Database

MIGRATIONS = Migrations("graticule")


@MIGRATIONS(name="0001_episodes")
def _episodes(db: Database) -> None:
    db.table("episodes").create(
        {
            "number": int,
            "id": str,
            "kind": str,
            "task": str,
            "target": str,
            "title": str,
            "started_at": str,
            "termination": str,
            "complete": int,
            "steps": int,
            "decisions": int,
            "duration_ms": float,
            "has_final": int,
            "warnings": int,
            "bytes": int,
            "tags": str,
            "error": str,
        },
        pk="number",
        not_null={"id"},
    )
    db.table("episodes").create_index(["id"], unique=True)
    for column in ("started_at", "task", "kind", "complete"):
        db.table("episodes").create_index([column])


@MIGRATIONS(name="0002_texts")
def _texts(db: Database) -> None:
    """Three-letter parts, so that any part of a word is found, in any script; rowid is `number`."""
    db.execute("create virtual table texts using fts5(content, tokenize='trigram')")


@MIGRATIONS(name="0003_value_cache")
def _value_cache(db: Database) -> None:
    db.table("value_cache").create({"key": str, "value": str}, pk="key")
