"""The tables that drive the surface: palette, actions, settings."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from trajectories.errors import StorageError, UsageError
from workbench.models.actions import ACTIONS, MENUS
from workbench.models.actionspec import ActionSpec
from workbench.models.finding import found
from workbench.models.palette import PALETTES, SHAPE_PAIRS, TEXT_PAIRS, contrast
from workbench.models.settings import BY_KEY, SETTINGS, Settings, login_name
from workbench.models.situation import PERSPECTIVES, Perspective, ReplaySituation, Situation
from workbench.views.commandpalette import text_of
from workbench.views.window import MainWindow


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_contrast_of_text_and_shapes(name: str) -> None:
    tokens = PALETTES[name].tokens()
    weak = [(a, b) for a, b in TEXT_PAIRS if contrast(tokens[a], tokens[b]) < 4.5]
    weak += [(a, b) for a, b in SHAPE_PAIRS if contrast(tokens[a], tokens[b]) < 3]
    assert not weak


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_the_colours_of_the_design() -> None:
    assert PALETTES["dark"].panel == "#1D2024"
    assert PALETTES["light"].accent == "#1A63D6"
    assert PALETTES["dark"].failed == "#F0726D"


def test_ids_and_shortcuts_are_unique() -> None:
    ids = [spec.id for spec in ACTIONS]
    assert len(set(ids)) == len(ids)
    assert all(QKeySequence(spec.shortcut).toString() for spec in ACTIONS if spec.shortcut)


@pytest.mark.parametrize("scope", ["stage", "library"])  # the two never have the focus at once
@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_a_key_does_one_thing_in_a_perspective(perspective: Perspective, scope: str) -> None:
    others = {name.capitalize() for name in PERSPECTIVES} - {perspective.capitalize()}
    keys = [spec for spec in ACTIONS if spec.shortcut and spec.scope in ("window", scope)]
    by_key: dict[str, list[ActionSpec]] = {}
    for spec in keys:
        by_key.setdefault(QKeySequence(spec.shortcut).toString(), []).append(spec)
    for key, specs in by_key.items():
        shared = [spec for spec in specs if spec.menu not in others]
        assert len(shared) <= 1, (key, shared)
        for spec in specs if len(specs) > 1 else ():
            if spec.menu in others:  # its key is another's here: it cannot be done here
                assert not spec.enabled(everything(perspective)), (key, spec.id)


def everything(perspective: Perspective) -> Situation:
    """A situation in which all there can be is there."""

    def full(part: object) -> object:
        values = {bool: True, int: 1, str: "x"}
        found = {f.name: values.get(type(getattr(part, f.name)), getattr(part, f.name))
                 for f in dataclasses.fields(part)}  # type: ignore[arg-type] # fmt: skip
        return type(part)(**found)

    bare = Situation(perspective, True, "x", "x")
    parts = {f.name: full(getattr(bare, f.name)) for f in dataclasses.fields(bare)
             if dataclasses.is_dataclass(getattr(bare, f.name))}  # fmt: skip
    return dataclasses.replace(bare, **parts)  # type: ignore[arg-type]


def test_every_action_is_in_a_menu_and_the_palette() -> None:
    assert {spec.menu for spec in ACTIONS} == set(MENUS)
    assert set(found("", ACTIONS, text_of)) == set(ACTIONS)
    for spec in ACTIONS:
        assert spec in found(spec.text, ACTIONS, text_of)[:3]


def test_every_action_can_be_done(window: MainWindow) -> None:
    assert set(window._handlers) == {spec.id for spec in ACTIONS}
    in_menus = {a for menu in window.menuBar().findChildren(QMenu) for a in menu.actions()}
    for spec in ACTIONS:
        assert window.acts[spec.id] in in_menus
        assert not window.acts[spec.id].icon().isNull(), spec.icon


def test_nothing_can_be_recorded_without_a_target() -> None:
    enabled = {spec.id for spec in ACTIONS if spec.enabled(Situation())}
    assert not enabled & {"record", "stop_recording", "mark_done", "undo", "back", "save_criterion"}
    assert {"palette", "shortcuts", "open_picture", "quit"} <= enabled


def test_steps_only_where_there_are_any() -> None:
    at_start = Situation("replay", replay=ReplaySituation(has_episode=True, index=0, last=3))
    enabled = {spec.id for spec in ACTIONS if spec.enabled(at_start)}
    assert {"forward", "last"} <= enabled
    assert not {"back", "first"} & enabled


def test_toolbars_name_known_perspectives() -> None:
    assert all(set(spec.places) <= set(PERSPECTIVES) for spec in ACTIONS)


def test_defaults_fit_their_settings() -> None:
    for spec in SETTINGS:
        assert spec.check(spec.default) == spec.default


def test_a_setting_is_kept_and_told(tmp_path: Path) -> None:
    settings, heard = Settings(tmp_path), list[str]()
    settings.on_change(heard.append)
    settings.set("theme", "dark")
    settings.set("theme", "dark")
    again = Settings(tmp_path)
    again.load()
    assert again.get("theme") == "dark"
    assert heard == ["theme"]


@pytest.mark.parametrize(
    ("key", "value"), [("theme", "pink"), ("seed", -1), ("seed", True), ("show_marks", 1)]
)
def test_wrong_values_are_refused(tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(UsageError, match=key):
        Settings(tmp_path).set(key, value)
    assert BY_KEY[key].default == Settings(tmp_path).get(key)


def test_a_damaged_file_is_an_error_and_defaults_hold(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{", "utf-8")
    settings = Settings(tmp_path)
    with pytest.raises(StorageError, match="settings.json"):
        settings.load()
    assert settings.get("theme") == "system"


def test_unknown_settings_survive(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"of the future": 1}', "utf-8")
    settings = Settings(tmp_path)
    settings.load()
    settings.set("seed", 3)
    assert json.loads((tmp_path / "settings.json").read_text("utf-8"))["of the future"] == 1


def test_the_author_is_who_is_logged_in_until_a_name_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path)
    assert settings.author == settings.get("author") == login_name()
    settings.set("author", "  Łucja  ")
    assert settings.author == "Łucja"
    settings.set("author", " ")
    monkeypatch.setattr("getpass.getuser", lambda: (_ for _ in ()).throw(ImportError("pwd")))
    assert settings.author == "unknown"
    with pytest.raises(UsageError):
        settings.set("author", "two\nlines")


def test_stop_and_pause_have_a_word_in_the_toolbar(window: MainWindow) -> None:
    window.go("capture")
    buttons = {spec.id: button for button, spec in window.toolbar._tools}
    for name, word in (("stop_recording", "Stop"), ("pause_recording", "Pause")):
        assert buttons[name].property("worded") is True
        assert buttons[name].text() == word
        assert buttons[name].accessibleName() == window.acts[name].text()
