#include "gis.h"
#include "template.h"

#include "record/json_number.h"
#include "record/picture_mark.h"
#include "record/zip_pack.h"
#include "text/times.h"

#include <stdio.h>
#include <string.h>

void gis_include(struct gis_box *b, double x, double y)
{
    b->x0 = fmin(b->x0, x);
    b->y0 = fmin(b->y0, y);
    b->x1 = fmax(b->x1, x);
    b->y1 = fmax(b->y1, y);
}

struct gis_box gis_lava(const struct layer_set *s)
{
    struct gis_box b = gis_nowhere;
    const int last = s->bands.lines.count - 1;
    const struct isochrone_area *a = last < 0 ? NULL : &s->bands.lines.at[last].reached;
    for (int i = 0; a && i < a->count; i++)
        for (int k = 0; k < a->polygon[i].ring[0].count; k++)
            gis_include(&b, a->polygon[i].ring[0].xy[k][0], a->polygon[i].ring[0].xy[k][1]);
    const double cell = s->geo.cell_m;
    return (struct gis_box){b.x0 - cell, b.y0 - cell, b.x1 + cell, b.y1 + cell};
}

struct gis_box gis_grid(const struct layer_set *s)
{
    const struct georef *g = &s->geo;
    return (struct gis_box){g->west_m, g->south_m, g->west_m + s->cols * g->cell_m,
                            g->south_m + s->rows * g->cell_m};
}

char *gis_name(char out[WORDS_TEXT], const struct layer_set *s, const struct layer_quantity *k,
               int time)
{
    const double time_s = s->time[time].time_s;
    char date[TIMES_TEXT], since[ISOCHRONES_TEXT], packed[WORDS_TEXT];
    times_date(date, s->start_time ? s->start_time : "", time_s, TIMES_SAID);
    isochrones_time_pack(since, time_s / 3600);
    snprintf(packed, sizeof packed, "%s" WORDS_NEXT WORDS_PART ", " WORDS_PART "%s", k->about,
             *date ? date : since);
    return words_fill(out, WORDS_TEXT, packed, s->language);
}

int gis_finish(struct zip_pack *zip, const char *file, const struct template *t,
               struct cJSON *values, const char *path, const struct layer_set *s, struct error *e)
{
    char comment[128];
    size_t size;
    json_add_texts(values, {"software", s->software}, {"title", s->title});
    snprintf(comment, sizeof comment, PICTURE_MADE_BY "%.80s", s->software);
    char *text = template_text(t, values, &size);
    const int status = text ? zip_pack_add(zip, file, text, size, 9, e) : error_memory(e);
    return status ? status : zip_pack_write(zip, path, comment, e);
}

int gis_write(const char *path, const struct layer_file *file, const struct layer_set *s,
              struct error *e)
{
    const char *ending = strrchr(path, '.');
    if (!strcmp(ending, ".kmz")) return kmz_write(path, s, e);
    if (!strcmp(ending, ".qgz")) return qgis_project(path, s, e);
    return qgis_style(path, file, s, e);
}
