from __future__ import annotations

import pytest

from trajectories.errors import TargetError
from trajectories.sessions.visitors import MAX_REPORTS, Reports, origin_of, safe_name, same_origin

HERE = ("127.0.0.1", 8000)


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("http://127.0.0.1:8000/a.js", True),
        ("ws://127.0.0.1:8000/live", True),
        ("data:text/plain,hi", True),
        ("blob:http://127.0.0.1:8000/1", True),
        ("http://127.0.0.1:8001/a.js", False),
        ("http://localhost:8000/a.js", False),
        ("http://127.0.0.1:8000@example.com/", False),
        ("http://example.com/?127.0.0.1:8000", False),
        ("file:///etc/passwd", False),
        ("chrome://settings", False),
        ("http://127.0.0.1:99999/", False),
    ],
)
def test_only_the_targets_own_host_and_port_is_reached(url: str, stays: bool) -> None:
    assert same_origin(url, HERE) is stays


def test_the_origin_of_an_address() -> None:
    assert origin_of("http://127.0.0.1:8000/xrd/index.html?seed=1") == HERE
    assert origin_of("https://lab.example/") == ("lab.example", 443)


@pytest.mark.parametrize("url", ["file:///a.html", "xrd", "http://", "http://a:b/", ""])
def test_what_is_no_address_of_a_page(url: str) -> None:
    with pytest.raises(TargetError, match="no address"):
        origin_of(url)


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("scan.csv", "scan.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("C:\\a\\b.txt", "b.txt"),
        (".bashrc", "bashrc"),
        ("a\nb?.csv", "a_b_.csv"),
        ("..", "download"),
        ("", "download"),
        ("x" * 400, "x" * 150),
        ("测量.csv", "测量.csv"),
    ],
)
def test_a_download_keeps_a_bare_harmless_name(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


def test_reports_are_counted_without_end_but_kept_in_bounds() -> None:
    reports = Reports()
    for number in range(MAX_REPORTS + 7):
        reports.add("blocked", f"{number}" * 1000)
    assert reports.counts["blocked"] == MAX_REPORTS + 7
    assert len(reports.items) == MAX_REPORTS
    assert all(len(report.text) <= 500 for report in reports.items)
