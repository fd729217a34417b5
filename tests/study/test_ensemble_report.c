/* What an ensemble leaves: layers against the statistics of each cell, their layout as Cloud
 * Optimized GeoTIFFs, tables, maps, and the verification against an outline. */
/* tests: study/ensemble */
#define _GNU_SOURCE /* memmem */
#include "ensemble/engine.h"
#include "ensemble/ensemble_study.h"
#include "ensemble/report.h"
#include "random/variables.h"
#include "ensemble_source.h"
#include "picture.h"
#include "raster/geotiff.h"
#include "raster/raster.h"
#include "record/roundnum.h"
#include "scratch.h"
#include "text/words.h"
#include "unit.h"

#include <cJSON.h>
#include <math.h>
#include <tiffio.h>

enum { FAR_ROW = 0, FAR_COL = 0 };

struct made {
    struct scratch scratch;
    struct test_plan plan;
    struct ensemble_source source;
    struct ensemble s;
    struct output_folder files;
    struct study_job job;
};

/* The south-eastern quarter was covered. */
static void write_outline(struct made *m, const char *path)
{
    double value[TEST_CELLS];
    for (int i = 0; i < TEST_CELLS; i++)
        value[i] = i / TEST_COLS > TEST_ROWS / 2 && i % TEST_COLS > TEST_COLS / 2;
    write_grid(path, TEST_ROWS, TEST_COLS, value);
    m->plan.base.outline_path = (char *)(size_t)path;
}

/* A point, a line, a cell that no member reaches, and one without terrain. */
static const char *const places =
    "{\"type\": \"FeatureCollection\", \"features\": ["
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"hut, \\\"upper\\\"\"}, \"geometry\":"
    " {\"type\": \"Point\", \"coordinates\": [1175, 2205]}},"
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"road\"}, \"geometry\":"
    " {\"type\": \"LineString\", \"coordinates\": [[1011, 2333], [1352, 2041]]}},"
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"far\"}, \"geometry\":"
    " {\"type\": \"Point\", \"coordinates\": [%d, %d]}},"
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"bare\"}, \"geometry\":"
    " {\"type\": \"Point\", \"coordinates\": [%d, %d]}}]}";

static void write_places(const struct made *m, const char *path)
{
    char text[2000];
    int bare = 5 * TEST_COLS;
    while (!isnan(m->plan.base.problem.elevation_m[bare])) bare++;
    snprintf(text, sizeof text, places, 1005 + 10 * FAR_COL, 1995 + 10 * (TEST_ROWS - FAR_ROW),
             1005 + 10 * (bare % TEST_COLS), 1995 + 10 * (TEST_ROWS - bare / TEST_COLS));
    write_text(path, text);
}
enum { AT_HUT, AT_ROAD, AT_FAR, AT_BARE, PLACES };

static void make(struct made *m, int64_t members, struct shard shard)
{
    struct error e = {0};
    enum engine_end end;
    memset(m, 0, sizeof *m);
    scratch_create(&m->scratch);
    test_plan_create(&m->plan, &m->source, members);
    m->plan.base.geo.west_m = 1000;
    m->plan.base.geo.south_m = 2000;
    write_outline(m, scratch_file(&m->scratch, "outline.asc"));
    m->source.request.arrival_steps = 14; /* some lava comes later */
    m->source.assets = scratch_file(&m->scratch, "places.json");
    write_places(m, m->source.assets);
    must(ensemble_create(&m->s, &m->source, shard, SIZE_MAX, &e), &e);
    must(engine_run(&m->s, &(struct engine_options){.threads = 2, .batch = 1}, &end, &e), &e);
    static const struct study nothing_to_add = {.name = "ensemble"};
    m->job.study = &nothing_to_add;
    m->job.c = &m->plan.base;
    m->job.info = (struct output_info){.directory = scratch_file(&m->scratch, "out"),
                                       .formats = OUTPUT_PNG,
                                       .version = "0",
                                       .folder = &m->files,
                                       .files = &report_files,
                                       .layers = "all"};
    must(output_folder_take(&m->files, &m->job.info, &m->plan.base, false, &e), &e);
    const struct report r = {
        .s = &m->s, .digest = ensemble_digest(&m->s), .job = &m->job, .end = "complete"};
    must(report_products(&r, &e), &e);
    must(output_end(&m->job.info, &m->plan.base, report_summary_text(&r), &e), &e);
}

static void unmake(struct made *m)
{
    output_folder_free(&m->files);
    ensemble_free(&m->s);
    test_plan_free(&m->plan);
    scratch_remove(&m->scratch);
}

