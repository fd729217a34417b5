#include "sensitivity.h"

#include "base/mix64.h"
#include "plan/plan_supply.h"
#include "terrain/noise.h"
#include "text/grow.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- quantities of a run --------------------------------------------------------------------- */

enum { WORD_MAX = 40 };

/* Makes a word for the names of columns and files. Letters, digits, '-' and '.' remain; other characters become '_'. */
static void set_word(char out[WORD_MAX + 1], const char *name)
{
    int n = 0;
    for (; *name && n < WORD_MAX; name++) {
        const char c = *name;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || (c == '.' && n);
        /* the second or later byte of a UTF-8 character */
        if ((unsigned char)c >> 6 == 2) continue;
        out[n++] = plain ? c : '_';
    }
    out[n] = '\0';
}

static bool is_used(const struct sensitivity *x, const char *name)
{
    for (int i = 0; i < x->quantities; i++)
        if (!strcmp(x->quantity[i].name, name)) return true;
    return false;
}

static struct quantity *add_quantity(struct sensitivity *x, enum quantity_kind kind, int number)
{
    struct quantity *q = &x->quantity[x->quantities++];
    *q = (struct quantity){.kind = kind, .number = number};
    return q;
}

/* Makes the name of a place for columns. Places with the same name also get a number. */
static void name_place(const struct sensitivity *x, int number, char word[64])
{
    char plain[WORD_MAX + 1], column[96];
    set_word(plain, x->places.asset[number].name);
    snprintf(word, 64, "%s", plain);
    for (int k = number + 1;; k++) {
        snprintf(column, sizeof column, "reached_%s", word);
        if (!is_used(x, column)) return;
        snprintf(word, 64, "%s_%d", plain, k);
    }
}

static void add_place(struct sensitivity *x, int number)
{
    const char *name = x->places.asset[number].name;
    char word[64];
    name_place(x, number, word);
    struct quantity *q = add_quantity(x, QUANTITY_REACHED, number);
    snprintf(q->name, sizeof q->name, "reached_%s", word);
    words_pack(q->words, sizeof q->words, "whether lava reaches %s", name);
    q = add_quantity(x, QUANTITY_ARRIVAL, number);
    snprintf(q->name, sizeof q->name, "arrival_%s_h", word);
    words_pack(q->words, sizeof q->words, "arrival at %s (h)", name);
}

static void add_score(struct sensitivity *x, int number)
{
    static const char *const scores[] = {"J", "F1", "precision", "recall"};
    _Static_assert(sizeof scores / sizeof *scores == SCORE_DISTANCE,
                   "those have no unit, and check_keys() refuses ensemble");
    const struct observation *o = &x->observed.item[number];
    struct quantity *q = add_quantity(x, QUANTITY_SCORE_OF, number);
    snprintf(q->name, sizeof q->name, "score_%s", o->name);
    if (o->inside && !o->unit)
        words_pack(q->words, sizeof q->words, "%s with the observed %s", scores[o->score], o->name);
    else words_pack(q->words, sizeof q->words, "agreement with the observed %s", o->name);
}

/* Lists the quantities, after plan, observations and places have been read. */
static void quantities_list(struct sensitivity *x)
{
    const struct plan *p = x->plan;
    const struct {
        enum quantity_kind kind;
        bool wanted;
        const char *name, *words;
    } of_runs[] = {
        {QUANTITY_AREA, true, "area_m2", "area (m\xC2\xB2)"},
        {QUANTITY_RUNOUT, p->vents.count > 0, "runout_m", "run-out (m)"},
        {QUANTITY_MAX_THICKNESS, true, "max_thickness_m", "greatest thickness (m)"},
        {QUANTITY_MEAN_THICKNESS, !p->base.thickness_m, "mean_thickness_m",
         "mean thickness in the end (m)"},
        {QUANTITY_VOLUME, true, "volume_on_terrain_m3",
         "emitted volume that stays on the terrain (m\xC2\xB3)"},
        {QUANTITY_SCORE, x->observed.count > 1, "score", "agreement with all that was observed"},
    };
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs; i++) {
        if (!of_runs[i].wanted) continue;
        struct quantity *q = add_quantity(x, of_runs[i].kind, 0);
        snprintf(q->name, sizeof q->name, "%s", of_runs[i].name);
        snprintf(q->words, sizeof q->words, "%s" WORDS_NEXT, of_runs[i].words);
    }
    for (int i = 0; i < x->observed.count; i++) add_score(x, i);
    for (int i = 0; i < x->places.count; i++) add_place(x, i);
}

