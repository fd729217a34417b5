/* Paths of steepest descent: downhill, out of every hollow over its lowest rim, to the border; and
 * functions of the terrain and its error alone. And the null model that is made of them. */
/* tests: study/null */
#include "null/null_model.h"
#include "null/steepest.h"
#include "ensemble_source.h"
#include "model/physics.h"
#include "scratch.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 40, COLS = 33, CELLS = ROWS * COLS, MIDDLE = ROWS / 2 * COLS + COLS / 2 };

static double z[CELLS];
static const struct problem terrain = {
    .rows = ROWS, .cols = COLS, .window = {0, 0, ROWS, COLS}, .elevation_m = z};
static const struct terrain_error none;

static struct steepest_path follow(const struct terrain_error *error, double most)
{
    struct error e = {0};
    struct steepest *s;
    struct steepest_path path = {0}, again = {0}, before = {0};
    const struct terrain_error other = {3, 77, 1, most > 10 ? 0.4 : 0.3};
    must(steepest_create(&s, &terrain, &e), &e);
    must(steepest_follow(s, &terrain, &other, MIDDLE, most, &before, &e), &e);
    must(steepest_follow(s, &terrain, error, MIDDLE, most, &path, &e), &e);
    must(steepest_follow(s, &terrain, error, MIDDLE, most, &again, &e), &e); /* nothing is left */
    assert_int_equal(path.count, again.count);
    for (size_t i = 0; i < path.count; i++)
        assert_true(path.at[i].place == again.at[i].place &&
                    path.at[i].length == again.at[i].length);
    free(again.at);
    free(before.at);
    steepest_free(s);
    return path;
}

static void down_a_plane(void **state)
{
    for (int i = 0; i < CELLS; i++) z[i] = 100 - i / COLS;
    struct steepest_path path = follow(&none, 1000);
    assert_int_equal(path.count, ROWS - ROWS / 2);
    for (size_t i = 0; i < path.count; i++) {
        assert_int_equal(path.at[i].place, MIDDLE + COLS * i);
        assert_true(path.at[i].length == (double)i);
    }
    free(path.at);
    path = follow(&none, 5); /* cut */
    assert_int_equal(path.count, 6);
    free(path.at);
    for (int i = 0; i < CELLS; i++) z[i] = 100 - i / COLS - i % COLS;
    path = follow(&none, 3); /* 1.41 a cell */
    assert_int_equal(path.count, 4);
    assert_int_equal(path.at[3].place, MIDDLE + 3 * (COLS + 1));
    assert_true(fabs(path.at[3].length - 3 * sqrt(2)) < 1e-12);
    free(path.at);
}

static bool is_border(int i)
{
    const int row = i / COLS, col = i % COLS;
    return row == 0 || row == ROWS - 1 || col == 0 || col == COLS - 1;
}

/* The height that has to be passed from each cell to the border, by going over all cells again and
 * again. */
static void spill(double *level)
{
    for (int i = 0; i < CELLS; i++) level[i] = is_border(i) ? z[i] : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < 9 && !is_border(i); k++) {
                const double over = fmax(z[i], level[i + (k / 3 - 1) * COLS + k % 3 - 1]);
                changed = changed || over < level[i];
                level[i] = fmin(level[i], over);
            }
    }
}

/* ---- the same path, by looking at all cells ---------------------------------------------------- */

static double apart(int a, int b)
{
    return hypot(a / COLS - b / COLS, a % COLS - b % COLS);
}

/* The neighbour to which the slope is steepest, the first of equal ones; the cell: none is lower. */
static int steepest_of(int i)
{
    int best = i;
    for (int k = 0; k < 8; k++) {
        const int to = i + PHYSICS_ROW(k) * COLS + PHYSICS_COL(k);
        const double slope = (z[i] - z[to]) / apart(i, to);
        if (slope > (best == i ? 0 : (z[i] - z[best]) / apart(i, best))) best = to;
    }
    return best;
}

