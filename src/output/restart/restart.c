/* restart.c — the file of a state, written and read, and the states of a folder. */
#include "restart.h"
#include "json_number.h"

#include "case/case_cut.h"
#include "case/changes.h"
#include "case/resolution.h"
#include "raster/geotiff_stack.h"
#include "raster/tiff_io.h"
#include "sim/digest.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- digests --------------------------------------------------------------------------------- */

/* Of a sequence of words. */
static void add(uint64_t *digest, uint64_t word)
{
    *digest = mix64((*digest ^ word) + UINT64_C(0x9e3779b97f4a7c15));
}

/* Of a window of an array over the domain; NULL: an array of zeros. */
static uint64_t digest_of_cells(const double *value, const struct problem *p, struct window w,
                                int field)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++) {
            const double x = value ? value[(size_t)row * (size_t)p->cols + (size_t)col] : 0.0;
            sum += digest_of(digest_bits(x), field, digest_place(row, col));
        }
    return sum;
}

/* A temperature counts where there is lava. */
static uint64_t digest_of_lava(const struct problem *p, struct window w)
{
    uint64_t digest = digest_of_cells(p->thickness_m, p, w, DIGEST_THICKNESS);
    if (p->thickness_m) digest += digest_of_cells(p->temp_K, p, w, DIGEST_TEMP);
    return digest + digest_of_cells(p->solid_m, p, w, DIGEST_SOLID);
}

static uint64_t digest_of_sea(const struct problem *p, struct window w)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int row = w.row0; row < (p->sea ? w.row0 + w.rows : w.row0); row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (p->sea[(size_t)row * (size_t)p->cols + (size_t)col]) sum += digest_place(row, col);
    return sum;
}

static uint64_t digest_of_vents(const struct problem *p)
{
    uint64_t digest = (uint64_t)p->vent_count;
    for (int v = 0; v < p->vent_count; v++)
        add(&digest, digest_place(p->vents[v].row, p->vents[v].col));
    return digest;
}

static uint64_t digest_of_rates(const struct problem *p)
{
    uint64_t digest = (uint64_t)p->last_vent_step;
    for (int v = 0; v < p->vent_count; v++) {
        const struct vent *vent = &p->vents[v];
        add(&digest, (uint64_t)vent->interval_count);
        for (int i = 0; i < vent->interval_count; i++) {
            add(&digest, (uint64_t)vent->first_step[i]);
            add(&digest, digest_bits(vent->amount_m[i]));
            add(&digest, vent->fraction ? vent->fraction[i] : 0);
            add(&digest, vent->phase ? vent->phase[i] : 0);
        }
    }
    return digest;
}

static bool is_within(struct window w, int rows, int cols)
{
    return w.row0 >= 0 && w.col0 >= 0 && w.rows <= rows && w.row0 <= rows - w.rows &&
           w.cols <= cols && w.col0 <= cols - w.cols;
}

/* The elevations of the problem may have changed since the first step; those of the case have not. */
int identity_of(struct identity *id, const struct sim_case *c, struct window w, struct error *e)
{
    const struct problem *p = &c->problem;
    const double *elevation_m = c->elevation_m ? c->elevation_m : p->elevation_m;
    if (!is_within(w, p->rows, p->cols)) w = (struct window){0};
    int status = changes_read_surveys(c, e);
    if (!status) status = problem_read_terrain(p, w, e);
    if (status) return status;
    *id = (struct identity){.rows = p->rows,
                            .cols = p->cols,
                            .window = w,
                            .west_m = c->geo.west_m,
                            .south_m = c->geo.south_m,
                            .cell_m = p->params.cell_m,
                            .terrain = digest_of_cells(elevation_m, p, w, DIGEST_ELEVATION),
                            .lava = digest_of_lava(p, w),
                            .sea = digest_of_sea(p, w),
                            .changes = changes_digest(c),
                            .vents = digest_of_vents(p),
                            .rates = digest_of_rates(p),
                            .first_step = p->first_step,
                            .reduce_every = p->reduce_every,
                            .stop_below_m = p->stop_when_still ? p->stop_mobile_m : -1,
                            .unscaled_clock_s = c->unscaled_clock_s};
    for (int i = 0; i < PARAMETERS; i++)
        id->parameter[i] = params_value(&p->params, &params_table[i]);
    return 0;
}

