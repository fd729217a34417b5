/* Outlines and fit: hand-made grids whose answers are known, and the published Etna 2006 figures.
 */
/* tests: output/compare */
/* build: commands */
/* run: quick */
#include "commands/cli.h"
#include "compare/fit.h"
#include "compare/outline.h"
#include "raster/geotiff.h"

#include <cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>

#include "folder.h"
#include "unit.h"

static int cmd_fit(int argc, char **argv)
{
    return cli_run(&command_fit, argc, argv);
}

/* 8 x 10 cells of 10 m; west 1000, south 2000, so north is 2080. */
enum { ROWS = 8, COLS = 10 };
static const struct georef GEO = {.west_m = 1000, .south_m = 2000, .cell_m = 10};

static int outline_of(struct scratch *s, const char *text, unsigned char **inside, struct error *e)
{
    const char *path = scratch_file(s, "outline.json");
    write_text(path, text);
    return outline_read(inside, path, ROWS, COLS, &GEO, e);
}

/* Draws the mask as rows of text to compare with. */
static void expect_mask(const char *geojson, const char *const rows[ROWS])
{
    struct scratch s;
    struct error e = {0};
    unsigned char *inside;
    scratch_create(&s);
    if (outline_of(&s, geojson, &inside, &e)) fail_msg("%s", e.text);
    for (int row = 0; row < ROWS; row++) {
        char line[COLS + 1] = "";
        for (int col = 0; col < COLS; col++) line[col] = inside[row * COLS + col] ? '#' : '.';
        assert_string_equal(line, rows[row]);
    }
    free(inside);
    scratch_remove(&s);
}

static const char *const SQUARE_WITH_HOLE[ROWS] = {
    "..........", ".######...", ".######...", ".##..##...",
    ".##..##...", ".######...", ".######...", "..........",
};

#define RING  "[[1010,2010],[1070,2010],[1070,2070],[1010,2070],[1010,2010]]"
#define HOLE  "[[1030,2030],[1050,2030],[1050,2050],[1030,2050],[1030,2030]]"
#define SMALL "[[1080,2000],[1100,2000],[1100,2020],[1080,2020],[1080,2000]]"

static void test_polygon_with_hole(void **state)
{
    expect_mask("{\"type\":\"Polygon\",\"coordinates\":[" RING "," HOLE "]}", SQUARE_WITH_HOLE);
    expect_mask("\xef\xbb\xbf \n{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
                "{\"type\":\"Polygon\",\"coordinates\":[" HOLE "," RING "]}}",
                SQUARE_WITH_HOLE);
}

