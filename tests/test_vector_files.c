/* Vector files that GDAL made, in each format and three projections, against rasters made by hand;
 * and files that nobody should have made. */
#include "case/vents.h"
#include "compare/outline.h"
#include "ensemble/assets.h"
#include "vector/ogr.h"
#include "scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* 12 x 16 cells of 10 m in UTM 33N. */
enum { ROWS = 12, COLS = 16, WEST = 500000, SOUTH = 4170000 };
static const struct georef GEO = {
    .west_m = WEST, .south_m = SOUTH, .cell_m = 10, .crs = {.epsg = 32633, .unit_m = 1}};
static const double flat[ROWS * COLS];
static const struct vent_ground GROUND = {ROWS, COLS, &GEO, flat};

static const char *const outline_by_hand[ROWS] = {
    "................", "................", "..#######.......", "..#######.......",
    "..##...##.......", "..##...##.......", "..##...##.#.....", "..#######.##....",
    "..#######.###...", "..........####..", "..........#####.", "................",
};
static const char *const vents_by_hand[ROWS] = {
    "................", "................", "................", "................",
    "................", "................", "................", "...3............",
    "....5...........", "....5...........", ".5555...........", "................",
};
static const char *const points_by_hand[ROWS] = {
    "................", "..........2.....", ".........22.....", "........22......",
    ".......22.......", "................", "................", "................",
    "................", "................", "1...............", "................",
};
static const char *const village_by_hand[ROWS] = {
    "................", "................", "................", "................",
    ".........###....", ".........###....", "................", "................",
    "................", "................", "................", "................",
};
static const char *const road_by_hand[ROWS] = {
    "................", "................", "................", "................",
    "................", "................", "................", "................",
    "................", "................", "................", "....############",
};

/* What GDAL makes the files of: GeoJSON in UTM, where <x y> is a place in metres from the corner,
 * with a height. The road goes on beyond the terrain. */
#define FEATURE(properties, type, coordinates)                                                     \
    "{\"type\":\"Feature\",\"properties\":{" properties "},\"geometry\":{\"type\":\"" type         \
    "\",\"coordinates\":" coordinates "}}"
static const struct layer {
    const char *name, *features;
} layers[] = {
    {"outline", FEATURE("\"name\":\"flow\"", "MultiPolygon",
                        "[[[<21 31>,<91 31>,<91 101>,<21 101>,<21 31>],"
                        "[<41 51>,<71 51>,<71 81>,<41 81>,<41 51>]],"
                        "[[<101 11>,<152 11>,<101 62>,<101 11>]]]")},
    {"vents",
     FEATURE("\"vent\":5,\"probabilit\":0.75", "LineString",
             "[<12.5 12.2>,<47.5 12.9>,<47.9 38.1>]") "," FEATURE("\"vent\":3,\"probabilit\":0.25",
                                                                  "MultiLineString",
                                                                  "[[<33 44>,<34 45>]]")},
    {"points",
     FEATURE("\"vent\":2", "Point", "<77 73>") "," FEATURE(
         "\"vent\":1", "Point", "<3.5 16>") "," FEATURE("\"vent\":2", "Point", "<108 103>")},
    {"villages",
     FEATURE("\"name\":\"Bronte\"", "Polygon", "[[<92 61>,<118 61>,<118 79>,<92 79>,<92 61>]]")},
    {"roads", FEATURE("\"name\":\"SP 92\"", "LineString", "[<44 3>,<644 4>]")},
};
enum { LAYERS = sizeof layers / sizeof *layers };

static const char *const formats[][3] = {{"GeoJSON", "geojson", "-lco COORDINATE_PRECISION=10"},
                                         {"ESRI Shapefile", "shp", ""},
                                         {"GPKG", "gpkg", ""},
                                         {"LIBKML", "kml", ""}};
static const int projections[] = {32633, 4326, 3004}; /* UTM, degrees, Gauss-Boaga of Italy */
enum { FORMATS = 4, PROJECTIONS = 3 };

static struct scratch made;

static bool has_gdal(void)
{
    return ogr_version() && !system("command -v ogr2ogr >/dev/null");
}

