/* http.c — checks HTTP requests, calls the function that answers each, and sends replies and streams.
 *
 * The page is for one person on this machine. A request is answered if it has the key, its Host is an address of this
 * program, and its Origin is this page. The Host excludes names of foreign sites that lead to this machine, the Origin
 * excludes other pages. A connection that has not shown the key is a stranger. Each stranger is closed after some
 * seconds, and the oldest stranger if there are too many. So strangers cannot block the page. */
#include "http.h"

#include "base/lock.h"
#include "text/scan.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BODY_MOST = 4 << 20,
    CONNECTIONS_MOST = 512, /* with room for strangers whose connections are being closed */
    STRANGERS_MOST = 48,
    STRANGER_S = 10, /* time for the whole first request */
    IDLE_S = 60,
    PIECE = 64 << 10,
    MEMORY = PIECE + (32 << 10), /* bytes for a connection and its headers */
    STACK = 8 << 20
};

struct guest {
    MHD_socket socket;
    double since_s;
    bool there, trusted;
};

struct http {
    struct http_service service;
    const char *key;
    struct MHD_Daemon *daemon;
    int port;
    bool loopback;
    pthread_mutex_t lock;
    struct guest guest[CONNECTIONS_MOST + 8];
};

/* ---- connections ----------------------------------------------------------------------------- */

/* Closes each stranger after STRANGER_S, and the oldest stranger if there are more than STRANGERS_MOST. */
static void end_strangers(struct http *h)
{
    const double now_s = clock_now_s();
    struct guest *oldest = NULL;
    int strangers = 0;
    for (size_t i = 0; i < sizeof h->guest / sizeof *h->guest; i++) {
        struct guest *g = &h->guest[i];
        if (!g->there || g->trusted) continue;
        if (now_s - g->since_s > STRANGER_S) shutdown(g->socket, SHUT_RDWR);
        strangers++;
        if (!oldest || g->since_s < oldest->since_s) oldest = g;
    }
    if (strangers > STRANGERS_MOST) {
        shutdown(oldest->socket, SHUT_RDWR);
        oldest->since_s = now_s; /* the next call then closes another stranger */
    }
}

static MHD_socket socket_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *i =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    return i ? i->connect_fd : -1;
}

int request_socket(struct request *q)
{
    return socket_of(q->connection);
}

void http_cut(int socket)
{
    shutdown(socket, SHUT_RDWR);
}

/* Gives a new connection a struct guest as its context, and frees the guest of a closed connection. */
static void notify_connection(void *of, struct MHD_Connection *c, void **guest,
                              enum MHD_ConnectionNotificationCode code)
{
    struct http *h = of;
    struct guest *g = *guest;
    LOCKED(&h->lock);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (g) *g = (struct guest){0};
    } else {
        for (size_t i = 0; i < sizeof h->guest / sizeof *h->guest && !g; i++)
            if (!h->guest[i].there) *guest = g = &h->guest[i];
        if (g) *g = (struct guest){socket_of(c), clock_now_s(), true, false};
        end_strangers(h);
    }
}

void http_sweep(struct http *h)
{
    LOCKED(&h->lock);
    end_strangers(h);
}

/* ---- who may ask ----------------------------------------------------------------------------- */

/* Compares keys. The time does not depend on the place where they differ, so that it reveals nothing about the key. */
static bool same_key(const char *given, const char *key)
{
    const size_t length = given ? strlen(given) : 0;
    unsigned char differs = length != HTTP_KEY;
    for (size_t i = 0; i < HTTP_KEY; i++)
        differs |= (unsigned char)((length == HTTP_KEY ? given[i] : 0) ^ key[i]);
    return !differs;
}

/* Whether a host is a numeric address or a name of this machine. A foreign site could make any other name lead here. */
static bool is_own_host(const struct http *h, const char *host)
{
    char name[256], own[256] = "", port[16];
    struct in6_addr any;
    snprintf(port, sizeof port, ":%d", h->port);
    const size_t length = strlen(host), tail = strlen(port);
    if (length <= tail || length >= sizeof name || strcmp(host + length - tail, port)) return false;
    memcpy(name, host, length - tail);
    name[length - tail] = '\0';
    if (!strcmp(name, "127.0.0.1") || !strcmp(name, "localhost") || !strcmp(name, "[::1]"))
        return true;
    if (h->loopback) return false;
    if (!gethostname(own, sizeof own - 1) && !strcmp(name, own)) return true;
    if (*name == '[' && name[strlen(name) - 1] == ']') {
        name[strlen(name) - 1] = '\0';
        return inet_pton(AF_INET6, name + 1, &any) == 1;
    }
    return inet_pton(AF_INET, name, &any) == 1;
}

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* Whether the request opens the page in a tab. Such a request needs the key, but may come
 * from another site, as from the file that serving.c writes. */