static void test_collections(void **state)
{
    const char *const rows[ROWS] = {
        "..........", ".######...", ".######...", ".##..##...",
        ".##..##...", ".######...", ".#########", "........##",
    };
    /* the second polygon twice: overlapping polygons join, they do not cancel */
    expect_mask("{\"type\":\"MultiPolygon\",\"coordinates\":[[" RING "," HOLE "],[" SMALL
                "],[[[1070,2010],[1090,2010],[1090,2020],[1070,2020],[1070,2010]]]]}",
                rows);
    expect_mask(
        "{\"type\":\"FeatureCollection\",\"features\":["
        "{\"type\":\"Feature\",\"geometry\":null},"
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"GeometryCollection\","
        "\"geometries\":[{\"type\":\"Polygon\",\"coordinates\":[" RING "," HOLE "]}]}},"
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[" SMALL
        "],[[[1070,2010],[1090,2010],[1090,2020],[1070,2020],[1070,2010]]]]}}]}",
        rows);
}

static void test_edges(void **state)
{
    /* A corner at the centre of a cell, and a polygon that reaches far beyond the grid. */
    const char *const diagonal[ROWS] = {
        "##########", "##########", "##########", "##########",
        "##########", "##########", "##########", "##########",
    };
    expect_mask(
        "{\"type\":\"Polygon\",\"coordinates\":[[[-9e8,-9e8],[9e8,-9e8],[9e8,9e8],[-9e8,9e8],"
        "[-9e8,-9e8]]]}",
        diagonal);
    const char *const triangle[ROWS] = {
        "..........", "#.........", "##........", "###.......",
        "####......", "#####.....", "######....", "#######...",
    };
    expect_mask("{\"type\":\"Polygon\",\"coordinates\":[[[1000,2000],[1079,2000],[1000,2079],"
                "[1000,2000]]]}",
                triangle);
}

/* Two polygons with a common border cover every cell exactly once, wherever the border runs. */
static void test_neighbours_share_no_cell(void **state)
{
    struct error e = {0};
    unsigned seed = 7;
    for (int k = 0; k < 50; k++) {
        double at[4];
        for (int i = 0; i < 4; i++) {
            seed = seed * 1103515245u + 12345u;
            at[i] = (double)(seed >> 16 & 15) * 2.5 + 1030; /* often through centres */
        }
        char left[512], right[512];
        unsigned char *in_left, *in_right;
        snprintf(left, sizeof left,
                 "{\"type\":\"Polygon\",\"coordinates\":[[[900,1900],[%g,1900],[%g,2035],[%g,2100],"
                 "[900,2100],[900,1900]]]}",
                 at[0], at[1], at[2]);
        snprintf(
            right, sizeof right,
            "{\"type\":\"Polygon\",\"coordinates\":[[[%g,1900],[1200,1900],[1200,2100],[%g,2100],"
            "[%g,2035],[%g,1900]]]}",
            at[0], at[2], at[1], at[0]);
        assert_int_equal(outline_of(&dir, left, &in_left, &e), 0);
        assert_int_equal(outline_of(&dir, right, &in_right, &e), 0);
        for (int i = 0; i < ROWS * COLS; i++) assert_int_equal(in_left[i] + in_right[i], 1);
        free(in_left);
        free(in_right);
    }
}

static void test_outlines_refused(void **state)
{
    static const char *const bad[][2] = {
        {"{\"type\":\"Polygon\",\n\"coordinates\":[[[1,2],}", ":2: the text is not JSON"},
        {"{}", "type \"\""},
        {"{\"geometryType\":\"esriGeometryPolygon\",\"features\":[]}",
         "JSON of type \"\", not GeoJSON"},
        {"{\"type\":\"Polygon\"}", "lacks a list"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[]]}", "less than four"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,4],[5,6],[7,8]]]}", "close it"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,\"4\"],[5,6],[1,2]]]}",
         "pair of numbers"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,1e300],[5,6],[1,2]]]}",
         "pair of numbers"},
        {"{\"type\":\"Point\",\"coordinates\":[1,2]}", "has points; give polygons"},
        {"{\"type\":\"FeatureCollection\"}", "list of features is missing"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[15,37],[15.1,37],[15.1,37.1],[15,37]]]}",
         "in degrees"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[5000,37],[5000,40],[5003,37],[5000,37]]]}",
         "lies outside the terrain"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1002,2002],[1002,2003],[1003,2003],[1002,2002]]]"
         "}",
         "no cell of the grid"},
        {"{\"type\":\"Feature\",\"geometry\":null}", "no features with a geometry"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = {0};
        unsigned char *inside = NULL;
        assert_int_equal(outline_of(&dir, bad[i][0], &inside, &e), ERROR_INPUT);
        assert_null(inside);
        assert_null(strchr(e.text, '\n'));
        if (!strstr(e.text, bad[i][1])) fail_msg("\"%s\" does not say \"%s\"", e.text, bad[i][1]);
        if (!strstr(e.text, "outline.json")) fail_msg("\"%s\" names no file", e.text);
    }
    struct georef utm = GEO;
    unsigned char *inside;
    struct error e = {0};
    utm.crs.epsg = 32633;
    write_text(scratch_file(&dir, "crs.json"),
               "{\"type\":\"Polygon\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
               "\"urn:ogc:def:crs:EPSG::32632\"}},\"coordinates\":[" RING "]}");
    assert_int_equal(outline_read(&inside, scratch_file(&dir, "crs.json"), ROWS, COLS, &utm, &e),
                     ERROR_INPUT);
    assert_non_null(strstr(e.text, "EPSG:32632"));
    utm.crs.epsg = 32632;
    assert_int_equal(outline_read(&inside, scratch_file(&dir, "crs.json"), ROWS, COLS, &utm, &e),
                     0);
    free(inside);
}