static double value_of(const struct sensitivity *x, const struct quantity *q,
                       const struct contribution *one, const struct agreement *a)
{
    const struct member_result *r = &one->result;
    const double cell_m = x->plan->base.geo.cell_m, area_m2 = (double)r->cells * cell_m * cell_m;
    const double volume_m3 = r->emitted_m3 - r->left_m3;
    switch (q->kind) {
    case QUANTITY_AREA:
        return area_m2;
    case QUANTITY_RUNOUT:
        return isnan(r->runout_m) ? 0 : r->runout_m;
    case QUANTITY_MAX_THICKNESS:
        return r->max_thickness_m;
    case QUANTITY_MEAN_THICKNESS:
        return area_m2 > 0 ? volume_m3 / area_m2 : 0;
    case QUANTITY_VOLUME:
        return volume_m3;
    case QUANTITY_SCORE:
        return a->all[PART_SEEN];
    case QUANTITY_SCORE_OF:
        return a->of[q->number][PART_SEEN];
    default:
        return 0;
    }
}

/* Finds all quantities of a run. */
static int quantities_of(const struct sensitivity *x, const struct contribution *one,
                         const struct axis *arrival_s, double *value, struct error *e)
{
    int first[SENSITIVITY_PLACES_MAX]; /* first class of arrival at each place */
    struct agreement a;
    int status = x->observed.count ? observations_judge(&x->observed, one, &a, e) : 0;
    if (status) return status;
    for (int i = 0; i < x->places.count; i++) first[i] = -1;
    for (size_t i = 0; i < one->places; i++)
        first[one->place[i].place] = one->place[i].arrival_class;
    for (int i = 0; i < x->quantities; i++) {
        const struct quantity *q = &x->quantity[i];
        if (q->kind == QUANTITY_REACHED) value[i] = first[q->number] >= 0;
        else if (q->kind == QUANTITY_ARRIVAL)
            value[i] =
                axis_low(arrival_s, first[q->number] < 0 ? arrival_s->edges : first[q->number]) /
                3600;
        else value[i] = value_of(x, q, one, &a);
    }
    return 0;
}

const char *const stage_names[STAGES] = {"morris", "sobol"};

/* ---- points ---------------------------------------------------------------------------------- */

void sensitivity_point(const struct sensitivity *x, const struct design *d, int64_t group, int p,
                       double *value)
{
    double unit[DESIGN_DIMENSIONS_MAX];
    design_point(d, group, p, unit);
    for (int i = 0; i < x->fits; i++) value[i] = fit_value(&x->fit[i], unit[i]);
}

/* The least i for which point first + i cannot be run; `count`: all `count` points can be run. */
static int64_t first_impossible(struct sensitivity *x, const struct stage *s, int64_t first,
                                int64_t count)
{
    const int points = s->design.points;
    int64_t found = count;
    for (int64_t i = 0; i < count; i++) {
        double value[FITS_MAX];
        sensitivity_point(x, &s->design, (first + i) / points, (int)((first + i) % points), value);
        x->plan->table.row[i] = point_row(x->fit, x->fits, 0, value, 0);
    }
#pragma omp parallel for schedule(dynamic, 64) reduction(min : found)
    for (int64_t i = 0; i < count; i++) {
        bool possible = true;
        if (i < found && (member_possible(&possible, x->plan, i, NULL) || !possible)) found = i;
    }
    return found;
}

