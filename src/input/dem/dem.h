/* dem.h — `sciara dem`: makes a terrain for runs from any rasters of heights.
 *
 * Sources may have any CRS, unit and type. GDAL reads and resamples them, and converts their numbers to heights in
 * metres: number * ratio + offset. Depths become negative heights. Heights are shifted to another datum only on
 * request. The terrain is Float32, tiled and deflated, north up, with square cells in metres of a projected CRS. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"

#include <stdbool.h>
#include <stddef.h>

struct file_progress; /* file_progress.h */

/* Copernicus GLO-30 in a public bucket. */
#define DEM_COPERNICUS                                                                             \
    "https://copernicus-dem-30m.s3.amazonaws.com/Copernicus_DSM_COG_10_{lat}_00_{lon}_00_DEM/"     \
    "Copernicus_DSM_COG_10_{lat}_00_{lon}_00_DEM.tif"

struct dem_request {
    char *const *source; /* paths; where sources overlap, the last one counts */
    int source_count;
    /* In place of paths: the address of one GeoTIFF, or of tiles with sides of 1 degree. The address of a tile has {lat}
     * (N37) and {lon} (E014) of its south-western corner. NULL: none */
    const char *from;
    bool network; /* the network may be used */
    const char *output;
    /* path to write to, if the caller renames the file to `output` later; NULL: `output` */
    const char *written;
    bool replace; /* replaces an existing file */
    /* The part of the Earth that becomes the terrain is the grid of `like`. If `like` is NULL: with `around`, the
     * square around `at`; with `extent`, the rectangle `edge`; else all that the sources cover. */
    bool around, extent;
    /* The middle of the square (latitude and longitude, or x and y), and half its side in km. */
    double at[2], km;
    double edge[4]; /* west, south, east, north; in degrees, or coordinates of the terrain's CRS */
    const char *like;    /* a raster with the grid of the terrain; NULL: none */
    const char *against; /* a terrain to compare with; NULL: `like` */
    int epsg;      /* EPSG code of the terrain's CRS; 0: the UTM zone (WGS 84) of its middle */
    double cell_m; /* side of a cell; 0: as in the finest source, rounded to whole metres */
    int vertical;  /* EPSG code of the vertical CRS of the terrain; 0: heights are not shifted */
    int source_vertical; /* EPSG code of the vertical CRS of the sources; 0: as they declare */
    const char *heights; /* unit of sources that declare none; NULL: metres */
    int source_epsg;     /* EPSG code for sources that name no CRS; 0: such sources are refused */
    double nodata;       /* additional mark of no data in sources; NaN: none */
    /* true: numbers such as -9999, which look like undeclared marks of no data, are heights */
    bool trusted;
    const char *again; /* this request as a command, "sciara dem ..."; NULL: not known */
    bool scaled;       /* `scale` replaces what sources declare */
    double scale[2];   /* height = stored number * scale[0] + scale[1] */
    /* edges of sources, in their CRS: west, south, east, north; all 0: as sources declare */
    double place[4];
    const char *resample; /* "bilinear", "cubic", "cubicspline" */
    int fill;             /* greatest width of holes that are filled, in cells; 0: none */
    struct file_progress *progress;
    /* shows the progress from time to time; NULL: not shown */
    void (*tell)(const struct file_progress *);
};

struct dem_source_said {
    char crs[128], unit[112], vertical[128];
    int rows, cols;
    double cell_m; /* approximate side of a cell on the ground */
    bool sea;      /* a tile that the server does not have: heights are 0 */
    char name[256];
};

/* Differences of heights where both terrains have data. */
struct dem_compared {
    int places;
    double median_m, greatest_m; /* median and greatest absolute difference */
    double shift_m;              /* median of the differences */
};

struct dem_result {
    int rows, cols, sources;
    struct georef geo;
    double least_m, greatest_m;
    size_t missing, filled, low; /* cells without data, filled cells, cells at 0 m or below */
    /* shift of heights to another vertical CRS: median, least and greatest */
    double shift_m, shift_least_m, shift_greatest_m;
    struct dem_source_said *source;
    const char *notice; /* text that the licence of the sources demands; NULL: none */
    /* comparisons of the terrain with its sources, of sources with each other, and of the terrain with `against` */
    struct dem_compared check, overlap, against;
};

/* Writes the terrain. ERROR_INPUT names the option to add or correct. ERROR_CANCELLED: the progress was cancelled. The
 * caller frees *r. */
int dem_make(struct dem_result *r, const struct dem_request *q, struct error *e);
void dem_result_free(struct dem_result *r);