static char *path_in(const struct made *m, const char *name)
{
    return text_format("%s/%s", m->job.info.directory, name);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void check_layer(struct made *m, const char *name,
                        double (*value)(const struct ensemble *, const uint64_t *))
{
    struct error e = {0};
    struct raster r;
    char *path = path_in(m, name);
    int cells = 0, varied = 0;
    must(raster_read(&r, path, 0, &e), &e);
    assert_true(r.rows == TEST_ROWS && r.cols == TEST_COLS && r.geo.west_m == 1000);
    assert_int_equal(r.geo.crs.epsg, 32633);
    for (size_t i = 0; i < TEST_CELLS; i++) {
        const uint64_t *c = statistics_at(&m->s.cells, i);
        if (!statistics_reached(&m->s.cells, c)) {
            assert_true(isnan(r.value[i]));
            continue;
        }
        const float wanted = (float)value(&m->s, c);
        assert_true((float)r.value[i] == wanted);
        varied += cells && (float)r.value[i] != (float)r.value[i - 1];
        cells++;
    }
    assert_true(cells > 300 && varied > 20);
    raster_free(&r);
    free(path);
}

static double came(const struct ensemble *s, const uint64_t *c)
{
    return statistics_probability(&s->cells, statistics_reached(&s->cells, c));
}

static double came_error(const struct ensemble *s, const uint64_t *c)
{
    return statistics_error(&s->cells, statistics_reached(&s->cells, c));
}

static double above_1(const struct ensemble *s, const uint64_t *c)
{
    return statistics_probability(
        &s->cells, statistics_exceeding(&s->cells, c, axis_edge(&s->thickness_m, 1)));
}

static double within_2h_error(const struct ensemble *s, const uint64_t *c)
{
    return statistics_error(&s->cells,
                            statistics_within(&s->cells, c, axis_edge(&s->arrival_s, 7200)));
}

static double arrival_95(const struct ensemble *s, const uint64_t *c)
{
    return axis_low(&s->arrival_s, statistics_arrival_class(&s->cells, c, 95)) / 3600;
}

static double thickness_5(const struct ensemble *s, const uint64_t *c)
{
    return axis_high(&s->thickness_m, statistics_thickness_class(&s->cells, c, 5));
}

static double thickness_mean(const struct ensemble *s, const uint64_t *c)
{
    return statistics_mean_thickness_m(&s->cells, c);
}

static void layers_say_what_was_counted(void **state)
{
    struct made m;
    make(&m, 40, (struct shard){1, 1});
    check_layer(&m, "probability.tif", came);
    check_layer(&m, "probability_error.tif", came_error);
    check_layer(&m, "probability_above_1m.tif", above_1);
    check_layer(&m, "probability_within_2h_error.tif", within_2h_error);
    check_layer(&m, "arrival_p95_h.tif", arrival_95);
    check_layer(&m, "thickness_p05_m.tif", thickness_5);
    check_layer(&m, "thickness_mean_m.tif", thickness_mean);
    static const char *const maps[] = {
        "map_probability.png", "map_arrival.png", "map_thickness.png",
        "reliability.png",     "roc.png",         "overlap.png"};
    for (int i = 0; i < 6; i++) {
        char *path = path_in(&m, maps[i]);
        struct picture p = picture_read(path);
        assert_true(p.width > 800 && p.height > 800);
        free(p.rgb);
        free(path);
    }
    unmake(&m);
}

/* ---- tables and summary ---------------------------------------------------------------------- */

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

/* A number of a table; before its column no text has a comma. */
static double column_of(const char *table, int row, const char *name)
{
    const char *head = table, *at = table;
    int column = 0;
    while (strncmp(head, name, strlen(name)) != 0) head = strchr(head, ',') + 1, column++;
    for (int i = 0; i <= row; i++) at = strchr(at, '\n') + 1;
    while (column--) at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

static void tables_have_a_row_each(void **state)
{
    struct made m;
    make(&m, 40, (struct shard){1, 1});
    char *path = path_in(&m, "members.csv"), *text = read_text(path), wanted[64];
    assert_int_equal(count_lines(text), 41);
    assert_non_null(strstr(text, "member,weight,cooling,vents,steps,end_h,"));
    for (int i = 0; i < VARIABLES; i++) { /* beside what is drawn no column has its name */
        snprintf(wanted, sizeof wanted, ",%s,", variable_row(i).name);
        const char *found = strstr(text, wanted);
        assert_true(!found || found > strchr(text, '\n'));
    }
    assert_non_null(strstr(text, ",\"it is a, \"\"seventh\"\" member\"\n"));
    for (int i = 0; i < 40; i++) {
        snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)m.s.result[i].digest);
        assert_non_null(strstr(text, wanted));
    }
    free(text);
    free(path);
    path = path_in(&m, "assets.csv");
    text = read_text(path);
    assert_int_equal(count_lines(text), 1 + PLACES);
    assert_non_null(strstr(text, "\n\"hut, \"\"upper\"\"\",point,1,"));
    assert_non_null(strstr(text, "\nroad,line,"));
    assert_non_null(strstr(text, "\nfar,point,1,0,0,0,0,"));
    assert_non_null(strstr(text, "\nbare,point,0,,,,,")); /* neither yes nor no */
    free(text);
    free(path);

    path = path_in(&m, "summary.json");
    text = read_text(path);
    cJSON *root = cJSON_Parse(text);
    const cJSON *members = cJSON_GetObjectItem(root, "members");
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)ensemble_digest(&m.s));
    assert_string_equal(cJSON_GetObjectItem(root, "digest")->valuestring, wanted);
    assert_int_equal(cJSON_GetObjectItem(members, "done")->valueint, 40);
    assert_string_equal(cJSON_GetObjectItem(members, "end")->valuestring, "complete");
    uint64_t later = 0, thicker = 0; /* than the last edges, by members up to these */
    STATISTICS_EACH (&m.s.cells, i, c) {
        const uint64_t reached = statistics_reached(&m.s.cells, c);
        later += statistics_within(&m.s.cells, c, m.s.arrival_s.edges - 1) < reached;
        thicker += statistics_exceeding(&m.s.cells, c, m.s.thickness_m.edges - 1) > 0;
    }
    const cJSON *lava = cJSON_GetObjectItem(root, "lava");
    assert_true(later > 0 && later < m.s.cells.slots);
    assert_true(cJSON_GetObjectItem(lava, "cells_later_than_counted")->valuedouble ==
                (double)later);
    assert_true(cJSON_GetObjectItem(lava, "cells_thicker_than_counted")->valuedouble ==
                (double)thicker);
    const int listed = cJSON_GetArraySize(cJSON_GetObjectItem(root, "files"));
    assert_int_equal(listed + 2,
                     count_files(m.job.info.directory)); /* and itself, and shown.json */
    cJSON_Delete(root);
    free(text);
    free(path);
    /* lava that leaves the terrain is told, but for members with hardly any weight: "none" would deny the sentence */
    const uint64_t weight = m.s.result[0].weight;
    for (int64_t i = 0; i < m.s.source->count; i++) m.s.result[i].left_m3 = 0;
    for (uint64_t k = 0; k < 3; k++) {
        struct warnings with = {0}, without = {0};
        m.s.result[0].weight = k ? weight : 0;
        if (k == 2) m.s.cells.weight *= 1000000;
        m.s.result[0].only_sea = false;
        m.s.result[0].left_m3 = 0;
        report_warn(&m.s, &without);
        m.s.result[0].left_m3 = 1;
        report_warn(&m.s, &with);
        assert_int_equal(with.count - without.count, k == 1);
    }
    unmake(&m);
}

