/* The tables of keys: every key has a meaning and a place of its own for its value, a line with
 * it is read by its own row and by no other, and another value changes what its row says. */
/* tests: input/case */
#include "calibration/keys.h"
#include "case/case.h"
#include "case/schema.h"
#include "ensemble/member_run.h"
#include "plan/plan.h"
#include "restart/restart.h"

#include <stdio.h>
#include <string.h>

#include "plan_files.h"
#include "unit.h"

/* Calls `check` with every key. */
static int each_key(void (*check)(const struct schema *s, const struct key *k))
{
    struct key k;
    int count = 0;
    for (int n = 0; schemas[n]; n++)
        for (const struct key_section *s = schemas[n]->section; s->name; s++)
            for (int i = 0; schema_key(s, i, &k); i++, count++) check(schemas[n], &k);
    return count;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void check_row(const struct schema *s, const struct key *k)
{
    struct key found;
    int same = 0;
    assert_true(schema_find(s, k->name, &found));
    assert_string_equal(found.name, k->name); /* no other row comes first */
    if (k->original) assert_true(schema_find(s, k->original, &found));
    if (k->original) assert_string_equal(found.name, k->name);
    assert_non_null(k->meaning);
    assert_true(*k->meaning && k->meaning[strlen(k->meaning) - 1] != '.');
    assert_int_equal(k->type == KEY_OWN, k->read != NULL);
    assert_int_equal(k->type == KEY_CHOICE, k->choices != NULL);
    assert_true(k->counts != COUNTS_UNSAID);
    assert_int_equal(s == &case_schema, k->part != PART_UNSAID);
    if (k->counts == COUNTS_BYTES) assert_int_equal(k->type, KEY_FILE);
    if (k->type == KEY_OWN) assert_non_null(k->form ? k->form : k->unit);
    if (k->type == KEY_REAL || k->type == KEY_COUNT || k->type == KEY_TEXT)
        assert_true(k->low < k->high);
    for (const struct key_section *t = s->section; t->name; t++)
        for (int i = 0; schema_key(t, i, &found); i++)
            same += k->type != KEY_OWN && found.type != KEY_OWN && found.at == k->at;
    assert_int_equal(same, k->type != KEY_OWN);
}

static void test_rows(void **state)
{
    assert_true(each_key(check_row) > 90);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static struct error message_of(const char *text, bool plan)
{
    struct error e = {0};
    struct sim_case c;
    struct plan *p = NULL;
    put_text(&dir, "case.cfg", text);
    const char *path = scratch_file(&dir, "case.cfg");
    if ((plan ? plan_load(&p, path, &e) : case_load(&c, path, &e)) == 0)
        fail_msg("read: '%s'", text);
    return e;
}

/* A bad value is refused under the key's own name, in a file that has such keys; in others the
 * message names the file that has. */
static void check_line(const struct schema *s, const struct key *k)
{
    char text[128];
    const bool prefix = k->name[strlen(k->name) - 1] == '_', plan = s == &plan_schema;
    snprintf(text, sizeof text, "%s%s \"\xff, = \"\n", k->name, prefix ? "Pcool" : "");
    const struct error e = message_of(text, plan);
    assert_int_equal(e.code, ERROR_INPUT);
    if (s != schemas[0] && !plan) {
        assert_non_null(strstr(e.text, "makes this a plan of a calibration"));
        return;
    }
    if (prefix) return; /* the distribution is read after all lines */
    if (!strstr(e.text, k->name)) fail_msg("%s: %s", k->name, e.text);
    assert_non_null(strstr(e.text, "case.cfg:1: "));
    if (!plan) return;
    const struct error of_case = message_of(text, false);
    if (strcmp(k->name, "assets") != 0 && strcmp(k->name, "run_h") != 0) /* a case has them, too */
        assert_non_null(strstr(of_case.text, "makes this a plan of many runs"));
}

static void test_lines(void **state)
{
    each_key(check_line);
}

static void test_hints(void **state)
{
    static const struct {
        bool plan;
        const char *text, *message;
    } lines[] = {
        {false, "dem=dem.tif\n", "case.cfg:1: dem=dem.tif: write a blank in place of ="},
        {false, "dem = dem.tif\n", "case.cfg:1: dem: write a blank in place of ="},
        {false, "dem =\n", "case.cfg:1: dem: write a blank in place of ="},
        {false, "snapshot_every 6\n", "did you mean snapshot_every_steps? sciara help keys lists"},
        {false, "colour red\n", "unknown key 'colour'; sciara help keys lists the keys"},
        {false, "max_step 6\n", "did you mean max_steps?"},
        {true, "vary_rate uniform 1 2\n", "did you mean vary_rate_factor?"},
        {true, "vary_volume uniform 1 2\n", "did you mean vary_volume_m3?"},
        {true, PLAN_OF_CASE "vary_Prho uniform 1, 2\n",
         "'1,' is not a number (example: 2.8); blanks separate values"},
        {true, "exceed_m 1,2\n", "give up to 16 numbers, separated by blanks"},
        {true, "arrive_within_h 6h,12h\n", "give up to 16 times, separated by blanks"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct error e = message_of(lines[i].text, lines[i].plan);
        if (!strstr(e.text, lines[i].message)) fail_msg("%s%s", lines[i].text, e.text);
    }
}

/* ---- what a key decides ---------------------------------------------------------------------- */

#define TRIAL_CASE CASE_TEXT "max_steps 100\n"

#define OPENING "past_vents past.json\n"
#define PAST    "catalogue past.csv\ncatalogue_until 2020\ncomplete 1900\n"
#define WIDTH   "opening_bandwidth_m 20\n"

struct trial {
    const char *key, *a, *b, *without, *with;
};

/* Two values of a key, the names of files with other content where it is that of a file; NULL: no line. Without
 * the lines of some other keys, and with lines more. */
static const char *const trials[][5] = {
    {"algorithm", NULL, "MIN"},
    {"parameters", "etna-2006", "etna-2006-calibrated",
     "Pclock PTsol PTvent Pr(Tsol) Pr(Tvent) Phc(Tsol) Phc(Tvent) Pcool Prho Pepsilon Psigma Pcv"},
    {"calibrated_cell_m", "10", "20"},
    {"calibrated_clock_s", "60", "120"},
    {"dem", "dem.asc", "ridge.asc"},
    {"vents", "vents.csv", "moved.csv"},
    {"rates", "rates.csv", "more.csv"},
    {"vent_radius_m", "0", "30"},
    {"thickness", "one.asc", "two.asc"},
    {"temperature", "warm.asc", "hot.asc", "", "thickness one.asc\n"},
    {"solidified", "one.asc", "two.asc"},
    {"outline", "inside.json", "outside.json"},
    {"barriers", "wall.csv", "higher.csv"},
    {"assets", "hut.json", "barn.json"},
    {"background", "hut.json", "barn.json"},
    {"sea_level", "955", "965"},
    {"terrain_update", "1h ridge.asc without_lava", "2h ridge.asc without_lava"},
    {"run_h", "2", "3", "max_steps"},
    {"max_steps", "100", "90"},
    {"stop_when_mobile_below_m", "1", "2"},
    {"reduce_every_steps", "7", "9"},
    {"snapshot_every_steps", "5", "10"},
    {"emission", "integral", "published"},
    {"first_step", "0", "1"},
    {"initial_temperature_K", "1200", "1250", "", "thickness one.asc\n"},
    {"crs", "EPSG:32633", "EPSG:32632"},
    {"start_time", "2006-07-14T22:00", "2006-07-15T22:00"},
    {"title", "One", "Another"},
    {"terrain_source", "a survey", "another"},
    {"visual_threshold_m", "0", "1"},
    {"map_scale", "0 5", "0 6"},
    {"map_extent", "flow", "domain"},
    {"map_note", "Exercise", "Test"},
    {"members", "5", "6"},
    {"member_table", "table.csv", "table2.csv", "members"},
    {"repeats", "1", "2", "members vents rates", "vent_list list.csv\nrates total.csv\n"},
    {"sampling", "random", "latin"},
    {"seed", "0", "1"},
    {"vary_Prho", "uniform 2500 2600", "uniform 2500 2700"},
    {"correlation", "correlation.csv", "less.csv", "", "vary_rate_factor uniform 1 2\n"},
    {"terrain_error", "from_dem lidar", "from_dem srtm"},
    {"terrain_error_m", "0.5", "0.6"},
    {"terrain_error_length_m", "25", "30", "", "terrain_error_m 1\n"},
    {"terrain_error_hurst", "0.4", "0.5", "", "terrain_error_m 1\nterrain_error_length_m 30\n"},
    {"vent_list", "list.csv", "weights.csv", "vents rates", "rates total.csv\n"},
    {"vent_grid_m", "20", "30", "vents rates", "rates total.csv\n"},
    {"vent_grid_box", "500000 4000000 500050 4000050", "500000 4000000 500040 4000050",
     "vents rates", "vent_grid_m 20\nrates total.csv\n"},
    {"vent_raster", "one.asc", "ramp.asc", "vents rates", "rates total.csv\n"},
    {"classes", "classes.csv", "longer.csv", "rates"},
    {"shape", "constant", "own.csv", "rates",
     "vary_volume_m3 uniform 900 1000\nvary_duration_h uniform 1 2\n"},
    {"past_vents", "past.json", "older.json", "vents rates", PAST WIDTH},
    {"vent_opening", "one.asc", "ramp.asc", "vents rates", PAST},
    {"opening_kernel", "epanechnikov", "gaussian", "vents rates", OPENING PAST WIDTH},
    {"opening_bandwidth_m", "20", "30", "vents rates", OPENING PAST},
    {"opening_cell_m", "10", "5", "vents rates", OPENING PAST WIDTH},
    {"opening_age_scale_y", "100", "200", "vents rates", OPENING PAST WIDTH},
    {"opening_within", "inside.json", "outside.json", "vents rates", OPENING PAST WIDTH},
    {"opening_never", "narrow.json", "inside.json", "vents rates", OPENING PAST WIDTH},
    {"catalogue", "past.csv", "larger.csv", "vents rates",
     OPENING WIDTH "catalogue_until 2020\ncomplete 1900\n"},
    {"catalogue_until", "2020", "2021", "vents rates",
     OPENING WIDTH "catalogue past.csv\ncomplete 1900\n"},
    {"complete", "1900", "0:1920 800:1900", "vents rates",
     OPENING WIDTH "catalogue past.csv\ncatalogue_until 2020\n"},
    {"eruptions_per_year", "0.5 0.3 0.8", "0.5 0.3 0.9", "vents rates", OPENING PAST WIDTH},
    {"sizes", "quantiles", "lognormal", "vents rates", OPENING PAST WIDTH},
    {"size_classes", "2", "3", "vents rates", OPENING PAST WIDTH},
    {"past_flows", "area.json", "places.json"},
    {"years", "1 10", "1 20"},
    {"hazard_draws", "50", "60"},
    {"observed_rates", "rates.csv", "more.csv", "rates"},
    {"rates_error", "1.2", "1.3", "rates", "observed_rates rates.csv\n"},
    {"radiant_density", "2e8 factor 1.5", "3e8 factor 1.5", "rates", "observed_rates power.csv\n"},
    {"rates_after", "ar1 factor 1.3 correlation 0.5", "ar1 factor 1.4 correlation 0.5", "rates",
     "observed_rates rates.csv\nvary_eruption_end_h uniform 2 3\n"},
    {"vent_shares", "shares.csv", "halves.csv", "vents rates", "vents two.csv\nrates total.csv\n"},
    {"vent_shares_error", "1", "1.1", "vents rates",
     "vents two.csv\nrates total.csv\nvent_shares shares.csv\n"},
    {"from_state", "early.tif", "late.tif"},
    {"stop_at_rest", "no", "yes"},
    {"exceed_m", "1 2", "1 3"},
    {"arrive_within_h", "1", "2"},
    {"thickness_of", "cells", "medians"},
    {"thickness_bin_m", "0.1", "0.2"},
    {"arrival_bin_h", "1", "2"},
    {"verify_within", "10m", "20m", "", "outline inside.json\n"},
    {"null_from", ".", "./", "", "outline inside.json\n"},
    {"discrepancy_m", "0", "20"},
    {"until_error", "0.1", "0.2"},
    {"keep", "no", "yes"},
    {"observed_front", "a.json at 1h error_m 5", "b.json at 1h error_m 5"},
    {"observed_fronts", "a.json date day error_m 5", "a.json date day increments error_m 5"},
    {"observed_dry", "a.json until 1h", "a.json until 2h"},
    {"observed_arrival", "a.json at 1h error_h 1", "a.json at 2h error_h 1"},
    {"observed_survey", "a.csv at 1h error_m 1", "a.csv at 1h error_m 2"},
    {"observed_hot_spots", "a.csv", "b.csv", "", "start_time 2006-07-14T22:00\n"},
    {"observed_end", "1h", "2h"},
    {"weigh_rates", "a.csv", "b.csv"},
    {"observed_correlation_h", "24", "12"},
    {"effective_share", "0.1", "0.2"},
    {"fit_Phc(Tsol)", "20 50", "30 50"},
    {"outline_weight", "1", "2"},
    {"observed_outline", "a.json at 1h", "a.json at 2h"},
    {"observed_volume_m3", "100", "200"},
    {"observed_runout_m", "100", "200"},
    {"observed_thickness", "a.asc", "b.asc"},
    {"observed_arrivals", "a.asc", "b.asc"},
    {"score", "f1", "recall"},
    {"eruption", "a.cfg", "b.cfg"},
    {"eruption_weight", "1", "2"},
    {"noise_members", "1", "2"},
    {"finalists", "1", "2"},
    {"finalist_members", "100", "50"},
    {"population", "6", "8"},
    {"evaluations", "100", "200"},
    {"posterior_members", "200", "300"},
    {"posterior_tolerance", "0", "0.1"},
    {"posterior_acceptance", "0.05", "0.1"},
    {"hold_out", "after 1h", "after 2h"},
    {"method", "morris", "sobol"},
    {"trajectories", "20", "30"},
    {"levels", "4", "6"},
    {"samples", "512", "1024"},
    {"second_order", "no", "yes"},
    {"resamples", "1000", "2000"},
    {"confidence", "0.9", "0.95"},
};

static void put_ramp(const char *name, double base, double step)
{
    FILE *f = fopen(scratch_file(&dir, name), "w");
    if (!f) abort();
    fputs(
        "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -9999\n",
        f);
    for (int i = 0; i < 48; i++)
        fprintf(f, "%.17g%c", i == 47 ? -9999 : base + step * (double)i, i % 8 == 7 ? '\n' : ' ');
    if (fclose(f)) abort();
}

static void put_polygon(const char *name, int east)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
             "\"EPSG:32633\"}},\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"A\"},"
             "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[500001,4000001],[%d,4000001],"
             "[%d,4000051],[500001,4000051],[500001,4000001]]]}}]}",
             east, east);
    put_text(&dir, name, text);
}

/* Two past vents. */
static void put_past(const char *name, int east)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
             "\"EPSG:32633\"}},\"features\":[{\"type\":\"Feature\",\"properties\":{\"age\":10},"
             "\"geometry\":{\"type\":\"Point\",\"coordinates\":[500012,4000033]}},"
             "{\"type\":\"Feature\",\"properties\":{\"age\":90},"
             "\"geometry\":{\"type\":\"Point\",\"coordinates\":[%d,4000025]}}]}",
             east);
    put_text(&dir, name, text);
}

