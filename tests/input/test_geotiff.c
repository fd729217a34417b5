/* Writing GeoTIFF layers: what is written is read back, by this project and by GDAL. */
/* tests: input/raster */
/* run: quick */
#include "raster/geotiff.h"
#include "text/atomic_file.h"
#include "raster/raster.h"
#include "raster/tiff_io.h"
#include "base/file_progress.h"

#include <geotiff.h>
#include <geovalues.h>
#include <math.h>
#include <omp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "folder.h"
#include "raster_checks.h"
#include "unit.h"

/* Any bits of a float, most of them like terrain; nodata and NaN among them. */
static float value_at(int row, int col)
{
    uint64_t h = ((uint64_t)row << 32 | (uint32_t)col) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
    if (h % 11 == 0) return -9999;
    if (h % 101 == 1) return NAN;
    if (h % 101 == 2) return -0.0f;
    if (h % 101 == 3) return 1e-42f;
    return (float)(1000 + row * 0.37 - col * 0.21 + (double)(h >> 40) / 1e6);
}

static void fill_row(const void *context, int row, float *out)
{
    const int *cols = context;
    for (int j = 0; j < *cols; j++) out[j] = value_at(row, j);
}

static struct geotiff_layer layer_of(int rows, const int *cols)
{
    static const struct geotiff_item items[] = {
        {"TERRAIN", "SYNTHETIC <terrain> & \"more\" è"}, {"STEP", "16000"}, {"empty", ""}};

    return (struct geotiff_layer){.rows = rows,
                                  .cols = *cols,
                                  .geo = {499547.5, 4174982.5, 10, {.epsg = 32633, .unit_m = 1}},
                                  .nodata = -9999,
                                  .description = "mobile lava <thickness>",
                                  .unit = "m",
                                  .item_count = 3,
                                  .items = items,
                                  .row = fill_row,
                                  .context = cols};
}

static void must_write(const char *path, const struct geotiff_layer *l)
{
    struct error e = {0};
    if (geotiff_write(path, l, &e)) fail_msg("%s", e.text);
}

static void bits_come_back(void **state)
{
    static const int sizes[][2] = {{1, 1},     {1, 700},   {700, 1},   {256, 256},
                                   {257, 513}, {255, 257}, {513, 256}, {40, 3000},
                                   {1100, 90}, {378, 517}, {128, 100}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int rows = sizes[k][0], cols = sizes[k][1];
        const struct geotiff_layer l = layer_of(rows, &cols);
        struct raster r;
        size_t missing = 0;
        must_write(scratch_file(&dir, "l.tif"), &l);
        must_read(&r, scratch_file(&dir, "l.tif"));
        assert_int_equal(r.rows, rows);
        assert_int_equal(r.cols, cols);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                const float v = value_at(i, j);
                const double got = r.value[(size_t)i * (size_t)cols + (size_t)j], want = v;
                const bool none = isnan(v) || v == -9999;
                missing += none;
                assert_true(none ? isnan(got) : memcmp(&got, &want, sizeof got) == 0);
            }
        assert_int_equal(r.missing, missing);
        assert_true(missing > 0 || rows * cols < 100);
        assert_true(r.nodata == -9999);
        assert_true(r.geo.west_m == 499547.5 && r.geo.south_m == 4174982.5 && r.geo.cell_m == 10);
        assert_int_equal(r.geo.crs.epsg, 32633);
        assert_string_equal(r.geo.crs.name, "WGS 84 / UTM zone 33N");
        assert_false(r.geo.crs.geographic);
        assert_true(r.geo.crs.unit_m == 1);
        assert_string_equal(r.terrain_source, "SYNTHETIC <terrain> & \"more\" è");
        raster_free(&r);
        assert_int_equal(count_files(dir.path), 1); /* no temporary file is left */
    }
}

static void assert_watched(struct file_progress *w, int file, long long all)
{
    assert_int_equal(atomic_load(&w->file), file);
    assert_int_equal(atomic_load(&w->all), all);
    assert_int_equal(atomic_load(&w->done), all);
}

/* In the end all cells are accounted for: of whole tiles as they are written, of the raster as it
 * is read. */
static void a_watch_sees_the_end(void **state)
{
    static const char ascii[] =
        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 5 6\n";
    const int rows = 700, cols = 300;
    struct geotiff_layer l = layer_of(rows, &cols);
    struct file_progress w = {0};
    struct raster r;
    struct error e = {0};

    l.progress = &w;
    must_write(scratch_file(&dir, "l.tif"), &l);
    assert_watched(&w, 1, 3 * 256 * 2 * 256);
    assert_int_equal(raster_read_watched(&r, scratch_file(&dir, "l.tif"), 0, &w, &e), 0);
    assert_watched(&w, 2, rows * cols);
    raster_free(&r);
    FILE *f = fopen(scratch_file(&dir, "l.asc"), "w");
    assert_non_null(f);
    assert_true(fputs(ascii, f) >= 0 && fclose(f) == 0);
    assert_int_equal(raster_read_watched(&r, scratch_file(&dir, "l.asc"), 0, &w, &e), 0);
    assert_watched(&w, 3, 6);
    raster_free(&r);
}

