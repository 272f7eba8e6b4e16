/* Azul (coloured wall, 2 to 4 players): the twin of record.py and rules.py in src/ludens/games/azul, function by function.
 *
 *     gcc -O3 -march=native -o azul_twin bench/azul_twin.c && ./azul_twin PLAYERS GAMES SEED
 *
 * The same record, the same algorithm, the same order of steps as the kernels and as play_randomly in
 * core/drive.py, so that comparing speeds shows what compiled Python costs against C and nothing else. Names are those
 * of rules.py; events are left out, since the kernels compile them to nothing too, and the grey wall is tested for but
 * not written. Arguments, dice and the printed line of JSON are those of bench/azul.c: the totals must agree. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLOURS = 5, FLOOR = 5, FLOOR_SPACES = 7, MARKER = 5, MAX_SEATS = 4, MAX_SOURCES = 10, FULL = 31 };
enum { MAX_LEGAL = 224, ROUND_CAP = 30, OVER = -1, CHANCE = -2 };
enum { DRAFTING, TILING, DEALING, ENDED };

typedef struct {
    uint8_t players, factories, grey;
    int8_t first;
    int16_t cap;
} Table;

typedef struct __attribute__((packed)) {
    uint64_t rng;
    int8_t seat;
    uint8_t phase, turn, row;
    int16_t rounds;
    uint8_t starter;
    int8_t marker;
    uint8_t capped;
    uint64_t offer;
    uint8_t sources[MAX_SOURCES][COLOURS];
    uint8_t bag[COLOURS], lid[COLOURS];
    uint8_t wall[MAX_SEATS][5][5];
    uint8_t built[MAX_SEATS][5], line_colour[MAX_SEATS][5], line_count[MAX_SEATS][5];
    uint8_t floor[MAX_SEATS][COLOURS + 1];
    uint16_t score[MAX_SEATS];
} State;

typedef struct {
    long moves, offered, score_sum, rounds;
    uint64_t checksum;
} Totals;

static const int PENALTY[FLOOR_SPACES + 1] = {0, 1, 2, 4, 6, 8, 11, 14};
static uint8_t DESTS[32][8]; /* legal destinations in order, by the bit set of open rows; the floor is the last */
static uint8_t DEST_COUNT[32];
static uint8_t SHIFT[MAX_SOURCES * COLOURS]; /* where a group's colour lies in open_rows */
static int64_t SPREAD[32]; /* a bit set of colours, moved five bits apart */

static void make_tables(void) {
    for (int set = 0; set < 32; set++) {
        int n = 0;
        for (int row = 0; row < 5; row++)
            if (set >> row & 1) DESTS[set][n++] = row;
        DESTS[set][n++] = FLOOR;
        DEST_COUNT[set] = n;
        for (int k = 0; k < 5; k++) SPREAD[set] |= (int64_t)(set >> k & 1) << 5 * k;
    }
    for (int group = 0; group < MAX_SOURCES * COLOURS; group++) SHIFT[group] = 5 * (group % COLOURS);
}

_Noreturn static void grey_is_missing(void) {
    fputs("the grey wall is not part of this yardstick\n", stderr);
    exit(1);
}

static inline int min(int a, int b) { return a < b ? a : b; }

/* splitmix64; the top 32 bits give a number from 0 to n - 1 */
static inline int below(State *s, int n) {
    uint64_t z = s->rng += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)(((z ^ (z >> 31)) >> 32) * (uint64_t)n >> 32);
}

static void setup(const Table *g, State *s) {
    for (int colour = 0; colour < COLOURS; colour++) s->bag[colour] = 20;
    s->starter = g->first < 0 ? below(s, g->players) : g->first;
    s->marker = -1;
    s->phase = DEALING;
}

static inline int to_move(const State *s) {
    if (s->phase <= TILING) return s->turn;
    return s->phase == DEALING ? CHANCE : OVER;
}

static inline int next_seat(const Table *g, int seat) { return seat + 1 == g->players ? 0 : seat + 1; }

static inline int count(const uint8_t *tiles, int kinds) {
    int n = 0;
    for (int i = 0; i < kinds; i++) n += tiles[i];
    return n;
}

