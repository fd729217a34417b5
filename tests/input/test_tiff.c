/* Reading GeoTIFFs, written with libtiff in every sample format, layout, compression and byte
 * order, bit for bit; their coordinate reference systems; damaged ones. */
/* tests: input/raster */
#include "tiff_forms.h"
#include "folder.h"

static const struct {
    int format, bits;
} samples[] = {{SAMPLEFORMAT_UINT, 8},    {SAMPLEFORMAT_INT, 8},    {SAMPLEFORMAT_UINT, 16},
               {SAMPLEFORMAT_INT, 16},    {SAMPLEFORMAT_UINT, 32},  {SAMPLEFORMAT_INT, 32},
               {SAMPLEFORMAT_UINT, 64},   {SAMPLEFORMAT_INT, 64},   {SAMPLEFORMAT_IEEEFP, 16},
               {SAMPLEFORMAT_IEEEFP, 32}, {SAMPLEFORMAT_IEEEFP, 64}};

static const struct {
    int code;
    bool predicts;
} compressions[] = {{COMPRESSION_NONE, false},     {COMPRESSION_LZW, true},
                    {COMPRESSION_DEFLATE, true},   {COMPRESSION_ADOBE_DEFLATE, true},
                    {COMPRESSION_PACKBITS, false}, {COMPRESSION_ZSTD, true},
                    {COMPRESSION_LZMA, true},      {COMPRESSION_LERC, false}};

/* Windows of every size at every place are that part of the whole. */
static void check_windows(const struct raster *r, const char *path)
{
    static uint64_t seed = 3;
    double value[37 * 60];
    struct raster_file *f;
    struct error e = {0};
    if (raster_open(&f, path, RASTER_ANY_SIZE, NULL, &e)) fail_msg("%s", e.text);
    for (int k = 0; k < 3; k++) {
        struct window w = {.row0 = (int)(next(&seed) % 37), .col0 = (int)(next(&seed) % 53)};
        w.rows = 1 + (int)(next(&seed) % (uint64_t)(37 - w.row0));
        w.cols = 1 + (int)(next(&seed) % (uint64_t)(53 - w.col0));
        size_t missing, expected = 0;
        for (int i = 0; i < 37 * 60; i++) value[i] = 12345;
        const struct raster_cells to = {w, value, 60};
        if (raster_read_window(f, &to, &missing, &e)) fail_msg("%s", e.text);
        for (int i = 0; i < w.rows; i++)
            for (int j = 0; j < 60; j++) {
                const double expect = j < w.cols ? r->value[(w.row0 + i) * 53 + w.col0 + j] : 12345;
                expected += isnan(expect);
                if (!same_bits(value[i * 60 + j], expect))
                    fail_msg("%s: a window of %d x %d at %d, %d: %g at %d, %d, not %g", path,
                             w.rows, w.cols, w.row0, w.col0, value[i * 60 + j], i, j, expect);
            }
        assert_int_equal(missing, expected);
    }
    raster_close(f);
}

/* Writes, reads and compares; true unless this libtiff cannot write it. */
static bool round_trip(const struct form *m, const char *path)
{
    struct raster r;
    size_t missing = 0;

    if (!form_write(m, path)) return false;
    must_read(&r, path);
    assert_int_equal(r.rows, 37);
    assert_int_equal(r.cols, 53);
    for (int row = 0; row < 37; row++)
        for (int col = 0; col < 53; col++) {
            unsigned char bytes[8];
            const double expect = sample_of(m, row, col, 0, bytes);
            if (!same_bits(r.value[row * 53 + col], expect))
                fail_msg("format %d, %d bits, compression %d, predictor %d, %s, %d bands, mode %s: "
                         "%.17g at %d, %d, not %.17g",
                         m->format, m->bits, m->compression, m->predictor,
                         m->tiled ? "tiles" : "strips", m->bands, m->mode, r.value[row * 53 + col],
                         row, col, expect);
            missing += isnan(expect);
        }
    assert_int_equal(r.missing, missing);
    assert_true(r.geo.west_m == 1000 && r.geo.south_m == 5000 - 370 && r.geo.cell_m == 10);
    assert_true(isnan(r.nodata));
    check_windows(&r, path);
    raster_free(&r);
    return true;
}

