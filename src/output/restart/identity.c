#include "identity.h"
#include "record/json_number.h"

#include "case/changes.h"
#include "case/resolution.h"
#include "sim/digest.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

/* ---- of a case ------------------------------------------------------------------------------- */

/* The digest of a window of an array over the domain; NULL: an array of zeros. */
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

/* The elevations of the case are used, because the elevations of the problem may have changed since the first step. */
static uint64_t digest_of_terrain(const struct sim_case *c, struct window w)
{
    return digest_of_cells(c->elevation_m ? c->elevation_m : c->problem.elevation_m, &c->problem, w,
                           DIGEST_ELEVATION);
}

/* The digest of the initial lava. A temperature counts only where there is lava. */
static uint64_t digest_of_lava(const struct sim_case *c, struct window w)
{
    const struct problem *p = &c->problem;
    uint64_t digest = digest_of_cells(p->thickness_m, p, w, DIGEST_THICKNESS);
    if (p->thickness_m) digest += digest_of_cells(p->temp_K, p, w, DIGEST_TEMP);
    return digest + digest_of_cells(p->solid_m, p, w, DIGEST_SOLID);
}

static uint64_t digest_of_sea(const struct sim_case *c, struct window w)
{
    const struct problem *p = &c->problem;
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int row = w.row0; row < (p->sea ? w.row0 + w.rows : w.row0); row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++)
            if (p->sea[(size_t)row * (size_t)p->cols + (size_t)col]) sum += digest_place(row, col);
    return sum;
}

static uint64_t digest_of_vents(const struct sim_case *c, struct window w)
{
    const struct problem *p = &c->problem;
    uint64_t digest = (uint64_t)p->vent_count;
    for (int v = 0; v < p->vent_count; v++)
        mix64_add(&digest, digest_place(p->vents[v].row, p->vents[v].col));
    return digest;
}

static uint64_t digest_of_rates(const struct sim_case *c, struct window w)
{
    const struct problem *p = &c->problem;
    uint64_t digest = (uint64_t)p->last_vent_step;
    for (int v = 0; v < p->vent_count; v++) {
        const struct vent *vent = &p->vents[v];
        mix64_add(&digest, (uint64_t)vent->interval_count);
        for (int i = 0; i < vent->interval_count; i++) {
            mix64_add(&digest, (uint64_t)vent->first_step[i]);
            mix64_add(&digest, digest_bits(vent->amount_m[i]));
            mix64_add(&digest, vent->fraction ? vent->fraction[i] : 0);
            mix64_add(&digest, vent->phase ? vent->phase[i] : 0);
        }
    }
    return digest;
}

static uint64_t digest_of_changes(const struct sim_case *c, struct window w)
{
    return changes_digest(c);
}

/* ---- the parts ------------------------------------------------------------------------------- */

/* What an identity is made of, in the order of JSON and of messages. */
struct part {
    enum case_part part;
    enum { INT, WHOLE, REAL, DIGEST } type;
    /* names in JSON and messages; `what` NULL: the part decides no bits of a run */
    const char *name, *what;
    /* offsets in struct identity and, for numbers, in struct sim_case; `from` 0: identity_of() sets the number */
    size_t at, from;
    uint64_t (*digest)(const struct sim_case *c, struct window w);
    bool fixed; /* if this part differs, no state fits the case */
    /* The part is newer than the first version: digest and JSON omit a value of 0, so older states stay valid. */
    bool later;
};

#define AT(member)   offsetof(struct identity, member)
#define FROM(member) offsetof(struct sim_case, member)

