/* restart.c — writes and reads the file of a state, and lists the states of a folder. */
#include "restart.h"
#include "record/json_number.h"
#include "record/runfolder.h"

#include "case/case_cut.h"
#include "raster/geotiff_stack.h"
#include "raster/tiff_io.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the JSON in the file of a state --------------------------------------------------------- */

enum { RESTART_OLD = 1, RESTART_FORMAT = 2, LINKS_MAX = 1000000 };

void restart_free(struct restart *r)
{
    samples_free(&r->samples);
    RELEASE(r, r->link);
}

int restart_chain(struct restart *r, const struct restart *from, bool changed, struct error *e)
{
    const size_t count = (size_t)from->link_count;
    struct restart_link *link = malloc((count + 1) * sizeof *link);
    if (!link) return error_memory(e);
    if (count) memcpy(link, from->link, count * sizeof *link);
    link[count] = (struct restart_link){.step = from->step,
                                        .digest = from->digest,
                                        .identity = identity_digest(&from->identity),
                                        .changed = changed};
    memcpy(link[count].variant, from->variant, sizeof from->variant);
    memcpy(link[count].version, from->version, sizeof from->version);
    free(r->link);
    r->link = link;
    r->link_count = from->link_count + 1;
    samples_free(&r->samples);
    return samples_copy(&r->samples, &from->samples, e);
}

cJSON *restart_links_json(const struct restart *r)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < r->link_count; i++) {
        const struct restart_link *l = &r->link[i];
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "step", (double)l->step);
        json_add_hex(o, "digest", l->digest);
        json_add_hex(o, "case", l->identity);
        json_add_texts(o, {"variant", l->variant}, {"version", l->version});
        cJSON_AddBoolToObject(o, "changed", l->changed);
    }
    return list;
}

static bool link_from_json(struct restart_link *l, const cJSON *o)
{
    const cJSON *changed = cJSON_GetObjectItemCaseSensitive(o, "changed");
    l->changed = cJSON_IsTrue(changed);
    return cJSON_IsBool(changed) && json_whole(o, "step", &l->step) &&
           json_hex(o, "digest", &l->digest) && json_hex(o, "case", &l->identity) &&
           json_text(o, "variant", l->variant, sizeof l->variant) &&
           json_text(o, "version", l->version, sizeof l->version);
}

static bool links_from_json(struct restart *r, const cJSON *list)
{
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    const cJSON *o;
    if (count < 0 || count > LINKS_MAX) return false;
    r->link = malloc(((size_t)count + 1) * sizeof *r->link);
    if (!r->link) return false;
    cJSON_ArrayForEach (o, list) {
        if (!link_from_json(&r->link[r->link_count], o)) return false;
        r->link_count++;
    }
    return true;
}

static cJSON *samples_json(const struct samples *s)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < s->count; i++) {
        const struct sample *one = &s->item[i];
        cJSON *o = json_add_object(list);
        cJSON_AddNumberToObject(o, "step", (double)one->step);
        json_add_quanta(o, "emitted", one->emitted);
        json_add_quanta(o, "mobile", one->mobile);
        json_add_quanta(o, "solidified", one->solidified);
        json_add_quanta(o, "left_domain", one->left_domain);
        json_add_quanta(o, "entered_sea", one->entered_sea);
        json_add_numbers(o, {"thickest_m", one->thickest_m}, {"hottest_K", one->hottest_K});
    }
    return list;
}

static bool sample_from_json(struct sample *one, const cJSON *o)
{
    return json_whole(o, "step", &one->step) && json_quanta(o, "emitted", &one->emitted) &&
           json_quanta(o, "mobile", &one->mobile) &&
           json_quanta(o, "solidified", &one->solidified) &&
           json_quanta(o, "left_domain", &one->left_domain) &&
           json_quanta(o, "entered_sea", &one->entered_sea) &&
           json_real(o, "thickest_m", &one->thickest_m) &&
           json_real(o, "hottest_K", &one->hottest_K);
}

