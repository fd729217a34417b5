/* Plans: how many members there are and of what weight; that each draws the same alone, among
 * others, in any order, on any thread; and that it is the case that a user would have written. */
/* tests: study/draft, study/plan */
#include "case/changes.h"
#include "plan/member.h"
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draft/kept_plan.h"
#include "random/distribution.h"
#include "run/output.h"
#include "plan_files.h"
#include "sim/vent.h"
#include "text/textfile.h"
#include "unit.h"

static struct plan *load(const char *name)
{
    struct plan *p;
    struct error e = {0};
    if (plan_load(&p, scratch_file(&dir, name), &e)) fail_msg("%s", e.text);
    return p;
}

static struct plan *load_text(const char *text)
{
    put_text(&dir, "plan.cfg", text);
    return load("plan.cfg");
}

static struct member create(const struct plan *p, int64_t n)
{
    struct member m;
    struct error e = {0};
    if (member_create(&m, p, n, &e)) fail_msg("%s", e.text);
    return m;
}

static bool same_doubles(const double *a, const double *b, size_t count)
{
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

static void expect_same_problem(const struct problem *a, const struct problem *b)
{
    const size_t cells = (size_t)a->rows * (size_t)a->cols;
    assert_int_equal(a->rows, b->rows);
    assert_memory_equal(&a->params, &b->params, sizeof a->params);
    assert_true(same_doubles(a->elevation_m, b->elevation_m, cells));
    assert_true(same_doubles(a->thickness_m, b->thickness_m, cells));
    assert_true(same_doubles(a->temp_K, b->temp_K, cells));
    assert_int_equal(a->vent_count, b->vent_count);
    assert_int_equal(a->last_vent_step, b->last_vent_step);
    assert_true(a->stop_when_still == b->stop_when_still && a->stop_mobile_m == b->stop_mobile_m);
    for (int i = 0; i < a->vent_count; i++) {
        const struct vent *v = &a->vents[i], *w = &b->vents[i];
        assert_true(v->row == w->row && v->col == w->col && v->id == w->id);
        assert_int_equal(v->interval_count, w->interval_count);
        for (int k = 0; k < v->interval_count; k++)
            assert_true(v->first_step[k] == w->first_step[k] && v->amount_m[k] == w->amount_m[k] &&
                        v->fraction[k] == w->fraction[k] && v->phase[k] == w->phase[k]);
    }
}

static void expect_same(const struct member *a, const struct member *b)
{
    assert_true(a->number == b->number && a->weight == b->weight);
    assert_memory_equal(a->value, b->value, sizeof a->value);
    assert_true(a->vent == b->vent && a->class == b->class);
    assert_true(a->c.max_steps == b->c.max_steps);
    assert_string_equal(a->c.name, b->c.name);
    expect_same_problem(&a->c.problem, &b->c.problem);
}

/* What a member's vents emit in all, m3. */
static double volume_m3(const struct member *m)
{
    double sum_m = 0;
    for (int i = 0; i < m->c.problem.vent_count; i++)
        sum_m += vent_sum_m(&m->c.problem.vents[i], 1, INT64_MAX);
    return sum_m * 100; /* cells of 10 m */
}

/* ---- how many, and of what weight ------------------------------------------------------------ */

static void every_vent_with_every_class(void **state)
{
    struct plan *p = load_text(PLAN_TEXT);
    assert_int_equal(p->count, 3 * 4 * 3);
    uint64_t sum = 0, of_vent[4] = {0}, of_class[4] = {0};
    int seen[4][4] = {{0}};
    for (int64_t n = 0; n < p->count; n++) {
        struct member m = create(p, n);
        assert_true(m.weight > 0);
        sum += m.weight;
        of_vent[m.vent] += m.weight;
        of_class[m.class] += m.weight;
        seen[m.vent][m.class]++;
        member_free(&m);
    }
    for (int vent = 1; vent <= 3; vent++)
        for (int class = 0; class < 4; class ++) assert_int_equal(seen[vent][class], 3);
    assert_true(sum < (uint64_t)1 << 53);
    static const double vents[] = {0, 0.5, 0.3, 0.2},
                        classes[] = {3 / 7.0, 1 / 7.0, 2 / 7.0, 1 / 7.0};
    for (int i = 0; i < 4; i++) {
        assert_true(fabs((double)of_vent[i] / (double)sum - vents[i]) < 1e-10);
        assert_true(fabs((double)of_class[i] / (double)sum - classes[i]) < 1e-10);
    }
    plan_free(p);
}

static void drawn_vents_and_classes_come_by_their_weights(void **state)
{
    enum { MEMBERS = 4200 };
    struct plan *p = load_text(PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nmembers 4200\n"
                                         "sampling latin\n");
    int of_vent[4] = {0}, of_class[4] = {0}, both = 0;
    assert_int_equal(p->count, MEMBERS);
    for (int64_t n = 0; n < MEMBERS; n++) {
        struct member m = create(p, n);
        assert_true(m.weight == 1);
        of_vent[m.vent]++;
        of_class[m.class]++;
        both += m.vent == 1 && m.class == 0;
        member_free(&m);
    }
    /* A Latin hypercube has them to one. */
    assert_in_range(of_vent[1], 2099, 2101);
    assert_in_range(of_vent[2], 1259, 1261);
    assert_in_range(of_class[0], 1799, 1801);
    assert_in_range(of_class[2], 1199, 1201);
    /* Independent of one another: 900 on the average, variance below that of as many throws. */
    assert_in_range(both, 900 - 5 * 27, 900 + 5 * 27);
    plan_free(p);
}

static void a_table_says_what_it_has_columns_for(void **state)
{
    struct plan *p = load_text(
        PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nmember_table members.csv\nrepeats 2\n"
                  "vary_rate_factor uniform 0.5 2\nterrain_error_m 1\n");
    assert_int_equal(p->count, 6);
    struct member m[6];
    for (int n = 0; n < 6; n++) m[n] = create(p, n);
    assert_true(m[0].weight == 5 && m[1].weight == 5 && m[2].weight == 1 && m[5].weight == 2);
    assert_true(m[0].vent == 1 && m[2].vent == 2 && m[4].vent == 3);
    assert_true(m[0].c.problem.params.cooling == 2.5 && m[2].c.problem.params.cooling == 3);
    assert_true(m[0].c.max_steps == 30 && m[3].c.max_steps == 40);
    assert_true(m[4].c.problem.vent_count == 4); /* a fissure of the list */
    assert_true(m[0].value[RATE_FACTOR] != m[1].value[RATE_FACTOR]);
    /* One terrain_seed, one terrain; another one, another terrain. */
    assert_true(same_doubles(m[0].c.elevation_m, m[3].c.elevation_m, 47));
    assert_false(same_doubles(m[0].c.elevation_m, m[4].c.elevation_m, 47));
    for (int n = 0; n < 6; n++) member_free(&m[n]);
    plan_free(p);
}

static void case_of_columns_does_not_matter(void **state)
{
    static const char *const tables[] = {"vent,class,weight,Pcool,terrain_seed,max_steps\n",
                                         "VENT,Class,Weight,pcool,Terrain_Seed,MAX_STEPS\n"};
    static const char *const correlations[] = {
        "name,Pcv,vent_east_m\nPcv,1,0.6\nvent_east_m,0.6,1\n",
        "NAME,PCV,Vent_East_M\npcv,1,0.6\nVENT_EAST_M,0.6,1\n"};
    struct plan *p[2];
    for (int i = 0; i < 2; i++) {
        char rows[256];
        snprintf(rows, sizeof rows, "%s1,short,5,2.5,7,30\n2,own,1,3,7,40\n", tables[i]);
        put_text(&dir, "members.csv", rows);
        put_text(&dir, "correlation.csv", correlations[i]);
        p[i] = load_text(PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nterrain_error_m 1\n"
                                   "member_table members.csv\nvary_Pcv uniform 1000 1300\n"
                                   "vary_vent_east_m uniform -4 4\ncorrelation correlation.csv\n");
    }
    for (int n = 0; n < 2; n++) {
        struct member a = create(p[0], n), b = create(p[1], n);
        assert_true(a.weight == (n ? 1 : 5) && a.c.problem.params.cooling == (n ? 3 : 2.5));
        expect_same(&a, &b);
        member_free(&a);
        member_free(&b);
    }
    plan_free(p[0]);
    plan_free(p[1]);
}

/* ---- the same alone and among others --------------------------------------------------------- */

static const char *const samplings[] = {"random", "latin", "sobol"};

static void the_same_in_any_order_and_on_any_thread(void **state)
{
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 CASE_TEXT "max_steps 100\nmembers 64\nsampling %s\nterrain_error_m 0.5\n"
                           "terrain_error_length_m 30\nvary_Pcool normal 2.8 0.3\n"
                           "vary_duration_factor triangular 0.5 1 3\ncorrelation correlation.csv\n"
                           "vary_vent_north_m uniform -10 10\nvary_rate_factor lognormal 1 1.5\n",
                 samplings[k]);
        struct plan *p = load_text(text), *again = load_text(text);
        assert_true(p->digest == again->digest);
        struct member m[64];
        int bad = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(4)
        for (int n = 0; n < 64; n++) {
            struct error e = {0};
            if (member_create(&m[n], p, n, &e)) {
#pragma omp atomic
                bad++;
            }
        }
        assert_int_equal(bad, 0);
        for (int n = 63; n >= 0; n--) {
            struct member alone = create(again, n);
            expect_same(&m[n], &alone);
            member_free(&alone);
        }
        assert_true(m[0].value[0] != m[0].value[0]); /* Pclock is not drawn */
        assert_true(m[0].value[7] != m[1].value[7] && m[0].value[RATE_FACTOR] != m[1].value[7]);
        assert_false(same_doubles(m[0].c.elevation_m, m[1].c.elevation_m, 47));
        for (int n = 0; n < 64; n++) member_free(&m[n]);
        plan_free(p);
        plan_free(again);
    }
}

/* Of random numbers and of Sobol's points the first members are the same however many there are. */
static void more_members_begin_with_the_same(void **state)
{
    for (int k = 0; k < 3; k += 2) {
        char text[2048];
        struct plan *p[2];
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text,
                     CASE_TEXT "max_steps 100\nmembers %d\nsampling %s\n"
                               "vary_Pcool normal 2.8 0.3\nvary_rate_factor lognormal 1 1.5\n",
                     i ? 1000 : 20, samplings[k]);
            p[i] = load_text(text);
        }
        for (int n = 0; n < 20; n++) {
            struct member few = create(p[0], n), many = create(p[1], n);
            expect_same(&few, &many);
            member_free(&few);
            member_free(&many);
        }
        plan_free(p[0]);
        plan_free(p[1]);
    }
}