/* The case of write_case() after some steps. */
static void put_state(const char *name, int64_t steps)
{
    struct restart r = {.name = "case", .variant = "reference", .version = "0"};
    struct member_computed x;
    struct sim_case c;
    struct error e = {0};
    must(case_load(&c, scratch_file(&dir, "case.cfg"), &e), &e);
    c.max_steps = steps;
    must(member_compute(&c, &x, NULL, NULL, &e), &e);
    must(restart_write(scratch_file(&dir, name), &r, &c, &x.f, &e), &e);
    member_computed_free(&x);
    case_free(&c);
}

static void write_files(void)
{
    write_plan(&dir);
    put_ramp("ridge.asc", 1100, -3);
    put_ramp("one.asc", 1, 0);
    put_ramp("two.asc", 2, 0);
    put_ramp("ramp.asc", 1, 1);
    put_ramp("warm.asc", 1200, 0);
    put_ramp("hot.asc", 1250, 0);
    put_polygon("inside.json", 500021);
    put_polygon("outside.json", 500041);
    put_polygon("hut.json", 500021);
    put_polygon("barn.json", 500041);
    put_polygon("narrow.json", 500011);
    put_past("past.json", 500034);
    put_past("older.json", 500044);
    put_text(&dir, "past.csv",
             "date,volume_m3,duration_h\n1910,500,1\n1940,600,2\n1960,900,\n1980,1200,3\n");
    put_text(&dir, "larger.csv",
             "date,volume_m3,duration_h\n1910,500,1\n1940,700,2\n1960,900,\n1980,1200,3\n");
    put_text(&dir, "moved.csv", "vent,row,col\n1,3,3\n");
    put_text(&dir, "more.csv", "vent,from_s,to_s,rate_m3_s\n1,0,1200,2.7\n");
    put_text(&dir, "power.csv", "time_s,radiant_power_W\n0,5e8\n1200,6e8\n");
    put_text(&dir, "two.csv", "vent,row,col\n1,2,3\n2,3,4\n");
    put_text(&dir, "total.csv", "vent,from_s,to_s,rate_m3_s\n*,0,1200,2.7\n");
    put_text(&dir, "wall.csv", "barrier,x,y,height_m\n1,500011,4000011,5\n1,500041,4000031,5\n");
    put_text(&dir, "higher.csv", "barrier,x,y,height_m\n1,500011,4000011,9\n1,500041,4000031,9\n");
    put_text(&dir, "table.csv", "weight,Prho\n1,2500\n2,2600\n");
    put_text(&dir, "table2.csv", "weight,Prho\n1,2500\n2,2700\n");
    put_text(&dir, "less.csv", "name,Pcool,rate_factor\nPcool,1,0.5\nrate_factor,0.5,1\n");
    put_text(&dir, "weights.csv", "vent,row,col,probability\n1,1,1,0.5\n2,2,4,0.5\n");
    put_text(&dir, "longer.csv",
             "class,weight,volume_m3,duration_h,shape\nlong,1,3000,5,constant\n");
    put_text(&dir, "shares.csv", "vent,from_s,to_s,share\n1,0,1200,1\n2,0,1200,2\n");
    put_text(&dir, "halves.csv", "vent,from_s,to_s,share\n1,0,1200,1\n2,0,1200,1\n");
    put_text(&dir, "summary.json", "{\"null\": {\"length_m\": 30, \"half_width_m\": 5}}");
    put_state("early.tif", 2);
    put_state("late.tif", 3);
}

