/* paint.c — the table of painters, the only name that libsciara_show.so exports. */
#include "paint.h"

#include "draw/font.h"

#include "sciara.h"

static const struct row {
    unsigned format;
    paint_each *each;
} rows[] = {
#define ROW(NAME, word, needs, about, painter, ...) {SCIARA_##NAME, paint_##painter},
    PAINTED_LIST(ROW)};

/* Calls each painter once, with all requested formats of this painter. */
static int each_painter(struct paint_run *r, bool paints, struct error *e)
{
    unsigned left = r->of->formats;
    int status = 0;
    for (int i = 0; i < PAINTED_FORMATS && !status; i++) {
        unsigned its = 0;
        for (int k = 0; k < PAINTED_FORMATS; k++)
            if (rows[k].each == rows[i].each) its |= rows[k].format & left;
        left &= ~its;
        if (its) status = rows[i].each(r, its, paints, e);
    }
    return status;
}

static int check_painting(const struct painting *p, struct error *e)
{
    struct paint_run r = {p, 0, 0};
    if (p->fonts) font_prepare();
    if (p->title) *p->complaint = font_complaint(p->title);
    return p->record || p->folder ? each_painter(&r, false, e) : 0;
}

static int paint_record(const struct painting *p, struct error *e)
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
    check_painting,
    paint_record,
};
