"""Caches of readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from evaluators.cache import MemoryCache, StoreCache
from trajectories.errors import StorageError


class Texts:
    """Texts by key."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def cached_values(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: self.texts[key] for key in keys if key in self.texts}

    def cache_values(self, values: Mapping[str, str]) -> None:
        self.texts.update(values)


def test_memory_forgets_what_was_used_longest_ago() -> None:
    cache = MemoryCache(limit=2)
    cache.put_many({"a": 1, "b": 2})
    assert cache.get_many(["a", "z"]) == {"a": 1}
    cache.put_many({"c": 3})
    assert cache.get_many(["a", "b", "c"]) == {"a": 1, "c": 3}
    assert len(cache) == 2


def test_a_store_keeps_json() -> None:
    texts = Texts()
    cache = StoreCache(texts)
    cache.put_many({"a": {"value": "µm", "n": None}})
    assert cache.get_many(["a", "b"]) == {"a": {"value": "µm", "n": None}}
    texts.texts["a"] = "{"
    assert cache.get_many(["a"]) == {}


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, b"x"])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    texts = Texts()
    with pytest.raises(StorageError, match="cannot be kept as JSON"):
        StoreCache(texts).put_many({"a": 1, "b": value})
    assert texts.texts == {}
