/* fit_flow.c — the lava of a run or a raster, and the observed flow on its grid. */
#include "fit.h"

#include "case/case_background.h"
#include "compare/outline.h"
#include "raster/raster.h"
#include "record/json_number.h"
#include "record/painters.h"
#include "record/report_page.h"
#include "text/warnings.h"
#include "run/output.h"
#include "text/number.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/words.h"
#include "verify/domain.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fit_flow_free(struct fit_flow *s)
{
    runfolder_close(&s->folder);
    record_release(&s->page);
    record_close(s->record);
    case_free(&s->c);
    raster_free(&s->thickness);
    raster_free(&s->terrain);
    FREE_ALL(s->vents, s->mark, s->observed);
}

/* Reads from a summary: the sources of terrain and lava, and the time of the state. */
static void read_about(struct fit_flow *s, const cJSON *all)
{
    const char *terrain = summary_text(all, "case", "terrain");
    const double step = summary_number(all, "run", "step");
    const double time_s = summary_number(all, "run", "time_s");
    char since[64], date[TIMES_TEXT] = "";
    int64_t unix_s;
    s->stamp = summary_text(all, "case", "note");
    snprintf(s->source, sizeof s->source, "%s%slava by sciara %s, %s", terrain,
             *terrain ? "; " : "", summary_text(all, NULL, "version"),
             summary_text(all, "run", "variant"));
    if (!(step >= 0 && time_s >= 0)) return;
    output_duration_pack(since, sizeof since, time_s);
    if (times_date_scan(summary_text(all, "run", "date"), &unix_s))
        times_date_text(date, unix_s, TIMES_SAID);
    snprintf(s->when, sizeof s->when, "%s%s%s since start, step %.0f: ", date, *date ? ", " : "",
             WORDS_ENGLISH(since), step);
}

static bool make_vents(struct fit_flow *s, int count)
{
    free(s->vents);
    free(s->mark);
    s->vents = calloc((size_t)count + 1, sizeof *s->vents);
    s->mark = calloc((size_t)count + 1, sizeof *s->mark);
    return s->vents && s->mark;
}

static void take_digest(struct fit_flow *s, const cJSON *summary)
{
    snprintf(s->of, sizeof s->of, "%s", summary_text(summary, NULL, "digest"));
}

/* Reads vents, title, and the lava that left the domain from the summary of a run. The summary may lack any of
 * these. */
static int read_summary(struct fit_flow *s, struct error *e)
{
    const cJSON *all = s->folder.summary, *vent,
                *list = cJSON_GetObjectItemCaseSensitive(all, "vents");
    const char *title = summary_text(all, "case", "title");
    const char *name = summary_text(all, "case", "name");
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    s->left_m3 = summary_number(all, "lava", "left_domain_m3");
    s->left_share = summary_number(all, "lava", "left_domain_share");
    s->synthetic = cJSON_IsTrue(summary_item(all, "case", "synthetic_terrain"));
    s->title = *title ? title : *name ? name : s->folder.path;
    s->outline = summary_text(all, "case", "outline");
    take_digest(s, all);
    read_about(s, all);
    if (!make_vents(s, count)) return error_memory(e);
    cJSON_ArrayForEach (vent, list) {
        const cJSON *row = cJSON_GetObjectItemCaseSensitive(vent, "row");
        const cJSON *col = cJSON_GetObjectItemCaseSensitive(vent, "col");
        if (!cJSON_IsNumber(row) || !cJSON_IsNumber(col) || s->vent_count == count) continue;
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(vent, "id");
        if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vent, "spread")))
            s->mark[s->vent_count] = map_mark(cJSON_IsNumber(id) ? abs(id->valueint) : 0);
        s->vents[s->vent_count++] = (struct fit_cell){row->valueint, col->valueint};
    }
    return 0;
}

