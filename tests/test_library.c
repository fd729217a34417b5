/* The library: the same bits on every way to them, objects freed in any order, several simulations
 * at once, progress and cancelling. */
#include "library_case.h"

#include "base/watch.h"
#include "library/library.h"

#include <float.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#include "case_files.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call) print_error("%s\n", e.text);                                                     \
        assert_int_equal(e.status, SCIARA_OK);                                                     \
    } while (0)

static sciara_case *slope(void)
{
    struct sciara_error e = {0};
    struct library_case *c = calloc(1, sizeof *c);
    sciara_case *made = NULL;
    assert_non_null(c);
    library_case_fill(c);
    OK(sciara_case_create(&made, &c->input, &e));
    free(c);
    return made;
}

static struct sciara_options with(int threads)
{
    struct sciara_options o;
    sciara_options_init(&o, sizeof o);
    o.variant = "reference";
    o.threads = threads;
    return o;
}

static sciara_simulation *start(sciara_case *c)
{
    const struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_simulation *s;
    OK(sciara_create(&s, c, &o, &e));
    return s;
}

static uint64_t digest_now(sciara_simulation *s)
{
    struct sciara_error e = {0};
    sciara_snapshot *x;
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    const uint64_t digest = sciara_snapshot_digest(x);
    sciara_snapshot_free(x);
    return digest;
}

/* Of the slope after some steps, on one thread, in one go. */
static uint64_t digest_after(int64_t steps)
{
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    OK(sciara_advance(s, steps, &e));
    const uint64_t digest = digest_now(s);
    sciara_free(s);
    sciara_case_free(c);
    return digest;
}

/* ---- the same bits --------------------------------------------------------------------------- */

static void arrays_are_as_good_as_files(void **state)
{
    struct scratch dir;
    struct sciara_error e = {0};
    struct sciara_case_info info;
    sciara_case *c[2];
    uint64_t digest[2];
    (void)state;
    scratch_create(&dir);
    OK(sciara_case_load(&c[0], write_case(&dir), NULL, NULL, &e));
    sciara_case_info(c[0], &info);
    const struct sciara_vent vent = {1, 2, 3};
    const struct sciara_rate rate = {1, 0, 1200, 2.5};
    double given_m[48];
    for (int i = 0; i < 48; i++) given_m[i] = i == 47 ? NAN : 1000.1 - 10 * (i / 8) + i % 8;
    struct sciara_case_input in;
    sciara_case_input_init(&in, sizeof in);
    in.rows = info.rows;
    in.cols = info.cols;
    in.cell_m = info.cell_m;
    in.west_m = info.west_m;
    in.south_m = info.south_m;
    in.parameters = info.parameters;
    in.elevation_m = given_m;
    in.vents = &vent;
    in.rates = &rate;
    in.vent_count = in.rate_count = 1;
    OK(sciara_case_create(&c[1], &in, &e));
    for (int i = 0; i < 2; i++) {
        sciara_simulation *s = start(c[i]);
        digest[i] = digest_now(s);
        OK(sciara_advance(s, 40, &e));
        assert_true(digest_now(s) != digest[i]); /* something happened */
        digest[i] = digest_now(s);
        sciara_free(s);
        sciara_case_free(c[i]);
    }
    assert_true(digest[0] == digest[1]);
    scratch_remove(&dir);
}