static bool is_word_of(const char *list, const char *word, size_t length)
{
    for (; list && *list; list += strcspn(list, " "), list += strspn(list, " "))
        if (strcspn(list, " ") == length && !strncmp(list, word, length)) return true;
    return false;
}

/* Case, plan or plan of a calibration, without the lines that stand in the way of a trial, and with its own. */
static const char *write_trial(const struct schema *s, const struct trial *t, const char *value)
{
    const char *at = s == &case_schema   ? TRIAL_CASE
                     : s == &plan_schema ? TRIAL_CASE "members 5\nvary_Pcool uniform 2 4\n"
                                         : TRIAL_CASE "fit_Pcool 1 5\n";
    char text[2048] = "";
    for (size_t length; *at; at += length) {
        const size_t word = strcspn(at, " ");
        length = strcspn(at, "\n") + 1;
        if (!is_word_of(t->key, at, word) && !is_word_of(t->without, at, word))
            strncat(text, at, length);
    }
    if (t->with) strcat(text, t->with);
    if (value) snprintf(text + strlen(text), 512, "%s %s\n", t->key, value);
    put_text(&dir, "trial.cfg", text);
    return scratch_file(&dir, "trial.cfg");
}

/* Where a row lacks a trial, a parameter of the model and another value. */
static struct trial trial_of(const struct key *k, char *other, size_t size)
{
    const bool prefix = k->name[strlen(k->name) - 1] == '_';
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (prefix ? !strncmp(trials[i][0], k->name, strlen(k->name))
                   : !strcmp(trials[i][0], k->name))
            return (struct trial){trials[i][0], trials[i][1], trials[i][2], trials[i][3],
                                  trials[i][4]};
    if (k->part != PART_PARAMETERS) fail_msg("%s: needs two values in trials[] here", k->name);
    snprintf(other, size, "%g", 0.98 * atof(k->usual));
    return (struct trial){.key = k->name, .a = k->usual, .b = other};
}

