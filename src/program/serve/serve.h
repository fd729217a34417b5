/* serve.h — a page for the browser on this machine: one draws an eruption and sees it. What a session
 * is, and the parts of the program that serves it.
 *
 * Each connection has a thread, which computes what it sends: a run or an ensemble is a stream, and ends
 * with its connection. docs/serve.md describes the requests.
 *
 * A file calls those before it alone: addresses, http, ground, frames, session, drawn, many, study_stream, ask, run_stream, save,
 * forecast, answers, received, prepare (terrains.h), offered, served, serving (tests/program/test_serve.sh). */
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
enum serve_kind serve_kind_of(const char *path); /* of a file; never SERVE_FRONT */

enum { RUNS_KEPT = 8 };

/* A drawing as the files of a case, in a folder of its own, and that case. */
struct drawn {
    char *folder;
    sciara_case *c;
};

/* A run at its end: its files need no more steps. */
struct ended {
    int64_t id; /* 0: none */
    struct drawn drawn;
    sciara_simulation *simulation;
};

/* A drawing that was run to its end, for export and saving. */
struct kept_run {
    int64_t id; /* 0: none */
    char *drawing;
    uint64_t digest;
};

/* What computes: at most one run and one ensemble at a time. */
struct slot {
    bool taken;
    atomic_llong latest; /* whoever has another number stops */
    int socket;          /* of its connection */
};

struct session {
    struct serve_options o;
    enum serve_kind kind;
    bool listed; /* one of the files of a folder */
    char *work;  /* a folder of its own, which ends with the session */
    char *base;  /* path of the case or plan that is drawn on */
    char *given; /* path of the library; else NULL */
    struct sim_case c;
    struct settings settings;
    struct case_files files;
    struct plan_keys keys;
    int64_t members;               /* of the plan that is served; 0: none is, or it is refused */
    struct drawing_ground on;      /* of these */
    char *assets, *rates, *folder; /* of `on` */
    struct ground ground;
    double began_s;
    atomic_llong drawings; /* number of the next folder of one */

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    char *drawing; /* the last that was sent; NULL: none */
    int64_t runs;
    struct kept_run kept[RUNS_KEPT];
    struct ended ended; /* the last one */
    struct slot run, study;
    struct {
        int64_t id; /* 0: none */
        char *folder;
    } forecast;          /* the last one, and the results that it has so far */
    struct many *paused; /* an ensemble that can continue; and who frees it */
    void (*paused_free)(struct many *m);
    pthread_mutex_t export_lock; /* of the files of a run in `work`, and of: */
    int64_t exported;            /* its number, 0: none */
    unsigned exported_formats;
    struct asked *
        asked; /* the last question to the library, for the next one; who frees it; and its lock: */
    void (*asked_free)(struct asked *a);
    pthread_mutex_t ask_lock;
};

/* Reads the input. On an error *s is closed. */
int session_open(struct session *s, const struct serve_options *o, const char *input,
                 struct error *e);
void session_end(struct session *s);   /* whatever computes stops soon */
void session_close(struct session *s); /* once no request is in it */

/* Takes the slot, after the one that has it has stopped; the number that it has until then. 0: it does not
 * stop. */
int64_t slot_take(struct session *s, struct slot *slot, int socket);
void slot_leave(struct session *s, struct slot *slot);
static inline bool slot_lost(const struct slot *slot, int64_t number)
{
    return atomic_load(&slot->latest) != number;
}

/* Keeps a text of the last drawing; and of a run that has ended, under a number of its own. */
void session_keep_drawing(struct session *s, const cJSON *drawing);
int64_t session_new_run(struct session *s);
void session_keep_run(struct session *s, int64_t id, const cJSON *drawing, uint64_t digest);
/* The drawing of that run, which the caller deletes, and its digest; NULL: it is not kept. */
cJSON *session_run(struct session *s, int64_t id, uint64_t *digest);

/* The run of that number, if it is the last that has ended; it is the caller's until it is kept again. */
struct ended session_take_ended(struct session *s, int64_t id);
void session_keep_ended(struct session *s, struct ended r);

