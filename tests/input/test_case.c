/* Case files: what is read, and that everything that cannot be computed is refused in one line that
 * names file and line. */
/* tests: input/case */
/* run: plain, sanitized, quick */
#include "model/lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "case_checks.h"
#include "folder.h"
#include "text/textfile.h"
#include "unit.h"

/* ---- what is read ---------------------------------------------------------------------------- */

static void test_small_case(void **state)
{
    struct sim_case c;
    load(&c, write_case(&dir));
    const struct problem *p = &c.problem;
    assert_string_equal(c.name, "case");
    assert_string_equal(c.title, "case");
    assert_false(c.original);
    assert_int_equal(p->rows, 6);
    assert_int_equal(p->cols, 8);
    assert_int_equal(p->window.rows, 6);
    assert_int_equal(p->window.cols, 8);
    assert_true(p->params.cell_m == 10 && p->params.clock_s == 120 && p->params.temp_sol_K == 1143);
    assert_true(p->params.stefan_W_m2K4 == 5.68e-8 && p->params.heat_J_kgK == 1150);
    assert_true(p->elevation_m[2 * 8 + 3] == lattice_round(983.1));
    assert_true(p->elevation_m[2 * 8 + 3] != 983.1); /* the rounding shows */
    assert_true(isnan(p->elevation_m[47]));
    assert_null(p->thickness_m);
    assert_null(p->temp_K);
    assert_int_equal(p->reduce_every, 100);
    assert_int_equal(c.max_steps, 0);
    assert_false(p->stop_when_still);
    assert_int_equal(p->vent_count, 1);
    assert_int_equal(p->vents[0].row, 2);
    assert_int_equal(p->vents[0].col, 3);
    assert_int_equal(p->vents[0].id, 1);
    assert_int_equal(p->vents[0].interval_count, 2);
    assert_int_equal(p->vents[0].first_step[0], 1);
    assert_int_equal(p->vents[0].first_step[1], 11);
    assert_true(p->vents[0].amount_m[0] == lattice_round(2.5 / 100 * 120));
    assert_true(p->vents[0].amount_m[1] == 0);
    assert_int_equal(p->last_vent_step, 10);
    assert_int_equal(c.emission, EMISSION_INTEGRAL);
    assert_true(case_asked_m3(&c, 1, INT64_MAX) == 3000);
    assert_true(case_emitted_m3(&c, 1, INT64_MAX) == 3000);
    assert_true(case_asked_m3(&c, 4, 5) == 600 && case_emitted_m3(&c, 4, 5) == 600);
    assert_string_equal(c.told.warning, "");
    assert_string_equal(c.told.notice,
                        "vent 1 emits up to 3 m of lava in a step into the cell at row 2, column "
                        "3; to stay below 2 m, give vent_radius_m 20, spread the vent over at "
                        "least 2 cells, or give a "
                        "Pclock of at most 79.9 s");
    case_free(&c);
}

/* A vent as wide as it needs to be: the same volume to the last quantum, and no warning. */
static void test_vent_radius(void **state)
{
    static const struct {
        const char *keys;
        int cells;
    } rows[] = {{"", 1},
                {"vent_radius_m 5\n", 1},
                {"vent_radius_m 20\n", 5},
                {"vent_radius_m 1000\nPclock 600\n", 9},
                {"vent_radius_m 1000\nPclock 60\n", 1}};
    for (int i = 0; i < 5; i++) {
        struct sim_case c;
        char text[1024], *clock;
        snprintf(text, sizeof text, "%s", CASE_TEXT);
        if (strstr(rows[i].keys, "Pclock") && (clock = strstr(text, "Pclock")))
            memset(clock, '#', strlen("Pclock 120"));
        strcat(text, rows[i].keys);
        write_case(&dir);
        put_text(&dir, "case.cfg", text);
        load(&c, scratch_file(&dir, "case.cfg"));
        assert_int_equal(c.problem.vent_count, rows[i].cells);
        int own = 0; /* of a point */
        for (int k = 0; k < rows[i].cells; k++) own += !c.vent_spread[k];
        assert_int_equal(own, 1);
        assert_true(case_emitted_m3(&c, 1, INT64_MAX) == 3000);
        assert_true((c.told.count == 0) == (c.problem.vents[0].amount_m[0] < 2));
        case_free(&c);
    }
}