/* Of the cells that touch those taken the lowest is taken, the first of equal ones, until it is lower
 * than the start or on the border: `from` leads back from there. */
static int leave(int start, int from[CELLS])
{
    static bool taken[CELLS];
    int at = start;
    for (int i = 0; i < CELLS; i++) from[i] = -1, taken[i] = false;
    from[start] = start;
    while (at == start || (z[at] >= z[start] && !is_border(at))) {
        for (int k = 0; k < 8; k++) {
            const int to = at + PHYSICS_ROW(k) * COLS + PHYSICS_COL(k);
            if (from[to] < 0) from[to] = at;
        }
        taken[at] = true;
        at = -1;
        for (int i = 0; i < CELLS; i++)
            if (from[i] >= 0 && !taken[i] && (at < 0 || z[i] < z[at])) at = i;
    }
    return at;
}

/* Into place[CELLS]; returns how many. */
static int walk(int *place)
{
    static int from[CELLS];
    int count = 1;
    place[0] = MIDDLE;
    while (!is_border(place[count - 1])) {
        const int here = place[count - 1], down = steepest_of(here);
        if (down != here) place[count++] = down;
        else {
            int across = 0;
            const int end = leave(here, from);
            for (int i = end; i != here; i = from[i]) across++;
            count += across;
            for (int i = end, k = count; i != here; i = from[i]) place[--k] = i;
        }
    }
    return count;
}

static void out_of_hollows(void **state)
{
    static double level[CELLS];
    static int place[CELLS];
    int risen = 0, aslant = 0;
    for (int seed = 0; seed < 200; seed++) {
        srand((unsigned)seed);
        for (int i = 0; i < CELLS; i++) z[i] = rand() % 1000;
        for (int i = 0; seed % 2 && i < CELLS; i++) /* a bowl, with equal elevations */
            z[i] = hypot(i / COLS - ROWS / 2, i % COLS - COLS / 2) + rand() % 3;
        struct steepest_path path = follow(&none, INFINITY);
        spill(level);
        double highest = 0, length = 0;
        assert_int_equal(path.count, walk(place));
        for (size_t i = 0; i < path.count; i++) {
            const double here = z[place[i]], step = i ? apart(place[i], place[i - 1]) : 0;
            highest = fmax(highest, here);
            length += step;
            assert_int_equal(path.at[i].place, place[i]);
            assert_true(path.at[i].length == length);
            risen += i && here > z[place[i - 1]];
            aslant += i && here > z[place[i - 1]] && step > 1;
        }
        assert_true(is_border((int)path.at[path.count - 1].place));
        assert_true(highest == level[MIDDLE]);
        free(path.at);
    }
    assert_true(risen > 1000 && aslant > 400 && risen - aslant > 400);
}

/* On the terrain with the error added the path is that of the terrain and the error. */
static void over_errors(void **state)
{
    static double flat[CELLS];
    int aside = 0;
    for (int i = 0; i < CELLS; i++) flat[i] = z[i] = 1000 - 0.1 * (i / COLS);
    for (uint64_t number = 0; number < 20; number++) {
        const struct terrain_error error = {3, number, 1, number % 2 ? 0.4 : 0};
        memcpy(z, flat, sizeof z);
        struct steepest_path path = follow(&error, INFINITY);
        for (int i = 0; i < CELLS; i++) z[i] += terrain_error_at(&error, i / COLS, i % COLS);
        struct steepest_path same = follow(&none, INFINITY);
        assert_int_equal(path.count, same.count);
        for (size_t i = 0; i < path.count; i++) {
            assert_int_equal(path.at[i].place, same.at[i].place);
            aside += i < ROWS / 2 && path.at[i].place != MIDDLE + COLS * i;
        }
        free(path.at);
        free(same.at);
    }
    assert_true(aside > 100);
}

/* ---- the null model -------------------------------------------------------------------------- */

enum { MEMBERS = 12, PATHS = 996, LENGTHS = 41, WIDTHS = 16, LEVELS = 1001, ALL = TEST_CELLS };

