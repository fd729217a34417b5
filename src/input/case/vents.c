/* vents.c — the vents CSV: points and fissures. */
#include "vents.h"

#include "text/csv.h"
#include "vector/transform.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct columns {
    int id, x, y, row, col, lon, lat, part, weight; /* -1: not there */
};

static int either(const struct csv *t, const char *name, const char *other)
{
    const int column = csv_column(t, name);
    return column >= 0 ? column : csv_column(t, other);
}

static int find_columns(struct columns *c, const struct csv *t, struct error *e)
{
    *c = (struct columns){.id = csv_column(t, "vent"),
                          .x = csv_column(t, "x"),
                          .y = csv_column(t, "y"),
                          .row = csv_column(t, "row"),
                          .col = csv_column(t, "col"),
                          .lon = either(t, "lon", "longitude"),
                          .lat = either(t, "lat", "latitude"),
                          .part = csv_column(t, "part"),
                          .weight = either(t, "weight", "probability")};
    const bool map = c->x >= 0 && c->y >= 0, grid = c->row >= 0 && c->col >= 0,
               degrees = c->lon >= 0 && c->lat >= 0;
    if (!map) c->x = -1;              /* an x without y is some other column */
    if (map || !degrees) c->lon = -1; /* of two places the one in metres is exact */
    if (c->id >= 0 && (map || degrees) != grid) return 0;
    return error_line(e, t->file.path, t->file.line,
                      "the header has to be 'vent,x,y' (map coordinates, m), 'vent,lon,lat' "
                      "(degrees, WGS 84) or 'vent,row,col' (from 0, from the north-west)");
}

/* Metres in a CRS are hardly ever as small as degrees are. */
static bool look_like_degrees(double x, double y, const struct georef *g)
{
    return fabs(x) <= 180 && fabs(y) <= 180 && (fabs(g->west_m) > 360 || fabs(g->south_m) > 360);
}

static int refuse_outside(const struct csv *t, double x, double y, const struct vent_ground *g,
                          const char *remedy, struct error *e)
{
    return vent_refuse_outside(t->file.path, ":", t->file.line, x, y, g, remedy, e);
}

static int place_on_map(struct place *p, const struct csv *t, double x, double y,
                        const struct vent_ground *g, struct error *e)
{
    struct place other;
    const char *remedy = "give coordinates in its CRS";
    if (vent_place(g, x, y, p)) return 0;
    if (look_like_degrees(x, y, g->geo))
        remedy =
            "these look like degrees: give coordinates in its CRS, or call the columns lon and lat";
    else if (vent_place(g, y, x, &other)) remedy = "x and y are swapped: x is the easting";
    return refuse_outside(t, x, y, g, remedy, e);
}

static int read_degrees(struct place *p, const struct csv *t, const struct columns *c,
                        const struct vent_ground *g, const struct transform *transform,
                        struct error *e)
{
    double lon, lat;
    const char *why, *whatever;
    struct place other;
    int status;
    if ((status = csv_real(t, c->lon, &lon, e)) || (status = csv_real(t, c->lat, &lat, e)))
        return status;
    double xy[2] = {lon, lat}, swapped[2] = {lat, lon};
    const bool somewhere = transform_apply(transform, xy, &why);
    if (somewhere && vent_place(g, xy[0], xy[1], p)) return 0;
    if (transform_apply(transform, swapped, &whatever) &&
        vent_place(g, swapped[0], swapped[1], &other))
        return error_line(e, t->file.path, t->file.line,
                          "the vent at longitude %.10g, latitude %.10g is outside the DEM; the two "
                          "are swapped: %.10g is the longitude",
                          lon, lat, lat);
    if (somewhere) return refuse_outside(t, xy[0], xy[1], g, "correct longitude and latitude", e);
    return error_line(e, t->file.path, t->file.line,
                      "the position %.10g, %.10g (longitude, latitude) %s; correct it", lon, lat,
                      why);
}

