/* dem_parts.h — the parts of dem_make(); internal. */
#pragma once

#include "dem.h"

#include "raster/projection.h"

/* Marks cells of the terrain without data. */
#define DEM_NO_DATA (-9999)

struct dem_source {
    const char *path;
    struct raster_file *file;
    const struct raster *head;
    const char *named; /* the CRS that the source names, in WKT; "": none */
    double place[6];   /* x, dx per column, dx per row, y, dy per column, dy per row */
    struct flat_crs crs;
    double ratio, offset; /* metres = stored number * ratio + offset */
    char unit[RASTER_UNIT_SAID];
    PJ *own; /* transformation from the CRS of the terrain to `crs` */
    /* columns and rows in the mean for a cell of the terrain; 1: heights are interpolated */
    double wide[2];
};

/* Heights of two rasters at the same places, in m. */
struct dem_pairs {
    int count;
    double *a, *b;
};

struct dem_check {
    struct dem_pairs result, overlap, against, shift;
    /* Where a height is the mean of several cells of a source: the greatest difference between one of these cells and
     * the mean. */
    double apart_m;
};

/* A tile at an address. */
struct dem_tile {
    char *url;
    int lat, lon;             /* its south-western corner, in degrees */
    struct raster_file *file; /* NULL after a source has taken it */
    bool sea;                 /* the server does not have the tile */
};

struct dem {
    const struct dem_request *q;
    char **name; /* paths of the sources on this machine, malloc'ed */
    int name_count;
    struct dem_tile *tile; /* tiles, in the order of the sources */
    char **url;            /* addresses of the tiles */
    int tile_count;
    struct dem_result *r;
    PJ_CONTEXT *context;
    struct dem_source *source;
    /* the terrain to compare with; its `file` is NULL if there is none */
    struct dem_source against;
    struct dem_check check;
    char *crs; /* CRS of the terrain, in WKT */
    struct {
        PJ *way; /* NULL: heights stay as they are */
        double unit_m;
    } vertical;
    double area[4]; /* edges of the terrain in degrees: west, south, east, north */
};

/* Whether GDAL's mask decides which cells have no data: the source has a mask, or two values mark no data. A VRT allows
 * only one such value. */
bool dem_source_masked(const struct dem_source *s, double nodata);

/* Returns the number of a band of opacity that GDAL does not use as a mask; 0: there is none. */
int dem_source_opacity(const struct dem_source *s);

/* Reads the stored numbers of a window into value[]. Cells without data become NaN. These include cells with the number
 * `given`, and cells that the mask of the source excludes. mask[] has room for the mask. False: GDAL cannot read the
 * window. */
bool dem_source_read(const struct dem_source *s, struct window w, double given, double *value,
                     double *mask);

/* ERROR_INPUT: these cells of a source have an undeclared mark of no data. */
int dem_marks_check(const struct dem *d, int source, struct window cells, struct error *e);

/* Returns a line on how the terrain was made, for the tags of the file; malloc'ed. */
char *dem_about(const struct dem *d);

/* Turns a distance from the north-west corner of a source, in its CRS, into columns and rows. */
void dem_source_cells(const struct dem_source *s, double dx, double dy, double colrow[2]);

/* Converts a place of the terrain to columns and rows of a source, from its north-west corner. False: PROJ cannot
 * convert it. */
bool dem_source_at(const struct dem_source *s, double x, double y, double colrow[2]);

/* Whether any of the sources covers this longitude and latitude. */
bool dem_place_covered(const struct dem *d, double lon, double lat);

/* Opens the tiles of the requested part, and makes them the sources of *whole. d->q has to point to *whole. Tiles that
 * the server lacks are sea, and come first. */
int dem_tiles_open(struct dem *d, struct dem_request *whole, struct error *e);
void dem_tiles_close(struct dem *d);

/* Opens a source: s->file if it is already open, else `path`. */
int dem_source_open(struct dem_source *s, const char *path, const struct dem_request *q,
                    struct dem_source_said *said, struct error *e);
void dem_source_close(struct dem_source *s);

/* Sets d->area to the edges of the requested part, before sources are open. */
int dem_part_area(struct dem *d, struct error *e);

/* Decides CRS, grid and transformations of the terrain. */
int dem_settle(struct dem *d, struct error *e);

/* Transforms place n of the terrain by `to`. Place 0 is the middle; (parts + 1)^2 more places cover the terrain from
 * corner to corner. */
PJ_COORD dem_transform_place(const struct dem *d, PJ *to, int parts, int n);

/* Fills holes of at most `most` cells across, in `rows` rows of `cols` cells. Adds the number of filled cells to
 * *count. `above` and `below`: numbers of further rows that are in memory before and after these rows. */
int dem_fill(size_t *count, float *cell, int cols, int above, int rows, int below, int most,
             struct error *e);

/* Compares rows of the terrain with the sources and with d->against. After the last rows, judges the differences. */
int dem_check_rows(struct dem *d, const float *cell, int row0, int rows, struct error *e);
void dem_check_free(struct dem_check *c);

/* dem_vertical_settle() finds the transformation to the requested vertical CRS, if any. dem_vertical_shift() returns
 * the shift of heights at a place, m (NaN: not known). dem_vertical_rows() shifts whole rows. */
int dem_vertical_settle(struct dem *d, struct error *e);
double dem_vertical_shift(const struct dem *d, double x, double y);
int dem_vertical_rows(struct dem *d, float *cell, int row0, int rows, struct error *e);

/* Resamples the sources and writes the terrain. */
int dem_write(struct dem *d, struct error *e);