static void write_layer(const struct layer *l)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.json", made.path, l->name);
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fputs("{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
          "\"urn:ogc:def:crs:EPSG::32633\"}},\"features\":[",
          f);
    for (const char *c = l->features; *c; c++) {
        double x, y;
        int length;
        if (sscanf(c, "<%lf %lf>%n", &x, &y, &length) == 2) {
            fprintf(f, "[%.10g,%.10g,9]", WEST + x, SOUTH + y);
            c += length - 1;
        } else {
            putc(*c, f);
        }
    }
    fputs("]}", f);
    if (fclose(f)) abort();
}

__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
    char command[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (system(command)) fail_msg("%s", command);
}

static int make_files(void **state)
{
    (void)state;
    scratch_create(&made);
    for (int l = 0; l < LAYERS; l++) write_layer(&layers[l]);
    for (int l = 0; l < LAYERS && has_gdal(); l++)
        for (int f = 0; f < FORMATS; f++)
            for (int p = 0; p < PROJECTIONS; p++)
                run("ogr2ogr -f '%s' %s -t_srs EPSG:%d -nln %s %s/%s-%d.%s %s/%s.json 2>/dev/null",
                    formats[f][0], formats[f][2], projections[p], layers[l].name, made.path,
                    layers[l].name, projections[p], formats[f][1], made.path, layers[l].name);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    scratch_remove(&made);
    return 0;
}

/* ---- reading, without a word on standard error ------------------------------------------------
 */

static int quiet_saved = -1;

static void quiet_begin(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/said", made.path);
    fflush(NULL);
    quiet_saved = dup(2);
    if (!freopen(path, "wb", stderr)) abort();
}

static int quiet_over(void)
{
    struct stat s;
    fflush(NULL);
    const int size = fstat(2, &s) ? -1 : (int)s.st_size;
    if (quiet_saved < 0) return 0;
    dup2(quiet_saved, 2);
    close(quiet_saved);
    quiet_saved = -1;
    return size;
}

static void quiet_end(void)
{
    assert_int_equal(quiet_over(), 0);
}

/* (so that it can be read) */
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        quiet_over();                                                                              \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

static void name_file(char path[128], const char *layer, int f, int p)
{
    snprintf(path, 128, "%s/%s-%d.%s", made.path, layer, projections[p], formats[f][1]);
}

static void expect_cells(const int cell[ROWS * COLS], const char *const hand[ROWS],
                         const char *path)
{
    for (int row = 0; row < ROWS; row++) {
        char line[COLS + 1] = "";
        for (int col = 0; col < COLS; col++) {
            const int id = cell[row * COLS + col];
            line[col] = (char)(id < 0 ? '#' : id ? '0' + id : '.');
        }
        if (strcmp(line, hand[row])) FAIL("%s, row %d: %s, by hand %s", path, row, line, hand[row]);
    }
}

static void expect_outline(const char *path)
{
    unsigned char *inside;
    int cell[ROWS * COLS];
    struct error e = {0};
    if (outline_read(&inside, path, ROWS, COLS, &GEO, &e)) FAIL("%s", e.text);
    for (int i = 0; i < ROWS * COLS; i++) cell[i] = -(int)inside[i];
    free(inside);
    expect_cells(cell, outline_by_hand, path);
}

static void expect_vents(const char *path, const char *const hand[ROWS])
{
    struct vent_sites v;
    int cell[ROWS * COLS] = {0};
    struct error e = {0};
    if (vents_read(&v, path, &GROUND, &e)) FAIL("%s", e.text);
    for (int i = 0; i < v.count; i++)
        for (int k = 0; k < v.site[i].count; k++)
            cell[v.site[i].cell[k].row * COLS + v.site[i].cell[k].col] = v.site[i].id;
    vents_free(&v);
    expect_cells(cell, hand, path);
}

static void expect_asset(const char *path, const char *name, const char *const hand[ROWS])
{
    struct assets a;
    int cell[ROWS * COLS] = {0};
    struct error e = {0};
    if (assets_read(&a, path, ROWS, COLS, &GEO, &e)) FAIL("%s", e.text);
    assert_int_equal(a.count, 1);
    assert_string_equal(a.asset[0].name, name);
    for (uint32_t i = 0; i < a.asset[0].cells; i++) cell[a.asset[0].cell[i]] = -1;
    assets_free(&a);
    expect_cells(cell, hand, path);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void raster_text(char *text, const char *const hand[ROWS])
{
    text += sprintf(text, "ncols %d\nnrows %d\nxllcorner %d\nyllcorner %d\ncellsize 10\n", COLS,
                    ROWS, WEST, SOUTH);
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) {
            const char c = hand[row][col];
            text += sprintf(text, "%d%c",
                            c == '.'   ? 0
                            : c == '#' ? 1
                                       : c - '0',
                            col + 1 < COLS ? ' ' : '\n');
        }
}

