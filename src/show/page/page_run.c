/* page_run.c — what a page shows of a run: its layers, and the earlier states. */
#include "page.h"

#include "base/order.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "record/page_parts.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines of arrival ------------------------------------------------------------------------ */

static float arrival_of(const void *raster, int row, int col)
{
    const struct raster *r = raster;
    return (float)r->value[(size_t)row * (size_t)r->cols + (size_t)col];
}

/* Adds the isochrones within the box of the reached cells. */
static int add_isochrones(struct page *p, const struct raster *arrival, struct error *e)
{
    const struct page_cells *c = &p->cells;
    const int every = c->every;
    const struct window w = window_common((struct window){c->box.row0 * every, c->box.col0 * every,
                                                          c->box.rows * every, c->box.cols * every},
                                          (struct window){0, 0, p->rows, p->cols});
    cJSON *list = NULL;
    if (!c->count) return 0;
    const int status = page_isochrones(&list, p->rows, p->cols, &p->geo, w, arrival_of, arrival, e);
    if (list) cJSON_AddItemToObject(p->facts, "isochrones", list);
    return status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Finds the layer PREFIX of the last step, which has to be there; *path is malloc'ed. */
static int find_last(const struct page *p, const char *prefix, char **path, struct error *e)
{
    *path = runfolder_latest(&p->run, prefix, NULL);
    if (*path) return 0;
    return error_input(e,
                       "%s: has no layer %s of the last step; run the case again with --format "
                       "geotiff --layers %s",
                       p->of->folder, prefix, prefix);
}

enum { NEEDED = 3 };
static const char *const needed[NEEDED] = {"arrival_h", "max_thickness_m", "total_thickness_m"};

int page_run_check(const struct page *p, struct error *e)
{
    int status = 0;
    for (int i = 0; i < NEEDED && !status; i++) {
        FREED char *path = NULL;
        status = find_last(p, needed[i], &path, e);
    }
    return status;
}

void page_run_ahead(struct page *p, int threads)
{
    char *path[NEEDED];
    const char *name[NEEDED];
    int count = 0;
    while (count < NEEDED && (path[count] = runfolder_latest(&p->run, needed[count], NULL))) {
        name[count] = path_name(path[count]);
        count++;
    }
    if (count == NEEDED) page_read_ahead(p, name, NEEDED, threads < NEEDED ? threads : NEEDED);
    while (count > 0) free(path[--count]);
}

static int read_last(struct page *p, const char *prefix, struct raster *r, struct error *e)
{
    FREED char *path = NULL;
    *r = (struct raster){0};
    const int status = find_last(p, prefix, &path, e);
    return status ? status : page_raster(p, path_name(path), r, e);
}

/* A whole number of a summary, which another program may have written. 0: missing, or too large for a browser. */
static int64_t whole_of(const cJSON *root, const char *group, const char *name)
{
    const double x = summary_number(root, group, name);
    return x > 0 && x < 9e15 ? (int64_t)x : 0;
}

#define CELSIUS_K 273.15

/* ---- layers of the end ----------------------------------------------------------------------- */

/* Adds arrivals. If all arrivals are before step 65,534, a quantum is one step, so arrivals are exact. */
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
    if (!status) status = add_isochrones(p, &r, e);
    if (!status) page_add_layer(p, "arrival_h", "arrival", "h", "Arrival", array);
    if (p->site && p->site->caveat)
        cJSON_AddStringToObject(p->facts, "arrival_caveat", p->site->caveat);
    return status;
}

/* Adds the ground before the run. Folders of earlier versions have no record. Then the page gets the ground at the end
 * minus solidified lava. */
static int add_ground(struct page *p, struct error *e)
{
    FREED_BY(raster_free) struct raster ground = {0}, solid = {0};
    if (p->site && p->site->elevation_m) {
        const int status = page_check_site(p, e);
        return status ? status : page_add_ground(p, p->site->elevation_m, e);
    }
    int status = read_last(p, "elevation_after_m", &ground, e);
    if (!status) status = read_last(p, "solidified_m", &solid, e);
    for (size_t i = 0; !status && i < (size_t)p->rows * (size_t)p->cols; i++)
        if (!isnan(solid.value[i])) ground.value[i] -= solid.value[i];
    return status ? status : page_add_ground(p, ground.value, e);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* A quantity with layers in the folder, at one or more steps. */
struct series {
    const char *prefix, *kind, *unit, *label;
    struct pack_scale scale;
    double zero; /* subtracted from all values of the layer */
};

struct snapshot {
    int64_t step;
    const char *name;
};

/* Keeps as many snapshots as a page has room for: the last snapshot, and others at equal intervals. */
static int thin_snapshots(struct snapshot *s, int count, size_t cells)
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
    *count = thin_snapshots(*list, *count, p->cells.count);
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

/* Converts the cells of vents from the domain to the grid of the layers, which may be a part of the domain. */
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
    const double clock_s = summary_number(run, "parameters", "Pclock");
    struct pack_scale scale = {0};
    int status = add_arrival(p, e);
    if (!status) status = add_ground(p, e);
    if (!status) status = add_thickest(p, &scale, e);
    const struct series thickness = {"total_thickness_m", "thickness", "m", "Thickness", scale, 0};
    const struct series temperature = {"temperature_K", "temperature",   "\xC2\xB0\x43",
                                       "Temperature",   {-CELSIUS_K, 1}, CELSIUS_K};
    if (!status) status = add_series(p, &thickness, e);
    if (!status && runfolder_has(&p->run, temperature.prefix))
        status = add_series(p, &temperature, e);
    if (!status) status = page_add_table(p, "timeline.csv", false, e);
    if (!status && p->site) status = page_check_site(p, e);
    if (!status && p->site) page_add_places(p);
    if (!status && p->site) status = page_add_outline(p, e);
    if (status) return status;
    move_vents(p);
    cJSON *time = cJSON_AddObjectToObject(p->facts, "time");
    json_add_numbers(time, {"first_step", (double)whole_of(run, "run", "first_step")},
                     {"last_step", (double)whole_of(run, "run", "step")},
                     {"step_s", clock_s > 0 ? clock_s : 0});
    return 0;
}
