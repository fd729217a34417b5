/* build: optimized */
#include "null_model.h"

#include "sim/digest.h"
#include "steepest.h"
#include "text/grow.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The grid of numbers to try: lengths up to twice the run-out of the outline; half widths up to three times the mean
 * half width of the outline, area / (2 run-out). */
enum { LENGTHS = 41, WIDTHS = 16, LEVELS = 1001, HALF_WIDTH_MOST = 1000 };

/* The largest number of threads, and of cells in the arrays of all threads together. Each thread has arrays of the size
 * of the terrain, but only parts near paths need memory. */
enum { THREADS = 16, THREADS_CELLS = 1 << 28 };

/* Cells covered by the paths of one thread. The counts are sums, so the order of paths does not matter. */
struct share {
    uint32_t *mark, marks; /* the last path that covered each cell; number of paths so far */
    uint32_t *slot;        /* index in covered[] of each cell, from 1; 0: no path covers it */
    uint32_t slots;
    struct covered {
        uint32_t place;
        /* by[i]: weight of the paths that cover the cell at length i, but not at length i - 1. */
        uint64_t by[LENGTHS];
    } * covered;
};

/* The paths, and the cells that they cover. */
struct work {
    struct null_model *n;
    struct steepest_path path[NULL_PATHS];
    uint64_t weight[NULL_PATHS], weight_sum; /* weight of each path's member */
    int paths;
    double length, width; /* steps of the lengths and half widths to try, in cells */

    /* reach: radius of the disc, in whole cells. offset[] lists the offset_count cells of the disc.
     * Then it repeats the edge_count cells that are near the edge of the disc. */
    int reach, offset_count, edge_count;
    struct offset {
        int row, col;
    } * offset;
    int threads;
    struct share share[THREADS];
    /* Number of covered cells by length, by probability, and without (0) or with (1) observed lava. */
    uint64_t cells[LENGTHS][LEVELS][2];
    struct contribution one;
    /* For the paths of one draw: their weight in each cell; sum of their weights. */
    uint64_t *count, count_sum;
};

/* ---- paths ----------------------------------------------------------------------------------- */

static int follow_paths(struct work *w, struct steepest *s, int k, double most, struct error *e)
{
    const struct ensemble_source *of = w->n->members;
    static const struct terrain_error usual = {.seed = 0, .sd_m = NULL_ERROR_M};
    struct ensemble_member m = {0};
    /* A list of members may be sorted, so paths take members evenly from it. Other members are random, so paths take
     * the first ones. If there are fewer members than paths, each member has several paths, over terrain with
     * different errors. */
    const int paths = w->paths;
    const int64_t number = of->listed && of->count > paths ? k * of->count / paths : k % of->count;
    int status = ensemble_member_create(of, number, true, &m, e);
    if (status) return status;
    const struct problem *p = &m.c->problem;
    const bool own = p->elevation_m != of->base->elevation_m;
    struct terrain_error error = m.error.sd_m > 0 || own ? m.error : usual;
    if (!(m.error.sd_m > 0)) error.number = (uint64_t)number;
    /* Paths of the same member have different errors. Numbers of members are below 2^32. */
    error.number |= (uint64_t)(k / of->count) << 32;
    w->weight[k] = m.weight;
    if (p->vent_count) {
        const struct vent *v = &p->vents[k % p->vent_count];
        const uint32_t from = (uint32_t)v->row * (uint32_t)p->cols + (uint32_t)v->col;
        status = steepest_follow(s, p, &error, from, most, &w->path[k], e);
    } else {
        status = error_input(e, "%s: member %lld has no vent from which a path could begin",
                             of->path, (long long)number);
    }
    of->release(of->of, &m);
    return status;
}

