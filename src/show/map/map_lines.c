/* map_lines.c — what is drawn on top of relief and layer. */
#include "map_page.h"

#include "base/order.h"
#include "record/roundnum.h"
#include "isochrones/isochrones.h"
#include "text/grow.h"
#include "text/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- contours of a grid, square by square ---------------------------------------------------- */

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
struct crossing {
    double x, y;
    uint64_t name;
};

struct piece {
    struct crossing at[2];
    int64_t other[2]; /* the end that each end meets: 2 * piece + side; -1: none */
};

struct pieces {
    struct piece *piece;
    size_t count;
    bool failed;
};

/* The edges of a square, clockwise from the upper one, as numbers of the grid's. */
static uint64_t edge_of(const struct isolines *g, int row, int col, int side)
{
    const int r = row + 1 + (side == 2), c = col + 1 + (side == 1);
    return 2 * ((uint64_t)r * (uint64_t)(g->cols + 2) + (uint64_t)c) + (side % 2 != 0);
}

static void join(struct pieces *all, const struct crossing *a, const struct crossing *b)
{
    const struct piece p = {{*a, *b}, {-1, -1}};
    if (!APPEND(all->piece, all->count, p)) all->failed = true;
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

struct meeting {
    uint64_t name;
    int64_t end;
};

static int by_name(const void *a, const void *b)
{
    const struct meeting *p = a, *q = b;
    return order_by(ORDER(p->name, q->name), ORDER(p->end, q->end));
}

static int64_t *other_of(struct pieces *all, int64_t end)
{
    return &all->piece[end / 2].other[end % 2];
}

static void meet(struct pieces *all)
{
    const size_t count = 2 * all->count;
    FREED struct meeting *meeting = malloc((count + 1) * sizeof *meeting);
    if (!meeting) {
        all->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        meeting[i] = (struct meeting){all->piece[i / 2].at[i % 2].name, (int64_t)i};
    qsort(meeting, count, sizeof *meeting, by_name);
    for (size_t i = 1; i < count; i++) {
        const struct meeting *a = &meeting[i - 1], *b = &meeting[i];
        if (a->name != b->name) continue;
        *other_of(all, a->end) = b->end;
        *other_of(all, b->end) = a->end;
    }
}

/* From an end along the pieces, which are taken out by it. */
static void follow(struct canvas *c, struct pieces *all, int64_t end)
{
    const int64_t first = end;
    const struct crossing *from = &all->piece[end / 2].at[end % 2];
    cairo_move_to(c->cr, from->x, from->y);
    for (;;) {
        struct piece *p = &all->piece[end / 2];
        const int far = 1 - (int)(end % 2);
        const int64_t next = p->other[far];
        p->other[0] = p->other[1] = -2;
        if (next == first) {
            cairo_close_path(c->cr);
            return;
        }
        cairo_line_to(c->cr, p->at[far].x, p->at[far].y);
        if (next < 0) return;
        end = next;
    }
}

int isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                  struct error *e)
{
    struct pieces all = {0};
    collect(&all, g, base, step, every);
    meet(&all);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end++) /* lines that have ends */
        if (*other_of(&all, end) == -1) follow(c, &all, end);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end += 2) /* and rings */
        if (*other_of(&all, end) >= 0) follow(c, &all, end);
    free(all.piece);
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

/* ---- vents: triangles, dots where there are many, and lines where they touch ----------------- */