/* What one variable draws does not depend on which others there are. */
static void variables_do_not_disturb_one_another(void **state)
{
    struct plan *one = load_text(PLAN_OF_CASE);
    struct plan *two = load_text(PLAN_OF_CASE "vary_Prho uniform 2000 3000\n");
    for (int n = 0; n < 50; n++) {
        struct member a = create(one, n), b = create(two, n);
        assert_true(a.value[7] == b.value[7] && isnan(a.value[8]) && b.value[8] >= 2000);
        member_free(&a);
        member_free(&b);
    }
    plan_free(one);
    plan_free(two);
}

/* ---- what is drawn --------------------------------------------------------------------------- */

/* All strata of the distribution once, seen through the plan. */
static void latin_members_hit_every_stratum(void **state)
{
    enum { MEMBERS = 500 };
    struct plan *p = load_text(CASE_TEXT "max_steps 100\nmembers 500\nsampling latin\n"
                                         "vary_Pcool uniform 2 4\nvary_Prho uniform 2000 3000\n");
    int cool[MEMBERS] = {0}, rho[MEMBERS] = {0};
    for (int n = 0; n < MEMBERS; n++) {
        struct member m = create(p, n);
        cool[(int)((m.value[7] - 2) / 2 * MEMBERS)]++;
        rho[(int)((m.value[8] - 2000) / 1000 * MEMBERS)]++;
        member_free(&m);
    }
    for (int i = 0; i < MEMBERS; i++) assert_true(cool[i] == 1 && rho[i] == 1);
    plan_free(p);
}

/* Spearman's rank correlation of a Gaussian copula with 0.6 is 6/pi asin(0.3) = 0.5819; with 4,000
 * members its standard error is about 0.011. The marginals stay what they were. */
static void correlated_variables(void **state)
{
    enum { MEMBERS = 4000 };
    struct plan *p =
        load_text(CASE_TEXT "max_steps 100\nmembers 4000\ncorrelation correlation.csv\n"
                            "vary_Pcool uniform 2 4\nvary_rate_factor lognormal 1 1.5\n");
    static double cool[MEMBERS], factor[MEMBERS];
    double sum = 0, below = 0, mean = 0;
    for (int n = 0; n < MEMBERS; n++) {
        struct member m = create(p, n);
        cool[n] = m.value[7];
        factor[n] = m.value[RATE_FACTOR];
        member_free(&m);
        mean += cool[n] / MEMBERS;
        below += factor[n] < 1 ? 1.0 / MEMBERS : 0;
    }
    for (int n = 0; n < MEMBERS; n++) { /* ranks by the distribution functions */
        const double u = (cool[n] - 2) / 2, v = erfc(-log(factor[n]) / log(1.5) / sqrt(2)) / 2;
        sum += 12 * (u - 0.5) * (v - 0.5) / MEMBERS;
    }
    print_message("rank correlation %.4f\n", sum);
    assert_true(fabs(sum - 6 / acos(-1) * asin(0.3)) < 0.055);
    assert_true(fabs(mean - 3) < 5 * 2 / sqrt(12.0 * MEMBERS));
    assert_true(fabs(below - 0.5) < 5 * 0.5 / sqrt(MEMBERS));
    plan_free(p);
}

/* ---- what becomes of it ---------------------------------------------------------------------- */

/* The case that a user would write with a member's numbers. */
static void a_member_is_the_case_with_its_numbers(void **state)
{
    struct plan *p = load_text(
        CASE_TEXT "max_steps 100\nmembers 5\nvary_Pcool uniform 2 4\nvary_rate_factor discrete 2\n"
                  "vary_duration_factor discrete 0.5\nvary_vent_east_m discrete 20\n"
                  "vary_vent_north_m discrete -10\nvary_Pclock discrete 60\n");
    for (int n = 0; n < 5; n++) {
        struct member m = create(p, n);
        struct sim_case c;
        struct error e = {0};
        char text[1024];
        snprintf(text, sizeof text,
                 "dem dem.asc\nvents vents2.csv\nrates rates2.csv\nmax_steps 200\nPclock 60\n"
                 "PTsol 1143\nPTvent 1360\nPr(Tsol) 0.5\nPr(Tvent) 0.95\nPhc(Tsol) 40\n"
                 "Phc(Tvent) 1.5\nPcool %.17g\nPrho 2600\nPepsilon 0.9\nPsigma 5.68e-8\nPcv 1150\n",
                 m.value[7]);
        put_text(&dir, "equal.cfg", text);
        put_text(&dir, "vents2.csv", "vent,row,col\n1,3,5\n");
        put_text(&dir, "rates2.csv", "vent,from_s,to_s,rate_m3_s\n1,0,600,5\n");
        if (case_load(&c, scratch_file(&dir, "equal.cfg"), &e)) fail_msg("%s", e.text);
        assert_true(c.problem.last_vent_step > 0);
        expect_same_problem(&m.c.problem, &c.problem);
        assert_int_equal(m.c.max_steps, c.max_steps);
        case_free(&c);
        member_free(&m);
    }
    plan_free(p);
}

