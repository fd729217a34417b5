/* terrain_case.c — writes a synthetic landscape as the files of a case (terrain.h, docs/formats.md). */
#include "terrain.h"
#include "base/file_progress.h"
#include "case/resolution.h"
#include "raster/geotiff.h"
#include "text/number.h"
#include "run/output.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "text/atomic_file.h"
#include "text/file_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- text files ------------------------------------------------------------------------------ */

static void write_vents(const struct terrain *t, FILE *f)
{
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    const int count = terrain_vents(t, vents);
    fputs("vent,row,col\n", f);
    for (int i = 0; i < count; i++)
        fprintf(f, "%d,%d,%d\n", vents[i].id, vents[i].row, vents[i].col);
}

static void write_rates(const struct terrain *t, FILE *f)
{
    struct terrain_vent vents[TERRAIN_MAX_VENTS];
    const struct terrain_eruption lava = terrain_eruption(t);
    const int count = terrain_vents(t, vents);
    char from[32], to[32], rate[32];
    fputs("vent,from_h,to_h,rate_m3_s\n", f);
    for (int i = 0; i < count; i++)
        for (int k = 0; lava.rate[k] > 0; k++)
            fprintf(f, "%d,%s,%s,%s\n", vents[i].id, number_text(k * lava.hours, from),
                    number_text((k + 1) * lava.hours, to), number_text(lava.rate[k], rate));
}

