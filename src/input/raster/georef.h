/* georef.h — the position of a grid on the Earth.
 *
 * Cells are square, north is up, lengths are in metres. Row 0 is the north edge. The lower-left corner is the outer
 * corner of the lower-left cell (PixelIsArea), even if the file has another convention. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CRS_MAX_KEYS = 64, CRS_MAX_DOUBLES = 64, CRS_MAX_TEXT = 4096 };

/* A coordinate reference system: by its EPSG code or, if epsg is 0, as raw GeoTIFF keys. If key_count is 0, too, there
 * is no CRS. */
struct crs {
    int epsg;         /* code of a projected CRS; 0: not known */
    bool geographic;  /* coordinates are degrees; a run cannot use them */
    int epsg_degrees; /* code of a geographic CRS; 0: not known */
    double unit_m;    /* metres per linear unit; 1 if unknown */
    char name[128];   /* name for people, "WGS 84 / UTM zone 33N"; may be empty */
    int key_count; /* number of raw GeoKey directory entries, without the header; 4 shorts each */
    uint16_t keys[4 * CRS_MAX_KEYS];
    int double_count;
    double doubles[CRS_MAX_DOUBLES];
    char text[CRS_MAX_TEXT]; /* GeoAsciiParams */
};

/* Whether a CRS is known, by its code or by its keys. */
static inline bool crs_known(const struct crs *c)
{
    return c->epsg || c->key_count;
}

/* Writes the code of a CRS, "EPSG:32633", or its name, or `otherwise`; returns out. */
static inline char *crs_text(const struct crs *c, const char *otherwise, char out[128])
{
    const int code = c->epsg ? c->epsg : c->epsg_degrees;
    if (code) snprintf(out, 128, "EPSG:%d", code);
    else snprintf(out, 128, "%s", *c->name ? c->name : otherwise);
    return out;
}

struct georef {
    double west_m;  /* x of the lower-left corner of the lower-left cell */
    double south_m; /* y of that corner */
    double cell_m;  /* side of a cell */
    struct crs crs;
};
