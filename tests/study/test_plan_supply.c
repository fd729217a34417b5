/* A plan as the source of an ensemble's members: where maps show that they erupt. */
/* tests: study/plan */
#include "plan/member.h"
#include "plan/plan_supply.h"

#include "plan_files.h"
#include "unit.h"

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

int main(void)
{
    return UNIT_RUN_IN(set_up, tear_down, NULL, NULL, vents_of_a_list_with_the_points_of_fissures,
                       vents_of_the_case, all_vents_of_the_case, vents_of_a_grid,
                       places_of_a_member_table, members_are_made_once, lists_and_random_samples,
                       arrivals_until_the_end);
}
