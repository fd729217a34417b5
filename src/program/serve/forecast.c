/* forecast.c — runs `sciara forecast` on a saved case, in its folder. Streams the progress to the page, and sends
 * bulletin, report and maps. The command is another process: if the browser closes the stream, the process is
 * interrupted as by Ctrl-C, and the next request for the case continues the forecast. */
#include "serve.h"

#include "record/json_number.h"
#include "text/textfile.h"
#include "text/words.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* END_S: seconds that an interrupted forecast has to write its results. */
enum { LINES_MOST = 100, TELL_MS = 1000, SEEN_BYTES = 256 << 20, END_S = 20 };

struct forecasting {
    struct stream of;
    struct session *s;
    int64_t number;
    char *folder; /* folder of the case */
    int64_t id;   /* number of the forecast, for its files */
    pid_t child;  /* the process; 0: it has ended */
    int from;     /* a pipe with the output of the process */
    char line[1024];
    size_t length;
    char said[1024], result[512]; /* last message; path of the results below `folder` */
    int members, all;
    bool begun;
};

/* The folder of a saved case, malloc'ed; NULL: no case has that name. */
static char *find_folder(const struct session *s, const char *name)
{
    if (!name || !request_is_name(name)) return NULL;
    FREED char *file = text_format("%s/%s/%s.cfg", s->o.folder, name, name);
    return file && !access(file, F_OK) ? text_format("%s/%s", s->o.folder, name) : NULL;
}

/* ---- the process ------------------------------------------------------------------------------- */

/* Runs in the child between fork() and execv(). The program has threads, so the child must not call a function that takes a
 * lock. */