/* States of older versions have no samples. */
static bool samples_from_json(struct samples *s, const cJSON *list)
{
    const cJSON *o;
    if (!list) return true;
    if (!cJSON_IsArray(list)) return false;
    cJSON_ArrayForEach (o, list) {
        struct sample one;
        const int before = s->count;
        if (!sample_from_json(&one, o) || samples_add(s, &one, NULL) || s->count == before)
            return false;
    }
    return true;
}

cJSON *restart_json(const struct restart *r, const struct fields *f)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, RESTART_KEY, RESTART_FORMAT);
    cJSON_AddStringToObject(o, "case", r->name);
    json_add_numbers(o, {"step", r->step}, {"time_s", r->time_s});
    cJSON_AddBoolToObject(o, "stopped", r->stopped);
    json_add_hex(o, "digest", r->digest);
    json_add_texts(o, {"variant", r->variant}, {"version", r->version});
    cJSON_AddItemToObject(o, "identity", identity_json(&r->identity));
    cJSON_AddItemToObject(o, "chain", restart_links_json(r));
    cJSON_AddItemToObject(o, "samples", samples_json(&r->samples));
    cJSON *sums = cJSON_AddObjectToObject(o, "sums");
    json_add_quanta(sums, "emitted", f->emitted);
    json_add_quanta(sums, "left_domain", f->left_domain);
    if (f->entered_sea) json_add_quanta(sums, "entered_sea", f->entered_sea);
    if (f->ground.raised) json_add_quanta(sums, "ground_raised", f->ground.raised);
    if (f->ground.lowered) json_add_quanta(sums, "ground_lowered", f->ground.lowered);
    json_add_quanta(sums, "heat_emitted", f->heat.emitted);
    json_add_quanta(sums, "heat_solidified", f->heat.solidified);
    json_add_quanta(sums, "heat_left_domain", f->heat.left_domain);
    json_add_quanta(sums, "heat_cooled", f->heat.cooled);
    return o;
}

char *restart_text(const struct restart *r, const struct fields *f)
{
    FREED_BY(json_free_at) cJSON *o = restart_json(r, f);
    return cJSON_PrintUnformatted(o);
}

/* Reads a sum. If the state lacks it, as most states do, *value does not change. */
static bool read_optional(const cJSON *o, const char *name, quanta *value)
{
    return !cJSON_HasObjectItem(o, name) || json_quanta(o, name, value);
}

static bool sums_from_json(struct fields *f, const cJSON *o)
{
    return json_quanta(o, "emitted", &f->emitted) &&
           json_quanta(o, "left_domain", &f->left_domain) &&
           read_optional(o, "entered_sea", &f->entered_sea) &&
           read_optional(o, "ground_raised", &f->ground.raised) &&
           read_optional(o, "ground_lowered", &f->ground.lowered) &&
           json_quanta(o, "heat_emitted", &f->heat.emitted) &&
           json_quanta(o, "heat_solidified", &f->heat.solidified) &&
           json_quanta(o, "heat_left_domain", &f->heat.left_domain) &&
           json_quanta(o, "heat_cooled", &f->heat.cooled);
}

/* The greatest step: an arrival is a 32-bit step, and 2^31 - 1 is ARRIVAL_NEVER. library/library.h has the same limit. */
enum { STEPS_MAX = 2147483646 };

static bool from_json(struct restart *r, struct fields *sums, const cJSON *o)
{
    const cJSON *stopped = cJSON_GetObjectItemCaseSensitive(o, "stopped");
    int format = 0;
    r->stopped = cJSON_IsTrue(stopped);
    if (!json_int(o, RESTART_KEY, &format)) return false;
    r->old = format == RESTART_OLD;
    return (r->old || format == RESTART_FORMAT) && json_text(o, "case", r->name, sizeof r->name) &&
           json_whole(o, "step", &r->step) && json_real(o, "time_s", &r->time_s) &&
           cJSON_IsBool(stopped) && json_hex(o, "digest", &r->digest) &&
           json_text(o, "variant", r->variant, sizeof r->variant) &&
           json_text(o, "version", r->version, sizeof r->version) &&
           identity_from_json(&r->identity, cJSON_GetObjectItemCaseSensitive(o, "identity")) &&
           links_from_json(r, cJSON_GetObjectItemCaseSensitive(o, "chain")) &&
           samples_from_json(&r->samples, cJSON_GetObjectItemCaseSensitive(o, "samples")) &&
           sums_from_json(sums, cJSON_GetObjectItemCaseSensitive(o, "sums")) && r->step >= 0 &&
           r->step <= STEPS_MAX;
}

