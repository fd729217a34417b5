#include "opening.h"

#include "random/quantile.h"
#include "raster/raster.h"
#include "text/grow.h"
#include "vector/draw_cells.h"

#include <math.h>

void opening_free(struct opening *o)
{
    RELEASE(o, o->vent, o->xy, o->mass, o->allowed, o->share);
}

/* ---- past vents ------------------------------------------------------------------------------ */

enum { WEIGHT, AGE, ZONE };
static const char *const wanted[] = {"weight", "age", "zone", NULL};

/* The number of a zone, which is added if it is new. -1: there are too many zones, or the name is too long. */
static int zone_of(struct opening *o, const char *name)
{
    int z = 0;
    while (z < o->zones && strcmp(o->zone[z], name) != 0) z++;
    if (z < o->zones) return z;
    if (z == OPENING_ZONES_MAX || strlen(name) >= OPENING_ZONE) return -1;
    strcpy(o->zone[o->zones++], name);
    return z;
}

static bool add_point(struct opening *o, struct past_vent *v, double x, double y)
{
    const bool there = grow_position(&o->xy, &o->points, x, y);
    v->count += there;
    return there;
}

/* Divides a line into equal parts, each about a cell long, and adds the middles of the parts as points. */
static bool add_line(struct opening *o, struct past_vent *v, const double (*xy)[2], int count,
                     double cell_m)
{
    double length = 0, begin = 0;
    for (int i = 1; i < count; i++)
        length += sqrt((xy[i][0] - xy[i - 1][0]) * (xy[i][0] - xy[i - 1][0]) +
                       (xy[i][1] - xy[i - 1][1]) * (xy[i][1] - xy[i - 1][1]));
    const int parts = (int)fmax(1, fmin(OPENING_PARTS, ceil(length / cell_m)));
    int part = 0;
    for (int i = 1; i < count; i++) {
        const double dx = xy[i][0] - xy[i - 1][0], dy = xy[i][1] - xy[i - 1][1],
                     piece = sqrt(dx * dx + dy * dy);
        for (; part < parts && (part + 0.5) * length / parts <= begin + piece; part++) {
            const double t = piece > 0 ? ((part + 0.5) * length / parts - begin) / piece : 0;
            if (!add_point(o, v, xy[i - 1][0] + t * dx, xy[i - 1][1] + t * dy)) return false;
        }
        begin += piece;
    }
    return part || add_point(o, v, xy[0][0], xy[0][1]);
}

/* Adds a part of a vent. A polygon becomes one point, the mean of its corners. */
static bool add_part(struct opening *o, struct past_vent *v, enum vector_kind kind,
                     const double (*xy)[2], int count, double cell_m)
{
    double x = 0, y = 0;
    if (kind == VECTOR_LINE) return add_line(o, v, xy, count, cell_m);
    const int corners = kind == VECTOR_AREA ? count - 1 : count;
    for (int i = 0; i < corners; i++) {
        x += xy[i][0] / corners;
        y += xy[i][1] / corners;
    }
    return add_point(o, v, x, y);
}

static int read_weight(struct past_vent *v, const struct vectors *from, int feature,
                       const struct opening_request *w, struct error *e)
{
    v->weight = 1;
    v->age_y = NAN;
    int status = vectors_real(from, feature, WEIGHT, w->vents, "weight", &v->weight, e);
    if (!status) status = vectors_real(from, feature, AGE, w->vents, "age", &v->age_y, e);
    if (status) return status;
    if (!(v->weight >= 0 && v->weight <= 1e9))
        return error_input(e, "%s: feature %d: its weight is %g; give 0 to 1e9", w->vents,
                           from->feature[feature].number, v->weight);
    if (!(w->age_scale_y > 0)) return 0;
    if (!(v->age_y >= 0))
        return error_input(e,
                           "%s: feature %d: opening_age_scale_y needs an age of 0 or more years; "
                           "give the attribute 'age', or remove that line",
                           w->vents, from->feature[feature].number);
    v->weight *= real_exp(-v->age_y / w->age_scale_y);
    return 0;
}