/* Either rule; by that of the published program, the rate at the end of a step. */
static void test_emission_rules(void **state)
{
    struct sim_case c;
    write_case(&dir);
    put_text(&dir, "case.cfg", CASE_TEXT "emission published\n");
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_int_equal(c.emission, EMISSION_PUBLISHED);
    assert_int_equal(c.problem.last_vent_step, 9);
    assert_true(case_asked_m3(&c, 1, INT64_MAX) == 3000);
    assert_true(case_emitted_m3(&c, 1, INT64_MAX) == 2700);
    assert_non_null(
        strstr(c.told.notice, "sum up to 3000 m3 of lava, but the steps emit 2700 (−10 %"));
    assert_string_equal(c.told.warning, ""); /* who repeats what was published knows */
    case_free(&c);
    put_text(&dir, "case.cfg", CASE_TEXT "emission integral\n");
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_int_equal(c.emission, EMISSION_INTEGRAL);
    case_free(&c);
    /* with the published arithmetic, as that program does */
    assert_int_equal(case_load_watched(&c, scratch_file(&dir, "case.cfg"), false, NULL, NULL), 0);
    assert_true(case_emitted_m3(&c, 1, INT64_MAX) == 9 * (2.5 / 100 * 120) * 100);
    case_free(&c);
    /* a note is given from 2 m on, and not where a vent has the cells that it asks for */
    put_text(&dir, "case.cfg", CASE_TEXT);
    put_text(&dir, "rates.csv", "vent,from_s,to_s,rate_m3_s\n1,0,1200,1.66\n");
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_int_equal(c.told.count, 0);
    case_free(&c);
    put_text(&dir, "rates.csv", CASE_RATES);
    put_text(&dir, "vents.csv", "vent,row,col\n1,2,3\n1,2,4\n");
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_int_equal(c.told.count, 0);
    case_free(&c);
}

static void test_every_key(void **state)
{
    struct sim_case c;
    write_case(&dir);
    put_text(&dir, "outline.json",
             "{\"type\":\"Polygon\",\"coordinates\":[[[500000,4000000],[500040,4000000],"
             "[500000,4000040],[500000,4000000]]]}");
    put_grid(&dir, "thick.asc", 2);
    put_grid(&dir, "temp.asc", 1200);
    put_grid(&dir, "solid.asc", 0.1);
    put_text(&dir, "all.cfg",
             "\xef\xbb\xbf# everything\r\n" CASE_TEXT "\n"
             "title  \"Etna # 2\"  # comment\r\n"
             "crs EPSG:32633\noutline outline.json\nthickness thick.asc\ntemperature temp.asc\n"
             "solidified solid.asc\nsnapshot_every_steps 50\nreduce_every_steps 7\nmax_steps 1000\n"
             "stop_when_mobile_below_m 0.5\nstart_time 2001-07-18 03:04Z\nfirst_step 20\n"
             "terrain_source SYNTHETIC TERRAIN made by hand # for this test\nalgorithm MIN\n"
             "visual_threshold_m 0.25\ninitial_temperature_K 1300\nmap_scale 0.5 12\n"
             "map_extent domain\nmap_note Exercise\n");
    load(&c, scratch_file(&dir, "all.cfg"));
    static const char *const inputs[] = {"all.cfg",  "dem.asc",   "outline.json", "thick.asc",
                                         "temp.asc", "solid.asc", "vents.csv",    "rates.csv"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct stat file;
        int found = 0;
        assert_int_equal(stat(scratch_file(&dir, inputs[i]), &file), 0);
        for (int k = 0; k < c.input_count; k++) found += c.input[k].inode == file.st_ino;
        if (found != 1) fail_msg("%s is %d inputs", inputs[i], found);
    }
    assert_int_equal(c.input_count, sizeof inputs / sizeof *inputs);
    assert_string_equal(c.vents_path, scratch_file(&dir, "vents.csv"));
    assert_true(c.words.max_steps == 1000 && c.words.snapshot_every == 50 &&
                c.words.stop_mobile_m == 0.5);
    assert_true(c.display.scale_m[0] == 0.5 && c.display.scale_m[1] == 12 && c.display.domain);
    assert_string_equal(c.display.note, "Exercise");
    assert_string_equal(c.title, "Etna # 2");
    assert_string_equal(c.terrain_source, "SYNTHETIC TERRAIN made by hand");
    assert_true(c.synthetic);
    assert_int_equal(c.geo.crs.epsg, 32633);
    assert_string_equal(c.geo.crs.name, "WGS 84 / UTM zone 33N");
    assert_string_equal(c.start_time, "2001-07-18T03:04:00Z");
    assert_string_equal(c.outline_path, scratch_file(&dir, "outline.json"));
    assert_int_equal(c.snapshot_every, 50);
    assert_int_equal(c.max_steps, 1000);
    assert_true(c.display.visual_threshold_m == 0.25);
    assert_int_equal(c.problem.reduce_every, 7);
    assert_int_equal(c.problem.first_step, 20);
    assert_true(c.problem.stop_when_still && c.problem.stop_mobile_m == 0.5);
    assert_true(c.problem.thickness_m[0] == 2 && c.problem.temp_K[0] == 1200);
    assert_true(c.problem.solid_m[0] == lattice_round(0.1));
    assert_true(c.problem.thickness_m[47] == 0 && c.problem.temp_K[47] == 0); /* no data, no lava */
    case_free(&c);
}

