#include "isolines.h"

#include <math.h>
#include <stdbool.h>

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

static void line_through(struct canvas *c, const struct square *s, double level, double width_px)
{
    double px[4], py[4];
    int crossings = 0, side[4];
    for (int k = 0; k < 4; k++) {
        int m = (k + 1) % 4;
        double a = s->value[k], b = s->value[m];
        if ((a >= level) == (b >= level)) continue;
        double t = (level - a) / (b - a);
        px[crossings] = s->x[k] + t * (s->x[m] - s->x[k]);
        py[crossings] = s->y[k] + t * (s->y[m] - s->y[k]);
        side[crossings++] = k;
    }
    if (crossings == 2) canvas_segment(c, px[0], py[0], px[1], py[1], width_px);
    if (crossings != 4) return;
    /* A saddle: the mean decides whether the high corners or the low ones are joined. Sides 0 and 1
     * meet in corner 1, which is cut off unless the middle is on its side of the level. */
    double middle = (s->value[0] + s->value[1] + s->value[2] + s->value[3]) / 4;
    bool cut_corner_1 = (s->value[side[1]] >= level) != (middle >= level);
    int partner = cut_corner_1 ? 1 : 3, p = cut_corner_1 ? 2 : 1, q = cut_corner_1 ? 3 : 2;
    canvas_segment(c, px[0], py[0], px[partner], py[partner], width_px);
    canvas_segment(c, px[p], py[p], px[q], py[q], width_px);
}

void isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                   double width_px)
{
    struct square s;
    for (int row = -1; row < g->rows; row++) {
        int band[4] = {0, band_of(g, row, -1, base, 1 / step),
                       band_of(g, row + 1, -1, base, 1 / step), 0};
        for (int col = -1; col < g->cols; col++) {
            if (!crossed(&s, band, g, row, col, base, 1 / step)) continue;
            corners_of(&s, g, row, col);
            for (int k = s.lo + 1; k <= s.hi; k++) {
                bool main_line = k % every == 0;
                if (main_line == (every > 0)) line_through(c, &s, base + k * step, width_px);
            }
        }
    }
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