/* To the quantum in each cell, and the rounding of these sums. */
static void classes_emit_their_volume(void **state)
{
    struct plan *p = load_text(PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n");
    static const double volumes[] = {600, 3000, 1500, 900}, hours[] = {1, 4, 2.5, 3};
    for (int64_t n = 0; n < p->count; n++) {
        struct member m = create(p, n);
        assert_true(fabs(volume_m3(&m) / volumes[m.class] - 1) < 1e-9);
        assert_true(fabs((double)m.c.problem.last_vent_step * 120 / 3600 / hours[m.class] - 1) <
                    0.04);
        member_free(&m);
    }
    plan_free(p);
}

/* Waxing to a fifth of the duration: the middle of the rates tells it from the others. */
static void shapes_have_their_rates(void **state)
{
    struct plan *p = load_text(PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n");
    for (int class = 0; class < 4; class ++) {
        struct member m = create(p, class);
        const struct vent *v = m.c.problem.vents;
        const int n = v->interval_count;
        assert_int_equal(m.class, class);
        int rises = 0, falls = 0;
        for (int k = 1; k < n - 1; k++) {
            rises += v->amount_m[k] > v->amount_m[k - 1];
            falls += v->amount_m[k] < v->amount_m[k - 1];
        }
        if (class == 0) assert_int_equal(n, 2);
        if (class == 1) assert_true(rises >= 5 && falls >= 4 * rises - 4);
        if (class == 2) {
            assert_true(rises == 0 && falls >= 20);
            assert_true(fabs(v->amount_m[n - 2] / v->amount_m[0] - exp(-2)) < 0.02);
        }
        if (class == 3) assert_true(rises == 2 && falls == 1); /* 5, 20, 0, 10 */
        member_free(&m);
    }
    plan_free(p);
}

static void fissures_turn_and_grow(void **state)
{
    put_text(&dir, "vents3.csv", "vent,row,col\n1,2,1\n1,2,5\n");
    struct plan *p = load_text("dem dem.asc\nvents vents3.csv\nrates rates.csv\nmax_steps 100\n"
                               "members 2\nvary_azimuth_deg discrete 0\n" CASE_PARAMETERS);
    struct member m = create(p, 0);
    /* From columns 1 to 5 of row 2 to rows 0 to 4 of column 3. */
    assert_int_equal(m.c.problem.vent_count, 5);
    for (int i = 0; i < 5; i++)
        assert_true(m.c.problem.vents[i].col == 3 && m.c.problem.vents[i].row == i);
    member_free(&m);
    plan_free(p);

    /* a point has no direction */
    p = load_text(CASE_TEXT "max_steps 100\nmembers 2\nvary_azimuth_deg discrete 90\n");
    m = create(p, 0);
    assert_true(m.c.problem.vent_count == 1 && m.c.problem.vents[0].row == 2 &&
                m.c.problem.vents[0].col == 3 && m.x == 500035 && m.y == 4000035);
    member_free(&m);
    plan_free(p);

    p = load_text(CASE_TEXT "max_steps 100\nmembers 2\nvary_azimuth_deg discrete 90\n"
                            "vary_fissure_length_m discrete 40\n");
    m = create(p, 1);
    assert_int_equal(m.c.problem.vent_count, 5);
    for (int i = 0; i < 5; i++)
        assert_true(m.c.problem.vents[i].row == 2 && m.c.problem.vents[i].col == i + 1);
    assert_true(m.x == 500035 && m.y == 4000035);
    member_free(&m);
    plan_free(p);

    put_text(&dir, "vents3.csv", "vent,row,col\n7,2,1\n7,2,5\n");
    put_text(&dir, "plan.cfg",
             "dem dem.asc\nvents vents3.csv\nrates of_7.csv\nmax_steps 100\n"
             "members 2\nvary_vent_east_m discrete 400\n" CASE_PARAMETERS);
    put_text(&dir, "of_7.csv", "vent,from_h,to_h,rate_m3_s\n7,0,1,1\n");
    struct error e = {0};
    assert_int_equal(plan_load(&p, scratch_file(&dir, "plan.cfg"), &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "plan.cfg: member 0: vent 7 moves to 500415, 4000035, outside"));

    /* Bent: from row 4, columns 1 to 3, up to row 2; towards the north-east, and then clockwise by a right angle. */
    put_text(&dir, "vents3.csv", "vent,row,col\n1,4,1\n1,4,3\n1,2,3\n");
    p = load_text(
        "dem dem.asc\nvents vents3.csv\nrates rates.csv\nmax_steps 100\nstop_at_rest yes\n"
        "members 2\nvary_azimuth_deg discrete 135\n" CASE_PARAMETERS);
    m = create(p, 0);
    static const int turned[5][2] = {{2, 1}, {3, 1}, {4, 1}, {4, 2}, {4, 3}};
    assert_int_equal(m.c.problem.vent_count, 5);
    for (int i = 0; i < 5; i++)
        assert_true(m.c.problem.vents[i].row == turned[i][0] &&
                    m.c.problem.vents[i].col == turned[i][1]);
    /* at rest with what each of its cells can hold */
    assert_true(m.c.problem.stop_mobile_m == 5 * m.c.problem.params.critical_vent_m);
    assert_true(m.c.problem.params.critical_vent_m > 0);
    member_free(&m);
    plan_free(p);
}

static void grids_and_rasters_of_vents(void **state)
{
    struct plan *p = load_text(PLAN_HEAD "vent_grid_m 10\nclasses classes.csv\n");
    assert_int_equal(p->count, 47 * 4); /* 6 x 8, of which one lies in the hole */
    struct member first = create(p, 0),
                  second = create(p, 4); /* in the middles, from the south-west */
    assert_true(first.x == 500005 && first.y == 4000005 && second.x == 500015 &&
                second.y == 4000005);
    member_free(&first);
    member_free(&second);
    plan_free(p);
    p = load_text(PLAN_HEAD "vent_grid_m 10\nvent_grid_box 500010 4000020 500040 4000040\n"
                            "classes classes.csv\n");
    assert_int_equal(p->count, 6 * 4);
    plan_free(p);
    /* a point on the northern or eastern edge is one of the next box */
    p = load_text(PLAN_HEAD "vent_grid_m 10\nvent_grid_box 500010 4000020 500035 4000045\n"
                            "classes classes.csv\n");
    assert_int_equal(p->count, 4 * 4);
    plan_free(p);
    put_text(&dir, "chance.asc",
             "ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n"
             "NODATA_value -9999\n0 1 0 0\n0 0 3 0\n-9999 0 0 0\n");
    p = load_text(PLAN_HEAD "vent_raster chance.asc\nclasses classes.csv\n");
    assert_int_equal(p->count, 2 * 4);
    struct member a = create(p, 0), b = create(p, 4);
    assert_true(a.x == 500030 && a.y == 4000050 && b.x == 500050 && b.y == 4000030);
    assert_true(a.class == b.class && b.weight == 3 * a.weight);
    member_free(&a);
    member_free(&b);
    plan_free(p);
}

static void steps_of_their_own(void **state)
{
    struct plan *p = load_text(CASE_TEXT "run_h 10\nmembers 20\nvary_Pclock uniform 50 200\n");
    for (int n = 0; n < 20; n++) {
        struct member m = create(p, n);
        const double clock_s = m.c.problem.params.clock_s, steps = (double)m.c.max_steps;
        assert_true(clock_s == m.value[0] && steps * clock_s >= 36000 &&
                    (steps - 1) * clock_s < 36000);
        member_free(&m);
    }
    plan_free(p);
}

/* The same times in hours, with units and as dates, wherever start_time stands. */
static void times_as_people_give_them(void **state)
{
#define VARIED CASE_TEXT "members 2\nvary_Pclock uniform 50 200\n"
#define DATED                                                                                      \
    VARIED "run_h 2006-07-12 16:06\narrive_within_h 2006-07-12T07:06 2006-07-12T14:00+02:00\n"     \
           "arrival_bin_h 30min\n"
    static const char *const said[] = {
        VARIED "run_h 10.1\narrive_within_h 1.1 6\narrival_bin_h 0.5\n",
        VARIED "run_h 606min\narrive_within_h 66min 6h\narrival_bin_h 1800s\n",
        DATED "start_time 2006-07-12T06:00\n", DATED "start_time 2006-07-12T05:00\n"};
    uint64_t digest[4];
    for (int i = 0; i < 4; i++) {
        struct plan *p = load_text(said[i]);
        struct member m = create(p, 1);
        const struct plan_statistics *s = &p->keys.statistics;
        const double later_s = i == 3 ? 3600 : 0;
        assert_int_equal(s->arrive_s.count, 2);
        assert_true(s->arrive_s.value[0] == 3960 + later_s &&
                    s->arrive_s.value[1] == 21600 + later_s);
        assert_true(s->bin_s == 1800);
        assert_int_equal(m.c.max_steps, ceil((36360 + later_s) / m.value[0]));
        digest[i] = p->digest;
        member_free(&m);
        plan_free(p);
    }
    assert_true(digest[2] != digest[3]); /* since the same dates are other times */
}

/* 2.5 m3/s make 3 m in a step of 120 s on a cell of 10 m, more than what is usual. */
static void warnings_of_their_own(void **state)
{
    struct plan *p = load_text(CASE_TEXT "max_steps 100\nmembers 2\nsampling latin\n"
                                         "vary_rate_factor discrete 0.5 1\n");
    for (int n = 0; n < 2; n++) {
        struct member m = create(p, n);
        assert_true((*m.c.told.notice != 0) == (m.value[RATE_FACTOR] == 1));
        assert_string_equal(m.c.told.warning, "");
        member_free(&m);
    }
    plan_free(p);
}

/* What decides members and statistics is in the digest, what does not is not. */
static void digests(void **state)
{
    struct plan *p = load_text(PLAN_TEXT);
    const uint64_t digest = p->digest;
    plan_free(p);
    static const struct {
        const char *file, *text;
        bool same;
    } changes[] = {
        {"plan.cfg", PLAN_TEXT "title Another\n# a comment\n", true},
        {"plan.cfg", PLAN_TEXT "snapshot_every_steps 5\n", true},
        {"plan.cfg", PLAN_TEXT "vary_Prho uniform 2500 2600\n", false},
        {"plan.cfg", PLAN_TEXT "thickness_bin_m 0.2\n", false},
        {"plan.cfg", PLAN_TEXT "reduce_every_steps 10\n", false},
        {"list.csv", "vent,row,col,probability\n1,1,1,0.5\n2,2,4,0.5\n", false},
        {"classes.csv", "class,weight,volume_m3,duration_h\nshort,3,600,1\n", false},
        {"own.csv", "from,to,rate\n0,1,5\n1,3,21\n", false},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_plan(&dir);
        put_text(&dir, changes[i].file, changes[i].text);
        p = load("plan.cfg");
        if ((p->digest == digest) != changes[i].same) fail_msg("change %zu", i);
        plan_free(p);
    }
    write_plan(&dir);
    put_grid(&dir, "dem.asc", 900);
    p = load("plan.cfg");
    assert_true(p->digest != digest);
    plan_free(p);
}

/* ---- every number ---------------------------------------------------------------------------- */

/* A number of a text in place of number k; the text is cut to what comes before where there are fewer. */
static bool change_number(char *out, size_t size, const char *text, int k)
{
    const char *at = text;
    for (; *at; at++) {
        const bool starts = strchr("0123456789", *at) && (at == text || strchr(" ,:\n", at[-1]));
        if (starts && !k--) break;
    }
    if (!*at) return false;
    const size_t digits = strspn(at, "0123456789.");
    const bool whole = strspn(at, "0123456789") == digits;
    const double value = strtod(at, NULL);
    snprintf(out, size, "%.*s%.9g%s", (int)(at - text), text, whole ? value + 1 : value * 1.0625,
             at + digits);
    return true;
}

struct input {
    const char *file, *text;
};

/* Changes one number after the other in the plan and its files. What is refused then says nothing: at least `least`
 * are not. */
static void expect_numbers_count(const struct input *input, int least)
{
    int counted = 0;
    for (const struct input *i = input; i->file; i++) put_text(&dir, i->file, i->text);
    struct plan *p = load("plan.cfg");
    const uint64_t digest = p->digest;
    plan_free(p);
    for (const struct input *i = input; i->file; i++) {
        char text[2000];
        for (int k = 0; change_number(text, sizeof text, i->text, k); k++) {
            struct error e = {0};
            put_text(&dir, i->file, text);
            if (plan_load(&p, scratch_file(&dir, "plan.cfg"), &e)) continue;
            if (p->digest == digest)
                fail_msg("number %d of %s does not count:\n%s", k, i->file, text);
            plan_free(p);
            counted++;
        }
        put_text(&dir, i->file, i->text);
    }
    if (counted < least) fail_msg("%d numbers were changed", counted);
    p = load("plan.cfg");
    assert_true(p->digest == digest);
    plan_free(p);
}

static void every_number_is_in_the_digest(void **state)
{
    static const struct input drawn[] = {
        {"plan.cfg", PLAN_HEAD
         "vent_list list.csv\nclasses classes.csv\nrepeats 3\nseed 42\ncorrelation "
         "correlation.csv\n"
         "vary_Pcool normal 2.8 0.3 from 1 to 5\nvary_rate_factor lognormal 1 1.3\n"
         "vary_vent_east_m uniform -4 4\nvary_Prho triangular 2500.5 2550.5 2700.5\n"
         "terrain_error_m 0.5\nterrain_error_length_m 25\nexceed_m 0.5 1 2\narrive_within_h 1 6\n"},
        {"list.csv", "vent,row,col,weight\n1,1,1,5\n2,2,4,3\n3,3,2,2\n3,3,5,2\n"},
        {"classes.csv", PLAN_CLASSES},
        {"own.csv", "from,to,rate\n0,1,5\n1,3,20\n3,4,0\n4,5,10\n"},
        {"correlation.csv", "name,Pcool,rate_factor\nPcool,1,0.6\nrate_factor,0.6,1\n"},
        {NULL, NULL}};
    static const struct input listed[] = {
        {"plan.cfg", PLAN_HEAD "vents vents.csv\nmember_table table.csv\n"},
        {"vents.csv", CASE_VENTS},
        {"rates.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,2.5\n"},
        {"table.csv",
         "weight,vent,rates,Pcool,rate_factor,fissure_length_m,azimuth_deg,run_h,terrain_error_m,"
         "terrain_error_length_m,terrain_seed,max_steps\n"
         "5,1,rates.csv,2.5,1.5,20,45,2.5,0.5,30,7,30\n"
         "3,1,rates.csv,3.5,0.5,10,60,3.5,0.25,40,8,40\n"},
        {NULL, NULL}};
    static const struct input observed[] = {
        {"plan.cfg", "dem dem.asc\nvents two.csv\n" CASE_PARAMETERS
                     "max_steps 900\nmembers 3\nseed 5\nvary_eruption_end_h uniform 6.5 7.5\n"
                     "observed_rates seen.csv\nrates_error 1.5 correlation 0.5\n"
                     "rates_after ar1 factor 1.25 correlation 0.75\nrun_h 30.5\n"
                     "vent_shares shares.csv\nvent_shares_error 1.5\nassets places.json\n"},
        {"two.csv", "vent,row,col\n1,2,3\n2,3,4\n"},
        {"seen.csv", "vent,from_h,to_h,rate_m3_s,factor\n*,0,4,0.5,1.5\n*,4,8,0.25,1.25\n"},
        {"shares.csv", "vent,from_h,to_h,share\n1,0,8,60\n2,0,8,40\n"},
        {"places.json", "{\"type\":\"Point\",\"coordinates\": [ 500035, 4000015]}"},
        {NULL, NULL}};
    expect_numbers_count(drawn, 55);
    struct plan *p = load("plan.cfg"); /* a correlation stands there twice */
    const uint64_t digest = p->digest;
    plan_free(p);
    put_text(&dir, "correlation.csv", "name,Pcool,rate_factor\nPcool,1,0.5\nrate_factor,0.5,1\n");
    p = load("plan.cfg");
    assert_true(p->digest != digest);
    plan_free(p);
    write_plan(&dir);
    expect_numbers_count(listed, 35);
    write_plan(&dir);
    expect_numbers_count(observed, 30);
    write_plan(&dir);
}

/* Numbers that have a name in the plan, and another version may change. */
static void named_numbers_are_in_the_digest(void **state)
{
    struct plan *p =
        load_text("dem dem.asc\nvents vents.csv\nrates rates.csv\nparameters etna-2006\n"
                  "max_steps 100\nmembers 3\nvary_rate_factor uniform 1 2\n");
    struct error e = {0};
    const uint64_t digest = p->digest;
    must(plan_compute_digest(p, &e), &e);
    assert_true(p->digest == digest);
    p->settings.params.cooling *= 1.5;
    must(plan_compute_digest(p, &e), &e);
    assert_true(p->digest != digest);
    plan_free(p);
}

/* Members of other plans are the same where their cases are, if these agree: the grid, the terrain, the sea, what
 * lies there at the beginning, and of which thickness a layer is made. */
static void what_members_stand_on(void **state)
{
    struct plan *p = load_text(PLAN_OF_CASE "sea_level 900\n");
    double lava[6 * 8] = {0};
    struct error e = {0};
    uint64_t ground, other;
    must(plan_compute_ground(p, &ground, &e), &e);
    double *const numbers[] = {&p->base.geo.west_m,  &p->base.geo.south_m,     &p->base.geo.cell_m,
                               &p->base.sea_level_m, &p->base.elevation_m[20], &lava[30]};
    p->base.thickness_m = lava;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t before;
        must(plan_compute_ground(p, &before, &e), &e);
        *numbers[i] += 0.5;
        must(plan_compute_ground(p, &other, &e), &e);
        if (other == before) fail_msg("number %zu", i);
        *numbers[i] -= 0.5;
    }
    p->base.thickness_m = NULL;
    p->keys.statistics.medians = !p->keys.statistics.medians;
    must(plan_compute_ground(p, &other, &e), &e);
    assert_true(other != ground);
    plan_free(p);
    p = load_text(PLAN_OF_CASE "sea_level 900\nseed 7\nvary_rate_factor uniform 1 2\n");
    must(plan_compute_ground(p, &other, &e), &e);
    assert_true(other == ground);
    plan_free(p);
}

/* Changes a number or a text at a time, and expects the digests to differ: that of the plan, and that of what members
 * stand on if `ground`. */
static void expect_counts(struct plan *p, const char *name, void *at, size_t size, bool is_real,
                          bool ground)
{
    struct error e = {0};
    unsigned char was[64];
    uint64_t a[2], b[2];
    assert_true(size <= sizeof was);
    memcpy(was, at, size);
    must(plan_compute_digest(p, &e), &e);
    must(plan_compute_ground(p, &a[1], &e), &e);
    a[0] = p->digest;
    if (is_real) *(double *)at = *(double *)at * 1.25 + 0.5;
    else ++*(unsigned char *)at; /* the first letter of a text, the lowest bits of an integer */
    must(plan_compute_digest(p, &e), &e);
    must(plan_compute_ground(p, &b[1], &e), &e);
    b[0] = p->digest;
    memcpy(at, was, size);
    if (a[0] == b[0] || (a[1] != b[1]) != ground) fail_msg("%s: %d", name, a[0] == b[0]);
}
#define COUNTS(of, ground)                                                                         \
    expect_counts(p, #of, &(of), sizeof(of), _Generic((of), double : true, default : false), ground)

/* What no line of a plan has as a number, or only in a file that it names. */
static void what_is_read_counts(void **state)
{
    struct error e = {0};
    uint64_t ground, other;
    put_grid(&dir, "h.asc", 1.5);
    put_grid(&dir, "t.asc", 1250);
    put_grid(&dir, "later.asc", 990);
    put_text(&dir, "members.csv",
             "weight,class,x,y,stop_when_mobile_below_m\n5,short,500015,4000015,2\n1,own,500025,"
             "4000025,3\n");
    struct plan *p = load_text("dem dem.asc\nthickness h.asc\ntemperature t.asc\nsolidified "
                               "h.asc\nterrain_update 600s later.asc without_lava shift_m 0\n"
                               "classes classes.csv\nmember_table members.csv\n"
                               "terrain_error from_dem srtm\nmax_steps 100\n" CASE_PARAMETERS);
    COUNTS(p->keys.terrain_error_m, false);
    COUNTS(p->keys.terrain_error_length_m, false);
    for (int i = 0; i < 3; i++) {
        double *const layer[] = {p->base.thickness_m, p->base.temp_K, p->base.solid_m};
        COUNTS(layer[i][17], true);
    }
    COUNTS(p->base.change[0].time_s, true);
    COUNTS(p->base.change[0].elevation_m[17], true);
    p->base.change[0].time_s -=
        1; /* still after the same step, but members have steps of their own */
    must(plan_compute_ground(p, &other, &e), &e);
    p->base.change[0].time_s += 1;
    must(plan_compute_ground(p, &ground, &e), &e);
    assert_true(other != ground);
    COUNTS(p->base.change[0].with_lava, true);
    COUNTS(p->vents.about.projected_to[0], false);
    COUNTS(p->base.outline_about.projected_to[0], true);
    COUNTS(p->assets_about.projected_to[0], false);
    COUNTS(p->table.row[1].x, false);
    COUNTS(p->table.row[1].y, false);
    COUNTS(p->table.row[1].stop_mobile_m, false);
    COUNTS(p->table.row[1].class, false);
    COUNTS(p->table.row[1].rates, false);
    COUNTS(p->table.row[1].vent, false);
    COUNTS(p->table.row[1].terrain_seed, false);
    COUNTS(p->table.row[1].max_steps, false);
    COUNTS(p->table.row[1].weight, false);
    COUNTS(p->classes.item[2].volume_m3, false);
    COUNTS(p->classes.item[2].duration_s, false);
    COUNTS(p->classes.item[2].name[0], false);
    COUNTS(p->classes.choice.share[2], false);
    COUNTS(p->classes.item[2].series.interval[1].id, false);
    COUNTS(p->classes.item[2].series.interval[1].from_s, false);
    COUNTS(p->classes.item[2].series.interval[1].to_s, false);
    COUNTS(p->classes.item[2].series.interval[1].rate_m3_s, false);
    /* a grid of as many cells, the other way round */
    must(plan_compute_ground(p, &ground, &e), &e);
    p->base.change_count = 0;
    int *const sides[] = {&p->base.problem.rows, &p->base.problem.cols};
    must(plan_compute_ground(p, &ground, &e), &e);
    *sides[0] = 8, *sides[1] = 6;
    must(plan_compute_ground(p, &other, &e), &e);
    assert_true(other != ground);
    *sides[0] = 6, *sides[1] = 8;
    p->base.change_count = 1;
    /* a state: what it is of, and its sums */
    struct plan_state from = {.about = {.digest = 5, .step = 7}};
    p->from = &from;
    COUNTS(from.about.digest, true);
    COUNTS(from.about.step, true);
    quanta *const sums[] = {&from.f.emitted,      &from.f.left_domain,     &from.f.entered_sea,
                            &from.f.heat.emitted, &from.f.heat.solidified, &from.f.heat.left_domain,
                            &from.f.heat.cooled,  &from.f.ground.raised,   &from.f.ground.lowered};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) COUNTS(*sums[i], true);
    p->from = NULL;
    /* probabilities of past vents and eruptions */
    double opens[] = {0.25, 0.75};
    struct plan_hazard hazard = {
        .opening.zones = 1, .opens = opens, .catalogue = {.kinds = 1, .rate = 3}};
    for (int i = 0; i < p->classes.choice.count; i++) hazard.catalogue.kind[0].share[i] = 0.25;
    hazard.catalogue.kind[0].years = 10;
    hazard.catalogue.kind[0].shape = 5;
    p->hazard = &hazard;
    p->sources.choice.count = 2;
    COUNTS(opens[1], false);
    COUNTS(hazard.catalogue.kind[0].share[1], false);
    COUNTS(hazard.catalogue.rate, false);
    p->hazard = NULL;
    p->sources.choice.count = 0;
    /* a scaled Pclock, which earlier versions did not scale */
    must(plan_compute_digest(p, &e), &e);
    assert_true(p->unscaled_digest == p->digest);
    const uint64_t digest = p->digest;
    p->base.unscaled_clock_s = 60;
    p->base.change_count = 0;
    COUNTS(p->base.problem.params.clock_s, false);
    p->base.change_count = 1;
    must(plan_compute_digest(p, &e), &e);
    assert_true(p->unscaled_digest == digest && p->digest != digest);
    p->base.unscaled_clock_s = 0;
    plan_free(p);
    plan_set_up(NULL);
}

/* The outline and its layer are what members stand on. */
static void outlines_are_ground(void **state)
{
    struct error e = {0};
    uint64_t ground[3];
    for (int i = 0; i < 3; i++) {
        put_text(&dir, "seen.json", i == 2 ? "{\"a\":2}" : "{\"a\":1}");
        struct plan *p = load_text(PLAN_OF_CASE);
        if (i) p->base.outline_path = text_format("%s", scratch_file(&dir, "seen.json"));
        must(plan_compute_ground(p, &ground[i], &e), &e);
        plan_free(p);
    }
    assert_true(ground[0] != ground[1] && ground[1] != ground[2]);
}

enum { WIDE = 400 };

static int count_small(void *windows, struct window w, struct error *e)
{
    (void)e;
    assert_true(w.row0 >= 0 && w.col0 >= 0 && w.row0 + w.rows <= WIDE && w.col0 + w.cols <= WIDE);
    assert_true(w.rows <= 64 && w.cols <= 64);
    ++*(int *)windows;
    return 0;
}

/* Of terrain that is read where it is needed samples count, in the middles of 4 x 4 parts and at vents. */
static void digest_of_large_terrain(void **state)
{
    struct plan *p = load_text(PLAN_TEXT);
    const struct sim_case loaded = p->base;
    struct error e = {0};
    int windows = 0;
    const struct terrain_source source = {count_small, &windows};
    double *z = p->base.elevation_m = calloc((size_t)WIDE * WIDE, sizeof *z);
    p->base.problem.rows = p->base.problem.cols = WIDE;
    p->base.problem.terrain = &source;
    static const struct {
        int row, col;
        bool counts;
    } cell[] = {{0, 0, false},    {90, 50, false},     {50, 50, true},
                {350, 350, true}, {WIDE - 1, 0, true}, {WIDE - 1, 200, false}};
    must(plan_compute_digest(p, &e), &e);
    assert_int_equal(windows, 16 + p->sources.point_count);
    const uint64_t digest = p->digest;
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) {
        double *at = &z[cell[i].row * WIDE + cell[i].col];
        *at = 1;
        must(plan_compute_digest(p, &e), &e);
        if ((p->digest != digest) != cell[i].counts) fail_msg("cell %zu", i);
        *at = 0;
    }
    free(z);
    p->base = loaded;
    plan_free(p);
}