/* Follows all paths. *e is the error of the first path with an error. */
static int follow_all(struct work *w, struct error *e)
{
    const struct null_model *n = w->n;
    const struct problem *p = &n->source.base->problem;
    const double all = 2 * hypot(p->rows, p->cols);
    const double most = n->fitted ? all : n->at.length_m / n->source.base->geo.cell_m;
    int status = 0, bad = w->paths;
#pragma omp parallel num_threads(w->threads)
    {
        struct error why;
        struct steepest *s = NULL;
#pragma omp for schedule(monotonic : dynamic)
        for (int k = 0; k < w->paths; k++) {
            int mine = 0;
            if (!s) mine = steepest_create(&s, p, &why);
            if (!mine) mine = follow_paths(w, s, k, most, &why);
#pragma omp critical(null_paths)
            if (mine && k < bad) {
                bad = k;
                status = mine;
                if (e) *e = why;
            }
        }
        steepest_free(s);
    }
    for (int k = 0; k < w->paths; k++) w->weight_sum += w->weight[k];
    return status;
}

/* ---- widening -------------------------------------------------------------------------------- */

/* Lists the offsets of the cells in a disc. When the disc moves to the next cell of a path, only offsets near its edge
 * cover new cells. */
static bool set_disc(struct work *w, double radius)
{
    w->reach = (int)radius;
    const size_t side = 2 * (size_t)w->reach + 1;
    struct offset *all = realloc(w->offset, 2 * side * side * sizeof *all),
                  *edge = all + side * side;
    if (!all) return false;
    w->offset = all;
    w->offset_count = w->edge_count = 0;
    for (int row = -w->reach; row <= w->reach; row++)
        for (int col = -w->reach; col <= w->reach; col++) {
            const double away = sqrt((double)row * row + (double)col * col);
            const struct offset one = {row, col};
            if (away <= radius) all[w->offset_count++] = one;
            if (away <= radius && away > radius - 1.5) edge[w->edge_count++] = one;
        }
    memmove(all + w->offset_count, edge, (size_t)w->edge_count * sizeof *edge);
    return true;
}

/* Reads the terrain that paths cover up to the length `most`, if terrain is read on demand. */
static int read_covered(const struct work *w, double most, struct error *e)
{
    enum { CELLS = 64 };
    const struct problem *p = &w->n->source.base->problem;
    int status = 0;
    for (int k = 0; p->terrain && k < w->paths; k++) {
        const struct steepest_path *x = &w->path[k];
        for (size_t i = 0; i < x->count && x->at[i].length <= most && !status; i += CELLS) {
            struct window box = {0};
            for (size_t n = i; n < x->count && n < i + CELLS; n++) {
                const int row = (int)(x->at[n].place / (uint32_t)p->cols) - w->reach,
                          col = (int)(x->at[n].place % (uint32_t)p->cols) - w->reach;
                box = window_of_both(box,
                                     (struct window){row, col, 2 * w->reach + 1, 2 * w->reach + 1});
            }
            status = problem_read_terrain(p, window_common(box, problem_domain(p)), e);
        }
    }
    return status;
}

typedef bool on_covered(struct work *w, struct share *mine, uint32_t place, int path,
                        double length);

/* Calls `found` for each cell with data that the path covers, and passes the length of the path up to that cell. */
static bool cover_path(struct work *w, struct share *mine, int path, double most, on_covered *found)
{
    const struct problem *p = &w->n->source.base->problem;
    const struct steepest_path *x = &w->path[path];
    mine->marks++;
    for (size_t i = 0; i < x->count && x->at[i].length <= most; i++) {
        const int row = (int)(x->at[i].place / (uint32_t)p->cols),
                  col = (int)(x->at[i].place % (uint32_t)p->cols);
        const struct offset *of = i ? w->offset + w->offset_count : w->offset;
        const int count = i ? w->edge_count : w->offset_count;
        for (int k = 0; k < count; k++) {
            const int r = row + of[k].row, c = col + of[k].col;
            if (r < 0 || r >= p->rows || c < 0 || c >= p->cols) continue;
            const uint32_t place = (uint32_t)r * (uint32_t)p->cols + (uint32_t)c;
            if (mine->mark[place] == mine->marks || isnan(p->elevation_m[place])) continue;
            mine->mark[place] = mine->marks;
            if (!found(w, mine, place, path, x->at[i].length)) return false;
        }
    }
    return true;
}

/* ---- fitting --------------------------------------------------------------------------------- */