static void test_initial_lava_without_vents(void **state)
{
    struct sim_case c;
    write_case(&dir);
    put_grid(&dir, "thick.asc", 2);
    put_text(&dir, "lava.cfg", CASE_PARAMETERS "dem dem.asc\nthickness thick.asc\n");
    load(&c, scratch_file(&dir, "lava.cfg"));
    assert_int_equal(c.problem.vent_count, 0);
    assert_int_equal(c.problem.last_vent_step, 0);
    assert_true(c.problem.temp_K[0] == 1360); /* as hot as at the vent */
    case_free(&c);
}

/* ---- what is refused ------------------------------------------------------------------------- */

#define KEY(line)                                                                                  \
    {                                                                                              \
        "case.cfg", CASE_TEXT line "\n", "case.cfg:16: ", ""                                       \
    }

static const struct bad bad_cases[] = {
    /* keys and values */
    KEY("Pclok 120"),
    KEY("PCLOCK 120"),
    KEY("Pclock 120"),
    KEY("title"),
    KEY("title \"open"),
    KEY("title \"a\" b"),
    KEY("title \xff\xfe"),
    KEY("max_steps 12x"),
    KEY("max_steps 1.5"),
    KEY("max_steps -1"),
    KEY("max_steps 99999999999999999999"),
    KEY("reduce_every_steps 0"),
    KEY("snapshot_every_steps ten"),
    KEY("stop_when_mobile_below_m -1"),
    KEY("stop_when_mobile_below_m nan"),
    KEY("stop_when_mobile_below_m inf"),
    KEY("stop_when_mobile_below_m 1e999"),
    KEY("stop_when_mobile_below_m 0x10"),
    KEY("visual_threshold_m 1,5"),
    KEY("initial_temperature_K 1000"),
    KEY("initial_temperature_K 1400"),
    KEY("algorithm MAX"),
    KEY("start_time yesterday"),
    KEY("start_time 2001-02-30"),
    KEY("start_time 2001-07-18T25:00"),
    KEY("start_time 2001-07-18T12:00+2"),
    KEY("start_time 12h"),
    KEY("crs 32633"),
    KEY("crs EPSG:4326"),
    KEY("crs EPSG:32x"),
    KEY("crs EPSG:2229"), /* California in feet */
    KEY("temperature dem.asc"),
    KEY("outline nowhere.json"),
    KEY("emission sampled"),
    KEY("emission Published"),
    {"case.cfg", CASE_TEXT "max_steps 5\nmaximum_steps_(0_for_loop) 6\n",
     "case.cfg:17: ", "line 16"},
    {"case.cfg", CASE_TEXT "title \x01\n", "case.cfg:16: ", "control"},
    {"case.cfg", "", "case.cfg: ", "parameters etna-2006"},
    {"case.cfg", "dem dem.asc\n", "case.cfg: ", "parameters etna-2006"},
    {"case.cfg", CASE_PARAMETERS "vents vents.csv\nrates rates.csv\n",
     "case.cfg: ", "dem terrain.tif"},
    {"case.cfg", CASE_PARAMETERS "dem dem.asc\n", "case.cfg: ", "vents"},
    {"case.cfg", CASE_PARAMETERS "dem dem.asc\nvents vents.csv\n", "case.cfg:14: ", "rates"},
    {"case.cfg", CASE_PARAMETERS "dem dem.asc\nrates rates.csv\n", "case.cfg:14: ", "vents"},
    {"case.cfg", CASE_PARAMETERS "dem no.asc\nrates rates.csv\nvents vents.csv\n",
     "case.cfg:13: ", "no.asc"},
    {"case.cfg", CASE_PARAMETERS "dem .\nrates rates.csv\nvents vents.csv\n", ": ", "file"},
    {"case.cfg", CASE_TEXT "thickness no.asc\n", "case.cfg:16: ", "no.asc"},
    /* the terrain */
    {"dem.asc", "", "dem.asc: ", ""},
    {"dem.asc", "PK\x03\x04", "dem.asc", ""},
    {"dem.asc", HEAD8 "1 2 3\n", "dem.asc", ""},
    {"dem.asc", HEAD8 "1 2 3 x\n", "dem.asc", ""},
    {"dem.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4\n", "dem.asc",
     "3 x 3"},
    {"dem.asc",
     "ncols 3\nnrows 3\nxllcorner 14.9\nyllcorner 37.7\ncellsize 0.0001\n1 2 3 4 5 6 7 8 9\n",
     "dem.asc", "dem.asc --source-crs EPSG:4326 --crs EPSG:32633 --cell 9.9 --output "},
    {"dem.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4 5 6 7 8 20000\n",
     "dem.asc", "20000 m at row 2, column 2"},
    {"dem.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4 5 6 7 8 -5000\n",
     "dem.asc", "-5000 m at row 2, column 2"},
    {"dem.asc",
     "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value 0\n0 0 0 0 0 0 0 0 0\n",
     "dem.asc", "no cell has data"},
    {"dem.asc", "ncols 3\nnrows 3\nxllcorner 2e9\nyllcorner 0\ncellsize 10\n1 2 3 4 5 6 7 8 9\n",
     "dem.asc", "is at 2e+09, 0; give coordinates in metres from -1e+09 to 1e+09"},
    {"dem.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 9e8\ncellsize 1e-4\n1 2 3 4 5 6 7 8 9\n",
     "dem.asc", "is at 0, 9e+08; give coordinates"},
    {"dem.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2e5\n1 2 3 4 5 6 7 8 9\n",
     "dem.asc", "its cells are 200000 m wide; give a DEM with cells from 0.001 to 100000 m"},
    {"dem.asc", "ncols 60000\nnrows 60000\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n",
     "dem.asc", "60000"},
};

