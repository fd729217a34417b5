/* dem.h — `sciara dem`: makes a terrain for runs from any rasters of heights.
 *
 * Sources have any CRS, unit and type. Where GDAL reads them, heights are converted to metres in one step: scale,
 * offset, unit and direction together. GDAL resamples; heights are shifted to another datum only on request. The
 * terrain is Float32, tiled and deflated, north up, with square cells in metres of a projected CRS. */
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
    char *const *source; /* paths; where sources overlap the last one counts */
    int source_count;
    /* In place of paths the address of one GeoTIFF, or of tiles of a degree, with {lat} (N37) and {lon} (E014) of their
     * south-western corners; NULL: none */
    const char *from;
    bool network; /* the network may be used */
    const char *output;
    const char *written;  /* where it is written first; NULL: at `output` */
    bool replace;         /* replaces an existing file */
    bool around, extent;  /* how the part is given; neither, and no `like`: all sources */
    double at[2], km;     /* around: latitude, longitude or x, y; half the side */
    double edge[4];       /* extent: west, south, east, north, in degrees or in the CRS */
    const char *like;     /* a raster with the grid; NULL: none */
    const char *against;  /* another terrain, with which it is compared; NULL: `like` */
    int epsg;             /* of the terrain; 0: the UTM zone on WGS 84 of its middle */
    double cell_m;        /* 0: as in the finest source, in whole metres */
    int vertical;         /* heights above this vertical CRS; 0: as the sources have them */
    int source_vertical;  /* replaces the vertical CRS of sources; 0: none */
    const char *heights;  /* the unit of sources that declare none; NULL: metres */
    int source_epsg;      /* the CRS of sources that name none; 0: they are refused */
    double nodata;        /* another mark of no data in sources; NaN: none */
    bool trusted;         /* all other numbers are heights, even if they look like a mark */
    const char *again;    /* "sciara dem ...", this request as a command; NULL: not known */
    bool scaled, placed;  /* `scale` and `place` replace what sources declare */
    double scale[2];      /* height = stored number * [0] + [1] */
    double place[4];      /* edges of sources: west, south, east, north, in their CRS */
    const char *resample; /* "bilinear", "cubic", "cubicspline" */
    int fill;             /* cells across holes that are filled; 0: none */
    struct file_progress *progress;
    void (*tell)(const struct file_progress *); /* shows the progress now and then; NULL: not */
};

struct dem_source_said {
    char crs[128], unit[112], vertical[128];
    int rows, cols;
    double cell_m; /* on the ground, about */
    bool sea;      /* a tile that the server lacks: heights are 0 */
    char name[256];
};

/* Differences of heights where both terrains have data. */
struct dem_compared {
    int places;
    double median_m, greatest_m; /* of their absolute values */
    double shift_m;              /* median of the differences */
};

struct dem_result {
    int rows, cols, sources;
    struct georef geo;
    double least_m, greatest_m;
    size_t missing, filled, low; /* cells without data, filled ones, ones at 0 or below */
    /* shift of heights to another vertical CRS: median and range */
    double shift_m, shift_least_m, shift_greatest_m;
    struct dem_source_said *source;
    const char *notice; /* demanded by the licence of the sources; NULL: none */
    /* the terrain with its sources, sources with each other, the terrain with another one */
    struct dem_compared check, overlap, against;
};

/* Writes the terrain. ERROR_INPUT names the option to add or correct; ERROR_CANCELLED. The caller frees *r. */
int dem_make(struct dem_result *r, const struct dem_request *q, struct error *e);
void dem_result_free(struct dem_result *r);
