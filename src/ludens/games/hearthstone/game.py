"""The game Hearthstone: its options, the texts of actions, its laws for `ludens check`, and its face and roster."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.rules import Rules
from ludens.core.state import View
from ludens.games.hearthstone import features, rules
from ludens.games.hearthstone import judgement as _judgement  # noqa: F401  (its rules register themselves)
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone import view as _view  # noqa: F401  (its rules register themselves)
from ludens.games.hearthstone.card import write_cards
from ludens.games.hearthstone.deck import SHIPPED, deck_names, find_deck, keep_deck
from ludens.games.hearthstone.deck_file import start_decks
from ludens.games.hearthstone.face import HearthstoneFace
from ludens.games.hearthstone.roster import ROSTER


def _deck_option(default: str, words: str) -> Any:
    """Declare an option that takes a deck: a name, a file or a deck code.

    ``default`` is its default, ``words`` its help text.
    """
    return option(default, words, offers=deck_names)


@dataclasses.dataclass(frozen=True)
class HearthstoneOptions:
    """How a game of Hearthstone is set up."""

    deck1: str = _deck_option("face", "the deck of the first seat, unless its agent has one of its own")
    deck2: str = _deck_option("face", "the deck of the second seat, unless its agent has one of its own")
    decklists: str = option("known", "whether players know each other's deck lists", choices=("known", "hidden"))
    positions: str = option(
        "rightmost", "where minions may be played: at the right end or anywhere", choices=("rightmost", "free")
    )
    compat: str = option("none", "simulator whose departures from the rules to copy", choices=("none", "fireplace2016"))


class HearthstoneRules(Rules):
    """Two heroes, two decks of thirty cards: the game as it was in February 2016."""

    id = "hearthstone"
    version = 2
    releases: ClassVar[Mapping[int, str]] = {1: "ludens<0.2"}
    Options = HearthstoneOptions
    State = k.State
    actions = k.ACTIONS
    labels = k.LABELS + k.ACTIONS
    max_legal = k.ACTIONS
    max_events = rules.MAX_EVENTS
    start_fields = ("lists", "classes")
    file_options = ("deck1", "deck2")
    order_prunes = True
    has_secrets = True
    option_sets = (
        {},
        {"deck1": "secret", "deck2": "malygos"},
        {"deck1": "liege", "deck2": "secret", "decklists": "hidden", "positions": "free"},
        {"deck1": "malygos", "deck2": "face", "compat": "fireplace2016", "decklists": "hidden"},
    )
    options: HearthstoneOptions

    def check_options(self) -> None:
        """Replace files and deck codes in the options by the names of the stored decks; BadOption if one is wrong."""
        o = self.options
        self.options = dataclasses.replace(o, deck1=find_deck(o.deck1).id, deck2=find_deck(o.deck2).id)

    @classmethod
    def keep_file(cls, option: str, text: str, name: str) -> str:
        """Store the deck in ``text`` that somebody brought for ``option``; return its name, the option's new value.

        ``name`` is what its file was called.
        """
        return keep_deck(text, name).id if option in cls.file_options else super().keep_file(option, text, name)

    def make_constants(self) -> k.HearthstoneConstants:
        """Make the constants from the options: all cards, the seats' decks, and the decks that guesses may use."""
        o, constants = self.options, np.zeros(1, k.Constants)
        write_cards(constants)
        constants["compat"] = o.compat == "fireplace2016"
        constants["free_places"] = o.positions == "free"
        constants["hidden_lists"] = o.decklists == "hidden"
        for seat, name in enumerate((o.deck1, o.deck2)):
            deck = find_deck(name)
            constants["lists"][0, seat], constants["classes"][0, seat] = deck.cards, deck.class_number
        known = [find_deck(name) for name in SHIPPED]
        constants["known_count"] = len(known)
        for i, deck in enumerate(known):
            constants["known"][0, i], constants["known_class"][0, i] = deck.cards, deck.class_number
        return k.HearthstoneConstants(constants)  # type: ignore[arg-type]

    def place(self, states: np.ndarray, seeds: np.ndarray, fields: Mapping[str, Any]) -> None:
        """Blank ``states`` and write the seeds and the decks that players bring (``fields``, the start fields).

        BadOption if a deck breaks a rule.
        """
        super().place(states, seeds, {**fields, **start_decks(fields)})

    def action_text(self, action: int) -> str:
        """Return the move as it is typed: 'end', 'play 3 on e2', 'play 3 at 1', 'attack 2 e0', 'power e1', 'swap 1'.

        Cards and minions count from 1 at the left. A bare number is one's own minion, ``e`` marks the enemy's, ``0`` is
        the hero.
        """
        if action == k.END:
            return "end"
        if action < k.FIRST_ATTACK:
            rest, target = divmod(action - k.FIRST_PLAY, k.TARGETS)
            hand, place = divmod(rest, k.PLACES)
            where = "" if place == k.RIGHTMOST else f" at {place + 1}"
            return f"play {hand + 1}{where}" + (f" on {_target_text(target)}" if target else "")
        if action < k.FIRST_POWER:
            attacker, defender = divmod(action - k.FIRST_ATTACK, 8)
            return f"attack {attacker} e{defender}"
        if action < k.FIRST_MULLIGAN:
            target = action - k.FIRST_POWER
            return f"power {_target_text(target)}" if target else "power"
        card, is_back = divmod(action - k.FIRST_MULLIGAN, 2)
        return f"{'swap' if is_back else 'keep'} {card + 1}"

    def feature_pieces(self) -> list[tuple[str, int]]:
        """Return the named pieces of the features, in order, with their lengths."""
        return features.pieces()

    def timeout_action(self, view: View) -> int:
        """Return what is played for a seat without time: it ends the turn, or keeps the dealt card."""
        return k.END if view.raw.phase == k.ACTING else view.legal[0]

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Return checks of the state ``states[0]`` by name: their values have to stay the same through a game.

        Cards are conserved, numbers are in range, no dead minion is in play, no seat has the same secret in play twice.
        """
        s = states[0]
        out: dict[str, Any] = {
            "no effect was lost": not s.stack_overflowed,
            "no effect waits": not s.frame.tobytes().strip(b"\0"),
        }
        for p in range(2):
            q = s.side[p]
            secrets = q.secrets[: q.secret_count]
            out |= {
                f"list {p}": s.lists[p].tobytes() if s.phase and self.options.decklists == "known" else b"",
                f"cards {p}": _unseen_agree(s, p),
                f"limits {p}": bool(
                    q.board_size <= k.BOARD
                    and q.hand_size <= k.HAND
                    and q.crystals <= k.MANA
                    and q.mana <= k.MANA
                    and q.armor >= 0
                    and s.body[p].health <= k.HERO_HEALTH
                ),
                f"no secret twice {p}": len(set(secrets.tolist())) == len(secrets),
            }
        bodies = s.body[2:]
        alive = bodies["zone"] == k.IN_PLAY
        out["minions in play have health"] = bool((bodies["health"][alive] > 0).all()) or s.phase == k.ENDED
        out["no minion is dying"] = bool(((bodies["zone"] == k.FREE) | alive).all())
        out["boards list all minions"] = int(alive.sum()) == int(s.side[0].board_size) + int(s.side[1].board_size)
        return out


def _target_text(target: int) -> str:
    """Return a target number above 0 as it is typed: '0' and '2' on one's own side, 'e0' and 'e2' on the enemy's."""
    return f"{target - 1}" if target <= k.BOARD + 1 else f"e{target - k.BOARD - 2}"


def _unseen_agree(s: Any, seat: int) -> bool:
    """Return whether the cards of a seat's list not seen by the opponent are just those in hand, deck and secrets."""
    from ludens.games.hearthstone.card import all_cards

    q = s.side[seat]
    unseen = [int(card) for i, card in enumerate(s.lists[seat]) if not int(q.seen) >> i & 1]
    hand = [int(card) for card in q.hand[: q.hand_size] if not all_cards()[int(card)].is_token]
    held = [*hand, *q.deck[: q.deck_size].tolist(), *q.secrets[: q.secret_count].tolist()]
    return sorted(unseen) == sorted(held)


class Hearthstone(Game):
    """Two heroes, two decks of thirty cards: the game as it was in February 2016."""

    Rules = HearthstoneRules
    Face = HearthstoneFace
    roster = ROSTER
    rules: HearthstoneRules
    face: HearthstoneFace
