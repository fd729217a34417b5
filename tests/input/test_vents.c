/* Vents: points and fissures, in rows and columns or map coordinates. */
/* tests: input/eruption */
/* run: quick */
#include "eruption/vents.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_files.h"
#include "unit.h"

enum { ROWS = 23, COLS = 31 };

struct world {
    struct scratch s;
    struct georef geo;
    double z[ROWS * COLS];
    struct vent_ground ground;
    struct vent_sites sites;
    struct error e;
};

static void world_create(struct world *w)
{
    memset(w, 0, sizeof *w);
    scratch_create(&w->s);
    w->geo.west_m = 499547.5;
    w->geo.south_m = 4174982.5;
    w->geo.cell_m = 10;
    w->ground = (struct vent_ground){ROWS, COLS, &w->geo, w->z, NULL, NULL};
}

static int read_vents(struct world *w, const char *text)
{
    put_text(&w->s, "vents.csv", text);
    return vents_read(&w->sites, scratch_file(&w->s, "vents.csv"), &w->ground, &w->e);
}

static void world_free(struct world *w)
{
    vents_free(&w->sites);
    scratch_remove(&w->s);
}

static bool has_cell(const struct vent_site *site, int row, int col)
{
    for (int i = 0; i < site->count; i++)
        if (site->cell[i].row == row && site->cell[i].col == col) return true;
    return false;
}

static void test_points(void **state)
{
    struct world w;
    world_create(&w);
    /* quotes, CRLF, blank lines, comments, other columns, ids out of order, a second point of 5 */
    assert_int_equal(read_vents(&w, "\xef\xbb\xbfname, \"Row\" ,VENT,col\r\n\r\n# a comment\r\n"
                                    "\"upper, \"\"north\"\"\",3,\"7\",4\r\n,0,5,0\r\n,22,6,30"),
                     0);
    assert_int_equal(w.sites.count, 3);
    assert_int_equal(w.sites.site[0].id, 5);
    assert_int_equal(w.sites.site[1].id, 6);
    assert_int_equal(w.sites.site[2].id, 7);
    assert_int_equal(w.sites.site[2].line, 4);
    assert_int_equal(w.sites.site[2].count, 1);
    assert_int_equal(w.sites.site[2].shares, 1);
    assert_true(has_cell(&w.sites.site[2], 3, 4));
    assert_true(has_cell(&w.sites.site[0], 0, 0));
    assert_true(has_cell(&w.sites.site[1], 22, 30));
    world_free(&w);
}

static void test_map_coordinates(void **state)
{
    struct world w;
    world_create(&w);
    /* a corner belongs to the cell north-east of it */
    assert_int_equal(read_vents(&w, "vent,x,y\n1,499547.5,4174982.5\n2,499557.5,4174992.5\n"
                                    "3,499562.4,4175212.4\n"),
                     0);
    assert_true(has_cell(&w.sites.site[0], ROWS - 1, 0));
    assert_true(has_cell(&w.sites.site[1], ROWS - 2, 1));
    assert_true(has_cell(&w.sites.site[2], 0, 1));
    world_free(&w);
}

/* Columns that nobody asked for may have any name. */
static void test_other_columns(void **state)
{
    struct world w;
    world_create(&w);
    assert_int_equal(read_vents(&w, "x,vent,row,col\nnorth,1,2,3\n"), 0);
    assert_true(has_cell(&w.sites.site[0], 2, 3));
    world_free(&w);
}

/* Length of the part of the segment within a cell (closed), in cells; -1: it does not touch it. */
static double length_within(double x0, double y0, double x1, double y1, int i, int j)
{
    double from = 0, to = 1, d[2] = {x1 - x0, y1 - y0}, p[2] = {x0 - i, y0 - j};
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0) {
            if (p[k] < 0 || p[k] > 1) return -1;
            continue;
        }
        double a = -p[k] / d[k], b = (1 - p[k]) / d[k];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from > to ? -1 : (to - from) * hypot(d[0], d[1]);
}

static double random_place(uint64_t *seed, int cells, bool centres)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double x = (double)(*seed >> 33) / 2147483648.0 * cells;
    return centres ? floor(x) + 0.5 : x;
}

