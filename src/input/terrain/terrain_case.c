/* terrain_case.c — a made-up landscape as the files of a case: see terrain.h and docs/formats.md.
 */
#include "terrain.h"
#include "base/file_progress.h"
#include "case/resolution.h"
#include "raster/geotiff.h"
#include "text/number.h"
#include "run/output.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/atomic_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rasters --------------------------------------------------------------------------------- */

static void elevation_row(const void *context, int row, float *out)
{
    const struct terrain *t = context;
    for (int col = 0; col < t->cols; col++) out[col] = (float)terrain_elevation(t, row, col);
}

static void thickness_row(const void *context, int row, float *out)
{
    const struct terrain *t = context;
    for (int col = 0; col < t->cols; col++) out[col] = (float)terrain_thickness(t, row, col);
}

static void temperature_row(const void *context, int row, float *out)
{
    const struct terrain *t = context;
    for (int col = 0; col < t->cols; col++) out[col] = (float)terrain_temperature(t, row, col);
}

static int write_raster(const struct terrain *t, const char *path, const char *description,
                        const char *unit, void (*row)(const void *, int, float *),
                        struct file_progress *progress, struct error *e)
{
    char source[256];
    struct geotiff_item item = {"TERRAIN", terrain_describe(t, source)};
    struct geotiff_layer layer = {.rows = t->rows,
                                  .cols = t->cols,
                                  .geo = {t->west_m, t->south_m, t->cell_m, {0}},
                                  .nodata = -9999,
                                  .description = description,
                                  .unit = unit,
                                  .item_count = 1,
                                  .items = &item,
                                  .row = row,
                                  .context = t,
                                  .progress = progress};
    layer.geo.crs.epsg = t->epsg;
    layer.geo.crs.unit_m = 1;
    return geotiff_write(path, &layer, e);
}

int terrain_write_elevation(const struct terrain *t, const char *path,
                            struct file_progress *progress, struct error *e)
{
    return write_raster(t, path, "elevation", "m", elevation_row, progress, e);
}

/* ---- vents and rates ------------------------------------------------------------------------- */

struct terrain_eruption terrain_eruption(enum terrain_kind kind)
{
    switch (kind) {
    case TERRAIN_SHEET:
        return (struct terrain_eruption){24, {0}, 2.8, 1.5, 1000};
    case TERRAIN_CHANNEL:
        return (struct terrain_eruption){240, {4, 4}, 2.8, 1.5, 12000};
    /* 1 m3/s for 6 days without cooling. A critical thickness so small that the lava runs off in
     * eight narrow streams, along the axes and the diagonals of the grid. */
    case TERRAIN_PYRAMID:
        return (struct terrain_eruption){144, {1}, 0, 0.4, 4320};
    case TERRAIN_VOLCANO:
    case TERRAIN_ETNA2006:
        break;
    }
    return (struct terrain_eruption){48, {1, 1.6, 1.4, 1.2, 0.5}, 2.8, 1.5, 16000};
}

static int write_vents(const struct terrain *t, const char *path, struct error *e)
{
    struct atomic_file w;
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    int count = terrain_vents(t, vents), status = atomic_file_open(&w, path, e);
    if (status) return status;
    fputs("vent,row,col\n", w.stream);
    for (int i = 0; i < count; i++)
        fprintf(w.stream, "%d,%d,%d\n", vents[i].id, vents[i].row, vents[i].col);
    return atomic_file_finish(&w, e);
}

static int write_rates(const struct terrain *t, const char *path, struct error *e)
{
    struct atomic_file w;
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    const struct terrain_eruption lava = terrain_eruption(t->kind);
    int count = terrain_vents(t, vents), status = atomic_file_open(&w, path, e);
    char from[32], to[32], rate[32];
    if (status) return status;
    fputs("vent,from_h,to_h,rate_m3_s\n", w.stream);
    for (int i = 0; i < count; i++)
        for (int k = 0; lava.rate[k] > 0; k++)
            fprintf(w.stream, "%d,%s,%s,%s\n", vents[i].id, number_text(k * lava.hours, from),
                    number_text((k + 1) * lava.hours, to), number_text(lava.rate[k], rate));
    return atomic_file_finish(&w, e);
}

/* ---- the case -------------------------------------------------------------------------------- */

static int write_parameters(const struct terrain *t, const char *path, struct error *e)
{
    struct atomic_file w;
    const struct terrain_eruption lava = terrain_eruption(t->kind);
    char text[256], own[32];
    int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fprintf(w.stream, "# %s\n", terrain_describe(t, text));
    fputs("dem terrain.tif\n", w.stream);
    if (t->kind == TERRAIN_SHEET)
        fputs("thickness thickness.tif\ntemperature temperature.tif\n", w.stream);
    else fputs("vents vents.csv\nrates rates.csv\n", w.stream);
    fprintf(w.stream, "max_steps %d\n", lava.max_steps);
    for (int i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &params_table[i];
        fprintf(w.stream, "%s %s\n", p->name,
                p->at == offsetof(struct params, critical_vent_m)
                    ? number_text(lava.critical_m, own)
                : p->at == offsetof(struct params, cooling) ? number_text(lava.cooling, own)
                                                            : p->usual);
    }
    fprintf(w.stream, "calibrated_cell_m %g\n", PUBLISHED_CELL_M);
    return atomic_file_finish(&w, e);
}

/* Refuses to replace files that another program or person wrote. The first line of the case file
 * marks a folder of terrain_write_case(). */
static int check_replaced(const char *const path[4], struct error *e)
{
    char line[32] = "";
    FILE *file = file_open_regular(path[0]);
    if (file) {
        if (!fgets(line, sizeof line, file)) *line = '\0';
        fclose(file);
    }
    if (strncmp(line, "# SYNTHETIC TERRAIN", 19) == 0) return 0;
    for (int i = 0; i < 4; i++)
        if (access(path[i], F_OK) == 0)
            return error_input(
                e, "%s: exists and was not written by sciara terrain; choose another folder",
                path[i]);
    return 0;
}

/* The case file comes last: where it is, the rest is whole. */
int terrain_write_case(const struct terrain *t, const char *folder, const char *name,
                       struct file_progress *progress, struct error *e)
{
    bool sheet = t->kind == TERRAIN_SHEET;
    char *dem = text_format("%s/terrain.tif", folder),
         *file = text_format("%s/%s.cfg", folder, name);
    char *first = text_format("%s/%s", folder, sheet ? "thickness.tif" : "vents.csv");
    char *second = text_format("%s/%s", folder, sheet ? "temperature.tif" : "rates.csv");
    int status = 0;
    if (!scan_file_name(name))
        status = error_input(e,
                             "'%s' is not a valid name of a case; give UTF-8 without control "
                             "characters and /, and neither . nor ..",
                             name);
    if (!status) status = output_prepare(folder, e);
    if (!status && (!dem || !file || !first || !second)) status = error_memory(e);
    if (!status) status = check_replaced((const char *const[]){file, dem, first, second}, e);
    if (!status) status = terrain_write_elevation(t, dem, progress, e);
    if (!status)
        status = sheet ? write_raster(t, first, "initial thickness of lava", "m", thickness_row,
                                      progress, e)
                       : write_vents(t, first, e);
    if (!status)
        status = sheet ? write_raster(t, second, "initial temperature of lava", "K",
                                      temperature_row, progress, e)
                       : write_rates(t, second, e);
    if (!status && file_progress_cancelled(progress)) status = error_cancelled(e);
    if (!status) status = write_parameters(t, file, e);
    free(dem);
    free(file);
    free(first);
    free(second);
    return status;
}