static void one_cell(const void *cols, int row, float *out)
{
    for (int col = 0; col < *(const int *)cols; col++) out[col] = row == 2 && col == 3;
}

/* A raster counts in the CRS of the grid; in another one it is refused. */
static void test_raster_of_another_crs(void **state)
{
    const int cols = COLS;
    struct geotiff_layer l = {.rows = ROWS,
                              .cols = COLS,
                              .geo = GEO,
                              .nodata = -9999,
                              .description = "flow",
                              .unit = "",
                              .row = one_cell,
                              .context = &cols};
    struct georef grid = GEO;
    unsigned char *inside;
    struct error e = {0};
    l.geo.crs.epsg = 32633;
    must(geotiff_write(scratch_file(&dir, "flow.tif"), &l, &e), &e);
    for (int epsg = 32632; epsg <= 32633; epsg++) {
        grid.crs.epsg = epsg;
        const int status =
            outline_read(&inside, scratch_file(&dir, "flow.tif"), ROWS, COLS, &grid, &e);
        assert_int_equal(status, epsg == 32633 ? 0 : ERROR_INPUT);
        if (!status) assert_true(inside[2 * COLS + 3]);
        else assert_non_null(strstr(e.text, "is in EPSG:32633, but the grid is in EPSG:32632"));
        free(inside);
    }
}

/* The cell inside of a raster that is written with one, at a time of long ago; 0: now. */
static int cell_inside(const char *path, int cell, time_t written)
{
    const struct timespec then = {.tv_sec = written};
    char text[400] = "ncols 10\nnrows 8\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n";
    unsigned char *inside;
    struct error e = {0};
    for (int i = 0; i < ROWS * COLS; i++) strcat(text, i == cell ? "1 " : "0 ");
    write_text(path, text);
    if (written) utimensat(AT_FDCWD, path, (struct timespec[]){then, then}, 0);
    if (outline_read(&inside, path, ROWS, COLS, &GEO, &e)) fail_msg("%s", e.text);
    const unsigned char *found = memchr(inside, 1, ROWS * COLS);
    assert_non_null(found);
    cell = (int)(found - inside);
    free(inside);
    return cell;
}

static void test_a_raster_is_read_once(void **state)
{
    const char *path = scratch_file(&dir, "outline.asc");
    assert_int_equal(cell_inside(path, 3, 1000000000), 3);
    assert_int_equal(cell_inside(path, 4, 1000000000), 3); /* the file looks as before */
    assert_int_equal(cell_inside(path, 4, 1000000001), 4);
    assert_int_equal(cell_inside(path, 5, 0), 5);
    assert_int_equal(cell_inside(path, 6, 0), 6); /* perhaps in the same moment */
}

/* How much of an outline lies outside the grid. */
static double beyond_m2(const char *path)
{
    unsigned char *inside;
    struct error e = {0};
    double m2 = NAN;
    if (outline_read_beyond(&inside, &m2, path, ROWS, COLS, &GEO, &e)) fail_msg("%s", e.text);
    free(inside);
    return m2;
}

