/* dem_parts.h — the parts of dem_make(); internal. */
#pragma once

#include "dem.h"

#include "raster/projection.h"

struct dem_source {
    const char *path;
    struct raster_file *file;
    const struct raster *head;
    double place[6]; /* x, dx per column, dx per row, y, dy per column, dy per row */
    struct flat_crs crs;
    double ratio, offset; /* metres = stored number * ratio + offset */
    char unit[RASTER_UNIT_SAID];
    PJ *own; /* from the CRS of the terrain to its own */
};

struct dem {
    const struct dem_request *q;
    struct dem_result *r;
    PJ_CONTEXT *context;
    struct dem_source *source;
    char *crs;      /* WKT of the terrain */
    double area[4]; /* degrees that it lies between: west, south, east, north */
};

/* Whether GDAL's mask has to be asked where it has data: for more than one value. */
bool dem_source_masked(const struct dem_source *s, double nodata);

/* The band of its opacity, where GDAL takes that for no mask; 0: it has none. */
int dem_source_opacity(const struct dem_source *s);

/* What was done, in a line, for the tags of the file; malloc'ed. */
char *dem_about(const struct dem *d);

/* Columns and rows of a source, from its north-west corner: where a place of the terrain lies. False: not known. */
bool dem_source_at(const struct dem_source *s, double x, double y, double colrow[2]);

int dem_source_open(struct dem *d, int i, struct error *e);
void dem_source_close(struct dem_source *s);

/* CRS, grid and transformations of the terrain. */
int dem_settle(struct dem *d, struct error *e);

/* Resamples and writes. */
int dem_write(struct dem *d, struct error *e);
