/* vents.c — reads vents (points and fissures) from a CSV or a vector file. */
#include "vents.h"

#include "base/order.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/scan.h"
#include "vector/draw_cells.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* Limit on the cells of a vent, before repeated cells are removed. */
enum { CROSSINGS_MAX = 1 << 20 };

bool vent_place(const struct vent_ground *g, double x, double y, struct place *p)
{
    p->right = (x - g->geo->west_m) / g->geo->cell_m;
    p->up = (y - g->geo->south_m) / g->geo->cell_m;
    return p->right >= 0 && p->up >= 0 && p->right < g->cols && p->up < g->rows;
}

/* Refuses a vent outside the terrain. `before`: the text between the path and the number of the line or feature. */
static int vent_refuse_outside(const char *path, const char *before, int line, double x, double y,
                               const struct vent_ground *g, const char *remedy, struct error *e)
{
    const struct georef *geo = g->geo;
    return error_input(e,
                       "%s%s%d: the vent at %.10g, %.10g is outside the DEM, which reaches from "
                       "%.10g, %.10g to %.10g, %.10g; %s",
                       path, before, line, x, y, geo->west_m, geo->south_m,
                       geo->west_m + g->cols * geo->cell_m, geo->south_m + g->rows * geo->cell_m,
                       remedy);
}

/* Adds a point, with the number of points before it as its order. */
static int vent_points_add(struct vent_points *v, struct vent_point p, struct error *e)
{
    p.order = v->count;
    return APPEND(v->point, v->count, p) ? 0 : error_memory(e);
}

/* ---- lists by id ----------------------------------------------------------------------------- */

/* Returns the index of the first entry with this id or a greater id. */
static int position_of(const void *first, int count, size_t size, int id)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2, there;
        memcpy(&there, (const char *)first + (size_t)middle * size, sizeof there);
        if (there < id) low = middle + 1;
        else high = middle;
    }
    return low;
}

const void *id_find(const void *list, int count, size_t size, int id)
{
    const int at = position_of(list, count, size, id);
    const char *there = count ? (const char *)list + (size_t)at * size : NULL;
    return at < count && memcmp(there, &id, sizeof id) == 0 ? there : NULL;
}

int id_list_get(void *entry, void *list, int *count, size_t size, int id, const char *path,
                struct error *e)
{
    char *first;
    memcpy(&first, list, sizeof first);
    const int at = position_of(first, *count, size, id);
    const bool is_new = !id_find(first, *count, size, id);
    if (is_new && *count == VENTS_MAX)
        return error_input(e, "%s: more than %d vents; join neighbouring vents to fissures", path,
                           VENTS_MAX);
    if (is_new && !grow(list, (size_t)*count, size)) return error_memory(e);
    memcpy(&first, list, sizeof first);
    char *there = first + (size_t)at * size;
    if (is_new) {
        memmove(there + size, there, (size_t)((*count)++ - at) * size);
        memset(there, 0, size);
        memcpy(there, &id, sizeof id);
    }
    memcpy(entry, &there, sizeof there);
    return 0;
}

int vent_sites_get(struct vent_site **site, struct vent_sites *v, int id, int line, struct error *e)
{
    int status = id_list_get(site, &v->site, &v->count, sizeof **site, id, v->path, e);
    if (!status && !(*site)->count) (*site)->line = line;
    return status;
}

/* If terrain is read in parts, the part around a vent has this number of cells on each side, since lava flows there. */
enum { AROUND = 256 };

static struct window window_near(const struct vent_ground *g, struct vent_cell cell)
{
    const int row0 = cell.row > AROUND ? cell.row - AROUND : 0,
              col0 = cell.col > AROUND ? cell.col - AROUND : 0;
    return (struct window){
        row0, col0, (g->rows - 1 - cell.row > AROUND ? cell.row + AROUND : g->rows - 1) - row0 + 1,
        (g->cols - 1 - cell.col > AROUND ? cell.col + AROUND : g->cols - 1) - col0 + 1};
}

int vent_has_ground(const struct vent_ground *g, struct vent_cell cell, bool *has, struct error *e)
{
    const struct terrain_source *s = g->elevation_m ? g->source : NULL;
    int status = s ? s->read(s->self, window_near(g, cell), e) : 0;
    *has =
        !status && (!g->elevation_m ||
                    !isnan(g->elevation_m[(size_t)cell.row * (size_t)g->cols + (size_t)cell.col]));
    return status;
}

