#include "assets.h"

#include "compare/geojson.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double COORDINATE_MAX_M = 1e9; /* as of outlines: keeps the arithmetic finite */

struct reading {
    struct assets *into;
    const char *path;
    int rows, cols;
    const struct georef *geo;
    unsigned char *mask;  /* rows*cols, 0 between two things */
    int row_min, row_max; /* of what is set in it */
    struct error *e;
};

/* ---- cells ---------------------------------------------------------------------------------- */

static void set_cell(struct reading *r, double row, double col)
{
    if (!(row >= 0 && col >= 0 && row < r->rows && col < r->cols)) return;
    const int i = (int)row, j = (int)col;
    r->mask[(size_t)i * (size_t)r->cols + (size_t)j] = 1;
    if (i < r->row_min) r->row_min = i;
    if (i > r->row_max) r->row_max = i;
}

/* In cells from the north-west corner. */
static void to_grid(const struct reading *r, const double xy[2], double at[2])
{
    at[0] = (r->geo->south_m + r->rows * r->geo->cell_m - xy[1]) / r->geo->cell_m;
    at[1] = (xy[0] - r->geo->west_m) / r->geo->cell_m;
}

/* The part of a - b, from 0 to 1, that lies between 0 and `end` along an axis, cut out of *t. */
static bool cut(double a, double b, double end, double t[2])
{
    if (a == b) return a >= 0 && a <= end;
    const double first = (0 - a) / (b - a), second = (end - a) / (b - a);
    t[0] = fmax(t[0], fmin(first, second));
    t[1] = fmin(t[1], fmax(first, second));
    return t[0] <= t[1];
}

/* All cells that a line passes: between two crossings of lines of the grid it is in one cell, that
 * of their middle. */
static void draw_segment(struct reading *r, const double from[2], const double to[2])
{
    double a[2], b[2], t[2] = {0, 1};
    to_grid(r, from, a);
    to_grid(r, to, b);
    if (!cut(a[0], b[0], r->rows, t) || !cut(a[1], b[1], r->cols, t)) return;
    const double rows = b[0] - a[0], cols = b[1] - a[1];
    double now = t[0];
    set_cell(r, floor(a[0] + now * rows), floor(a[1] + now * cols));
    while (now < t[1]) {
        const double row = a[0] + now * rows, col = a[1] + now * cols;
        double next = t[1];
        if (rows != 0)
            next = fmin(next, ((rows > 0 ? floor(row) + 1 : ceil(row) - 1) - a[0]) / rows);
        if (cols != 0)
            next = fmin(next, ((cols > 0 ? floor(col) + 1 : ceil(col) - 1) - a[1]) / cols);
        if (!(next > now)) next = nextafter(now, 2); /* by rounding: the crossing it has just had */
        const double middle = (now + next) / 2;
        set_cell(r, floor(a[0] + middle * rows), floor(a[1] + middle * cols));
        now = next;
    }
}

/* Takes the cells out of the mask, which is empty then. */
static int keep_cells(struct reading *r, struct asset *a)
{
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int row = r->row_min; row <= r->row_max; row++)
            for (int col = 0; col < r->cols; col++) {
                const size_t i = (size_t)row * (size_t)r->cols + (size_t)col;
                if (!r->mask[i]) continue;
                if (!pass) count++;
                else a->cell[a->cells++] = (uint32_t)i, r->mask[i] = 0;
            }
        if (pass) break;
        if (!count)
            return error_input(r->e,
                               "%s: \"%s\" touches no cell of the terrain; its coordinates have to "
                               "be in metres in the CRS of the DEM",
                               r->path, a->name);
        if (!(a->cell = malloc(count * sizeof *a->cell)))
            return error_failed(r->e, "%s: out of memory", r->path);
    }
    return 0;
}

/* ---- geometry ------------------------------------------------------------------------------- */

static int refuse(const struct reading *r, const struct asset *a, const char *what)
{
    return error_input(r->e, "%s: \"%s\" %s", r->path, a->name, what);
}