static void test_outlines_beyond_the_grid(void **state)
{
    static const struct {
        const char *polygon;
        double beyond_m2;
    } cases[] = {
        {"[" RING "," HOLE "]", 0},
        {"[[[1000,2000],[1100,2000],[1100,2080],[1000,2080],[1000,2000]]]", 0}, /* all of it */
        {"[[[1090,2070],[1110,2070],[1110,2090],[1090,2090],[1090,2070]]]", 300},
        {"[[[900,1900],[1200,1900],[1200,2200],[900,2200],[900,1900]]]", 300 * 300 - 80 * 100},
        /* with a hole that reaches over the edge */
        {"[[[1000,2000],[1200,2000],[1200,2080],[1000,2080],[1000,2000]],"
         "[[1050,2010],[1150,2010],[1150,2070],[1050,2070],[1050,2010]]]",
         80 * 100 - 60 * 50},
    };
    const char *path = scratch_file(&dir, "beyond.json"),
               *raster = scratch_file(&dir, "beyond.asc");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"type\":\"Polygon\",\"coordinates\":%s}", cases[i].polygon);
        write_text(path, text);
        assert_true(fabs(beyond_m2(path) - cases[i].beyond_m2) < 1e-6);
    }
    /* one that is too large for cells of the grid's size: 100 km, to a thousandth */
    write_text(path, "{\"type\":\"Polygon\",\"coordinates\":[[[1000,2000],[101000,2000],"
                     "[101000,102000],[1000,102000],[1000,2000]]]}");
    assert_true(fabs(beyond_m2(path) / 1e10 - 1) < 1e-3);
    /* cells of 20 m, of which the eastern two columns and the northern row are outside */
    write_text(raster,
               "ncols 7\nnrows 5\nxllcorner 1000\nyllcorner 2000\ncellsize 20\n"
               "1 0 0 0 0 1 0\n0 0 0 0 0 0 0\n0 0 1 1 0 0 0\n0 0 0 0 0 0 1\n1 1 0 0 0 0 0\n");
    assert_true(beyond_m2(raster) == 3 * 400);
}

/* What is cut off at the edge of the terrain makes a run-out a lower bound, and no difference. */
static void test_cut_off(void **state)
{
    double h[ROWS * COLS] = {0}, z[ROWS * COLS];
    unsigned char seen[ROWS * COLS] = {0};
    const struct fit_cell vent = {3, 2};
    for (int i = 0; i < ROWS * COLS; i++) z[i] = 100;
    for (int col = 2; col < 7; col++) h[3 * COLS + col] = 1, seen[3 * COLS + col] = 1;
    const struct fit_input whole = {.rows = ROWS,
                                    .cols = COLS,
                                    .cell_m = 10,
                                    .thickness_m = h,
                                    .observed = seen,
                                    .elevation_m = z,
                                    .vent_count = 1,
                                    .vents = &vent};
    struct sciara_overlap f;
    fit_compute(&f, &whole);
    assert_true(!f.simulated_cut && !f.observed_cut && f.outside_m2 == 0 && f.outside_share == 0);
    assert_true(f.runout_simulated_m == 40 && f.runout_difference_m == 0);

    struct fit_input in = whole;
    in.left_m3 = 0.5;
    fit_compute(&f, &in);
    assert_true(f.simulated_cut && !f.observed_cut && isnan(f.runout_difference_m));

    in = whole;
    in.beyond_m2 = 1500;
    fit_compute(&f, &in);
    assert_true(!f.simulated_cut && f.observed_cut && isnan(f.runout_difference_m));
    assert_true(f.outside_m2 == 1500 && f.outside_share == 0.75);

    in = whole;
    z[3 * COLS + 6] = (double)NAN; /* observed, but there is no terrain */
    fit_compute(&f, &in);
    assert_true(f.observed_cut && f.outside_m2 == 100 && f.outside_share == 0.2);

    /* nobody knows what has left: lava near the edge may have */
    z[3 * COLS + 6] = 100;
    in.left_m3 = (double)NAN;
    fit_compute(&f, &in);
    assert_false(f.simulated_cut);
    h[3 * COLS + COLS - 2] = 1;
    fit_compute(&f, &in);
    assert_true(f.simulated_cut && isnan(f.runout_difference_m));
}

/* Lava leaves from the outermost cells alone: one cell of lava may have been there unless two others lie
 * between it and each edge. */
