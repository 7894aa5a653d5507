"""Pure geometry of the canvas."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from trajectories.geometry import Point, Rect, Size
from workbench.views.canvas import geometry
from workbench.views.canvas.geometry import HANDLES, ZOOM_STEPS, Grip, Viewport

SIZES = st.builds(Size, st.integers(1, 4096), st.integers(1, 2400))
VIEWS = st.builds(Size, st.integers(80, 3000), st.integers(80, 2000))
DPRS = st.sampled_from([1.0, 1.25, 1.5, 2.0])
COORDINATES = st.floats(-3000, 3000)
VIEWPORTS = st.builds(Viewport, st.sampled_from(ZOOM_STEPS), COORDINATES, COORDINATES, DPRS)


@st.composite
def framed_rects(draw: st.DrawFn) -> tuple[Rect, Size]:
    size = draw(SIZES)
    x, y = draw(st.integers(0, size.width - 1)), draw(st.integers(0, size.height - 1))
    width = draw(st.integers(1, size.width - x))
    return Rect(x, y, width, draw(st.integers(1, size.height - y))), size


@given(VIEWPORTS, COORDINATES, COORDINATES)
def test_view_and_frame_positions_are_inverse(viewport: Viewport, x: float, y: float) -> None:
    there = viewport.to_view(x, y)
    back = viewport.to_frame(there.x, there.y)
    assert math.isclose(back.x, x, abs_tol=1e-6)
    assert math.isclose(back.y, y, abs_tol=1e-6)


@given(VIEWPORTS, st.sampled_from(ZOOM_STEPS), st.floats(0, 2000), st.floats(0, 2000))
def test_zoom_keeps_what_is_under_the_pointer(
    viewport: Viewport, zoom: float, x: float, y: float
) -> None:
    at = viewport.to_frame(x, y)
    after = geometry.zoomed_at(viewport, zoom, x, y).to_view(at.x, at.y)
    assert abs(after.x - x) * viewport.dpr <= 0.51
    assert abs(after.y - y) * viewport.dpr <= 0.51


@given(SIZES, VIEWS, DPRS)
def test_fit_shows_the_whole_frame(frame: Size, view: Size, dpr: float) -> None:
    fitted = geometry.fitted(frame, view, dpr)
    assume(fitted.zoom > geometry.MIN_FIT)
    end = fitted.to_view(frame.width, frame.height)
    assert -1 <= fitted.x <= end.x <= view.width + 1
    assert -1 <= fitted.y <= end.y <= view.height + 1
    assert fitted.zoom <= 1 or fitted.zoom == int(fitted.zoom)


@given(SIZES, VIEWS, DPRS)
def test_the_frame_starts_on_a_device_pixel(frame: Size, view: Size, dpr: float) -> None:
    at = geometry.fitted(frame, view, dpr)
    assert math.isclose(at.x * dpr, round(at.x * dpr), abs_tol=1e-6)


@given(st.floats(0.01, 20))
def test_zoom_steps_go_on_and_stop_at_the_ends(zoom: float) -> None:
    up, down = geometry.stepped(zoom, 1), geometry.stepped(zoom, -1)
    assert up in ZOOM_STEPS
    assert down in ZOOM_STEPS
    assert up > zoom or up == ZOOM_STEPS[-1]
    assert down < zoom or down == ZOOM_STEPS[0]


def test_zoom_steps_are_those_of_the_design() -> None:
    assert (ZOOM_STEPS[0], ZOOM_STEPS[-1]) == (0.25, 16.0)
    assert geometry.NEAREST_FROM == 2.0


@given(VIEWPORTS, COORDINATES, COORDINATES, SIZES, VIEWS)
def test_panning_never_loses_the_frame(
    viewport: Viewport, dx: float, dy: float, frame: Size, view: Size
) -> None:
    after = geometry.panned(viewport, dx, dy, frame, view)
    end = after.to_view(frame.width, frame.height)
    assert after.x < view.width
    assert after.y < view.height
    assert end.x > 0
    assert end.y > 0


@given(SIZES, COORDINATES, COORDINATES, COORDINATES, COORDINATES)
def test_a_drawn_region_lies_in_the_frame(
    size: Size, x0: float, y0: float, x1: float, y1: float
) -> None:
    rect = geometry.between(Point(x0, y0), Point(x1, y1), size)
    assert rect.inside(size)
    assert rect == geometry.between(Point(x1, y1), Point(x0, y0), size)


@given(framed_rects(), st.sampled_from(list(Grip)), COORDINATES, COORDINATES)
def test_an_edited_region_lies_in_the_frame(
    framed: tuple[Rect, Size], grip: Grip, dx: float, dy: float
) -> None:
    rect, size = framed
    assert geometry.dragged(rect, grip, dx, dy, size).inside(size)
    assert geometry.moved_inside(rect, round(dx), round(dy), size).inside(size)
    assert geometry.grown(rect, round(dx), round(dy), size).inside(size)


@given(framed_rects(), st.integers(-9, 9), st.integers(-9, 9))
def test_moving_keeps_the_size(framed: tuple[Rect, Size], dx: int, dy: int) -> None:
    rect, size = framed
    moved = geometry.dragged(rect, Grip.BODY, dx, dy, size)
    assert (moved.width, moved.height) == (rect.width, rect.height)


@given(framed_rects(), VIEWPORTS)
def test_every_handle_is_found_at_its_centre(framed: tuple[Rect, Size], viewport: Viewport) -> None:
    rect, _ = framed
    assume(min(rect.width, rect.height) * viewport.scale > 4 * geometry.HANDLE)
    for grip in HANDLES:
        at = geometry.handle_centre(rect, grip, viewport)
        assert geometry.grip_at(rect, viewport, at.x, at.y) is grip
    middle = viewport.to_view(rect.x + rect.width / 2, rect.y + rect.height / 2)
    assume(min(rect.width, rect.height) * viewport.scale > 8 * geometry.HANDLE)
    assert geometry.grip_at(rect, viewport, middle.x, middle.y) is Grip.BODY


def test_a_corner_moves_only_its_edges() -> None:
    rect, size = Rect(100, 100, 50, 40), Size(400, 300)
    assert geometry.dragged(rect, Grip.BOTTOM_RIGHT, 10, 5, size) == Rect(100, 100, 60, 45)
    assert geometry.dragged(rect, Grip.LEFT, -10, 99, size) == Rect(90, 100, 60, 40)
    assert geometry.dragged(rect, Grip.RIGHT, -70, 0, size) == Rect(80, 100, 20, 40)


def test_nothing_is_held_outside_the_region() -> None:
    assert geometry.grip_at(Rect(10, 10, 50, 50), Viewport(), 200, 200) is None
