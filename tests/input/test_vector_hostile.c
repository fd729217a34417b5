/* Vector files that nobody should have made: cut, changed, empty, large, of places that there are
 * not.
 */
/* tests: input/vector */
#include "effort.h"
#include "vector_made.h"

static void places_that_there_are_not(void **state)
{
    static const char *const bad[][2] = {
        {"{\"type\":\"LineString\",\"coordinates\":[[15,37.6],[-170,37.6]]}", "antimeridian"},
        {"{\"type\":\"Point\",\"coordinates\":[15,90]}", "is a pole"},
        {"{\"type\":\"Point\",\"coordinates\":[105.2,0.1]}", "too far away"},
        {"{\"type\":\"Point\",\"coordinates\":[16,38]}", "lies outside the terrain"},
        {"{\"type\":\"Point\",\"coordinates\":[500,38]}", "lies outside the terrain"},
        {"{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":"
         "[15,37.6]},{\"type\":\"LineString\",\"coordinates\":[[15,37],[15,38]]}]}",
         "mixes"},
        {"{\"type\":\"Point\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:4326\"}},"
         "\"coordinates\":[500044,4170003]}",
         "is not a longitude and a latitude"},
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

/* ---- hostile files --------------------------------------------------------------------------- */

static char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *data = malloc(1 << 20);
    if (!f || !data) abort();
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
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
    expect_refusal(kml, "is not one of GeoJSON");
    write_text(kml, "<?xml version=\"1.0\"?><OGRVRTDataSource></OGRVRTDataSource>");
    expect_refusal(kml, "cannot be read");
    quiet_end();
}

/* A copy of the GeoPackage with a view of its layer as a layer of its own. */
static const char *package_with_view(const char *name, const char *query)
{
    run("cd %s && cp outline.gpkg %s && ogrinfo -q %s -sql \"CREATE VIEW flows AS %s\" >/dev/null "
        "&& "
        "ogrinfo -q %s -sql \"INSERT INTO gpkg_contents (table_name, identifier, data_type, "
        "srs_id) "
        "SELECT 'flows', 'flows', data_type, srs_id FROM gpkg_contents WHERE table_name = "
        "'outline'\" "
        ">/dev/null && ogrinfo -q %s -sql \"INSERT INTO gpkg_geometry_columns SELECT 'flows', "
        "column_name, geometry_type_name, srs_id, z, m FROM gpkg_geometry_columns WHERE table_name "
        "= "
        "'outline'\" >/dev/null",
        made.path, name, name, query, name, name);
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", made.path, name);
    return path;
}

/* Queries that the file brings along: GDAL would count and read the rows of a recursive one for
 * ever, whether it has any or none. */
static void views_of_a_package(void **state)
{
    static const char *const endless[] = {
        /* (in this order SQLite keeps no table of numbers, which sanitizers would look at) */
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n), "
        "d(i) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) SELECT n.i AS fid, "
        "geom FROM n CROSS JOIN outline CROSS JOIN d CROSS JOIN d e CROSS JOIN d f",
        /* (of as many rows as there is no time for) */
        "WITH n(i) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) "
        "SELECT a.i AS fid, geom FROM outline, n a, n b, n c, n d, n e, n f, n g, n h, n j, n k, "
        "n l, n m WHERE a.i + b.i + c.i + d.i + e.i + f.i + g.i + h.i + j.i + k.i + l.i + m.i < 0"};
    if (!has_gdal()) skip();
    run("cd %s && ogr2ogr -f GPKG -nln outline outline.gpkg outline.json", made.path);
    const char *path =
        package_with_view("plain.gpkg", "SELECT fid, geom FROM outline WHERE fid > 0");
    char layer[160];
    struct vectors v;
    struct error e;
    snprintf(layer, sizeof layer, "%s:flows", path);
    if (vectors_read(&v, layer, NULL, VECTORS_TAKE_ALL, NULL, &e)) fail_msg("%s", e.text);
    assert_true(v.features > 0);
    vectors_free(&v);
    for (int i = 0; i < 2; i++) {
        path = package_with_view(i ? "rowless.gpkg" : "endless.gpkg", endless[i]);
        alarm(120);
        expect_refusal(path, "its view 'flows' does not end");
        alarm(0);
    }
}

/* A million vertices, in either way. */
static void many_vertices(void **state)
{
    const int many = sample(200000, 1000000);
    const char *path = scratch_file(&made, "many.geojson");
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fputs("{\"type\":\"LineString\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
          "\"EPSG:32633\"}},\"coordinates\":[",
          f);
    for (int i = 0; i < many; i++)
        fprintf(f, "%s[%.4f,%.4f]", i ? "," : "", WEST + 44 + i * 100.0 / many,
                SOUTH + 3 + i * 1.0 / many);
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

static int make_outlines(void **state)
{
    return make_layers(1);
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, make_outlines, remove_files, places_that_there_are_not,
                       cut_and_changed_files, numbers_that_are_none, empty_and_odd_files,
                       views_of_a_package, many_vertices);
}
