/* map_lines.c — draws lines and labels on top of relief and layer. */
/* build: optimized */
#include "map_page.h"

#include "base/order.h"
#include "record/roundnum.h"
#include "text/grow.h"
#include "text/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- contours of a grid, square by square ---------------------------------------------------- */

/* A square between four cell centres; the corners are in clockwise order from the upper left. Band k has the values
 * between the levels of the lines k and k + 1. lo and hi are the lowest and the highest band of the corners, so the
 * lines lo + 1 to hi cross the square. */
struct square {
    double value[4], x[4], y[4];
    int lo, hi;
};

enum { NO_BAND = -2147483647 - 1 };

/* Returns the centre of cell i along one axis. If i is beyond the ends, returns the edge of the domain. */
static double centre_of(int i, int count)
{
    return fmin(count, fmax(0, i + 0.5));
}

/* The value of a cell or, beyond the grid, of the nearest cell. */
static float value_near(const struct isolines *g, int row, int col)
{
    return g->value[(size_t)int_within(row, g->rows - 1) * g->cols + int_within(col, g->cols - 1)];
}

/* The number k of the band that contains a node's value. Band k begins at base + k / per_step. */
static int band_of(const struct isolines *g, int row, int col, double base, double per_step)
{
    double band = (value_near(g, row, col) - base) * per_step;
    if (!(fabs(band) < 2e9)) return NO_BAND;
    int k = (int)band;
    return k - (k > band);
}

/* Moves one square to the right: the two right nodes of the old square become the left nodes of the new square. Returns
 * whether lines cross the new square. */
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

/* Sets the corners of a square. The upper left corner is the centre of (row, col), where row and col may be -1. */
static void corners_of(struct square *s, const struct isolines *g, int row, int col)
{
    for (int k = 0; k < 4; k++) {
        int r = row + (k > 1), c = col + (k == 1 || k == 2);
        s->value[k] = value_near(g, r, c);
        s->x[k] = g->x + g->zoom * centre_of(c, g->cols);
        s->y[k] = g->y + g->zoom * centre_of(r, g->rows);
    }
}

/* ---- pieces of lines, joined end to end ------------------------------------------------------ */

/* A point where the pieces of two squares meet. A line crosses an edge between two neighbouring centres at most once,
 * so the edge and the level of the line make the `name` of the point. */
struct crossing {
    double x, y;
    uint64_t name;
};

struct piece {
    struct crossing at[2];
    /* other[k]: the end of another piece at the point at[k], as 2 * (number of the piece) + (0 or
     * 1); -1: no other piece ends there; -2: this piece is drawn. */
    int64_t other[2];
};

struct pieces {
    struct piece *piece;
    size_t count;
    bool failed;
};

/* The number of an edge in the whole grid. side: 0 to 3, clockwise from the upper side of the square. */
static uint64_t edge_of(const struct isolines *g, int row, int col, int side)
{
    const int r = row + 1 + (side == 2), c = col + 1 + (side == 1);
    return 2 * ((uint64_t)r * (uint64_t)(g->cols + 2) + (uint64_t)c) + (side % 2 != 0);
}

static void join_crossings(struct pieces *all, const struct crossing *a, const struct crossing *b)
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
    if (crossings == 2) join_crossings(all, &at[0], &at[1]);
    if (crossings != 4) return;
    /* At a saddle the mean of the corners decides whether the two high or the two low corners are
     * joined. Sides 0 and 1 meet in corner 1. A piece cuts off corner 1 if the level is between the
     * value of this corner and the mean. */
    const double middle = (s->value[0] + s->value[1] + s->value[2] + s->value[3]) / 4;
    const bool cut_corner_1 = (s->value[side[1]] >= level) != (middle >= level);
    join_crossings(all, &at[0], &at[cut_corner_1 ? 1 : 3]);
    join_crossings(all, &at[cut_corner_1 ? 2 : 1], &at[cut_corner_1 ? 3 : 2]);
}

static void collect_pieces(struct pieces *all, const struct isolines *g, double base, double step,
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

ORDER_MEMBERS(by_name, struct meeting, name, end)

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

/* Draws a line from an end along its pieces, and marks the pieces as drawn. */
static void follow_line(struct canvas *c, struct pieces *all, int64_t end)
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
    collect_pieces(&all, g, base, step, every);
    meet(&all);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end++) /* first the lines that have ends */
        if (*other_of(&all, end) == -1) follow_line(c, &all, end);
    for (int64_t end = 0; end < 2 * (int64_t)all.count; end += 2) /* then the rings */
        if (*other_of(&all, end) >= 0) follow_line(c, &all, end);
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