/* A class of probability ends with its bound; percentiles over members are those of their weights. */
static void classes_and_percentiles(void **state)
{
    static const double until_percent[] = {0.1, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100};
    enum { CLASSES = sizeof until_percent / sizeof *until_percent };
    for (int k = 0; k < CLASSES; k++) {
        const double p = until_percent[k] / 100;
        assert_true(report_class(p * (1 - 1e-9)) == k + 1 && report_class(p) == k + 1);
        assert_true(k == CLASSES - 1 || report_class(p * (1 + 1e-9)) == k + 2);
    }
    struct made m;
    make(&m, 40, (struct shard){1, 1});
    const struct percentiles of = report_spread(&m.s, REPORT_AREA_M2, NAN, NULL);
    const double found[REPORT_PERCENTS] = {of.p05, of.p50, of.p95};
    double all = 0, plain[REPORT_PERCENTS];
    int differ = 0;
    for (int i = 0; i < 40; i++) all += (double)m.s.result[i].weight;
    for (int k = 0; k < REPORT_PERCENTS; k++) {
        double best = INFINITY;
        plain[k] = INFINITY; /* of members that weigh alike */
        for (int i = 0; i < 40; i++) {
            double until = 0, members = 0;
            const double value = report_result(&m.s, &m.s.result[i], REPORT_AREA_M2);
            for (int n = 0; n < 40; n++) {
                const bool below = report_result(&m.s, &m.s.result[n], REPORT_AREA_M2) <= value;
                until += below ? (double)m.s.result[n].weight : 0, members += below;
            }
            if (until * 100 >= report_percents[k] * all) best = fmin(best, value);
            if (members * 100 >= report_percents[k] * 40) plain[k] = fmin(plain[k], value);
        }
        assert_true(found[k] == best);
        differ += plain[k] < best || plain[k] > best;
    }
    assert_true(differ > 0);
    int left = 0; /* the volume is what stays: members.csv says what was emitted and what left */
    char *path = path_in(&m, "members.csv"), *text = read_text(path);
    const struct percentiles volume = report_spread(&m.s, REPORT_VOLUME_M3, NAN, NULL);
    double most = 0;
    for (int i = 0; i < 40; i++) {
        const double stays =
            column_of(text, i, "emitted_m3") - column_of(text, i, "volume_off_terrain_m3");
        assert_float_equal(report_result(&m.s, &m.s.result[i], REPORT_VOLUME_M3), stays,
                           1e-6 * stays);
        left += column_of(text, i, "volume_off_terrain_m3") > 0.01 * stays;
        most = fmax(most, stays);
    }
    assert_true(left > 0 && volume.p95 < most * (1 + 1e-6) && volume.p95 > volume.p50);
    free(text);
    free(path);
    unmake(&m);
}

/* A second ensemble in the same folder takes the place of the first, once it writes, and of nothing else. */
static void takes_the_place_of_an_earlier_one(void **state)
{
    struct made m;
    struct error e = {0};
    make(&m, 10, (struct shard){1, 1});
    const int files = count_files(m.job.info.directory);
    assert_true(files > 20);
    char *own = path_in(&m, "notes.txt"), *foreign = path_in(&m, "members.csv"),
         *summary = path_in(&m, "summary.json"), *writing = path_in(&m, "writing.json");
    write_text(own, "mine");
    output_folder_leave(&m.files);
    output_folder_free(&m.files);
    must(output_folder_take(&m.files, &m.job.info, &m.plan.base, false, &e), &e);
    assert_int_equal(count_files(m.job.info.directory), files + 1);
    must(output_make_way(&m.files, &e), &e);
    /* The note, writing.json and previous/. */
    assert_int_equal(count_files(m.job.info.directory), 3);
    output_folder_unmake(&m.files);
    assert_int_equal(count_files(m.job.info.directory), files + 1);
    output_folder_free(&m.files);
    write_text(foreign, "mine, too");
    assert_int_equal(output_folder_take(&m.files, &m.job.info, &m.plan.base, false, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "members.csv"));
    assert_int_equal(count_files(m.job.info.directory), files + 1);
    /* Nor does one that wrote nothing finish what a command left that died there. */
    assert_false(output_unfinished(m.job.info.directory));
    remove(summary);
    remove(foreign);
    write_text(writing,
               "{\"software\": \"sciara\", \"study\": \"ensemble\", \"writing\": [\"*.csv\", "
               "\"*.html\"], \"files\": []}");
    assert_true(output_unfinished(m.job.info.directory));
    must(output_folder_take(&m.files, &m.job.info, &m.plan.base, false, &e), &e);
    must(output_make_way(&m.files, &e), &e);
    output_folder_unmake(&m.files);
    assert_true(output_unfinished(m.job.info.directory));
    assert_int_equal(count_files(m.job.info.directory), files);
    output_folder_free(&m.files);
    free(own);
    free(foreign);
    free(summary);
    free(writing);
    unmake(&m);
}

