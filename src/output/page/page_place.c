/* page_place.c — where places are: degrees, the observed outline, places of interest, isochrones.
 */
#include "page_facts.h"

#include "compare/fit.h"

#include "compare/outline.h"
#include "case/assets.h"
#include "isochrones/isochrones.h"
#include "raster/projection.h"
#include "sim/window.h"
#include "text/textfile.h"
#include "restart/json_number.h"

#include <math.h>
#include <stdlib.h>

/* ---- degrees --------------------------------------------------------------------------------- */

/* Longitude and latitude on a lattice over the grid, for a bilinear interpolation: a page has no
 * projections. Its error is looked for in the middle of the meshes, where it is largest. */
enum { MESHES = 16, NODES = MESHES + 1 };

struct degrees {
    PJ_CONTEXT *context;
    PJ *transform;
    double west, north, width, height;
};

static bool degrees_open(struct degrees *d, const struct page *p)
{
    *d = (struct degrees){.context = projection_context()};
    d->width = p->cols * p->geo.cell_m;
    d->height = p->rows * p->geo.cell_m;
    d->west = p->geo.west_m;
    d->north = p->geo.south_m + d->height;
    PJ *crs = d->context ? projection_create(d->context, &p->geo.crs) : NULL;
    d->transform = projection_to_degrees(d->context, crs);
    proj_destroy(crs);
    return d->transform != NULL;
}

/* x and y from 0 to 1, from the north-west corner */
static bool degrees_at(const struct degrees *d, double x, double y, double out[2])
{
    const PJ_LP deg = proj_trans(d->transform, PJ_FWD,
                                 proj_coord(d->west + x * d->width, d->north - y * d->height, 0, 0))
                          .lp;
    out[0] = deg.lam, out[1] = deg.phi;
    return fabs(deg.lam) <= 360 && fabs(deg.phi) <= 90;
}

static double distance_m(const double a[2], const double b[2])
{
    const double degree_m = 111320;
    return degree_m * hypot((a[0] - b[0]) * cos(proj_torad(a[1])), a[1] - b[1]);
}

/* Across the antimeridian a longitude continues beyond 180 degrees, so that a mean of two lies
 * between them. */
static double near_lon(double lon, double near)
{
    return lon - 360 * round((lon - near) / 360);
}

static bool fill_lattice(const struct degrees *d, double (*at)[2], double *error_m)
{
    for (int i = 0; i < NODES * NODES; i++) {
        if (!degrees_at(d, (double)(i % NODES) / MESHES, (double)(i / NODES) / MESHES, at[i]))
            return false;
        at[i][0] = near_lon(at[i][0], at[0][0]);
    }
    *error_m = 0;
    for (int i = 0; i < MESHES * MESHES; i++) {
        const int row = i / MESHES, col = i % MESHES, k = row * NODES + col;
        double exact[2], mean[2];
        if (!degrees_at(d, (col + 0.5) / MESHES, (row + 0.5) / MESHES, exact)) return false;
        exact[0] = near_lon(exact[0], at[0][0]);
        for (int j = 0; j < 2; j++)
            mean[j] = (at[k][j] + at[k + 1][j] + at[k + NODES][j] + at[k + NODES + 1][j]) / 4;
        *error_m = fmax(*error_m, distance_m(exact, mean));
    }
    return true;
}

int page_add_degrees(struct page *p, struct error *e)
{
    struct degrees d;
    double error_m = 0, (*at)[2] = calloc(NODES * NODES, sizeof *at);
    if (!at) return error_memory(e);
    /* (around a pole no mean of longitudes is one: then there are none) */
    const bool known =
        degrees_open(&d, p) && fill_lattice(&d, at, &error_m) && error_m < p->geo.cell_m;
    proj_destroy(d.transform);
    proj_context_destroy(d.context);
    cJSON *o = known ? cJSON_AddObjectToObject(p->facts, "degrees") : NULL;
    if (o) {
        json_add_numbers(o, {"nodes", NODES}, {"error_m", error_m});
        cJSON *lon = cJSON_AddArrayToObject(o, "lon"), *lat = cJSON_AddArrayToObject(o, "lat");
        for (int i = 0; i < NODES * NODES; i++) {
            cJSON_AddItemToArray(lon, cJSON_CreateNumber(round(at[i][0] * 1e9) / 1e9));
            cJSON_AddItemToArray(lat, cJSON_CreateNumber(round(at[i][1] * 1e9) / 1e9));
        }
    }
    free(at);
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* It is a file outside the folder, which may have gone since: then outline.geojson of the run, and
 * without it the page has a note. */
static int read_outline(const struct page *p, const char *path, unsigned char **inside)
{
    struct error why = {0};
    int status = outline_read(inside, path, p->rows, p->cols, &p->geo, &why);
    char *own = status ? text_format("%s/outline.geojson", p->folder) : NULL;
    if (own) status = outline_read(inside, own, p->rows, p->cols, &p->geo, &why);
    free(own);
    return status;
}

static void add_fit(struct page *p, const unsigned char *inside, const double *thickness_m)
{
    const struct fit_input in = {.rows = p->rows,
                                 .cols = p->cols,
                                 .cell_m = p->geo.cell_m,
                                 .thickness_m = thickness_m,
                                 .observed = inside};
    struct fit fit;
    fit_compute(&fit, &in);
    if (!fit.observed) return;
    cJSON *o = cJSON_AddObjectToObject(p->facts, "fit");
    json_add_numbers(o, {"jaccard", fit.jaccard}, {"hits", fit.both}, {"misses", fit.only_observed},
                     {"false_alarms", fit.only_simulated});
}

int page_add_outline(struct page *p, const char *path, const double *thickness_m, struct error *e)
{
    unsigned char *inside = NULL;
    if (!read_outline(p, path, &inside)) {
        if (thickness_m) add_fit(p, inside, thickness_m);
        const int status = page_add_mask(p, "outline", inside, e);
        free(inside);
        return status;
    }
    char *note =
        text_format("The observed outline could not be read, so it is not shown: %s", path);
    const int status = note ? page_note(p, note, e) : error_memory(e);
    free(note);
    return status;
}

/* Positions as cells from the north-west corner, to a hundredth. */
static cJSON *line_of(const struct page *p, const double (*xy)[2], int count)
{
    const double cell = p->geo.cell_m, north = p->geo.south_m + p->rows * cell;
    cJSON *line = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON_AddItemToArray(
            line, cJSON_CreateNumber(round((xy[i][0] - p->geo.west_m) / cell * 100) / 100));
        cJSON_AddItemToArray(line,
                             cJSON_CreateNumber(round((north - xy[i][1]) / cell * 100) / 100));
    }
    return line;
}

