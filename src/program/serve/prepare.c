/* prepare.c — makes a terrain of rasters with the command `sciara dem`, if they were refused for a reason that this
 * command can mend. The page proposes the command and may change its options. Then this file runs the command and opens
 * the result. */
#include "serve.h"
#include "terrains.h"

#include "base/file_progress.h"
#include "base/loops.h"
#include "record/json_number.h"
#include "run/output.h"
#include "text/archive.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double TELL_S = 0.3;

/* The rasters of a terrain: files that were sent together, or one listed file. */
struct rasters {
    int64_t id; /* number of the files that were sent; 0: a listed file */
    char **path;
    int count;
};

static void rasters_free(struct rasters *s)
{
    for (int i = 0; i < s->count; i++) free(s->path[i]);
    RELEASE(s, s->path);
}

static bool number_of(const struct request *q, const char *name, int64_t *n)
{
    const cJSON *member = request_member(q, name);
    const bool is = cJSON_IsNumber(member) && fabs(member->valuedouble) < 1e15;
    if (is) *n = (int64_t)member->valuedouble;
    return is;
}

static int find_sources(struct rasters *s, const struct request *q, struct error *e)
{
    struct terrains *t = q->of;
    int64_t n;
    if (number_of(q, "id", &n)) {
        s->id = n;
        return received_sources(t, n, &s->path, &s->count, e);
    }
    char *path = number_of(q, "number", &n) ? t->opener.path(t->opener.of, n) : NULL;
    if (!path) return error_input(e, "that terrain is no longer listed; load the list again");
    return APPEND(s->path, s->count, path) ? 0 : (free(path), error_memory(e));
}

/* ---- words of a command ---------------------------------------------------------------------- */

/* The next word of a shell command, malloc'ed; NULL: no word is left. *begin: where the word begins. Only the quotes that
 * text_shell_word() writes are understood. */
static char *next_word(const char **at, const char **begin)
{
    *begin = *at += strspn(*at, " ");
    char *word = **at ? malloc(strlen(*at) + 1) : NULL, *end = word;
    for (bool quoted = false; word && **at && (quoted || **at != ' '); ++*at) {
        if (**at == '\'') quoted = !quoted;
        else if (!quoted && **at == '\\' && (*at)[1]) *end++ = *++*at;
        else *end++ = **at;
    }
    if (word) *end = '\0';
    return word;
}

static bool is_source(const struct rasters *s, const char *word)
{
    for (int i = 0; i < s->count; i++)
        if (!strcmp(word, s->path[i])) return true;
    return false;
}

/* The options of the command that a refusal proposes, as the refusal writes them, but without --output; NULL: it proposes
 * no command. */
static char *proposed_options(const struct rasters *s, const char *text)
{
    static const char program[] = "sciara dem ";
    const char *at = strstr(text, program), *begin;
    char *options = NULL, *word;
    size_t size;
    FILE *f = at ? open_memstream(&options, &size) : NULL;
    if (!f) return NULL;
    at += strlen(program);
    while ((word = next_word(&at, &begin))) {
        const bool option = !strncmp(word, "--", 2), output = !strcmp(word, "--output"),
                   more = option || is_source(s, word), apart = option && !strchr(word, '=');
        free(word);
        if (!more) break;
        if (apart) free(next_word(&at, &(const char *){NULL}));
        if (option && !output) fprintf(f, "%s%.*s", ftell(f) ? " " : "", (int)(at - begin), begin);
    }
    return text_of_stream(f, &options);
}

/* Refuses an option without a value, and an option that could open the network or a file other than the sources. */
static int check_option(const struct rasters *s, const char *name, size_t length, const char *value,
                        struct error *e)
{
    static const char *const known[] = {"--around",        "--km",
                                        "--extent",        "--cell",
                                        "--crs",           "--vertical",
                                        "--resample",      "--fill",
                                        "--heights",       "--source-crs",
                                        "--scale",         "--nodata",
                                        "--like",          "--source-vertical",
                                        "--source-extent", NULL};
    const char *const *at = known;
    while (*at && (strlen(*at) != length || strncmp(*at, name, length))) at++;
    if (!*at)
        return error_input(e, "%.*s: the page does not take this option; use `sciara dem`",
                           (int)(length < 40 ? length : 40), name);
    if (!value) return error_input(e, "%s: needs a value", *at);
    if (!strcmp(*at, "--like") && !is_source(s, value))
        return error_input(e,
                           "--like %.200s: is not the opened terrain; name the opened terrain, or "
                           "use `sciara dem`",
                           value);
    return 0;
}

/* ---- what is proposed ------------------------------------------------------------------------ */

/* An unused path for the result in t->folder, malloc'ed; NULL: there is none, or out of memory. */
static char *free_output(const struct terrains *t, const struct rasters *s)
{
    const char *name = path_name(s->path[0]);
    for (int k = 1; k < 1000; k++) {
        char number[16] = "";
        if (k > 1) snprintf(number, sizeof number, "-%d", k);
        char *path = text_format("%s/%.*s%s.tif", t->folder, path_stem(name), name, number);
        if (!path || access(path, F_OK)) return path;
        free(path);
    }
    return NULL;
}