/* Calls `each` for the marked cells of the shown part. */
static void for_marks(struct map_page *p, void (*each)(struct map_page *, int row, int col))
{
    const struct map *m = p->m;
    const struct window *k = &p->grid.crop;
    for (int row = k->row0; m->mark && row < k->row0 + k->rows; row++)
        for (int col = k->col0; col < k->col0 + k->cols; col++)
            if (m->mark[(size_t)row * m->cols + col]) each(p, row, col);
}

static void find_vent(struct map_page *p, int row, int col)
{
    if (p->m->mark_small || is_alone(p->m, row, col)) p->vents = true;
    else p->fissures = true;
}

void map_find_vents(struct map_page *p)
{
    for_marks(p, find_vent);
}

static double x_of(const struct map_page *p, int col)
{
    return p->map.x0 + p->node / p->grid.block * (col - p->grid.crop.col0 + 0.5);
}

static double y_of(const struct map_page *p, int row)
{
    return p->map.y0 + p->node / p->grid.block * (row - p->grid.crop.row0 + 0.5);
}

/* Draws lines only to later neighbours, so that each line is drawn once. A diagonal line is drawn only if no neighbour
 * connects the two cells. */
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

static void stroke_vent(struct map_page *p)
{
    canvas_stroke_cased(&p->canvas, 8.5, canvas_black, 1, 4, canvas_white);
}

void map_vent_symbol(struct map_page *p, double x, double y)
{
    if (p->m->mark_small) {
        canvas_disc(&p->canvas, x, y, 5);
        canvas_ink(&p->canvas, canvas_black, 1);
        canvas_disc(&p->canvas, x, y, 3);
        canvas_ink(&p->canvas, canvas_white, 1);
        return;
    }
    const double w = 9.5, up = 11, down = 6;
    const double corner[3][2] = {{x - w, y + down}, {x, y - up}, {x + w, y + down}};
    canvas_polygon(&p->canvas, corner, 3);
    canvas_ink(&p->canvas, canvas_white, 1);
    canvas_polygon(&p->canvas, corner, 3);
    canvas_stroke(&p->canvas, 2.6, canvas_black, 1);
}

static void draw_alone(struct map_page *p, int row, int col)
{
    const double x = x_of(p, col), y = y_of(p, row);
    const bool alone = p->m->mark_small || is_alone(p->m, row, col);
    const double reach = p->m->mark_small || !alone ? 6 : 12;
    const struct map_box b = {x - reach, y - reach, x + reach, y + reach};
    if (alone) map_vent_symbol(p, x, y);
    map_take(p, &b, p->m->mark_small ? MAP_DOT : MAP_TAKEN);
}

static void sum_up(struct map_page *p, int row, int col)
{
    p->vents_x += x_of(p, col);
    p->vents_y += y_of(p, row);
    p->marks++;
}

/* Finds the mean position of all vents. Called after page->map is known. */
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
    stroke_vent(p);
}

/* ---- contour lines of the terrain, every fifth of them heavier and numbered ------------------ */

enum { EVERY = 5, LABELS_MOST = 24, SCANS = 11 };

struct label {
    double x, y, angle; /* position in pixels, direction in radians */
    /* distance in pixels to the nearest other label, at most twice the distance to the frame */
    double room;
};

/* The distance of a point to the nearest placed label, but at most twice its distance to the frame. */
static double room_at(const struct map_page *p, const struct label *placed, int count, double x,
                      double y)
{
    double room = fmin(fmin(x - p->map.x0, p->map.x1 - x), fmin(y - p->map.y0, p->map.y1 - y)) * 2;
    for (int i = 0; i < count; i++) room = fmin(room, hypot(x - placed[i].x, y - placed[i].y));
    return room;
}

/* The nodes of the map, with their values, as a grid for lines. */
static struct isolines isolines_of(const struct map_page *p, const float *value)
{
    return (struct isolines){value, p->grid.rows, p->grid.cols, p->map.x0, p->map.y0, p->node};
}

