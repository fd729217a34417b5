/* Parameters on cells of another size than they are for: scaled by the ratio of the areas, to the
 * bits of the same number written out; cells of that size, and cases that say nothing, keep theirs.
 */
/* tests: input/case */
#include "calibration/calibration.h"
#include "case/changes.h"
#include "case/resolution.h"
#include "plan/member.h"
#include "library/inside.h"
#include "reference/reference.h"
#include "restart/restart.h"

#include "case_checks.h"
#include "plan_files.h"

#include <math.h>

/* A bowl of cells of `cell_m`, and a vent that puts 1.44 m into one of them in each of ten steps.
 */
static void put_cells(double cell_m)
{
    char text[4096];
    snprintf(text, sizeof text, "vent,from_s,to_s,rate_m3_s\n1,0,1200,%.17g\n",
             0.012 * cell_m * cell_m);
    put_text(&dir, "rates.csv", text);
    int n = snprintf(text, sizeof text,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize %g\n"
                     "NODATA_value -9999\n",
                     cell_m);
    for (int i = 0; i < 48; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%.17g ",
                      1000.1 + 0.2 * (abs(i / 8 - 3) + abs(i % 8 - 3)));
    put_text(&dir, "dem.asc", text);
}

static const char *put_case(double cell_m, const char *more)
{
    char text[2048];
    write_case(&dir);
    put_cells(cell_m);
    snprintf(text, sizeof text, CASE_TEXT "max_steps 60\n%s", more);
    put_text(&dir, "case.cfg", text);
    return scratch_file(&dir, "case.cfg");
}

/* Parameters of the small case with another Pcool. */
static const char *put_cooling(double cell_m, double cooling)
{
    char text[2048], value[40];
    put_case(cell_m, "");
    snprintf(text, sizeof text, CASE_TEXT "max_steps 60\n");
    char *at = strstr(text, "Pcool 2.8\n");
    assert_non_null(at);
    const char *rest = at + strlen("Pcool 2.8\n");
    snprintf(value, sizeof value, "Pcool %.17g\n", cooling);
    char whole[2048];
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - text), text, value, rest);
    put_text(&dir, "case.cfg", whole);
    return scratch_file(&dir, "case.cfg");
}

