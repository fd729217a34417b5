/* Members that are kept (members/library.h): what each did, joined under its number in another plan; and asked (ask/)
 * with other weights, against plain loops over what each member did when it was computed. */
/* tests: study/ask, study/members */
#include "ask/ask.h"
#include "computed_members.h"
#include "members/library.h"
#include "record/map_scene.h"
#include "record/probability.h"
#include "text/words.h"
#include "unit.h"

#include <math.h>
#include <sqlite3.h>

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

static void expect_member(const struct computed *kept, const struct computed *computed, int64_t i)
{
    assert_true(kept->digest[i] == computed->digest[i] && kept->weight[i] == computed->weight[i]);
    assert_int_equal(kept->cells[i], computed->cells[i]);
    for (size_t k = 0; k < computed->cells[i]; k++) {
        const struct reached *a = &computed->cell[i][k], *b = find_cell(kept, i, a->place);
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

static const double people[] = {3, 8};

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
static void expect_headings(struct ask *x)
{
    struct named_members *n = &x->named;
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
        n->low_m = high / 2; /* as if all lava were thick */
        named_row(PRODUCT_MAP)->map(&(struct product_at){.of = x, .i = i}, &m);
        assert_true(m.map.scale_low == high / 2 && m.map.scale_high == high);
        n->low_m = low;
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
    return UNIT_RUN_IN(plan_set_up, NULL, NULL, tear_down, members_of_another_plan,
                       sums_of_the_members_there, errors_of_another_seed,
                       libraries_that_were_set_aside, a_library_for_other_programs,
                       other_ground_is_refused, vents_and_classes_of_other_weights,
                       members_that_meet_a_condition, members_at_places, every_part_of_a_question,
                       questions_one_after_another, questions_are_compared, members_to_look_at);
}