struct null_world {
    struct scratch scratch;
    struct test_plan plan;
    struct ensemble_source source;
    unsigned char outline[ALL];
    struct steepest_path path[PATHS];
    uint64_t weight[PATHS], weights;
    double unknown; /* the log score of the observed share in every cell, times the cells */
    double first[PATHS][ALL]; /* length at which a path covers a cell; INFINITY: it does not */
};

static void widen_at(struct null_world *w, int k, struct steepest_cell at, double radius)
{
    const int reach = (int)radius, row = (int)at.place / TEST_COLS, col = (int)at.place % TEST_COLS;
    for (int r = row - reach; r <= row + reach; r++)
        for (int c = col - reach; c <= col + reach; c++) {
            if (r < 0 || c < 0 || r >= TEST_ROWS || c >= TEST_COLS) continue;
            double *first = &w->first[k][r * TEST_COLS + c];
            if (hypot(r - row, c - col) <= radius &&
                !isnan(w->plan.base.elevation_m[r * TEST_COLS + c]))
                *first = fmin(*first, at.length);
        }
}

/* Cells with data within `radius` of a path. */
static void widen(struct null_world *w, double radius)
{
    for (int k = 0; k < PATHS; k++) {
        for (int i = 0; i < ALL; i++) w->first[k][i] = INFINITY;
        for (size_t n = 0; n < w->path[k].count; n++) widen_at(w, k, w->path[k].at[n], radius);
    }
}

/* The outline: what lies within two cells of the first cells of the longest path; of those with at least a sixth of
 * the weight, up to a length; the same of all lengths. */
enum { OF_ONE_PATH, OF_SOME_LENGTH, OF_ALL_LENGTHS, OUTLINES };
static void null_create(struct null_world *w, int outline)
{
    static const struct terrain_error usual = {.sd_m = NULL_ERROR_M};
    double mark[ALL] = {0};
    struct steepest *s;
    struct error e = {0};
    scratch_create(&w->scratch);
    test_plan_create(&w->plan, &w->source, MEMBERS);
    must(steepest_create(&s, &w->plan.base.problem, &e), &e);
    for (int k = 0; k < PATHS; k++) {
        struct ensemble_member m = {0};
        must(ensemble_member_create(&w->source, k % MEMBERS, true, &m, &e), &e);
        struct terrain_error error = usual;
        error.number = (uint64_t)(k % MEMBERS) | (uint64_t)(k / MEMBERS) << 32;
        const struct vent *v = &m.c->problem.vents[k % m.c->problem.vent_count];
        must(steepest_follow(s, &m.c->problem, &error, (uint32_t)(v->row * TEST_COLS + v->col), 200,
                             &w->path[k], &e),
             &e);
        w->weights += w->weight[k] = m.weight;
        w->source.release(w->source.of, &m);
    }
    steepest_free(s);
    int longest = 0;
    for (int k = 0; k < PATHS; k++)
        longest = w->path[k].count > w->path[longest].count ? k : longest;
    widen(w, 2);
    for (int i = 0; i < ALL; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < PATHS; k++)
            sum += w->first[k][i] <= (outline == OF_SOME_LENGTH ? 12 : 1000) ? w->weight[k] : 0;
        mark[i] = w->outline[i] =
            outline == OF_ONE_PATH ? w->first[longest][i] < 18 : 6 * sum >= w->weights;
    }
    double cells = 0, lava = 0;
    for (int i = 0; i < ALL; i++)
        cells += !isnan(w->plan.base.elevation_m[i]), lava += w->outline[i];
    w->unknown = -lava * log(lava / cells) - (cells - lava) * log(1 - lava / cells);
    const char *path = scratch_file(&w->scratch, "outline.asc");
    write_grid(path, TEST_ROWS, TEST_COLS, mark);
    w->plan.base.geo.west_m = 1000;
    w->plan.base.geo.south_m = 2000;
    w->plan.base.outline_path = (char *)(size_t)path;
}

