/* original_case.c — NAME_000000000000.cfg and the files next to it (docs/formats.md). */
#include "original_case.h"

#include "case_terrain.h"

#include "raster/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 12, TAIL = 1 + DIGITS + 4 }; /* "_000000000000.cfg" */

bool original_case(const char *path, int64_t *step, const char **name, int *length)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    size_t n = strlen(*name);
    if (n <= TAIL) return false;
    const char *tail = *name + n - TAIL;
    if (tail[0] != '_' || strspn(tail + 1, "0123456789") != DIGITS || strcmp(tail + 13, ".cfg"))
        return false;
    *step = strtoll(tail + 1, NULL, 10);
    *length = (int)(n - TAIL);
    return true;
}

/* The raster `part` in whichever of its two endings is there. Where it is not: *out is NULL, or an
 * error if it is required. */
static int find_raster(char **out, const char *stem, const char *part, bool required,
                       struct error *e)
{
    static const char *const endings[] = {".asc", ".stt"};
    for (int i = 0; i < 2; i++) {
        char *path = text_format("%s_%s%s", stem, part, endings[i]);
        if (!path) return error_memory(e);
        if (access(path, F_OK) == 0) {
            *out = path;
            return 0;
        }
        free(path);
    }
    if (!required) return 0;
    return error_input(
        e,
        "%s.cfg: %s_%s.asc (or .stt) is missing; place it next to this file, or name a dem in it",
        stem, stem, part);
}

int original_case_files(struct case_files *f, const char *path, struct error *e)
{
    char *stem = text_format("%.*s", (int)strlen(path) - 4, path);
    if (!stem) return error_memory(e);
    int status = find_raster(&f->dem, stem, "Morphology", true, e);
    if (!status) status = find_raster(&f->vents, stem, "Vents", true, e);
    if (!status) status = find_raster(&f->thickness, stem, "Thickness", false, e);
    if (!status) status = find_raster(&f->temperature, stem, "Temperature", false, e);
    if (!status) status = find_raster(&f->solidified, stem, "SolidifiedLavaThickness", false, e);
    if (!status && !f->outline) status = find_raster(&f->outline, stem, "RealEvent", false, e);
    if (!status && !(f->rates = text_format("%s_EmissionRate.txt", stem))) status = error_memory(e);
    free(stem);
    return status;
}

/* ---- rasters --------------------------------------------------------------------------------- */

#define USUAL_NODATA (-9999.0)

size_t original_values(struct raster *r, bool as_published)
{
    const size_t n = (size_t)r->rows * (size_t)r->cols;
    size_t undeclared = 0;
    for (size_t i = 0; i < n; i++) {
        if (as_published && isnan(r->value[i])) r->value[i] = r->nodata;
        if (as_published || r->value[i] != USUAL_NODATA) continue;
        r->value[i] = NAN;
        undeclared++;
    }
    r->missing = as_published ? 0 : r->missing + undeclared;
    return undeclared;
}

void original_place(struct raster *r, const struct raster *dem)
{
    const struct georef *there = &dem->geo;
    if (fabs(r->geo.west_m - there->west_m) > there->cell_m) return;
    if (fabs(r->geo.south_m - there->south_m) > there->cell_m) return;
    r->geo.west_m = there->west_m;
    r->geo.south_m = there->south_m;
}
