/* The statistics of an ensemble: against a slow plain implementation over the stored fields of all
 * members, to the bit; and one digest for any number of threads, size of batches, shards, and after
 * any number of kills. */
#include "ensemble/engine.h"
#include "ensemble/state.h"
#include "ensemble_source.h"
#include "scratch.h"
#include "sim/variant.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <cmocka.h>

static const struct shard whole = {1, 1};

static const char *const geojson =
    "{\"type\": \"FeatureCollection\", \"features\": ["
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"hut\"}, \"geometry\":"
    " {\"type\": \"Point\", \"coordinates\": [500175, 4170205]}},"
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"road\"}, \"geometry\":"
    " {\"type\": \"LineString\", \"coordinates\": [[500011, 4170333], [500352, 4170041]]}},"
    "{\"type\": \"Feature\", \"id\": 17, \"geometry\": {\"type\": \"Polygon\", \"coordinates\":"
    " [[[500100, 4170100], [500250, 4170100], [500250, 4170300], [500100, 4170100]]]}}]}";

static void ok(int status, const struct error *e)
{
    if (status) print_error("%s\n", e->text);
    assert_int_equal(status, 0);
}

static uint64_t run(const struct ensemble_source *source, struct shard shard, double until_error,
                    struct engine_options o, struct ensemble *keep)
{
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    ok(ensemble_create(&s, source, shard, SIZE_MAX, &e), &e);
    s.until_error = until_error;
    ok(engine_run(&s, &o, &end, &e), &e);
    assert_int_equal(end,
                     until_error > 0 && s.done < source->count ? ENGINE_SURE : ENGINE_COMPLETE);
    const uint64_t digest = ensemble_digest(&s);
    if (keep) *keep = s;
    else ensemble_free(&s);
    return digest;
}

/* ---- the plain implementation --------------------------------------------------------------- */

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
        ok(source->take(source->of, i, &m, &e), &e);
        ok(v->create(&self, &m.c->problem, &one, &e), &e);
        ok(v->advance(self, m.c->max_steps, &now, &e), &e);
        ok(fields_create(&all->f[i], m.c->problem.window, &e), &e);
        ok(v->snapshot(self, &all->f[i], &e), &e);
        all->weight[i] = m.weight;
        all->clock_s[i] = m.c->problem.params.clock_s;
        v->destroy(self);
        source->give_back(source->of, &m);
    }
}

static void free_all(struct fields_of_all *all)
{
    for (int i = 0; i < all->count; i++) fields_free(&all->f[i]);
    free(all->f);
    free(all->weight);
    free(all->clock_s);
}

/* All members whose lava comes to any of some cells. */
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
    const struct ensemble_wishes *w = &s->source->wishes;
    const uint64_t *c = statistics_at(x, place);
    uint64_t came = 0, all = x->weight;
    wide sum_q = 0;
    for (int i = 0; i < count; i++) {
        came += p[i].weight;
        sum_q += (wide)p[i].weight * (unsigned)(p[i].thickness_m * 1024 + 0.5);
    }
    assert_int_equal(statistics_came(x, c), came);
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
    assert_true(axis_low(&s->arrival_s, statistics_first_arrival_class(x, c)) ==
                next_edge(&s->arrival_s, p[0].arrival_s, false));
    assert_true(statistics_mean_thickness_m(x, c) == (double)sum_q / (double)came / 1024);
    const double probability = (double)came / (double)all;
    assert_true(statistics_probability(x, came) == probability);
}

