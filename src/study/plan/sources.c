#include "sources.h"

#include "base/order.h"
#include "raster/raster.h"
#include "text/grow.h"

#include <math.h>
#include <stdio.h>

static struct vent_cell cell_of(const struct vent_ground *g, struct place p)
{
    return (struct vent_cell){.row = g->rows - 1 - (int)p.up, .col = (int)p.right};
}

/* Adds a point to the last source, or to a new source if `is_new`. */
static int add_point(struct sources *s, const struct vent_point *p, bool is_new, const char *at,
                     struct error *e)
{
    const int i = s->choice.count;
    if (is_new) {
        if (i == SOURCES_MAX)
            return error_input(e, "%s: has more than %d vents; give fewer", at, SOURCES_MAX);
        int status = choice_add(&s->choice, p->weight, at, e);
        if (status) return status;
        if (!GROW(s->source, i)) return error_memory(e);
        s->source[i] = (struct source){p->id, s->point_count, 0};
    }
    if (!APPEND(s->point, s->point_count, *p)) return error_memory(e);
    s->source[s->choice.count - 1].points++;
    return 0;
}

void sources_free(struct sources *s)
{
    choice_free(&s->choice);
    RELEASE(s, s->source, s->point);
}

/* ---- list ------------------------------------------------------------------------------------ */

/* Sorts points by vent. Points of the same vent keep the order of the file. */
ORDER_MEMBERS(by_id, struct vent_point, id, order)

static int read_point(struct sources *s, const struct vent_points *v, int i, const char *path,
                      const struct vent_ground *ground, struct error *e)
{
    char at[512];
    const struct vent_point *p = &v->point[i];
    const bool next = i && v->point[i - 1].id == p->id;
    snprintf(at, sizeof at, v->about.features ? "%.480s: feature %d" : "%.480s:%d", path, p->line);
    bool has;
    int status = vent_has_ground(ground, cell_of(ground, p->at), &has, e);
    if (status) return status;
    const struct vent_remedy none = vent_remedy(ground, cell_of(ground, p->at));
    if (!has)
        return error_input(e, "%s: vent %d lies where %s; move it or %s", at, p->id, none.where,
                           none.how);
    if (next && p->weight != v->point[i - 1].weight)
        return error_input(
            e, "%s: the rows of vent %d have different weights; give each row the same weight", at,
            p->id);
    return p->weight == 0 ? 0 : add_point(s, p, !next, at, e);
}

int sources_read_list(struct sources *s, const char *path, const struct vent_ground *ground,
                      struct error *e)
{
    FREED_BY(vent_points_free) struct vent_points v;
    *s = (struct sources){0};
    int status = vent_points_read(&v, path, ground, true, e);
    if (status) return status;
    s->choice.kind = v.weights == VENT_WEIGHTS         ? CHOICE_WEIGHTS
                     : v.weights == VENT_PROBABILITIES ? CHOICE_PROBABILITIES
                                                       : CHOICE_ALIKE;
    s->about = v.about;
    qsort(v.point, (size_t)v.count, sizeof *v.point, by_id);
    for (int i = 0; i < v.count && !status; i++) status = read_point(s, &v, i, path, ground, e);
    if (!status) status = choice_finish(&s->choice, path, e);
    if (status) sources_free(s);
    return status;
}

/* ---- grid ------------------------------------------------------------------------------------ */

int sources_make_grid(struct sources *s, double spacing_m, const double box[4], const char *at,
                      const struct vent_ground *ground, struct error *e)
{
    const struct georef *geo = ground->geo;
    const double west = isnan(box[0]) ? geo->west_m : box[0];
    const double south = isnan(box[1]) ? geo->south_m : box[1];
    const double east = isnan(box[2]) ? geo->west_m + ground->cols * geo->cell_m : box[2];
    const double north = isnan(box[3]) ? geo->south_m + ground->rows * geo->cell_m : box[3];
    int status = 0;
    *s = (struct sources){0};
    if ((east - west) / spacing_m * ((north - south) / spacing_m) > 4.0 * SOURCES_MAX)
        return error_input(e, "%s: has more than %d vents; give a wider spacing", at, SOURCES_MAX);
    for (double j = 0.5; !status && south + j * spacing_m < north; j++)
        for (double i = 0.5; !status && west + i * spacing_m < east; i++) {
            struct vent_point p = {.id = s->choice.count + 1, .weight = 1};
            bool has;
            if (!vent_place(ground, west + i * spacing_m, south + j * spacing_m, &p.at)) continue;
            status = vent_has_ground(ground, cell_of(ground, p.at), &has, e);
            if (!status && has) status = add_point(s, &p, true, at, e);
        }
    if (!status && !s->choice.count)
        status = error_input(e,
                             "%s: no point of the grid lies on terrain; give a box within the DEM, "
                             "or a smaller spacing",
                             at);
    if (!status) status = choice_finish(&s->choice, at, e);
    if (status) sources_free(s);
    return status;
}

/* ---- raster ---------------------------------------------------------------------------------- */

int sources_add(struct sources *s, double x, double y, double share, const char *at,
                const struct vent_ground *ground, struct error *e)
{
    struct vent_point p = {.id = s->choice.count + 1, .weight = share};
    return vent_place(ground, x, y, &p.at) ? add_point(s, &p, true, at, e)
                                           : error_input(e, "%s: outside the terrain", at);
}

static int read_cell(struct sources *s, const struct raster *r, int row, int col, const char *path,
                     const struct vent_ground *ground, struct error *e)
{
    const double value = r->value[(size_t)row * (size_t)r->cols + (size_t)col];
    struct vent_point p = {.id = s->choice.count + 1, .weight = value};
    if (isnan(value) || value == 0) return 0;
    if (value < 0)
        return error_input(e, "%s: the probability is %g at row %d, column %d; give 0 or more",
                           path, value, row, col);
    const double x = r->geo.west_m + (col + 0.5) * r->geo.cell_m;
    const double y = r->geo.south_m + (r->rows - row - 0.5) * r->geo.cell_m;
    bool has = vent_place(ground, x, y, &p.at);
    int status = has ? vent_has_ground(ground, cell_of(ground, p.at), &has, e) : 0;
    if (status) return status;
    if (!has)
        return error_input(e,
                           "%s: a vent at row %d, column %d (%.10g, %.10g) has probability %g but "
                           "no terrain; set it to 0 there, or give a larger DEM",
                           path, row, col, x, y, value);
    return add_point(s, &p, true, path, e);
}

int sources_read_raster(struct sources *s, const char *path, const struct vent_ground *ground,
                        struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    *s = (struct sources){.choice = {.kind = CHOICE_SHARES}};
    int status = raster_read(&r, path, SOURCES_MAX, e);
    if (status) return status;
    status = raster_check_crs(&r, path, ground->geo, e);
    if (!status) status = raster_check_values(&r, path, -RASTER_VALUE_MAX, RASTER_VALUE_MAX, e);
    for (int row = 0; row < r.rows; row++)
        for (int col = 0; col < r.cols && !status; col++)
            status = read_cell(s, &r, row, col, path, ground, e);
    if (!status) status = choice_finish(&s->choice, path, e);
    if (status) sources_free(s);
    return status;
}