static void write_parameters(const struct terrain *t, FILE *f, const struct file_group *g)
{
    const struct terrain_eruption lava = terrain_eruption(t);
    char text[256], own[32];
    fprintf(f, "# %s\n", terrain_describe(t, text));
    fprintf(f, "dem %s\n", g->file[0].name);
    if (t->kind == TERRAIN_SHEET)
        fprintf(f, "thickness %s\ntemperature %s\n", g->file[1].name, g->file[2].name);
    else fprintf(f, "vents %s\nrates %s\n", g->file[1].name, g->file[2].name);
    if (t->kind == TERRAIN_VOLCANO) fprintf(f, "background %s\n", g->file[3].name);
    fprintf(f, "max_steps %d\n", lava.max_steps);
    for (int i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &params_table[i];
        fprintf(f, "%s %s\n", p->name,
                p->at == offsetof(struct params, critical_vent_m)
                    ? number_text(lava.critical_m, own)
                : p->at == offsetof(struct params, cooling) ? number_text(lava.cooling, own)
                : p->at == offsetof(struct params, clock_s) ? number_text(lava.clock_s, own)
                                                            : p->usual);
    }
    fprintf(f, "calibrated_cell_m %g\n", PUBLISHED_CELL_M);
    if (lava.clock_s != PUBLISHED_CLOCK_S) fprintf(f, "calibrated_clock_s %g\n", PUBLISHED_CLOCK_S);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file of a case: a raster of value(), or a text from write(). */
static const struct part {
    const char *name, *description, *unit;
    double (*value)(const struct terrain *t, int row, int col);
    void (*write)(const struct terrain *t, FILE *f);
} elevation = {"terrain.tif", "elevation", "m", terrain_elevation, NULL},
  emission[] = {{.name = "vents.csv", .write = write_vents},
                {.name = "rates.csv", .write = write_rates}},
  roads = {.name = "roads.geojson", .write = terrain_write_background},
  lava[] = {{"thickness.tif", "initial thickness of lava", "m", terrain_thickness, NULL},
            {"temperature.tif", "initial temperature of lava", "K", terrain_temperature, NULL}};

struct cells {
    const struct terrain *t;
    const struct part *part;
};

static void fill_row(const void *context, int row, float *out)
{
    const struct cells *c = context;
    for (int col = 0; col < c->t->cols; col++) out[col] = (float)c->part->value(c->t, row, col);
}

static int write_part(const struct terrain *t, const char *path, const struct part *p,
                      struct file_progress *progress, struct error *e)
{
    char source[256];
    const struct cells cells = {t, p};
    struct geotiff_item item = {"TERRAIN", terrain_describe(t, source)};
    struct geotiff_layer layer = {.rows = t->rows,
                                  .cols = t->cols,
                                  .geo = {t->west_m, t->south_m, t->cell_m, {0}},
                                  .nodata = -9999,
                                  .description = p->description,
                                  .unit = p->unit,
                                  .item_count = 1,
                                  .items = &item,
                                  .row = fill_row,
                                  .context = &cells,
                                  .progress = progress};
    layer.geo.crs.epsg = t->epsg;
    layer.geo.crs.unit_m = 1;
    if (p->value) return geotiff_write(path, &layer, e);
    struct atomic_file w;
    int status = atomic_file_open(&w, path, e);
    if (status) return status;
    p->write(t, w.stream);
    return atomic_file_finish(&w, e);
}

int terrain_write_elevation(const struct terrain *t, const char *path,
                            struct file_progress *progress, struct error *e)
{
    if (access(path, F_OK) == 0 && !geotiff_is_ours(path))
        return error_input(
            e, "%s: exists and was not written by sciara terrain; choose another folder", path);
    return write_part(t, path, &elevation, progress, e);
}

/* ---- the case -------------------------------------------------------------------------------- */

enum { FILES = 5 /* the case file is first, roads of the volcano are last */ };
static const char mark[] = "# as written: ";

/* Returns the number of files of an existing case; 0: a file was edited, or is not from terrain_write_case(). The last
 * line of the case file shows this: it has checksums of the text before it and of the other files. The caller will
 * write the first `count` files. If one of these files exists, but has no checksum, returns 0, too. */
static int count_as_written(char *const path[FILES], int count)
{
    struct error ignored;
    FREED char *text = NULL;
    size_t length;
    uint32_t sum;
    int there = 0;
    if (textfile_load(&text, &length, path[0], &ignored)) return 0;
    const char *last = strstr(text, mark), *at = last ? last + strlen(mark) - 1 : "";
    bool same = last;
    for (int i = 0; i < FILES && same; i++) {
        int taken = 0;
        const bool listed = sscanf(at, " %8" SCNx32 "%n", &sum, &taken) == 1;
        at += taken;
        there += listed;
        same = !listed ? i > 0 && (i >= count || access(path[i], F_OK))
               : i > 0 ? file_group_has(path[i], sum)
                       : (uint32_t)crc32(0, (const Bytef *)text, (uInt)(last - text)) == sum;
    }
    return same && !strcmp(at, "\n") ? there : 0;
}

/* Refuses to replace files that another program or a person wrote or edited. *there becomes the number of files that
 * will be replaced. */
static int check_replaced(char *const path[FILES], int count, int *there, struct error *e)
{
    if (access(path[0], F_OK) || (*there = count_as_written(path, count))) return 0;
    return error_input(e, "%s: exists and %s; choose another folder", path[0],
                       textfile_begins(path[0], "# SYNTHETIC TERRAIN")
                           ? "was edited, or a file next to it was"
                           : "was not written by sciara terrain");
}

/* Writes the case with the checksums of the present files. */
static int put_case(FILE *out, const struct file_group *g, void *terrain, struct error *e)
{
    FREED char *text = NULL;
    size_t length = 0;
    struct filesum file;
    FILE *f = open_memstream(&text, &length);
    if (f) write_parameters(terrain, f, g);
    if (!f || fclose(f)) return error_memory(e);
    fprintf(out, "%s%s%08" PRIx32, text, mark,
            (uint32_t)crc32(0, (const Bytef *)text, (uInt)length));
    for (int i = 0; i < g->count; i++) {
        FREED char *path = path_beside(g->head, g->file[i].name);
        fprintf(out, " %08" PRIx32, path && filesum_of(&file, path) ? file.crc32 : 0);
    }
    fputc('\n', out);
    return 0;
}

/* Writes the files of a case. If no case file exists, sciara did not write the other files that exist. So the function
 * refuses to replace such a file by one with other content. */
static int write_group(const struct terrain *t, const char *head,
                       const struct part *const part[FILES], struct file_progress *progress,
                       struct error *e)
{
    FREED_BY(file_group_free) struct file_group g = {0};
    const char *at, *foreign;
    int status = file_group_open(&g, head, e);
    for (int i = 1; i < FILES && part[i] && !status; i++) {
        status = file_group_add(&g, part[i]->name, &at, e);
        if (!status) status = write_part(t, at, part[i], progress, e);
    }
    if (!status && file_progress_cancelled(progress)) status = error_cancelled(e);
    if (!status && (foreign = file_group_foreign(&g)))
        status = error_input(
            e, "%s: exists and was not written by sciara terrain; choose another folder", foreign);
    return status ? status : file_group_write(&g, put_case, (void *)t, e);
}

int terrain_write_case(const struct terrain *t, const char *folder, const char *name,
                       struct file_progress *progress, struct error *e)
{
    const struct part *two = t->kind == TERRAIN_SHEET ? lava : emission;
    const int count = t->kind == TERRAIN_VOLCANO ? FILES : FILES - 1;
    const struct part *const parts[FILES] = {NULL, &elevation, &two[0], &two[1],
                                             count == FILES ? &roads : NULL};
    char *path[FILES] = {text_format("%s/%s.cfg", folder, name)};
    int status = 0, there = 0;
    if (!scan_file_name(name))
        status = error_input(e,
                             "'%s' is not a valid name of a case; give a name in UTF-8 without "
                             "control characters and /, other than . and ..",
                             name);
    if (!status) status = output_prepare(folder, e);
    for (int i = 0; i < FILES && !status; i++) {
        if (i > 0) path[i] = text_format("%s/%s", folder, parts[i] ? parts[i]->name : roads.name);
        if (!path[i]) status = error_memory(e);
    }
    if (!status) status = check_replaced(path, count, &there, e);
    if (!status) status = write_group(t, path[0], parts, progress, e);
    if (!status && there > count) unlink(path[count]); /* roads of an earlier volcano */
    for (int i = 0; i < FILES; i++) free(path[i]);
    return status;
}
