/* Members that are kept (members/library.h): what each did, joined under its number in another plan; and asked (ask/)
 * with other weights, against plain loops over what each member did when it was computed. */
/* tests: study/ask, study/members, study/nowcast */
#include "ask/ask.h"
#include "ensemble/engine.h"
#include "members/library.h"
#include "plan/member.h"
#include "nowcast/nowcast.h"
#include "plan_files.h"
#include "record/map_scene.h"
#include "record/probability.h"
#include "record/roundnum.h"
#include "text/words.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>
#include <sqlite3.h>

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

static int note(void *of, struct contribution *one, struct error *e)
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

static const struct reached *find_cell(const struct computed *x, int64_t n, uint32_t place)
{
    for (size_t i = 0; i < x->cells[n]; i++)
        if (x->cell[n][i].place == place) return &x->cell[n][i];
    return NULL;
}

static void open_plan(struct ensemble_study *s, const char *plan)
{
    struct study_job j = {
        .study = &study_ensemble, .self = s, .plan = scratch_file(&dir, plan), .threads = 1};
    struct error e = {0};
    *s = (struct ensemble_study){0};
    must(study_ensemble.open(&j, &e), &e);
}

/* Computes all members of a plan, into a library as well; NULL: into none. */
static void compute(struct computed *x, const char *plan, const char *library)
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

/* ---- what is in a library -------------------------------------------------------------------- */

static int take(void *of, int64_t member, const struct reached *reached, int count, struct error *e)
{
    struct computed *x = of;
    for (int i = 0; i < count; i++) x->cell[member][x->cells[member]++] = reached[i];
    return 0;
}

/* The members that a library has of a plan: with their results, and cells in any order. */
static void read_library(struct computed *x, bool done[MEMBERS_MOST], const char *plan,
                         const char *library)
{
    const char *path = scratch_file(&dir, library);
    struct ensemble_study s;
    struct error e = {0};
    sqlite3 *db;
    uint64_t reached[MEMBERS_MOST];
    open_plan(&s, plan);
    *x = (struct computed){.count = s.s.source->count};
    must(library_open(&db, NULL, path, &e), &e);
    must(library_results(&s.s, reached, db, path, &e), &e);
    must(library_cells(&s.s, db, path, 0, INT64_MAX, NULL, take, x, &e), &e);
    for (int64_t i = 0; i < x->count; i++) {
        done[i] = s.s.result[i].done;
        x->digest[i] = s.s.result[i].digest;
        x->weight[i] = s.s.result[i].weight;
        assert_int_equal(done[i] ? reached[i] : 0, x->cells[i]);
    }
    library_shut(&db);
    study_ensemble.close(&s);
}

static void expect_member(const struct computed *kept, const struct computed *made, int64_t i)
{
    assert_true(kept->digest[i] == made->digest[i] && kept->weight[i] == made->weight[i]);
    assert_int_equal(kept->cells[i], made->cells[i]);
    for (size_t k = 0; k < made->cells[i]; k++) {
        const struct reached *a = &made->cell[i][k], *b = find_cell(kept, i, a->place);
        assert_non_null(b);
        assert_true(a->arrival_class == b->arrival_class &&
                    a->thickness_class == b->thickness_class && a->thickness_q == b->thickness_q);
    }
}

/* Rows of a plan and of a later one: some are the same, in another order and with other weights, one of them twice;
 * the others differ in one thing each from one that is there. */
#define HEAD "vent,class,weight,Pcool,rate_factor,terrain_seed,terrain_error_m,max_steps\n"
#define TABLE_OF(table)                                                                            \
    PLAN_HEAD                                                                                      \
    "vent_list list.csv\nclasses classes.csv\nmember_table " table "\nterrain_error_length_m 25\n"
#define TABLE TABLE_OF("%s")
static const char *const before = HEAD "1,short,5,2.5,1,7,0.5,60\n2,own,1,3,1,7,0.5,60\n"
                                       "3,long,2,2.5,1,8,0.5,60\n1,slow,3,2.8,1.5,9,0.5,70\n";
static const char *const after =
    HEAD "1,slow,7,2.8,1.5,9,0.5,70\n1,short,2,2.5,1,7,0.5,60\n1,short,4,2.5,1,7,0.5,60\n"
         "1,short,5,2.5,1,7,0.5,61\n1,short,5,2.5,1,6,0.5,60\n1,short,5,2.5,1,7,0.25,60\n"
         "1,short,5,2.6,1,7,0.5,60\n1,short,5,2.5,1.25,7,0.5,60\n1,slow,5,2.5,1,7,0.5,60\n"
         "2,short,5,2.5,1,7,0.5,60\n";
enum { SAME = 3, AFTER = 10 }; /* rows of `after` */

static void put_table(const char *plan, const char *table, const char *rows)
{
    char text[1000];
    snprintf(text, sizeof text, TABLE, table);
    put_text(&dir, plan, text);
    put_text(&dir, table, rows);
}

static void members_of_another_plan(void **state)
{
    static struct computed a, b, kept;
    struct ensemble_study s;
    struct error e = {0};
    bool done[MEMBERS_MOST];
    put_table("before.cfg", "before.csv", before);
    put_table("after.cfg", "after.csv", after);
    compute(&a, "before.cfg", "before.gpkg");
    compute(&b, "after.cfg", NULL);
    read_library(&kept, done, "before.cfg", "before.gpkg");
    size_t cells = 0;
    for (int64_t i = 0; i < a.count; i++) {
        assert_true(done[i]);
        expect_member(&kept, &a, i);
        cells += a.cells[i];
    }
    assert_true(cells > 20);

    open_plan(&s, "after.cfg");
    remove(scratch_file(&dir, "after.gpkg"));
    must(library_create(&s.s.library, &s.s, scratch_file(&dir, "after.gpkg"), "0", &e), &e);
    must(library_join(s.s.library, scratch_file(&dir, "before.gpkg"), &e), &e);
    must(library_close(s.s.library, 0, &e), &e);
    s.s.library = NULL;
    study_ensemble.close(&s);
    read_library(&kept, done, "after.cfg", "after.gpkg");
    assert_int_equal(kept.count, AFTER);
    for (int64_t i = 0; i < AFTER; i++) {
        if (done[i] != (i < SAME)) fail_msg("row %d", (int)i);
        if (done[i]) expect_member(&kept, &b, i);
    }
    assert_true(b.weight[0] == 7 && b.weight[1] == 2);
}

/* Sums of all members are of those that the library had when they were made: for others they are not taken. */
static void sums_of_the_members_there(void **state)
{
    static struct computed a;
    const char *path = scratch_file(&dir, "before.gpkg");
    struct ensemble_study s;
    struct error e = {0};
    sqlite3 *db;
    uint64_t reached[MEMBERS_MOST];
    bool found;
    put_table("before.cfg", "before.csv", before);
    compute(&a, "before.cfg", "before.gpkg");
    open_plan(&s, "before.cfg");
    must(library_open(&db, NULL, path, &e), &e);
    must(library_results(&s.s, reached, db, path, &e), &e);
    struct member_result *last = &s.s.result[a.count - 1], kept = *last,
                         other[] = {kept, kept, kept};
    other[0].digest ^= 1;
    other[1].weight++;
    other[2].done = false;
    for (int i = 0; i < 3; i++) {
        *last = other[i];
        must(library_sums(&s.s, reached, db, path, &found, &e), &e);
        assert_false(found);
    }
    *last = kept;
    must(library_sums(&s.s, reached, db, path, &found, &e), &e);
    assert_true(found && s.s.cells.slots > 0);
    library_shut(&db);
    study_ensemble.close(&s);
}

/* The same numbers of terrain errors with another seed are other errors, so no member is the same. */
static void errors_of_another_seed(void **state)
{
    static struct computed a;
    struct ensemble_study s;
    struct error e = {0};
    put_table("before.cfg", "before.csv", before);
    compute(&a, "before.cfg", "before.gpkg");
    put_text(&dir, "after.cfg", TABLE_OF("before.csv") "seed 43\n");
    open_plan(&s, "after.cfg");
    remove(scratch_file(&dir, "after.gpkg"));
    must(library_create(&s.s.library, &s.s, scratch_file(&dir, "after.gpkg"), "0", &e), &e);
    assert_int_equal(library_join(s.s.library, scratch_file(&dir, "before.gpkg"), &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "shares no member with"));
    study_ensemble.close(&s);
}

/* A library that was set aside is found by its plan and by how many members it has. */
static void libraries_that_were_set_aside(void **state)
{
    static struct computed a;
    struct ensemble_study s;
    char name[2][64];
    sqlite3 *db;
    put_table("before.cfg", "before.csv", before);
    open_plan(&s, "before.cfg");
    for (int i = 0; i < 2; i++) {
        snprintf(name[i], sizeof name[i], "library-%016llx%s.gpkg",
                 (unsigned long long)s.s.source->digest, i ? "-2" : "");
        compute(&a, "before.cfg", name[i]);
    }
    assert_int_equal(sqlite3_open(scratch_file(&dir, name[0]), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM members WHERE member = 1", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    for (int64_t count = a.count - 2; count <= a.count; count++) {
        char *found = library_set_aside(dir.path, s.s.source->digest, count);
        if (count < a.count - 1) assert_null(found);
        else assert_string_equal(found, scratch_file(&dir, name[count == a.count]));
        free(found);
    }
    study_ensemble.close(&s);
    for (int i = 0; i < 2; i++) remove(scratch_file(&dir, name[i]));
}

/* Nothing that an other plan has is taken over other terrain, or in other classes. */
static void other_ground_is_refused(void **state)
{
    static const char *const line[] = {"arrival_bin_h 0.5\n",   "arrive_within_h 0.07\n",
                                       "thickness_bin_m 0.3\n", "exceed_m 0.7\n",
                                       "outline mark.asc\n",    ""};
    enum { LINES = sizeof line / sizeof *line };
    static struct computed a;
    put_table("before.cfg", "before.csv", before);
    compute(&a, "before.cfg", "before.gpkg");
    put_grid(&dir, "mark.asc", 1);
    for (int i = 0; i < LINES; i++) {
        char plan[1000];
        struct ensemble_study s;
        struct error e = {0};
        snprintf(plan, sizeof plan, TABLE_OF("before.csv") "title another\n%s", line[i]);
        put_text(&dir, "after.cfg", plan);
        if (i == LINES - 1) put_grid(&dir, "dem.asc", 1000);
        open_plan(&s, "after.cfg");
        remove(scratch_file(&dir, "after.gpkg"));
        must(library_create(&s.s.library, &s.s, scratch_file(&dir, "after.gpkg"), "0", &e), &e);
        assert_int_equal(library_join(s.s.library, scratch_file(&dir, "before.gpkg"), &e),
                         ERROR_INPUT);
        if (!strstr(e.text, "in terrain, initial lava, outline"))
            fail_msg("%s: %s", line[i], e.text);
        study_ensemble.close(&s);
    }
}

/* ---- for other programs ---------------------------------------------------------------------- */

static double number_in(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *from = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &from, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(from), SQLITE_ROW);
    const double x = sqlite3_column_double(from, 0);
    sqlite3_finalize(from);
    return x;
}