static void against_plain(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct fields_of_all all = {0};
    struct scratch scratch;
    struct seen cells = {0}, things = {0};
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 50);
    source.assets = scratch_file(&scratch, "things.json");
    write_text(source.assets, geojson);
    run(&source, whole, 0, (struct engine_options){.threads = 2, .batch = 1}, &s);
    compute_all(&all, &source);
    struct plain *p = malloc((size_t)all.count * sizeof *p);
    for (uint32_t i = 0; i < TEST_CELLS; i++)
        compare_place(&s, &s.cells, i, p, look_at(p, &all, &i, 1), &cells);
    assert_int_equal(s.assets.count, 3);
    for (int k = 0; k < 3; k++) {
        const struct asset *a = &s.assets.asset[k];
        const int count = look_at(p, &all, a->cell, a->cells);
        compare_place(&s, &s.things, (size_t)k, p, count, &things);
        double share = 0;
        uint64_t came = 0;
        for (int i = 0; i < count; i++)
            came += p[i].weight, share += p[i].share * (double)p[i].weight;
        assert_true(fabs(statistics_mean_share(&s.things, statistics_at(&s.things, (size_t)k)) -
                         share / (double)came) < 2e-6);
    }
    assert_true(cells.some > 300 && cells.some < cells.places);
    assert_true(cells.several > 100 && cells.late > 100 && cells.thick > 100);
    assert_true(things.some == 3 && things.thick > 0);

    wide weight2 = 0;
    uint64_t weight = 0;
    for (int i = 0; i < all.count; i++) {
        assert_int_equal(s.result[i].digest, fields_digest(&all.f[i]));
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
    scratch_remove(&scratch);
}

/* ---- one digest ----------------------------------------------------------------------------- */

static void same_digest_however(void **state)
{
    (void)state;
    static const int threads[] = {2, 5, 16}, batches[] = {1, 7, 64};
    struct test_plan plan;
    struct ensemble_source source;
    test_plan_create(&plan, &source, 150);
    const uint64_t digest =
        run(&source, whole, 0, (struct engine_options){.threads = 1, .batch = 1}, NULL);
    for (int t = 0; t < 3; t++)
        for (int b = 0; b < 3; b++) {
            const struct engine_options o = {.threads = threads[t], .batch = batches[b]};
            assert_int_equal(run(&source, whole, 0, o, NULL), digest);
        }
    source.cost = NULL; /* in another order */
    assert_int_equal(
        run(&source, whole, 0, (struct engine_options){.threads = 3, .batch = 7}, NULL), digest);
    source.digest++; /* of another plan */
    assert_true(run(&source, whole, 0, (struct engine_options){.threads = 2, .batch = 1}, NULL) !=
                digest);
    test_plan_free(&plan);
}

/* By the files that they leave. */
static void shards_add_up(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble sum, part;
    struct scratch scratch;
    struct error e = {0};
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 61);
    const uint64_t digest =
        run(&source, whole, 0, (struct engine_options){.threads = 1, .batch = 1}, NULL);
    ok(ensemble_create(&sum, &source, whole, SIZE_MAX, &e), &e);
    for (int i = 1; i <= 3; i++) {
        const char *path = scratch_file(&scratch, "part.state");
        const struct shard shard = {i, 3};
        run(&source, shard, 0,
            (struct engine_options){.threads = 2, .batch = 7, .state = path, .checkpoint_s = 99},
            &part);
        assert_true(part.done == (i == 1 ? 21 : 20) && part.done == ensemble_share(&part));
        ensemble_free(&part);
        ok(ensemble_create(&part, &source, whole, SIZE_MAX, &e), &e);
        ok(state_read(&part, path, &e), &e);
        assert_true(part.shard.index == i && part.shard.count == 3);
        ok(ensemble_merge(&sum, &part, path, &e), &e);
        ensemble_free(&part);
        if (i < 3) assert_true(ensemble_digest(&sum) != digest);
        if (i != 2) continue;
        ok(ensemble_create(&part, &source, whole, SIZE_MAX, &e), &e);
        ok(state_read(&part, path, &e), &e);
        assert_int_equal(ensemble_merge(&sum, &part, path, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "name each shard once"));
        ensemble_free(&part);
    }
    assert_int_equal(ensemble_digest(&sum), digest);
    ensemble_free(&sum);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

/* ---- kills and full disks ------------------------------------------------------------------- */

