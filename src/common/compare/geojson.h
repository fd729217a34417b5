/* geojson.h — polygons of a GeoJSON text (RFC 7946), as cells of a grid. */
#ifndef SCIARA_GEOJSON_H
#define SCIARA_GEOJSON_H

#include "base/error.h"
#include "raster/georef.h"

/* Sets inside[row * cols + col] to 1 where the cell's centre lies in a polygon, even-odd within
 * each polygon; other cells keep what they have. Polygon, MultiPolygon, GeometryCollection, Feature
 * and FeatureCollection are read; coordinates are in the CRS of the grid. `path` is for messages.
 * *reach, if not NULL, becomes what the rings reach from and to. */
struct geojson_reach {
    double west_m, east_m, south_m, north_m; /* all but finite where there is no ring */
};
int geojson_fill(unsigned char *inside, struct geojson_reach *reach, const char *text,
                 const char *path, int rows, int cols, const struct georef *geo, struct error *e);

/* ---- the same of a text that has been parsed -------------------------------------------------
 */
struct cJSON;

/* The whole text; ERROR_INPUT says in which line it ceases to be JSON. cJSON_Delete() it. */
int geojson_parse(struct cJSON **root, const char *text, const char *path, struct error *e);

/* Refuses a CRS that is named and not that of the grid. */
int geojson_check_crs(const struct cJSON *root, const char *path, const struct georef *geo,
                      struct error *e);

/* Cells of an object in it; as geojson_fill. */
int geojson_fill_object(unsigned char *inside, struct geojson_reach *reach,
                        const struct cJSON *object, const char *path, int rows, int cols,
                        const struct georef *geo, struct error *e);

#endif
