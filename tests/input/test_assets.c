/* Places of interest: points, lines and areas as cells of the grid, and what is refused. */
#include "case/assets.h"
#include "folder.h"
#include "unit.h"

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
    assets_free(&a);
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
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, places_become_cells,
                       refuses_bad_places);
}