static void test_refusals(void **state)
{
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        struct scratch s;
        scratch_create(&s);
        const char *path = write_case(&s);
        put_text(&s, bad_cases[i].file, bad_cases[i].text);
        expect_refusal(&bad_cases[i], path);
        scratch_remove(&s);
    }
}

/* Every parameter of the model: missing, and out of its range. */
static void test_parameters(void **state)
{
    static const struct {
        const char *key, *value[4];
    } parameters[] = {
        {"Pclock", {"0", "-120", "nan", "1e300"}},    {"PTsol", {"0", "-1", "1360", "1400"}},
        {"PTvent", {"0", "1143", "1000", "5000"}},    {"Pr(Tsol)", {"0", "1.01", "-0.5", "inf"}},
        {"Pr(Tvent)", {"0", "1.0001", "-1", "0.9x"}}, {"Phc(Tsol)", {"0", "-40", "1e-300", "1e9"}},
        {"Phc(Tvent)", {"0", "-1", "x", "1e9"}},      {"Pcool", {"-1", "-0.001", "1e300", "2.8 m"}},
        {"Prho", {"0", "-2600", "1e-300", "1e30"}},   {"Pepsilon", {"-0.1", "1.1", "2", "0..9"}},
        {"Psigma", {"-1", "2", "5,68e-8", "e"}},      {"Pcv", {"0", "-1150", "1e-9", "1e30"}},
    };
    char text[1024], line[64], where[32];
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct scratch s;
        scratch_create(&s);
        const char *path = write_case(&s), *key = parameters[i].key;
        snprintf(line, sizeof line, "\n%s ", key);
        const char *at = strstr(CASE_TEXT, line) + 1, *after = strchr(at, '\n') + 1;
        snprintf(text, sizeof text, "%.*s%s", (int)(at - CASE_TEXT), CASE_TEXT, after);
        put_text(&s, "case.cfg", text);
        expect_refusal(&(struct bad){"case.cfg", text, "case.cfg: key ", key}, path);
        for (int k = 0; k < 4; k++) {
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - CASE_TEXT), CASE_TEXT, "#\n", after);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s\n", key,
                     parameters[i].value[k]);
            put_text(&s, "case.cfg", text);
            snprintf(where, sizeof where, "case.cfg:");
            expect_refusal(&(struct bad){"case.cfg", text, where, key}, path);
        }
        scratch_remove(&s);
    }
}

