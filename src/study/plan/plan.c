#include "plan.h"
#include "member.h"

#include "case/assets.h"
#include "case/case_notes.h"
#include "case/changes.h"
#include "record/runfolder.h"
#include "text/number.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a look ahead: every member is made once ------------------------------------------------- */

/* Estimates the cost of a member. A step costs more if there is more lava. So the lava of each interval of rates is
 * multiplied by the number of steps from the middle of the interval to the last step. The cost is the sum of these
 * products. */
static double cost_of(const struct sim_case *c)
{
    const struct problem *p = &c->problem;
    const double last =
        (double)(c->max_steps ? c->max_steps : 2 * (p->last_vent_step + p->reduce_every));
    double sum = 0;
    for (int v = 0; v < p->vent_count; v++)
        for (int i = 0; i < p->vents[v].interval_count; i++) {
            const double from = fmin(last, (double)p->vents[v].first_step[i]);
            const double to = i + 1 < p->vents[v].interval_count
                                  ? fmin(last, (double)p->vents[v].first_step[i + 1])
                                  : last;
            sum += p->vents[v].amount_m[i] * (to - from) * (last - (from + to) / 2);
        }
    return sum;
}

/* Estimates the cost of all members. Returns the number of the first member that is invalid, or p->count. */
static int64_t estimate_members(struct plan_outlook *o, const struct plan *p)
{
    int64_t first = p->count, warned[WARNING_KINDS] = {0}, warned_first[WARNING_KINDS];
    double end_s = 0;
    bool known = true;
    for (int k = 0; k < WARNING_KINDS; k++) warned_first[k] = p->count;
#pragma omp parallel for schedule(dynamic, 64)                                                     \
    reduction(min : first, warned_first[ : WARNING_KINDS]) reduction(max : end_s)                  \
    reduction(+ : warned[ : WARNING_KINDS]) reduction(&& : known)
    for (int64_t n = 0; n < p->count; n++) {
        /* the stack of a thread may be too small for a struct member (OMP_STACKSIZE) */
        struct member *m = n > first ? NULL : malloc(sizeof *m);
        if (n > first) continue;
        if (!m || member_create_flat(m, p, n, NULL)) {
            first = n;
            free(m);
            continue;
        }
        o->cost[n] = cost_of(&m->c);
        const unsigned kinds = warnings_are_of(&m->c.told);
        for (int k = 0; k < WARNING_KINDS; k++) {
            if (!(kinds >> k & 1)) continue;
            warned[k]++;
            if (n < warned_first[k]) warned_first[k] = n;
        }
        known = known && m->c.max_steps > 0;
        end_s = fmax(end_s, (double)m->c.max_steps * m->c.problem.params.clock_s);
        member_free(m);
        free(m);
    }
    o->end_s = known ? end_s : 0;
    for (int k = 0; k < WARNING_KINDS; k++)
        o->warned[k] = (struct plan_warned){warned[k], warned[k] ? warned_first[k] : 0};
    return first;
}

int plan_look_ahead(struct plan_outlook *o, const struct plan *p, struct error *e)
{
    struct member m;
    *o = (struct plan_outlook){.cost = malloc((size_t)p->count * sizeof *o->cost),
                               .points = p->sources.point_count,
                               .digest = p->digest};
    if (!o->cost) return error_memory(e);
    const int64_t n = estimate_members(o, p);
    if (n == p->count) return 0;
    free(o->cost);
    o->cost = NULL;
    int status = member_create_flat(&m, p, n, e);
    if (status) return status;
    member_free(&m); /* the member is valid, so estimate_members() had too little memory */
    return error_memory(e);
}

/* Adds a warning with the number of members that have a warning of this kind, and with the text of the first such
 * warning. */