static int add_vent(struct opening *o, const struct vectors *from, int feature,
                    const struct opening_request *w, const struct vent_ground *ground,
                    struct error *e)
{
    const struct vector_feature *f = &from->feature[feature];
    const char *name = vectors_value(from, feature, ZONE);
    struct past_vent v = {.zone = zone_of(o, name ? name : ""), .first = o->points};
    struct place at;
    if (v.zone < 0)
        return error_input(
            e, "%s: feature %d: zone '%.60s'; give at most %d zones with names of at most %d bytes",
            w->vents, f->number, name, OPENING_ZONES_MAX, OPENING_ZONE - 1);
    const int status = read_weight(&v, from, feature, w, e);
    if (status) return status;
    for (const struct vector_part *p = from->part + f->first; p < from->part + f->first + f->count;
         p++)
        if (!add_part(o, &v, f->kind, (const double(*)[2])from->xy + p->first, p->count,
                      ground->geo->cell_m))
            return error_memory(e);
    for (int i = v.first; i < o->points; i++)
        if (!vent_place(ground, o->xy[i][0], o->xy[i][1], &at))
            return error_input(e,
                               "%s: feature %d: a past vent at %.10g, %.10g is outside the "
                               "terrain; give a larger DEM, or omit the vent",
                               w->vents, f->number, o->xy[i][0], o->xy[i][1]);
    return APPEND(o->vent, o->vents, v) ? 0 : error_memory(e);
}

static int read_vents(struct opening *o, const struct opening_request *w,
                      const struct vent_ground *ground, struct error *e)
{
    const struct vector_grid grid = {ground->rows, ground->cols, ground->geo};
    FREED_BY(vectors_free) struct vectors from = {0};
    double weights[OPENING_ZONES_MAX] = {0};
    int status =
        vectors_are_in(w->vents)
            ? vectors_read(&from, w->vents, &grid, VECTORS_TAKE_ALL, wanted, e)
            : vectors_read_csv(&from, w->vents, "vent", &grid, VECTORS_TAKE_ALL, wanted, e);
    for (int i = 0; i < from.features && !status; i++) status = add_vent(o, &from, i, w, ground, e);
    for (int v = 0; v < o->vents; v++) weights[o->vent[v].zone] += o->vent[v].weight;
    for (int z = 0; z < o->zones && !status; z++)
        if (!(weights[z] > 0))
            status = error_input(e, "%s: all weights%s%s are 0; give some above 0", w->vents,
                                 *o->zone[z] ? " in " : "", o->zone[z]);
    o->about = from.about;
    return status;
}

/* ---- where a vent may open ------------------------------------------------------------------- */

void opening_middle(const struct opening *o, size_t cell, double *x, double *y)
{
    *x = o->geo.west_m + ((double)(cell % (size_t)o->cols) + 0.5) * o->geo.cell_m;
    *y = o->geo.south_m + (o->rows - (double)(cell / (size_t)o->cols) - 0.5) * o->geo.cell_m;
}

static int set_cells(struct opening *o, double cell_m, const struct vent_ground *ground,
                     struct error *e)
{
    const double high_m = ground->rows * ground->geo->cell_m,
                 wide_m = ground->cols * ground->geo->cell_m;
    if (high_m / cell_m * (wide_m / cell_m) > 1e7)
        return error_input(
            e, "opening_cell_m is %g, which makes more than 10,000,000 cells; give a larger number",
            cell_m);
    o->geo = *ground->geo;
    o->geo.cell_m = cell_m;
    o->rows = (int)ceil(high_m / cell_m);
    o->cols = (int)ceil(wide_m / cell_m);
    o->allowed = calloc((size_t)o->rows * (size_t)o->cols, 1);
    return o->allowed ? 0 : error_memory(e);
}

/* Allows the cells with terrain at their middle. */
static int allow_ground(struct opening *o, const struct vent_ground *ground, struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < (size_t)o->rows * (size_t)o->cols && !status; i++) {
        double x, y;
        struct place at;
        bool has = false;
        opening_middle(o, i, &x, &y);
        if (vent_place(ground, x, y, &at))
            status = vent_has_ground(
                ground, (struct vent_cell){ground->rows - 1 - (int)at.up, (int)at.right, false},
                &has, e);
        o->allowed[i] = has;
    }
    return status;
}

