/* map_background.c — draws roads, rivers, buildings and coasts as lines and areas between relief and layer, and their
 * samples in the legend. map_places.c draws their names. */
#include "map_page.h"

#include "record/map_background.h"
#include "vector/draw_cells.h"

#include <math.h>
#include <string.h>

static void add_dots(struct map_page *p, const struct map_place *t, double radius)
{
    for (int i = 0; i < t->parts; i++) {
        double x, y;
        map_at(p, t->xy[i], &x, &y);
        canvas_disc(&p->canvas, x, y, radius);
    }
}

/* Whether a feature is at least partly in the area that the map shows. Positions are compared in metres, because the
 * legend calls this function before the map has a place on the page. */
static bool lies_there(const struct map_page *p, const struct map_place *t)
{
    const double cell_m = p->m->geo.cell_m * p->grid.block,
                 end[2] = {p->grid.cols * cell_m, p->grid.rows * cell_m},
                 south_m = p->north_m - end[1];
    bool around = false; /* whether the south-west corner of the area is inside the feature */
    const double(*xy)[2] = t->xy;
    for (int i = 0; i < t->parts; xy += t->part_size[i++])
        for (int k = 0; k < t->part_size[i]; k++) {
            const double *a = xy[k ? k - 1 : 0], *b = xy[k];
            const double from[2] = {a[0] - p->west_m, a[1] - south_m},
                         to[2] = {b[0] - p->west_m, b[1] - south_m};
            double s[2];
            if (measure_cut(from, to, end, s)) return true;
            if ((from[1] > 0) != (to[1] > 0) &&
                from[0] - from[1] * (to[0] - from[0]) / (to[1] - from[1]) > 0)
                around = !around;
        }
    return around && t->kind == MAP_AREA;
}

/* ---- as vectors ------------------------------------------------------------------------------ */

static bool is_vectors(const struct map_page *p)
{
    return p->canvas.format != CANVAS_PNG;
}

static bool is_simple(const struct map_place *t)
{
    return t->kind != MAP_AREA || t->parts == 1;
}

/* Whether the next feature looks like this feature and joins its path, so that the file describes the look only once. */
static bool joins_next(const struct map_background *b, int i)
{
    const struct background_feature *f = &b->feature[i], *g = f + 1;
    return i + 1 < b->count && f->kind == g->kind && f->shape.kind == g->shape.kind &&
           is_simple(&f->shape) && is_simple(&g->shape);
}

static bool runs_clockwise(const struct map_place *t)
{
    double turn = 0;
    for (int k = 1; k < t->part_size[0]; k++)
        turn += t->xy[k - 1][0] * t->xy[k][1] - t->xy[k][0] * t->xy[k - 1][1];
    return turn < 0;
}

/* Adds positions to a path. A position is skipped if it is nearer to the previous position than a pixel of the best
 * printers. */
static void add_resolved(struct map_page *p, const double (*xy)[2], int count, bool backwards)
{
    cairo_t *cr = p->canvas.cr;
    double from[2] = {0, 0}, x, y;
    for (int k = 0; k < count; k++) {
        map_at(p, xy[backwards ? count - 1 - k : k], &x, &y);
        if (k && k + 1 < count && hypot(x - from[0], y - from[1]) < 0.35) continue;
        if (k) cairo_line_to(cr, x, y);
        else cairo_move_to(cr, x, y);
        from[0] = x;
        from[1] = y;
    }
}

/* Adds a feature to the path. All rings of joined areas have the same direction, so overlaps are filled, too. A dot is a
 * line of length 0 with round ends. */
static void add_vectors(struct map_page *p, const struct map_place *t)
{
    const double(*xy)[2] = t->xy;
    const bool backwards = t->kind == MAP_AREA && is_simple(t) && runs_clockwise(t);
    if (!lies_there(p, t)) return;
    for (int i = 0; i < t->parts; xy += t->kind == MAP_POINT ? 1 : t->part_size[i], i++) {
        add_resolved(p, xy, t->kind == MAP_POINT ? 1 : t->part_size[i], backwards);
        if (t->kind == MAP_POINT) cairo_close_path(p->canvas.cr);
    }
}

