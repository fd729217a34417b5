/* exposed.c — sums up what lava of each member reaches: points, kilometres of lines, areas, an
 * attribute of places, amounts of a raster; with mean and percentiles over the members. */
#include "ask.h"

#include "members/library.h"
#include "raster/raster.h"
#include "text/grow.h"
#include "text/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- over members ------------------------------------------------------------------------------ */

/* Adds the row of a quantity. value[]: the amount that lava of each member reaches; `all`: the amount if lava reaches
 * everything. */
static int add_row(struct ask *x, const char *name, const char *unit, double all,
                   const double *value, struct error *e)
{
    struct exposed *of = &x->exposed;
    const int64_t members = x->of.s.source->count;
    FREED struct weighted *member = malloc((size_t)members * sizeof *member);
    int64_t count = 0;
    double weight = 0, weight2 = 0, came = 0, squares = 0;
    if (!member || !GROW(of->row, of->rows)) return error_memory(e);
    for (int64_t i = 0; i < members; i++) {
        const double w = (double)x->weight[i];
        if (!x->weight[i]) continue;
        member[count++] = (struct weighted){value[i], w};
        weight += w;
        weight2 += w * w;
        came += value[i] > 0 ? w : 0;
    }
    const struct percentiles p = percentiles_of(member, count);
    for (int64_t i = 0; i < count; i++)
        squares += member[i].weight * (member[i].value - p.mean) * (member[i].value - p.mean);
    const double effective = weight * weight / weight2;
    struct exposed_sum *row = &of->row[of->rows++];
    *row = (struct exposed_sum){.unit = unit,
                                .all = all,
                                .mean = p.mean,
                                .error = effective > 1.5 ? sqrt(squares / weight / (effective - 1))
                                                         : (double)NAN,
                                .p05 = p.p05,
                                .p50 = p.p50,
                                .p95 = p.p95,
                                .probability = came / weight};
    snprintf(row->name, sizeof row->name, "%.63s", name);
    return 0;
}

/* ---- over places ------------------------------------------------------------------------------- */

/* The share of a place's cells that lava of a member covers. share_q is this share, rounded down. */
static double share_covered(const struct ask *x, int64_t member, int place)
{
    const struct assets *a = &x->of.s.assets;
    const uint64_t q = ask_at_place(x, member, place)->share_q, cells = a->asset[place].cells,
                   covered = (q * cells + STATISTICS_SHARE_PARTS - 1) / STATISTICS_SHARE_PARTS;
    return (double)covered / (double)cells;
}

/* Adds a row. The value of a member is the sum of amount[place] times the covered share over all places of a kind. kind -1: all
 * kinds; amount NULL: 1 for each place; whole: a place that is partly covered counts in full. */
static int add_places(struct ask *x, const char *name, const char *unit, int kind, bool whole,
                      const double *amount, double *value, struct error *e)
{
    const struct assets *a = &x->of.s.assets;
    double all = 0;
    int places = 0;
    for (int64_t i = 0; i < x->of.s.source->count; i++) value[i] = 0;
    for (int k = 0; k < a->count; k++) {
        const double most = amount ? amount[k] : 1;
        if (kind >= 0 && (int)a->asset[k].kind != kind) continue;
        places++;
        all += most;
        for (int64_t i = 0; i < x->of.s.source->count; i++) {
            const double part = share_covered(x, i, k);
            value[i] += whole ? (part > 0 ? most : 0) : most * part;
        }
    }
    return places ? add_row(x, name, unit, all, value, e) : 0;
}

static int add_sizes(struct ask *x, double *amount, double *value, struct error *e)
{
    const struct assets *a = &x->of.s.assets;
    static const double per[] = {[ASSET_POINT] = 1, [ASSET_LINE] = 1e-3, [ASSET_AREA] = 1e-6};
    for (int k = 0; k < a->count; k++) amount[k] = a->asset[k].size * per[a->asset[k].kind];
    int status = add_places(x, "points", "", ASSET_POINT, true, NULL, value, e);
    if (!status) status = add_places(x, "lines", "", ASSET_LINE, true, NULL, value, e);
    if (!status)
        status = add_places(x, "length of lines", "km", ASSET_LINE, false, amount, value, e);
    if (!status) status = add_places(x, "areas", "", ASSET_AREA, true, NULL, value, e);
    if (!status)
        status = add_places(x, "extent of areas", "km2", ASSET_AREA, false, amount, value, e);
    return status;
}

