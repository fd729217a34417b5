/* requests.c — requests of a page to the engine in its worker: what src/program/serve answers is here handed to JavaScript,
 * in place of http.c. One thread: a stream is advanced piece by piece, and what else comes is answered in between. */
#include "page.h"

#include "record/page_texts.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page is there already. */
const char serve_style[] = "", serve_script[] = "", serve_top[] = "", serve_bottom[] = "";

static int answer_nothing(struct request *q)
{
    return reply_refusal(q, HTTP_NOT_FOUND,
                         "this needs the program: sciara serve LIBRARY, on this machine");
}

static const struct http_route page_routes[] = {
    {"/api/facts", false, answer_facts},    {"/api/terrain", false, answer_terrain},
    {"/api/drawing", true, answer_drawing}, {"/api/run", true, answer_run},
    {"/api/save", true, answer_save},       {"/api/ensemble", true, answer_ensemble},
    {"/api/ask", true, answer_nothing},     {NULL, false, NULL},
};

/* The answer to a request, until page_forget(). */
struct http {
    char *path, *word; /* as it was asked, NAME=VALUE&...; the last value that was looked for */
    int status;
    unsigned char *bytes;
    size_t size;
    struct stream *stream; /* NULL: the bytes are all */
};

/* ---- what answers call ----------------------------------------------------------------------- */

int reply_bytes(struct request *q, const char *type, void *bytes, size_t size)
{
    q->http->status = HTTP_OK;
    q->http->bytes = bytes;
    q->http->size = size;
    return 1;
}
int reply_json(struct request *q, int status, cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    if (!text) return HTTP_NO_REPLY;
    reply_bytes(q, "application/json", text, strlen(text));
    q->http->status = status;
    return 1;
}
int reply_refusal(struct request *q, int status, const char *text)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "error", text);
    return reply_json(q, status, o);
}
int reply_stream(struct request *q, struct stream *stream)
{
    q->http->status = HTTP_OK;
    q->http->stream = stream;
    return 1;
}

const char *request_word(struct request *q, const char *name)
{
    const size_t length = strlen(name);
    const char *at = strchr(q->http->path, '?');
    while (at && (strncmp(at + 1, name, length) != 0 || at[1 + length] != '='))
        at = strchr(at + 1, '&');
    free(q->http->word);
    q->http->word = at ? strndup(at + length + 2, strcspn(at + length + 2, "&")) : NULL;
    return q->http->word;
}
int64_t request_number(struct request *q, const char *name, int64_t none)
{
    const char *word = request_word(q, name);
    char *end = NULL;
    const long long value = word ? strtoll(word, &end, 10) : 0;
    return word && *word && !*end ? value : none;
}
const cJSON *request_member(const struct request *q, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(q->json, name);
}
int ask_facts(cJSON *facts, struct session *s, struct error *e)
{
    return 0;
}
int request_socket(struct request *q)
{
    return -1;
}
void http_cut(int socket) {}

/* ---- what JavaScript calls -------------------------------------------------------------------- */

struct page *page_create(void)
{
    return calloc(1, sizeof(struct page));
}
const char *page_error(const struct page *w)
{
    return w->e.text;
}
/* A case or a terrain, once; cases are saved in a folder that is there. 0, or the exit status of the program for this error. */
int page_load(struct page *w, const char *input, const char *folder)
{
    if (!(w->folder = text_format("%s", folder))) return error_memory(&w->e);
    const struct serve_options o = {.folder = w->folder, .language = "", .threads = 1};
    const int status = session_open(&w->session, &o, input, &w->e);
    w->open = !status;
    return status;
}
void page_free(struct page *w)
{
    if (w->open) session_close(&w->session);
    FREE_ALL(w->folder, w);
}

/* Of a body, JSON, which this call frees; NULL: of none. NULL: out of memory. */
struct http *page_ask(struct page *w, const char *path, char *body)
{
    struct http *h = calloc(1, sizeof *h);
    struct request q = {.of = &w->session, .http = h, .json = body ? cJSON_Parse(body) : NULL};
    const struct http_route *r = page_routes;
    if (h) h->path = text_format("%s", path);
    while (r->path && strncmp(path, r->path, strlen(r->path)) != 0) r++;
    q.route = r;
    if (!h || !h->path) h = NULL;
    else if (!r->path || (r->post && !cJSON_IsObject(q.json)))
        reply_refusal(&q, HTTP_BAD_REQUEST, "there is no such request");
    else if (!r->answer(&q)) h->status = HTTP_FAILED;
    cJSON_Delete(q.json);
    free(body);
    return h;
}
int page_status(const struct http *h)
{
    return h->status;
}
const unsigned char *page_bytes(const struct http *h)
{
    return h->stream ? h->stream->out.data : h->bytes;
}
double page_size(const struct http *h)
{
    return (double)(h->stream ? h->stream->out.size : h->size);
}
bool page_streams(const struct http *h)
{
    return h->stream != NULL;
}
/* The next piece of a stream, in place of the last one: false behind the last. */
bool page_next(struct http *h)
{
    struct stream *s = h->stream;
    if (s->ended || s->out.failed) return false;
    s->out.size = 0;
    s->next(s);
    return true;
}
void page_forget(struct http *h)
{
    if (h->stream) {
        free(h->stream->out.data);
        h->stream->close(h->stream);
    }
    FREE_ALL(h->path, h->word, h->bytes, h);
}
