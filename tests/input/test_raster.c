/* Reading rasters: Arc/Info ASCII grids in all their odd forms and each malformed one; when two
 * rasters are of one grid. */
/* tests: input/raster */
/* run: quick */
#include <locale.h>

#include "raster/marks.h"
#include "raster_checks.h"
#include "folder.h"

/* ---- Arc/Info ASCII -------------------------------------------------------------------------- */

#define PLACE "xllcorner 1000.5\nyllcorner 2000\ncellsize 10\n"
#define HEAD  "ncols 3\nnrows 2\n" PLACE
#define ROWS2 "1 2 3\n4 -9999 6.5\n"

static void ascii_odd_forms(void **state)
{
    static const char *const texts[] = {
        HEAD ROWS2,
        HEAD "NODATA_value -9999\n" ROWS2,
        "ncols\t\t3\r\nnrows\t\t2\r\nxllcorner\t1000.5\r\nyllcorner\t2000\r\ncellsize\t10.0\r\n"
        "NODATA_value\t-9999.0\r\n1  2  3  \r\n4  -9999.000000  6.50  \r\n",
        "NODATA_VALUE -9999\nCELLSIZE 1e1\nYLLCORNER 2e3\nXllCorner +1000.5\nNRows 2\nNCOLS "
        "3\n" ROWS2,
        "ncols 3\nnrows 2\nxllcenter 1005.5\nyllcenter 2005\ncellsize 10\n" ROWS2,
        "ncols 3\nnrows 2\nxllcenter 1005.5\nyllcorner 2000\ndx 10\ndy 10.000000001\n" ROWS2,
        HEAD "1 2 3 4 -9999 6.5",                   /* all on one line, none behind it */
        HEAD "\n\n 1\n2\n3 4\n-9999\n\t6.5\n\n \n", /* wrapped anyhow */
        "\xef\xbb\xbf" HEAD ROWS2,
        HEAD "NODATA_value 7\n1. 2.0E0 .3e1\n+4 nan 65e-1\n",
        HEAD "NODATA_value nan\n1 2 3 4 NaN 6.5\n",
        HEAD "nodata_value 2.5\n1 2 3 4 2.5 6.5000000000000000000000000000001\n",
    };
    static const double expect[] = {1, 2, 3, 4, NAN, 6.5};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct raster r;
        put_bytes(scratch_file(&dir, "a.asc"), texts[i], strlen(texts[i]));
        must_read(&r, scratch_file(&dir, "a.asc"));
        assert_int_equal(r.rows, 2);
        assert_int_equal(r.cols, 3);
        assert_int_equal(r.missing, 1);
        for (int k = 0; k < 6; k++) assert_true(same_bits(r.value[k], expect[k]));
        assert_true(r.geo.west_m == 1000.5 && r.geo.south_m == 2000 && r.geo.cell_m == 10);
        assert_true(r.geo.crs.epsg == 0 && r.geo.crs.key_count == 0 && r.geo.crs.unit_m == 1);
        assert_string_equal(r.terrain_source, "");
        raster_free(&r);
        assert_null(r.value);
    }
}