static void add_asset(const struct page *p, cJSON *list, const struct asset *a)
{
    const double(*xy)[2] = (const double(*)[2])a->xy;
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"name", a->name}, {"kind", asset_kinds[a->kind]});
    cJSON *parts = cJSON_AddArrayToObject(o, "parts");
    for (int i = 0; i < a->parts; xy += a->part_size[i++])
        cJSON_AddItemToArray(parts, line_of(p, xy, a->part_size[i]));
}

int page_add_assets(struct page *p, const char *path, struct error *e)
{
    struct assets a;
    struct error why = {0};
    struct raster domain = runfolder_domain(p->run.summary); /* the page may show a part of it */
    domain.geo.crs = p->geo.crs;
    if (!domain.rows) domain = (struct raster){.rows = p->rows, .cols = p->cols, .geo = p->geo};
    if (assets_read(&a, path, domain.rows, domain.cols, &domain.geo, &why))
        return page_note(p, "The places of interest could not be read, so they are not shown.", e);
    cJSON *list = cJSON_AddArrayToObject(p->facts, "assets");
    for (int i = 0; i < a.count && i < PAGE_ROWS_MOST; i++) add_asset(p, list, &a.asset[i]);
    assets_free(&a);
    return 0;
}

/* The last one is the outline of the whole flow, which is to be seen anyway. */
static cJSON *list_isochrones(const struct page *p, const struct isochrones *i)
{
    cJSON *list = cJSON_CreateArray();
    for (int k = 0; k < i->count - 1; k++) {
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "hours", i->at[k].time_h);
        cJSON *lines = cJSON_AddArrayToObject(o, "lines");
        for (int n = 0; n < i->at[k].line_count; n++) {
            const struct isochrone_path *line = &i->at[k].line[n];
            cJSON *xy = line_of(p, (const double(*)[2])line->xy, line->count);
            if (line->closed) { /* back to where it began */
                cJSON_AddItemToArray(xy, cJSON_Duplicate(cJSON_GetArrayItem(xy, 0), false));
                cJSON_AddItemToArray(xy, cJSON_Duplicate(cJSON_GetArrayItem(xy, 1), false));
            }
            cJSON_AddItemToArray(lines, xy);
        }
    }
    return list;
}

/* With a margin of a cell, but where the grid ends: lines are held on the border of what is given, and
 * that is the grid's then alone. */
int page_isochrones(cJSON **list, int rows, int cols, const struct georef *geo, struct window w,
                    page_arrival *arrival, const void *of, struct error *e)
{
    const struct page grid = {.rows = rows, .cols = cols, .geo = *geo};
    const struct window part =
        window_common((struct window){w.row0 - 1, w.col0 - 1, w.rows + 2, w.cols + 2},
                      (struct window){0, 0, rows, cols});
    struct isochrones_input in = {.rows = part.rows, .cols = part.cols, .geo = *geo};
    struct isochrones made;
    in.geo.west_m += part.col0 * geo->cell_m;
    in.geo.south_m += (rows - part.row0 - part.rows) * geo->cell_m;
    float *hours = malloc((window_cells(part) + 1) * sizeof *hours), *to = hours;
    if (!hours) return error_memory(e);
    for (int row = part.row0; row < part.row0 + part.rows; row++)
        for (int col = part.col0; col < part.col0 + part.cols; col++)
            *to++ =
                window_has(w, (struct window){row, col, 1, 1}) ? arrival(of, row, col) : (float)NAN;
    in.arrival_h = hours;
    const int status = isochrones_create(&made, &in, e);
    if (!status) *list = list_isochrones(&grid, &made);
    if (!status) isochrones_free(&made);
    free(hours);
    return status;
}

static float arrival_of(const void *raster, int row, int col)
{
    const struct raster *r = raster;
    return (float)r->value[(size_t)row * (size_t)r->cols + (size_t)col];
}

/* Of the box that lava came to. */
int page_add_isochrones(struct page *p, const struct raster *arrival, struct error *e)
{
    const struct page_cells *c = &p->cells;
    const int every = c->every;
    const struct window w = window_common(
        (struct window){c->row0 * every, c->col0 * every, c->rows * every, c->cols * every},
        (struct window){0, 0, p->rows, p->cols});
    cJSON *list = NULL;
    if (!c->count) return 0;
    const int status = page_isochrones(&list, p->rows, p->cols, &p->geo, w, arrival_of, arrival, e);
    if (list) cJSON_AddItemToObject(p->facts, "isochrones", list);
    return status;
}