/* Layers of a part alone would mislead. */
static void shards_leave_no_layers(void **state)
{
    struct made m;
    make(&m, 20, (struct shard){2, 3});
    assert_int_equal(count_files(m.job.info.directory), 3); /* members, assets, summary */
    unmake(&m);
}

/* ---- against the outline --------------------------------------------------------------------- */

/* The cells with terrain, all of which are within 500 m of the outline; overlap on the whole grid. */
static void verifies_what_was_counted(void **state)
{
    struct made m;
    struct verification v;
    struct error e = {0};
    make(&m, 60, (struct shard){1, 1});
    const struct report r = {.s = &m.s};
    must(report_verify(&v, &r, &e), &e);
    double brier = 0, cells = 0, seen = 0;
    int both[101] = {0}, either[101] = {0}, best = 0;
    for (size_t i = 0; i < TEST_CELLS; i++) {
        const double p = came(&m.s, statistics_at(&m.s.cells, i));
        const int o = m.s.outline[i];
        for (int k = 0; k <= 100; k++) {
            const int in = k ? p >= k / 100.0 - 1e-12 : p > 0;
            both[k] += in && o;
            either[k] += in || o;
        }
        if (isnan(m.plan.base.problem.elevation_m[i])) continue;
        brier += (p - o) * (p - o);
        cells++;
        seen += o;
    }
    assert_true(seen > 100 && seen < cells && cells < TEST_CELLS);
    assert_true((double)v.cells == cells && (double)v.observed == seen);
    assert_true(fabs(v.score[VERIFY_BRIER].value - brier / cells) < 1e-12);
    for (int k = 0; k <= 100; k++) {
        assert_true((int)v.both[k] == both[k] && (int)v.either[k] == either[k]);
        if ((double)both[k] / either[k] > (double)both[best] / either[best]) best = k;
    }
    assert_int_equal(v.best, best);
    unmake(&m);
}

/* ---- Cloud Optimized GeoTIFF ----------------------------------------------------------------- */

enum { BIG_ROWS = 1300, BIG_COLS = 700 };

static float value_at(int row, int col)
{
    const bool inside = (row - 500) * (row - 500) + (col - 300) * (col - 300) < 90000;
    return inside ? (float)(row * 0.5 + col % 17) : -9999;
}

static void big_row(const void *context, int row, float *out)
{
    (void)context;
    for (int col = 0; col < BIG_COLS; col++) out[col] = value_at(row, col);
}

/* All directories, with their arrays, before all tiles; tiles of the smallest overview first, each
 * level's in order. */
static void layers_are_cloud_optimized(void **state)
{
    struct scratch s;
    struct error e = {0};
    scratch_create(&s);
    const char *path = scratch_file(&s, "big.tif");
    const struct geotiff_layer layer = {.rows = BIG_ROWS,
                                        .cols = BIG_COLS,
                                        .geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10},
                                        .nodata = -9999,
                                        .description = "some",
                                        .unit = "m",
                                        .row = big_row};
    must(geotiff_write_cloud(path, &layer, &e), &e);
    static const int rows[] = {1300, 650, 325, 163}, cols[] = {700, 350, 175, 88};
    uint64_t before = UINT64_MAX, directories_end = 0, first_tile = UINT64_MAX;
    TIFF *tif = TIFFOpen(path, "r");
    for (int level = 0; level < 4; level++) {
        uint32_t height, width, tile = 0, kind = 0;
        uint64_t *offset;
        assert_true(TIFFSetDirectory(tif, (uint16_t)level));
        TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &height);
        TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tif, TIFFTAG_TILEWIDTH, &tile);
        TIFFGetFieldDefaulted(tif, TIFFTAG_SUBFILETYPE, &kind);
        assert_true((int)height == rows[level] && (int)width == cols[level] && tile == 256);
        assert_int_equal(kind, level ? FILETYPE_REDUCEDIMAGE : 0);
        TIFFGetField(tif, TIFFTAG_TILEOFFSETS, &offset);
        const uint32_t tiles = TIFFNumberOfTiles(tif);
        for (uint32_t t = 1; t < tiles; t++) assert_true(offset[t] > offset[t - 1]);
        assert_true(offset[tiles - 1] < before); /* behind those of the next smaller level */
        before = offset[0];
        if (TIFFCurrentDirOffset(tif) > directories_end)
            directories_end = TIFFCurrentDirOffset(tif);
        if (offset[0] < first_tile) first_tile = offset[0];
        if (level == 0) assert_int_equal(TIFFCurrentDirOffset(tif), 8);
    }
    assert_false(TIFFSetDirectory(tif, 4));
    assert_true(directories_end < first_tile);

    /* an overview's cell is the mean of those of the level below that have a value */
    float *cell = malloc(256 * 256 * sizeof *cell);
    TIFFSetDirectory(tif, 1);
    assert_true(TIFFReadTile(tif, cell, 0, 0, 0, 0) > 0);
    int full = 0, none = 0, mixed = 0;
    for (int row = 0; row < 256; row++)
        for (int col = 0; col < 256; col++) {
            double sum = 0;
            int count = 0;
            for (int k = 0; k < 4; k++) {
                const float v = value_at(2 * row + k / 2, 2 * col + k % 2);
                if (v != -9999) sum += v, count++;
            }
            const float mean = count ? (float)(sum / count) : -9999;
            assert_true(cell[256 * row + col] == mean);
            full += count == 4, none += count == 0, mixed += count > 0 && count < 4;
        }
    assert_true(full > 1000 && none > 1000 && mixed > 50);
    TIFFClose(tif);
    free(cell);

    struct raster r;
    must(raster_read(&r, path, 0, &e), &e);
    for (int i = 0; i < BIG_ROWS * BIG_COLS; i += 7) {
        const float v = value_at(i / BIG_COLS, i % BIG_COLS);
        assert_true(v == -9999 ? isnan(r.value[i]) : (float)r.value[i] == v);
    }
    raster_free(&r);
    scratch_remove(&s);
}