static void test_every_edge(void **state)
{
    unsigned char seen[ROWS * COLS] = {0};
    int cut = 0;
    for (int cell = 0; cell < ROWS * COLS; cell++) {
        double h[ROWS * COLS] = {0};
        const int row = cell / COLS, col = cell % COLS;
        const int to_edge[] = {row, ROWS - 1 - row, col, COLS - 1 - col};
        int nearest = ROWS;
        for (int k = 0; k < 4; k++) nearest = to_edge[k] < nearest ? to_edge[k] : nearest;
        h[cell] = 1e-300;
        const struct fit_input in = {.rows = ROWS,
                                     .cols = COLS,
                                     .cell_m = 10,
                                     .thickness_m = h,
                                     .observed = seen,
                                     .left_m3 = (double)NAN,
                                     .vent_count = 1,
                                     .vents = &(struct fit_cell){3, 3}};
        struct sciara_overlap f;
        fit_compute(&f, &in);
        assert_int_equal(f.simulated_cut, nearest < 2);
        assert_int_equal(isnan(f.runout_difference_m), nearest < 2);
        assert_true(f.runout_simulated_m == 10 * hypot(row - 3, col - 3));
        cut += f.simulated_cut;
    }
    assert_int_equal(cut, ROWS * COLS - (ROWS - 4) * (COLS - 4));
}

