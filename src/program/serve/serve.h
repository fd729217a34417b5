/* serve.h — `sciara serve`: a page on which the user draws an eruption and sees the flow. Declares the session of
 * an input, and the functions of the server.
 *
 * Each connection has a thread, which computes what it sends: a run or an ensemble is a stream, and ends
 * with its connection. docs/serve.md describes the requests.
 *
 * A file calls only files before it in this list: addresses, http, ground, frames, session, drawn, many, study_stream,
 * ask, run_stream, save, forecast, answers, received, prepare (terrains.h), offered, served, serving
 * (tests/program/test_serve.sh). */
#pragma once

#include "base/error.h"
#include "base/lock.h"
#include "drawing/drawing.h"
#include "members/ensemble.h"
#include "plan/plan.h"
#include "ground.h"
#include "http.h"
#include "serve_options.h"

#include "sciara.h"

#include <cJSON.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- session.c ------------------------------------------------------------------------------- */

enum serve_kind { SERVE_CASE, SERVE_PLAN, SERVE_LIBRARY, SERVE_DEM, SERVE_FRONT };
extern const char *const serve_kinds[];
enum serve_kind serve_kind_of(const char *path); /* never SERVE_FRONT */

enum { RUNS_KEPT = 8 };

/* A drawing, written as the files of a case in a folder of its own, and the case loaded from them. */
struct drawn {
    char *folder;
    sciara_case *c;
};

/* A run that has ended. It keeps its last state, so that files can be written without computing steps again. */
struct ended {
    int64_t id; /* 0: none */
    struct drawn drawn;
    sciara_simulation *simulation;
};

/* The drawing of a run that has ended, for files and for saving. */
struct kept_run {
    int64_t id; /* 0: none */
    char *drawing;
    uint64_t digest;
};

/* The right to compute. A session has one slot for runs and one for ensembles, each with one holder at a time. */
struct slot {
    bool taken;
    atomic_llong latest; /* number of the only request that may compute */
    int socket;          /* socket of the holder's connection */
};

struct session {
    struct serve_options o;
    enum serve_kind kind;
    bool listed; /* the input is a file of a folder that is served */
    char *work;  /* a temporary folder, removed with the session */
    char *base;  /* path of the case or plan that is drawn on */
    char *given; /* path of the input, if that is a library; else NULL */
    struct sim_case c;
    struct settings settings;
    struct case_files files;
    struct plan_keys keys;
    int64_t members;          /* number of members of the plan; 0: no plan, or an invalid plan */
    struct drawing_ground on; /* what a drawing refers to; taken from other fields */
    char *assets, *rates, *folder; /* texts that `on` borrows */
    struct ground ground;
    double began_s;
    atomic_llong drawings; /* number of the next drawing's folder */

    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t changed;
    char *drawing; /* last drawing that was sent; NULL: none */
    int64_t runs;
    struct kept_run kept[RUNS_KEPT];
    struct ended ended; /* the last run that has ended */
    struct slot run, study;
    struct {
        int64_t id; /* 0: none */
        char *folder;
    } forecast;          /* the last forecast, and the folder of its results so far */
    struct many *paused; /* an ensemble that can continue; paused_free() frees it */
    void (*paused_free)(struct many *m);
    pthread_mutex_t export_lock; /* guards exported files in `work` and the next two members */
    int64_t exported;            /* number of the run with exported files; 0: none */
    unsigned exported_formats;
    /* The last question to the library, which the next question may reuse. asked_free() frees it, ask_lock guards it. */
    struct asked *asked;
    void (*asked_free)(struct asked *a);
    pthread_mutex_t ask_lock;
};

/* Reads the input. On an error *s is closed. */
int session_open(struct session *s, const struct serve_options *o, const char *input,
                 struct error *e);
void session_end(struct session *s);   /* lets runs and ensembles end soon */
void session_close(struct session *s); /* call it only when no request uses *s */

/* Waits until the holder has stopped, and takes the slot. Returns the number of the new holder. 0: the old holder does not
 * stop, or a later request has asked for the slot. */
int64_t slot_take(struct session *s, struct slot *slot, int socket);
void slot_leave(struct session *s, struct slot *slot);
static inline bool slot_lost(const struct slot *slot, int64_t number)
{
    return atomic_load(&slot->latest) != number;
}

/* session_keep_drawing() keeps the last drawing that was sent. session_new_run() returns the number of a new run;
 * session_keep_run() keeps the drawing of an ended run, which has the number `id`. */
