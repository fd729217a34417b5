/* How long the metres of a projection are, against formulas, and however the projection is said: by
 * a code, by keys, by WKT. */
/* tests: input/raster */
#include "raster/geotiff_crs.h"
#include "raster/projection.h"
#include "unit.h"

#include <geo_normalize.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double a_m = 6378137, flattening = 1 / 298.257223563;

#define BASE                                                                                       \
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"            \
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
#define PROJCS(method, parameters)                                                                 \
    "PROJCS[\"mine\"," BASE ",PROJECTION[\"" method "\"]," parameters                              \
    ",PARAMETER[\"false_easting\",0],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]]"
#define MERCATOR                                                                                   \
    PROJCS("Mercator_1SP", "PARAMETER[\"central_meridian\",7],PARAMETER[\"scale_factor\",1]")
#define PLATE                                                                                      \
    PROJCS("Equirectangular", "PARAMETER[\"standard_parallel_1\",0],"                              \
                              "PARAMETER[\"central_meridian\",7]")

static struct crs from_wkt(const char *wkt)
{
    struct crs crs;
    struct vertical v;
    struct error e = {0};
    if (projection_read(&crs, &v, wkt, "test", "x.asc", &e)) fail_msg("%s", e.text);
    assert_string_equal(v.name, "");
    return crs;
}

/* The scale in the middle of 20 x 20 cells of 10 m around a point. */
static struct ground_scale at(const struct crs *crs, double x, double y)
{
    const struct georef geo = {x - 100, y - 100, 10, *crs};
    struct ground_scale s;
    assert_true(projection_scale(&s, &geo, 20, 20));
    assert_true(s.least <= s.greatest);
    return s;
}

static void near(double got, double want)
{
    if (!(fabs(got / want - 1) < 1e-4)) fail_msg("%.9g instead of %.9g", got, want);
}

/* Radii of the ellipsoid at a latitude: of the meridian, and across. */
static void radii(double phi, double *meridian, double *across)
{
    const double e2 = flattening * (2 - flattening), w = sqrt(1 - e2 * sin(phi) * sin(phi));
    *meridian = a_m * (1 - e2) / (w * w * w);
    *across = a_m / w;
}

static void formulas(void **state)
{
    const struct crs mercator = from_wkt(MERCATOR), plate = from_wkt(PLATE);

    for (int deg = 0; deg <= 80; deg += 10) {
        const double phi = deg * acos(-1.0) / 180;
        double m, n;
        radii(phi, &m, &n);
        const double e = sqrt(flattening * (2 - flattening));
        const double y = a_m * (atanh(sin(phi)) - e * atanh(e * sin(phi)));
        struct ground_scale s = at(&mercator, 3e5, y);
        near(s.least, a_m / (n * cos(phi)));
        near(s.greatest, a_m / (n * cos(phi)));
        near(s.north_deg + 1, deg + 1);
        s = at(&plate, 3e5, a_m * phi); /* along and across the meridian */
        near(s.least, fmin(a_m / m, a_m / (n * cos(phi))));
        near(s.greatest, fmax(a_m / m, a_m / (n * cos(phi))));
        near(s.east_deg, 7 + 3e5 / a_m * 180 / acos(-1.0));
    }
}

static void utm(void **state)
{
    const struct crs north = {.epsg = 32633, .unit_m = 1}, south = {.epsg = 32733, .unit_m = 1};

    near(at(&north, 500000, 4175000).greatest, 0.9996);
    near(at(&south, 500000, 4175000).least, 0.9996);
    assert_true(at(&north, 500000, 4175000).north_deg > 37);
    assert_true(at(&south, 500000, 4175000).north_deg < -52);
    assert_true(at(&north, 2500000, 4175000).least > 1.03); /* a wrong zone */
}