static void any_portions_give_the_same(void **state)
{
    const uint64_t right = digest_after(150);
    struct sciara_error e = {0};
    struct sciara_state now;
    (void)state;
    assert_true(right != digest_after(149));
    for (int threads = 1; threads <= 3; threads++) {
        const struct sciara_options o = with(threads);
        sciara_case *c = slope();
        sciara_simulation *s;
        OK(sciara_create(&s, c, &o, &e));
        for (int i = 0; i < 10; i++) OK(sciara_advance(s, 7, &e));
        OK(sciara_advance_to(s, 120.0 * 121 - 0.001, &e));
        sciara_state(s, &now);
        assert_int_equal(now.step, 120);
        OK(sciara_advance_to(s, 5, &e)); /* is over: nothing */
        OK(sciara_advance_to(s, 120.0 * 121, &e));
        sciara_state(s, &now);
        assert_int_equal(now.step, 121);
        OK(sciara_advance(s, 29, &e));
        assert_true(digest_now(s) == right);
        OK(sciara_advance_to(s, DBL_MAX, &e));
        sciara_state(s, &now);
        assert_int_equal(now.step, 200); /* max_steps */
        assert_true(now.ended && !now.stopped);
        assert_string_equal(now.variant, "reference");
        assert_int_equal(now.threads, threads);
        sciara_free(s);
        sciara_case_free(c);
    }
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static void check_fields(sciara_snapshot *x)
{
    float shown[CELLS];
    int64_t exact[CELLS], solidified[CELLS], total[CELLS];
    struct sciara_error e = {0};
    const double *h = sciara_snapshot_field(x, SCIARA_THICKNESS);
    const double *z = sciara_snapshot_field(x, SCIARA_ELEVATION);
    const int32_t *arrival = sciara_snapshot_arrival_step(x);
    int wet = 0, never = 0;
    OK(sciara_snapshot_read(x, SCIARA_THICKNESS, shown, CELLS, &e));
    OK(sciara_snapshot_read_exact(x, SCIARA_THICKNESS, exact, CELLS, &e));
    OK(sciara_snapshot_read_exact(x, SCIARA_SOLIDIFIED, solidified, CELLS, &e));
    OK(sciara_snapshot_read_exact(x, SCIARA_TOTAL_THICKNESS, total, CELLS, &e));
    for (int i = 0; i < CELLS; i++) {
        wet += h[i] > 0;
        assert_true(h[i] > 0 ? shown[i] == (float)h[i] : isnan(shown[i]));
        assert_true((double)exact[i] == h[i] * 0x1p36);
        assert_true(total[i] == exact[i] + solidified[i]);
    }
    assert_true(wet > 20 && wet < CELLS);
    OK(sciara_snapshot_read(x, SCIARA_ARRIVAL, shown, CELLS, &e));
    OK(sciara_snapshot_read_exact(x, SCIARA_ARRIVAL, exact, CELLS, &e));
    for (int i = 0; i < CELLS; i++) {
        never += arrival[i] == INT32_MAX;
        if (arrival[i] == INT32_MAX) assert_true(isnan(shown[i]) && exact[i] == INT64_MAX);
        else assert_true(shown[i] == (float)arrival[i] * 120 && exact[i] == arrival[i]);
    }
    assert_true(never > 20 && never < CELLS - 20);
    OK(sciara_snapshot_read_exact(x, SCIARA_ELEVATION, exact, CELLS, &e));
    assert_true(isnan(z[20 * COLS + 3]) && exact[20 * COLS + 3] == INT64_MIN);
    assert_true((double)exact[0] == z[0] * 0x1p36);
}

static void snapshots(void **state)
{
    struct sciara_error e = {0};
    struct sciara_ledger l;
    struct sciara_extent extent;
    const char *field;
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *early, *late;
    (void)state;
    OK(sciara_advance(s, 60, &e));
    OK(sciara_snapshot_take(&early, s, &e));
    OK(sciara_advance(s, 60, &e));
    OK(sciara_snapshot_take(&late, s, &e));
    assert_int_equal(sciara_snapshot_step(early), 60);
    assert_true(sciara_snapshot_digest(early) == digest_after(60));
    assert_true(sciara_snapshot_digest(late) == digest_after(120));
    check_fields(early);
    OK(sciara_snapshot_ledger(late, &l, &e));
    assert_true(sciara_sum_value(l.initial) > 0 && sciara_sum_value(l.solidified) > 0);
    const double emitted_m3 = sciara_sum_value(l.emitted) * l.unit_m3;
    /* of the steps 1 to 29, 30 to 74, and 1 to 49 */
    assert_true(fabs(emitted_m3 - 120 * (4.25 * 29 + 1.5 * 45 + 3.0 * 49)) < 1e-3);
    OK(sciara_snapshot_extent(late, &extent, &e));
    assert_true(extent.cells > 20 && extent.area_m2 == 100.0 * (double)extent.cells);
    assert_true(extent.runout_m > 10 && extent.max_thickness_m > 1);
    assert_int_equal(sciara_snapshot_differ(early, early, &field), 0);
    assert_string_equal(field, "");
    assert_true(sciara_snapshot_differ(early, late, &field) > 20);
    assert_true(*field);
    sciara_free(s);
    sciara_case_free(c);
    assert_true(sciara_snapshot_digest(early) == digest_after(60)); /* it keeps what it needs */
    sciara_snapshot_free(early);
    sciara_snapshot_free(late);
    assert_true(sciara_sum_value((struct sciara_sum){.low = UINT64_MAX, .high = -1}) == -1);
    assert_true(sciara_sum_value((struct sciara_sum){.low = 5, .high = 1}) == 0x1p64);
}

static void objects_are_freed_in_any_order(void **state)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct sciara_error e = {0};
    (void)state;
    for (int i = 0; i < 6; i++) {
        sciara_case *c = slope();
        sciara_simulation *s = start(c);
        sciara_snapshot *x, *forgotten;
        OK(sciara_advance(s, 20, &e));
        OK(sciara_snapshot_take(&forgotten, s, &e));
        OK(sciara_snapshot_take(&x, s, &e));
        for (int k = 0; k < 3; k++) {
            if (orders[i][k] == 0) sciara_case_free(c);
            if (orders[i][k] == 1) sciara_free(s);
            if (orders[i][k] == 2) sciara_snapshot_free(x);
        }
        assert_int_equal(sciara_snapshot_step(forgotten), 20);
        assert_non_null(sciara_snapshot_field(forgotten, SCIARA_THICKNESS));
        sciara_snapshot_free(forgotten);
    }
    sciara_free(NULL);
    sciara_snapshot_free(NULL);
    sciara_text_free(NULL);
}