/* The box of each outline is that of the member's cells: west, east, south, north. */
static void expect_outlines(sqlite3 *db, const struct computed *a, int srs)
{
    sqlite3_stmt *from = NULL;
    int apart = 0;
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT geom FROM members ORDER BY member", -1, &from, NULL),
        SQLITE_OK);
    for (int64_t i = 0; i < a->count; i++) {
        double box[4], wanted[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
        int32_t its;
        for (size_t k = 0; k < a->cells[i]; k++) {
            const double x = 500000 + 10 * (double)(a->cell[i][k].place % COLS),
                         y = 4000000 + 10 * (double)(ROWS - 1 - a->cell[i][k].place / COLS);
            wanted[0] = fmin(wanted[0], x), wanted[1] = fmax(wanted[1], x + 10);
            wanted[2] = fmin(wanted[2], y), wanted[3] = fmax(wanted[3], y + 10);
        }
        assert_int_equal(sqlite3_step(from), SQLITE_ROW);
        const unsigned char *geom = sqlite3_column_blob(from, 0);
        assert_true(sqlite3_column_bytes(from, 0) > 40 && !memcmp(geom, "GP", 3));
        memcpy(&its, geom + 4, sizeof its);
        memcpy(box, geom + 8, sizeof box);
        assert_int_equal(its, srs);
        for (int k = 0; k < 4; k++) assert_true(box[k] == wanted[k]);
        apart += wanted[0] > 500000 && wanted[3] < 4000000 + 10 * ROWS;
    }
    assert_true(apart > 2);
    sqlite3_finalize(from);
}

