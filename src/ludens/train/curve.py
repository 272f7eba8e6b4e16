"""Learning curves as SVG and as text: the share of exam games won against the steps, with intervals as bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

CURVE = "curve.svg"  # the file of a run
Points = Sequence[tuple[int, float, float, float]]  # steps, rate, low, high
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 300, 52, 16, 28, 40
_COLOURS = ("#2a6fdb", "#d2601a", "#1f8a5b", "#8b4fc6", "#b8324f", "#6b6b6b")
_ROWS, _COLUMNS = 12, 64  # of the text form


def curve_svg(curves: Mapping[str, Points], total: int, unit: str) -> str:
    """The learning curves of a run as one SVG; ``total`` are its steps, ``unit`` is what they count."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT + 20 * len(curves)}" '
        f'font-family="sans-serif" font-size="12" role="img" '
        f'aria-label="{escape("; ".join(_last(opponent, points) for opponent, points in curves.items()))}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT + 20 * len(curves)}" fill="#ffffff"/>',
        *_axes(total, unit),
    ]
    for place, (opponent, points) in enumerate(curves.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        parts += _line(points, total, colour)
        y = _HEIGHT + 20 * place + 4
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + 20}" y="{y + 6}" fill="#222222">{escape(_last(opponent, points))}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _last(opponent: str, points: Points) -> str:
    """The last mark against an opponent for people: 'v heuristic: 56.2 %'."""
    return f"v {opponent}" + (f": {100 * points[-1][1]:.1f} %" if points else "")


def _axes(total: int, unit: str) -> list[str]:
    """Both axes with lines at each fifth, and what they show."""
    parts, right, bottom = [], _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for fifth in range(6):
        y = _y(fifth / 5)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555555">{20 * fifth} %</text>')
        x = _LEFT + (right - _LEFT) * fifth / 5
        steps = short_number(total * fifth / 5)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" fill="#555555">{steps}</text>')
    middle = (_LEFT + right) / 2
    return [*parts, f'<text x="{middle}" y="{bottom + 33}" text-anchor="middle" fill="#222222">{escape(unit)}</text>']


def _line(points: Points, total: int, colour: str) -> list[str]:
    """A curve with its band."""
    upper = [f"{_x(steps, total):.1f},{_y(high):.1f}" for steps, _, _, high in points]
    lower = [f"{_x(steps, total):.1f},{_y(low):.1f}" for steps, _, low, _ in points]
    line = [f"{_x(steps, total):.1f},{_y(rate):.1f}" for steps, rate, _, _ in points]
    return [
        f'<polygon points="{" ".join([*upper, *reversed(lower)])}" fill="{colour}" fill-opacity="0.18"/>',
        f'<polyline points="{" ".join(line)}" fill="none" stroke="{colour}" stroke-width="2"/>',
    ]


def _x(steps: int, total: int) -> float:
    """The place of a number of steps."""
    return _LEFT + (_WIDTH - _RIGHT - _LEFT) * min(steps / max(total, 1), 1.0)


def _y(rate: float) -> float:
    """The place of a share from 0 to 1."""
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * rate


def short_number(value: float) -> str:
    """A number for people in few letters: '950', '16.4 k', '3.2 M', '0.0125'."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def curve_text(curves: Mapping[str, Points], total: int, unit: str) -> str:
    """The learning curves as lines of text; each opponent has a letter."""
    grid = [[" "] * (_COLUMNS + 1) for _ in range(_ROWS + 1)]
    for place, points in enumerate(curves.values()):
        for steps, rate, _, _ in points:
            column = round(_COLUMNS * min(steps / max(total, 1), 1.0))
            grid[_ROWS - round(_ROWS * rate)][column] = chr(ord("a") + place % 26)
    lines = []
    for row, cells in enumerate(grid):
        share = 100 * (_ROWS - row) / _ROWS
        label = f"{share:3.0f} %" if row % 3 == 0 else "     "
        lines.append(f"{label} |{''.join(cells).rstrip()}")
    lines.append("      +" + "-" * _COLUMNS)
    lines.append(f"       0{f'{short_number(total)} {unit}':>{_COLUMNS - 1}}")
    for place, (opponent, points) in enumerate(curves.items()):
        _, rate, low, high = points[-1]
        mark = f"{100 * rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        lines.append(f"  {chr(ord('a') + place % 26)}  {mark} v {opponent}")
    return "\n".join(lines)