static inline int on_floor(const State *s, int seat) { return count(s->floor[seat], COLOURS + 1); }

/* Drafting */

/* For each colour the bit set of lines that may take it: five bits a colour. */
static inline int64_t open_rows(const State *s, int seat) {
    int64_t rows = 0;
    for (int row = 0; row < 5; row++) {
        int held = s->line_count[seat][row];
        int is_empty = -(held == 0), has_room = -((held > 0) & (held <= row));
        int missing = ~s->built[seat][row], same = 1 << s->line_colour[seat][row];
        rows |= SPREAD[((missing & is_empty) | (same & has_room)) & FULL] << row;
    }
    return rows;
}

/* List all legal actions in ascending order. Eight are written at a time (rules.py: six), which gcc does as one vector;
 * the next group overwrites what was too much. */
static inline int legal(const State *s, uint32_t *out) {
    if (s->phase == TILING) grey_is_missing();
    int64_t rows_by_colour = open_rows(s, s->turn);
    int n = 0;
    for (uint64_t offer = s->offer; offer; offer &= offer - 1) {
        int group = __builtin_ctzll(offer);
        int rows = rows_by_colour >> SHIFT[group] & FULL;
        for (int i = 0; i < 8; i++) out[n + i] = DESTS[rows][i] + group * 6;
        n += DEST_COUNT[rows];
    }
    return n;
}

/* Tiles fall to the floor; those beyond its seventh space go to the lid at once. */
static inline void drop(State *s, int seat, int colour, int tiles) {
    int kept = min(tiles, FLOOR_SPACES - on_floor(s, seat));
    s->floor[seat][colour] += kept;
    s->lid[colour] += tiles - kept;
}

/* Take all tiles of a colour from a source; put them in a line or on the floor. */
static inline void draft(const Table *g, State *s, uint32_t action) {
    int seat = s->turn, centre = g->factories;
    int group = action / 6, dest = action % 6;
    int source = group / COLOURS, colour = group % COLOURS;
    int taken = s->sources[source][colour];
    s->sources[source][colour] = 0;
    uint64_t offer = s->offer ^ (uint64_t)1 << group;
    if (source == centre) {
        if (s->marker < 0) {
            s->marker = seat;
            s->floor[seat][MARKER] = on_floor(s, seat) < FLOOR_SPACES;
        }
    } else {
        uint64_t rest = offer >> source * COLOURS & FULL;
        offer ^= rest << source * COLOURS;
        offer |= rest << centre * COLOURS;
        for (int c = 0; c < COLOURS; c++) {
            s->sources[centre][c] += s->sources[source][c];
            s->sources[source][c] = 0;
        }
    }
    s->offer = offer;
    if (dest != FLOOR) {
        int held = s->line_count[seat][dest], placed = min(taken, dest + 1 - held);
        s->line_colour[seat][dest] = colour;
        s->line_count[seat][dest] = held + placed;
        taken -= placed;
    }
    if (taken) drop(s, seat, colour, taken);
}

/* Tiling */

/* What a tile placed here scores: the runs it joins across and down, 1 if it stands alone. */
static inline int placement_points(const State *s, int seat, int row, int column) {
    const uint8_t(*wall)[5] = s->wall[seat];
    int up = row, left = column, right = column, down = row;
    while (up > 0 && wall[up - 1][column]) up--;
    while (left > 0 && wall[row][left - 1]) left--;
    while (right < 4 && wall[row][right + 1]) right++;
    while (down < 4 && wall[down + 1][column]) down++;
    int across = right - left + 1, downwards = down - up + 1;
    if (across == 1) return downwards;
    return downwards == 1 ? across : across + downwards;
}

/* A full line sends a tile to the wall, which scores at once; its other tiles go to the lid. */
static inline void tile(State *s, int seat, int row, int column) {
    int colour = s->line_colour[seat][row];
    s->line_count[seat][row] = 0;
    s->lid[colour] += row;
    int points = placement_points(s, seat, row, column);
    s->wall[seat][row][column] = 1 + colour;
    s->built[seat][row] |= 1 << colour;
    s->score[seat] += points;
}