static int keep_area(struct opening *o, const char *path, bool inside, struct error *e)
{
    const size_t cells = (size_t)o->rows * (size_t)o->cols;
    const struct vector_grid grid = {o->rows, o->cols, &o->geo};
    FREED_BY(vectors_free) struct vectors from = {0};
    FREED unsigned char *drawn = calloc(cells, 1);
    if (!path) return 0;
    if (!drawn) return error_memory(e);
    const int status = vectors_read(&from, path, &grid, VECTORS_TAKE_AREAS, NULL, e);
    struct cell_mask area = cell_mask_on(drawn, &grid);
    for (int i = 0; i < from.features; i++) cell_mask_fill(&area, &from, &from.feature[i]);
    for (size_t i = 0; i < cells; i++) o->allowed[i] &= drawn[i] == inside;
    return status;
}

/* ---- density --------------------------------------------------------------------------------- */

double opening_kernel(const struct opening *o, int vent, double x, double y)
{
    const struct past_vent *v = &o->vent[vent];
    double sum = 0;
    for (int p = v->first; p < v->first + v->count; p++)
        sum += opening_kernel_of(o->kernel, &o->shape[v->zone], x - o->xy[p][0], y - o->xy[p][1]);
    return sum / v->count;
}

/* The sum of a vent's kernel over the allowed cells in its reach. */
static double mass_of(const struct opening *o, int vent)
{
    const struct past_vent *v = &o->vent[vent];
    const struct opening_shape *s = &o->shape[v->zone];
    const double reach =
        (o->kernel == KERNEL_GAUSSIAN ? 4 : 1) * s->h_m * sqrt(s->ratio) / o->geo.cell_m;
    double sum = 0;
    for (int p = v->first; p < v->first + v->count; p++) {
        const double col = (o->xy[p][0] - o->geo.west_m) / o->geo.cell_m - 0.5,
                     row = o->rows - (o->xy[p][1] - o->geo.south_m) / o->geo.cell_m - 0.5;
        for (int r = (int)fmax(0, ceil(row - reach)); r < o->rows && r <= row + reach; r++)
            for (int c = (int)fmax(0, ceil(col - reach)); c < o->cols && c <= col + reach; c++) {
                const size_t cell = (size_t)r * (size_t)o->cols + (size_t)c;
                double x, y;
                if (!o->allowed[cell]) continue;
                opening_middle(o, cell, &x, &y);
                sum += opening_kernel_of(o->kernel, s, x - o->xy[p][0], y - o->xy[p][1]);
            }
    }
    return sum / v->count;
}

void opening_weigh(struct opening *o)
{
    for (int v = 0; v < o->vents; v++) o->mass[v] = mass_of(o, v);
}

void opening_shares(double *share, const struct opening *o, double x, double y)
{
    double mass[OPENING_ZONES_MAX] = {0};
    for (int z = 0; z < o->zones; z++) share[z] = 0;
    if (o->share) {
        const double col = floor((x - o->geo.west_m) / o->geo.cell_m),
                     up = floor((y - o->geo.south_m) / o->geo.cell_m);
        if (col >= 0 && col < o->cols && up >= 0 && up < o->rows)
            *share = o->share[(size_t)(o->rows - 1 - (int)up) * (size_t)o->cols + (size_t)col];
        return;
    }
    for (int v = 0; v < o->vents; v++) {
        share[o->vent[v].zone] += o->vent[v].weight * opening_kernel(o, v, x, y);
        mass[o->vent[v].zone] += o->vent[v].weight * o->mass[v];
    }
    for (int z = 0; z < o->zones; z++) share[z] = mass[z] > 0 ? share[z] / mass[z] : 0;
}

/* ---- the opening ----------------------------------------------------------------------------- */

/* The side of a cell if the plan gives none: at most a quarter of the smallest bandwidth, but large enough that there
 * are no more than OPENING_CELLS_MAX cells. */
static double usual_cell(const struct opening *o, const struct vent_ground *ground)
{
    const double cell_m = ground->geo->cell_m, cells = (double)ground->rows * ground->cols;
    double least_m = INFINITY;
    for (int z = 0; z < o->zones; z++) least_m = fmin(least_m, o->shape[z].h_m);
    return cell_m *
           fmax(fmax(1, floor(least_m / (4 * cell_m))), ceil(sqrt(cells / OPENING_CELLS_MAX)));
}

