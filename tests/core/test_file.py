"""Files that are whole or not there, and what people bring, kept under names made of its contents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludens.core.error import BadOption, BadRecord, BadStore
from ludens.core.file import (
    UserFiles,
    dated_file,
    digest,
    file_of,
    json_of,
    plain_stem,
    shortened,
    text_of,
    tidied,
    write_json,
    write_whole,
)

SONGS = UserFiles("song", ".txt", 1024, "song")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDENS_SONGS", str(tmp_path / "songs"))
    return tmp_path / "songs"


def find(name: str) -> str:
    return SONGS.find(name, SONGS.text, str)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, "žluť\n")
    write_whole(file, b"again\n")
    assert file.read_bytes() == b"again\n"
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_json_is_written_for_people(tmp_path: Path) -> None:
    write_json(tmp_path / "file", {"a": [1]})
    assert (tmp_path / "file").read_text(encoding="utf-8") == '{\n "a": [\n  1\n ]\n}\n'


def test_texts_from_elsewhere_can_be_shown() -> None:
    assert shortened(" a\x00b\n") == "a b"
    assert shortened("x" * 61) == "x" * 57 + "..."
    assert plain_stem("Můj Deck!") == "m_j_deck"
    assert tidied("\ufeffa\r\nb\rc\n") == "a\nb\nc\n"


@pytest.mark.parametrize("path", ["", "nowhere", "~nobody-here/file", "a\0b", "x" * 5000])
def test_a_path_that_leads_nowhere(path: str) -> None:
    assert file_of(path) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "the song is not whole JSON: Expecting property name"),
        ("", "the song is not whole JSON"),
        ("[" * 100_000, "too many brackets are open"),
        ("[" * 51 + "]" * 51, "too many brackets are open"),
        ("[1e400]", "1e400 is no finite number"),
        ("[NaN]", "NaN is no finite number"),
        ("-Infinity", "-Infinity is no finite number"),
        ("9" * 5000, "is a number of 5000 digits"),
        ('{"a": 1, "b": 2, "a": 3}', "the name 'a' stands twice in one object"),
        (r'["\ud800"]', "surrogates not allowed"),
    ],
)
def test_json_that_no_file_of_ours_has_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(why)):
        json_of(text, "the song", BadRecord)


def test_json_is_read() -> None:
    text = '\ufeff{"a": [1, -2.5, "\\u00e9", null, true, {}], "b": 123456789012345678901234567890}\r\n'
    assert json_of(text, "the song") == {"a": [1, -2.5, "é", None, True, {}], "b": 123456789012345678901234567890}
    assert json_of("[" * 50 + "]" * 50, "the song")


def test_a_text_is_read_if_it_is_one(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbfla")
    assert text_of(file, 100, "song") == "la"
    file.write_bytes(b"\xff")
    with pytest.raises(BadOption, match="no text in UTF-8"):
        text_of(file, 100, "song")
    file.write_bytes(b"la" * 1024)
    with pytest.raises(BadOption, match="is no song: it has more than 1 kB"):
        text_of(file, 1024, "song")
    with pytest.raises(BadOption, match="cannot be read: No such file"):
        text_of(tmp_path / "nothing", 1024, "song")
    with pytest.raises(BadRecord, match="cannot be read: embedded null byte"):
        text_of(tmp_path / "no\0thing", 1024, "song", BadRecord)


def test_what_is_kept_is_found_again(kept: Path) -> None:
    assert SONGS.names() == []
    name = f"mine-{digest('la la')}"
    SONGS.keep(name, "la la")
    SONGS.keep(name, "not written again")
    assert SONGS.names() == [name]
    assert find(name) == "la la"
    assert SONGS.is_name(name)
    assert not SONGS.is_name("mine")


def test_renamed_is_found_and_changed_is_not(kept: Path) -> None:
    name = f"mine-{digest('la la')}"
    SONGS.keep(name, "la la")
    (kept / f"{name}.txt").rename(kept / f"other{name[-9:]}.txt")
    assert find(name) == "la la"
    (kept / f"other{name[-9:]}.txt").write_text("la la la", encoding="utf-8")
    with pytest.raises(BadOption, match=r"the stored song other-.* was changed: remove it"):
        find(name)
    with pytest.raises(BadOption, match="name its file once, with song=PATH"):
        find("mine-00000000")


def test_a_place_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LUDENS_SONGS", str(tmp_path / "file" / "songs"))
    with pytest.raises(BadStore, match=r"the song cannot be stored in .*; set LUDENS_SONGS"):
        SONGS.keep("mine-1a2b3c4d", "la")


def test_a_dated_file_is_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.core.file.time.strftime", lambda _: "2016-03-14_10-00-00")
    names = []
    for _ in range(3):
        found = dated_file(tmp_path, "set_", ".txt")
        found.touch()
        names.append(found.name)
    assert names == [f"set_2016-03-14_10-00-00{number}.txt" for number in ("", "-2", "-3")]
