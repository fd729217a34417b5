/* computed_members.h — what the members of a small plan did, each as it was computed. Tests compare a library of them,
 * its answers and its forecasts with plain loops over this. */
#pragma once

#include "ensemble/engine.h"
#include "members/library.h"
#include "plan/member.h"
#include "plan_files.h"
#include "unit.h"

enum { ROWS = 6, COLS = 8, CELLS = ROWS * COLS, MEMBERS_MOST = 24 };

/* What the members of a plan did, each as it was computed. */
struct computed {
    int64_t count;
    struct reached cell[MEMBERS_MOST][CELLS];
    size_t cells[MEMBERS_MOST];
    uint64_t digest[MEMBERS_MOST], weight[MEMBERS_MOST];
    int source[MEMBERS_MOST], class[MEMBERS_MOST];
    double area_m2[MEMBERS_MOST], cooling[MEMBERS_MOST];
};

static inline int note(void *of, struct contribution *one, struct error *e)
{
    struct computed *x = of;
    const int64_t n = one->number;
    x->cells[n] = one->cells;
    memcpy(x->cell[n], one->cell, one->cells * sizeof *one->cell);
    x->digest[n] = one->result.digest;
    x->weight[n] = one->result.weight;
    x->area_m2[n] = 100 * (double)one->result.cells;
    return 0;
}

static inline const struct reached *find_cell(const struct computed *x, int64_t n, uint32_t place)
{
    for (size_t i = 0; i < x->cells[n]; i++)
        if (x->cell[n][i].place == place) return &x->cell[n][i];
    return NULL;
}

static struct ensemble_options as_computed = {.until_error = -1};

static inline void open_plan(struct ensemble_study *s, const char *plan)
{
    struct study_job j = {.study = &study_ensemble,
                          .self = s,
                          .plan = scratch_file(&dir, plan),
                          .options = &as_computed,
                          .threads = 1};
    struct error e = {0};
    *s = (struct ensemble_study){0};
    must(study_ensemble.open(&j, &e), &e);
}

/* Computes all members of a plan, into a library as well; NULL: into none. */
static inline void compute(struct computed *x, const char *plan, const char *library)
{
    const struct engine_options o = {.threads = 1, .batch = 1};
    struct ensemble_study s;
    struct error e = {0};
    enum engine_end end;
    open_plan(&s, plan);
    *x = (struct computed){.count = s.s.source->count};
    assert_true(x->count <= MEMBERS_MOST);
    for (int64_t i = 0; i < x->count; i++) {
        struct member m;
        must(member_create(&m, s.plan, i, &e), &e);
        x->source[i] = m.source, x->class[i] = m.class, x->cooling[i] = m.c.problem.params.cooling;
        member_free(&m);
    }
    s.s.on_result = note;
    s.s.on_result_of = x;
    if (library) {
        remove(scratch_file(&dir, library));
        must(library_create(&s.s.library, &s.s, scratch_file(&dir, library), "0", &e), &e);
    }
    must(engine_run(&s.s, &o, &end, &e), &e);
    if (library) {
        must(library_put_sums(s.s.library, &e), &e);
        must(library_close(s.s.library, 0, &e), &e);
        s.s.library = NULL;
    }
    study_ensemble.close(&s);
}

/* A plan of 3 places of vents x 4 classes x 2 members, and its places. */
#define ASKED                                                                                      \
    PLAN_HEAD                                                                                      \
    "vent_list list.csv\nclasses classes.csv\nrepeats 2\nseed 42\nassets places.json\n"            \
    "vary_Pcool normal 2.8 0.3 from 1 to 5\nterrain_error_m 2\nterrain_error_length_m 25\n"        \
    "arrival_bin_h 0.05\n"
#define PLACES                                                                                     \
    "{\"type\":\"FeatureCollection\",\"features\":["                                               \
    "{\"type\":\"Feature\",\"properties\":{\"name\":\"hut\",\"people\":3},\"geometry\":"           \
    "{\"type\":\"Point\",\"coordinates\":[500035,4000015]}},"                                      \
    "{\"type\":\"Feature\",\"properties\":{\"name\":\"road\",\"people\":8},\"geometry\":"          \
    "{\"type\":\"LineString\",\"coordinates\":[[500015,4000005],[500065,4000005]]}}]}"

static struct computed made; /* of the plan that is asked */

/* A grid of where a member has lava by the end of a class of arrivals. */
static inline void put_front(const char *name, int64_t member, int class)
{
    FILE *f = fopen(scratch_file(&dir, name), "w");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (uint32_t place = 0; place < CELLS; place++) {
        const struct reached *r = find_cell(&made, member, place);
        fprintf(f, "%d%c", r && r->arrival_class <= class, (place + 1) % COLS ? ' ' : '\n');
    }
    assert_int_equal(fclose(f), 0);
}