static int add_position(struct reading *r, struct asset *a, const cJSON *p, int *count)
{
    const cJSON *x = cJSON_IsArray(p) ? p->child : NULL, *y = x ? x->next : NULL;
    if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y) || !(fabs(x->valuedouble) <= COORDINATE_MAX_M) ||
        !(fabs(y->valuedouble) <= COORDINATE_MAX_M))
        return refuse(r, a, "has a position that is not a pair of numbers below 1e9; correct it");
    double(*more)[2] = grow(a->xy, *count, sizeof *more);
    if (!more) return error_failed(r->e, "%s: out of memory", r->path);
    a->xy = more;
    more[*count][0] = x->valuedouble;
    more[*count][1] = y->valuedouble;
    ++*count;
    return 0;
}

static int positions(const struct asset *a)
{
    int sum = 0;
    for (int i = 0; i < a->parts; i++) sum += a->part_size[i];
    return sum;
}

/* A list of positions: a line or a ring. A point is given as itself. */
static int add_part(struct reading *r, struct asset *a, const cJSON *list, bool single)
{
    int count = positions(a), status = 0;
    const int before = count;
    const cJSON *p;
    if (!cJSON_IsArray(list)) return refuse(r, a, "lacks coordinates; export it again");
    if (single) status = add_position(r, a, list, &count);
    else cJSON_ArrayForEach(p, list) if (!status) status = add_position(r, a, p, &count);
    if (status) return status;
    if (count == before) return refuse(r, a, "has no position; export it again");
    int *more = grow(a->part_size, a->parts, sizeof *more);
    if (!more) return error_failed(r->e, "%s: out of memory", r->path);
    a->part_size = more;
    more[a->parts++] = count - before;
    return 0;
}

/* depth: how many lists are around the parts. */
static int add_parts(struct reading *r, struct asset *a, const cJSON *list, int depth, bool single)
{
    const cJSON *item;
    int status = 0;
    if (!depth) return add_part(r, a, list, single);
    if (!cJSON_IsArray(list)) return refuse(r, a, "lacks coordinates; export it again");
    cJSON_ArrayForEach(item, list) if (!status) status = add_parts(r, a, item, depth - 1, single);
    return status;
}

static void draw_parts(struct reading *r, const struct asset *a)
{
    const double(*p)[2] = (const double(*)[2])a->xy;
    for (int i = 0; i < a->parts; p += a->part_size[i++])
        for (int k = 0; k < a->part_size[i]; k++) draw_segment(r, p[k ? k - 1 : 0], p[k]);
}

/* The rows in which an area can have cells. */
static void note_rows(struct reading *r, const struct asset *a)
{
    for (int i = 0, n = positions(a); i < n; i++) {
        double at[2];
        to_grid(r, a->xy[i], at);
        const int row = (int)fmax(0, fmin(r->rows - 1, floor(at[0])));
        if (row < r->row_min) r->row_min = row;
        if (row > r->row_max) r->row_max = row;
    }
}

/* Cells whose centre is inside; where there are none, those of the edge. */
static int draw_area(struct reading *r, struct asset *a, const cJSON *geometry)
{
    note_rows(r, a);
    int status =
        geojson_fill_object(r->mask, NULL, geometry, r->path, r->rows, r->cols, r->geo, r->e);
    const size_t cols = (size_t)r->cols, rows = (size_t)(r->row_max - r->row_min + 1);
    if (status || memchr(r->mask + (size_t)r->row_min * cols, 1, rows * cols)) return status;
    draw_parts(r, a);
    return 0;
}

static const struct geometry_kind {
    const char *type;
    enum asset_kind kind;
    int depth; /* lists around the parts */
    bool single;
} kinds[] = {
    {"Point", ASSET_POINT, 0, true},      {"MultiPoint", ASSET_POINT, 1, true},
    {"LineString", ASSET_LINE, 0, false}, {"MultiLineString", ASSET_LINE, 1, false},
    {"Polygon", ASSET_AREA, 1, false},    {"MultiPolygon", ASSET_AREA, 2, false},
};

