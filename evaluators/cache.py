"""Caches of readings: keys are digests, values are JSON."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from trajectories.errors import StorageError

Json = Any


class ValueCache(Protocol):
    """Where readings are kept between evaluations."""

    def get_many(self, keys: Iterable[str]) -> dict[str, Json]:
        """The values that are known; unknown keys are absent."""
        ...

    def put_many(self, values: Mapping[str, Json]) -> None:
        """Keep values."""
        ...


class MemoryCache:
    """A cache in memory that forgets what was used longest ago beyond `limit` entries."""

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit
        self._values: OrderedDict[str, Json] = OrderedDict()

    def get_many(self, keys: Iterable[str]) -> dict[str, Json]:
        """The values that are known; unknown keys are absent."""
        found = {key: self._values[key] for key in keys if key in self._values}
        for key in found:
            self._values.move_to_end(key)
        return found

    def put_many(self, values: Mapping[str, Json]) -> None:
        """Keep values; the oldest go when there are too many."""
        for key, value in values.items():
            self._values[key] = value
            self._values.move_to_end(key)
        while len(self._values) > self._limit:
            self._values.popitem(last=False)

    def __len__(self) -> int:
        return len(self._values)


class JsonStore(Protocol):
    """What holds JSON text by key: `trajectories.storage.Store` is one."""

    def cached_values(self, keys: Iterable[str]) -> dict[str, str]:
        """Texts by key; unknown keys are absent."""
        ...

    def cache_values(self, values: Mapping[str, str]) -> None:
        """Keep texts."""
        ...


class StoreCache:
    """A ValueCache over anything that holds JSON text. A damaged entry reads as unknown."""

    def __init__(self, store: JsonStore) -> None:
        self._store = store

    def get_many(self, keys: Iterable[str]) -> dict[str, Json]:
        """The values that are known; a damaged one is read anew and then overwritten."""
        found: dict[str, Json] = {}
        for key, text in self._store.cached_values(keys).items():
            try:
                found[key] = json.loads(text)
            except ValueError:
                continue
        return found

    def put_many(self, values: Mapping[str, Json]) -> None:
        """Keep values; StorageError for what JSON cannot hold."""
        try:
            texts = {k: json.dumps(v, ensure_ascii=False, allow_nan=False)
                     for k, v in values.items()}  # fmt: skip
        except (TypeError, ValueError) as error:
            raise StorageError(f"A reading cannot be kept as JSON: {error}.") from error
        self._store.cache_values(texts)
