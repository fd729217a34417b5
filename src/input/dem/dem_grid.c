/* dem_grid.c — the grid of the terrain: its CRS, its place, its cells. */
#include "dem_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 200000, METRE = 9001 };

/* A limit: coordinates of places on the Earth are smaller in every CRS. */
#define METRES_MOST 1e9

/* UTM has no zones north and south of these latitudes. */
#define UTM_NORTH 84.0
#define UTM_SOUTH (-80.0)

struct box {
    double west, south, east, north;
};

static struct box box_none(void)
{
    return (struct box){INFINITY, INFINITY, -INFINITY, -INFINITY};
}

static void box_add(struct box *b, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) return;
    b->west = fmin(b->west, x);
    b->east = fmax(b->east, x);
    b->south = fmin(b->south, y);
    b->north = fmax(b->north, y);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Whether numbers can be a latitude and a longitude. Metres are hardly ever so small. */
static bool are_degrees(double lat, double lon)
{
    /* longitudes may count from 0 to 360; the east of a part across longitude 360 is beyond 360 */
    return fabs(lat) <= 90 && fabs(lon) <= 540;
}

static bool extent_in_degrees(const struct dem_request *q)
{
    return q->extent && are_degrees(q->edge[1], q->edge[0]) && are_degrees(q->edge[3], q->edge[2]);
}

static PJ_COORD source_place(const struct dem_source *s, double col, double row)
{
    const double *g = s->place;
    return proj_coord(g[0] + col * g[1] + row * g[2], g[3] + col * g[4] + row * g[5], 0, 0);
}

/* Adds the part that a source covers. `way`: PJ_FWD if `to` transforms from the CRS of the source to the CRS of the
 * box; PJ_INV if it transforms from the CRS of the box to the CRS of the source. */
static void add_source(struct box *b, const struct dem_source *s, PJ *to, PJ_DIRECTION way)
{
    enum { PARTS = 20 };
    for (int i = 0; i <= PARTS; i++)
        for (int j = 0; j <= PARTS; j++) {
            const PJ_COORD at = proj_trans(to, way,
                                           source_place(s, s->head->cols * (double)j / PARTS,
                                                        s->head->rows * (double)i / PARTS));
            box_add(b, at.xy.x, at.xy.y);
        }
}

/* Finds the middle of all sources in degrees. */
static int find_middle(const struct dem *d, double lon_lat[2], struct error *e)
{
    struct box all = box_none();
    for (int i = 0; i < d->q->source_count; i++) {
        FREED_BY(projection_free)
        PJ *to = projection_between(d->context, d->source[i].crs.wkt, "EPSG:4326", NULL);
        struct box one = box_none();
        if (to) add_source(&one, &d->source[i], to, PJ_FWD);
        if (!(one.west <= one.east))
            return error_input(e,
                               "%s: its coordinates lie outside its CRS (%s); if the CRS is wrong, "
                               "give option 'source_crs' EPSG:CODE",
                               d->source[i].path, d->source[i].crs.called);
        const double turns = isfinite(all.west) ? rint((all.west - one.west) / 360) * 360 : 0;
        box_add(&all, one.west + turns, one.south);
        box_add(&all, one.east + turns, one.north);
    }
    lon_lat[0] = (all.west + all.east) / 2;
    lon_lat[1] = (all.south + all.north) / 2;
    return 0;
}

/* ---- the CRS --------------------------------------------------------------------------------- */

/* Returns the EPSG code of a CRS on WGS 84 with nearly true metres at a place: UTM or, at a pole, UPS. */
static int find_crs(double lon, double lat)
{
    return lat > UTM_NORTH ? 5041 : lat < UTM_SOUTH ? 5042 : projection_utm(lon, lat);
}

static int take_utm(struct dem *d, const double lon_lat[2], struct error *e)
{
    const int epsg = find_crs(lon_lat[0], lon_lat[1]);
    if (!projection_is_utm(epsg))
        return error_input(e, "dem: UTM has no zone at latitude %.4g; give option 'crs' EPSG:%d",
                           lon_lat[1], epsg);
    d->r->geo.crs.epsg = epsg;
    return 0;
}