/* What others read of a library: where its terrain and its outlines lie, in which reference system, and its keys. */
static void a_library_for_other_programs(void **state)
{
    static struct computed a;
    static const char *const crs[] = {"", "crs EPSG:32633\n"};
    for (int i = 0; i < 2; i++) {
        char plan[1000];
        sqlite3 *db;
        struct ensemble_study s;
        const int srs = i ? 32633 : -1;
        put_table("before.cfg", "before.csv", before);
        snprintf(plan, sizeof plan, TABLE_OF("before.csv") "%s", crs[i]);
        put_text(&dir, "before.cfg", plan);
        compute(&a, "before.cfg", "before.gpkg");
        assert_int_equal(sqlite3_open(scratch_file(&dir, "before.gpkg"), &db), SQLITE_OK);
        expect_outlines(db, &a, srs);
        open_plan(&s, "before.cfg");
        const struct {
            const char *sql;
            double value;
        } row[] = {
            {"SELECT min_x FROM gpkg_contents", 500000},
            {"SELECT max_x FROM gpkg_contents", 500000 + 10 * COLS},
            {"SELECT min_y FROM gpkg_contents", 4000000},
            {"SELECT max_y FROM gpkg_contents", 4000000 + 10 * ROWS},
            {"SELECT srs_id FROM gpkg_contents WHERE table_name = 'members'", srs},
            {"SELECT srs_id FROM gpkg_geometry_columns WHERE column_name = 'geom'", srs},
            {"SELECT count(*) FROM gpkg_spatial_ref_sys", 3 + i},
            {"SELECT organization_coordsys_id FROM gpkg_spatial_ref_sys WHERE srs_id NOT IN "
             "(0, 4326) AND (organization = 'EPSG' OR srs_id = -1) ORDER BY srs_id DESC",
             srs},
            {"SELECT value FROM sciara WHERE key = 'rows'", ROWS},
            {"SELECT value FROM sciara WHERE key = 'cols'", COLS},
            {"SELECT value FROM sciara WHERE key = 'cell_m'", 10},
            {"SELECT value FROM sciara WHERE key = 'west_m'", 500000},
            {"SELECT value FROM sciara WHERE key = 'south_m'", 4000000},
            {"SELECT value FROM sciara WHERE key = 'members'", (double)a.count},
            {"SELECT value = 'sciara 0' FROM sciara WHERE key = 'software'", 1},
            {"SELECT value LIKE '%member_table before.csv%' FROM sciara WHERE key = 'plan_text'",
             1},
            {"SELECT value LIKE '%/before.cfg' FROM sciara WHERE key = 'plan'", 1},
        };
        for (size_t k = 0; k < sizeof row / sizeof *row; k++)
            if (number_in(db, row[k].sql) != row[k].value) fail_msg("%s", row[k].sql);
        for (int64_t n = 0; n < a.count; n++) { /* what a member did and drew */
            char sql[200];
            const struct {
                const char *column;
                double value;
            } column[] = {
                {"weight", (double)a.weight[n]}, {"area_m2", a.area_m2[n]},
                {"Pcool", a.cooling[n]},         {"terrain_seed", (double[]){7, 7, 8, 9}[n]},
                {"max_steps", n < 3 ? 60 : 70},  {"vent", (double[]){1, 2, 3, 1}[n]}};
            for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
                snprintf(sql, sizeof sql, "SELECT %s FROM members WHERE member = %d",
                         column[k].column, (int)n);
                if (number_in(db, sql) != column[k].value) fail_msg("%s", sql);
                if (k < 3) continue;
                snprintf(sql, sizeof sql, "SELECT typeof(%s) = 'integer' FROM members",
                         column[k].column);
                assert_true(number_in(db, sql) == 1);
            }
        }
        sqlite3_close(db);
        study_ensemble.close(&s);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

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
static const double people[] = {3, 8};

static struct computed made; /* of the plan that is asked */

/* A question to the library of all members; the caller closes *x. */
static void ask(struct ask *x, struct study_job *j, struct ask_options *o)
{
    struct error e = {0};
    o->library = scratch_file(&dir, "asked.gpkg");
    o->ensemble.until_error = -1;
    *x = (struct ask){0};
    *j = (struct study_job){.study = &study_ask, .self = x, .options = o, .threads = 1};
    must(study_ask.open(j, &e), &e);
    must(study_ask.round(j, &e), &e);
}

static void set_up_questions(void)
{
    write_plan(&dir);
    put_text(&dir, "asked.cfg", ASKED);
    put_text(&dir, "places.json", PLACES);
    compute(&made, "asked.cfg", "asked.gpkg");
    assert_int_equal(made.count, 3 * 4 * 2);
}

/* Weights of an answer are in proportion to these; then all that is counted has them. */
static void expect_weights(const struct ask *x, const double expected[MEMBERS_MOST])
{
    const struct statistics *s = &x->of.s.cells;
    double all = 0, most = 0, got_all = 0;
    for (int64_t i = 0; i < made.count; i++) {
        all += expected[i], most = fmax(most, expected[i]);
        got_all += (double)x->weight[i];
    }
    for (int64_t i = 0; i < made.count; i++) {
        const double share = (double)x->weight[i] / got_all;
        assert_true(fabs(share - expected[i] / all) < 1e-6 * most / all);
        assert_int_equal(x->weight[i] > 0, expected[i] > 0);
    }
    for (uint32_t place = 0; place < CELLS; place++) {
        uint64_t reached = 0;
        for (int64_t i = 0; i < made.count; i++)
            reached += find_cell(&made, i, place) ? x->weight[i] : 0;
        assert_true(statistics_reached(s, statistics_at(s, place)) == reached);
    }
}

/* A vent or class that weighs twice as much as in the plan makes the weights of its members twice as large, and one
 * that is not there takes them out. */
static void vents_and_classes_of_other_weights(void **state)
{
    static const double vent[] = {0.25, 0.75, 0}, vent_before[] = {0.5, 0.3, 0.2},
                        class[] = {1, 4, 3, 0}, class_before[] = {3, 1, 2, 1};
    double expected[MEMBERS_MOST];
    struct ask x;
    struct study_job j;
    set_up_questions();
    put_text(&dir, "vents_now.csv", "vent,row,col,probability\n7,2,4,0.75\n9,1,1,0.25\n");
    put_text(&dir, "classes_now.csv",
             "class,weight,volume_m3,duration_h,shape,peak,decay\n"
             "slow,3,1,1,constant,,\nlong,4,1,1,constant,,\nshort,1,1,1,constant,,\n");
    for (int which = 1; which < 4; which++) {
        struct ask_options o = {.vents = which & 1 ? scratch_file(&dir, "vents_now.csv") : NULL,
                                .classes =
                                    which & 2 ? scratch_file(&dir, "classes_now.csv") : NULL};
        ask(&x, &j, &o);
        for (int64_t i = 0; i < made.count; i++) {
            expected[i] = (double)made.weight[i];
            if (which & 1) expected[i] *= vent[made.source[i]] / vent_before[made.source[i]];
            if (which & 2) expected[i] *= class[made.class[i]] / class_before[made.class[i]];
        }
        expect_weights(&x, expected);
        study_ask.close(&x);
    }
}

/* Conditions, and the overlap with what was observed at a time. */
static void members_that_meet_a_condition(void **state)
{
    double expected[MEMBERS_MOST], area_m2[MEMBERS_MOST], mark[CELLS];
    char text[200];
    struct ask x;
    struct study_job j;
    int kept = 0;
    set_up_questions();
    memcpy(area_m2, made.area_m2, sizeof area_m2);
    double middle_m2 = 0;
    for (int64_t i = 0; i < made.count; i++) middle_m2 += area_m2[i] / (double)made.count;
    snprintf(text, sizeof text, "area_m2 > %.9g AND Pcool < 2.9", middle_m2);
    struct ask_options o = {.where = text};
    ask(&x, &j, &o);
    for (int64_t i = 0; i < made.count; i++) {
        const bool meets = area_m2[i] > middle_m2 && made.cooling[i] < 2.9;
        expected[i] = meets ? (double)made.weight[i] : 0;
        kept += meets;
    }
    assert_true(kept > 2 && kept < made.count / 2);
    expect_weights(&x, expected);
    study_ask.close(&x);

    /* the outline of a member after 0.2 h, by all others then */
    FILE *f = fopen(scratch_file(&dir, "then.asc"), "w");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (uint32_t place = 0; place < CELLS; place++) {
        const struct reached *r = find_cell(&made, 5, place);
        mark[place] = r && r->arrival_class < 4; /* classes of 3 minutes */
        fprintf(f, "%g%c", mark[place], (place + 1) % COLS ? ' ' : '\n');
    }
    assert_int_equal(fclose(f), 0);
    o = (struct ask_options){
        .given = scratch_file(&dir, "then.asc"), .at_s = 720, .where = "overlap() >= 0"};
    ask(&x, &j, &o);
    int partly = 0;
    for (int64_t i = 0; i < made.count; i++) {
        double both = 0, either = 0;
        for (uint32_t place = 0; place < CELLS; place++) {
            const struct reached *r = find_cell(&made, i, place);
            const bool lava = r && r->arrival_class < 4;
            both += lava && mark[place] > 0, either += lava || mark[place] > 0;
        }
        assert_true(fabs(ask_overlap(&x, i) - both / either) < 1e-12);
        partly += both > 0 && both < either;
    }
    assert_true(ask_overlap(&x, 5) == 1 && partly > 5);
    study_ask.close(&x);
}

/* What members did at a place, and a question to all but one, which is answered by the sums of all. */
static void members_at_places(void **state)
{
    static const char *const where[] = {"arrival_h('road') < 0.2",
                                        "thickness_m('road') > 1",
                                        "share('road') > 0.4",
                                        "arrival_h('hut') IS NULL",
                                        "member <> 3",
                                        "share('road')",
                                        "arrival_h('hut') < 0.3 OR member < 12"};
    enum { QUESTIONS = sizeof where / sizeof *where };
    int assumed[2] = {0}, undecided = 0;
    set_up_questions();
    for (int n = 0; n < QUESTIONS; n++) {
        struct ask_options o = {.where = where[n]};
        double expected[MEMBERS_MOST];
        struct ask x;
        struct study_job j;
        int meet = 0;
        ask(&x, &j, &o);
        for (int64_t i = 0; i < made.count; i++) {
            const struct asset *hut = &x.of.s.assets.asset[0], *road = &x.of.s.assets.asset[1];
            double first = INFINITY, thickest = 0, covered = 0;
            for (uint32_t k = 0; k < road->cells; k++) {
                const struct reached *r = find_cell(&made, i, road->cell[k]);
                if (!r) continue;
                first = fmin(first, 0.05 * r->arrival_class); /* the lower end of a class */
                thickest = fmax(thickest, r->thickness_q / 1024.0);
                covered += 1.0 / road->cells;
            }
            const struct reached *in = find_cell(&made, i, hut->cell[0]);
            const bool soon = in && 0.05 * in->arrival_class < 0.3 - 1e-9;
            const bool meets[QUESTIONS] = {first<0.2 - 1e-9, thickest> 1,
                                           covered > 0.4,
                                           !find_cell(&made, i, hut->cell[0]),
                                           i != 3,
                                           covered > 0,
                                           soon || i < 12};
            expected[i] = meets[n] ? (double)made.weight[i] : 0;
            meet += meets[n];
        }
        assert_true(meet > 0 && meet < made.count);
        expect_weights(&x, expected);
        /* a place is assumed to be reached, or not, if the question names it and so decides it */
        for (int k = 0; k < x.of.s.assets.count; k++) {
            const double p = ensemble_at_place(&x.of.s, k, EVENT_LAVA, 0);
            const bool named = strstr(where[n], x.of.s.assets.asset[k].name) != NULL;
            assert_true(ensemble_is_assumed(&x.of.s, k) == (named && (p == 0 || p == 1)));
            assumed[named] += ensemble_is_assumed(&x.of.s, k);
            undecided += named && p > 0 && p < 1;
        }
        study_ask.close(&x);
    }
    assert_true(assumed[true] > 2 && !assumed[false] && undecided > 0);
}

static void put_front(const char *name, int64_t member, int class)
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

/* Each part of a question counts and is named, in whichever company: conditions, vents, classes, an outline. */
static void every_part_of_a_question(void **state)
{
    static const double vent[] = {0.25, 0.75, 0}, vent_before[] = {0.5, 0.3, 0.2},
                        class[] = {1, 4, 3, 0}, class_before[] = {3, 1, 2, 1};
    char said[2][1000], given[200];
    int answered = 0;
    set_up_questions();
    put_text(&dir, "vents_now.csv", "vent,row,col,probability\n7,2,4,0.75\n9,1,1,0.25\n");
    put_text(&dir, "classes_now.csv",
             "class,weight,volume_m3,duration_h,shape,peak,decay\n"
             "slow,3,1,1,constant,,\nlong,4,1,1,constant,,\nshort,1,1,1,constant,,\n");
    put_front("then.asc", 5, 3);
    for (int which = 1; which < 24; which++) {
        struct ask_options o = {.where = which & 1 ? "Pcool < 2.95" : NULL,
                                .vents = which & 2 ? scratch_file(&dir, "vents_now.csv") : NULL,
                                .classes = which & 4 ? scratch_file(&dir, "classes_now.csv") : NULL,
                                .given = which & 24 ? scratch_file(&dir, "then.asc") : NULL,
                                .at_s = which & 16 ? 720 : 0};
        double expected[MEMBERS_MOST];
        struct ask x;
        struct study_job j;
        snprintf(given, sizeof given, "given %s%s", o.given ? o.given : "",
                 o.at_s > 0 ? " at 0.2 h" : "");
        const char *const part[] = {o.where, o.given ? given : NULL, o.vents, o.classes},
                          *const by[] = {"", "", "vents by ", "classes by "};
        *said[0] = *said[1] = '\0';
        for (int k = 0; k < 4; k++)
            for (int words = 0; words < 2 && part[k]; words++)
                snprintf(said[words] + strlen(said[words]), 500, "%s%s%s", *said[words] ? "; " : "",
                         by[k], k || !words ? part[k] : "cooling < 2.95");
        ask(&x, &j, &o);
        assert_string_equal(WORDS_ENGLISH(x.of.question), said[0]);
        assert_string_equal(WORDS_ENGLISH(x.of.asked), said[1]);
        for (int64_t i = 0; i < made.count; i++) {
            double both = 0, either = 0;
            for (uint32_t place = 0; place < CELLS && o.given; place++) {
                const struct reached *r = find_cell(&made, i, place),
                                     *its = find_cell(&made, 5, place);
                const bool lava = r && (!o.at_s || r->arrival_class < 4),
                           seen = its && its->arrival_class < 4;
                both += lava && seen, either += lava || seen;
            }
            expected[i] = (double)made.weight[i];
            if (o.where && !(made.cooling[i] < 2.95)) expected[i] = 0;
            if (o.given && both < 0.5 * either) expected[i] = 0;
            if (o.vents) expected[i] *= vent[made.source[i]] / vent_before[made.source[i]];
            if (o.classes) expected[i] *= class[made.class[i]] / class_before[made.class[i]];
        }
        expect_weights(&x, expected);
        answered++;
        study_ask.close(&x);
    }
    assert_int_equal(answered, 23);
}

/* Questions one after the other have the answers that each has alone, also after one that no member meets. */
static void questions_one_after_another(void **state)
{
    static const char *const where[] = {"Pcool < 2.9",
                                        "arrival_h('road') < 0.2",
                                        NULL,
                                        "member < 0",
                                        "member IN (3, 4)",
                                        "member <> 3",
                                        "share('hut')",
                                        "Pcool >= 2.9",
                                        NULL,
                                        "member = 7"};
    enum { QUESTIONS = sizeof where / sizeof *where };
    struct ask_options o = {.where = where[0], .again = true};
    struct ask x;
    struct study_job j;
    set_up_questions();
    ask(&x, &j, &o);
    for (int n = 0; n < QUESTIONS; n++) {
        struct ask_options alone = {.where = where[n]};
        struct study_job its;
        struct ask y;
        struct error e = {0};
        o.where = where[n];
        const int status = n ? ask_again(&j, &e) : 0;
        if (where[n] && !strcmp(where[n], "member < 0")) {
            assert_int_equal(status, ERROR_INPUT);
            assert_true(x.again);
            continue;
        }
        must(status, &e);
        ask(&y, &its, &alone);
        assert_true(x.of.s.done == y.of.s.done && y.of.s.done > 0);
        assert_true(x.of.s.cells.weight == y.of.s.cells.weight &&
                    x.of.s.places.weight == y.of.s.places.weight);
        assert_true(ensemble_digest(&x.of.s) == ensemble_digest(&y.of.s));
        for (int64_t i = 0; i < made.count; i++)
            assert_true(x.weight[i] == y.weight[i] &&
                        x.of.s.result[i].done == y.of.s.result[i].done);
        for (int k = 0; k < x.of.s.assets.count; k++)
            assert_true(x.of.s.assumed[k] == y.of.s.assumed[k]);
        study_ask.close(&y);
    }
    study_ask.close(&x);
}

/* ---- a forecast ------------------------------------------------------------------------------ */

/* By the weights of a set, times the odds of lava in the cell for members that had it there when it was seen: the
 * share of those with lava by a class. told: where lava was seen it has come, whatever members do. */
static double given_cell(const struct nowcast *x, int set, uint32_t place, int by_class, bool told)
{
    const struct nowcast_set *s = &x->set[set];
    const struct sight_here here =
        (told ? sights_here : sights_odds)(&x->sights, s->until_s, place / COLS, place % COLS);
    if (isinf(here.odds)) return 1;
    double all = 0, came = 0;
    for (int64_t i = 0; i < made.count; i++) {
        const struct reached *r = find_cell(&made, i, place);
        const double w =
            (double)s->weight[i] * (r && r->arrival_class <= here.edge ? exp(here.odds) : 1);
        all += w, came += r && r->arrival_class <= by_class ? w : 0;
    }
    return came / all;
}

static void cells_of_a_forecast(void **state)
{
    enum { BY_HALF = 9, LATEST = 10000 }; /* the class that ends at half an hour */
    struct error e = {0};
    struct nowcast x = {.ask = {.db = NULL}};
    struct nowcast_options o = {.ask.ensemble.until_error = -1, .now_s = NAN};
    int differ = 0;
    write_plan(&dir);
    put_text(&dir, "asked.cfg", ASKED "run_h 25\n");
    put_text(&dir, "places.json", PLACES);
    compute(&made, "asked.cfg", "asked.gpkg");
    put_front("early.asc", 5, BY_HALF);
    put_front("late.asc", 9, LATEST);
    put_text(&dir, "asked.cfg",
             ASKED "run_h 25\nobserved_front early.asc at 0.5h error_m 8 correlation_m 30\n"
                   "observed_front late.asc at 24.6h error_m 8 correlation_m 30\n");
    o.ask.library = scratch_file(&dir, "asked.gpkg");
    struct study_job j = {.study = &study_nowcast, .self = &x, .options = &o, .threads = 1};
    must(study_nowcast.open(&j, &e), &e);
    must(study_nowcast.round(&j, &e), &e);
    for (uint32_t place = 0; place < CELLS; place++) {
        const double now = given_cell(&x, NOWCAST_NOW, place, LATEST, true),
                     yesterday = given_cell(&x, NOWCAST_YESTERDAY, place, LATEST, true);
        uint64_t came = 0, all = 0;
        for (int64_t i = 0; i < made.count; i++) {
            came += find_cell(&made, i, place) ? made.weight[i] : 0;
            all += made.weight[i];
        }
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_NOW, place) - now) < 1e-6);
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_YESTERDAY, place) - yesterday) < 1e-6);
        assert_true(fabs(nowcast_at_cell(&x, NOWCAST_BEFORE, place) - (double)came / (double)all) <
                    1e-6);
        differ += fabs(now - yesterday) > 0.01 && fabs(now - (double)came / (double)all) > 0.01;
    }
    assert_true(differ > 3);

    /* of each front: by what was seen a day before, by nothing, and as the front before was */
    assert_true(x.fronts == 2 && x.set[x.front[0].set].until_s < 0 &&
                x.set[x.front[1].set].until_s > 0);
    for (int front = 0; front < 2; front++)
        for (int which = 0; which < FORECASTS; which++) {
            struct forecast f;
            struct nowcast_counted room;
            if (front == 0 && which == FORECAST_PERSISTENCE) continue; /* there was none */
            assert_true(nowcast_forecast(&f, &x, front, which, &room));
            for (uint32_t place = 0; place < CELLS; place++) {
                const struct reached *r = find_cell(&made, 5, place);
                const int set = which == FORECAST_NOW ? x.front[front].set : NOWCAST_BEFORE,
                          edge = x.sights.of[x.front[front].sight].edge;
                const double p = which == FORECAST_PERSISTENCE
                                     ? r && r->arrival_class <= BY_HALF
                                     : given_cell(&x, set, place, edge, false);
                assert_true(fabs((double)f.count(f.of, place) / (double)f.weight - p) < 1e-6);
            }
        }
    study_nowcast.close(&x);
}