/* The entry of a cell; all zero if no path has come to the cell. NULL: out of memory. */
static struct covered *covered_at(struct share *mine, uint32_t place)
{
    if (!mine->slot[place]) {
        if (!GROW(mine->covered, mine->slots)) return NULL;
        mine->covered[mine->slots++] = (struct covered){.place = place};
        mine->slot[place] = mine->slots;
    }
    return &mine->covered[mine->slot[place] - 1];
}

static bool count_cell(struct work *w, struct share *mine, uint32_t place, int path, double length)
{
    struct covered *c = covered_at(mine, place);
    const int at = (int)fmin(LENGTHS - 1, ceil(length / w->length));
    if (c) c->by[at] += w->weight[path];
    return c != NULL;
}

static void forget_covered(struct share *mine)
{
    while (mine->slots) mine->slot[mine->covered[--mine->slots].place] = 0;
}

/* Counts in w->share[0] the cells that paths cover. */
static bool count_cells(struct work *w, double most)
{
    struct share *all = &w->share[0];
    bool good = true;
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->threads) reduction(&& : good)
    for (int path = 0; path < w->paths; path++)
        good = good && cover_path(w, &w->share[omp_get_thread_num()], path, most, count_cell);
    for (struct share *one = all + 1; one < all + w->threads; one++) {
        for (uint32_t i = 0; i < one->slots && good; i++) {
            struct covered *c = covered_at(all, one->covered[i].place);
            for (int l = 0; c && l < LENGTHS; l++) c->by[l] += one->covered[i].by[l];
            good = c != NULL;
        }
        forget_covered(one);
    }
    return good;
}

/* Finds the log score at each length. The length with the best log score is chosen, because forecasts are judged by this
 * score, too. */
static void score(struct work *w, double log_score[LENGTHS])
{
    const struct domain *d = &w->n->s.domain;
    const uint32_t cols = (uint32_t)d->cols;
    memset(w->cells, 0, sizeof w->cells);
    for (uint32_t i = 0; i < w->share[0].slots; i++) {
        const struct covered *c = &w->share[0].covered[i];
        const unsigned flags = domain_at(d, (int)(c->place / cols), (int)(c->place % cols));
        uint64_t sum = 0;
        for (int l = 0; l < LENGTHS && flags & DOMAIN_IN; l++)
            if ((sum += c->by[l]))
                w->cells[l][(wide)sum * (LEVELS - 1) / w->weight_sum][flags != DOMAIN_IN]++;
    }
    for (int l = 0; l < LENGTHS; l++) {
        uint64_t dry = d->cells - d->observed, lava = d->observed;
        log_score[l] = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            const uint64_t *cells = w->cells[l][level];
            const double p = (double)level / (LEVELS - 1);
            if (cells[0]) log_score[l] += (double)cells[0] * verify_log_of(1 - p);
            if (cells[1]) log_score[l] += (double)cells[1] * verify_log_of(p);
            dry -= cells[0];
            lava -= cells[1];
        }
        log_score[l] += (double)dry * verify_log_of(1) + (double)lava * verify_log_of(0);
    }
}

/* Searches the grid. Among equal scores the narrowest paths win, then the shortest. The search ends after three
 * successive widths without a better score. */
static int search_grid(struct work *w, struct error *e)
{
    const double cell_m = w->n->source.base->geo.cell_m;
    double least = INFINITY;
    for (int k = 0, best = 0; k < WIDTHS && k <= best + 3; k++) {
        double log_score[LENGTHS];
        const double most_length = w->length * (LENGTHS - 1);
        if (!set_disc(w, k * w->width)) return error_memory(e);
        const int status = read_covered(w, most_length, e);
        if (status) return status;
        if (!count_cells(w, most_length)) return error_memory(e);
        score(w, log_score);
        for (int l = 0; l < LENGTHS; l++) {
            if (!(log_score[l] < least)) continue;
            least = log_score[l];
            best = k;
            w->n->at = (struct null_numbers){l * w->length * cell_m, k * w->width * cell_m};
        }
        forget_covered(&w->share[0]);
    }
    return 0;
}

