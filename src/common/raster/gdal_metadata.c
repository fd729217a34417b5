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
