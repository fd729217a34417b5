#include "painters.h"

#include "text/textfile.h"

#include "sciara.h"

#include <string.h>

#define ROW(NAME, word, needs, about, painter, ending, other)                                      \
    {SCIARA_##NAME, needs, word, ending, other},
const struct painted_format painted_formats[PAINTED_FORMATS] = {PAINTED_LIST(ROW)};

unsigned painted_as(const char *file)
{
    const char *ending = strrchr(file, '.');
    for (int i = 0; i < PAINTED_FORMATS && ending; i++) {
        const struct painted_format *f = &painted_formats[i];
        if (!strcmp(ending, f->ending) || (f->other && !strcmp(ending, f->other))) return f->format;
    }
    return 0;
}

const struct painted_format *painted_needing(unsigned formats, enum painted_needs what)
{
    for (int i = 0; i < PAINTED_FORMATS; i++)
        if (formats & painted_formats[i].format && painted_formats[i].needs & what)
            return &painted_formats[i];
    return NULL;
}

int painters_have(unsigned formats, struct error *e)
{
    for (int i = 0; i < PAINTED_FORMATS; i++) {
        const struct painted_format *f = &painted_formats[i];
        if (formats & painters_lack & f->format)
            return error_input(e,
                               "%s: this sciara was built without painters; choose png, or paint "
                               "the folder later by `sciara show` of a sciara with painters",
                               f->format & PAINTED_FRAMES ? "an animation" : f->word);
    }
    return formats & PAINTED && !painters_load(e) ? ERROR_FAILED : 0;
}

int painters_check(const struct painting *p, struct error *e)
{
    const struct painters *all = painters_load(e);
    return all ? all->check(p, e) : ERROR_FAILED;
}

int painters_paint(const struct painting *p, struct error *e)
{
    const struct painters *all = painters_load(e);
    return all ? all->paint(p, e) : ERROR_FAILED;
}

int scene_paint(const char *path, const struct scene *s, struct error *e)
{
    const unsigned as = painted_as(path) & PAINTED_PICTURES;
    struct painting p = {.path = path, .formats = as ? as : SCIARA_PNG};
    struct record *of;
    int status = painters_have(p.formats, e);
    if (!status) status = record_describe(&of, NULL, "picture", s, e);
    if (status) return status;
    p.record = of;
    status = painters_paint(&p, e);
    record_close(of);
    return status;
}

/* ---- for painters ---------------------------------------------------------------------------- */

bool paint_asks(const struct paint_run *r, int i)
{
    const char *only = r->of->only;
    return !only || !strcmp(only, record_name(r->of->record, i));
}

char *paint_path(const struct paint_run *r, int i, const char *ending, struct error *e)
{
    const struct painting *p = r->of;
    char *path = p->path ? text_format("%s", p->path)
                         : text_format("%s/%s%s", p->output, record_name(p->record, i), ending);
    if (!path) error_memory(e);
    return path;
}

static int ask_for(const struct painting *p, const char *path, struct error *e)
{
    return p->before ? p->before(p->user, path, e) : 0;
}

int paint_count(struct paint_run *r, const char *path, struct error *e)
{
    r->all++;
    return ask_for(r->of, path, e);
}

int paint_file(struct paint_run *r, const char *path, const char *note, paint_use *paint,
               void *what, struct error *e)
{
    struct error why = {0};
    struct painted now = {.path = path, .note = note, .done = ++r->done, .all = r->all};
    now.status = ask_for(r->of, path, &why);
    if (!now.status) now.status = paint(what, path, &now.scale_denominator, &why);
    now.why = &why;
    if (r->of->after) return r->of->after(r->of->user, &now, e);
    if (now.status && e) *e = why;
    return now.status;
}

int paint_as_asked(struct map *m, const struct painting *p, struct error *e)
{
    const struct map_paper *paper = &p->paper;
    if (p->language) m->language = p->language;
    if (paper->width_in > 0) m->paper = *paper;
    else if (paper->dpi > 0) m->paper.dpi = paper->dpi;
    const int status = map_paper_check(&m->paper, e);
    return status || !(p->extent[0] < p->extent[2]) ? status : map_crop_extent(m, p->extent, e);
}