static void tiff_forms(void **state)
{
    static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
    static const uint16_t anywhere[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS,
                                        COMPRESSION_ADOBE_DEFLATE};
    int done = 0, left_out = 0, unknown = 0;
    struct scratch s;
    for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
        assert_true(TIFFIsCODECConfigured(anywhere[i]));

    scratch_create(&s);
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
        for (size_t c = 0; c < sizeof compressions / sizeof *compressions; c++)
            for (int layout = 0; layout < 6; layout++)
                for (int predictor = 1; predictor <= 3; predictor++) {
                    struct form m = {.format = samples[k].format,
                                     .bits = samples[k].bits,
                                     .compression = compressions[c].code,
                                     .predictor = predictor,
                                     .tiled = layout & 1,
                                     .bands = layout < 2 ? 1 : 3,
                                     .planar =
                                         layout < 4 ? PLANARCONFIG_CONTIG : PLANARCONFIG_SEPARATE,
                                     .mode = modes[(k + c + (size_t)layout) % 4]};
                    /* LZMA is slow to start */
                    if (compressions[c].code == COMPRESSION_LZMA && (k + (size_t)layout) % 4)
                        continue;
                    if (predictor > 1 && !compressions[c].predicts) continue;
                    if (predictor == 3 && m.format != SAMPLEFORMAT_IEEEFP) continue;
                    if (!TIFFIsCODECConfigured((uint16_t)m.compression)) unknown++;
                    else if (round_trip(&m, scratch_file(&s, "t.tif"))) done++;
                    else left_out++;
                }
    scratch_remove(&s);
    if (left_out) print_message("%d forms that this libtiff cannot write skipped\n", left_out);
    if (unknown) print_message("%d forms of codecs that this libtiff lacks skipped\n", unknown);
    assert_true(done + unknown > 700 && done > unknown);
    assert_true(left_out < done / 4);
}

static void tiff_jpeg(void **state)
{
    struct form m = {
        .format = SAMPLEFORMAT_UINT, .bits = 8, .compression = COMPRESSION_JPEG, .tiled = true};
    struct raster r;

    if (!TIFFIsCODECConfigured(COMPRESSION_JPEG)) skip();
    assert_true(form_write(&m, scratch_file(&dir, "j.tif")));
    must_read(&r, scratch_file(&dir, "j.tif")); /* lossy: only that it is read */
    assert_int_equal(r.missing, 0);
    raster_free(&r);
}

static void tiff_meaning(void **state)
{
    static const char metadata[] =
        "<GDALMetadata>\n  <Item name=\"TERRAIN\" sample=\"0\">of the band</Item>\n"
        "  <Item name=\"TERRAIN\">SYNTHETIC TERRAIN &amp;amp; &lt;more&gt;\n&quot;x&quot;</Item>\n"
        "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n"
        "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-100</Item>\n</GDALMetadata>\n";
    struct form m = {.format = SAMPLEFORMAT_UINT, .bits = 8, .nodata = " 7 ", .metadata = metadata};
    struct raster r;
    size_t sevens = 0;

    assert_true(form_write(&m, scratch_file(&dir, "m.tif")));
    must_read(&r, scratch_file(&dir, "m.tif"));
    for (int i = 0; i < 37 * 53; i++) {
        unsigned char bytes[8];
        const double raw = sample_of(&m, i / 53, i % 53, 0, bytes);
        sevens += raw == 7;
        assert_true(same_bits(r.value[i], raw == 7 ? NAN : raw * 0.5 - 100));
    }
    assert_true(sevens > 0);
    assert_int_equal(r.missing, sevens);
    assert_true(r.nodata == 7);
    assert_string_equal(r.terrain_source, "SYNTHETIC TERRAIN & <more> \"x\"");
    raster_free(&r);

    m = (struct form){.nodata = "-3.4028234663852886e+38", .sparse = true, .tiled = true};
    assert_true(form_write(&m, scratch_file(&dir, "m.tif")));
    must_read(&r, scratch_file(&dir, "m.tif"));
    assert_true(r.missing >= 37 * 53 / 4); /* half of the tiles were never written */
    assert_true(isnan(r.value[17]) && !isnan(r.value[35]));
    check_windows(&r, scratch_file(&dir, "m.tif"));
    raster_free(&r);
    m.nodata = NULL;
    assert_true(form_write(&m, scratch_file(&dir, "m.tif")));
    must_read(&r, scratch_file(&dir, "m.tif"));
    assert_true(r.value[17] == 0);
    raster_free(&r);

    m = (struct form){.nodata = "1,5"};
    assert_true(form_write(&m, scratch_file(&dir, "m.tif")));
    assert_refused(scratch_file(&dir, "m.tif"), 0, "nodata value is not a number");
    m = (struct form){.metadata =
                          "<GDALMetadata><Item name=\"S\" sample=\"0\" role=\"scale\">x</Item>"
                          "</GDALMetadata>"};
    assert_true(form_write(&m, scratch_file(&dir, "m.tif")));
    assert_refused(scratch_file(&dir, "m.tif"), 0, "scale 'x' in its metadata is not");
}