/* Sets the steps of the grid from the outline's run-out and area. */
static void measure_outline(struct work *w)
{
    const struct ensemble *s = &w->n->s;
    const size_t cols = (size_t)s->source->base->problem.cols;
    double farthest = 1;
#pragma omp parallel for schedule(dynamic, 256) num_threads(w->threads) reduction(max : farthest)
    for (size_t i = 0; i < s->cells.places; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < w->paths && s->outline[i]; k++) {
            const size_t from = w->path[k].at[0].place;
            nearest = fmin(nearest, hypot((double)(i / cols) - (double)(from / cols),
                                          (double)(i % cols) - (double)(from % cols)));
        }
        if (s->outline[i]) farthest = fmax(farthest, nearest);
    }
    w->length = 2 * farthest / (LENGTHS - 1);
    w->width = 3 * (double)s->outline_cells / (2 * farthest) / (WIDTHS - 1);
}

/* ---- members --------------------------------------------------------------------------------- */

static bool add_cell(struct work *w, struct share *mine, uint32_t place, int path, double length)
{
    struct contribution *one = &w->one;
    return APPEND(one->cell, one->cells, (struct reached){.place = place});
}

/* The run-out: the distance of the farthest cell of w->one from the vent where the path begins. */
static double runout_m(const struct work *w, const struct steepest_path *x)
{
    const double cols = w->n->source.base->problem.cols;
    const double row = floor(x->at[0].place / cols), col = x->at[0].place - row * cols;
    double farthest = 0;
    for (size_t i = 0; i < w->one.cells; i++) {
        const double r = floor(w->one.cell[i].place / cols), c = w->one.cell[i].place - r * cols;
        farthest = fmax(farthest, hypot(r - row, c - col));
    }
    return farthest * w->n->source.base->geo.cell_m;
}

static int add_path(struct work *w, int k, struct error *e)
{
    struct ensemble *s = &w->n->s;
    const double cell_m = w->n->source.base->geo.cell_m;
    uint64_t both = 0;
    w->one = (struct contribution){.number = k};
    if (!cover_path(w, &w->share[0], k, w->n->at.length_m / cell_m, add_cell))
        return error_memory(e);
    for (size_t i = 0; s->outline && i < w->one.cells; i++)
        both += s->outline[w->one.cell[i].place];
    const double either = (double)(w->one.cells + s->outline_cells - both);
    w->one.result = (struct member_result){.done = true,
                                           .weight = w->weight[k],
                                           .cells = w->one.cells,
                                           .runout_m = runout_m(w, &w->path[k]),
                                           .advance_s = NAN,
                                           .max_thickness_m = NAN,
                                           .emitted_m3 = NAN,
                                           .left_m3 = NAN,
                                           .jaccard = s->outline ? (double)both / either : NAN};
    return ensemble_add_all(s, &w->one, 1, e);
}

/* The draw of a path, 0 to NULL_DRAWS - 1. Each draw gets nearly equal numbers of paths of each vent and member. */
static int draw_of(const struct work *w, int k)
{
    const int64_t members = w->n->members->count;
    return (int)((k % members + k / members) % NULL_DRAWS);
}

static uint64_t count_of_draw(const void *of, size_t cell)
{
    return ((const struct work *)of)->count[cell];
}

static bool count_draw(struct work *w, struct share *mine, uint32_t place, int path, double length)
{
    w->count[place] += w->weight[path];
    return true;
}

/* Finds the standard deviation of each score over the draws: how much other random errors would
 * change the score. */
static int find_spread(struct work *w, double most, struct error *e)
{
    struct null_model *n = w->n;
    const struct forecast f = {&n->s.domain, count_of_draw, w, 0, 0};
    double sum[VERIFY_SCORES] = {0}, squares[VERIFY_SCORES] = {0};
    for (int draw = 0; draw < NULL_DRAWS; draw++) {
        struct verification v;
        struct forecast one = f;
        memset(w->count, 0, (size_t)f.domain->rows * (size_t)f.domain->cols * sizeof *w->count);
        for (int k = 0; k < w->paths; k++) {
            if (draw_of(w, k) != draw) continue;
            one.weight += w->weight[k];
            cover_path(w, &w->share[0], k, most, count_draw);
        }
        if (!one.weight) return 0; /* there are fewer paths than draws */
        const int status = verify(&v, &one, e);
        if (status) return status;
        for (int i = 0; i < VERIFY_SCORES; i++) {
            sum[i] += v.score[i].value;
            squares[i] += v.score[i].value * v.score[i].value;
        }
    }
    for (int i = 0; i < VERIFY_SCORES; i++)
        n->spread[i] = sqrt(fmax(0, squares[i] - sum[i] * sum[i] / NULL_DRAWS) / (NULL_DRAWS - 1));
    return 0;
}