static void become(const char *folder, int to, char *const *words)
{
    const int from = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL); /* the server ignores SIGPIPE */
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!chdir(folder) && dup2(from, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0 &&
        dup2(to, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", words);
    _exit(1);
}

static int start_process(struct forecasting *f, char *const *words, struct error *e)
{
    int ends[2];
    if (pipe(ends)) return error_failed(e, "no process can be started");
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    f->from = ends[0];
    f->child = fork();
    if (!f->child) become(f->folder, ends[1], words);
    close(ends[1]);
    if (f->child > 0) return 0;
    f->child = 0;
    return error_failed(e, "no process can be started");
}

/* Starts the command with the case, the lines of observations and the options of a request. The words of the command point
 * into the request. */
static int start_forecast(struct forecasting *f, const struct request *q, const char *name,
                          struct error *e)
{
    const cJSON *seen = request_member(q, "seen"), *one, *members = request_member(q, "members"),
                *language = request_member(q, "language");
    char count[16], *words[LINES_MOST + 12] = {"sciara", "forecast"};
    int n = 2;
    FREED char *file = text_format("%s.cfg", name);
    if (!file) return error_memory(e);
    words[n++] = file;
    cJSON_ArrayForEach (one, seen) {
        if (!cJSON_IsString(one) || !*one->valuestring || *one->valuestring == '-' ||
            n > LINES_MOST)
            return error_input(e, "seen: give at most 100 lines of a plan");
        words[n++] = one->valuestring;
    }
    words[n++] = "--format";
    words[n++] = "html";
    if (cJSON_IsString(language) && words_is_language(language->valuestring)) {
        words[n++] = "--language";
        words[n++] = language->valuestring;
    }
    if (members) {
        if (!cJSON_IsNumber(members) || !(members->valuedouble >= 2 && members->valuedouble <= 1e5))
            return error_input(e, "members: give 2 to 100000");
        snprintf(count, sizeof count, "%d", (int)members->valuedouble);
        words[n++] = "--members";
        words[n++] = count;
    }
    return start_process(f, words, e);
}

/* Waits for the process and returns its exit status. interrupt: first interrupts the process, and kills it after END_S. */
static int finish_forecast(struct forecasting *f, bool interrupt)
{
    const struct timespec moment = {0, 50000000};
    int status = 0;
    if (!f->child) return 0;
    if (interrupt) kill(f->child, SIGINT);
    for (int k = 0; interrupt && k < END_S * 20; k++) {
        if (waitpid(f->child, &status, WNOHANG)) return f->child = 0, status;
        nanosleep(&moment, NULL);
    }
    if (interrupt) kill(f->child, SIGKILL);
    while (waitpid(f->child, &status, 0) < 0 && errno == EINTR) continue;
    f->child = 0;
    return status;
}

/* ---- what it says ------------------------------------------------------------------------------ */

/* Lets the page read files of the forecast from now on. */
static void show_forecast(struct forecasting *f)
{
    char *folder = text_format("%s/%s", f->folder, f->result);
    LOCKED(&f->s->lock);
    free(f->s->forecast.folder);
    f->s->forecast.folder = folder;
    f->s->forecast.id = f->id;
}

static void take_line(struct forecasting *f, const char *line)
{
    int members, all, end = 0;
    if (sscanf(line, "sciara: the first map has %*d of %d", &all) == 1) f->all = all;
    if (sscanf(line, "sciara: map of %d of %d members: %n", &members, &all, &end) == 2 && end) {
        f->members = members;
        f->all = all;
        snprintf(f->result, sizeof f->result, "%.*s", (int)(path_name(line) - line) - end,
                 line + end);
    }
    if (sscanf(line, "members %d of %d", &members, &all) == 2) f->members = members, f->all = all;
    if (!strncmp(line, "files ", 6))
        snprintf(f->result, sizeof f->result, "%s", line + 5 + strspn(line + 5, " "));
    if (!strncmp(line, "sciara: ", 8)) snprintf(f->said, sizeof f->said, "%s", line + 8);
}

/* Reads what the command has printed so far; false: it will print no more. */
static bool take_output(struct forecasting *f)
{
    struct pollfd ready = {f->from, POLLIN, 0};
    if (poll(&ready, 1, TELL_MS) < 1) return true;
    const ssize_t count = read(f->from, f->line + f->length, sizeof f->line - 1 - f->length);
    if (count <= 0) return count < 0 && errno == EINTR;
    f->length += (size_t)count;
    f->line[f->length] = '\0';
    char *at = f->line;
    for (char *end; (end = strchr(at, '\n')); at = end + 1) {
        *end = '\0';
        take_line(f, at);
    }
    if (*f->result) show_forecast(f);
    f->length = strlen(at);
    if (f->length == sizeof f->line - 1) f->length = 0; /* no line for take_line() is so long */
    memmove(f->line, at, f->length);
    return true;
}

static void add_frame(struct forecasting *f)
{
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", f->members}, {"all", f->all});
    frame_add(&f->of.out, "frame", o, NULL);
}

/* Adds the files that can be opened, those for decision makers first. */
static void add_end(struct forecasting *f)
{
    static const char *const names[] = {"bulletin.html", "report.html", "bulletin.png",
                                        "map_forecast.png", "map_probability.png"};
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", f->members}, {"all", f->all});
    json_add_texts(o, {"result", f->result});
    cJSON *list = cJSON_AddArrayToObject(o, "files");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FREED char *path = text_format("%s/%s/%s", f->folder, f->result, names[i]);
        if (path && !access(path, F_OK)) cJSON_AddItemToArray(list, cJSON_CreateString(names[i]));
    }
    frame_add(&f->of.out, "end", o, NULL);
    f->of.ended = true;
}

static void forecast_next(struct stream *of)
{
    struct forecasting *f = (struct forecasting *)of;
    if (!f->begun) {
        cJSON *o = cJSON_CreateObject();
        json_add_numbers(o, {"id", (double)f->id});
        json_add_texts(o, {"folder", f->folder});
        frame_add(&of->out, "begin", o, NULL);
        f->begun = true;
    } else if (slot_lost(&f->s->study, f->number)) {
        frame_add(&of->out, "stopped", cJSON_CreateObject(), NULL);
        of->ended = true;
    } else if (take_output(f)) {
        add_frame(f);
    } else if (finish_forecast(f, false)) {
        frame_failed(of, *f->said ? f->said : "the forecast has failed");
    } else {
        add_end(f);
    }
}

static void forecast_close(struct stream *of)
{
    FREED struct forecasting *f = (struct forecasting *)of;
    finish_forecast(f, true);
    if (f->from >= 0) close(f->from);
    slot_leave(f->s, &f->s->study);
    free(f->folder);
}