/* The digest of that plan once a file has been moved, or another has come in its place. */
static uint64_t digest_with(const char *text, const char *file, const char *content)
{
    put_text(&dir, file, content);
    struct plan *p = load_text(text);
    const uint64_t digest = p->digest;
    plan_free(p);
    return digest;
}

/* A file that is called otherwise is the same file. */
static void names_of_files_do_not_count(void **state)
{
    static const struct {
        const char *plan[2], *file[2], *content[2]; /* before and moved; the content, and another */
    } moves[] = {
        {{PLAN_OF_CASE "barriers a.csv\n", PLAN_OF_CASE "barriers b.csv\n"},
         {"a.csv", "b.csv"},
         {"barrier,x,y,height_m\n1,500015,4000035,2\n1,500055,4000035,\n",
          "barrier,x,y,height_m\n1,500015,4000035,3\n1,500055,4000035,\n"}},
        {{PLAN_HEAD "vents vents.csv\nmembers 3\nvary_volume_m3 uniform 500 600\n"
                    "vary_duration_h uniform 1 2\nshape a.csv\n",
          PLAN_HEAD "vents vents.csv\nmembers 3\nvary_volume_m3 uniform 500 600\n"
                    "vary_duration_h uniform 1 2\nshape b.csv\n"},
         {"a.csv", "b.csv"},
         {"from,to,rate\n0,1,5\n1,3,20\n", "from,to,rate\n0,1,5\n1,3,21\n"}},
        {{PLAN_HEAD "vents vents.csv\nmember_table a.csv\n",
          PLAN_HEAD "vents vents.csv\nmember_table b.csv\n"},
         {"a.csv", "b.csv"},
         {"rates,Pcool\nrates.csv,2\nrates.csv,3\n", "rates,Pcool\nrates.csv,2\nrates.csv,3.5\n"}},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        const uint64_t digest =
            digest_with(moves[i].plan[0], moves[i].file[0], moves[i].content[0]);
        unlink(scratch_file(&dir, moves[i].file[0]));
        if (digest_with(moves[i].plan[1], moves[i].file[1], moves[i].content[0]) != digest)
            fail_msg("move %zu", i);
        if (digest_with(moves[i].plan[1], moves[i].file[1], moves[i].content[1]) == digest)
            fail_msg("change %zu", i);
    }
    /* nor do those of rates in a table */
    const char *plan = PLAN_HEAD "vents vents.csv\nmember_table a.csv\n";
    const uint64_t digest = digest_with(plan, "a.csv", "rates,Pcool\nrates.csv,2\n");
    put_text(&dir, "moved.csv", CASE_RATES);
    assert_true(digest_with(plan, "a.csv", "Pcool,Rates\n2,moved.csv\n") == digest);
    put_text(&dir, "moved.csv", "vent,from_s,to_s,rate_m3_s\n1,0,1200,2.6\n");
    assert_true(digest_with(plan, "a.csv", "Pcool,Rates\n2,moved.csv\n") != digest);
}

