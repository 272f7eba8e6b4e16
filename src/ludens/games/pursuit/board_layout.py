"""Where the map of a board draws its stops and lines: any board in any units is fitted into a frame and made readable.

Stops keep their places but for two changes: a board that is too flat or too tall for the picture is stretched a
little, and stops that would touch are moved apart (if they are too many for that, all stops are set out in rows). Lines
are straight unless they would cross a stop they do not serve; then they are arcs around it. Lines of several modes
between the same two stops are drawn side by side.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ludens.games.pursuit.board_check import Board

STRETCH = 1.5  # how much taller or flatter than its file a map may be drawn
BENDS = (0.0, 0.7, -0.7, 1.2, -1.2, 1.8, -1.8, 2.4, -2.4, 3.2, -3.2, 4.2, -4.2)  # heights of an arc, in radii of a stop
ROUNDS = 80  # steps in which stops are moved apart
STEPS = np.linspace(0.05, 0.95, 19)  # fractions of a line at which its distance from stops is measured

Point = tuple[float, float]
Pairs = tuple[tuple[int, int], ...]


class Frame(NamedTuple):
    """The space for a map: its width and margins, and limits for its height and the size of stops."""

    width: float
    flattest: float  # height over width
    tallest: float
    margin: float
    largest: float  # radius of a stop
    pitch: float  # between lines side by side


class Layout(NamedTuple):
    """Where a map is drawn, as `arrange` computes it: its height, and the places of its stops and lines."""

    height: float
    radius: float  # of every stop
    places: tuple[Point, ...]  # of stop 1, 2, ...
    lines: Mapping[str, str]  # by mode: all its lines as one path


class _Box(NamedTuple):
    """The size of a map, and the distance between lines side by side, in units of the picture."""

    width: float
    height: float
    pitch: float


def arrange(board: Board, modes: Sequence[str], frame: Frame) -> Layout:
    """Compute where a board's stops and the lines of these modes are drawn in a frame; the result is cached."""
    return _arranged(board.places, tuple((mode, tuple(board.links.get(mode, ()))) for mode in modes), frame)


@functools.lru_cache(maxsize=16)
def _arranged(places: tuple[Point, ...], links: tuple[tuple[str, Pairs], ...], frame: Frame) -> Layout:
    """Compute a layout from arguments that can be cached: the stops' positions in the file, and each mode's links."""
    points, height = _fit_to_frame(np.array(places) if len(set(places)) > 1 else _circle(len(places)), frame)
    width = frame.width - 2 * frame.margin
    by_area = 0.285 * np.sqrt(width * (height - 2 * frame.margin) / len(points))
    usual = float(np.median(_distances(points).min(axis=1)))  # so that a row of stops stays a row
    radius = float(min(frame.largest, by_area, max(0.38 * usual, 8)))
    points = _push_apart(points, 2.65 * radius, frame, height)
    if _distances(points).min() < 1.4 * radius:
        points = _rows(points, frame, height)
    radius = float(min(radius, 0.47 * _distances(points).min()))
    return Layout(
        height=round(height, 1),
        radius=round(radius, 2),
        places=tuple((round(float(x), 1), round(float(y), 1)) for x, y in points),
        lines=_lines(points, links, radius, _Box(frame.width, height, frame.pitch)),
    )


def _circle(count: int) -> np.ndarray:
    """Points on a circle of radius 1, [count, 2]: for a board whose file puts all stops at the same point."""
    angles = np.arange(count) * 2 * np.pi / count
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1)


def _fit_to_frame(places: np.ndarray, frame: Frame) -> tuple[np.ndarray, float]:
    """Move and scale the positions ``places`` [stops, 2] of a file into the frame.

    Returns the points in the picture, [stops, 2], and the height of the map.
    """
    low, size = places.min(axis=0), np.ptp(places, axis=0)
    inner, span = frame.width - 2 * frame.margin, np.maximum(size, 1e-3 * max(size.max(), 1e-3))
    ratio = span[1] / span[0]
    wanted = min(max(ratio, frame.flattest), frame.tallest)
    stretch = min(max(wanted / ratio, 1 / STRETCH), STRETCH)
    across = min(inner / span[0], wanted * inner / (span[1] * stretch))
    size = size * across * (1, stretch)
    box = np.array([inner, max(size[1], frame.flattest * inner)])
    points = (places - low) * across * (1, stretch) + (box - size) / 2 + frame.margin
    return points, float(box[1]) + 2 * frame.margin


def _distances(points: np.ndarray) -> np.ndarray:
    """The distances between every two of ``points`` [stops, 2]: [stops, stops], infinite on the diagonal."""
    gaps = points[:, None] - points[None]
    distances = np.hypot(gaps[..., 0], gaps[..., 1])
    np.fill_diagonal(distances, np.inf)
    return distances


