/* The library: what was asked for and what is emitted, and lava that becomes too thick. */
/* tests: input/eruption, library */
#include "sciara.h"

#include <stdio.h>
#include <sys/stat.h>

#include "library_case.h"
#include "scratch.h"
#include "unit.h"

/* One vent in a hole of some kilometres, so that all its lava stays there. */
struct hole {
    struct sciara_case_input input;
    double elevation_m[7 * 9], thickness_m[7 * 9], solidified_m[7 * 9];
    struct sciara_vent vent;
    struct sciara_rate rate[2];
};
enum { HOLE = 3 * 9 + 4 };

static void hole_fill(struct hole *h, double Pclock, double rate)
{
    struct sciara_case_input *in = &h->input;
    memset(h, 0, sizeof *h);
    sciara_case_input_init(in, sizeof *in);
    in->name = "hole";
    in->rows = 7;
    in->cols = 9;
    in->cell_m = 10;
    in->west_m = 500000;
    in->south_m = 4170000;
    sciara_parameters_etna2006(&in->parameters);
    in->parameters.Pclock = Pclock;
    for (int i = 0; i < 7 * 9; i++) h->elevation_m[i] = i == HOLE ? 0 : 9000;
    h->vent = (struct sciara_vent){5, 3, 4};
    h->rate[0] = (struct sciara_rate){5, 0, 3600, rate};
    h->rate[1] = (struct sciara_rate){5, 3600, 7200, rate};
    in->elevation_m = h->elevation_m;
    in->vents = &h->vent;
    in->vent_count = 1;
    in->rates = h->rate;
    in->rate_count = 2;
}

static sciara_simulation *hole_start(const struct hole *h, sciara_case **c)
{
    struct sciara_error e = {0};
    OK(sciara_case_create(c, &h->input, &e));
    return start(*c);
}

static double emitted_m3(sciara_simulation *s)
{
    struct sciara_error e = {0};
    struct sciara_ledger l;
    sciara_snapshot *x;
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_ledger(x, &l, &e));
    sciara_snapshot_free(x);
    return sciara_sum_value(l.emitted) * l.unit_m3;
}

/* 7,200 m3 are 7,200 m3. */
static void the_table_is_emitted(void **state)
{
    static const struct {
        double Pclock, published_m3;
    } steps[] = {{2400, 4800}, {60, 7140}};
    for (int i = 0; i < 2; i++)
        for (int rule = 0; rule < 2; rule++) {
            struct sciara_error e = {0};
            struct sciara_case_info info;
            struct hole h;
            sciara_case *c;
            hole_fill(&h, steps[i].Pclock, 1);
            h.input.emission = rule;
            sciara_simulation *s = hole_start(&h, &c);
            sciara_case_info(c, &info);
            const double right = rule ? steps[i].published_m3 : 7200;
            OK(sciara_advance(s, 200, &e));
            assert_true(fabs(emitted_m3(s) - right) < 1e-6);
            assert_true(info.asked_m3 == 7200 && fabs(info.volume_m3 - right) < 1e-6);
            assert_int_equal(info.emission, rule);
            assert_true(!strstr(info.notice, "the published rule") == !rule);
            assert_string_equal(info.warning, "");
            assert_int_equal(info.last_vent_step, (int)(7200 / steps[i].Pclock) - rule);
            assert_true(!strstr(info.notice, "in a step into the cell") ==
                        (rule || i)); /* 24 m in a step, or 0.6 */
            sciara_free(s);
            sciara_case_free(c);
        }
}

/* 10^-13 m3/s: a quantum every two hours or so of steps of a minute. */
static void less_than_a_quantum_adds_up(void **state)
{
    struct sciara_error e = {0};
    struct hole h;
    sciara_case *c;
    double asked_m3;
    hole_fill(&h, 60, 1e-13);
    h.input.rate_count = 1;
    h.rate[0].to_s = 1e7;
    sciara_simulation *s = hole_start(&h, &c);
    OK(sciara_advance(s, 5000, &e));
    sciara_case_volume(c, 0, 5000, &asked_m3, NULL);
    assert_true(fabs(asked_m3 - 3e-8) < 1e-20);
    assert_true(emitted_m3(s) > 0 && fabs(emitted_m3(s) - asked_m3) <= 0.5 * 100 * 0x1p-36);
    sciara_free(s);
    sciara_case_free(c);
}

