/* isolines.c — contours of a grid, square by square. */
#include "map_page.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* One square between four cell centres, clockwise from its upper left corner. Band k of the values
 * reaches from line k to line k + 1, so exactly the lines lo + 1 ... hi cross the square. */
struct square {
    double value[4], x[4], y[4];
    int lo, hi;
};

enum { NO_BAND = -2147483647 - 1 };

/* Centre of cell i on one axis; beyond the ends, the edge of the domain. */
static double place(int i, int count)
{
    return fmin(count, fmax(0, i + 0.5));
}

static int inside(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Which band a node's value is in. */
static int band_of(const struct isolines *g, int row, int col, double base, double per_step)
{
    float v = g->value[(size_t)inside(row, g->rows) * g->cols + inside(col, g->cols)];
    double band = (v - base) * per_step;
    if (!(fabs(band) < 2e9)) return NO_BAND;
    int k = (int)band;
    return k - (k > band);
}

/* The two nodes at the right of a square become those at the left of the next; returns whether
 * lines cross the square in between. */
static bool crossed(struct square *s, int band[4], const struct isolines *g, int row, int col,
                    double base, double per_step)
{
    band[0] = band[1];
    band[3] = band[2];
    band[1] = band_of(g, row, col + 1, base, per_step);
    band[2] = band_of(g, row + 1, col + 1, base, per_step);
    if (band[0] == band[1] && band[1] == band[2] && band[2] == band[3]) return false;
    s->lo = s->hi = band[0];
    for (int k = 0; k < 4; k++) {
        if (band[k] == NO_BAND) return false;
        if (band[k] < s->lo) s->lo = band[k];
        if (band[k] > s->hi) s->hi = band[k];
    }
    return true;
}

/* The square whose upper left corner is the centre of (row, col), -1 included. */
static void corners_of(struct square *s, const struct isolines *g, int row, int col)
{
    for (int k = 0; k < 4; k++) {
        int r = row + (k > 1), c = col + (k == 1 || k == 2);
        s->value[k] = g->value[(size_t)inside(r, g->rows) * g->cols + inside(c, g->cols)];
        s->x[k] = g->x + g->zoom * place(c, g->cols);
        s->y[k] = g->y + g->zoom * place(r, g->rows);
    }
}

/* ---- pieces of lines, joined end to end ------------------------------------------------------ */

/* A line crosses an edge between two neighbouring centres at most once, so edge and level name the
 * point where the pieces of two squares meet. */
struct piece {
    double x[2], y[2];
    int64_t other[2]; /* the end that each end meets: 2 * piece + side; -1: none */
};

struct meeting {
    uint64_t level_edge;
    int64_t end;
};

struct pieces {
    struct piece *piece;
    struct meeting *meeting; /* two per piece */
    size_t count, room;
    bool failed;
};

static void add_piece(struct pieces *all, const struct piece *p, const uint64_t name[2])
{
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 4096;
        struct piece *piece = realloc(all->piece, room * sizeof *piece);
        if (piece) all->piece = piece;
        struct meeting *meeting = realloc(all->meeting, 2 * room * sizeof *meeting);
        if (meeting) all->meeting = meeting;
        all->failed = all->failed || !piece || !meeting;
        if (!piece || !meeting) return;
        all->room = room;
    }
    for (int k = 0; k < 2; k++)
        all->meeting[2 * all->count + (size_t)k] =
            (struct meeting){name[k], 2 * (int64_t)all->count + k};
    all->piece[all->count++] = *p;
}

/* The edges of a square, clockwise from the upper one, as numbers of the grid's. */
static uint64_t edge_of(const struct isolines *g, int row, int col, int side)
{
    const int r = row + 1 + (side == 2), c = col + 1 + (side == 1);
    return 2 * ((uint64_t)r * (uint64_t)(g->cols + 2) + (uint64_t)c) + (side % 2 != 0);
}

struct crossing {
    double x, y;
    uint64_t name;
};

static void join(struct pieces *all, const struct crossing *a, const struct crossing *b)
{
    const uint64_t name[2] = {a->name, b->name};
    add_piece(all, &(struct piece){{a->x, b->x}, {a->y, b->y}, {-1, -1}}, name);
}