/* Refuses a point, with the error of its member but without the beginning "plan.cfg: member 17: ". */
static int refuse_point(const struct sensitivity *x, int64_t row, struct error *e)
{
    struct member m;
    struct error why = {0};
    char member[40];
    int status = member_create_flat(&m, x->plan, row, &why);
    if (!status) {
        member_free(&m);
        return error_memory(e); /* the first attempt had too little memory */
    }
    if (status != ERROR_INPUT) return error_failed(e, "%.1000s", why.text);
    snprintf(member, sizeof member, ": member %" PRId64 ": ", row);
    const char *at = strstr(why.text, member);
    return error_input(e, "%s: a point between the bounds cannot be run: %.400s",
                       x->plan->base.path, at ? at + strlen(member) : why.text);
}

static int check_points(struct sensitivity *x, const struct stage *s, struct error *e)
{
    enum { AT_ONCE = 8192 };
    const int64_t all = s->design.groups * s->design.points;
    int status = points_make_room(x->plan, all < AT_ONCE ? all : AT_ONCE, e);
    for (int64_t first = 0; first < all && !status; first += AT_ONCE) {
        const int64_t count = all - first < AT_ONCE ? all - first : AT_ONCE,
                      bad = first_impossible(x, s, first, count);
        if (bad < count) status = refuse_point(x, bad, e);
    }
    return status;
}

static int64_t count_runs(const struct sensitivity *x, bool all)
{
    int64_t runs = 0;
    for (int i = 0; i < STAGES; i++) {
        const struct stage *s = &x->stage[i];
        if (s->wanted) runs += stage_runs(x, s, all ? s->design.groups : s->done);
    }
    return runs;
}

int64_t sensitivity_runs(const void *sensitivity)
{
    return count_runs(sensitivity, false);
}

static int check_keys(const struct sensitivity *x, struct error *e)
{
    if (calibration_keys_check(&x->keys, x->plan, e)) return ERROR_INPUT;
    if (!calibration_keys_joint(&x->keys)) return observations_warn_outlines(x->plan, &x->keys, e);
    return error_input(e,
                       "%s: 'score ensemble' judges many runs together, but a sensitivity analysis "
                       "needs a score of each run; give 'score jaccard'",
                       x->plan->base.path);
}

static int check_count(const struct sensitivity *x, struct error *e)
{
    const int64_t runs = count_runs(x, true);
    if (runs <= PLAN_MEMBERS_MAX) return 0;
    return error_input(e, "%s: %" PRId64 " runs; at most %d can be computed; ask for fewer samples",
                       x->plan->base.path, runs, PLAN_MEMBERS_MAX);
}

static int read_places(struct sensitivity *x, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    const int status = assets_on(&x->places, x->plan->assets, &c->problem, &c->geo, e);
    if (status || x->places.count <= SENSITIVITY_PLACES_MAX) return status;
    return error_input(e,
                       "%s: has %d places; a sensitivity analysis computes indices for at most %d "
                       "places; remove some",
                       x->plan->assets, x->places.count, SENSITIVITY_PLACES_MAX);
}

/* Checks the plan's case with unchanged parameters: its observations, the places of its vents and its duration. */
static int check_case(struct sensitivity *x, struct error *e)
{
    struct member base;
    FREED_BY(plan_supply_free) struct plan_supply supply = {0};
    int status = points_base(x->plan, &base, e);
    if (status) return status;
    if (x->plan->base.outline_path || x->keys.observed_count)
        status = observations_create(&x->observed, &x->keys, &base.c, NULL, e);
    if (!status) status = observations_warn(&x->observed, &x->plan->base, e);
    member_free(&base);
    if (!status) status = plan_supply_create(&supply, x->plan, e);
    x->arrival_steps = x->places.count ? supply.source.request.arrival_steps + 1 : 1;
    x->vents = supply.source.vents;
    x->vent = supply.vent;
    supply.vent = NULL;
    return status;
}

