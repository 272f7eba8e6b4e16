"""The table and the record of Hearthstone, and what their numbers mean.

A *body* is a hero or a minion; the first two are the heroes of seats 0 and 1. A body keeps its place in the list as
long as it is in play, so that this number is its name during an effect. A set of bodies is a bit mask in one int64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BODIES, BOARD, HAND, DECK, SECRETS, MULLIGAN = 30, 7, 10, 30, 5, 4  # capacities
FRAMES = 40  # effects waiting for one another
CARDS, ROWS, KNOWN_DECKS, MEMBERS = 640, 512, 16, 128
CLASSES = ("neutral", "warrior", "shaman", "rogue", "paladin", "hunter", "druid", "warlock", "mage", "priest")
HERO_HEALTH, MANA, TURNS = 30, 10, 200
NOBODY = 255

SETTING_UP, MULLIGANS, DEALING, ACTING, PASSING, ENDED = range(6)  # phases
FREE, IN_PLAY, DYING, DEAD = range(4)  # zones of a body
MINION, SPELL, SECRET, WEAPON, POWER, HERO = range(1, 7)  # types of cards
TRIBES = ("none", "beast", "mech", "murloc", "demon", "dragon", "pirate", "totem")
NO_TRIBE, BEAST, MECH, MURLOC, DEMON, DRAGON, PIRATE, TOTEM = range(8)

# What a body can and cannot do: bits
CHARGE, TAUNT, SHIELD, WINDFURY, STEALTH, FROZEN, SILENCED, CANNOT_ATTACK = (1 << i for i in range(8))
ELUSIVE, POISON, CHILL, DRAIN, IMMUNE, SICK, DOOMED, WOKEN = (1 << i for i in range(8, 16))
PRINTED = CHARGE | TAUNT | SHIELD | WINDFURY | STEALTH | CANNOT_ATTACK | ELUSIVE | POISON | CHILL | DRAIN

# When an effect happens: bits. OWN and FOE are seen from whoever has the effect.
PLAY, DEATH, TURN_START, TURN_END, EACH_START = (1 << i for i in range(5))
CAST, FOE_CAST, AFTER_CAST, SECRET_PLAYED, FOE_SECRET_PLAYED = (1 << i for i in range(5, 10))
ENTERS, SUMMONED, HURT, FRIEND_HURT, FRIEND_DIES = (1 << i for i in range(10, 15))
ATTACKED, FOE_ATTACKS, HERO_ATTACKS, ATTACKS, WAS_ATTACKED = (1 << i for i in range(15, 20))
REVEALED, HEALED, INSPIRE, FATAL = (1 << i for i in range(20, 24))
HAS_AURA = 1 << 24  # no moment: somebody has stood there whose presence changes something

# What an effect does
(
    DAMAGE,
    MISSILES,
    HEAL,
    BUFF,
    BUFF_NOW,
    SET_STATS,
    SET_HEALTH,
    GIVE,
    FREEZE,
    SILENCE,
    DESTROY,
    DRAW,
    SUMMON,
    SUMMON_ONE_OF,
    SUMMON_FOR_EACH_FOE,
    SUMMON_AGAIN,
    EQUIP,
    BREAK_WEAPON,
    SHARPEN,
    MEND,
    ARMOR,
    GAIN_MANA,
    GAIN_CRYSTAL,
    GIVE_CRYSTAL,
    LOSE_CRYSTAL,
    TAX_SPELLS,
    CHEAPEN_HAND,
    ADD_CARD,
    ONE_SECRET,
    EVERY_SECRET,
    DEFEND,
    CALL_TOTEM,
    WAKE,
    SHIELD_HERO,
) = range(1, 35)

AS_MUCH = -1  # for a number of damage: as much as the damage that set it off

# Upon whom
(
    SELF,
    TARGET,
    OWN_HERO,
    FOE_HERO,
    FRIENDS,
    OTHER_FRIENDS,
    FOES,
    ENEMIES,
    MINIONS,
    OTHER_MINIONS,
    EVERYBODY,
    OTHERS,
    NEIGHBOURS,
    HURT_ALLIES,
) = range(1, 15)

# Under which condition
(
    ALWAYS,
    WITH_BEAST,
    WITHOUT_BEAST,
    HAND_EMPTY,
    TARGET_FROZEN,
    TARGET_NOT_FROZEN,
    HAS_ROOM,
    HAS_MINION,
    FOE_HAS_MINION,
    BEAST_DIED,
    IS_PIRATE,
    EVERY_OTHER_TIME,
    TARGET_IS_HERO,
    ROOM_FOR_HOUNDS,
    ROOM_FOR_TOTEM,
    HOLDS_DRAGON,
) = range(16)

# Auras: what presence changes
NO_AURA, OTHERS_ATTACK, NEIGHBOURS_ATTACK, ENRAGE, OWN_SPELLS, ALL_MINIONS, BATTLECRIES, OWN_MECHS, FIRST_MINION = (
    range(9)
)
POWER_DAMAGE, TWO_POWERS = 9, 10

# Whom the player may choose for a card
NO_TARGET, ANY, ANY_MINION, FRIENDLY_MINION, ENEMY_MINION, ANY_HERO, FRIENDLY = range(7)

# Actions. Targets as the mover sees them: 0 none, 1 own hero, 2 to 8 own minions, 9 enemy hero, 10 to 16 enemy minions.
TARGETS, PLACES, RIGHTMOST = 17, 8, 7
END = 0
FIRST_PLAY = 1  # + (hand * PLACES + place) * TARGETS + target
FIRST_ATTACK = FIRST_PLAY + HAND * PLACES * TARGETS  # + attacker * 8 + defender; 0 the hero, 1 to 7 minions
FIRST_POWER = FIRST_ATTACK + 64  # + target
FIRST_MULLIGAN = FIRST_POWER + TARGETS  # + 2 * card + (1: put it back)
ACTIONS = FIRST_MULLIGAN + 2 * MULLIGAN
LABELS = CARDS * PLACES * TARGETS  # numbers of plays by card, see `rules.label`

# Kinds of events. A body in one number: card + 1024 * owner + 2048 * body + 65536 * place on the board (0: none).
(
    STARTS,  # who plays first
    DEALT,  # seat, card (0 for the rival)
    CHOSE,  # seat, card (0 for the rival), 1: put back (0 for the rival)
    REPLACED,  # seat, how many cards
    GIVEN,  # seat, card added to the hand
    TURN,  # seat, turn, crystals
    DREW,  # seat, card (0 for the rival)
    BURNED,  # seat, card
    FATIGUE,  # seat, damage
    PLAYED,  # seat + 2 * cost, card, target
    HID,  # seat, card (0 for the rival), cost: a secret
    USED_POWER,  # seat, card, target
    ATTACKING,  # attacker, defender
    DEFENDED,  # new defender
    TRIGGERED,  # card + 1024 * owner, number of the trigger, body
    UNCOVERED,  # seat, card, its place among the secrets: it was triggered
    HIT,  # body, damage, health left
    SHIELDED,  # body: its shield took the damage
    PREVENTED,  # body, damage: it is immune, or was saved
    MENDED,  # body, health restored, health now
    ARMORED,  # seat, armor gained, armor now
    BUFFED,  # body, attack, health
    CHANGED,  # body, attack, health as set
    GOT,  # body, what it can do now: bits
    FROZE,  # body
    HUSHED,  # body: silenced
    CONDEMNED,  # body: will be destroyed
    DIED,  # body
    APPEARED,  # body, 1: played
    ARMED,  # seat, weapon
    DISARMED,  # seat, weapon
    WORE,  # seat, durability now, attack now
    CRYSTALS,  # seat, crystals now, mana now
    TAXED,  # seat, how much more its spells will cost
    CHEAPER,  # seat, how many cards
    FIZZLED,  # card + 1024 * owner: nothing came of it
    THAWED,  # body
    FINISHED,  # winner or NOBODY
) = range(38)
EVENTS = range(38)


class HearthstoneTable(NamedTuple):
    """What is public and equal for a whole run."""

    t: np.record


Row = np.dtype(
    (
        np.record,
        [
            ("moment", np.int32),
            ("deed", np.int32),
            ("a", np.int32),
            ("b", np.int32),
            ("whom", np.int8),
            ("is_random", np.int8),
            ("when", np.int8),
        ],
    )
)

CardRow = np.dtype(
    (
        np.record,
        [
            ("type", np.uint8),
            ("class_", np.uint8),
            ("tribe", np.uint8),
            ("cost", np.int16),
            ("attack", np.int16),
            ("health", np.int16),
            ("words", np.uint16),
            ("spell_damage", np.int8),
            ("aura", np.uint8),
            ("aura_size", np.int8),
            ("target", np.uint8),
            ("needs", np.uint8),
            ("moments", np.int32),  # of all its rows
            ("first", np.uint16),
            ("last", np.uint16),
            ("is_token", np.uint8),
            ("has_battlecry", np.uint8),
        ],
    )
)

Table = np.dtype(
    (
        np.record,
        [
            ("compat", np.uint8),  # 1: as the Fireplace of March 2016 played it
            ("free_places", np.uint8),
            ("hidden_lists", np.uint8),
            ("coin", np.uint16),
            ("powers", np.uint16, (len(CLASSES),)),
            ("heroes", np.uint16, (len(CLASSES),)),
            ("lists", np.uint16, (2, DECK)),  # of seats whose player brings none
            ("classes", np.uint8, (2,)),
            ("known_count", np.uint8),
            ("known", np.uint16, (KNOWN_DECKS, DECK)),  # decks a rival may be thought to play
            ("known_class", np.uint8, (KNOWN_DECKS,)),
            ("members", np.uint16, (MEMBERS + 32,)),  # sets of cards to summon from
            ("legal_count", np.uint16, (len(CLASSES),)),  # cards a deck of the class may hold
            ("legal_cards", np.uint16, (len(CLASSES), 256)),
            ("is_legendary", np.uint8, (CARDS,)),
            ("cards", CardRow, (CARDS,)),
            ("rows", Row, (ROWS,)),
        ],
    )
)

Body = np.dtype(
    (
        np.record,
        [
            ("card", np.uint16),
            ("owner", np.uint8),
            ("zone", np.uint8),
            ("attack", np.int16),
            ("now", np.int16),  # attack for this turn
            ("aura", np.int16),  # attack from auras
            ("health", np.int16),
            ("most", np.int16),  # its full health
            ("stamp", np.int16),  # when it came into play
            ("words", np.uint16),
            ("attacks", np.uint8),  # made this turn
            ("place", np.uint8),  # of a dying minion: how many living ones stand left of it
            ("rank", np.uint8),  # and its number among those that died with it
            ("moments", np.int32),
        ],
    )
)

Side = np.dtype(
    (
        np.record,
        [
            ("class_", np.uint8),
            ("crystals", np.uint8),
            ("mana", np.uint8),
            ("armor", np.int16),
            ("fatigue", np.uint8),
            ("powers_used", np.uint8),
            ("minions_played", np.uint8),  # this turn
            ("tax", np.uint8),  # on spells, this turn
            ("next_tax", np.uint8),
            ("weapon", np.uint16),
            ("weapon_attack", np.int16),
            ("durability", np.int8),
            ("weapon_stamp", np.int16),
            ("board_size", np.uint8),
            ("hand_size", np.uint8),
            ("deck_size", np.uint8),
            ("secret_count", np.uint8),
            ("board", np.uint8, (BOARD,)),  # bodies, left to right
            ("hand", np.uint16, (HAND,)),  # in a rival's view: tokens first, then 0
            ("cheaper", np.uint8, (HAND,)),  # how much less each costs; of a rival's unknown cards, sorted
            ("deck", np.uint16, (DECK,)),  # the next card last; sorted in the owner's view, 0 in the rival's
            ("secrets", np.uint16, (SECRETS,)),  # 0 in the rival's view
            ("secret_stamps", np.int16, (SECRETS,)),
            ("slept", np.int32, (SECRETS,)),  # moments each secret could have acted upon and did not
            ("seen", np.uint32),  # which cards of the list the rival has seen: bits
            ("swaps", np.uint8),  # which of the dealt cards go back: bits; hidden until both have chosen
        ],
    )
)

Frame = np.dtype(
    (
        np.record,
        [
            ("moment", np.int32),
            ("row", np.uint16),
            ("card", np.uint16),
            ("stamp", np.int16),
            ("type", np.uint8),
            ("owner", np.uint8),
            ("source", np.int8),  # body, -1 none
            ("target", np.int8),  # body, -1 none
            ("turns", np.int8),  # how often the row still has to be done, 0: not begun
            ("begun", np.uint8),
            ("amount", np.int16),  # of the damage that woke it
        ],
    )
)

State = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("seat", np.int8),
            ("phase", np.uint8),
            ("turn", np.uint8),  # whose turn it is
            ("first", np.uint8),  # who plays first
            ("asked", np.uint8),  # the card of the mulligan that is asked about
            ("chosen", np.uint8),  # how many seats are through with their mulligan
            ("winner", np.uint8),
            ("turns", np.uint8),  # begun
            ("stage", np.uint8),  # of the action being played
            ("attacker", np.int8),
            ("defender", np.int8),
            ("frames", np.uint8),  # effects waiting
            ("has_dead", np.uint8),  # 1: somebody may have died
            ("is_lost", np.uint8),  # 1: more effects waited than there is room for
            ("next_stamp", np.int16),
            ("ears", np.int32),  # every moment that some minion or weapon has waited for in this game
            ("classes", np.uint8, (2,)),
            ("lists", np.uint16, (2, DECK)),  # the decks as built, sorted; of a hidden list what was seen, then 0
            ("side", Side, (2,)),
            ("body", Body, (BODIES,)),
            ("frame", Frame, (FRAMES,)),
        ],
    )
)