struct vent_remedy vent_remedy(const struct vent_ground *g, struct vent_cell cell)
{
    if (g->sea && g->sea[(size_t)cell.row * (size_t)g->cols + (size_t)cell.col])
        return (struct vent_remedy){"the sea is, at or below sea_level", "lower sea_level"};
    return (struct vent_remedy){"the DEM has no data", "fill the hole"};
}

int vent_site_add(struct vent_sites *v, struct vent_site *site, const struct vent_ground *ground,
                  struct vent_cell cell, int line, struct error *e)
{
    char at[16] = "";
    bool has;
    int status = vent_has_ground(ground, cell, &has, e);
    if (status) return status;
    if (line) snprintf(at, sizeof at, ":%d", line);
    const struct vent_remedy none = vent_remedy(ground, cell);
    if (!has)
        return error_input(
            e, "%s%s: vent %d has a cell at row %d, column %d, where %s; move the vent or %s",
            v->path, at, site->id, cell.row, cell.col, none.where, none.how);
    if (site->count == CROSSINGS_MAX)
        return error_input(e, "%s%s: vent %d has too many points; simplify its line", v->path, at,
                           site->id);
    return APPEND(site->cell, site->count, cell) ? 0 : error_memory(e);
}

/* Adds the cells that the straight line from a to b crosses, without the cell of a. Goes from cell to cell over the
 * edge that the line meets first, or over the corner if it meets two edges at once. */
static int add_line(struct vent_sites *v, struct vent_site *site, const struct vent_ground *g,
                    struct place a, struct place b, int line, struct error *e)
{
    int i = (int)a.right, j = (int)a.up, last_i = (int)b.right, last_j = (int)b.up, status = 0;
    while (!status && (i != last_i || j != last_j)) {
        int across = ORDER(last_i, i), along = ORDER(last_j, j);
        double edge_i = across ? (i + (across > 0) - a.right) / (b.right - a.right) : INFINITY;
        double edge_j = along ? (j + (along > 0) - a.up) / (b.up - a.up) : INFINITY;
        if (edge_i <= edge_j) i += across;
        if (edge_j <= edge_i) j += along;
        status = vent_site_add(v, site, g, (struct vent_cell){.row = g->rows - 1 - j, .col = i},
                               line, e);
    }
    return status;
}

int vent_sites_add_point(struct vent_sites *v, int id, struct place p, int part,
                         const struct vent_ground *g, int line, struct error *e)
{
    const struct vent_cell cell = {.row = g->rows - 1 - (int)p.up, .col = (int)p.right};
    struct vent_site *site;
    int status = vent_sites_get(&site, v, id, line, e);
    if (status) return status;
    if (site->count == 0 || site->part != part) status = vent_site_add(v, site, g, cell, line, e);
    else status = add_line(v, site, g, site->last, p, line, e);
    site->last = p;
    site->part = part;
    return status;
}

ORDER_MEMBERS(by_place, struct vent_cell, row, col)

int vent_sites_finish(struct vent_sites *v, struct error *e)
{
    int total = 0;
    for (int i = 0; i < v->count; i++) {
        struct vent_site *s = &v->site[i];
        int distinct = 0;
        qsort(s->cell, (size_t)s->count, sizeof *s->cell, by_place);
        for (int k = 0; k < s->count; k++)
            if (!distinct || by_place(&s->cell[distinct - 1], &s->cell[k]) != 0)
                s->cell[distinct++] = s->cell[k];
        s->count = s->shares = distinct;
        total += distinct;
        if (total > VENT_CELLS_MAX)
            return error_input(
                e, "%s: more than %d cells with a vent; check that this is the file of vents",
                v->path, VENT_CELLS_MAX);
    }
    return 0;
}

/* A cell near a vent, and the square of its distance in cells. */
struct near_cell {
    int64_t apart;
    struct vent_cell cell;
};

static int by_place_and_distance(const void *a, const void *b)
{
    const struct near_cell *c = a, *d = b;
    return order_by(by_place(&c->cell, &d->cell), ORDER(c->apart, d->apart));
}

static int by_distance(const void *a, const void *b)
{
    const struct near_cell *c = a, *d = b;
    return order_by(ORDER(c->apart, d->apart), by_place(&c->cell, &d->cell));
}

/* Finds the cells of the grid within the radius of a cell of a vent, also the cells of the vent itself. Lists each cell
 * once, with its distance from the nearest cell of the vent, nearest cells first; malloc'ed. */
