/* What the tags of a GeoTIFF say of its numbers: in which unit its heights are, and whether they
 * are heights at all, and not colours. test_terrain_files.sh asks the same of files that GDAL
 * wrote. */
/* tests: input/raster */
#include "tiff_forms.h"
#include "folder.h"
#include "raster/datum.h"

/* Codes of EPSG for what is measured and in which unit */
enum {
    NAVD88_FEET = 6360,
    DEPTH = 5715,
    ELLIPSOID = 4979,
    OWN = 32767,
    OF_GEOTIFF_1_0 = 5103,
    METRE = 9001,
    FOOT = 9002,
    SURVEY_FOOT = 9003
};

#define UNIT(name)                                                                                 \
    "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">" name                   \
    "</Item></GDALMetadata>"

/* Heights in feet become metres with one rounding; what does not fit together is refused. */
static void heights(void **state)
{
    static const struct {
        struct form form;
        double times, per; /* 0: refused */
        const char *said;  /* or why */
    } cases[] = {
        {{.keys = utm33}, 1, 1, "metre (not declared)"},
        {{.keys = utm33, .metadata = UNIT(" Metre ")}, 1, 1, "metre"},
        {{.keys = utm33, .vertical = ELLIPSOID}, 1, 1, "metre"},
        {{.keys = utm33, .vertical = OF_GEOTIFF_1_0, .vertical_unit = METRE}, 1, 1, "metre"},
        {{.keys = utm33, .vertical_unit = FOOT}, 3048, 10000, "foot, converted to metre"},
        {{.metadata = UNIT("feet")}, 3048, 10000, "foot, converted to metre"},
        {{.keys = utm33, .vertical = NAVD88_FEET},
         1200,
         3937,
         "US survey foot, converted to metre"},
        {{.keys = utm33, .vertical = OWN, .vertical_unit = SURVEY_FOOT},
         1200,
         3937,
         "US survey foot, converted to metre"},
        {{.keys = utm33, .vertical = NAVD88_FEET, .metadata = UNIT("US survey foot")},
         1200,
         3937,
         "US survey foot, converted to metre"},
        {{.keys = utm33, .vertical = NAVD88_FEET, .metadata = UNIT("ft")},
         0,
         0,
         "US survey foot; name the right one (UNIT): sciara dem "},
        {{.keys = utm33, .vertical = DEPTH}, 0, 0, "depths (EPSG:5715)"},
        {{.keys = utm33, .vertical = OWN}, 0, 0, "the unit of the vertical CRS 'user-defined'"},
        {{.keys = utm33, .vertical = OWN, .metadata = UNIT("cm")},
         1,
         100,
         "centimetre, converted to metre"},
        {{.keys = utm33, .vertical = OF_GEOTIFF_1_0},
         0,
         0,
         "the unit of the vertical CRS 'EPSG:5103'"},
        {{.keys = utm33, .metadata = UNIT("m\x1b[2J\xff")}, 0, 0, "'m?[2J?'"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct raster r;
        struct error e = {0};
        char said[RASTER_UNIT_SAID];
        assert_true(form_write(&cases[i].form, scratch_file(&dir, "h.tif")));
        must_read(&r, scratch_file(&dir, "h.tif"));
        const int status = raster_to_metres(&r, said, scratch_file(&dir, "h.tif"), &e);
        assert_int_equal(status, cases[i].times ? 0 : ERROR_INPUT);
        if (!strstr(status ? e.text : said, cases[i].said))
            fail_msg("%zu: '%s' does not say '%s'", i, status ? e.text : said, cases[i].said);
        assert_null(strchr(e.text, '\n'));
        for (int c = 0; !status && c < 37 * 53; c++) {
            unsigned char bytes[8];
            const struct form plain = {.format = SAMPLEFORMAT_IEEEFP, .bits = 32};
            const double raw = sample_of(&plain, c / 53, c % 53, 0, bytes);
            const double metres = raw * cases[i].times / cases[i].per;
            assert_true(
                same_bits(r.value[c], cases[i].times == 1 && cases[i].per == 1 ? raw : metres));
        }
        raster_free(&r);
    }
    const struct form both = {.keys = utm33, .vertical = NAVD88_FEET, .vertical_unit = METRE};
    assert_true(form_write(&both, scratch_file(&dir, "h.tif")));
    assert_refused(scratch_file(&dir, "h.tif"), 0,
                   "US survey foot by its vertical CRS (EPSG:6360)");
}

/* Scale and offset of feet become those of metres: by them a command names a number as the file stores it. */
static void stored_numbers(void **state)
{
    static const char scaled[] =
        "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item>"
        "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>"
        "<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item></GDALMetadata>";
    const struct form form = {
        .keys = utm33, .metadata = scaled, .format = SAMPLEFORMAT_UINT, .bits = 16};
    const char *path = scratch_file(&dir, "h.tif");
    struct raster r;
    struct error e = {0};
    assert_true(form_write(&form, path));
    must_read(&r, path);
    assert_int_equal(raster_to_metres(&r, NULL, path, &e), 0);
    for (int c = 0; c < 37 * 53; c++) {
        unsigned char bytes[8];
        const double raw = sample_of(&form, c / 53, c % 53, 0, bytes);
        assert_true(fabs(r.value[c] - (raw * 0.5 + 100) * 0.3048) < 1e-9);
        assert_true(fabs((r.value[c] - r.offset) / r.scale - raw) < 1e-6);
    }
    raster_free(&r);
}

/* What two grids are to each other does not depend on how finely they show the ground: of many cells a sample counts. */
static void datums(void **state)
{
    static const struct {
        double times, more; /* other heights: times the ground, and more */
        int every;          /* of so many cells one has a height */
        bool known;
        enum datum_is is;
    } cases[] = {{1, 5, 1, true, DATUM_SHIFTED}, {1, -5, 1, true, DATUM_SHIFTED},
                 {1, 0.5, 3, true, DATUM_NEAR},  {3.28084, 0, 2, true, DATUM_IN_FEET},
                 {1, 0.2, 1, true, DATUM_SAME},  {1, 5, 3, true, DATUM_SHIFTED},
                 {1, 5, 5, false, DATUM_SAME}};
    enum { MOST = 900000 };
    double *ground = malloc(MOST * sizeof *ground), *other = malloc(MOST * sizeof *other);
    assert_true(ground && other);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t cells = 900; cells <= MOST; cells *= 1000) {
            struct datum d;
            struct error e;
            for (size_t k = 0; k < cells; k++) {
                ground[k] = 1000 + (double)(k % 700);
                other[k] = (k * 2654435761u >> 16) % (size_t)cases[i].every
                               ? (double)NAN
                               : ground[k] * cases[i].times + cases[i].more;
            }
            assert_int_equal(datum_compare(&d, other, ground, cells, &e), 0);
            if (d.known != cases[i].known || d.is != cases[i].is)
                fail_msg("%zu: %zu cells: %d %d", i, cells, d.known, (int)d.is);
            if (d.known && cases[i].times == 1) assert_true(fabs(d.shift_m - cases[i].more) < 1e-9);
        }
    free(ground);
    free(other);
}