/* Initial rasters with one number in every cell. */
static void test_initial_lava(void **state)
{
    static const struct {
        double thick, temp, solid;
        const char *where;
    } bad[] = {{-1, 1200, 0, "thick.asc: "},
               {4001, 1200, 0, "thick.asc: "},
               {2, 0, 0, "temp.asc: "},
               {2, -5, 0, "temp.asc: "},
               {2, 1142.9, 0, "temp.asc: "},
               {2, 1360.1, 0, "temp.asc: "},
               {0, -5, 0, "temp.asc: "},
               {0, 2001, 0, "temp.asc: "},
               {2, 1200, -0.5, "solid.asc: "},
               {2, 1200, 5000, "solid.asc: "},
               {2000.5, 1200, 2000, "case.cfg: 4000.5 m"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct scratch s;
        scratch_create(&s);
        const char *path = write_case(&s);
        put_grid(&s, "thick.asc", bad[i].thick);
        put_grid(&s, "temp.asc", bad[i].temp);
        put_grid(&s, "solid.asc", bad[i].solid);
        put_text(&s, "case.cfg",
                 CASE_TEXT "thickness thick.asc\ntemperature temp.asc\nsolidified solid.asc\n");
        expect_refusal(&(struct bad){"rasters", "", bad[i].where, "row 0, column 0"}, path);
        scratch_remove(&s);
    }
}

static void test_rasters_that_do_not_match(void **state)
{
    static const char *const headers[] = {
        ("ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n1 1 1 1 1 1 1 1 1 1 "
         "1 "
         "1\n"),
        "ncols 8\nnrows 6\nxllcorner 500010\nyllcorner 4000000\ncellsize 10\n",
        "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n"};
    for (int i = 0; i < 3; i++) {
        struct scratch s;
        char text[512];
        scratch_create(&s);
        const char *path = write_case(&s);
        snprintf(text, sizeof text, "%s", headers[i]);
        for (int n = 0; i > 0 && n < 48; n++) strcat(text, "0 ");
        put_text(&s, "thick.asc", text);
        put_text(&s, "case.cfg", CASE_TEXT "thickness thick.asc\n");
        expect_refusal(&(struct bad){"thick.asc", text, "thick.asc: ", "dem.asc"}, path);
        scratch_remove(&s);
    }
}

/* The ground at `low` m left of a line through the DEM, behind a rise of `step`, and at `high` to
 * its right; *warning is of the case. */
static void load_coast(struct scratch *s, double low, double step, double high, int cell_m,
                       const char *more, char warning[sizeof((struct sim_case *)0)->told.warning])
{
    struct sim_case c;
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize %d\n"
                     "NODATA_value -9999\n",
                     cell_m);
    for (int i = 0; i < 48; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%g ",
                      i == 47               ? -9999
                      : i % 8 < 2 + i / 24  ? low
                      : i % 8 == 2 + i / 24 ? low + step
                                            : high);
    put_text(s, "dem.asc", text);
    snprintf(text, sizeof text, "%s%s", CASE_TEXT, more);
    put_text(s, "case.cfg", text);
    put_text(s, "vents.csv", "vent,row,col\n1,2,5\n");
    put_text(s, "rates.csv", "vent,from_s,to_s,rate_m3_s\n1,0,1200,0.5\n");
    load(&c, scratch_file(s, "case.cfg"));
    memcpy(warning, c.told.warning, sizeof c.told.warning);
    case_free(&c);
}