/* Ranges are from 5 to 95 % of the weight, in the units of a page, over the members that are done and asked for. */
static void says_what_varies(void **state)
{
    struct member_result result[] = {
        {.done = true, .weight = 1, .drawn = (char[]){"1143.15,0.2,1,500000,7"}},
        {.done = true, .weight = 18, .drawn = (char[]){"1148.15,1,2,500010,8"}},
        {.done = true, .weight = 1, .drawn = (char[]){"1153.15,3,1,500010,9"}},
        {.done = true, .weight = 0, .drawn = (char[]){"1200,9,3,500020,10"}},
        {.done = false, .weight = 5, .drawn = (char[]){"1300,9,4,500020,11"}}};
    const struct ensemble_source source = {.columns = "PTsol,rate_factor,vent,x,terrain_seed",
                                           .count = sizeof result / sizeof *result};
    const struct ensemble s = {.source = &source, .result = result};
    char packed[REPORT_VARIED];
    assert_string_equal(WORDS_ENGLISH(report_varied(packed, &s, NULL, false)),
                        "temperature of solidification 870 to 875 °C; effusion rate 0.2 to 1 times "
                        "the one given; vent one of 2; terrain error");
    result[1].weight = 17; /* the last has more than 5 % */
    assert_non_null(strstr(WORDS_ENGLISH(report_varied(packed, &s, NULL, false)),
                           "870 to 880 °C; effusion rate 0.2 to 3 times"));
    result[0].weight = 0;
    assert_non_null(strstr(WORDS_ENGLISH(report_varied(packed, &s, NULL, true)),
                           "properties of the lava; effusion rate 1 to 3 times"));
}

/* Of member n, the end of its eruption, 1 to 3 h, and its volume. */
static int eruption_of(const void *of, int64_t n, double *end_s, double *volume_m3, struct error *e)
{
    *end_s = 3600 + 1800 * (double)n;
    *volume_m3 = 100;
    return 0;
}

/* What members of different weights lack counts by their weights: of members that are done, asked for and have not
 * stopped before the end of the run. */
static void says_what_is_missing(void **state)
{
    struct member_result result[] = {
        {.done = true, .weight = 1, .end_s = 3600, .emitted_m3 = 100, .left_m3 = 1},
        {.done = true, .weight = 3, .end_s = 3600, .emitted_m3 = 50, .advance_s = 3420},
        {.done = true,
         .weight = 6,
         .end_s = 3600,
         .emitted_m3 = 90,
         .advance_s = 3421,
         .left_m3 = 2},
        {.done = true,
         .weight = 10,
         .end_s = 3600,
         .stopped = true,
         .left_m3 = 3,
         .only_sea = true},
        {.done = true, .weight = 0, .end_s = 3600, .left_m3 = 4},
        {.done = false, .weight = 5, .end_s = 3600, .left_m3 = 5}};
    const struct ensemble_source source = {.eruption = eruption_of, .count = 6};
    struct ensemble s = {.source = &source, .result = result};
    struct warnings w = {.count = 0};
    char line[WARNING_TEXT];
    s.cells.weight = 20;
    s.cells.weight2 = 1 + 9 + 36 + 100;
    assert_true(report_off_terrain(&s) == 7.0 / 20);
    report_warn_of_cut(&s, &w);
    assert_true(w.count == 1 && w.of[0].kind == WARNING_RESULT);
    warnings_line(&w, 0, line);
    assert_non_null(
        strstr(line, ": 1 of 3; ")); /* 9 of 20, of as many as 2.7 members of one weight */
    assert_non_null(
        strstr(line, "; 10.5 % of all lava is missing")); /* 3 * 50 + 6 * 10 of 20 * 100 */
    assert_non_null(strstr(line, "give a run_h of 2 or more"));
    result[1].emitted_m3 = 100, result[2].emitted_m3 = 97; /* less than 1 % */
    w = (struct warnings){.count = 0};
    report_warn_of_cut(&s, &w);
    assert_true(w.count == 0);
    result[2].weight = 21; /* of 35, and now more than 1 % */
    report_warn_of_cut(&s, &w);
    assert_true(w.count == 1 && w.of[0].kind == WARNING_NOTE);
    result[2].emitted_m3 = 100;
    w = (struct warnings){.count = 0};
    report_warn_of_cut(&s, &w);
    assert_non_null(strstr(warnings_line(&w, 0, line), "in 60 % of the cases lava still advances"));
}

/* ---- against a plain count of the members ---------------------------------------------------- */