static int find_near(struct near_cell **near, size_t *count, const struct vent_site *site,
                     double radius_cells, const struct vent_ground *g, struct error *e)
{
    const int most = (int)radius_cells, side = 2 * most + 1;
    struct near_cell *list =
        malloc((size_t)site->count * (size_t)side * (size_t)side * sizeof *list);
    size_t all = 0, n = 0;
    if (!(*near = list)) return error_memory(e);
    for (int k = 0; k < site->count; k++)
        for (int row = -most; row <= most; row++)
            for (int col = -most; col <= most; col++) {
                const int64_t apart = (int64_t)row * row + (int64_t)col * col;
                const struct vent_cell at = {.row = site->cell[k].row + row,
                                             .col = site->cell[k].col + col};
                if ((double)apart <= radius_cells * radius_cells && at.row >= 0 && at.col >= 0 &&
                    at.row < g->rows && at.col < g->cols)
                    list[all++] = (struct near_cell){apart, at};
            }
    qsort(list, all, sizeof *list, by_place_and_distance);
    for (size_t i = 0; i < all; i++)
        if (!n || by_place(&list[n - 1].cell, &list[i].cell) != 0) list[n++] = list[i];
    qsort(list, n, sizeof *list, by_distance);
    *count = n;
    return 0;
}

int vent_site_spread(struct vent_sites *v, struct vent_site *site, int64_t cells,
                     double radius_cells, const struct vent_ground *g, struct error *e)
{
    FREED struct near_cell *near = NULL;
    size_t count = 0;
    /* find_near() searches a square around each cell: all squares together get at most VENT_CELLS_MAX cells */
    radius_cells = fmin(radius_cells, floor((sqrt((double)VENT_CELLS_MAX / site->count) - 1) / 2));
    if (cells <= site->count || !(radius_cells >= 1)) return 0;
    int status = find_near(&near, &count, site, radius_cells, g, e);
    for (size_t i = 0; i < count && !status; i++) {
        bool has = false;
        if (near[i].apart == 0) continue; /* a cell of the vent */
        if (site->count >= cells && near[i].apart > near[i - 1].apart) break;
        near[i].cell.spread = true;
        status = vent_has_ground(g, near[i].cell, &has, e);
        if (!status && has) status = vent_site_add(v, site, g, near[i].cell, site->line, e);
    }
    return status;
}

void vents_free(struct vent_sites *v)
{
    for (int i = 0; i < v->count; i++) free(v->site[i].cell);
    RELEASE(v, v->site);
}

/* ---- vents and fissures of a vector file ----------------------------------------------------- */

enum { VENT, WEIGHT, PROBABILITY };
static const char *const wanted[] = {"vent", "weight", "probability", NULL};
static const char *const without_weights[] = {"vent", NULL};

struct reading {
    struct vent_points *v;
    const struct vectors *from;
    const char *path;
    const struct vent_ground *ground;
    bool numbered; /* features have vent numbers */
    int parts;     /* number of the last part; part 0 has the features of a single point */
    struct error *e;
};

/* Reads the vent number of feature i; if no feature has one, vents are numbered in the order of features. */
static int read_id(struct reading *k, int i, int *id)
{
    const char *text = vectors_value(k->from, i, VENT);
    int64_t number;
    char excerpt[48];
    *id = i + 1;
    if (!k->numbered) return 0;
    if (text && scan_integer(text, &number) && number >= 1 && number <= 1000000000) {
        *id = (int)number;
        return 0;
    }
    return error_input(k->e,
                       "%s: feature %d: vent is '%s'; give every feature a whole number from 1, or "
                       "remove the attribute",
                       k->path, k->from->feature[i].number,
                       scan_excerpt(excerpt, text ? text : ""));
}