/* Land at 0 m is a coast, or where a program found no source. */
static void test_zeros_for_no_data(void **state)
{
    char warning[sizeof((struct sim_case *)0)->told.warning];
    load_coast(&dir, 0, 1500, 1500, 10, "", warning);
    assert_non_null(strstr(warning,
                           "dem.asc: 15 cells are at 0 m, below cliffs of more than 100 m; "
                           "if its source does not cover them, declare 0 as no data: "
                           "sciara dem "));
    assert_non_null(strstr(warning, " --nodata=0 --output "));
    load_coast(&dir, 0, 20, 1500, 10, "", warning);
    assert_string_equal(warning, "");
    load_coast(&dir, 5, 1500, 1500, 10, "", warning);
    assert_string_equal(warning, "");
    load_coast(&dir, 0, 150, 400, 500, "", warning); /* steps are higher where cells are large */
    assert_null(strstr(warning, "cliffs"));
    /* no sea ends so, and no survey of a part */
    load_coast(&dir, 0, 1500, 1500, 10, "sea_level 0\n", warning);
    assert_non_null(strstr(warning, "dem.asc: 15 cells are at 0 m"));
    load_coast(&dir, 0, 20, 1500, 10, "sea_level 0\n", warning);
    assert_string_equal(warning, "");
    load_coast(&dir, 0, 1500, 1500, 10, "", warning);
    rename(scratch_file(&dir, "dem.asc"), scratch_file(&dir, "survey.asc"));
    load_coast(&dir, 5, 1500, 1500, 10, "terrain_update 60s survey.asc without_lava\n", warning);
    assert_non_null(strstr(warning, "survey.asc: 15 cells are at 0 m, below cliffs"));
}

/* Heights that are hardly the ground: terraces of whole metres, and a spike in one cell. */
static void test_doubtful_terrains(void **state)
{
    static const struct {
        double relief_m, fraction_m, spike_m;
        const char *warning; /* NULL: none */
    } cases[] = {
        {200, 0, 0, "dem.asc: has whole metres only"},
        {200, 0.25, 0, NULL},
        {8, 0, 0, NULL},
        {200, 0.25, 5000,
         "dem.asc: 1 cell is more than 1000 m above or below the neighbours, the "
         "first at row 50, column 40 ("},
        {200, 0.25, 700, NULL},
    };
    const char *path = write_case(&dir);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sim_case c;
        FILE *f = fopen(scratch_file(&dir, "dem.asc"), "w");
        assert_non_null(f);
        fputs("ncols 100\nnrows 100\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", f);
        for (int i = 0; i < 10000; i++)
            fprintf(f, "%.2f ",
                    (int)(cases[k].relief_m * (i % 100) / 99) + cases[k].fraction_m +
                        (i == 5040 ? cases[k].spike_m : 0));
        fclose(f);
        load(&c, path);
        if (cases[k].warning && !strstr(c.told.warning, cases[k].warning))
            fail_msg("%zu: %s", k, c.told.warning);
        if (!cases[k].warning) assert_null(strstr(c.told.warning, "dem.asc"));
        case_free(&c);
    }
}

/* A grid whose last row has the value, as text or as the nearest number of single precision. */
static void put_level(struct scratch *s, const char *name, double value, bool single, double others)
{
    char text[2048];
    int n = snprintf(text, sizeof text,
                     "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n");
    for (int i = 0; i < 48; i++)
        n += single && i >= 40
                 ? snprintf(text + n, sizeof text - (size_t)n, "%.17g ", (float)value)
                 : snprintf(text + n, sizeof text - (size_t)n, "%.2f ", i >= 40 ? value : others);
    put_text(s, name, text);
}

/* A level finds water at that level, a threshold lava of that thickness, whichever number near it
 * the file, its precision and the lattice make of them: and none a centimetre beside it. */
static void test_limits_include_their_value(void **state)
{
    static const int hundredths[] = {30, 110, 10074, -30, 70, 120, 250, 0, 320000};
    const char *path = write_case(&dir);
    unsigned random = 1;
    for (int k = 0; k < 200; k++) {
        random = 1664525 * random + 1013904223;
        const double level = (k < 9 ? hundredths[k] : (int)(random >> 8) % 400000) / 100.0;
        char text[1024];
        struct sim_case c;
        snprintf(text, sizeof text, CASE_TEXT "sea_level %.2f\n", level);
        put_text(&dir, "case.cfg", text);
        put_level(&dir, "dem.asc", level, k % 2, level + 0.01);
        load(&c, path);
        if (c.sea_cells != 8 || !c.sea[40]) fail_msg("%zu cells at %.2f m", c.sea_cells, level);
        case_free(&c);
        if (level <= 0 || level >= 4000) continue;
        snprintf(text, sizeof text, CASE_TEXT "thickness thick.asc\nvisual_threshold_m %.2f\n",
                 level);
        put_text(&dir, "case.cfg", text);
        put_level(&dir, "thick.asc", level, k % 2, level - 0.01);
        load(&c, path);
        if (!case_shows(&c, c.thickness_m[40])) fail_msg("lava of %.2f m is not drawn", level);
        assert_false(case_shows(&c, c.thickness_m[0]));
        case_free(&c);
    }
}

