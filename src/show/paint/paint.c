/* paint.c — the only name that libsciara_show.so exports, and all painters. */
#include "paint.h"

#include "draw/font.h"

#include "sciara.h"

static const struct painter *const painters[] = {&paint_pictures, &paint_layers, &paint_report};
enum { PAINTERS = sizeof painters / sizeof *painters };

static int each_painter(struct paint_run *r, bool paints, struct error *e)
{
    int status = 0;
    for (int i = 0; i < PAINTERS && !status; i++)
        if (r->of->formats & painters[i]->formats) status = painters[i]->each(r, paints, e);
    return status;
}

static int check(const struct painting *p, struct error *e)
{
    struct paint_run r = {p, 0, 0};
    if (p->fonts) font_prepare();
    if (p->title) *p->complaint = font_complaint(p->title);
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
