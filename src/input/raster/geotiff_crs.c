#include "geotiff_crs.h"

#include "projection.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "tiff_io.h"

#include <geo_normalize.h>
#include <geotiff.h>
#include <geovalues.h>
#include <math.h>
#include <proj.h>
#include <stdio.h>
#include <string.h>

enum { IN_PLACE = 0, USER_DEFINED = 32767, METRE = 9001 };

/* A key directory has a header (version, revision, minor revision, number of keys), then the keys. A key has an id, the
 * tag that holds its value (0: the key holds it), a count, and the value or its offset in the tag. */
enum { ENTRY = 4 };

static const uint16_t *find_key(const struct crs *crs, int id)
{
    for (int i = 0; i < crs->key_count; i++)
        if (crs->keys[ENTRY * i] == id) return crs->keys + ENTRY * i;
    return NULL;
}

static int short_key(const struct crs *crs, int id, int otherwise)
{
    const uint16_t *k = find_key(crs, id);
    return k && k[1] == IN_PLACE ? k[3] : otherwise;
}

static double double_key(const struct crs *crs, int id, double otherwise)
{
    const uint16_t *k = find_key(crs, id);
    return k && k[1] == TIFFTAG_GEODOUBLEPARAMS ? crs->doubles[k[3]] : otherwise;
}

/* Copies the text of a key without the '|' at its end. */
static bool text_key(const struct crs *crs, int id, char *out, size_t size)
{
    const uint16_t *k = find_key(crs, id);
    size_t n = 0;
    if (!k || k[1] != TIFFTAG_GEOASCIIPARAMS) return false;
    for (; n < k[2] && n + 1 < size; n++) {
        const char c = crs->text[k[3] + n];
        if (c == '|' || c == '\0') break;
        out[n] = c;
    }
    out[n] = '\0';
    scan_make_printable(out);
    return n > 0;
}

static int check_keys(const struct crs *crs, const char *path, struct error *e)
{
    const size_t text_length = strlen(crs->text);
    for (int i = 0; i < crs->key_count; i++) {
        const uint16_t *k = crs->keys + ENTRY * i;
        const size_t stop = (size_t)k[2] + k[3];
        const bool good =
            k[1] == IN_PLACE ||
            (k[1] == TIFFTAG_GEODOUBLEPARAMS && k[2] > 0 && stop <= (size_t)crs->double_count) ||
            (k[1] == TIFFTAG_GEOASCIIPARAMS && stop <= text_length + 1) ||
            (k[1] == TIFFTAG_GEOKEYDIRECTORY &&
             stop <= (size_t)ENTRY * ((size_t)crs->key_count + 1));
        if (!good)
            return remedy_refuse(
                e, path,
                "%s: its GeoKey %d points outside the file's tables; declare the CRS: " REMEDY_DEM,
                path, k[0], DEM_FROM_CODE);
    }
    return 0;
}

static int load_keys(struct crs *crs, TIFF *tif, const char *path, struct error *e)
{
    uint16_t count = 0, double_count = 0;
    uint16_t *keys = NULL;
    double *doubles = NULL;
    char *text = NULL;
    if (!TIFFGetField(tif, TIFFTAG_GEOKEYDIRECTORY, &count, &keys) || count == 0) return 0;
    if (count < ENTRY || keys[3] > count / ENTRY - 1)
        return remedy_refuse(e, path,
                             "%s: its GeoKey directory is truncated; declare the CRS: " REMEDY_DEM,
                             path, DEM_FROM_CODE);
    if (!TIFFGetField(tif, TIFFTAG_GEODOUBLEPARAMS, &double_count, &doubles)) double_count = 0;
    if (!TIFFGetField(tif, TIFFTAG_GEOASCIIPARAMS, &text)) text = NULL;
    if (keys[3] > CRS_MAX_KEYS || double_count > CRS_MAX_DOUBLES ||
        (text && strlen(text) >= CRS_MAX_TEXT))
        return remedy_refuse(e, path,
                             "%s: the description of its CRS is too long (%d keys, %d numbers); "
                             "give it an EPSG code: " REMEDY_DEM,
                             path, keys[3], double_count, DEM_FROM_CODE);
    crs->key_count = keys[3];
    memcpy(crs->keys, keys + ENTRY, sizeof *keys * ENTRY * (size_t)crs->key_count);
    crs->double_count = double_count;
    if (double_count) memcpy(crs->doubles, doubles, sizeof *doubles * double_count);
    if (text) strcpy(crs->text, text);
    return check_keys(crs, path, e);
}