/* ---- the files of a forecast ----------------------------------------------------------------- */

enum { NEVER = 1 << 20 };

/* Members in a cell or at a place: when lava came, and how thick it became. */
struct lava_of {
    int came[MEMBERS_MOST], thick[MEMBERS_MOST];
};

static void lava_in(struct lava_of *l, const uint32_t *cell, uint32_t cells)
{
    for (int64_t i = 0; i < made.count; i++) {
        l->came[i] = NEVER, l->thick[i] = -1;
        for (uint32_t k = 0; k < cells; k++) {
            const struct reached *r = find_cell(&made, i, cell[k]);
            if (r && r->arrival_class < l->came[i]) l->came[i] = r->arrival_class;
            if (r && r->thickness_class > l->thick[i]) l->thick[i] = r->thickness_class;
        }
    }
}

static bool happens(const struct lava_of *l, int64_t i, enum ensemble_event event, int edge)
{
    return event == EVENT_LAVA     ? l->came[i] < NEVER
           : event == EVENT_SOONER ? l->came[i] <= edge
                                   : l->thick[i] > edge;
}

/* The probability of an event by weights and by what was seen (docs/formats/observations.md). Where it was seen dry and
 * most members had lava, these count as (1 + later) / 2. NaN: all members have lava later than it was seen. */
static double told(const uint64_t *weight, const struct lava_of *l, enum ensemble_event event,
                   int edge, struct sight_here here, double later, bool *capped)
{
    double all = 0, since = 0, of_since = 0, of_other = 0;
    for (int64_t i = 0; i < made.count; i++) {
        const double w = (double)weight[i];
        const bool had = l->came[i] <= here.edge;
        all += w, since += had ? w : 0;
        if (happens(l, i, event, edge)) *(had ? &of_since : &of_other) += w;
    }
    if (isinf(here.odds)) {
        if (event == EVENT_LAVA || (event == EVENT_SOONER && edge >= here.edge)) return 1;
        return since > 0 ? of_since / since : (double)NAN;
    }
    const double most = (1 + later) / 2, then = since / all;
    const bool many = here.odds < 0 && then > most;
    const double prior = many ? most : then,
                 had = exp(here.odds) * prior / (exp(here.odds) * prior + 1 - prior),
                 tenth = many ? 0.1 : 0,
                 dry = many || then < 1 ? (1 - had) / (1 - then + tenth) : 0;
    *capped = *capped || many;
    return (since > 0 ? of_since / since * (had + dry * tenth * later) : 0) + of_other / all * dry;
}

/* Of the members without lava at the margin, the share with lava there later. */
static double later_of(const struct sights *x, const uint64_t *weight, double until_s,
                       struct window box, bool front)
{
    double later = 0, dry = 0;
    for (int row = box.row0; row < box.row0 + box.rows; row++)
        for (int col = box.col0; col < box.col0 + box.cols; col++) {
            const uint32_t cell = (uint32_t)(row * COLS + col);
            const struct sight_here here =
                (front ? sights_odds : sights_here)(x, until_s, (uint32_t)row, (uint32_t)col);
            struct lava_of l;
            double all = 0, came = 0, reached = 0;
            if (here.odds >= 0) continue;
            lava_in(&l, &cell, 1);
            for (int64_t i = 0; i < made.count; i++) {
                all += (double)weight[i];
                came += l.came[i] <= here.edge ? (double)weight[i] : 0;
                reached += l.came[i] < NEVER ? (double)weight[i] : 0;
            }
            later += came / all * (reached - came) / all, dry += came / all * (all - came) / all;
        }
    return dry > 0 ? later / dry : 0;
}

#define expect_number(got, expected, by) expect_near(__LINE__, got, expected, by)
static void expect_near(int line, double got, double expected, double by)
{
    if (got == expected || (isnan(got) && isnan(expected))) return;
    if (fabs(got - expected) <= by * (1 + fabs(expected))) return;
    print_error("%g, not %g\n", got, expected);
    _fail(__FILE__, line);
}

/* ---- files ---- */

static struct product_at file_of(const struct nowcast *x, const char *name)
{
    for (int i = 0; i < nowcast_files.count; i++)
        if (!strcmp(nowcast_files.row[i].name, name))
            return (struct product_at){.of = x, .row = &nowcast_files.row[i]};
    fail_msg("no file %s", name);
    return (struct product_at){0};
}

static char *text_of(const struct nowcast *x, const char *name)
{
    const struct product_at at = file_of(x, name);
    struct error e = {0};
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    struct table t = table_to(f);
    if (at.row->rows) at.row->rows(&t, &at);
    else must(at.row->put(f, &at, &e), &e);
    assert_int_equal(fclose(f), 0);
    return text;
}

/* A cell of a table, from its row and the name of its column. */
static const char *cell_of(const char *text, int row, const char *column)
{
    const size_t length = strlen(column);
    const char *at = text;
    int number = 0;
    while (strncmp(at, column, length) != 0 || !strchr(",\n", at[length])) {
        at += strcspn(at, ",\n");
        if (*at++ != ',') fail_msg("no column %s in %s", column, text);
        number++;
    }
    for (at = text; row >= 0; row--) at = strchr(at, '\n') + 1;
    for (; number; number--) at = strchr(at, ',') + 1;
    return at;
}

#define expect_cell(text, row, column, expected)                                                   \
    expect_near(__LINE__, number_of(text, row, column), expected, 2e-5)
static double number_of(const char *text, int row, const char *column)
{
    const char *at = cell_of(text, row, column);
    return strchr(",\n", *at) ? (double)NAN : strtod(at, NULL);
}

static void expect_word(const char *text, int row, const char *column, const char *expected)
{
    const char *at = cell_of(text, row, column);
    assert_true(strcspn(at, ",\n") == strlen(expected) && !strncmp(at, expected, strlen(expected)));
}

static int rows_of(const char *text)
{
    int rows = -1;
    for (; *text; text++) rows += *text == '\n';
    return rows;
}

static double effective_of(const uint64_t *weight)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < made.count; i++)
        sum += (double)weight[i], squares += (double)weight[i] * (double)weight[i];
    return sum * sum / squares;
}

/* ---- what is expected ---- */

struct expected {
    double later[NOWCAST_SETS];
    int capped[NOWCAST_SETS], certain, changes[9];
};

static double at_cell(const struct nowcast *x, struct expected *f, int set, uint32_t cell,
                      enum ensemble_event event, int edge)
{
    const struct nowcast_set *s = &x->set[set];
    const struct sight_here none = {0, -1, 0, 0},
                            here = isinf(s->until_s) ? none
                                                     : sights_here(&x->sights, s->until_s,
                                                                   cell / COLS, cell % COLS);
    struct lava_of l;
    bool capped = false;
    lava_in(&l, &cell, 1);
    const double p = told(s->weight, &l, event, edge, here, f->later[set], &capped);
    f->capped[set] += capped, f->certain += isinf(here.odds);
    return p;
}

static double at_place(const struct nowcast *x, int set, int place, enum ensemble_event event,
                       int edge, double later)
{
    const struct asset *a = &x->ask.of.s.assets.asset[place];
    struct lava_of l;
    bool capped = false;
    lava_in(&l, a->cell, a->cells);
    return told(x->set[set].weight, &l, event, edge, x->here[set * x->places + place], later,
                &capped);
}

static bool any_lava(uint32_t cell)
{
    struct lava_of l;
    int any = 0;
    lava_in(&l, &cell, 1);
    for (int64_t i = 0; i < made.count; i++) any += l.came[i] < NEVER;
    return any > 0;
}

/* Probabilities of all events in a cell now, and the percentiles of its arrivals: of the members that come after the
 * cell was last seen dry. */