/* ---- painting -------------------------------------------------------------------------------- */

static void add_feature(struct map_page *p, const struct background_feature *f)
{
    if (is_vectors(p)) add_vectors(p, &f->shape);
    else if (f->shape.kind == MAP_POINT) add_dots(p, &f->shape, background_looks[f->kind].width);
    else map_path(p, &f->shape);
}

static void paint_path(struct map_page *p, const struct background_feature *f, bool casing)
{
    const struct background_look *look = &background_looks[f->kind];
    const bool point = f->shape.kind == MAP_POINT, vectors = is_vectors(p);
    struct canvas *c = &p->canvas;
    cairo_set_fill_rule(c->cr, vectors && is_simple(&f->shape) ? CAIRO_FILL_RULE_WINDING
                                                               : CAIRO_FILL_RULE_EVEN_ODD);
    if (casing) canvas_stroke(c, look->casing, look->ink, 1);
    else if (point && vectors) canvas_stroke(c, 2 * look->width, look->colour, 1);
    else if (point || (f->shape.kind == MAP_AREA && look->filled)) canvas_ink(c, look->colour, 1);
    else canvas_stroke(c, look->width, look->colour, 1);
}

static void paint_features(struct map_page *p, bool casing)
{
    const struct map_background *b = p->m->background;
    for (int i = 0; i < b->count; i++) {
        if (casing && background_looks[b->feature[i].kind].casing <= 0) continue;
        add_feature(p, &b->feature[i]);
        if (!is_vectors(p) || !joins_next(b, i)) paint_path(p, &b->feature[i], casing);
    }
}

void map_background(struct map_page *p)
{
    paint_features(p, true); /* casings first, so that they cut no road where roads meet */
    paint_features(p, false);
}

void map_locator_coast(const struct map_page *p, double x, double y, double unit)
{
    const struct map *m = p->m;
    const struct map_around *a = m->around;
    struct map_page whole = *p;
    whole.map.x0 = x;
    whole.map.y0 = y;
    whole.metres_per_unit = m->geo.cell_m / unit;
    whole.west_m = m->geo.west_m - m->geo.cell_m * (a ? a->col0 : 0);
    whole.north_m = m->geo.south_m + m->geo.cell_m * (m->rows + (a ? a->row0 : 0));
    for (int i = 0; m->background && i < m->background->count; i++) {
        const enum background_kind kind = m->background->feature[i].kind;
        if (kind != BACKGROUND_COAST && kind != BACKGROUND_WATER) continue;
        map_path(&whole, &m->background->feature[i].shape);
        if (kind == BACKGROUND_WATER) canvas_ink(&whole.canvas, background_looks[kind].colour, 1);
        else canvas_stroke(&whole.canvas, 1.4, background_looks[kind].colour, 1);
    }
}

/* Whether the legend shows this entry: the map has a feature of its kind. Several kinds may share an entry. */
static bool is_shown(const struct map_page *p, const char *legend)
{
    const struct map_background *b = p->m->background;
    for (int i = 0; b && i < b->count; i++) {
        const char *own = background_looks[b->feature[i].kind].legend;
        if (own && !strcmp(own, legend) && lies_there(p, &b->feature[i].shape)) return true;
    }
    return false;
}

double map_background_key(struct map_page *p, double x, double y, double wide,
                          double text(struct map_page *, double x, double y, const char *))
{
    static const enum background_kind samples[] = {BACKGROUND_MAIN_ROAD, BACKGROUND_RIVER,
                                                   BACKGROUND_COAST, BACKGROUND_BUILDING};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct background_look *look = &background_looks[samples[i]];
        if (!is_shown(p, look->legend)) continue;
        if (look->filled)
            canvas_rectangle(&p->canvas, x + wide / 2 - 6, y + 6, x + wide / 2 + 6, y + 18);
        else canvas_segment(&p->canvas, x, y + 12, x + wide, y + 12);
        if (look->filled) canvas_ink(&p->canvas, look->colour, 1);
        else canvas_stroke_cased(&p->canvas, look->casing, look->ink, 1, look->width, look->colour);
        y = text(p, x, y, look->legend);
    }
    return y;
}
