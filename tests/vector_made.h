/* vector_made.h — vector files that GDAL makes for tests, in each format and in three projections, and the rasters
 * that they have to equal, drawn by hand. */
#pragma once

#include "eruption/vents.h"
#include "compare/outline.h"
#include "case/assets.h"
#include "raster/gdal_library.h"
#include "effort.h"
#include "scratch.h"
#include "unit.h"

#include <math.h>

/* 12 x 16 cells of 10 m in UTM 33N. */
enum { ROWS = 12, COLS = 16, WEST = 500000, SOUTH = 4170000 };
static const struct georef GEO = {
    .west_m = WEST, .south_m = SOUTH, .cell_m = 10, .crs = {.epsg = 32633, .unit_m = 1}};
static const double flat[ROWS * COLS];
static const struct vent_ground GROUND = {ROWS, COLS, &GEO, flat, NULL, NULL};

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
    const char *name, *feature[3];
} layers[] = {
    {"outline",
     {FEATURE("\"name\":\"flow\"", "MultiPolygon",
              "[[[<21 31>,<91 31>,<91 101>,<21 101>,<21 31>],"
              "[<41 51>,<71 51>,<71 81>,<41 81>,<41 51>]],"
              "[[<101 11>,<152 11>,<101 62>,<101 11>]]]")}},
    {"vents",
     {FEATURE("\"vent\":5,\"probabilit\":0.75", "LineString",
              "[<12.5 12.2>,<47.5 12.9>,<47.9 38.1>]"),
      FEATURE("\"vent\":3,\"probabilit\":0.25", "MultiLineString", "[[<33 44>,<34 45>]]")}},
    {"points",
     {FEATURE("\"vent\":2", "Point", "<77 73>"), FEATURE("\"vent\":1", "Point", "<3.5 16>"),
      FEATURE("\"vent\":2", "Point", "<108 103>")}},
    {"villages",
     {FEATURE("\"name\":\"Bronte\"", "Polygon", "[[<92 61>,<118 61>,<118 79>,<92 79>,<92 61>]]")}},
    {"roads", {FEATURE("\"name\":\"SP 92\"", "LineString", "[<44 3>,<644 4>]")}},
};
enum { LAYERS = sizeof layers / sizeof *layers };

static const char *const formats[][3] = {{"GeoJSON", "geojson", "-lco COORDINATE_PRECISION=10"},
                                         {"ESRI Shapefile", "shp", ""},
                                         {"GPKG", "gpkg", ""},
                                         {"LIBKML", "kml", ""}};
static const int projections[] = {32633, 4326, 3004}; /* UTM, degrees, Gauss-Boaga of Italy */
enum {
    KML = 3 /* always in degrees, which an older GDAL leaves to its user */,
    FORMATS = 4,
    PROJECTIONS = 3
};

static struct scratch made;

static inline bool has_gdal(void)
{
    char version[64];
    return gdal_version(version) && !system("command -v ogr2ogr >/dev/null");
}

static inline void put_feature(FILE *f, int index, const char *text)
{
    if (index) putc(',', f);
    for (const char *c = text; *c; c++) {
        double x, y;
        int length;
        if (sscanf(c, "<%lf %lf>%n", &x, &y, &length) == 2) {
            fprintf(f, "[%.10g,%.10g,9]", WEST + x, SOUTH + y);
            c += length - 1;
        } else {
            putc(*c, f);
        }
    }
}

static inline void write_layer(const struct layer *l)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.json", made.path, l->name);
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fputs("{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
          "\"urn:ogc:def:crs:EPSG::32633\"}},\"features\":[",
          f);
    for (int i = 0; i < 3 && l->feature[i]; i++) put_feature(f, i, l->feature[i]);
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

/* To start ogr2ogr takes longer than all else: outlines in every format and projection, each other
 * layer in every format and, unless THOROUGH is set, one projection; vents in UTM, too.
 */
static inline bool is_made(int layer, int f, int p)
{
    return !layer || (layer == 1 && !p) || (layer + f) % PROJECTIONS == p || sample(0, 1);
}

static inline int make_layers(int count)
{
    scratch_create(&made);
    for (int l = 0; l < LAYERS; l++) write_layer(&layers[l]);
    for (int l = 0; l < count && has_gdal(); l++)
        for (int f = 0; f < FORMATS; f++)
            for (int p = 0; p < PROJECTIONS; p++) {
                if (!is_made(l, f, p)) continue;
                run("ogr2ogr -f '%s' %s -t_srs EPSG:%d -nln %s %s/%s-%d.%s %s/%s.json 2>/dev/null",
                    formats[f][0], formats[f][2], f == KML ? 4326 : projections[p], layers[l].name,
                    made.path, layers[l].name, projections[p], formats[f][1], made.path,
                    layers[l].name);
            }
    return 0;
}

static inline int remove_files(void **state)
{
    scratch_remove(&made);
    return 0;
}

/* ---- reading, without a word on standard error ----------------------------------------------- */

static int quiet_saved = -1;

static inline void quiet_begin(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/said", made.path);
    fflush(NULL);
    quiet_saved = dup(2);
    if (!freopen(path, "wb", stderr)) abort();
}

static inline int quiet_over(void)
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

static inline void quiet_end(void)
{
    assert_int_equal(quiet_over(), 0);
}

/* (so that it can be read) */
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        quiet_over();                                                                              \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

static inline void name_file(char path[128], const char *layer, int f, int p)
{
    snprintf(path, 128, "%s/%s-%d.%s", made.path, layer, projections[p], formats[f][1]);
}

static inline void expect_cells(const int cell[ROWS * COLS], const char *const hand[ROWS],
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

static inline void expect_outline(const char *path)
{
    unsigned char *inside;
    int cell[ROWS * COLS];
    struct error e = {0};
    if (outline_read(&inside, path, ROWS, COLS, &GEO, &e)) FAIL("%s", e.text);
    for (int i = 0; i < ROWS * COLS; i++) cell[i] = -(int)inside[i];
    free(inside);
    expect_cells(cell, outline_by_hand, path);
}

static inline void expect_vents(const char *path, const char *const hand[ROWS])
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

static inline void expect_asset(const char *path, const char *name, const char *const hand[ROWS])
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

static inline void expect_refusal(const char *path, const char *says)
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