static bool is_opened(struct MHD_Connection *c)
{
    const char *mode = header(c, "Sec-Fetch-Mode"), *to = header(c, "Sec-Fetch-Dest");
    return mode && to && !strcmp(mode, "navigate") && !strcmp(to, "document");
}

/* Why a request is not answered; NULL: it is answered. */
static const char *why_not(const struct http *h, struct MHD_Connection *c)
{
    const char *host = header(c, MHD_HTTP_HEADER_HOST), *origin = header(c, "Origin"),
               *site = header(c, "Sec-Fetch-Site"), *key = header(c, "Sciara-Key");
    if (!key) key = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "key");
    if (!host || !is_own_host(h, host))
        return "the request names another host; open the address that `sciara serve` has printed";
    if (origin && (strncmp(origin, "http://", 7) || strcmp(origin + 7, host)))
        return "the request comes from another page";
    if (site && (!strcmp(site, "cross-site") || !strcmp(site, "same-site")) && !is_opened(c))
        return "the request comes from another page";
    if (!same_key(key, h->key))
        return "the key is missing or wrong; open the address that `sciara serve` has printed";
    return NULL;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void add_headers(struct MHD_Response *r, const char *type)
{
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(r, "X-Frame-Options", "DENY");
    MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
    if (!MHD_get_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL))
        MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
}

static int send_response(struct request *q, int status, const char *type, struct MHD_Response *r)
{
    if (!r) return HTTP_NO_REPLY;
    add_headers(r, type);
    const int queued = MHD_queue_response(q->connection, (unsigned)status, r);
    MHD_destroy_response(r);
    return queued;
}

int reply_json(struct request *q, int status, cJSON *json)
{
    char *text = json ? cJSON_PrintUnformatted(json) : NULL;
    cJSON_Delete(json);
    if (!text) return HTTP_NO_REPLY;
    return send_response(
        q, status, "application/json",
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

int reply_bytes(struct request *q, const char *type, void *bytes, size_t size)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE);
    if (r && !strcmp(type, "application/octet-stream"))
        MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "private, max-age=3600");
    return send_response(q, HTTP_OK, type, r);
}

int reply_refusal(struct request *q, int status, const char *text)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "error", text);
    return reply_json(q, status, o);
}

int reply_file(struct request *q, const char *path, const char *type, const char *name)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    char attachment[200];
    if (file < 0 || fstat(file, &about) || !S_ISREG(about.st_mode)) {
        if (file >= 0) close(file);
        return reply_refusal(q, HTTP_NOT_FOUND, "there is no such file of this run");
    }
    struct MHD_Response *r = MHD_create_response_from_fd64((uint64_t)about.st_size, file);
    if (!r) return close(file), HTTP_NO_REPLY;
    if (name) snprintf(attachment, sizeof attachment, "attachment; filename=\"%.150s\"", name);
    if (name) MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_DISPOSITION, attachment);
    return send_response(q, HTTP_OK, type, r);
}

const char *request_word(struct request *q, const char *name)
{
    return MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, name);
}

int64_t request_number(struct request *q, const char *name, int64_t none)
{
    const char *text = request_word(q, name);
    int64_t value;
    return text && scan_integer(text, &value) ? value : none;
}

const cJSON *request_member(const struct request *q, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(q->json, name);
}

/* ---- streams --------------------------------------------------------------------------------- */

static ssize_t stream_read(void *of, uint64_t at, char *to, size_t most)
{
    struct stream *s = of;
    while (s->sent == s->out.size) {
        if (s->out.failed) return MHD_CONTENT_READER_END_WITH_ERROR;
        if (s->ended) return MHD_CONTENT_READER_END_OF_STREAM;
        s->out.size = s->sent = 0;
        s->next(s);
    }
    size_t count = s->out.size - s->sent;
    if (count > most) count = most;
    memcpy(to, s->out.data + s->sent, count);
    s->sent += count;
    return (ssize_t)count;
}