static unsigned draw_number(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

/* Of any cells, with up to three vents, elevations that are equal or missing, and terrain that is known in a
 * window: overlap, volume, the source, run-outs, and what was observed where there is no terrain. */
static void test_any_cells(void **state)
{
    unsigned seed = 3;
    int holes = 0, apart = 0, sources = 0, unknown = 0;
    for (int round = 0; round < 200; round++) {
        double h[ROWS * COLS], z[ROWS * COLS], run[2] = {0}, highest = -INFINITY;
        unsigned char seen[ROWS * COLS];
        struct fit_cell vent[3], source = {0};
        const struct window known = {1, 2, 5, 6};
        struct fit_input in = {.rows = ROWS,
                               .cols = COLS,
                               .cell_m = 10,
                               .thickness_m = h,
                               .observed = seen,
                               .elevation_m = z,
                               .known = round % 2 ? known : (struct window){0},
                               .beyond_m2 = round % 3 ? 0 : 700,
                               .left_m3 = round % 7 < 3    ? 0
                                          : round % 7 == 3 ? NAN
                                                           : 12,
                               .vent_count = round % 4,
                               .vents = vent};
        size_t missing = 0, observed = 0, count[2][2] = {{0}};
        double sum_m = 0;
        struct sciara_overlap f;
        for (int v = 0; v < 3; v++)
            vent[v] = (struct fit_cell){(int)(draw_number(&seed) % ROWS),
                                        (int)(draw_number(&seed) % COLS)};
        for (int i = 0; i < ROWS * COLS; i++) {
            h[i] = draw_number(&seed) % 5 ? 0 : 1 + draw_number(&seed) % 4;
            if (h[i] == 0 && round % 5 == 0) h[i] = NAN;
            seen[i] = draw_number(&seed) % 5 == 0;
            z[i] = draw_number(&seed) % 8 ? 100.0 * (round % 3 - 1) + draw_number(&seed) % 4 : NAN;
            if (round % 40 == 8) z[i] = NAN; /* of all cells */
            const bool in_window = i / COLS >= 1 && i / COLS < 6 && i % COLS >= 2 && i % COLS < 8;
            observed += seen[i];
            count[h[i] > 0][seen[i]]++;
            if (h[i] > 0) sum_m += h[i];
            missing += seen[i] && isnan(z[i]) && (in_window || round % 2 == 0);
            if (!seen[i] || !(z[i] > highest)) continue;
            highest = z[i];
            source = (struct fit_cell){i / COLS, i % COLS};
        }
        for (int i = 0; i < ROWS * COLS; i++) {
            double nearest = INFINITY;
            for (int v = 0; v < in.vent_count || v < 1; v++) {
                const struct fit_cell from = in.vent_count ? vent[v] : source;
                nearest = fmin(nearest, 10 * hypot(i / COLS - from.row, i % COLS - from.col));
            }
            if (h[i] > 0) run[0] = fmax(run[0], nearest);
            if (seen[i]) run[1] = fmax(run[1], nearest);
        }
        memset(&f, 1, sizeof f);
        fit_compute(&f, &in);
        const double both = (double)count[1][1], lava = both + (double)count[1][0],
                     either = lava + (double)count[0][1];
        assert_true(f.both == count[1][1] && f.only_simulated == count[1][0]);
        assert_true(f.only_observed == count[0][1] && f.observed == observed);
        assert_true((double)f.simulated == lava && (double)f.either == either);
        assert_true(f.jaccard == both / either && f.jaccard_root == sqrt(f.jaccard));
        assert_true(f.precision == both / lava && f.recall == both / (double)observed);
        assert_true(f.f1 == 2 * both / (lava + (double)observed));
        assert_true(f.over_m2 == 100.0 * (double)count[1][0] && f.volume_m3 == 100 * sum_m);
        assert_true(f.under_m2 == 100.0 * (double)count[0][1]);
        assert_int_equal(f.runout_known, in.vent_count > 0 || highest > -INFINITY);
        sources += f.runout_known && !in.vent_count;
        unknown += !f.runout_known;
        if (f.runout_known) {
            const double difference = f.runout_simulated_m - f.runout_observed_m;
            assert_true(fabs(f.runout_simulated_m - run[0]) < 1e-9);
            assert_true(fabs(f.runout_observed_m - run[1]) < 1e-9);
            assert_true(f.simulated_cut || f.observed_cut ? isnan(f.runout_difference_m)
                                                          : f.runout_difference_m == difference);
        }
        if (!isnan(in.left_m3)) assert_true(f.simulated_cut == (in.left_m3 > 0));
        assert_true(in.vent_count || !f.runout_known ||
                    (f.source_row == source.row && f.source_col == source.col));
        assert_true(f.outside_m2 == in.beyond_m2 + 100.0 * (double)missing);
        assert_true(f.outside_share == f.outside_m2 / (in.beyond_m2 + 100.0 * (double)observed));
        assert_true(f.observed_cut == (f.outside_m2 > 0));
        holes += missing > 0;
        apart += fabs(run[0] - run[1]) > 1;
    }
    assert_true(holes > 50 && apart > 50 && sources > 30 && unknown > 2);
}

/* S is a row of 6 cells, R a row of 7 that begins two cells further: 4 in both, 9 in either. */
static void test_known_answers(void **state)
{
    double h[ROWS * COLS], z[ROWS * COLS];
    unsigned char seen[ROWS * COLS] = {0};
    for (int i = 0; i < ROWS * COLS; i++) h[i] = i % 2 ? (double)NAN : 0, z[i] = 100 - i;
    for (int col = 0; col < 6; col++) h[3 * COLS + col] = 0.5;
    for (int col = 2; col < 9; col++) seen[3 * COLS + col] = 1;
    const struct fit_cell vent = {3, 0};
    struct fit_input in = {.rows = ROWS,
                           .cols = COLS,
                           .cell_m = 10,
                           .thickness_m = h,
                           .observed = seen,
                           .vent_count = 1,
                           .vents = &vent};
    struct sciara_overlap f;
    fit_compute(&f, &in);
    assert_int_equal(f.simulated, 6);
    assert_int_equal(f.observed, 7);
    assert_int_equal(f.both, 4);
    assert_int_equal(f.either, 9);
    assert_true(f.jaccard == 4.0 / 9 && f.jaccard_root == sqrt(4.0 / 9));
    assert_true(f.precision == 4.0 / 6 && f.recall == 4.0 / 7 && f.f1 == 8.0 / 13);
    assert_true(f.over_m2 == 200 && f.under_m2 == 300 && f.volume_m3 == 300);
    assert_true(f.runout_known && f.runout_simulated_m == 50 && f.runout_observed_m == 80);

    in.vent_count = 0;
    fit_compute(&f, &in);
    assert_false(f.runout_known);
    in.elevation_m = z;
    fit_compute(&f, &in);
    assert_true(f.runout_known && f.source_row == 3 && f.source_col == 2);
    assert_true(f.runout_simulated_m == 30 && f.runout_observed_m == 60);
}

static double number(const cJSON *o, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void test_command(void **state)
{
    int status;
    double h[ROWS * COLS] = {0};
    for (int row = 1; row < 7; row++)
        for (int col = 1; col < 5; col++) h[row * COLS + col] = 0.25 * row;
    const char *lava = scratch_file(&dir, "lava.asc"), *outline = scratch_file(&dir, "ring.json");
    write_grid(lava, ROWS, COLS, h);
    write_text(outline, "{\"type\":\"Polygon\",\"coordinates\":[" RING "," HOLE "]}");

    const char *argv[] = {"fit", lava, outline, "--json", NULL, NULL};
    char *text = capture(&dir, cmd_fit, &status, 4, argv);
    assert_int_equal(status, 0);
    cJSON *o = cJSON_Parse(text);
    assert_non_null(o);
    assert_true(number(o, "simulated_cells") == 24 && number(o, "observed_cells") == 32);
    assert_true(number(o, "both_cells") == 20 && number(o, "either_cells") == 36);
    assert_true(number(o, "volume_m3") == 0.25 * (1 + 2 + 3 + 4 + 5 + 6) * 4 * 100);
    cJSON_Delete(o);
    free(text);

    const char *thin[] = {"fit", lava, outline, "--threshold", "0.3", NULL};
    text = capture(&dir, cmd_fit, &status, 5, thin);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "simulated S                  20 cells"));
    free(text);

    /* a layer in single precision has 0.7 m as a little less */
    for (int i = 0; i < ROWS * COLS; i++) h[i] = h[i] > 0 ? (double)0.7f : 0;
    write_grid(lava, ROWS, COLS, h);
    thin[4] = "0.7";
    text = capture(&dir, cmd_fit, &status, 5, thin);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "simulated S                  24 cells"));
    free(text);

    static const char *const wrong[][5] = {
        {"fit", NULL},
        {"fit", "nowhere.asc", "nothing.json", NULL},
        {"fit", "a", "b", "c", NULL},
        {"fit", "a", "b", "--threshold", "-1"},
        {"fit", "a", "b", "--frob", NULL},
        {"fit", "a", "b", "--dem", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *words[6] = {NULL};
        int argc = 0;
        while (argc < 5 && wrong[i][argc]) words[argc] = wrong[i][argc], argc++;
        text = capture(&dir, cmd_fit, &status, argc, words);
        assert_int_equal(status, ERROR_INPUT);
        assert_true(strchr(text, '\n') == text + strlen(text) - 1);
        free(text);
    }
}