static int add_all(struct work *w, struct error *e)
{
    const double cell_m = w->n->source.base->geo.cell_m, most = w->n->at.length_m / cell_m;
    int status = set_disc(w, w->n->at.half_width_m / cell_m) ? 0 : error_memory(e);
    if (!status) status = read_covered(w, most, e);
    for (int k = 0; k < w->paths && !status; k++) status = add_path(w, k, e);
    contribution_free(&w->one);
    return status || !w->n->s.outline ? status : find_spread(w, most, e);
}

static int compute_model(struct work *w, struct error *e)
{
    struct null_model *n = w->n;
    const struct problem *p = &n->source.base->problem;
    const size_t cells = (size_t)p->rows * (size_t)p->cols;
    if (!p->terrain) /* terrain read on demand allows only one thread */
        w->threads = (int)fmin(fmin(THREADS, omp_get_max_threads()),
                               1 + (double)THREADS_CELLS / (double)cells);
    for (struct share *one = w->share; one < w->share + w->threads; one++) {
        one->mark = calloc(cells, sizeof *one->mark);
        one->slot = calloc(cells, sizeof *one->slot);
        if (!one->mark || !one->slot) return error_memory(e);
    }
    w->count = calloc(cells, sizeof *w->count);
    if (!w->count) return error_memory(e);
    int status = follow_all(w, e);
    if (!status && n->fitted) {
        measure_outline(w);
        status = search_grid(w, e);
    }
    return status ? status : add_all(w, e);
}

static int compute_paths(struct null_model *n, struct error *e)
{
    FREED struct work *w = calloc(1, sizeof *w);
    if (!w) return error_memory(e);
    w->n = n;
    w->paths = (int)n->source.count;
    w->threads = 1;
    const int status = compute_model(w, e);
    for (int k = 0; k < w->paths; k++) free(w->path[k].at);
    for (struct share *one = w->share; one < w->share + w->threads; one++)
        FREE_ALL(one->mark, one->slot, one->covered);
    FREE_ALL(w->offset, w->count);
    return status;
}

int null_model_carry(struct null_model *n, struct error *e)
{
    const struct null_numbers at = n->members->carried;
    if (!n->fitted || !(at.length_m > 0)) return 0;
    if (!(n->carried = calloc(1, sizeof *n->carried))) return error_memory(e);
    const int status = null_model_open(n->carried, n->members, at, e);
    return status ? status : compute_paths(n->carried, e);
}

int null_model_compute(struct null_model *n, struct error *e)
{
    const int status = compute_paths(n, e);
    return status ? status : null_model_carry(n, e);
}

/* The digest of a model: of the plan, and of length and half width if they are given. */
static uint64_t digest_with(const struct ensemble_source *members, struct null_numbers given)
{
    const uint64_t sum = mix64(members->digest);
    return isnan(given.length_m)
               ? sum
               : mix64(mix64(sum ^ digest_bits(given.length_m)) ^ digest_bits(given.half_width_m));
}

