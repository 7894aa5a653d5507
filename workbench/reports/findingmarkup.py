"""The cells of an audit that want a look, in HTML: what was read, expected, and its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluators.reliability import Finding
from evaluators.verdict import Status
from trajectories.geometry import Rect
from workbench.reports.audit_text import counted, short
from workbench.reports.markup import Safe, data_uri, join, tag
from workbench.reports.pictures import (
    FrameOf,
    Picture,
    crop,
    frame_or_reason,
    region_of,
    thumbnail,
)

MAX_PICTURED, MAX_FOLDED = 150, 120
"""Pictures in a report; the second while drawing findings that are folded away."""
MAX_LISTED = 500
OPEN = 2
"""So many of a criterion's findings are laid open, the others wait behind a line."""
ANCHORS = {"wrong": "w", "unjudged": "u", "noop": "n"}


@dataclass
class Pictures:
    """Crops on the spot; each whole frame once, as a background named by class."""

    frames: FrameOf | None
    thumbs: dict[str, tuple[str, Picture]] = field(default_factory=dict)
    shown: int = 0
    left_out: int = 0

    def of(self, finding: Finding, limit: int = MAX_PICTURED) -> Safe:
        """The region and the frame of a finding, or why there are none; none beyond the limit."""
        if self.frames is None:
            return Safe("")
        if self.shown >= limit:
            self.left_out += 1
            return Safe("")
        frame = frame_or_reason(self.frames, finding.state, finding.observation)
        if isinstance(frame, str):
            return tag("p", f"No picture: {frame}", class_="quiet")
        self.shown += 1
        name, thumb = self.thumbs.setdefault(
            frame.digest, (f"t{len(self.thumbs)}", thumbnail(frame))
        )
        rect = region_of(finding)
        cut = crop(frame, rect) if rect is not None else None
        parts = [] if cut is None else [_crop_figure(cut)]
        return tag("div", *parts, _thumb_figure(name, thumb, rect, finding), class_="pictures")

    def css(self) -> str:
        """The backgrounds."""
        return "".join(
            f".{name}{{background-image:url({data_uri(picture.png)})}}\n"
            for name, picture in self.thumbs.values()
        )


def _crop_figure(cut: Picture) -> Safe:
    width, height = cut.size
    scale = max(1, min(6, 240 // max(1, width), 120 // max(1, height)))
    image = Safe(
        f'<img src="{data_uri(cut.png)}" width="{width * scale}"'
        f' alt="the region, {width} by {height} pixels">'
    )
    caption = f"region, {width} × {height} px" + (f", shown × {scale}" if scale > 1 else "")
    return tag("figure", image, tag("figcaption", caption))


def _thumb_figure(name: str, thumb: Picture, rect: Rect | None, finding: Finding) -> Safe:
    width, height = thumb.size
    marks: list[Safe] = []
    if rect is not None:
        unit = max(1.0, width / 320)
        out = round(unit * 2)  # the outline stands around the region and covers nothing of it
        box = {"x": rect.x - out, "y": rect.y - out,
               "width": rect.width + 2 * out, "height": rect.height + 2 * out}  # fmt: skip
        marks = [
            tag("rect", **box, fill="none", stroke=colour, stroke_width=round(unit * times, 1))
            for colour, times in (("#000000", 4), ("#FFFFFF", 1.5))
        ]
    drawn = tag(
        "svg",
        *marks,
        class_=f"thumb {name}",
        width=min(320, width),
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label="the frame with the region outlined",
    )
    at = "" if finding.observation is None else f", observation {finding.observation}"
    return tag("figure", drawn, tag("figcaption", f"{finding.state}{at}, {width} × {height} px"))


def findings_markup(kind: str, title: str, found: Sequence[Finding], pictures: Pictures) -> Safe:
    """A section of findings, the first ones open; one calm line where nothing is wrong."""
    if not found:
        return Safe("") if kind != "wrong" else _none(title)
    groups: dict[tuple[str, str | None], list[int]] = {}
    for place, item in enumerate(found[:MAX_LISTED]):
        groups.setdefault((item.task, item.criterion), []).append(place)
    drawn: dict[int, Safe] = {}
    before = pictures.left_out
    # what lies open gets its pictures before what is folded away
    for limit, part in ((MAX_PICTURED, slice(OPEN)), (MAX_FOLDED, slice(OPEN, None))):
        for place in (place for members in groups.values() for place in members[part]):
            drawn[place] = _finding(f"{ANCHORS[kind]}{place}", found[place], pictures, limit)
    listed = [_group(found[members[0]], [drawn[at] for at in members])
              for members in groups.values()]  # fmt: skip
    heading = tag("h2", f"{title}: {counted(len(found))}")
    return tag("section", heading, *_limits(found, pictures.left_out - before), *listed)


def _group(first: Finding, drawn: Sequence[Safe]) -> Safe:
    """The findings of one criterion: the first ones open, the others behind a line."""
    what = first.task if first.criterion is None else f"{first.task} · {first.criterion}"
    level = "SR level" if first.criterion is None else "Score level"
    cells = "1 cell" if len(drawn) == 1 else f"{len(drawn)} cells"
    head = tag("h3", what, tag("span", f" {level} · {cells}", class_="quiet"))
    parts = [head, *drawn[:OPEN]]
    if len(drawn) > OPEN:
        line = tag("summary", f"{len(drawn) - OPEN} more of {what}")
        parts.append(tag("details", line, *drawn[OPEN:], class_="more"))
    return tag("div", *parts, class_="kind")


def _none(title: str) -> Safe:
    line = "Every verdict that was judged agrees with its label."
    return tag("section", tag("h2", f"{title}: none"), tag("p", line, class_="quiet"))


def _limits(found: Sequence[Finding], left_out: int) -> Iterator[Safe]:
    if len(found) > MAX_LISTED:
        yield tag("p", f"The first {MAX_LISTED} are listed; the JSON has all of them.")
    if left_out:
        line = f"{left_out} of them are without a picture: a report holds {MAX_PICTURED} at most."
        yield tag("p", line, class_="quiet")


def _finding(anchor: str, item: Finding, pictures: Pictures, limit: int) -> Safe:
    entries: list[tuple[str, object]] = [("state", item.state), ("verdict", _badge(item))]
    if item.label is None:
        entries.append(("label", "none"))
    else:
        by = f"{item.origin}, {item.by}" if item.by else item.origin
        entries.append(("label", f"{str(item.label).lower()} ({by})"))
    if item.criterion is not None:
        entries += [
            ("read", tag("code", short(item.value, 200))),
            ("expected", tag("code", short(item.expected, 200))),
        ]
    entries += [("reason", item.reason)] if item.reason else []
    listed = join(join([tag("dt", name), tag("dd", value)]) for name, value in entries)
    shown = pictures.of(item, limit) if item.criterion is not None else Safe("")
    return tag("article", tag("dl", listed), shown, class_="finding", id=anchor)


def _badge(item: Finding) -> Safe:
    """What is wrong with the verdict, in words and in the colour of its kind."""
    if item.verdict == Status.ERROR:
        return tag("span", "error, could not be judged", class_="badge error")
    words: Mapping[tuple[str, bool | None], str] = {
        (Status.PASSED, False): "false positive",
        (Status.FAILED, True): "false negative",
    }
    kind = words.get((item.verdict, item.label), "passes on a no-op state")
    return join([f"{item.verdict} ", tag("span", kind, class_="badge failed")])
