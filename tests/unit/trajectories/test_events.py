from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectories.actions import Click, Drag, Press, RawEvent, TypeText
from trajectories.errors import StorageError
from trajectories.events import MARK_KINDS, FrameMoment, Mark, RecordedEvent, entry_from_json
from trajectories.geometry import Point

DIGEST = "0123456789abcdef" * 4
_PLACES = st.floats(-1e6, 1e6)
_EVENTS = st.one_of(
    st.builds(RawEvent, st.just("move"), _PLACES, _PLACES),
    st.builds(RawEvent, st.just("down"), _PLACES, _PLACES, st.sampled_from(["left", "right"])),
    st.builds(lambda dx, dy: RawEvent("wheel", 1, 2, dx=dx, dy=dy), _PLACES, _PLACES),
    st.builds(lambda key: RawEvent("key_up", key=key), st.text(max_size=5)),
    st.builds(lambda text: RawEvent("text", text=text), st.text()),
)
_ACTIONS = st.sampled_from(
    [Click(1, 2), TypeText("é\n"), Press(("Control", "s")), Drag((Point(1, 2), Point(3, 4)))]
)
_MARKS = st.one_of(
    st.builds(Mark, st.sampled_from(["note", "stage"]), st.text(), st.text()),
    st.builds(lambda ms: Mark("wait", ms=ms), st.floats(0, 1e9)),
    st.builds(lambda action: Mark("action", action=action), _ACTIONS),
    st.sampled_from([Mark(kind) for kind in MARK_KINDS if kind not in ("action", "wait")]),
)
_TIMES = st.integers(-(2**63) + 1, 2**63 - 1)
_VIRTUAL = st.none() | st.floats(-1e12, 1e12)
_DIGESTS = st.none() | st.just(DIGEST)
ENTRIES = st.one_of(
    st.builds(lambda t, e, v, f, p: RecordedEvent(t, e, None, v, f, p), _TIMES, _EVENTS, _VIRTUAL,
              _DIGESTS, _DIGESTS),
    st.builds(lambda t, m, v, f: RecordedEvent(t, None, m, v, f), _TIMES, _MARKS, _VIRTUAL,
              _DIGESTS),
    st.builds(FrameMoment, _TIMES, st.just(DIGEST), _VIRTUAL, st.booleans(),
              st.none() | st.integers(0, 10**6)),
)  # fmt: skip


@given(ENTRIES)
def test_an_entry_survives_its_line(entry: RecordedEvent | FrameMoment) -> None:
    line = json.dumps(entry.as_json(), allow_nan=False)
    assert entry_from_json(json.loads(line)) == entry


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


_KINDS = st.sampled_from(["move", "down", "wheel", "key_up", "text", "mark", "frame"])
_FIELDS = "t_ns x y button dx dy key text mark ms action frame page digest event virtual_ms session"


@given(
    st.fixed_dictionaries({"kind": _KINDS}, optional=dict.fromkeys(_FIELDS.split(), _JSON)),
)
def test_whatever_a_line_holds_it_is_an_entry_or_a_storage_error(line: dict[str, object]) -> None:
    try:
        entry = entry_from_json(line)
    except StorageError:
        return
    assert entry_from_json(json.loads(json.dumps(entry.as_json()))) == entry


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "../" + "0" * 61])
def test_what_is_no_digest_never_becomes_a_path(digest: str) -> None:
    with pytest.raises(StorageError, match="64 hexadecimal digits"):
        entry_from_json({"kind": "key_up", "key": "a", "t_ns": 0, "frame": digest})