/* Degrees lie elsewhere in another CRS, places in metres do not. */
static void what_degrees_are_brought_to_counts(void **state)
{
#define IN_DEGREES                                                                                 \
    PLAN_HEAD "vents degrees.csv\nrates rates.csv\nmembers 3\nvary_Pcool uniform 2 4\n"
    const char *degrees = "vent,lon,lat\n1,15.0003890,36.1450336\n";
    const uint64_t digest = digest_with(IN_DEGREES "crs EPSG:32633\n", "degrees.csv", degrees);
    assert_true(digest_with(IN_DEGREES "crs EPSG:32633\n", "degrees.csv", degrees) == digest);
    assert_true(digest_with(IN_DEGREES "crs EPSG:25833\n", "degrees.csv", degrees) != digest);
    assert_true(digest_with(PLAN_OF_CASE "crs EPSG:32633\n", "vents.csv", CASE_VENTS) ==
                digest_with(PLAN_OF_CASE "crs EPSG:25833\n", "vents.csv", CASE_VENTS));
}

/* ---- what members emit, and until when -------------------------------------------------------------- */

/* The volume and the end of what a member's vents emit are those that it says beforehand, and those of its draws: a
 * volume and a duration that are drawn replace those of the class or the file, then come the factors. */
static void members_emit_what_they_draw(void **state)
{
#define FACTORS                                                                                    \
    "members 12\nsampling latin\nvary_rate_factor uniform 0.5 0.9\nvary_duration_factor uniform "  \
    "1 2\n"
#define DRAWN "vary_volume_m3 uniform 800 1600\n"
#define LASTS "vary_duration_h uniform 1 3\n"
#define TWO   PLAN_HEAD "vents two.csv\nrates two_rates.csv\n"
    static const struct {
        const char *text;
        double volume_m3, end_h; /* of the rates; 0: of the class */
    } plans[] = {{PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n" FACTORS, 0, 0},
                 {PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n", 0, 0},
                 {PLAN_HEAD "vents vents.csv\n" FACTORS DRAWN LASTS "shape own.csv\n", 1, 1},
                 {PLAN_HEAD "vents vents.csv\nshape waxwane\n" FACTORS DRAWN LASTS, 1, 1},
                 {TWO FACTORS, 1980, 1.5},
                 {TWO FACTORS DRAWN, 1980, 1.5},
                 {TWO FACTORS LASTS, 1980, 1.5},
                 {TWO FACTORS DRAWN LASTS, 1980, 1.5},
                 {PLAN_HEAD "vents two.csv\nmember_table emits.csv\n", 1980, 1.5}};
    put_text(&dir, "two.csv", "vent,row,col\n1,1,1\n2,3,4\n2,3,5\n");
    put_text(&dir, "two_rates.csv",
             "vent,from_h,to_h,rate_m3_s\n1,0,0.5,0.5\n1,0.5,1,0.25\n2,0.25,1.5,0.14\n");
    put_text(&dir, "emits.csv",
             "rates,volume_m3,rate_factor,duration_factor\ntwo_rates.csv,900,1,1\n"
             "two_rates.csv,900,0.5,2\ntwo_rates.csv,1500,0.75,1.25\n");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct plan *p = load_text(plans[i].text);
        assert_true(p->count >= 3);
        for (int64_t n = 0; n < p->count; n++) {
            struct member m = create(p, n);
            struct error e = {0};
            const double *v = m.value;
            const struct eruption_class *k = m.class < 0 ? NULL : &p->classes.item[m.class];
            double end_s = k ? k->duration_s : plans[i].end_h * 3600, stretch = 1, said[2];
            double volume = k ? k->volume_m3 : plans[i].volume_m3;
            if (!isnan(v[ERUPTION_H])) stretch = v[ERUPTION_H] * 3600 / end_s;
            volume = isnan(v[ERUPTION_VOLUME]) ? volume * stretch : v[ERUPTION_VOLUME];
            for (int f = RATE_FACTOR; f <= DURATION_FACTOR; f++) volume *= isnan(v[f]) ? 1 : v[f];
            end_s *= stretch * (isnan(v[DURATION_FACTOR]) ? 1 : v[DURATION_FACTOR]);
            must(member_eruption(&said[0], &said[1], p, n, &e), &e);
            assert_true(fabs(said[0] / end_s - 1) < 1e-12 && fabs(said[1] / volume - 1) < 1e-12);
            assert_true(fabs(volume_m3(&m) / volume - 1) < 1e-6);
            assert_true(fabs(case_asked_m3(&m.c, 1, INT64_MAX) / volume - 1) < 1e-9);
            assert_int_equal(m.c.problem.last_vent_step,
                             ceil(end_s / m.c.problem.params.clock_s - 1e-9));
            member_free(&m);
        }
        plan_free(p);
    }
}

/* What is known beforehand of all members is what each of them has: costs by the steps that lava lies on the ground,
 * the latest end, how many have a warning of a kind, and the first of them. */
static void members_foreseen(void **state)
{
    static const char *const plans[] = {
        CASE_TEXT "max_steps 100\nmembers 9\nsampling latin\nvary_rate_factor uniform 0.3 1.2\n"
                  "vary_Pclock uniform 60 180\n",
        CASE_TEXT "run_h 3\nmembers 9\nvary_rate_factor uniform 0.3 0.6\n",
        CASE_TEXT "stop_when_mobile_below_m 1\nmembers 5\nvary_rate_factor uniform 0.7 1.2\n",
        PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nvary_run_h uniform 2 6\n",
        CASE_TEXT "stop_when_mobile_below_m 1\nmember_table some.csv\n",
        CASE_TEXT "max_steps 12\nmember_table lasts.csv\n"};
    put_text(&dir, "some.csv", "max_steps,rate_factor\n40,0.5\n0,0.5\n");
    put_text(&dir, "lasts.csv", "max_steps,rate_factor\n10,0.5\n40,1\n30,1.25\n2,0.25\n");
    int notices = 0;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct plan *p = load_text(plans[i]);
        int64_t warned = 0, first = 0;
        double end_s = 0;
        bool known = true;
        char said[2048] = "", line[WARNING_TEXT];
        for (int64_t n = 0; n < p->count; n++) {
            struct member m = create(p, n);
            const struct problem *q = &m.c.problem;
            const double last =
                (double)(m.c.max_steps ? m.c.max_steps : 2 * (q->last_vent_step + q->reduce_every));
            double cost = 0;
            for (int v = 0; v < q->vent_count; v++)
                for (int step = 1; step < last; step++) {
                    int k = q->vents[v].interval_count - 1;
                    while (k >= 0 && q->vents[v].first_step[k] > step) k--;
                    if (k >= 0) cost += q->vents[v].amount_m[k] * (last - step - 0.5);
                }
            assert_true(cost > 0 && fabs(p->outlook.cost[n] / cost - 1) < 1e-9);
            known = known && m.c.max_steps;
            end_s = fmax(end_s, (double)m.c.max_steps * q->params.clock_s);
            if (m.c.told.count && !warned++) {
                first = n;
                snprintf(said, sizeof said, "such as member %lld: %s", (long long)n,
                         warnings_line(&m.c.told, 0, line));
            }
            assert_true(warnings_are_of(&m.c.told) <= 1 << WARNING_NOTE);
            member_free(&m);
        }
        const struct plan_outlook *o = &p->outlook;
        assert_true(o->end_s == (known ? end_s : 0) && o->digest == p->digest);
        assert_true(o->warned[WARNING_NOTE].members == warned &&
                    o->warned[WARNING_NOTE].first == first);
        assert_true(!o->warned[WARNING_INPUT].members && !o->warned[WARNING_RESULT].members);
        assert_int_equal(!strstr(p->base.told.notice, "such as member"), !warned);
        if (warned) {
            snprintf(line, sizeof line, "%lld of %lld members have a notice, %.300s",
                     (long long)warned, (long long)p->count, said);
            assert_non_null(strstr(p->base.told.notice, line));
        }
        notices += warned > 0 && warned < p->count && first > 0;
        plan_free(p);
    }
    assert_true(notices > 0);
}