void session_keep_drawing(struct session *s, const cJSON *drawing);
int64_t session_new_run(struct session *s);
void session_keep_run(struct session *s, int64_t id, const cJSON *drawing, uint64_t digest);
/* A copy of the drawing of a run, which the caller deletes; NULL: the drawing is no longer kept. *digest: of the run. */
cJSON *session_run(struct session *s, int64_t id, uint64_t *digest);

/* Moves the last ended run to the caller if it has the number `id`; else the result is empty. The caller returns the run by
 * session_keep_ended(). */
struct ended session_take_ended(struct session *s, int64_t id);
void session_keep_ended(struct session *s, struct ended r);

/* Removes the folder `path`, if there is one, and makes an empty one. */
int folder_anew(const char *path, struct error *e);

void drawing_unload(struct drawn *d); /* also removes its folder */

/* ---- frames.c: pieces of a stream ------------------------------------------------------------ */

/* An array of a frame. */
struct frame_array {
    const char *name;
    bool wide;         /* its elements are "u32", else "u16" */
    double base, unit; /* scale of a u16 */
    struct bytes data;
};

/* frame_put() adds an element; frame_put_value() adds the u16 of a value (pack_quantum()). */
void frame_put(struct frame_array *a, uint32_t element);
void frame_put_value(struct frame_array *a, double value);

/* Adds {KIND: about, "count": ..., "arrays": [...]} and the arrays (NULL: none). Arrays of u32 come first; an array without a
 * name ends the list. Deletes `about` and frees the data of the arrays. */
void frame_add(struct bytes *out, const char *kind, cJSON *about, struct frame_array *arrays);
void frame_failed(struct stream *stream, const char *text); /* ends the stream with an error */

/* ---- drawn.c --------------------------------------------------------------------------------- */

/* Whether a text is a plain name of a file or folder: without a path, and not hidden. */
bool request_is_name(const char *name);

/* Replies with an error and the part of the drawing that it is about (NULL: none). The error's code decides the HTTP status. */
int reply_error(struct request *q, const struct drawing_fault *fault, const struct error *e);

/* request_sent() returns the unchecked drawing in the body. request_drawing() also checks the
 * drawing. NULL: request_drawing() has sent a refusal, and the caller returns *result. */
const cJSON *request_sent(const struct request *q);
const cJSON *request_drawing(struct request *q, int *result);

/* Writes the drawing as files and loads these. On an error *fault names the part of the drawing, and no files remain. */
int drawing_load(struct session *s, const cJSON *drawing, struct drawn *d,
                 struct drawing_fault *fault, struct error *e);

/* Creates the simulation of a case that was drawn. */
int drawing_simulate(struct session *s, const struct drawn *d, sciara_simulation **simulation,
                     struct error *e);

/* Makes the lines that turn the case `path` into a plan (draft_plan()); *text is malloc'ed. */
int drawing_draft(char **text, const char *path, int64_t members, struct error *e);
/* Writes a drawing as the plan folder/NAME.cfg. */
int drawing_plan(struct session *s, const cJSON *drawing, const char *folder, const char *name,
                 int64_t members, struct error *e);

/* ---- study_stream.c, ask.c, run_stream.c, save.c, forecast.c ------------------------------------ */

http_answer answer_ensemble, answer_ask, answer_run, answer_save, answer_export;
http_answer answer_forecast, answer_forecast_file, begin_seen, answer_seen;

/* study_stream.c: adds `places`, the results of an ensemble at each place of interest. */
void study_places(cJSON *o, const struct ensemble *s);
/* ask.c: adds `library` to the facts. */
int ask_facts(cJSON *facts, struct session *s, struct error *e);

/* ---- offered.c --------------------------------------------------------------------------------- */

struct stat;
/* Whether a list of files shows a file; *kind: its kind. Fronts, outlines and other layers (SERVE_FRONT) cannot be opened, but
 * a case may name them. */
bool file_is_offered(enum serve_kind *kind, const char *path, const struct stat *about);

/* ---- answers.c --------------------------------------------------------------------------------- */

http_answer answer_facts, answer_terrain, answer_drawing;

/* Replies with the page and the facts at the path "/", at other paths with the facts alone. Deletes the facts. */
int reply_facts(struct request *q, cJSON *facts);

/* ---- served.c ----------------------------------------------------------------------------------- */

/* What the program serves: one file, or all files of a folder. A file of a folder is opened when the page asks for it. */
struct served;
int served_open(struct served **h, const struct serve_options *o, struct error *e);
void served_close(struct served *h); /* NULL is fine */
/* Writes at most `most` (>= 1) addresses of the page, the first for this machine; returns how many. */
int served_addresses(const struct served *h, char address[][HTTP_ADDRESS], int most);
void served_sweep(struct served *h); /* to be called once a second */