static int stage_create(struct sensitivity *x, struct stage *s, int method, struct error *e)
{
    const struct problem *p = &x->plan->base.problem;
    const bool morris = method == METHOD_MORRIS;
    struct design *d = &s->design;
    *d = (struct design){.method = method,
                         .dimensions = x->fits,
                         .groups = morris ? x->keys.trajectories : x->keys.samples,
                         .second_order = x->keys.second_order,
                         .levels = (int)x->keys.levels,
                         .seed = x->seed};
    s->wanted = (x->keys.method & method) != 0;
    int status = design_prepare(d, e);
    if (!status) status = cells_create(&s->cells, (size_t)p->rows * (size_t)p->cols, d, e);
    if (status) return status;
    s->noise = calloc((size_t)x->quantities, sizeof *s->noise);
    return s->noise ? 0 : error_memory(e);
}

static int open_all(struct sensitivity *x, struct error *e)
{
    x->fits = fits_list(x->fit, &x->keys, 0);
    if (!x->fits)
        return error_input(
            e, "%s: names no parameter to vary; add a line such as 'fit_Pcool 1.5 8 log'",
            x->plan->base.path);
    int status = check_keys(x, e);
    if (!status) status = read_places(x, e);
    if (!status) status = check_case(x, e);
    if (!status) quantities_list(x);
    for (int i = 0; i < STAGES && !status; i++)
        status = stage_create(x, &x->stage[i], i == STAGE_MORRIS ? METHOD_MORRIS : METHOD_SOBOL, e);
    if (!status) status = check_count(x, e);
    for (int i = 0; i < STAGES && !status; i++)
        if (x->stage[i].wanted) status = check_points(x, &x->stage[i], e);
    if (status) return status;
    x->digest = noise_hash(x->plan->digest, (int64_t)x->seed, x->keys.levels, 7);
    x->digest = noise_hash(x->digest, x->keys.second_order, x->arrival_steps, 8);
    x->digest = observations_digest(&x->observed, x->digest);
    return 0;
}

static void close_study(void *sensitivity)
{
    struct sensitivity *x = sensitivity;
    for (int i = 0; i < STAGES; i++) {
        cells_free(&x->stage[i].cells);
        FREE_ALL(x->stage[i].value, x->stage[i].noise, x->stage[i].index);
    }
    observations_free(&x->observed);
    assets_free(&x->places);
    plan_free(x->plan);
    RELEASE(x, x->vent);
}

int sensitivity_open(struct sensitivity *x, const char *path, const struct sensitivity_options *w,
                     struct error *e)
{
    *x = (struct sensitivity){0};
    const struct plan_more more = calibration_keys_default(&x->keys);
    int status = plan_read(&x->plan, path, &more, NULL, e);
    if (status) return status;
    if (w->seed >= 0) x->plan->keys.seed = w->seed;
    if (w->method) x->keys.method = w->method;
    if (w->samples) x->keys.samples = w->samples;
    if (w->trajectories) x->keys.trajectories = w->trajectories;
    x->seed = (uint64_t)x->plan->keys.seed;
    x->bare = x->plan->base;
    x->bare.outline_path = NULL;
    status = open_all(x, e);
    if (status) close_study(x);
    return status;
}

static uint64_t mix_real(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix64(hash + bits);
}