static void expect_events(const struct nowcast *x, struct expected *f, uint32_t cell)
{
    const struct ensemble *s = &x->ask.of.s;
    const struct statistics_request *w = &s->source->request;
    const struct sight_here here =
        sights_here(&x->sights, x->sights.now_s, cell / COLS, cell % COLS);
    const int last = s->arrival_s.edges,
              dry = isinf(here.odds)
                        ? 0
                        : sights_dry_classes(&x->sights, x->sights.now_s, cell / COLS, cell % COLS);
    static double by[8200];
    const bool any = any_lava(cell);
    for (int k = -1; k <= last; k++) {
        const double p = at_cell(x, f, NOWCAST_NOW, cell, EVENT_SOONER, k);
        const bool sure = isinf(here.odds) && k >= here.edge;
        if (k < 40 || k % 37 == 0 || k > last - 3)
            expect_number(ensemble_probability(s, cell, EVENT_SOONER, k),
                          any || sure ? p : (double)NAN, 1e-6);
        by[k + 1] = p;
    }
    for (int k = 0; k < w->threshold_count && !x->ask.of.brief; k++) {
        const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
        expect_number(ensemble_probability(s, cell, EVENT_THICKER, edge),
                      any ? at_cell(x, f, NOWCAST_NOW, cell, EVENT_THICKER, edge) : (double)NAN,
                      1e-6);
    }
    const double all = by[last + 1] - by[dry];
    for (int percent = 0; percent < 100 && any; percent += 19) {
        int class = dry;
        while (class < last && !(by[class + 1] - by[dry] >= all * percent / 100 * (1 - 1e-9) &&
                                 by[class + 1] > by[dry]))
            class ++;
        if (isinf(here.odds)) continue;
        assert_int_equal(x->seen.arrival(x, cell, percent), all > 1e-12 ? class : -1);
    }
}

static int class_of_change(double points)
{
    static const double limit[] = {1, 5, 15, 40};
    int size = 0;
    for (int i = 0; i < 4; i++) size += fabs(points) >= limit[i];
    return points < 0 ? 5 - size : 5 + size;
}

/* Layers and maps: the probability of each set, changes, and horizons. */
static void expect_layers(const struct nowcast *x, struct expected *f)
{
    static const struct {
        const char *layer, *map, *since;
        int set;
    } change[] = {
        {"change", "map_change", "24 h earlier", NOWCAST_YESTERDAY},
        {"change_in_all", "map_change_in_all", "before anything was seen", NOWCAST_BEFORE}};
    const struct ensemble *s = &x->ask.of.s;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        double p[NOWCAST_SETS];
        for (int set = 0; set < NOWCAST_SETS; set++) {
            p[set] = at_cell(x, f, set, cell, EVENT_LAVA, 0);
            if (!any_lava(cell) && p[set] < 1) p[set] = 0;
            expect_number(nowcast_at_cell(x, set, cell), p[set], 1e-6);
        }
        assert_true(x->ask.of.also_reached(x, cell) == (p[NOWCAST_NOW] == 1));
        struct product_at at = file_of(x, "probability_before");
        expect_number(at.row->value(&at, cell), p[0] > 0 ? p[0] : (double)NAN, 1e-6);
        at = file_of(x, "probability_yesterday");
        expect_number(at.row->value(&at, cell), p[1] > 0 ? p[1] : (double)NAN, 1e-6);
        at = file_of(x, "map_forecast");
        expect_number(at.row->value(&at, cell),
                      report_class(p[2] > 0 ? nowcast_at_cell(x, 2, cell) : (double)NAN), 0);
        for (int k = 0; k < 2; k++) {
            const double more = p[NOWCAST_NOW] - p[change[k].set];
            const bool any = p[NOWCAST_NOW] > 0 || p[change[k].set] > 0;
            at = file_of(x, change[k].layer);
            expect_number(at.row->value(&at, cell), any ? more : (double)NAN, 1e-6);
            at = file_of(x, change[k].map);
            const double class = at.row->value(&at, cell);
            assert_true(any ? class == class_of_change(100 * more + 1e-5) ||
                                  class == class_of_change(100 * more - 1e-5)
                            : isnan(class));
            if (any) f->changes[(int)class - 1]++;
        }
        at = file_of(x, "probability_in_*h");
        assert_int_equal(x->horizons, 3);
        for (at.i = 0; at.i < x->horizons; at.i++) {
            const double until_s = x->sights.now_s + 86400.0 * (at.i + 1),
                         soon = at_cell(x, f, NOWCAST_NOW, cell, EVENT_SOONER,
                                        sights_class(&s->arrival_s, until_s));
            const bool any = any_lava(cell) || soon == 1;
            expect_number(at.row->value(&at, cell), any && soon > 0 ? soon : (double)NAN, 1e-6);
        }
        expect_events(x, f, cell);
    }
    char hours[32], number[32], text[300], said[PROBABILITY_TEXT], place[PRODUCT_PLACE];
    static struct product_map map;
    sprintf(hours, "%g", x->sights.now_s / 3600);
    roundnum_brief(number, effective_of(x->set[NOWCAST_NOW].weight));
    struct product_at at = file_of(x, "map_forecast");
    at.row->map(&at, &map);
    sprintf(text,
            "Probability that lava arrives, by what was seen until %s h: %d simulated eruptions, "
            "effective number %s",
            hours, (int)made.count, number);
    assert_string_equal(WORDS_ENGLISH(map.subtitle), text);
    for (int k = 0; k < 2; k++) {
        at = file_of(x, change[k].map);
        at.row->map(&at, &map);
        sprintf(
            text,
            "Probability that lava arrives, at %s h minus %s: %d simulated eruptions, effective "
            "number %s",
            hours, change[k].since, (int)made.count, number);
        assert_string_equal(WORDS_ENGLISH(map.subtitle), text);
        for (int i = 0; i < x->places; i++) {
            const double more = nowcast_at_place(x, NOWCAST_NOW, i, INFINITY) -
                                nowcast_at_place(x, change[k].set, i, INFINITY);
            at.row->place(&at, i, place, sizeof place);
            const char *points = strrchr(words_fill(text, sizeof text, place, NULL), ',');
            nowcast_said(said, x, NOWCAST_NOW, i, INFINITY);
            assert_true(points && !strncmp(text, said, strlen(said)) &&
                        points == text + strlen(said));
            const bool less = strncmp(points + 2, "−", 3) == 0;
            expect_number((less ? -1 : 1) * fabs(strtod(points + (less ? 5 : 2), NULL)), 100 * more,
                          0.006);
        }
    }
}

/* Each column of nowcast_places.csv, and what all files of an ensemble have of a place. */
static void expect_places_of(const struct nowcast *x, const struct expected *f)
{
    static const char *const names[] = {"before", "yesterday", "now"};
    const struct ensemble *s = &x->ask.of.s;
    const struct statistics_request *w = &s->source->request;
    char *text = text_of(x, "nowcast_places.csv");
    assert_int_equal(rows_of(text), 4 * x->places);
    for (int i = 0, row = 0; i < x->places; i++) {
        double low[3], p_low = 0.05;
        const double error = sqrt(p_low * (1 - p_low) / effective_of(x->set[NOWCAST_NOW].weight));
        for (int k = 0; k < 3; k++)
            low[k] = nowcast_earliest_s(x, NOWCAST_NOW, i, p_low + (k - 1) * error) / 3600;
        for (int k = 0; k < 4; k++, row++) {
            const double hour = x->sights.now_s / 3600 + 24 * (k + 1);
            expect_word(text, row, "place", s->assets.asset[i].name);
            expect_cell(text, row, "within_h", k < 3 ? 24 * (k + 1) : (double)NAN);
            for (int set = 0; set < NOWCAST_SETS; set++) {
                const int class = sights_class(&s->arrival_s, hour * 3600);
                const double p = at_place(x, set, i, k < 3 ? EVENT_SOONER : EVENT_LAVA, class,
                                          f->later[set]),
                             n = effective_of(x->set[set].weight);
                char column[32];
                expect_cell(text, row, names[set], p);
                sprintf(column, "%s_error", names[set]);
                expect_cell(text, row, column, sqrt(fmax(0, p * (1 - p) / n)));
            }
            expect_cell(text, row, "earliest_low_h", low[0]);
            expect_cell(text, row, "earliest_h", low[1]);
            expect_cell(text, row, "earliest_high_h", low[2]);
            expect_cell(text, row, "reached_h", nowcast_reached_s(x, NOWCAST_NOW, i) / 3600);
        }
        for (int k = -1; k < s->arrival_s.edges; k += k < 40 ? 1 : 97)
            expect_number(ensemble_at_place(s, i, EVENT_SOONER, k),
                          at_place(x, NOWCAST_NOW, i, EVENT_SOONER, k, f->later[NOWCAST_NOW]),
                          1e-6);
        for (int k = 0; k < w->threshold_count; k++) {
            const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
            expect_number(ensemble_at_place(s, i, EVENT_THICKER, edge),
                          at_place(x, NOWCAST_NOW, i, EVENT_THICKER, edge, f->later[NOWCAST_NOW]),
                          1e-6);
        }
        expect_number(ensemble_reached_s(s, i), nowcast_reached_s(x, NOWCAST_NOW, i), 0);
        assert_int_equal(ensemble_dry_classes(s, i), x->here[NOWCAST_NOW * x->places + i].dry);
    }
    free(text);
}

static void expect_weights_of(const struct nowcast *x)
{
    const struct sights *s = &x->sights;
    char *text = text_of(x, "weights.csv"), column[100];
    assert_int_equal(rows_of(text), made.count);
    for (int i = 0; i < made.count; i++) {
        expect_cell(text, i, "member", i);
        expect_cell(text, i, "before", (double)made.weight[i]);
        expect_cell(text, i, "yesterday", (double)x->set[NOWCAST_YESTERDAY].weight[i]);
        expect_cell(text, i, "now", (double)x->set[NOWCAST_NOW].weight[i]);
        for (int k = 0; k < s->count; k++) {
            const struct sight_of_member *mine = &x->mine[i * s->count + k];
            sprintf(column, "log_likelihood %s", s->of[k].name);
            expect_cell(text, i, column, (double)mine->gain / SIGHTS_UNIT);
            sprintf(column, "jaccard %s", s->of[k].name);
            if (s->of[k].kind == SEEN_FRONT)
                expect_cell(text, i, column, sight_jaccard(&s->of[k], mine));
            if (s->of[k].kind != SEEN_ARRIVAL) continue;
            struct lava_of l; /* whenever lava comes there, it is known */
            lava_in(&l, s->of[k].arrival.cell, s->of[k].arrival.cells);
            assert_int_equal(mine->first, l.came[i] < NEVER ? l.came[i] : UINT16_MAX);
        }
    }
    free(text);
}