uint64_t identity_digest(const struct identity *id)
{
    const double length[] = {id->west_m, id->south_m, id->cell_m, id->stop_below_m};
    const uint64_t word[] = {(uint64_t)id->rows,
                             (uint64_t)id->cols,
                             digest_place(id->window.row0, id->window.col0),
                             digest_place(id->window.rows, id->window.cols),
                             id->terrain,
                             id->lava,
                             id->vents,
                             id->rates,
                             (uint64_t)id->first_step,
                             (uint64_t)id->reduce_every};
    uint64_t digest = 1;
    for (size_t i = 0; i < sizeof length / sizeof *length; i++)
        add(&digest, digest_bits(length[i]));
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) add(&digest, word[i]);
    for (int i = 0; i < PARAMETERS; i++) add(&digest, digest_bits(id->parameter[i]));
    if (id->sea) add(&digest, id->sea);
    if (id->changes) add(&digest, id->changes + 1);
    return digest;
}

/* ---- what differs ---------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void append(char text[IDENTITY_TEXT], const char *fmt,
                                                         ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, fmt);
    if (used) snprintf(text + used, IDENTITY_TEXT - used, ", ");
    vsnprintf(text + strlen(text), IDENTITY_TEXT - strlen(text), fmt, args);
    va_end(args);
}

static void append_numbers(char text[IDENTITY_TEXT], const char *what, double state, double now)
{
    if (state != now) append(text, "%s (%.12g, now %.12g)", what, state, now);
}

enum { PCLOCK = 0 }; /* its row in params_table */

static enum identity_fits same_ground(const struct identity *a, const struct identity *b,
                                      char text[IDENTITY_TEXT])
{
    if (a->rows != b->rows || a->cols != b->cols)
        append(text, "the size of the grid (%d x %d cells, now %d x %d)", a->rows, a->cols, b->rows,
               b->cols);
    if (a->west_m != b->west_m || a->south_m != b->south_m)
        append(text, "the place of the grid (%.12g %.12g, now %.12g %.12g)", a->west_m, a->south_m,
               b->west_m, b->south_m);
    append_numbers(text, "the size of a cell", a->cell_m, b->cell_m);
    if (!*text && a->lava != b->lava) append(text, "the lava at the beginning");
    append_numbers(text, "first_step", (double)a->first_step, (double)b->first_step);
    /* A state counts in steps: with another length of a step its past would have other times. */
    if (*text || a->parameter[PCLOCK] != b->parameter[PCLOCK]) return IDENTITY_OTHER;
    if (a->terrain == b->terrain) return IDENTITY_SAME_TERRAIN;
    append(text, "the terrain");
    if (a->sea == b->sea) return IDENTITY_OTHER_TERRAIN;
    append(text, "the sea");
    return IDENTITY_OTHER;
}

enum identity_fits identity_differ(const struct identity *state, const struct identity *now,
                                   char text[IDENTITY_TEXT])
{
    *text = '\0';
    const enum identity_fits same = same_ground(state, now, text);
    if (same && state->sea != now->sea) append(text, "the sea");
    if (same && state->changes != now->changes) append(text, "the terrain_update");
    if (same && state->vents != now->vents) append(text, "the vents");
    if (same && state->rates != now->rates) append(text, "the rates");
    for (int i = 0; i < PARAMETERS; i++)
        append_numbers(text, params_table[i].name, state->parameter[i], now->parameter[i]);
    append_numbers(text, "reduce_every", (double)state->reduce_every, (double)now->reduce_every);
    append_numbers(text, "the mobile lava in metres below which to stop", state->stop_below_m,
                   now->stop_below_m);
    return same;
}

