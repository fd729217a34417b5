/* drawing_of_case.c — vents, rates, barriers and places of a case as a drawing. */
#include "drawing.h"

#include "case/assets.h"
#include "case/barriers.h"
#include "case/vents.h"

#include <string.h>

/* More positions than this are not drawn: the list is null, and stays in its file. */
enum { POSITIONS_MOST = 20000 };

static void add_point(cJSON *points, double x, double y)
{
    cJSON *point = cJSON_CreateArray();
    cJSON_AddItemToArray(point, cJSON_CreateNumber(x));
    cJSON_AddItemToArray(point, cJSON_CreateNumber(y));
    cJSON_AddItemToArray(points, point);
}

static cJSON *add_entry(cJSON *list)
{
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    return entry;
}

/* ---- vents and rates ------------------------------------------------------------------------- */

static int add_vents(struct drawing_ground *g, struct error *e)
{
    const struct sim_case *c = g->c;
    const struct vent_ground ground = {c->problem.rows, c->problem.cols, &c->geo,
                                       c->problem.elevation_m, c->problem.terrain};
    struct vent_points v = {0};
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "vents"), *points = NULL;
    int status = g->files->vents ? vent_points_read(&v, g->files->vents, &ground, false, e) : 0;
    for (int i = 0; i < v.count; i++) {
        const struct vent_point *p = &v.point[i];
        if (!i || p->id != p[-1].id || p->part != p[-1].part) {
            cJSON *entry = add_entry(list);
            cJSON_AddNumberToObject(entry, "id", p->id);
            points = cJSON_AddArrayToObject(entry, "points");
        }
        add_point(points, c->geo.west_m + p->at.right * c->geo.cell_m,
                  c->geo.south_m + p->at.up * c->geo.cell_m);
    }
    if (v.count > POSITIONS_MOST)
        cJSON_ReplaceItemInObject(g->drawing, "vents", cJSON_CreateNull());
    vent_points_free(&v);
    return status;
}

/* Stairs: a rate lasts until the next point, and the last one ends. */
static int add_rates(struct drawing_ground *g, struct error *e)
{
    const double hour_s = 3600;
    struct rate_lists r = {0};
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "rates");
    const char *path = g->rates ? g->rates : g->files->rates;
    int status = path ? rates_read(&r, path, g->settings->params.clock_s, g->c->start_time, e) : 0;
    for (int i = 0; i < r.count; i++) {
        const struct rate_list *of = &r.list[i];
        cJSON *entry = add_entry(list);
        cJSON_AddNumberToObject(entry, "vent", of->id);
        cJSON *points = cJSON_AddArrayToObject(entry, "points");
        for (int k = 0; k < of->count; k++) {
            const struct rate *now = &of->rate[k];
            add_point(points, now->from_s / hour_s, now->rate_m3_s);
            if (k + 1 == of->count || now[1].from_s > now->to_s)
                add_point(points, now->to_s / hour_s, 0);
        }
    }
    rates_free(&r);
    return status;
}

/* ---- barriers and places --------------------------------------------------------------------- */

static void add_part(cJSON *entry, const double (*xy)[2], int count, bool closed)
{
    cJSON *points = cJSON_AddArrayToObject(entry, "points");
    for (int i = 0; i < count - closed; i++) add_point(points, xy[i][0], xy[i][1]);
}

static void add_barriers(struct drawing_ground *g)
{
    const struct barriers *b = g->c->barriers;
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "barriers");
    for (int i = 0; b && i < b->count; i++) {
        const struct barrier *x = &b->item[i];
        const struct vector_feature *f = &b->from.feature[x->feature];
        for (int k = f->first; k < f->first + f->count; k++) {
            const struct vector_part *p = &b->from.part[k];
            cJSON *entry = add_entry(list);
            cJSON_AddStringToObject(entry, "kind", x->form == BARRIER_DEPTH ? "channel" : "wall");
            cJSON_AddStringToObject(entry, "name", x->name);
            if (f->kind == VECTOR_AREA) cJSON_AddTrueToObject(entry, "area");
            add_part(entry, (const double(*)[2])b->from.xy + p->first, p->count,
                     f->kind == VECTOR_AREA);
            cJSON_AddNumberToObject(entry, barrier_forms[x->form], x->value_m);
            if (x->width_m > 0) cJSON_AddNumberToObject(entry, "width_m", x->width_m);
            if (x->time_s > 0) cJSON_AddNumberToObject(entry, "from_h", x->time_s / 3600);
        }
    }
    if (b && b->from.positions > POSITIONS_MOST)
        cJSON_ReplaceItemInObject(g->drawing, "barriers", cJSON_CreateNull());
}

static int add_places(struct drawing_ground *g, struct error *e)
{
    const struct problem *p = &g->c->problem;
    struct assets a = {0};
    int positions = 0;
    cJSON *list = cJSON_AddArrayToObject(g->drawing, "places");
    int status = g->assets ? assets_read(&a, g->assets, p->rows, p->cols, &g->c->geo, e) : 0;
    for (int i = 0; i < a.count; i++) {
        const struct asset *x = &a.asset[i];
        const double(*xy)[2] = (const double(*)[2])x->xy;
        for (int k = 0; k < x->parts; xy += x->part_size[k++]) {
            cJSON *entry = add_entry(list);
            cJSON_AddStringToObject(entry, "name", x->name);
            cJSON_AddStringToObject(entry, "kind", asset_kinds[x->kind]);
            add_part(entry, xy, x->part_size[k], x->kind == ASSET_AREA);
            positions += x->part_size[k];
        }
    }
    if (positions > POSITIONS_MOST || a.count > 2000)
        cJSON_ReplaceItemInObject(g->drawing, "places", cJSON_CreateNull());
    assets_free(&a);
    return status;
}

/* ---- keys ------------------------------------------------------------------------------------ */

bool drawing_takes_key(const struct key *k)
{
    static const char *const others[] = {"algorithm",  "parameters", "terrain_update", "max_steps",
                                         "first_step", "crs",        "title"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(k->name, others[i])) return false;
    return k->type != KEY_FILE;
}

static void add_keys(struct drawing_ground *g)
{
    const struct keyvalues *lines = &g->settings->lines;
    cJSON *keys = cJSON_AddObjectToObject(g->drawing, "keys");
    struct key k;
    for (int i = 0; i < lines->count; i++)
        if (schema_find(&case_schema, lines->item[i].key, &k) && drawing_takes_key(&k))
            cJSON_AddStringToObject(keys, k.name, lines->item[i].value);
}

/* ---- all ------------------------------------------------------------------------------------- */

int drawing_of_case(struct drawing_ground *g, struct error *e)
{
    const struct settings *s = g->settings;
    if (!(g->drawing = cJSON_CreateObject())) return error_memory(e);
    int status = add_vents(g, e);
    if (!status) status = add_rates(g, e);
    if (!status) add_barriers(g);
    if (!status) status = add_places(g, e);
    if (status) return status;
    cJSON_AddItemToObject(g->drawing, "parameters",
                          s->parameter_set ? cJSON_CreateString(s->parameter_set)
                                           : cJSON_CreateNull());
    cJSON_AddItemToObject(g->drawing, "hours",
                          s->max_steps
                              ? cJSON_CreateNumber((double)s->max_steps * s->params.clock_s / 3600)
                              : cJSON_CreateNull());
    add_keys(g);
    if (!cJSON_AddStringToObject(g->drawing, "title", g->c->title)) return error_memory(e);
    return 0;
}