/* The value of a layer in a cell, by the name of the layer. */
static double named_value(const struct ensemble *s, const char *name, const uint64_t *c)
{
    const struct statistics *x = &s->cells;
    const double n = statistics_effective(x);
    double number = 0, p = came(s, c);
    int percent = 0;
    if (sscanf(name, "probability_above_%lgm", &number) == 1)
        p = statistics_probability(x,
                                   statistics_exceeding(x, c, axis_edge(&s->thickness_m, number)));
    else if (sscanf(name, "probability_within_%lgh", &number) == 1)
        p = statistics_probability(
            x, statistics_within(x, c, axis_edge(&s->arrival_s, round(number * 3600))));
    if (!strncmp(name, "probability", strlen("probability")))
        return strstr(name, "_error") ? sqrt(p * (1 - p) / n) : p;
    if (!strcmp(name, "arrival_first_h.tif") || sscanf(name, "arrival_p%d_h", &percent) == 1)
        return axis_low(&s->arrival_s, statistics_arrival_class(x, c, percent)) / 3600;
    if (sscanf(name, "thickness_p%d_m", &percent) == 1)
        return axis_high(&s->thickness_m, statistics_thickness_class(x, c, percent));
    assert_string_equal(name, "thickness_mean_m.tif");
    return thickness_mean(s, c);
}

static const char *checked; /* name of the layer that is compared */

static double checked_value(const struct ensemble *s, const uint64_t *c)
{
    return named_value(s, checked, c);
}

/* Checks a text in the metadata of a layer. */
static void expect_item(const char *bytes, size_t size, const char *name, const char *value)
{
    char item[300];
    snprintf(item, sizeof item, "<Item name=\"%s\">%s</Item>", name, value);
    if (!memmem(bytes, size, item, strlen(item))) fail_msg("%s", item);
}

static void every_layer_is_what_its_name_says(struct made *m)
{
    DIR *folder = opendir(m->job.info.directory);
    int layers = 0;
    char text[64];
    for (struct dirent *one; (one = readdir(folder));) {
        if (!strstr(one->d_name, ".tif")) continue;
        checked = one->d_name;
        check_layer(m, checked, checked_value);
        char *path = path_in(m, checked);
        FILE *f = fopen(path, "rb");
        static char bytes[1 << 20];
        const size_t size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        free(path);
        expect_item(bytes, size, "MEMBERS", "40");
        expect_item(bytes, size, "RESOLUTION", "thickness 0.25 m, arrival 0.166667 h");
        snprintf(text, sizeof text, "%.6g", statistics_effective(&m->s.cells));
        expect_item(bytes, size, "EFFECTIVE_MEMBERS", text);
        snprintf(text, sizeof text, "%016llx", (unsigned long long)ensemble_digest(&m->s));
        expect_item(bytes, size, "ENSEMBLE_DIGEST", text);
        expect_item(bytes, size, "SOFTWARE", "sciara 0");
        expect_item(bytes, size, "CASE", "slope");
        layers++;
    }
    closedir(folder);
    assert_int_equal(layers, 2 * (1 + 3 + 2) + 2 + 2 * REPORT_PERCENTS);
}

static double number_of(const cJSON *root, const char *object, const char *name)
{
    const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(root, object), name);
    if (!n) fail_msg("%s.%s is missing", object, name);
    return n->valuedouble;
}

static const char *text_of(const cJSON *root, const char *object, const char *name)
{
    const cJSON *n = cJSON_GetObjectItem(cJSON_GetObjectItem(root, object), name);
    return n ? n->valuestring : NULL;
}

static double place_in(const cJSON *root, const char *object, const char *name, int i)
{
    const cJSON *list = cJSON_GetObjectItem(cJSON_GetObjectItem(root, object), name);
    return cJSON_GetArrayItem(list, i)->valuedouble;
}