/* UTM needs no PROJ; its scale is that of PROJ's own derivatives there, and the place PROJ's. */
static void utm_by_series(void **state)
{
    static const double place[][2] = {
        {500000, 10}, {166000, 4175000}, {834000, 9300000}, {1400000, 5e6}};
    PJ_CONTEXT *context = projection_context();
    for (int zone = 1; zone <= 60; zone++)
        for (int k = 0; k < 8; k++) {
            const bool south = k >= 4;
            const double x = place[k % 4][0], y = south ? 1e7 - place[k % 4][1] : place[k % 4][1];
            const struct georef geo = {
                x - 0.005, y - 0.005, 0.01, {.epsg = (south ? 32700 : 32600) + zone, .unit_m = 1}};
            struct ground_scale s;
            char text[96];
            snprintf(text, sizeof text, "+proj=utm +zone=%d%s +ellps=WGS84", zone,
                     south ? " +south" : "");
            PJ *utm = proj_create(context, text);
            assert_true(projection_scale_utm(&s, &geo, 1, 1));
            const PJ_COORD there = proj_trans(utm, PJ_INV, proj_coord(x, y, 0, 0));
            const PJ_FACTORS f = proj_factors(utm, there);
            assert_true(fabs(s.greatest / f.meridional_scale - 1) < 1e-8);
            assert_true(fabs(s.least / f.parallel_scale - 1) < 1e-8);
            assert_true(fabs(remainder(s.east_deg - proj_todeg(there.lp.lam), 360)) < 1e-8);
            assert_true(fabs(s.north_deg - proj_todeg(there.lp.phi)) < 1e-8);
            proj_destroy(utm);
        }
    proj_context_destroy(context);
    struct ground_scale s;
    const struct georef middle = {499999.995, 4175000, 0.01, {.epsg = 32633, .unit_m = 1}},
                        far = {2e6, 4175000, 10, {.epsg = 32633, .unit_m = 1}},
                        other = {5e5, 4175000, 10, {.epsg = 3035, .unit_m = 1}};
    assert_true(projection_scale_utm(&s, &middle, 1, 1));
    assert_true(fabs(s.least - 0.9996) < 1e-11 && fabs(s.greatest - 0.9996) < 1e-11);
    assert_false(projection_scale_utm(&s, &far, 1, 1));
    assert_false(projection_scale_utm(&s, &other, 1, 1));
}

/* Stretched in one direction as much as it is squeezed in the other, an equal-area projection shows
 * it neither along x nor along y where those run between the two. */
static void slanting(void **state)
{
    const struct crs crs = from_wkt(
        PROJCS("Lambert_Azimuthal_Equal_Area",
               "PARAMETER[\"latitude_of_center\",45],PARAMETER[\"longitude_of_center\",10]"));
    const double r = 6371000, away = 3e6, c = 2 * asin(away / (2 * r));
    const struct ground_scale s = at(&crs, away * sqrt(0.5), away * sqrt(0.5));

    assert_true(fabs(s.least / cos(c / 2) - 1) < 0.005); /* of a sphere */
    assert_true(fabs(s.greatest * cos(c / 2) - 1) < 0.005);
    assert_true(fabs(s.least * s.greatest - 1) < 0.001);
}

/* A code, its keys without the code, WKT. */
static void said_in_any_way(void **state)
{
    const struct crs code = {.epsg = 3035, .unit_m = 1};
    struct crs keys = {.unit_m = 1}, text;
    struct vertical v;
    struct error e = {0};
    PJ_CONTEXT *context = projection_context();
    PJ *pj = proj_create(context, "EPSG:3035");

    if (!pj) {
        proj_context_destroy(context);
        print_message("skipped: no database of PROJ here\n");
        skip();
    }
    const char *wkt = proj_as_wkt(context, pj, PJ_WKT2_2019, NULL);
    assert_int_equal(projection_read(&text, &v, wkt, "test", "x.asc", &e), 0);
    assert_int_equal(text.epsg, 3035);
    wkt = proj_as_wkt(context, pj, PJ_WKT1_ESRI, (const char *const[]){"MULTILINE=NO", NULL});
    assert_int_equal(projection_read(&text, &v, wkt, "test", "x.asc", &e), 0);
    assert_int_equal(text.epsg, 3035);
    assert_true(geotiff_crs_from_wkt(&keys, wkt));
    const struct ground_scale a = at(&code, 4.75e6, 1.65e6), b = at(&keys, 4.75e6, 1.65e6);
    near(a.least, b.least);
    near(a.greatest, b.greatest);
    assert_true(a.greatest > 1.001);
    proj_destroy(pj);
    proj_context_destroy(context);
}