/* Chooses the CRS for the requested place or, without one, for all sources. */
static int choose_crs(struct dem *d, struct error *e)
{
    const struct dem_request *q = d->q;
    double lon_lat[2] = {0};
    const bool here = q->around && are_degrees(q->at[0], q->at[1]);
    if (here) lon_lat[0] = q->at[1], lon_lat[1] = q->at[0];
    else if (extent_in_degrees(q)) {
        const double over = q->edge[2] < q->edge[0] ? 360 : 0;
        lon_lat[0] = (q->edge[0] + q->edge[2] + over) / 2;
        lon_lat[1] = (q->edge[1] + q->edge[3]) / 2;
    } else if (q->around || q->extent)
        return error_input(e,
                           "dem: %s is not in degrees, and coordinates in metres need a CRS; give "
                           "%s instead, or add option 'crs' EPSG:CODE",
                           q->around ? "option 'around'" : "option 'extent'",
                           q->around ? "LAT,LON" : "WEST,SOUTH,EAST,NORTH in degrees");
    else {
        const int status = find_middle(d, lon_lat, e);
        if (status) return status;
    }
    return take_utm(d, lon_lat, e);
}

static int settle_crs(struct dem *d, struct error *e)
{
    struct crs *crs = &d->r->geo.crs;
    int status = 0, unit = 0;
    *crs = (struct crs){.unit_m = 1, .epsg = d->q->epsg};
    if (!crs->epsg) status = choose_crs(d, e);
    if (status) return status;
    if (!projection_known(crs->epsg, crs->name, &unit) || unit != METRE)
        return error_input(e,
                           "dem: option 'crs': EPSG:%d is not a projected CRS in metres; give one, "
                           "such as a UTM zone",
                           crs->epsg);
    return 0;
}

/* Takes the grid of another raster. A raster without a CRS gets the CRS that is given for sources. */
static int take_like(struct dem *d, struct error *e)
{
    struct raster_file *f;
    int status = raster_open(&f, d->q->like, RASTER_ANY_SIZE, NULL, e);
    if (status) return status;
    const struct raster *r = raster_head(f);
    d->r->geo = r->geo;
    d->r->rows = r->rows;
    d->r->cols = r->cols;
    if (!crs_known(&r->geo.crs) && !r->geo.crs.geographic) {
        char name[128];
        int unit = 0;
        if (projection_known(d->q->source_epsg, name, &unit) && unit == METRE)
            d->r->geo.crs = (struct crs){.unit_m = 1, .epsg = d->q->source_epsg};
    }
    if (!crs_known(&d->r->geo.crs) || r->geo.crs.geographic || fabs(r->geo.crs.unit_m - 1) > 1e-9)
        status = error_input(e,
                             "%s: its grid is not in metres of a projected CRS; give option 'crs' "
                             "and option 'extent' in its place",
                             d->q->like);
    raster_close(f);
    return status;
}

/* ---- the cells ------------------------------------------------------------------------------- */

/* Finds the sides of a cell of a source, m, at a place of the terrain: side_m[0] along a row, side_m[1] along a
 * column. */
static void find_sides(double side_m[2], const struct dem_source *s, double x, double y)
{
    double at[2];
    side_m[0] = side_m[1] = NAN;
    if (!dem_source_at(s, x, y, at)) return;
    const PJ_COORD here = proj_trans(s->own, PJ_INV, source_place(s, at[0], at[1]));
    for (int k = 0; k < 2; k++) {
        const PJ_COORD next = proj_trans(s->own, PJ_INV, source_place(s, at[0] + !k, at[1] + k));
        side_m[k] = hypot(next.xy.x - here.xy.x, next.xy.y - here.xy.y);
    }
}

/* Adds a part with edges in degrees. It lies across the antimeridian if its east is less than its west. */
static void add_degrees(struct box *b, PJ *from, const double edge[4])
{
    enum { PARTS = 20 };
    const double wide = edge[2] - edge[0] + (edge[2] < edge[0] ? 360 : 0);
    for (int i = 0; i <= PARTS; i++)
        for (int j = 0; j <= PARTS; j++) {
            const PJ_COORD at =
                proj_trans(from, PJ_FWD,
                           proj_coord(edge[0] + wide * j / PARTS,
                                      edge[1] + (edge[3] - edge[1]) * i / PARTS, 0, 0));
            box_add(b, at.xy.x, at.xy.y);
        }
}

