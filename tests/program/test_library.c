/* The library: the same bits on every way to them, snapshots, objects freed in any order, several
 * simulations at once. */
/* tests: library */
/* run: quick */
#include <float.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "case_files.h"
#include "model/lattice.h"
#include "terrain/terrain.h"
#include "library_case.h"
#include "unit.h"

/* Whether the header names that field of sciara_snapshot_differ(). */
static bool is_in_header(const char *field)
{
    char quoted[64], line[256];
    bool found = false;
    FILE *f = fopen("include/sciara.h", "r");
    assert_non_null(f);
    snprintf(quoted, sizeof quoted, "\"%s\"", field);
    while (fgets(line, sizeof line, f)) found = found || strstr(line, quoted);
    fclose(f);
    return found;
}

/* Terrain that is read where it is needed is read whole when that is asked for. */
static void large_terrain(void **state)
{
    struct scratch dir;
    struct error why = {0};
    struct sciara_error e = {0};
    struct sciara_case_info info;
    sciara_case *c;
    struct terrain t = terrain_default(TERRAIN_PYRAMID);
    t.rows = 1025;
    t.cols = 1024;
    scratch_create(&dir);
    if (terrain_write_case(&t, dir.path, "large", NULL, &why)) fail_msg("%s", why.text);
    OK(sciara_case_load(&c, scratch_file(&dir, "large.cfg"), NULL, NULL, &e));
    sciara_case_info(c, &info);
    assert_null(info.elevation_m);
    OK(sciara_case_read_terrain(c, &e));
    sciara_case_info(c, &info);
    for (int row = 0; row < t.rows; row += 64)
        for (int col = 0; col < t.cols; col++)
            assert_true(info.elevation_m[row * t.cols + col] ==
                        lattice_round((double)(float)terrain_elevation(&t, row, col)));
    sciara_case_free(c);
    scratch_remove(&dir);
}

/* ---- the same bits --------------------------------------------------------------------------- */

