"""Where the workspace is, and that it is only made when needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from trajectories.errors import StorageError
from workbench.workspace import default_root, resolve


def test_the_default_is_the_xdg_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_root() == tmp_path / "graticule"
    assert resolve(None).root == tmp_path / "graticule"
    assert not (tmp_path / "graticule").exists()


def test_a_given_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    workspace = resolve("work")
    assert workspace.root == tmp_path / "work"
    assert workspace.ensure().root.is_dir()
    assert workspace.index == tmp_path / "work" / "index.sqlite"


def test_a_file_in_its_place_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(StorageError) as caught:
        resolve(tmp_path / "taken").ensure()
    assert "taken" in caught.value.message
    assert "--workspace" in caught.value.hint