/* A run that goes on emits what was left, not what was emitted before. */
static void a_run_that_goes_on(void **state)
{
    struct sciara_error e = {0};
    struct hole h;
    sciara_case *c;
    double before, all, asked_m3, table_m3;
    hole_fill(&h, 7, 1.0 / 3);
    sciara_simulation *s = hole_start(&h, &c);
    OK(sciara_advance(s, 333, &e));
    before = emitted_m3(s);
    OK(sciara_advance(s, 1000, &e));
    all = emitted_m3(s);
    sciara_free(s);
    sciara_case_free(c);
    h.input.first_step = 333;
    s = hole_start(&h, &c);
    OK(sciara_advance(s, 1000, &e));
    assert_true(before > 0 && emitted_m3(s) == all - before);
    sciara_case_volume(c, 333, 1333, &asked_m3, &table_m3);
    assert_true(fabs(asked_m3 - (7200 - 333 * 7) / 3.0) < 1e-9);
    assert_true(fabs(table_m3 - (all - before)) < 1e-11);
    sciara_case_volume(c, 400, 400, &asked_m3, &table_m3);
    assert_true(asked_m3 == 0 && table_m3 == 0);
    sciara_free(s);
    sciara_case_free(c);
}

/* ---- too thick ------------------------------------------------------------------------------- */

static void expect_too_thick(const struct sciara_error *e)
{
    assert_int_equal(e->status, SCIARA_INPUT);
    assert_non_null(strstr(e->text, "lava became 4080 m thick, more than the 4000 m that can be "
                                    "computed, at row 3, column 4 in one of the steps 1 to 51;"));
    assert_non_null(strstr(e->text, "x 500045, y 4170035)"));
    assert_null(strchr(e->text, '\n'));
}

static void too_thick_is_refused(void **state)
{
    struct scratch dir;
    struct stat there;
    struct sciara_error e = {0};
    struct sciara_run_options run;
    struct hole h;
    sciara_case *c;
    sciara_snapshot *x;
    scratch_create(&dir);
    hole_fill(&h, 100, 80); /* 80 m in a step */
    h.rate[1].to_s = 7300;
    h.input.max_steps = 51;
    sciara_simulation *s = hole_start(&h, &c);
    OK(sciara_advance(s, 50, &e)); /* 4,000 m are not too many */
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    sciara_snapshot_free(x);
    OK(sciara_advance(s, 1, &e));
    OK(sciara_snapshot_take(&x, s, &e));
    assert_int_equal(sciara_snapshot_wait(x, &e), SCIARA_INPUT);
    expect_too_thick(&e);
    assert_null(sciara_snapshot_field(x, SCIARA_THICKNESS));
    sciara_snapshot_free(x);
    sciara_free(s);

    /* nothing is left of a run that comes to nothing */
    s = start(c);
    sciara_run_options_init(&run, sizeof run);
    char folder[600];
    snprintf(folder, sizeof folder, "%s/new/folder", dir.path);
    run.folder = folder;
    e = (struct sciara_error){0};
    assert_int_equal(sciara_run(s, &run, &x, &e), SCIARA_INPUT);
    expect_too_thick(&e);
    assert_null(x);
    assert_int_not_equal(stat(scratch_file(&dir, "new"), &there), 0);
    sciara_free(s);
    sciara_case_free(c);
    scratch_remove(&dir);
}

/* A case may begin with as much as there may be, mobile and solid. */
static void as_much_at_the_beginning(void **state)
{
    struct sciara_error e = {0};
    struct hole h;
    sciara_case *c;
    sciara_snapshot *x;
    hole_fill(&h, 120, 1);
    h.thickness_m[HOLE] = 2500;
    h.solidified_m[HOLE] = 1500;
    h.input.thickness_m = h.thickness_m;
    h.input.solidified_m = h.solidified_m;
    h.input.vent_count = h.input.rate_count = 0;
    sciara_simulation *s = hole_start(&h, &c);
    OK(sciara_advance(s, 20, &e));
    OK(sciara_snapshot_take(&x, s, &e));
    OK(sciara_snapshot_wait(x, &e));
    assert_true(sciara_snapshot_field(x, SCIARA_MAX_THICKNESS)[HOLE] == 4000);
    sciara_snapshot_free(x);
    sciara_free(s);
    sciara_case_free(c);
}

/* Members are found by their names, not by where they stand. */
static void parameters_by_name(void **state)
{
    struct sciara_parameters p;
    sciara_parameters_etna2006(&p);
    const double got[] = {p.Pclock,    p.PTsol, p.PTvent, p.Pr_Tsol,  p.Pr_Tvent, p.Phc_Tsol,
                          p.Phc_Tvent, p.Pcool, p.Prho,   p.Pepsilon, p.Psigma,   p.Pcv};
    const double want[] = {120, 1143, 1360, 0.5, 0.95, 40, 1.5, 2.8, 2600, 0.9, 5.68e-8, 1150};
    assert_memory_equal(got, want, sizeof want);
}

int main(void)
{
    return UNIT_RUN(parameters_by_name, the_table_is_emitted, less_than_a_quantum_adds_up,
                    a_run_that_goes_on, too_thick_is_refused, as_much_at_the_beginning);
}