/* A folder with layers of an older run that went further: the summary says which step is meant. */
static void test_older_layers(void **state)
{
    int status;
    double h[ROWS * COLS] = {0};
    const char *run = scratch_file(&dir, "run"), *outline = scratch_file(&dir, "ring.json");
    mkdir(run, 0777);
    write_text(outline, "{\"type\":\"Polygon\",\"coordinates\":[" RING "]}");
    h[22] = h[23] = 1;
    write_grid(scratch_file(&dir, "run/total_thickness_m_000010.tif"), ROWS, COLS, h);
    h[24] = 1;
    write_grid(scratch_file(&dir, "run/total_thickness_m_000020.tif"), ROWS, COLS, h);
    const char *summary = scratch_file(&dir, "run/summary.json");
    const char *argv[] = {"fit", run, outline, "--no-map", NULL};
    static const struct {
        const char *summary, *says;
    } cases[] = {
        {"{}", "simulated S                   3 cells"}, /* no step: the latest */
        {"{\"run\":{\"step\":10}}", "simulated S                   2 cells"},
        {"{\"run\":{\"step\":5}}", "has no layer total_thickness_m_*.tif of the last step"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(summary, cases[i].summary);
        char *text = capture(&dir, cmd_fit, &status, 4, argv);
        if (!strstr(text, cases[i].says)) fail_msg("without \"%s\":\n%s", cases[i].says, text);
        free(text);
    }
}

/* An undeclared mark of no data in the corner of a mask is no lava; alone above 0, or among values like it, it is some. */
static void test_marks_in_a_mask(void **state)
{
    static const struct {
        double inside, corner;
        bool refused;
    } cases[] = {{1, 255, true},    {12.5, 65535, true}, {2.5, 127, false},
                 {255, 255, false}, {200, 255, false},   {1, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double h[ROWS * COLS] = {0};
        unsigned char *inside;
        struct error e = {0};
        const char *path = scratch_file(&dir, "mask.asc");
        h[22] = h[23] = cases[i].inside;
        h[0] = cases[i].corner;
        write_grid(path, ROWS, COLS, h);
        const int status = outline_read(&inside, path, ROWS, COLS, &GEO, &e);
        if (status != (cases[i].refused ? ERROR_INPUT : 0)) fail_msg("%zu: %s", i, e.text);
        if (!status) assert_true(inside[0] && inside[22] && !inside[1]);
        else assert_non_null(strstr(e.text, "mask.asc: 1 cell is "));
        free(inside);
    }
}

/* Without an outline on the command line the one of the case counts, which the summary names. */
static void test_outline_of_the_case(void **state)
{
    int status;
    double h[ROWS * COLS] = {0};
    char summary[700];
    const char *run = scratch_file(&dir, "run"), *outline = scratch_file(&dir, "ring.json");
    mkdir(run, 0777);
    write_text(outline, "{\"type\":\"Polygon\",\"coordinates\":[" RING "]}");
    h[22] = h[23] = 1;
    write_grid(scratch_file(&dir, "run/total_thickness_m_000010.tif"), ROWS, COLS, h);
    const char *argv[] = {"fit", run, "--no-map", "--json", NULL};
    static const struct {
        const char *before, *after, *says;
        bool named;
    } cases[] = {
        {"{\"case\":{\"outline\":\"", "\"}}", "\"both_cells\":\t", true},
        {"{\"case\":{\"title\":\"", "\"}}", "its case has no outline; add one", false},
        {"{\"kind\":\"ensemble\",\"case\":{\"outline\":\"", "\"}}",
         "the folder has no forecast (kind: ensemble); name a run", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(summary, sizeof summary, "%s%s%s", cases[i].before, outline, cases[i].after);
        write_text(scratch_file(&dir, "run/summary.json"), summary);
        char *text = capture(&dir, cmd_fit, &status, 4, argv);
        assert_int_equal(status, cases[i].named ? 0 : ERROR_INPUT);
        if (!strstr(text, cases[i].says)) fail_msg("without \"%s\":\n%s", cases[i].says, text);
        assert_true(!cases[i].named || strstr(text, outline));
        free(text);
    }
}

/* The figures that the papers' measures give for the published run of Etna 2006. */
static void test_etna_2006(void **state)
{
    const char *folder = etna_folder();
    double *golden = golden_read(folder, 16000);
    if (!golden) skip();
    int status;
    char outline[512];
    const char *path = scratch_file(&dir, "total.asc");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 499547.5\nyllcorner 4174982.5\ncellsize 10\n",
            GOLDEN_COLS, GOLDEN_ROWS);
    fprintf(f, "NODATA_value 0\n");
    for (int i = 0; i < GOLDEN_CELLS; i++)
        fprintf(f, "%.17g%c", golden[GOLDEN_CELLS + i] + golden[3 * GOLDEN_CELLS + i],
                (i + 1) % GOLDEN_COLS ? ' ' : '\n');
    fclose(f);
    free(golden);
    snprintf(outline, sizeof outline, "%s/2006_000000000000_RealEvent.asc", folder);
    const char *argv[] = {"fit", path, outline, "--no-map", NULL};
    char *text = capture(&dir, cmd_fit, &status, 4, argv);
    assert_int_equal(status, 0);
    /* 9831, and a cell of 1e-313 m on the south edge: the golden state has it */
    assert_non_null(strstr(text, "simulated S                9832 cells"));
    assert_non_null(strstr(text, "observed R                 6585 cells"));
    assert_non_null(strstr(text, "overlap J (e1)            0.526"));
    assert_non_null(strstr(text, "sqrt(J)                   0.725"));
    free(text);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_polygon_with_hole,
                       test_collections, test_edges, test_neighbours_share_no_cell,
                       test_outlines_refused, test_raster_of_another_crs, test_marks_in_a_mask,
                       test_a_raster_is_read_once, test_outlines_beyond_the_grid, test_cut_off,
                       test_every_edge, test_any_cells, test_known_answers, test_command,
                       test_older_layers, test_outline_of_the_case, test_etna_2006);
}