const char *identity_clock_remedy(const struct identity *state, const struct identity *now,
                                  char text[128])
{
    if (state->parameter[PCLOCK] == now->parameter[PCLOCK] ||
        state->parameter[PCLOCK] != now->unscaled_clock_s)
        return NULL;
    snprintf(text, 128, RESOLUTION_CLOCK_REMEDY, now->unscaled_clock_s);
    return text;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static cJSON *identity_json(const struct identity *id)
{
    cJSON *o = cJSON_CreateObject();
    json_add_hex(o, "digest", identity_digest(id));
    json_add_numbers(o, {"rows", id->rows}, {"cols", id->cols}, {"window_row", id->window.row0},
                     {"window_col", id->window.col0}, {"window_rows", id->window.rows},
                     {"window_cols", id->window.cols}, {"west_m", id->west_m},
                     {"south_m", id->south_m}, {"cell_m", id->cell_m});
    json_add_hex(o, "terrain", id->terrain);
    json_add_hex(o, "lava", id->lava);
    if (id->sea) json_add_hex(o, "sea", id->sea);
    if (id->changes) json_add_hex(o, "changes", id->changes);
    json_add_hex(o, "vents", id->vents);
    json_add_hex(o, "rates", id->rates);
    json_add_numbers(o, {"first_step", id->first_step}, {"reduce_every", id->reduce_every},
                     {"stop_below_m", id->stop_below_m});
    cJSON *p = cJSON_AddObjectToObject(o, "parameters");
    for (int i = 0; i < PARAMETERS; i++)
        cJSON_AddNumberToObject(p, params_table[i].name, id->parameter[i]);
    return o;
}

static bool identity_from_json(struct identity *id, const cJSON *o)
{
    const cJSON *p = cJSON_GetObjectItemCaseSensitive(o, "parameters");
    uint64_t digest = 0;
    bool good = json_hex(o, "digest", &digest) && json_int(o, "rows", &id->rows) &&
                json_int(o, "cols", &id->cols) && json_int(o, "window_row", &id->window.row0) &&
                json_int(o, "window_col", &id->window.col0) &&
                json_int(o, "window_rows", &id->window.rows) &&
                json_int(o, "window_cols", &id->window.cols) &&
                json_real(o, "west_m", &id->west_m) && json_real(o, "south_m", &id->south_m) &&
                json_real(o, "cell_m", &id->cell_m) && json_hex(o, "terrain", &id->terrain) &&
                json_hex(o, "lava", &id->lava) &&
                (!cJSON_HasObjectItem(o, "sea") || json_hex(o, "sea", &id->sea)) &&
                (!cJSON_HasObjectItem(o, "changes") || json_hex(o, "changes", &id->changes)) &&
                json_hex(o, "vents", &id->vents) && json_hex(o, "rates", &id->rates) &&
                json_whole(o, "first_step", &id->first_step) &&
                json_whole(o, "reduce_every", &id->reduce_every) &&
                json_real(o, "stop_below_m", &id->stop_below_m);
    for (int i = 0; i < PARAMETERS; i++)
        good = good && json_real(p, params_table[i].name, &id->parameter[i]);
    return good && digest == identity_digest(id);
}

/* ---- the JSON in the file of a state --------------------------------------------------------- */

enum { RESTART_OLD = 1, RESTART_FORMAT = 2, LINKS_MAX = 1000000 };

void restart_free(struct restart *r)
{
    free(r->link);
    samples_free(&r->samples);
    *r = (struct restart){0};
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
    cJSON *o = restart_json(r, f);
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    return text;
}

/* A sum that most runs do not have. */
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

/* 2^31 - 2, as an arrival is a 32-bit step; library/library.h has the same. */
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

/* Of a cell that the state lacks: lava never came there, so that it is as at the beginning. */
static double given(const struct problem *p, int band, const struct window *w, int row, int col)
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
        if (!fields_has(f, row, i)) out[i] = given(w->p, band, &f->window, row, i);
        else if (band < ARRIVAL) out[i] = band_of(f, band)[cell];
        else if (f->arrival[cell] == ARRIVAL_NEVER) out[i] = (double)NAN;
        else out[i] = f->arrival[cell];
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
    FREED double *value = malloc(n * sizeof *value);
    if (!value) return error_memory(e);
    status = geotiff_stack_read(h, ARRIVAL, value, e);
    if (!status && !set_arrival(f->arrival, value, n))
        status = damaged(path, "an arrival is not the number of a step", e);
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
    return h->band_count == BANDS && h->rows == id->window.rows && h->cols == id->window.cols &&
           is_within(id->window, id->rows, id->cols);
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
