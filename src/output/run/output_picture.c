#include "output_picture.h"

#include "draw/plot.h"
#include "map/map.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    unsigned format;
    const char *ending;
} kinds[] = {{OUTPUT_PNG, ".png"}, {OUTPUT_SVG, ".svg"}, {OUTPUT_PDF, ".pdf"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

int output_draw_map(const char *path, const void *of, struct error *e)
{
    return map_write(path, of, e);
}

int output_draw_plot(const char *path, const void *of, struct error *e)
{
    return plot_write(path, of, e);
}

int output_picture_draw(const struct output_info *info, const struct sim_case *c, const char *name,
                        output_draw *draw, const void *of, struct error *e)
{
    int status = 0;
    for (int i = 0; i < KINDS; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        struct error why = {0};
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        int failed = path ? output_spare(c, path, &why) : error_memory(&why);
        if (!failed && (failed = draw(path, of, &why))) unlink(path); /* an earlier one's */
        free(path);
        if (failed && !status && e) *e = why;
        if (!status) status = failed;
    }
    return status;
}

int output_picture_done(const struct output_info *info, const char *name, int status,
                        struct error *e)
{
    const bool missed = status;
    if (missed) status = output_missed(info, name, status, e);
    for (int i = 0; i < KINDS && !status; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        if (!path) status = error_memory(e);
        else if (!missed || access(path, F_OK) == 0) status = output_done(info, path, 0, e);
        free(path);
    }
    return status;
}

int output_picture(const struct output_info *info, const struct sim_case *c, const char *name,
                   output_draw *draw, const void *of, struct error *e)
{
    const int status = output_picture_draw(info, c, name, draw, of, e);
    return output_picture_done(info, name, status, e);
}

enum { DPI_LEAST = 30, DPI_MOST = 1200, PIXELS_LEAST = 300, PIXELS_MOST = 20000 };

int output_picture_page(struct output_pictures *p, double width_in, double height_in, double dpi,
                        struct error *e)
{
    const bool page = width_in != 0 || height_in != 0;
    if (dpi == 0) dpi = page ? 300 : 200;
    const double wide = width_in * dpi, high = height_in * dpi;
    if (!(dpi >= DPI_LEAST && dpi <= DPI_MOST))
        return error_input(e, "map_dpi: is %g; give %d to %d pixels per inch", dpi, DPI_LEAST,
                           DPI_MOST);
    if (page && !(wide >= PIXELS_LEAST && high >= PIXELS_LEAST && wide <= PIXELS_MOST &&
                  high <= PIXELS_MOST))
        return error_input(e, "map size: %.5g x %.5g pixels; give %d to %d on each side", wide,
                           high, PIXELS_LEAST, PIXELS_MOST);
    p->width_in = width_in;
    p->height_in = height_in;
    p->dpi = dpi;
    return 0;
}

struct map_paper output_paper(const struct output_info *info)
{
    const struct output_pictures *p = &info->pictures;
    return (struct map_paper){p->width_in, p->height_in, p->dpi};
}

unsigned output_picture_format(const char *file)
{
    const char *ending = strrchr(file, '.');
    for (int i = 0; i < KINDS && ending; i++)
        if (!strcmp(ending, kinds[i].ending)) return kinds[i].format;
    return 0;
}

bool output_picture_is(const char *file, const char *name)
{
    const size_t length = strlen(name);
    return !strncmp(file, name, length) && file[length] == '.' && !strchr(file + length + 1, '.') &&
           output_picture_format(file);
}