static int warn_of_one(struct plan *p, enum warning_kind kind, struct error *e)
{
    const struct plan_warned of = p->outlook.warned[kind];
    char text[WARNING_TEXT];
    struct member m;
    int i = 0, status = member_create_flat(&m, p, of.first, e);
    if (status) return status;
    while (i < m.c.told.count && m.c.told.of[i].kind != kind) i++;
    if (i < m.c.told.count)
        warnings_say(
            &p->base.told, kind, "%lld of %lld members have a %s, such as member %lld: %.800s",
            (long long)of.members, (long long)p->count, kind == WARNING_NOTE ? "notice" : "warning",
            (long long)of.first, warnings_line(&m.c.told, i, text));
    member_free(&m);
    return 0;
}

/* Adds a warning for each kind of warning that members have. plan_look_ahead() has filled p->outlook before. */
static int warn_of_members(struct plan *p, struct error *e)
{
    int status = 0;
    for (int k = 0; k < WARNING_KINDS && !status; k++)
        if (p->outlook.warned[k].members) status = warn_of_one(p, k, e);
    return status;
}

/* ---- the state with which members begin ------------------------------------------------------ */

/* Checks that a state belongs to the case. Vents, rates and parameters may differ, but terrain and start_time have to
 * be equal. */
static int check_fits(const struct plan *p, struct error *e)
{
    const struct plan_state *s = p->from;
    struct identity now;
    char text[IDENTITY_TEXT], clock[128];
    int status = identity_of(&now, &p->base, s->about.identity.window, e);
    if (status || identity_differ(&s->about.identity, &now, text) == IDENTITY_SAME_TERRAIN)
        return status;
    const char *of_clock = identity_clock_remedy(&s->about.identity, &now, clock);
    return error_input(
        e, "%s: is a state of another case: %s differs in %s; %s", s->path, p->base.path, text,
        of_clock ? of_clock : "give a state of a run on this terrain, with this Pclock");
}

/* Applies a change to the whole terrain, because a state has the changed terrain only in its own window. */
static int change_beyond(struct plan *p, const struct change *x, double *ground, struct error *e)
{
    struct fields none = {0};
    struct sim_case *c = &p->base;
    int status = change_make(x, &none, &c->problem, ground, e);
    if (!status)
        memcpy(c->elevation_m, ground, window_cells(problem_domain(&c->problem)) * sizeof *ground);
    return status;
}

/* Reads the whole terrain of a case that would read it on demand. */
static int read_whole(struct sim_case *c, struct error *e)
{
    struct problem *q = &c->problem;
    if (!q->terrain) return 0;
    int status = case_terrain_check_size(q->rows, q->cols, c->path, e);
    if (!status) status = problem_read_terrain(q, problem_domain(q), e);
    q->terrain = NULL;
    return status;
}

/* Replaces the terrain of the case by the terrain of the state. Removes the changes that were made before the state. */
static int take_ground(struct plan *p, struct error *e)
{
    struct sim_case *c = &p->base;
    const struct fields *f = &p->from->f;
    const struct window domain = problem_domain(&c->problem);
    const size_t cells = window_cells(domain);
    const int made = changes_next(c, f->step);
    if (!made && !f->ground.raised && !f->ground.lowered && !plan_terrain_errs(p)) return 0;
    FREED double *ground = NULL;
    int status = read_whole(c, e);
    if (!status && !(ground = malloc(cells * sizeof *ground))) status = error_memory(e);
    for (int i = 0; i < made && !status && !window_equal(f->window, domain); i++)
        status = change_beyond(p, &c->change[i], ground, e);
    if (!status && ground_of(f, &c->problem, ground))
        memcpy(c->elevation_m, ground, cells * sizeof *ground);
    changes_drop(c, made);
    return status;
}

static int check_ledger(const struct plan *p, struct error *e)
{
    struct ledger ledger;
    struct error why;
    if (!fields_ledger(&ledger, &p->from->f, &p->base.problem, &why)) return 0;
    return error_input(e, "%s: not a state of this terrain: %.800s", p->from->path, why.text);
}