static void assert_layout(int rows, int cols, uint32_t side)
{
    const struct geotiff_layer l = layer_of(rows, &cols);
    uint16_t compression = 0, predictor = 0, bits = 0, format = 0;
    uint32_t width = 0, height = 0;
    char *text = NULL;
    struct tiff_log log;

    must_write(scratch_file(&dir, "l.tif"), &l);
    TIFF *tif = tiff_open(scratch_file(&dir, "l.tif"), TIFF_READ, &log);
    assert_non_null(tif);
    TIFFGetField(tif, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(tif, TIFFTAG_PREDICTOR, &predictor);
    TIFFGetField(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetField(tif, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetField(tif, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tif, TIFFTAG_TILELENGTH, &height);
    assert_int_equal(compression, COMPRESSION_ADOBE_DEFLATE);
    assert_int_equal(predictor, PREDICTOR_FLOATINGPOINT);
    assert_int_equal(bits, 32);
    assert_int_equal(format, SAMPLEFORMAT_IEEEFP);
    assert_int_equal(width, side);
    assert_int_equal(height, side);
    assert_int_equal(TIFFGetField(tif, TIFFTAG_GDAL_NODATA, &text), 1);
    assert_string_equal(text, "-9999");
    TIFFClose(tif);
}

static void layout_is_as_promised(void **state)
{
    assert_layout(378, 517, 256);
    assert_layout(100, 129, 256);
    assert_layout(128, 128, 128); /* which one tile holds */
}

/* The same bytes from any number of threads. */
static void bytes_do_not_depend_on_threads(void **state)
{
    const int cols = 900;
    const struct geotiff_layer l = layer_of(1300, &cols);

    omp_set_num_threads(7);
    must_write(scratch_file(&dir, "many.tif"), &l);
    omp_set_num_threads(1);
    must_write(scratch_file(&dir, "again.tif"), &l);
    omp_set_num_threads(omp_get_num_procs());
    FILE *a = fopen(scratch_file(&dir, "many.tif"), "rb"),
         *b = fopen(scratch_file(&dir, "again.tif"), "rb");
    assert_true(a && b);
    int x, y;
    long n = 0;
    do {
        x = getc(a);
        y = getc(b);
        assert_int_equal(x, y);
        n++;
    } while (x != EOF);
    assert_true(n > 100000);
    fclose(a);
    fclose(b);
}

static void write_user_defined(const char *path)
{
    struct tiff_log log;
    TIFF *tif = tiff_open(path, "w", &log);
    double scale[3] = {10, 10, 0}, tie[6] = {0, 0, 0, 100, 200, 0};
    unsigned char value = 1;

    if (!tif) abort();
    TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, 1);
    TIFFSetField(tif, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tif, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tif, TIFFTAG_GEOPIXELSCALE, 3, scale);
    TIFFSetField(tif, TIFFTAG_GEOTIEPOINTS, 6, tie);
    GTIF *k = GTIFNew(tif);
    GTIFKeySet(k, GTModelTypeGeoKey, TYPE_SHORT, 1, ModelTypeProjected);
    GTIFKeySet(k, GTRasterTypeGeoKey, TYPE_SHORT, 1, RasterPixelIsPoint);
    GTIFKeySet(k, GTCitationGeoKey, TYPE_ASCII, 0, "Grid of my own");
    GTIFKeySet(k, GeographicTypeGeoKey, TYPE_SHORT, 1, 4326);
    GTIFKeySet(k, GeogCitationGeoKey, TYPE_ASCII, 0, "WGS 84");
    GTIFKeySet(k, ProjectedCSTypeGeoKey, TYPE_SHORT, 1, 32767);
    GTIFKeySet(k, ProjectionGeoKey, TYPE_SHORT, 1, 32767);
    GTIFKeySet(k, ProjCoordTransGeoKey, TYPE_SHORT, 1, CT_TransverseMercator);
    GTIFKeySet(k, ProjLinearUnitsGeoKey, TYPE_SHORT, 1, Linear_Meter);
    GTIFKeySet(k, ProjNatOriginLongGeoKey, TYPE_DOUBLE, 1, 14.25);
    GTIFKeySet(k, ProjNatOriginLatGeoKey, TYPE_DOUBLE, 1, 37.5);
    GTIFKeySet(k, ProjFalseEastingGeoKey, TYPE_DOUBLE, 1, 1000.0);
    GTIFKeySet(k, ProjFalseNorthingGeoKey, TYPE_DOUBLE, 1, 2000.0);
    GTIFKeySet(k, ProjScaleAtNatOriginGeoKey, TYPE_DOUBLE, 1, 0.9999);
    GTIFWriteKeys(k);
    GTIFFree(k);
    TIFFWriteEncodedStrip(tif, 0, &value, 1);
    TIFFClose(tif);
}

/* A CRS without a code goes from a file into another key by key; only PixelIsPoint becomes Area. */
static void user_defined_crs_is_kept(void **state)
{
    const int cols = 20;
    struct geotiff_layer l = layer_of(10, &cols);
    struct raster a, b;

    write_user_defined(scratch_file(&dir, "own.tif"));
    must_read(&a, scratch_file(&dir, "own.tif"));
    assert_int_equal(a.geo.crs.epsg, 0);
    assert_true(a.geo.crs.key_count > 10 && a.geo.crs.double_count >= 5);
    assert_string_equal(a.geo.crs.name, "Grid of my own");
    assert_true(a.geo.west_m == 95 && a.geo.south_m == 195);
    for (int without = 0; without < 2; without++) {
        l.geo = a.geo;
        if (without) { /* the key need not be there */
            memmove(l.geo.crs.keys + 4, l.geo.crs.keys + 8,
                    4 * 2 * (size_t)(a.geo.crs.key_count - 2));
            l.geo.crs.key_count--;
        }
        must_write(scratch_file(&dir, "copy.tif"), &l);
        must_read(&b, scratch_file(&dir, "copy.tif"));
        const struct crs *c = &a.geo.crs, *d = &b.geo.crs;
        assert_int_equal(d->key_count, c->key_count);
        for (int i = 0; i < 4 * c->key_count; i++)
            if (i / 4 != 1) assert_int_equal(d->keys[i], c->keys[i]);
        assert_int_equal(c->keys[4], GTRasterTypeGeoKey);
        assert_int_equal(d->keys[4], GTRasterTypeGeoKey);
        assert_int_equal(d->keys[7], RasterPixelIsArea);
        assert_int_equal(d->double_count, c->double_count);
        assert_memory_equal(d->doubles, c->doubles, sizeof *c->doubles * (size_t)c->double_count);
        assert_string_equal(d->text, c->text);
        assert_string_equal(d->name, c->name);
        assert_true(b.geo.west_m == 95 && b.geo.south_m == 195);
        raster_free(&b);
    }
    raster_free(&a);

    l.geo.crs = (struct crs){.unit_m = 1}; /* no CRS at all */
    must_write(scratch_file(&dir, "none.tif"), &l);
    must_read(&b, scratch_file(&dir, "none.tif"));
    assert_int_equal(b.geo.crs.key_count, 0);
    raster_free(&b);
}

static void assert_not_written(const char *path, const struct geotiff_layer *l)
{
    struct error e = {0};

    assert_int_not_equal(geotiff_write(path, l, &e), 0);
    assert_int_not_equal(e.code, ERROR_NONE);
    assert_ptr_equal(strstr(e.text, path), e.text);
    assert_null(strchr(e.text, '\n'));
}

/* The stream fails at once, or when it is closed; the reason is the same. */
static void a_text_on_a_full_disk(void **state)
{
    enum { MOST = 20000 };
    static const size_t lengths[] = {1500, 4096, 5431, 8192, 12288, MOST};
    static char text[MOST + 1];
    struct rlimit before, now;
    memset(text, 'a', MOST);
    if (getrlimit(RLIMIT_FSIZE, &before)) abort();
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        now = (struct rlimit){1000, before.rlim_max};
        if (setrlimit(RLIMIT_FSIZE, &now)) abort();
        struct error e = {0};
        const int status =
            atomic_file_text(scratch_file(&dir, "text"), text + MOST - lengths[i], &e);
        if (setrlimit(RLIMIT_FSIZE, &before)) abort();
        assert_int_equal(status, ERROR_FAILED);
        assert_non_null(strstr(e.text, strerror(EFBIG)));
        assert_int_equal(count_files(dir.path), 0);
    }
    signal(SIGXFSZ, handler);
}

/* The file may not grow beyond a limit, which is a full disk to libtiff. */
static void a_full_disk(void **state)
{
    const int cols = 1500;
    const struct geotiff_layer l = layer_of(1500, &cols);
    const rlim_t limits[] = {4, 1000, 100000, 1000000};
    struct rlimit before, now;

    if (getrlimit(RLIMIT_FSIZE, &before)) abort();
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        now = (struct rlimit){limits[i], before.rlim_max};
        if (setrlimit(RLIMIT_FSIZE, &now)) abort();
        struct error e = {0};
        const int status = geotiff_write(scratch_file(&dir, "full.tif"), &l, &e);
        if (setrlimit(RLIMIT_FSIZE, &before)) abort();
        assert_int_equal(status, ERROR_FAILED);
        assert_null(strchr(e.text, '\n'));
        assert_non_null(strstr(e.text, "full.tif: cannot be written: "));
        assert_non_null(strstr(e.text, strerror(EFBIG)));
        assert_non_null(strstr(e.text, "ulimit -f")); /* the remedy */
        assert_null(strstr(e.text, ".sciara-"));
        assert_int_equal(count_files(dir.path), 0);
    }
    signal(SIGXFSZ, handler);
    must_write(scratch_file(&dir, "full.tif"), &l); /* and without the limit it can be */
}