static void ascii_refusals(void **state)
{
    static const struct {
        const char *text, *what;
    } bad[] = {
        {"", ": the file is empty"},
        {"\n\n", "neither a GeoTIFF nor"},
        {"1 2 3\n", "neither a GeoTIFF nor"},
        {"\x89PNG\r\n", "neither a GeoTIFF nor"},
        {"hello world\n", ":1: unknown key 'hello'"},
        {"vent,row,col\n1,2,3\n", "it looks like a CSV table"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\ncolour 1\n1 2 3 4 5 6\n",
         ":6: unknown key 'colour'"},
        {"ncols 3\nncols 3\n", ":2: ncols was given on line 1 already"},
        {"ncols\n3\n", ":1: ncols has no value"},
        {"ncols 3x\n", ":1: ncols '3x' is not a number"},
        {"ncols 0x10\n", ":1: ncols '0x10' is not a number"},
        {"ncols 3 4\n", ":1: unexpected '4' after the value of ncols"},
        {"ncols 3,5\n", ":1: ncols '3,5' is not a number"},
        {"ncols 2.5\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is 2.5; it has to be a whole number"},
        {"ncols -3\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is -3"},
        {"ncols 0\nnrows 2\n" PLACE "1 2 3 4\n", ":1: ncols is 0"},
        {"ncols nan\nnrows 2\n" PLACE "1 2\n", ":1: ncols is not a number (nan)"},
        {"ncols 1e999\nnrows 2\n" PLACE "1 2\n", ":1: ncols '1e999' is infinite"},
        {"ncols 3\n" PLACE ROWS2, "ends without nrows"},
        {"nrows 2\n" PLACE ROWS2, "ends without ncols"},
        {"ncols 3\nnrows 2\nyllcorner 0\ncellsize 1\n" ROWS2,
         ":5: the header ends without xllcorner"},
        {"ncols 3\nnrows 2\nxllcorner 0\ncellsize 1\n" ROWS2, "ends without yllcorner"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\n" ROWS2, "ends without cellsize"},
        {HEAD "xllcenter 5\n" ROWS2, ":6: both xllcorner and xllcenter are given"},
        {HEAD "dx 10\n" ROWS2, ":6: both cellsize and dx are given"},
        {HEAD "dy 10\n" ROWS2, ":6: dy needs dx and"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\ndy 2\n" ROWS2,
         ":6: dx is 1 and dy is 2"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\n" ROWS2, ":5: dx needs dy and"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n" ROWS2, ":5: cellsize is 0"},
        {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize -1\n" ROWS2, ":5: cellsize is -1"},
        {HEAD "1 2 3\n4 5\n", ":8: ends before it has 6 values"},
        {HEAD "1 2\n4 5 6\n", ": line 6 has 2"},
        {HEAD, "too short for nrows x ncols = 6 values"},
        {HEAD "1 2 3\n4 5 6 7\n", ":7: continues after 6 values"},
        {HEAD "1 2 3 9\n4 5 6\n", ": line 6 has 4"},
        {HEAD "1 2 3\n4 5 6\nend\n", ":8: continues after 6 values"},
        {HEAD "1 2 3\n4 5x 6\n", ":7: value '5x' is not a number"},
        {HEAD "1 2 3\n4 -- 6\n", ":7: value '--' is not a number"},
        {HEAD "1 2 3\n4 1,5 6\n", ":7: value '1,5' is not a number"},
        {HEAD "1 2 3\n4 1d5 6\n", ":7: value '1d5' is not a number"},
        {HEAD "1 2 3\n4 . 6\n", ":7: value '.' is not a number"},
        {HEAD "1 2 3\n4 5e 6\n", ":7: value '5e' is not a number"},
        {HEAD "1 2 3\n4 inf 6\n", ":7: value 'inf' is infinite"},
        {HEAD "1 2 3\n4 1e400 6\n", ":7: value '1e400' is infinite"},
        {HEAD "1 2 3\n4 \x01 6\n", ":7: value '?' is not a number"},
        {"ncols 2000000000\nnrows 2000000000\n" PLACE "1 2 3\n", "GiB of memory"},
        {"ncols 1e30\nnrows 1\n" PLACE "1 2 3\n", "at most 2147483647 rows and columns"},
        {"ncols 10000\nnrows 10000\n" PLACE "1 2 3\n", "too short for nrows x ncols"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_bytes(scratch_file(&dir, "bad.asc"), bad[i].text, strlen(bad[i].text));
        assert_refused(scratch_file(&dir, "bad.asc"), 0, bad[i].what);
    }
    put_bytes(scratch_file(&dir, "nul.asc"), HEAD "1 2 3 4 5 \0 6",
              sizeof(HEAD "1 2 3 4 5 \0 6") - 1);
    assert_refused(scratch_file(&dir, "nul.asc"), 0, ":6: value '?' is not a number");
    put_bytes(scratch_file(&dir, "good.asc"), HEAD ROWS2, strlen(HEAD ROWS2));
    assert_refused(scratch_file(&dir, "good.asc"), 5, "cells need about 0.0 GiB");
    assert_refused(scratch_file(&dir, "none.asc"), 0, "cannot be opened: No such file");
    assert_refused(dir.path, 0, "not a regular file");
    if (mkfifo(scratch_file(&dir, "pipe"), 0600)) abort();
    assert_refused(scratch_file(&dir, "pipe"), 0, "not a regular file");
}

/* Whatever printf can print is read as strtod would read it, also where the comma is the point. */
static void ascii_numbers(void **state)
{
    enum { N = 20000 };
    static const char *const formats[] = {"%.17g ", "%f ",   "%.3e\n", "%.9g\t",
                                          "%.25f ", "%.0f ", "%.16g ", "%.13f "};
    uint64_t seed = 2006;
    struct raster r;
    double *expect = malloc(N * sizeof *expect);

    FILE *f = fopen(scratch_file(&dir, "n.asc"), "wb");
    if (!f || !expect) abort();
    fprintf(f, "ncols %d\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value -1e300\n", N);
    for (int i = 0; i < N; i++) {
        char text[512];
        const double scale = pow(10, (double)(next(&seed) % 41) - 20);
        const double v = ((double)next(&seed) / 9007199254740992.0 * 2 - 1) * scale;
        snprintf(text, sizeof text, formats[next(&seed) % 8], v);
        expect[i] = strtod(text, NULL);
        fputs(text, f);
    }
    if (fclose(f)) abort();
    const bool comma = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "de_DE");
    if (!comma) print_message("no locale with a decimal comma here: tested in C's alone\n");
    must_read(&r, scratch_file(&dir, "n.asc"));
    setlocale(LC_ALL, "C");
    for (int i = 0; i < N; i++) assert_true(same_bits(r.value[i], expect[i]));
    raster_free(&r);
    free(expect);
}

static void the_real_terrain(void **state)
{
    char path[512];
    struct raster r;

    if (!etna_folder()) {
        print_message("ETNA2006_DIR is not set: skipped\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/2006_000000000000_Morphology.asc", etna_folder());
    must_read(&r, path);
    assert_int_equal(r.rows, GOLDEN_ROWS);
    assert_int_equal(r.cols, GOLDEN_COLS);
    assert_int_equal(r.missing, 0);
    assert_true(r.geo.west_m == 499547.5 && r.geo.south_m == 4174982.5 && r.geo.cell_m == 10);
    assert_true(r.value[0] == 3298);
    raster_free(&r);
}

static void same_grid(void **state)
{
    const struct raster a = {.rows = 100, .cols = 200, .geo = {1000, 2000, 10, {.epsg = 0}}};
    struct raster b = a;
    struct error e = {0};

    assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), 0);
    b.geo.west_m += 0.009;
    b.geo.south_m -= 0.009;
    b.geo.cell_m += 0.00004;
    assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), 0);
    for (int i = 0; i < 5; i++) {
        b = a;
        if (i == 0) b.rows++;
        if (i == 1) b.cols--;
        if (i == 2) b.geo.west_m += 0.02;
        if (i == 3) b.geo.south_m += 5;
        if (i == 4) b.geo.cell_m += 0.001;
        assert_int_equal(raster_same_grid(&a, "a.tif", &b, "b.tif", &e), ERROR_INPUT);
        assert_non_null(strstr(e.text, "a.tif"));
        assert_non_null(strstr(e.text, "b.tif"));
        assert_non_null(strstr(e.text, i < 2 ? "rows" : i < 4 ? "corner" : "cells of"));
        assert_null(strchr(e.text, '\n'));
    }
    raster_free(NULL);
    raster_free(&(struct raster){0});
}