enum { AROUND = 8 };
static const int around[AROUND][2] = {{0, 1},  {1, -1}, {1, 0},  {1, 1},
                                      {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};

static bool has_mark(const struct map *m, int row, int col, unsigned char mark)
{
    return row >= 0 && col >= 0 && row < m->rows && col < m->cols &&
           m->mark[(size_t)row * m->cols + col] == mark;
}

static bool is_alone(const struct map *m, int row, int col)
{
    const unsigned char own = m->mark[(size_t)row * m->cols + col];
    for (int k = 0; k < AROUND; k++)
        if (has_mark(m, row + around[k][0], col + around[k][1], own)) return false;
    return true;
}

/* Calls `each` for the marks in what is shown. */
static void for_marks(struct map_page *p, void (*each)(struct map_page *, int row, int col))
{
    const struct map *m = p->m;
    const struct window *k = &p->grid.crop;
    for (int row = k->row0; m->mark && row < k->row0 + k->rows; row++)
        for (int col = k->col0; col < k->col0 + k->cols; col++)
            if (m->mark[(size_t)row * m->cols + col]) each(p, row, col);
}

static void find(struct map_page *p, int row, int col)
{
    if (p->m->mark_small || is_alone(p->m, row, col)) p->vents = true;
    else p->fissures = true;
}

void map_find_vents(struct map_page *p)
{
    for_marks(p, find);
}

static double x_of(const struct map_page *p, int col)
{
    return p->map.x0 + p->node / p->grid.block * (col - p->grid.crop.col0 + 0.5);
}

static double y_of(const struct map_page *p, int row)
{
    return p->map.y0 + p->node / p->grid.block * (row - p->grid.crop.row0 + 0.5);
}

/* To the neighbours behind it, so that each line is drawn once; across a corner only where no
 * neighbour connects them. */
static void add_lines(struct map_page *p, int row, int col)
{
    const unsigned char own = p->m->mark[(size_t)row * p->m->cols + col];
    for (int k = 0; k < AROUND / 2; k++) {
        const int r = row + around[k][0], c = col + around[k][1];
        if (!has_mark(p->m, r, c, own)) continue;
        if (r != row && c != col && (has_mark(p->m, row, c, own) || has_mark(p->m, r, col, own)))
            continue;
        canvas_segment(&p->canvas, x_of(p, col), y_of(p, row), x_of(p, c), y_of(p, r));
    }
}

static void stroke(struct map_page *p)
{
    canvas_stroke_cased(&p->canvas, 8.5, map_black, 1, 4, map_white);
}

void map_vent_symbol(struct map_page *p, double x, double y)
{
    if (p->m->mark_small) {
        canvas_disc(&p->canvas, x, y, 5);
        canvas_ink(&p->canvas, map_black, 1);
        canvas_disc(&p->canvas, x, y, 3);
        canvas_ink(&p->canvas, map_white, 1);
        return;
    }
    const double w = 9.5, up = 11, down = 6;
    const double corner[3][2] = {{x - w, y + down}, {x, y - up}, {x + w, y + down}};
    canvas_polygon(&p->canvas, corner, 3);
    canvas_ink(&p->canvas, map_white, 1);
    canvas_polygon(&p->canvas, corner, 3);
    canvas_stroke(&p->canvas, 2.6, map_black, 1);
}

static void draw_alone(struct map_page *p, int row, int col)
{
    if (p->m->mark_small || is_alone(p->m, row, col))
        map_vent_symbol(p, x_of(p, col), y_of(p, row));
}

static void sum_up(struct map_page *p, int row, int col)
{
    p->vents_x += x_of(p, col);
    p->vents_y += y_of(p, row);
    p->marks++;
}

/* once page->map is known */
static void map_place_vents(struct map_page *p)
{
    p->vents_x = p->vents_y = p->marks = 0;
    for_marks(p, sum_up);
    if (!p->marks) return;
    p->vents_x /= p->marks;
    p->vents_y /= p->marks;
}

void map_fissure_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x + 6, y, x + width - 6, y);
    stroke(p);
}

/* ---- points, lines and areas of interest ----------------------------------------------------- */

enum { NAMES_MOST = 40 /* more would cover the map */, NAME_PLACES = 4 };

/* Green is near none of the lava's colours, but among those of times. */
static struct rgb place_colour(const struct map_page *p)
{
    const bool times = p->m->colours == COLOURS_TIME || p->m->kind == MAP_CLASSES;
    return times ? map_black : colours_place;
}

static void at(const struct map_page *p, const double xy[2], double *x, double *y)
{
    *x = p->map.x0 + (xy[0] - p->west_m) / p->metres_per_unit;
    *y = p->map.y0 + (p->north_m - xy[1]) / p->metres_per_unit;
}