static int read_place(struct place *p, const struct csv *t, const struct columns *c,
                      const struct vent_ground *g, const struct transform *transform,
                      struct error *e)
{
    int status;
    if (c->lon >= 0) return read_degrees(p, t, c, g, transform, e);
    if (c->x >= 0) {
        double x, y;
        if ((status = csv_real(t, c->x, &x, e)) || (status = csv_real(t, c->y, &y, e)))
            return status;
        return place_on_map(p, t, x, y, g, e);
    }
    int64_t row, col;
    if ((status = csv_integer(t, c->row, INT_MIN, INT_MAX, &row, e)) ||
        (status = csv_integer(t, c->col, INT_MIN, INT_MAX, &col, e)))
        return status;
    if (row < 0 || col < 0 || row >= g->rows || col >= g->cols)
        return error_line(e, t->file.path, t->file.line,
                          "the vent in row %d, column %d is outside the DEM, which has %d rows and "
                          "%d columns; count from 0 in the north-west",
                          (int)row, (int)col, g->rows, g->cols);
    *p = (struct place){(double)col + 0.5, (double)(g->rows - row) - 0.5};
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int read_point(struct vent_points *v, const struct csv *t, const struct columns *c,
                      const struct vent_ground *g, const struct transform *transform,
                      struct error *e)
{
    int64_t id, part = 0;
    struct vent_point p = {.line = t->file.line, .weight = 1};
    int status = csv_integer(t, c->id, 1, 1000000000, &id, e);
    if (!status) status = read_place(&p.at, t, c, g, transform, e);
    if (!status && c->part >= 0) status = csv_integer(t, c->part, INT_MIN, INT_MAX, &part, e);
    if (!status && c->weight >= 0) status = csv_real(t, c->weight, &p.weight, e);
    if (status) return status;
    p.id = (int)id;
    p.part = (int)part;
    return vent_points_add(v, p, e);
}

static int read_rows(struct vent_points *v, struct csv *t, const struct columns *c,
                     const struct vent_ground *g, struct error *e)
{
    struct transform *transform = NULL;
    bool more;
    int status = 0;
    if (c->lon >= 0 && !g->geo->crs.epsg && !g->geo->crs.key_count) {
        status = error_line(e, t->file.path, t->file.line,
                            "has longitudes and latitudes, but the DEM names no CRS; declare it in "
                            "the case: crs EPSG:n");
    } else if (c->lon >= 0) {
        status = transform_open(&transform, CRS_DEGREES, &g->geo->crs, t->file.path, e);
        crs_name(&g->geo->crs, v->about.projected_to);
    }
    while (!status && !(status = csv_row(t, &more, e)) && more)
        status = read_point(v, t, c, g, transform, e);
    if (!status && v->count == 0)
        status = error_input(e, "%s: has no vent; add a row for each vent", t->file.path);
    transform_close(transform);
    return status;
}

/* Warns of columns that are probably misspelt: weights only if they are needed and missing. */
static void doubt_columns(struct vent_points *v, const struct csv *t, bool weighted)
{
    static const char *const names[] = {"weight", "probability", "part", NULL};
    csv_doubt(t, names + (weighted && !v->weights ? 0 : 2), v->about.doubt);
}

int vent_points_read(struct vent_points *v, const char *path, const struct vent_ground *ground,
                     bool weighted, struct error *e)
{
    struct csv t;
    struct columns c = {0};
    if (vectors_are_in(path)) return vent_points_read_vectors(v, path, ground, weighted, e);
    *v = (struct vent_points){0};
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&c, &t, e);
    if (!weighted) c.weight = -1;
    if (!status && weighted && csv_column(&t, "weight") >= 0 && csv_column(&t, "probability") >= 0)
        status =
            error_line(e, t.file.path, t.file.line, "has both weight and probability; keep one");
    if (!status && c.weight >= 0)
        v->weights = csv_column(&t, "weight") == c.weight ? VENT_WEIGHTS : VENT_PROBABILITIES;
    if (!status) doubt_columns(v, &t, weighted);
    if (!status) status = read_rows(v, &t, &c, ground, e);
    csv_close(&t);
    if (status) vent_points_free(v);
    return status;
}

void vent_points_free(struct vent_points *v)
{
    free(v->point);
    *v = (struct vent_points){0};
}

int vents_read(struct vent_sites *v, const char *path, const struct vent_ground *ground,
               struct error *e)
{
    struct vent_points points;
    *v = (struct vent_sites){.path = path};
    int status = vent_points_read(&points, path, ground, false, e);
    for (int i = 0; i < points.count && !status; i++) {
        const struct vent_point *p = &points.point[i];
        const int line = points.about.features ? 0 : p->line;
        status = vent_sites_add_point(v, p->id, p->at, p->part, ground, line, e);
    }
    if (!status) status = vent_sites_finish(v, e);
    v->about = points.about;
    vent_points_free(&points);
    if (status) vents_free(v);
    return status;
}