int null_model_open(struct null_model *n, const struct ensemble_source *members,
                    struct null_numbers given, struct error *e)
{
    *n = (struct null_model){
        .members = members, .source = *members, .at = given, .fitted = isnan(given.length_m)};
    if (n->fitted && !members->base->outline_path)
        return error_input(e,
                           "%s: has no outline to fit length and half width to; add a line "
                           "'outline FILE', or give length and half width",
                           members->path);
    if (given.half_width_m > HALF_WIDTH_MOST * members->base->geo.cell_m)
        return error_input(e, "%s: a half width of %g m is more than %d cells; give less",
                           members->path, given.half_width_m, (int)HALF_WIDTH_MOST);
    n->source.first = 0;
    n->source.assets = n->source.known = NULL;
    n->source.eruption = NULL; /* a path emits no lava */
    n->source.columns = "";
    n->source.discrepancy_m = 0;
    n->source.count = members->count < NULL_PATHS
                          /* All members are used equally often. */
                          ? NULL_PATHS / members->count * members->count
                          : NULL_PATHS;
    n->source.digest = digest_with(members, given);
    n->source.request = (struct statistics_request){
        .thickness_step_m = 1, .arrival_step_s = 3600, .thickness_steps = 1, .arrival_steps = 1};
    return ensemble_create(&n->s, &n->source, (struct shard){1, 1}, SIZE_MAX, e);
}

void null_model_close(struct null_model *n)
{
    if (n->carried) null_model_close(n->carried);
    free(n->carried);
    if (n->s.source) ensemble_free(&n->s);
    *n = (struct null_model){0};
}

/* ---- in a file ------------------------------------------------------------------------------- */

static void put_null_model(const void *of, struct packed_out *o)
{
    const struct null_model *n = of;
    packed_put_real(o, n->at.length_m);
    packed_put_real(o, n->at.half_width_m);
    for (int k = 0; k < VERIFY_SCORES; k++) packed_put_real(o, n->spread[k]);
    ensemble_state.put(&n->s, o);
}

static int get_null_model(void *of, struct packed_in *i, struct error *e)
{
    struct null_model *n = of;
    n->at.length_m = packed_get_real(i);
    n->at.half_width_m = packed_get_real(i);
    for (int k = 0; k < VERIFY_SCORES; k++) n->spread[k] = packed_get_real(i);
    return n->at.length_m >= 0 && n->at.half_width_m >= 0 ? ensemble_state.get(&n->s, i, e)
                                                          : STATE_DAMAGED;
}

const struct state_kind null_state = {.magic = "sciara null 2\n",
                                      .what = "a null model",
                                      .digest_at = offsetof(struct null_model, source.digest),
                                      .put = put_null_model,
                                      .get = get_null_model};

int null_model_verify(struct verification *v, const struct null_model *n, struct error *e)
{
    const struct forecast f = ensemble_forecast(&n->s);
    const int status = verify(v, &f, e);
    for (int k = 0; k < VERIFY_SCORES && !status; k++)
        v->score[k].error = hypot(v->score[k].error, n->spread[k]);
    return status;
}

/* ---- persistence ----------------------------------------------------------------------------- */

int null_model_persist(struct null_model *n, const struct ensemble_source *members, struct error *e)
{
    const struct problem *p = &members->base->problem;
    *n = (struct null_model){0};
    if (!members->base->outline_path || (!p->thickness_m && !p->solid_m)) return 0;
    struct work w = {.n = n, .one = {.result = {.done = true, .weight = 1}}};
    int status = null_model_open(n, members, (struct null_numbers){0, 0}, e);
    for (uint32_t i = 0; i < n->s.cells.places && !status; i++)
        if ((p->thickness_m && p->thickness_m[i] > 0) || (p->solid_m && p->solid_m[i] > 0))
            status = add_cell(&w, NULL, i, 0, 0) ? 0 : error_memory(e);
    if (!status) status = ensemble_add_all(&n->s, &w.one, 1, e);
    contribution_free(&w.one);
    return status;
}

/* ---- of a plan ------------------------------------------------------------------------------- */

int null_plan_open(struct null_plan *x, const char *path, struct plan_more more,
                   struct null_numbers given, struct error *e)
{
    more.members = NULL_PATHS;
    int status = plan_read(&x->plan, path, &more, NULL, e);
    if (!status) status = plan_supply_create(&x->supply, x->plan, e);
    return status ? status : null_model_open(&x->model, &x->supply.source, given, e);
}

void null_plan_close(struct null_plan *x)
{
    null_model_close(&x->model);
    plan_supply_free(&x->supply);
    plan_free(x->plan);
    *x = (struct null_plan){0};
}