static void null_free(struct null_world *w)
{
    for (int k = 0; k < PATHS; k++) free(w->path[k].at);
    test_plan_free(&w->plan);
    scratch_remove(&w->scratch);
}

/* The shortest of the lengths that reaches so far. */
static int length_of(double first, double step)
{
    int l = isinf(first) ? LENGTHS : (int)fmin(LENGTHS, first / step);
    while (l < LENGTHS && l * step < first) l++;
    return l;
}

/* The log score on all cells with data, in thousandths of the weight of the paths, by length. */
static void log_scores(const struct null_world *w, double step, double score[LENGTHS])
{
    static uint64_t weight[LENGTHS + 1][ALL];
    memset(weight, 0, sizeof weight);
    for (int k = 0; k < PATHS; k++)
        for (int i = 0; i < ALL; i++) weight[length_of(w->first[k][i], step)][i] += w->weight[k];
    for (int l = 0; l < LENGTHS; l++) {
        double cells[LEVELS][2] = {{0}};
        score[l] = 0;
        for (int i = 0; i < ALL; i++) {
            if (l) weight[l][i] += weight[l - 1][i];
            if (!isnan(w->plan.base.elevation_m[i]))
                cells[(wide)weight[l][i] * 1000 / w->weights][w->outline[i]]++;
        }
        for (int k = 0; k < LEVELS; k++) {
            const double p = fmin(fmax(k / 1000.0, 0.0025), 0.9975);
            score[l] -= cells[k][1] * log(p) + cells[k][0] * log(1 - p);
        }
    }
}

/* Of 41 lengths up to twice the run-out of the outline and 16 widths up to three times its mean half width. */
static struct null_numbers fit_null(struct null_world *w, double *least)
{
    double farthest = 1, cells = 0, length, width;
    struct null_numbers at = {0};
    for (int i = 0; i < ALL; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < PATHS; k++) {
            const int from = (int)w->path[k].at[0].place;
            nearest = fmin(
                nearest, hypot(i / TEST_COLS - from / TEST_COLS, i % TEST_COLS - from % TEST_COLS));
        }
        if (w->outline[i]) farthest = fmax(farthest, nearest), cells++;
    }
    length = 2 * farthest / (LENGTHS - 1);
    width = 3 * cells / (2 * farthest) / (WIDTHS - 1);
    *least = INFINITY;
    for (int k = 0, best = 0; k < WIDTHS && k <= best + 3; k++) {
        widen(w, k * width);
        double score[LENGTHS];
        log_scores(w, length, score);
        for (int l = 0; l < LENGTHS; l++) {
            if (!(score[l] < *least)) continue;
            *least = score[l], best = k;
            at = (struct null_numbers){l * length * 10, k * width * 10};
        }
    }
    return at;
}

static uint64_t weight_at(const void *of, size_t cell)
{
    return ((const uint64_t *)of)[cell];
}

/* The standard deviation of each score over the draws, of forecasts by the paths of one draw each. */
static void expect_spread(const struct null_world *w, const struct null_model *n)
{
    struct verification v[NULL_DRAWS];
    struct error e = {0};
    for (int draw = 0; draw < NULL_DRAWS; draw++) {
        static uint64_t count[ALL];
        struct forecast f = {&n->s.domain, weight_at, count, 0, 0};
        memset(count, 0, sizeof count);
        for (int k = 0; k < PATHS; k++) {
            if ((k % MEMBERS + k / MEMBERS) % NULL_DRAWS != draw) continue;
            f.weight += w->weight[k];
            for (int i = 0; i < ALL; i++)
                if (w->first[k][i] <= n->at.length_m / 10) count[i] += w->weight[k];
        }
        must(verify(&v[draw], &f, &e), &e);
    }
    for (int k = 0; k < VERIFY_SCORES; k++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < NULL_DRAWS; i++) mean += v[i].score[k].value / NULL_DRAWS;
        for (int i = 0; i < NULL_DRAWS; i++)
            squares += (v[i].score[k].value - mean) * (v[i].score[k].value - mean);
        assert_true(fabs(n->spread[k] / sqrt(squares / (NULL_DRAWS - 1)) - 1) < 1e-6);
    }
}

