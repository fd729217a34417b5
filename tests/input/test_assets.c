/* Places of interest: points, lines and areas as cells of the grid, and what is refused. */
/* tests: input/case, input/vector */
#include "case/assets.h"
#include "eruption/vents.h"
#include "folder.h"
#include "raster/raster.h"
#include "unit.h"

#include <math.h>

static struct assets read_places(struct scratch *s, const char *features)
{
    const struct georef geo = {.west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};
    struct assets a;
    struct error e = {0};
    const char *path = scratch_file(s, "a.json");
    write_text(path, features);
    assert_int_equal(assets_read(&a, path, 8, 10, &geo, &e), 0);
    return a;
}

static void places_become_cells(void **state)
{
    /* along the diagonal from south-west to north-east, through corners, and level */
    struct assets a = read_places(
        &dir, "{\"type\":\"FeatureCollection\",\"features\":["
              "{\"type\":\"Feature\",\"properties\":null,\"geometry\":"
              "{\"type\":\"LineString\",\"coordinates\":[[5,5],[45,25]]}},"
              "{\"type\":\"Feature\",\"id\":\"area\",\"properties\":{},\"geometry\":"
              "{\"type\":\"Polygon\",\"coordinates\":[[[20,20],[50,20],[50,40],[20,40],[20,20]]]}},"
              "{\"type\":\"Feature\",\"geometry\":"
              "{\"type\":\"Polygon\",\"coordinates\":[[[61,61],[62,61],[62,62],[61,61]]]}},"
              "{\"type\":\"Feature\",\"geometry\":"
              "{\"type\":\"MultiPoint\",\"coordinates\":[[1,79],[99,1],[500,500]]}},"
              "{\"type\":\"LineString\",\"coordinates\":[[-100,35],[1000,35]]},"
              /* edges and corners of cells; a name of 61 bytes, whose last character is cut */
              "{\"type\":\"Point\",\"coordinates\":[0,0]},"
              "{\"type\":\"Feature\",\"properties\":{\"name\":"
              "\"a\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
              "\u00e9\u00e9"
              "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
              "\u00e9\"},"
              "\"geometry\":{\"type\":\"Point\",\"coordinates\":[20,40]}},"
              "{\"type\":\"Point\",\"coordinates\":[100,80]}]}");
    assert_int_equal(a.count, 7); /* not that on the north-eastern corner */
    assert_true(a.asset[5].cells == 1 && a.asset[5].cell[0] == 70);
    assert_true(a.asset[6].cells == 1 && a.asset[6].cell[0] == 32);
    assert_int_equal(strlen(a.asset[6].name), 59);
    assert_null(strchr(a.asset[6].name, '?'));
    static const uint32_t line[] = {53, 54, 61, 62, 63, 70, 71}; /* rows from the north */
    static const uint32_t area[] = {42, 43, 44, 52, 53, 54};
    assert_string_equal(a.asset[0].name, "1");
    assert_int_equal(a.asset[0].kind, ASSET_LINE);
    assert_true(a.asset[0].cells == 7 && !memcmp(a.asset[0].cell, line, sizeof line));
    assert_string_equal(a.asset[1].name, "area");
    assert_true(a.asset[1].cells == 6 && !memcmp(a.asset[1].cell, area, sizeof area));
    assert_true(a.asset[2].cells == 1 && a.asset[2].cell[0] == 16); /* smaller than a cell */
    assert_true(a.asset[3].cells == 2 && a.asset[3].cell[0] == 0 && a.asset[3].cell[1] == 79);
    assert_true(a.asset[4].cells == 10 && a.asset[4].cell[0] == 40);
    /* m of a line on the terrain, m2 of the cells of an area, 1 for a point */
    const double size[] = {hypot(40, 20), 600, 100, 1, 100, 1, 1};
    for (int i = 0; i < 7; i++) assert_true(fabs(a.asset[i].size - size[i]) < 1e-9);
    assets_free(&a);
}