/* An empty folder, in place of one that was there. */
int folder_anew(const char *path, struct error *e);

void drawing_unload(struct drawn *d); /* with its folder */

/* ---- frames.c: pieces of a stream ------------------------------------------------------------ */

/* An array of a frame: its name, the type "u16" or "u32", and what a u16 stands for. */
struct frame_array {
    const char *name;
    bool wide;         /* u32 */
    double base, unit; /* of a u16 */
    struct bytes data;
};
enum { FRAME_NONE = 65535 };

/* An element more: as it is, or the u16 that stands for a value. */
void frame_put(struct frame_array *a, uint32_t element);
void frame_put_value(struct frame_array *a, double value);

/* Adds {KIND: about, "count": ..., "arrays": [...]} and the arrays, the first of u32; deletes `about`, and frees
 * their data. One without a name is behind the last; NULL: none. */
void frame_add(struct bytes *out, const char *kind, cJSON *about, struct frame_array *arrays);
void frame_failed(struct stream *stream, const char *text); /* the last frame */

/* A value in a u16; above the most it is the most. */
uint16_t frame_quantum(double value, double base, double unit);

/* ---- drawn.c --------------------------------------------------------------------------------- */

/* A name alone, of a file or a folder: nothing leads out of where it is put, and none is hidden there. */
bool request_is_name(const char *name);

/* Replies with the kind of the error. */
int reply_error(struct request *q, const struct drawing_fault *fault, const struct error *e);

/* The drawing in the body as it was sent; and checked, NULL: it has been refused, with *result. */
const cJSON *request_sent(const struct request *q);
const cJSON *request_drawing(struct request *q, int *result);

/* Writes the drawing and loads it; an error names what it is about, and leaves nothing. */
int drawing_load(struct session *s, const cJSON *drawing, struct drawn *d,
                 struct drawing_fault *fault, struct error *e);

/* The simulation of a case that was drawn. */
int drawing_simulate(struct session *s, const struct drawn *d, sciara_simulation **simulation,
                     struct error *e);

/* What makes a plan of a case: lines with cautious widths, malloc'ed. */
int drawing_draft(char **text, const char *path, int64_t members, struct error *e);
/* Writes a case that was drawn as a plan: folder/NAME.cfg. */
int drawing_plan(struct session *s, const cJSON *drawing, const char *folder, const char *name,
                 int64_t members, struct error *e);

/* ---- study_stream.c, ask.c, run_stream.c, save.c, forecast.c ------------------------------------ */

http_answer answer_ensemble, answer_ask, answer_run, answer_save, answer_export;
http_answer answer_forecast, answer_forecast_file, begin_seen, answer_seen;

/* study_stream.c: what an ensemble has at each place of interest. */
void study_places(cJSON *o, const char *name, const struct ensemble *s);
/* ask.c: adds `library` to the facts. */
int ask_facts(cJSON *facts, struct session *s, struct error *e);

/* ---- offered.c --------------------------------------------------------------------------------- */

struct stat;
/* Whether a list of files shows this one, and as what. A front, an outline and other layers cannot be opened, but a case may
 * name them. */
bool file_is_offered(enum serve_kind *kind, const char *path, const struct stat *about);

/* ---- answers.c --------------------------------------------------------------------------------- */

http_answer answer_facts, answer_terrain, answer_drawing;

/* The page with these facts, or at another path than "/" the facts alone; deletes them. */
int reply_facts(struct request *q, cJSON *facts);

/* ---- served.c ----------------------------------------------------------------------------------- */

/* What the program serves: one file, or those of a folder, each opened when it is asked for. */
struct served;
int served_open(struct served **h, const struct serve_options *o, struct error *e);
void served_close(struct served *h); /* NULL is fine */
/* Addresses of the page, at most so many (>= 1); how many. The first is for this machine. */
int served_addresses(const struct served *h, char address[][HTTP_ADDRESS], int most);
void served_sweep(struct served *h); /* once a second */