static const struct part parts[] = {
    {PART_GRID, INT, "rows", "the rows of the grid", AT(rows), FROM(problem.rows), .fixed = true},
    {PART_GRID, INT, "cols", "the columns of the grid", AT(cols), FROM(problem.cols),
     .fixed = true},
    {PART_NOTHING, INT, "window_row", NULL, .at = AT(window.row0)},
    {PART_NOTHING, INT, "window_col", NULL, .at = AT(window.col0)},
    {PART_NOTHING, INT, "window_rows", NULL, .at = AT(window.rows)},
    {PART_NOTHING, INT, "window_cols", NULL, .at = AT(window.cols)},
    {PART_GRID, REAL, "west_m", "the western edge", AT(west_m), FROM(geo.west_m), .fixed = true},
    {PART_GRID, REAL, "south_m", "the southern edge", AT(south_m), FROM(geo.south_m),
     .fixed = true},
    {PART_GRID, REAL, "cell_m", "the size of a cell", AT(cell_m), FROM(problem.params.cell_m),
     .fixed = true},
    {PART_TERRAIN, DIGEST, "terrain", "the terrain", AT(terrain), .digest = digest_of_terrain},
    {PART_LAVA, DIGEST, "lava", "the lava at the beginning", AT(lava), .digest = digest_of_lava,
     .fixed = true},
    {PART_SEA, DIGEST, "sea", "the sea", AT(sea), .digest = digest_of_sea, .later = true},
    {PART_CHANGES, DIGEST, "changes", "the terrain_update", AT(changes),
     .digest = digest_of_changes, .later = true},
    {PART_VENTS, DIGEST, "vents", "the vents", AT(vents), .digest = digest_of_vents},
    {PART_RATES, DIGEST, "rates", "the rates", AT(rates), .digest = digest_of_rates},
    {PART_FIRST_STEP, WHOLE, "first_step", "first_step", AT(first_step), FROM(problem.first_step),
     .fixed = true},
    {PART_REDUCE, INT, "reduce_every", "reduce_every", AT(reduce_every),
     .from = FROM(problem.reduce_every)},
    {PART_STOP, REAL, "stop_below_m", "the mobile lava in metres below which to stop",
     AT(stop_below_m), .from = FROM(problem.stop_mobile_m)},
};

/* Sets *p to part i: first the parts of the table, then a part for each parameter of the model. False: there is no part i. */
enum { PARTS = sizeof parts / sizeof *parts, PCLOCK = 0 /* row of Pclock in params_table */ };
static bool part_at(int i, struct part *p)
{
    const struct parameter *of = &params_table[i < PARTS ? 0 : i - PARTS];
    if (i >= PARTS + PARAMETERS) return false;
    if (i < PARTS) *p = parts[i];
    else
        *p = (struct part){PART_PARAMETERS,
                           REAL,
                           of->name,
                           of->name,
                           AT(parameter) + (size_t)(i - PARTS) * sizeof(double),
                           FROM(problem.params) + of->at,
                           .fixed = of == &params_table[PCLOCK]}; /* the unit of time of a state */
    return true;
}

static double number_of(const struct identity *id, const struct part *p)
{
    const char *at = (const char *)id + p->at;
    return p->type == REAL    ? *(const double *)at
           : p->type == WHOLE ? (double)*(const int64_t *)at
                              : *(const int *)at;
}

static uint64_t word_of(const struct identity *id, const struct part *p)
{
    if (p->type == DIGEST) return *(const uint64_t *)((const char *)id + p->at);
    return p->type == REAL ? digest_bits(number_of(id, p)) : (uint64_t)(int64_t)number_of(id, p);
}

bool identity_is_within(struct window w, int rows, int cols)
{
    return w.row0 >= 0 && w.col0 >= 0 && w.rows <= rows && w.row0 <= rows - w.rows &&
           w.cols <= cols && w.col0 <= cols - w.cols;
}

int identity_of(struct identity *id, const struct sim_case *c, struct window w, struct error *e)
{
    static const size_t size[] = {
        [INT] = sizeof(int), [WHOLE] = sizeof(int64_t), [REAL] = sizeof(double)};
    struct part p;
    if (!identity_is_within(w, c->problem.rows, c->problem.cols)) w = (struct window){0};
    int status = changes_read_surveys(c, e);
    if (!status) status = problem_read_terrain(&c->problem, w, e);
    if (status) return status;
    *id = (struct identity){.window = w, .unscaled_clock_s = c->unscaled_clock_s};
    for (int i = 0; part_at(i, &p); i++) {
        char *to = (char *)id + p.at;
        if (p.type == DIGEST) *(uint64_t *)to = p.digest(c, w);
        else if (p.from) memcpy(to, (const char *)c + p.from, size[p.type]);
    }
    if (!c->problem.stop_when_still) id->stop_below_m = -1;
    return 0;
}

/* The order in which parts enter the digest: lengths, then other numbers and digests, then parameters, and last the
 * parts that the first version did not have. */
