/* page_run.c — what a page shows of a run: its layers and the states before. */
#include "page_facts.h"

#include "base/order.h"
#include "case/assets.h"
#include "compare/fit.h"
#include "compare/outline.h"
#include "isochrones/isochrones.h"
#include "products/products.h"
#include "raster/projection.h"
#include "record/json_number.h"
#include "sim/window.h"
#include "text/textfile.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the numbers of a page: the terrain, and what lava did in the cells it came to ----------- */

int page_raster(struct page *p, const char *name, struct raster *r, struct error *e)
{
    *r = (struct raster){0};
    FREED char *path = text_format("%s/%s", p->folder, name);
    if (!path) return error_memory(e);
    int status = raster_read(r, path, 0, e);
    if (!status && !p->rows) {
        p->rows = r->rows;
        p->cols = r->cols;
        p->geo = r->geo;
    } else if (!status) {
        const struct raster others = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
        status = raster_move(r, path, &others, "the grid of this folder", e);
    }
    if (status) raster_free(r);
    return status;
}

static double least_of(const struct raster *r)
{
    double least = NAN;
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++)
        if (!(r->value[i] >= least)) least = isnan(r->value[i]) ? least : r->value[i];
    return least;
}

double page_most(const struct raster *r)
{
    double most = NAN;
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++)
        if (!(r->value[i] <= most)) most = isnan(r->value[i]) ? most : r->value[i];
    return most;
}

/* ---- entries of facts.arrays ----------------------------------------------------------------- */

/* One that begins where the bytes now end. */
static cJSON *add_array(struct page *p, const char *form, double count, int *number)
{
    cJSON *o = cJSON_CreateObject();
    if (number) *number = cJSON_GetArraySize(p->arrays);
    cJSON_AddItemToArray(p->arrays, o);
    cJSON_AddStringToObject(o, "form", form);
    json_add_numbers(o, {"at", p->bytes.size}, {"count", count});
    return o;
}

static void add_scale(cJSON *o, struct pack_scale s)
{
    json_add_numbers(o, {"base", s.base}, {"unit", s.unit});
}

/* ---- cells ----------------------------------------------------------------------------------- */

static size_t count_cells(const struct raster *r, int every)
{
    size_t count = 0;
    for (int row = every / 2; row < r->rows; row += every)
        for (int col = every / 2; col < r->cols; col += every)
            count += !isnan(r->value[(size_t)row * (size_t)r->cols + (size_t)col]);
    return count;
}

static int list_cells(struct page_cells *c, const struct raster *r, struct error *e)
{
    int last_row = -1, last_col = -1;
    c->every = 1;
    while ((c->count = count_cells(r, c->every)) > PAGE_CELLS_MOST) c->every++;
    if (!(c->at = malloc((c->count + 1) * sizeof *c->at))) return error_memory(e);
    c->row0 = r->rows, c->col0 = r->cols, c->count = 0;
    for (int row = c->every / 2; row < r->rows; row += c->every)
        for (int col = c->every / 2; col < r->cols; col += c->every) {
            const size_t i = (size_t)row * (size_t)r->cols + (size_t)col;
            if (isnan(r->value[i])) continue;
            c->at[c->count++] = (uint32_t)i;
            const int y = row / c->every, x = col / c->every;
            if (y < c->row0) c->row0 = y;
            if (x < c->col0) c->col0 = x;
            if (y > last_row) last_row = y;
            if (x > last_col) last_col = x;
        }
    if (!c->count) c->row0 = c->col0 = 0;
    c->rows = c->count ? last_row - c->row0 + 1 : 0;
    c->cols = c->count ? last_col - c->col0 + 1 : 0;
    return 0;
}

