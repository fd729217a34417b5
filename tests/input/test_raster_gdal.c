/* Rasters through GDAL: a VRT, an Erdas Imagine file and a GeoPackage are, number for number and in every window,
 * the GeoTIFF that they were made from; a GeoTIFF is the same through libtiff, through GDAL, and with its meaning from GDAL. */
/* tests: input/raster */
#include "tiff_forms.h"
#include "folder.h"
#include "raster/gdal_library.h"
#include "raster/raster_formats.h"

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

static void read_by_gdal(struct raster *r, const char *path)
{
    static const char *const drivers[] = {"GTiff", NULL};
    struct error e = {0};
    struct raster_file *f = calloc(1, sizeof *f);
    if (!f) abort();
    f->path = text_format("%s", path);
    f->head = (struct raster){.nodata = NAN, .geo.crs.unit_m = 1};
    if (gdal_raster_open(f, drivers, 0, &e) || raster_read_rest(f, r, &e)) fail_msg("%s", e.text);
    raster_close(f);
}

static void utm33_point(GTIF *k)
{
    utm33(k);
    key(k, GTRasterTypeGeoKey, RasterPixelIsPoint);
}

/* All kinds of samples, in strips and tiles, with and without a value for no data, unit and scale. */
static void test_both_ways(void **state)
{
    static const int kinds[][2] = {
        {SAMPLEFORMAT_UINT, 8},    {SAMPLEFORMAT_INT, 8},     {SAMPLEFORMAT_UINT, 16},
        {SAMPLEFORMAT_INT, 16},    {SAMPLEFORMAT_UINT, 32},   {SAMPLEFORMAT_INT, 32},
        {SAMPLEFORMAT_IEEEFP, 32}, {SAMPLEFORMAT_IEEEFP, 64}, {SAMPLEFORMAT_IEEEFP, 16},
        {SAMPLEFORMAT_UINT, 64},   {SAMPLEFORMAT_INT, 64}};
    static const char meaning[] = "<GDALMetadata><Item name=\"TERRAIN\">made for a test</Item>"
                                  "<Item name=\"U\" sample=\"0\" role=\"unittype\">ft</Item>"
                                  "<Item name=\"S\" sample=\"0\" role=\"scale\">0.1</Item>"
                                  "<Item name=\"O\" sample=\"0\" role=\"offset\">-3.3</Item>"
                                  "</GDALMetadata>";
    static const char beside[] = "<PAMDataset><PAMRasterBand band=\"2\"><Scale>1</Scale>"
                                 "</PAMRasterBand></PAMDataset>";
    if (!has_gdal()) skip();
    const char *path = scratch_file(&dir, "t.tif"), *xml = scratch_file(&dir, "t.tif.aux.xml");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int layout = 0; layout < 4; layout++) {
            const struct form form = {.format = kinds[i][0],
                                      .bits = kinds[i][1],
                                      .keys = layout & 1 ? utm33_point : utm33,
                                      .tiled = layout & 1,
                                      .bands = layout & 2 ? 2 : 1,
                                      .compression = COMPRESSION_ADOBE_DEFLATE,
                                      .nodata = layout & 2 ? "7" : NULL,
                                      .metadata = layout & 1 ? meaning : NULL};
            struct raster a, b;
            remove(xml);
            assert_true(form_write(&form, path));
            must_read(&a, path);
            assert_true(a.missing < 37 * 53 && !isnan(a.value[1]));
            read_by_gdal(&b, path);
            check_same(&a, &b, path);
            raster_free(&b);
            put_bytes(xml, beside, sizeof beside - 1);
            must_read(&b, path);
            check_same(&a, &b, path);
            raster_free(&b);
            raster_free(&a);
        }
    remove(xml);
}

/* What is transparent is no data, whether a tag or GDAL's metadata say which band is the opacity. */
static void test_alpha(void **state)
{
    static const struct form forms[] = {
        {.opacity = true},
        {.metadata = "<GDALMetadata><Item name=\"COLORINTERP\" sample=\"1\" "
                     "role=\"colorinterp\">Alpha</Item></GDALMetadata>"}};
    if (!has_gdal()) skip();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct form form = forms[i];
        struct raster r;
        form.format = SAMPLEFORMAT_UINT;
        form.bits = 8;
        form.bands = 2;
        form.keys = utm33;
        assert_true(form_write(&form, scratch_file(&dir, "t.tif")));
        must_read(&r, scratch_file(&dir, "t.tif"));
        assert_true(r.missing > 0 && r.missing < 37 * 53 / 10);
        for (int c = 0; c < 37 * 53; c++) {
            unsigned char bytes[8];
            const double opacity = sample_of(&form, c / 53, c % 53, 1, bytes),
                         value = sample_of(&form, c / 53, c % 53, 0, bytes);
            assert_true(same_bits(r.value[c], opacity == 0 ? NAN : value));
        }
        raster_free(&r);
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
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, test_formats, test_both_ways,
                       test_alpha, test_refusals);
}
