#include "gdal_metadata.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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