/* Its numbers are those of a search of all lengths, widths and levels; its members are the paths as wide and long. */
static void expect_null(int outline)
{
    static struct null_world w;
    struct null_model n;
    struct error e = {0};
    double least;
    memset(&w, 0, sizeof w);
    null_create(&w, outline);
    const struct null_numbers at = fit_null(&w, &least);
    must(null_model_open(&n, &w.source, NULL_FITTED, &e), &e);
    must(null_model_compute(&n, &e), &e);
    assert_true(least < 0.8 * w.unknown && at.length_m > 50 && at.half_width_m > 10);
    assert_true(n.at.length_m == at.length_m && n.at.half_width_m == at.half_width_m);
    widen(&w, at.half_width_m / 10);
    for (int k = 0; k < PATHS; k++) {
        const struct member_result *r = &n.s.result[k];
        const int from = (int)w.path[k].at[0].place;
        double cells = 0, both = 0, either = 0, farthest = 0;
        for (int i = 0; i < ALL; i++) {
            const bool in = w.first[k][i] <= at.length_m / 10;
            cells += in, both += in && w.outline[i], either += in || w.outline[i];
            if (in)
                farthest = fmax(farthest, 10 * hypot(i / TEST_COLS - from / TEST_COLS,
                                                     i % TEST_COLS - from % TEST_COLS));
        }
        assert_true(r->weight == w.weight[k] && (double)r->cells == cells);
        assert_true(fabs(r->runout_m - farthest) < 1e-9 &&
                    fabs(r->jaccard - both / either) < 1e-12);
    }
    for (int i = 0; i < ALL; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < PATHS; k++) sum += w.first[k][i] <= at.length_m / 10 ? w.weight[k] : 0;
        assert_true(statistics_reached(&n.s.cells, statistics_at(&n.s.cells, (size_t)i)) == sum);
    }
    const struct forecast f = ensemble_forecast(&n.s);
    struct verification of_paths, with_draws;
    must(verify(&of_paths, &f, &e), &e);
    must(null_model_verify(&with_draws, &n, &e), &e);
    for (int k = 0; k < VERIFY_SCORES; k++) {
        assert_true(n.spread[k] > 0 && with_draws.score[k].value == of_paths.score[k].value);
        assert_true(with_draws.score[k].error == hypot(of_paths.score[k].error, n.spread[k]));
    }
    expect_spread(&w, &n);
    null_model_close(&n);
    null_free(&w);
}

static void null_model_is_the_best_of_all(void **state)
{
    for (int outline = 0; outline < OUTLINES; outline++) expect_null(outline);
}

static const struct terrain_error nearly_none = {.sd_m = 1e-9};
enum { VENT_ROW = 20, VENT_COL = 4 }; /* far from the border to which lava flows */

/* A member with one vent, on terrain that is as good as exact. */
static int create_sure(const void *of, int64_t number, struct ensemble_member *m, struct error *e)
{
    const int status = test_create(of, number, m, e);
    if (status) return status;
    struct test_member *mine = m->own;
    mine->c.problem.vent_count = 1;
    mine->vents[0].row = VENT_ROW, mine->vents[0].col = VENT_COL;
    m->error = nearly_none;
    return 0;
}

/* All paths are one path, and the outline is its first cells with their neighbours. Several lengths cover exactly that: the
 * shortest of them is found, with the narrowest width. */
