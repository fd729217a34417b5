/* layers.c — paints the layers of a folder as KMZ, and as project and styles for QGIS. */
#include "paint.h"

#include "gis/gis.h"
#include "raster/geotiff.h"
#include "text/textfile.h"

#include "sciara.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct showing {
    struct paint_run *run;
    bool paints; /* false: files are only counted */
    struct layer_set set;
    const struct layer_file *file; /* the file that is painted now */
};

static int write_file(void *showing, const char *path, double *scale_denominator, struct error *e)
{
    const struct showing *s = showing;
    return gis_write(path, s->file, &s->set, e);
}

/* Paints or counts a file. Its name is malloc'ed and freed here. */
static int show_file(struct showing *s, struct layer_file file, struct error *e)
{
    FREED char *name = file.name;
    FREED char *path = name ? text_format("%s/%s", s->run->of->output, name) : NULL;
    s->file = &file;
    if (!path) return error_memory(e);
    return s->paints ? paint_file(s->run, path, "", write_file, s, e)
                     : paint_count(s->run, path, e);
}

/* Paints or counts a style for each layer and each vector file. */
static int show_styles(struct showing *s, struct error *e)
{
    const struct layer_set *of = &s->set;
    int status = 0;
    for (int t = 0; t < of->times; t++)
        for (int k = 0; k < of->kinds && !status; k++) {
            char *style = layer_set_file(of, &of->kind[k], t, ".qml");
            status = show_file(s, (struct layer_file){style, &of->kind[k], 0}, e);
        }
    for (int v = 0; v < LAYER_VECTORS && !status; v++)
        if (layer_set_has(of, (enum layer_vectors)v)) {
            char *style = text_format("%s.qml", layer_vectors[v]);
            status = show_file(s, (struct layer_file){style, NULL, v}, e);
        }
    return status;
}

static int show_files(struct showing *s, const char *name, unsigned formats, struct error *e)
{
    int status = 0;
    if (formats & SCIARA_KMZ)
        status = show_file(s, (struct layer_file){.name = text_format("%s.kmz", name)}, e);
    if (!status && formats & SCIARA_QGIS) status = show_styles(s, e);
    if (!status && formats & SCIARA_QGIS && layer_set_is_run(&s->set))
        status = show_file(s, (struct layer_file){.name = text_format("%s.qgz", name)}, e);
    return status;
}

/* Whether one of these formats shows a layer's values, or refers to its file. */
static bool needs(const struct layer_set *s, const struct layer_quantity *k, unsigned formats)
{
    if (k->use == LAYER_STYLED) return k->scale_of || k == s->kind;
    return formats & SCIARA_QGIS || !layer_set_is_run(s) || k->use == LAYER_TIMES ||
           k->use == LAYER_ARRIVAL;
}

static bool is_of_all_times(const struct layer_set *s, const struct layer_quantity *k)
{
    return k->use == LAYER_TIMES || (k->use == LAYER_CHOICE && !layer_set_is_run(s));
}

/* Checks, before anything is painted, that the folder has all layers. */
static int check_there(const struct layer_set *set, unsigned formats, struct error *e)
{
    for (int k = 0; k < set->kinds; k++)
        for (int t = is_of_all_times(set, &set->kind[k]) ? 0 : set->times - 1; t < set->times;
             t++) {
            FREED char *name = layer_set_file(set, &set->kind[k], t, ".tif");
            FREED char *path = name ? text_format("%s/%s", set->folder, name) : NULL;
            if (!path) return error_memory(e);
            if (needs(set, &set->kind[k], formats) && access(path, F_OK) != 0)
                return error_input(e, "%s: %s; run the case again with layers as GeoTIFF", path,
                                   strerror(errno));
            if (t == set->times - 1 && set->of && geotiff_is_of_others(path, set->of))
                return error_input(
                    e, "%s: is not of the same results as record.zip; copy both from one folder",
                    path);
        }
    return 0;
}

/* Reads the layers of a set once. Then paints or counts all files of the set. */
static int show_set(struct showing *s, int i, unsigned formats, const struct layer_set *from,
                    struct error *e)
{
    const struct painting *p = s->run->of;
    int status = 0;
    s->set = *from;
    s->set.folder = p->folder;
    if (p->language) s->set.language = p->language;
    if (!s->paints) status = check_there(&s->set, formats, e);
    if (!status && (s->paints || p->before)) status = layer_set_complete(&s->set, e);
    if (!status) status = show_files(s, record_name(p->record, i), formats, e);
    layer_set_free(&s->set);
    return status;
}

int paint_layers(struct paint_run *r, unsigned formats, bool paints, struct error *e)
{
    const struct record *from = r->of->record;
    int status = 0;
    for (int i = 0; i < record_count(from) && !status; i++) {
        FREED_BY(record_release) struct record_scene scene = {0};
        struct showing s = {.run = r, .paints = paints};
        if (!paint_asks(r, i) || !record_is(from, i, SCENE_LAYERS)) continue;
        status = record_scene(&scene, from, i, e);
        if (!status) status = show_set(&s, i, formats, scene.scene.of, e);
    }
    return status;
}