/* A fissure has the cells that its line goes through, and no other; both ways round. */
static void test_fissures_cross(void **state)
{
    uint64_t seed = 2006;
    int cells = 0;
    for (int round = 0; round < 400; round++) {
        struct world w;
        char text[256];
        bool centres = round % 2;
        world_create(&w);
        w.geo = (struct georef){.cell_m = 1}; /* map coordinates are cells */
        double x0 = random_place(&seed, COLS, centres), y0 = random_place(&seed, ROWS, centres);
        double x1 = random_place(&seed, COLS, centres), y1 = random_place(&seed, ROWS, centres);
        snprintf(text, sizeof text,
                 "vent,x,y\n1,%.17g,%.17g\n1,%.17g,%.17g\n2,%.17g,%.17g\n2,%.17g,%.17g\n", x0, y0,
                 x1, y1, x1, y1, x0, y0);
        assert_int_equal(read_vents(&w, text), 0);
        const struct vent_site *there = &w.sites.site[0], *back = &w.sites.site[1];
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLS; i++) {
                double length = length_within(x0, y0, x1, y1, i, j);
                bool in = has_cell(there, ROWS - 1 - j, i);
                if (length > 1e-9) assert_true(in);
                if (length < 0) assert_false(in);
            }
        assert_int_equal(there->count, back->count);
        assert_memory_equal(there->cell, back->cell, (size_t)there->count * sizeof *there->cell);
        assert_int_equal(there->shares, there->count);
        cells += there->count;
        world_free(&w);
    }
    assert_true(cells > 400 * 10); /* these were long lines */
}

/* Cells that a line crosses twice count once; a diagonal goes over the corners. */
static void test_polyline(void **state)
{
    struct world w;
    world_create(&w);
    assert_int_equal(read_vents(&w, "vent,row,col\n4,2,2\n4,2,6\n4,2,3\n4,6,7\n4,6,7\n"), 0);
    assert_int_equal(w.sites.site[0].count, 9);
    for (int i = 0; i < 5; i++) assert_true(has_cell(&w.sites.site[0], 2, 2 + i));
    for (int i = 1; i < 5; i++) assert_true(has_cell(&w.sites.site[0], 2 + i, 3 + i));
    world_free(&w);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        {"", "vents.csv: ", "empty"},
        {"# only a comment\n", "vents.csv: ", "empty"},
        {"vent,row,col\n", "vents.csv: ", "no vent"},
        {"1,2,3\n", "vents.csv:1: ", "vent,x,y"},
        {"id,row,col\n1,2,3\n", "vents.csv:1: ", "vent,x,y"},
        {"vent,row\n1,2\n", "vents.csv:1: ", "vent,x,y"},
        {"vent,row,col,x,y\n1,2,3,4,5\n", "vents.csv:1: ", "vent,x,y"},
        {"vent,row,col\n1,2\n", "vents.csv:2: ", "2 cells"},
        {"vent,row,col\n\n1,2,3,4\n", "vents.csv:3: ", "4 cells"},
        {"vent,row,col\n1,2,3.5\n", "vents.csv:2: ", "whole number"},
        {"vent,row,col\n0,2,3\n", "vents.csv:2: ", "whole number from 1"},
        {"vent,row,col\n-1,2,3\n", "vents.csv:2: ", "whole number from 1"},
        {"vent,row,col\none,2,3\n", "vents.csv:2: ", "whole number"},
        {"vent,row,col\n99999999999,2,3\n", "vents.csv:2: ", "whole number"},
        {"vent,row,col\n1,,3\n", "vents.csv:2: ", "whole number"},
        {"vent,row,col\n1,-1,3\n", "vents.csv:2: ", "outside"},
        {"vent,row,col\n1,2,3\n2,23,3\n", "vents.csv:3: ", "outside"},
        {"vent,row,col\n1,2,31\n", "vents.csv:2: ", "outside"},
        {"vent,row,col\n1,99999999999,3\n", "vents.csv:2: ", "whole number"},
        {"vent,x,y\n1,499547.4,4175000\n", "vents.csv:2: ", "outside"},
        {"vent,x,y\n1,499600,4175212.5\n", "vents.csv:2: ", "outside"},
        {"vent,x,y\n1,499857.5,4175000\n", "vents.csv:2: ", "outside"},
        {"vent,x,y\n1,14.9,37.7\n", "vents.csv:2: ", "outside"},
        {"vent,x,y\n1,4175000,499600\n", "vents.csv:2: ", "x and y are swapped"},
        {"vent,x,y\n1,499600,5,4175000,5\n", "vents.csv:2: ", "numbers with a point"},
        {"vent,x,y\n1,\"499600,5\",4175000\n", "vents.csv:2: ", "a point in place of the comma"},
        {"vent,x,y\n1,nan,37.7\n", "vents.csv:2: ", "finite"},
        {"vent,x,y\n1,499600,inf\n", "vents.csv:2: ", "finite"},
        {"vent,x,y\n1,499600,1e400\n", "vents.csv:2: ", "finite"},
        {"vent,x,y\n1,499600 m,4175000\n", "vents.csv:2: ", "finite"},
        {"vent,lon,lat\n1,14.9,37.7\n", "vents.csv:1: ", "names no CRS"},
        {"vent,lon,y\n1,14.9,37.7\n", "vents.csv:1: ", "vent,lon,lat"},
        {"vent,lon,lat,row,col\n1,15,37,3,4\n", "vents.csv:1: ", "vent,lon,lat"},
        {"vent,x,y,part\n1,499600,4175000,a\n", "vents.csv:2: ", "whole number"},
        {"vent,row,col\n\"1,2,3\n", "vents.csv:2: ", "quote"},
        {"vent,row,col\n\"1\"x,2,3\n", "vents.csv:2: ", "quote"},
        {"vent,row,col\n1,10,15\n", "vents.csv:2: ", "no data"},
        {"vent,row,col\n1,10,10\n1,10,20\n", "vents.csv:3: ", "row 10, column 15"},
    };
    struct world w;
    world_create(&w);
    w.z[10 * COLS + 15] = NAN;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int status = read_vents(&w, bad[i].text);
        if (status != ERROR_INPUT || !strstr(w.e.text, bad[i].where) ||
            !strstr(w.e.text, bad[i].what) || strchr(w.e.text, '\n') || w.sites.site)
            fail_msg("%s gave %d: %s", bad[i].text, status, w.e.text);
    }
    world_free(&w);
}