uint64_t sensitivity_digest(const void *sensitivity)
{
    const struct sensitivity *x = sensitivity;
    uint64_t hash = mix64(x->digest);
    for (int i = 0; i < STAGES; i++) {
        const struct stage *s = &x->stage[i];
        const int64_t values = s->done * s->design.points * x->quantities;
        hash = mix64(hash ^ mix64((uint64_t)s->done + (uint64_t)i));
        for (int64_t k = 0; k < values; k++) hash = mix_real(hash, s->value[k]);
        for (int q = 0; q < x->quantities; q++) hash = mix_real(hash, s->noise[q]);
        hash = mix64(hash + s->runs_digest + mix64((uint64_t)s->left));
        hash = mix64(hash + cells_digest(&s->cells));
    }
    return hash;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Groups that one ensemble computes together, so that all processors or devices are busy. The plan's member table has
 * a row for each point and each terrain error. */
struct round {
    struct study_job *job;
    struct sensitivity *x;
    struct stage *s;
    int64_t first, groups, members; /* first: number of the first group; members: runs of a point */
    int64_t runs;
    double *value;          /* for each run and quantity */
    struct cell_list *list; /* a list for each point */
    uint64_t digest;
    int64_t left;
    const struct axis *arrival_s;
};

static int on_result(void *of, struct contribution *one, struct error *e)
{
    struct round *r = of;
    const struct stage *s = r->s;
    const int64_t run = r->first * s->design.points * r->members + one->number;
    int status =
        quantities_of(r->x, one, r->arrival_s, r->value + one->number * r->x->quantities, e);
    if (status) return status;
    r->digest += mix64(one->result.digest ^ mix64((uint64_t)run + UINT64_C(0x9e3779b97f4a7c15)));
    r->left += member_off_terrain(&one->result);
    struct cell_list *list = &r->list[one->number / r->members];
    uint32_t *more = realloc(list->slot, (list->count + one->cells + 1) * sizeof *more);
    if (!more) return error_memory(e);
    list->slot = more;
    for (size_t i = 0; i < one->cells; i++) {
        const int64_t slot = cells_open(&r->s->cells, one->cell[i].place);
        if (slot < 0) return error_memory(e);
        more[list->count++] = (uint32_t)slot;
    }
    r->job->round_bytes += one->cells * sizeof *more;
    return 0;
}

static void round_free(struct round *r)
{
    for (int64_t i = 0; r->list && i < r->groups * r->s->design.points; i++) free(r->list[i].slot);
    free(r->list);
    free(r->value);
}

static int round_create(struct round *r, struct error *e)
{
    struct sensitivity *x = r->x;
    const struct design *d = &r->s->design;
    const int64_t points = r->groups * d->points;
    r->runs = points * r->members;
    r->value = malloc((size_t)(r->runs * x->quantities) * sizeof *r->value);
    r->list = calloc((size_t)points, sizeof *r->list);
    int status = r->value && r->list ? points_make_room(x->plan, r->runs, e) : error_memory(e);
    for (int64_t i = 0; i < r->runs && !status; i++) {
        const int64_t point = i / r->members;
        double value[FITS_MAX];
        sensitivity_point(x, d, r->first + point / d->points, (int)(point % d->points), value);
        x->plan->table.row[i] = point_row(x->fit, x->fits, 0, value, i % r->members);
    }
    return status;
}

static void adapt_to_stage(const void *of, struct study_progress *now)
{
    const struct round *r = of;
    now->stage = stage_names[r->s - r->x->stage];
    now->done += sensitivity_runs(r->x);
    now->all = count_runs(r->x, true);
    now->error = 0;
}

static int run_round(struct round *r, struct error *e)
{
    FREED_BY(plan_supply_free) struct plan_supply supply = {0};
    FREED_BY(ensemble_free) struct ensemble s = {0};
    double time_s[OBSERVATIONS_MAX];
    int threads = r->job->threads;
    int status = plan_supply_create(&supply, r->x->plan, e);
    if (!status) {
        /* One class of thickness is enough: the study needs only the arrival at places, and the lava at the times of
         * observations. */
        const struct sensitivity *x = r->x;
        struct ensemble_source *source = &supply.source;
        source->base = &x->bare;
        source->request.threshold_count = 0;
        source->request.thickness_steps = 1;
        source->request.arrival_steps = x->arrival_steps;
        observations_request(&x->observed, &source->request, time_s);
        status = engine_prepare(&s, &supply.source, &threads, e);
    }
    if (!status) {
        s.on_result = on_result;
        s.on_result_of = r;
        s.uncounted = true;
        r->arrival_s = &s.arrival_s;
        observations_use_axis(&r->x->observed, &s.arrival_s);
        status = engine_round(r->job, &s, threads, adapt_to_stage, r, &r->x->counts, e);
    }
    return status;
}

/* The mean of a quantity over the runs of a point. *error2: its squared standard error. */
static double mean_of(const struct round *r, int64_t point, int quantity, double *error2)
{
    const int quantities = r->x->quantities;
    const double *value = r->value + point * r->members * quantities + quantity;
    const double n = (double)r->members;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < r->members; i++) sum += value[i * quantities];
    const double mean = sum / n;
    for (int64_t i = 0; i < r->members; i++)
        squares += (value[i * quantities] - mean) * (value[i * quantities] - mean);
    *error2 = r->members > 1 ? squares / (n - 1) / n : 0;
    return mean;
}