/* Finds the requested part in the CRS of the terrain. If the part is around a place, finds only this place. */
static int find_box(const struct dem *d, struct box *b, struct error *e)
{
    const struct dem_request *q = d->q;
    FREED_BY(projection_free)
    PJ *from = projection_between(d->context, "EPSG:4326", d->crs, NULL);
    *b = box_none();
    if (!from)
        return error_failed(
            e, "dem: PROJ knows no transformation from degrees to the CRS of the terrain");
    if (q->around && are_degrees(q->at[0], q->at[1])) {
        const PJ_COORD at = proj_trans(from, PJ_FWD, proj_coord(q->at[1], q->at[0], 0, 0));
        box_add(b, at.xy.x, at.xy.y);
    } else if (q->around) {
        box_add(b, q->at[0], q->at[1]);
    } else if (extent_in_degrees(q)) {
        add_degrees(b, from, q->edge);
    } else if (q->extent) {
        box_add(b, q->edge[0], q->edge[1]);
        box_add(b, q->edge[2], q->edge[3]);
    } else {
        for (int i = 0; i < q->source_count; i++)
            add_source(b, &d->source[i], d->source[i].own, PJ_INV);
    }
    const double most = fmax(fmax(-b->west, b->east), fmax(-b->south, b->north));
    if (b->west <= b->east && b->south <= b->north && most < METRES_MOST) return 0;
    return error_input(e,
                       "dem: the part that is asked for has no coordinates in EPSG:%d; give "
                       "another CRS by option 'crs'",
                       d->r->geo.crs.epsg);
}

/* Changes the unit of a box from metres to cells, and extends it to whole cells. Edges are whole multiples of the cell,
 * so that terrains with equal cells fit each other. */
static void take_cells(struct box *b, const struct dem_request *q, double cell)
{
    const double slack = 1e-6, half = ceil(q->km * 1000 / cell - slack);
    if (q->around)
        *b = (struct box){rint(b->west / cell) - half, rint(b->south / cell) - half,
                          rint(b->west / cell) + half, rint(b->south / cell) + half};
    else
        *b = (struct box){floor(b->west / cell + slack), floor(b->south / cell + slack),
                          ceil(b->east / cell - slack), ceil(b->north / cell - slack)};
}

/* If cells of the terrain are at least this many times as wide as cells of a source, heights are means. A mean
 * over fewer cells would not be centred. */
#define MEAN_LEAST 1.5

/* Returns the shorter side of a source's cells at a place, in m. Sets s->wide: the width and height of the terrain's
 * cells as multiples of the source's cells, or 1 if heights are interpolated. */
static double measure_source(struct dem_source *s, double cell_m, double x, double y)
{
    double side_m[2];
    find_sides(side_m, s, x, y);
    for (int k = 0; k < 2; k++)
        s->wide[k] = cell_m >= MEAN_LEAST * side_m[k] ? cell_m / side_m[k] : 1;
    return fmin(side_m[0], side_m[1]);
}

/* Measures the cells of all sources at a place of the terrain; returns the shortest side, in m. */
static double measure_sources(const struct dem *d, double x, double y)
{
    const double cell_m = d->r->geo.cell_m;
    double least = INFINITY;
    for (int i = 0; i < d->q->source_count; i++) {
        d->r->source[i].cell_m = measure_source(&d->source[i], cell_m, x, y);
        least = fmin(least, d->r->source[i].cell_m);
    }
    return least;
}