static void utm33_point(GTIF *k)
{
    utm33(k);
    key(k, GTRasterTypeGeoKey, RasterPixelIsPoint);
}

static void wgs84(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeGeographic);
    key(k, GeographicTypeGeoKey, 4326);
}

static void survey_feet(GTIF *k)
{
    utm33(k);
    key(k, ProjLinearUnitsGeoKey, Linear_Foot_US_Survey);
}

static void new_york(GTIF *k) /* whose unit only the database knows */
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    key(k, ProjectedCSTypeGeoKey, 2263);
}

static void own(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeProjected);
    GTIFKeySet(k, GTCitationGeoKey, TYPE_ASCII, 0, "Mine|not this");
    key(k, ProjectedCSTypeGeoKey, 32767);
    key(k, ProjLinearUnitsGeoKey, 32767);
    GTIFKeySet(k, ProjLinearUnitSizeGeoKey, TYPE_DOUBLE, 1, 2.5);
}

static void geocentric(GTIF *k)
{
    key(k, GTModelTypeGeoKey, ModelTypeGeocentric);
}

static void tiff_crs(void **state)
{
    static const double matrix[16] = {10, 0, 0, 1000, 0, -10, 0, 5000, 0, 0, 0, 0, 0, 0, 0, 1};
    static const double tie[6] = {3, 4, 0, 1030, 4960, 0};
    static const struct {
        struct form form;
        double west, north, unit;
        int epsg;
        bool geographic;
        const char *name;
    } cases[] = {
        {{.keys = NULL}, 1000, 5000, 1, 0, false, ""},
        {{.keys = utm33}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33, .matrix = matrix}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33, .tie = tie}, 1000, 5000, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = utm33_point}, 995, 5005, 1, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = wgs84}, 1000, 5000, 1, 0, true, ""},
        {{.keys = survey_feet}, 1000, 5000, 1200 / 3937.0, 32633, false, "WGS 84 / UTM zone 33N"},
        {{.keys = own}, 1000, 5000, 2.5, 0, false, "Mine"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct raster r;
        const struct crs *c = &r.geo.crs;
        assert_true(form_write(&cases[i].form, scratch_file(&dir, "c.tif")));
        must_read(&r, scratch_file(&dir, "c.tif"));
        assert_true(r.geo.west_m == cases[i].west);
        assert_true(r.geo.south_m == cases[i].north - 370);
        assert_true(r.geo.cell_m == 10);
        assert_int_equal(c->epsg, cases[i].epsg);
        assert_int_equal(c->geographic, cases[i].geographic);
        assert_string_equal(c->name, cases[i].name);
        assert_true(fabs(c->unit_m / cases[i].unit - 1) < 1e-12);
        assert_true((c->key_count > 0) == (cases[i].form.keys != NULL));
        raster_free(&r);
    }
    struct raster r;
    assert_true(form_write(&(struct form){.keys = new_york}, scratch_file(&dir, "c.tif")));
    must_read(&r, scratch_file(&dir, "c.tif"));
    assert_int_equal(r.geo.crs.epsg, 2263);
    if (r.geo.crs.unit_m == 1)
        print_message("no database of PROJ here: unit of EPSG:2263 skipped\n");
    else assert_true(fabs(r.geo.crs.unit_m * 3937 / 1200 - 1) < 1e-9);
    raster_free(&r);
}