/* The hands' rasters are read as such; they have lava, vents and holes. */
static void rasters_by_hand(void **state)
{
    (void)state;
    char text[8192];
    raster_text(text, outline_by_hand);
    write_text(scratch_file(&made, "hand.asc"), text);
    expect_outline(scratch_file(&made, "hand.asc"));
    raster_text(text, vents_by_hand);
    write_text(scratch_file(&made, "hand.asc"), text);
    struct vent_sites v;
    struct error e = {0};
    assert_int_equal(
        vents_read_raster(&v, scratch_file(&made, "hand.asc"), "dem", &GROUND, false, NULL, &e), 0);
    assert_true(v.count == 2 && v.site[0].count == 1 && v.site[1].count == 6);
    vents_free(&v);
}

static void every_format_and_projection(void **state)
{
    (void)state;
    char path[128];
    if (!has_gdal()) {
        print_message("skipped: vector files made by GDAL: no GDAL here\n");
        skip();
    }
    quiet_begin();
    for (int f = 0; f < FORMATS; f++)
        for (int p = 0; p < PROJECTIONS; p++) {
            name_file(path, "outline", f, p);
            expect_outline(path);
            name_file(path, "vents", f, p);
            expect_vents(path, vents_by_hand);
            name_file(path, "points", f, p);
            expect_vents(path, points_by_hand);
            name_file(path, "villages", f, p);
            expect_asset(path, "Bronte", village_by_hand);
            name_file(path, "roads", f, p);
            expect_asset(path, "SP 92", road_by_hand);
        }
    quiet_end();
}

/* What GDAL makes of the same degrees as a table. */
static void degrees_in_a_table(void **state)
{
    (void)state;
    char text[4096];
    if (!has_gdal()) skip();
    run("ogr2ogr -f CSV -lco GEOMETRY=AS_XY -t_srs EPSG:4326 %s/points.csv %s/points.json",
        made.path, made.path);
    char *csv = read_text(scratch_file(&made, "points.csv"));
    assert_memory_equal(csv, "X,Y,vent", 8);
    const char *const heads[] = {"lon,LAT,vent", "longitude,latitude,vent"};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%s%s", heads[i], strchr(csv, '\n'));
        write_text(scratch_file(&made, "degrees.csv"), text);
        expect_vents(scratch_file(&made, "degrees.csv"), points_by_hand);
    }
    free(csv);
}

/* Without a projection of its own GeoJSON is in degrees, or where the terrain is. */
static void geojson_without_gdal(void **state)
{
    (void)state;
    const char *path = scratch_file(&made, "plain.geojson");
    write_text(path,
               "{\"type\":\"LineString\",\"coordinates\":[[500044,4170003],[500644,4170004]]}");
    expect_asset(path, "1", road_by_hand);
    /* 500003.5, 4170016 */
    write_text(path, "{\"type\":\"Point\",\"coordinates\":[15.0000397,37.6773498]}");
    static const char *const corner[ROWS] = {
        "................", "................", "................", "................",
        "................", "................", "................", "................",
        "................", "................", "1...............", "................"};
    expect_vents(path, corner);
}

static void attributes_are_columns(void **state)
{
    (void)state;
    struct vent_points v;
    struct error e = {0};
    char path[128];
    if (!has_gdal()) skip();
    for (int f = 1; f < FORMATS; f++) { /* "probabilit" is "probability" where names are cut */
        name_file(path, "vents", f, 0);
        assert_int_equal(vent_points_read(&v, path, &GROUND, true, &e), 0);
        assert_int_equal(v.weights, f == 1 ? VENT_PROBABILITIES : VENT_WEIGHTS_NONE);
        assert_true(v.count == 5 && v.point[0].weight == (f == 1 ? 0.75 : 1));
        assert_true(v.point[0].part == v.point[2].part && v.point[2].part != v.point[3].part);
        vent_points_free(&v);
    }
}