/* The floor costs points, never below 0, and is cleared into the lid. */
static inline void charge(State *s, int seat) {
    int spaces = on_floor(s, seat);
    if (spaces == 0) return;
    s->score[seat] -= min(s->score[seat], PENALTY[spaces]);
    for (int colour = 0; colour < COLOURS; colour++) {
        s->lid[colour] += s->floor[seat][colour];
        s->floor[seat][colour] = 0;
    }
    s->floor[seat][MARKER] = 0;
}

static inline int complete_rows(const State *s, int seat) {
    int rows = 0;
    for (int row = 0; row < 5; row++) rows += s->built[seat][row] == FULL;
    return rows;
}

static inline int complete_columns(const State *s, int seat) {
    int columns = 0;
    for (int column = 0; column < 5; column++) {
        int filled = 1;
        for (int row = 0; row < 5; row++) filled &= s->wall[seat][row][column] != 0;
        columns += filled;
    }
    return columns;
}

static inline int complete_colours(const State *s, int seat) {
    int common = FULL, colours = 0;
    for (int row = 0; row < 5; row++) common &= s->built[seat][row];
    for (int colour = 0; colour < COLOURS; colour++) colours += common >> colour & 1;
    return colours;
}

/* Final bonuses: 2 a row, 7 a column, 10 a colour. */
static void end(const Table *g, State *s) {
    s->phase = ENDED;
    for (int seat = 0; seat < g->players; seat++)
        s->score[seat] += 2 * complete_rows(s, seat) + 7 * complete_columns(s, seat) + 10 * complete_colours(s, seat);
}

static inline void finish_round(const Table *g, State *s) {
    s->rounds++;
    if (s->marker >= 0) s->starter = s->marker;
    s->marker = -1;
    s->phase = DEALING;
    for (int seat = 0; seat < g->players; seat++) {
        if (complete_rows(s, seat)) {
            end(g, s);
            return;
        }
    }
    if (s->rounds >= g->cap) {
        s->capped = 1;
        end(g, s);
    }
}

/* Tile from line `row` of seat `turn` on, until every seat is done. */
static inline void tile_on(const Table *g, State *s) {
    for (;;) {
        int seat = s->turn;
        while (s->row < 5) {
            int row = s->row;
            if (s->line_count[seat][row] > row) {
                int colour = s->line_colour[seat][row];
                if (g->grey) grey_is_missing();
                tile(s, seat, row, (row + colour) % 5);
            }
            s->row++;
        }
        charge(s, seat);
        s->turn = next_seat(g, seat);
        s->row = 0;
        if (s->turn == s->starter) {
            finish_round(g, s);
            return;
        }
    }
}

static inline void decide(const Table *g, State *s, uint32_t action) {
    if (s->phase == TILING) grey_is_missing();
    draft(g, s, action);
    if (s->offer) {
        s->turn = next_seat(g, s->turn);
        return;
    }
    s->phase = TILING;
    s->turn = s->starter;
    s->row = 0;
    tile_on(g, s);
}

/* Rounds */

static inline void empty_lid_if_needed(State *s) {
    if (count(s->bag, COLOURS)) return;
    for (int colour = 0; colour < COLOURS; colour++) {
        s->bag[colour] = s->lid[colour];
        s->lid[colour] = 0;
    }
}

static inline void running_totals(const uint8_t *tiles, int *upto) {
    for (int colour = 0, n = 0; colour < COLOURS; colour++) upto[colour] = n += tiles[colour];
}