/* Rasters in another shape: a GeoTIFF that gdal_translate or gdalwarp makes of the grid. */
static void test_geotiff(void **state)
{
    static const struct {
        const char *command, *key, *where, *what;
    } run[] = {
        {"gdal_translate -q -a_srs EPSG:32633", "", NULL, NULL},
        {"gdal_translate -q -a_srs EPSG:32633", "crs EPSG:32633\n", NULL, NULL},
        {"gdal_translate -q -a_srs EPSG:32633", "crs EPSG:32632\n", "case.cfg:16: ", "32633"},
        {"gdal_translate -q -a_srs EPSG:4326 -a_ullr 14.9 37.8 14.98 37.74", "",
         "dem.asc: ", "dem.asc --crs EPSG:32633 --cell "},
        {"gdal_translate -q -a_srs EPSG:2229", "", "dem.asc: ", "--heights UNIT --crs EPSG:"},
        {"gdal_translate -q -a_srs EPSG:32633 -tr 10 20", "", "dem.asc: ", "square"},
    };
    if (system("gdal_translate --version >/dev/null 2>&1") != 0) skip();
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        struct scratch s;
        char command[512];
        scratch_create(&s);
        const char *path = write_case(&s);
        snprintf(command, sizeof command, "%s -of GTiff %s %s >/dev/null 2>&1", run[i].command,
                 scratch_file(&s, "dem.asc"), scratch_file(&s, "dem.tif"));
        assert_int_equal(system(command), 0);
        assert_int_equal(rename(scratch_file(&s, "dem.tif"), scratch_file(&s, "dem.asc")), 0);
        snprintf(command, sizeof command, "%s%s", CASE_TEXT, run[i].key);
        put_text(&s, "case.cfg", command);
        if (run[i].where) {
            expect_refusal(&(struct bad){"dem.asc", run[i].command, run[i].where, run[i].what},
                           path);
        } else {
            struct sim_case c;
            load(&c, path);
            assert_int_equal(c.geo.crs.epsg, 32633);
            case_free(&c);
        }
        scratch_remove(&s);
    }
}

/* A grid that could be read, but whose simulation would not fit into what this process may use. */
static void test_too_large_for_memory(void **state)
{
    enum { SIDE = 2000 };
    struct rlimit old, tight;
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld", &pages) != 1) pages = 0;
    if (f) fclose(f);
    double bytes = (double)pages * (double)sysconf(_SC_PAGESIZE);
    if (pages == 0 || bytes > 250e6) { /* AddressSanitizer reserves terabytes */
        print_message("the memory of this process is not known or too large: skipped\n");
        skip();
    }
    const char *path = write_case(&dir);
    f = fopen(scratch_file(&dir, "dem.asc"), "wb");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 10\n", SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) fputs("1 ", f);
    fclose(f);
    getrlimit(RLIMIT_AS, &old);
    tight = (struct rlimit){(rlim_t)bytes + (32 << 20), old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    expect_refusal(&(struct bad){"dem.asc", "(4 million cells)",
                                 "dem.asc: ", "no memory for 2000 x 2000 cells"},
                   path);
    setrlimit(RLIMIT_AS, &old);
}

static void test_no_such_case(void **state)
{
    expect_refusal(&(struct bad){"", "", "build/no-such.cfg: ", "No such file"},
                   "build/no-such.cfg");
    expect_refusal(&(struct bad){"", "", "build: ", "not a regular file"}, "build");
    expect_refusal(&(struct bad){"", "", "/dev/zero: ", "not a regular file"}, "/dev/zero");
}

/* The name of a case is that of its file, of at most 63 characters that can be printed. */
static void names_of_cases(void **state)
{
    static const char *const good[][2] = {
        {"a.cfg", "a"}, {"plan", "plan"}, {"x.cfg.cfg", "x.cfg"}, {"b.txt", "b.txt"}};
    struct sim_case c;
    char file[70] = "", name[70];
    write_case(&dir);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        put_text(&dir, good[i][0], CASE_TEXT);
        load(&c, scratch_file(&dir, good[i][0]));
        assert_string_equal(c.name, good[i][1]);
        assert_string_equal(c.title, good[i][1]);
        case_free(&c);
    }
    for (int length = 63; length < 65; length++) {
        memset(name, 'n', sizeof name);
        sprintf(file, "%.*s.cfg", length, name);
        put_text(&dir, file, CASE_TEXT);
        if (length > 63)
            expect_refusal(&(struct bad){file, "", file, "has 1 to 63 characters; rename the file"},
                           scratch_file(&dir, file));
        else {
            load(&c, scratch_file(&dir, file));
            assert_int_equal(strlen(c.name), length);
            case_free(&c);
        }
    }
    put_text(&dir, "a\tb.cfg", CASE_TEXT);
    expect_refusal(&(struct bad){"a\\tb.cfg", "", ".cfg", "UTF-8 without control characters"},
                   scratch_file(&dir, "a\tb.cfg"));
}

