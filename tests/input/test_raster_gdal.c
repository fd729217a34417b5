/* Rasters through GDAL: a VRT, an Erdas Imagine file and a GeoPackage are, number for number and in every window,
 * the GeoTIFF that they were made from. */
#include "tiff_forms.h"
#include "folder.h"
#include "raster/gdal_library.h"

static bool has_gdal(void)
{
    char version[64];
    return gdal_version(version) && !system("command -v gdal_translate >/dev/null");
}

/* Makes `to` of `from` in a format of GDAL, with options. */
static void translate(const char *from, const char *to, const char *options)
{
    char command[500];
    snprintf(command, sizeof command, "cd %s && gdal_translate -q %s %s %s", dir.path, options,
             from, to);
    if (system(command)) fail_msg("%s", command);
}

static void check_same(const struct raster *a, const struct raster *b, const char *path)
{
    uint64_t seed = 7;
    struct raster_file *f;
    struct error e = {0};
    double value[37 * 53];
    assert_true(a->rows == b->rows && a->cols == b->cols && a->missing == b->missing);
    assert_true(a->geo.west_m == b->geo.west_m && a->geo.south_m == b->geo.south_m &&
                a->geo.cell_m == b->geo.cell_m && a->geo.crs.epsg == b->geo.crs.epsg);
    assert_true(same_bits(a->nodata, b->nodata) && a->bytes == b->bytes);
    assert_string_equal(a->unit, b->unit);
    assert_string_equal(a->terrain_source, b->terrain_source);
    for (int i = 0; i < 37 * 53; i++) assert_true(same_bits(a->value[i], b->value[i]));
    if (raster_open(&f, path, RASTER_ANY_SIZE, NULL, &e)) fail_msg("%s", e.text);
    for (int k = 0; k < 8; k++) {
        struct window w = {.row0 = (int)(next(&seed) % 37), .col0 = (int)(next(&seed) % 53)};
        w.rows = 1 + (int)(next(&seed) % (uint64_t)(37 - w.row0));
        w.cols = 1 + (int)(next(&seed) % (uint64_t)(53 - w.col0));
        const struct raster_cells to = {w, value, 53};
        if (raster_read_window(f, &to, NULL, &e)) fail_msg("%s", e.text);
        for (int i = 0; i < w.rows * w.cols; i++)
            assert_true(same_bits(value[i / w.cols * 53 + i % w.cols],
                                  a->value[(w.row0 + i / w.cols) * 53 + w.col0 + i % w.cols]));
    }
    raster_close(f);
}

static void test_formats(void **state)
{
    static const char scaled[] =
        "<GDALMetadata>\n  <Item name=\"TERRAIN\">made for a test</Item>\n"
        "  <Item name=\"U\" sample=\"0\" role=\"unittype\">ft</Item>\n"
        "  <Item name=\"S\" sample=\"0\" role=\"scale\">0.25</Item>\n"
        "  <Item name=\"O\" sample=\"0\" role=\"offset\">-100</Item>\n</GDALMetadata>\n";
    static const struct form forms[] = {
        {.keys = utm33, .tiled = true},
        {.keys = utm33, .bits = 64, .format = SAMPLEFORMAT_IEEEFP, .nodata = "-9999"},
        {.keys = utm33, .bits = 16, .format = SAMPLEFORMAT_INT, .metadata = scaled},
        {.keys = utm33, .bits = 8, .format = SAMPLEFORMAT_UINT, .nodata = "7", .tiled = true},
    };
    if (!has_gdal()) skip();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct raster a, b;
        assert_true(form_write(&forms[i], scratch_file(&dir, "t.tif")));
        must_read(&a, scratch_file(&dir, "t.tif"));
        translate("t.tif", "t.vrt", "-of VRT");
        must_read(&b, scratch_file(&dir, "t.vrt"));
        check_same(&a, &b, scratch_file(&dir, "t.vrt"));
        raster_free(&b);
        if (i == 0) {
            translate("t.tif", "t.img", "-of HFA");
            must_read(&b, scratch_file(&dir, "t.img"));
            for (int k = 0; k < 37 * 53; k++) assert_true(same_bits(a.value[k], b.value[k]));
            raster_free(&b);
        }
        raster_free(&a);
    }
}

static void test_refusals(void **state)
{
    if (!has_gdal()) skip();
    assert_true(form_write(&(struct form){.keys = utm33}, scratch_file(&dir, "t.tif")));
    translate("t.tif", "t.vrt", "-of VRT");
    assert_refused(scratch_file(&dir, "t.vrt"), 37 * 53 - 1, "cells need about 0.0 GiB");
    remove(scratch_file(&dir, "t.tif"));
    assert_refused(scratch_file(&dir, "t.vrt"), 0, "/t.tif: cannot be opened: No such file");
    put_bytes(scratch_file(&dir, "half.vrt"), "<VRTDataset rasterXSize=", 24);
    assert_refused(scratch_file(&dir, "half.vrt"), 0, "cannot be read through GDAL: ");
    assert_true(
        form_write(&(struct form){.keys = utm33, .no_place = true}, scratch_file(&dir, "t.tif")));
    translate("t.tif", "t.vrt", "-of VRT");
    assert_refused(scratch_file(&dir, "t.vrt"), 0, "has no georeference");
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_formats, test_refusals);
}