/* ---- threads --------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    sciara_case *c; /* both compute the same one */
    uint64_t digest;
};

static void *compute(void *self)
{
    struct worker *w = self;
    const struct sciara_options o = with(1);
    sciara_simulation *s = NULL;
    if (sciara_create(&s, w->c, &o, NULL)) return NULL;
    for (int i = 0; i < 50; i++) {
        sciara_snapshot *x = NULL;
        if (sciara_advance(s, 3, NULL) || sciara_snapshot_take(&x, s, NULL)) return NULL;
        w->digest = sciara_snapshot_digest(x);
        sciara_snapshot_free(x);
    }
    sciara_free(s);
    return NULL;
}

static void two_at_once(void **state)
{
    struct worker w[2] = {{.digest = 0}};
    const uint64_t right = digest_after(150);
    (void)state;
    w[0].c = w[1].c = slope();
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&w[i].thread, NULL, compute, &w[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(w[i].thread, NULL);
    sciara_case_free(w[0].c);
    assert_true(w[0].digest == right && w[1].digest == right);
}

static void *look(void *self)
{
    sciara_snapshot *x = self;
    static uint64_t digest;
    digest = sciara_snapshot_digest(x);
    sciara_snapshot_free(x);
    return &digest;
}

static void a_snapshot_is_read_while_steps_go_on(void **state)
{
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *x;
    pthread_t thread;
    void *digest;
    (void)state;
    OK(sciara_advance(s, 10, &e));
    OK(sciara_snapshot_take(&x, s, &e));
    assert_int_equal(pthread_create(&thread, NULL, look, x), 0);
    for (int i = 0; i < 140; i++) OK(sciara_advance(s, 1, &e));
    pthread_join(thread, &digest);
    assert_true(*(uint64_t *)digest == digest_after(10));
    assert_true(digest_now(s) == digest_after(150));
    sciara_free(s);
    sciara_case_free(c);
}

/* ---- progress and cancelling ----------------------------------------------------------------- */

struct seen {
    pthread_t thread;
    int calls, cancel_at; /* cancel_at 0: never */
    enum sciara_phase phase;
    int64_t step;
};

static int see(const struct sciara_progress *now, void *user)
{
    struct seen *seen = user;
    assert_true(pthread_equal(pthread_self(), seen->thread));
    assert_true(now->elapsed_s >= 0);
    seen->phase = now->phase;
    seen->step = now->step;
    return ++seen->calls == seen->cancel_at;
}

static void steps_can_be_cancelled_and_go_on(void **state)
{
    struct seen seen = {.thread = pthread_self(), .cancel_at = 1};
    struct sciara_options o = with(1);
    struct sciara_error e = {0};
    struct sciara_state now;
    sciara_case *c = slope();
    sciara_simulation *s;
    (void)state;
    o.watcher = (struct sciara_watcher){see, &seen};
    OK(sciara_create(&s, c, &o, &e));
    seen.calls = 0;
    assert_int_equal(sciara_advance(s, 150, &e), SCIARA_CANCELLED);
    assert_string_equal(e.text, "cancelled");
    e.status = 0;
    sciara_state(s, &now);
    assert_true(now.step > 0 && now.step < 150);
    assert_true(seen.phase == SCIARA_COMPUTING && seen.step == now.step);
    OK(sciara_advance(s, 150 - now.step, &e));
    assert_true(digest_now(s) == digest_after(150));
    sciara_free(s);
    sciara_case_free(c);
}

/* Work that lasts until it is cancelled. */
static int wait_for_cancel(void *what, struct error *e)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!watch_cancelled(what)) nanosleep(&moment, NULL);
    return error_cancelled(e);
}