static void draw_place(struct map_page *p, double x, double y)
{
    canvas_disc(&p->canvas, x, y, 9);
    canvas_ink(&p->canvas, map_white, 1);
    canvas_disc(&p->canvas, x, y, 6.5);
    canvas_ink(&p->canvas, place_colour(p), 1);
}

static void add_part(struct map_page *p, const double (*xy)[2], int count, bool closed)
{
    for (int k = 0; k < count + closed; k++) {
        double x, y;
        at(p, xy[k % count], &x, &y);
        if (k) cairo_line_to(p->canvas.cr, x, y);
        else cairo_move_to(p->canvas.cr, x, y);
    }
}

static void add_path(struct map_page *p, const struct map_place *t)
{
    const double(*xy)[2] = t->xy;
    for (int i = 0; i < t->parts; xy += t->part_size[i++]) add_part(p, xy, t->part_size[i], false);
}

static void draw_lines(struct map_page *p, const struct map_place *t, struct rgb colour)
{
    add_path(p, t);
    canvas_stroke_cased(&p->canvas, 5.6, map_white, 0.7, 2.8, colour);
}

/* Beside the middle of a line; in the middle of what an area's first ring encloses. */
static void find_middle(const struct map_page *p, const struct map_place *t, double *x, double *y)
{
    double low[2], high[2];
    at(p, t->xy[t->kind == MAP_LINE ? t->part_size[0] / 2 : 0], x, y);
    if (t->kind != MAP_AREA) return;
    low[0] = high[0] = *x, low[1] = high[1] = *y;
    for (int k = 1; k < t->part_size[0]; k++) {
        double q[2];
        at(p, t->xy[k], &q[0], &q[1]);
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], q[i]);
            high[i] = fmax(high[i], q[i]);
        }
    }
    *x = (low[0] + high[0]) / 2;
    *y = (low[1] + high[1]) / 2;
}

/* Positions of a name: next to, above or below a point, and in the middle of an area or moved up
 * or down; all of it in the map. */
static struct map_box name_box(const struct map_page *p, const struct map_place *t, double width,
                               int choice)
{
    enum { HIGH = 22 };
    static const double beside[NAME_PLACES][3] = {/* shares of the width, and units */
                                                  {0, 14, 0},
                                                  {-1, -14, 0},
                                                  {-0.5, 0, -24},
                                                  {-0.5, 0, 24}};
    static const double middle[NAME_PLACES][3] = {
        {-0.5, 0, 0}, {-0.5, 0, -HIGH}, {-0.5, 0, HIGH}, {-0.5, 0, 2 * HIGH}};
    const double *shift = t->kind == MAP_AREA ? middle[choice] : beside[choice];
    double x, y;
    find_middle(p, t, &x, &y);
    if (x < p->map.x0 || x > p->map.x1 || y < p->map.y0 || y > p->map.y1)
        return (struct map_box){0, 0, 0, 0};
    x += shift[0] * width + shift[1];
    y += shift[2] + 6;
    x = fmax(p->map.x0 + 6, fmin(p->map.x1 - 6 - width, x));
    y = fmax(p->map.y0 + 20, fmin(p->map.y1 - 6, y));
    return (struct map_box){x, y - HIGH + 4, x + width, y + 4};
}