/* What is lost at the edge of the terrain, of lengths, areas and points. */
static void the_share_outside(void **state)
{
    (void)state;
    const struct vector_grid grid = {ROWS, COLS, &GEO};
    static const struct {
        const char *geometry;
        double size, lost;
    } cases[] = {
        {"{\"type\":\"LineString\",\"coordinates\":[[500060,4170000],[500260,4170000]]}", 200, 0.5},
        {"{\"type\":\"MultiPoint\",\"coordinates\":[[500060,4170000],[500160,4170000],"
         "[500260,4170000],[1,2]]}",
         4, 0.75},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500100,4170000],[500220,4170000],"
         "[500220,4170100],[500100,4170100],[500100,4170000]]]}",
         12000, 0.5},
        /* with a hole that goes over the edge, and stands before its polygon */
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500150,4170010],[500170,4170010],"
         "[500170,4170030],[500150,4170030],[500150,4170010]],[[500100,4170000],[500220,4170000],"
         "[500220,4170100],[500100,4170100],[500100,4170000]]]}",
         11600, 0.5},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500010,4170010],[500020,4170010],"
         "[500020,4170020],[500010,4170010]]]}",
         50, 0},
    };
    const char *path = scratch_file(&made, "share.geojson");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vectors v;
        struct error e = {0};
        char sentence[256];
        write_text(path, cases[i].geometry);
        assert_int_equal(vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, NULL, &e), 0);
        assert_true(v.about.size[v.feature[0].kind] == cases[i].size);
        assert_true(fabs(vectors_lost_share(&v.about) - cases[i].lost) < 1e-12);
        vectors_lost(&v.about, path, sentence, sizeof sentence);
        assert_int_equal(*sentence != 0, cases[i].lost > 0);
        vectors_free(&v);
    }
}

/* A fissure that leaves the terrain and comes back is two lines. */
static void fissures_end_at_the_edge(void **state)
{
    (void)state;
    static const char *const cells[ROWS] = {
        "................", "................", "................", "................",
        "................", "................", "................", "..............77",
        "................", "..............77", "................", "................"};
    const char *path = scratch_file(&made, "edge.geojson");
    write_text(path, "{\"type\":\"Feature\",\"properties\":{\"vent\":\"7\"},\"geometry\":{\"type\":"
                     "\"LineString\",\"coordinates\":[[500145,4170025],[500185,4170025],"
                     "[500185,4170045],[500145,4170045]]}}");
    expect_vents(path, cells);
    write_text(path,
               "{\"type\":\"MultiPoint\",\"coordinates\":[[500145,4170025],[500185,4170025]]}");
    struct vent_sites v;
    struct error e = {0};
    assert_int_equal(vents_read(&v, path, &GROUND, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "feature 1: the vent at 500185, 4170025 is outside the DEM"));
}

static void expect_refusal(const char *path, const char *says)
{
    const struct vector_grid grid = {ROWS, COLS, &GEO};
    struct vectors v;
    struct error e = {0};
    if (!vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, NULL, &e)) FAIL("%s is read", path);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_null(v.feature);
    assert_null(strchr(e.text, '\n'));
    if (!strstr(e.text, says)) FAIL("\"%s\" does not say \"%s\"", e.text, says);
}

static void places_that_there_are_not(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{\"type\":\"LineString\",\"coordinates\":[[15,37.6],[-170,37.6]]}", "antimeridian"},
        {"{\"type\":\"Point\",\"coordinates\":[15,90]}", "is a pole"},
        {"{\"type\":\"Point\",\"coordinates\":[105.2,0.1]}", "too far away"},
        {"{\"type\":\"Point\",\"coordinates\":[16,38]}", "nothing of it lies on the terrain"},
        {"{\"type\":\"Point\",\"coordinates\":[500,38]}", "nothing of it lies on the terrain"},
        {"{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":"
         "[15,37.6]},{\"type\":\"LineString\",\"coordinates\":[[15,37],[15,38]]}]}",
         "mixes"},
        {"{\"type\":\"Point\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:4326\"}},"
         "\"coordinates\":[500044,4170003]}",
         "is no longitude and latitude"},
        {"{\"type\":\"Point\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:32633\"}},"
         "\"coordinates\":[15,37]}",
         "look like degrees"},
        {"{\"type\":\"Point\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:999\"}},"
         "\"coordinates\":[15,37]}",
         "PROJ does not know its CRS (EPSG:999)"},
    };
    const char *path = scratch_file(&made, "place.geojson");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text(path, bad[i][0]);
        expect_refusal(path, bad[i][1]);
    }
    expect_refusal("/vsicurl/http://127.0.0.1/a.shp", "cannot be opened");
    expect_refusal(made.path, "not a regular file");
}