static int be_unlucky(void *what, struct error *e)
{
    (void)what;
    return error_failed(e, "no luck");
}

static void work_is_watched(void **state)
{
    struct watch watch = {0};
    struct seen seen = {.thread = pthread_self(), .cancel_at = 3};
    const struct sciara_watcher watcher = {see, &seen};
    struct watched w = {&watcher, SCIARA_READING, &watch, true, wait_for_cancel, &watch, false};
    struct error e = {0};
    (void)state;
    assert_int_equal(watched_do(&w, &e), ERROR_CANCELLED);
    assert_true(w.cancelled && seen.calls == 3 && seen.phase == SCIARA_READING);
    w.work = be_unlucky;
    assert_int_equal(watched_do(&w, &e), ERROR_FAILED);
    assert_string_equal(e.text, "no luck");
}

static void cancelled_files_leave_nothing(void **state)
{
    struct scratch dir;
    struct watch watch = {0};
    struct error mine = {0};
    struct sciara_error e = {0};
    struct sim_case read;
    sciara_case *c = slope();
    sciara_simulation *s = start(c);
    sciara_snapshot *x;
    (void)state;
    scratch_create(&dir);
    watch_cancel(&watch);
    const char *path = write_case(&dir);
    assert_int_equal(case_load_watched(&read, path, true, &watch, &mine), ERROR_CANCELLED);
    assert_string_equal(mine.text, "cancelled");
    assert_null(read.path);
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    const char *folder = scratch_file(&dir, "out");
    for (unsigned format = SCIARA_GEOTIFF; format <= SCIARA_ORIGINAL; format *= 2) {
        const struct output_info info = snapshot_info(s, folder, format, &watch);
        assert_int_equal(output_prepare(folder, &mine), 0);
        assert_int_equal(output_state(&info, &s->c, &x->f, &mine), ERROR_CANCELLED);
        assert_int_equal(count_files(folder), 0);
    }
    OK(sciara_snapshot_write(x, folder, SCIARA_GEOTIFF | SCIARA_PNG, NULL, &e));
    assert_int_equal(count_files(folder), 9); /* it can be done, too */
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
    scratch_remove(&dir);
}