/* Reads the report's scene from the run's record. If the run has no record, the map of the fit has no background. */
static int read_page(struct fit_flow *s, struct error *e)
{
    FREED char *path = text_format("%s/" RECORD_FILE, s->run);
    if (!path || access(path, F_OK)) return path ? 0 : error_memory(e);
    int status = record_open(&s->record, path, e);
    for (int i = 0; !status && i < record_count(s->record) && !s->page.scene.of; i++)
        if (!strcmp(record_name(s->record, i), REPORT_NAME))
            status = record_scene(&s->page, s->record, i, e);
    return status;
}

static const struct report_page *page_of(const struct fit_flow *s)
{
    return s->page.scene.kind == SCENE_REPORT ? s->page.scene.of : NULL;
}

/* If the record is on the grid of the layers, copies its terrain: the terrain at the beginning of the run. */
static int take_ground(struct fit_flow *s, struct error *e)
{
    const struct report_page *page = page_of(s);
    const size_t cells = (size_t)s->thickness.rows * (size_t)s->thickness.cols;
    if (!page || !page->elevation_m || page->rows != s->thickness.rows ||
        page->cols != s->thickness.cols)
        return 0;
    s->terrain = (struct raster){.rows = page->rows,
                                 .cols = page->cols,
                                 .value = malloc(cells * sizeof(double)),
                                 .geo = s->thickness.geo};
    if (!s->terrain.value) return error_memory(e);
    memcpy(s->terrain.value, page->elevation_m, cells * sizeof(double));
    return 0;
}

static int read_folder(struct fit_flow *s, const struct sciara_fit_options *q, struct error *e)
{
    const struct runfolder *r = &s->folder;
    int status = runfolder_open(&s->folder, s->run, true, e);
    if (status) return status;
    s->domain = runfolder_domain(r->summary);
    FREED char *lava = runfolder_latest(r, "total_thickness_m", NULL);
    FREED char *ground = runfolder_latest(r, "elevation_after_m", NULL);
    status = lava ? raster_read(&s->thickness, lava, 0, e)
                  : error_input(e,
                                "%s: has no layer total_thickness_m_*.tif of the last step; run "
                                "the case with the format geotiff",
                                s->run);
    const bool given = q->dem || q->case_path;
    if (!status && read_page(s, e) && !given && !ground) status = (int)e->code;
    if (!status && !given)
        status = ground ? raster_read(&s->terrain, ground, 0, e) : take_ground(s, e);
    if (!status) status = read_summary(s, e);
    return status;
}

/* Reads the vents of a case. Reads its terrain, too, unless --dem gives one. */
static int read_case(struct fit_flow *s, const struct sciara_fit_options *q, struct error *e)
{
    struct sim_case *c = &s->c;
    const struct problem *p = &c->problem;
    int status = case_load(c, q->case_path, e);
    if (status) return status;
    if (!make_vents(s, p->vent_count)) return error_memory(e);
    s->vent_count = p->vent_count;
    for (int v = 0; v < s->vent_count; v++) {
        s->vents[v] = (struct fit_cell){p->vents[v].row, p->vents[v].col};
        s->mark[v] = c->vent_spread[v] ? 0 : map_mark(p->vents[v].id);
    }
    if (!q->dem && !c->tiles) { /* moves the terrain from the case to *s */
        s->terrain = (struct raster){
            .rows = p->rows, .cols = p->cols, .value = c->elevation_m, .geo = c->geo};
        c->elevation_m = NULL;
    }
    s->synthetic = c->synthetic;
    s->title = *c->title ? c->title : c->name;
    s->stamp = c->display.note;
    s->outline = c->outline_path;
    return 0;
}

/* For a layer in the folder of a run: takes the digest of the run from the folder's summary, for the map. */
static void find_run(struct fit_flow *s)
{
    FREED_BY(json_free_at) cJSON *summary = NULL;
    FREED char *folder = path_beside(s->run, ".");
    if (!folder || runfolder_summary(&summary, folder, NULL)) return;
    struct runfiles list = runfiles_of(summary);
    const cJSON *entry = runfiles_find(&list, path_name(s->run));
    if (entry && runfiles_same(entry, s->run)) take_digest(s, summary);
    runfiles_free(&list);
}

