"""The project as a whole: what is committed, what the wheel carries, whether the docs are true."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from trajectories.errors import UserError
from workbench.cli.main import COMMANDS, INTERRUPTED
from workbench.library import open_files

ROOT = Path(__file__).parents[2]
DATA_LIMIT = 20 * 1024 * 1024
FONT_LIMIT = 2 * 1024 * 1024
MACHINE_PATHS = re.compile(r"(?<![\w.~$}-])/(?:" + "|".join(("work", "root")) + r")/\w")
URL = re.compile(r"\bhttps?://([A-Za-z0-9.-]+)")
KNOWN_HOSTS = {  # what text may point a reader to; never where a machine gets its packages
    "keepachangelog.com", "semver.org", "www.apache.org", "scripts.sil.org", "github.com",
    "www.w3.org", "json-schema.org", "localhost", "127.0.0.1",
}  # fmt: skip
RESERVED = re.compile(r"(?:^|\.)(?:example(?:\.(?:com|org|net))?|invalid|test|localhost)$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@cache
def committed() -> tuple[Path, ...]:
    """Files that are committed, or would be by `git add`."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    paths = sorted({ROOT / name for name in listing.split("\0") if name})
    return tuple(path for path in paths if path.is_file())


def texts(*, data: bool) -> Iterator[tuple[str, str]]:
    for path in committed():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("tests/data/") and not data:
            continue
        raw = path.read_bytes()
        if b"\0" not in raw[:8192]:
            yield name, raw.decode("utf-8", "replace")


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    found = [
        f"{name}: {match.group()}"
        for name, text in texts(data=True)
        for match in MACHINE_PATHS.finditer(text)
    ]
    assert not found


def test_no_file_names_a_package_host() -> None:
    found = {
        (name, host)
        for name, text in texts(data=False)
        for host in URL.findall(text)
        if "." in host and host not in KNOWN_HOSTS and not RESERVED.search(host)
    }
    assert not found


def test_test_data_is_small() -> None:
    files = [path for path in (ROOT / "tests/data").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= DATA_LIMIT


def test_test_data_names_source_and_licence() -> None:
    folders = [path for path in (ROOT / "tests/data").iterdir() if path.is_dir()]
    assert folders
    for folder in folders:
        text = (folder / "README.md").read_text("utf-8").lower()
        assert "source" in text, folder
        assert re.search("licen[cs]e", text), folder


def test_fonts_come_with_their_licence() -> None:
    fonts = ROOT / "assets/fonts"
    files = sorted(path for path in fonts.iterdir() if path.suffix in (".otf", ".ttf"))
    assert {path.stem for path in files} == {
        "Inter-Regular", "Inter-SemiBold", "JetBrainsMono-Regular", "JetBrainsMono-SemiBold",
    }  # fmt: skip
    for path in files:
        licence = fonts / f"{path.stem.split('-')[0]}-OFL.txt"
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text("utf-8")
    assert sum(path.stat().st_size for path in fonts.iterdir()) <= FONT_LIMIT


def test_only_the_agreed_packages_hold_code() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {"trajectories", "evaluators", "workbench", "task_library", "assets"}


def pages() -> list[Path]:
    return [path for path in committed() if path.suffix == ".md" and "tests/data" not in str(path)]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    broken = [target for target in targets if not (page.parent / target).exists()]
    assert not broken


def test_the_changelog_knows_the_version() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert version is not None
    assert "## [Unreleased]" in changelog or f"## [{version.group(1)}]" in changelog


def test_every_make_target_is_explained() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.M)
    assert phony is not None
    listing = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for target in phony.group(1).split():
        assert re.search(rf"^  make {target} +\w", listing, re.M), target


def test_the_apt_list_is_plain() -> None:
    lines = (ROOT / "tools/apt-packages.txt").read_text().splitlines()
    names = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", name) for name in names)
    assert len(names) == len(set(names))


def test_the_readme_names_every_command_and_no_other() -> None:
    table = set(re.findall(r"^\| `graticule (\w+)", (ROOT / "README.md").read_text(), re.M))
    assert table == {command.name for command in COMMANDS}


def test_the_first_getter_of_the_guide_is_a_valid_task(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs/start.md").read_text(), re.S)
    path = tmp_path / "first.json"
    path.write_text(block)
    (task,) = open_files([path]).tasks
    assert task.id == "FIRST-1"
    assert [criterion.expected for criterion in task.criteria] == ["Silicon powder"]


def test_the_guide_uses_commands_that_exist() -> None:
    known = {command.name for command in COMMANDS}
    used = re.findall(r"^graticule (?:--workspace \S+ )?(\w+)", guide(), re.M)
    assert used
    assert set(used) <= known


def guide() -> str:
    return "\n".join((ROOT / name).read_text() for name in ("README.md", "docs/start.md"))


def test_exit_codes_in_the_docs_are_those_of_the_code() -> None:
    table = re.findall(r"^\| (\d+) \|", (ROOT / "docs/errors.md").read_text(), re.M)
    kinds: tuple[type[UserError], ...] = (UserError, *UserError.__subclasses__())
    codes = {kind.exit_code for kind in kinds} | {0, INTERRUPTED}
    assert {int(code) for code in table} == codes


IMAGE = re.compile(r"!\[[^\]]*\]\(([^)#\s]+)\)")


def test_every_picture_of_the_docs_is_shown_somewhere() -> None:
    shown = {
        (page.parent / name).resolve()
        for page in pages()
        for name in IMAGE.findall(page.read_text("utf-8"))
    }
    pictures = {path for path in committed() if path.is_relative_to(ROOT / "docs/images")}
    screens = {path for path in pictures if path.parent.name == "screens"}
    assert not [path.name for path in pictures - screens if path not in shown]
    told = {path.name.split("-")[0] for path in screens & shown}
    assert {"capture", "getters", "replay", "audit"} <= told


def test_every_page_of_the_guide_is_linked_from_its_front_page() -> None:
    front = ROOT / "docs/guide/README.md"
    linked = {(front.parent / name).resolve() for name in LINK.findall(front.read_text("utf-8"))}
    assert not [path.name for path in front.parent.glob("*.md") if path not in linked | {front}]


def test_every_picture_has_words_for_those_who_do_not_see_it() -> None:
    bare = [page.name for page in pages() if re.search(r"!\[\s*\]\(", page.read_text("utf-8"))]
    assert not bare


def test_the_pictures_of_the_window_are_small() -> None:
    screens = (ROOT / "docs/images/screens").glob("*.png")
    assert sum(path.stat().st_size for path in screens) <= 12 * 1024 * 1024
