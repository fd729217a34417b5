#include "geojson.h"

#include <cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where polygons are drawn, and what messages need. Bit 1 of a cell is the result; while a polygon
 * is being drawn, bit 2 says that the row changes between inside and outside at this cell. */
struct geojson_fill {
    unsigned char *cell;
    const char *path;
    int rows, cols;
    const struct georef *geo;
    int row_min, row_max, col_min; /* of the changes of the polygon being drawn */
    struct geojson_reach reach;
    struct error *e;
};

enum { INSIDE = 1, CHANGE = 2 };
static const double COORDINATE_MAX_M = 1e9; /* keeps the arithmetic below finite */

static int refuse(const struct geojson_fill *k, const char *what)
{
    return error_input(k->e, "%s: %s", k->path, what);
}

/* ---- polygons ---------------------------------------------------------------------------- */

/* Marks where the edge crosses the line through the centres of each row: the first cell whose
 * centre is on or right of the crossing. Rows whose centre is in [y low, y high) count, so that a
 * corner belongs to exactly one of its two edges. */
static void draw_edge(struct geojson_fill *k, const double a[2], const double b[2])
{
    if (a[1] == b[1]) return;
    const double *low = a[1] < b[1] ? a : b, *high = a[1] < b[1] ? b : a;
    const double cell = k->geo->cell_m, north = k->geo->south_m + k->rows * cell;
    const double first = floor((north - high[1]) / cell - 0.5),
                 last = (north - low[1]) / cell + 0.5;
    for (int row = first > 0 ? (int)fmin(first, k->rows) : 0; row < k->rows && row <= last; row++) {
        const double y = north - (row + 0.5) * cell;
        if (!(low[1] <= y && y < high[1])) continue;
        const double x = low[0] + (y - low[1]) * ((high[0] - low[0]) / (high[1] - low[1]));
        const double at = ceil((x - k->geo->west_m) / cell - 0.5);
        if (!(at < k->cols)) continue;
        const int col = at > 0 ? (int)at : 0;
        k->cell[(size_t)row * (size_t)k->cols + (size_t)col] ^= CHANGE;
        if (row < k->row_min) k->row_min = row;
        if (row > k->row_max) k->row_max = row;
        if (col < k->col_min) k->col_min = col;
    }
}

static bool position(const cJSON *p, double xy[2])
{
    const cJSON *x = cJSON_IsArray(p) ? p->child : NULL, *y = x ? x->next : NULL;
    if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y)) return false;
    xy[0] = x->valuedouble;
    xy[1] = y->valuedouble;
    return fabs(xy[0]) <= COORDINATE_MAX_M && fabs(xy[1]) <= COORDINATE_MAX_M;
}

static void reach_to(struct geojson_reach *r, const double xy[2])
{
    r->west_m = fmin(r->west_m, xy[0]);
    r->east_m = fmax(r->east_m, xy[0]);
    r->south_m = fmin(r->south_m, xy[1]);
    r->north_m = fmax(r->north_m, xy[1]);
}

static int draw_ring(struct geojson_fill *k, const cJSON *ring)
{
    if (!cJSON_IsArray(ring) || cJSON_GetArraySize(ring) < 4)
        return refuse(k, "a ring has less than four positions; close it where it began");
    double first[2], from[2], to[2];
    const cJSON *p;
    cJSON_ArrayForEach(p, ring)
    {
        if (!position(p, to))
            return refuse(k,
                          "a position is not a pair of numbers below 1e9; correct the coordinates");
        reach_to(&k->reach, to);
        if (p == ring->child) memcpy(first, to, sizeof first);
        else draw_edge(k, from, to);
        memcpy(from, to, sizeof from);
    }
    if (memcmp(first, from, sizeof first) != 0)
        return refuse(k, "a ring does not end where it began; close it");
    return 0;
}

/* Turns the changes into cells inside, and takes them away. */
static void fill_changes(struct geojson_fill *k)
{
    for (int row = k->row_min; row <= k->row_max; row++) {
        unsigned char *cell = k->cell + (size_t)row * (size_t)k->cols, in = 0;
        for (int col = k->col_min; col < k->cols; col++) {
            in ^= (cell[col] & CHANGE) != 0;
            cell[col] = (unsigned char)((cell[col] & INSIDE) | in);
        }
    }
}