/* The digest after 60 steps, in which lava has spread and cooled. */
static uint64_t run(const struct problem *p)
{
    struct fields f;
    struct error e;
    void *self;
    assert_int_equal(variant_reference.create(&self, p, NULL, &e), 0);
    assert_int_equal(fields_create(&f, p->window, &e), 0);
    assert_int_equal(variant_reference.advance(self, 60, NULL, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    int wet = 0, cooler = 0;
    for (int i = 0; i < 48; i++) {
        wet += f.thickness_m[i] + f.solid_m[i] > 0;
        cooler += f.temp_K[i] > 0 && f.temp_K[i] < p->params.temp_vent_K - 1;
    }
    assert_true(wet > 3 && cooler > 2);
    const uint64_t digest = fields_digest(&f, p->rows, p->cols);
    fields_free(&f);
    variant_reference.destroy(self);
    return digest;
}

static uint64_t digest_of(const char *path, double cooling)
{
    struct sim_case c;
    load(&c, path);
    assert_true(c.problem.params.cooling == cooling);
    const uint64_t digest = run(&c.problem);
    case_free(&c);
    return digest;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void test_own_cells(void **state)
{
    static const double cell_m[] = {10, 5, 20, 7.3, 9.98};
    for (int i = 0; i < 5; i++) {
        char key[64];
        snprintf(key, sizeof key, "calibrated_cell_m %.17g\n", cell_m[i]);
        const uint64_t plain = digest_of(put_case(cell_m[i], ""), 2.8);
        assert_true(digest_of(put_case(cell_m[i], key), 2.8) == plain);
    }
}

static void test_other_cells(void **state)
{
    static const struct {
        double cell_m, cooling;
    } grid[] = {{5, 2.8 * 0.25}, {20, 2.8 * 4}, {40, 2.8 * 16}};
    for (int i = 0; i < 3; i++) {
        const char *path = put_case(grid[i].cell_m, "calibrated_cell_m 10\n");
        const uint64_t scaled = digest_of(path, grid[i].cooling);
        assert_true(digest_of(put_cooling(grid[i].cell_m, grid[i].cooling), grid[i].cooling) ==
                    scaled);
        assert_true(digest_of(put_case(grid[i].cell_m, ""), 2.8) != scaled); /* it matters */
    }
}

/* A physical cooling does not know the cell: h, T and time decide. */
static void test_cools_alike(void **state)
{
    double after[3];
    static const double cell_m[] = {5, 10, 20};
    for (int i = 0; i < 3; i++) {
        struct sim_case c;
        load(&c, put_case(cell_m[i], "calibrated_cell_m 10\n"));
        const struct physics p = physics_create(&c.problem.params);
        after[i] = p.cooling;
        case_free(&c);
    }
    assert_true(after[0] > 0 && fabs(after[0] / after[1] - 1) < 1e-15);
    assert_true(fabs(after[2] / after[1] - 1) < 1e-15);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* The small case with the parameters of a set. */
static const char *put_set_case(double cell_m, const char *more)
{
    char text[1024];
    put_case(cell_m, "");
    snprintf(text, sizeof text,
             "dem dem.asc\nvents vents.csv\nrates rates.csv\nparameters etna-2006\n%s", more);
    put_text(&dir, "case.cfg", text);
    return scratch_file(&dir, "case.cfg");
}

static void expect_step(double cell_m, const char *more, double clock_s, int64_t steps)
{
    struct sim_case c;
    load(&c, put_set_case(cell_m, more));
    if (c.problem.params.clock_s != clock_s || c.max_steps != steps)
        fail_msg("%g m, %s: %lld steps of %g s, not %lld of %g", cell_m, more,
                 (long long)c.max_steps, c.problem.params.clock_s, (long long)steps, clock_s);
    assert_true(resolution_given(&c)->clock_s == clock_s);
    case_free(&c);
}

/* The step of a set belongs to its cells; one of the case itself counts as it is, and so do steps. */
static void test_step(void **state)
{
    expect_step(10, "run_h 2\n", 120, 60);
    expect_step(10.05, "run_h 2\n", 120, 60); /* no other cells */
    expect_step(25, "run_h 2\n", 300, 24);
    expect_step(5, "run_h 2\n", 60, 120);
    expect_step(25, "run_h 2.01\n", 300, 25);
    expect_step(25, "max_steps 60\n", 300, 60);
    expect_step(25, "run_h 2\nPclock 120\n", 120, 60);
    expect_step(25, "run_h 2\ncalibrated_cell_m 50\n", 60, 120);
    expect_step(20, "start_time 2006-07-14T22:00\nrun_h 2006-07-15T02:00\n", 240, 60);
    const struct bad both = {"case.cfg", "", "case.cfg:6: ", "run_h both end"};
    expect_refusal(&both, put_set_case(10, "run_h 2\nmax_steps 60\n"));
}

/* The numbers that were scaled, written out: the same bits, with a terrain that changes at a time. */
static void test_step_bits(void **state)
{
    struct sim_case c;
    load(&c, put_set_case(25, "run_h 2\nterrain_update 30min dem.asc with_lava\n"));
    const uint64_t scaled = run(&c.problem);
    assert_int_equal(change_step(&c.change[0], &c.problem.params), 6);
    case_free(&c);
    load(&c, put_set_case(25, "run_h 2\nPclock 300\n"));
    assert_true(run(&c.problem) == scaled);
    case_free(&c);
    load(&c, put_set_case(25, "run_h 2\nPclock 120\n"));
    assert_true(run(&c.problem) != scaled); /* it matters */
    case_free(&c);
    load(&c, put_set_case(10, "run_h 2\n"));
    const uint64_t own = run(&c.problem);
    case_free(&c);
    load(&c, put_set_case(10, "run_h 2\nPclock 120\n"));
    assert_true(run(&c.problem) == own);
    case_free(&c);
}

static uint64_t plan_digest_of(double cell_m, const char *more, uint64_t *unscaled)
{
    char text[256];
    struct plan *p;
    struct error e;
    snprintf(text, sizeof text, "run_h 2\nmembers 3\n%s", more);
    assert_int_equal(plan_load(&p, put_set_case(cell_m, text), &e), 0);
    const uint64_t digest = p->digest;
    *unscaled = p->unscaled_digest;
    plan_free(p);
    return digest;
}

/* The case of a state of a version that did not scale the step, and the line that makes it so again. */
static void test_old_states(void **state)
{
    struct sim_case old, now;
    struct restart r = {0};
    struct identity id;
    struct error e;
    uint64_t was, is;
    load(&old, put_set_case(25, "run_h 2\nPclock 120\n"));
    load(&now, put_set_case(25, "run_h 2\n"));
    assert_int_equal(identity_of(&r.identity, &old, problem_domain(&old.problem), &e), 0);
    assert_int_equal(identity_of(&id, &now, problem_domain(&now.problem), &e), 0);
    assert_int_equal(restart_fits(&r, &id, RESTART_CHANGED, "state.tif", &e), ERROR_INPUT);
    assert_non_null(strstr(e.text,
                           "differs in Pclock (120, now 300); Pclock is scaled with the cell "
                           "size now; the line 'Pclock 120' restores the earlier step"));
    assert_int_equal(identity_of(&id, &old, problem_domain(&old.problem), &e), 0);
    assert_int_equal(restart_fits(&r, &id, RESTART_UNCHANGED, "state.tif", &e), 0);
    case_free(&old);
    case_free(&now);

    const uint64_t own = plan_digest_of(10, "", &was);
    assert_true(own == was); /* nothing is scaled */
    const uint64_t scaled = plan_digest_of(25, "", &was);
    assert_true(scaled != was);
    assert_true(plan_digest_of(25, "Pclock 120\n", &is) == was);
    assert_true(plan_digest_of(25, "Pclock 100\n", &is) != was);
}

/* Draws of Pclock count as they are, like a line of the case. */
static void test_step_of_members(void **state)
{
    static const char *const keys[] = {"vary_Pcool uniform 2 4\n", "vary_Pclock uniform 100 200\n"};
    for (int i = 0; i < 2; i++) {
        struct plan *p;
        struct member m;
        struct error e;
        char text[256];
        snprintf(text, sizeof text, "run_h 2\nmembers 3\n%s", keys[i]);
        assert_int_equal(plan_load(&p, put_set_case(25, text), &e), 0);
        assert_int_equal(member_create(&m, p, 1, &e), 0);
        const double clock_s = m.c.problem.params.clock_s;
        assert_true(i ? clock_s == m.value[0] && clock_s < 200 : clock_s == 300);
        assert_true(m.c.max_steps == (int64_t)ceil(7200 / clock_s));
        member_free(&m);
        plan_free(p);
    }
}

/* ---- members, calibrations, arrays ----------------------------------------------------------- */

static void test_members(void **state)
{
    struct plan *p;
    struct member m;
    struct error e;
    const char *path = put_case(5, "calibrated_cell_m 10\nmembers 8\nvary_Pcool uniform 2 4\n");
    assert_int_equal(plan_load(&p, path, &e), 0);
    for (int n = 0; n < 8; n++) {
        assert_int_equal(member_create(&m, p, n, &e), 0);
        const double drawn = m.value[7]; /* Pcool */
        assert_string_equal(params_table[7].name, "Pcool");
        assert_true(drawn >= 2 && drawn <= 4);
        assert_true(resolution_given(&m.c)->cooling == drawn);
        assert_true(m.c.problem.params.cooling == drawn * 0.25);
        member_free(&m);
    }
    plan_free(p);
    path = put_case(5, "calibrated_cell_m 10\nmembers 2\nvary_Phc(Tvent) uniform 1 2\n");
    assert_int_equal(plan_load(&p, path, &e), 0);
    assert_int_equal(member_create(&m, p, 1, &e), 0);
    assert_true(m.c.problem.params.cooling == 2.8 * 0.25); /* once, not twice */
    member_free(&m);
    plan_free(p);
}

/* What is searched for is the parameter as a case gives it. */
static void test_calibration(void **state)
{
    struct calibration c;
    struct error e = {0};
    const struct calibration_options w = {0};
    double outline[48];
    for (int i = 0; i < 48; i++) outline[i] = i / 8 >= 2;
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 5\n");
    for (int i = 0; i < 48; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%g ", outline[i]);
    put_text(&dir, "flow.asc", text);
    const char *path = put_case(5, "calibrated_cell_m 10\noutline flow.asc\nfit_Pcool 1 8\n"
                                   "population 4\nevaluations 9\n");
    if (calibration_open(&c, path, &w, &e)) fail_msg("%s", e.text);
    struct member m;
    c.plan->table.row[0].value[7] = 4;
    assert_int_equal(member_create_flat(&m, c.plan, 0, &e), 0);
    assert_true(m.c.problem.params.cooling == 1);
    member_free(&m);
    calibration_close(&c);
}

static void test_arrays(void **state)
{
    double elevation_m[16];
    struct sciara_case_input in;
    struct sciara_case_info info;
    struct sciara_error e;
    sciara_case *c;
    const struct sciara_vent vent = {1, 1, 1};
    const struct sciara_rate rate = {1, 0, 1200, 0.1};
    for (int i = 0; i < 16; i++) elevation_m[i] = 100 + i;
    sciara_case_input_init(&in, sizeof in);
    sciara_parameters_etna2006(&in.parameters);
    in.rows = in.cols = 4;
    in.cell_m = 20;
    in.elevation_m = elevation_m;
    in.vents = &vent;
    in.rates = &rate;
    in.vent_count = in.rate_count = 1;
    assert_int_equal(sciara_case_create(&c, &in, &e), 0);
    sciara_case_info(c, &info);
    assert_true(info.Pcool_scaled == 2.8 && info.Pclock_proposed == 0);
    assert_non_null(strstr(info.warning, "0.25 times as fast"));
    sciara_case_free(c);
    in.calibrated_cell_m = 10;
    in.parameters.Pclock = 100;
    in.calibrated_clock_s = 120;
    assert_int_equal(sciara_case_create(&c, &in, &e), 0);
    sciara_case_info(c, &info);
    assert_true(info.parameters.Pcool == 2.8 && info.Pcool_scaled == 11.2);
    assert_true(case_inside(c)->problem.params.cooling == 11.2);
    assert_true(info.calibrated_cell_m == 10 && info.Pclock_proposed == 240);
    assert_string_equal(info.warning, "");
    sciara_case_free(c);
    in.parameters.Pclock = 0; /* that of the calibration, scaled */
    in.run_h = 2;
    assert_int_equal(sciara_case_create(&c, &in, &e), 0);
    sciara_case_info(c, &info);
    assert_true(info.parameters.Pclock == 240 && info.max_steps == 30);
    sciara_case_free(c);
    in.max_steps = 10;
    assert_int_equal(sciara_case_create(&c, &in, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "run_h: is given with max_steps"));
    in.max_steps = 0;
    in.run_h = 0;
    in.parameters.Pclock = 100;
    in.size = offsetof(struct sciara_case_input, calibrated_cell_m); /* an older program */
    assert_int_equal(sciara_case_create(&c, &in, &e), 0);
    sciara_case_info(c, &info);
    assert_true(info.calibrated_cell_m == 0 && info.Pcool_scaled == 2.8);
    sciara_case_free(c);
    in.size = sizeof in;
    in.calibrated_cell_m = -1;
    assert_int_equal(sciara_case_create(&c, &in, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "calibrated_cell_m"));
    in.calibrated_cell_m = 10;
    in.calibrated_clock_s = NAN;
    assert_int_equal(sciara_case_create(&c, &in, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "calibrated_clock_s"));
}

/* ---- what is said ---------------------------------------------------------------------------- */

static void expect(double cell_m, const char *more, const char *warning, const char *resolution,
                   double clock_s)
{
    struct sim_case c;
    char text[256];
    load(&c, put_case(cell_m, more));
    resolution_text(&c, text);
    if (!*warning != !*c.told.warning || !strstr(c.told.warning, warning))
        fail_msg("%g m %s: warns '%s', not '%s'", cell_m, more, c.told.warning, warning);
    if (!*resolution != !*text || !strstr(text, resolution))
        fail_msg("%g m %s: says '%s', not '%s'", cell_m, more, text, resolution);
    assert_true(fabs(resolution_clock_s(&c) - clock_s) < 1e-9);
    case_free(&c);
}

static void test_words(void **state)
{
    expect(10, "", "", "", 0);
    expect(9.98, "", "", "", 0);
    expect(20, "", "else lava cools 0.25 times as fast here", "", 0);
    expect(20, "", "Pclock of 240 s", "", 0);
    expect(10, "calibrated_cell_m 10\n", "", "", 0);
    expect(20, "calibrated_cell_m 10\n", "", "Pcool 2.8 is scaled to 11.2; a Pclock of 240 s", 240);
    expect(20, "calibrated_cell_m 10\ncalibrated_clock_s 60\n", "", "is scaled to 11.2", 0);
    struct sim_case c; /* a set, whose step is scaled, too */
    char text[256];
    load(&c, put_set_case(25, "run_h 2\n"));
    assert_string_equal(
        resolution_text(&c, text),
        "parameters for cells of 10 m: Pcool 2.8 is scaled to 17.5, Pclock 120 to 300");
    case_free(&c);
    load(&c, put_set_case(25, "run_h 2\nPclock 100\n"));
    assert_string_equal(
        resolution_text(&c, text),
        "parameters for cells of 10 m: Pcool 2.8 is scaled to 17.5; a Pclock of 300 s "
        "lets a front move as fast as on those cells");
    case_free(&c);
    expect(20, "calibrated_cell_m 20\ncalibrated_clock_s 60\n", "", "Pclock of 60 s", 60);
}

int main(void)
{
    const int failed =
        UNIT_RUN_IN(plan_set_up, NULL, NULL, NULL, test_own_cells, test_other_cells,
                    test_cools_alike, test_step, test_step_bits, test_old_states,
                    test_step_of_members, test_members, test_calibration, test_arrays, test_words);
    scratch_remove(&dir);
    return failed;
}