int page_take_cells(struct page *p, const struct raster *r, struct error *e)
{
    struct page_cells *c = &p->cells;
    int status = list_cells(c, r, e);
    if (status) return status;
    const size_t count = (size_t)c->rows * (size_t)c->cols;
    FREED unsigned char *set = calloc(count + 1, 1);
    if (!set) return error_memory(e);
    for (size_t i = 0; i < c->count; i++) {
        const int row = (int)(c->at[i] / (uint32_t)r->cols) / c->every - c->row0;
        const int col = (int)(c->at[i] % (uint32_t)r->cols) / c->every - c->col0;
        set[(size_t)row * (size_t)c->cols + (size_t)col] = 1;
    }
    int number;
    add_array(p, "bits", (double)count, &number);
    status = pack_bits(&p->bytes, set, count, e);
    cJSON *o = cJSON_AddObjectToObject(p->facts, "cells");
    json_add_numbers(o, {"every", c->every}, {"row0", c->row0}, {"col0", c->col0},
                     {"rows", c->rows}, {"cols", c->cols}, {"count", c->count}, {"mask", number});
    return status;
}

int page_add_cells(struct page *p, const double *value, struct pack_scale scale,
                   struct page_state *last, int *array, struct error *e)
{
    const struct page_cells *c = &p->cells;
    const uint16_t *before = last ? last->quanta : NULL;
    uint16_t *packed = malloc((c->count + 1) * sizeof *packed);
    if (!packed) return error_memory(e);
    for (size_t i = 0; i < c->count; i++) packed[i] = pack_quantum(scale, value[c->at[i]]);
    cJSON *o = add_array(p, "list", (double)c->count, array);
    add_scale(o, scale);
    if (before) cJSON_AddNumberToObject(o, "before", last->array);
    const int status = pack_list(&p->bytes, packed, before, c->count, e);
    free(last ? last->quanta : packed);
    if (last) *last = (struct page_state){*array, packed};
    return status;
}

cJSON *page_add_layer(struct page *p, const char *name, const char *kind, const char *unit,
                      const char *label, int array)
{
    cJSON *o = json_add_object(p->layers);
    json_add_texts(o, {"name", name}, {"kind", kind}, {"unit", unit});
    cJSON_AddItemToObject(o, "label", json_words(label));
    cJSON_AddNumberToObject(o, "array", array);
    return o;
}

/* ---- terrain --------------------------------------------------------------------------------- */

/* The mean of a block's cells that have a value. */
static double block_mean(const struct page *p, int every, int row, int col)
{
    double sum = 0;
    int count = 0;
    for (int y = row * every; y < (row + 1) * every && y < p->rows; y++)
        for (int x = col * every; x < (col + 1) * every && x < p->cols; x++) {
            const double z = p->ground_m[(size_t)y * (size_t)p->cols + (size_t)x];
            if (isnan(z)) continue;
            sum += z;
            count++;
        }
    return count ? sum / count : (double)NAN;
}

static int add_grid(struct page *p, int every, struct pack_scale scale, struct error *e)
{
    const int rows = (p->rows + every - 1) / every, cols = (p->cols + every - 1) / every;
    FREED uint16_t *packed = malloc((size_t)rows * (size_t)cols * sizeof *packed);
    if (!packed) return error_memory(e);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            packed[(size_t)row * (size_t)cols + (size_t)col] =
                pack_quantum(scale, block_mean(p, every, row, col));
    int number;
    cJSON *a = add_array(p, "grid", (double)rows * cols, &number);
    cJSON_AddNumberToObject(a, "cols", cols);
    add_scale(a, scale);
    int status = pack_grid(&p->bytes, packed, rows, cols, e);
    cJSON *o = cJSON_AddObjectToObject(p->facts, "terrain");
    json_add_numbers(o, {"every", every}, {"rows", rows}, {"cols", cols}, {"array", number});
    return status;
}