static void a_summary_counts_members(struct made *m)
{
    enum { MEMBERS = 40 };
    static const struct engine_share share[] = {{.members = 11, .idle_s = 0.5},
                                                {.members = 29, .idle_s = 0.25}};
    static const struct engine_counts counts = {.updates = 71, .larger = 8, .reference = 9};
    struct ensemble *s = &m->s;
    s->until_error = 0.125;
    m->job.load_s = 1.5, m->job.compute_s = 2.5, m->job.total_s = 4.5;
    int noticed = 0, rest = 0, left = 0;
    for (int i = 0; i < MEMBERS; i++) { /* by numbers of their own, so that no two counts agree */
        s->result[i].stopped = i % 3 == 0;
        s->result[i].left_m3 = i % 2;
        s->result[i].only_sea = i % 8 == 1;
        noticed += i % 7 == 0, rest += i % 3 == 0, left += i % 2 && i % 8 != 1;
    }
    struct report r = {.s = s,
                       .digest = 0x123,
                       .job = &m->job,
                       .end = "until_error",
                       .threads = 3,
                       .devices = 2,
                       .ranks = 4,
                       .share = share,
                       .shares = 2,
                       .counts = &counts};
    char *text = report_summary_text(&r), weight[32];
    cJSON *root = cJSON_Parse(text);
    double most = 0, worst = 0, sum = 0, cells = 0, all = 0, squares = 0;
    for (int i = 0; i < MEMBERS; i++) {
        all += (double)s->result[i].weight;
        squares += (double)s->result[i].weight * (double)s->result[i].weight;
    }
    const double n = all * all / squares;
    for (size_t i = 0; i < TEST_CELLS; i++) {
        const uint64_t *c = statistics_at(&s->cells, i);
        const double p = (double)statistics_reached(&s->cells, c) / all;
        sum += p, cells += p > 0;
        most = fmax(most, p), worst = fmax(worst, sqrt(p * (1 - p) / n));
    }
    const struct {
        const char *object, *name;
        double value;
    } row[] = {{"members", "planned", MEMBERS},
               {"members", "done", MEMBERS},
               {"members", "until_error", 0.125},
               {"members", "effective", n},
               {"members", "with_notice", noticed},
               {"members", "at_rest", rest},
               {"members", "off_terrain", left},
               {"lava", "cells", cells},
               {"lava", "area_km2", cells * 1e-4},
               {"lava", "expected_area_km2", sum * 1e-4},
               {"lava", "largest_probability", most},
               {"lava", "largest_error", worst},
               {"counted", "thickness_resolution_m", 0.25},
               {"counted", "arrival_resolution_h", 1 / 6.0},
               {"counted", "thickness_up_to_m", 10},
               {"counted", "arrival_up_to_h", 14 / 6.0},
               {"timing", "load_s", 1.5},
               {"timing", "compute_s", 2.5},
               {"timing", "total_s", 4.5},
               {"timing", "threads", 3},
               {"timing", "devices", 2},
               {"timing", "ranks", 4},
               {"timing", "cell_updates", 71},
               {"timing", "members_with_larger_shares", 8},
               {"timing", "members_by_the_reference", 9}};
    assert_true(noticed != rest && rest != left && noticed != left);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (!(fabs(number_of(root, row[k].object, row[k].name) - row[k].value) <=
              1e-9 * row[k].value))
            fail_msg("%s", row[k].name);
    snprintf(weight, sizeof weight, "%.0f", all);
    assert_string_equal(text_of(root, "members", "weight"), weight);
    assert_string_equal(text_of(root, "members", "end"), "until_error");
    assert_null(text_of(root, "members", "question"));
    assert_null(text_of(root, "members", "shard"));
    for (int i = 0; i < 3; i++)
        assert_true(place_in(root, "counted", "thickness_above_m", i) == m->plan.threshold_m[i]);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(place_in(root, "counted", "arrival_within_h", i) -
                         m->plan.time_s[i] / 3600) < 1e-9);
        assert_true(place_in(root, "timing", "members_of_each", i) == (double)share[i].members);
        assert_true(place_in(root, "timing", "idle_s_of_each", i) == share[i].idle_s);
    }
    cJSON_Delete(root);
    free(text);

    /* a shard; a question, which readers see in words */
    char question[WORDS_TEXT];
    s->shard = (struct shard){2, 3};
    s->until_error = 0;
    r.question = words_pack(question, sizeof question, "%s", "Pcool < 3");
    r.asked = "cooling < 3";
    text = report_summary_text(&r);
    root = cJSON_Parse(text);
    assert_string_equal(text_of(root, "members", "shard"), "2/3");
    assert_string_equal(text_of(root, "members", "question"), "Pcool < 3");
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "members"), "question_said"));
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "members"), "until_error"));
    cJSON_Delete(root);
    free(text);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static const struct product *row_of(const char *name)
{
    for (int i = 0; i < report_files.count; i++)
        if (!strcmp(report_files.row[i].name, name)) return &report_files.row[i];
    fail_msg("no file %s", name);
    return NULL;
}

/* What a map writes at each place: a probability, a range of hours, a thickness; or why there is none. */
static void expect_labels(const struct report *r)
{
    const struct ensemble *s = r->s;
    const struct statistics *x = &s->places;
    const double n = statistics_effective(x);
    int apart = 0;
    for (int k = 0; k < PLACES; k++) {
        const uint64_t *c = statistics_at(x, (size_t)k);
        const double p = statistics_probability(x, statistics_reached(x, c));
        char chance[PROBABILITY_TEXT], wanted[3][200];
        probability_pack(chance, p, n);
        if (k == AT_BARE) snprintf(chance, sizeof chance, ASSETS_BARE WORDS_NEXT);
        for (int map = 0; map < 3; map++) strcpy(wanted[map], WORDS_ENGLISH(chance));
        assert_true((p > 0) == (k == AT_HUT || k == AT_ROAD));
        if (p > 0) {
            char range[ARRIVAL_TEXT];
            const double low_s = axis_low(&s->arrival_s, statistics_arrival_class(x, c, 5)),
                         high_s = axis_low(&s->arrival_s, statistics_arrival_class(x, c, 95));
            assert_true(p * n > 3);
            apart += low_s < high_s;
            arrival_range_pack(range, low_s / 3600, (high_s + 600) / 3600, "");
            strcpy(wanted[1], WORDS_ENGLISH(range));
            snprintf(wanted[2], sizeof wanted[2], "%.6g m",
                     axis_high(&s->thickness_m, statistics_thickness_class(x, c, 95)));
        }
        static const char *const name[] = {"map_probability", "map_arrival", "map_thickness"};
        for (int map = 0; map < 3; map++) {
            char text[200];
            const struct product_at at = {.of = r, .row = row_of(name[map])};
            at.row->place(&at, k, text, sizeof text);
            assert_string_equal(WORDS_ENGLISH(text), wanted[map]);
        }
    }
    assert_true(apart > 0);
}

