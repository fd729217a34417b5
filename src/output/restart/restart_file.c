/* restart_file.c — the file of a state, written and read. */
#include "restart_parts.h"

#include "raster/geotiff_stack.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = 7, ARRIVAL = 6 };

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

static void give_cells(const void *context, int band, int row, int col, int count, double *out)
{
    const struct fields *f = context;
    const size_t first = (size_t)row * (size_t)f->window.cols + (size_t)col;
    if (band < ARRIVAL) {
        const double *from = band_of(f, band) + first;
        for (int i = 0; i < count; i++) out[i] = isnan(from[i]) ? (double)NAN : from[i];
    } else {
        const int32_t *from = f->arrival + first;
        for (int i = 0; i < count; i++)
            out[i] = from[i] == ARRIVAL_NEVER ? (double)NAN : (double)from[i];
    }
}

static struct georef place_of(const struct sim_case *c, const struct window *w)
{
    struct georef geo = c->geo;
    geo.west_m += w->col0 * geo.cell_m;
    geo.south_m += (c->problem.rows - w->row0 - w->rows) * geo.cell_m;
    return geo;
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
                                        .geo = place_of(c, &f->window),
                                        .band = bands,
                                        .about = about,
                                        .item_count = (int)(sizeof items / sizeof *items),
                                        .items = items,
                                        .cells = give_cells,
                                        .context = f};
    return geotiff_stack_write(path, &stack, e);
}

int restart_write(const char *path, struct restart *r, const struct sim_case *c,
                  const struct fields *f, struct error *e)
{
    r->step = f->step;
    r->time_s = (double)f->step * c->problem.params.clock_s;
    r->stopped = fields_stopped(f, &c->problem);
    r->digest = fields_digest(f);
    char *about = restart_text(r, f);
    if (!about) return error_memory(e);
    int status = write_file(path, r, c, f, about, e);
    free(about);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int damaged(const char *path, const char *what, struct error *e)
{
    return error_input(e, "%s: is damaged: %s; use the state before it", path, what);
}

/* A band of doubles into the steps of arrival, through the temporary array. */
static bool take_arrival(int32_t *arrival, const double *value, size_t n)
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
        status = geotiff_stack_read(h, path, band, band_of(f, band), e);
    if (status) return status;
    double *value = malloc(n * sizeof *value);
    if (!value) return error_memory(e);
    status = geotiff_stack_read(h, path, ARRIVAL, value, e);
    if (!status && !take_arrival(f->arrival, value, n))
        status = damaged(path, "an arrival is no step", e);
    free(value);
    return status;
}

static int read_fields(struct fields *f, const struct restart *r, const struct fields *sums,
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
    if (!status && fields_digest(f) != r->digest)
        status = damaged(path, "its numbers do not have the digest that it states", e);
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
        status = error_input(e,
                             "%s: is no state that this version of sciara can read; use the "
                             "version that wrote it",
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
        [IDENTITY_OTHER] = "run the case that it is of",
        [IDENTITY_SAME_TERRAIN] = "run the case that it is of, or say --changed",
        [IDENTITY_OTHER_TERRAIN] = ("run the case that it is of, or say --changed and, of what has "
                                    "solidified, --new-terrain with_lava or without_lava")};
    char text[IDENTITY_TEXT];
    const enum identity_fits fits = identity_differ(&r->identity, now, text);
    if (!*text || (fits == IDENTITY_SAME_TERRAIN && change >= RESTART_CHANGED) ||
        (fits == IDENTITY_OTHER_TERRAIN && change == RESTART_OTHER_TERRAIN))
        return 0;
    return error_input(e, "%s: is no state of this case, which differs in %s; %s", path, text,
                       remedy[fits]);
}