/* What an earlier load found is taken if it is of this plan, else all members are made again. */
static void members_known_before(void **state)
{
    struct plan *p = load_text(PLAN_TEXT), *again;
    struct error e = {0};
    const char *path = scratch_file(&dir, "plan.cfg");
    for (int change = 0; change < 5; change++) {
        struct plan_outlook known = p->outlook;
        known.cost = NULL;
        if (change == 1) known.digest++;
        if (change == 2) known.points++;
        if (change == 3) known.warned[WARNING_NOTE].first = p->count;
        if (change == 4) known.warned[WARNING_INPUT].first = p->count;
        must(plan_load_from(&again, path, NULL, NULL, &known, &e), &e);
        assert_int_equal(again->outlook.cost == NULL, change == 0);
        assert_int_equal(again->is_known, change == 0);
        assert_true(again->outlook.digest == p->digest && again->digest == p->digest);
        assert_true(again->outlook.end_s == p->outlook.end_s &&
                    again->outlook.points == p->outlook.points);
        assert_string_equal(again->base.told.notice, p->base.told.notice);
        assert_string_equal(again->base.told.warning, p->base.told.warning);
        plan_free(again);
    }
    plan_free(p);
}

/* The end of a member, and what counts as rest: of its row, of its draws, of the plan or of the case, in this order. */
static void members_end_as_they_say(void **state)
{
#define AT_REST CASE_TEXT "stop_at_rest yes\nmember_table ends.csv\n"
    static const struct {
        const char *text, *columns;
        double hours[3], steps[3]; /* 0: by the others */
    } plans[] = {
        {CASE_TEXT "max_steps 100\nmember_table ends.csv\n", "Pclock", {100 / 30.}, {0}},
        {CASE_TEXT "run_h 5\nmember_table ends.csv\n", "Pclock", {5}, {0}},
        {CASE_TEXT "run_h 5\nmember_table ends.csv\n", "Pclock,run_h", {1.5, 2.25, 3}, {0}},
        {CASE_TEXT "run_h 5\nmember_table ends.csv\n", "Pclock,run_h,max_steps", {0}, {9, 30, 50}},
        {AT_REST "run_h 5\n", "Pclock", {5}, {0}},
        {AT_REST "max_steps 100\n", "Pclock,stop_when_mobile_below_m", {100 / 30.}, {0}},
        {CASE_TEXT "max_steps 100\nstop_when_mobile_below_m 3\nmember_table ends.csv\n",
         "Pclock,stop_when_mobile_below_m",
         {100 / 30.},
         {0}},
        {CASE_TEXT "max_steps 100\nstop_when_mobile_below_m 3\nmember_table ends.csv\n",
         "Pclock",
         {100 / 30.},
         {0}}};
    static const double clock_s[] = {120, 60, 200}, stop_m[] = {2.5, 0, 0.75};
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n1,2,4\n2,2,4\n");
    put_text(&dir, "rates.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0.5\n");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char text[512];
        int n = snprintf(text, sizeof text, "%s\n", plans[i].columns);
        const bool stops = strstr(plans[i].columns, "stop"), rests = strstr(plans[i].text, "rest");
        for (int k = 0; k < 3; k++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%g", clock_s[k]);
            if (strstr(plans[i].columns, "run_h"))
                n += snprintf(text + n, sizeof text - (size_t)n, ",%g",
                              plans[i].hours[0] > 0 ? plans[i].hours[k] : 4);
            if (plans[i].steps[0] > 0)
                n += snprintf(text + n, sizeof text - (size_t)n, ",%g", plans[i].steps[k]);
            if (stops) n += snprintf(text + n, sizeof text - (size_t)n, ",%g", stop_m[k]);
            n += snprintf(text + n, sizeof text - (size_t)n, "\n");
        }
        put_text(&dir, "ends.csv", text);
        struct plan *p = load_text(plans[i].text);
        for (int k = 0; k < 3; k++) {
            struct member m = create(p, k);
            const struct problem *q = &m.c.problem;
            const double hours = plans[i].hours[plans[i].hours[1] > 0 ? k : 0],
                         stop = stops                            ? stop_m[k]
                                : rests                          ? 2 * q->params.critical_vent_m
                                : strstr(plans[i].text, "below") ? 3
                                                                 : 0;
            assert_true(q->params.clock_s == clock_s[k] && q->vent_count == 3);
            assert_int_equal(m.c.max_steps, plans[i].steps[0] > 0
                                                ? plans[i].steps[k]
                                                : ceil(hours * 3600 / clock_s[k] - 1e-9));
            assert_true(q->stop_when_still == (stop > 0) && q->stop_mobile_m == stop);
            member_free(&m);
        }
        plan_free(p);
    }
}

/* ---- columns of the table of members ---------------------------------------------------------------- */

/* Each column is there where members differ in it, under its name, with what the member has. */
static void columns_of_members(void **state)
{
    static const char *const plans[][2] = {
        {PLAN_TEXT, "Pclock,Pcool,rate_factor,vent_east_m,vent,x,y,class,terrain_seed,max_steps"},
        {CASE_TEXT "max_steps 100\nmembers 5\nvary_Pcool uniform 2 4\n", "Pcool"},
        {CASE_TEXT "max_steps 100\nmembers 5\nvary_vent_north_m uniform -4 4\n",
         "vent_north_m,x,y"},
        {CASE_TEXT "members 5\nvary_run_h uniform 2 6\nterrain_error_m 1\n",
         "run_h,terrain_seed,max_steps"},
        {PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nterrain_error_m 1\n"
                   "member_table seeds.csv\ntitle Lava\n",
         "Pcool,vent,x,y,class,terrain_seed,max_steps"},
        {PLAN_HEAD "member_table at.csv\n", "azimuth_deg,fissure_length_m,x,y,rates"}};
    static const double seeds[] = {7, 0, 1099511627776};
    put_text(&dir, "seeds.csv",
             "vent,class,weight,Pcool,terrain_seed,max_steps\n1,short,5,2.5,7,30\n"
             "2,own,1,3,0,40\n3,long,2,2.5,1099511627776,50\n");
    put_text(&dir, "all.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0.25\n");
    put_text(&dir, "at.csv",
             "x,y,rates,azimuth_deg,fissure_length_m\n500022.25,4000031.5,all.csv,30,20\n"
             "500041.125,4000027,other.csv,120,10\n");
    put_text(&dir, "other.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0.5\n");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct plan *p = load_text(plans[i][0]);
        char names[256] = "";
        for (int k = 0; k < p->column_count; k++)
            strcat(strcat(names, k ? "," : ""), plan_column(p, k));
        assert_string_equal(names, plans[i][1]);
        for (int64_t n = 0; n < p->count; n += 1 + p->count / 5) {
            struct member m = create(p, n);
            char text[128];
            snprintf(text, sizeof text, "plan_%lld", (long long)n);
            assert_string_equal(m.c.name, text);
            snprintf(text, sizeof text, "%s, member %lld", i == 4 ? "Lava" : "plan", (long long)n);
            assert_string_equal(m.c.title, text);
            for (int k = 0; k < p->column_count; k++) {
                const char *name = plan_column(p, k), *nearest;
                const int variable = variable_find(name, &nearest);
                member_value(&m, k, text);
                const double x = atof(text);
                const bool is =
                    variable >= 0                   ? x == m.value[variable]
                    : !strcmp(name, "vent")         ? (int)x == m.vent
                    : !strcmp(name, "x")            ? fabs(x - m.x) < 0.00051 && m.x < 1e6
                    : !strcmp(name, "y")            ? fabs(x - m.y) < 0.00051 && m.y > 1e6
                    : !strcmp(name, "class")        ? !strcmp(text, p->classes.item[m.class].name)
                    : !strcmp(name, "rates")        ? !strcmp(text, n ? "other.csv" : "all.csv")
                    : !strcmp(name, "terrain_seed") ? x == (i == 4 ? seeds[n] : (double)n)
                                                    : (int64_t)x == m.c.max_steps;
                if (!is) fail_msg("%s of member %lld is %s", name, (long long)n, text);
            }
            /* the middle of the vent's cells, to half a cell */
            double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
            for (int v = 0; v < m.c.problem.vent_count; v++) {
                const double at[2] = {500005 + 10. * m.c.problem.vents[v].col,
                                      4000055 - 10. * m.c.problem.vents[v].row};
                for (int axis = 0; axis < 2; axis++) {
                    low[axis] = fmin(low[axis], at[axis]);
                    high[axis] = fmax(high[axis], at[axis]);
                }
            }
            assert_true(fabs(m.x - (low[0] + high[0]) / 2) <= 10 &&
                        fabs(m.y - (low[1] + high[1]) / 2) <= 10);
            member_free(&m);
        }
        plan_free(p);
    }
    /* of several vents the first */
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n2,4,6\n2,3,6\n");
    put_text(&dir, "rates.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0.5\n");
    struct plan *p = load_text(plans[2][0]);
    struct member several = create(p, 1);
    assert_true(several.x == 500035 && several.y == 4000035 + several.value[VENT_NORTH]);
    member_free(&several);
    plan_free(p);
    p = load_text(plans[5][0]);
    for (int n = 0; n < 2; n++) {
        struct member m = create(p, n);
        assert_true(fabs(m.x - (n ? 500041.125 : 500022.25)) < 1e-6 &&
                    fabs(m.y - (n ? 4000027 : 4000031.5)) < 1e-6);
        member_free(&m);
    }
    plan_free(p);
}

/* ---- draws that a study gives ------------------------------------------------------------------------ */

/* The numbers that a plan draws, given as draws of a study: the same members, to rounding. Others, or the same with
 * other weights, in another round or of another plan, are another plan. */