/* Lava of more than 4,000 m, mobile and solidified, is named by its row and column. Lava that is there needs no rates. */
static void depth_of_lava(void **state)
{
    struct sim_case c;
    write_case(&dir);
    for (int n = 0; n < 2; n++) {
        FILE *f = fopen(scratch_file(&dir, n ? "solid.asc" : "thick.asc"), "w");
        assert_non_null(f);
        fputs(HEAD8, f);
        for (int i = 0; i < 48; i++)
            fprintf(f, "%g ", i == 2 * 8 + 5 ? 2000 + 0.5 * n : i == 9 ? 2000.0 : 0);
        assert_int_equal(fclose(f), 0);
    }
    put_text(&dir, "rates.csv", "vent,from_s,to_s,rate_m3_s\n1,0,1200,0\n");
    put_text(&dir, "case.cfg", CASE_TEXT "thickness thick.asc\nsolidified solid.asc\n");
    expect_refusal(&(struct bad){"solid.asc", "", "case.cfg: 4000.5 m",
                                 "at row 2, column 5; give at most 4000 m"},
                   scratch_file(&dir, "case.cfg"));
    put_text(&dir, "case.cfg", CASE_TEXT "thickness thick.asc\n");
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_null(strstr(c.told.warning, "no lava"));
    c.display.visual_threshold_m = 0;
    assert_true(case_shows(&c, 1e-9) && !case_shows(&c, 0));
    c.display.visual_threshold_m = 0.1;
    assert_true(case_shows(&c, 0.1) && !case_shows(&c, 0.09));
    case_free(&c);
    put_text(&dir, "case.cfg", CASE_TEXT);
    load(&c, scratch_file(&dir, "case.cfg"));
    assert_non_null(strstr(c.told.warning, "no lava: all rates are 0"));
    case_free(&c);
}

/* A file that a case names is gone because another case has taken the place of the one that was read first. */
static void test_replaced_meanwhile(void **state)
{
    const char *path = write_case(&dir);
    struct file_stamp was = {0};
    struct error e;
    assert_true(file_stamp_of(&was, path));
    assert_int_equal(file_stamp_check_head(&was, path, 0, &e), 0);
    assert_int_equal(file_stamp_check_head(&was, path, ERROR_FAILED, &e), ERROR_FAILED);
    FILE *f = fopen(path, "ab");
    assert_non_null(f);
    fputs("# another\n", f);
    fclose(f);
    assert_int_equal(file_stamp_check_head(&was, path, ERROR_FAILED, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "was replaced while it and its files were read"));
    remove(path);
    assert_int_equal(file_stamp_check_head(&was, path, 0, &e), ERROR_INPUT);
    assert_int_equal(file_stamp_check_head(&(struct file_stamp){0}, path, ERROR_FAILED, &e),
                     ERROR_FAILED);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_small_case, test_vent_radius,
                       test_emission_rules, test_every_key, test_initial_lava_without_vents,
                       test_refusals, test_parameters, test_initial_lava,
                       test_rasters_that_do_not_match, test_geotiff, test_too_large_for_memory,
                       test_no_such_case, test_zeros_for_no_data, test_doubtful_terrains,
                       test_limits_include_their_value, names_of_cases, depth_of_lava,
                       test_replaced_meanwhile);
}
