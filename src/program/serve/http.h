/* http.h — HTTP requests and answers for clients that have the key, by libmicrohttpd. This part does not depend on what is
 * served. */
#pragma once

#include "base/error.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { HTTP_KEY = 32 };
enum http_status {
    HTTP_OK = 200,
    HTTP_BAD_REQUEST = 400,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_WRONG_METHOD = 405,
    HTTP_CONFLICT = 409,
    HTTP_NO_LENGTH = 411,
    HTTP_TOO_LARGE = 413,
    HTTP_WRONG_TYPE = 415,
    HTTP_REFUSED = 422,
    HTTP_FAILED = 500,
    HTTP_BUSY = 503
};

struct http;
struct http_route;
struct request {
    void *of; /* the object of the path, from enter() */
    const struct http_route *route;
    struct http *http;
    struct MHD_Connection *connection;
    cJSON *json; /* the body of a POST, an object */
    char *body;  /* the body as it comes; NULL: there is none */
    size_t size, room;
    FILE *file; /* gets the body in place of `body`; removed if it is incomplete */
    char *file_path;
};

/* Answers a request on the thread of its connection. Returns the result of a reply_ function. */
typedef int http_answer(struct request *q);
struct http_route {
    const char *path; /* NULL: the end of the table */
    bool post;        /* the method is POST, with JSON; else GET */
    http_answer *answer;
    /* NULL unless the body is a file of any size. begin() opens q->file for q->room bytes, or refuses. answer() takes over
     * the file by request_take_file(). */
    http_answer *begin;
};

/* What is served. enter() is called for a request that has the key. It sets *of to the object that the path names, and
 * *route to the table of the object's routes. It advances *path to the rest of the path, which is compared with
 * route->path. ERROR_CANCELLED: the object is not available now. leave() is called when the answer has been freed. */
struct http_service {
    void *of;
    int (*enter)(void *service, const char **path, void **of, const struct http_route **route,
                 struct error *e);
    void (*leave)(void *service, void *of);
};

/* Listens at a numeric address; port 0: any. `key` has HTTP_KEY characters. The caller keeps `key` as long as *h. */
int http_open(struct http **h, const char *address, int port, const char *key,
              struct http_service service, struct error *e);
int http_port(const struct http *h);
/* addresses.c: writes addresses of the page for this machine, then for others, at most `most` (>= 1); returns how many. */
enum { HTTP_ADDRESS = 256 };
int http_addresses(const char *listened, int port, const char *key, char address[][HTTP_ADDRESS],
                   int most);
void http_sweep(struct http *h); /* to be called once a second: ends connections without the key */
void http_close(struct http *h); /* NULL is fine */

/* reply_json() and reply_bytes() free their data. HTTP_NO_REPLY: out of memory, the connection ends. */
enum { HTTP_NO_REPLY = 0 };
int reply_json(struct request *q, int status, cJSON *json);
int reply_bytes(struct request *q, const char *type, void *bytes, size_t size);
int reply_refusal(struct request *q, int status, const char *text);
/* `name`: the name under which the browser saves the file; NULL: the browser shows the file. */
int reply_file(struct request *q, const char *path, const char *type, const char *name);

/* request_word(): the value of ?name=, or NULL. request_number(): this value as a whole number; `none` if it is no
 * number. */
const char *request_word(struct request *q, const char *name);
int64_t request_number(struct request *q, const char *name, int64_t none);
const cJSON *request_member(const struct request *q, const char *name); /* a member of q->json */
bool request_take_file(struct request *q); /* closes the file; false: it is incomplete */
int request_socket(struct request *q);
void http_cut(int socket); /* ends a connection; its thread notices this */

/* An answer that comes piece by piece. next() adds bytes to `out` and at the end sets `ended`. close() frees the
 * stream, also if the connection breaks. The service keeps the request's object until close() has been called. */
struct bytes {
    unsigned char *data;
    size_t size, room;
    bool failed; /* out of memory */
};
struct stream {
    void (*next)(struct stream *self);
    void (*close)(struct stream *self);
    struct bytes out;
    size_t sent;
    bool ended;
    const struct http_service *service; /* set by reply_stream() */
    void *whose;
};
int reply_stream(struct request *q, struct stream *stream);
