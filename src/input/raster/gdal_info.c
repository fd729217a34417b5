/* Reading GDAL's XML, with expat, and writing it. */
#include "gdal_info.h"

#include "text/number.h"
#include "text/remedy.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VALUE_MAX = 1 << 14 }; /* bytes of a value that is kept; a CRS takes some thousand */

/* What the element that is open stands for. */
enum meaning { NOTHING, NODATA, UNIT, SCALE, OFFSET, COLOUR, TERRAIN, SOFTWARE, SRS, TRANSFORM };

struct reading {
    struct gdal_info *g;
    const char *name;
    struct error *e;
    XML_Parser parser;
    bool sidecar;
    int depth;
    bool in_band, in_band_1, in_metadata; /* of a sidecar, at depth 2 */
    enum meaning meaning;                 /* of the element at depth meaning_depth */
    int meaning_depth;
    char bytes[17]; /* of the nodata value as a double, in hexadecimal; may be empty */
    size_t length;
    char value[VALUE_MAX + 1];
    int status;
};

static void stop(struct reading *r, int status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

/* ---- which elements count -------------------------------------------------------------------- */

static const char *attribute(const XML_Char **list, const char *name)
{
    for (; *list; list += 2)
        if (!strcmp(list[0], name)) return list[1];
    return NULL;
}

static bool is(const char *text, const char *word)
{
    return text && !strcmp(text, word);
}

/* <GDALMetadata> <Item name= [sample=] [role=] [domain=]> */
static enum meaning meaning_in_tag(int depth, const char *element, const XML_Char **list)
{
    const char *role = attribute(list, "role"), *sample = attribute(list, "sample");
    if (depth != 2 || !is(element, "Item")) return NOTHING;
    if (is(role, "colorinterp")) return COLOUR;
    if (is(sample, "0"))
        return is(role, "scale")      ? SCALE
               : is(role, "offset")   ? OFFSET
               : is(role, "unittype") ? UNIT
                                      : NOTHING;
    if (sample || attribute(list, "domain")) return NOTHING;
    const char *name = attribute(list, "name");
    return is(name, "TERRAIN") ? TERRAIN : is(name, "SOFTWARE") ? SOFTWARE : NOTHING;
}

/* <PAMDataset> <SRS>, <GeoTransform>, <Metadata> <MDI key=>, <PAMRasterBand band=> <NoDataValue>,
 * ...
 */
static enum meaning meaning_in_sidecar(struct reading *r, const char *element,
                                       const XML_Char **list)
{
    static const struct {
        const char *element;
        enum meaning meaning;
    } of_band[] = {
        {"NoDataValue", NODATA}, {"UnitType", UNIT}, {"Scale", SCALE}, {"Offset", OFFSET}};

    if (r->depth == 2) {
        r->in_band = is(element, "PAMRasterBand");
        r->in_band_1 = r->in_band && is(attribute(list, "band"), "1");
        r->in_metadata = is(element, "Metadata") && !attribute(list, "domain");
        return is(element, "SRS") ? SRS : is(element, "GeoTransform") ? TRANSFORM : NOTHING;
    }
    if (r->depth != 3) return NOTHING;
    if (r->in_metadata && is(element, "MDI") && is(attribute(list, "key"), "TERRAIN"))
        return TERRAIN;
    if (r->in_band && is(element, "ColorInterp")) return COLOUR;
    for (size_t i = 0; r->in_band_1 && i < sizeof of_band / sizeof *of_band; i++)
        if (is(element, of_band[i].element)) return of_band[i].meaning;
    return NOTHING;
}

static void XMLCALL on_start(void *user, const XML_Char *element, const XML_Char **list)
{
    struct reading *r = user;
    r->depth++;
    if (r->meaning) return; /* elements within a value: their text is part of it */
    r->meaning =
        r->sidecar ? meaning_in_sidecar(r, element, list) : meaning_in_tag(r->depth, element, list);
    r->meaning_depth = r->depth;
    r->length = 0;
    r->bytes[0] = '\0';
    const char *bytes = attribute(list, "le_hex_equiv");
    if (bytes && strlen(bytes) == 16) strcpy(r->bytes, bytes);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    struct reading *r = user;
    if (!r->meaning) return;
    if (r->length + (size_t)length > VALUE_MAX) {
        stop(r,
             error_input(r->e, "%s: a value of more than %d bytes; remove it", r->name, VALUE_MAX));
        return;
    }
    memcpy(r->value + r->length, text, (size_t)length);
    r->length += (size_t)length;
}

/* ---- their values --------------------------------------------------------------------------- */

static const struct {
    const char *name;
    char c;
} entities[] = {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
enum { ENTITIES = sizeof entities / sizeof *entities };

/* GDAL escapes the values of the tag twice, "&amp;lt;" for '<'; expat has undone it once. */
static void unescape(char *text)
{
    char *out = text;
    for (const char *p = text; *p;) {
        int k = 0;
        while (k < ENTITIES &&
               (*p != '&' || strncmp(p + 1, entities[k].name, strlen(entities[k].name))))
            k++;
        *out++ = k < ENTITIES ? entities[k].c : *p;
        p += k < ENTITIES ? 1 + strlen(entities[k].name) : 1;
    }
    *out = '\0';
}

/* As much as fits; no half of a character. */
static void copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%.*s", (int)size - 1, text);
    scan_cut(out);
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* A list of `count` numbers between commas, and nothing else. */
static bool scan_numbers(const char *text, double *v, int count)
{
    for (int i = 0; i < count; i++) {
        text = skip_blanks(text);
        if (i > 0 && *text++ != ',') return false;
        text = number_scan(skip_blanks(text), v + i);
        if (!text) return false;
    }
    return *skip_blanks(text) == '\0';
}

/* A double from its bytes, the lowest first: exact where 15 digits are not. */
static bool scan_bytes(const char *digits, double *v)
{
    uint64_t bits = 0;
    if (strspn(digits, "0123456789abcdefABCDEF") != 16) return false;
    for (int i = 14; i >= 0; i -= 2)
        bits = bits << 8 | strtoul((char[3]){digits[i], digits[i + 1]}, NULL, 16);
    memcpy(v, &bits, sizeof *v);
    return true;
}

static void not_a_number(struct reading *r, const char *what)
{
    char excerpt[48];
    scan_excerpt(excerpt, r->value);
    stop(r, r->sidecar
                ? error_input(r->e, "%s: %s '%s' is not a number; correct it there", r->name, what,
                              excerpt)
                : remedy_refuse(
                      r->e, r->name,
                      "%s: %s '%s' in its metadata is not a number; correct it: " REMEDY_SCALE,
                      r->name, what, excerpt));
}

/* Numbers that are finite; false: the reading is stopped. */
static bool take_numbers(struct reading *r, const char *what, double *v, int count)
{
    bool good = scan_numbers(r->value, v, count);
    for (int i = 0; i < count; i++) good = good && isfinite(v[i]);
    if (!good) not_a_number(r, what);
    return good;
}

static void take_value(struct reading *r)
{
    struct gdal_info *g = r->g;
    switch (r->meaning) {
    case NODATA:
        g->has_nodata = scan_numbers(r->value, &g->nodata, 1);
        if (!g->has_nodata) not_a_number(r, "nodata value");
        else if (r->bytes[0]) scan_bytes(r->bytes, &g->nodata);
        break;
    case UNIT:
        copy(g->unit, sizeof g->unit, skip_blanks(r->value));
        break;
    case SCALE:
        g->has_scale = take_numbers(r, "scale", &g->scale, 1);
        break;
    case OFFSET:
        g->has_offset = take_numbers(r, "offset", &g->offset, 1);
        break;
    case COLOUR:
        g->alpha |= !strcmp(r->value, "Alpha");
        break;
    case TERRAIN:
        copy(g->terrain, sizeof g->terrain, r->value);
        break;
    case SOFTWARE:
        copy(g->software, sizeof g->software, r->value);
        break;
    case SRS:
        free(g->srs);
        g->srs = *skip_blanks(r->value) ? text_format("%s", r->value) : NULL;
        break;
    case TRANSFORM:
        g->has_transform = take_numbers(r, "the geotransform", g->transform, 6);
        break;
    case NOTHING:
        break;
    }
}

static void XMLCALL on_end(void *user, const XML_Char *element)
{
    struct reading *r = user;
    if (r->meaning && r->depth == r->meaning_depth) {
        r->value[r->length] = '\0';
        if (!r->sidecar) unescape(r->value);
        scan_make_printable(r->value);
        take_value(r);
        r->meaning = NOTHING;
    }
    r->depth--;
}

/* A document type may define entities, which nothing here needs and which may grow without end. */
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal)
{
    struct reading *r = user;
    stop(r, error_input(r->e, "%s: its metadata has a document type; remove it", r->name));
}

/* ---- all ------------------------------------------------------------------------------------- */

static int parse(struct gdal_info *g, char *xml, bool sidecar, const char *name, struct error *e)
{
    FREED struct reading *r = calloc(1, sizeof *r);
    /* the declared encoding does not count: malformed UTF-8 is a question mark by now */
    XML_Parser parser = XML_ParserCreate("UTF-8");
    int status;
    *g = (struct gdal_info){.scale = 1};
    if (!r || !parser) {
        status = error_memory(e);
    } else {
        *r = (struct reading){.g = g, .name = name, .e = e, .parser = parser, .sidecar = sidecar};
        XML_SetUserData(parser, r);
        XML_SetElementHandler(parser, on_start, on_end);
        XML_SetCharacterDataHandler(parser, on_text);
        XML_SetStartDoctypeDeclHandler(parser, on_doctype);
        scan_make_printable(xml);
        xml += strspn(xml, " ");
        const bool good = !*xml || XML_Parse(parser, xml, (int)strlen(xml), 1) == XML_STATUS_OK;
        status = r->status;
        if (!good && !status)
            status = error_input(
                e, "%s: its metadata is not XML: %s at byte %ld; correct or remove it", name,
                XML_ErrorString(XML_GetErrorCode(parser)), (long)XML_GetCurrentByteIndex(parser));
    }
    if (parser) XML_ParserFree(parser);
    if (status) gdal_info_free(g);
    return status;
}

int gdal_info_of_tag(struct gdal_info *g, const char *xml, const char *name, struct error *e)
{
    FREED char *copied = text_format("%s", xml);
    return copied ? parse(g, copied, false, name, e) : error_memory(e);
}

int gdal_info_of_sidecar(struct gdal_info *g, char *xml, size_t size, const char *name,
                         struct error *e)
{
    static const char mark[] = "\xef\xbb\xbf";
    for (size_t i = 0; i < size; i++)
        if (xml[i] == '\0') xml[i] = '?';
    return parse(g, xml + (strncmp(xml, mark, 3) == 0 ? 3 : 0), true, name, e);
}

int gdal_info_beside(struct gdal_info *g, const char *path, struct error *e)
{
    FREED char *name = text_format("%s.aux.xml", path);
    FREED char *xml = NULL;
    struct stat s;
    size_t size = 0;
    *g = (struct gdal_info){.scale = 1};
    if (!name) return error_memory(e);
    if (stat(name, &s) != 0) return 0;
    int status = textfile_load(&xml, &size, name, e);
    return status ? status : gdal_info_of_sidecar(g, xml, size, name, e);
}

void gdal_info_free(struct gdal_info *g)
{
    free(g->srs);
    *g = (struct gdal_info){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_item(FILE *f, const char *name, const char *attributes, const char *value)
{
    if (!value) return;
    fputs("  <Item name=\"", f);
    scan_put_xml(f, name, "&");
    fprintf(f, "\"%s>", attributes);
    scan_put_xml(f, value, "&amp;");
    fputs("</Item>\n", f);
}

char *gdal_metadata_text(const struct geotiff_item *items, int item_count,
                         const struct geotiff_band *bands, int band_count)
{
    char *text = NULL, attributes[64];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fputs("<GDALMetadata>\n", f);
    for (int i = 0; i < item_count; i++) put_item(f, items[i].name, "", items[i].value);
    for (int i = 0; i < band_count; i++) {
        snprintf(attributes, sizeof attributes, " sample=\"%d\" role=\"description\"", i);
        put_item(f, "DESCRIPTION", attributes, bands[i].description);
        snprintf(attributes, sizeof attributes, " sample=\"%d\" role=\"unittype\"", i);
        put_item(f, "UNITTYPE", attributes, bands[i].unit);
    }
    fputs("</GDALMetadata>\n", f);
    const bool bad = ferror(f) != 0;
    if (fclose(f) == 0 && !bad) return text;
    free(text);
    return NULL;
}
