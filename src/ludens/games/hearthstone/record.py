"""The constants and the state record of Hearthstone, and the meaning of the numbers in them.

A *body* is a hero or a minion. Bodies 0 and 1 are the heroes of seats 0 and 1. A minion keeps its index in the list of
bodies as long as it is in play, so that effects can refer to it. A set of bodies is a bit mask in one int64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int8, int16, int32, uint8, uint16, uint32, uint64

from ludens.core.fields import record_of

BODIES, BOARD, HAND, DECK, SECRETS, MULLIGAN = 30, 7, 10, 30, 5, 4  # capacities
FRAMES = 40  # capacity of the effect stack
CARDS, ROWS, KNOWN_DECKS, MEMBERS = 640, 512, 16, 128
CLASSES = ("neutral", "warrior", "shaman", "rogue", "paladin", "hunter", "druid", "warlock", "mage", "priest")
HERO_HEALTH, MANA, TURNS = 30, 10, 200
NOBODY = 255

SETTING_UP, MULLIGANS, DEALING, ACTING, PASSING, ENDED = range(6)  # phases
FREE, IN_PLAY, DYING, DEAD = range(4)  # zones of a body
MINION, SPELL, SECRET, WEAPON, POWER, HERO = TYPES = range(1, 7)  # of cards
TRIBES = ("none", "beast", "mech", "murloc", "demon", "dragon", "pirate", "totem")
NO_TRIBE, BEAST, MECH, MURLOC, DEMON, DRAGON, PIRATE, TOTEM = range(8)

# Keywords of a body: bits
CHARGE, TAUNT, SHIELD, WINDFURY, STEALTH, FROZEN, SILENCED, CANNOT_ATTACK = (1 << i for i in range(8))
ELUSIVE, POISON, CHILL, DRAIN, IMMUNE, SICK, DOOMED, WOKEN = (1 << i for i in range(8, 16))
PRINTED = CHARGE | TAUNT | SHIELD | WINDFURY | STEALTH | CANNOT_ATTACK | ELUSIVE | POISON | CHILL | DRAIN

# Triggers, when an effect happens: bits. FRIEND and FOE are relative to the owner of the effect.
PLAY, DEATH, TURN_START, TURN_END, EACH_START = (1 << i for i in range(5))
CAST, FOE_CAST, AFTER_CAST, SECRET_PLAYED, FOE_SECRET_PLAYED = (1 << i for i in range(5, 10))
ENTERS, SUMMONED, HURT, FRIEND_HURT, FRIEND_DIES = (1 << i for i in range(10, 15))
ATTACKED, FOE_ATTACKS, HERO_ATTACKS, ATTACKS, WAS_ATTACKED = (1 << i for i in range(15, 20))
REVEALED, HEALED, INSPIRE, FATAL = (1 << i for i in range(20, 24))
HAS_AURA = 1 << 24  # not a trigger: in `listened_triggers`, some minion with an aura has been in play

# Kinds of effects; those up to DESTROY act on bodies
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
) = EFFECT_KINDS = range(1, 35)

AS_MUCH = -1  # an amount of damage: as much as the damage that set the effect off

# Recipients of an effect
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
) = RECIPIENTS = range(1, 15)

# Conditions of an effect
(
    ALWAYS,
    WITH_BEAST,
    WITHOUT_BEAST,
    HAND_EMPTY,
    TARGET_FROZEN,
    TARGET_NOT_FROZEN,
    HAS_ROOM,
    HAS_MINION,  # in play, even one that is about to die
    HAS_LIVING,
    FOE_HAS_MINION,
    BEAST_DIED,
    IS_PIRATE,
    EVERY_OTHER_TIME,
    TARGET_IS_HERO,
    ROOM_FOR_HOUNDS,
    ROOM_FOR_TOTEM,
    HOLDS_DRAGON,
) = CONDITIONS = range(17)

# Auras: what a minion changes as long as it is in play
(
    NO_AURA,
    OTHERS_ATTACK,
    NEIGHBOURS_ATTACK,
    ENRAGE,
    OWN_SPELLS,
    ALL_MINIONS,
    BATTLECRIES,
    OWN_MECHS,
    FIRST_MINION,
    POWER_DAMAGE,
    TWO_POWERS,
) = AURAS = range(11)

# What the player may choose as the target of a card
NO_TARGET, ANY, ANY_MINION, FRIENDLY_MINION, ENEMY_MINION, ANY_HERO, FRIENDLY = CHOICES = range(7)

# Actions. Targets, for the seat to move: 0 none, 1 own hero, 2 to 8 own minions, 9 enemy hero, 10 to 16 enemy minions.
TARGETS, PLACES, RIGHTMOST = 17, 8, 7
END = 0
FIRST_PLAY = 1  # + (hand * PLACES + place) * TARGETS + target
FIRST_ATTACK = FIRST_PLAY + HAND * PLACES * TARGETS  # + attacker * 8 + defender; 0 the hero, 1 to 7 minions
FIRST_POWER = FIRST_ATTACK + 64  # + target
FIRST_MULLIGAN = FIRST_POWER + TARGETS  # + 2 * card + (1: put it back)
ACTIONS = FIRST_MULLIGAN + 2 * MULLIGAN
LABELS = CARDS * PLACES * TARGETS  # labels of plays, by card: see `rules.label`

# Kinds of events. A body in one number: card + 1024 * owner + 2048 * body + 65536 * place on the board (0: none).
(
    STARTS,  # who plays first
    DEALT,  # seat, card (0 for the rival)
    CHOSE,  # seat, card (0 for the rival), 1: put back (0 for the rival)
    REPLACED,  # seat, number of cards
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
    TRIGGERED,  # card + 1024 * owner, index of the trigger bit, body
    UNCOVERED,  # seat, card, its place among the secrets from 1: a secret acts
    HIT,  # body, damage, health left
    SHIELDED,  # body: its shield took the damage
    PREVENTED,  # body, damage: it is immune, or was saved
    MENDED,  # body, health restored, health now
    ARMORED,  # seat, armor gained, armor now
    BUFFED,  # body, attack, health
    CHANGED,  # body, attack, health as set
    GOT,  # body, keywords given: bits
    FROZE,  # body
    HUSHED,  # body: silenced
    CONDEMNED,  # body: will be destroyed
    DIED,  # body
    APPEARED,  # body, 1: played
    ARMED,  # seat, weapon
    DISARMED,  # seat, weapon
    WORE,  # seat, durability now, attack now
    CRYSTALS,  # seat, crystals now, mana now
    TAXED,  # seat, extra cost of its spells in the next turn
    CHEAPER,  # seat, number of cards
    FIZZLED,  # card + 1024 * owner: it had no effect
    THAWED,  # body
    FINISHED,  # winner or NOBODY
) = EVENTS = range(38)


class HearthstoneConstants(NamedTuple):
    """The constants of a game: cards, deck lists and options, the same for a whole run."""

    c: np.record


Row = record_of(
    trigger=int32,
    kind=int32,
    a=int32,
    b=int32,
    recipients=int8,
    is_random=int8,
    condition=int8,
)

CardRow = record_of(
    type=uint8,
    class_=uint8,
    tribe=uint8,
    cost=int16,
    attack=int16,
    health=int16,
    keywords=uint16,
    spell_damage=int8,
    aura=uint8,
    aura_size=int8,
    target=uint8,
    needs=uint8,
    triggers=int32,  # of all its effects
    first=uint16,  # its effects are rows first to last - 1
    last=uint16,
    is_token=uint8,
    has_battlecry=uint8,
)

Constants = record_of(
    compat=uint8,  # 1: as the Fireplace of March 2016 played it
    free_places=uint8,
    hidden_lists=uint8,
    coin=uint16,
    powers=(uint16, len(CLASSES)),
    heroes=(uint16, len(CLASSES)),
    lists=(uint16, (2, DECK)),  # decks of the seats whose agent has none of its own
    classes=(uint8, 2),
    known_count=uint8,
    known=(uint16, (KNOWN_DECKS, DECK)),  # decks that guesses give to an opponent with a hidden list
    known_class=(uint8, KNOWN_DECKS),
    members=(uint16, MEMBERS + 32),  # cards of the sets to summon from, one set after the other
    legal_count=(uint16, len(CLASSES)),  # cards a deck of the class may hold
    legal_cards=(uint16, (len(CLASSES), 256)),
    is_legendary=(uint8, CARDS),
    cards=(CardRow, CARDS),
    rows=(Row, ROWS),
)

Body = record_of(
    card=uint16,
    owner=uint8,
    zone=uint8,
    attack=int16,
    attack_this_turn=int16,  # attack for this turn
    aura=int16,  # attack from auras
    health=int16,
    max_health=int16,  # full health
    play_order=int16,  # smaller: came into play earlier
    keywords=uint16,
    attacks=uint8,  # made this turn
    place=uint8,  # of a dying minion: number of living ones left of it
    death_rank=uint8,  # and its index among those of its side that died with it
    triggers=int32,
)

Side = record_of(
    class_=uint8,
    crystals=uint8,
    mana=uint8,
    extra_mana=uint8,  # the part of it that no crystal gave (The Coin); it is spent first
    armor=int16,
    fatigue=uint8,
    powers_used=uint8,
    minions_played=uint8,  # this turn
    tax=uint8,  # on spells, this turn
    next_tax=uint8,
    weapon=uint16,
    weapon_attack=int16,
    durability=int8,
    weapon_play_order=int16,
    board_size=uint8,
    hand_size=uint8,
    deck_size=uint8,
    secret_count=uint8,
    board=(uint8, BOARD),  # bodies, left to right
    hand=(uint16, HAND),  # in a rival's view: tokens first, then 0
    discounts=(uint8, HAND),  # how much less each costs; in a rival's view, those of unknown cards sorted
    deck=(uint16, DECK),  # the next card last; sorted in the owner's view, 0 in the rival's
    secrets=(uint16, SECRETS),  # 0 in the rival's view
    secret_play_order=(int16, SECRETS),
    missed_triggers=(int32, SECRETS),  # bits: triggers at which each could have acted and did not
    seen=uint32,  # which cards of the deck list the rival has seen: bits
    put_back=uint8,  # which of the dealt cards go back: bits; hidden until both have chosen
)

Frame = record_of(
    trigger=int32,
    row=uint16,
    card=uint16,
    play_order=int16,
    type=uint8,
    owner=uint8,
    source=int8,  # body, -1 none
    target=int8,  # body, -1 none
    turns=int8,  # repetitions of the row still to be done, 0: not begun
    begun=uint8,  # 1: it was checked whether it still applies
    amount=int16,  # of the damage that set it off
)

State = record_of(
    rng=uint64,
    seat=int8,
    phase=uint8,
    turn=uint8,  # whose turn it is
    first=uint8,  # who plays first
    mulligan_card=uint8,  # the card of the mulligan that is asked about
    chosen=uint8,  # number of seats that have finished their mulligan
    winner=uint8,
    turns=uint8,  # number of turns begun
    stage=uint8,  # of the action being played, see turn.py
    attacker=int8,
    defender=int8,
    frames=uint8,  # size of the effect stack
    has_dead=uint8,  # 1: a body may have died
    stack_overflowed=uint8,  # 1: the effect stack was full and an effect lost
    next_play_order=int16,
    listened_triggers=int32,  # all triggers of minions and weapons that have been in play in this game
    classes=(uint8, 2),
    lists=(uint16, (2, DECK)),  # the deck lists, sorted; in a view, of a hidden list the cards seen, then 0
    side=(Side, 2),
    body=(Body, BODIES),
    frame=(Frame, FRAMES),
)