/* Each forecast of a front against the front: its Brier score by the cells of its domain, the others by verify(). */
static int expect_scores(const struct nowcast *x)
{
    static const char *const names[] = {"nowcast", "before", "persistence"};
    static struct verification v;
    char *text = text_of(x, "forecasts.csv");
    int row = 0, capped = 0;
    for (int n = 0; n < x->fronts; n++)
        for (int which = 0; which < FORECASTS; which++) {
            const struct sight *o = &x->sights.of[x->front[n].sight];
            const struct domain *d = &o->front.domain;
            struct nowcast_counted room;
            struct forecast forecast;
            struct error e = {0};
            double brier = 0, front_h = o->time_s / 3600;
            int persists = -1;
            bool any = false;
            for (int k = 0; k < x->sights.count; k++) { /* the last whole front a day before */
                const struct sight *was = &x->sights.of[k];
                if (was->kind == SEEN_FRONT && !was->line->part && !*was->line->within &&
                    was->time_s <= o->time_s - 86400)
                    persists = k;
                any = any || was->time_s <= o->time_s - 86400;
            }
            const struct nowcast_set *s = &x->set[which ? NOWCAST_BEFORE : x->front[n].set];
            if (!which) expect_number(s->until_s, any ? o->time_s - 86400 : -INFINITY, 0);
            if (which == FORECAST_PERSISTENCE && persists < 0) continue;
            const double later =
                which ? 0 : later_of(&x->sights, s->weight, s->until_s, d->box, true);
            for (int i = 0; i < d->box.rows * d->box.cols; i++) {
                const uint32_t r = (uint32_t)(d->box.row0 + i / d->box.cols),
                               c = (uint32_t)(d->box.col0 + i % d->box.cols), cell = r * COLS + c;
                const bool observed = d->cell[i] & DOMAIN_OBSERVED;
                struct sight_here here = {0, -1, 0, 0};
                struct lava_of l;
                bool many = false;
                if (!(d->cell[i] & DOMAIN_IN)) continue;
                if (!which) here = sights_odds(&x->sights, s->until_s, r, c);
                lava_in(&l, &cell, 1);
                const double p =
                    which == FORECAST_PERSISTENCE
                        ? x->sights.of[persists].front.inside[cell]
                        : told(s->weight, &l, EVENT_SOONER, o->edge, here, later, &many);
                capped += many && later > 0;
                brier += (p - observed) * (p - observed) / (double)d->cells;
            }
            assert_true(nowcast_forecast(&forecast, x, n, which, &room));
            must(verify(&v, &forecast, &e), &e);
            expect_cell(text, row, "front_h", front_h);
            expect_word(text, row, "forecast", names[which]);
            expect_cell(text, row, "issued_h", front_h - 24);
            expect_cell(text, row, "cells", (double)d->cells);
            expect_cell(text, row, "observed", (double)d->observed);
            expect_cell(text, row, "effective",
                        which == FORECAST_PERSISTENCE ? 1 : effective_of(s->weight));
            expect_cell(text, row, "brier", brier);
            for (int k = 0; k < VERIFY_SCORES; k++) {
                char column[40];
                expect_cell(text, row, verify_score_names[k], v.score[k].value);
                sprintf(column, "%s_error", verify_score_names[k]);
                expect_number(strtod(cell_of(text, row, column), NULL), v.score[k].error, 0.006);
            }
            expect_cell(text, row, "reliability", v.reliability);
            row++;
        }
    assert_int_equal(rows_of(text), row);
    free(text);
    return capped;
}

static double json_number(const cJSON *o, const char *name)
{
    const cJSON *x = cJSON_GetObjectItem(o, name);
    assert_non_null(x);
    return cJSON_IsNull(x) ? (double)NAN : x->valuedouble;
}

static void expect_summary(const struct nowcast *x)
{
    static const char *const names[] = {"before", "yesterday", "now"};
    const struct product_at at = file_of(x, "nowcast");
    const struct sights *s = &x->sights;
    cJSON *o = cJSON_CreateObject();
    at.row->entry(o, &at);
    expect_number(json_number(o, "now_h"), s->now_s / 3600, 1e-12);
    expect_number(json_number(o, "observations"), s->count, 0);
    expect_number(json_number(o, "rounds"), 0, 0);
    expect_number(json_number(o, "likeliest_member"), (double)nowcast_likeliest(x), 0);
    expect_number(json_number(o, "worst_member"), (double)nowcast_worst(x), 0);
    assert_string_equal(cJSON_GetObjectItem(o, "warning")->valuestring, x->told.warning);
    for (int k = 0; k < 3; k++) {
        const cJSON *set = cJSON_GetObjectItem(o, names[k]);
        const double until_s = x->set[k].until_s;
        expect_number(json_number(set, "until_h"), isinf(until_s) ? (double)NAN : until_s / 3600,
                      1e-12);
        expect_number(json_number(set, "effective"), effective_of(x->set[k].weight), 1e-6);
        expect_number(json_number(set, "power"), x->set[k].power, 1e-12);
        expect_number(json_number(set, "effective_untempered"), x->set[k].full, 1e-12);
    }
    for (int k = 0; k < s->count; k++) {
        const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "seen"), k);
        double most = -1;
        int nearest = -1;
        assert_string_equal(cJSON_GetObjectItem(one, "name")->valuestring, s->of[k].name);
        expect_number(json_number(one, "time_h"), s->of[k].time_s / 3600, 1e-12);
        assert_int_equal(cJSON_HasObjectItem(one, "nearest_member"), s->of[k].kind == SEEN_FRONT);
        if (s->of[k].kind != SEEN_FRONT) continue;
        for (int i = 0; i < made.count; i++) {
            const double j = sight_jaccard(&s->of[k], &x->mine[i * s->count + k]);
            if (j > most) most = j, nearest = i;
        }
        expect_number(json_number(one, "nearest_member"), nearest, 0);
        expect_number(json_number(one, "nearest_jaccard"), most, 1e-12);
    }
    cJSON_Delete(o);
}

/* What is said of the observations, and where nothing is said. */
static void expect_warnings(const struct nowcast *x, int said[7])
{
    const struct sights *s = &x->sights;
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    const double few = fmin(5, fmax(1.1, 0.01 * effective_of(made.weight)));
    char text[200];
    double jaccard = 1;
    int whole = -1;
    sprintf(text, "their effective number is %.2g; check", now->full);
    assert_int_equal(strstr(x->told.warning, text) != NULL, now->full < few);
    assert_int_equal(strstr(x->told.warning, "effective number is") != NULL, now->full < few);
    sprintf(text, "tempered to the power %.2g, as no more than %.3g members would count",
            now->power, now->full);
    assert_int_equal(strstr(x->told.warning, text) != NULL, now->power < 0.1);
    assert_int_equal(strstr(x->told.warning, "error of the model") != NULL, now->power < 0.1);
    said[0] += now->full < few, said[1] += now->power < 0.1;
    for (int k = 0; k < s->count; k++) {
        const struct sight *o = &s->of[k];
        double all = 0, far = 0;
        if (o->kind == SEEN_FRONT && !o->line->part) whole = k;
        if (o->kind != SEEN_END && o->kind != SEEN_ARRIVAL) continue;
        for (int64_t i = 0; i < made.count; i++) {
            all += (double)now->weight[i];
            if (!sight_is_near(o, &x->mine[i * s->count + k])) far += (double)now->weight[i];
        }
        const bool end = o->kind == SEEN_END;
        sprintf(text, end ? "no simulated eruption ends near %s" : "near that time: %s", o->name);
        assert_int_equal(strstr(x->told.warning, text) != NULL, far == all);
        sprintf(text, "%.0f %% of the simulated eruptions, by their weights now, end more",
                100 * far / all);
        const bool some = end && far < all && far > 0.1 * all;
        assert_int_equal(strstr(x->told.warning, text) != NULL, some);
        said[2] += far == all, said[3] += some, said[5] += some && far < 0.3 * all;
    }
    if (whole >= 0) nowcast_nearest(x, whole, &jaccard);
    sprintf(text, "no simulated eruption resembles the %s: the nearest overlaps it by J = %.2f",
            whole < 0 ? "" : s->of[whole].name, jaccard);
    assert_int_equal(strstr(x->told.warning, text) != NULL, jaccard < 0.5);
    assert_int_equal(strstr(x->told.warning, "resembles") != NULL, jaccard < 0.5);
    if (jaccard < 0.5) said[4]++;
    if (jaccard < 0.5 && jaccard > 0.25) said[6]++;
    assert_non_null(strstr(x->told.warning, s->told.warning));
}

/* Times and changes that the bulletin takes. */
static void expect_bulletin(const struct nowcast *x)
{
    const struct bulletin_more *b = &nowcast_bulletin;
    double last_s = 0, lava_s = -INFINITY;
    for (int k = 0; k < x->sights.count; k++) {
        const struct sight *o = &x->sights.of[k];
        last_s = fmax(last_s, o->time_s);
        if (o->kind == SEEN_FRONT || o->kind == SEEN_ARRIVAL) lava_s = fmax(lava_s, o->time_s);
    }
    assert_true(b->now_s(x) == x->sights.now_s && b->last_s(x) == last_s && b->lava_s(x) == lava_s);
    assert_true(b->before_s(x) == x->set[NOWCAST_YESTERDAY].until_s);
    for (int i = 0; i < x->places; i++)
        expect_number(b->before(x, i), nowcast_at_place(x, NOWCAST_YESTERDAY, i, INFINITY), 0);
}

/* All files of a forecast, and the numbers that an ensemble takes from it, of other observations each time: against
 * loops over what each member did. */
