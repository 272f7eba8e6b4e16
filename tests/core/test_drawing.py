"""Colours that can be read, roles that a style sheet can repaint, shapes that escape what they are given."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import pytest

import ludens
from ludens.core import drawing
from ludens.core.drawing import PALETTES, ROLES, Palette


def luminance(colour: str) -> float:
    """WCAG 2: how bright a colour is."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", PALETTES.values(), ids=list(PALETTES))
def test_text_can_be_read_on_every_ground(look: Palette) -> None:
    for words, ground in product((look.ink, look.muted, look.accent), (look.ground, look.panel, look.cell)):
        assert contrast(words, ground) >= 4.5
    assert min(contrast(look.edge, look.panel), contrast(look.edge, look.ground)) >= 3


def test_the_style_sheet_repaints_every_role() -> None:
    light, dark = (drawing.role_css(look) for look in PALETTES.values())
    assert light != dark
    for role in ROLES:
        assert f".board .{role.replace(' ', '.')} {{" in dark
    assert ".board .panel { fill: #272a30; stroke: #7c8494; }" in dark
    assert ".board .muted-line { stroke: #b9b7b0; }" in dark
    assert ".board .faint { opacity: 0.4; }" in dark


@pytest.mark.parametrize("game", ["azul", "kuhn"])
def test_whatever_depends_on_the_theme_has_a_role(game: str) -> None:
    """Repainted by the style sheet's rules, the light picture is the dark one."""
    view = ludens.game(game).start(seed=3).view()
    light, dark = (ElementTree.fromstring(view.game.face.svg(view, theme=theme)) for theme in ("light", "dark"))
    look = PALETTES["dark"]
    for element in light.iter():
        kind = element.get("class", "")
        if kind in ROLES:
            colours = zip(("fill", "stroke"), ROLES[kind], strict=True)
            element.attrib |= {name: getattr(look, part) for name, part in colours if part}
        elif kind.endswith("faint"):
            element.set("opacity", str(look.faint))
    assert ElementTree.tostring(light) == ElementTree.tostring(dark)


def test_words_are_escaped_wrapped_and_cut() -> None:
    assert "&lt;b&gt;" in drawing.text('fill="#000"', 0, 0, "<b>", 12)
    assert "&lt;b&gt;" in drawing.group("<b>", "")
    ElementTree.fromstring(drawing.page("x", '"<&>"', 10, 10, ""))
    assert drawing.wrap("one two three", 10, 50) == ["one two", "three"]
    assert drawing.fit("one two three", 10, 50) == "one two…"
    assert drawing.fit("one", 10, 50) == "one"


def test_groups_are_named_and_picked_only_where_asked() -> None:
    assert re.match(r'<g id="a" class="pick"><title>A</title>', drawing.group("A", "", "a", pick=True))
    assert drawing.group("A", "", "a").startswith('<g id="a"><title>')
    assert drawing.group("A", "").startswith("<g><title>")