int page_add_ground(struct page *p, struct error *e)
{
    int every = 1;
    if (!p->ground_m) return 0;
    while ((int64_t)((p->rows + every - 1) / every) * ((p->cols + every - 1) / every) >
           PAGE_GROUND_MOST)
        every++;
    const struct raster all = {.rows = p->rows, .cols = p->cols, .value = p->ground_m};
    /* steps of a hundredth of a cell, which a shading does not show, or less */
    const double finest_m = pow(10, fmin(-1, floor(log10(p->geo.cell_m / 100) + 1e-9)));
    const struct pack_scale scale = pack_scale(least_of(&all), page_most(&all), finest_m);
    int status = add_grid(p, every, scale, e);
    if (status || every == 1) return status;
    int array = 0;
    status = page_add_cells(p, p->ground_m, scale, NULL, &array, e);
    cJSON_AddNumberToObject(cJSON_GetObjectItem(p->facts, "cells"), "ground", array);
    return status;
}

/* where places are: degrees, the observed outline, places of interest, isochrones.
 */

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
    double error_m = 0;
    FREED double(*at)[2] = calloc(NODES * NODES, sizeof *at);
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
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* It is a file outside the folder, which may have gone since: then outline.geojson of the run, and
 * without it the page has a note. */
static int read_outline(const struct page *p, const char *path, unsigned char **inside)
{
    struct error why = {0};
    int status =
        p->o.changed ? ERROR_INPUT : outline_read(inside, path, p->rows, p->cols, &p->geo, &why);
    FREED char *own = status ? text_format("%s/outline.geojson", p->folder) : NULL;
    if (own) status = outline_read(inside, own, p->rows, p->cols, &p->geo, &why);
    return status;
}

static void add_fit(struct page *p, const unsigned char *inside, const double *thickness_m)
{
    const struct fit_input in = {.rows = p->rows,
                                 .cols = p->cols,
                                 .cell_m = p->geo.cell_m,
                                 .thickness_m = thickness_m,
                                 .observed = inside};
    struct sciara_overlap fit;
    fit_compute(&fit, &in);
    if (!fit.observed) return;
    cJSON *o = cJSON_AddObjectToObject(p->facts, "fit");
    json_add_numbers(o, {"jaccard", fit.jaccard}, {"hits", fit.both}, {"misses", fit.only_observed},
                     {"false_alarms", fit.only_simulated});
}

int page_add_outline(struct page *p, const char *path, const double *thickness_m, struct error *e)
{
    FREED unsigned char *inside = NULL;
    if (!read_outline(p, path, &inside)) {
        if (thickness_m) add_fit(p, inside, thickness_m);
        /* Bytes, one for each cell of the grid: a mask under that name. */
        const size_t count = (size_t)p->rows * (size_t)p->cols;
        int number;
        add_array(p, "bits", (double)count, &number);
        cJSON_AddNumberToObject(p->facts, "outline", number);
        return pack_bits(&p->bytes, inside, count, e);
    }
    char note[WORDS_TEXT];
    words_pack(note, sizeof note, "The observed outline could not be read, so it is not shown: %s",
               path);
    return page_note(p, note, e);
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
    if (p->o.changed || assets_read(&a, path, domain.rows, domain.cols, &domain.geo, &why))
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
    FREED float *hours = malloc((window_cells(part) + 1) * sizeof *hours);
    float *to = hours;
    if (!hours) return error_memory(e);
    for (int row = part.row0; row < part.row0 + part.rows; row++)
        for (int col = part.col0; col < part.col0 + part.cols; col++)
            *to++ =
                window_has(w, (struct window){row, col, 1, 1}) ? arrival(of, row, col) : (float)NAN;
    in.arrival_h = hours;
    const int status = isochrones_create(&made, &in, e);
    if (!status) *list = list_isochrones(&grid, &made);
    if (!status) isochrones_free(&made);
    return status;
}

static float arrival_of(const void *raster, int row, int col)
{
    const struct raster *r = raster;
    return (float)r->value[(size_t)row * (size_t)r->cols + (size_t)col];
}

/* Of the box that lava came to. */
static int page_add_isochrones(struct page *p, const struct raster *arrival, struct error *e)
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

/* ---- a run ----------------------------------------------------------------------------------- */