static void layers_are_named(void **state)
{
    (void)state;
    char path[160];
    if (!has_gdal()) skip();
    for (int l = 0; l < LAYERS; l++)
        run("ogr2ogr -f GPKG -update -append -nln '%s' %s/all.gpkg %s/%s.json", layers[l].name,
            made.path, made.path, layers[l].name);
    run("ogr2ogr -f GPKG -update -append -nln table %s/all.gpkg %s/points.csv 2>/dev/null",
        made.path, made.path);
    snprintf(path, sizeof path, "%s/all.gpkg", made.path);
    expect_refusal(path, "has several layers; name one of its layers as");
    expect_refusal(path, ": outline, vents, points, villages, roads");
    strcat(path, ":ways");
    expect_refusal(path, "no layer of that name");
    snprintf(path, sizeof path, "%s/all.gpkg:vents", made.path);
    expect_vents(path, vents_by_hand);
    snprintf(path, sizeof path, "%s/all.gpkg:outline", made.path);
    expect_outline(path);
}

static void a_shapefile_without_its_prj(void **state)
{
    (void)state;
    const struct vector_grid grid = {ROWS, COLS, &GEO};
    char path[128];
    struct vectors v;
    struct error e = {0};
    if (!has_gdal()) skip();
    run("cd %s && for p in 32633 4326; do for e in shp shx dbf; do cp outline-$p.$e bare-$p.$e; "
        "done; "
        "done",
        made.path);
    for (int p = 0; p < 2; p++) {
        name_file(path, "bare", 1, p);
        expect_outline(path);
        assert_int_equal(vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, NULL, &e), 0);
        assert_non_null(strstr(v.about.assumed, p ? "longitude and latitude" : "those of the DEM"));
        vectors_free(&v);
    }
    run("cd %s && echo nonsense >bare-32633.prj && cp bare-32633.shp bare-4326.SHP", made.path);
    name_file(path, "bare", 1, 0);
    quiet_begin();
    expect_refusal(path, "its .prj is no CRS");
    quiet_end();
    run("cd %s && cp outline-4326.prj bare-32633.prj", made.path);
    expect_refusal(path, "is no longitude and latitude");
    name_file(path, "bare", 1, 1);
    run("cd %s && cp outline-32633.prj bare-4326.prj", made.path);
    expect_refusal(path, "look like degrees");
}

/* ---- hostile files ----------------------------------------------------------------------------
 */

static char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *data = malloc(1 << 20);
    if (!f || !data) abort();
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

static void put_bytes(const char *path, const char *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
}

/* Whatever comes of it: one line, or features that lie where features can lie. */
static bool is_read(const char *path)
{
    const struct vector_grid grid = {ROWS, COLS, &GEO};
    static const char *const wanted[] = {"name", "vent", NULL};
    struct vectors v;
    struct error e = {0};
    const int status = vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, wanted, &e);
    if (status) {
        assert_int_equal(e.code, ERROR_INPUT);
        assert_null(strchr(e.text, '\n'));
        assert_non_null(strstr(e.text, path));
    }
    for (int i = 0; i < v.positions; i++)
        assert_true(fabs(v.xy[i][0]) <= 1e9 && fabs(v.xy[i][1]) <= 1e9);
    vectors_free(&v);
    return !status;
}

