"""tools/setup.sh: what it installs, when it does nothing, and what it says without root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534
# Stand-ins for the system's programs; they note what they were asked.
DPKG = 'cat "$FAKE/installed"'
NOTE = 'echo "$(basename "$0") $*" >>"$FAKE/calls"'
PYTHON = f"""{NOTE}
case "$*" in
*"-m venv"*)
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    echo "command = $PWD/.venv" >.venv/pyvenv.cfg
    ;;
esac"""
SUDO = '"$@"'
NO_SUDO = "exit 1"


class Checkout:
    """A copy of what setup.sh needs, with stand-ins for apt, dpkg and Python on PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.fake = folder / "fake"
        (self.fake / "bin").mkdir(parents=True)
        self.folder.mkdir()
        shutil.copytree(ROOT / "tools", self.folder / "tools")
        shutil.copy(ROOT / "pyproject.toml", self.folder)
        scripts = {"dpkg-query": DPKG, "apt-get": NOTE, "python3": PYTHON, "sudo": NO_SUDO}
        for name, body in scripts.items():
            self.stand_in(name, body)
        self.install(*self.packages())

    def stand_in(self, name: str, body: str) -> None:
        script = self.fake / "bin" / name
        script.write_text(f"#!/bin/bash\n{body}\n")
        script.chmod(0o755)

    def packages(self) -> list[str]:
        lines = (self.folder / "tools/apt-packages.txt").read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def install(self, *names: str) -> None:
        (self.fake / "installed").write_text("".join(f"ii  {name}\n" for name in names))

    def run(self, *prefix: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{self.fake}/bin:/usr/bin:/bin", "FAKE": str(self.fake)}
        (self.fake / "calls").write_text("")
        return subprocess.run(
            [*prefix, "tools/setup.sh"],
            cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def calls(self) -> list[str]:
        return (self.fake / "calls").read_text().splitlines()

    def installs(self) -> int:
        return sum("-m pip install" in call for call in self.calls())


@pytest.fixture
def checkout() -> Iterator[Checkout]:
    folder = Path(tempfile.mkdtemp(prefix="graticule-setup-"))
    folder.chmod(0o755)
    yield Checkout(folder)
    shutil.rmtree(folder)


def test_the_second_time_does_nothing(checkout: Checkout) -> None:
    assert checkout.run().returncode == 0
    assert checkout.installs() == 1
    assert not [call for call in checkout.calls() if call.startswith("apt-get")]
    assert checkout.run().returncode == 0
    assert checkout.calls() == []


def test_changed_dependencies_are_installed_into_the_same_environment(checkout: Checkout) -> None:
    checkout.run()
    with (checkout.folder / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    checkout.run()
    assert checkout.installs() == 1
    assert not [call for call in checkout.calls() if "-m venv" in call]


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout) -> None:
    checkout.run()
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("elsewhere"))
    checkout.run()
    assert [call for call in checkout.calls() if "-m venv --clear" in call]


def test_a_failed_installation_is_tried_again(checkout: Checkout) -> None:
    checkout.stand_in("python3", PYTHON.replace("esac", '*"-m pip"*) exit 7 ;;\nesac'))
    assert checkout.run().returncode == 7
    shutil.rmtree(checkout.folder / ".venv")
    checkout.stand_in("python3", PYTHON)
    assert checkout.run().returncode == 0
    assert checkout.installs() == 1


def test_only_missing_packages_are_installed(checkout: Checkout) -> None:
    checkout.stand_in("sudo", SUDO)  # asked only when this does not run as root
    checkout.install(*(set(checkout.packages()) - {"chromium", "xvfb"}))
    assert checkout.run().returncode == 0
    assert checkout.calls()[1].startswith("apt-get install -y")
    assert checkout.calls()[1].endswith(" chromium xvfb")


def test_without_root_it_prints_the_one_line_and_stops(checkout: Checkout) -> None:
    checkout.install(*(set(checkout.packages()) - {"chromium", "xvfb"}))
    (checkout.fake / "calls").touch()
    (checkout.fake / "calls").chmod(0o666)
    ids = f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"
    done = checkout.run(*(("setpriv", *ids) if os.geteuid() == 0 else ()))
    assert done.returncode == 1
    line = "apt-get update && apt-get install -y -q --no-install-recommends chromium xvfb\n"
    assert done.stderr.endswith(line)
    assert not [call for call in checkout.calls() if call.startswith("apt-get")]
    assert not (checkout.folder / ".venv").exists()
