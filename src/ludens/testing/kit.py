"""The contract kit: runs all checks on a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from ludens.core.error import LudensError, UnknownName
from ludens.core.game import Game
from ludens.core.option import closest
from ludens.core.registry import game_class
from ludens.testing import draw, face, leak, play, replay, roster
from ludens.testing.report import Check, Finding, Report, Skip, name_of
from ludens.testing.sample import Sample

CHECKS = [
    Check.of(function)
    for function in (
        play.room,
        play.ends,
        play.legal_ids,
        play.legality,
        play.agreement,
        play.batches,
        play.laws,
        play.results,
        replay.replay,
        replay.jit_off,
        replay.bounds,
        replay.records,
        draw.branches,
        face.texts,
        face.picks,
        face.drawings,
        face.features,
        leak.guess_fits,
        leak.guess_plays,
        leak.twins,
        leak.guess_varies,
        leak.events,
        roster.roster,
    )
]
MOST_FINDINGS = 3  # of one check, since a fault often shows in every position
Progress = Callable[[str, str], None]  # called with the name of the game and of the check


def check_game(
    game: Game,
    games: int = 20,
    seed: int = 0,
    checks: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Test whether a game keeps the contract, on random games. Faults are reported, not raised.

    ``games`` is the number of random games, ``seed`` fixes them. ``checks`` names the checks to run, None for all;
    `room` and `ends` always run. ``progress(game, check)`` is called before each check. A game that cannot be played at
    all is reported under the name ``plays``, and no check is run.
    """
    report = Report(name_of(game))
    chosen = _chosen(checks)
    if missing := game.rules.missing_operations():
        names, cls = ", ".join(f"`{name}`" for name in missing), type(game.rules.constants).__name__
        how = f"register each with @implements(ops.{missing[0]}, {cls}) above @kernel"
        report.findings.append(Finding("plays", f"the game does not implement {names}: {how}"))
        return report
    try:
        sample = Sample(game, games, seed)
    except Exception as why:
        report.findings.append(Finding("plays", _sentence("a random game", why)))
        return report
    for one in chosen:
        if sample.unfit and one not in CHECKS[:2]:
            report.skipped[one.name] = sample.unfit
            continue
        if progress:
            progress(report.game, one.name)
        _run(one, sample, report)
    return report


def check_id(
    game_id: str,
    games: int = 20,
    seed: int = 0,
    checks: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> list[Report]:
    """Test a game, by its id, with every option set that it declares (``Rules.option_sets``); a report for each.

    ``games`` is the number of random games, ``seed`` fixes them; ``checks`` names the checks to run (None: all), and
    ``progress(game, check)`` is called before each. If a game cannot be played with one set, the sets after it are not
    tried: the rules are the same.
    """
    cls, reports = game_class(game_id), []
    for options in cls.Rules.option_sets:
        reports.append(check_game(cls(**options), games, seed, checks, progress))
        if "plays" in reports[-1].failed:
            break
    return reports


def _sentence(what: str, why: Exception) -> str:
    """What an exception says; one that is no sentence for people with what it stopped, and its type."""
    return str(why) if isinstance(why, LudensError) else f"{what} stops with {type(why).__name__}: {why}"


def _chosen(names: Sequence[str] | None) -> list[Check]:
    """The checks to run: those named (None: all), and always `room` and `ends`, on which the others depend.

    UnknownName if there is no check of a given name.
    """
    known = {one.name: one for one in CHECKS}
    for name in names or ():
        if name not in known:
            raise UnknownName(f"there is no check '{name}'{closest(name, known)}; checks are: {', '.join(known)}")
    return [one for one in CHECKS if names is None or one in CHECKS[:2] or one.name in names]


def _run(one: Check, sample: Sample, report: Report) -> None:
    """Run one check and write into ``report`` whether it passed, why it was skipped, or what it found."""
    try:
        found = [Finding(one.name, *breach) for breach in islice(one.function(sample), MOST_FINDINGS)]
    except Skip as why:
        report.skipped[one.name] = str(why)
        return
    except Exception as why:
        found = [Finding(one.name, _sentence("the check", why))]
    report.findings += found
    if not found:
        report.passed.append(one.name)
