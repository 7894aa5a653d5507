from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from trajectories.errors import TargetError
from trajectories.targets.running import list_targets, simulators, start_target, stop_target
from trajectories.targets.runtime import Registry


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    folder = tmp_path / "assets"
    (folder / "xrd").mkdir(parents=True)
    (folder / "xrd" / "index.html").write_text("<p>here</p>")
    (folder / "common").mkdir()
    return folder


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "run"
    folder.mkdir()
    yield folder
    for target in list_targets(runtime=folder):
        stop_target(target.name, runtime=folder)


def fetched(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return bytes(answer.read())


def test_a_started_target_answers_at_once_and_stops(assets: Path, runtime: Path) -> None:
    target = start_target("xrd", assets, runtime=runtime)
    assert fetched(f"{target.url}/xrd/index.html") == b"<p>here</p>"
    assert list_targets(runtime=runtime) == (target,)
    assert psutil.Process(target.pid).is_running()
    assert target.process_group != psutil.Process().pid
    assert stop_target("xrd", runtime=runtime)
    assert not psutil.pid_exists(target.pid)
    assert list_targets(runtime=runtime) == ()
    assert not Path(target.scratch).exists()
    assert not stop_target("xrd", runtime=runtime)


def test_starting_twice_starts_once(assets: Path, runtime: Path) -> None:
    first = start_target("xrd", assets, runtime=runtime)
    assert start_target("xrd", assets, runtime=runtime) == first
    with pytest.raises(TargetError, match=f"already runs on port {first.port}"):
        start_target("xrd", assets, port=1, runtime=runtime)


def test_another_process_finds_and_stops_it(assets: Path, runtime: Path) -> None:
    target = start_target("xrd", assets, runtime=runtime)
    program = (
        "import sys; from pathlib import Path; from trajectories.targets.running import *;"
        "print([t.pid for t in list_targets(runtime=Path(sys.argv[1]))],"
        " stop_target('xrd', runtime=Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(runtime)], capture_output=True, text=True, timeout=30
    )
    assert (done.stdout, done.stderr) == (f"[{target.pid}] True\n", "")
    assert not target.alive()


def test_it_outlives_the_process_that_started_it(assets: Path, runtime: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from trajectories.targets.running import *;"
        "print(start_target('xrd', Path(sys.argv[1]), runtime=Path(sys.argv[2])).url)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(assets), str(runtime)],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stderr == ""
    assert fetched(f"{done.stdout.strip()}/xrd/index.html") == b"<p>here</p>"


def test_a_port_in_use_is_named_and_nothing_is_left(assets: Path, runtime: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(TargetError, match=f"Port {port} .* cannot be used") as caught:
            start_target("xrd", assets, port=port, runtime=runtime)
    assert "another port" in caught.value.hint
    assert list_targets(runtime=runtime) == ()


def test_an_unknown_instrument_names_the_known_ones(assets: Path, runtime: Path) -> None:
    with pytest.raises(TargetError, match="no simulator 'tem'") as caught:
        start_target("tem", assets, runtime=runtime)
    assert "xrd" in caught.value.hint
    assert simulators(assets) == ("xrd",)
    assert simulators(assets / "missing") == ()


def test_stopping_never_ends_a_process_that_got_the_same_id(assets: Path, runtime: Path) -> None:
    target = start_target("xrd", assets, runtime=runtime)
    stop_target("xrd", runtime=runtime)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        earlier = psutil.Process(stranger.pid).create_time() - 60
        noted = asdict(target) | {"pid": stranger.pid, "started": earlier}
        Registry(runtime).path("xrd").write_text(json.dumps(noted))
        assert not stop_target("xrd", runtime=runtime)
        assert stranger.poll() is None


def test_a_killed_target_is_started_anew(assets: Path, runtime: Path) -> None:
    first = start_target("xrd", assets, runtime=runtime)
    process = psutil.Process(first.pid)
    process.kill()
    process.wait(5)
    assert list_targets(runtime=runtime) == ()
    second = start_target("xrd", assets, runtime=runtime)
    assert second.pid != first.pid
    assert fetched(f"{second.url}/xrd/index.html") == b"<p>here</p>"
