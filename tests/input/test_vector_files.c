/* Vector files that GDAL made, in each format and three projections, against rasters made by hand.
 */
/* tests: input/vector */
#include "vector_made.h"

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

static void expect_layer(int layer, const char *path)
{
    switch (layer) {
    case 0:
        expect_outline(path);
        break;
    case 1:
        expect_vents(path, vents_by_hand);
        break;
    case 2:
        expect_vents(path, points_by_hand);
        break;
    case 3:
        expect_asset(path, "Bronte", village_by_hand);
        break;
    default:
        expect_asset(path, "SP 92", road_by_hand);
    }
}

static void every_format_and_projection(void **state)
{
    char path[128];
    if (!has_gdal()) {
        print_message("skipped: vector files made by GDAL: no GDAL here\n");
        skip();
    }
    int read[LAYERS] = {0};
    quiet_begin();
    for (int f = 0; f < FORMATS; f++)
        for (int p = 0; p < PROJECTIONS; p++) {
            for (int l = 0; l < LAYERS; l++) {
                name_file(path, layers[l].name, f, p);
                if (is_made(l, f, p)) expect_layer(l, path), read[l]++;
            }
        }
    quiet_end();
    for (int l = 0; l < LAYERS; l++) assert_true(read[l] >= (l ? FORMATS : FORMATS * PROJECTIONS));
}

/* What GDAL makes of the same degrees as a table. */
static void degrees_in_a_table(void **state)
{
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
    struct vent_points v;
    struct error e = {0};
    char path[128];
    snprintf(path, sizeof path, "%s", scratch_file(&made, "both.geojson"));
    write_text(path, "{\"type\":\"Feature\",\"properties\":{\"weight\":2,\"probability\":1},"
                     "\"geometry\":{\"type\":\"Point\",\"coordinates\":[500044,4170003]}}");
    assert_int_equal(vent_points_read(&v, path, &GROUND, true, &e), ERROR_INPUT);
    assert_non_null(strstr(
        e.text,
        "both.geojson: has two attributes for weights, 'weight' and 'probability'; keep one"));
    if (!has_gdal()) skip();
    for (int f = 1; f < FORMATS; f++) { /* "probabilit" is "probability" where names are cut */
        name_file(path, "vents", f, 0);
        assert_int_equal(vent_points_read(&v, path, &GROUND, true, &e), 0);
        assert_int_equal(v.weights, f == 1 ? VENT_PROBABILITIES : VENT_WEIGHTS_NONE);
        assert_true(v.count == 5 && v.point[0].weight == (f == 1 ? 0.75 : 1));
        assert_true(v.point[0].part == v.point[2].part && v.point[2].part != v.point[3].part);
        assert_string_equal(v.about.doubt, f == 1 ? ""
                                                  : "attribute 'probabilit' is ignored; did you "
                                                    "mean probability?");
        vent_points_free(&v);
    }
}

/* What is lost at the edge of the terrain, of lengths, areas and points. */
static void the_share_outside(void **state)
{
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
        /* a bow tie, half of it outside */
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500120,4170000],[500120,4170100],"
         "[500200,4170000],[500200,4170100],[500120,4170000]]]}",
         4000, 0.5},
        /* polygons that overlap, one within the other: once; and a ring around a ring: its difference */
        {"{\"type\":\"MultiPolygon\",\"coordinates\":[[[[500060,4170000],[500260,4170000],"
         "[500260,4170100],[500060,4170100],[500060,4170000]]],[[[500100,4170020],"
         "[500220,4170020],[500220,4170120],[500100,4170120],[500100,4170020]]],"
         "[[[500130,4170030],[500190,4170030],[500190,4170040],[500130,4170040],"
         "[500130,4170030]]]]}",
         22400, 0.5},
        /* a star of five points: its middle is outside of it */
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500020,4170020],[500060,4170020],"
         "[500030,4170045],[500040,4170005],[500050,4170045],[500020,4170020]]]}",
         60475.0 / 174, 0},
        /* corners beyond the eastern side, where its edges have no vertex; and one beyond the western */
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500120,4170000],[500200,4170040],"
         "[500120,4170080],[500120,4170000]]]}",
         3200, 0.25},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[500080,4170000],[499960,4170060],"
         "[500080,4170120],[500080,4170000]]]}",
         7200, 1 / 9.0},
        /* of areas and lines together, that of the areas */
        {"{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Polygon\",\"coordinates\":"
         "[[[500100,4170000],[500220,4170000],[500220,4170100],[500100,4170100],"
         "[500100,4170000]]]},{\"type\":\"LineString\",\"coordinates\":"
         "[[500010,4170010],[500020,4170010]]}]}",
         12000, 0.5},
    };
    const char *path = scratch_file(&made, "share.geojson");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vectors v;
        struct error e = {0};
        char sentence[256];
        write_text(path, cases[i].geometry);
        assert_int_equal(vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, NULL, &e), 0);
        const double size = v.about.size[v.feature[0].kind]; /* of whole metres: exact */
        assert_true(size == cases[i].size || (i == 7 && fabs(size - cases[i].size) < 1e-12 * size));
        assert_true(fabs(vectors_lost_share(&v.about) - cases[i].lost) < 1e-12);
        vectors_lost(&v.about, path, sentence, sizeof sentence);
        assert_int_equal(*sentence != 0, cases[i].lost > 0);
        vectors_free(&v);
    }
}

/* A fissure that leaves the terrain and comes back is two lines. */
static void fissures_end_at_the_edge(void **state)
{
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

static void layers_are_named(void **state)
{
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
        assert_non_null(
            strstr(v.about.assumed, p ? "longitude and latitude" : "coordinates of the DEM"));
        vectors_free(&v);
    }
    run("cd %s && echo nonsense >bare-32633.prj && cp bare-32633.shp bare-4326.SHP", made.path);
    name_file(path, "bare", 1, 0);
    quiet_begin();
    expect_refusal(path, "does not know the CRS in its .prj");
    quiet_end();
    run("cd %s && cp outline-4326.prj bare-32633.prj", made.path);
    expect_refusal(path, "is not a longitude and a latitude");
    name_file(path, "bare", 1, 1);
    run("cd %s && cp outline-32633.prj bare-4326.prj", made.path);
    expect_refusal(path, "look like degrees");
}

static int make_files(void **state)
{
    return make_layers(LAYERS);
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, make_files, remove_files, rasters_by_hand,
                       every_format_and_projection, degrees_in_a_table, geojson_without_gdal,
                       attributes_are_columns, the_share_outside, fissures_end_at_the_edge,
                       layers_are_named, a_shapefile_without_its_prj);
}