static void unusual_texts(void **state)
{
    static const char *const refused[] = {
        "",
        "nonsense",
        "EPSG:32633",
        "+proj=utm +zone=33",
        "GEOCCS[]",
        "GEOCCS[\"x\",DATUM[\"d\",SPHEROID[\"s\",6378137,298]],PRIMEM[\"g\",0],UNIT[\"m\",1]]"};
    struct crs crs;
    struct vertical v;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct error e = {0};
        assert_int_equal(projection_read(&crs, &v, refused[i], "x.prj", "x.asc", &e), ERROR_INPUT);
        assert_ptr_equal(strstr(e.text, "x.prj: "), e.text);
        assert_null(strchr(e.text, '\n'));
    }
    struct error e = {0};
    assert_int_equal(
        projection_read(&crs, &v, "LOCAL_CS[\"lab\xc2\x9b\",UNIT[\"mm\",0.001]]", "x", "x.asc", &e),
        0);
    assert_true(crs.unit_m == 0.001 && !geotiff_crs_projected(&crs));
    assert_string_equal(crs.name, "lab?");
    assert_int_equal(projection_read(&crs, &v, BASE, "x", "x.asc", &e), 0);
    assert_true(crs.geographic && !geotiff_crs_projected(&crs));
    assert_int_equal(
        projection_read(&crs, &v,
                        "COMPD_CS[\"c\"," MERCATOR ",VERT_CS[\"depth of mine\","
                        "VERT_DATUM[\"d\",2005],UNIT[\"foot\",0.3048],AXIS[\"D\",DOWN]]]",
                        "x", "x.asc", &e),
        0);
    assert_true(v.depth && v.unit_m == 0.3048);
    assert_string_equal(v.name, "depth of mine");
    assert_string_equal(crs.name, "mine");
}

/* A raster beside a grid: without a code what the same coordinates mean decides. */
static void another_crs(void **state)
{
    const char *utm33 =
        PROJCS("Transverse_Mercator",
               "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",15],"
               "PARAMETER[\"scale_factor\",0.9996]");
    struct georef grid = {500000, 4175000, 10, {.epsg = 32633, .unit_m = 1}};
    struct raster r = {.geo = grid};
    struct error e = {0};
    char own[2000];

    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), 0);
    const char *easting = strstr(utm33, "\"false_easting\",0");
    snprintf(own, sizeof own, "%.*s\"false_easting\",500000%s", (int)(easting - utm33), utm33,
             easting + strlen("\"false_easting\",0"));
    r.geo.crs = from_wkt(own);
    r.geo.crs.epsg = 0;
    assert_true(r.geo.crs.key_count > 0);
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), 0);
    r.geo.crs = from_wkt(utm33); /* whose coordinates are 500 km off */
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "r.tif: is in mine, but the grid is in EPSG:32633"));
    grid.crs = from_wkt(MERCATOR);
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), ERROR_INPUT);
    r.geo.crs = (struct crs){.epsg = 32634, .unit_m = 1};
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), ERROR_INPUT);
    r.geo.crs = from_wkt(BASE);
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "is in degrees"));
    r.geo.crs = (struct crs){.unit_m = 1}; /* says nothing */
    assert_int_equal(raster_check_crs(&r, "r.tif", &grid, &e), 0);
}

