"""Action marks: what they say, and that they are painted where the action was."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from qt import samples
from trajectories.actions import Click, Done, Press, Wait
from trajectories.episode import Episode, EpisodeHeader, EpisodeKind, Observation, Step
from trajectories.geometry import Point, Rect, Size
from workbench.views import theme
from workbench.views.canvas import geometry, marks, painting
from workbench.views.canvas.geometry import Viewport
from workbench.views.canvas.painting import Scene


def test_the_step_here_with_its_neighbours_in_half_tone() -> None:
    shown = marks.marks_at(samples.episode(12), 4)
    assert [(m.kind, m.number, m.weak) for m in shown] == [
        ("type", 4, True),
        ("scroll", 6, True),
        ("drag", 5, False),
    ]


def test_typing_stands_where_the_pointer_was_left() -> None:
    mark = marks.mark_of(samples.episode(12), 2)
    assert mark is not None
    assert (mark.points, mark.text) == ((Point(294, 168),), "12.50")


def test_keys_before_any_pointer_have_no_place() -> None:
    header = EpisodeHeader("x", EpisodeKind.REFERENCE)
    steps = (Step("a", Press(("Enter",)), Observation()), Step("b", Done(), Observation()))
    assert marks.marks_at(Episode(header, steps), 0) == ()


def test_actions_in_words() -> None:
    assert marks.describe(Click(3, 4)) == "Click 3, 4"
    assert marks.describe(Click(3, 4, "right")) == "Click right 3, 4"
    assert marks.describe(Wait(500)) == "Wait 500 ms"
    assert marks.describe(Done()) == "Done"
    assert marks.describe(samples.ACTIONS[5]) == "Scroll down 300 px at 830, 400"


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("dpr", [1.0, 2.0])
@pytest.mark.parametrize("zoom", [0.5, 1.0, 4.0])
def test_the_dot_is_on_the_clicked_pixel(qapp: object, dpr: float, zoom: float) -> None:
    frame, room, at = samples.blank(), Size(400, 300), Point(160, 100)
    viewport = geometry.centred(frame.size, room, dpr, zoom)
    image = paint(Scene(frame, viewport, marks=(marks.Mark("click", (at,), 1),)), room, dpr)
    place = viewport.to_view(at.x, at.y)
    dot = image.pixelColor(round(place.x * dpr), round(place.y * dpr))
    assert dot.name() == theme.current().accent.lower()
    ring = image.pixelColor(round((place.x + marks.RING) * dpr), round(place.y * dpr))
    assert near(ring, QColor(theme.current().accent))


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("dpr", [1.0, 2.0])
def test_actual_size_shows_every_pixel_once(qapp: object, dpr: float) -> None:
    frame, room = samples.instrument(), Size(1400, 900)
    viewport = geometry.centred(frame.size, room, dpr, 1.0)
    image = paint(Scene(frame, viewport), room, dpr)
    left, top = round(viewport.x * dpr), round(viewport.y * dpr)
    for x, y in ((0, 0), (220, 160), (1279, 799), (700, 350)):
        b, g, r, _ = (int(v) for v in frame.pixels[y, x])
        assert image.pixelColor(left + x, top + y) == QColor(r, g, b)


@pytest.mark.usefixtures("light")
def test_a_region_shows_on_black_and_on_white(qapp: object) -> None:
    for grey in (0, 255):
        frame, room = samples.blank(grey=grey), Size(320, 200)
        viewport = Viewport()
        scene = Scene(frame, viewport, region=Rect(50, 50, 100, 60))
        image = paint(scene, room, 1.0)
        assert image.pixelColor(100, 49) == QColor("white")
        assert image.pixelColor(100, 48) == QColor("black")


@pytest.mark.usefixtures("light")
def test_the_checker_is_for_no_frame_only(qapp: object) -> None:
    room = Size(64, 64)
    empty = paint(Scene(), room, 1.0)
    assert len({empty.pixelColor(x, 0).name() for x in range(64)}) == 2
    around = paint(Scene(samples.blank(8, 8), Viewport(1.0, 28, 28)), room, 1.0)
    assert len({around.pixelColor(x, 0).name() for x in range(64)}) == 1


@pytest.mark.usefixtures("light")
def test_every_kind_of_mark_is_painted(qapp: object) -> None:
    episode, frame = samples.episode(7), samples.blank(1280, 800)
    plain = paint(Scene(frame, Viewport()), Size(1280, 800), 1.0)
    for index in range(6):
        found = marks.mark_of(episode, index)
        assert found is not None
        assert paint(Scene(frame, Viewport(), marks=(found,)), Size(1280, 800), 1.0) != plain


def paint(scene: Scene, room: Size, dpr: float) -> QImage:
    """What the canvas shows, on a screen of that pixel ratio."""
    size = (round(room.width * dpr), round(room.height * dpr))
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(dpr)
    with QPainter(image) as painter:
        painting.paint(painter, scene, room)
    return image


def near(a: QColor, b: QColor, tolerance: int = 60) -> bool:
    """Whether two colours are alike (edges are smoothed)."""
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return all(abs(x - y) <= tolerance for x, y in pairs)