static void arrays_are_as_good_as_files(void **state)
{
    struct scratch dir;
    struct sciara_error e = {0};
    struct sciara_case_info info;
    sciara_case *c[2];
    uint64_t digest[2];
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

/* A time is reached by the step that ends at it, though 4.3 / 0.1 is less than 43 and 3 * 0.1 more than 0.3. */
static void times_of_short_steps(void **state)
{
    struct library_case c;
    const struct sciara_options o = with(1);
    struct sciara_error e = {0};
    struct sciara_state now;
    sciara_case *made;
    sciara_simulation *s;
    library_case_fill(&c);
    c.input.parameters.Pclock = 0.1;
    OK(sciara_case_create(&made, &c.input, &e));
    OK(sciara_create(&s, made, &o, &e));
    OK(sciara_advance_to(s, 0.3, &e));
    sciara_state(s, &now);
    assert_int_equal(now.step, 2);
    OK(sciara_advance_to(s, 4.3, &e));
    sciara_state(s, &now);
    assert_int_equal(now.step, 43);
    sciara_free(s);
    sciara_case_free(made);
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
    sciara_snapshot *first, *early, *late;
    OK(sciara_snapshot_take(&first, s, &e));
    OK(sciara_advance(s, 1, &e));
    OK(sciara_snapshot_take(&early, s, &e));
    assert_true(sciara_snapshot_differ(first, early, &field) > 2);
    assert_true(!strcmp(field, "mobile thickness") && is_in_header(field));
    sciara_snapshot_free(first);
    sciara_snapshot_free(early);
    OK(sciara_advance(s, 59, &e));
    OK(sciara_snapshot_take(&early, s, &e));
    OK(sciara_advance(s, 60, &e));
    OK(sciara_snapshot_take(&late, s, &e));
    assert_int_equal(sciara_snapshot_step(early), 60);
    assert_true(sciara_snapshot_digest(early) == digest_after(60));
    assert_true(sciara_snapshot_digest(late) == digest_after(120));
    check_fields(early);
    OK(sciara_snapshot_ledger(late, &l, &e));
    assert_true(sciara_sum_value(l.initial) > 0 && sciara_sum_value(l.solidified) > 0);
    assert_true(sciara_sum_value((struct sciara_sum){.low = 8192, .high = 3}) == 0x3p64 + 8192);
    assert_true(sciara_sum_value((struct sciara_sum){.low = UINT64_MAX, .high = -1}) == -1);
    double heat_J = 0; /* of the fields, and of all that the ledger says */
    for (int i = 0; i < CELLS; i++)
        heat_J += sciara_snapshot_field(late, SCIARA_THICKNESS)[i] *
                  sciara_snapshot_field(late, SCIARA_TEMPERATURE)[i] * 100 * 2600 * 1150;
    assert_true(heat_J > 1e9);
    assert_true(fabs(sciara_sum_value(l.heat.mobile) * l.heat.unit_J / heat_J - 1) < 1e-9);
    assert_true(sciara_sum_value(l.heat.initial) > 0 && sciara_sum_value(l.heat.emitted) > 0);
    assert_true(sciara_sum_value(l.heat.solidified) > 0 && sciara_sum_value(l.heat.cooled) > 0);
    assert_true(l.heat.initial.low + l.heat.emitted.low ==
                l.heat.mobile.low + l.heat.solidified.low + l.heat.left_domain.low +
                    l.heat.cooled.low);
    const double emitted_m3 = sciara_sum_value(l.emitted) * l.unit_m3;
    double asked_m3, table_m3;
    sciara_case_volume(c, 0, 120, &asked_m3, &table_m3);
    assert_true(asked_m3 == 4.25 * 3600 + 1.5 * 5400 + 3.0 * 6000);
    assert_true(fabs(emitted_m3 - asked_m3) <= 2 * l.unit_m3 && emitted_m3 == table_m3);
    OK(sciara_snapshot_extent(late, &extent, &e));
    assert_true(extent.cells > 20 && extent.area_m2 == 100.0 * (double)extent.cells);
    assert_true(extent.runout_m > 10 && extent.max_thickness_m > 1);
    assert_int_equal(sciara_snapshot_differ(early, early, &field), 0);
    assert_string_equal(field, "");
    assert_true(sciara_snapshot_differ(early, late, &field) > 20);
    assert_true(extent.thickest_m > 0 && extent.thickest_m <= extent.max_thickness_m);
    assert_true(is_in_header(field));
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

/* ---- a part of a large domain is held --------------------------------------------------------- */

enum { LARGE_ROWS = 1100, LARGE_COLS = 1000, LARGE = LARGE_ROWS * LARGE_COLS };

static sciara_case *large_case(void)
{
    struct sciara_error e = {0};
    struct library_case *c = calloc(1, sizeof *c);
    sciara_case *made = NULL;
    library_case_fill(c);
    double *z = malloc(LARGE * sizeof *z), *h = calloc(LARGE, sizeof *h);
    for (int i = 0; i < LARGE; i++) z[i] = 2500 - 1.5 * (i / LARGE_COLS) + i % 7;
    for (int col = 300; col < 320; col++) h[700 * LARGE_COLS + col] = 3;
    for (int v = 0; v < VENTS; v++) c->vents[v].row += 600, c->vents[v].col += 300;
    c->input.rows = LARGE_ROWS;
    c->input.cols = LARGE_COLS;
    c->input.elevation_m = z;
    c->input.thickness_m = h;
    c->input.temperature_K = c->input.solidified_m = NULL;
    OK(sciara_case_create(&made, &c->input, &e));
    free(z);
    free(h);
    free(c);
    return made;
}

static sciara_snapshot *large_state(sciara_simulation **s, const sciara_case *c, int full,
                                    const char *from, int64_t steps)
{
    struct sciara_options o = with(1);
    struct sciara_error e = {0};
    sciara_snapshot *x;
    o.full_domain = full;
    o.from_state = from;
    OK(sciara_create(s, c, &o, &e));
    OK(sciara_advance(*s, steps, &e));
    OK(sciara_snapshot_take(&x, *s, &e));
    return x;
}

static void expect_equal_states(sciara_snapshot *x, sciara_snapshot *y)
{
    struct sciara_ledger of_x, of_y;
    struct sciara_error e = {0};
    assert_int_equal(sciara_snapshot_differ(x, y, NULL), 0);
    assert_true(sciara_snapshot_digest(x) == sciara_snapshot_digest(y));
    OK(sciara_snapshot_ledger(x, &of_x, &e));
    OK(sciara_snapshot_ledger(y, &of_y, &e));
    assert_memory_equal(&of_x, &of_y, sizeof of_x);
    for (int f = SCIARA_ELEVATION; f <= SCIARA_MAX_TEMPERATURE; f++)
        assert_memory_equal(sciara_snapshot_field(x, (enum sciara_field)f),
                            sciara_snapshot_field(y, (enum sciara_field)f), LARGE * 8);
    assert_memory_equal(sciara_snapshot_arrival_step(x), sciara_snapshot_arrival_step(y),
                        LARGE * 4);
}

static void expect_window(sciara_snapshot *x)
{
    struct sciara_window w = {0}, of = {690, 290, 30, 40};
    struct sciara_error e = {0};
    float part[30 * 40], *all = malloc(LARGE * sizeof *all);
    OK(sciara_snapshot_window(x, &w, &e));
    assert_true(w.rows < LARGE_ROWS && w.cols < LARGE_COLS && w.row0 <= 602 && w.col0 <= 300);
    OK(sciara_snapshot_read(x, SCIARA_TOTAL_THICKNESS, all, LARGE, &e));
    OK(sciara_snapshot_read_window(x, SCIARA_TOTAL_THICKNESS, &of, part, 30 * 40, &e));
    for (int row = 0; row < 30; row++)
        assert_memory_equal(part + row * 40, all + (690 + row) * LARGE_COLS + 290, 40 * 4);
    assert_true(part[10 * 40 + 15] > 0);
    of.row0 = LARGE_ROWS - 29;
    assert_int_equal(sciara_snapshot_read_window(x, SCIARA_ELEVATION, &of, part, 30 * 40, &e),
                     SCIARA_INPUT);
    assert_string_equal(e.text,
                        "window: row0 1071, col0 290, rows 30, cols 40 is not in the domain "
                        "of 1100 x 1000 cells");
    free(all);
}

static void a_part_is_held(void **state)
{
    struct sciara_error e = {0};
    struct scratch dir;
    sciara_case *c = large_case();
    sciara_simulation *part, *all, *next;
    scratch_create(&dir);
    const char *path = scratch_file(&dir, "state.tif");
    sciara_snapshot *x = large_state(&part, c, 0, NULL, 8), *y = large_state(&all, c, 1, NULL, 8);
    expect_equal_states(x, y);
    expect_window(x);
    OK(sciara_snapshot_save(x, path, &e));
    sciara_snapshot_free(x);
    sciara_snapshot_free(y);
    OK(sciara_advance(part, 3, &e));
    OK(sciara_snapshot_take(&x, part, &e));
    y = large_state(&next, c, 1, path, 3); /* from a state of a window */
    expect_equal_states(x, y);
    sciara_snapshot_free(x);
    sciara_snapshot_free(y);
    sciara_free(part);
    sciara_free(all);
    sciara_free(next);
    sciara_case_free(c);
    scratch_remove(&dir);
}

/* Of several damaged states, the one that is named is the latest, at which most steps are lost. */
static void damaged_states(void **state)
{
    struct scratch dir;
    struct library_case c;
    struct sciara_error e = {0};
    struct sciara_options o = with(1);
    sciara_case *made;
    sciara_simulation *s;
    library_case_fill(&c);
    OK(sciara_case_create(&made, &c.input, &e));
    scratch_create(&dir);
    put_text(&dir, "state_000020.tif", "");
    put_text(&dir, "state_000300.tif", "");
    put_text(&dir, "state_000100.tif", "");
    o.resume = dir.path;
    OK(sciara_create(&s, made, &o, &e));
    assert_int_equal(sciara_from_step(s), -1);
    assert_non_null(strstr(sciara_passed_over(s), "state_000300.tif: is "));
    sciara_free(s);
    sciara_case_free(made);
    scratch_remove(&dir);
}

int main(void)
{
    return UNIT_RUN(damaged_states, times_of_short_steps, large_terrain,
                    arrays_are_as_good_as_files, any_portions_give_the_same, snapshots,
                    objects_are_freed_in_any_order, two_at_once,
                    a_snapshot_is_read_while_steps_go_on, a_part_is_held);
}