static void cut_and_changed_files(void **state)
{
    (void)state;
    char path[128], victim[128];
    unsigned seed = 5;
    if (!has_gdal()) skip();
    quiet_begin();
    for (int f = 0; f < FORMATS; f++) {
        size_t size;
        int refused = 0;
        name_file(path, "outline", f, 1);
        char *data = bytes_of(path, &size), *changed = malloc(size);
        snprintf(victim, sizeof victim, "%s/victim.%s", made.path, formats[f][1]);
        run("cd %s && for e in shx dbf prj; do cp outline-4326.$e victim.$e; done", made.path);
        put_bytes(victim, data, size);
        assert_true(is_read(victim));
        for (int i = 1; i < 20; i++) {
            put_bytes(victim, data, size * (size_t)i / 20);
            refused += !is_read(victim);
        }
        assert_true(refused >= 18); /* (a last page of a GeoPackage may be of nobody) */
        for (int i = 0; i < 60; i++) {
            memcpy(changed, data, size);
            for (int k = 0; k <= i % 8; k++) {
                seed = seed * 1103515245u + 12345u;
                changed[(seed >> 8) % size] = (char)(seed >> 3);
            }
            put_bytes(victim, changed, size);
            is_read(victim);
        }
        free(changed);
        free(data);
    }
    quiet_end();
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, 1e300};
    char path[128];
    size_t size;
    if (!has_gdal()) skip();
    run("cd %s && for e in shx dbf prj; do cp outline-32633.$e number.$e; done", made.path);
    name_file(path, "outline", 1, 0);
    char *data = bytes_of(path, &size);
    const char *to = scratch_file(&made, "number.shp");
    for (int i = 0; i < 3; i++) {
        /* header, head of the record, type, box, two counts, starts of three rings */
        memcpy(data + 100 + 8 + 4 + 32 + 8 + 12, &bad[i], sizeof *bad);
        put_bytes(to, data, size);
        quiet_begin();
        expect_refusal(to, "feature 1 has a position that is not a pair of numbers");
        quiet_end();
    }
    free(data);
}

static void empty_and_odd_files(void **state)
{
    (void)state;
    if (!has_gdal()) skip();
    run("cd %s && for f in 'GPKG empty.gpkg' 'LIBKML empty.kml' 'GeoJSON empty.geojson'; do set -- "
        "$f; "
        "ogr2ogr -f $1 -where '0=1' $2 outline.json; done; "
        "ogr2ogr -where '0=1' empty.shp outline.json",
        made.path);
    quiet_begin();
    expect_refusal(scratch_file(&made, "empty.gpkg"), "has no layer with a geometry");
    expect_refusal(scratch_file(&made, "empty.shp"), "has no layer with a geometry");
    expect_refusal(scratch_file(&made, "empty.kml"), "has no layer with a geometry");
    expect_refusal(scratch_file(&made, "empty.geojson"), "has no features with a geometry");
    const char *kml = scratch_file(&made, "laughs.kml");
    write_text(kml, "<?xml version=\"1.0\"?><!DOCTYPE kml [<!ENTITY a \"b\">]><kml/>");
    expect_refusal(kml, "entities");
    write_text(kml, "<OGRVRTDataSource><OGRVRTLayer name=\"a\"/></OGRVRTDataSource>");
    expect_refusal(kml, "is none of GeoJSON");
    write_text(kml, "<?xml version=\"1.0\"?><OGRVRTDataSource></OGRVRTDataSource>");
    expect_refusal(kml, "cannot be read");
    quiet_end();
}

/* A million vertices take a second, in either way. */
static void many_vertices(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    const char *path = scratch_file(&made, "many.geojson");
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fputs("{\"type\":\"LineString\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
          "\"EPSG:32633\"}},\"coordinates\":[",
          f);
    for (int i = 0; i < MANY; i++)
        fprintf(f, "%s[%.4f,%.4f]", i ? "," : "", WEST + 44 + i * 1e-4, SOUTH + 3 + i * 1e-6);
    fputs("]}", f);
    if (fclose(f)) abort();
    static const char *const road[ROWS] = {
        "................", "................", "................", "................",
        "................", "................", "................", "................",
        "................", "................", "................", "....###########."};
    expect_asset(path, "1", road);
    if (!has_gdal()) return;
    run("cd %s && ogr2ogr many.gpkg many.geojson 2>/dev/null", made.path);
    expect_asset(scratch_file(&made, "many.gpkg"), "1", road);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rasters_by_hand),          cmocka_unit_test(every_format_and_projection),
        cmocka_unit_test(degrees_in_a_table),       cmocka_unit_test(geojson_without_gdal),
        cmocka_unit_test(attributes_are_columns),   cmocka_unit_test(the_share_outside),
        cmocka_unit_test(fissures_end_at_the_edge), cmocka_unit_test(places_that_there_are_not),
        cmocka_unit_test(layers_are_named),         cmocka_unit_test(a_shapefile_without_its_prj),
        cmocka_unit_test(cut_and_changed_files),    cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(empty_and_odd_files),      cmocka_unit_test(many_vertices),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
