"""Columns of a heat map in groups, their titles and where they stand."""

from __future__ import annotations

from evaluators.matrix import StateColumn, TaskEntry, VerdictMatrix
from workbench.reports.columns import column_groups, letters
from workbench.reports.maplayout import WIDTH, fit, heading_fits, keyed, layout_of, text_width


def episode(name: str, cuts: range, title: str) -> list[StateColumn]:
    """States of one episode."""
    return [StateColumn(f"{name}@{k}", f"{title}, after {k} actions: S{k} holds") for k in cuts]


STATES = [
    *episode("a", range(6), "past the neighbours, seed 0"),
    *episode("b", range(2, 4), "XRD-S1 by keys"),
    StateColumn("x@0", "a screen"),
    StateColumn("y@0", "another screen"),
    StateColumn("a@0x", "first picture", noop=True),
]


def test_states_of_an_episode_share_a_heading_without_what_differs() -> None:
    groups = column_groups(STATES)
    assert [(g.letter, g.title, len(g.columns)) for g in groups] == [
        ("A", "past the neighbours, seed 0", 6),
        ("B", "XRD-S1 by keys", 2),
        ("C", "2 single states", 2),
        ("D", "no-op: before any action", 1),
    ]
    assert [c.tick for c in groups[1].columns] == ["2", "3"]
    assert [c.tick for c in groups[2].columns] == ["9", "10"]
    assert groups[1].columns[0].rest == "after 2 actions: S2 holds"
    assert [c.index for g in groups for c in g.columns] == list(range(len(STATES)))


def test_titles_without_a_common_beginning_give_way_to_the_episode() -> None:
    states = [StateColumn("run-1@0", "start"), StateColumn("run-1@1", "end")]
    assert [g.title for g in column_groups(states)] == ["run-1"]
    states = [StateColumn("r@0", "scan, first half"), StateColumn("r@1", "scan, second half")]
    assert [g.title for g in column_groups(states)] == ["scan"]


def test_letters_go_on_after_z() -> None:
    assert [letters(n) for n in (0, 25, 26, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip


def named(states: list[StateColumn]) -> VerdictMatrix:
    """A matrix of names only."""
    return VerdictMatrix((TaskEntry("T0", "title"), TaskEntry("T1", "title")), tuple(states), {})


def test_every_title_stands_over_its_columns_or_in_the_key() -> None:
    found = layout_of(named(STATES))
    over = {p.group.letter for band in found.bands for p in band if heading_fits(found, p)}
    assert over | {g.letter for g in keyed(found)} == {"A", "B", "C", "D"}
    assert over & {g.letter for g in keyed(found)} == set()


def test_a_group_longer_than_a_band_goes_on_in_the_next() -> None:
    found = layout_of(named(episode("a", range(500), "a long run")))
    titles = [part.group.title for band in found.bands for part in band]
    assert titles == ["a long run", *["a long run, continued"] * (len(titles) - 1)]
    assert len(titles) == 3
    assert found.width <= WIDTH


def test_cells_are_as_wide_as_the_number_of_bands_allows() -> None:
    assert layout_of(named(episode("a", range(20), "a"))).cell == 18
    wrapped = layout_of(named(episode("a", range(300), "a")))
    assert (len(wrapped.bands), wrapped.dense) == (2, True)


def test_a_text_is_cut_at_its_end_to_a_width() -> None:
    assert fit("short", 100) == "short"
    cut = fit("a text that is much too long for it", 60)
    assert cut.endswith("…")
    assert text_width(cut) <= 60
    assert text_width("金属") > text_width("ab")
    assert fit("a\nb\x00", 100) == "a b"