/* The layer PREFIX of the last step, which has to be there. */
static int read_last(struct page *p, const char *prefix, struct raster *r, struct error *e)
{
    *r = (struct raster){0};
    FREED char *path = runfolder_latest(&p->run, prefix, NULL);
    if (!path)
        return error_input(
            e, "%s: has no layer %s of the last step; run the case again with layers as GeoTIFF",
            p->folder, prefix);
    return page_raster(p, strrchr(path, '/') + 1, r, e);
}

/* Of a foreign file: any whole number in words that a browser keeps. */
static int64_t whole_of(const cJSON *root, const char *group, const char *name)
{
    const double x = summary_number(root, group, name);
    return x > 0 && x < 9e15 ? (int64_t)x : 0;
}

#define CELSIUS_K 273.15

/* ---- layers of the end ----------------------------------------------------------------------- */

/* As steps, exactly, of runs of 65,534 steps or less. */
static int add_arrival(struct page *p, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int array;
    const double clock_s = summary_number(p->run.summary, "parameters", "Pclock");
    int status = read_last(p, "arrival_h", &r, e);
    if (status) return status;
    const double step_h = clock_s > 0 ? clock_s / 3600 : 0.001;
    const struct pack_scale scale = {0, pack_scale(0, page_most(&r) / step_h, 1).unit * step_h};
    status = page_take_cells(p, &r, e);
    if (!status) status = page_add_cells(p, r.value, scale, NULL, &array, e);
    if (!status) status = page_add_isochrones(p, &r, e);
    if (!status) page_add_layer(p, "arrival_h", "arrival", "h", "Arrival", array);
    cJSON_AddStringToObject(p->facts, "arrival_caveat", PRODUCT_ARRIVAL_CAVEAT);
    return status;
}

/* The ground before this run: the ground at its end, less the solidified lava. */
static int take_ground(struct page *p, struct error *e)
{
    FREED_BY(raster_free) struct raster ground = {0}, solid = {0};
    int status = read_last(p, "elevation_after_m", &ground, e);
    if (!status) status = read_last(p, "solidified_m", &solid, e);
    for (size_t i = 0; !status && i < (size_t)p->rows * (size_t)p->cols; i++)
        if (!isnan(solid.value[i])) ground.value[i] -= solid.value[i];
    if (!status) {
        p->ground_m = ground.value;
        ground.value = NULL;
    }
    return status;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* A quantity at all steps that the folder has of it. */
struct series {
    const char *prefix, *kind, *unit, *label;
    struct pack_scale scale;
    double zero; /* subtracted from the values of the layer */
};

struct snapshot {
    int64_t step;
    const char *name;
};

/* As many as a page has room for: the last, and others at equal distances. */
static int thin(struct snapshot *s, int count, size_t cells)
{
    const size_t room = PAGE_NUMBERS_MOST / (cells + 1) + 1;
    const int most = room < PAGE_SNAPSHOTS_MOST ? (int)room : PAGE_SNAPSHOTS_MOST;
    if (count <= most) return count;
    for (int i = 0; i < most; i++) s[i] = s[(int64_t)(i + 1) * count / most - 1];
    return most;
}

static int list_snapshots(const struct page *p, const char *prefix, struct snapshot **list,
                          int *count, struct error *e)
{
    *count = 0;
    if (!(*list = malloc(((size_t)p->run.count + 1) * sizeof **list))) return error_memory(e);
    for (int i = 0; i < p->run.count; i++) {
        const int64_t step = runfolder_layer_step(p->run.name[i], prefix, ".tif");
        if (step >= 0 && (p->run.step < 0 || step <= p->run.step))
            (*list)[(*count)++] = (struct snapshot){step, p->run.name[i]};
    }
    qsort(*list, (size_t)*count, sizeof **list, order_words);
    *count = thin(*list, *count, p->cells.count);
    return 0;
}

static int add_snapshot(struct page *p, const struct series *s, const struct snapshot *shot,
                        struct page_state *last, cJSON *list, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int array = 0;
    int status = page_raster(p, shot->name, &r, e);
    if (status) return status;
    for (size_t i = 0; s->zero > 0 && i < (size_t)p->rows * (size_t)p->cols; i++)
        r.value[i] -= s->zero;
    status = page_add_cells(p, r.value, s->scale, last, &array, e);
    cJSON *o = json_add_object(list);
    json_add_numbers(o, {"step", shot->step}, {"array", array});
    return status;
}

static int add_series(struct page *p, const struct series *s, struct error *e)
{
    FREED struct snapshot *shot = NULL;
    struct page_state last = {0};
    int count, status = list_snapshots(p, s->prefix, &shot, &count, e);
    if (!status && !count)
        status = error_input(e, "%s: has no layer %s; run the case again with layers as GeoTIFF",
                             p->folder, s->prefix);
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count && !status; i++)
        status = add_snapshot(p, s, &shot[i], &last, list, e);
    cJSON *o = status ? NULL : page_add_layer(p, s->prefix, s->kind, s->unit, s->label, last.array);
    if (!o || !cJSON_AddItemToObject(o, "states", list)) cJSON_Delete(list);
    free(last.quanta);
    return status;
}