/* ---- whole runs ------------------------------------------------------------------------------ */

static void runs(void **state)
{
    struct scratch dir;
    struct seen seen = {.thread = pthread_self()};
    struct sciara_options o = with(1);
    struct sciara_run_options run;
    struct sciara_error e = {0};
    sciara_case *c = slope();
    sciara_simulation *s;
    sciara_snapshot *last;
    (void)state;
    scratch_create(&dir);
    o.watcher = (struct sciara_watcher){see, &seen};
    OK(sciara_create(&s, c, &o, &e));
    sciara_run_options_init(&run, sizeof run);
    run.folder = scratch_file(&dir, "whole");
    run.every = 90;
    OK(sciara_run(s, &run, &last, &e));
    assert_int_equal(sciara_snapshot_step(last), 200);
    assert_true(sciara_snapshot_digest(last) == digest_after(200));
    assert_int_equal(count_files(run.folder), 3 * 9 + 1);
    assert_true(seen.calls > 0);
    char *text = sciara_summary(s), digest[20];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)digest_after(200));
    assert_non_null(strstr(text, digest));
    assert_non_null(strstr(text, "\"closed\":\ttrue"));
    sciara_text_free(text);
    sciara_snapshot_free(last);
    run.folder = scratch_file(&dir, "again"); /* nothing is left to do but to write the end */
    OK(sciara_run(s, &run, NULL, &e));
    assert_int_equal(count_files(run.folder), 9 + 1);
    sciara_free(s);
    sciara_case_free(c);
    scratch_remove(&dir);
}

static void a_cancelled_run_writes_what_it_has(void **state)
{
    struct scratch dir;
    struct seen seen = {.thread = pthread_self(), .cancel_at = 1};
    struct sciara_options o = with(1);
    struct sciara_run_options run;
    struct sciara_error e = {0};
    struct sciara_state now;
    sciara_case *c = slope();
    sciara_simulation *s;
    sciara_snapshot *last;
    (void)state;
    scratch_create(&dir);
    o.watcher = (struct sciara_watcher){see, &seen};
    OK(sciara_create(&s, c, &o, &e));
    seen.calls = 0;
    sciara_run_options_init(&run, sizeof run);
    run.folder = scratch_file(&dir, "out");
    assert_int_equal(sciara_run(s, &run, &last, &e), SCIARA_CANCELLED);
    assert_non_null(last);
    sciara_state(s, &now);
    assert_true(now.step < 200 && now.step == sciara_snapshot_step(last));
    assert_int_equal(count_files(run.folder), 9 + 1);
    char *text = sciara_summary(s);
    assert_non_null(strstr(text, "\"interrupted\":\ttrue"));
    sciara_text_free(text);
    sciara_snapshot_free(last);
    sciara_free(s);
    sciara_case_free(c);
    scratch_remove(&dir);
}

static void a_run_needs_an_end(void **state)
{
    struct library_case *c = calloc(1, sizeof *c);
    const struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_case *made;
    sciara_simulation *s;
    (void)state;
    assert_non_null(c);
    library_case_fill(c);
    c->input.max_steps = 0;
    OK(sciara_case_create(&made, &c->input, &e));
    OK(sciara_create(&s, made, &o, &e));
    assert_int_equal(sciara_run(s, NULL, NULL, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "slope: has neither"));
    e.status = 0;
    OK(sciara_advance(s, 5, &e)); /* steps do not */
    sciara_free(s);
    sciara_case_free(made);
    c->input.stop_below_m = 1e9; /* after the eruption, at the next reduction */
    OK(sciara_case_create(&made, &c->input, &e));
    OK(sciara_create(&s, made, &o, &e));
    OK(sciara_run(s, NULL, NULL, &e));
    struct sciara_state now;
    sciara_state(s, &now);
    assert_true(now.stopped && now.ended && now.step == 100 && now.mobile_m > 0);
    sciara_free(s);
    sciara_case_free(made);
    c->input.first_step = 2147483646;
    OK(sciara_case_create(&made, &c->input, &e));
    assert_int_equal(sciara_create(&s, made, &o, &e), SCIARA_INPUT);
    sciara_case_free(made);
    free(c);
}

