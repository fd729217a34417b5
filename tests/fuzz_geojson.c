/* Any text as GeoJSON: refused with one line, or cells that are 0 or 1. */
#include "compare/geojson.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 9, COLS = 11 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct georef geo = {
        .west_m = 1000, .south_m = 2000, .cell_m = 10, .crs = {.epsg = 32633}};
    struct error e = {0};
    unsigned char *inside = calloc(ROWS, COLS);
    char *text = malloc(size + 1);
    if (!inside || !text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    struct geojson_reach reach;
    if (geojson_fill(inside, &reach, text, "fuzz.json", ROWS, COLS, &geo, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n')) abort();
    } else {
        for (int i = 0; i < ROWS * COLS; i++)
            if (inside[i] > 1 || (inside[i] && !(reach.west_m <= reach.east_m))) abort();
    }
    free(inside);
    free(text);
    return 0;
}
