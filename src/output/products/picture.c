#include "picture.h"

#include "base/file_progress.h"
#include "case/assets.h"
#include "case/barriers.h"
#include "case/case_background.h"
#include "case/case_cut.h"
#include "case/case_terrain.h"

#include "record/painters.h"
#include "record/record.h"
#include "record/shown.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A picture that is being painted. All its files are tried; the first failure counts. */
struct picture {
    const struct output_painting *to;
    /* whether the picture shows all layers; its files are then noted as soon as they are written */
    bool layers;
    bool spared; /* the file that is painted now is not an input, so it may be removed */
    int status;
    struct error why;
    double scale_denominator;
};

static int spare(void *picture, const char *path, struct error *e)
{
    struct picture *p = picture;
    const struct output_painting *to = p->to;
    p->spared = false;
    if (file_progress_cancelled(to->info->progress)) return error_cancelled(e);
    int status = output_spare(to->c, path, e);
    if (!status && to->spare) status = to->spare(to->of, path, e);
    p->spared = !status;
    return status;
}

static int take_painted(void *picture, const struct painted *now, struct error *e)
{
    struct picture *p = picture;
    struct error why = *now->why;
    int status = now->status;
    if (now->scale_denominator > 0) p->scale_denominator = now->scale_denominator;
    if (status && p->spared) unlink(now->path); /* an earlier picture's file is out of date */
    if (p->layers) status = output_done(p->to->info, now->path, status, &why);
    if (status && !p->status) {
        p->status = status;
        p->why = why;
    }
    return status == ERROR_CANCELLED ? error_cancelled(e) : 0;
}

int output_picture_describe(struct record **r, const struct output_info *info, const char *name,
                            const struct scene *s, struct error *e)
{
    return record_describe(r, info->folder ? info->folder->record : NULL, name, s, e);
}

int output_picture_paint(const struct output_painting *to, struct record *r,
                         double *scale_denominator, struct error *e)
{
    const struct output_info *info = to->info;
    struct picture p = {.to = to, .layers = record_is(r, 0, SCENE_LAYERS)};
    const struct painting all = {.record = r,
                                 .folder = info->directory,
                                 .output = info->directory,
                                 .formats =
                                     to->recorded ? 0 : info->formats & PAINTED & ~PAINTED_PAGES,
                                 .before = spare,
                                 .after = take_painted,
                                 .user = &p};
    int status = all.formats ? painters_paint(&all, e) : 0;
    if (status != ERROR_CANCELLED) { /* the record gets the picture even if no file was written */
        struct error why;
        const int kept = record_keep(r, &why);
        if (kept && !p.status) p.status = kept, p.why = why;
    }
    if (!status && p.status) {
        if (e) *e = p.why;
        status = p.status;
    }
    if (scale_denominator) *scale_denominator = p.scale_denominator;
    record_close(r);
    return status;
}

int output_picture(const struct output_painting *to, const char *name, const struct scene *s,
                   struct error *e)
{
    struct record *r;
    struct scene in = *s;
    in.language = to->info->pictures.language;
    const int status = output_picture_describe(&r, to->info, name, &in, e);
    return status ? status : output_picture_paint(to, r, NULL, e);
}

int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e)
{
    const bool missed = status;
    if (missed) status = output_missed(info, name, status, e);
    for (int i = 0; i < PAINTED_FORMATS && !status; i++) {
        const unsigned of = PAINTED_PICTURES | PAINTED_FRAMES;
        if (!(info->formats & of & painted_formats[i].format)) continue;
        FREED char *path = text_format("%s/%s%s", info->directory, name, painted_formats[i].ending);
        if (!path) status = error_memory(e);
        else if (access(path, F_OK) == 0) /* no file: the format cannot show this picture */
            status = output_done(info, path, 0, e);
    }
    return status;
}