/* A place is bare if none of its cells has data, and in the sea if the sea is why, in each of them. */
static void bare_places(void **state)
{
    struct assets a = read_places(
        &dir, "{\"type\":\"FeatureCollection\",\"features\":["
              "{\"type\":\"Feature\",\"id\":7,\"properties\":{\"name\":\"road\"},\"geometry\":"
              "{\"type\":\"LineString\",\"coordinates\":[[5,75],[35,75]]}}]}");
    static const struct {
        const char *cells; /* l: land, h: a hole, s: sea */
        bool bare, sea;
    } cases[] = {{"llll", false, false}, {"hhhl", false, false}, {"sssl", false, false},
                 {"lsss", false, false}, {"hhhh", true, false},  {"hsss", true, false},
                 {"sssh", true, false},  {"ssss", true, true}};
    assert_string_equal(a.asset[0].name, "road");
    assert_int_equal(a.asset[0].cells, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double z[80] = {0};
        uint8_t sea[80] = {0};
        const struct problem p = {.rows = 8, .cols = 10, .elevation_m = z, .sea = sea};
        for (int k = 0; k < 4; k++) {
            z[k] = cases[i].cells[k] == 'l' ? 100 : (double)NAN;
            sea[k] = cases[i].cells[k] == 's';
        }
        assets_find_bare(&a, &p);
        assert_true(a.asset[0].bare == cases[i].bare && a.asset[0].sea == cases[i].sea);
    }
    assets_free(&a);
}

/* ---- on edges and corners (docs/formats/vectors.md) --------------------------------------------------- */

enum {
    SIDE = 3,
    STEPS = 2 * SIDE + 1
}; /* positions each half a cell, so every second one is on an edge */
static const struct georef square = {
    .west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};

/* Of one feature, -1: none of it is on the terrain. *bits: a bit for each of its cells. */
static int cells_of(unsigned *bits, const char *geometry)
{
    struct assets a;
    struct error e = {0};
    const char *path = scratch_file(&dir, "edge.json");
    *bits = 0;
    write_text(path, geometry);
    if (assets_read(&a, path, SIDE, SIDE, &square, &e)) return -1;
    assert_int_equal(a.count, 1);
    for (uint32_t i = 0; i < a.asset[0].cells; i++) *bits |= 1U << a.asset[0].cell[i];
    const int cells = (int)a.asset[0].cells;
    assets_free(&a);
    return cells;
}

static unsigned bit_of(int up, int col)
{
    return 1U << ((SIDE - 1 - up) * SIDE + col);
}

/* In the eastern or northern cell, and so is a vent. */
static void points_on_edges(void **state)
{
    const double flat[SIDE * SIDE] = {0};
    const struct vent_ground ground = {
        .rows = SIDE, .cols = SIDE, .geo = &square, .elevation_m = flat};
    const char *csv = scratch_file(&dir, "edge.csv");
    for (int y = 0; y < STEPS; y++)
        for (int x = 0; x < STEPS; x++) {
            char text[96];
            unsigned bits;
            struct vent_sites v = {0};
            struct error e = {0};
            const bool on = x < STEPS - 1 && y < STEPS - 1;
            snprintf(text, sizeof text, "{\"type\":\"Point\",\"coordinates\":[%d,%d]}", 5 * x,
                     5 * y);
            assert_int_equal(cells_of(&bits, text), on ? 1 : -1);
            if (on) assert_int_equal(bits, bit_of(y / 2, x / 2));
            snprintf(text, sizeof text, "vent,x,y\n1,%d,%d\n", 5 * x, 5 * y);
            write_text(csv, text);
            assert_int_equal(vents_read(&v, csv, &ground, &e), on ? 0 : ERROR_INPUT);
            if (on)
                assert_int_equal(bit_of(SIDE - 1 - v.site[0].cell[0].row, v.site[0].cell[0].col),
                                 bits);
            vents_free(&v);
        }
}

/* A fissure along an edge has the northern cells, a line of places the southern or eastern cells, one through corners those that it enters; a polygon those with their
 * centre inside it or on its western or southern edge. */
