#include "gdal_metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading: as much XML as GDAL writes, and never beyond the text -------------------------- */

/* GDAL escapes values twice, "&amp;lt;" for '<', and undoes it twice; others escape once. Decodes
 * the entity of either kind at p, which starts with '&', into *c and returns its length; 0: it is
 * none. */
static size_t decode_entity(const char *p, char *c)
{
    static const struct {
        const char *text;
        char c;
    } entities[] = {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
    static const char nested[] = "&amp;";
    const size_t skip[2] = {strlen(nested), 1};

    for (int kind = strncmp(p, nested, skip[0]) == 0 ? 0 : 1; kind < 2; kind++) {
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
            const size_t n = strlen(entities[i].text);
            if (strncmp(p + skip[kind], entities[i].text, n) != 0) continue;
            *c = entities[i].c;
            return skip[kind] + n;
        }
    }
    return 0;
}

static void decode(const char *p, const char *end, char *out, size_t size)
{
    size_t n = 0;

    while (p < end && n + 1 < size) {
        char c = *p;
        const size_t length = c == '&' ? decode_entity(p, &c) : 0;
        p += length ? length : 1;
        out[n++] = (unsigned char)c < ' ' ? ' ' : c;
    }
    if (p < end) /* cut: not within a UTF-8 sequence */
        while (n > 0 && ((unsigned char)*p & 0xc0) == 0x80) p--, n--;
    out[n] = '\0';
}

/* Whether the tag's text [p, end) has the attribute `name` with that value; value NULL: has it not.
 */
static bool attribute_is(const char *p, const char *end, const char *name, const char *value)
{
    const size_t n = strlen(name);

    for (; p + n + 2 < end; p++) {
        char found[128];
        if (p[0] != ' ' || strncmp(p + 1, name, n) != 0 || p[n + 1] != '=' || p[n + 2] != '"')
            continue;
        const char *begin = p + n + 3;
        const char *stop = begin < end ? memchr(begin, '"', (size_t)(end - begin)) : NULL;
        if (!stop || !value) return false;
        decode(begin, stop, found, sizeof found);
        return strcmp(found, value) == 0;
    }
    return !value;
}

bool gdal_metadata_find(const char *xml, const char *name, const char *role, char *out, size_t size)
{
    static const char opening[] = "<Item", closing[] = "</Item>";

    for (const char *p = xml; (p = strstr(p, opening)) != NULL;) {
        const char *tag = p + strlen(opening);
        const char *tag_end = strchr(tag, '>');
        const char *stop = tag_end ? strstr(tag_end, closing) : NULL;
        if (!stop) return false;
        p = stop;
        if (tag_end[-1] == '/') { /* <Item .../> is empty and has no </Item> */
            p = tag_end;
            continue;
        }
        if (!(role ? attribute_is(tag, tag_end, "role", role) &&
                         attribute_is(tag, tag_end, "sample", "0")
                   : attribute_is(tag, tag_end, "name", name) &&
                         attribute_is(tag, tag_end, "sample", NULL) &&
                         attribute_is(tag, tag_end, "domain", NULL)))
            continue;
        decode(tag_end + 1, stop, out, size);
        return true;
    }
    return false;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* amp is what '&' begins an entity with: "&", or escaped a second time "&amp;". */
static void put_escaped(FILE *f, const char *text, const char *amp)
{
    for (const char *p = text; *p; p++) {
        switch (*p) {
        case '<':
            fprintf(f, "%slt;", amp);
            break;
        case '>':
            fprintf(f, "%sgt;", amp);
            break;
        case '&':
            fprintf(f, "%samp;", amp);
            break;
        case '"':
            fprintf(f, "%squot;", amp);
            break;
        default:
            fputc((unsigned char)*p < ' ' ? ' ' : *p, f);
        }
    }
}

static void put_item(FILE *f, const char *name, const char *attributes, const char *value)
{
    if (!value) return;
    fputs("  <Item name=\"", f);
    put_escaped(f, name, "&");
    fprintf(f, "\"%s>", attributes);
    put_escaped(f, value, "&amp;");
    fputs("</Item>\n", f);
}

char *gdal_metadata_text(const struct geotiff_layer *layer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f) return NULL;
    fputs("<GDALMetadata>\n", f);
    for (int i = 0; i < layer->item_count; i++)
        put_item(f, layer->items[i].name, "", layer->items[i].value);
    put_item(f, "DESCRIPTION", " sample=\"0\" role=\"description\"", layer->description);
    put_item(f, "UNITTYPE", " sample=\"0\" role=\"unittype\"", layer->unit);
    fputs("</GDALMetadata>\n", f);
    const bool bad = ferror(f) != 0;
    if (fclose(f) == 0 && !bad) return text;
    free(text);
    return NULL;
}
