/* The statistics of an ensemble: against a slow plain implementation over the stored fields of all
 * members, to the bit; and one digest for any number of threads, size of batches, and shards. */
/* tests: study/ensemble, study/members */
/* run: plain, sanitized */
#include "members/ensemble_state.h"
#include "members/library.h"
#include "effort.h"
#include "ensemble_run.h"
#include "model/lattice.h"
#include "folder.h"
#include "plan/plan.h"
#include "sim/variant.h"

#include <math.h>
#include <sqlite3.h>

static const char *const geojson =
    "{\"type\": \"FeatureCollection\", \"features\": ["
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"hut\"}, \"geometry\":"
    " {\"type\": \"Point\", \"coordinates\": [500175, 4170205]}},"
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"road\"}, \"geometry\":"
    " {\"type\": \"LineString\", \"coordinates\": [[500011, 4170333], [500352, 4170041]]}},"
    "{\"type\": \"Feature\", \"id\": 17, \"geometry\": {\"type\": \"Polygon\", \"coordinates\":"
    " [[[500100, 4170100], [500250, 4170100], [500250, 4170300], [500100, 4170100]]]}}]}";

/* ---- the plain implementation ---------------------------------------------------------------- */

/* What one member did at one place. */
struct plain {
    uint64_t weight;
    double thickness_m, arrival_s, share;
};

static int by_thickness(const void *a, const void *b)
{
    const struct plain *x = a, *y = b;
    return (x->thickness_m > y->thickness_m) - (x->thickness_m < y->thickness_m);
}

static int by_arrival(const void *a, const void *b)
{
    const struct plain *x = a, *y = b;
    return (x->arrival_s > y->arrival_s) - (x->arrival_s < y->arrival_s);
}

/* In order of a value: the first whose weight with all before is at least that share. */
static const struct plain *percentile(const struct plain *p, int count, double share)
{
    double all = 0, sum = 0;
    for (int i = 0; i < count; i++) all += (double)p[i].weight;
    for (int i = 0; i < count; i++)
        if ((sum += (double)p[i].weight) >= share * all) return &p[i];
    return NULL;
}

static double next_edge(const struct axis *c, double x, bool up)
{
    double low = 0;
    for (int i = 0; i < c->edges; i++) {
        if (x <= c->edge[i]) return up ? c->edge[i] : low;
        low = c->edge[i];
    }
    return low;
}

struct fields_of_all {
    int count;
    uint64_t *weight;
    struct fields *f;
    double *clock_s;
};

static void compute_all(struct fields_of_all *all, const struct ensemble_source *source)
{
    const struct variant *v = variant_find("reference");
    const struct variant_options one = {.threads = 1};
    struct error e = {0};
    all->count = (int)source->count;
    all->weight = calloc((size_t)all->count, sizeof *all->weight);
    all->clock_s = calloc((size_t)all->count, sizeof *all->clock_s);
    all->f = calloc((size_t)all->count, sizeof *all->f);
    for (int i = 0; i < all->count; i++) {
        struct ensemble_member m = {0};
        struct variant_status now = {0};
        void *self;
        ok(source->create(source->of, i, &m, &e), &e);
        ok(v->create(&self, &m.c->problem, &one, &e), &e);
        ok(v->advance(self, m.c->max_steps, &now, &e), &e);
        ok(fields_create(&all->f[i], m.c->problem.window, &e), &e);
        ok(v->snapshot(self, &all->f[i], &e), &e);
        all->weight[i] = m.weight;
        all->clock_s[i] = m.c->problem.params.clock_s;
        v->destroy(self);
        source->release(source->of, &m);
    }
}

static void free_all(struct fields_of_all *all)
{
    for (int i = 0; i < all->count; i++) fields_free(&all->f[i]);
    free(all->f);
    free(all->weight);
    free(all->clock_s);
}

