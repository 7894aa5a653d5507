"""What people see: nothing clipped or overlapping, readable, scaled and worked at any size."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from simulators.conftest import Open
from simulators.driver import PAGES, Bench, middle, watch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Route

STATES: dict[str, Callable[[Bench], None]] = {
    "start": lambda bench: bench.fast_forward("S1"),
    "loading": lambda bench: _press(bench, "S2", "xrd.doors", 2500),
    "refused": lambda bench: _press(bench, "S1", "xrd.doors", 0),
    "ramp": lambda bench: _press(bench, "S3", "xrd.standby", 2500),
    "scanning": lambda bench: _press(bench, "S7", "xrd.startScan", 4000),
    "saved": lambda bench: _press(bench, "S8", "xrd.save", 0),
}
TEXTS = """() => {
  const out = [];
  const walk = document.createTreeWalker(document.getElementById('stage'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const el = node.parentElement;
    if (!node.textContent.trim() || el.closest('option, .twin')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const r = range.getBoundingClientRect();
    const box = (el.closest('output, button, .message, .lamp, .header, .field, .caption') || el)
      .getBoundingClientRect();
    const style = getComputedStyle(el);
    let ground = el;
    while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)'
      && getComputedStyle(ground).backgroundImage === 'none') ground = ground.parentElement;
    let faded = false;
    for (let up = el; up; up = up.parentElement) {
      faded = faded || getComputedStyle(up).opacity !== '1';
    }
    out.push({
      text: node.textContent.trim(), rect: [r.x, r.y, r.width, r.height],
      box: [box.x, box.y, box.width, box.height], size: parseFloat(style.fontSize),
      colour: style.color, ground: getComputedStyle(ground).backgroundColor,
      image: getComputedStyle(ground).backgroundImage, faded,
    });
  }
  return out;
}"""
CANVAS_FONTS = """() => {
  window.fonts = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...args) {
    window.fonts.push([args[0], parseFloat(/(\\d+(\\.\\d+)?)px/.exec(this.font)[1])]);
    return draw.apply(this, args);
  };
}"""


def _press(bench: Bench, subtask: str, control: str, ms: float) -> None:
    bench.fast_forward(subtask)
    bench.click(control)
    bench.advance(ms)


def texts(bench: Bench) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bench.page.evaluate(TEXTS)
    return found


def overlap(a: list[float], b: list[float]) -> bool:
    return (
        min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > 0.5
        and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 2
    )


def inside(inner: list[float], outer: list[float]) -> bool:
    return (
        inner[0] >= outer[0] - 0.5
        and inner[1] >= outer[1] - 2
        and inner[0] + inner[2] <= outer[0] + outer[2] + 0.5
        and inner[1] + inner[3] <= outer[1] + outer[3] + 2
    )


@pytest.mark.parametrize("name", STATES)
def test_nothing_overlaps_or_is_clipped(xrd: Bench, name: str) -> None:
    STATES[name](xrd)
    found = texts(xrd)
    assert len(found) > 40
    for one, other in combinations(found, 2):
        assert not overlap(one["rect"], other["rect"]), (one["text"], other["text"])
    for item in found:
        assert inside(item["rect"], item["box"]), item["text"]
        assert inside(item["rect"], [0, 0, 1280, 800]), item["text"]


def test_controls_are_large_enough_and_apart(xrd: Bench) -> None:
    boxes = {c["id"]: c["bbox"] for c in xrd.list_controls()}
    assert len(boxes) == 11
    for one, other in combinations(boxes.values(), 2):
        assert not overlap(one, other)
    assert all(box[2] >= 24 and box[3] >= 24 for box in boxes.values())
    assert all(inside(box, [16, 84, 400, 700]) for box in boxes.values())


def test_text_is_at_least_twelve_pixels(xrd: Bench) -> None:
    xrd.page.evaluate(CANVAS_FONTS)
    for arrange in STATES.values():
        arrange(xrd)
        assert min(item["size"] for item in texts(xrd)) >= 12
    drawn = xrd.page.evaluate("window.fonts")
    assert len(drawn) > 100
    assert min(size for _, size in drawn) >= 12


@pytest.mark.parametrize("name", STATES)
def test_contrast_of_text(xrd: Bench, name: str) -> None:
    STATES[name](xrd)
    for item in texts(xrd):
        if item["image"] == "none" and not item["faded"]:
            assert contrast(item["colour"], item["ground"]) >= 4.5, item["text"]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [float(v) / 255 for v in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# ── lists ───────────────────────────────────────────────────────────────────────────────────────


def shot(bench: Bench, box: list[float]) -> NDArray[np.uint8]:
    clip = {"x": box[0], "y": box[1], "width": box[2], "height": box[3]}
    png = bench.page.screenshot(clip=clip)  # type: ignore[arg-type]
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


@pytest.mark.parametrize("control", ["xrd.specimen", "xrd.step", "xrd.rate"])
def test_open_list_is_in_the_picture_where_controls_said(xrd: Bench, control: str) -> None:
    xrd.fast_forward("S7")
    options = xrd.controls[control]["options"]
    before = [shot(xrd, option["bbox"]) for option in options]
    xrd.click(control)
    shown = xrd.page.locator(".listbox li")
    for i, option in enumerate(options):
        assert not np.array_equal(before[i], shot(xrd, option["bbox"])), option["label"]
        row = shown.nth(i)
        assert row.inner_text() == option["label"]
        box = row.bounding_box()
        assert box is not None
        assert [box["x"], box["y"], box["width"], box["height"]] == option["bbox"]
        assert inside(option["bbox"], [0, 0, 1280, 800])


def test_lists_leave_the_readouts_free(xrd: Bench) -> None:
    left = min(_output_edges(xrd))
    for control in ("xrd.specimen", "xrd.step", "xrd.rate"):
        for option in xrd.controls[control]["options"]:
            assert option["bbox"][0] + option["bbox"][2] < left


def _output_edges(bench: Bench) -> Iterator[float]:
    for output in bench.page.locator("output").all():
        box = output.bounding_box()
        assert box is not None
        yield box["x"]


# ── other sizes and ways to load ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 900), (2560, 1600)])
def test_larger_windows_scale_and_clicks_still_hit(
    open_bench: Open, width: int, height: int
) -> None:
    bench = open_bench(width, height, clock="stepped", debug=1)
    stage = bench.page.evaluate("labos.meta.stage")
    assert stage["zoom"] == pytest.approx(min(width / 1280, height / 800))

    def click(bbox: list[float]) -> None:
        x, y = middle(bbox)
        bench.click_at(x * stage["zoom"] + stage["left"], y * stage["zoom"] + stage["top"])

    click(bench.controls["xrd.specimen"]["bbox"])
    click(bench.controls["xrd.specimen"]["options"][4]["bbox"])
    assert bench.state["specimen"] == "quartz"
    bench.fast_forward("S4")
    click(bench.controls["xrd.end.up"]["bbox"])
    assert bench.state["end"] == 85


def test_page_does_not_scroll(xrd: Bench) -> None:
    size = xrd.page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert size == [1280, 800]


def test_served_page_keeps_a_strict_content_policy(browser: Browser) -> None:
    complaints: list[str] = []
    types = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

    def serve(route: Route) -> None:
        path = PAGES / route.request.url.removeprefix("http://labos.test/").split("?")[0]
        policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
        route.fulfill(
            body=path.read_bytes(),
            headers={"content-type": types[path.suffix], "content-security-policy": policy},
        )

    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.route("**/*", serve)
    page = context.new_page()
    watch(page, complaints)
    bench = Bench(page, "http://labos.test/xrd/index.html")
    bench.open(clock="stepped", subtask="S1", guide=1, assist=1)
    bench.choose("xrd.specimen", "Silicon powder")
    assert bench.latched("S1")
    context.close()
    assert complaints == []


# ── people with other means ─────────────────────────────────────────────────────────────────────


def test_every_dom_control_has_a_name_and_is_reached_by_tab(xrd: Bench) -> None:
    dom = [c for c in xrd.list_controls() if c["dom"]]
    reached = []
    for _ in range(len(dom) + 1):
        xrd.page.keyboard.press("Tab")
        reached.append(xrd.page.evaluate("document.activeElement.id"))
    wanted = [c["id"].replace(".", "-") for c in dom]
    assert [name for name in reached if name != "angles"] == wanted
    for control in dom:
        role = "combobox" if control["kind"] == "select" else "button"
        name = control["label"] if control["kind"] == "select" else control["text"]
        assert xrd.page.get_by_role(role, name=name, exact=True).count() == 1  # type: ignore[arg-type]


def test_message_line_and_lists_have_roles(xrd: Bench) -> None:
    assert xrd.page.get_by_role("status").first.inner_text().startswith("INFO")
    xrd.click("xrd.specimen")
    assert xrd.page.get_by_role("listbox").get_by_role("option").count() == 15
    assert xrd.page.get_by_role("main").get_attribute("aria-label") == "XRD simulator"


def test_menus_are_worked_by_keys(xrd: Bench) -> None:
    xrd.page.keyboard.press("Tab")
    for key in ("ArrowDown", "q", "Enter"):
        xrd.page.keyboard.press(key)
    assert xrd.state["specimen"] == "quartz"
    xrd.page.keyboard.press("Tab")
    xrd.page.keyboard.press("Enter")
    assert xrd.state["doors"] == "opening"


def test_twins_exist_only_on_request_and_are_told(open_bench: Open) -> None:
    plain = open_bench(clock="stepped")
    assert plain.page.locator(".twin").count() == 0
    assert plain.export()["assist"] is False
    helped = open_bench(clock="stepped", assist=1, subtask="S4")
    helped.page.get_by_role("button", name="START ANGLE up").dispatch_event("click")
    assert helped.state["start"] == 10
    assert helped.export()["assist"] is True


def test_hints_are_shown_only_on_request(open_bench: Open) -> None:
    hinted = open_bench(clock="stepped", guide=1, subtask="S3")
    assert "S3" in hinted.message
    assert "STANDBY" in hinted.message
    plain = open_bench(clock="stepped", subtask="S3")
    assert "S3" not in plain.message


def messages() -> list[str]:
    """Every sentence the instrument can say."""
    source = (PAGES / "xrd" / "xrd.js").read_text("utf-8")
    return re.findall(r"'([A-Z][^'\n]+\.)'", source)


def test_longest_hints_and_messages_do_not_meet(open_bench: Open) -> None:
    bench = open_bench(clock="stepped", guide=1)
    longest = max(messages(), key=len)
    for subtask in range(1, 9):
        bench.fast_forward(f"S{subtask}")
        bench.page.evaluate(
            "text => { document.querySelector('#message span').textContent = text; }", longest
        )
        _, words, guide = (
            bench.page.locator(f"#message > *:nth-child({i})").bounding_box() for i in (1, 2, 3)
        )
        assert words is not None
        assert guide is not None
        assert words["x"] + words["width"] < guide["x"], subtask
