/* Azul (coloured wall, 2 to 4 players) by hand in C: the yardstick for the compiled Python kernels.
 *
 *     gcc -O3 -march=native -o azul bench/azul.c && ./azul PLAYERS GAMES SEED
 *
 * Plays GAMES random games in one thread and prints a line of JSON. Rules, dice and action numbers
 * are those of tests/reference/azul.py, so the totals agree with it game for game. Every decision
 * writes out the full list of legal actions and picks one of them. One thing is done earlier than
 * in the rulebook: floor tiles enter the lid as they fall, since nothing reads the lid before the
 * next deal. Lists of five counts are padded to eight bytes so that they move as one word. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLOURS = 5, PAD = 8, ROWS = 5, FLOOR = 5, FLOOR_SPACES = 7, FULL = 31, ROUND_CAP = 30 };
enum { MAX_PLAYERS = 4, MAX_SOURCES = 2 * MAX_PLAYERS + 2, MAX_LEGAL = 216 };

typedef struct {
    uint8_t across[5]; /* wall by row: bit = column */
    uint8_t down[5];   /* the same wall by column: bit = row */
    uint8_t open[PAD]; /* by colour: bit = row whose line may take it */
    int8_t colour[5];  /* pattern lines: colour, if any tile is there, and number of tiles */
    int8_t count[5];
    int8_t floor; /* occupied spaces, the marker's included */
    int16_t score;
} Board;

typedef struct {
    uint64_t rng;
    uint64_t offer;                 /* bit source * 5 + colour: such tiles lie there */
    int8_t tiles[MAX_SOURCES][PAD]; /* the factories, then the centre */
    int8_t bag[PAD], lid[PAD];
    int8_t players, factories, to_move, starter;
    int8_t holder; /* who took the marker, -1 while it lies in the centre */
    int8_t round;  /* rounds played */
    Board board[MAX_PLAYERS];
} Game;

static const int8_t PENALTY[FLOOR_SPACES + 1] = {0, 1, 2, 4, 6, 8, 11, 14};
static int16_t DESTS[32][8]; /* legal destinations in order, by the mask of open rows */
static int8_t DEST_COUNT[32];
static int8_t RUN[32][5]; /* length of the run through a place, by the mask of its row or column */
static int8_t COLOUR_OF[MAX_SOURCES * COLOURS];

static void make_tables(void) {
    for (int mask = 0; mask < 32; mask++) {
        int n = 0;
        for (int row = 0; row < ROWS; row++)
            if (mask >> row & 1) DESTS[mask][n++] = row;
        DESTS[mask][n++] = FLOOR;
        DEST_COUNT[mask] = n;
        for (int place = 0; place < 5; place++) {
            int first = place, last = place;
            while (first > 0 && mask >> (first - 1) & 1) first--;
            while (last < 4 && mask >> (last + 1) & 1) last++;
            RUN[mask][place] = last - first + 1;
        }
    }
    for (int group = 0; group < MAX_SOURCES * COLOURS; group++) COLOUR_OF[group] = group % COLOURS;
}

/* splitmix64; the top 32 bits give a number from 0 to n - 1 */
static inline uint32_t below(uint64_t *rng, uint32_t n) {
    uint64_t z = *rng += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(((z ^ (z >> 31)) >> 32) * n >> 32);
}

/* Fill the factories; false if there is no tile at all. */
static int deal(Game *g) {
    int upto[COLOURS], left = 0; /* bag counts, summed over the colours so far */
    uint64_t rng = g->rng, offer = 0;
    for (int c = 0; c < COLOURS; c++) upto[c] = left += g->bag[c];
    for (int f = 0; f < g->factories; f++) {
        for (int i = 0; i < 4; i++) {
            if (left == 0) {
                for (int c = 0; c < COLOURS; c++) upto[c] = left += g->lid[c];
                memset(g->lid, 0, PAD);
                if (left == 0) break;
            }
            int pick = below(&rng, left--), colour = 0;
            for (int c = 0; c < COLOURS; c++) {
                colour += pick >= upto[c];
                upto[c] -= pick < upto[c];
            }
            g->tiles[f][colour]++;
            offer |= (uint64_t)1 << (f * COLOURS + colour);
        }
    }
    for (int c = 0; c < COLOURS; c++) g->bag[c] = upto[c] - (c ? upto[c - 1] : 0);
    g->rng = rng;
    g->offer = offer;
    return offer != 0;
}

/* List all legal actions in ascending order; the list needs room for 8 beyond the last. */
static inline int legal_actions(const Game *g, int16_t *list) {
    const uint8_t *open = g->board[g->to_move].open;
    int n = 0;
    for (uint64_t offer = g->offer; offer; offer &= offer - 1) {
        int group = __builtin_ctzll(offer);
        int mask = open[COLOUR_OF[group]];
        for (int i = 0; i < 8; i++) list[n + i] = DESTS[mask][i] + group * 6;
        n += DEST_COUNT[mask];
    }
    return n;
}