/* All members whose lava reaches any of some cells. */
static int look_at(struct plain *p, const struct fields_of_all *all, const uint32_t *cell,
                   uint32_t cells)
{
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        const struct fields *f = &all->f[i];
        struct plain x = {all->weight[i], 0, INFINITY, 0};
        for (uint32_t k = 0; k < cells; k++) {
            if (f->arrival[cell[k]] == ARRIVAL_NEVER) continue;
            x.share += 1;
            x.thickness_m = fmax(x.thickness_m, f->max_thickness_m[cell[k]]);
            x.arrival_s = fmin(x.arrival_s, f->arrival[cell[k]] * all->clock_s[i]);
        }
        x.share /= cells;
        if (x.share > 0) p[count++] = x;
    }
    return count;
}

struct seen {
    int places, some, several, late, thick; /* whether the comparison is about something */
};

static void compare_place(const struct ensemble *s, const struct statistics *x, size_t place,
                          struct plain *p, int count, struct seen *seen)
{
    const struct statistics_request *w = &s->source->request;
    const uint64_t *c = statistics_at(x, place);
    uint64_t came = 0, all = x->weight;
    wide sum_q = 0;
    for (int i = 0; i < count; i++) {
        came += p[i].weight;
        sum_q += (wide)p[i].weight * (unsigned)(p[i].thickness_m * 1024 + 0.5);
    }
    assert_int_equal(statistics_reached(x, c), came);
    seen->places++;
    seen->some += came > 0;
    seen->several += came > 0 && came < all;
    for (int k = 0; k < w->threshold_count; k++) {
        uint64_t above = 0;
        for (int i = 0; i < count; i++)
            if (p[i].thickness_m > w->threshold_m[k]) above += p[i].weight;
        const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
        assert_true(edge >= 0);
        assert_int_equal(statistics_exceeding(x, c, edge), above);
        seen->thick += above > 0 && above < came;
    }
    for (int k = 0; k < w->time_count; k++) {
        uint64_t within = 0;
        for (int i = 0; i < count; i++)
            if (p[i].arrival_s <= w->time_s[k]) within += p[i].weight;
        const int edge = axis_edge(&s->arrival_s, w->time_s[k]);
        assert_true(edge >= 0);
        assert_int_equal(statistics_within(x, c, edge), within);
        seen->late += within > 0 && within < came;
    }
    if (!came) {
        assert_int_equal(statistics_arrival_class(x, c, 50), -1);
        return;
    }
    static const int percents[] = {5, 50, 95};
    qsort(p, (size_t)count, sizeof *p, by_thickness);
    for (int k = 0; k < 3; k++)
        assert_true(axis_high(&s->thickness_m, statistics_thickness_class(x, c, percents[k])) ==
                    next_edge(&s->thickness_m,
                              percentile(p, count, percents[k] / 100.0)->thickness_m, true));
    qsort(p, (size_t)count, sizeof *p, by_arrival);
    for (int k = 0; k < 3; k++)
        assert_true(
            axis_low(&s->arrival_s, statistics_arrival_class(x, c, percents[k])) ==
            next_edge(&s->arrival_s, percentile(p, count, percents[k] / 100.0)->arrival_s, false));
    assert_true(axis_low(&s->arrival_s, statistics_arrival_class(x, c, 0)) ==
                next_edge(&s->arrival_s, p[0].arrival_s, false));
    assert_true(statistics_mean_thickness_m(x, c) == (double)sum_q / (double)came / 1024);
    const double probability = (double)came / (double)all;
    assert_true(statistics_probability(x, came) == probability);
}

