"""Liar's Dice as its specification tells it: a slow engine written only to check the fast one.

Independent of `ludens`: it shares the dice protocol and the action numbers, not a line of code. Dice are lists of
faces, bids are pairs (quantity, face). Section numbers refer to the specification.

Dice: splitmix64; `below(n)` takes the top 32 bits. They are thrown for the first opener, if it is drawn, and for every
die, seat by seat. A roll follows at once on the call before it.
"""

WORD = (1 << 64) - 1
Bid = tuple[int, int]


def is_raise(rule: str, new: Bid, old: Bid) -> bool:
    """Section 1.3."""
    (quantity, face), (old_quantity, old_face) = new, old
    if rule == "reset_face":
        return quantity > old_quantity or (quantity == old_quantity and face > old_face)
    if rule == "reset_quantity":
        return face > old_face or (face == old_face and quantity > old_quantity)
    if rule == "monotone":
        return quantity >= old_quantity and face >= old_face and new != old
    return (quantity > old_quantity and face == old_face) or (quantity == old_quantity and face > old_face)


class Reference:
    """A match of Liar's Dice; ``first`` is a seat, "random" or "alternate"."""

    def __init__(
        self,
        start: list[int],
        seed: int,
        faces: int = 6,
        raise_rule: str = "monotone",
        wild: int = 0,
        wild_off: bool = False,
        exact: bool = False,
        exact_reward: str = "gain",
        loss: str = "one",
        first: int | str = 0,
        single_round: bool = False,
    ) -> None:
        self.start, self.held, self.rng, self.faces = start, list(start), seed & WORD, faces
        self.raise_rule, self.wild, self.wild_off = raise_rule, wild, wild_off
        self.exact, self.exact_reward, self.loss, self.single_round = exact, exact_reward, loss, single_round
        if first == "alternate":
            self.opener = seed % len(start)
        else:
            self.opener = self.below(len(start)) if first == "random" else int(first)
        self.rounds = 0
        self.winners: list[int] = []
        self.shown: list[list[int]] = [[] for _ in start]
        self.roll()

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng = (self.rng + 0x9E3779B97F4A7C15) & WORD
        z = self.rng
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        z = z ^ (z >> 31)
        return ((z >> 32) * n) >> 32

    @property
    def to_move(self) -> int:
        return -1 if self.winners else self.turn

    # Section 1.2

    def roll(self) -> None:
        """A new round."""
        self.dice = [[1 + self.below(self.faces) for _ in range(held)] for held in self.held]
        self.bids: list[Bid] = []
        self.turn = self.opener

    def legal(self) -> list[int]:
        """All bids in the order of their numbers, then the calls (section 1.5)."""
        bids = [(q, f) for q in range(1, sum(self.held) + 1) for f in range(1, self.faces + 1)]
        if not self.bids:
            return [self.id_of(bid) for bid in bids]
        raises = [self.id_of(bid) for bid in bids if is_raise(self.raise_rule, bid, self.bids[-1])]
        liar = sum(self.start) * self.faces
        return [*raises, liar, liar + 1] if self.exact else [*raises, liar]

    def id_of(self, bid: Bid) -> int:
        return (bid[0] - 1) * self.faces + bid[1] - 1

    def play(self, action: int) -> None:
        liar = sum(self.start) * self.faces
        if action < liar:
            self.bids.append((action // self.faces + 1, action % self.faces + 1))
            self.turn = self.after(self.turn)
        else:
            self.call(is_exact=action > liar)

    def after(self, seat: int) -> int:
        """The next seat still in."""
        seats = [*range(seat + 1, len(self.held)), *range(seat + 1)]
        return next(other for other in seats if self.held[other])

    def before(self, seat: int) -> int:
        return next(other for other in range(len(self.held)) if self.held[other] and self.after(other) == seat)

    # Sections 1.2 and 1.4: calls

    def counts(self, die: int, face: int) -> bool:
        is_off = self.wild_off and any(bid_face == self.wild for _, bid_face in self.bids)
        return die == face or (die == self.wild and not is_off)

    def call(self, is_exact: bool) -> None:
        caller, bidder, (quantity, face) = self.turn, self.before(self.turn), self.bids[-1]
        found = sum(self.counts(die, face) for dice in self.dice for die in dice)
        self.shown, self.rounds = [sorted(dice) for dice in self.dice], self.rounds + 1
        others = [seat for seat in range(len(self.held)) if seat != caller]
        if is_exact and found == quantity:
            self.opener = caller
            self.round_winners = [caller]
            if self.exact_reward == "gain":
                self.held[caller] = min(self.held[caller] + 1, self.start[caller])
            elif self.exact_reward == "others":
                self.held = [held if seat == caller else max(held - 1, 0) for seat, held in enumerate(self.held)]
            else:
                self.round_winners = [caller, *others]
        else:
            loser = caller if is_exact or found >= quantity else bidder
            lost = max(abs(found - quantity), 1) if self.loss == "difference" and not is_exact else 1
            self.held[loser] = max(self.held[loser] - lost, 0)
            self.opener = loser if self.held[loser] else self.after(loser)
            self.round_winners = [seat for seat in range(len(self.held)) if seat != loser]
        self.go_on()

    def go_on(self) -> None:
        """Section 1.1: the last with dice wins."""
        left = [seat for seat, held in enumerate(self.held) if held]
        if len(left) == 1:
            self.winners = left
        elif self.single_round:
            self.winners = sorted(self.round_winners)
        else:
            self.roll()
