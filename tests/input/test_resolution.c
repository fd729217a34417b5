/* Parameters on cells of another size than they are for: scaled by the ratio of the areas, to the
 * bits of the same number written out; cells of that size, and cases that say nothing, keep theirs.
 */
#include "calibration/calibration.h"
#include "case/resolution.h"
#include "ensemble/member.h"
#include "library/inside.h"
#include "reference/reference.h"

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
    if (!*warning != !*c.warning || !strstr(c.warning, warning))
        fail_msg("%g m %s: warns '%s', not '%s'", cell_m, more, c.warning, warning);
    if (!*resolution != !*text || !strstr(text, resolution))
        fail_msg("%g m %s: says '%s', not '%s'", cell_m, more, text, resolution);
    assert_true(fabs(resolution_clock_s(&c) - clock_s) < 1e-9);
    case_free(&c);
}

static void test_words(void **state)
{
    expect(10, "", "", "", 0);
    expect(9.98, "", "", "", 0);
    expect(20, "", "lava here would cool 0.25 times as fast", "", 0);
    expect(20, "", "Pclock of 240 s", "", 0);
    expect(10, "calibrated_cell_m 10\n", "", "", 0);
    expect(20, "calibrated_cell_m 10\n", "", "Pcool 2.8 is scaled to 11.2; a Pclock of 240 s", 240);
    expect(20, "calibrated_cell_m 10\ncalibrated_clock_s 60\n", "", "is scaled to 11.2", 0);
    expect(20, "calibrated_cell_m 20\ncalibrated_clock_s 60\n", "", "Pclock of 60 s", 60);
}

int main(void)
{
    const int failed =
        UNIT_RUN_IN(plan_set_up, NULL, NULL, NULL, test_own_cells, test_other_cells,
                    test_cools_alike, test_members, test_calibration, test_arrays, test_words);
    scratch_remove(&dir);
    return failed;
}