static int read_state(struct plan *p, struct error *e)
{
    struct plan_state *s = p->from;
    int status = restart_read(&s->about, &s->f, s->path, e);
    if (status) return status;
    case_note_input(&p->base, s->path);
    status = check_fits(p, e);
    if (!status && s->f.step < p->base.problem.first_step)
        status = error_input(
            e, "%s: is a state before the first step of the case; name a later state", s->path);
    if (!status) status = take_ground(p, e);
    return status ? status : check_ledger(p, e);
}

/* Reads the state `given` or, if it is NULL, the state that the plan names. Then p->base has the terrain of the
 * state. */
static int take_state(struct plan *p, const char *given, struct error *e)
{
    const char *name = given ? given : p->keys.from_state;
    if (!name) return 0;
    if (!(p->from = calloc(1, sizeof *p->from))) return error_memory(e);
    p->from->path = given ? text_format("%s", given) : path_beside(p->base.path, name);
    if (!p->from->path) return error_memory(e);
    int status = read_state(p, e);
    if (!status) p->base.problem.from = &p->from->f;
    return status;
}

enum { NAME_ROOM = 12, WEIGHT_BITS = 52, SHARE_BITS_MAX = 40, SHARE_BITS_MIN = 12 };

/* ---- files ----------------------------------------------------------------------------------- */

int plan_find_file(struct plan *p, char **path, const char *name, struct error *e)
{
    if (!name) return 0;
    *path = path_beside(p->base.path, name);
    if (!*path) return error_memory(e);
    case_note_input(&p->base, *path);
    return 0;
}

static int find_within(struct plan *p, struct error *e)
{
    const char *text = p->keys.verify_within;
    const int line = plan_line(p, "verify_within");
    bool good = true;
    if (!text) return 0;
    if (!p->base.outline_path)
        return error_line(e, p->base.path, line,
                          "verify_within needs an outline to compare the forecast with; add a line "
                          "'outline FILE', or remove this line");
    if (!domain_is_distance(text, &p->within.distance_m, &good)) {
        int status = plan_find_file(p, &p->within_path, text, e);
        p->within.path = p->within_path;
        return status;
    }
    return good ? 0 : error_line(e, p->base.path, line, "verify_within: " DOMAIN_REMEDY);
}

/* Reads the numbers of a null model that was fitted to another eruption. */
static int read_carried(struct plan *p, struct error *e)
{
    FREED char *folder = p->keys.null_from ? path_beside(p->base.path, p->keys.null_from) : NULL;
    const int line = plan_line(p, "null_from");
    cJSON *summary = NULL;
    if (!p->keys.null_from) return 0;
    if (!folder) return error_memory(e);
    if (!p->base.outline_path)
        return error_line(e, p->base.path, line,
                          "null_from needs an outline to compare the null model with; add a line "
                          "'outline FILE', or remove this line");
    const int status = runfolder_summary(&summary, folder, e);
    if (status) return status;
    p->carried = (struct null_numbers){summary_number(summary, "null", "length_m"),
                                       summary_number(summary, "null", "half_width_m")};
    cJSON_Delete(summary);
    if (p->carried.length_m > 0 && p->carried.half_width_m >= 0) return 0;
    return error_line(
        e, p->base.path, line,
        "%s has no null model; name a folder that `sciara null` wrote for another eruption",
        folder);
}

static int read_sources(struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    struct vent_ground ground = plan_ground(p);
    if (p->is_known) ground.elevation_m = NULL;
    const char *name = k->vent_list ? k->vent_list : k->vent_raster;
    FREED char *path = NULL;
    char at[512];
    snprintf(at, sizeof at, "%.480s:%d: vent_grid_m", p->base.path, plan_line(p, "vent_grid_m"));
    if (k->hazard.catalogue.path) return plan_hazard_read(p, e);
    if (k->vent_grid_m > 0)
        return sources_make_grid(&p->sources, k->vent_grid_m, k->vent_grid_box, at, &ground, e);
    int status = plan_find_file(p, &path, name, e);
    if (status || !path) return status;
    status = k->vent_list ? sources_read_list(&p->sources, path, &ground, e)
                          : sources_read_raster(&p->sources, path, &ground, e);
    if (!status) case_note_vectors(&p->base, &p->sources.about, path);
    return status;
}

