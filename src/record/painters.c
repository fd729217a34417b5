#include "painters.h"

#include "text/textfile.h"

#include "sciara.h"

#include <string.h>

int painters_have(unsigned formats, struct error *e)
{
    static const struct {
        unsigned format;
        const char *word;
    } named[] = {{SCIARA_SVG, "svg"}, {SCIARA_PDF, "pdf"},   {SCIARA_HTML, "html"},
                 {SCIARA_KMZ, "kmz"}, {SCIARA_QGIS, "qgis"}, {SCIARA_WEBP, "an animation"},
                 {SCIARA_PNG, "png"}};
    bool any = false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        any |= formats & named[i].format;
        if (formats & painters_lack & named[i].format)
            return error_input(e,
                               "%s: this sciara was built without painters; choose png, or paint "
                               "the folder later by `sciara show` of one that has them",
                               named[i].word);
    }
    return any && !painters_load(e) ? ERROR_FAILED : 0;
}

int painters_check(const struct painting *p, struct error *e)
{
    const struct painters *all = painters_load(e);
    return all ? all->check(p, e) : ERROR_FAILED;
}

const struct painted_format painted_formats[PAINTED_FORMATS] = {{SCIARA_PNG, false, ".png"},
                                                                {SCIARA_SVG, false, ".svg"},
                                                                {SCIARA_PDF, false, ".pdf"},
                                                                {SCIARA_WEBP, true, ".webp"}};

const struct painted_format *painted_format_of(const char *file)
{
    const char *ending = strrchr(file, '.');
    for (int i = 0; i < PAINTED_FORMATS && ending; i++)
        if (!strcmp(ending, painted_formats[i].ending)) return &painted_formats[i];
    return NULL;
}

unsigned painted_as(const char *file)
{
    static const struct {
        const char *ending;
        unsigned format;
    } others[] = {
        {".html", SCIARA_HTML}, {".kmz", SCIARA_KMZ}, {".qgz", SCIARA_QGIS}, {".qml", SCIARA_QGIS}};
    const struct painted_format *f = painted_format_of(file);
    for (size_t i = 0; i < sizeof others / sizeof *others && !f; i++)
        if (text_ends(file, others[i].ending)) return others[i].format;
    return f ? f->format : 0;
}

int painters_paint(const struct painting *p, struct error *e)
{
    const struct painters *all = painters_load(e);
    return all ? all->paint(p, e) : ERROR_FAILED;
}

int scene_paint(const char *path, const struct scene *s, struct error *e)
{
    const struct painted_format *format = painted_format_of(path);
    struct record *of;
    int status = painters_have(format ? format->format : SCIARA_PNG, e);
    if (!status) status = record_describe(&of, NULL, "picture", s, e);
    if (status) return status;
    const struct painting p = {
        .record = of, .path = path, .formats = format ? format->format : SCIARA_PNG};
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