static void against_plain(void **state)
{
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct fields_of_all all = {0};
    struct seen cells = {0}, places = {0};
    test_plan_create(&plan, &source, 50);
    source.assets = scratch_file(&dir, "places.json");
    write_text(source.assets, geojson);
    run(&source, unsharded, 0, (struct engine_options){.threads = 2, .batch = 1}, &s);
    compute_all(&all, &source);
    struct plain *p = malloc((size_t)all.count * sizeof *p);
    for (uint32_t i = 0; i < TEST_CELLS; i++)
        compare_place(&s, &s.cells, i, p, look_at(p, &all, &i, 1), &cells);
    assert_int_equal(s.assets.count, 3);
    for (int k = 0; k < 3; k++) {
        const struct asset *a = &s.assets.asset[k];
        const int count = look_at(p, &all, a->cell, a->cells);
        compare_place(&s, &s.places, (size_t)k, p, count, &places);
        double share = 0;
        uint64_t came = 0;
        for (int i = 0; i < count; i++)
            came += p[i].weight, share += p[i].share * (double)p[i].weight;
        assert_true(fabs(statistics_mean_share(&s.places, statistics_at(&s.places, (size_t)k)) -
                         share / (double)came) < 2e-6);
    }
    assert_true(cells.some > 300 && cells.some < cells.places);
    assert_true(cells.several > 100 && cells.late > 100 && cells.thick > 100);
    assert_true(places.some == 3 && places.thick > 0);

    wide weight2 = 0;
    uint64_t weight = 0;
    for (int i = 0; i < all.count; i++) {
        assert_int_equal(s.result[i].digest,
                         fields_digest(&all.f[i], all.f[i].window.rows, all.f[i].window.cols));
        weight += all.weight[i];
        weight2 += (wide)all.weight[i] * all.weight[i];
    }
    assert_true(s.cells.weight == weight && s.cells.weight2 == weight2);
    const double n = (double)weight * (double)weight / (double)weight2;
    assert_true(n > 20 && n < 50 && statistics_effective(&s.cells) == n);
    const double half = statistics_error(&s.cells, weight / 4); /* p = 1/4, nearly */
    assert_true(fabs(half - sqrt(3.0 / 16 / n)) < 1e-4);
    free(p);
    free_all(&all);
    ensemble_free(&s);
    test_plan_free(&plan);
}

/* ---- one digest ------------------------------------------------------------------------------ */

static void same_digest_however(void **state)
{
    static const int threads[] = {2, 5, 16}, batches[] = {1, 7, 64};
    struct test_plan plan;
    struct ensemble_source source;
    test_plan_create(&plan, &source, SANITIZED(40, 150));
    const uint64_t digest =
        run(&source, unsharded, 0, (struct engine_options){.threads = 1, .batch = 1}, NULL);
    for (int t = 0; t < 3; t++)
        for (int b = SANITIZED(t, 0); b < SANITIZED(t + 1, 3); b++) {
            const struct engine_options o = {.threads = threads[t], .batch = batches[b]};
            assert_int_equal(run(&source, unsharded, 0, o, NULL), digest);
        }
    source.cost = NULL; /* in another order */
    assert_int_equal(
        run(&source, unsharded, 0, (struct engine_options){.threads = 3, .batch = 7}, NULL),
        digest);
    source.digest++; /* of another plan */
    assert_true(run(&source, unsharded, 0, (struct engine_options){.threads = 2, .batch = 1},
                    NULL) != digest);
    test_plan_free(&plan);
}