static int read_tables(struct plan *p, struct error *e)
{
    const struct plan_keys *k = &p->keys;
    FREED char *classes = NULL, *table = NULL, *correlation = NULL;
    int status = plan_find_file(p, &classes, k->classes, e);
    if (!status) status = plan_find_file(p, &table, k->member_table, e);
    if (!status) status = plan_find_file(p, &correlation, k->correlation, e);
    if (!status && classes) status = classes_read(&p->classes, classes, e);
    if (!status && classes) case_doubt(&p->base, classes, p->classes.doubt);
    if (!status && table)
        status = member_table_read(&p->table, table, &p->classes, p->base.start_time, e);
    if (!status && correlation) status = correlation_read(&p->correlation, correlation, e);
    for (int i = 0; i < p->classes.choice.count; i++) /* a path that is no file has no effect */
        case_note_input(&p->base, p->classes.item[i].series.path);
    for (int i = 0; i < p->table.rates_count; i++)
        case_note_input(&p->base, p->table.rates[i].path);
    if (!status) status = find_within(p, e);
    if (!status) status = read_carried(p, e);
    if (!status) status = plan_find_file(p, &p->assets, k->assets, e);
    /* The ensemble converts the places of interest to cells later. Faults in their file are reported now. */
    if (!status)
        status = case_check_vectors(&p->base, p->assets, VECTORS_TAKE_ALL, assets_wanted,
                                    &p->assets_about, e);
    return status;
}

/* Reads the rates of the case or, if `path` is not NULL, observed rates. Makes p->history if rates are observed or
 * uncertain, or if members draw the end of the eruption. */
static int read_rates(struct plan *p, const char *rates, const char *path, struct error *e)
{
    const double density = p->keys.history.radiant_density_J_m3;
    int status = path && density > 0
                     ? rate_series_read_power(&p->rates, path, p->base.start_time, density, e)
                     : rate_series_read(&p->rates, RATE_COLUMN, rates, p->base.start_time, e);
    if (status || !(path || p->keys.history.factor > 1 || plan_given(p, ERUPTION_END)))
        return status;
    return rate_history_create(&p->history, &p->keys.history, &p->rates, path, e);
}

static int read_shares(struct plan *p, struct error *e)
{
    FREED char *path = NULL;
    const int status = plan_find_file(p, &path, p->keys.vent_shares, e);
    if (status) return status;
    if (!p->rates.count)
        return error_line(
            e, p->base.path, plan_line(p, "vent_shares"),
            "vent_shares needs a total rate to divide; add a line observed_rates or rates");
    return rate_shares_read(&p->shares, path, p->base.start_time, p->keys.vent_shares_error,
                            &p->rates, e);
}

static int read_eruption(struct plan *p, struct error *e)
{
    const struct vent_ground ground = plan_ground(p);
    const struct rate_series_shape usual = {NAN, NAN};
    const char *word = p->keys.shape ? p->keys.shape : "constant";
    FREED char *observed = NULL, *table = NULL;
    char at[512];
    int status = 0;
    if (p->files.vents) status = vent_points_read(&p->vents, p->files.vents, &ground, false, e);
    if (!status && p->files.vents) case_note_vectors(&p->base, &p->vents.about, p->files.vents);
    if (!status) status = plan_find_file(p, &observed, p->keys.observed_rates, e);
    const char *rates = observed ? observed : p->files.rates;
    if (!status && rates) status = read_rates(p, rates, observed, e);
    if (!status && p->keys.vent_shares) status = read_shares(p, e);
    if (status || rates || p->keys.classes || p->keys.hazard.catalogue.path) return status;
    snprintf(at, sizeof at, "%.480s:%d: shape", p->base.path, plan_line(p, "shape"));
    if (strchr(word, '.')) status = plan_find_file(p, &table, word, e);
    return status ? status : rate_series_shape(&p->shape, word, table, &usual, at, e);
}

/* ---- variables ------------------------------------------------------------------------------- */

