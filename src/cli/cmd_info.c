/* cmd_info.c — `sciara info FILE...`: what a case, a raster or the folder of a run contains. What
 * is found becomes a JSON tree; without --json the tree is printed as indented text. */
#include "cli.h"
#include "options.h"

#include "case/case.h"
#include "output/output_parts.h"
#include "raster/raster.h"
#include "compare/runfolder.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct option_words files;
    bool json;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    {.name = "FILE",
     .set = option_words,
     .at = AT(files),
     .repeated = true,
     .completes = COMPLETE_FILE,
     .help = "a case file (.cfg), a raster (GeoTIFF, Arc/Info ASCII) or the folder of a run"},
    {0},
};
static const struct option options[] = {
    {.name = "--json", .at = AT(json), .help = "print JSON: an object, or a list of several"},
    {0},
};

const struct command command_info = {
    .name = "info",
    .summary = "what a case, a raster or the folder of a run contains",
    .about = "Says what each FILE holds: grid, coordinate reference system, range of values, "
             "parameters, vents, volume, terrain.",
    .operands = operands,
    .options = options,
    .missing = "name a case, a raster or the folder of a run",
    .exits = command_exits,
    .run = cmd_info,
};

/* ---- parts that several kinds share ------------------------------------------------------ */

static void add_grid(cJSON *o, int rows, int cols, const struct georef *geo)
{
    char code[24];
    cJSON_AddNumberToObject(o, "rows", rows);
    cJSON_AddNumberToObject(o, "cols", cols);
    cJSON_AddNumberToObject(o, "cell_m", geo->cell_m);
    cJSON_AddNumberToObject(o, "west_m", geo->west_m);
    cJSON_AddNumberToObject(o, "south_m", geo->south_m);
    cJSON_AddNumberToObject(o, "east_m", geo->west_m + cols * geo->cell_m);
    cJSON_AddNumberToObject(o, "north_m", geo->south_m + rows * geo->cell_m);
    snprintf(code, sizeof code, "EPSG:%d", geo->crs.epsg);
    if (geo->crs.epsg) cJSON_AddStringToObject(o, "crs", code);
    else if (geo->crs.key_count) cJSON_AddStringToObject(o, "crs", "user-defined");
    else cJSON_AddNullToObject(o, "crs");
    if (*geo->crs.name) cJSON_AddStringToObject(o, "crs_name", geo->crs.name);
    if (geo->crs.geographic) cJSON_AddBoolToObject(o, "geographic", true);
}