static int add_thickest(struct page *p, struct pack_scale *scale, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int array, status = read_last(p, "max_thickness_m", &r, e);
    if (status) return status;
    *scale = pack_scale(0, page_most(&r), 0.01);
    status = page_add_cells(p, r.value, *scale, NULL, &array, e);
    if (!status)
        page_add_layer(p, "max_thickness_m", "thickness", "m", "Greatest thickness", array);
    return status;
}

/* With its agreement, as `sciara fit` counts it. */
static int add_outline(struct page *p, const char *path, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    int status = read_last(p, "total_thickness_m", &r, e);
    return status ? status : page_add_outline(p, path, r.value, e);
}

/* Vents have their places in the domain, of which the layers may show a part. */
static void move_vents(struct page *p)
{
    const struct raster domain = runfolder_domain(p->run.summary),
                        grid = {.rows = p->rows, .cols = p->cols, .geo = p->geo};
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(p->run.summary, "vents"), *vent;
    int row0, col0;
    if (!raster_offset(&domain, &grid, &row0, &col0) || (!row0 && !col0)) return;
    cJSON *list = cJSON_AddArrayToObject(p->facts, "vents");
    cJSON_ArrayForEach (vent, all) {
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"id", summary_number(vent, NULL, "id")},
                         {"row", summary_number(vent, NULL, "row") - row0},
                         {"col", summary_number(vent, NULL, "col") - col0});
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vent, "spread")))
            json_add_bools(o, {"spread", true});
    }
}

int page_run(struct page *p, struct error *e)
{
    const cJSON *run = p->run.summary;
    const char *outline = summary_text(run, "case", "outline");
    const char *assets = summary_text(run, "case", "assets");
    const double clock_s = summary_number(run, "parameters", "Pclock");
    struct pack_scale scale = {0};
    int status = add_arrival(p, e);
    if (!status) status = take_ground(p, e);
    if (!status) status = page_add_ground(p, e);
    free(p->ground_m); /* as large as each layer that is read next */
    p->ground_m = NULL;
    if (!status) status = add_thickest(p, &scale, e);
    const struct series thickness = {"total_thickness_m", "thickness", "m", "Thickness", scale, 0};
    const struct series temperature = {"temperature_K", "temperature",   "\xC2\xB0\x43",
                                       "Temperature",   {-CELSIUS_K, 1}, CELSIUS_K};
    if (!status) status = add_series(p, &thickness, e);
    if (!status) status = add_series(p, &temperature, e);
    if (!status) status = page_add_table(p, "timeline.csv", false, e);
    if (!status && *assets) status = page_add_assets(p, assets, e);
    if (!status && *outline) status = add_outline(p, outline, e);
    if (status) return status;
    move_vents(p);
    cJSON *time = cJSON_AddObjectToObject(p->facts, "time");
    json_add_numbers(time, {"first_step", (double)whole_of(run, "run", "first_step")},
                     {"last_step", (double)whole_of(run, "run", "step")},
                     {"step_s", clock_s > 0 ? clock_s : 0});
    return 0;
}