static int check_limits(const struct distribution *d, int variable, const char *at, struct error *e)
{
    const struct variable_row v = variable_row(variable);
    char low[32], high[32];
    const bool below = isfinite(d->low) && d->low < v.low,
               above = isfinite(d->high) && d->high > v.high;
    if (!below && !above) return 0;
    return error_input(e, "%s: draws values from %g to %g; give a distribution from %s to %s%s%s",
                       at, d->low, d->high, number_text(v.low, low), number_text(v.high, high),
                       *v.unit ? " " : "", v.unit);
}

static int parse_variables(struct plan *p, struct error *e)
{
    int status = 0;
    for (int i = 0; i < VARIABLES && !status; i++) {
        char at[512];
        if (!p->keys.vary[i]) continue;
        snprintf(at, sizeof at, "%.440s:%d: vary_%s", p->base.path, p->keys.vary_line[i],
                 variable_row(i).name);
        if (p->table.has[i])
            return error_input(
                e, "%s: the member table has a column of this name; remove the line or the column",
                at);
        if (!(p->vary[i] = malloc(sizeof *p->vary[i]))) return error_memory(e);
        status = distribution_parse(p->vary[i], p->keys.vary[i], at, e);
        if (!status) status = check_limits(p->vary[i], i, at, e);
    }
    return status;
}

static int check_correlation(const struct plan *p, struct error *e)
{
    for (int i = 0; i < p->correlation.count; i++)
        if (!p->vary[p->correlation.variable[i]])
            return error_line(e, p->base.path, plan_line(p, "correlation"),
                              "the table has %s, which is not drawn; add a line vary_%s, or remove "
                              "its row and column",
                              variable_row(p->correlation.variable[i]).name,
                              variable_row(p->correlation.variable[i]).name);
    return 0;
}

/* Orders the dimensions of the sample. Vents and classes are first, because Sobol's points are most even in the first
 * dimensions. */
static int prepare_sampling(struct plan *p, struct error *e)
{
    struct sampling *s = &p->sampling;
    const bool table = p->table.count > 0;
    *s = (struct sampling){.kind = (enum sampling_kind)p->keys.sampling,
                           .seed = (uint64_t)p->keys.seed,
                           .count = p->count,
                           .stream = p->stream};
    if (p->sources.choice.count && !p->combined && !p->table.has_vent && !p->table.has_place)
        p->stream[s->dimensions++] = STREAM_VENT;
    if (p->classes.choice.count && !p->combined &&
        !(table && (p->table.has_class || p->table.has_rates)))
        p->stream[s->dimensions++] = STREAM_CLASS;
    for (int i = 0; i < VARIABLES; i++)
        if (p->vary[i]) p->stream[s->dimensions++] = i;
    return sampling_prepare(s, e);
}

/* ---- number and weights of members ----------------------------------------------------------- */

static bool has_shares(const struct choice *c)
{
    return c->count && (c->kind == CHOICE_PROBABILITIES || c->kind == CHOICE_SHARES);
}

static int check_weights(double sum, const char *path, struct error *e)
{
    if (sum < 0x1p53) return 0;
    return error_input(e,
                       "%s: the weights of all members sum up to 2^53 or more; divide all of them "
                       "by the same number",
                       path);
}

/* Gives vents and classes weights that are whole numbers. The sum of the weights of all members stays below 2^53. */
static int set_units(struct plan *p, struct error *e)
{
    struct choice *both[] = {&p->sources.choice, &p->classes.choice};
    double product = (double)p->repeats;
    int shared = 0, bits = SHARE_BITS_MAX;
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int k = 0; k < both[i]->count; k++) sum += both[i]->share[k];
        if (has_shares(both[i])) shared++;
        else if (both[i]->count) product *= sum;
    }
    if (shared && (WEIGHT_BITS - ilogb(product) - 1) / shared < bits)
        bits = (WEIGHT_BITS - ilogb(product) - 1) / shared;
    int status = bits < SHARE_BITS_MIN ? error_input(e,
                                                     "%s: the sum of the weights is too large; "
                                                     "divide whole weights by a common factor",
                                                     p->base.path)
                                       : 0;
    for (int i = 0; i < 2 && !status; i++)
        if (both[i]->count) {
            choice_units(both[i], bits);
            if (has_shares(both[i])) product *= (double)both[i]->sum;
        }
    return status ? status : check_weights(product, p->base.path, e);
}