static int read_weight(struct reading *k, int i, double *weight)
{
    const int attribute = k->v->weights == VENT_WEIGHTS ? WEIGHT : PROBABILITY;
    *weight = 1;
    if (k->v->weights == VENT_WEIGHTS_NONE) return 0;
    if (!vectors_value(k->from, i, attribute))
        return error_input(k->e,
                           "%s: feature %d has no %s, but others have; give it to every feature",
                           k->path, k->from->feature[i].number, wanted[attribute]);
    return vectors_real(k->from, i, attribute, k->path, wanted[attribute], weight, k->e);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Returns a place on the line from a to b, moved onto the grid: the eastern and northern edges belong to no cell. */
static struct place place_at(const struct vent_ground *g, struct place a, struct place b, double t)
{
    const double right = a.right + t * (b.right - a.right), up = a.up + t * (b.up - a.up);
    return (struct place){fmin(fmax(right, 0), nextafter(g->cols, 0)),
                          fmin(fmax(up, 0), nextafter(g->rows, 0))};
}

/* Adds the pieces of a line that lie on the grid. */
static int add_fissure(struct reading *k, struct vent_point p, const struct vector_part *part)
{
    const struct vent_ground *g = k->ground;
    const double end[2] = {g->cols, g->rows};
    bool joined = false; /* this segment begins at the last added point */
    int status = 0;
    for (int i = part->first + 1; i < part->first + part->count && !status; i++) {
        const double *last = k->from->xy[i - 1], *next = k->from->xy[i];
        struct place a, b;
        double t[2];
        const bool a_on = vent_place(g, last[0], last[1], &a),
                   b_on = vent_place(g, next[0], next[1], &b);
        const double from[2] = {a.right, a.up}, to[2] = {b.right, b.up};
        const bool there = measure_cut(from, to, end, t) && (t[0] < t[1] || (a_on && b_on));
        if (there && !(joined && t[0] == 0)) {
            p.at = t[0] > 0 || !a_on ? place_at(g, a, b, t[0]) : a;
            p.part = ++k->parts;
            status = vent_points_add(k->v, p, k->e);
        }
        if (there && !status) {
            p.at = t[1] < 1 || !b_on ? place_at(g, a, b, t[1]) : b;
            p.part = k->parts;
            status = vent_points_add(k->v, p, k->e);
        }
        joined = there && t[1] == 1;
    }
    return status;
}

static int refuse_feature(struct reading *k, const struct vent_point *p, const double xy[2])
{
    return vent_refuse_outside(k->path, ": feature ", p->line, xy[0], xy[1], k->ground,
                               "give a larger DEM, or remove the vent", k->e);
}

/* Adds the points of a feature. Features with a single point are joined by lines if they have the same vent, like rows
 * of a CSV. The points of a multi-point are not joined. */
static int read_feature(struct reading *k, int i)
{
    const struct vector_feature *f = &k->from->feature[i];
    const int before = k->v->count;
    struct vent_point p = {.line = f->number};
    int status = read_id(k, i, &p.id);
    if (!status) status = read_weight(k, i, &p.weight);
    for (int n = f->first; n < f->first + f->count && !status; n++) {
        const struct vector_part *part = &k->from->part[n];
        const double *xy = k->from->xy[part->first];
        if (f->kind == VECTOR_LINE && part->count > 1) {
            status = add_fissure(k, p, part);
            continue;
        }
        if (!vent_place(k->ground, xy[0], xy[1], &p.at)) return refuse_feature(k, &p, xy);
        p.part = f->count > 1 || f->kind == VECTOR_LINE ? ++k->parts : 0;
        status = vent_points_add(k->v, p, k->e);
    }
    if (status || k->v->count > before) return status;
    return refuse_feature(k, &p, k->from->xy[k->from->part[f->first].first]);
}

static int vent_points_read_vectors(struct vent_points *v, const char *path,
                                    const struct vent_ground *ground, bool weighted,
                                    struct error *e)
{
    const struct vector_grid grid = {ground->rows, ground->cols, ground->geo};
    FREED_BY(vectors_free) struct vectors from;
    struct reading k = {v, &from, path, ground, false, 0, e};
    *v = (struct vent_points){0};
    int status = vectors_read(&from, path, &grid, VECTORS_TAKE_POINTS | VECTORS_TAKE_LINES,
                              weighted ? wanted : without_weights, e);
    if (status) return status;
    k.numbered = vectors_any_has(&from, VENT);
    if (!status && weighted && vectors_any_has(&from, WEIGHT) &&
        vectors_any_has(&from, PROBABILITY))
        status = error_input(
            e, "%s: has two attributes for weights, 'weight' and 'probability'; keep one", path);
    if (weighted && vectors_any_has(&from, WEIGHT)) v->weights = VENT_WEIGHTS;
    else if (weighted && vectors_any_has(&from, PROBABILITY)) v->weights = VENT_PROBABILITIES;
    for (int i = 0; i < from.features && !status; i++) status = read_feature(&k, i);
    v->about = from.about;
    if (status) vent_points_free(v);
    return status;
}

/* ---- the file of vents ----------------------------------------------------------------------- */

struct columns {
    int id, x, y, row, col, lon, lat, part, weight; /* -1: the table lacks the column */
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
    if (!map) c->x = -1; /* without a column y, the column x is no coordinate */
    /* if a table has both x, y and lon, lat, only x and y are used, since they are exact */
    if (map || !degrees) c->lon = -1;
    if (c->id >= 0 && (map || degrees) != grid) return 0;
    return error_line(e, t->file.path, t->file.line,
                      "the header has to be 'vent,x,y' (map coordinates, m), 'vent,lon,lat' "
                      "(degrees, WGS 84) or 'vent,row,col' (from 0, from the north-west)");
}

/* Whether coordinates are as small as degrees, which metres of a CRS hardly ever are. */
static bool look_like_degrees(double x, double y, const struct georef *g)
{
    return fabs(x) <= 180 && fabs(y) <= 180 && (fabs(g->west_m) > 360 || fabs(g->south_m) > 360);
}

static int refuse_outside(const struct csv *t, double x, double y, const struct vent_ground *g,
                          const char *remedy, struct error *e)
{
    return vent_refuse_outside(t->file.path, ":", t->file.line, x, y, g, remedy, e);
}

/* Returns the distance of a place from the middle of the DEM, m. */
static double away_m(const struct vent_ground *g, const double xy[2])
{
    const struct georef *geo = g->geo;
    return hypot(xy[0] - geo->west_m - g->cols * geo->cell_m / 2,
                 xy[1] - geo->south_m - g->rows * geo->cell_m / 2);
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
    const bool swaps = transform_apply(transform, swapped, &whatever);
    if (swaps && vent_place(g, swapped[0], swapped[1], &other))
        return error_line(e, t->file.path, t->file.line,
                          "the vent at longitude %.10g, latitude %.10g is outside the DEM; the two "
                          "are swapped: %.10g is the longitude",
                          lon, lat, lat);
    const bool other_way = swaps && away_m(g, swapped) < away_m(g, xy) / 10;
    if (somewhere)
        return refuse_outside(
            t, xy[0], xy[1], g,
            other_way ? "the two seem to be swapped" : "correct longitude and latitude", e);
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
    int status = 0;
    if (c->lon >= 0 && !g->geo->crs.epsg && !g->geo->crs.key_count) {
        status = error_line(e, t->file.path, t->file.line,
                            "has longitudes and latitudes, but the DEM names no CRS; declare it in "
                            "the case: crs EPSG:n");
    } else if (c->lon >= 0) {
        status = transform_open(&transform, CRS_DEGREES, &g->geo->crs, t->file.path, e);
        crs_text(&g->geo->crs, CRS_OF_THE_DEM, v->about.projected_to);
    }
    CSV_EACH (t, status, e) status = read_point(v, t, c, g, transform, e);
    if (!status && v->count == 0)
        status = error_input(e, "%s: has no vent; add a row for each vent", t->file.path);
    transform_close(transform);
    return status;
}

/* Warns of a column with a name that is probably a misspelt `part` or, if weights are needed and missing, a misspelt
 * `weight` or `probability`. */
static void doubt_columns(struct vent_points *v, const struct csv *t, bool weighted)
{
    static const char *const names[] = {"weight", "probability", "part", NULL};
    csv_doubt(t, names + (weighted && !v->weights ? 0 : 2), v->about.doubt);
}

int vent_points_read(struct vent_points *v, const char *path, const struct vent_ground *ground,
                     bool weighted, struct error *e)
{
    struct columns c = {0};
    if (vectors_are_in(path)) return vent_points_read_vectors(v, path, ground, weighted, e);
    FREED_BY(csv_close) struct csv t;
    *v = (struct vent_points){0};
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&c, &t, e);
    if (!weighted) c.weight = -1;
    if (!status && weighted && csv_column(&t, "weight") >= 0 && csv_column(&t, "probability") >= 0)
        status = error_line(e, t.file.path, t.file.line,
                            "has two columns of weights, 'weight' and 'probability'; keep one");
    if (!status && c.weight >= 0)
        v->weights = csv_column(&t, "weight") == c.weight ? VENT_WEIGHTS : VENT_PROBABILITIES;
    if (!status) doubt_columns(v, &t, weighted);
    if (!status) status = read_rows(v, &t, &c, ground, e);
    if (status) vent_points_free(v);
    return status;
}

void vent_points_free(struct vent_points *v)
{
    RELEASE(v, v->point);
}

int vents_read(struct vent_sites *v, const char *path, const struct vent_ground *ground,
               struct error *e)
{
    FREED_BY(vent_points_free) struct vent_points points;
    *v = (struct vent_sites){.path = path};
    int status = vent_points_read(&points, path, ground, false, e);
    for (int i = 0; i < points.count && !status; i++) {
        const struct vent_point *p = &points.point[i];
        const int line = points.about.features ? 0 : p->line;
        status = vent_sites_add_point(v, p->id, p->at, p->part, ground, line, e);
    }
    if (!status) status = vent_sites_finish(v, e);
    v->about = points.about;
    if (status) vents_free(v);
    return status;
}