int output_layers_paint(const struct output_painting *to, const char *name, struct layer_set *s,
                        uint64_t digest, struct error *e)
{
    const struct output_info *info = to->info;
    const struct sim_case *c = to->c;
    const struct scene scene = scene_of_layers(s);
    char software[64], of[20], terrain[TERRAIN_SOURCE];
    snprintf(software, sizeof software, "sciara %s", info->version);
    snprintf(of, sizeof of, "%016" PRIx64, digest);
    s->folder = info->directory;
    s->title = *c->title ? c->title : c->name;
    s->software = software;
    s->language = info->pictures.language;
    s->of = of;
    s->terrain = *case_terrain_pack_source(terrain, c) ? terrain : NULL;
    s->background = case_background_of(c);
    s->rows = c->problem.rows;
    s->cols = c->problem.cols;
    return output_picture(to, name, &scene, e);
}

/* ---- the record ------------------------------------------------------------------------------ */

int output_picture_record(const struct output_info *info, const struct sim_case *c, uint64_t digest,
                          struct error *e)
{
    struct record_writer *record = info->folder ? info->folder->record : NULL;
    if (record) snprintf(info->folder->digest, sizeof info->folder->digest, "%016" PRIx64, digest);
    if (!record || !record_has_pictures(record)) return 0;
    FREED char *path = output_file_path(info, c, RECORD_FILE, e);
    FREED char *software = text_format("sciara %s", info->version);
    const int status =
        path && software ? record_write(record, path, software, digest, e) : ERROR_FAILED;
    return output_done(info, path ? path : RECORD_FILE, status, e);
}

static int spare_report(void *folder, const char *path, struct error *e)
{
    return shown_spare(path, REPORT_MARK, e);
}

int output_report_check(const char *folder, struct error *e)
{
    FREED char *path = text_format("%s/" REPORT_FILE, folder);
    return path ? spare_report(NULL, path, e) : error_memory(e);
}

static int note_report(void *folder, const struct painted *now, struct error *e)
{
    FREED_BY(shown_free) struct shown s = {0};
    int status = now->status;
    if (status && e) *e = *now->why;
    if (!status) status = shown_read(&s, folder, e);
    if (!status) status = shown_add(&s, now->path, NULL, e);
    return status ? status : shown_write(&s, "", e);
}

int output_report(const char *folder, const char *version, struct error *e)
{
    struct record *record = NULL;
    FREED char *path = text_format("%s/" RECORD_FILE, folder);
    int status = path ? 0 : error_memory(e);
    if (path && access(path, F_OK) == 0) status = record_open(&record, path, e);
    const struct painting p = {.record = record,
                               .folder = folder,
                               .only = REPORT_NAME,
                               .version = version,
                               .output = folder,
                               .formats = OUTPUT_HTML,
                               .before = spare_report,
                               .after = note_report,
                               .user = (char *)(size_t)folder};
    if (!status) status = painters_paint(&p, e);
    record_close(record);
    return status;
}

int output_record_page(const struct output_info *info, const struct sim_case *c,
                       const struct assets *places, const struct report_page *page, struct error *e)
{
    struct report_page p = *page;
    const int count = places ? places->count : 0;
    FREED struct map_place *list = calloc((size_t)count + 1, sizeof *list);
    if (!info->folder || !info->folder->record) return 0;
    if (!list) return error_memory(e);
    for (int i = 0; i < count; i++)
        list[i] = map_place_of(&places->asset[i], places->asset[i].name);
    p.rows = c->problem.rows;
    p.cols = c->problem.cols;
    p.geo = c->geo;
    p.places = list;
    p.background = case_background_of(c);
    p.place_count = count;
    const struct scene scene = scene_of_report(&p);
    return record_add(info->folder->record, REPORT_NAME, &scene, e);
}

int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e)
{
    if (dpi == 0) dpi = width_in != 0 || height_in != 0 ? 300 : 200;
    if (map_paper_check(&(struct map_paper){width_in, height_in, dpi}, e)) return ERROR_INPUT;
    p->width_in = width_in;
    p->height_in = height_in;
    p->dpi = dpi;
    return 0;
}

/* ---- barriers ------------------------------------------------------------------------------------ */

