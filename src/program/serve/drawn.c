/* drawn.c — checks a drawing that the page sends, and refuses it with a reason, or makes a case, a simulation or a plan from
 * the drawing. */
#include "serve.h"

#include "draft/draft.h"
#include "library/inside.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int reply_error(struct request *q, const struct drawing_fault *fault, const struct error *e)
{
    const int status = e->code == ERROR_INPUT       ? HTTP_REFUSED
                       : e->code == ERROR_CANCELLED ? HTTP_BUSY
                                                    : HTTP_FAILED;
    char printable[sizeof e->text];
    cJSON *o = cJSON_CreateObject();
    memcpy(printable, e->text, sizeof printable);
    scan_make_printable(printable);
    cJSON_AddStringToObject(o, "error", printable);
    if (fault && *fault->object) cJSON_AddStringToObject(o, "object", fault->object);
    if (fault && fault->number >= 0) cJSON_AddNumberToObject(o, "number", fault->number);
    if (fault && *fault->field) cJSON_AddStringToObject(o, "field", fault->field);
    return reply_json(q, status, o);
}

bool request_is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || strchr("/\\\"", *c) || *c == 127) return false;
    return *name && *name != '.' && *name != '-' && scan_utf8(name);
}

const cJSON *request_sent(const struct request *q)
{
    const cJSON *drawing = request_member(q, "drawing");
    return drawing ? drawing : q->json;
}

const cJSON *request_drawing(struct request *q, int *result)
{
    const struct session *s = q->of;
    struct drawing_fault fault;
    struct error e = {0};
    const cJSON *drawing = request_sent(q);
    if (!drawing_check(drawing, &s->on, &fault, &e)) return drawing;
    *result = reply_error(q, &fault, &e);
    return NULL;
}

int drawing_load(struct session *s, const cJSON *drawing, struct drawn *d,
                 struct drawing_fault *fault, struct error *e)
{
    const long long number = atomic_fetch_add(&s->drawings, 1);
    struct sciara_error why;
    *d = (struct drawn){.folder = text_format("%s/drawing%lld", s->work, number)};
    FREED char *path = d->folder ? text_format("%s/%.63s.cfg", d->folder, s->c.name) : NULL;
    int status = path ? folder_anew(d->folder, e) : error_memory(e);
    if (!status) status = drawing_write(drawing, &s->on, d->folder, s->c.name, NULL, e);
    if (!status && sciara_case_load(&d->c, path, NULL, NULL, &why)) {
        status = error_of_sciara(&why, e);
        drawing_blame(fault, drawing, d->folder, e);
    }
    if (status) drawing_unload(d);
    return status;
}

int drawing_simulate(struct session *s, const struct drawn *d, sciara_simulation **simulation,
                     struct error *e)
{
    struct sciara_error why;
    struct sciara_options o;
    sciara_options_init(&o, sizeof o);
    o.threads = s->o.threads;
    return sciara_create(simulation, d->c, &o, &why) ? error_of_sciara(&why, e) : 0;
}

int drawing_draft(char **text, const char *path, int64_t members, struct error *e)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    size_t size = 0;
    int status = plan_read(&p, path, &(struct plan_more){.members = 1}, NULL, e);
    FILE *out = status ? NULL : open_memstream(text, &size);
    if (out) draft_plan(out, p, members);
    return status || (out && !fclose(out)) ? status : error_memory(e);
}

/* Writes the drawing as a case, drafts the lines of a plan from this case, and replaces the case by the plan. */
int drawing_plan(struct session *s, const cJSON *drawing, const char *folder, const char *name,
                 int64_t members, struct error *e)
{
    FREED char *path = text_format("%s/%s.cfg", folder, name);
    FREED char *text = NULL;
    int status = path ? drawing_write(drawing, &s->on, folder, name, NULL, e) : error_memory(e);
    if (!status) status = drawing_draft(&text, path, members, e);
    return status ? status : drawing_write(drawing, &s->on, folder, name, text, e);
}
