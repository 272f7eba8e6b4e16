"""What a picture shows and where: boxes computed from the SVG itself, for tests of any board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from ludens.core.drawing import LETTER
from ludens.core.state import View

NAMESPACE = "{http://www.w3.org/2000/svg}"
TILE = 40.0  # what a <use> draws, before it is scaled


class Box(NamedTuple):
    """A rectangle of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def overlaps(self, other: Box, slack: float = 0.5) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack

    def holds(self, other: Box) -> bool:
        is_right = self.left <= other.left and other.right <= self.right
        return is_right and self.top <= other.top and other.bottom <= self.bottom


class Shape(NamedTuple):
    """An element that is seen, where it is, and at which scale."""

    element: ElementTree.Element
    box: Box
    scale: float

    @property
    def tag(self) -> str:
        return self.element.tag.removeprefix(NAMESPACE)

    @property
    def kind(self) -> str:
        return self.element.get("class", "")


class Picture:
    """An SVG picture, its shapes and its named groups."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        _, _, width, height = (float(number) for number in self.root.attrib["viewBox"].split())
        self.page = Box(0, 0, width, height)
        self.shapes: list[Shape] = []
        self.named: dict[str, tuple[ElementTree.Element, Box]] = {}
        for child in self.root:
            if child.tag != f"{NAMESPACE}defs":
                self._walk(child, 0, 0, 1)

    def _walk(self, element: ElementTree.Element, x: float, y: float, scale: float) -> list[Box]:
        """Note an element and all in it; the boxes of its shapes."""
        dx, dy, zoom = _transform(element.get("transform", ""))
        x, y, scale = x + dx * scale, y + dy * scale, scale * zoom
        boxes = [
            Box(*(start + part * scale for start, part in zip((x, y, x, y), box, strict=True)))
            for box in _extent(element)
        ]
        self.shapes += [Shape(element, box, scale) for box in boxes]
        for child in element:
            boxes += self._walk(child, x, y, scale)
        if element.get("id") and boxes:
            self.named[element.attrib["id"]] = (element, _around(boxes))
        return boxes

    def picks(self) -> dict[str, Box]:
        """Everything a person can pick."""
        return {name: box for name, (element, box) in self.named.items() if element.get("class") == "pick"}

    def texts(self) -> list[Shape]:
        return [shape for shape in self.shapes if shape.tag == "text"]

    def font_sizes(self) -> list[float]:
        """Of every text as it appears, the letters of tiles included."""
        letters = {
            element.attrib["id"]: float(text.attrib["font-size"])
            for element in self.root.iter()
            for text in element.findall(f"{NAMESPACE}text")
            if element.get("id", "").startswith("tile-")
        }
        uses = [letters[s.element.attrib["href"][1:]] * s.scale for s in self.shapes if s.tag == "use"]
        return [float(s.element.attrib["font-size"]) * s.scale for s in self.texts()] + uses


def _transform(words: str) -> tuple[float, float, float]:
    move = re.search(r"translate\((\S+) (\S+)\)", words)
    zoom = re.search(r"scale\((\S+)\)", words)
    x, y = (float(move[1]), float(move[2])) if move else (0.0, 0.0)
    return x, y, float(zoom[1]) if zoom else 1.0


def _extent(element: ElementTree.Element) -> Iterator[tuple[float, float, float, float]]:
    """The box of an element in its own units; paths are left out."""
    tag = element.tag.removeprefix(NAMESPACE)
    values = {name: float(element.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r")}
    if tag == "rect":
        x, y = values["x"], values["y"]
        yield x, y, x + values["width"], y + values["height"]
    elif tag == "circle":
        x, y, r = values["cx"], values["cy"], values["r"]
        yield x - r, y - r, x + r, y + r
    elif tag == "use":
        yield 0, 0, TILE, TILE
    elif tag == "text":
        size = float(element.attrib["font-size"])
        width = len(element.text or "") * size * LETTER
        left = values["x"] - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
        yield left, values["y"] - 0.75 * size, left + width, values["y"] + 0.2 * size


def _around(boxes: list[Box]) -> Box:
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def ids(picture: str) -> list[str]:
    """The ids of everything drawn."""
    return re.findall(r' id="([^"]+)"', picture)


def check_picks(view: View, shape: str) -> None:
    """Every pick of a legal move is drawn, once, and no path of picks begins another."""
    drawn = ids(view.game.face.svg(view, shape=shape))
    assert len(drawn) == len(set(drawn))
    paths = [tuple(view.game.face.picks(view, action)) for action in view.legal]
    assert len(set(paths)) == len(paths)
    assert {pick for path in paths for pick in path} <= set(drawn)
    assert not any(path != other and path == other[: len(path)] for path in paths for other in paths)