static void files_of_a_forecast(void **state)
{
    static const struct {
        const char *lines;
        double now_h; /* 0: of the last observation */
        int sets;     /* with observations: yesterday, and a day before each front */
    } cases[] = {
        {"observed_front early.asc at 0.5h error_m 8 correlation_m 30\n"
         "observed_front late.asc at 24.5h error_m 8 correlation_m 30\n"
         "observed_front early.asc at 0.45h error_m 12 part\n",
         0, 2},
        {"observed_dry dry.json until 1.2h correlation_m 30\n"
         "observed_front late.asc at 28h error_m 8 correlation_m 30\n"
         "observed_arrival vent.json at 2006-07-14T06:06Z error_h 0.1\n",
         28.5, 2},
        {"observed_dry dry.json until 1.2h correlation_m 30\nobserved_front late.asc at 28h "
         "error_m 8\n"
         "observed_arrival vent.json at 0.1h error_h 0.1\n",
         2.5, 0},
        {"observed_front early.asc at 0.5h error_m 8\nobserved_survey thick.csv at 0.5h error_m "
         "0.5\nobserved_end 3h error_h 0.3\nobserved_arrival road.json at 0.35h error_h "
         "0.1\neffective_share 0.9\n",
         24.3, 0},
        {"observed_front late.asc at 28h error_m 1 correlation_m 1\n"
         "observed_front then.asc at 1h error_m 1 correlation_m 1\n"
         "observed_front early.asc at 3h error_m 12 part\nobserved_end 3h error_h 0.01\n"
         "observed_arrival vent.json at 0.1h error_h 0.01\neffective_share 0.999\n",
         0, 2},
        {"observed_front other.asc at 3h error_m 9\nobserved_end 20h error_h 1\n"
         "observed_arrival dry.json at 29h error_h 0.5\n",
         0, 1},
        {"observed_front third.asc at 26h error_m 9\nobserved_front other.asc at 27h error_m 9 "
         "part\n",
         0, 0},
        {"observed_front other.asc at 2h error_m 90\nobserved_front late.asc at 26h error_m 90\n"
         "observed_front other.asc at 27h error_m 90 part\nobserved_end 2h error_h 0.4\n"
         "effective_share 0.95\n",
         0, 2},
        {"observed_front vent.asc at 0.05h error_m 8\nobserved_arrival road.json at 0.1h error_h "
         "1\n",
         0, 0},
    };
    int capped[4] = {0}, certain = 0, changes[9] = {0}, said[7] = {0};
    struct error e = {0};
    char text[1000];
    write_plan(&dir);
    put_text(&dir, "asked.cfg", ASKED "run_h 30\nexceed_m 0.5 1 2\n");
    put_text(&dir, "list.csv",
             "vent,row,col,probability\n1,1,1,0.8\n2,2,4,0.1\n3,3,2,0.1\n3,3,5,0.1\n");
    put_text(&dir, "places.json", PLACES);
    put_text(&dir, "road.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500015,4000005],[500065,4000005]]}");
    compute(&made, "asked.cfg", "asked.gpkg");
    put_text(&dir, "vent.json", "{\"type\":\"Point\",\"coordinates\":[500015,4000045]}");
    put_front("early.asc", 5, 9);
    put_front("late.asc", 9, 10000);
    put_front("then.asc", 5, 3);
    put_front("vent.asc", 5, 0);
    /* where most members have lava by then, and a few get it later */
    put_text(&dir, "dry.json",
             "{\"type\":\"LineString\",\"coordinates\":[[500015,4000025],[500015,4000005]]}");
    FILE *other = fopen(scratch_file(&dir, "other.asc"), "w");
    assert_non_null(other);
    fprintf(other, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (int cell = 0; cell < CELLS; cell++)
        fprintf(other, "%d ", cell % COLS > 5 && cell < 4 * COLS);
    assert_int_equal(fclose(other), 0);
    FILE *third = fopen(scratch_file(&dir, "third.asc"), "w");
    assert_non_null(third);
    fprintf(third, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", COLS,
            ROWS);
    for (uint32_t cell = 0; cell < CELLS; cell++)
        fprintf(third, "%d ", cell % 2 == 1 && find_cell(&made, 9, cell));
    assert_int_equal(fclose(third), 0);
    put_text(&dir, "thick.csv", "x,y,thickness_m\n500015,4000025,1.5\n");
    char folder[1000];
    assert_non_null(getcwd(folder, sizeof folder - sizeof dir.path));
    strcat(strcat(folder, "/"), dir.path);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct nowcast x = {.ask = {.db = NULL}};
        struct nowcast_options o = {.ask.ensemble.until_error = -1,
                                    .ask.library = scratch_file(&dir, "asked.gpkg"),
                                    .now_s = cases[n].now_h > 0 ? 3600 * cases[n].now_h : NAN};
        struct study_job j = {.study = &study_nowcast,
                              .self = &x,
                              .plan = scratch_file(&dir, "asked.cfg"),
                              .options = &o,
                              .threads = 1};
        struct expected f = {.certain = 0};
        int sets = 0;
        const bool watched = n % 4 == 1; /* then the lines are in a folder, and times are dates */
        struct watch_state files = {.count = 0};
        char dated[TIMES_TEXT], expected[TIMES_TEXT];
        sprintf(text, "%s%s%s", ASKED, "run_h 30\nexceed_m 0.5 1 2\n",
                watched ? "start_time 2006-07-14T06:00Z\n" : cases[n].lines);
        put_text(&dir, "asked.cfg", text);
        put_text(&dir, "lines.obs", cases[n].lines);
        if (watched) {
            must(watch_look(&files, dir.path, &e), &e);
            o.folder = folder, o.files = &files;
        }
        must(nowcast_check(j.plan, &o, false, &e), &e);
        struct nowcast_options early = o;
        early.now_s = 60;
        assert_int_equal(nowcast_check(j.plan, &early, false, &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "has no observation by then"));
        must(study_nowcast.open(&j, &e), &e);
        must(study_nowcast.round(&j, &e), &e);
        watch_free(&files);
        const double hour = x.sights.now_s / 3600;
        sprintf(text, "weights by what was seen until %g h", hour);
        assert_string_equal(WORDS_ENGLISH(x.ask.of.question), text);
        if (watched)
            sprintf(expected, "200607%02dT%02d%02dZ", 14 + (int)(hour + 6) / 24,
                    (int)(hour + 6) % 24, (int)(60 * hour) % 60);
        else sprintf(expected, "%gh", hour);
        study_nowcast.dated(&x, dated);
        assert_string_equal(dated, expected);
        for (int k = 1; k < NOWCAST_SETS; k++) {
            const struct nowcast_set *s = &x.set[k];
            f.later[k] = isinf(s->until_s) ? 0
                                           : later_of(&x.sights, s->weight, s->until_s,
                                                      (struct window){0, 0, ROWS, COLS}, false);
        }
        for (int k = 1; k < x.sets; k++) sets += k != NOWCAST_NOW && !isinf(x.set[k].until_s);
        assert_int_equal(sets, cases[n].sets);
        expect_layers(&x, &f);
        expect_places_of(&x, &f);
        expect_weights_of(&x);
        capped[3] += expect_scores(&x);
        expect_summary(&x);
        expect_warnings(&x, said);
        expect_bulletin(&x);
        for (int k = 1; k < NOWCAST_SETS; k++) capped[k] += f.later[k] > 0 ? f.capped[k] : 0;
        for (int k = 0; k < 9; k++) changes[k] += f.changes[k];
        certain += f.certain;
        study_nowcast.close(&x);
    }
    for (int k = 1; k < 4; k++) assert_true(capped[k] > 0); /* now, yesterday, before a front */
    for (int k = 0; k < 9; k++) assert_true(changes[k] > 0);
    for (int k = 0; k < 7; k++) printf("said %d\n", said[k]);
    for (int k = 0; k < 7; k++) assert_true(said[k] > 0);
    assert_true(certain > 0);
}

/* ---- two questions --------------------------------------------------------------------------- */

static const struct product *compared_row(const char *name)
{
    for (int i = 0; i < ask_compared_files.count; i++)
        if (!strcmp(ask_compared_files.row[i].name, name)) return &ask_compared_files.row[i];
    fail_msg("no file %s", name);
    return NULL;
}

static double value_of(const struct ask *x, const char *layer, uint32_t place)
{
    return compared_row(layer)->value(&(struct product_at){.of = x}, place);
}

/* Weighted means of x by a less by b, where member i counts 1 + more times as much. */
static double difference(const uint64_t *a, const uint64_t *b, const double *x, int64_t i,
                         double more)
{
    double A = 0, B = 0, ax = 0, bx = 0;
    for (int64_t k = 0; k < made.count; k++) {
        const double times = k == i ? 1 + more : 1;
        A += times * (double)a[k], B += times * (double)b[k];
        ax += times * (double)a[k] * x[k], bx += times * (double)b[k] * x[k];
    }
    return ax / A - bx / B;
}

/* The error is the root of the sum of squares of what each member changes, in proportion. */
static double error_of_difference(const struct ask *x, const double *of)
{
    double squares = 0;
    for (int64_t i = 0; i < made.count; i++) {
        const double change = (difference(x->weight, x->compared.weight, of, i, 1e-4) -
                               difference(x->weight, x->compared.weight, of, i, -1e-4)) /
                              2e-4;
        squares += change * change;
    }
    return sqrt(squares);
}

static void expect_difference(const struct ask *x, const double *of, double value, double error)
{
    const double expected = difference(x->weight, x->compared.weight, of, 0, 0),
                 its_error = error_of_difference(x, of);
    assert_true(fabs(value - expected) < 1e-9 * (1 + fabs(expected)));
    assert_true(fabs(error - its_error) < 1e-6 * (1e-3 + its_error));
}

static double effective_number(const uint64_t *weight)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < made.count; i++) {
        sum += (double)weight[i];
        squares += (double)weight[i] * (double)weight[i];
    }
    return sum * sum / squares;
}

/* The map shows the difference at each place, of members with lava in any of its cells. */
static void expect_places(const struct ask *x)
{
    const double members = fmin(effective_number(x->weight), effective_number(x->compared.weight));
    for (int k = 0; k < x->of.s.assets.count; k++) {
        const struct asset *a = &x->of.s.assets.asset[k];
        double of[MEMBERS_MOST] = {0};
        char text[PROBABILITY_TEXT], expected[PROBABILITY_TEXT];
        for (int64_t i = 0; i < made.count; i++)
            for (uint32_t c = 0; c < a->cells; c++)
                if (find_cell(&made, i, a->cell[c])) of[i] = 1;
        const double value = difference(x->weight, x->compared.weight, of, 0, 0);
        assert_true(fabs(value) > 0.01);
        probability_difference_pack(expected, value, error_of_difference(x, of), members);
        compared_row("map_difference")->place(&(struct product_at){.of = x}, k, text, sizeof text);
        assert_string_equal(WORDS_ENGLISH(text), WORDS_ENGLISH(expected));
    }
}