/* Take all tiles of a colour from a source and put them in a line or on the floor. */
static inline void draft(Game *g, int action) {
    int group = action / 6, dest = action % 6;
    int source = group / COLOURS, colour = group % COLOURS;
    int8_t *tiles = g->tiles[source], *centre = g->tiles[g->factories];
    Board *b = &g->board[g->to_move];
    int taken = tiles[colour];
    g->offer ^= (uint64_t)1 << group;
    if (source == g->factories) {
        if (g->holder < 0) {
            g->holder = g->to_move;
            b->floor += b->floor < FLOOR_SPACES;
        }
    } else {
        uint64_t rest = g->offer >> (source * COLOURS) & 31;
        g->offer ^= rest << (source * COLOURS);
        g->offer |= rest << g->factories * COLOURS;
        for (int c = 0; c < PAD; c++) centre[c] += tiles[c];
        memset(tiles, 0, PAD);
    }
    centre[colour] -= taken;
    if (dest != FLOOR) {
        int room = dest + 1 - b->count[dest];
        int placed = taken < room ? taken : room;
        b->colour[dest] = colour;
        b->count[dest] += placed;
        taken -= placed;
        int same = b->open[colour] & ~((placed == room) << dest);
        for (int c = 0; c < PAD; c++) b->open[c] &= ~(1 << dest);
        b->open[colour] = same; /* a line with room stays open to its own colour */
    }
    g->lid[colour] += taken;
    b->floor = b->floor + taken < FLOOR_SPACES ? b->floor + taken : FLOOR_SPACES;
    g->to_move = g->to_move + 1 == g->players ? 0 : g->to_move + 1;
}

/* Tile one wall and charge the floor; true if the wall has a complete row. */
static inline int tile_wall(Game *g, Board *b) {
    int complete = 0, score = b->score;
    for (int row = 0; row < ROWS; row++) {
        if (b->count[row] <= row) continue;
        int colour = b->colour[row], column = row + colour < 5 ? row + colour : row + colour - 5;
        b->across[row] |= 1 << column;
        b->down[column] |= 1 << row;
        int h = RUN[b->across[row]][column], v = RUN[b->down[column]][row];
        score += h == 1 ? v : v == 1 ? h : h + v;
        complete |= b->across[row] == FULL;
        g->lid[colour] += row;
        b->count[row] = 0;
        for (int c = 0; c < COLOURS; c++) {
            int place = row + c < 5 ? row + c : row + c - 5;
            b->open[c] |= (~b->across[row] >> place & 1) << row;
        }
    }
    score -= PENALTY[b->floor];
    b->score = score > 0 ? score : 0;
    b->floor = 0;
    return complete;
}

static int final_bonus(const Board *b) {
    int bonus = 0;
    for (int i = 0; i < 5; i++) {
        int colour = 1;
        for (int row = 0; row < ROWS; row++) colour &= b->across[row] >> (row + i) % 5;
        bonus += 2 * (b->across[i] == FULL) + 7 * (b->down[i] == FULL) + 10 * colour;
    }
    return bonus;
}

/* Play a random game to its end, bonuses included; returns the number of moves. */
static int play(Game *g, int players, uint64_t seed) {
    int16_t list[MAX_LEGAL + 8];
    int moves = 0;
    memset(g, 0, sizeof *g);
    g->rng = seed;
    g->players = players;
    g->factories = 2 * players + 1;
    memset(g->bag, 20, COLOURS);
    for (int p = 0; p < players; p++) memset(g->board[p].open, FULL, COLOURS);
    for (int complete = 0; !complete && g->round < ROUND_CAP && deal(g); g->round++) {
        g->holder = -1;
        g->to_move = g->starter;
        for (; g->offer; moves++) {
            int n = legal_actions(g, list);
            draft(g, list[below(&g->rng, n)]);
        }
        for (int p = 0; p < players; p++) complete |= tile_wall(g, &g->board[p]);
        if (g->holder >= 0) g->starter = g->holder;
    }
    for (int p = 0; p < players; p++) g->board[p].score += final_bonus(&g->board[p]);
    return moves;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    int players = argc == 4 ? atoi(argv[1]) : 0;
    long games = argc == 4 ? atol(argv[2]) : 0;
    if (players < 2 || players > MAX_PLAYERS || games < 1) {
        fprintf(stderr, "usage: %s PLAYERS(2..4) GAMES SEED\n", argv[0]);
        return 2;
    }
    uint64_t seed = strtoull(argv[3], NULL, 0), checksum = 0;
    long moves = 0, score_sum = 0, rounds = 0;
    Game g;
    make_tables();
    double start = now();
    for (long i = 0; i < games; i++) {
        moves += play(&g, players, seed + i * 0xD1342543DE82EF95u);
        rounds += g.round;
        checksum ^= g.rng;
        for (int p = 0; p < players; p++) score_sum += g.board[p].score;
    }
    double seconds = now() - start;
    printf("{\"games\":%ld,\"seconds\":%.6f,\"games_per_s\":%.1f,\"moves\":%ld,\"score_sum\":%ld,"
           "\"rounds\":%ld,\"checksum\":%llu}\n",
           games, seconds, games / seconds, moves, score_sum, rounds, (unsigned long long)checksum);
    return 0;
}
