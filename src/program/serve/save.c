/* save.c — saves a case or plan in a folder, and sends files of a run. */
#include "serve.h"

#include "library/inside.h"
#include "record/json_number.h"
#include "run/output.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- saving ---------------------------------------------------------------------------------- */

enum { NAME_MOST = 63 }; /* bytes */

struct saving {
    const char *name;
    bool plan, replace;
    uint64_t digest; /* 0: not known */
    char *folder, *path;
};

/* Whether the case of the session refers to a file with this name. A file in a saved folder may be a copy of it. */
static bool is_copied(const struct session *s, const char *name)
{
    const struct keyvalues *lines = &s->settings.lines;
    for (int i = 0; i < lines->count; i++) {
        const char *value = lines->item[i].value, *at = strstr(value, name);
        if (at && (at == value || strchr("/ ", at[-1])) && strchr(" ", at[strlen(name)]))
            return true;
    }
    return false;
}

/* Whether a folder has only what a killed program may have left: temporary files, files of a drawing, and copies. */
static bool is_begun(const struct session *s, const char *folder)
{
    static const char *const ours[] = {".sciara-", "vents", "rates", "barriers", "places"};
    DIR *d = opendir(folder);
    bool others = !d;
    for (const struct dirent *at; d && !others && (at = readdir(d));) {
        others = strcmp(at->d_name, ".") && strcmp(at->d_name, "..") && !is_copied(s, at->d_name);
        for (size_t i = 0; i < sizeof ours / sizeof *ours && others; i++)
            others = strncmp(at->d_name, ours[i], strlen(ours[i])) != 0;
    }
    if (d) closedir(d);
    return !others;
}

/* Saves a drawing. First writes and loads it in the session's folder, so that every saved case can be loaded. */
static int save(struct request *q, const cJSON *drawing, struct saving *v)
{
    struct session *s = q->of;
    struct drawing_fault fault = {.number = -1};
    struct error e = {0};
    struct drawn d;
    FREED char *more = NULL;
    int status = drawing_load(s, drawing, &d, &fault, &e);
    FREED char *path = status ? NULL : text_format("%s/%.63s.cfg", d.folder, s->c.name);
    if (!status && v->plan) status = path ? drawing_draft(&more, path, 200, &e) : error_memory(&e);
    drawing_unload(&d);
    if (!status) status = output_prepare(s->o.folder, &e);
    if (!status && mkdir(v->folder, 0777) && errno == EEXIST && access(v->path, F_OK) &&
        !is_begun(s, v->folder))
        return reply_refusal(q, HTTP_CONFLICT,
                             "a folder of that name has other files; choose another name");
    if (!status) atomic_file_sweep(v->folder);
    struct drawing_ground on = s->on;
    on.relative = true;
    if (!status) status = drawing_write(drawing, &on, v->folder, v->name, more, &e);
    if (status) return reply_error(q, &fault, &e);
    FREED char *word = text_shell_word(v->path);
    FREED char *command =
        word ? text_format("sciara %s %s", v->plan ? "ensemble" : "run", word) : NULL;
    cJSON *o = cJSON_CreateObject();
    json_add_texts(o, {"folder", v->folder}, {"file", v->path},
                   {"command", command ? command : ""});
    if (v->digest) json_add_hex(o, "digest", v->digest);
    return reply_json(q, HTTP_OK, o);
}

/* The drawing in the request or, if the request has an "id", the drawing of that run. */
static const cJSON *drawing_or_run(struct request *q, cJSON **run, uint64_t *digest, int *result)
{
    const cJSON *id = request_member(q, "id");
    if (!cJSON_IsNumber(id)) return request_drawing(q, result);
    if ((*run = session_run(q->of, (int64_t)id->valuedouble, digest))) return *run;
    *result = reply_refusal(q, HTTP_NOT_FOUND, "that run is no longer kept; run it again");
    return NULL;
}

int answer_save(struct request *q)
{
    const char *folder = ((struct session *)q->of)->o.folder;
    const cJSON *name = request_member(q, "name"), *kind = request_member(q, "kind");
    FREED_BY(json_free_at) cJSON *run = NULL;
    struct saving v = {0};
    int result = HTTP_NO_REPLY;
    const cJSON *drawing = drawing_or_run(q, &run, &v.digest, &result);
    v.name = cJSON_IsString(name) ? name->valuestring : "";
    v.plan = cJSON_IsString(kind) && !strcmp(kind->valuestring, "plan");
    const bool known =
        !kind || v.plan || (cJSON_IsString(kind) && !strcmp(kind->valuestring, "case"));
    v.replace = cJSON_IsTrue(request_member(q, "replace"));
    v.folder = text_format("%s/%s", folder, v.name);
    v.path = text_format("%s/%s/%s.cfg", folder, v.name, v.name);
    if (drawing && !request_is_name(v.name))
        result = reply_refusal(
            q, HTTP_REFUSED, "name: give one without /, \\ or \", that does not begin with . or -");
    else if (drawing && strlen(v.name) > NAME_MOST)
        result = reply_refusal(q, HTTP_REFUSED, "name: is too long; give at most 63 bytes");
    else if (drawing && !known) result = reply_refusal(q, HTTP_REFUSED, "kind: give case or plan");
    else if (drawing && v.path && !v.replace && !access(v.path, F_OK))
        result = reply_refusal(q, HTTP_CONFLICT,
                               "a case of that name is there; choose another name, or replace it");
    else if (drawing && v.folder && v.path) result = save(q, drawing, &v);
    FREE_ALL(v.folder, v.path);
    return result;
}

