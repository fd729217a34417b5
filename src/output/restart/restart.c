/* restart.c — the file of a state, written and read, and the states of a folder. */
#include "restart.h"

#include "case/case_cut.h"
#include "raster/geotiff_stack.h"
#include "raster/tiff_io.h"
#include "text/textfile.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = 7, ELEVATION = 0, TEMPERATURE = 2, ARRIVAL = 6 };

static const struct geotiff_band bands[BANDS] = {
    {"elevation of the ground with what has solidified", "m"},
    {"mobile lava thickness", "m"},
    {"lava temperature", "K"},
    {"solidified lava thickness", "m"},
    {"largest total lava thickness so far", "m"},
    {"largest lava temperature so far", "K"},
    {"step of first arrival of lava", "step"},
};

static double *band_of(const struct fields *f, int band)
{
    double *const array[ARRIVAL] = {f->elevation_m, f->thickness_m,     f->temp_K,
                                    f->solid_m,     f->max_thickness_m, f->max_temp_K};
    return array[band];
}

/* ---- writing --------------------------------------------------------------------------------- */

struct writing {
    const struct fields *f;
    const struct problem *p;
};

/* Of a cell that the state lacks: lava never came there, so that it is as at the beginning. */
static double given(const struct problem *p, int band, const struct window *w, int row, int col)
{
    const size_t i = (size_t)(w->row0 + row) * (size_t)p->cols + (size_t)(w->col0 + col);
    if (band == ELEVATION) return p->elevation_m[i];
    if (band == TEMPERATURE && p->temp_K) return p->temp_K[i];
    return band == ARRIVAL ? (double)NAN : 0;
}

static void read_cells(const void *context, int band, int row, int col, int count, double *out)
{
    const struct writing *w = context;
    const struct fields *f = w->f;
    const size_t first = (size_t)row * (size_t)f->window.cols + (size_t)col;
    for (size_t i = 0; i < (size_t)count; i++) {
        if (!fields_has(f, row, col + (int)i))
            out[i] = given(w->p, band, &f->window, row, col + (int)i);
        else if (band < ARRIVAL) out[i] = band_of(f, band)[first + i];
        else if (f->arrival[first + i] == ARRIVAL_NEVER) out[i] = (double)NAN;
        else out[i] = f->arrival[first + i];
        if (isnan(out[i])) out[i] = (double)NAN; /* of one kind */
    }
}

static int write_file(const char *path, const struct restart *r, const struct sim_case *c,
                      const struct fields *f, const char *about, struct error *e)
{
    char step[24], time_s[32], digest[20], software[80];
    snprintf(step, sizeof step, "%lld", (long long)r->step);
    snprintf(time_s, sizeof time_s, "%.15g", r->time_s);
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    snprintf(software, sizeof software, "sciara %s", r->version);
    const struct geotiff_item items[] = {{"CASE", r->name},        {"STEP", step},
                                         {"TIME_S", time_s},       {"VARIANT", r->variant},
                                         {"STATE_DIGEST", digest}, {"TERRAIN", c->terrain_source},
                                         {"SOFTWARE", software}};
    const struct geotiff_stack stack = {.rows = f->window.rows,
                                        .cols = f->window.cols,
                                        .band_count = BANDS,
                                        .geo = case_georef(c, &f->window),
                                        .band = bands,
                                        .about = about,
                                        .item_count = (int)(sizeof items / sizeof *items),
                                        .items = items,
                                        .cells = read_cells,
                                        .context = &(struct writing){f, &c->problem}};
    return geotiff_stack_write(path, &stack, e);
}

int restart_write(const char *path, struct restart *r, const struct sim_case *c,
                  const struct fields *f, struct error *e)
{
    int status = identity_of(&r->identity, c, f->window, e);
    if (status) return status;
    r->step = f->step;
    r->time_s = (double)f->step * c->problem.params.clock_s;
    r->stopped = fields_stopped(f, &c->problem);
    r->digest = fields_digest(f, c->problem.rows, c->problem.cols);
    char *about = restart_text(r, f);
    if (!about) return error_memory(e);
    status = write_file(path, r, c, f, about, e);
    free(about);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int damaged(const char *path, const char *what, struct error *e)
{
    return error_input(e, "%s: is damaged: %s; use an earlier state", path, what);
}

/* A band of doubles into the steps of arrival, through the temporary array. */
static bool set_arrival(int32_t *arrival, const double *value, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        if (isnan(value[i])) arrival[i] = ARRIVAL_NEVER;
        else if (value[i] >= 0 && value[i] < ARRIVAL_NEVER && value[i] == floor(value[i]))
            arrival[i] = (int32_t)value[i];
        else good = false;
    }
    return good;
}

static int read_bands(struct fields *f, const struct geotiff_stack_head *h, const char *path,
                      struct error *e)
{
    const size_t n = (size_t)h->rows * (size_t)h->cols;
    int status = 0;
    for (int band = 0; !status && band < ARRIVAL; band++)
        status = geotiff_stack_read(h, band, band_of(f, band), e);
    if (status) return status;
    double *value = malloc(n * sizeof *value);
    if (!value) return error_memory(e);
    status = geotiff_stack_read(h, ARRIVAL, value, e);
    if (!status && !set_arrival(f->arrival, value, n))
        status = damaged(path, "an arrival is not the number of a step", e);
    free(value);
    return status;
}

