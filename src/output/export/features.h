/* features.h — the vector features of a run, which GeoJSON and GeoPackage write. */
#pragma once

#include "export.h"

/* Numbers of multi-geometries in well-known binary. */
enum feature_shape { FEATURE_POINTS = 4, FEATURE_LINES = 5, FEATURE_AREAS = 6 };

enum { FEATURE_COLUMNS_MOST = 8 };
struct feature_column {
    const char *name;
    enum { FEATURE_TEXT, FEATURE_REAL, FEATURE_WHOLE, FEATURE_YES } type;
};

struct features_about {
    const char *name, *words;
    enum feature_shape shape;
    int columns;
    struct feature_column column[FEATURE_COLUMNS_MOST];
};
extern const struct features_about features_about[FEATURES];

/* Geometry in the coordinates of the terrain: an area, lines, or points as one path. */
struct feature {
    const struct features_about *about;
    struct {
        char text[32];
        double number; /* FEATURE_YES: 0 or 1 */
    } value[FEATURE_COLUMNS_MOST];
    const struct isochrone_area *area;
    int paths;
    const struct isochrone_path *path;
};

/* Calls `visit` for each feature until it returns an error, which is returned. */
typedef int feature_visit(void *to, const struct feature *f, struct error *e);
int features_visit(const struct export_run *r, enum features what, feature_visit *visit, void *to,
                   struct error *e);