/* Two cells of one vent that no line joins, and one that it does; degrees are tested with GDAL. */
static void test_parts(void **state)
{
    struct world w;
    world_create(&w);
    assert_int_equal(read_vents(&w, "part,vent,row,col\n1,1,2,2\n2,1,2,9\n2,1,2,7\n1,5,4,4\n"), 0);
    assert_int_equal(w.sites.count, 2);
    assert_int_equal(w.sites.site[0].count, 4);
    const int cols[] = {2, 7, 8, 9};
    for (int i = 0; i < 4; i++) assert_int_equal(w.sites.site[0].cell[i].col, cols[i]);
    vents_free(&w.sites);
    world_free(&w);
}

/* A table that has metres and degrees means its metres, in any order of the columns. Those of half a place mean none. */
static void test_two_kinds_of_place(void **state)
{
    static const char *const texts[] = {"vent,x,y,lon,lat\n1,499600,4175000,7,8\n",
                                        "vent,lat,lon,y,x\n1,7,8,4175000,499600\n"};
    struct world w;
    world_create(&w);
    for (int i = 0; i < 2; i++) {
        if (read_vents(&w, texts[i])) fail_msg("%s", w.e.text);
        assert_int_equal(w.sites.site[0].count, 1);
        assert_true(has_cell(&w.sites.site[0], ROWS - 2, 5));
        vents_free(&w.sites);
    }
    assert_int_equal(read_vents(&w, "vent,x,lon,lat\n1,499600,7,8\n"), ERROR_INPUT);
    assert_non_null(strstr(w.e.text, "names no CRS"));
    world_free(&w);
}

/* Longitudes and latitudes that are none, or none of this terrain. */
static void test_degrees_refused(void **state)
{
    static const char *const bad[][2] = {
        {"vent,lon,lat\n1,15,nan\n", "finite"},
        {"vent,lon,lat\n1,15,90\n", "is a pole"},
        {"vent,lon,lat\n1,37.7,151\n", "is not a longitude and a latitude"},
        {"vent,lon,lat\n1,37.7,15\n", "outside the DEM"},
        {"vent,lon,lat\n1,37.722982,14.996596\n", "the two are swapped"},
        {"vent,lon,lat\n1,37.9,15.3\n", "the two seem to be swapped"},
        {"vent,lon,lat\n1,15.3,37.9\n", "correct longitude and latitude"},
        {"vent,Longitude,Latitude\n1,105.1,0.1\n", "too far away"},
    };
    struct world w;
    world_create(&w);
    w.geo.crs = (struct crs){.epsg = 32633, .unit_m = 1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_vents(&w, bad[i][0]), ERROR_INPUT);
        assert_non_null(strstr(w.e.text, "vents.csv:2: "));
        if (!strstr(w.e.text, bad[i][1])) fail_msg("%s", w.e.text);
    }
    world_free(&w);
}