def _push_apart(points: np.ndarray, least: float, frame: Frame, height: float) -> np.ndarray:
    """Move points apart that are closer than ``least``, in up to ROUNDS small steps; returns the new points.

    ``points`` are [stops, 2]; they stay in the frame, whose map is ``height`` high.
    """
    angles = np.arange(len(points)) * 2.4  # the directions in which stops at the same point part
    aside = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = points + 0.05 * aside
    low, high = frame.margin, (frame.width - frame.margin, height - frame.margin)
    for _ in range(ROUNDS):
        distances = _distances(points)
        lacking = np.maximum(least - distances, 0)
        if not lacking.any():
            break
        gaps, has_met = points[:, None] - points[None], distances < 1e-3
        # stops pushed into one corner part in the same directions as at the start
        gaps[has_met] = 1e-3 * (aside[:, None] - aside[None])[has_met]
        push = (gaps * (0.3 * lacking / np.maximum(distances, 1e-3))[..., None]).sum(axis=1)
        push *= np.minimum(1, least / np.maximum(np.hypot(*push.T), 1e-9))[:, None]  # no step is longer than `least`
        points = np.clip(points + push, low, high)
    return points


def _rows(points: np.ndarray, frame: Frame, height: float) -> np.ndarray:
    """Points for all stops in rows over the whole map, ordered by their places: [stops, 2].

    For stops that cannot be moved apart.
    """
    side = math.ceil(math.sqrt(len(points)))
    downwards, placed = np.lexsort(points.T), np.empty_like(points)
    across = np.linspace(frame.margin, frame.width - frame.margin, side)
    down = np.linspace(frame.margin, height - frame.margin, side)
    for row, first in enumerate(range(0, len(points), side)):
        stops = downwards[first : first + side]
        stops = stops[np.argsort(points[stops, 0], kind="stable")]
        placed[stops, 0], placed[stops, 1] = across[: len(stops)], down[row]
    return placed


def _lines(points: np.ndarray, links: tuple[tuple[str, Pairs], ...], radius: float, box: _Box) -> dict[str, str]:
    """The lines of each mode as one SVG path (attribute ``d``), by mode.

    ``points`` [stops, 2] are the stops in the picture, ``links`` the pairs of stops of each mode, ``radius`` that of a
    stop.
    """
    modes: dict[tuple[int, int], list[str]] = {}
    for mode, pairs in links:
        for pair in pairs:
            modes.setdefault(pair, []).append(mode)
    lines: dict[str, list[str]] = {mode: [] for mode, _ in links}
    for (a, b), parallel in modes.items():
        bend = _bend(points, a - 1, b - 1, radius, box)
        for i, mode in enumerate(parallel):
            aside = (i - (len(parallel) - 1) / 2) * box.pitch
            lines[mode].append(_line(points[a - 1], points[b - 1], bend, aside))
    return {mode: "".join(parts) for mode, parts in lines.items()}


def _normal(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The unit vector at right angles to the line from ``start`` to ``end``, which are points [2]."""
    along = end - start
    return np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9)


def _bend(points: np.ndarray, a: int, b: int, radius: float, box: _Box) -> float:
    """How high the arc of the line between two stops (indices from 0) should be; 0: a straight line.

    Below 0 it bends to the other side. It is the height out of BENDS that keeps best clear of other stops and of the
    edge of the map, the lower the better. ``points`` are all stops, ``radius`` is that of a stop.
    """
    start, end = points[a], points[b]
    heights = np.array(BENDS) * radius
    length = float(np.hypot(*(end - start)))
    reach = length / 2 + heights.max()
    is_near = np.hypot(*(points - (start + end) / 2).T) < reach + 2 * radius
    is_near[[a, b]] = False
    others = points[is_near]
    if not len(others):
        return 0.0
    chord = start + STEPS[:, None] * (end - start)
    if np.hypot(*(chord[:, None] - others).transpose(2, 0, 1)).min() > 1.45 * radius:
        return 0.0
    arcs = chord + (4 * STEPS * (1 - STEPS) * heights[:, None])[..., None] * _normal(start, end)
    gaps = arcs[:, :, None] - others
    closest = np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1)  # [heights, other stops]
    touching = np.maximum(1.45 * radius - closest, 0).sum(axis=1)
    outside = np.maximum(np.maximum(6 - arcs, arcs - (box.width - 6, box.height - 6)), 0).max(axis=(1, 2))
    too_round = np.maximum(np.abs(heights) - 0.3 * length, 0)
    return float(heights[np.argmin(touching + 3 * outside + 0.14 * np.abs(heights) + too_round)])


def _line(start: np.ndarray, end: np.ndarray, bend: float, aside: float) -> str:
    """The SVG path of one line between two points: straight if ``bend`` is 0, else an arc of that height.

    ``aside`` shifts it sideways, for lines of several modes.
    """
    normal = _normal(start, end)
    (x, y), (to_x, to_y) = start + aside * normal, end + aside * normal
    if bend == 0:
        return f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
    over = (start + end) / 2 + (2 * bend + aside) * normal
    return f"M{x:.1f} {y:.1f}Q{over[0]:.1f} {over[1]:.1f} {to_x:.1f} {to_y:.1f}"