/* Frees the buffer of a stream and calls close(), which frees the stream. */
static void stream_free(void *of)
{
    struct stream *s = of;
    const struct http_service *service = s->service;
    void *whose = s->whose;
    free(s->out.data);
    s->out = (struct bytes){0};
    s->close(s);
    if (whose) service->leave(service->of, whose);
}

/* The stream takes over q->of, which it still uses after the request has ended. */
int reply_stream(struct request *q, struct stream *stream)
{
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, stream_read,
                                                               stream, stream_free);
    if (!r) return stream->close(stream), HTTP_NO_REPLY;
    stream->service = &q->http->service;
    stream->whose = q->of;
    q->of = NULL;
    MHD_set_connection_option(q->connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    return send_response(q, HTTP_OK, "application/octet-stream; charset=binary", r);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Finds the object and the route of a request. If it refuses the request, q->route stays NULL. */
static int find_route(struct request *q, const char *path)
{
    const struct http_service *service = &q->http->service;
    const struct http_route *r = NULL;
    struct error e = {0};
    const int status = service->enter(service->of, &path, &q->of, &r, &e);
    if (status) q->of = NULL;
    if (status == ERROR_CANCELLED) return reply_refusal(q, HTTP_BUSY, e.text);
    if (status) return reply_refusal(q, HTTP_REFUSED, e.text);
    while (r->path && strcmp(path, r->path)) r++;
    if (!r->path) return reply_refusal(q, HTTP_NOT_FOUND, "there is no such page");
    q->route = r;
    return MHD_YES;
}

/* Checks a request before its body is read. */
static int check_request(struct request *q, const char *url, const char *method)
{
    const char *why = why_not(q->http, q->connection),
               *type = header(q->connection, "Content-Type"),
               *length = header(q->connection, "Content-Length");
    int64_t size = 0;
    if (why) return reply_refusal(q, HTTP_FORBIDDEN, why);
    const union MHD_ConnectionInfo *i =
        MHD_get_connection_info(q->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct guest *g = i ? i->socket_context : NULL;
    pthread_mutex_lock(&q->http->lock);
    if (g) g->trusted = true;
    pthread_mutex_unlock(&q->http->lock);
    const int found = find_route(q, url);
    if (!q->route) return found;
    const bool post = q->route->post, file = q->route->begin != NULL;
    if (strcmp(method, post ? "POST" : "GET"))
        return reply_refusal(q, HTTP_WRONG_METHOD, post ? "use POST" : "use GET");
    if (file && (!type || strcmp(type, "application/octet-stream")))
        return reply_refusal(q, HTTP_WRONG_TYPE, "send application/octet-stream");
    if (post && !file && (!type || strncmp(type, "application/json", 16)))
        return reply_refusal(q, HTTP_WRONG_TYPE, "send application/json");
    if (header(q->connection, "Transfer-Encoding") || (post && !length))
        return reply_refusal(q, HTTP_NO_LENGTH, "send the body at once, with its Content-Length");
    if (length &&
        (!scan_integer(length, &size) || size < 0 || (!file && size > (post ? BODY_MOST : 0))))
        return reply_refusal(q, HTTP_TOO_LARGE, "the request is too large");
    q->room = (size_t)size;
    if (file) return q->route->begin(q);
    return !size || (q->body = malloc(q->room)) ? MHD_YES : HTTP_NO_REPLY;
}

static bool keep_body(struct request *q, const char *data, size_t size)
{
    if (size > q->room - q->size) return false;
    if (q->body) memcpy(q->body + q->size, data, size);
    else if (!q->file || fwrite(data, 1, size, q->file) != size) return false;
    q->size += size;
    return true;
}

static void remove_file(struct request *q)
{
    if (q->file) fclose(q->file);
    if (q->file_path) unlink(q->file_path);
    free(q->file_path);
    q->file_path = NULL;
    q->file = NULL;
}

bool request_take_file(struct request *q)
{
    const bool whole = q->file && !fclose(q->file) && q->size == q->room;
    q->file = NULL;
    if (whole) free(q->file_path), q->file_path = NULL;
    remove_file(q);
    return whole;
}

/* Whether a text has a NUL, as a byte or escaped. A C string would end there. */
static bool has_nul(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!text[i] || (i + 6 <= size && !memcmp(text + i, "\\u0000", 6))) return true;
        i += text[i] == '\\'; /* skips the escaped character */
    }
    return false;
}

