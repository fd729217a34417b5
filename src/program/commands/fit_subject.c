/* fit_subject.c — reads what `sciara fit` compares. */
#include "fit_subject.h"

#include "case/case.h"
#include "compare/outline.h"
#include "compare/runfolder.h"
#include "run/output.h"
#include "text/number.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

void fit_subject_free(struct fit_subject *s)
{
    raster_free(&s->thickness);
    raster_free(&s->terrain);
    free(s->vents);
    free(s->observed);
    free(s->title);
    free(s->map_path);
    free(s->source);
    free(s->stamp);
    free(s->when);
}

static double number_of(const cJSON *o, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(value) ? value->valuestring : "";
}

/* Which state it is, and where it comes from. */
static int read_about(struct fit_subject *s, const struct runfolder *r, struct error *e)
{
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(r->summary, "case");
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(r->summary, "run");
    const char *date = text_of(run, "date"), *terrain = text_of(about, "terrain");
    const double step = number_of(run, "step"), time_s = number_of(run, "time_s");
    char since[64];
    s->stamp = text_format("%s", text_of(about, "note"));
    s->source = text_format("%s%slava by sciara %s, %s", terrain, *terrain ? "; " : "",
                            text_of(r->summary, "version"), text_of(run, "variant"));
    if (!s->stamp || !s->source) return error_memory(e);
    if (!(step >= 0 && time_s >= 0)) return 0;
    output_duration_text(since, sizeof since, time_s);
    s->when = text_format("%s%s%s since start, step %.0f: ", date, *date ? ", " : "", since, step);
    return s->when ? 0 : error_memory(e);
}

/* Vents, title and lava that left the domain, from the summary of a run; both may be missing. */
static int read_summary(struct fit_subject *s, const struct runfolder *r, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->summary, "vents"), *vent;
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(r->summary, "case");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(about, "title");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    const cJSON *lava = cJSON_GetObjectItemCaseSensitive(r->summary, "lava");
    s->left_m3 = number_of(lava, "left_domain_m3");
    s->left_share = number_of(lava, "left_domain_share");
    s->synthetic = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(about, "synthetic_terrain"));
    if (!cJSON_IsString(name)) name = cJSON_GetObjectItemCaseSensitive(about, "name");
    s->title = text_format("%s", cJSON_IsString(name) ? name->valuestring : r->path);
    s->vents = calloc((size_t)count + 1, sizeof *s->vents);
    if (!s->title || !s->vents) return error_memory(e);
    if (read_about(s, r, e)) return ERROR_FAILED;
    cJSON_ArrayForEach(vent, list)
    {
        const cJSON *row = cJSON_GetObjectItemCaseSensitive(vent, "row");
        const cJSON *col = cJSON_GetObjectItemCaseSensitive(vent, "col");
        if (cJSON_IsNumber(row) && cJSON_IsNumber(col) && s->vent_count < count)
            s->vents[s->vent_count++] = (struct fit_cell){row->valueint, col->valueint};
    }
    return 0;
}

static int read_folder(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    struct runfolder r;
    int status = runfolder_open(&r, q->run, e);
    if (status) return status;
    char *lava = runfolder_latest(&r, "total_thickness_m", NULL);
    char *ground = runfolder_latest(&r, "elevation_after_m", NULL);
    status = lava ? raster_read(&s->thickness, lava, 0, e)
                  : error_input(e,
                                "%s: has no layer total_thickness_m_*.tif of the last step; run "
                                "the case with --format geotiff",
                                q->run);
    if (!status && ground && !q->dem_path && !q->case_path)
        status = raster_read(&s->terrain, ground, 0, e);
    if (!status) status = read_summary(s, &r, e);
    if (!status && !q->map_path && !q->no_map && !(s->map_path = text_format("%s/fit.png", q->run)))
        status = error_memory(e);
    free(lava);
    free(ground);
    runfolder_close(&r);
    return status;
}

/* Vents and, if no --dem is given, terrain of a case. */
static int read_case(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    struct sim_case c;
    int status = case_load(&c, q->case_path, e);
    if (status) return status;
    const struct problem *p = &c.problem;
    free(s->vents);
    s->vents = calloc((size_t)p->vent_count + 1, sizeof *s->vents);
    if (!s->vents) status = error_memory(e);
    s->vent_count = status ? 0 : p->vent_count;
    for (int v = 0; v < s->vent_count; v++)
        s->vents[v] = (struct fit_cell){p->vents[v].row, p->vents[v].col};
    if (!status && !q->dem_path) { /* takes the terrain from the case */
        s->terrain =
            (struct raster){.rows = p->rows, .cols = p->cols, .value = c.elevation_m, .geo = c.geo};
        c.elevation_m = NULL;
    }
    free(s->title);
    s->title = text_format("%s", *c.title ? c.title : c.name);
    if (!s->title) status = error_memory(e);
    s->synthetic = c.synthetic;
    free(s->stamp);
    s->stamp = text_format("%s", c.map_note);
    case_free(&c);
    return status;
}

static int read_heights(struct raster *r, const char *path, struct error *e)
{
    int status = raster_read(r, path, 0, e);
    return status ? status : raster_to_metres(r, NULL, path, e);
}

static void apply_threshold(struct raster *r, double threshold_m)
{
    const double least_m = threshold_m - number_tolerance(threshold_m);
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols; i++)
        if (r->value[i] < least_m) r->value[i] = NAN;
}

int fit_subject_read(struct fit_subject *s, const struct fit_request *q, struct error *e)
{
    static const double THICKNESS_MOST_M = 4000; /* what marks no data must not be lava */
    *s = (struct fit_subject){.left_m3 = NAN, .left_share = NAN};
    int status =
        runfolder_is(q->run) ? read_folder(s, q, e) : read_heights(&s->thickness, q->run, e);
    if (!status)
        status = raster_check_values(&s->thickness, q->run, -INFINITY, THICKNESS_MOST_M, e);
    if (!status && q->case_path) status = read_case(s, q, e);
    if (!status && !s->title && !(s->title = text_format("%s", q->run))) status = error_memory(e);
    if (!status && q->dem_path) status = read_heights(&s->terrain, q->dem_path, e);
    if (!status && s->terrain.value)
        status = raster_same_grid(&s->thickness, q->run, &s->terrain,
                                  q->dem_path    ? q->dem_path
                                  : q->case_path ? q->case_path
                                                 : "its terrain",
                                  e);
    if (!status)
        status = outline_read_beyond(&s->observed, &s->beyond_m2, q->outline, s->thickness.rows,
                                     s->thickness.cols, &s->thickness.geo, e);
    if (!status) apply_threshold(&s->thickness, q->threshold_m);
    return status;
}