/* Completes name and unit of *crs from PROJ's EPSG database, which may be missing, or lack the code. */
static void ask_database(int epsg, int unit, struct crs *crs)
{
    char unit_name[64];
    int epsg_unit = 0;
    if (epsg) projection_known(epsg, crs->name, &epsg_unit);
    if (unit == 0 && epsg_unit > 0) unit = epsg_unit;
    if (unit == 0 || unit == METRE || unit == USER_DEFINED) return;
    const double metres = projection_unit(unit, unit_name);
    if (metres > 0) crs->unit_m = metres;
}

static const char wkt_mark[] = "ESRI PE String = ";

/* Takes the name of a CRS from its WKT: the first text in quotes. */
static void name_of_wkt(struct crs *crs)
{
    char wkt[CRS_MAX_TEXT];
    if (!geotiff_crs_wkt(crs, wkt)) return;
    const char *begin = strchr(wkt, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (end) snprintf(crs->name, sizeof crs->name, "%.*s", (int)(end - begin - 1), begin + 1);
    scan_make_printable(crs->name);
}

static int read_unit_and_name(struct crs *crs, const char *path, struct error *e)
{
    const int unit = short_key(crs, ProjLinearUnitsGeoKey, 0);
    const double size = double_key(crs, ProjLinearUnitSizeGeoKey, 1);
    ask_database(crs->epsg, unit, crs);
    if (unit == USER_DEFINED) crs->unit_m = size;
    if (!(crs->unit_m > 0 && isfinite(crs->unit_m)))
        return remedy_refuse(e, path,
                             "%s: its unit of length is %g m; declare the CRS: " REMEDY_DEM, path,
                             crs->unit_m, DEM_FROM_CODE);
    if (!crs->name[0]) name_of_wkt(crs);
    if (crs->name[0]) return 0;
    if (text_key(crs, PCSCitationGeoKey, crs->name, sizeof crs->name)) return 0;
    if (text_key(crs, GTCitationGeoKey, crs->name, sizeof crs->name)) return 0;
    if (text_key(crs, GeogCitationGeoKey, crs->name, sizeof crs->name)) return 0;
    if (crs->epsg) snprintf(crs->name, sizeof crs->name, "EPSG:%d", crs->epsg);
    return 0;
}

/* Reads the vertical CRS and the unit of heights from the keys. If the vertical CRS has a unit, both units have to
 * agree. */
static int read_vertical(struct vertical *v, const struct crs *crs, const char *path,
                         struct error *e)
{
    const int code = short_key(crs, VerticalCSTypeGeoKey, 0);
    const int unit = short_key(crs, VerticalUnitsGeoKey, 0);
    char name[64] = "";
    *v = (struct vertical){0};
    if (code == 0 && unit == 0) return 0;
    if (code != 0 && code != USER_DEFINED) projection_vertical(v, code);
    else if (!text_key(crs, VerticalCitationGeoKey, v->name, sizeof v->name))
        snprintf(v->name, sizeof v->name, "user-defined");
    if (unit == 0) return 0;
    const double metres = unit == METRE ? 1 : projection_unit(unit, name);
    if (v->unit_m > 0 && metres > 0 && fabs(v->unit_m / metres - 1) > 1e-9)
        return remedy_refuse(
            e, path,
            "%s: its heights are in %s by its vertical CRS (%s), but in %s by their unit; declare "
            "the CRS without heights, and their UNIT: " REMEDY_DEM,
            path, v->unit, v->name, unit == METRE ? "metre" : name, DEM_UNIT);
    if (metres > 0) {
        v->unit_m = metres;
        snprintf(v->unit, sizeof v->unit, "%s", unit == METRE ? "metre" : name);
    } else if (v->unit_m == 0) {
        snprintf(v->unit, sizeof v->unit, "EPSG unit %d", unit);
    }
    return 0;
}

int geotiff_crs_read(struct crs *crs, struct vertical *vertical, bool *point, TIFF *tif,
                     const char *path, struct error *e)
{
    int status, model;
    *crs = (struct crs){.unit_m = 1};
    *point = false;
    if ((status = load_keys(crs, tif, path, e))) return status;
    *point = short_key(crs, GTRasterTypeGeoKey, RasterPixelIsArea) == RasterPixelIsPoint;
    model = short_key(crs, GTModelTypeGeoKey, 0);
    if (model == ModelTypeGeocentric)
        return error_input(e,
                           "%s: its CRS is geocentric, and no grid in such coordinates lies on the "
                           "ground; give a DEM in a projected CRS",
                           path);
    crs->geographic =
        model == ModelTypeGeographic || (model == 0 && find_key(crs, GeographicTypeGeoKey) &&
                                         !find_key(crs, ProjectedCSTypeGeoKey));
    if ((status = read_vertical(vertical, crs, path, e))) return status;
    if (!crs->geographic) {
        const int code = short_key(crs, ProjectedCSTypeGeoKey, 0);
        crs->epsg = code >= 1024 && code != USER_DEFINED ? code : 0;
    } else {
        const int code = short_key(crs, GeographicTypeGeoKey, 0);
        crs->epsg_degrees = code >= 1024 && code != USER_DEFINED ? code : 0;
    }
    return read_unit_and_name(crs, path, e);
}

bool geotiff_crs_projected(const struct crs *crs)
{
    char wkt[CRS_MAX_TEXT];
    if (crs->geographic) return false;
    return crs->epsg || short_key(crs, GTModelTypeGeoKey, 0) == ModelTypeProjected ||
           find_key(crs, ProjectedCSTypeGeoKey) || find_key(crs, GeographicTypeGeoKey) ||
           geotiff_crs_wkt(crs, wkt);
}

bool geotiff_crs_wkt(const struct crs *crs, char wkt[CRS_MAX_TEXT])
{
    const char *begin = strstr(crs->text, wkt_mark);
    if (!begin) return false;
    begin += strlen(wkt_mark);
    snprintf(wkt, CRS_MAX_TEXT, "%.*s", (int)strcspn(begin, "|"), begin);
    return true;
}

bool geotiff_crs_from_wkt(struct crs *crs, const char *wkt)
{
    const int length =
        snprintf(crs->text, sizeof crs->text, "%s%s|", wkt_mark, wkt); /* '|' ends the text */
    const uint16_t keys[][ENTRY] = {
        {GTModelTypeGeoKey, IN_PLACE, 1, USER_DEFINED},
        {GTRasterTypeGeoKey, IN_PLACE, 1, RasterPixelIsArea},
        {ProjectedCSTypeGeoKey, IN_PLACE, 1, USER_DEFINED},
        {PCSCitationGeoKey, TIFFTAG_GEOASCIIPARAMS, (uint16_t)length, 0},
        {ProjLinearUnitsGeoKey, IN_PLACE, 1, METRE},
    };

    if (length < 0 || (size_t)length >= sizeof crs->text || strchr(wkt, '|')) {
        crs->text[0] = '\0';
        return false;
    }
    crs->key_count = sizeof keys / sizeof *keys;
    memcpy(crs->keys, keys, sizeof keys);
    return true;
}

bool geotiff_crs_web_mercator(const struct crs *crs)
{
    static const char *const names[] = {"Pseudo-Mercator", "Pseudo Mercator", "Web Mercator",
                                        "Web_Mercator",    "Google Maps",     "Auxiliary_Sphere"};
    if (crs->epsg == 3857 || crs->epsg == 3785 || crs->epsg == 3587 || crs->epsg == 900913)
        return true;
    if (crs->epsg) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(crs->text, names[i])) return true;
    const double major = double_key(crs, GeogSemiMajorAxisGeoKey, 0);
    const double minor = double_key(crs, GeogSemiMinorAxisGeoKey, 0);
    const double flattening = double_key(crs, GeogInvFlatteningGeoKey, 1);
    return short_key(crs, ProjCoordTransGeoKey, 0) == CT_Mercator && major > 0 &&
           (minor == major || flattening == 0);
}