static void maps_say_what_they_show(struct made *m)
{
    char question[WORDS_TEXT], effective[32], wanted[300], error[PROBABILITY_TEXT];
    struct report r = {.s = &m->s, .job = &m->job, .end = "complete"};
    double worst = 0;
    const double n = statistics_effective(&m->s.cells);
    expect_labels(&r);
    for (size_t i = 0; i < TEST_CELLS; i++)
        if (statistics_at(&m->s.cells, i))
            worst = fmax(worst, came_error(&m->s, statistics_at(&m->s.cells, i)));
    snprintf(wanted, sizeof wanted,
             "Probability that lava arrives: 40 simulated eruptions (effective number %s)",
             roundnum_brief(effective, n));
    strcat(wanted, WORDS_ENGLISH(probability_most_pack(error, worst)));
    const struct {
        const char *name, *subtitle;
        bool whole;
    } row[] = {
        {"map_probability", wanted, true},
        {"map_arrival", "rounded down to 0.1666667\u00a0h; 5 to 95 % of them: at places", false},
        {"map_thickness",
         "Greatest thickness, 95th percentile of the simulated eruptions "
         "that reach the cell; rounded up to 0.25\u00a0m",
         true}};
    words_pack(question, sizeof question, "%s", "Pcool < 3");
    for (int asked = 0; asked < 2; asked++)
        for (int k = 0; k < 3; k++) {
            const struct product_at at = {.of = &r, .row = row_of(row[k].name)};
            struct product_map map = {.subtitle = ""};
            r.question = asked ? question : NULL;
            m->source.chosen = asked;
            m->source.vents = PRODUCT_VENTS_LARGE + asked;
            assert_true(at.row->map(&at, &map));
            const char *subtitle = WORDS_ENGLISH(map.subtitle);
            if (row[k].whole) assert_string_equal(subtitle, row[k].subtitle);
            else if (!strstr(subtitle, row[k].subtitle)) fail_msg("%s", subtitle);
            assert_string_equal(WORDS_ENGLISH(map.alert),
                                asked ? "Of eruptions with Pcool < 3." : "");
            assert_true(map.map.mark_small == asked);
            if (asked) assert_string_equal(map.map.mark_name, "possible vent");
            else assert_null(map.map.mark_name);
        }
}

/* A long question is cut between characters, and ends with an ellipsis; a short one is whole. */
static void questions_are_cut_between_characters(void **state)
{
    static const char text[] = "notice = 'più là, ove è €uro' AND jaccard > 0.5";
    char question[WORDS_TEXT], out[REPORT_QUESTION];
    const size_t length = strlen(text);
    words_pack(question, sizeof question, "%s", text);
    for (size_t most = 1; most < length + 9; most++) {
        const char *said = WORDS_ENGLISH(report_question(out, question, most));
        if (most >= length) {
            assert_string_equal(said, text);
            continue;
        }
        const size_t kept = strlen(said) - strlen("…");
        assert_string_equal(said + kept, "…");
        assert_true(!memcmp(said, text, kept) && kept <= most && kept + 3 > most);
        assert_true((text[kept] & 0xC0) != 0x80);
    }
}

/* ---- warnings -------------------------------------------------------------------------------- */

/* An ensemble that has not reached its error needs as many members as its square says, for places if there are any. */
static void warns_of_what_was_not_reached(struct made *m)
{
    for (int which = 0; which < 6; which++) {
        const bool any = which != 1, cut = which == 2, first = which == 3, shard = which == 4,
                   sure = which == 5;
        struct ensemble_study x = {.s = m->s, .end = ENGINE_COMPLETE};
        struct study_job j = {.self = &x};
        struct warnings w = {.count = 0};
        char needs[80];
        double worst = 0;
        if (!any) x.s.assets.count = 0;
        const struct statistics *of = any ? &m->s.places : &m->s.cells;
        for (size_t i = 0; i < of->places; i++)
            worst = fmax(worst, statistics_error(of, statistics_reached(of, statistics_at(of, i))));
        x.s.until_error = worst / 17.3;
        if (sure) x.end = ENGINE_SURE;
        if (cut || first) x.end = ENGINE_STOPPED, x.s.done = 30;
        if (first) x.s.first = 30;
        if (shard) x.s.shard = (struct shard){2, 3};
        snprintf(needs, sizeof needs, "it needs about %.0f members", ceil(17.3 * 17.3 * 40));
        ensemble_study_warn(&j, &w);
        const struct {
            const char *said;
            bool is;
        } row[] = {{needs, !sure && !cut && !first},
                   {"that was requested is not reached", !sure && !cut && !first},
                   {"preliminary: 30 of 40 simulated eruptions", first},
                   {"incomplete: 30 of 40 simulated eruptions", cut},
                   {"shard 2/3 is a part of the members", shard}};
        for (size_t k = 0; k < sizeof row / sizeof *row; k++)
            if ((strstr(w.warning, row[k].said) != NULL) != row[k].is)
                fail_msg("%d: %s: %s", which, row[k].said, w.warning);
    }
}

/* One ensemble, for all of these; the last changes its members. */
static void one_ensemble_all_told(void **state)
{
    struct made m;
    make(&m, 40, (struct shard){1, 1});
    every_layer_is_what_its_name_says(&m);
    warns_of_what_was_not_reached(&m);
    maps_say_what_they_show(&m);
    a_summary_counts_members(&m);
    unmake(&m);
}

int main(void)
{
    return UNIT_RUN(one_ensemble_all_told, questions_are_cut_between_characters,
                    layers_say_what_was_counted, tables_have_a_row_each, classes_and_percentiles,
                    takes_the_place_of_an_earlier_one, shards_leave_no_layers,
                    verifies_what_was_counted, layers_are_cloud_optimized, says_what_varies,
                    says_what_is_missing);
}