int fit_read_heights(struct raster *r, const char *path, struct error *e)
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

int fit_grid(struct raster *grid, const struct raster *layer, struct raster domain,
             const char *outline, const char *within, struct error *e)
{
    struct raster part = {.geo = layer->geo};
    double margin_m = DOMAIN_MARGIN_M;
    bool good;
    struct window w;
    int row0, col0;
    *grid = (struct raster){0};
    if (!raster_offset(&domain, layer, &row0, &col0) || row0 < 0 || col0 < 0 ||
        row0 + layer->rows > domain.rows || col0 + layer->cols > domain.cols ||
        (layer->rows == domain.rows && layer->cols == domain.cols))
        return 0;
    domain.geo.crs = layer->geo.crs;
    int status = outline_window(&w, outline, domain.rows, domain.cols, &domain.geo, e);
    if (status) return status;
    if (within && !domain_is_distance(within, &margin_m, &good))
        w = (struct window){0, 0, domain.rows, domain.cols};
    else w = domain_around(w, margin_m / domain.geo.cell_m, domain.rows, domain.cols);
    part.rows = w.rows;
    part.cols = w.cols;
    part.geo.west_m = domain.geo.west_m + w.col0 * domain.geo.cell_m;
    part.geo.south_m = domain.geo.south_m + (domain.rows - w.row0 - w.rows) * domain.geo.cell_m;
    *grid = raster_join(layer, &part, false);
    return 0;
}

/* Extends the rasters to the grid of fit_grid(), and counts the rows and columns of the vents from the corner of this
 * grid. */
static int extend_grid(struct fit_flow *s, const struct sciara_fit_options *q, struct error *e)
{
    const bool own = q->dem || q->case_path; /* there is terrain for the whole domain */
    const struct raster domain = own ? s->terrain : s->domain, layer = s->thickness;
    struct raster grid;
    int row0, col0, status = fit_grid(&grid, &layer, domain, s->outline, q->within, e);
    if (status || !grid.rows) return status;
    status = raster_move(&s->thickness, s->run, &grid, "the outline", e);
    if (!status && s->terrain.value)
        status = raster_move(&s->terrain, s->run, &grid, "the outline", e);
    if (!own && raster_offset(&grid, &layer, &row0, &col0))
        s->known = (struct window){row0, col0, layer.rows, layer.cols};
    if (!raster_offset(&domain, &grid, &row0, &col0)) row0 = col0 = 0;
    for (int v = 0; v < s->vent_count; v++) {
        s->vents[v].row -= row0;
        s->vents[v].col -= col0;
    }
    return status;
}

int fit_flow_read(struct fit_flow *s, const struct sciara_fit_options *q, struct error *e)
{
    static const double THICKNESS_MOST_M = 4000; /* a larger number means "no data" */
    s->left_m3 = s->left_share = NAN;
    const bool folder = runfolder_is(s->run);
    int status = folder ? read_folder(s, q, e) : fit_read_heights(&s->thickness, s->run, e);
    if (!status && !folder) find_run(s);
    if (!status)
        status = raster_check_values(&s->thickness, s->run, -INFINITY, THICKNESS_MOST_M, e);
    if (!status && q->case_path) status = read_case(s, q, e);
    if (!s->title) s->title = s->run;
    if (!status && q->dem) status = fit_read_heights(&s->terrain, q->dem, e);
    if (q->outline) s->outline = q->outline;
    if (!status && (!s->outline || !*s->outline))
        status = error_input(e, "fit: %s: its case has no outline; add one: sciara fit RUN OUTLINE",
                             s->run);
    if (!status) status = extend_grid(s, q, e);
    if (!status && s->terrain.value)
        status = raster_same_grid(&s->thickness, s->run, &s->terrain,
                                  q->dem         ? q->dem
                                  : q->case_path ? q->case_path
                                                 : "its terrain",
                                  e);
    if (!status)
        status = outline_read_beyond(&s->observed, &s->beyond_m2, s->outline, s->thickness.rows,
                                     s->thickness.cols, &s->thickness.geo, e);
    if (!status) apply_threshold(&s->thickness, q->threshold_m);
    return status;
}

