#include "output_picture.h"

#include "draw/plot.h"
#include "map/map.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>

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
    for (int i = 0; i < KINDS && !status; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        status = path ? output_spare(c, path, e) : error_failed(e, "out of memory");
        if (!status) status = draw(path, of, e);
        free(path);
    }
    return status;
}

int output_picture_wrote(const struct output_info *info, const char *name, struct error *e)
{
    int status = 0;
    for (int i = 0; i < KINDS && !status; i++) {
        if (!(info->formats & kinds[i].format)) continue;
        char *path = text_format("%s/%s%s", info->directory, name, kinds[i].ending);
        status = path ? output_wrote(info, path, e) : error_failed(e, "out of memory");
        free(path);
    }
    return status;
}

int output_picture(const struct output_info *info, const struct sim_case *c, const char *name,
                   output_draw *draw, const void *of, struct error *e)
{
    int status = output_picture_draw(info, c, name, draw, of, e);
    return status ? status : output_picture_wrote(info, name, e);
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