/* A process that goes on where the file says; its status is 0 when all is done. */
static pid_t begin_child(const struct ensemble_source *source, const char *path, bool full_disk)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child) return child;
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    const struct engine_options o = {
        .threads = 2, .batch = 1, .state = path, .checkpoint_s = 0.002};
    int status = ensemble_create(&s, source, whole, SIZE_MAX, &e);
    if (!status && access(path, R_OK) == 0) status = state_read(&s, path, &e);
    if (full_disk) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){3000, 3000});
    }
    if (!status) status = engine_run(&s, &o, &end, &e);
    if (status && !full_disk) fprintf(stderr, "%s\n", e.text);
    _exit(status);
}

static uint64_t digest_in(const struct ensemble_source *source, const char *path, int64_t *done)
{
    struct ensemble s;
    struct error e = {0};
    *done = 0;
    if (access(path, R_OK)) return 0;
    ok(ensemble_create(&s, source, whole, SIZE_MAX, &e), &e);
    ok(state_read(&s, path, &e), &e); /* whole, whenever the process died */
    const uint64_t digest = ensemble_digest(&s);
    *done = s.done;
    ensemble_free(&s);
    return digest;
}

enum { KILLS = 20 };

static void resumes_after_kills(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct scratch scratch;
    int64_t done = 0, before = 0;
    int kills = 0, advanced = 0, status = -1;
    uint64_t random = (uint64_t)time(NULL);
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 1500);
    const char *path = scratch_file(&scratch, "a.state");
    print_message("seed %llu\n", (unsigned long long)random);

    assert_true(waitpid(begin_child(&source, path, true), &status, 0) > 0);
    assert_int_equal(WEXITSTATUS(status), ERROR_FAILED); /* a full disk */
    const struct engine_options plain = {.threads = 1, .batch = 1};
    const uint64_t digest = run(&source, whole, 0, plain, NULL);
    for (bool complete = false; !complete || kills < KILLS;) {
        if (complete) unlink(path); /* it was too quick: from the beginning */
        const pid_t child = begin_child(&source, path, false);
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const struct timespec t = {0, (long)(20000000 + (random >> 33) % 250000000)};
        nanosleep(&t, NULL);
        if (kills < KILLS) kill(child, SIGKILL);
        assert_true(waitpid(child, &status, 0) > 0);
        kills += WIFSIGNALED(status);
        before = complete ? 0 : done;
        const uint64_t now = digest_in(&source, path, &done);
        advanced += done > before;
        complete = done == source.count;
        if (complete) assert_int_equal(now, digest);
    }
    print_message("%d kills, %d of them with progress\n", kills, advanced);
    assert_true(kills == KILLS && advanced >= 5);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

/* ---- when it is sure ------------------------------------------------------------------------ */

static bool stop_late(const struct engine_progress *now, void *user)
{
    return now->done >= *(const int64_t *)user;
}

static void stops_when_sure(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    struct scratch scratch;
    enum engine_end end;
    int64_t enough = 70;
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 2000);
    const char *path = scratch_file(&scratch, "a.state");
    const double error = 0.0375;
    const uint64_t digest =
        run(&source, whole, error, (struct engine_options){.threads = 1, .batch = 1}, &s);
    const int64_t done = s.done;
    assert_true(done > 128 && done < 1000 && engine_boundary(done - 1, 2000) == done);
    assert_true(ensemble_cautious_error(&s) < error);
    ensemble_free(&s);
    static const int threads[] = {2, 9, 3}, batches[] = {7, 1, 64};
    for (int i = 0; i < 3; i++) {
        const struct engine_options o = {.threads = threads[i], .batch = batches[i]};
        assert_int_equal(run(&source, whole, error, o, NULL), digest);
    }

    /* stopped on the way, and once more when it is sure */
    struct engine_options o = {.threads = 3,
                               .batch = 1,
                               .state = path,
                               .checkpoint_s = 9,
                               .tell = stop_late,
                               .user = &enough};
    for (int i = 0; i < 3; i++, enough = i == 1 ? INT64_MAX : 0) {
        ok(ensemble_create(&s, &source, whole, SIZE_MAX, &e), &e);
        s.until_error = error;
        if (i) ok(state_read(&s, path, &e), &e);
        ok(engine_run(&s, &o, &end, &e), &e);
        assert_int_equal(end, i ? ENGINE_SURE : ENGINE_STOPPED);
        if (i) assert_true(s.done == done && ensemble_digest(&s) == digest);
        ensemble_free(&s);
    }
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

