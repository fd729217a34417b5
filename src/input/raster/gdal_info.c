/* gdal_info.c — reads GDAL's XML, with expat, and writes it. */
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

enum { VALUE_MAX = 1 << 14, ITEM_DEPTH = 2 }; /* bytes of a kept value; depth of <Item> */

/* What the value of an <Item> means. */
enum meaning { NOTHING, UNIT, SCALE, OFFSET, COLOUR, TERRAIN, SOFTWARE, DIGEST };

struct reading {
    struct gdal_info *g;
    const char *name;
    struct error *e;
    XML_Parser parser;
    int depth;
    enum meaning meaning; /* meaning of the text that follows; NOTHING: the text is not kept */
    size_t length;
    char value[VALUE_MAX + 1];
    int status;
};

static void stop_reading(struct reading *r, int status)
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

/* Returns the meaning of an <Item> by its attributes name, sample, role and domain. */
static enum meaning meaning_of(int depth, const char *element, const XML_Char **list)
{
    const char *role = attribute(list, "role"), *sample = attribute(list, "sample");
    if (depth != ITEM_DEPTH || !is(element, "Item")) return NOTHING;
    if (is(role, "colorinterp")) return COLOUR;
    if (is(sample, "0"))
        return is(role, "scale")      ? SCALE
               : is(role, "offset")   ? OFFSET
               : is(role, "unittype") ? UNIT
                                      : NOTHING;
    if (sample || attribute(list, "domain")) return NOTHING;
    const char *name = attribute(list, "name");
    return is(name, "TERRAIN")                  ? TERRAIN
           : is(name, "SOFTWARE")               ? SOFTWARE
           : name && text_ends(name, "_DIGEST") ? DIGEST
                                                : NOTHING;
}

static void XMLCALL on_start(void *user, const XML_Char *element, const XML_Char **list)
{
    struct reading *r = user;
    r->depth++;
    if (r->meaning) return; /* an element within a value: its text is part of the value */
    r->meaning = meaning_of(r->depth, element, list);
    r->length = 0;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    struct reading *r = user;
    if (!r->meaning) return;
    if (r->length + (size_t)length > VALUE_MAX) {
        stop_reading(r, error_input(r->e,
                                    "%s: its metadata has a value of more than %d bytes; remove it",
                                    r->name, VALUE_MAX));
        return;
    }
    memcpy(r->value + r->length, text, (size_t)length);
    r->length += (size_t)length;
}

/* ---- the values of elements ----------------------------------------------------------------- */

static const struct {
    const char *name;
    char c;
} entities[] = {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
enum { ENTITIES = sizeof entities / sizeof *entities };

/* Unescapes a value. GDAL escapes values twice, "&amp;lt;" for '<', and expat unescapes them once. */
static void unescape_value(char *text)
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

/* Copies as many whole characters as fit. */
static void copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%.*s", (int)size - 1, text);
    scan_cut(out);
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* Reads a finite number; stops the parser at any other text. */
static void take_number(struct reading *r, const char *what, double *v)
{
    char excerpt[48];
    const char *end = number_scan(skip_blanks(r->value), v);
    if (end && !*skip_blanks(end) && isfinite(*v)) return;
    scan_excerpt(excerpt, r->value);
    stop_reading(
        r, remedy_refuse(r->e, r->name,
                         "%s: %s '%s' in its metadata is not a number; correct it: " REMEDY_DEM,
                         r->name, what, excerpt, DEM_SCALE));
}

static void take_value(struct reading *r)
{
    struct gdal_info *g = r->g;
    switch (r->meaning) {
    case UNIT:
        copy(g->unit, sizeof g->unit, skip_blanks(r->value));
        break;
    case SCALE:
        take_number(r, "scale", &g->scale);
        break;
    case OFFSET:
        take_number(r, "offset", &g->offset);
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
    case DIGEST:
        copy(g->digest, sizeof g->digest, r->value);
        break;
    case NOTHING:
        break;
    }
}

static void XMLCALL on_end(void *user, const XML_Char *element)
{
    struct reading *r = user;
    if (r->meaning && r->depth == ITEM_DEPTH) {
        r->value[r->length] = '\0';
        unescape_value(r->value);
        scan_make_printable(r->value);
        take_value(r);
        r->meaning = NOTHING;
    }
    r->depth--;
}

/* Refuses a document type. It may define entities, which are not needed and can expand without limit. */
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal)
{
    struct reading *r = user;
    stop_reading(r, error_input(r->e, "%s: its metadata has a document type; remove it", r->name));
}

/* ---- a whole document ------------------------------------------------------------------------ */

int gdal_info_read(struct gdal_info *g, const char *xml, const char *name, struct error *e)
{
    FREED struct reading *r = calloc(1, sizeof *r);
    FREED char *text = text_format("%s", xml);
    /* The parser reads UTF-8, whatever the XML declares. scan_make_printable() replaces malformed characters. */
    XML_Parser parser = r && text ? XML_ParserCreate("UTF-8") : NULL;
    *g = (struct gdal_info){.scale = 1};
    if (!parser) return error_memory(e);
    *r = (struct reading){.g = g, .name = name, .e = e, .parser = parser};
    XML_SetUserData(parser, r);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    scan_make_printable(text);
    const char *begin = skip_blanks(text);
    const bool good = !*begin || XML_Parse(parser, begin, (int)strlen(begin), 1) == XML_STATUS_OK;
    int status = r->status;
    if (!good && !status)
        status = error_input(e, "%s: its metadata is not XML: %s at byte %ld; correct or remove it",
                             name, XML_ErrorString(XML_GetErrorCode(parser)),
                             (long)XML_GetCurrentByteIndex(parser));
    XML_ParserFree(parser);
    return status;
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
