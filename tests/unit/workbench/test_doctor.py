"""What doctor finds on this machine, and what it says when things are missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench import doctor
from workbench.workspace import Workspace

if TYPE_CHECKING:
    import pytest


def by_name(workspace: Path) -> dict[str, doctor.Check]:
    return {check.name: check for check in doctor.examine(Workspace(workspace))}


def test_a_working_machine_is_ready(tmp_path: Path) -> None:
    checks = by_name(tmp_path)
    assert [c.name for c in checks.values() if c.required and not c.ok] == []
    assert "hromium" in checks["chromium"].found
    assert checks["OCR data (eng)"].found.endswith("tessdata")
    assert "GiB free" in checks["workspace"].found


def test_programs_that_are_missing_are_named_with_the_line_that_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = by_name(tmp_path)
    assert not checks["chromium"].ok
    assert checks["chromium"].required
    assert "apt install chromium" in checks["chromium"].hint
    assert not checks["tesseract"].ok
    assert not checks["tesseract"].required


def test_a_program_that_does_not_run_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/nowhere\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "does not run" in by_name(tmp_path)["chromium"].found


def test_a_workspace_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check = by_name(tmp_path / "file" / "inside")["workspace"]
    assert not check.ok
    assert "not writable" in check.found