bool restart_from_text(struct restart *r, struct fields *sums, const char *text)
{
    cJSON *o = cJSON_Parse(text);
    *r = (struct restart){0};
    *sums = (struct fields){0};
    const bool good = o && from_json(r, sums, o);
    cJSON_Delete(o);
    if (!good) restart_free(r);
    return good;
}

/* ---- the file -------------------------------------------------------------------------------- */

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

/* The value of a cell that the state lacks. Lava never came to this cell, so it has its initial value. */
static double value_given(const struct problem *p, int band, const struct window *w, int row,
                          int col)
{
    const size_t i = (size_t)(w->row0 + row) * (size_t)p->cols + (size_t)(w->col0 + col);
    if (band == ELEVATION) return p->elevation_m[i];
    if (band == TEMPERATURE && p->temp_K) return p->temp_K[i];
    return band == ARRIVAL ? (double)NAN : 0;
}

static void read_row(const void *context, int band, int row, void *to)
{
    const struct writing *w = context;
    const struct fields *f = w->f;
    double *out = to;
    for (int i = 0; i < f->window.cols; i++) {
        const size_t cell = (size_t)row * (size_t)f->window.cols + (size_t)i;
        if (!fields_has(f, row, i)) out[i] = value_given(w->p, band, &f->window, row, i);
        else if (band < ARRIVAL) out[i] = band_of(f, band)[cell];
        else if (f->arrival[cell] == ARRIVAL_NEVER) out[i] = (double)NAN;
        else out[i] = f->arrival[cell];
        if (isnan(out[i])) out[i] = (double)NAN; /* all NaN get the same bits */
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
                                        .row = read_row,
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
    FREED char *about = restart_text(r, f);
    if (!about) return error_memory(e);
    return write_file(path, r, c, f, about, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int damaged(const char *path, const char *what, struct error *e)
{
    return error_input(e, "%s: is damaged: %s; use an earlier state", path, what);
}

/* Converts a band of doubles into steps of arrival. False: a value is not a step. */
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
    FREED double *value = malloc(n * sizeof *value);
    if (!value) return error_memory(e);
    status = geotiff_stack_read(h, ARRIVAL, value, e);
    if (!status && !set_arrival(f->arrival, value, n))
        status = damaged(path, "an arrival is not the number of a step", e);
    return status;
}

/* The digest of an old state counts all cells, also cells without lava, so it is not compared. The seal of the file
 * protects its arrays (raster/geotiff_stack.h). */
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
    return h->band_count == BANDS && h->rows == id->window.rows && h->cols == id->window.cols &&
           identity_is_within(id->window, id->rows, id->cols);
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
        [IDENTITY_SAME_TERRAIN] = "resume with the case that wrote it, or give option 'changed'",
        [IDENTITY_OTHER_TERRAIN] = ("resume with the case that wrote it, or give option 'changed' "
                                    "and option 'new_terrain' (with_lava or without_lava)")};
    char text[IDENTITY_TEXT], clock[128];
    const enum identity_fits fits = identity_differ(&r->identity, now, text);
    const char *of_clock = identity_clock_remedy(&r->identity, now, clock);
    if (!*text || (fits == IDENTITY_SAME_TERRAIN && change >= RESTART_CHANGED) ||
        (fits == IDENTITY_OTHER_TERRAIN && change == RESTART_OTHER_TERRAIN))
        return 0;
    return error_input(e, "%s: is a state of another case, which differs in %s; %s", path, text,
                       of_clock ? of_clock : remedy[fits]);
}

/* ---- folders --------------------------------------------------------------------------------- */

char *restart_path(const char *folder, int64_t step)
{
    return text_format("%s/" RUNFOLDER_STATE "%06lld.tif", folder, (long long)step);
}

/* Inserts a step into a list of the latest steps, the latest first. Returns the new length of the list. */
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
        if (runfolder_is_state(entry->d_name, &one)) count = insert(step, count, room, one);
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