static struct identity identity_of_trial(const struct trial *t, const char *value)
{
    struct sim_case c;
    struct identity id;
    struct error e = {0};
    must(case_load(&c, write_trial(&case_schema, t, value), &e), &e);
    must(identity_of(&id, &c, problem_domain(&c.problem), &e), &e);
    case_free(&c);
    return id;
}

static uint64_t digest_of_trial(const struct schema *s, const struct trial *t, const char *value)
{
    static struct calibration_keys keys;
    const struct plan_more more = calibration_keys_default(&keys);
    struct plan *p = NULL;
    struct error e = {0};
    must(plan_read(&p, write_trial(s == &case_schema ? &plan_schema : s, t, value),
                   s == &calibration_schema ? &more : NULL, NULL, &e),
         &e);
    const uint64_t digest = p->digest;
    plan_free(p);
    return digest;
}

static void copy_file(const char *from, const char *to)
{
    char data[1 << 16];
    FILE *f = fopen(scratch_file(&dir, from), "rb");
    if (!f) abort();
    put_bytes(scratch_file(&dir, to), data, fread(data, 1, sizeof data, f));
    fclose(f);
}

/* The part of a case that the row names differs, and no part where it names none; the digest of a plan differs
 * unless the row says that it does not count, and never by the name of a file. */