static int answer_whole(struct request *q)
{
    if (!q->route->post || q->route->begin) return q->route->answer(q);
    if (q->body && has_nul(q->body, q->size))
        return reply_refusal(q, HTTP_BAD_REQUEST, "the request has a NUL in it");
    q->json = q->body ? cJSON_ParseWithLength(q->body, q->size) : NULL;
    const int result =
        cJSON_IsObject(q->json)
            ? q->route->answer(q)
            : reply_refusal(q, HTTP_BAD_REQUEST,
                            q->json ? "the request is JSON, but not an object; send {...}"
                                    : "the request is not JSON");
    cJSON_Delete(q->json);
    q->json = NULL;
    return result;
}

/* Unescapes a text, unless it has an escaped NUL, where a C string would end. */
static size_t unescape_text(void *unused, struct MHD_Connection *c, char *text)
{
    return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

static enum MHD_Result answer_any(void *of, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state)
{
    struct request *q = *state;
    if (!q) {
        if (!(*state = q = calloc(1, sizeof *q))) return MHD_NO;
        *q = (struct request){.http = of, .connection = c};
        return check_request(q, url, method) ? MHD_YES : MHD_NO;
    }
    if (*size) {
        const bool kept = keep_body(q, data, *size);
        *size = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    return answer_whole(q) ? MHD_YES : MHD_NO;
}

static void end_request(void *of, struct MHD_Connection *c, void **state,
                        enum MHD_RequestTerminationCode code)
{
    FREED struct request *q = *state;
    const struct http_service *service = &((struct http *)of)->service;
    if (!q) return;
    if (q->of) service->leave(service->of, q->of);
    free(q->body);
    remove_file(q);
    *state = NULL;
}

/* ---- the daemon ------------------------------------------------------------------------------ */

static int find_address(struct addrinfo **a, const char *address, int port, struct error *e)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    char number[16];
    snprintf(number, sizeof number, "%d", port);
    if (!getaddrinfo(address, number, &hints, a)) return 0;
    return error_input(e, "--listen %.100s: is not an address; give numbers, as 127.0.0.1 or ::1",
                       address);
}

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static int start_server(struct http *h, const struct addrinfo *a, const char *address, int port,
                        struct error *e)
{
    const unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                           MHD_USE_POLL | (a->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    sigset_t all, before;
    h->loopback = is_loopback(a->ai_addr);
    sigfillset(&all); /* signals are left to the program's own thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    h->daemon = MHD_start_daemon(
        flags, (uint16_t)port, NULL, NULL, answer_any, h, MHD_OPTION_SOCK_ADDR, a->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape_text, NULL, MHD_OPTION_THREAD_STACK_SIZE,
        (size_t)STACK, MHD_OPTION_NOTIFY_CONNECTION, notify_connection, h,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, h, MHD_OPTION_END);
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!h->daemon)
        return error_failed(e,
                            "%s: port %d cannot be used: %s; choose another --port, or omit --port "
                            "to get a free one",
                            address, port, strerror(why));
    const union MHD_DaemonInfo *found = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT);
    h->port = found ? found->port : port;
    return 0;
}

int http_open(struct http **out, const char *address, int port, const char *key,
              struct http_service service, struct error *e)
{
    struct addrinfo *a = NULL;
    struct http *h = *out = calloc(1, sizeof *h);
    if (!h) return error_memory(e);
    h->service = service;
    h->key = key;
    pthread_mutex_init(&h->lock, NULL);
    int status = find_address(&a, address, port, e);
    if (!status) status = start_server(h, a, address, port, e);
    if (a) freeaddrinfo(a);
    if (!status) return 0;
    http_close(h);
    *out = NULL;
    return status;
}

int http_port(const struct http *h)
{
    return h->port;
}

void http_close(struct http *h)
{
    if (!h) return;
    if (h->daemon) MHD_stop_daemon(h->daemon);
    pthread_mutex_destroy(&h->lock);
    free(h);
}