/* ---- writing --------------------------------------------------------------------------------- */

ERROR_FORMAT(3, 4) static void be_quiet(GTIF *gtif, int level, const char *fmt, ...) {}

static bool write_epsg(TIFF *tif, const struct crs *crs)
{
    GTIF *keys = GTIFNewEx(tif, be_quiet, NULL);
    bool good;
    if (!keys) return false;
    good = GTIFKeySet(keys, GTModelTypeGeoKey, TYPE_SHORT, 1, ModelTypeProjected) &&
           GTIFKeySet(keys, GTRasterTypeGeoKey, TYPE_SHORT, 1, RasterPixelIsArea) &&
           GTIFKeySet(keys, ProjectedCSTypeGeoKey, TYPE_SHORT, 1, crs->epsg) &&
           (!crs->name[0] || GTIFKeySet(keys, GTCitationGeoKey, TYPE_ASCII, 0, crs->name)) &&
           GTIFWriteKeys(keys);
    GTIFFree(keys);
    return good;
}

/* Writes the keys as they were read, sorted by id, but always with PixelIsArea. Omits the keys of heights, since
 * layers are in metres. */
static bool write_raw(TIFF *tif, const struct crs *crs)
{
    uint16_t directory[ENTRY * (CRS_MAX_KEYS + 2)] = {1, 1, 0, 0};
    uint16_t *out = directory + ENTRY;
    bool done = false;
    for (int i = 0; i < crs->key_count || !done; i++) {
        const uint16_t *k = i < crs->key_count ? crs->keys + ENTRY * i : NULL;
        if (!done && (!k || k[0] >= GTRasterTypeGeoKey)) {
            memcpy(out, (uint16_t[]){GTRasterTypeGeoKey, IN_PLACE, 1, RasterPixelIsArea},
                   sizeof *out * ENTRY);
            out += ENTRY;
            done = true;
        }
        if (!k || k[0] == GTRasterTypeGeoKey) continue;
        if (k[0] >= VerticalCSTypeGeoKey && k[0] <= VerticalUnitsGeoKey) continue;
        memcpy(out, k, sizeof *out * ENTRY);
        out += ENTRY;
    }
    const int count = (int)(out - directory);
    directory[3] = (uint16_t)(count / ENTRY - 1);
    return TIFFSetField(tif, TIFFTAG_GEOKEYDIRECTORY, count, directory) &&
           (!crs->double_count ||
            TIFFSetField(tif, TIFFTAG_GEODOUBLEPARAMS, crs->double_count, crs->doubles)) &&
           (!crs->text[0] || TIFFSetField(tif, TIFFTAG_GEOASCIIPARAMS, crs->text));
}

int geotiff_crs_write(TIFF *tif, const struct crs *crs, const char *path, struct error *e)
{
    bool good = true;
    if (crs->epsg < 0 || crs->epsg > UINT16_MAX)
        return error_input(e,
                           "%s: EPSG:%d cannot be written to a GeoTIFF, which has codes up to "
                           "65535; declare another CRS",
                           path, crs->epsg);
    if (crs->epsg) good = write_epsg(tif, crs);
    else if (crs->key_count > 0) good = write_raw(tif, crs);
    return good ? 0 : error_failed(e, "%s: cannot write the GeoKeys of its CRS", path);
}