static void lines_and_areas_on_edges(void **state)
{
    char text[160];
    unsigned bits;
    const double flat[SIDE * SIDE] = {0};
    const struct vent_ground ground = {SIDE, SIDE, &square, flat, NULL, NULL};
    for (int k = 0; k < SIDE; k++) {
        struct vent_sites v = {0};
        struct error e = {0};
        const char *csv = scratch_file(&dir, "edge.csv");
        snprintf(text, sizeof text, "vent,x,y\n1,5,%d\n1,15,%d\n", 10 * k, 10 * k);
        write_text(csv, text);
        assert_int_equal(vents_read(&v, csv, &ground, &e), 0);
        assert_int_equal(v.site[0].count, 2);
        for (int i = 0; i < 2; i++)
            assert_true(v.site[0].cell[i].row == SIDE - 1 - k && v.site[0].cell[i].col == i);
        vents_free(&v);
    }
    for (int k = 0; k <= SIDE; k++) {
        snprintf(text, sizeof text, "{\"type\":\"LineString\",\"coordinates\":[[5,%d],[15,%d]]}",
                 10 * k, 10 * k);
        assert_int_equal(cells_of(&bits, text), k ? 2 : -1);
        if (k) assert_int_equal(bits, bit_of(k - 1, 0) | bit_of(k - 1, 1));
        snprintf(text, sizeof text, "{\"type\":\"LineString\",\"coordinates\":[[%d,5],[%d,15]]}",
                 10 * k, 10 * k);
        assert_int_equal(cells_of(&bits, text), k < SIDE ? 2 : -1);
        if (k < SIDE) assert_int_equal(bits, bit_of(0, k) | bit_of(1, k));
    }
    assert_int_equal(cells_of(&bits, "{\"type\":\"LineString\",\"coordinates\":[[5,5],[25,25]]}"),
                     SIDE);
    assert_int_equal(bits, bit_of(0, 0) | bit_of(1, 1) | bit_of(2, 2));
    assert_int_equal(
        cells_of(&bits,
                 "{\"type\":\"Polygon\",\"coordinates\":[[[5,5],[25,5],[25,25],[5,25],[5,5]]]}"),
        4);
    assert_int_equal(bits, bit_of(0, 0) | bit_of(0, 1) | bit_of(1, 0) | bit_of(1, 1));
}

/* A raster with other cells is sampled as GDAL does it: in the southern or eastern cell. */
static void rasters_on_edges(void **state)
{
    double value[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) value[i] = i;
    const struct raster r = {.rows = SIDE, .cols = SIDE, .geo = square, .value = value};
    for (int y = 0; y < STEPS; y++)
        for (int x = 0; x < STEPS; x++) {
            const double got = raster_at(&r, 5.0 * x, 5.0 * y);
            if (!y || x == STEPS - 1) assert_true(isnan(got));
            else assert_true(got == (SIDE - (y + 1) / 2) * SIDE + x / 2);
        }
}

static void refuses_bad_places(void **state)
{
    static const char *const bad[][2] = {
        {"{\"type\":\"Point\",\"coordinates\":[5000,5]}", "lies outside the terrain"},
        {"{\"type\":\"LineString\",\"coordinates\":[[-50,50],[20,150]]}", "touches no cell"},
        {"{\"type\":\"Point\",\"coordinates\":[\"a\",5]}", "not a pair of numbers"},
        {"{\"type\":\"LineString\",\"coordinates\":[]}", "has no features with a geometry"},
        {"{\"type\":\"Circle\",\"coordinates\":[1,2]}", "neither point, line nor polygon"},
        {"{\"type\":\"FeatureCollection\",\"features\":[]}", "has no features with a geometry"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[1,1]]]}", "less than four"},
        {"{\"crs\":{\"properties\":{\"name\":\"EPSG:4326\"}},\"type\":\"Point\",\"coordinates\":"
         "[5,5]}",
         "its CRS: EPSG:4326, transformed to EPSG:32633"},
        {"{\"crs\":{\"properties\":{\"name\":\"+proj=utm\"}},\"type\":\"Point\",\"coordinates\":"
         "[5,5]}",
         "names an unknown CRS"},
        {"{\"type\":", "is not JSON"},
        {"", "is not one of GeoJSON"},
    };
    const struct georef geo = {.west_m = 0, .south_m = 0, .cell_m = 10, .crs = {.epsg = 32633}};
    const char *path = scratch_file(&dir, "a.json");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = {0};
        struct assets a;
        write_text(path, bad[i][0]);
        assert_int_equal(assets_read(&a, path, 8, 10, &geo, &e), ERROR_INPUT);
        if (!strstr(e.text, bad[i][1])) print_error("%s\n", e.text);
        assert_non_null(strstr(e.text, bad[i][1]));
        assert_non_null(strstr(e.text, path));
        assert_null(strchr(e.text, '\n'));
        assert_null(a.asset);
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, bare_places, places_become_cells,
                       points_on_edges, lines_and_areas_on_edges, rasters_on_edges,
                       refuses_bad_places);
}