static void line_through(struct pieces *all, const struct isolines *g, const struct square *s,
                         int row, int col, int k, double level)
{
    struct crossing at[4];
    int crossings = 0, side[4];
    for (int i = 0; i < 4; i++) {
        const int m = (i + 1) % 4;
        const double a = s->value[i], b = s->value[m];
        if ((a >= level) == (b >= level)) continue;
        const double t = (level - a) / (b - a);
        at[crossings] =
            (struct crossing){s->x[i] + t * (s->x[m] - s->x[i]), s->y[i] + t * (s->y[m] - s->y[i]),
                              (uint64_t)(uint32_t)k << 32 | edge_of(g, row, col, i)};
        side[crossings++] = i;
    }
    if (crossings == 2) join(all, &at[0], &at[1]);
    if (crossings != 4) return;
    /* A saddle: the mean decides whether the high corners or the low ones are joined. Sides 0 and 1
     * meet in corner 1, which is cut off unless the middle is on its side of the level. */
    const double middle = (s->value[0] + s->value[1] + s->value[2] + s->value[3]) / 4;
    const bool cut_corner_1 = (s->value[side[1]] >= level) != (middle >= level);
    join(all, &at[0], &at[cut_corner_1 ? 1 : 3]);
    join(all, &at[cut_corner_1 ? 2 : 1], &at[cut_corner_1 ? 3 : 2]);
}

static void collect(struct pieces *all, const struct isolines *g, double base, double step,
                    int every)
{
    struct square s;
    for (int row = -1; row < g->rows; row++) {
        int band[4] = {0, band_of(g, row, -1, base, 1 / step),
                       band_of(g, row + 1, -1, base, 1 / step), 0};
        for (int col = -1; col < g->cols; col++) {
            if (!crossed(&s, band, g, row, col, base, 1 / step)) continue;
            corners_of(&s, g, row, col);
            for (int k = s.lo + 1; k <= s.hi; k++) {
                const bool main_line = k % every == 0;
                if (main_line == (every > 0))
                    line_through(all, g, &s, row, col, k, base + k * step);
            }
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct meeting *p = a, *q = b;
    if (p->level_edge != q->level_edge) return p->level_edge < q->level_edge ? -1 : 1;
    return (p->end > q->end) - (p->end < q->end);
}

static int64_t *other_of(struct pieces *all, int64_t end)
{
    return &all->piece[end / 2].other[end % 2];
}

static void meet(struct pieces *all)
{
    qsort(all->meeting, 2 * all->count, sizeof *all->meeting, by_name);
    for (size_t i = 1; i < 2 * all->count; i++) {
        const struct meeting *a = &all->meeting[i - 1], *b = &all->meeting[i];
        if (a->level_edge != b->level_edge) continue;
        *other_of(all, a->end) = b->end;
        *other_of(all, b->end) = a->end;
    }
}

/* From an end along the pieces, which are taken out by it. */
static void follow(struct canvas *c, struct pieces *all, int64_t end)
{
    const int64_t first = end;
    cairo_move_to(c->cr, all->piece[end / 2].x[end % 2], all->piece[end / 2].y[end % 2]);
    for (;;) {
        struct piece *p = &all->piece[end / 2];
        const int far = 1 - (int)(end % 2);
        const int64_t next = p->other[far];
        p->other[0] = p->other[1] = -2;
        if (next == first) {
            cairo_close_path(c->cr);
            return;
        }
        cairo_line_to(c->cr, p->x[far], p->y[far]);
        if (next < 0) return;
        end = next;
    }
}

int isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                  struct error *e)
{
    struct pieces all = {0};
    collect(&all, g, base, step, every);
    if (all.count) meet(&all);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end++) /* lines that have ends */
        if (*other_of(&all, end) == -1) follow(c, &all, end);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end += 2) /* and rings */
        if (*other_of(&all, end) >= 0) follow(c, &all, end);
    free(all.piece);
    free(all.meeting);
    return all.failed ? error_memory(e) : 0;
}

size_t isolines_count(const struct isolines *g, double base, double step)
{
    struct square s;
    size_t count = 0;
    for (int row = 0; row + 1 < g->rows; row++) {
        int band[4] = {0, band_of(g, row, 0, base, 1 / step),
                       band_of(g, row + 1, 0, base, 1 / step), 0};
        for (int col = 0; col + 1 < g->cols; col++)
            count += crossed(&s, band, g, row, col, base, 1 / step);
    }
    return count;
}