static int turn_of(const struct part *p)
{
    return p->later ? 3 : p->part == PART_PARAMETERS ? 2 : p->type == REAL ? 0 : 1;
}

/* Two ints of the window are one word of the digest. Each part that was added after the first version enters with its own
 * number, so it is not taken for another part. */
uint64_t identity_digest(const struct identity *id)
{
    struct part p, second;
    uint64_t digest = 1, later = 0;
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; part_at(i, &p); i++) {
            uint64_t word = word_of(id, &p);
            if (turn_of(&p) != turn) continue;
            if (!p.what && part_at(++i, &second))
                word = digest_place((int)word, (int)word_of(id, &second));
            if (!p.later || word) mix64_add(&digest, word + later);
            later += p.later;
        }
    return digest;
}

/* ---- what differs ---------------------------------------------------------------------------- */

static bool part_differs(const struct identity *a, const struct identity *b, const struct part *p)
{
    return p->what && (p->type == DIGEST ? word_of(a, p) != word_of(b, p)
                                         : number_of(a, p) != number_of(b, p));
}

unsigned identity_parts(const struct identity *a, const struct identity *b)
{
    struct part p;
    unsigned all = 0;
    for (int i = 0; part_at(i, &p); i++)
        if (part_differs(a, b, &p)) all |= 1u << p.part;
    return all;
}

static void append_difference(char text[IDENTITY_TEXT], const struct identity *state,
                              const struct identity *now, const struct part *p)
{
    char *end = text + strlen(text);
    const size_t room = IDENTITY_TEXT - strlen(text);
    const char *comma = *text ? ", " : "";
    if (p->type == DIGEST) snprintf(end, room, "%s%s", comma, p->what);
    else
        snprintf(end, room, "%s%s (%.12g, now %.12g)", comma, p->what, number_of(state, p),
                 number_of(now, p));
}

/* Compares digests only if all fixed numbers are equal. Otherwise the two digests count different
 * cells or steps. */
enum identity_fits identity_differ(const struct identity *state, const struct identity *now,
                                   char text[IDENTITY_TEXT])
{
    struct part p;
    bool comparable = true, fits = true;
    unsigned all = 0;
    *text = '\0';
    for (int i = 0; part_at(i, &p); i++)
        comparable &= !(p.fixed && p.type != DIGEST && part_differs(state, now, &p));
    for (int i = 0; part_at(i, &p); i++) {
        if (!part_differs(state, now, &p) || (p.type == DIGEST && !comparable)) continue;
        append_difference(text, state, now, &p);
        fits &= !p.fixed;
        all |= 1u << p.part;
    }
    if (!(all & 1u << PART_TERRAIN)) return fits ? IDENTITY_SAME_TERRAIN : IDENTITY_OTHER;
    return fits && !(all & 1u << PART_SEA) ? IDENTITY_OTHER_TERRAIN : IDENTITY_OTHER;
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

#define PARAMETERS_NAME "parameters"

cJSON *identity_json(const struct identity *id)
{
    cJSON *all = cJSON_CreateObject(), *o = all;
    struct part p;
    json_add_hex(all, "digest", identity_digest(id));
    for (int i = 0; part_at(i, &p); i++) {
        if (i == PARTS) o = cJSON_AddObjectToObject(all, PARAMETERS_NAME);
        if (p.type != DIGEST) cJSON_AddNumberToObject(o, p.name, number_of(id, &p));
        else if (!p.later || word_of(id, &p)) json_add_hex(o, p.name, word_of(id, &p));
    }
    return all;
}

bool identity_from_json(struct identity *id, const cJSON *all)
{
    const cJSON *o = all;
    struct part p;
    uint64_t digest = 0;
    bool good = json_hex(all, "digest", &digest);
    for (int i = 0; good && part_at(i, &p); i++) {
        void *to = (char *)id + p.at;
        if (i == PARTS) o = cJSON_GetObjectItemCaseSensitive(all, PARAMETERS_NAME);
        good = p.type == INT     ? json_int(o, p.name, to)
               : p.type == WHOLE ? json_whole(o, p.name, to)
               : p.type == REAL
                   ? json_real(o, p.name, to)
                   : json_hex(o, p.name, to) || (p.later && !cJSON_HasObjectItem(o, p.name));
    }
    return good && digest == identity_digest(id);
}