static int settle_cells(struct dem *d, struct error *e)
{
    struct dem_result *r = d->r;
    struct box b;
    int status = find_box(d, &b, e);
    if (status) return status;
    const double finest = measure_sources(d, (b.west + b.east) / 2, (b.south + b.north) / 2);
    const double cell = r->geo.cell_m = d->q->cell_m > 0 ? d->q->cell_m : fmax(1, rint(finest));
    take_cells(&b, d->q, cell);
    const double rows = b.north - b.south, cols = b.east - b.west;
    if (!(cols >= 1 && rows >= 1 && cols <= CELLS_MOST && rows <= CELLS_MOST))
        return error_input(e,
                           "dem: the terrain would have %.0f x %.0f cells of %.9g m, and at most "
                           "%d are possible on a side; give a smaller part (option 'around' "
                           "LAT,LON) or larger cells (option 'cell')",
                           rows, cols, cell, (int)CELLS_MOST);
    r->geo.west_m = b.west * cell;
    r->geo.south_m = b.south * cell;
    r->cols = (int)cols;
    r->rows = (int)rows;
    return 0;
}

/* ---- CRS, grid and transformations ----------------------------------------------------------- */

/* Finds PROJ's best transformation from the CRS of the terrain to the CRS of a source, for `area` or, if it is NULL,
 * for any place. */
static int connect(const struct dem *d, struct dem_source *s, const double *area, struct error *e)
{
    char text[128];
    proj_destroy(s->own);
    s->own = projection_between(d->context, d->crs, s->crs.wkt, area);
    if (s->own) return 0;
    return projection_blame(
        error_input(e, "%s: PROJ knows no transformation from %s to %s; give another option 'crs'",
                    s->path, s->crs.called, crs_text(&d->r->geo.crs, "its CRS", text)),
        s->path, e);
}

static int connect_all(struct dem *d, const double *area, struct error *e)
{
    int status = d->against.file ? connect(d, &d->against, area, e) : 0;
    for (int i = 0; i < d->q->source_count && !status; i++)
        status = connect(d, &d->source[i], area, e);
    return status;
}

PJ_COORD dem_transform_place(const struct dem *d, PJ *to, int parts, int n)
{
    const struct georef *g = &d->r->geo;
    const int i = n ? (n - 1) / (parts + 1) : parts / 2, j = n ? (n - 1) % (parts + 1) : parts / 2;
    return proj_trans(to, PJ_FWD,
                      proj_coord(g->west_m + d->r->cols * g->cell_m * j / parts,
                                 g->south_m + d->r->rows * g->cell_m * i / parts, 0, 0));
}

/* Finds the edges of the terrain in degrees from Greenwich. PROJ uses them to choose between transformations. */
static void find_area(struct dem *d)
{
    enum { PARTS = 8 };
    FREED_BY(projection_free) PJ *to = projection_between(d->context, d->crs, "EPSG:4326", NULL);
    struct box b = box_none();
    double middle = NAN;
    for (int n = 0; to && n <= (PARTS + 1) * (PARTS + 1); n++) {
        const PJ_COORD at = dem_transform_place(d, to, PARTS, n);
        if (isnan(middle) && isfinite(at.xy.x)) middle = at.xy.x;
        box_add(&b, middle + remainder(at.xy.x - middle, 360), at.xy.y);
    }
    const bool round = b.east - b.west > 350; /* the terrain includes a pole */
    const double area[4] = {round ? -180 : remainder(b.west, 360), b.south,
                            round ? 180 : remainder(b.east, 360), b.north};
    memcpy(d->area, area, sizeof area);
}

/* Whether a place lies far outside the area of the terrain's CRS. The scale of the CRS does not always show this:
 * beyond a pole, a metre of a UTM zone is again a metre on the ground. */
static bool is_far(const struct dem *d, double lon, double lat)
{
    enum { FAR_DEG = 30 };
    double west = 0, south = 0, east = 0, north = 0;
    FREED_BY(projection_free) PJ *crs = proj_create(d->context, d->crs);
    const bool known = crs &&
                       proj_get_area_of_use(d->context, crs, &west, &south, &east, &north, NULL) &&
                       west > -1000;
    const double half = (east - west + (east < west ? 360 : 0)) / 2;
    return known && (fabs(remainder(lon - west - half, 360)) > half + FAR_DEG ||
                     lat > north + FAR_DEG || lat < south - FAR_DEG);
}