int plan_check_draws(const struct plan *p, struct error *e)
{
    if (p->keys.members) return 0;
    return error_input(e,
                       "%s: members of a list cannot be drawn anew; give 'members N' instead of "
                       "the list",
                       p->base.path);
}

static int set_count(struct plan *p, struct error *e)
{
    const int vents = p->sources.choice.count, classes = p->classes.choice.count;
    p->repeats = p->keys.repeats;
    p->combined = !p->keys.members && !p->table.count;
    double count = (double)p->repeats;
    if (p->keys.members) count = (double)p->keys.members;
    else if (p->table.count) count *= p->table.count;
    else count *= (double)(vents ? vents : 1) * (classes ? classes : 1);
    if (count > PLAN_MEMBERS_MAX)
        return error_input(e, "%s: has %.0f members; at most %d can be counted", p->base.path,
                           count, PLAN_MEMBERS_MAX);
    p->count = (int64_t)count;
    if (p->draws && plan_check_draws(p, e)) return ERROR_INPUT;
    if (p->combined) return set_units(p, e);
    return check_weights((double)p->table.weight_sum * (double)p->repeats, p->table.path, e);
}

static void list_columns(struct plan *p)
{
    const struct member_table *t = &p->table;
    const bool chosen = p->sources.choice.count || t->has_vent || t->has_place;
    const bool moved = chosen || plan_given(p, VENT_EAST) || plan_given(p, VENT_NORTH);
    const bool own_steps = t->has_max_steps || plan_given(p, RUN_H) || plan_given(p, 0);
    const bool there[COLUMNS - VARIABLES] = {
        chosen && !t->has_place, moved,    moved, p->classes.choice.count > 0, t->has_rates,
        plan_terrain_errs(p),    own_steps};
    for (int i = 0; i < VARIABLES; i++)
        if (plan_given(p, i)) p->column[p->column_count++] = i;
    for (int i = VARIABLES; i < COLUMNS; i++)
        if (there[i - VARIABLES]) p->column[p->column_count++] = i;
}

static int read_rest(struct plan *p, struct error *e)
{
    /* The line terrain_error_length_m replaces the length that a kind of DEM implies. */
    struct plan_keys *k = &p->keys;
    if (k->dem_length_m > 0 && !plan_line(p, "terrain_error_length_m"))
        k->terrain_error_length_m = fmax(k->dem_length_m, p->base.geo.cell_m);
    int status = plan_check_keys(p, e);
    if (!status && strlen(p->base.name) + NAME_ROOM >= sizeof p->base.name)
        status = error_input(e,
                             "%s: its name is too long, as members are named after it; give the "
                             "file a name of at most %zu characters",
                             p->base.path, sizeof p->base.name - NAME_ROOM - 1);
    if (!status) status = read_eruption(p, e);
    if (!status) status = read_sources(p, e);
    if (!status) status = read_tables(p, e);
    if (!status) status = parse_variables(p, e);
    if (!status) status = check_correlation(p, e);
    if (!status) status = plan_check_tables(p, e);
    if (!status) status = set_count(p, e);
    if (!status) status = prepare_sampling(p, e);
    if (status) return status;
    const struct sim_case *c = &p->base;
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    for (size_t i = 0; i < cells && c->thickness_m; i++) {
        if (!(c->thickness_m[i] > 0)) continue;
        if (!p->lava_low_K || c->temp_K[i] < p->lava_low_K) p->lava_low_K = c->temp_K[i];
        if (c->temp_K[i] > p->lava_high_K) p->lava_high_K = c->temp_K[i];
    }
    list_columns(p);
    return plan_compute_digest(p, e);
}