/* A mark is far from all heights: farther than two neighbouring cells can be apart. */
static void marks(void **state)
{
    static const double none = (double)NAN;
    static const struct {
        double value[4], ratio, cell_m, mark;
        bool any;
    } cases[] = {
        {{9999, 9700, 9600, 9500}, 1, 100, 9999, false},
        {{9999, 9700, 9600, 9500}, 1, 150, none, false},
        {{9999, 9700, 9600, 9500}, 0.3, 10, none, false}, /* 89.7 m */
        {{9998, 9700, 9600, 9500}, 1, 100, none, true},
        {{-999, 1, 2, 3}, 1, 100, -999, false},
        {{0, 0, 300, 310}, 1, 100, 0, true},
        {{0, 0, 300, 310}, 1, 100, none, false},
        {{0, 0, 300, 310}, 1, 150, none, true},
        {{0, 300, 305, 310}, 1, 100, none, true}, /* a lake has more cells */
        {{-4321, -4321, 500, 900}, 1, 100, -4321, true},
        {{-4321, -4321, 500, 900}, 1, 2500, none, true},
        {{-4321, -4300, 500, 900}, 1, 100, none, true},
        {{-4321, -4321, 500, 5400}, 1, 100, none, true}, /* heights are as far apart */
        {{-400, -400, 500, 510}, 1, 100, none, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turn = 0; turn < 4; turn++) { /* in any order */
            struct raster_marks m = RASTER_MARKS_NONE;
            for (int k = 0; k < 4; k++) raster_marks_add(&m, &cases[i].value[(k + turn) % 4], 1);
            const struct raster_extreme *x =
                raster_marks_find(&m, cases[i].ratio, cases[i].cell_m, cases[i].any);
            if (!same_bits(x ? x->value : none, cases[i].mark)) fail_msg("%zu, %d", i, turn);
            if (x) assert_int_equal(x->cells, cases[i].value[1] == x->value ? 2 : 1);
        }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, ascii_odd_forms, ascii_refusals,
                       ascii_numbers, the_real_terrain, same_grid, marks);
}