static void where_nothing_can_be_written(void **state)
{
    const int cols = 10;
    struct geotiff_layer l = layer_of(10, &cols);

    assert_not_written(scratch_file(&dir, "no/such/folder.tif"), &l);
    write_text(scratch_file(&dir, "file"), "text");
    assert_not_written(scratch_file(&dir, "file/layer.tif"), &l);
    if (mkdir(scratch_file(&dir, "taken.tif"), 0777)) abort();
    assert_not_written(scratch_file(&dir, "taken.tif"), &l); /* renaming fails */
    if (geteuid() != 0) {
        if (mkdir(scratch_file(&dir, "closed"), 0555)) abort();
        assert_not_written(scratch_file(&dir, "closed/layer.tif"), &l);
    }
    l.geo.crs.epsg = 102003;
    assert_not_written(scratch_file(&dir, "code.tif"), &l);
    assert_int_equal(count_files(dir.path), 2 + (geteuid() != 0));
}

/* ---- GDAL's opinion -------------------------------------------------------------------------- */

static char *output_of(const char *command)
{
    size_t n, size = 0;
    char *text = calloc(1, 1 << 16);
    FILE *f = popen(command, "r");

    if (!f || !text) abort();
    while ((n = fread(text + size, 1, (1 << 16) - 1 - size, f)) > 0) size += n;
    pclose(f);
    return text;
}