static void published_arithmetic(void **state)
{
    struct scratch dir;
    struct sciara_error e = {0};
    struct sciara_state now;
    struct sciara_options o = with(1);
    sciara_case *c;
    sciara_simulation *s;
    sciara_snapshot *x;
    int64_t exact[48];
    (void)state;
    scratch_create(&dir);
    OK(sciara_case_load(&c, write_case(&dir), "published", NULL, &e));
    o.variant = "cfamo";
    assert_int_equal(sciara_create(&s, c, &o, &e), SCIARA_INPUT);
    e.status = 0;
    OK(sciara_create(&s, c, NULL, &e));
    OK(sciara_advance(s, 20, &e));
    sciara_state(s, &now);
    assert_string_equal(now.variant, "published");
    assert_int_equal(now.threads, 1);
    OK(sciara_snapshot_take(&x, s, &e));
    assert_true(sciara_snapshot_field(x, SCIARA_THICKNESS)[2 * 8 + 3] > 0);
    assert_true(sciara_snapshot_field(x, SCIARA_ELEVATION)[2 * 8 + 3] == 1000.1 - 20 + 3);
    assert_int_equal(sciara_snapshot_read_exact(x, SCIARA_THICKNESS, exact, 48, &e), SCIARA_INPUT);
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
    scratch_remove(&dir);
}

static void variants_are_described(void **state)
{
    struct sciara_variant v;
    struct sciara_kernel k[8];
    struct sciara_error e = {0};
    int count = -1;
    (void)state;
    assert_true(sciara_variant_count() > 1);
    assert_null(sciara_variant_name(-1));
    assert_null(sciara_variant_name(sciara_variant_count()));
    for (int i = 0; i < sciara_variant_count(); i++) {
        OK(sciara_variant_describe(&v, sciara_variant_name(i), 0, &e));
        assert_string_equal(v.name, sciara_variant_name(i));
        assert_true(v.available ? *v.device && !*v.reason : !*v.device && *v.reason);
    }
    assert_string_equal(v.name, "reference");
    assert_true(v.built && v.available && !v.cuda && v.bytes_per_cell > 8);
    OK(sciara_variant_kernels(k, 8, &count, "reference", 0, &e));
    assert_int_equal(count, 0);
    assert_int_equal(sciara_variant_describe(&v, "fast", 0, &e), SCIARA_INPUT);
    assert_int_equal(sciara_variant_describe(&v, NULL, 0, &e), SCIARA_INPUT);
    assert_int_equal(sciara_variant_kernels(k, 8, &count, "fast", 0, &e), SCIARA_INPUT);
    assert_string_equal(sciara_version(), SCIARA_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_as_good_as_files),
        cmocka_unit_test(any_portions_give_the_same),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(objects_are_freed_in_any_order),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(a_snapshot_is_read_while_steps_go_on),
        cmocka_unit_test(steps_can_be_cancelled_and_go_on),
        cmocka_unit_test(work_is_watched),
        cmocka_unit_test(cancelled_files_leave_nothing),
        cmocka_unit_test(runs),
        cmocka_unit_test(a_cancelled_run_writes_what_it_has),
        cmocka_unit_test(a_run_needs_an_end),
        cmocka_unit_test(published_arithmetic),
        cmocka_unit_test(variants_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