/* Refuses a CRS with metres that differ too much from metres on the ground. A run ignores this difference. */
static int check_metres(const struct dem *d, struct error *e)
{
    const struct georef *g = &d->r->geo;
    struct ground_scale s;
    char name[128];
    if (!projection_scale(&s, g, d->r->rows, d->r->cols))
        return error_input(e,
                           "dem: the part that is asked for has no coordinates in %s; give another "
                           "CRS by option 'crs'",
                           crs_text(&g->crs, "the CRS of its grid", name));
    const double worst = fabs(s.least - 1) > fabs(s.greatest - 1) ? s.least : s.greatest;
    const int better = find_crs(s.east_deg, s.north_deg);
    crs_text(&g->crs, "the CRS of its grid", name);
    const bool far = is_far(d, s.east_deg, s.north_deg);
    if (fabs(worst - 1) <= 0.03 && !far) return 0;
    if (fabs(worst - 1) <= 0.03)
        return error_input(e,
                           "dem: %s is not for latitude %.4g, longitude %.4g, where the part that "
                           "is asked for lies; give option 'crs' EPSG:%d",
                           name, s.north_deg, s.east_deg, better);
    if (better == g->crs.epsg)
        return error_input(
            e,
            "dem: metres of %s differ from metres on the ground by %.3g %% at the "
            "edge of the part that is asked for; give a smaller one (option 'around' LAT,LON)",
            name, 100 * fabs(worst - 1));
    return error_input(e,
                       "dem: metres of %s differ from metres on the ground by %.3g %% here; give "
                       "option 'crs' EPSG:%d",
                       name, 100 * fabs(worst - 1), better);
}

/* Refuses sources in degrees near a pole, where all longitudes meet: a part of the terrain would be missing. */
static int check_poles(const struct dem *d, struct error *e)
{
    enum { LATITUDE_MOST = 85 };
    const bool far = d->area[1] >= -LATITUDE_MOST && d->area[3] <= LATITUDE_MOST;
    for (int i = 0; !far && i < d->q->source_count; i++)
        if (d->source[i].crs.turn)
            return error_input(
                e,
                "%s: is in degrees, and the part that is asked for comes nearer to a pole than "
                "latitude %d, where longitudes meet; give a part farther from the pole",
                d->source[i].path, LATITUDE_MOST);
    return 0;
}

static int settle_map(struct dem *d, struct error *e)
{
    const int status = d->q->like ? take_like(d, e) : settle_crs(d, e);
    if (status) return status;
    free(d->crs);
    d->crs = projection_wkt(&d->r->geo.crs, PROJECTION_WKT2);
    if (d->crs) return 0;
    return error_failed(
        e, "dem: PROJ does not know the CRS of the terrain; its database (proj.db) may be missing");
}

/* Finds the part as a grid with cells of 1 m. The real cell size follows from the sources, which are not open yet. */
int dem_part_area(struct dem *d, struct error *e)
{
    struct dem_result *r = d->r;
    struct box b;
    int status = settle_map(d, e);
    if (!status && !d->q->like) {
        if ((status = find_box(d, &b, e))) return status;
        take_cells(&b, d->q, 1);
        const double rows = b.north - b.south, cols = b.east - b.west;
        if (!(rows <= INT_MAX && cols <= INT_MAX))
            return error_input(
                e, "dem: the part that is asked for is larger than the Earth; give a smaller one");
        r->geo =
            (struct georef){.crs = r->geo.crs, .cell_m = 1, .west_m = b.west, .south_m = b.south};
        r->rows = (int)rows;
        r->cols = (int)cols;
    }
    if (!status) find_area(d);
    return status;
}

int dem_settle(struct dem *d, struct error *e)
{
    int status = settle_map(d, e);
    if (!status) status = connect_all(d, NULL, e);
    if (!status && !d->q->like) status = settle_cells(d, e);
    if (status) return status;
    const struct georef *g = &d->r->geo;
    find_area(d);
    if ((status = check_metres(d, e)) || (status = check_poles(d, e)) ||
        (status = connect_all(d, d->area, e)))
        return status;
    const double x = g->west_m + d->r->cols / 2.0 * g->cell_m,
                 y = g->south_m + d->r->rows / 2.0 * g->cell_m;
    measure_sources(d, x, y);
    if (d->against.file) measure_source(&d->against, g->cell_m, x, y);
    return dem_vertical_settle(d, e);
}
