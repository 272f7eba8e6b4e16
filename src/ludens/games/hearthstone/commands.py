"""``ludens hearthstone ...``: list cards and decks, find better decks, export finished games, and play scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from ludens.core.error import BadOption, MissingExtra
from ludens.core.language import check_language
from ludens.core.option import closest
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards, is_fit, two_drops
from ludens.games.hearthstone.card_text import kind_of, stats_of, text_of
from ludens.games.hearthstone.deck import deck_names, find_deck, look_up
from ludens.games.hearthstone.deck_code import write_code
from ludens.games.hearthstone.deck_commands import best_deck, improve_deck
from ludens.games.hearthstone.deck_file import Deck
from ludens.games.hearthstone.export_commands import app as export_app
from ludens.games.hearthstone.scenario_commands import scenario

app = typer.Typer(help="Commands of Hearthstone.", rich_markup_mode=None, add_completion=False)
app.add_typer(export_app, name="export")
app.command()(scenario)
app.command()(improve_deck)
app.command()(best_deck)

_MOST_COST = 7  # last bar of the mana curve; more expensive cards count there
Language = Annotated[str, typer.Option(help="Language of the texts: en, cs or sk.")]


@app.command()
def cards(
    class_: Annotated[str, typer.Option("--class", metavar="CLASS", help="Only cards of a class, or neutral.")] = "",
    find: Annotated[str, typer.Option(metavar="WORD", help="Only cards with the word in name, id or text.")] = "",
    set_: Annotated[
        str, typer.Option("--set", metavar="SET", help="all, decks, pool (of Piloted Shredder), tokens or powers.")
    ] = "all",
    unsupported: Annotated[bool, typer.Option(help="Only cards not modelled in full, with the reason.")] = False,
    language: Language = "en",
) -> None:
    """List the cards: cost, attack and health, id, and what each does as the engine understands it."""
    check_language(language)
    found = [card for card in _of_set(set_) if _is_wanted(card, class_, find, language)]
    found = [card for card in found if _why_not(card)] if unsupported else found
    for card in found:
        typer.echo(f"{'token' if card.is_token and card.type != k.POWER else card.class_:8} {_line(card, language)}")
    typer.echo(f"{len(found)} cards, {sum(_is_playable(card) for card in found)} of them for decks")


def _of_set(name: str) -> list[Card]:
    """Return the cards of the set that ``--set`` names, class by class, cheapest first; BadOption if unknown."""
    pool, all_ = set(two_drops()), list(all_cards().values())
    sets = {
        "all": all_,
        "decks": [card for card in all_ if _is_playable(card)],
        "pool": [card for card in all_ if card.number in pool],
        "tokens": [card for card in all_ if card.is_token and card.type not in (k.HERO, k.POWER)],
        "powers": [card for card in all_ if card.type == k.POWER],
    }
    if name not in sets:
        raise BadOption(f"there is no set '{name[:40]}'{closest(name, sets)}; sets are: {', '.join(sets)}")
    return sorted((card for card in sets[name] if card.type != k.HERO), key=_order)


def _order(card: Card) -> tuple[bool, int, int, str]:
    """Return the sort key of a card: tokens last, then by class, cost and name."""
    return card.is_token, k.CLASSES.index(card.class_), card.cost, card.name


def _is_playable(card: Card) -> bool:
    """Return whether a deck of its own class may hold the card."""
    return is_fit(card, card.class_)


def _is_wanted(card: Card, class_: str, word: str, language: str) -> bool:
    """Return whether a card passes ``--class`` (``class_``) and ``--find`` (``word``); '' lets all pass.

    BadOption for an unknown class.
    """
    if class_ and class_ not in k.CLASSES:
        known = ", ".join(k.CLASSES)
        raise BadOption(f"there is no class '{class_[:40]}'{closest(class_, k.CLASSES)}; classes are: {known}")
    texts = (card.name, card.id, text_of(card, language), kind_of(card, language))
    return (not class_ or card.class_ == class_) and any(word.lower() in text.lower() for text in texts)


def _why_not(card: Card) -> str:
    """Return why a card of the real game may be in no deck here, as a sentence; '' if it may."""
    if card.missing:
        return f"Not modelled, so not in decks: {card.missing}."
    return f"Not in decks: {card.unplayable}." if card.unplayable else ""


def _line(card: Card, language: str) -> str:
    """Return one line for a card: cost, name (* marks a legendary one), stats, kind, id, text."""
    star, text = "*" if card.is_legendary else " ", f"{text_of(card, language)} {_why_not(card)}".strip()
    kind = kind_of(card, language)
    return f"{card.cost:2} {card.name:23}{star}{stats_of(card):>4}  {kind:18} {card.id:9} {text}".rstrip()


@app.command()
def decks(
    deck: Annotated[str, typer.Argument(metavar="[NAME|FILE|CODE]", help="Show this deck; all are listed.")] = "",
    code: Annotated[bool, typer.Option("--code", help="Print only its deck code.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Store it, to be named and offered from now on.")] = False,
    language: Language = "en",
) -> None:
    """List the decks that can be named, or show one: its cards, its mana curve and its deck code."""
    check_language(language)
    if not deck:
        _list_decks()
        return
    found = find_deck(deck) if keep else look_up(deck)
    typer.echo(write_code(found.class_, found.cards) if code else "\n".join(_described(found, language)))


def _list_decks() -> None:
    """Print a line for each deck that can be named; a stored deck that cannot be read shows its error."""
    typer.echo(f"{'deck':32} {'class':8} {'minions':>7} {'spells':>6} {'secrets':>7} {'weapons':>7} {'mean cost':>9}")
    for name in deck_names():
        try:
            typer.echo(_summary(look_up(name)))
        except BadOption as why:  # one bad file must not hide the others
            typer.echo(f"{name:32} {why}")


def _summary(deck: Deck) -> str:
    """Return one line for a deck: name, class, number of cards by type, mean cost."""
    cards = [all_cards()[number] for number in deck.cards]
    types = Counter(card.type for card in cards)
    counts = f"{types[k.MINION]:7} {types[k.SPELL]:6} {types[k.SECRET]:7} {types[k.WEAPON]:7}"
    return f"{deck.id:32} {deck.class_:8} {counts} {sum(card.cost for card in cards) / len(cards):9.2f}"


def _described(deck: Deck, language: str) -> Iterator[str]:
    """Yield a deck in lines: its cards by cost, its mana curve, its deck code."""
    counts = Counter(all_cards()[number] for number in deck.cards)
    yield f"{deck.id} ({deck.class_})"
    yield ""
    for card, count in sorted(counts.items(), key=lambda item: (item[0].cost, item[0].name)):
        yield f"{count}x {_line(card, language)}"
    yield ""
    yield from _curve(counts.elements())
    yield ""
    yield f"code {_code(deck)}"


def _curve(cards: Iterable[Card]) -> Iterator[str]:
    """Yield the mana curve in lines: a bar and the number of cards for each cost, the last for 7 and more."""
    costs = Counter(min(card.cost, _MOST_COST) for card in cards)
    for cost in range(_MOST_COST + 1):
        label = f"{cost}+" if cost == _MOST_COST else f"{cost} "
        yield f"{label} {'#' * costs[cost]}{' ' * bool(costs[cost])}{costs[cost]}"


def _code(deck: Deck) -> str:
    """Return the deck code of a deck, or the message that says which package is missing."""
    try:
        return write_code(deck.class_, deck.cards)
    except MissingExtra as why:
        return f"({why})"