/* Makes a place that borrows the positions of a feature. */
static int place_of(struct map_place *t, const struct vectors *v, const struct vector_feature *f)
{
    int *size = malloc((size_t)f->count * sizeof *size);
    if (!size) return -1;
    for (int i = 0; i < f->count; i++) size[i] = v->part[f->first + i].count;
    *t = (struct map_place){.kind = f->kind == VECTOR_AREA ? MAP_AREA : MAP_LINE,
                            .label = "",
                            .parts = f->count,
                            .part_size = size,
                            .xy = (const double(*)[2])(v->xy + v->part[f->first].first)};
    return 0;
}

int output_barriers(struct map *m, const struct sim_case *c, struct error *e)
{
    const struct barriers *b = c->barriers;
    m->barriers = NULL;
    m->barrier_count = 0;
    if (!b) return 0;
    struct map_place *list = calloc((size_t)b->count, sizeof *list);
    int done = 0;
    while (list && done < b->count &&
           !place_of(&list[done], &b->from, &b->from.feature[b->item[done].feature]))
        done++;
    m->barriers = list;
    m->barrier_count = done;
    if (list && done == b->count) return 0;
    output_barriers_free(m);
    return error_memory(e);
}

void output_barriers_free(struct map *m)
{
    for (int i = 0; i < m->barrier_count; i++) free((int *)(size_t)m->barriers[i].part_size);
    free((struct map_place *)(size_t)m->barriers);
    m->barriers = NULL;
    m->barrier_count = 0;
}

struct map_place map_place_of(const struct asset *a, const char *label)
{
    return (struct map_place){.kind = a->kind == ASSET_POINT  ? MAP_POINT
                                      : a->kind == ASSET_LINE ? MAP_LINE
                                                              : MAP_AREA,
                              .label = label,
                              .parts = a->parts,
                              .part_size = a->part_size,
                              .xy = (const double(*)[2])a->xy};
}

/* ---- the domain around a part ---------------------------------------------------------------- */

enum { AROUND_MOST = 512 };

static void sample_around(struct map_around *a, unsigned char *in_sea, const struct case_cut *part,
                          const unsigned char *reached)
{
    const struct problem *p = &part->from->problem;
    const struct window *w = &part->window;
    for (int row = 0; row < a->rows; row++)
        for (int col = 0; col < a->cols; col++) {
            const size_t i = (size_t)row * (size_t)a->cols + (size_t)col,
                         from = (size_t)row * (size_t)a->every * (size_t)p->cols +
                                (size_t)col * (size_t)a->every;
            a->elevation_m[i] = p->terrain ? (double)NAN : p->elevation_m[from];
            a->value[i] = (double)NAN;
            if (in_sea) in_sea[i] = part->from->sea[from];
        }
    for (int row = 0; row < w->rows; row++)
        for (int col = 0; col < w->cols; col++)
            if (reached[(size_t)row * (size_t)w->cols + (size_t)col])
                a->value[(size_t)((w->row0 + row) / a->every) * (size_t)a->cols +
                         (size_t)((w->col0 + col) / a->every)] = 1;
}

int output_around(struct map_around *a, const struct case_cut *part, const unsigned char *reached,
                  struct error *e)
{
    const struct problem *p = &part->from->problem;
    *a = (struct map_around){.domain_rows = p->rows,
                             .domain_cols = p->cols,
                             .row0 = part->window.row0,
                             .col0 = part->window.col0};
    if (part->whole) return 0;
    const int longest = p->rows > p->cols ? p->rows : p->cols;
    a->every = (longest + AROUND_MOST - 1) / AROUND_MOST;
    a->rows = (p->rows + a->every - 1) / a->every;
    a->cols = (p->cols + a->every - 1) / a->every;
    const size_t cells = (size_t)a->rows * (size_t)a->cols;
    a->elevation_m = malloc(cells * sizeof *a->elevation_m);
    a->value = malloc(cells * sizeof *a->value);
    unsigned char *sea = part->from->sea && !p->terrain ? malloc(cells) : NULL;
    a->sea = sea;
    if (a->elevation_m && a->value && (sea || !part->from->sea || p->terrain)) {
        sample_around(a, sea, part, reached);
        return 0;
    }
    output_around_free(a);
    return error_memory(e);
}

void output_around_free(struct map_around *a)
{
    free(a->elevation_m);
    free(a->value);
    free((unsigned char *)(size_t)a->sea);
    *a = (struct map_around){0};
}