/* By the files that they leave. */
static void shards_add_up(void **state)
{
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble sum, part;
    struct error e = {0};
    test_plan_create(&plan, &source, 61);
    const uint64_t digest =
        run(&source, unsharded, 0, (struct engine_options){.threads = 1, .batch = 1}, NULL);
    ok(ensemble_create(&sum, &source, unsharded, SIZE_MAX, &e), &e);
    for (int i = 1; i <= 3; i++) {
        const char *path = scratch_file(&dir, "part.state");
        const struct shard shard = {i, 3};
        run(&source, shard, 0,
            (struct engine_options){.threads = 2, .batch = 7, .state = path, .checkpoint_s = 99},
            &part);
        assert_true(part.done == (i == 1 ? 21 : 20) && part.done == ensemble_share(&part));
        ensemble_free(&part);
        ok(ensemble_create(&part, &source, unsharded, SIZE_MAX, &e), &e);
        ok(state_read(&ensemble_state, &part, path, &e), &e);
        assert_true(part.shard.index == i && part.shard.count == 3);
        ok(ensemble_merge(&sum, &part, path, &e), &e);
        ensemble_free(&part);
        if (i < 3) assert_true(ensemble_digest(&sum) != digest);
        if (i != 2) continue;
        ok(ensemble_create(&part, &source, unsharded, SIZE_MAX, &e), &e);
        ok(state_read(&ensemble_state, &part, path, &e), &e);
        assert_int_equal(ensemble_merge(&sum, &part, path, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "name each shard once"));
        ensemble_free(&part);
    }
    assert_int_equal(ensemble_digest(&sum), digest);
    /* which member ended in which state counts, and what came to places does */
    const struct member_result first = sum.result[0];
    assert_true(first.digest != sum.result[1].digest);
    sum.result[0].digest = sum.result[1].digest;
    sum.result[1].digest = first.digest;
    assert_true(ensemble_digest(&sum) != digest);
    sum.result[1].digest = sum.result[0].digest;
    sum.result[0].digest = first.digest;
    sum.places.weight++;
    assert_true(ensemble_digest(&sum) != digest);
    sum.places.weight--;
    assert_int_equal(ensemble_digest(&sum), digest);
    ensemble_free(&sum);
    test_plan_free(&plan);
}

/* Lava that the lattice holds as X m is not thicker than X m, for each thickness of two digits. */
static void thresholds_on_the_lattice(void **state)
{
    for (int i = 1; i < 2000; i++) {
        const double x = i / 100.0;
        struct axis axis;
        struct error e;
        ok(axis_create(&axis, 0, 0.1, 100, &x, 1, &e), &e);
        const int edge = axis_edge(&axis, x);
        assert_true(edge >= 0);
        assert_true(axis_of(&axis, lattice_round(x)) <= edge);
        assert_int_equal(axis_edge(&axis, x + 0.003), -1); /* nobody asked for it */
        assert_int_equal(axis_edge(&axis, 100), -1);
        assert_true(axis_of(&axis, lattice_round(x) + LATTICE_M) > edge);
        axis_free(&axis);
    }
}

/* A step that ends at the edge of a class of arrival is in this class, whatever the clock: 3 steps of 0.1 s in
 * 0.3 s. By whole numbers. */
static void arrivals_in_any_clock(void **state)
{
    enum { CLASSES = 60, TENTHS = 700, STEPS_MOST = 9 };
    int above = 0;
    for (int tenths = 1; tenths < TENTHS; tenths += tenths < 100 ? 1 : 37)
        for (int together = 1; together <= STEPS_MOST; together++) {
            const double clock_s = tenths / 10.0, step_s = tenths * together / 10.0;
            const double within_s = tenths * (together * CLASSES + 1) / 10.0;
            struct axis axis;
            struct error e;
            ok(axis_create(&axis, clock_s, step_s, CLASSES, &within_s, 1, &e), &e);
            assert_int_equal(axis.edges, CLASSES + 1);
            assert_int_equal(axis_edge(&axis, within_s), CLASSES);
            for (int steps = 1; steps <= together * CLASSES; steps++) {
                const double time_s = steps * clock_s;
                assert_int_equal(axis_of(&axis, time_s), (steps - 1) / together);
                above += steps % together == 0 && time_s > steps / together * step_s;
            }
            assert_int_equal(axis_of(&axis, (together * CLASSES + 1) * clock_s), CLASSES);
            axis_free(&axis);
        }
    assert_true(above > 1000); /* as numbers they are above the edge */
}

