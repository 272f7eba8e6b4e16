"""Options say exactly what is wrong with them."""

from __future__ import annotations

import dataclasses

import pytest

from ludens.core.error import BadOption
from ludens.core.option import as_text, option, parse_options, read_pairs, spec_text


@dataclasses.dataclass(frozen=True)
class Sample:
    count: int = option(3, "how many", low=1, high=9)
    share: float = option(0.5, "how much", low=0, high=1)
    kind: str = option("a", "which", choices=("a", "b"))
    quick: bool = option(False, "whether")


def test_texts_and_values_are_read_alike() -> None:
    texts = parse_options(Sample, {"count": "4", "share": "0.25", "kind": "b", "quick": "yes"}, "it")
    assert texts == parse_options(Sample, {"count": 4, "share": 0.25, "kind": "b", "quick": True}, "it")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"cuont": 4}, "did you mean 'count'"),
        ({"count": 0}, "a whole number from 1 to 9"),
        ({"count": "x"}, "a whole number from 1 to 9"),
        ({"count": 2.5}, "a whole number from 1 to 9"),
        ({"share": "nan"}, "a number from 0 to 1"),
        ({"share": "inf"}, "a number from 0 to 1"),
        ({"kind": "c"}, "one of a, b"),
        ({"quick": "perhaps"}, "yes or no"),
    ],
)
def test_a_bad_value_is_named_with_what_is_possible(values: dict[str, object], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        parse_options(Sample, values, "it")


def test_pairs() -> None:
    assert read_pairs("a=1, b=x", "it") == {"a": "1", "b": "x"}
    with pytest.raises(BadOption, match="name=value"):
        read_pairs("a", "it")


def test_values_as_typed() -> None:
    assert [as_text(value) for value in (True, 2.0, 0.25, 7, "x")] == ["yes", "2", "0.25", "7", "x"]


@dataclasses.dataclass(frozen=True)
class Keyword:
    as_: str = option("code", "whose word counts", choices=("code", "text"))


def test_a_word_python_keeps_for_itself_can_be_the_name_of_an_option() -> None:
    chosen = parse_options(Keyword, {"as": "text"}, "it")
    assert chosen == Keyword(as_="text")
    assert spec_text("it", chosen) == "it:as=text"
    with pytest.raises(BadOption, match="as=book is not possible; as takes one of code, text"):
        parse_options(Keyword, {"as": "book"}, "it")
    with pytest.raises(BadOption, match="no option 'as_'"):
        parse_options(Keyword, {"as_": "text"}, "it")