/* What is drawn is no terrain. */
static void pictures(void **state)
{
    static const struct {
        struct form form;
        const char *what; /* NULL: numbers */
    } cases[] = {
        {{.photometric = PHOTOMETRIC_MINISBLACK, .bands = 3}, NULL},
        {{.photometric = PHOTOMETRIC_MINISBLACK, .bands = 2, .planar = PLANARCONFIG_SEPARATE},
         NULL},
        {{.photometric = PHOTOMETRIC_RGB, .bands = 3}, "is a picture (red, green and blue)"},
        {{.photometric = PHOTOMETRIC_MASK}, "is a picture (a mask)"},
        {{.photometric = PHOTOMETRIC_CIELAB, .bands = 3}, "is a picture (in colours)"},
        {{.metadata = "<GDALMetadata><Item name=\"S\" sample=\"0\" role=\"scale\">0</Item>"
                      "</GDALMetadata>"},
         "its scale is 0"},
        {{.metadata = "<GDALMetadata><Item name=\"S\">1"}, "its metadata is not XML"},
        {{.metadata = "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"}, "a document type"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct form form = cases[i].form;
        form.format = SAMPLEFORMAT_UINT;
        form.bits = 8;
        assert_true(form_write(&form, scratch_file(&dir, "p.tif")));
        if (cases[i].what) {
            assert_refused(scratch_file(&dir, "p.tif"), 0, cases[i].what);
            continue;
        }
        struct raster r;
        unsigned char bytes[8];
        must_read(&r, scratch_file(&dir, "p.tif"));
        assert_int_equal(r.band_count, cases[i].form.bands);
        assert_true(r.value[0] == sample_of(&form, 0, 0, 0, bytes));
        raster_free(&r);
    }
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, heights, stored_numbers, datums,
                       pictures);
}