static void tiff_refusals(void **state)
{
    static const double wide[3] = {10, 11, 0}, up[3] = {10, -10, 0}, none[3] = {0, 0, 0},
                        nan_scale[3] = {NAN, NAN, 0};
    static const double turned[16] = {10, 1, 0, 1000, 1, -10, 0, 5000, 0, 0, 0, 0, 0, 0, 0, 1};
    static const struct {
        struct form form;
        const char *what;
    } bad[] = {
        {{.no_place = true}, "has no georeference"},
        {{.matrix = turned}, "rotated or sheared"},
        {{.scale = wide}, "cells of 10 x 11, but they have to be square"},
        {{.scale = up}, "north up"},
        {{.scale = none}, "--source-extent WEST,SOUTH,EAST,NORTH "},
        {{.scale = nan_scale}, "--source-extent WEST,SOUTH,EAST,NORTH "},
        {{.keys = geocentric}, "geocentric"},
        {{.format = SAMPLEFORMAT_COMPLEXIEEEFP, .bits = 64},
         "has samples of 64 bits in TIFF format 6"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(form_write(&bad[i].form, scratch_file(&dir, "bad.tif")));
        assert_refused(scratch_file(&dir, "bad.tif"), 0, bad[i].what);
    }
    assert_true(form_write(&(struct form){0}, scratch_file(&dir, "good.tif")));
    assert_refused(scratch_file(&dir, "good.tif"), 37 * 53 - 1, "cells need about 0.0 GiB");
}

/* Makes width and height of a little-endian classic TIFF and of its tiles that large. */
static void claim_size(const char *path, uint32_t size)
{
    FILE *f = fopen(path, "r+b");
    uint32_t at;
    uint16_t count, head[4];

    if (!f || fseek(f, 4, SEEK_SET) || fread(&at, 4, 1, f) != 1 || fseek(f, at, SEEK_SET) ||
        fread(&count, 2, 1, f) != 1)
        abort();
    for (int i = 0; i < count; i++) {
        if (fseek(f, at + 2 + 12L * i, SEEK_SET) || fread(head, 2, 1, f) != 1) abort();
        if (head[0] != TIFFTAG_IMAGEWIDTH && head[0] != TIFFTAG_IMAGELENGTH &&
            head[0] != TIFFTAG_TILEWIDTH && head[0] != TIFFTAG_TILELENGTH)
            continue;
        memcpy(head, (uint16_t[]){head[0], TIFF_LONG, 1, 0}, sizeof head);
        if (fseek(f, at + 2 + 12L * i, SEEK_SET) || fwrite(head, 8, 1, f) != 1 ||
            fwrite(&size, 4, 1, f) != 1)
            abort();
    }
    if (fclose(f)) abort();
}

/* A grid of one infinite value, and one that claims far more cells than any machine has memory for.
 */
static void tiff_infinite_and_absurd(void **state)
{
    struct tiff_log log;
    const float infinite = INFINITY;

    struct form m = {.rows = 1,
                     .cols = 1,
                     .bits = 32,
                     .format = SAMPLEFORMAT_IEEEFP,
                     .bands = 1,
                     .compression = COMPRESSION_NONE,
                     .planar = PLANARCONFIG_CONTIG,
                     .mode = "w"};
    TIFF *tif = form_open(&m, scratch_file(&dir, "i.tif"), &log);
    TIFFWriteEncodedStrip(tif, 0, (void *)(size_t)&infinite, 4);
    TIFFClose(tif);
    assert_refused(scratch_file(&dir, "i.tif"), 0, "an infinite value in row 0");

    m = (struct form){.tiled = true, .mode = "wl"};
    assert_true(form_write(&m, scratch_file(&dir, "a.tif")));
    claim_size(scratch_file(&dir, "a.tif"), 1000000);
    assert_refused(scratch_file(&dir, "a.tif"), 0, "GiB of memory");
}

/* Cut anywhere, a file is refused; with any byte changed, it is read or refused, never worse. */
static void tiff_damage(void **state)
{
    const struct form forms[] = {
        {.tiled = true, .compression = COMPRESSION_ADOBE_DEFLATE, .predictor = 3, .keys = utm33},
        {.keys = own, .nodata = "-9999", .mode = "wb8"}};
    uint64_t seed = 1;

    for (size_t k = 0; k < 2; k++) {
        assert_true(form_write(&forms[k], scratch_file(&dir, "whole.tif")));
        struct stat st;
        if (stat(scratch_file(&dir, "whole.tif"), &st)) abort();
        const size_t size = (size_t)st.st_size;
        unsigned char *data = malloc(size);
        FILE *f = fopen(scratch_file(&dir, "whole.tif"), "rb");
        if (!data || !f || fread(data, 1, size, f) != size) abort();
        fclose(f);
        for (size_t n = 0; n < size - 8; n += 1 + size / 150) {
            put_bytes(scratch_file(&dir, "cut.tif"), data, n);
            assert_refused(scratch_file(&dir, "cut.tif"), 0,
                           n ? "fetch or write it again" : "is empty");
        }
        for (int i = 0; i < 300; i++) {
            const size_t at = next(&seed) % size;
            struct raster r;
            struct error e = {0};
            const unsigned char kept = data[at];
            data[at] ^= (unsigned char)(1 + next(&seed) % 255);
            put_bytes(scratch_file(&dir, "cut.tif"), data, size);
            const int status = raster_read(&r, scratch_file(&dir, "cut.tif"), 1 << 20, &e);
            assert_true(status == 0 || status == ERROR_INPUT);
            raster_free(&r);
            data[at] = kept;
        }
        free(data);
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, tiff_forms, tiff_jpeg,
                       tiff_meaning, tiff_crs, tiff_refusals, tiff_infinite_and_absurd,
                       tiff_damage);
}