static void questions_are_compared(void **state)
{
    struct ask_options o = {.where = "Pcool < 2.95", .compare = "class <> 'short'"};
    struct ask x;
    struct study_job j;
    double of[MEMBERS_MOST];
    int apart = 0;
    set_up_questions();
    ask(&x, &j, &o);
    for (uint32_t place = 0; place < CELLS; place++) {
        bool any = false;
        for (int64_t i = 0; i < made.count; i++) {
            of[i] = find_cell(&made, i, place) != NULL;
            any = any || (of[i] > 0 && (x.weight[i] || x.compared.weight[i]));
        }
        const double value = value_of(&x, "probability_difference", place),
                     error = value_of(&x, "probability_difference_error", place);
        assert_true(any == !isnan(value));
        if (!any) continue;
        expect_difference(&x, of, value, error);
        apart += fabs(value) > 0.01 && error > 0.01;
    }
    assert_true(apart > 3);
    expect_places(&x);
    expect_difference(&x, made.area_m2, x.compared.area_m2.difference, x.compared.area_m2.error);
    int64_t members = 0, both = 0;
    for (int64_t i = 0; i < made.count; i++) {
        members += x.compared.weight[i] > 0;
        both += x.compared.weight[i] > 0 && x.weight[i] > 0;
    }
    assert_true(members == x.compared.members && both == x.compared.both && both < members);
    struct product_map m = {.label = ""};
    char subtitle[200];
    int64_t asked = 0;
    for (int64_t i = 0; i < made.count; i++) asked += x.weight[i] > 0;
    snprintf(subtitle, sizeof subtitle,
             "Probability that lava arrives, Pcool < 2.95 minus class <> 'short'; %d and %d "
             "eruptions, %d of them in both",
             (int)asked, (int)members, (int)both);
    compared_row("map_difference")->map(&(struct product_at){.of = &x}, &m);
    assert_true(asked != members && asked != both);
    assert_string_equal(WORDS_ENGLISH(m.subtitle), subtitle);
    study_ask.close(&x);
}

/* ---- members that are named, and what is exposed --------------------------------------------- */

/* The lowest value that members with that share of the weight have at most. */
static double percentile(const struct ask *x, const double *value, double share)
{
    double all = 0, best = INFINITY;
    for (int64_t i = 0; i < made.count; i++) all += (double)x->weight[i];
    for (int64_t i = 0; i < made.count; i++) {
        double until = 0;
        for (int64_t k = 0; k < made.count; k++)
            until += value[k] <= value[i] ? (double)x->weight[k] : 0;
        if (x->weight[i] && until >= share * all) best = fmin(best, value[i]);
    }
    return best;
}

static const struct product *named_row(enum product_kind kind)
{
    const struct product *row = ask_named_files.row;
    while (row->kind != kind) row++;
    return row;
}

/* The map and the layer of each named member show what this member did, in each cell and at each place. */
static void expect_maps(const struct ask *x)
{
    int lava = 0, none = 0;
    for (int i = 0; i < x->named.maps; i++) {
        const struct product_at at = {.of = x, .i = i};
        const int64_t member = x->named.map[i].member;
        for (uint32_t place = 0; place < CELLS; place++) {
            const struct reached *r = find_cell(&made, member, place);
            const double value = named_row(PRODUCT_LAYER)->value(&at, place);
            assert_true(r ? value == r->thickness_q / 1024.0 : isnan(value));
        }
        for (int k = 0; k < x->of.s.assets.count; k++) {
            const struct asset *a = &x->of.s.assets.asset[k];
            double first_h = INFINITY, thickest_m = 0;
            char text[80], expected[80] = "no lava";
            for (uint32_t c = 0; c < a->cells; c++) {
                const struct reached *r = find_cell(&made, member, a->cell[c]);
                if (!r) continue;
                first_h = fmin(first_h, 0.05 * r->arrival_class);
                thickest_m = fmax(thickest_m, r->thickness_q / 1024.0);
            }
            if (thickest_m > 0)
                snprintf(expected, sizeof expected, "%.6g h, %.3g m", first_h, thickest_m);
            *(thickest_m > 0 ? &lava : &none) += 1;
            named_row(PRODUCT_MAP)->place(&at, k, text, sizeof text);
            assert_string_equal(WORDS_ENGLISH(text), expected);
        }
    }
    assert_true(x->named.maps > 2 && lava > 1 && none > 1);
}

/* Words of named members have their values: an area in km2, a run-out in km. */
static void expect_words(const struct ask *x)
{
    int areas = 0, runouts = 0, arrivals = 0;
    for (int i = 0; i < x->named.rows; i++) {
        const struct named_member *m = &x->named.row[i];
        char words[NAMED_WORDS];
        const char *said;
        double value;
        int percent;
        ask_named_words(x, m, words);
        said = WORDS_ENGLISH(words);
        if (sscanf(said, "area %d %%, %lf km²", &percent, &value) == 2) areas++, value *= 1e6;
        else if (sscanf(said, "run-out %d %%, %lf km", &percent, &value) == 2)
            runouts++, value *= 1e3;
        else if (i) {
            char wanted[NAMED_WORDS];
            const struct asset *a = &x->of.s.assets.asset[m->place];
            int there = 0;
            for (uint32_t c = 0; c < a->cells; c++) {
                const struct reached *r = find_cell(&made, m->member, a->cell[c]);
                there += r && fabs(0.05 * r->arrival_class - m->value) < 1e-9;
            }
            snprintf(wanted, sizeof wanted, "arrival at %s %d %%, %.6g h", a->name, m->percent,
                     m->value);
            assert_string_equal(said, wanted);
            assert_true(there > 0);
            arrivals++;
            continue;
        } else {
            assert_int_equal(sscanf(said, "most representative, J %lf", &value), 1);
            assert_true(fabs(value - m->value) <= 0.0005);
            continue;
        }
        assert_true(percent == m->percent && fabs(value - m->value) <= 0.006 * m->value);
    }
    assert_true(areas == 3 && runouts == 3 && arrivals == 6);
}

/* Above the map of a member stands each of its rows, and all maps have one scale, of all that they show. */
static void expect_headings(const struct ask *x)
{
    const struct named_members *n = &x->named;
    static double thickness_m[MEMBERS_MOST * CELLS];
    size_t count = 0;
    double low, high;
    int shared = 0;
    for (int i = 0; i < n->maps; i++)
        for (size_t k = 0; k < made.cells[n->map[i].member]; k++)
            thickness_m[count++] = made.cell[n->map[i].member][k].thickness_q / 1024.0;
    map_range(thickness_m, count, &low, &high);
    assert_true(high > low);
    for (int i = 0; i < n->maps; i++) {
        struct product_map m = {.label = ""};
        char wanted[600];
        int rows = 0;
        snprintf(wanted, sizeof wanted, "Member %d", (int)n->map[i].member);
        for (int k = 0; k < n->rows; k++) {
            char words[NAMED_WORDS];
            if (n->row[k].member != n->map[i].member) continue;
            ask_named_words(x, &n->row[k], words);
            const size_t used = strlen(wanted);
            snprintf(wanted + used, sizeof wanted - used, "%s%s", rows++ ? "; " : ": ",
                     WORDS_ENGLISH(words));
        }
        named_row(PRODUCT_MAP)->map(&(struct product_at){.of = x, .i = i}, &m);
        assert_string_equal(WORDS_ENGLISH(m.subtitle), wanted);
        assert_true(m.map.scale_low == low && m.map.scale_high == high);
        assert_string_equal(m.map.mark_name, "possible vent");
        assert_false(m.map.mark_small);
        shared += rows > 1;
    }
    assert_true(shared > 0);
}

static void members_to_look_at(void **state)
{
    struct ask_options o = {.where = "Pcool < 3", .members = true, .exposed = "people"};
    struct ask x;
    struct study_job j;
    double best = -1;
    int64_t representative = -1;
    set_up_questions();
    ask(&x, &j, &o);
    for (int64_t i = 0; i < made.count; i++) {
        double both = 0, either = 0; /* with a member drawn at random: cells in both, in either */
        for (int64_t k = 0; k < made.count && x.weight[i]; k++)
            for (uint32_t place = 0; place < CELLS; place++) {
                const bool mine = find_cell(&made, i, place), its = find_cell(&made, k, place);
                both += (double)x.weight[k] * (mine && its);
                either += (double)x.weight[k] * (mine || its);
            }
        if (!x.weight[i] || !(both / either > best)) continue;
        best = both / either;
        representative = i;
    }
    assert_string_equal(x.named.row[0].name, "representative");
    assert_int_equal(x.named.row[0].member, representative);
    assert_true(fabs(x.named.row[0].value - best) < 1e-12 && best < 1);
    for (int i = 1; i < 4; i++) {
        const struct named_member *m = &x.named.row[i];
        assert_string_equal(m->name, "area_m2");
        assert_true(m->value == percentile(&x, made.area_m2, m->percent / 100.0));
        assert_true(made.area_m2[m->member] == m->value && x.weight[m->member]);
        for (int64_t k = 0; k < m->member; k++)
            assert_true(!x.weight[k] || made.area_m2[k] != m->value);
    }
    expect_maps(&x);
    expect_words(&x);
    expect_headings(&x);

    /* people of each place, by the share of it that lava covers */
    const struct exposed_sum *sum = &x.exposed.row[x.exposed.rows - 1];
    double value[MEMBERS_MOST], all = 0, squares = 0, mean = 0, spread = 0, any = 0;
    for (int64_t i = 0; i < made.count; i++) {
        value[i] = 0;
        for (int place = 0; place < x.of.s.assets.count; place++) {
            const struct asset *a = &x.of.s.assets.asset[place];
            double covered = 0;
            for (uint32_t k = 0; k < a->cells; k++)
                covered += find_cell(&made, i, a->cell[k]) != NULL;
            value[i] += people[place] * covered / a->cells;
        }
        const double w = (double)x.weight[i];
        all += w, squares += w * w, mean += w * value[i], any += value[i] > 0 ? w : 0;
    }
    mean /= all;
    for (int64_t i = 0; i < made.count; i++)
        spread += (double)x.weight[i] * (value[i] - mean) * (value[i] - mean) / all;
    assert_string_equal(sum->name, "people");
    assert_true(sum->all == 11 && fabs(sum->mean - mean) < 1e-12 && mean > 0.1);
    assert_true(fabs(sum->error - sqrt(spread / (all * all / squares - 1))) < 1e-12);
    assert_true(sum->p50 == percentile(&x, value, 0.5) && sum->p95 == percentile(&x, value, 0.95));
    assert_true(fabs(sum->probability - any / all) < 1e-12);
    study_ask.close(&x);
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

int main(void)
{
    return UNIT_RUN_IN(
        plan_set_up, NULL, NULL, tear_down, members_of_another_plan, sums_of_the_members_there,
        errors_of_another_seed, libraries_that_were_set_aside, a_library_for_other_programs,
        other_ground_is_refused, vents_and_classes_of_other_weights, members_that_meet_a_condition,
        members_at_places, every_part_of_a_question, questions_one_after_another,
        cells_of_a_forecast, files_of_a_forecast, questions_are_compared, members_to_look_at);
}