int answer_forecast(struct request *q)
{
    struct session *s = q->of;
    const cJSON *name = request_member(q, "name");
    struct error e = {0};
    char *folder = find_folder(s, cJSON_IsString(name) ? name->valuestring : NULL);
    if (!folder) return reply_refusal(q, HTTP_NOT_FOUND, "no case of that name is saved");
    const int64_t number = slot_take(s, &s->study, request_socket(q));
    struct forecasting *f = number ? calloc(1, sizeof *f) : NULL;
    if (number && !f) slot_leave(s, &s->study);
    if (!f) free(folder);
    if (!f)
        return number ? HTTP_NO_REPLY : reply_refusal(q, HTTP_BUSY, "another ensemble has begun");
    *f = (struct forecasting){.of = {.next = forecast_next, .close = forecast_close},
                              .s = s,
                              .number = number,
                              .folder = folder,
                              .id = session_new_run(s),
                              .from = -1};
    if (!start_forecast(f, q, name->valuestring, &e)) return reply_stream(q, &f->of);
    forecast_close(&f->of);
    return reply_error(q, NULL, &e);
}

/* ---- what was seen ----------------------------------------------------------------------------- */

int begin_seen(struct request *q)
{
    const char *word = request_word(q, "name");
    FREED char *folder = find_folder(q->of, word);
    const char *file = request_word(q, "file");
    if (!folder) return reply_refusal(q, HTTP_NOT_FOUND, "no case of that name is saved");
    if (!file || !request_is_name(file) || strlen(file) > 200)
        return reply_refusal(q, HTTP_REFUSED, "give the name of each file, without folders");
    if (q->room > SEEN_BYTES) return reply_refusal(q, HTTP_TOO_LARGE, "the request is too large");
    q->file_path = text_format("%s/%s", folder, file);
    const int to =
        q->file_path ? open(q->file_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (to >= 0 && (q->file = fdopen(to, "w"))) return 1;
    if (to >= 0) close(to);
    free(q->file_path);
    q->file_path = NULL;
    return errno == EEXIST ? reply_refusal(q, HTTP_CONFLICT,
                                           "a file of that name is there; choose another name")
                           : reply_refusal(q, HTTP_FAILED, "the file cannot be written");
}

int answer_seen(struct request *q)
{
    if (!request_take_file(q))
        return reply_refusal(q, HTTP_BAD_REQUEST, "the file has not arrived completely");
    return reply_json(q, HTTP_OK, cJSON_CreateObject());
}

/* ---- what it has written ----------------------------------------------------------------------- */

/* Writes a page. Makes the address of each picture a request with the key, because the server refuses requests without
 * the key. */
static void put_page(FILE *out, const char *page, int64_t id, const char *key)
{
    static const char picture[] = "<img src=\"";
    for (const char *at; (at = strstr(page, picture)); page = at) {
        at += strlen(picture);
        fwrite(page, 1, (size_t)(at - page), out);
        if (!memchr(at, ':', strcspn(at, "\"")))
            fprintf(out, "file?id=%lld&amp;key=%s&amp;file=", (long long)id, key);
    }
    fputs(page, out);
}

static int send_page(struct request *q, const char *path, int64_t id)
{
    FREED char *text = NULL;
    struct error none;
    size_t length, size;
    char *page = NULL;
    const char *key = request_word(q, "key");
    if (textfile_load(&text, &length, path, &none))
        return reply_refusal(q, HTTP_NOT_FOUND, "there is no such file of this forecast");
    FILE *f = open_memstream(&page, &size);
    if (!f) return HTTP_NO_REPLY;
    put_page(f, text, id, key ? key : "");
    if (fclose(f)) return free(page), HTTP_NO_REPLY;
    return reply_bytes(q, "text/html; charset=utf-8", page, size);
}

int answer_forecast_file(struct request *q)
{
    struct session *s = q->of;
    const int64_t id = request_number(q, "id", 0);
    FREED char *path = NULL;
    const char *file = request_word(q, "file");
    pthread_mutex_lock(&s->lock);
    if (s->forecast.id == id && s->forecast.folder && file && request_is_name(file))
        path = text_format("%s/%s", s->forecast.folder, file);
    pthread_mutex_unlock(&s->lock);
    if (!path) return reply_refusal(q, HTTP_NOT_FOUND, "there is no such file of this forecast");
    if (text_has_extension(file, ".html")) return send_page(q, path, id);
    return reply_file(
        q, path, text_has_extension(file, ".png") ? "image/png" : "application/octet-stream", NULL);
}