static void add_words(cJSON *o, const char *name, char *const *path, int count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; f && i < count; i++) {
        FREED char *word = text_shell_word(path[i]);
        fprintf(f, "%s%s", i ? " " : "", word ? word : "");
    }
    FREED char *whole = text_of_stream(f, &text);
    json_add_texts(o, {name, whole ? whole : ""});
}

/* Copies a text, but replaces each value of --output by `output`. So the error message names the same file as the
 * proposal. The copy is malloc'ed. */
static char *with_output(const char *text, const char *output)
{
    static const char option[] = " --output ";
    char *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    if (!f) return NULL;
    for (const char *at; (at = strstr(text, option));) {
        fprintf(f, "%.*s%s%s", (int)(at - text), text, option, output);
        text = at + strlen(option);
        for (bool quoted = false; *text && (quoted || !strchr(" ),;", *text)); text++)
            if (*text == '\'') quoted = !quoted;
            else if (!quoted && *text == '\\' && text[1]) text++;
    }
    fputs(text, f);
    return text_of_stream(f, &whole);
}

/* Makes the reply to a refusal: the error and, unless `options` is NULL, the parts of a command that mends the terrain. */
static cJSON *make_proposal(const struct terrains *t, const struct rasters *s, const char *options,
                            const struct error *e)
{
    cJSON *o = cJSON_CreateObject();
    FREED char *output = options ? free_output(t, s) : NULL;
    cJSON *p = output ? cJSON_AddObjectToObject(o, "prepare") : NULL;
    if (p) add_words(p, "sources", s->path, s->count);
    if (p) add_words(p, "output", &output, 1);
    if (p) json_add_texts(p, {"options", options});
    FREED char *text =
        p ? with_output(e->text, cJSON_GetObjectItemCaseSensitive(p, "output")->valuestring)
          : text_format("%s", e->text);
    if (text) scan_make_printable(text);
    json_add_texts(o, {"error", text ? text : ""});
    return o;
}

/* Opens a single raster. Refuses several rasters, and an archive: their rasters have to become one terrain first.
 * *options: options to propose, malloc'ed; NULL: none. */
static int open_sources(struct terrains *t, const struct rasters *s, int64_t *number,
                        char **options, struct error *e)
{
    int status;
    if (s->count == 1 && !archive_is(s->path[0])) {
        status = t->opener.open(t->opener.of, s->path[0], number, e);
        if (!status) received_keep(t, s->id);
        else *options = proposed_options(s, e->text);
        return status;
    }
    *options = text_format("%s", "");
    if (s->count == 1)
        return error_input(e, "%s: is an archive; first make one terrain of its rasters",
                           path_name(s->path[0]));
    return error_input(
        e, "%d rasters: first make one terrain of them; where they overlap, the last one counts",
        s->count);
}

int answer_open(struct request *q)
{
    FREED_BY(rasters_free) struct rasters s = {0};
    FREED char *options = NULL;
    struct error e = {0};
    int64_t number = 0;
    int status = find_sources(&s, q, &e);
    if (status) return reply_error(q, NULL, &e);
    status = open_sources(q->of, &s, &number, &options, &e);
    if (status == ERROR_CANCELLED) return reply_error(q, NULL, &e);
    if (status) return reply_json(q, HTTP_REFUSED, make_proposal(q->of, &s, options, &e));
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"number", (double)number});
    return reply_json(q, HTTP_OK, o);
}

/* ---- preparing, on a thread of its own ------------------------------------------------------- */

struct preparing {
    struct stream of;
    struct terrains *t;
    struct rasters sources;
    char *options, *output;
    char **word; /* words of the command */
    int words;
    struct file_progress progress;
    pthread_t thread;
    bool started, begun;
    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t changed;
    bool ended;
    struct error error;
};

static bool take_turn(struct terrains *t)
{
    LOCKED(&t->lock);
    return t->busy ? false : (t->busy = true);
}

static void leave_turn(struct terrains *t)
{
    LOCKED(&t->lock);
    t->busy = false;
}

static void *make_terrain(void *of)
{
    struct preparing *p = of;
    struct error e = {0};
    FREED char **word =
        malloc(sizeof *word * ((size_t)p->words + 1)); /* parsing changes the array */
    if (word) {
        memcpy(word, p->word, sizeof *word * (size_t)p->words);
        word[p->words] = NULL;
        p->t->dem(p->words, word, &p->progress, &e);
    } else error_memory(&e);
    leave_turn(p->t);
    LOCKED(&p->lock);
    p->error = e;
    p->ended = true;
    pthread_cond_broadcast(&p->changed);
    return NULL;
}

static void add_begin(struct preparing *p)
{
    cJSON *o = cJSON_CreateObject();
    add_words(o, "output", &p->output, 1);
    frame_add(&p->of.out, "begin", o, NULL);
    p->begun = true;
}