/* An old state has a digest of all cells, also of those without lava; the seal of the file vouches
 * for its arrays (raster/geotiff_stack.h). */
static int check_digest(struct restart *r, const struct fields *f, const char *path,
                        struct error *e)
{
    const uint64_t digest = fields_digest(f, r->identity.rows, r->identity.cols);
    if (!r->old && digest != r->digest)
        return damaged(path, "the digest of its arrays is not the stated one", e);
    r->digest = digest;
    return 0;
}

static int read_fields(struct fields *f, struct restart *r, const struct fields *sums,
                       const struct geotiff_stack_head *h, const char *path, struct error *e)
{
    int status = fields_create(f, r->identity.window, e);
    if (status) return status;
    f->step = r->step;
    f->emitted = sums->emitted;
    f->left_domain = sums->left_domain;
    f->entered_sea = sums->entered_sea;
    f->ground = sums->ground;
    f->heat = sums->heat;
    status = read_bands(f, h, path, e);
    if (!status) status = check_digest(r, f, path, e);
    if (status) fields_free(f);
    return status;
}

static bool is_whole(const struct restart *r, const struct geotiff_stack_head *h)
{
    const struct identity *id = &r->identity;
    const struct window *w = &id->window;
    return h->band_count == BANDS && h->rows == w->rows && h->cols == w->cols && w->row0 >= 0 &&
           w->col0 >= 0 && w->rows <= id->rows && w->row0 <= id->rows - w->rows &&
           w->cols <= id->cols && w->col0 <= id->cols - w->cols;
}

int restart_read(struct restart *r, struct fields *f, const char *path, struct error *e)
{
    struct geotiff_stack_head h;
    struct fields sums;
    *r = (struct restart){0};
    int status = geotiff_stack_open(&h, path, e);
    if (status) return status;
    if (!restart_from_text(r, &sums, h.about) || !is_whole(r, &h))
        status = error_input(
            e, "%s: was written by another version of sciara and cannot be read; use that version",
            path);
    if (!status && f) status = read_fields(f, r, &sums, &h, path, e);
    if (status) restart_free(r);
    geotiff_stack_close(&h);
    return status;
}

int restart_fits(const struct restart *r, const struct identity *now, enum restart_change change,
                 const char *path, struct error *e)
{
    static const char *const remedy[] = {
        [IDENTITY_OTHER] = "resume with the case that wrote it",
        [IDENTITY_SAME_TERRAIN] = "resume with the case that wrote it, or set 'changed'",
        [IDENTITY_OTHER_TERRAIN] = ("resume with the case that wrote it, or set 'changed' and "
                                    "'new_terrain' (with_lava or without_lava)")};
    char text[IDENTITY_TEXT];
    const enum identity_fits fits = identity_differ(&r->identity, now, text);
    if (!*text || (fits == IDENTITY_SAME_TERRAIN && change >= RESTART_CHANGED) ||
        (fits == IDENTITY_OTHER_TERRAIN && change == RESTART_OTHER_TERRAIN))
        return 0;
    return error_input(e, "%s: is a state of another case, which differs in %s; %s", path, text,
                       remedy[fits]);
}

/* ---- folders --------------------------------------------------------------------------------- */

#define PREFIX "state_"

char *restart_path(const char *folder, int64_t step)
{
    return text_format("%s/" PREFIX "%06lld.tif", folder, (long long)step);
}

bool restart_is_name(const char *name, int64_t *step)
{
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) return false;
    const char *digits = name + strlen(PREFIX);
    const size_t count = strspn(digits, "0123456789");
    if (count < 6 || count > 18 || strcmp(digits + count, ".tif") != 0) return false;
    if (step) *step = strtoll(digits, NULL, 10);
    return true;
}

/* Into its place among the latest. */
static int insert(int64_t *step, int count, int room, int64_t one)
{
    int at = count;
    while (at > 0 && step[at - 1] < one) at--;
    if (at == room) return count;
    if (count == room) count--;
    memmove(step + at + 1, step + at, (size_t)(count - at) * sizeof *step);
    step[at] = one;
    return count + 1;
}

int restart_list(const char *folder, int64_t *step, int room)
{
    DIR *d = opendir(folder);
    int count = 0;
    int64_t one;
    if (!d) return 0;
    for (struct dirent *entry; (entry = readdir(d));)
        if (restart_is_name(entry->d_name, &one)) count = insert(step, count, room, one);
    closedir(d);
    return count;
}

bool restart_is(const char *path)
{
    static const char begin[] = "{\"" RESTART_KEY "\":";
    struct tiff_log log;
    char *about = NULL;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return false;
    const bool found = TIFFGetField(tif, TIFFTAG_IMAGEDESCRIPTION, &about) &&
                       strncmp(about, begin, strlen(begin)) == 0;
    TIFFClose(tif);
    return found;
}