static bool overlap(const struct map_box *a, const struct map_box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Whether the symbol of a vent would be hidden, in part. */
static bool hides_vent(const struct map_page *p, const struct map_box *b)
{
    enum { SYMBOL = 12 };
    const struct map *m = p->m;
    const struct window *k = &p->grid.crop;
    for (int row = k->row0; m->mark && row < k->row0 + k->rows; row++) {
        const double y = y_of(p, row);
        if (y < b->y0 - SYMBOL || y > b->y1 + SYMBOL) continue;
        for (int col = k->col0; col < k->col0 + k->cols; col++) {
            const double x = x_of(p, col);
            if (m->mark[(size_t)row * m->cols + col] && x > b->x0 - SYMBOL && x < b->x1 + SYMBOL)
                return true;
        }
    }
    return false;
}

/* White around the letters keeps them legible on any ground. A name without room next to others and to vents
 * is not written: two on one spot are none. */
void map_names(struct map_page *p)
{
    if (p->m->place_count > NAMES_MOST) return;
    const struct font letters = {17, FONT_BOLD, 0, 0};
    struct map_box taken[2 * NAMES_MOST];
    int count = 0;
    for (int i = 0; i < p->m->place_count; i++) {
        double x, y;
        find_middle(p, &p->m->places[i], &x, &y);
        if (p->m->places[i].kind == MAP_POINT)
            taken[count++] = (struct map_box){x - 9, y - 9, x + 9, y + 9};
    }
    for (int i = 0; i < p->m->place_count; i++) {
        const struct map_place *t = &p->m->places[i];
        char out[MAP_TEXT];
        const char *label = map_text(p->m, t->label, out);
        const double width = font_width(&p->canvas, &letters, label);
        for (int choice = 0; choice < NAME_PLACES; choice++) {
            const struct map_box b = name_box(p, t, width, choice);
            bool room = b.x1 > b.x0 && !hides_vent(p, &b);
            for (int k = 0; k < count && room; k++) room = !overlap(&b, &taken[k]);
            if (!room) continue;
            font_write_clear(&p->canvas, &letters, b.x0, b.y1 - 4, map_black, label);
            taken[count++] = b;
            break;
        }
    }
}

struct label {
    double x, y, angle; /* pixels; radians */
    double room;        /* distance to the nearest other label or the frame */
};

/* Distance of a point to the frame and to the labels that are there already. */
static double room_at(const struct map_page *p, const struct label *placed, int count, double x,
                      double y)
{
    double room = fmin(fmin(x - p->map.x0, p->map.x1 - x), fmin(y - p->map.y0, p->map.y1 - y)) * 2;
    for (int i = 0; i < count; i++) room = fmin(room, hypot(x - placed[i].x, y - placed[i].y));
    return room;
}

/* Of the positions with room between other labels and the frame the one farthest from the vents: at
 * the front, not along a flank. False: no room. */
static bool find_room(const struct map_page *p, const struct isochrone *t, struct label *placed,
                      int count)
{
    enum { ROOM = 46 };
    double farthest = -1;
    for (int i = 0; i < t->line_count; i++)
        for (int k = 0; k < t->line[i].count; k++) {
            double x, y;
            at(p, t->line[i].xy[k], &x, &y);
            const double way = hypot(x - p->vents_x, y - p->vents_y);
            if (room_at(p, placed, count, x, y) <= ROOM || way <= farthest) continue;
            farthest = way;
            placed[count] = (struct label){.x = x, .y = y};
        }
    return farthest >= 0;
}

static void map_fronts(struct map_page *p)
{
    const struct isochrones *all = p->m->fronts;
    for (int i = 0; all && i < all->count - 1; i++) {
        for (int k = 0; k < all->at[i].line_count; k++) {
            const struct isochrone_path *line = &all->at[i].line[k];
            add_part(p, (const double(*)[2])line->xy, line->count, line->closed);
        }
        canvas_stroke(&p->canvas, 1.6, map_white, 0.9);
    }
}

static void map_front_labels(struct map_page *p)
{
    static const struct font letters = {13, FONT_BOLD, 0, 0.5};
    const struct isochrones *all = p->m->fronts;
    struct label placed[ISOCHRONES_LEVELS];
    char packed[ISOCHRONES_TEXT], text[ISOCHRONES_TEXT];
    int count = 0;
    for (int i = 0; all && i < all->count - 1; i++) {
        if (!find_room(p, &all->at[i], placed, count)) continue;
        font_write_clear(&p->canvas, &letters, placed[count].x, placed[count].y + 6, map_black,
                         words_fill(text, sizeof text,
                                    isochrones_time_pack(packed, all->at[i].time_h),
                                    p->m->language));
        count++;
    }
}

static void map_places(struct map_page *p)
{
    const struct map *m = p->m;
    for (int i = 0; i < m->barrier_count; i++) draw_lines(p, &m->barriers[i], map_barrier);
    for (int i = 0; i < m->place_count; i++) {
        const struct map_place *t = &m->places[i];
        if (t->kind != MAP_POINT) draw_lines(p, t, place_colour(p));
        for (int k = 0; t->kind == MAP_POINT && k < t->parts; k++) {
            double x, y;
            at(p, t->xy[k], &x, &y);
            draw_place(p, x, y);
        }
    }
}

void map_place_sample(struct map_page *p, double x, double y)
{
    canvas_segment(&p->canvas, x - 23, y, x + 23, y);
    canvas_stroke(&p->canvas, 2.8, place_colour(p), 1);
    draw_place(p, x, y);
}

/* ---- contour lines of the terrain, every fifth of them heavier and numbered ------------------ */

enum { EVERY = 5, LABELS_MOST = 24, SCANS = 11 };

/* A grid of the same nodes as the map's. */
static struct isolines isolines_of(const struct map_page *p, const float *value)
{
    return (struct isolines){value, p->grid.rows, p->grid.cols, p->map.x0, p->map.y0, p->node};
}

/* About 16 lines, unless the ground is so rough that they would cover the map. */
void map_choose_contours(struct map_page *p)
{
    const struct map_grid *g = &p->grid;
    double relief = g->highest_m - g->lowest_m;
    struct isolines lines = isolines_of(p, g->elevation_m);
    if (!(relief > 0.5)) return;
    p->contour_m = roundnum_above(relief / 20);
    double nodes = (double)g->rows * g->cols;
    double share = (double)isolines_count(&lines, 0, p->contour_m) / nodes / p->node;
    if (share > 0.12 && g->rows > 20 && g->cols > 20) p->contour_m = 0;
}

/* Where the layer is, or comes to in another map of the same series. */
static bool is_taken(const struct map_page *p, int row, int col)
{
    const struct map_grid *g = &p->grid;
    const struct map *m = p->m;
    const size_t i = (size_t)row * g->cols + col;
    if (g->cover[i] || isnan(g->elevation_m[i])) return true;
    const int r = g->crop.row0 + row * g->block + g->block / 2,
              c = g->crop.col0 + col * g->block + g->block / 2;
    return m->reached && r < m->rows && c < m->cols && m->reached[(size_t)r * m->cols + c];
}

/* Whether that is near: numbers there would be in the way. */
static bool in_the_way(const struct map_page *p, int row, int col)
{
    const int reach = (int)(48 / p->node) + 1, step = reach / 4 + 1;
    for (int r = row - reach; r <= row + reach; r += step)
        for (int c = col - reach; c <= col + reach; c += step)
            if (r >= 0 && c >= 0 && r < p->grid.rows && c < p->grid.cols && is_taken(p, r, c))
                return true;
    return false;
}

/* Along the line, and never upside down: at right angles to the slope over some nodes around. */
static double angle_at(const struct map_page *p, const float *z, int row, int col)
{
    int rows = p->grid.rows, cols = p->grid.cols, reach = (int)(24 / p->node) + 1;
    int r0 = row > reach ? row - reach : 0, r1 = row + reach < rows ? row + reach : rows - 1;
    int c0 = col > reach ? col - reach : 0, c1 = col + reach < cols ? col + reach : cols - 1;
    double dx = (double)z[(size_t)row * cols + c1] - z[(size_t)row * cols + c0];
    double dy = (double)z[(size_t)r1 * cols + col] - z[(size_t)r0 * cols + col];
    double angle = atan2(dx, dy); /* of the line's direction (dy, -dx), y going down */
    const double right = acos(0.0);
    if (!(fabs(angle) <= 4)) return 0;
    return angle > right ? angle - 2 * right : angle < -right ? angle + 2 * right : angle;
}

/* The roomiest crossing of a level with some rows across the map; room == 0: there is none. */
static struct label find_place(const struct map_page *p, const float *z, double level,
                               const struct label *placed, int count)
{
    const struct map_grid *g = &p->grid;
    struct label best = {0};
    for (int k = 0; k < SCANS; k++) {
        int row = (int)((k + 0.5) * g->rows / SCANS);
        const float *v = z + (size_t)row * g->cols;
        for (int col = 0; col + 1 < g->cols; col++) {
            if (!((v[col] >= level) != (v[col + 1] >= level)) || isnan(v[col] + v[col + 1]))
                continue;
            double t = (level - v[col]) / ((double)v[col + 1] - v[col]);
            double x = p->map.x0 + p->node * (col + 0.5 + t);
            double y = p->map.y0 + p->node * (row + 0.5), room = room_at(p, placed, count, x, y);
            if (room > best.room && !in_the_way(p, row, col))
                best = (struct label){x, y, angle_at(p, z, row, col), room};
        }
    }
    return best;
}

static void number_lines(struct map_page *p, const float *z)
{
    const double heavy = p->contour_m * EVERY;
    struct label placed[LABELS_MOST];
    int count = 0;
    char text[32];
    for (double k = ceil(p->grid.lowest_m / heavy); k * heavy < p->grid.highest_m; k++) {
        struct label l = find_place(p, z, k * heavy, placed, count);
        if (l.room < 130 || count == LABELS_MOST) continue;
        placed[count++] = l;
        struct font f = {12, FONT_REGULAR, l.angle, 0.5};
        double x = l.x + sin(l.angle) * f.size / 2, y = l.y + cos(l.angle) * f.size / 2;
        words_number(roundnum_text(text, k * heavy, heavy), sizeof text, p->m->language);
        double half = font_width(&p->canvas, &f, text) / 2;
        double dx = half * cos(l.angle), dy = -half * sin(l.angle);
        canvas_segment(&p->canvas, l.x - dx, l.y - dy, l.x + dx, l.y + dy);
        canvas_stroke(&p->canvas, 1.5 * f.size, map_paper, 0.72);
        font_write(&p->canvas, &f, x, y, map_contour, text);
    }
}

static int draw_contours(struct map_page *p, const float *elevation_m, struct error *e)
{
    const struct isolines lines = isolines_of(p, elevation_m);
    int status = isolines_draw(&p->canvas, &lines, 0, p->contour_m, -EVERY, e);
    canvas_stroke(&p->canvas, 1.1, map_contour, 0.34);
    if (!status) status = isolines_draw(&p->canvas, &lines, 0, p->contour_m, EVERY, e);
    canvas_stroke(&p->canvas, 1.8, map_contour, 0.52);
    number_lines(p, elevation_m);
    return status;
}

/* ---- all that is drawn ----------------------------------------------------------------------- */

/* Softened by half towards the neighbours, so that single rough cells do not make a line tremble.
 */
static void soften(float *soft, const float *v, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            const float *here = v + (size_t)row * cols + col;
            float n[4] = {row ? here[-cols] : *here, row + 1 < rows ? here[cols] : *here,
                          col ? here[-1] : *here, col + 1 < cols ? here[1] : *here};
            for (int k = 0; k < 4; k++)
                if (isnan(n[k])) n[k] = *here;
            soft[here - v] = 0.5f * *here + 0.125f * (n[0] + n[1] + n[2] + n[3]);
        }
    }
}

static int draw_outline(struct map_page *p, const float *soft, struct error *e)
{
    const struct isolines lines = isolines_of(p, soft);
    int status = isolines_draw(&p->canvas, &lines, 0.499, 10, 1, e);
    canvas_stroke_cased(&p->canvas, 6, map_white, 1, 2.8, colours_outline);
    return status;
}

int map_lines(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    FREED float *soft = malloc((size_t)g->rows * g->cols * sizeof *soft);
    int status = 0;
    if (!soft) return error_memory(e);
    canvas_clip(&p->canvas, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    if (p->contour_m > 0) {
        soften(soft, g->elevation_m, g->rows, g->cols);
        status = draw_contours(p, soft, e);
    }
    map_place_vents(p);
    if (!status) map_fronts(p);
    if (!status && g->inside) {
        soften(soft, g->inside, g->rows, g->cols);
        status = draw_outline(p, soft, e);
    }
    if (!status) map_places(p);
    if (!status) map_front_labels(p);
    if (!status && p->m->mark) {
        if (p->fissures) {
            for_marks(p, add_lines);
            stroke(p);
        }
        for_marks(p, draw_alone);
    }
    if (!status) map_names(p);
    canvas_unclip(&p->canvas);
    return status;
}
