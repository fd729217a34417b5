#include "bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bands ----------------------------------------------------------------------------------- */

static int find_window(struct bands *b, const struct isochrones_input *in)
{
    int row0 = in->rows, row1 = -1, col0 = in->cols, col1 = -1;
    for (int row = 0; row < in->rows; row++)
        for (int col = 0; col < in->cols; col++) {
            if (isnan(in->arrival_h[(size_t)row * (size_t)in->cols + (size_t)col])) continue;
            if (row < row0) row0 = row;
            if (row > row1) row1 = row;
            if (col < col0) col0 = col;
            if (col > col1) col1 = col;
        }
    *b = (struct bands){.row0 = row0 - 1,
                        .col0 = col0 - 1,
                        .rows = row1 - row0 + 3,
                        .cols = col1 - col0 + 3,
                        .input_rows = in->rows,
                        .input_cols = in->cols};
    return row1 >= 0;
}

/* Layers hold floats: 0.1 h is there what it is as a float. */
static uint8_t band_of(float arrival_h, const double *level_h, int levels)
{
    int band = 0;
    if (isnan(arrival_h)) return BAND_NONE;
    while (band < levels && arrival_h > (float)level_h[band]) band++;
    return (uint8_t)band;
}

int bands_create(struct bands *b, const struct isochrones_input *in, const double *level_h,
                 int levels, struct error *e)
{
    if (!find_window(b, in)) {
        *b = (struct bands){0};
        return 0;
    }
    if ((double)b->rows * b->cols > INT32_MAX)
        return error_failed(e, "lava on more than %d cells: isochrones cannot be computed",
                            INT32_MAX);
    const size_t cols = (size_t)b->cols;
    b->band = malloc((size_t)b->rows * cols);
    if (!b->band) return error_memory(e);
    memset(b->band, BAND_NONE, (size_t)b->rows * cols);
    for (int row = 1; row < b->rows - 1; row++) {
        const float *from = in->arrival_h + (size_t)(b->row0 + row) * (size_t)in->cols + b->col0;
        for (int col = 1; col < b->cols - 1; col++)
            b->band[(size_t)row * cols + (size_t)col] = band_of(from[col], level_h, levels);
    }
    return 0;
}

void bands_free(struct bands *b)
{
    free(b->band);
    *b = (struct bands){0};
}

/* ---- pieces ---------------------------------------------------------------------------------- */

struct piece {
    uint32_t cells;
    uint8_t band, becomes;
};

struct pieces {
    struct piece *piece;
    int count, room;
    int32_t *of; /* of each cell; -1: none */
    int32_t *stack;
};

static void neighbours(int32_t to[4], int32_t i, int cols)
{
    to[0] = i - cols;
    to[1] = i - 1;
    to[2] = i + 1;
    to[3] = i + cols;
}

/* The margin has no lava, so a cell of a piece has four neighbours. */
static void flood(struct pieces *p, const struct bands *b, int32_t start)
{
    struct piece *piece = &p->piece[p->count];
    int top = 0;
    *piece = (struct piece){.band = b->band[start]};
    p->stack[top++] = start;
    p->of[start] = p->count;
    while (top) {
        const int32_t i = p->stack[--top];
        int32_t to[4];
        piece->cells++;
        neighbours(to, i, b->cols);
        for (int k = 0; k < 4; k++)
            if (p->of[to[k]] < 0 && b->band[to[k]] == piece->band) {
                p->of[to[k]] = p->count;
                p->stack[top++] = to[k];
            }
    }
    p->count++;
}

static void pieces_free(struct pieces *p)
{
    free(p->piece);
    free(p->of);
    free(p->stack);
}

static int pieces_create(struct pieces *p, const struct bands *b, struct error *e)
{
    const int32_t cells = (int32_t)(b->rows * b->cols);
    *p = (struct pieces){.of = malloc((size_t)cells * sizeof *p->of),
                         .stack = malloc((size_t)cells * sizeof *p->stack)};
    int status = p->of && p->stack ? 0 : error_memory(e);
    for (int32_t i = 0; i < cells && !status; i++) p->of[i] = -1;
    for (int32_t i = 0; i < cells && !status; i++) {
        if (b->band[i] == BAND_NONE || p->of[i] >= 0) continue;
        if (p->count == p->room) {
            const int room = p->room ? 2 * p->room : 64;
            struct piece *more = realloc(p->piece, (size_t)room * sizeof *more);
            if (!more) {
                status = error_memory(e);
                break;
            }
            p->piece = more;
            p->room = room;
        }
        flood(p, b, i);
    }
    if (status) pieces_free(p);
    return status;
}

