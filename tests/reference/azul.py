"""Azul as the rulebook tells it: a slow engine written only to check the fast one.

Independent of `ludens`: it shares the dice protocol and the action numbers, not a line of code.
Tiles are counted per colour (0..4), since the order of equal tiles never matters. Section numbers
refer to the Azul specification.

Dice: splitmix64; `below(n)` takes the top 32 bits. They are thrown only for dealt tiles and by
whoever calls `below`. The deal of a round follows at once on the last decision of the one before.
"""

WORD = (1 << 64) - 1
FLOOR = 5  # the destination after rows 0..4
FLOOR_SPACES = 7
PENALTY = [0, 1, 2, 4, 6, 8, 11, 14]  # by number of occupied floor spaces
EMPTY_LINE = (-1, 0)

Wall = list[list[int]]  # 5 rows of 5 cells: -1 or the colour of the tile


class Reference:
    """A game of Azul for 2 to 4 players, on the coloured or the grey side of the wall."""

    def __init__(self, players: int, grey: bool = False, first: int = 0, seed: int = 0, cap: int = 30) -> None:
        self.players, self.grey, self.cap, self.rng = players, grey, cap, seed & WORD
        self.sources = 2 * players + 2  # the factories, then the centre
        self.bag, self.lid = [20] * 5, [0] * 5
        self.factories = [[0] * 5 for _ in range(2 * players + 1)]
        self.centre = [0] * 5
        self.walls: list[Wall] = [[[-1] * 5 for _ in range(5)] for _ in range(players)]
        self.lines = [[EMPTY_LINE] * 5 for _ in range(players)]  # (colour, count) per row
        self.floors = [0] * players  # occupied spaces, the marker's included
        self.floor_tiles = [[0] * 5 for _ in range(players)]  # the tiles there, per colour
        self.scores = [0] * players
        self.starter, self.to_move = first, first  # to_move is -1 when the game is over
        self.marker_in_centre, self.marker_holder = True, -1
        self.round = 0  # the round being played, from 1; after the game: rounds played
        self.over = self.capped = self.is_tiling = False
        self.tiled = 0  # grey wall: players who have finished this round's tiling
        self.row = 0  # grey wall: the row being tiled by `to_move`
        self.start_round()

    # Dice

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng = (self.rng + 0x9E3779B97F4A7C15) & WORD
        z = self.rng
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        z = z ^ (z >> 31)
        return ((z >> 32) * n) >> 32

    def draw_tile(self) -> int:
        """Take a tile from the bag, refilled from the lid if need be; -1 if both are empty."""
        if sum(self.bag) == 0:
            self.bag, self.lid = self.lid, [0] * 5
        if sum(self.bag) == 0:
            return -1
        pick = self.below(sum(self.bag))
        colour = 0
        while pick >= self.bag[colour]:
            pick -= self.bag[colour]
            colour += 1
        self.bag[colour] -= 1
        return colour

    # Section 4: the start of a round

    def start_round(self) -> None:
        """Fill the factories and put the marker in the centre; with no tile the game ends."""
        for factory in self.factories:
            for _ in range(4):
                colour = self.draw_tile()
                if colour >= 0:
                    factory[colour] += 1
        if not self.has_offer():
            self.finish()
            return
        self.round += 1
        self.marker_in_centre, self.marker_holder = True, -1
        self.to_move = self.starter

    def has_offer(self) -> bool:
        return any(map(sum, self.factories)) or sum(self.centre) > 0

    # Section 5: the decisions and their numbers

    def legal(self) -> list[int]:
        """The numbers of all legal actions, in ascending order."""
        if self.over:
            return []
        if self.is_tiling:
            columns = self.open_columns(self.to_move, self.row)
            return [self.sources * 30 + column for column in columns]
        return [
            (source * 5 + colour) * 6 + dest
            for source, tiles in enumerate([*self.factories, self.centre])
            for colour in range(5)
            for dest in range(6)
            if tiles[colour] > 0 and (dest == FLOOR or self.can_fill(dest, colour))
        ]

    def play(self, action: int) -> None:
        """Carry out one decision of `to_move` and everything that follows without a choice."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal for player {self.to_move}")
        if self.is_tiling:
            self.tile_line(self.to_move, self.row, action - self.sources * 30)
            self.row += 1
            self.tile_walls()
            return
        self.draft(action // 30, action // 6 % 5, action % 6)
        if self.has_offer():
            self.to_move = (self.to_move + 1) % self.players
        else:
            self.is_tiling, self.tiled, self.row = True, 0, 0
            self.tile_walls()

    # Section 2: drafting

    def can_fill(self, row: int, colour: int) -> bool:
        """A line takes one colour, while it has room, and none that its wall row shows."""
        held, count = self.lines[self.to_move][row]
        if colour in self.walls[self.to_move][row]:
            return False
        return count == 0 or (held == colour and count < row + 1)

    def draft(self, source: int, colour: int, dest: int) -> None:
        player = self.to_move
        if source == len(self.factories):
            taken = self.centre[colour]
            self.centre[colour] = 0
            if self.marker_in_centre:
                self.marker_in_centre, self.marker_holder = False, player
                self.floors[player] = min(self.floors[player] + 1, FLOOR_SPACES)
        else:
            factory = self.factories[source]
            taken = factory[colour]
            for other in range(5):
                if other != colour:
                    self.centre[other] += factory[other]
            self.factories[source] = [0] * 5
        if dest != FLOOR:
            count = self.lines[player][dest][1]
            placed = min(taken, dest + 1 - count)
            self.lines[player][dest] = (colour, count + placed)
            taken -= placed
        self.drop(player, colour, taken)

    def drop(self, player: int, colour: int, count: int) -> None:
        """Tiles fall on the floor line; those beyond its last space go to the lid."""
        landed = min(count, FLOOR_SPACES - self.floors[player])
        self.floors[player] += landed
        self.floor_tiles[player][colour] += landed
        self.lid[colour] += count - landed

    # Section 3: wall tiling

    def tile_walls(self) -> None:
        """Tile in turn order from the starter, rows top down, up to the next choice or the end."""
        while self.tiled < self.players:
            player = (self.starter + self.tiled) % self.players
            while self.row < 5:
                colour, count = self.lines[player][self.row]
                if count == self.row + 1:
                    columns = self.open_columns(player, self.row)
                    if self.grey and columns:
                        self.to_move = player
                        return
                    if columns:
                        self.tile_line(player, self.row, columns[0])
                    else:
                        self.lines[player][self.row] = EMPTY_LINE
                        self.drop(player, colour, count)
                self.row += 1
            self.charge_floor(player)
            self.tiled, self.row = self.tiled + 1, 0
        self.is_tiling = False
        self.end_round()

    def open_columns(self, player: int, row: int) -> list[int]:
        """The columns where the tile of a full line may go; one on the coloured wall."""
        wall, colour = self.walls[player], self.lines[player][row][0]
        if not self.grey:
            return [(row + colour) % 5]
        if colour in wall[row]:
            return []
        return [
            column
            for column in range(5)
            if wall[row][column] == -1 and all(wall[r][column] != colour for r in range(5))
        ]

    def tile_line(self, player: int, row: int, column: int) -> None:
        """Move one tile of a full line to the wall, score it, put the others in the lid."""
        colour, count = self.lines[player][row]
        self.lines[player][row] = EMPTY_LINE
        self.walls[player][row][column] = colour
        self.lid[colour] += count - 1
        self.scores[player] += placement_points(self.walls[player], row, column)

    def charge_floor(self, player: int) -> None:
        self.scores[player] = max(0, self.scores[player] - PENALTY[self.floors[player]])
        for colour in range(5):
            self.lid[colour] += self.floor_tiles[player][colour]
        self.floors[player], self.floor_tiles[player] = 0, [0] * 5

    # Section 4: the end of a round and of the game

    def end_round(self) -> None:
        if any(complete_rows(wall) > 0 for wall in self.walls):
            self.finish()
        elif self.round == self.cap:
            self.capped = True
            self.finish()
        else:
            if self.marker_holder >= 0:  # else nobody took from the centre: the starter stays
                self.starter = self.marker_holder
            self.start_round()

    def finish(self) -> None:
        self.over, self.to_move = True, -1
        for player, wall in enumerate(self.walls):
            self.scores[player] += final_bonus(wall)

    @property
    def winners(self) -> list[int]:
        """Most points, then most complete rows; players equal in both share the victory."""
        rank = [(score, complete_rows(wall)) for score, wall in zip(self.scores, self.walls, strict=True)]
        return [player for player in range(self.players) if rank[player] == max(rank)]


def placement_points(wall: Wall, row: int, column: int) -> int:
    """One point for each tile of the runs through the new tile; a lone tile scores one."""
    across = run_length(wall[row], column)
    down = run_length([wall[r][column] for r in range(5)], row)
    if across == 1 and down == 1:
        return 1
    return (across if across > 1 else 0) + (down if down > 1 else 0)


def run_length(cells: list[int], place: int) -> int:
    """How many tiles stand in the unbroken run through `place`."""
    first = last = place
    while first > 0 and cells[first - 1] != -1:
        first -= 1
    while last < 4 and cells[last + 1] != -1:
        last += 1
    return last - first + 1


def complete_rows(wall: Wall) -> int:
    return sum(-1 not in row for row in wall)


def final_bonus(wall: Wall) -> int:
    columns = sum(all(wall[row][column] != -1 for row in range(5)) for column in range(5))
    colours = sum(sum(row.count(colour) for row in wall) == 5 for colour in range(5))
    return 2 * complete_rows(wall) + 7 * columns + 10 * colours