/* ---- the files of a run ---------------------------------------------------------------------- */

static const struct export
{
    const char *format;
    unsigned formats;
    const char *first, *last; /* beginning and end of the file's name */
    const char *type;
}
exports[] = {
    {"report", SCIARA_HTML | SCIARA_GEOTIFF, "", "report.html", "text/html; charset=utf-8"},
    {"geotiff", SCIARA_GEOTIFF, "total_thickness_m_", ".tif", "image/tiff"},
    {"arrival", SCIARA_GEOTIFF, "arrival_h_", ".tif", "image/tiff"},
    {"kmz", SCIARA_KMZ | SCIARA_GEOTIFF, "", "run.kmz", "application/vnd.google-earth.kmz"},
    {"png", SCIARA_PNG, "map_0", ".png", "image/png"},
    {"arrival_png", SCIARA_PNG, "map_arrival_", ".png", "image/png"},
    {"summary", SCIARA_GEOTIFF, "", "summary.json", "application/json"},
};

static const struct export *find_export(const char *format)
{
    for (size_t i = 0; format && i < sizeof exports / sizeof *exports; i++)
        if (!strcmp(format, exports[i].format)) return &exports[i];
    return NULL;
}

/* Writes files of a run. Only the last run is kept; an earlier run is computed again, with the same bits. */
static int write_files(struct session *s, int64_t id, const cJSON *drawing, unsigned formats,
                       const char *folder, struct drawing_fault *fault, struct error *e)
{
    struct sciara_error why;
    struct sciara_run_options run;
    struct ended r = session_take_ended(s, id);
    int status = r.id ? 0 : drawing_load(s, drawing, &r.drawn, fault, e);
    if (!status && !r.id) status = drawing_simulate(s, &r.drawn, &r.simulation, e);
    sciara_run_options_init(&run, sizeof run);
    run.folder = folder;
    run.formats = formats;
    run.every = 0;
    run.layers = "all";
    if (!status && sciara_run(r.simulation, &run, NULL, &why)) status = error_of_sciara(&why, e);
    r.id = id;
    if (r.simulation) session_keep_ended(s, r);
    else drawing_unload(&r.drawn);
    return status;
}

static int send_export(struct request *q, const char *folder, const struct export *x)
{
    char found[256] = "";
    const size_t first = strlen(x->first), last = strlen(x->last);
    DIR *d = opendir(folder);
    for (const struct dirent *at; d && (at = readdir(d));) {
        const size_t length = strlen(at->d_name);
        if (length >= first + last && !strncmp(at->d_name, x->first, first) &&
            !strcmp(at->d_name + length - last, x->last))
            snprintf(found, sizeof found, "%s", at->d_name);
    }
    if (d) closedir(d);
    FREED char *path = text_format("%s/%s", folder, found);
    FREED char *name = text_format("%s_%s", ((struct session *)q->of)->c.name, found);
    return path && name ? reply_file(q, path, x->type, name) : HTTP_NO_REPLY;
}

int answer_export(struct request *q)
{
    struct session *s = q->of;
    struct drawing_fault fault = {.number = -1};
    struct error e = {0};
    uint64_t digest;
    const int64_t id = request_number(q, "id", 0);
    const struct export *x = find_export(request_word(q, "format"));
    FREED_BY(json_free_at) cJSON *drawing = x ? session_run(s, id, &digest) : NULL;
    if (!drawing)
        return reply_refusal(q, HTTP_NOT_FOUND,
                             x ? "that run is no longer kept; run it again"
                               : "there is no such format");
    FREED char *folder = text_format("%s/export", s->work);
    LOCKED(&s->export_lock);
    int status = folder ? 0 : error_memory(&e);
    if (!status && (s->exported != id || (x->formats & ~s->exported_formats))) {
        const unsigned formats = x->formats | (s->exported == id ? s->exported_formats : 0);
        s->exported = 0;
        status = folder_anew(folder, &e);
        if (!status) status = write_files(s, id, drawing, formats, folder, &fault, &e);
        if (!status) s->exported = id, s->exported_formats = formats;
    }
    return status ? reply_error(q, &fault, &e) : send_export(q, folder, x);
}
