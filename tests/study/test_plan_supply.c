/* A plan as the source of an ensemble's members: what it asks, where members may erupt, and where maps show that. */
/* tests: study/plan */
#include "plan/member.h"
#include "plan/plan_supply.h"

#include "plan_files.h"
#include "random_case.h"
#include "unit.h"

#include <math.h>

static struct scratch dir;

static int set_up(void **state)
{
    scratch_create(&dir);
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

struct supplied {
    struct plan *plan;
    struct plan_supply supply;
};

static void load(struct supplied *x, const char *text)
{
    struct error e = {0};
    const char *path = write_plan(&dir);
    put_text(&dir, "plan.cfg", text);
    if (plan_load(&x->plan, path, &e) || plan_supply_create(&x->supply, x->plan, &e))
        fail_msg("%s", e.text);
}

static void unload(struct supplied *x)
{
    plan_supply_free(&x->supply);
    plan_free(x->plan);
}

static void expect_vents(const struct supplied *x, bool chosen, int count, const int (*row_col)[2])
{
    const struct ensemble_source *s = &x->supply.source;
    assert_true(s->chosen == chosen);
    assert_int_equal(s->vents, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(s->vent[i], row_col[i][0] * s->base->problem.cols + row_col[i][1]);
}

static void vents_of_a_list_with_the_points_of_fissures(void **state)
{
    struct supplied x;
    load(&x, PLAN_TEXT);
    expect_vents(&x, true, 4, (const int[][2]){{1, 1}, {2, 4}, {3, 2}, {3, 5}});
    unload(&x);
}

static void vents_of_the_case(void **state)
{
    struct supplied x;
    load(&x, PLAN_OF_CASE);
    const struct ensemble_source *s = &x.supply.source;
    struct ensemble_member m;
    struct error e = {0};
    assert_false(s->chosen);
    assert_int_equal(s->create(s->of, 0, &m, &e), 0);
    const struct problem *p = &m.c->problem;
    assert_true(p->vent_count > 0);
    assert_int_equal(s->vents, p->vent_count); /* of single cells */
    for (int i = 0; i < p->vent_count; i++)
        assert_int_equal(s->vent[i], p->vents[i].row * p->cols + p->vents[i].col);
    s->release(s->of, &m);
    unload(&x);
}

static void all_vents_of_the_case(void **state)
{
    struct supplied x;
    put_text(&dir, "three.csv", "vent,row,col\n1,1,1\n2,2,4\n2,3,4\n");
    put_text(&dir, "of_all.csv", "vent,from_h,to_h,rate_m3_s\n*,0,1,1\n");
    load(&x, PLAN_HEAD "vents three.csv\nrates of_all.csv\nmembers 5\nvary_Pcool uniform 2 4\n");
    expect_vents(&x, false, 3, (const int[][2]){{1, 1}, {2, 4}, {3, 4}});
    unload(&x);
}

static void vents_of_a_grid(void **state)
{
    struct supplied x;
    load(&x, PLAN_HEAD "vent_grid_m 20\nclasses classes.csv\n");
    const struct ensemble_source *s = &x.supply.source;
    assert_true(s->chosen);
    assert_true(s->vents > 2);
    assert_int_equal(s->vents * 4, s->count);
    for (int i = 1; i < s->vents; i++) assert_int_not_equal(s->vent[i], s->vent[i - 1]);
    unload(&x);
}

static void places_of_a_member_table(void **state)
{
    struct supplied x;
    struct supplied first;
    load(&first, PLAN_OF_CASE);
    const struct georef g = first.supply.source.base->geo;
    const int rows = first.supply.source.base->problem.rows;
    unload(&first);
    char table[120];
    snprintf(table, sizeof table, "x,y\n%.17g,%.17g\n%.17g,%.17g\n", g.west_m + 1.5 * g.cell_m,
             g.south_m + (rows - 1.5) * g.cell_m, g.west_m + 4.5 * g.cell_m,
             g.south_m + (rows - 2.5) * g.cell_m);
    put_text(&dir, "places.csv", table);
    load(&x, PLAN_HEAD "classes classes.csv\nmember_table places.csv\n");
    expect_vents(&x, true, 2, (const int[][2]){{1, 1}, {2, 4}});
    unload(&x);
}

/* Classes of arrival reach to the end of the last member, and no farther. */
/* Members are a list if they belong to several vents, classes or rows; else they are a random sample. */
static void lists_and_random_samples(void **state)
{
    static const struct {
        const char *text;
        bool listed;
    } plans[] = {{PLAN_TEXT, true},
                 {PLAN_OF_CASE, false},
                 {PLAN_HEAD "vent_list one.csv\nclasses short.csv\nrepeats 5\n"
                            "vary_Pcool uniform 2 4\n",
                  false},
                 {PLAN_HEAD "vent_list list.csv\nclasses short.csv\nrepeats 5\n"
                            "vary_Pcool uniform 2 4\n",
                  true}};
    put_text(&dir, "one.csv", "vent,row,col\n1,1,1\n");
    put_text(&dir, "short.csv", "class,volume_m3,duration_h\nshort,600,1\n");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct supplied x;
        load(&x, plans[i].text);
        assert_true(x.supply.source.listed == plans[i].listed);
        unload(&x);
    }
}

static void arrivals_until_the_end(void **state)
{
    static const struct {
        const char *end;
        double hours;
    } runs[] = {
        {"max_steps 3000\n", 100}, {"max_steps 3010\n", 100 + 1 / 3.0}, {"run_h 49.5\n", 49.5}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char text[1000];
        struct supplied x;
        snprintf(text, sizeof text, "%s%smembers 3\nvary_Pcool uniform 2 4\n", CASE_TEXT,
                 runs[i].end);
        load(&x, text);
        const struct statistics_request *w = &x.supply.source.request;
        assert_true(w->arrival_step_s == 3600);
        assert_true(w->arrival_steps >= runs[i].hours && w->arrival_steps - 1 < runs[i].hours);
        unload(&x);
    }
}

/* A plan that was loaded has made each once; another is looked through for its supply. */
static void members_are_made_once(void **state)
{
    struct supplied x;
    struct plan *read;
    struct plan_supply own;
    struct error e = {0};
    load(&x, PLAN_TEXT);
    assert_non_null(x.plan->outlook.cost);
    assert_ptr_equal(x.supply.outlook, &x.plan->outlook);
    assert_null(x.supply.own.cost);
    assert_int_equal(plan_read(&read, x.plan->base.path, NULL, NULL, &e), 0);
    assert_int_equal(plan_supply_create(&own, read, &e), 0);
    assert_ptr_equal(own.outlook, &own.own);
    assert_true(own.source.count > 4 && own.source.count == x.supply.source.count);
    assert_int_equal(own.source.request.arrival_steps, x.supply.source.request.arrival_steps);
    for (int64_t n = 0; n < own.source.count; n++) {
        struct ensemble_member m;
        const double cost = own.source.cost(own.source.of, n);
        assert_true(cost > 0 && cost == x.supply.source.cost(x.supply.source.of, n));
        assert_int_equal(own.source.create(own.source.of, n, &m, &e), 0);
        assert_int_equal(m.weight, member_weight(read, n));
        own.source.release(own.source.of, &m);
    }
    plan_supply_free(&own);
    plan_free(read);
    unload(&x);
}

/* What a plan asks of its statistics, as the ensemble gets it. */
static void all_that_a_plan_asks(void **state)
{
    static const struct {
        const char *lines;
        double bin_m, bin_s;
        int thicknesses, medians, flat;
        double discrepancy_m;
    } plans[] = {
        {"thickness_bin_m 0.25\narrival_bin_h 0.5\nthickness_of medians\ndiscrepancy_m 150\n", 0.25,
         1800, 120, 1, 1, 150},
        {"thickness_bin_m 0.001\nterrain_error_hurst 0.5\n", 0.001, 3600, 2000, 0, 0, 0},
        {"thickness_bin_m 10\n", 10, 3600, 24, 0, 1, 0}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char text[2000];
        struct supplied x;
        snprintf(text, sizeof text, "%s%s", PLAN_TEXT, plans[i].lines);
        load(&x, text);
        const struct ensemble_source *s = &x.supply.source;
        const struct statistics_request *w = &s->request;
        assert_true(w->threshold_count == 3 && w->time_count == 2);
        assert_true(w->threshold_m[0] == 0.5 && w->threshold_m[2] == 2);
        assert_true(w->time_s[0] == 3600 && w->time_s[1] == 21600);
        assert_true(w->thickness_step_m == plans[i].bin_m && w->arrival_step_s == plans[i].bin_s);
        assert_int_equal(w->thickness_steps, plans[i].thicknesses);
        assert_int_equal(w->medians, plans[i].medians);
        assert_true(s->discrepancy_m == plans[i].discrepancy_m);
        assert_int_equal(s->create_flat != NULL, plans[i].flat);
        assert_true(s->digest == x.plan->digest && s->unscaled_digest == x.plan->unscaled_digest);
        assert_true(s->path == x.plan->base.path && s->base == &x.plan->base);
        assert_null(s->known); /* all of it varies but the lava's parameters, one of which does */
        assert_string_equal(s->columns, "Pclock,Pcool,rate_factor,vent_east_m,vent,x,y,class,"
                                        "terrain_seed,max_steps");
        for (int64_t n = 0; n < s->count; n += 7) {
            struct ensemble_member m;
            struct member alone;
            struct error e = {0};
            double end_s, volume_m3, said[2];
            char drawn[512] = "", cell[64];
            must(member_create(&alone, x.plan, n, &e), &e);
            must(s->create(s->of, n, &m, &e), &e);
            must(s->eruption(s->of, n, &said[0], &said[1], &e), &e);
            must(member_eruption(&end_s, &volume_m3, x.plan, n, &e), &e);
            assert_true(said[0] == end_s && said[1] == volume_m3 && end_s != volume_m3);
            for (int k = 0; k < x.plan->column_count; k++) {
                member_value(&alone, k, cell);
                strcat(strcat(drawn, k ? "," : ""), cell);
            }
            assert_string_equal(m.drawn, drawn);
            assert_true(m.weight == alone.weight && m.c->max_steps == alone.c.max_steps);
            assert_memory_equal(m.spectrum, &alone.error, sizeof alone.error);
            s->release(s->of, &m);
            if (s->create_flat) {
                must(s->create_flat(s->of, n, &m, &e), &e);
                assert_memory_equal(&m.error, &alone.error.octave[0], sizeof m.error);
                assert_true(m.c->elevation_m == x.plan->base.elevation_m);
                s->release(s->of, &m);
            }
            member_free(&alone);
        }
        unload(&x);
    }
    struct supplied x;
    load(&x, PLAN_OF_CASE);
    assert_string_equal(x.supply.source.known, "rate, duration, vents, terrain");
    unload(&x);
}

/* ---- places where members may erupt ------------------------------------------------------------------------ */

enum { ROWS = 9, COLS = 12 };

/* A grid begins half a spacing from the south-western corner of its box, row by row, where there is terrain; a raster
 * has a vent in the middle of each cell above 0, from its north-western corner. */
static void sources_anew(void **state)
{
    const struct georef geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10};
    uint64_t rng = 41;
    int points = 0;
    for (int round = 0; round < 60; round++) {
        double z[ROWS * COLS], box[4] = {NAN, NAN, NAN, NAN}, edge[4] = {1000, 2000, 1120, 2090};
        const struct vent_ground ground = {ROWS, COLS, &geo, z, NULL, NULL};
        const double spacing = 4 + floor(random_unit(&rng) * 100) / 4;
        struct sources s;
        struct error e = {0};
        int k = 0;
        for (int i = 0; i < ROWS * COLS; i++) z[i] = random_unit(&rng) < 0.2 ? (double)NAN : 5;
        for (int i = 0; round % 2 && i < 4; i++)
            edge[i] = box[i] =
                (i % 2 ? 2000 : 1000) + (i < 2 ? -20 : 50) + floor(random_unit(&rng) * 300) / 4;
        int expected = 0;
        for (int pass = 0; pass < 2; pass++) {
            if (pass && expected) must(sources_make_grid(&s, spacing, box, "at", &ground, &e), &e);
            for (int j = 0; j < 100 && (!pass || expected); j++)
                for (int i = 0; i < 100; i++) {
                    const double x = edge[0] + (i + 0.5) * spacing,
                                 y = edge[1] + (j + 0.5) * spacing;
                    const int col = (int)floor((x - 1000) / 10), up = (int)floor((y - 2000) / 10);
                    if (x >= edge[2] || y >= edge[3] || col < 0 || up < 0 || col >= COLS ||
                        up >= ROWS || isnan(z[(ROWS - 1 - up) * COLS + col]))
                        continue;
                    expected += !pass;
                    if (!pass) continue;
                    const struct vent_point *p = &s.point[k++];
                    assert_true(k <= s.point_count && p->id == k && s.choice.share[k - 1] == 1);
                    assert_true(s.source[k - 1].id == k && s.source[k - 1].first == k - 1 &&
                                s.source[k - 1].points == 1);
                    assert_true(fabs(1000 + 10 * p->at.right - x) < 1e-6 &&
                                fabs(2000 + 10 * p->at.up - y) < 1e-6);
                }
        }
        if (!expected) continue;
        assert_true(k == s.point_count && k == s.choice.count);
        points += k;
        sources_free(&s);
    }
    assert_true(points > 1000);
    for (int round = 0; round < 10; round++) {
        double z[ROWS * COLS], value[20], sum = 0;
        const struct vent_ground ground = {ROWS, COLS, &geo, z, NULL, NULL};
        struct sources s;
        struct error e = {0};
        char text[1024];
        int k = 0, n = snprintf(text, sizeof text,
                                "ncols 5\nnrows 4\nxllcorner 1008\nyllcorner 2003\ncellsize 21\n"
                                "NODATA_value -9999\n");
        for (int i = 0; i < ROWS * COLS; i++) z[i] = 5;
        for (int i = 0; i < 20; i++) {
            value[i] = floor(random_unit(&rng) * 6) - 2;
            if (value[i] < 0) value[i] = value[i] < -1 ? (double)NAN : 0;
            sum += isnan(value[i]) ? 0 : value[i];
            n += snprintf(text + n, sizeof text - (size_t)n, "%g ",
                          isnan(value[i]) ? -9999 : value[i] / 4);
        }
        put_text(&dir, "chance.asc", text);
        must(sources_read_raster(&s, scratch_file(&dir, "chance.asc"), &ground, &e), &e);
        for (int i = 0; i < 20; i++) {
            if (!(value[i] > 0)) continue;
            const struct vent_point *p = &s.point[k++];
            assert_true(k <= s.point_count && p->id == k);
            assert_true(fabs(s.choice.share[k - 1] - value[i] / sum) < 1e-12);
            assert_true(fabs(10 * p->at.right - 8 - (i % 5 + 0.5) * 21) < 1e-6 &&
                        fabs(10 * p->at.up - 3 - (3.5 - i / 5) * 21) < 1e-6);
        }
        assert_true(k > 0 && k == s.point_count && k == s.choice.count);
        sources_free(&s);
    }
}