/* Chooses an interval with about 16 contours; 0 if the ground is so rough that they would cover the map. */
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

/* Whether the layer covers a node, in this map or in another map of the same series. */
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

/* Whether a number at this node would hide a part of the layer (is_taken()). */
static bool in_the_way(const struct map_page *p, int row, int col)
{
    const int reach = (int)(48 / p->node) + 1, step = reach / 4 + 1;
    for (int r = row - reach; r <= row + reach; r += step)
        for (int c = col - reach; c <= col + reach; c += step)
            if (r >= 0 && c >= 0 && r < p->grid.rows && c < p->grid.cols && is_taken(p, r, c))
                return true;
    return false;
}

/* The direction of a contour, perpendicular to the slope of the nodes around it. Text in this direction is never upside
 * down. */
static double angle_at(const struct map_page *p, const float *z, int row, int col)
{
    int rows = p->grid.rows, cols = p->grid.cols, reach = (int)(24 / p->node) + 1;
    int r0 = row > reach ? row - reach : 0, r1 = row + reach < rows ? row + reach : rows - 1;
    int c0 = col > reach ? col - reach : 0, c1 = col + reach < cols ? col + reach : cols - 1;
    double dx = (double)z[(size_t)row * cols + c1] - z[(size_t)row * cols + c0];
    double dy = (double)z[(size_t)r1 * cols + col] - z[(size_t)r0 * cols + col];
    double angle = atan2(dx, dy); /* the line's direction is (dy, -dx), where y grows downward */
    const double right = acos(0.0);
    if (!(fabs(angle) <= 4)) return 0;
    return angle > right ? angle - 2 * right : angle < -right ? angle + 2 * right : angle;
}

/* Finds the place with most room among the places where the contour `level` crosses one of SCANS rows. room 0: there
 * is no such place. */
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
        struct font f = {12, FONT_REGULAR, l.angle, 0.5};
        double x = l.x + sin(l.angle) * f.size / 2, y = l.y + cos(l.angle) * f.size / 2;
        words_number(roundnum_text(text, k * heavy, heavy), sizeof text, p->m->language);
        double half = font_width(&p->canvas, &f, text) / 2;
        const struct map_box box = {l.x - half, l.y - half, l.x + half, l.y + half};
        if (!map_is_free(p, &box, MAP_ANY)) continue;
        double dx = half * cos(l.angle), dy = -half * sin(l.angle);
        placed[count++] = l;
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
    return status;
}

/* ---- all that is drawn ----------------------------------------------------------------------- */

/* Moves values half way towards the mean of their neighbours, so that single rough cells do not make lines jagged. */
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
    canvas_stroke_cased(&p->canvas, 6, canvas_white, 1, 2.8, colours_outline);
    return status;
}

/* Draws labels last, because they must not hide what is drawn before. Labels of places come first, because they need room
 * most. */
static void draw_labels(struct map_page *p, const float *soft)
{
    map_names(p);
    map_front_labels(p);
    map_background_names(p);
    if (p->contour_m > 0) number_lines(p, soft);
}

static int draw_all(struct map_page *p, float *soft, float *inside, struct error *e)
{
    const struct map_grid *g = &p->grid;
    int status = map_taken_create(p, e);
    if (!status && p->contour_m > 0) {
        soften(soft, g->elevation_m, g->rows, g->cols);
        status = draw_contours(p, soft, e);
    }
    if (status) return status;
    map_place_vents(p);
    map_fronts(p);
    if (g->inside) {
        soften(inside, g->inside, g->rows, g->cols);
        status = draw_outline(p, inside, e);
    }
    map_places(p);
    if (p->fissures) {
        for_marks(p, add_lines);
        stroke_vent(p);
    }
    for_marks(p, draw_alone);
    if (!status) draw_labels(p, soft);
    return status;
}

int map_lines(struct map_page *p, struct error *e)
{
    const size_t nodes = (size_t)p->grid.rows * p->grid.cols;
    FREED float *soft = malloc(nodes * sizeof *soft);
    FREED float *inside = malloc((p->grid.inside ? nodes : 1) * sizeof *inside);
    if (!soft || !inside) return error_memory(e);
    canvas_clip(&p->canvas, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    const int status = draw_all(p, soft, inside, e);
    canvas_unclip(&p->canvas);
    free(p->taken.square);
    p->taken.square = NULL;
    return status;
}