static int read_from(struct plan **out, const char *path, const struct plan_more *calibration,
                     const char *state, const struct plan_draws *draws, bool is_known,
                     struct file_progress *progress, struct error *e)
{
    struct plan *p = *out = calloc(1, sizeof *p);
    if (!p) return error_memory(e);
    p->draws = draws;
    p->is_known = is_known;
    const struct schema_values more[] = {
        {&plan_schema, &p->keys}, calibration ? calibration->keys : (struct schema_values){0}, {0}};
    p->keys = plan_keys_default();
    p->calibrates = calibration && !calibration->members;
    struct file_stamp was = {0};
    file_stamp_of(&was, path);
    int status = case_load_base(&p->base, &p->settings, &p->files, path, more, progress, e);
    for (int i = 0; i < VARIABLES && calibration && calibration->fitted; i++)
        p->table.has[i] = calibration->fitted[i];
    if (p->calibrates) p->keys.members = 1;
    else if (!status && calibration && !plan_has_members(p)) p->keys.members = calibration->members;
    if (!status && p->base.change_count) status = read_whole(&p->base, e);
    if (!status) status = take_state(p, state, e);
    if (!status) status = read_rest(p, e);
    status = file_stamp_check_head(&was, path, status, e);
    if (status) {
        plan_free(p);
        *out = NULL;
    }
    return status;
}

int plan_read(struct plan **p, const char *path, const struct plan_more *calibration,
              struct file_progress *progress, struct error *e)
{
    return read_from(p, path, calibration, NULL, NULL, false, progress, e);
}

int plan_load(struct plan **p, const char *path, struct error *e)
{
    return plan_load_from(p, path, NULL, NULL, NULL, e);
}

static bool is_of(const struct plan_outlook *known, const struct plan *p)
{
    return known->digest == p->digest && known->points == p->sources.point_count &&
           known->warned[WARNING_INPUT].first < p->count &&
           known->warned[WARNING_RESULT].first < p->count &&
           known->warned[WARNING_NOTE].first < p->count;
}

int plan_load_from(struct plan **p, const char *path, const char *state,
                   const struct plan_draws *draws, const struct plan_outlook *known,
                   struct error *e)
{
    int status = read_from(p, path, NULL, state, draws, known != NULL, NULL, e);
    if (known && (status || !is_of(known, *p))) {
        plan_free(*p);
        return plan_load_from(p, path, state, draws, NULL, e);
    }
    if (!status && known) (*p)->outlook = *known;
    else if (!status) status = plan_look_ahead(&(*p)->outlook, *p, e);
    if (!status) plan_warn_of_terrain(*p);
    if (!status) status = warn_of_members(*p, e);
    if (!status) return 0;
    plan_free(*p);
    *p = NULL;
    return status;
}

void plan_free(struct plan *p)
{
    if (!p) return;
    for (int i = 0; i < VARIABLES; i++) free(p->vary[i]);
    vent_points_free(&p->vents);
    rate_series_free(&p->rates);
    rate_series_free(&p->shape);
    rate_history_free(&p->history);
    rate_shares_free(&p->shares);
    if (p->from) {
        fields_free(&p->from->f);
        restart_free(&p->from->about);
        FREE_ALL(p->from->path, p->from);
    }
    seen_free(&p->keys.seen);
    sources_free(&p->sources);
    classes_free(&p->classes);
    member_table_free(&p->table);
    plan_hazard_free(p->hazard);
    settings_free(&p->settings);
    case_files_free(&p->files);
    case_free(&p->base);
    FREE_ALL(p->assets, p->within_path, p->outlook.cost, p);
}

const char *plan_column(const struct plan *p, int i)
{
    static const char *const others[] = {"vent",         "x",        "y", "class", "rates",
                                         "terrain_seed", "max_steps"};
    _Static_assert(sizeof others / sizeof *others == COLUMNS - VARIABLES, "a name for each");
    const int column = p->column[i];
    return column < VARIABLES ? variable_row(column).name : others[column - VARIABLES];
}
