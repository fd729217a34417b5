/* volcano.c — the synthetic volcano of `sciara terrain` as files that a page's engine reads: an ASCII grid with its very
 * elevations, vents, rates, and a case, which lasts as long as its rates. */
#include "page.h"

#include "terrain/terrain.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>

/* Single precision, as in the GeoTIFF of the program. */
static void write_elevations(const struct terrain *t, FILE *f)
{
    fprintf(f, "ncols %d\nnrows %d\nxllcorner %.0f\nyllcorner %.0f\ncellsize %g\n", t->cols,
            t->rows, t->west_m, t->south_m, t->cell_m);
    for (int row = 0; row < t->rows; row++)
        for (int col = 0; col < t->cols; col++)
            fprintf(f, "%.17g%c", (double)(float)terrain_elevation(t, row, col),
                    col < t->cols - 1 ? ' ' : '\n');
}
static void write_vents(const struct terrain *t, FILE *f)
{
    struct terrain_vent vent[TERRAIN_MAX_VENTS];
    const int count = terrain_vents(t, vent);
    fputs("vent,row,col\n", f);
    for (int i = 0; i < count; i++) fprintf(f, "%d,%d,%d\n", vent[i].id, vent[i].row, vent[i].col);
}
static void write_rates(const struct terrain *t, FILE *f)
{
    struct terrain_vent vent[TERRAIN_MAX_VENTS];
    const struct terrain_eruption lava = terrain_eruption(t);
    const int count = terrain_vents(t, vent);
    fputs("vent,from_h,to_h,rate_m3_s\n", f);
    for (int i = 0; i < count; i++)
        for (int k = 0; lava.rate[k] > 0; k++)
            fprintf(f, "%d,%g,%g,%g\n", vent[i].id, k * lava.hours, (k + 1) * lava.hours,
                    lava.rate[k]);
}
static void write_case(const struct terrain *t, FILE *f)
{
    const struct terrain_eruption lava = terrain_eruption(t);
    char about[256];
    fprintf(f, "dem volcano.asc\ncrs EPSG:%d\nterrain_source \"%s\"\n", t->epsg,
            terrain_describe(t, about));
    fprintf(f, "vents vents.csv\nrates rates.csv\nparameters etna-2006\nmax_steps %d\n",
            lava.max_steps);
}

/* Into a folder that is there. 0, or the exit status of the program. */
int page_volcano(struct page *w, const char *folder, double size)
{
    static const struct {
        const char *name;
        void (*write)(const struct terrain *t, FILE *f);
    } file[] = {{"volcano.asc", write_elevations},
                {"vents.csv", write_vents},
                {"rates.csv", write_rates},
                {"volcano.cfg", write_case}};
    struct terrain t = terrain_default(TERRAIN_VOLCANO);
    if (size > 0) t.rows = t.cols = (int)size;
    int status = terrain_valid(&t, &w->e);
    for (size_t i = 0; i < sizeof file / sizeof *file && !status; i++) {
        FREED char *path = text_format("%s/%s", folder, file[i].name);
        FILE *f = path ? fopen(path, "w") : NULL;
        if (f) file[i].write(&t, f);
        if (!f || fclose(f)) status = error_failed(&w->e, "%s: cannot be written", file[i].name);
    }
    return status;
}