static void draws_as_they_are_read(void **state)
{
    static const char *const plans[] = {
        PLAN_HEAD "vent_list list.csv\nclasses classes.csv\nmembers 9\nseed 4\nterrain_error_m 1\n"
                  "vary_Pcool uniform 2 4\nvary_vent_east_m uniform -4 4\n"
                  "vary_rate_factor lognormal 1 1.2\ncorrelation correlation.csv\n",
        "dem dem.asc\nvents two.csv\n" CASE_PARAMETERS
        "members 9\nseed 4\nrun_h 40\nobserved_rates seen.csv\nrates_error 1.5\n"
        "rates_after ar1 factor 1.25\nvary_eruption_end_h uniform 5 30\nvary_Pcool uniform 2 4\n"
        "vent_shares shares.csv\nvent_shares_error 1.5\n"};
    enum { MEMBERS = 9, RATES = 4 };
    put_text(&dir, "two.csv", "vent,row,col\n1,2,3\n2,3,4\n");
    put_text(&dir, "seen.csv",
             "vent,from_h,to_h,rate_m3_s,factor\n*,0,4,0.5,1.5\n*,4,8,0.25,1.25\n");
    put_text(&dir, "shares.csv", "vent,from_h,to_h,share\n1,0,8,60\n2,0,8,40\n");
    for (int i = 0; i < 2; i++) {
        struct plan *p = load_text(plans[i]), *given;
        double z[MEMBERS * (PLAN_DRAWN_MAX + RATES)];
        uint64_t weight[MEMBERS], digest;
        struct error e = {0};
        struct plan_draws d = {.count = MEMBERS,
                               .dimensions = p->sampling.dimensions,
                               .rates = i * RATES,
                               .z = z,
                               .weight = weight,
                               .alone = p->digest};
        assert_true(d.dimensions == (i ? 2 : 5));
        for (int n = 0; n < MEMBERS; n++) {
            weight[n] = (uint64_t)n + 3;
            draws_read(z + n * (d.dimensions + d.rates), p, n, d.rates);
        }
        draws_finish(&d);
        digest = draws_plan_digest(&d);
        const char *path = scratch_file(&dir, "plan.cfg");
        must(plan_load_from(&given, path, NULL, &d, NULL, &e), &e);
        assert_true(given->digest == digest && digest != p->digest && given->count == MEMBERS);
        for (int n = 0; n < MEMBERS; n++) {
            struct member a = create(p, n), b = create(given, n);
            double again[PLAN_DRAWN_MAX + RATES], end_s[2], volume[2];
            draws_read(again, given, n, d.rates);
            assert_true(same_doubles(again, draws_of(&d, n), (size_t)(d.dimensions + d.rates)));
            assert_true(a.weight == 1 && b.weight == weight[n]);
            assert_true(member_weight(given, n) == weight[n]);
            assert_true(a.vent == b.vent && a.class == b.class);
            for (int v = 0; v < VARIABLES; v++)
                assert_true(isnan(a.value[v]) ? isnan(b.value[v])
                                              : fabs(a.value[v] - b.value[v]) < 1e-6);
            assert_true(same_doubles(a.c.elevation_m, b.c.elevation_m, 47));
            must(member_eruption(&end_s[0], &volume[0], p, n, &e), &e);
            must(member_eruption(&end_s[1], &volume[1], given, n, &e), &e);
            assert_true(fabs(end_s[1] - end_s[0]) < 0.1 && fabs(volume[1] / volume[0] - 1) < 1e-5);
            assert_true(fabs(volume_m3(&b) / volume_m3(&a) - 1) < 1e-5);
            assert_true(fabs(volume_m3(&a) / volume[0] - 1) < 1e-6);
            /* until the end that is drawn */
            if (i) assert_true(end_s[0] == a.value[ERUPTION_END] * 3600);
            member_free(&a);
            member_free(&b);
        }
        z[d.dimensions + 2 - i] += 1; /* Pcool of member 1, or a rate of member 0 */
        struct member other = create(given, i ? 0 : 1), was = create(p, i ? 0 : 1);
        if (i) assert_true(fabs(volume_m3(&other) / volume_m3(&was) - 1) > 0.01);
        else assert_true(other.value[7] > was.value[7] + 0.1);
        member_free(&other);
        member_free(&was);
        draws_finish(&d);
        assert_true(draws_plan_digest(&d) != digest);
        z[d.dimensions + 2 - i] -= 1;
        plan_free(given);
        for (int change = 0; change < 4; change++) {
            struct plan_draws of = d;
            if (change == 0) of.round = 1;
            if (change == 1) weight[2]++;
            if (change == 2) of.alone++;
            if (change == 3) z[0] += 0.5;
            draws_finish(&of);
            assert_true(draws_plan_digest(&of) != digest);
            if (change == 1) weight[2]--;
            if (change == 3) z[0] -= 0.5;
        }
        d.round = 2; /* has terrain of its own */
        draws_finish(&d);
        must(plan_load_from(&given, path, NULL, &d, NULL, &e), &e);
        struct member last = create(given, MEMBERS - 1);
        assert_int_equal(last.error.octave[0].number, 3 * MEMBERS - 1);
        member_free(&last);
        plan_free(given);
        plan_free(p);
    }
}