static int set_shapes(struct opening *o, const struct opening_request *w,
                      const struct vent_ground *ground, struct error *e)
{
    for (int z = 0; z < o->zones; z++)
        o->shape[z] = (struct opening_shape){w->bandwidth_m, 1, 0, 1, (double)NAN};
    if (w->bandwidth_m > 0) return 0;
    o->least_m = ground->geo->cell_m;
    o->most_m = fmax(ground->rows, ground->cols) * o->least_m;
    for (int z = 0; z < o->zones; z++) {
        opening_fit(o, z);
        if (!o->tries[z])
            return error_input(
                e,
                "%s: estimating a bandwidth needs two vents or more%s%s; add vents, or "
                "the line 'opening_bandwidth_m 500'",
                w->vents,
                *o->zone[z]    ? " in the zone "
                : o->zones > 1 ? " without a zone"
                               : "",
                o->zone[z]);
    }
    return 0;
}

static int set_masses(struct opening *o, const struct opening_request *w, struct error *e)
{
    double mass[OPENING_ZONES_MAX] = {0};
    if (!(o->mass = malloc((size_t)o->vents * sizeof *o->mass))) return error_memory(e);
    opening_weigh(o);
    for (int v = 0; v < o->vents; v++) mass[o->vent[v].zone] += o->vent[v].weight * o->mass[v];
    for (int z = 0; z < o->zones; z++)
        if (!(mass[z] > 0))
            return error_input(
                e, "%s: no vent%s%s may open within a bandwidth of the past vents; give %s",
                w->vents, *o->zone[z] ? " of " : "", o->zone[z],
                o->shape[z].h_m > fmax(o->rows, o->cols) * o->geo.cell_m
                    ? "smaller cells, or a bandwidth smaller than the terrain"
                    : "a larger area, smaller cells or a larger bandwidth");
    return 0;
}

/* Reads a raster of probabilities. Each allowed cell gets its value divided by the sum over allowed cells. */
static int read_raster(struct opening *o, const struct opening_request *w,
                       const struct vent_ground *ground, struct error *e)
{
    FREED_BY(raster_free) struct raster r = {0};
    double sum = 0;
    int status = raster_read(&r, w->raster, 10000000, e);
    if (!status) status = raster_check_crs(&r, w->raster, ground->geo, e);
    if (!status) status = raster_check_values(&r, w->raster, 0, RASTER_VALUE_MAX, e);
    if (status) return status;
    const size_t cells = (size_t)r.rows * (size_t)r.cols;
    o->zones = 1;
    o->rows = r.rows;
    o->cols = r.cols;
    o->geo = r.geo;
    o->share = r.value;
    r.value = NULL;
    if (!(o->allowed = calloc(cells, 1))) return error_memory(e);
    status = allow_ground(o, ground, e);
    if (!status) status = keep_area(o, w->within, true, e);
    if (!status) status = keep_area(o, w->never, false, e);
    for (size_t i = 0; i < cells; i++) {
        if (!o->allowed[i] || !(o->share[i] > 0)) o->share[i] = 0;
        sum += o->share[i];
    }
    for (size_t i = 0; i < cells; i++) o->share[i] /= sum;
    if (status || sum > 0) return status;
    return error_input(e,
                       "%s: all its cells above 0 are where no vent may open; correct them, or the "
                       "areas where vents may open",
                       w->raster);
}

static int read_density(struct opening *o, const struct opening_request *w,
                        const struct vent_ground *ground, struct error *e)
{
    int status = read_vents(o, w, ground, e);
    if (!status) status = set_shapes(o, w, ground, e);
    if (!status)
        status = set_cells(o, w->cell_m > 0 ? w->cell_m : usual_cell(o, ground), ground, e);
    if (!status) status = allow_ground(o, ground, e);
    if (!status) status = keep_area(o, w->within, true, e);
    if (!status) status = keep_area(o, w->never, false, e);
    return status ? status : set_masses(o, w, e);
}

int opening_read(struct opening *o, const struct opening_request *w,
                 const struct vent_ground *ground, struct error *e)
{
    *o = (struct opening){.kernel = w->kernel};
    const int status = (w->raster ? read_raster : read_density)(o, w, ground, e);
    if (status) opening_free(o);
    return status;
}