static int read_geometry(struct reading *r, struct asset *a, const cJSON *geometry)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(geometry, "type");
    const struct geometry_kind *k = NULL;
    for (size_t i = 0; cJSON_IsString(type) && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].type, type->valuestring)) k = &kinds[i];
    if (!k) return refuse(r, a, "is neither point, line nor polygon; give one of them");
    a->kind = k->kind;
    int status = add_parts(r, a, cJSON_GetObjectItemCaseSensitive(geometry, "coordinates"),
                           k->depth, k->single);
    if (!status && !a->parts) status = refuse(r, a, "has no position; export it again");
    if (status) return status;
    r->row_min = r->rows;
    r->row_max = -1;
    if (k->kind == ASSET_AREA) status = draw_area(r, a, geometry);
    else if (k->kind == ASSET_LINE) draw_parts(r, a);
    else
        for (int i = 0; i < a->parts; i++) draw_segment(r, a->xy[i], a->xy[i]);
    return status ? status : keep_cells(r, a);
}

/* ---- features ------------------------------------------------------------------------------- */

static void name_feature(struct asset *a, const cJSON *feature, int number)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(feature, "properties");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(properties, "name");
    if (!cJSON_IsString(name)) name = cJSON_GetObjectItemCaseSensitive(feature, "id");
    if (cJSON_IsString(name) && *name->valuestring)
        snprintf(a->name, sizeof a->name, "%.60s", name->valuestring);
    else if (cJSON_IsNumber(name)) snprintf(a->name, sizeof a->name, "%.10g", name->valuedouble);
    else snprintf(a->name, sizeof a->name, "%d", number);
    scan_make_printable(a->name);
}

static int add_feature(struct reading *r, const cJSON *feature)
{
    struct assets *all = r->into;
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(feature, "type");
    const bool wrapped = cJSON_IsString(type) && !strcmp(type->valuestring, "Feature");
    if (all->count == ASSETS_MAX)
        return error_input(r->e, "%s: has more than %d things; split it", r->path, ASSETS_MAX);
    struct asset *more = grow(all->asset, all->count, sizeof *more);
    if (!more) return error_failed(r->e, "%s: out of memory", r->path);
    all->asset = more;
    struct asset *a = &more[all->count++];
    *a = (struct asset){0};
    name_feature(a, feature, all->count);
    return read_geometry(r, a,
                         wrapped ? cJSON_GetObjectItemCaseSensitive(feature, "geometry") : feature);
}

static int add_features(struct reading *r, const cJSON *root)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(root, "type"), *item;
    if (!cJSON_IsString(type) || strcmp(type->valuestring, "FeatureCollection"))
        return add_feature(r, root);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "features");
    int status = 0;
    cJSON_ArrayForEach(item, list) if (!status) status = add_feature(r, item);
    if (!status && !r->into->count)
        status = error_input(r->e, "%s: has no features; add some, or leave the file out", r->path);
    return status;
}

int assets_read(struct assets *a, const char *path, int rows, int cols, const struct georef *geo,
                struct error *e)
{
    struct reading r = {.into = a, .path = path, .rows = rows, .cols = cols, .geo = geo, .e = e};
    struct textfile t;
    cJSON *root = NULL;
    *a = (struct assets){0};
    int status = textfile_check_regular(path, "GeoJSON", e);
    if (!status) status = textfile_open(&t, path, e);
    if (status) return status;
    status = geojson_parse(&root, t.next ? t.next : "", path, e);
    if (!status) status = geojson_check_crs(root, path, geo, e);
    if (!status && !(r.mask = calloc((size_t)rows * (size_t)cols, 1)))
        status = error_failed(e, "%s: out of memory", path);
    if (!status) status = add_features(&r, root);
    free(r.mask);
    cJSON_Delete(root);
    textfile_close(&t);
    if (status) assets_free(a);
    return status;
}

void assets_free(struct assets *a)
{
    for (int i = 0; i < a->count; i++) {
        free(a->asset[i].cell);
        free(a->asset[i].part_size);
        free(a->asset[i].xy);
    }
    free(a->asset);
    *a = (struct assets){0};
}