/* A member that cannot be made gives the reason when its library is written, and when an earlier one is joined. */
static void a_library_says_which_member_fails(void **state)
{
    struct trial t;
    struct library *l;
    trial_create(&t, 9);
    for (int i = 0; i < 2; i++) { /* of two plans, which stand on one ground */
        t.source.digest = 7 + (uint64_t)i;
        ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
        ok(library_create(&l, &t.s, scratch_file(&t.scratch, i ? "now.gpkg" : "before.gpkg"), "1",
                          &t.e),
           &t.e);
        t.plan.fails_at = 5;
        struct contribution one[2] = {{.number = 4}, {.number = 5}};
        int status = i ? library_join(l, scratch_file(&t.scratch, "before.gpkg"), &t.e)
                       : library_add(l, one, 2, &t.e);
        assert_int_equal(status, ERROR_INPUT);
        assert_string_equal(t.e.text, "volcano.cfg:7: cannot be made; mend it");
        t.plan.fails_at = -1;
        library_abandon(l);
        ensemble_free(&t.s);
    }
    trial_free(&t);
}

static int mark_cells(void *marks, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    for (int i = 0; i < count; i++) ((bool *)marks)[reached[i].place] = true;
    return 0;
}

/* Each member has lava in a small box of its own, on terrain with many tiles in one direction and one in the other. */
static void expect_boxes(int rows, int cols)
{
    enum { MEMBERS = 12, BOX = 3 };
    struct trial t;
    struct random_case terrain;
    struct library *l;
    FREED_BY(library_shut) sqlite3 *db = NULL;
    FREED bool *mark = malloc((size_t)rows * (size_t)cols);
    trial_create(&t, MEMBERS);
    const char *path = scratch_file(&t.scratch, "boxes.gpkg");
    random_case_create(&terrain, rows, cols, 0, 5);
    t.plan.base.problem = terrain.problem;
    t.plan.base.elevation_m = terrain.elevation_m;
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    ok(library_create(&l, &t.s, path, "1", &t.e), &t.e);
    for (int n = 0; n < 2 * MEMBERS; n++) { /* first written, then read */
        const int row = n % MEMBERS * (rows - BOX) / (MEMBERS - 1),
                  col = n * 5 % MEMBERS * (cols - BOX) / (MEMBERS - 1);
        struct reached cell[BOX * BOX];
        for (int i = 0; i < BOX * BOX; i++)
            cell[i] = (struct reached){.place = (uint32_t)((row + i / BOX) * cols + col + i % BOX)};
        struct contribution one = {.number = n,
                                   .result = {.done = true, .weight = 1, .cells = BOX * BOX},
                                   .cell = cell,
                                   .cells = BOX * BOX};
        if (n < MEMBERS) {
            ok(library_add(l, &one, 1, &t.e), &t.e);
            continue;
        }
        if (!db) {
            ok(library_close(l, 0, &t.e), &t.e);
            ok(library_open(&db, NULL, path, &t.e), &t.e);
        }
        memset(mark, 0, (size_t)rows * (size_t)cols);
        ok(library_member(&t.s, db, path, n - MEMBERS, mark_cells, mark, &t.e), &t.e);
        for (int i = 0; i < BOX * BOX; i++) assert_true(mark[cell[i].place]);
    }
    ensemble_free(&t.s);
    random_case_free(&terrain);
    trial_free(&t);
}

static void a_member_of_a_library_has_all_its_cells(void **state)
{
    expect_boxes(20, 200);
    expect_boxes(200, 20);
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-12 * fabs(a);
}