static void test_too_many(void **state)
{
    struct world w;
    world_create(&w);
    char *text = malloc(1 << 20), *at = text + sprintf(text, "vent,row,col\n");
    for (int i = 1; i <= VENTS_MAX + 1; i++) at += sprintf(at, "%d,1,1\n", i);
    assert_int_equal(read_vents(&w, text), ERROR_INPUT);
    assert_non_null(strstr(w.e.text, "more than 10000 vents"));
    at = text + sprintf(text, "vent,row,col\n"); /* to and fro: few cells, many crossings */
    for (int i = 0; i < 40000; i++) at += sprintf(at, "1,1,%d\n", i % 2 ? 0 : COLS - 1);
    assert_int_equal(read_vents(&w, text), ERROR_INPUT);
    assert_non_null(strstr(w.e.text, "too many points"));
    free(text);
    world_free(&w);
}

/* The square of the distance in cells to the nearest cell that the vent had. */
static int apart(const struct vent_cell *own, int count, int row, int col)
{
    int least = INT32_MAX;
    for (int i = 0; i < count; i++) {
        const int r = own[i].row - row, c = own[i].col - col;
        if (r * r + c * c < least) least = r * r + c * c;
    }
    return least;
}

/* Rings around the vent's own cells, all of the ground there, until there are enough or the radius ends: counted
 * cell by cell over the whole grid. */
static void check_spread(struct world *w, const char *text, int cells, double radius_cells)
{
    struct vent_cell own[ROWS];
    assert_int_equal(read_vents(w, text), 0);
    struct vent_site *site = &w->sites.site[0];
    const int count = site->count;
    memcpy(own, site->cell, (size_t)count * sizeof *own);
    int last = 0, wanted = 0, grown = 0;
    for (int ring = 0; ring <= radius_cells * radius_cells && wanted < cells; ring++)
        for (int i = 0; i < ROWS * COLS; i++)
            if (apart(own, count, i / COLS, i % COLS) == ring && !isnan(w->z[i])) {
                wanted++;
                last = ring;
            }
    assert_int_equal(vent_site_spread(&w->sites, site, cells, radius_cells, &w->ground, &w->e), 0);
    assert_int_equal(vent_sites_finish(&w->sites, &w->e), 0);
    assert_int_equal(site->count, wanted);
    assert_int_equal(site->shares, wanted);
    for (int i = 0; i < ROWS * COLS; i++) {
        const int ring = apart(own, count, i / COLS, i % COLS);
        assert_true(has_cell(site, i / COLS, i % COLS) == (ring <= last && !isnan(w->z[i])));
        grown += ring <= last && ring > 0;
    }
    assert_true((grown > 0) == (cells > count && radius_cells >= 1));
    vents_free(&w->sites);
}

static void test_spread(void **state)
{
    struct world w;
    world_create(&w);
    for (int i = 0; i < ROWS * COLS; i += 7) w.z[i] = NAN;
    w.z[11 * COLS + 15] = w.z[0] = w.z[12 * COLS + 25] = w.z[10 * COLS + 20] = 1;
    for (int col = 20; col < 26; col++) w.z[11 * COLS + col] = w.z[10 * COLS + col] = 1;
    for (int cells = 1; cells < 80; cells += 1 + cells / 5)
        for (double radius = 0; radius < 9; radius += 0.9) {
            check_spread(&w, "vent,row,col\n1,11,15\n", cells, radius);
            check_spread(&w, "vent,row,col\n1,0,0\n", cells, radius); /* at the edge */
            check_spread(&w, "vent,row,col\n1,10,20\n1,11,25\n", cells, radius);
        }
    world_free(&w);
}

int main(void)
{
    return UNIT_RUN(test_points, test_map_coordinates, test_other_columns, test_polyline,
                    test_fissures_cross, test_refusals, test_parts, test_two_kinds_of_place,
                    test_degrees_refused, test_too_many, test_spread);
}
