/* map_lines.c — what is drawn on top of relief and layer. */
#include "map_page.h"

#include "draw/roundnum.h"

#include <math.h>
#include <stdlib.h>

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
        double half = font_width(&p->canvas, &f, roundnum_text(text, k * heavy, heavy)) / 2;
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

void map_contour_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x, y, x + width, y);
    canvas_stroke(&p->canvas, 1.8, map_contour, 0.7);
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
    cairo_path_t *line = cairo_copy_path(p->canvas.cr);
    canvas_stroke(&p->canvas, 6, map_white, 1); /* a casing, then the line */
    cairo_append_path(p->canvas.cr, line);
    cairo_path_destroy(line);
    canvas_stroke(&p->canvas, 2.8, colours_outline, 1);
    return status;
}

void map_outline_sample(struct map_page *p, double x, double y, double width)
{
    canvas_segment(&p->canvas, x, y, x + width, y);
    canvas_stroke(&p->canvas, 2.8, colours_outline, 1);
}

int map_lines(struct map_page *p, struct error *e)
{
    const struct map_grid *g = &p->grid;
    float *soft = malloc((size_t)g->rows * g->cols * sizeof *soft);
    int status = 0;
    if (!soft) return error_memory(e);
    canvas_clip(&p->canvas, p->map.x0, p->map.y0, p->map.x1, p->map.y1);
    if (p->contour_m > 0) {
        soften(soft, g->elevation_m, g->rows, g->cols);
        status = draw_contours(p, soft, e);
    }
    map_place_vents(p);
    if (!status) map_class_lines(p);
    if (!status && g->inside) {
        soften(soft, g->inside, g->rows, g->cols);
        status = draw_outline(p, soft, e);
    }
    if (!status) map_places(p);
    if (!status) map_class_labels(p);
    if (!status && p->m->mark) map_vents(p);
    if (!status) map_names(p);
    canvas_unclip(&p->canvas);
    free(soft);
    return status;
}