static int add_round(struct round *r, struct error *e)
{
    struct sensitivity *x = r->x;
    struct stage *s = r->s;
    const int points = s->design.points;
    const size_t values = (size_t)(r->first + r->groups) * (size_t)points * (size_t)x->quantities;
    double *more = realloc(s->value, values * sizeof *more), error2;
    if (!more) return error_memory(e);
    s->value = more;
    more += r->first * points * x->quantities;
    for (int64_t i = 0; i < r->groups * points; i++)
        for (int q = 0; q < x->quantities; q++) {
            more[i * x->quantities + q] = mean_of(r, i, q, &error2);
            s->noise[q] += error2;
        }
    for (int64_t g = 0; g < r->groups; g++)
        cells_add(&s->cells, &s->design, r->first + g, r->list + g * points);
    s->runs_digest += r->digest;
    s->left += r->left;
    s->done += r->groups;
    return 0;
}

static struct stage *stage_now(struct sensitivity *x)
{
    for (int i = 0; i < STAGES; i++)
        if (x->stage[i].wanted && x->stage[i].done < x->stage[i].design.groups) return &x->stage[i];
    return NULL;
}

static bool sensitivity_unfinished(void *self)
{
    return stage_now(self) != NULL;
}

static int compute_round(struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    FREED_BY(round_free)
    struct round r = {.job = j, .x = x, .s = stage_now(x), .members = x->keys.noise_members};
    if (x->now != r.s) j->round = 0; /* j->round is a number of groups of the other stage */
    x->now = r.s;
    r.first = r.s->done;
    r.groups = study_round(j, (double)r.s->design.points * (double)r.members,
                           r.s->design.groups - r.first);
    int status = round_create(&r, e);
    if (!status) status = run_round(&r, e);
    if (!status && !j->stopped) status = add_round(&r, e);
    return status;
}

/* ---- the state: values of the points and sums of the cells of finished groups ---------------- */

static void put_stage(struct packed_out *o, const struct sensitivity *x, const struct stage *s)
{
    const int64_t values = s->done * s->design.points * x->quantities;
    packed_put(o, (uint64_t)s->done);
    packed_put(o, s->runs_digest);
    packed_put(o, (uint64_t)s->left);
    for (int64_t i = 0; i < values; i++) packed_put_real(o, s->value[i]);
    for (int q = 0; q < x->quantities; q++) packed_put_real(o, s->noise[q]);
    /* For each place with sums, writes first how many places without sums lie between it and the previous place with
     * sums, and then its sums. The number cells->places marks the end. */
    const struct cells *cells = &s->cells;
    size_t gap = 0;
    for (size_t i = 0; i < cells->places; i++, gap++) {
        const int64_t *sum = cells_at(cells, i);
        if (!sum) continue;
        packed_put(o, gap);
        for (size_t k = 0; k < cells_stride(cells); k++) packed_put_signed(o, sum[k]);
        gap = SIZE_MAX; /* becomes 0 at the end of the loop body */
    }
    packed_put(o, cells->places);
}

static void put_sensitivity(const void *of, struct packed_out *o)
{
    const struct sensitivity *x = of;
    packed_put(o, (uint64_t)x->quantities);
    for (int i = 0; i < STAGES; i++) put_stage(o, x, &x->stage[i]);
}