/* Draw four tiles for each factory, emptying the lid into the bag whenever the bag runs out; what is on offer. */
static inline uint64_t fill_factories(const Table *g, State *s) {
    int upto[COLOURS]; /* the bag, summed over the colours so far */
    uint64_t offer = 0;
    empty_lid_if_needed(s);
    running_totals(s->bag, upto);
    for (int factory = 0; factory < g->factories; factory++) {
        for (int i = 0; i < 4; i++) {
            if (upto[4] == 0) {
                memset(s->bag, 0, COLOURS);
                empty_lid_if_needed(s);
                running_totals(s->bag, upto);
                if (upto[4] == 0) break;
            }
            int pick = below(s, upto[4]);
            int colour = (pick >= upto[0]) + (pick >= upto[1]) + (pick >= upto[2]) + (pick >= upto[3]);
            for (int c = 0; c < COLOURS; c++) upto[c] -= pick < upto[c];
            s->sources[factory][colour]++;
            offer |= (uint64_t)1 << (factory * COLOURS + colour);
        }
    }
    for (int c = 0; c < COLOURS; c++) s->bag[c] = upto[c] - (c ? upto[c - 1] : 0);
    return offer;
}

/* Fill the factories and start the round; without a single tile the game is over. */
static inline void chance(const Table *g, State *s) {
    s->offer = fill_factories(g, s);
    if (s->offer == 0) {
        end(g, s);
        return;
    }
    s->phase = DRAFTING;
    s->turn = s->starter;
}

/* Most points win, then most complete rows; what remains tied is shared. */
static inline void returns(const Table *g, const State *s, double *out) {
    int best = -1, winners = 0, joint = 0, seats = g->players;
    for (int seat = 0; seat < seats; seat++) {
        int standing = s->score[seat] * 8 + complete_rows(s, seat);
        if (standing > best) {
            best = standing;
            winners = 0;
        }
        if (standing == best) winners |= 1 << seat;
    }
    for (int seat = 0; seat < seats; seat++) joint += winners >> seat & 1;
    double lost = joint ? -1.0 / (seats - 1) : -1.0;
    double won = (1.0 - (joint - 1.0) / (seats - 1)) / (joint > 1 ? joint : 1);
    for (int seat = 0; seat < seats; seat++) out[seat] = winners >> seat & 1 ? won : lost;
}

static inline void apply(const Table *g, State *s, uint32_t action) {
    decide(g, s, action);
    while (to_move(s) == CHANCE) chance(g, s);
}

static inline void start(const Table *g, State *s) {
    setup(g, s);
    while (to_move(s) == CHANCE) chance(g, s);
}

/* Deal and play random games, one after another, all in the record s. */
static Totals play_randomly(const Table *g, State *s, uint32_t *list, double *results, uint64_t seed, long games) {
    static const State blank;
    Totals t = {0};
    for (long i = 0; i < games; i++) {
        *s = blank;
        s->rng = seed + i * 0xD1342543DE82EF95u;
        s->seat = -1;
        start(g, s);
        while (to_move(s) != OVER) {
            int n = legal(s, list);
            apply(g, s, list[below(s, n)]);
            t.moves++;
            t.offered += n;
        }
        returns(g, s, results);
        t.checksum ^= s->rng;
        t.rounds += s->rounds;
        for (int seat = 0; seat < g->players; seat++) t.score_sum += s->score[seat];
    }
    return t;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    int players = argc == 4 ? atoi(argv[1]) : 0;
    long games = argc == 4 ? atol(argv[2]) : 0;
    if (players < 2 || players > MAX_SEATS || games < 1) {
        fprintf(stderr, "usage: %s PLAYERS(2..4) GAMES SEED\n", argv[0]);
        return 2;
    }
    volatile uint8_t grey = 0; /* volatile: the compiler must not know it and drop the tests */
    Table g = {.players = players, .factories = 2 * players + 1, .grey = grey, .first = 0, .cap = ROUND_CAP};
    State s;
    uint32_t list[MAX_LEGAL];
    double results[MAX_SEATS];
    make_tables();
    double begun = now();
    Totals t = play_randomly(&g, &s, list, results, strtoull(argv[3], NULL, 0), games);
    double seconds = now() - begun;
    printf("{\"games\":%ld,\"seconds\":%.6f,\"games_per_s\":%.1f,\"moves\":%ld,\"score_sum\":%ld,"
           "\"rounds\":%ld,\"checksum\":%llu}\n",
           games, seconds, games / seconds, t.moves, t.score_sum, t.rounds, (unsigned long long)t.checksum);
    return 0;
}