static void add_range(cJSON *parent, const char *name, const double *value, size_t n)
{
    double low = INFINITY, high = -INFINITY, sum = 0;
    size_t count = 0, positive = 0;
    if (!value) return;
    for (size_t i = 0; i < n; i++) {
        if (isnan(value[i])) continue;
        count++;
        positive += value[i] > 0;
        sum += value[i];
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    cJSON_AddNumberToObject(o, "cells_with_data", (double)count);
    cJSON_AddNumberToObject(o, "cells_without_data", (double)(n - count));
    cJSON_AddNumberToObject(o, "cells_above_0", (double)positive);
    if (count == 0) return;
    cJSON_AddNumberToObject(o, "least", low);
    cJSON_AddNumberToObject(o, "greatest", high);
    cJSON_AddNumberToObject(o, "mean", sum / (double)count);
    cJSON_AddNumberToObject(o, "sum", sum);
}

/* ---- the kinds --------------------------------------------------------------------------- */

static int describe_raster(cJSON *o, const char *path, struct error *e)
{
    struct raster r;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    cJSON_AddStringToObject(o, "kind", "raster");
    add_grid(o, r.rows, r.cols, &r.geo);
    cJSON_AddNumberToObject(o, "nodata", r.nodata);
    if (*r.terrain_source) cJSON_AddStringToObject(o, "terrain", r.terrain_source);
    add_range(o, "values", r.value, (size_t)r.rows * (size_t)r.cols);
    raster_free(&r);
    return 0;
}

/* What the table of a vent adds up to; the last amount lasts for ever. */
static double volume_m3(const struct vent *v, double cell_m)
{
    double m = 0;
    for (int i = 0; i + 1 < v->interval_count; i++) {
        const int64_t first = v->first_step[i] > 1 ? v->first_step[i] : 1;
        m += v->amount_m[i] * (double)(v->first_step[i + 1] - first);
    }
    if (v->interval_count && v->amount_m[v->interval_count - 1] > 0) return INFINITY;
    return m * cell_m * cell_m;
}

static void add_vents(cJSON *parent, const struct sim_case *c)
{
    const double cell = c->geo.cell_m, north = c->geo.south_m + c->problem.rows * cell;
    double total = 0;
    cJSON *list = cJSON_AddArrayToObject(parent, "vents");
    for (int v = 0; v < c->problem.vent_count; v++) {
        const struct vent *vent = &c->problem.vents[v];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddNumberToObject(o, "id", vent->id);
        cJSON_AddNumberToObject(o, "row", vent->row);
        cJSON_AddNumberToObject(o, "col", vent->col);
        cJSON_AddNumberToObject(o, "x_m", c->geo.west_m + (vent->col + 0.5) * cell);
        cJSON_AddNumberToObject(o, "y_m", north - (vent->row + 0.5) * cell);
        cJSON_AddNumberToObject(o, "volume_m3", volume_m3(vent, cell));
        total += volume_m3(vent, cell);
    }
    cJSON_AddNumberToObject(parent, "volume_m3", total); /* null: it never ends */
    cJSON_AddNumberToObject(parent, "last_vent_step", (double)c->problem.last_vent_step);
}

static int describe_case(cJSON *o, const char *path, struct error *e)
{
    struct sim_case c;
    int status = case_load(&c, path, e);
    if (status) return status;
    const struct problem *p = &c.problem;
    const size_t n = (size_t)p->rows * (size_t)p->cols;
    cJSON_AddStringToObject(o, "kind", c.original ? "original case" : "case");
    cJSON_AddStringToObject(o, "name", c.name);
    cJSON_AddStringToObject(o, "terrain", c.terrain_source);
    cJSON_AddBoolToObject(o, "synthetic_terrain", c.synthetic);
    if (*c.start_time) cJSON_AddStringToObject(o, "start_time", c.start_time);
    if (c.outline_path) cJSON_AddStringToObject(o, "outline", c.outline_path);
    add_grid(o, p->rows, p->cols, &c.geo);
    add_range(o, "elevation_m", c.elevation_m, n);
    add_range(o, "thickness_m", c.thickness_m, n);
    add_range(o, "temperature_K", c.temp_K, n);
    add_range(o, "solidified_m", c.solid_m, n);
    output_parameters(o, &p->params);
    add_vents(o, &c);
    cJSON_AddNumberToObject(o, "first_step", (double)p->first_step);
    cJSON_AddNumberToObject(o, "max_steps", (double)c.max_steps);
    cJSON_AddNumberToObject(o, "snapshot_every", (double)c.snapshot_every);
    cJSON_AddNumberToObject(o, "reduce_every", (double)p->reduce_every);
    cJSON_AddBoolToObject(o, "stop_when_still", p->stop_when_still);
    cJSON_AddNumberToObject(o, "stop_mobile_m", p->stop_mobile_m);
    case_free(&c);
    return 0;
}

static int describe_run(cJSON *o, const char *path, struct error *e)
{
    struct runfolder r;
    int status = runfolder_open(&r, path, e);
    if (status) return status;
    cJSON_AddStringToObject(o, "kind", "run");
    if (r.summary) cJSON_AddItemToObject(o, "summary", cJSON_Duplicate(r.summary, 1));
    else cJSON_AddNullToObject(o, "summary");
    cJSON *list = cJSON_AddArrayToObject(o, "rasters");
    for (int i = 0; i < r.count; i++) cJSON_AddItemToArray(list, cJSON_CreateString(r.name[i]));
    runfolder_close(&r);
    return 0;
}

static int describe(cJSON *o, const char *path, struct error *e)
{
    const char *dot = strrchr(path, '.');
    cJSON_AddStringToObject(o, "path", path);
    if (runfolder_is(path)) return describe_run(o, path, e);
    if (dot && strcmp(dot, ".cfg") == 0) return describe_case(o, path, e);
    return describe_raster(o, path, e);
}

/* ---- text -------------------------------------------------------------------------------- */

static void print_scalar(const cJSON *value)
{
    if (cJSON_IsString(value)) fputs(value->valuestring, stdout);
    else if (cJSON_IsBool(value)) fputs(cJSON_IsTrue(value) ? "yes" : "no", stdout);
    else if (cJSON_IsNumber(value) && isfinite(value->valuedouble))
        printf("%.12g", value->valuedouble);
    else fputs("none", stdout);
}

/* `key   value`, groups indented, the objects of a list on a line each. The depth of a tree from a
 * file is limited by the parser. */
static void print_tree(const cJSON *parent, int indent)
{
    const cJSON *item, *part;
    cJSON_ArrayForEach(item, parent)
    {
        const char *key = item->string ? item->string : "-";
        printf("%*s%-*s ", indent, "", 22 - indent, key);
        if (cJSON_IsObject(item) && cJSON_IsArray(parent)) {
            cJSON_ArrayForEach(part, item)
            {
                printf("%s ", part->string);
                print_scalar(part);
                fputs(part->next ? ", " : "\n", stdout);
            }
        } else if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
            putchar('\n');
            print_tree(item, indent < 20 ? indent + 2 : indent);
        } else {
            print_scalar(item);
            putchar('\n');
        }
    }
}

static int print(const cJSON *all, bool json, struct error *e)
{
    const cJSON *item;
    if (json) return cli_print_json(cJSON_GetArraySize(all) == 1 ? all->child : all, e);
    cJSON_ArrayForEach(item, all)
    {
        print_tree(item, 0);
        if (item->next) putchar('\n');
    }
    return 0;
}

static int describe_all(const struct request *q, struct error *e)
{
    int status = 0;
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < q->files.count && !status; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(all, o);
        status = describe(o, q->files.word[i], e);
    }
    if (!status) status = print(all, q->json, e);
    cJSON_Delete(all);
    return status;
}

int cmd_info(int argc, char **argv)
{
    struct request q = {0};
    struct error e = {0};
    int status = options_parse(&command_info, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = describe_all(&q, &e);
    return status ? cli_fail(&e) : 0;
}
