"""The catalogue: built-ins at hand, plug-ins imported when asked for and named when broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.catalogue import built_in_registry, default_registry
from trajectories.errors import TaskError

GETTER = """
from dataclasses import dataclass
from evaluators.registry import Inputs, Reading, getter

@getter("loud", version=1, label="Loud", needs=set(), value="text")
@dataclass(frozen=True)
class Loud:
    def reads(self, view):
        return Inputs()

    @staticmethod
    def compute(inputs, params):
        return Reading("HEY")
"""


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, points: str, code: str = GETTER) -> None:
    """An installed distribution with these entry points."""
    info = folder / "loud-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[graticule.getters]\n{points}\n", "utf-8")
    (folder / "loud_plugin.py").write_text(code, "utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "loud_plugin", raising=False)


def test_names_are_complete() -> None:
    known = built_in_registry()
    assert set(known.getters) >= {
        "region_text", "region_number", "region_colour", "region_similarity", "page_state",
        "file_exists", "last_action",
    }  # fmt: skip
    assert set(known.metrics) >= {
        "exact_match", "number_within", "text_contains", "at_least", "between", "pass_through",
    }  # fmt: skip
    for name, spec in known.getters.items():
        assert spec.name == name
        assert known.metrics_for(spec), f"no metric judges {name}"


def test_a_plug_in_is_imported_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(tmp_path, monkeypatch, "loud = loud_plugin:Loud")
    registry = default_registry()
    assert "loud" in registry.getters
    assert registry.getter("region_text").name == "region_text"
    assert "loud_plugin" not in sys.modules
    assert registry.getter("loud").label == "Loud"
    assert "loud_plugin" in sys.modules
    assert len(registry.getters) == len(list(registry.getters))


@pytest.mark.parametrize(
    ("points", "code", "said"),
    [
        ("loud = loud_plugin:Lout", GETTER, "AttributeError"),
        ("loud = nowhere_at_all:Loud", GETTER, "ModuleNotFoundError"),
        ("loud = loud_plugin:Loud", "def (", "SyntaxError"),
        ("loud = loud_plugin:Loud", "class Loud: pass", "AttributeError"),
        ("quiet = loud_plugin:Loud", GETTER, "calls itself 'loud'"),
    ],
)
def test_a_broken_plug_in_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: str, code: str, said: str
) -> None:
    plug_in(tmp_path, monkeypatch, points, code)
    registry = default_registry()
    with pytest.raises(TaskError, match="The plug-in '") as caught:
        registry.getter(points.split(maxsplit=1)[0])
    assert said in caught.value.message


def test_a_plug_in_may_not_replace_a_built_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(tmp_path, monkeypatch, "region_text = loud_plugin:Loud")
    registry = default_registry()
    assert registry.getter("region_text").cls.__name__ == "RegionText"
    with pytest.raises(TaskError, match="exists already"):
        list(registry.getters)


def test_unknown_names_are_key_errors() -> None:
    with pytest.raises(KeyError):
        default_registry().getter("region_txt")


def test_the_catalogue_loads_no_slow_library() -> None:
    code = (
        "import sys; from evaluators.catalogue import default_registry; default_registry();"
        "import evaluators.taskfile, evaluators.evaluator;"
        "bad = {'cv2', 'tesserocr', 'pytesseract', 'skimage', 'PIL', 'PySide6'} & set(sys.modules);"
        "sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