/* The row of a member: each column, in the unit of its name; nothing where there is no number. */
static void expect_row(sqlite3 *db, int64_t n, const struct member_result *r, double cooling)
{
    char sql[100], digest[17];
    sqlite3_stmt *from = NULL;
    snprintf(sql, sizeof sql, "SELECT * FROM members WHERE member = %d", (int)n);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)r->digest);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &from, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(from), SQLITE_ROW);
    const struct {
        const char *name;
        double value;
        const char *text;
    } column[] = {{"member", (double)n, NULL},
                  {"weight", (double)r->weight, NULL},
                  {"cooling", cooling, NULL},
                  {"vents", 3, NULL},
                  {"steps", (double)r->step, NULL},
                  {"end_h", r->end_s / 3600, NULL},
                  {"stopped", r->stopped, NULL},
                  {"last_advance_h", r->advance_s / 3600, NULL},
                  {"area_m2", 100 * (double)r->cells, NULL},
                  {"runout_m", r->runout_m, NULL},
                  {"max_thickness_m", r->max_thickness_m, NULL},
                  {"emitted_m3", r->emitted_m3, NULL},
                  {"volume_off_terrain_m3", r->left_m3, NULL},
                  {"jaccard", r->jaccard, NULL},
                  {"digest", 0, digest},
                  {"notice", 0, r->notice},
                  {"into_sea", r->into_sea, NULL}};
    const int columns = sizeof column / sizeof *column;
    assert_int_equal(sqlite3_column_count(from), columns + 2); /* and `result`, `geom` */
    for (int k = 0; k < columns; k++) {
        const char *text = (const char *)sqlite3_column_text(from, k);
        assert_string_equal(sqlite3_column_name(from, k), column[k].name);
        static const char *const whole[] = {"member", "weight", "steps", "stopped", "into_sea"};
        const char *type = column[k].text || !strcmp(column[k].name, "notice") ? "TEXT" : "REAL";
        for (int i = 0; i < 5; i++)
            if (!strcmp(column[k].name, whole[i])) type = "INTEGER";
        assert_string_equal(sqlite3_column_decltype(from, k), type);
        if (column[k].text) assert_string_equal(text, column[k].text);
        else if (!strcmp(column[k].name, "notice")) assert_null(text);
        else if (!same(column[k].value, text ? sqlite3_column_double(from, k) : (double)NAN))
            fail_msg("member %d: %s is %s", (int)n, column[k].name, text);
    }
    /* lava in single cells, each of which has an outline: a collection (6) of so many polygons */
    uint32_t polygons[2];
    const unsigned char *geom = sqlite3_column_blob(from, columns + 1);
    assert_true(sqlite3_column_bytes(from, columns + 1) > 49);
    memcpy(polygons, geom + 41, sizeof polygons);
    assert_true(polygons[0] == 6 && polygons[1] == 1 + n % 3);
    sqlite3_finalize(from);
}

/* A library has in its rows what members did, and what was known of the plan before the first. */
static void a_library_says_what_members_did(void **state)
{
    enum { MEMBERS = 9 };
    struct trial t;
    struct library *l;
    sqlite3 *db;
    struct plan_outlook known = {.end_s = 12345.5, .points = 11}, again;
    struct member_result result[MEMBERS];
    char drawn[MEMBERS][32], told[] = "it is told";
    trial_create(&t, MEMBERS);
    known.digest = t.source.digest;
    for (int k = 0; k < WARNING_KINDS; k++) known.warned[k] = (struct plan_warned){10 * k + 3, k};
    t.source.outlook = &known;
    const char *path = scratch_file(&t.scratch, "rows.gpkg");
    ok(ensemble_create(&t.s, &t.source, unsharded, SIZE_MAX, &t.e), &t.e);
    ok(library_create(&l, &t.s, path, "1", &t.e), &t.e);
    for (int64_t n = 0; n < MEMBERS; n++) {
        const double x = (double)n;
        snprintf(drawn[n], sizeof drawn[n], "%g,3", x + 0.125);
        result[n] = (struct member_result){.done = true,
                                           .weight = 5 + (uint64_t)n,
                                           .digest = (uint64_t)n + 10,
                                           .step = n + 20,
                                           .stopped = n % 3 == 0,
                                           .cells = (uint64_t)n + 30,
                                           .end_s = 900 * (x + 40),
                                           .advance_s = n % 4 ? 900 * (x + 50) : (double)NAN,
                                           .runout_m = n % 4 ? x + 60 : (double)NAN,
                                           .max_thickness_m = x + 70,
                                           .emitted_m3 = x + 80,
                                           .left_m3 = x + 90,
                                           .into_sea = n % 2 == 0,
                                           .only_sea = n % 4 == 0,
                                           .jaccard = n % 3 ? x / 10 : (double)NAN,
                                           .drawn = drawn[n],
                                           .notice = n % 2 ? told : NULL};
        struct reached cell[] = {{.place = 3 * TEST_COLS + 5},
                                 {.place = 9 * TEST_COLS + 20},
                                 {.place = 30 * TEST_COLS + 2}};
        const struct contribution one = {
            .number = n, .result = result[n], .cell = cell, .cells = 1 + (size_t)n % 3};
        ok(library_add(l, &one, 1, &t.e), &t.e);
    }
    ok(library_close(l, 0, &t.e), &t.e);
    assert_int_equal(library_count(path, t.source.digest), MEMBERS);
    assert_int_equal(library_count(path, t.source.digest + 1), -1);
    ok(library_open(&db, NULL, path, &t.e), &t.e);
    for (int64_t n = 0; n < MEMBERS; n++) expect_row(db, n, &result[n], (double)n + 0.125);
    assert_true(library_outlook(&again, db));
    assert_true(again.end_s == known.end_s && again.points == 11 && again.digest == known.digest);
    for (int k = 0; k < WARNING_KINDS; k++)
        assert_true(again.warned[k].members == known.warned[k].members &&
                    again.warned[k].first == known.warned[k].first);
    library_shut(&db);
    ensemble_free(&t.s);
    trial_free(&t);
}