static int get_cells(struct packed_in *i, struct cells *cells, struct error *e)
{
    for (size_t place = 0; !i->bad; place++) {
        const uint64_t gap = packed_get(i, cells->places);
        if (gap == cells->places) return i->bad ? STATE_DAMAGED : 0;
        if (gap >= cells->places - place) return STATE_DAMAGED;
        place += (size_t)gap;
        const int64_t slot = cells_open(cells, (uint32_t)place);
        if (slot < 0) return error_memory(e);
        int64_t *sum = cells->sum + (size_t)slot * cells_stride(cells);
        for (size_t k = 0; k < cells_stride(cells); k++) sum[k] = packed_get_signed(i);
        if (sum[CELL_ALL] <= 0) return STATE_DAMAGED;
    }
    return STATE_DAMAGED;
}

/* Memory grows only with the values that are read, so a wrong number of values in the file cannot exhaust memory. */
static int get_stage(struct packed_in *i, const struct sensitivity *x, struct stage *s,
                     struct error *e)
{
    const int64_t done = (int64_t)packed_get(i, SENSITIVITY_SAMPLES_MAX);
    s->runs_digest = packed_get(i, UINT64_MAX);
    s->left = (int64_t)packed_get(i, PLAN_MEMBERS_MAX);
    for (int64_t k = 0; k < done * s->design.points * x->quantities && !i->bad; k++) {
        if (!GROW(s->value, k)) return error_memory(e);
        s->value[k] = packed_get_real(i);
    }
    for (int q = 0; q < x->quantities; q++) s->noise[q] = packed_get_real(i);
    if (i->bad) return STATE_DAMAGED;
    s->done = done;
    return get_cells(i, &s->cells, e);
}

static int check_groups(const struct sensitivity *x, const char *path, struct error *e)
{
    for (int k = 0; k < STAGES; k++) {
        const struct stage *s = &x->stage[k];
        if (s->wanted && s->done > s->design.groups)
            return error_input(e,
                               "%s: has %" PRId64 " %s, more than the %" PRId64
                               " requested; request at least as many, or choose another folder",
                               path, s->done, k == STAGE_MORRIS ? "trajectories" : "samples",
                               s->design.groups);
    }
    return 0;
}

static int get_sensitivity(void *of, struct packed_in *i, struct error *e)
{
    struct sensitivity *x = of;
    int status = packed_get(i, QUANTITIES_MAX) == (uint64_t)x->quantities ? 0 : STATE_DAMAGED;
    for (int k = 0; k < STAGES && !status; k++) status = get_stage(i, x, &x->stage[k], e);
    if (status) return status;
    return packed_get_sum(i) ? check_groups(x, i->path, e) : STATE_DAMAGED;
}

static int made_by(const void *of, struct made_by *by, struct error *e)
{
    const struct sensitivity *x = of;
    const int status = made_by_read(by, x->plan->base.path, e);
    return status ? status : made_by_add(by, "seed", (int64_t)x->seed, e);
}

const struct state_kind sensitivity_state = {.magic = "sciara sensitivity 2\n",
                                             .what = "a sensitivity analysis",
                                             .digest_at = offsetof(struct sensitivity, digest),
                                             .made_by = made_by,
                                             .put = put_sensitivity,
                                             .get = get_sensitivity};

/* ---- the study ------------------------------------------------------------------------------- */

static int open_study(struct study_job *j, struct error *e)
{
    static const struct sensitivity_options as_planned = {.seed = -1};
    struct sensitivity *x = j->self;
    int status = sensitivity_open(x, j->plan, j->options ? j->options : &as_planned, e);
    if (!status) j->c = &x->plan->base;
    x->job = j;
    return status;
}

const struct study study_sensitivity = {STUDY_NAMED("sensitivity", struct sensitivity),
                                        .state = &sensitivity_state,
                                        .files = &sensitivity_files,
                                        .unfinished = sensitivity_unfinished,
                                        .runs = sensitivity_runs,
                                        .round = compute_round,
                                        .digest = sensitivity_digest,
                                        .warn = sensitivity_warn,
                                        .write = sensitivity_write,
                                        .summary = sensitivity_summary};