static int draw_polygon(struct geojson_fill *k, const cJSON *rings)
{
    if (!cJSON_IsArray(rings) || !rings->child)
        return refuse(k, "a polygon has no ring; give it \"coordinates\"");
    k->row_min = k->col_min = INT_MAX;
    k->row_max = -1;
    const cJSON *ring;
    cJSON_ArrayForEach(ring, rings)
    {
        int status = draw_ring(k, ring);
        if (status) return status;
    }
    fill_changes(k);
    return 0;
}

/* ---- objects ----------------------------------------------------------------------------- */

static int draw_object(struct geojson_fill *k, const cJSON *object);

static int draw_each(struct geojson_fill *k, const cJSON *list,
                     int (*draw)(struct geojson_fill *, const cJSON *))
{
    if (!cJSON_IsArray(list)) return refuse(k, "a list is missing in the GeoJSON; export it again");
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        int status = draw(k, item);
        if (status) return status;
    }
    return 0;
}

/* Older GeoJSON may name its CRS, as ogr2ogr does: "urn:ogc:def:crs:EPSG::32633". */
int geojson_check_crs(const cJSON *root, const char *path, const struct georef *geo,
                      struct error *e)
{
    const cJSON *crs = cJSON_GetObjectItemCaseSensitive(root, "crs");
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(crs, "properties");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(properties, "name");
    const char *code = cJSON_IsString(name) ? strstr(name->valuestring, "EPSG:") : NULL;
    if (!code || geo->crs.epsg == 0) return 0;
    const long epsg = strtol(code + strcspn(code, "0123456789"), NULL, 10);
    if (epsg == geo->crs.epsg) return 0;
    return error_input(e, "%s: is in EPSG:%ld, the grid in EPSG:%d; use ogr2ogr -t_srs EPSG:%d",
                       path, epsg, geo->crs.epsg, geo->crs.epsg);
}

/* The parser limits how deep objects may be nested, and so this recursion. */
static int draw_object(struct geojson_fill *k, const cJSON *object)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(object, "type");
    const char *name = cJSON_IsString(type) ? type->valuestring : "";
    const cJSON *coordinates = cJSON_GetObjectItemCaseSensitive(object, "coordinates");
    if (strcmp(name, "Polygon") == 0) return draw_polygon(k, coordinates);
    if (strcmp(name, "MultiPolygon") == 0) return draw_each(k, coordinates, draw_polygon);
    if (strcmp(name, "GeometryCollection") == 0)
        return draw_each(k, cJSON_GetObjectItemCaseSensitive(object, "geometries"), draw_object);
    if (strcmp(name, "FeatureCollection") == 0)
        return draw_each(k, cJSON_GetObjectItemCaseSensitive(object, "features"), draw_object);
    if (strcmp(name, "Feature") == 0) {
        const cJSON *geometry = cJSON_GetObjectItemCaseSensitive(object, "geometry");
        return cJSON_IsNull(geometry) ? 0 : draw_object(k, geometry);
    }
    /* a name that is not plain could break the message's one line */
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strspn(name, letters);
    const bool plain = length < 40 && name[length] == 0;
    return error_input(k->e, "%s: a GeoJSON object of type \"%s\" is not an area; give polygons",
                       k->path, plain ? name : "?");
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

int geojson_parse(cJSON **root, const char *text, const char *path, struct error *e)
{
    const char *end = text;
    *root = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, &end, 1);
    if (*root) return 0;
    return error_input(e, "%s:%d: is not JSON from here on; export it again", path,
                       line_of(text, end));
}

int geojson_fill_object(unsigned char *inside, struct geojson_reach *reach, const cJSON *object,
                        const char *path, int rows, int cols, const struct georef *geo,
                        struct error *e)
{
    struct geojson_fill k = {.cell = inside,
                             .path = path,
                             .rows = rows,
                             .cols = cols,
                             .geo = geo,
                             .e = e,
                             .reach = {INFINITY, -INFINITY, INFINITY, -INFINITY}};
    int status = draw_object(&k, object);
    if (reach) *reach = k.reach;
    return status;
}

int geojson_fill(unsigned char *inside, struct geojson_reach *reach, const char *text,
                 const char *path, int rows, int cols, const struct georef *geo, struct error *e)
{
    cJSON *root;
    int status = geojson_parse(&root, text, path, e);
    if (status) return status;
    status = geojson_check_crs(root, path, geo, e);
    if (!status) status = geojson_fill_object(inside, reach, root, path, rows, cols, geo, e);
    cJSON_Delete(root);
    return status;
}
