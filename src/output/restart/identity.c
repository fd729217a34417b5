#include "identity.h"

#include "case/changes.h"
#include "json_number.h"
#include "sim/digest.h"

#include <cJSON.h>
#include <stdarg.h>
#include <stdio.h>

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

static bool is_within(struct window w, const struct problem *p)
{
    return w.row0 >= 0 && w.col0 >= 0 && w.rows <= p->rows && w.row0 <= p->rows - w.rows &&
           w.cols <= p->cols && w.col0 <= p->cols - w.cols;
}

/* The elevations of the problem may have changed since the first step; those of the case have not. */
int identity_of(struct identity *id, const struct sim_case *c, struct window w, struct error *e)
{
    const struct problem *p = &c->problem;
    const double *elevation_m = c->elevation_m ? c->elevation_m : p->elevation_m;
    if (!is_within(w, p)) w = (struct window){0};
    int status = problem_read_terrain(p, w, e);
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
                            .stop_below_m = p->stop_when_still ? p->stop_mobile_m : -1};
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

/* ---- JSON ------------------------------------------------------------------------------------ */

cJSON *identity_json(const struct identity *id)
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

bool identity_from_json(struct identity *id, const cJSON *o)
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
