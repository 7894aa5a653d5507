"""The HTML report in a real browser: nothing runs, nothing loads, everything is escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from evaluators.gate import gate
from evaluators.labels import LabelBook
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import audit
from trajectories.episode import NotCollectedError
from trajectories.errors import StorageError
from trajectories.frame import Frame, from_bgr
from trajectories.geometry import Rect
from unit.evaluators.matrix_parts import frame
from unit.workbench.reports.report_parts import HOSTILE, sample, with_evidence
from workbench.reports.findingmarkup import MAX_FOLDED, MAX_PICTURED
from workbench.reports.html import audit_html
from workbench.reports.markup import Safe, esc, tag
from workbench.reports.pictures import crop, region_of, thumbnail

CHROMIUM = "/usr/bin/chromium"


def blue(state: str, observation: int | None) -> Frame:
    """A frame for any state."""
    return frame(200)


class Tags(HTMLParser):
    """The tags and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.found.append((tag, dict(attrs)))

    def named(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of all tags of that name."""
        return [attrs for tag, attrs in self.found if tag == name]


@contextmanager
def opened(text: str, tmp_path: Path) -> Iterator[tuple[Any, list[str], list[str]]]:
    """The page in Chromium, with what it asked for and what the console said."""
    from playwright.sync_api import sync_playwright

    path = tmp_path / "report.html"
    path.write_text(text, encoding="utf-8")
    asked: list[str] = []
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        yield page, asked, said
        browser.close()


def test_the_page_loads_nothing_runs_nothing_and_is_styled(tmp_path: Path) -> None:
    matrix, report = sample()
    report = with_evidence(report, [5, 5, 20, 10])
    text = audit_html(matrix, report, frames=blue, failures=gate(report, 0.99))
    with opened(text, tmp_path) as (page, asked, said):
        assert said == []
        assert [url[:5] for url in asked if not url.startswith("data:")] == ["file:"]
        background = page.eval_on_selector(".thumb", "e => getComputedStyle(e).backgroundImage")
        assert background.startswith('url("data:image/png')
        sizes = page.eval_on_selector_all("figure img", "l => l.map(i => i.naturalWidth)")
        assert sizes
        assert set(sizes) == {20}
        assert page.eval_on_selector("body", "e => getComputedStyle(e).fontSize") == "13px"
        for scheme, colour in (("light", "rgb(244, 245, 246)"), ("dark", "rgb(22, 24, 27)")):
            page.emulate_media(color_scheme=scheme)
            ground = page.eval_on_selector("body", "e => getComputedStyle(e).backgroundColor")
            assert ground == colour
        fragments = page.eval_on_selector_all("svg a", "l => l.map(a => a.getAttribute('href'))")
        assert "#w0" in fragments
        ids = set(page.eval_on_selector_all("[id]", "l => l.map(e => '#' + e.id)"))
        assert set(fragments) <= ids


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    matrix, report = sample(name=HOSTILE, title=HOSTILE)
    text = audit_html(matrix, report, title=HOSTILE, frames=blue, failures=gate(report, 0.99))
    tags = Tags(text)
    assert tags.named("script") == []
    assert tags.named("b") == []
    assert not [a for _, attrs in tags.found for a in attrs if a.startswith("on") or a == "style"]
    assert "\x1b" not in text
    assert "\u202e" not in text
    with opened(text, tmp_path) as (page, _, said):
        assert page.title().startswith("</style><script>")
        assert said == []
        assert HOSTILE[:40] in page.inner_text("h1")


def test_the_policy_names_the_style_by_its_hash() -> None:
    matrix, report = sample()
    text = audit_html(matrix, report, frames=blue)
    (policy,) = [m["content"] for m in Tags(text).named("meta") if "http-equiv" in m]
    assert policy is not None
    style = re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(style) == 1
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:")
    assert "unsafe" not in policy


def test_figures_rules_and_lists_are_there() -> None:
    matrix, report = sample()
    text = audit_html(matrix, report, failures=[])
    for piece in (
        "pooled over all labelled (task, criterion, state) cells",
        "macro mean over tasks",
        "bootstrap over 3 states",
        'class="badge passed">holds',
        "asked: no pass on a no-op state (1 given)",
        "3 tasks × 3 states, and 1 no-op",
        "Wrong cells: 4",
        "Cells that could not be judged: 2",
        "Passes on states nobody acted on",
        "Labels that disagree: 1",
        "short token",
        "2 suggested labels",
        "false positive",
        "false negative",
    ):
        assert piece in text, piece
    assert "<img" not in text


def test_pictures_that_are_missing_say_why() -> None:
    matrix, report = sample()

    def none(state: str, observation: int | None) -> Frame:
        raise {0: StorageError("frames/x is damaged", "Hint"), 1: KeyError(state)}.get(
            int(state[1]) % 2, NotCollectedError("frame was not collected")
        )

    text = audit_html(matrix, report, frames=none)
    assert "No picture: the state is not in this workspace" in text
    assert "No picture: frames/x is damaged" in text


def test_there_is_a_limit_to_pictures_and_it_is_said() -> None:
    matrix, report = sample()
    wrong = next(f for f in report.wrong if f.criterion is not None)
    many = with_evidence(report, [5, 5, 20, 10])
    many = replace(many, wrong=(wrong,) * (MAX_PICTURED + 5), unjudged=(), noop_passes=())
    text = audit_html(matrix, many, frames=blue)
    assert text.count('class="thumb') == MAX_FOLDED
    left = MAX_PICTURED + 5 - MAX_FOLDED
    assert f"{left} of them are without a picture: a report holds {MAX_PICTURED} at most" in text
    assert text.count(".t0{background-image") == 1
    assert ".t1{" not in text


def test_what_lies_open_gets_its_pictures_before_what_is_folded() -> None:
    matrix, report = sample()
    one = next(f for f in report.wrong if f.criterion is not None)
    late = replace(one, task="T2s")
    many = replace(
        with_evidence(report, [5, 5, 20, 10]), wrong=(one,) * (MAX_PICTURED + 5) + (late,)
    )
    text = audit_html(matrix, many, frames=blue)
    article = text[text.index(f'id="w{MAX_PICTURED + 5}"') :]
    assert 'class="thumb' in article[: article.index("</article>")]


def test_the_gate_says_what_it_was_asked() -> None:
    matrix, report = sample()
    calm = replace(report, noops=0, noop_passes=())
    assert "nothing to hold: no F1 bound, no baseline" in audit_html(matrix, calm, failures=[])
    assert "does not hold" not in audit_html(matrix, calm, failures=[])
    held = audit_html(matrix, calm, failures=[], min_f1=0.5, baseline=True)
    assert "asked: lower 95 % bound of the F1 ≥ 0.5 at both levels; no cell newly wrong" in held
    failed = audit_html(matrix, calm, failures=gate(calm, 0.99))
    assert "does not hold" in failed
    assert "asked: a lower bound of the F1" in failed
    assert "not asked" in audit_html(matrix, calm)


def test_states_are_folded_and_links_open_what_is_folded(tmp_path: Path) -> None:
    matrix, report = sample(states=40)
    one = next(f for f in report.wrong if f.criterion is not None)
    text = audit_html(matrix, replace(report, wrong=(one,) * 9))
    with opened(text, tmp_path) as (page, _, said):
        assert not page.locator(".states").is_visible()
        page.locator("details:has(.states) > summary").click()
        assert page.locator(".states").is_visible()
        assert not page.locator("#w8").is_visible()
        page.goto(page.url + "#w8")
        page.locator("#w8").wait_for(state="visible")
        assert said == []


def test_the_map_takes_no_more_room_than_the_page(tmp_path: Path) -> None:
    matrix, report = sample(states=600)
    with opened(audit_html(matrix, report), tmp_path) as (page, _, _):
        page.set_viewport_size({"width": 1440, "height": 900})
        wide = page.eval_on_selector_all(".panel", "l => l.map(e => e.scrollWidth - e.clientWidth)")
        assert set(wide) == {0}
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
        ink = page.eval_on_selector(".map .fill-text", "e => getComputedStyle(e).fill")
        page.emulate_media(color_scheme="dark")
        assert page.eval_on_selector(".map .fill-text", "e => getComputedStyle(e).fill") != ink


def test_an_empty_audit_is_a_page() -> None:
    empty = VerdictMatrix((), (), {})
    text = audit_html(empty, audit(empty, LabelBook()))
    assert "undefined: empty denominator" in text
    assert "Wrong cells: none" in text


@pytest.mark.parametrize(
    "rect", [None, [1, 2, 3], [0, 0, 0, 5], [1.5, 0, 3, 3], ["a", 0, 1, 1], [True, 0, 1, 1]]
)
def test_evidence_that_is_no_rectangle_is_no_region(rect: Any) -> None:
    _, report = sample()
    assert region_of(with_evidence(report, rect).wrong[0]) is None


def test_regions_outside_the_frame_have_no_crop() -> None:
    matrix, report = sample()
    report = with_evidence(report, [30, 20, 50, 50])
    region = region_of(report.wrong[0])
    assert region is not None
    assert crop(frame(1), region) is None
    assert "<img" not in audit_html(matrix, report, frames=blue)


def decoded(data: bytes) -> Any:
    """The pixels of a PNG."""
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_crops_are_pixel_for_pixel_and_thumbnails_small() -> None:
    large = from_bgr(np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), np.uint8))
    cut = crop(large, Rect(100, 50, 300, 40))
    assert cut is not None
    assert np.array_equal(decoded(cut.png), large.bgr[50:90, 100:400])
    thumb = thumbnail(large)
    assert thumb.size == (1920, 1080)
    assert decoded(thumb.png).shape == (270, 480, 3)


def test_markup_escapes_whatever_is_not_safe() -> None:
    assert tag("p", "<a>", Safe("<b>"), title='"x"') == '<p title="&quot;x&quot;">&lt;a&gt;<b></p>'
    assert esc("a\x00b\u2028") == "a\ufffdb\ufffd"
    assert tag("p", hidden=None) == "<p></p>"