/* Vents of a list in the order of their numbers, each with its points in the order of the file; a vent of weight 0 is none. */
static void lists_of_vents_anew(void **state)
{
    const struct georef geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10};
    const double z[ROWS * COLS] = {0};
    const struct vent_ground ground = {ROWS, COLS, &geo, z, NULL, NULL};
    uint64_t rng = 43;
    for (int round = 0; round < 20; round++) {
        static const char *const heads[] = {"", ",weight", ",probability"};
        struct sources s;
        struct error e = {0};
        char text[2048];
        int order[7] = {2, 5, 6, 9, 11, 12, 20}, n, k = 0, vent = 0;
        double at[21][3][2], weight[21];
        n = snprintf(text, sizeof text, "vent,x,y%s\n", heads[round % 3]);
        for (int i = 6; i > 0; i--) {
            const int j = (int)(random_unit(&rng) * (i + 1)), id = order[i];
            order[i] = order[j];
            order[j] = id;
        }
        for (int i = 0; i < 7; i++) {
            const int id = order[i];
            weight[id] = round % 3 == 0 ? 1 : round % 3 == 1 ? id % 4 : i ? 0.125 : 0.25;
            for (int point = 0; point < 1 + id % 3; point++) {
                at[id][point][0] = floor(random_unit(&rng) * 480) / 4;
                at[id][point][1] = floor(random_unit(&rng) * 360) / 4;
                n += snprintf(text + n, sizeof text - (size_t)n, "%d,%.2f,%.2f", id,
                              1000 + at[id][point][0], 2000 + at[id][point][1]);
                if (round % 3) n += snprintf(text + n, sizeof text - (size_t)n, ",%g", weight[id]);
                n += snprintf(text + n, sizeof text - (size_t)n, "\n");
            }
        }
        put_text(&dir, "made.csv", text);
        must(sources_read_list(&s, scratch_file(&dir, "made.csv"), &ground, &e), &e);
        for (int id = 2; id <= 20; id++) {
            if (!strchr("\2\5\6\11\13\14\24", id) || !(weight[id] > 0)) continue;
            assert_true(vent < s.choice.count && s.choice.share[vent] == weight[id]);
            const struct source *x = &s.source[vent++];
            assert_true(x->id == id && x->first == k && x->points == 1 + id % 3);
            for (int point = 0; point < x->points; point++, k++)
                assert_true(fabs(10 * s.point[k].at.right - at[id][point][0]) < 1e-6 &&
                            fabs(10 * s.point[k].at.up - at[id][point][1]) < 1e-6);
        }
        assert_true(vent == s.choice.count && k == s.point_count && vent > 3);
        sources_free(&s);
    }
}

int main(void)
{
    return UNIT_RUN_IN(set_up, tear_down, NULL, NULL, vents_of_a_list_with_the_points_of_fissures,
                       vents_of_the_case, all_vents_of_the_case, vents_of_a_grid,
                       places_of_a_member_table, members_are_made_once, lists_and_random_samples,
                       arrivals_until_the_end, all_that_a_plan_asks, sources_anew,
                       lists_of_vents_anew);
}