static void check_decides(const struct schema *s, const struct key *k)
{
    char other[32], copy[32];
    const struct trial t = trial_of(k, other, sizeof other);
    if (s == &case_schema) {
        const struct identity a = identity_of_trial(&t, t.a), b = identity_of_trial(&t, t.b);
        const unsigned parts = identity_parts(&a, &b);
        const unsigned wanted = k->part == PART_NOTHING ? 0 : 1u << k->part;
        if (wanted ? !(parts & wanted) : parts) fail_msg("%s: other parts: %x", k->name, parts);
        assert_int_equal(identity_digest(&a) != identity_digest(&b), parts != 0);
    }
    const uint64_t a = digest_of_trial(s, &t, t.a), b = digest_of_trial(s, &t, t.b);
    if ((a != b) != (k->counts != COUNTS_NOT)) fail_msg("%s: as what it counts in a plan", k->name);
    if (k->type != KEY_FILE || k->counts == COUNTS_NOT) return;
    snprintf(copy, sizeof copy, "copy%s", strchr(t.a, '.'));
    copy_file(t.a, copy);
    if (digest_of_trial(s, &t, copy) != a) fail_msg("%s: the name of a file counts", k->name);
}

static void test_decides(void **state)
{
    write_files();
    each_key(check_decides);
}

/* A line is read with the value that it was written with, and a comment is none. */
static void values_are_written_as_read(void **state)
{
    static const char *const values[] = {"Etna",     "a # b",         "#1",         "\"a\" b",
                                         "a \"b\"",  "\"all\"",       "12 \" deep", "it's",
                                         "'quoted'", "x 'a b' \"c\"", "a#b"};
    char *text = NULL;
    size_t size;
    struct keyvalues k;
    struct error e = {0};
    const int count = sizeof values / sizeof *values;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    for (int i = 0; i < count; i++) keyvalue_put(f, 8, "title", values[i]);
    fclose(f);
    if (keyvalues_of_text(&k, "case", text, &e)) fail_msg("%s", e.text);
    assert_int_equal(k.count, count);
    for (int i = 0; i < count; i++) assert_string_equal(k.item[i].value, values[i]);
    keyvalues_free(&k);
    free(text);
}

int main(void)
{
    scratch_create(&dir);
    write_plan(&dir);
    const int failed =
        UNIT_RUN(values_are_written_as_read, test_rows, test_lines, test_hints, test_decides);
    scratch_remove(&dir);
    return failed;
}
