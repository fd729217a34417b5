/* layers.c — the layers of the folder of a record as KMZ and for QGIS. */
#include "paint.h"

#include "gis/gis.h"
#include "text/textfile.h"

#include "sciara.h"

#include <stdlib.h>
#include <string.h>

struct showing {
    struct paint_run *run;
    struct layer_set set;
};

/* The path in the folder of the files, malloc'ed; NULL and the error. */
static char *path_of(const struct showing *s, const char *file, struct error *e)
{
    char *path = text_format("%s/%s", s->run->of->output, file);
    if (!path) error_memory(e);
    return path;
}

static int check_file(void *showing, const char *file, struct error *e)
{
    struct showing *s = showing;
    FREED char *path = path_of(s, file, e);
    return path ? paint_count(s->run, path, e) : ERROR_FAILED;
}

static int write_file(void *showing, const char *path, double *scale_denominator, struct error *e)
{
    return gis_write(path, &((struct showing *)showing)->set, e);
}

static int paint_one(void *showing, const char *file, struct error *e)
{
    struct showing *s = showing;
    FREED char *path = path_of(s, file, e);
    return path ? paint_file(s->run, path, "", write_file, s, e) : ERROR_FAILED;
}

/* What the layers say is read once for all files. */
static int paint_set(struct showing *s, const char *name, unsigned formats, struct error *e)
{
    const size_t size = (size_t)s->set.kinds * sizeof *s->set.kind;
    FREED struct layer_quantity *kind = malloc(size + 1);
    if (!kind) return error_memory(e);
    if (size) memcpy(kind, s->set.kind, size);
    s->set.kind = kind;
    int status = layer_set_complete(&s->set, e);
    if (!status) status = layer_set_files(&s->set, name, formats, paint_one, s, e);
    layer_set_free(&s->set);
    return status;
}

static int each(struct paint_run *r, bool paints, struct error *e)
{
    const struct painting *p = r->of;
    int status = 0;
    for (int i = 0; i < record_count(p->record) && !status; i++) {
        FREED_BY(record_release) struct record_scene scene = {0};
        if (!paint_asks(r, i) || !record_is_layers(p->record, i)) continue;
        status = record_scene(&scene, p->record, i, e);
        if (status) break;
        struct showing s = {r, *(const struct layer_set *)scene.scene.of};
        const char *name = record_name(p->record, i);
        s.set.folder = p->folder;
        if (p->language) s.set.language = p->language;
        status = paints ? paint_set(&s, name, p->formats, e)
                        : layer_set_files(&s.set, name, p->formats, check_file, &s, e);
    }
    return status;
}

static int check(struct paint_run *r, struct error *e)
{
    return each(r, false, e);
}

static int paint(struct paint_run *r, struct error *e)
{
    return each(r, true, e);
}

const struct painter paint_layers = {SCIARA_KMZ | SCIARA_QGIS, check, paint};
