"""``ludens hearthstone improve-deck`` and ``best-deck``: decks for a given player, found by playing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.console import Options, must_be_writable, progress, read_game
from ludens.core.error import BadOption, Stopped
from ludens.core.file import write_json, write_whole
from ludens.core.registry import make_agent, split_specs
from ludens.games.hearthstone.deck import SHIPPED, look_up
from ludens.games.hearthstone.deck_file import Deck, deck_text

if TYPE_CHECKING:
    from ludens.games.hearthstone.deck_race import Race

_FIELD = "face-hunter,secret-paladin,malygos-mage"
Player = Annotated[str, typer.Option("--for", metavar="AGENT", help="The agent that is to play the deck.")]
Against = Annotated[str, typer.Option(metavar="SPEC,...", help="Specs of the opponents, with commas between them.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of deals and swaps.")]


def improve_deck(
    agent: Player,
    against: Against = _FIELD,
    start: Annotated[str, typer.Option(metavar="NAME|FILE|CODE", help="The deck to begin with.")] = "face",
    rounds: Annotated[int, typer.Option(min=1, help="Races to hold.")] = 20,
    games: Annotated[int, typer.Option(min=2, help="Games of a deck against each opponent in a first heat.")] = 100,
    final: Annotated[
        int, typer.Option(min=4, help="Games against each opponent to compare both decks at the end.")
    ] = 2000,
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The deck file; CLASS_improved.txt if not given.")
    ] = None,
    option: Options = None,
) -> None:
    """Optimise a deck for a player: swap cards, and keep what wins more games on common deals.

    Every better deck is written at once; Ctrl-C ends the search, and --start FILE goes on from what was found.
    """
    from ludens.games.hearthstone.deck_race import exam

    race, first = _race(agent, against, games, seed, option), look_up(start)
    file = out or Path(f"{first.class_}_improved.txt")
    must_be_writable(file)
    best, is_done = _improved(race, first, rounds, file)
    if best == first:
        typer.echo(f"No deck was better than {first.id}; nothing was written.")
    else:
        typer.echo(f"The deck is in {file}. Play it with  ludens play hearthstone -o deck2={file}")
    if not is_done:
        place = start if best == first else file
        raise Stopped(f"stopped; to go on: ludens hearthstone improve-deck --for {agent} --start {place}")
    for deck, name in {first: first.id, best: str(file) if best != first else first.id}.items():
        _tell_exam(name, split_specs(against), exam(race, deck, final), final)


def _improved(race: Race, deck: Deck, rounds: int, file: Path) -> tuple[Deck, bool]:
    """Improve a deck in so many rounds, print what each found and write every better deck to ``file``.

    Returns the best deck and whether all rounds were held: Ctrl-C ends them.
    """
    from ludens.games.hearthstone.deck_race import rounds as improve

    with progress("races") as report:
        try:
            for number, found in enumerate(improve(race, deck, rounds, report), 1):
                deck = found.deck
                if found.swap:
                    _write(file, deck, race.agent.spec)
                words = f"{100 * found.gain:+5.1f} points  {found.swap}" if found.swap else "no better deck"
                typer.echo(f"{number:>4}  {found.games:>7,} games  {words}")
        except KeyboardInterrupt:
            return deck, False
    return deck, True


def _race(agent: str, against: str, games: int, seed: int, option: list[str] | None) -> Race:
    """The race of these words of a command; BadOption if nobody is met or the agent learns while it plays."""
    from ludens.games.hearthstone.deck_race import Race

    game = read_game("hearthstone", option)
    rivals = [make_agent(spec, game) for spec in split_specs(against)]
    if not rivals:
        raise BadOption("there is nobody to play against: name opponents with --against")
    return Race(game, make_agent(agent, game), rivals, games, seed)


def _write(file: Path, deck: Deck, agent: str) -> None:
    """Write a deck file that says for whom it was made."""
    write_whole(file, f"# made for {agent} by ludens hearthstone improve-deck\n{deck_text(deck)}")


def _tell_exam(name: str, rivals: Sequence[str], marks: Sequence[tuple[float, float]], games: int) -> None:
    """Print how often a deck won on deals that had no say in it."""
    shown = [
        f"{100 * rate:.1f} +- {196 * error:.1f} v {rival}" for rival, (rate, error) in zip(rivals, marks, strict=True)
    ]
    typer.echo(f"{name}: {'; '.join(shown)} ({games} games each)")


def best_deck(
    agents: Annotated[str, typer.Option("--for", metavar="AGENT,...", help="Agents that may play, without decks.")],
    against: Against = _FIELD,
    decks: Annotated[str, typer.Option(metavar="DECK,...", help="The decks to choose from.")] = ",".join(SHIPPED),
    games: Annotated[int, typer.Option(min=4, help="Games of each pair against each opponent.")] = 1000,
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the choice, for the agent chooser.")] = None,
    option: Options = None,
) -> None:
    """Choose deck and play together: measure every agent with every deck, and name the pair that wins most."""
    from ludens.games.hearthstone.deck_race import exam

    must_be_writable(out)
    tried: list[dict[str, object]] = []
    for agent in split_specs(agents):
        race = _race(agent, against, games, seed, option)
        for name in filter(None, (part.strip() for part in decks.split(","))):
            marks = exam(race, look_up(name), games)
            _tell_exam(f"{agent} with {name}", split_specs(against), marks, games)
            mean = sum(rate for rate, _ in marks) / len(marks)
            deck = look_up(name)
            tried.append({"agent": agent, "deck": deck.id, "won": round(mean, 4), "cards": deck_text(deck)})
    if not tried:
        raise BadOption("there is nothing to choose from: name agents with --for and decks with --decks")
    best = max(tried, key=lambda pair: float(str(pair["won"])))
    typer.echo(f"best: {best['agent']} with {best['deck']}, {100 * float(str(best['won'])):.1f} % on average")
    if out:
        about = {"against": split_specs(against), "games": games, "seed": seed}
        write_json(out, {"best": best, "tried": tried, **about})