/* ---- map ------------------------------------------------------------------------------------- */

/* Yellow, blue and orange differ in hue and lightness, so colour-blind readers can distinguish them. */
static const struct map_class classes[] = {
    {{240, 219, 96}, "hit: simulated and observed", 0},
    {{0, 74, 173}, "miss: observed only", 0},
    {{205, 78, 20}, "false alarm: simulated only", 0},
};

static void fill_classes(double *value, unsigned char *mark, const struct fit_flow *s)
{
    const size_t cols = (size_t)s->thickness.cols, n = (size_t)s->thickness.rows * cols;
    for (size_t i = 0; i < n; i++) {
        const bool lava = s->thickness.value[i] > 0, seen = s->observed[i] != 0;
        value[i] = lava && seen ? 1 : seen ? 2 : lava ? 3 : (double)NAN;
    }
    for (int v = 0; v < s->vent_count; v++) {
        const struct fit_cell *c = &s->vents[v];
        if (s->mark[v] && c->row >= 0 && c->row < s->thickness.rows && c->col >= 0 &&
            c->col < s->thickness.cols)
            mark[(size_t)c->row * cols + (size_t)c->col] = s->mark[v];
    }
}

int fit_flow_draw(const char *path, const struct fit_flow *s, const struct sciara_overlap *f,
                  const struct warnings *w, struct error *e)
{
    const size_t n = (size_t)s->thickness.rows * (size_t)s->thickness.cols;
    FREED double *value = malloc(n * sizeof *value);
    FREED double *flat = s->terrain.value ? NULL : calloc(n, sizeof *flat);
    FREED unsigned char *mark = calloc(n, 1);
    char subtitle[300], alert[600], note[700];
    const char *slash = strrchr(s->outline, '/');
    if (!value || !mark || (!s->terrain.value && !flat)) return error_memory(e);
    fill_classes(value, mark, s);
    snprintf(subtitle, sizeof subtitle,
             "%.200soverlap J = %.3f (of this run alone), sqrt(J) = %.3f, F1 = %.3f", s->when,
             f->jaccard, f->jaccard_root, f->f1);
    warnings_of_result(w, alert, sizeof alert);
    snprintf(note, sizeof note, "%.300s%sobserved outline %.200s; fit by sciara %s%s%.16s",
             s->source, *s->source ? "; " : "", slash ? slash + 1 : s->outline, sciara_version(),
             *s->of ? " to the run " : "", s->of);
    struct map m = {
        .rows = s->thickness.rows,
        .cols = s->thickness.cols,
        .geo = s->thickness.geo,
        .elevation_m = s->terrain.value ? s->terrain.value : flat,
        .value = value,
        .kind = MAP_CLASSES,
        .class_count = sizeof classes / sizeof *classes,
        .classes = classes,
        .title = s->title,
        .subtitle = subtitle,
        .alert = alert,
        .note = note,
        .of = *s->of ? s->of : NULL,
        .stamp = s->stamp,
        .outline = s->observed,
        .quantity = "simulated and observed flow",
        .unit = "",
        .warning = s->synthetic || strncmp(s->terrain.terrain_source, "SYNTHETIC", 9) == 0
                       ? "SYNTHETIC TERRAIN"
                       : NULL,
        .mark = mark,
        .background = case_background_of(&s->c),
    };
    if (!m.background && page_of(s)) m.background = page_of(s)->background;
    map_crop_content(&m);
    const struct scene scene = scene_of_map(&m);
    return scene_paint(path, &scene, e);
}