static int add_attribute(struct ask *x, const char *attribute, double *amount, double *value,
                         struct error *e)
{
    const struct assets *a = &x->of.s.assets;
    const struct sim_case *c = x->of.s.source->base;
    const struct vector_grid grid = {c->problem.rows, c->problem.cols, &c->geo};
    int status = a->count
                     ? 0
                     : error_input(e,
                                   "exposed %.200s: is not a raster, and there are no places of "
                                   "interest with such an attribute; give places, or a raster",
                                   attribute);
    if (!status) status = assets_amounts(amount, a, x->of.s.source->assets, attribute, &grid, e);
    return status ? status : add_places(x, attribute, "", -1, false, amount, value, e);
}

/* ---- over cells -------------------------------------------------------------------------------- */

struct amounts {
    const struct ask *x;
    const struct raster *raster;
    double part; /* area of a cell of the terrain / area of a cell of the raster */
    double *value;
};

/* The amount of a cell of the terrain: the raster's amount at the middle of the cell, times `part`. */
static double amount_at(const struct amounts *of, uint32_t place)
{
    const struct sim_case *c = of->x->of.s.source->base;
    const uint32_t cols = (uint32_t)c->problem.cols;
    const double amount =
        raster_at(of->raster, c->geo.west_m + (place % cols + 0.5) * c->geo.cell_m,
                  c->geo.south_m + (c->problem.rows - place / cols - 0.5) * c->geo.cell_m);
    return isnan(amount) ? 0 : amount * of->part;
}

static int take_amounts(void *of, int64_t member, const struct reached *reached, int count,
                        struct error *e)
{
    const struct amounts *a = of;
    for (int i = 0; i < count; i++) a->value[member] += amount_at(a, reached[i].place);
    return 0;
}

static int add_raster(struct ask *x, const char *path, const char *library, double *value,
                      struct error *e)
{
    const struct sim_case *c = x->of.s.source->base;
    FREED_BY(raster_free) struct raster r = {.rows = 0};
    struct amounts of = {.x = x, .raster = &r, .value = value};
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    double all = 0;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    status = raster_check_crs(&r, path, &c->geo, e);
    if (!status) status = raster_check_values(&r, path, 0, ASSETS_AMOUNT_MAX, e);
    of.part = c->geo.cell_m * c->geo.cell_m / (r.geo.cell_m * r.geo.cell_m);
    for (int64_t i = 0; i < x->of.s.source->count; i++) value[i] = 0;
    for (size_t i = 0; i < cells && !status; i++) all += amount_at(&of, (uint32_t)i);
    if (!status && !(all > 0))
        status =
            error_input(e, "%s: has no amount above 0 on the terrain; give amounts there", path);
    if (!status)
        status =
            library_arrivals(&x->of.s, x->db, library, UINT16_MAX, x->weight, take_amounts, &of, e);
    return status ? status : add_row(x, path, "", all, value, e);
}

int ask_exposed(struct ask *x, const struct ask_options *o, struct error *e)
{
    const size_t members = (size_t)x->of.s.source->count, places = (size_t)x->of.s.assets.count;
    FREED double *value = calloc(members, sizeof *value),
                 *amount = calloc(places + 1, sizeof *amount);
    int status = value && amount ? 0 : error_memory(e);
    if (!status && places) status = add_sizes(x, amount, value, e);
    if (!status && o->exposed)
        status = access(o->exposed, F_OK) ? add_attribute(x, o->exposed, amount, value, e)
                                          : add_raster(x, o->exposed, o->library, value, e);
    x->exposed.asked = x->exposed.rows > 0;
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------- */

static void put_exposed(struct table *t, const struct product_at *at)
{
    const struct exposed *of = &((const struct ask *)at->of)->exposed;
    const double effective = statistics_effective(&((const struct ask *)at->of)->of.s.cells);
    TABLE_ROWS (*t, i, of->rows) {
        const struct exposed_sum *r = &of->row[i];
        TABLE_TEXT(t, "what", r->name);
        TABLE_TEXT(t, "unit", r->unit);
        TABLE_REAL(t, "all", "", 6, r->all);
        TABLE_REAL(t, "mean", "", 6, r->mean);
        TABLE_REAL(t, "mean_error", "", 6, r->error);
        TABLE_REAL(t, "p05", "", 6, r->p05);
        TABLE_REAL(t, "p50", "", 6, r->p50);
        TABLE_REAL(t, "p95", "", 6, r->p95);
        TABLE_REAL(t, "probability", "", 6, r->probability);
        TABLE_REAL(t, "probability_error", "", 6, statistics_error_of(r->probability, effective));
    }
}

#define COUNT(member) PRODUCT_COUNT(struct ask, exposed.member)
static const struct product rows[] = {
    {PRODUCT_TABLE, "exposed.csv", COUNT(asked), .rows = put_exposed},
};
const struct product_table ask_exposed_files = {PRODUCT_TABLE_OF(rows),
                                                .next = &ask_compared_files};
