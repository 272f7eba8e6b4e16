"""``ludens hearthstone export ...``: finished games as tables and as replays for other programs."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.core.error import BadOption, BadRecord
from ludens.core.file import dated_file, text_of

if TYPE_CHECKING:
    from ludens.core.record import Record
    from ludens.games.hearthstone.export import Finished

app = typer.Typer(
    help="Write finished games as tables or replays. Exports show everything: both hands, both decks, every secret.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)

_MAX_BYTES = 1 << 26  # of a file with many records
_SUMMARY = "hearthstone"
Records = Annotated[
    list[Path],
    typer.Argument(metavar="RECORD...", help="Files of records (`ludens replay RUN/GAME --json`); - reads the input."),
]
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder to write to, one file per game.")]


@app.command()
def summary(
    records: Records,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write; default: a new one.")] = None,
    append: Annotated[bool, typer.Option("--append", help="Add to the file (the thesis's mode F).")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file (the thesis's mode T).")] = False,
) -> None:
    """Write one table with a row for each game: agents, decks, health left, who had The Coin, turns, winner."""
    from ludens.games.hearthstone.export import play_again
    from ludens.games.hearthstone.export_csv import SUMMARY_COLUMNS, as_csv, summary_row

    if append and overwrite:
        raise BadOption("--append keeps what is in the file and --overwrite does not: give one of them")
    file = out or (Path(f"{_SUMMARY}.csv") if append or overwrite else dated_file(Path(), f"{_SUMMARY}_", ".csv"))
    has_rows = file.exists() and file.stat().st_size > 0
    if has_rows and not append and not overwrite:
        raise BadOption(f"there is a file {file} already: add to it with --append or replace it with --overwrite")
    if append and has_rows:
        _check_columns(file, SUMMARY_COLUMNS)
    rows = [summary_row(play_again(record)) for _, record in _read(records)]
    text = as_csv(rows, None if append and has_rows else SUMMARY_COLUMNS)
    with file.open("a" if append else "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    _report(len(rows), file)


def _check_columns(file: Path, columns: tuple[str, ...]) -> None:
    """Raise BadOption unless the first line of the CSV file is exactly these columns; before rows are appended."""
    with file.open(encoding="utf-8", newline="", errors="replace") as stream:
        first = next(csv.reader(stream), [])
    if tuple(first) != columns:
        raise BadOption(f"{file} does not begin with the columns of this table: name another file with --out")


@app.command()
def decisions(records: Records, out: Folder = Path()) -> None:
    """Write a table for each game, with a row for each decision: the 125 columns of the thesis."""
    from ludens.games.hearthstone.export_csv import DECISION_COLUMNS, as_csv, decision_rows

    def table(played: Finished) -> bytes:
        """Return the CSV file, as bytes, for one replayed game."""
        return as_csv(decision_rows(played), DECISION_COLUMNS).encode()

    _write_each(records, out, ".csv", table)


@app.command()
def hsreplay(records: Records, out: Folder = Path()) -> None:
    """Write each game as HSReplay XML 1.7 (needs the extra `interop`)."""
    from ludens.games.hearthstone.export_hsreplay import to_hsreplay

    _write_each(records, out, ".hsreplay.xml", lambda played: to_hsreplay(played).encode())


@app.command()
def hdt(records: Records, out: Folder = Path()) -> None:
    """Write each game as a replay of Hearthstone Deck Tracker (.hdtreplay), seen from the first seat."""
    from ludens.games.hearthstone.export_hdt import to_hdtreplay

    _write_each(records, out, ".hdtreplay", to_hdtreplay)


def _write_each(records: list[Path], folder: Path, ending: str, write: Callable[[Finished], bytes]) -> None:
    """Write a file for each game into ``folder``, named after its record's file plus ``ending``; print their number.

    ``write`` makes the file's bytes from a replayed game; the folder is created if need be.
    """
    from ludens.games.hearthstone.export import play_again

    count = 0
    for name, record in _read(records):
        data = write(play_again(record))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}{ending}").write_bytes(data)
        count += 1
    _report(count, folder)


def _read(files: list[Path]) -> Iterator[tuple[str, Record]]:
    """Yield each record in these files with a name for its output file.

    The name is the record file's name without '.json', numbered if the file holds several. '-' stands for standard
    input, named 'game'. BadRecord for a file without a record.
    """
    from ludens.games.hearthstone.export import read_records

    for file in files:
        found = read_records(_text_of(file))
        if not found:
            raise BadRecord(f"there is no record in {file}: write one with `ludens replay RUN/GAME --json`")
        stem = "game" if str(file) == "-" else file.name.removesuffix(".json")
        for number, record in enumerate(found, 1):
            yield stem if len(found) == 1 else f"{stem}-{number:0{len(str(len(found)))}}", record


def _text_of(file: Path) -> str:
    """Return the text of a file, or of standard input for '-'; BadRecord if it is not text or cannot be read."""
    if str(file) == "-":
        try:
            return sys.stdin.read(_MAX_BYTES)
        except UnicodeDecodeError:
            raise BadRecord("standard input is not a record: it is no text in UTF-8") from None
    return text_of(file, _MAX_BYTES, "record", BadRecord)


def _report(count: int, where: Path) -> None:
    """Print that ``count`` games were written, and to which file or folder (``where``)."""
    typer.echo(f"wrote {count} game{'s' * (count != 1)} to {where}")