/* The range of temperatures is that of cells with lava; a null model is that of the folder that the plan names. */
static void lava_and_null_model_of_a_plan(void **state)
{
    char thick[1024], temp[1024], folder[600];
    int n, m;
    n = m = snprintf(thick, sizeof thick,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n");
    strcpy(temp, thick);
    for (int i = 0; i < 48; i++) { /* lava of 1150 to 1310 K, the hottest in the middle */
        const bool lava = i > 9 && i < 30;
        n += snprintf(thick + n, sizeof thick - (size_t)n, "%d ", lava);
        m += snprintf(temp + m, sizeof temp - (size_t)m, "%d ",
                      lava    ? 1310 - 16 * abs(i - 19)
                      : i % 2 ? 1143
                              : 1360);
    }
    put_text(&dir, "thick.asc", thick);
    put_text(&dir, "temp.asc", temp);
    struct plan *p = load_text(PLAN_OF_CASE "thickness thick.asc\ntemperature temp.asc\n");
    assert_true(p->lava_low_K == 1310 - 16 * 10 && p->lava_high_K == 1310);
    assert_true(p->carried.length_m == 0 && p->carried.half_width_m == 0);
    plan_free(p);
    struct error e = {0};
    put_text(&dir, "plan.cfg",
             PLAN_OF_CASE "thickness thick.asc\ntemperature temp.asc\nvary_PTvent "
                          "uniform 1300 1305\n");
    assert_int_equal(plan_load(&p, scratch_file(&dir, "plan.cfg"), &e), ERROR_INPUT);
    assert_non_null(strstr(
        e.text,
        "member 0: has initial lava of 1150 to 1310 K, not between PTsol = 1143 and PTvent = 130"));

    snprintf(folder, sizeof folder, "%s/other", dir.path);
    mkdir(folder, 0777);
    put_text(&dir, "other/summary.json", "{\"null\": {\"half_width_m\": 25, \"length_m\": 700}}");
    put_text(&dir, "seen.json",
             "{\"type\":\"Polygon\",\"coordinates\":[[[500000,4000000],[500040,4000000],[500000,"
             "4000040],[500000,4000000]]]}");
    p = load_text(PLAN_OF_CASE "outline seen.json\nnull_from other\n");
    assert_true(p->carried.length_m == 700 && p->carried.half_width_m == 25);
    plan_free(p);
}

static void statistics_as_they_are_said(void **state)
{
    struct plan *p = load_text(PLAN_TEXT "thickness_bin_m 0.25\narrival_bin_h 2\n");
    const struct plan_statistics *s = &p->keys.statistics;
    assert_true(s->exceed_m.count == 3 && s->exceed_m.value[0] == 0.5 && s->exceed_m.value[2] == 2);
    assert_true(s->arrive_s.count == 2 && s->arrive_s.value[0] == 3600 &&
                s->arrive_s.value[1] == 21600);
    assert_true(s->bin_m == 0.25 && s->bin_s == 7200 && s->until_error == 0.01 && !p->assets);
    plan_free(p);
}

static void errors_of_kinds_of_dem(void **state)
{
    struct plan *p = load_text(PLAN_OF_CASE "terrain_error from_dem srtm\n"), *longer, *metres;
    assert_true(fabs(p->keys.terrain_error_m - 8 / 1.645) < 1e-12);
    assert_true(p->keys.terrain_error_length_m == 120);
    longer = load_text(PLAN_OF_CASE "terrain_error_length_m 200\nterrain_error from_dem srtm\n");
    assert_true(longer->keys.terrain_error_m == p->keys.terrain_error_m);
    assert_true(longer->keys.terrain_error_length_m == 200 && longer->digest != p->digest);
    metres = load_text(PLAN_OF_CASE "terrain_error from_dem lidar\n"); /* at least a cell */
    assert_true(metres->keys.terrain_error_length_m == metres->base.geo.cell_m);
    assert_true(metres->base.geo.cell_m > 4);
    plan_free(p);
    plan_free(longer);
    plan_free(metres);
}

/* A member of a plan with a Hurst exponent has an error of many lengths, the first one as without it. */
static void errors_of_many_lengths(void **state)
{
    static const char lines[] = "terrain_error_m 2\nterrain_error_length_m 80\n";
    char text[2000];
    struct terrain_spectrum s;
    struct plan *one, *many;
    snprintf(text, sizeof text, PLAN_OF_CASE "%s", lines);
    one = load_text(text);
    snprintf(text, sizeof text, PLAN_OF_CASE "%sterrain_error_hurst 0.5\n", lines);
    many = load_text(text);
    assert_true(one->digest != many->digest);
    struct member a = create(one, 3), b = create(many, 3);
    assert_int_equal(a.error.count, 1);
    assert_int_equal(b.error.count, 4);
    terrain_spectrum_set(&s, &a.error.octave[0], 0.5);
    assert_memory_equal(s.octave, b.error.octave, (size_t)s.count * sizeof *s.octave);
    for (int i = 0; i < 47; i++) {
        const double z = one->base.elevation_m[i];
        assert_true(a.c.elevation_m[i] ==
                    lattice_round(z + terrain_error_at(a.error.octave, i / 8, i % 8)));
        assert_true(b.c.elevation_m[i] == lattice_round(z + terrain_spectrum_at(&s, i / 8, i % 8)));
        assert_true(a.c.elevation_m[i] != b.c.elevation_m[i]);
    }
    member_free(&a);
    member_free(&b);
    plan_free(one);
    plan_free(many);
}

/* The error of a member's terrain is that of later surveys and of crests, too; heights and depths have none. */
static void errors_of_later_terrain(void **state)
{
    put_text(&dir, "walls.csv",
             "barrier,x,y,height_m,crest_m,depth_m,from\n1,500005,4000015,2.5,,,1\n1,500065,"
             "4000015,,,,\n"
             "2,500005,4000025,,985,,1\n2,500065,4000025,,,,\n3,500005,4000035,,,3,1\n"
             "3,500065,4000035,,,,\n");
    put_grid(&dir, "later.asc", 950);
    struct plan *p =
        load_text(PLAN_OF_CASE "terrain_error_m 2\nterrain_error_length_m 30\n"
                               "barriers walls.csv\nterrain_update 2 later.asc with_lava "
                               "shift_m 0\n");
    assert_int_equal(p->base.change_count, 2);
    for (int n = 0; n < 3; n++) {
        struct member m = create(p, n);
        const struct change *was = p->base.change, *is = m.c.change;
        int crests = 0;
        assert_int_equal(m.c.change_count, 2);
        assert_int_equal(is[0].rules, was[0].rules);
        for (size_t k = 0; k < was[0].rules; k++) {
            const struct ground_rule *a = &was[0].rule[k], *b = &is[0].rule[k];
            const double error_m =
                terrain_spectrum_at(&m.error, (int)a->place / 8, (int)a->place % 8);
            assert_true(a->place == b->place && a->height_m == b->height_m &&
                        a->depth_m == b->depth_m && error_m != 0);
            assert_true(b->crest_m == lattice_round(a->crest_m + error_m) ||
                        (isinf(a->crest_m) && isinf(b->crest_m)));
            crests += isfinite(b->crest_m);
        }
        assert_true(crests == 7 && was[0].rules == 21);
        for (int i = 0; i < 47; i++)
            assert_true(is[1].elevation_m[i] ==
                        lattice_round(950 + terrain_spectrum_at(&m.error, i / 8, i % 8)));
        assert_true(isnan(is[1].elevation_m[47]) && was[1].elevation_m[0] == 950);
        member_free(&m);
    }
    plan_free(p);
}

/* Size and length by member, drawn or of a table, take precedence over the keys. */
static void errors_of_their_own(void **state)
{
    struct plan *drawn = load_text(PLAN_OF_CASE "vary_terrain_error_m uniform 1 3\n"
                                                "vary_terrain_error_length_m uniform 20 60\n"),
                *listed;
    put_text(&dir, "members.csv", "terrain_error_m,terrain_error_length_m\n0,0\n0.5,30\n");
    listed = load_text(CASE_TEXT "max_steps 100\nmember_table members.csv\nterrain_error_m 7\n");
    for (int n = 0; n < 5; n++) {
        struct member m = create(drawn, n);
        const struct terrain_error *t = m.error.octave;
        assert_true(t->sd_m == m.value[TERRAIN_ERROR] && t->sd_m >= 1 && t->sd_m <= 3);
        assert_true(fabs(t->nodes_per_cell * m.value[TERRAIN_LENGTH] / 10 - TERRAIN_ERROR_LAG) <
                    1e-12);
        assert_true(m.value[TERRAIN_LENGTH] >= 20 && m.value[TERRAIN_LENGTH] <= 60);
        assert_false(same_doubles(m.c.elevation_m, drawn->base.elevation_m, 47));
        member_free(&m);
    }
    assert_string_equal(plan_column(drawn, 1), "terrain_error_m");
    for (int n = 0; n < 2; n++) {
        struct member m = create(listed, n);
        assert_true(m.error.octave[0].sd_m == n * 0.5);
        assert_true(same_doubles(m.c.elevation_m, listed->base.elevation_m, 47) == !n);
        member_free(&m);
    }
    plan_free(drawn);
    plan_free(listed);
}

static void what_is_known_exactly(void **state)
{
    static const struct {
        const char *lines, *known;
    } plans[] = {
        {"members 5\n", "rate, duration, vents, lava, terrain"},
        {"members 5\nvary_rate_factor uniform 0.5 2\n", "duration, vents, lava, terrain"},
        {"members 5\nvary_vent_east_m uniform -4 4\nterrain_error_m 1\n", "rate, duration, lava"},
        {"members 5\nvary_Pcool uniform 2 4\nterrain_error from_dem aster\n",
         "rate, duration, vents"},
        {"member_table members.csv\nvary_vent_north_m uniform -4 4\nvary_duration_factor uniform 1 "
         "2\nterrain_error_m 1\n",
         ""},
    };
    /* with rates of all vents */
    static const struct {
        const char *lines, *known;
    } more[] = {
#define OF_ALL PLAN_HEAD "vents vents.csv\nrates all.csv\n"
        {PLAN_HEAD "vent_list list.csv\nclasses classes.csv\n", "lava, terrain"},
        {PLAN_HEAD "vent_list one.csv\nclasses classes.csv\n", "vents, lava, terrain"},
        {PLAN_HEAD "vent_list list.csv\nclasses short.csv\n", "rate, duration, lava, terrain"},
        {PLAN_HEAD "vent_list one.csv\nclasses short.csv\n",
         "rate, duration, vents, lava, terrain"},
        {OF_ALL "members 5\nrates_error 1.5\n", "duration, vents, lava, terrain"},
        {OF_ALL "members 5\nvent_shares shares.csv\n", "rate, duration, vents, lava, terrain"},
        {OF_ALL "members 5\nvent_shares shares.csv\nvent_shares_error 2\n",
         "duration, vents, lava, terrain"},
        {OF_ALL "members 5\nvary_eruption_end_h uniform 0.1 0.2\n", "vents, lava, terrain"},
        {OF_ALL "members 5\nvary_duration_h uniform 0.1 0.2\n", "vents, lava, terrain"},
        {OF_ALL "members 5\nvary_volume_m3 uniform 10 20\n", "duration, vents, lava, terrain"},
        {OF_ALL "members 5\nvary_azimuth_deg uniform 0 90\n", "rate, duration, lava, terrain"},
        {OF_ALL "members 5\nvary_Pclock uniform 100 120\n", "rate, duration, vents, terrain"},
        {OF_ALL "members 5\nvary_terrain_error_m uniform 1 2\n", "rate, duration, vents, lava"},
        {OF_ALL "member_table rates_of.csv\n", "vents, lava, terrain"},
        {OF_ALL "member_table vents_of.csv\n", "rate, duration, lava, terrain"},
        {OF_ALL "member_table places_of.csv\n", "rate, duration, lava, terrain"},
        {OF_ALL "member_table run_of.csv\n", "rate, duration, vents, lava, terrain"},
    };
    enum { PLANS = sizeof plans / sizeof *plans, MORE = sizeof more / sizeof *more };
    put_text(&dir, "members.csv", "Pcool\n2\n3\n");
    put_text(&dir, "one.csv", "vent,row,col\n1,1,1\n");
    put_text(&dir, "short.csv", "class,volume_m3,duration_h\nshort,600,1\n");
    put_text(&dir, "all.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,0.5\n");
    put_text(&dir, "shares.csv", "vent,from,to,share\n1,0,2h,7\n");
    put_text(&dir, "rates_of.csv", "rates\nall.csv\n");
    put_text(&dir, "vents_of.csv", "vent\n1\n");
    put_text(&dir, "places_of.csv", "x,y\n500035,4000035\n");
    put_text(&dir, "run_of.csv", "run_h,max_steps,weight\n3,100,2\n");
    for (int i = 0; i < PLANS + MORE; i++) {
        char text[2000], known[PLAN_KNOWN];
        snprintf(text, sizeof text, "%s%s", i < PLANS ? CASE_TEXT "max_steps 100\n" : "",
                 i < PLANS ? plans[i].lines : more[i - PLANS].lines);
        struct plan *p = load_text(text);
        plan_known(p, known);
        assert_string_equal(known, i < PLANS ? plans[i].known : more[i - PLANS].known);
        assert_true(!strstr(p->base.told.warning, "terrain as exact") == !strstr(known, "terrain"));
        plan_free(p);
    }
    struct plan *p = load_text(PLAN_OF_CASE "terrain_error_m 0\n"); /* on purpose */
    assert_null(strstr(p->base.told.warning, "terrain as exact"));
    plan_free(p);
}

/* ---- a plan that is kept, by two commands at once ---------------------------------------------- */

static void open_kept(struct kept_plan *k, char *line)
{
    struct error e = {0};
    const char *plan = scratch_file(&dir, "kept.cfg");
    if (kept_plan_open(k, plan, 0, &line, line != NULL, &e)) fail_msg("%s", e.text);
}

static void expect_kept(const char *text)
{
    FREED char *is = read_text(scratch_file(&dir, "kept.cfg"));
    assert_string_equal(is, text);
}

static void what_others_add_to_a_plan_stays(void **state)
{
    static const char before[] =
        "members 50\nvary_Pcool uniform 2 4"; /* its last line has no end */
    struct kept_plan one, other;
    struct error e = {0};
    char line[] = "observed_end 30h", second[] = "observed_end 40h";
    put_text(&dir, "kept.cfg", before);
    open_kept(&one, line);
    expect_kept("members 50\nvary_Pcool uniform 2 4\nobserved_end            30h\n");
    kept_plan_undo(&one, &e);
    expect_kept(before);
    kept_plan_free(&one);

    open_kept(&one, line);
    open_kept(&other, second);
    kept_plan_undo(&one, &e);
    expect_kept("members 50\nvary_Pcool uniform 2 4\nobserved_end            40h\n");
    write_text(scratch_file(&dir, "kept.cfg"), "members 60\nobserved_end            40h\nseed 1\n");
    kept_plan_undo(&other, &e); /* after an edit */
    expect_kept("members 60\nseed 1\n");
    kept_plan_free(&one);
    kept_plan_free(&other);

    struct output_folder held;
    assert_int_equal(output_folder_hold(&held, dir.path, &e), 0);
    char *lines[] = {line};
    assert_int_equal(kept_plan_open(&one, scratch_file(&dir, "kept.cfg"), 0, lines, 1, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "kept.cfg: another command is writing to the folder"));
    expect_kept("members 60\nseed 1\n");
    kept_plan_free(&one);
    output_folder_free(&held);
    open_kept(&one, line);
    expect_kept("members 60\nseed 1\nobserved_end            30h\n");
    kept_plan_free(&one);
}

int main(void)
{
    const int failed = UNIT_RUN_IN(
        plan_set_up, NULL, NULL, NULL, every_vent_with_every_class,
        drawn_vents_and_classes_come_by_their_weights, a_table_says_what_it_has_columns_for,
        case_of_columns_does_not_matter, the_same_in_any_order_and_on_any_thread,
        more_members_begin_with_the_same, variables_do_not_disturb_one_another,
        latin_members_hit_every_stratum, correlated_variables,
        a_member_is_the_case_with_its_numbers, classes_emit_their_volume, shapes_have_their_rates,
        fissures_turn_and_grow, grids_and_rasters_of_vents, steps_of_their_own,
        times_as_people_give_them, warnings_of_their_own, digests, every_number_is_in_the_digest,
        named_numbers_are_in_the_digest, what_is_read_counts, outlines_are_ground,
        what_members_stand_on, digest_of_large_terrain, names_of_files_do_not_count,
        what_degrees_are_brought_to_counts, members_emit_what_they_draw, members_foreseen,
        members_known_before, members_end_as_they_say, columns_of_members, draws_as_they_are_read,
        lava_and_null_model_of_a_plan, statistics_as_they_are_said, errors_of_kinds_of_dem,
        errors_of_many_lengths, errors_of_later_terrain, errors_of_their_own, what_is_known_exactly,
        what_others_add_to_a_plan_stays);
    scratch_remove(&dir);
    return failed;
}