static void the_least_of_equal_numbers(void **state)
{
    enum { FIRST = 12 };
    static double outline[ALL];
    struct scratch scratch;
    struct test_plan plan;
    struct ensemble_source source;
    struct steepest *s;
    struct steepest_path path = {0};
    struct null_model n;
    struct error e = {0};
    scratch_create(&scratch);
    test_plan_create(&plan, &source, MEMBERS);
    source.create = create_sure;
    must(steepest_create(&s, &plan.base.problem, &e), &e);
    must(steepest_follow(s, &plan.base.problem, &nearly_none, VENT_ROW * TEST_COLS + VENT_COL, 200,
                         &path, &e),
         &e);
    assert_true(path.count > FIRST);
    double farthest = 1, cells = 0;
    for (int i = 0; i < ALL; i++) {
        const int row = i / TEST_COLS, col = i % TEST_COLS;
        bool in = false;
        for (int k = 0; k < FIRST; k++)
            in = in || hypot(row - (int)path.at[k].place / TEST_COLS,
                             col - (int)path.at[k].place % TEST_COLS) < 1.5;
        outline[i] = in && !isnan(plan.base.elevation_m[i]);
        if (!(outline[i] > 0)) continue;
        farthest = fmax(farthest, hypot(row - VENT_ROW, col - VENT_COL));
        cells++;
    }
    const char *file = scratch_file(&scratch, "outline.asc");
    write_grid(file, TEST_ROWS, TEST_COLS, outline);
    plan.base.geo.west_m = 1000;
    plan.base.geo.south_m = 2000;
    plan.base.outline_path = (char *)(size_t)file;
    must(null_model_open(&n, &source, NULL_FITTED, &e), &e);
    must(null_model_compute(&n, &e), &e);
    for (int64_t k = 0; k < n.source.count; k++) assert_true(n.s.result[k].jaccard == 1);
    const double step = 2 * farthest / (LENGTHS - 1),
                 width = 3 * cells / (2 * farthest) / (WIDTHS - 1),
                 length = path.at[FIRST - 1].length, next = path.at[FIRST].length;
    assert_true(length + 2 * step < next); /* several lengths have one score */
    assert_true(n.at.length_m / 10 >= length && n.at.length_m / 10 < length + step);
    assert_true(n.at.half_width_m / 10 >= sqrt(2) && n.at.half_width_m / 10 < sqrt(2) + width);
    null_model_close(&n);
    steepest_free(s);
    free(path.at);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

/* Lava of the beginning stays where it is, whether it has solidified or not. */
static void persistence_is_the_first_lava(void **state)
{
    static double outline[ALL], hot_m[ALL], solid_m[ALL];
    struct scratch scratch;
    struct test_plan plan;
    struct ensemble_source source;
    struct error e = {0};
    scratch_create(&scratch);
    test_plan_create(&plan, &source, MEMBERS);
    for (int i = 0; i < ALL; i++) {
        outline[i] = i % 2;
        hot_m[i] = i % 3 ? 0 : 1;
        solid_m[i] = i % 5 ? 0 : 2;
    }
    const char *path = scratch_file(&scratch, "outline.asc");
    write_grid(path, TEST_ROWS, TEST_COLS, outline);
    plan.base.geo.west_m = 1000;
    plan.base.geo.south_m = 2000;
    plan.base.outline_path = (char *)(size_t)path;
    for (int lava = 0; lava < 4; lava++) {
        struct null_model n;
        plan.base.problem.thickness_m = lava & 1 ? hot_m : NULL;
        plan.base.problem.solid_m = lava & 2 ? solid_m : NULL;
        must(null_model_persist(&n, &source, &e), &e);
        assert_int_equal(n.s.done, lava > 0);
        for (size_t i = 0; i < ALL && lava; i++)
            assert_int_equal(statistics_reached(&n.s.cells, statistics_at(&n.s.cells, i)),
                             ((lava & 1) && hot_m[i] > 0) || ((lava & 2) && solid_m[i] > 0));
        null_model_close(&n);
    }
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

int main(void)
{
    return UNIT_RUN(down_a_plane, out_of_hollows, over_errors, persistence_is_the_first_lava,
                    the_least_of_equal_numbers, null_model_is_the_best_of_all);
}
