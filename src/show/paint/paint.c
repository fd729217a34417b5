/* paint.c — the only name that libsciara_show.so exports, and what all painters share. */
#include "paint.h"

#include "draw/animation.h"
#include "draw/font.h"
#include "text/textfile.h"

#include "sciara.h"

#include <string.h>

static const struct painter *const painters[] = {&paint_pictures, &paint_layers, &paint_report};
enum { PAINTERS = sizeof painters / sizeof *painters };

/* ---- files ----------------------------------------------------------------------------------- */

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

/* ---- what is exported ------------------------------------------------------------------------ */

static int each_painter(struct paint_run *r, bool paints, struct error *e)
{
    int status = 0;
    for (int i = 0; i < PAINTERS && !status; i++)
        if (r->of->formats & painters[i]->formats)
            status = (paints ? painters[i]->paint : painters[i]->check)(r, e);
    return status;
}

static int check(const struct painting *p, struct error *e)
{
    struct paint_run r = {p, 0, 0};
    if (p->fonts) font_prepare();
    if (p->title) *p->complaint = font_complaint(p->title);
    if (p->formats & SCIARA_MP4 && !film_possible())
        return error_input(e, "film: an MP4 is made by ffmpeg, which is not on the PATH (Debian: "
                              "ffmpeg); install it, or use the animated WebP");
    return p->record || p->folder ? each_painter(&r, false, e) : 0;
}

static int paint(const struct painting *p, struct error *e)
{
    struct painting quiet = *p;
    struct paint_run count = {&quiet, 0, 0};
    quiet.before = NULL;
    int status = each_painter(&count, false, e);
    struct paint_run r = {p, 0, count.all};
    return status ? status : each_painter(&r, true, e);
}

extern const struct painters sciara_painters;
const struct painters sciara_painters = {
    PAINTERS_ABI,
    SCIARA_VERSION,
    check,
    paint,
};