/* Members differ in one event at a cell: whether lava is thicker than a threshold, comes within a time, or comes at all.
 * The largest error is that of this event. */
static void errors_are_of_all_events(void **state)
{
    enum { MEMBERS = 40 };
    struct test_plan plan;
    struct ensemble_source source;
    struct error e = {0};
    test_plan_create(&plan, &source, MEMBERS);
    const struct statistics_request *w = &source.request;
    const int events = w->threshold_count + w->time_count + 1;
    for (int event = 0; event < events; event++) {
        const bool any = event == events - 1;
        const int time = any ? -1 : event - w->threshold_count;
        struct ensemble s;
        ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
        const int thick = time < 0 && !any ? axis_edge(&s.thickness_m, w->threshold_m[event]) : 0,
                  late = time < 0 ? s.arrival_s.edges : axis_edge(&s.arrival_s, w->time_s[time]);
        for (int64_t n = 0; n < MEMBERS; n++) {
            struct contribution one = {.number = n, .result = {.done = true, .weight = 1}};
            one.cell = malloc(sizeof *one.cell);
            one.cells = !any || n % 2;
            *one.cell =
                (struct reached){.place = 700,
                                 .thickness_class = (uint16_t)(thick + (time < 0 && !any && n % 2)),
                                 .arrival_class = (uint16_t)(late + (time >= 0 && n % 2))};
            ok(ensemble_add_all(&s, &one, 1, &e), &e);
        }
        assert_true(ensemble_cautious_error(&s) ==
                    statistics_cautious_error(&s.cells, MEMBERS / 2));
        ensemble_free(&s);
    }
    test_plan_free(&plan);
}

/* ---- the sea --------------------------------------------------------------------------------- */

/* Counts the neighbours of a cell that are sea, and those that have no data for another reason. */
static void look_around(const double *z, const uint8_t *sea, int at, int *wet, int *edge)
{
    for (int row = at / TEST_COLS - 1; row <= at / TEST_COLS + 1; row++)
        for (int col = at % TEST_COLS - 1; col <= at % TEST_COLS + 1; col++) {
            const int i = row * TEST_COLS + col;
            const bool inside = row >= 0 && row < TEST_ROWS && col >= 0 && col < TEST_COLS;
            if (inside && sea[i]) ++*wet;
            else if (!inside || isnan(z[i])) ++*edge;
        }
}