/* Opens the prepared terrain. If this fails, proposes a command again. */
static void add_result(struct preparing *p)
{
    cJSON *o = cJSON_CreateObject();
    int64_t number = 0;
    int status = (int)p->error.code;
    if (!status) {
        received_keep(p->t, p->sources.id);
        status = p->t->opener.open(p->t->opener.of, p->output, &number, &p->error);
    }
    if (status) {
        cJSON_Delete(o);
        FREED char *options = proposed_options(&p->sources, p->error.text);
        o = make_proposal(p->t, &p->sources, options ? options : p->options, &p->error);
    } else {
        json_add_numbers(o, {"number", (double)number});
    }
    frame_add(&p->of.out, status ? "failed" : "end", o, NULL);
    p->of.ended = true;
}

static void preparing_next(struct stream *of)
{
    struct preparing *p = (struct preparing *)of;
    if (!p->begun) {
        add_begin(p);
        return;
    }
    pthread_mutex_lock(&p->lock);
    if (!p->ended) condition_wait(&p->changed, &p->lock, TELL_S);
    const bool ended = p->ended;
    pthread_mutex_unlock(&p->lock);
    if (ended) {
        add_result(p);
        return;
    }
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"done", (double)atomic_load(&p->progress.done)},
                     {"all", (double)atomic_load(&p->progress.all)});
    frame_add(&of->out, "frame", o, NULL);
}

/* Cancels the command if it is still running, since the browser has closed the stream. */
static void preparing_close(struct stream *of)
{
    FREED struct preparing *p = (struct preparing *)of;
    file_progress_cancel(&p->progress);
    if (p->started) pthread_join(p->thread, NULL);
    for (int i = 0; i < p->words; i++) free(p->word[i]);
    rasters_free(&p->sources);
    FREE_ALL(p->word, p->options, p->output);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    if (!p->started) leave_turn(p->t);
}

/* ---- its command ----------------------------------------------------------------------------- */

static int add_word(struct preparing *p, const char *word, struct error *e)
{
    char *copy = text_format("%s", word);
    if (copy && APPEND(p->word, p->words, copy)) return 0;
    free(copy);
    return error_memory(e);
}

static int add_options(struct preparing *p, struct error *e)
{
    const char *at = p->options, *begin;
    int status = 0;
    while (!status) {
        FREED char *word = next_word(&at, &begin);
        if (!word) break;
        const char *equals = strchr(word, '=');
        FREED char *value = equals ? text_format("%s", equals + 1) : next_word(&at, &begin);
        status = check_option(&p->sources, word, equals ? (size_t)(equals - word) : strlen(word),
                              value, e);
        if (!status) status = add_word(p, word, e);
        if (!status && !equals) status = add_word(p, value, e);
    }
    return status;
}

static int make_command(struct preparing *p, struct error *e)
{
    int status = add_word(p, "dem", e);
    for (int i = 0; i < p->sources.count && !status; i++)
        status = add_word(p, p->sources.path[i], e);
    if (!status) status = add_options(p, e);
    if (!status) status = add_word(p, "--output", e);
    if (!status) status = output_prepare(p->t->folder, e);
    if (!status && !(p->output = free_output(p->t, &p->sources))) status = error_memory(e);
    return status ? status : add_word(p, p->output, e);
}

int answer_prepare(struct request *q)
{
    struct terrains *t = q->of;
    const cJSON *options = request_member(q, "options");
    struct error e = {0};
    if (!take_turn(t)) return reply_refusal(q, HTTP_BUSY, "another terrain is being prepared");
    struct preparing *p = calloc(1, sizeof *p);
    if (!p) return leave_turn(t), HTTP_NO_REPLY;
    *p = (struct preparing){.of = {.next = preparing_next, .close = preparing_close}, .t = t};
    pthread_mutex_init(&p->lock, NULL);
    condition_init(&p->changed);
    p->options = text_format("%.1000s", cJSON_IsString(options) ? options->valuestring : "");
    int status = p->options ? find_sources(&p->sources, q, &e) : error_memory(&e);
    if (!status) status = make_command(p, &e);
    if (!status && !(p->started = loops_start_thread(&p->thread, NULL, make_terrain, p)))
        status = error_failed(&e, "no thread can be started");
    if (!status) return reply_stream(q, &p->of);
    const int result = p->sources.count ? reply_json(q, HTTP_REFUSED,
                                                     make_proposal(t, &p->sources, p->options, &e))
                                        : reply_error(q, NULL, &e);
    preparing_close(&p->of);
    return result;
}

const struct http_route terrain_routes[] = {
    {"/api/terrains", true, answer_announced, NULL},
    {"/api/terrains/file", true, answer_received, begin_received},
    {"/api/terrains/open", true, answer_open, NULL},
    {"/api/terrains/prepare", true, answer_prepare, NULL},
    {NULL, false, NULL, NULL},
};