static void gdal_agrees(void **state)
{
    static const char *const shown[] = {
        "ID[\"EPSG\",32633]]",
        "Size is 517, 378",
        "Origin = (499547.500000000000000,4178762.500000000000000)",
        "Pixel Size = (10.000000000000000,-10.000000000000000)",
        "AREA_OR_POINT=Area",
        "STEP=16000",
        "TERRAIN=SYNTHETIC <terrain> & \"more\" è",
        "COMPRESSION=DEFLATE",
        "Block=256x256 Type=Float32",
        "Description = mobile lava <thickness>",
        "NoData Value=-9999",
        "Unit Type: m",
    };
    const int cols = 517;
    const struct geotiff_layer l = layer_of(378, &cols);
    char command[256];
    struct raster r;

    if (system("command -v gdalinfo >/dev/null && command -v gdal_translate >/dev/null")) {
        print_message("gdalinfo is not installed: skipped\n");
        skip();
    }
    must_write(scratch_file(&dir, "l.tif"), &l);
    snprintf(command, sizeof command, "gdalinfo %s 2>&1", scratch_file(&dir, "l.tif"));
    char *text = output_of(command);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strstr(text, shown[i])) fail_msg("gdalinfo does not show '%s':\n%s", shown[i], text);
    /* GDAL shows the predictor since 3.5; test layout_is_as_promised looks for it in any case */
    if (strstr(text, "PREDICTOR=")) assert_non_null(strstr(text, "PREDICTOR=3"));
    assert_null(strstr(text, "Warning"));
    assert_null(strstr(text, "ERROR"));
    free(text);

    /* What GDAL reads there is what was written: its copy, uncompressed, has the same numbers. */
    snprintf(command, sizeof command, "gdal_translate -q %s %s", scratch_file(&dir, "l.tif"),
             scratch_file(&dir, "copy.tif"));
    assert_int_equal(system(command), 0);
    must_read(&r, scratch_file(&dir, "copy.tif"));
    for (int i = 0; i < 378 * 517; i++) {
        const float v = value_at(i / 517, i % 517);
        assert_true(isnan(v) || v == -9999 ? isnan(r.value[i]) : r.value[i] == (double)v);
    }
    assert_int_equal(r.geo.crs.epsg, 32633);
    assert_string_equal(r.terrain_source, "SYNTHETIC <terrain> & \"more\" è");
    raster_free(&r);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, bits_come_back,
                       a_watch_sees_the_end, layout_is_as_promised, bytes_do_not_depend_on_threads,
                       user_defined_crs_is_kept, a_full_disk, a_text_on_a_full_disk,
                       where_nothing_can_be_written, gdal_agrees);
}