/* What the neighbours of a small piece are: edges with each band. */
struct votes {
    int32_t piece;
    uint8_t band;
};

static int by_piece(const void *a, const void *b)
{
    const struct votes *x = a, *y = b;
    if (x->piece != y->piece) return (x->piece > y->piece) - (x->piece < y->piece);
    return x->band - y->band;
}

/* The band with most edges; the earlier of several. Neighbours that are small themselves count,
 * too: two slivers side by side become one. */
static void elect(struct pieces *p, struct votes *vote, size_t votes)
{
    qsort(vote, votes, sizeof *vote, by_piece);
    for (size_t i = 0; i < votes;) {
        const int32_t piece = vote[i].piece;
        size_t most = 0;
        while (i < votes && vote[i].piece == piece) {
            size_t n = 1;
            while (i + n < votes && vote[i + n].piece == piece && vote[i + n].band == vote[i].band)
                n++;
            if (n > most) p->piece[piece].becomes = vote[i].band;
            if (n > most) most = n;
            i += n;
        }
    }
}

static void keep_largest(struct pieces *p, bool *small)
{
    int32_t largest[BAND_NONE];
    for (int k = 0; k < BAND_NONE; k++) largest[k] = -1;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t *best = &largest[p->piece[k].band];
        if (*best < 0 || p->piece[k].cells > p->piece[*best].cells) *best = k;
    }
    for (int k = 0; k < BAND_NONE; k++)
        if (largest[k] >= 0) small[largest[k]] = false;
}

/* Which pieces are small, and at most how many votes they have. */
static bool *find_small(struct pieces *p, int small_cells, size_t *votes_most)
{
    bool *small = malloc((size_t)p->count * sizeof *small);
    *votes_most = 0;
    if (!small) return NULL;
    for (int32_t k = 0; k < p->count; k++) {
        small[k] = p->piece[k].cells < (uint32_t)small_cells;
        p->piece[k].becomes = p->piece[k].band;
    }
    keep_largest(p, small);
    for (int32_t k = 0; k < p->count; k++)
        if (small[k]) *votes_most += 4 * (size_t)p->piece[k].cells;
    return small;
}

/* Of two small pieces that are neighbours only the smaller one moves, so that they do not change
 * places. */
static size_t collect(struct votes *vote, const struct pieces *p, const struct bands *b,
                      const bool *small)
{
    size_t votes = 0;
    for (int32_t i = 0; i < b->rows * b->cols; i++) {
        int32_t to[4];
        if (p->of[i] < 0 || !small[p->of[i]]) continue;
        neighbours(to, i, b->cols);
        for (int k = 0; k < 4; k++) {
            const int32_t other = p->of[to[k]], mine = p->of[i];
            if (other < 0 || other == mine) continue;
            const uint32_t theirs = p->piece[other].cells, ours = p->piece[mine].cells;
            if (small[other] && (theirs < ours || (theirs == ours && other > mine))) continue;
            vote[votes++] = (struct votes){mine, p->piece[other].band};
        }
    }
    return votes;
}

static int join_once(struct bands *b, int small_cells, bool *changed, struct error *e)
{
    struct pieces p;
    size_t most;
    int status = pieces_create(&p, b, e);
    if (status) return status;
    bool *small = find_small(&p, small_cells, &most);
    struct votes *vote = small ? malloc((most + 1) * sizeof *vote) : NULL;
    if (vote) {
        elect(&p, vote, collect(vote, &p, b, small));
        for (int32_t i = 0; i < b->rows * b->cols; i++)
            if (p.of[i] >= 0 && p.piece[p.of[i]].becomes != b->band[i]) {
                b->band[i] = p.piece[p.of[i]].becomes;
                *changed = true;
            }
    } else status = error_memory(e);
    free(vote);
    free(small);
    pieces_free(&p);
    return status;
}

int bands_join(struct bands *b, int small_cells, struct error *e)
{
    enum { ROUNDS = 8 }; /* what is left after them stays */
    bool changed = small_cells > 1 && b->band;
    int status = 0;
    for (int i = 0; i < ROUNDS && changed && !status; i++) {
        changed = false;
        status = join_once(b, small_cells, &changed, e);
    }
    return status;
}