/* ---- what goes wrong ------------------------------------------------------------------------ */

static void names_the_member_that_fails(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    const struct engine_options o = {.threads = 3, .batch = 1};
    test_plan_create(&plan, &source, 40);
    plan.fails_at = 23;
    ok(ensemble_create(&s, &source, whole, SIZE_MAX, &e), &e);
    assert_int_equal(engine_run(&s, &o, &end, &e), ERROR_INPUT);
    assert_string_equal(e.text, "member 23: volcano.cfg:7: cannot be made; mend it");
    assert_false(s.result[23].done);
    ensemble_free(&s);
    test_plan_free(&plan);
}

/* Where the counters have no room the ensemble ends with the remedy, and goes on with more. */
static void goes_on_with_more_memory(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    struct scratch scratch;
    enum engine_end end;
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 40);
    const char *path = scratch_file(&scratch, "a.state");
    const struct engine_options o = {.threads = 1, .batch = 1, .state = path, .checkpoint_s = 9};
    source.cost = NULL; /* a short one first, for which there is memory */
    const uint64_t digest = run(&source, whole, 0, o, &s);
    const size_t bytes = s.cells.bytes;
    ensemble_free(&s);
    unlink(path);
    ok(ensemble_create(&s, &source, whole, bytes - 1, &e), &e);
    assert_int_equal(engine_run(&s, &o, &end, &e), ERROR_INPUT);
    assert_true(s.done > 0 && s.done < source.count);
    assert_non_null(strstr(e.text, "use a coarser resolution"));
    ensemble_free(&s);
    ok(ensemble_create(&s, &source, whole, SIZE_MAX, &e), &e);
    ok(state_read(&s, path, &e), &e);
    ok(engine_run(&s, &o, &end, &e), &e);
    assert_int_equal(ensemble_digest(&s), digest);
    ensemble_free(&s);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

/* Any byte that is another one, and any end that comes early, is seen. */
static void refuses_damaged_states(void **state)
{
    (void)state;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct error e = {0};
    struct scratch scratch;
    scratch_create(&scratch);
    test_plan_create(&plan, &source, 12);
    const char *path = scratch_file(&scratch, "a.state"), *bad = scratch_file(&scratch, "b.state");
    run(&source, whole, 0,
        (struct engine_options){.threads = 2, .batch = 1, .state = path, .checkpoint_s = 9}, NULL);
    char *text;
    size_t size;
    ok(textfile_load(&text, &size, path, &e), &e);
    assert_true(size > 2000);
    for (size_t i = 0; i < 2 * size; i += 1 + size / 100) {
        FILE *f = fopen(bad, "wb");
        if (i < size) text[i] ^= 4;
        fwrite(text, 1, i < size ? size : i - size, f);
        fclose(f);
        if (i < size) text[i] ^= 4;
        ok(ensemble_create(&s, &source, whole, SIZE_MAX, &e), &e);
        assert_int_equal(state_read(&s, bad, &e), ERROR_INPUT);
        ensemble_free(&s);
    }
    source.digest++;
    ok(ensemble_create(&s, &source, whole, SIZE_MAX, &e), &e);
    assert_int_equal(state_read(&s, path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "of another plan"));
    ensemble_free(&s);
    free(text);
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_plain),
        cmocka_unit_test(same_digest_however),
        cmocka_unit_test(shards_add_up),
        cmocka_unit_test(stops_when_sure),
        cmocka_unit_test(names_the_member_that_fails),
        cmocka_unit_test(goes_on_with_more_memory),
        cmocka_unit_test(refuses_damaged_states),
        cmocka_unit_test(resumes_after_kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