/* A state keeps all that is known of each member. */
static void expect_kept(const struct ensemble *s, const char *path)
{
    struct ensemble again;
    struct error e = {0};
    ok(state_write(&ensemble_state, s, path, &e), &e);
    ok(ensemble_create(&again, s->source, s->shard, SIZE_MAX, &e), &e);
    ok(state_read(&ensemble_state, &again, path, &e), &e);
    for (int64_t n = 0; n < s->source->count; n++) {
        const struct member_result *a = &s->result[n], *b = &again.result[n];
        const bool flags[][2] = {{a->done, b->done},
                                 {a->stopped, b->stopped},
                                 {a->into_sea, b->into_sea},
                                 {a->only_sea, b->only_sea}};
        const double numbers[][2] = {
            {a->end_s, b->end_s},           {a->advance_s, b->advance_s},
            {a->runout_m, b->runout_m},     {a->max_thickness_m, b->max_thickness_m},
            {a->emitted_m3, b->emitted_m3}, {a->left_m3, b->left_m3},
            {a->jaccard, b->jaccard}};
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            assert_true(flags[i][0] == flags[i][1]);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            assert_true(numbers[i][0] == numbers[i][1]);
        assert_true(a->weight == b->weight && a->digest == b->digest && a->cells == b->cells &&
                    a->step == b->step);
    }
    ensemble_free(&again);
}

/* Members with lava in a few cells, on terrain with holes, of which those in the south are sea. */
static void lava_reaches_the_sea(void **state)
{
    enum { MEMBERS = 400 };
    static uint8_t sea[TEST_CELLS];
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    int into = 0, only = 0;
    test_plan_create(&plan, &source, MEMBERS);
    const double *z = plan.terrain.elevation_m;
    for (int i = 0; i < TEST_CELLS; i++) sea[i] = isnan(z[i]) && i > TEST_CELLS / 3;
    plan.base.problem.sea = sea;
    ok(ensemble_create(&s, &source, unsharded, SIZE_MAX, &e), &e);
    for (int64_t n = 0; n < MEMBERS; n++) {
        const double x = (double)n;
        struct contribution one = {.number = n,
                                   .result = {.done = true,
                                              .weight = 1,
                                              .digest = (uint64_t)n + 10,
                                              .step = n + 20,
                                              .stopped = n % 3 == 0,
                                              .cells = (uint64_t)n + 30,
                                              .end_s = x + 0.1,
                                              .advance_s = x + 0.2,
                                              .runout_m = x + 0.3,
                                              .max_thickness_m = x + 0.4,
                                              .emitted_m3 = x + 0.5,
                                              .left_m3 = x + 0.6,
                                              .jaccard = x + 0.7}};
        int wet = 0, edge = 0;
        for (int k = 0; k < 5; k++) {
            const int at = (int)(test_random(n, k) % TEST_CELLS);
            int its_wet = 0, its_edge = 0;
            look_around(z, sea, at, &its_wet, &its_edge);
            if (isnan(z[at]) || (its_wet && its_edge)) continue;
            wet += its_wet, edge += its_edge;
            one.cell = realloc(one.cell, (one.cells + 1) * sizeof *one.cell);
            one.cell[one.cells++] = (struct reached){.place = (uint32_t)at};
        }
        ok(ensemble_add_all(&s, &one, 1, &e), &e);
        assert_true(s.result[n].into_sea == (wet > 0));
        assert_true(s.result[n].only_sea == (wet > 0 && edge == 0));
        into += wet > 0, only += wet > 0 && edge == 0;
    }
    assert_true(only > 10 && into > only + 10 && into < MEMBERS - 10);
    expect_kept(&s, scratch_file(&dir, "sea.state"));
    ensemble_free(&s);
    test_plan_free(&plan);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, thresholds_on_the_lattice,
                       arrivals_in_any_clock, against_plain, same_digest_however, shards_add_up,
                       a_library_says_which_member_fails, a_library_says_what_members_did,
                       a_member_of_a_library_has_all_its_cells, errors_are_of_all_events,
                       lava_reaches_the_sea);
}