/* Keys of the wrong type, count and size, which libgeotiff would write over what lies behind. */
static void keys_out_of_bounds(void **state)
{
    static const struct {
        uint16_t key[4];
        double value;
    } bad[] = {
        {{3080, 34736, 1, 0}, 1e300}, {{3082, 34736, 1, 0}, -1.7e308}, {{3092, 34736, 1, 0}, NAN},
        {{2057, 34736, 1, 0}, 1e305}, {{3075, 34736, 1, 0}, 1e300},    {{3076, 34736, 8, 0}, 1},
        {{2054, 34736, 1, 0}, 1e300}, {{3079, 0, 1, 9001}, 0},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int method = 1; method < 28; method++) {
            struct georef geo = {0, 0, 10, {.unit_m = 1}};
            struct crs *crs = &geo.crs;
            struct ground_scale s;
            const uint16_t keys[][4] = {{1024, 0, 1, 1},
                                        {2048, 0, 1, 4326},
                                        {3072, 0, 1, 32767},
                                        {3074, 0, 1, 32767},
                                        {3075, 0, 1, (uint16_t)method}};
            crs->key_count = 6;
            crs->double_count = 20;
            memcpy(crs->keys, keys, sizeof keys);
            memcpy(crs->keys + 20, bad[i].key, sizeof bad[i].key);
            for (int k = 0; k < 20; k++) crs->doubles[k] = bad[i].value;
            if (projection_scale(&s, &geo, 10, 10)) assert_true(s.least > 0 && s.greatest < 1e9);
        }

    /* found by fuzzing: libgeotiff's reading of such a directory overruns a buffer */
    struct raster r;
    struct ground_scale s;
    struct error e = {0};
    if (raster_read(&r, "tests/corpus/raster/keys.tif", 0, &e)) fail_msg("%s", e.text);
    assert_true(r.geo.crs.key_count > 3);
    if (projection_scale(&s, &r.geo, r.rows, r.cols)) assert_true(s.least > 0);
    raster_free(&r);
}

/* libgeotiff takes some angles for degrees that are none, and prints where it does not know a unit.
 */
static void angles(void **state)
{
    static const uint16_t units[] = {9102, 9122, 9101, 9105, 12345};
    FILE *file = tmpfile();
    const int kept = dup(2);
    bool known[5];

    assert_true(kept >= 0 && file && dup2(fileno(file), 2) == 2);
    for (int i = 0; i < 5; i++) {
        struct georef geo = {500000, 4175000, 10, {.unit_m = 1}};
        struct ground_scale s;
        const uint16_t keys[][4] = {
            {1024, 0, 1, 1},     {2048, 0, 1, 4326}, {2054, 0, 1, units[i]}, {3072, 0, 1, 32767},
            {3074, 0, 1, 32767}, {3075, 0, 1, 1},    {3080, 34736, 1, 0},    {3081, 34736, 1, 3},
            {3082, 34736, 1, 1}, {3092, 34736, 1, 2}};
        geo.crs.key_count = 10;
        geo.crs.double_count = 4;
        memcpy(geo.crs.keys, keys, sizeof keys);
        memcpy(geo.crs.doubles, (const double[]){15, 500000, 0.9996, 0}, 4 * sizeof(double));
        known[i] = projection_scale(&s, &geo, 10, 10) && fabs(s.greatest - 0.9996) < 1e-5;
    }
    const off_t printed = lseek(2, 0, SEEK_END);
    dup2(kept, 2);
    close(kept);
    fclose(file);
    assert_true(known[0] && known[1]);
    assert_false(known[2] || known[3] || known[4]);
    assert_int_equal(printed, 0);
}

/* In a polar projection north is where the pole is; in UTM the meridians converge by the longitude
 * from the central one times the sine of the latitude, nearly. */
static void north(void **state)
{
    const struct crs south = {.epsg = 3031, .unit_m = 1}, utm = {.epsg = 32633, .unit_m = 1},
                     none = {.unit_m = 1};
    for (int i = 0; i < 8; i++) {
        const double x = 1.2e6 * cos(i + 0.5), y = 1.2e6 * sin(i + 0.5);
        const struct georef geo = {x - 50, y - 50, 10, south};
        const double got = projection_north(&geo, 10, 10), want = atan2(x, y) * 180 / acos(-1.0);
        assert_true(fabs(remainder(got - want, 360)) < 1e-3);
    }
    const struct georef east = {700000, 6650000, 10, utm}; /* 60 degrees north, 3.6 to the east */
    const double got = projection_north(&east, 10, 10);
    assert_true(got < -3.0 && got > -3.2);
    const struct georef nowhere = {700000, 6650000, 10, none};
    assert_true(projection_north(&nowhere, 10, 10) == 0);
}

int main(void)
{
    return UNIT_RUN(north, formulas, utm, utm_by_series, slanting, said_in_any_way, unusual_texts,
                    another_crs, keys_out_of_bounds, angles);
}
