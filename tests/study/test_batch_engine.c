/* The engine of ensembles with devices, which the emulator stands for: the digest of the ensemble,
 * and what it is shown, is that of the processors, with one device and with two, to the end and
 * until a standard error.
 */
/* tests: study/batch */
/* run: plain, sanitized */
/* build: batch */
#include "base/mix64.h"
#include "ensemble/engine.h"
#include "effort.h"
#include "ensemble_source.h"
#include "scratch.h"
#include "unit.h"

extern uint64_t emulator_seed;
extern int emulator_processors, emulator_devices;
extern long emulator_launches;

/* What is shown of members, in whatever order: cells and arrivals. */
static int on_result(void *of, struct contribution *c, struct error *e)
{
    (void)e;
    for (size_t i = 0; i < c->cells; i++)
        *(uint64_t *)of += mix64((uint64_t)c->number << 48 | (uint64_t)c->cell[i].place << 16 |
                                 c->cell[i].arrival_class);
    return 0;
}

static uint64_t digest_by(const struct ensemble_source *source, double until_error,
                          const struct engine_options *o, int64_t *done)
{
    const struct shard whole = {1, 1};
    struct ensemble s;
    struct error e = {0};
    enum engine_end end;
    must(ensemble_create(&s, source, whole, SIZE_MAX, &e), &e);
    uint64_t seen = 0;
    s.until_error = until_error;
    s.on_result = on_result;
    s.on_result_of = &seen;
    must(engine_run(&s, o, &end, &e), &e);
    *done = s.done;
    assert_true(seen != 0);
    const uint64_t digest = ensemble_digest(&s) ^ seen;
    ensemble_free(&s);
    return digest;
}

/* Nothing of the size of the grid: like create(), with an error of the terrain for some. */
static int create_flat(const void *of, int64_t number, struct ensemble_member *m, struct error *e)
{
    int status = test_create(of, number, m, e);
    if (!status && number % 3 == 0)
        m->error = (struct terrain_error){11, (uint64_t)number, 0.5, 0.25};
    return status;
}

/* The same members for the reference. */
static int create_with_error(const void *of, int64_t number, struct ensemble_member *m,
                             struct error *e)
{
    int status = create_flat(of, number, m, e);
    if (status || m->error.sd_m == 0) return status;
    struct sim_case *c = &((struct test_member *)m->own)->c;
    double *z = malloc(TEST_CELLS * sizeof *z);
    assert_true(terrain_error_add(&m->error, TEST_ROWS, TEST_COLS, c->elevation_m, z));
    c->problem.elevation_m = c->elevation_m = z;
    return 0;
}

static void release_with_error(const void *of, struct ensemble_member *m)
{
    if (m->error.sd_m > 0) free(((struct test_member *)m->own)->c.elevation_m);
    test_release(of, m);
}

/* Members from elsewhere, as from another process: some at a time, and not always at once. */
struct elsewhere {
    int64_t next, count;
    int asked, least, most;
};

static int from_elsewhere(void *user, int64_t *number, int at_once, int most)
{
    struct elsewhere *x = user;
    int given = 0;
    if (++x->asked % 3) return -1;
    x->least = at_once;
    x->most = most;
    while (given < most && given < 20 && x->next < x->count) number[given++] = x->next++;
    return given;
}

static void takes_what_a_feed_gives(const struct ensemble_source *source, uint64_t digest)
{
    static const int device = 0;
    struct elsewhere x = {.count = source->count};
    const struct engine_feed feed = {from_elsewhere, &x};
    struct engine_counts counts = {0};
    struct engine_options o = {.threads = 1,
                               .batch = 1,
                               .device = &device,
                               .device_count = 1,
                               .feed = &feed,
                               .counts = &counts};
    int64_t done;
    assert_true(digest_by(source, 0, &o, &done) == digest);
    assert_int_equal(done, source->count);
    assert_int_equal(counts.of[0].members, done);
    assert_true(x.asked > 10 && x.least > 1 && x.most >= x.least);
}

static void same_ensemble(void **state)
{
    static const int devices[] = {0, 1};
    struct test_plan plan;
    struct ensemble_source source;
    struct scratch scratch;
    int64_t done, all;
    scratch_create(&scratch);
    emulator_seed = 5;
    emulator_devices = 2;
    emulator_processors = 3;
    test_plan_create(&plan, &source, SANITIZED(50, 150));
    source.assets = scratch_file(&scratch, "places.json");
    write_text(source.assets,
               "{\"type\": \"FeatureCollection\", \"features\": ["
               "{\"type\": \"Feature\", \"id\": 17, \"geometry\": {\"type\": \"Polygon\","
               " \"coordinates\": [[[500100, 4170100], [500250, 4170100], [500250, 4170300],"
               " [500100, 4170100]]]}}]}");
    source.create = create_with_error;
    source.release = release_with_error;
    for (int sure = 0; sure < SANITIZED(1, 2); sure++) {
        const double until_error = sure ? 0.06 : 0;
        source.request.medians = sure;
        const uint64_t digest = digest_by(&source, until_error,
                                          &(struct engine_options){.threads = 2, .batch = 1}, &all);
        assert_true(sure ? all > 60 && all < source.count : all == source.count);
        for (int count = SANITIZED(2, sure ? sample(2, 1) : 1); count <= 2; count++) {
            struct ensemble_source flat = source;
            flat.create_flat = create_flat;
            flat.release = test_release;
            const struct engine_options o = {
                .threads = 1, .batch = 1, .device = devices, .device_count = count};
            const long launches = emulator_launches;
            const uint64_t by_device = digest_by(&flat, until_error, &o, &done);
            assert_int_equal(done, all);
            assert_true(by_device == digest);
            assert_true(emulator_launches >= launches + SANITIZED(3, 5));
            if (!sure && count == 1) takes_what_a_feed_gives(&flat, digest);
        }
    }
    test_plan_free(&plan);
    scratch_remove(&scratch);
}

int main(void)
{
    return UNIT_RUN(same_ensemble);
}
