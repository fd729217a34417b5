#define _XOPEN_SOURCE 700 /* for realpath() and mkdtemp() */
/* session.c — opens the input that the page draws on, and keeps drawings and runs while the page is open. */
#include "serve.h"

#include "base/clock.h"
#include "members/library.h"
#include "text/textfile.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders --------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at)
{
    remove(path);
    return 0;
}

/* Removes a folder with all its contents. */
static void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int folder_anew(const char *path, struct error *e)
{
    folder_remove(path);
    if (!mkdir(path, 0700)) return 0;
    return error_failed(e, "%s: the folder cannot be made: %s", path, strerror(errno));
}

static int make_work(struct session *s, struct error *e)
{
    const char *in = getenv("TMPDIR");
    if (!in || *in != '/') in = "/tmp";
    if (!(s->work = text_format("%s/sciara-serve-XXXXXX", in))) return error_memory(e);
    if (mkdtemp(s->work)) return 0;
    const int status = error_failed(e, "%s: no folder can be made there: %s", in, strerror(errno));
    free(s->work);
    s->work = NULL;
    return status;
}

/* ---- what is drawn on ------------------------------------------------------------------------ */

/* Makes a case from a terrain alone. The file of the case has neither vents nor rates. */
static int make_case(struct session *s, const char *dem, struct error *e)
{
    const char *name = path_name(dem);
    FREED char *path = realpath(dem, NULL);
    if (!path) return error_input(e, "%s: cannot be opened: %s", dem, strerror(errno));
    const int length = int_least(path_stem(name), 63);
    FILE *f = NULL;
    if ((s->base = text_format("%s/%.*s.cfg", s->work, length, name))) f = fopen(s->base, "w");
    if (f) {
        fprintf(f, "dem         \"%s\"\nparameters  etna-2006\nrun_h       72\nvent_radius_m 100\n",
                path);
        if (fclose(f)) f = NULL;
    }
    return f ? 0 : error_failed(e, "%s: cannot be written", s->work);
}

/* Finds the plan that a library names. */
static int find_plan(struct session *s, const char *library, struct error *e)
{
    FREED_BY(library_shut) struct sqlite3 *db = NULL;
    return library_open(&db, &s->base, library, e);
}

const char *const serve_kinds[] = {"case", "plan", "library", "dem", "front"};

enum serve_kind serve_kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (textfile_begins(path, LIBRARY_HEAD)) return SERVE_LIBRARY;
    if (!dot || strcmp(dot, ".cfg")) return SERVE_DEM;
    return plan_is(path) ? SERVE_PLAN : SERVE_CASE;
}

static int find_base(struct session *s, const char *input, struct error *e)
{
    if (access(input, F_OK))
        return error_input(e, "%s: cannot be opened: %s; check the name", input, strerror(errno));
    s->kind = serve_kind_of(input);
    if (s->kind == SERVE_DEM) return make_case(s, input, e);
    char **path = s->kind == SERVE_LIBRARY ? &s->given : &s->base;
    if (!(*path = text_format("%s", input))) return error_memory(e);
    return s->kind == SERVE_LIBRARY ? find_plan(s, input, e) : 0;
}

/* Counts the members of a plan. A plan that plan_read() refuses has 0 members; many_open() later reports the reason. */
static void count_members(struct session *s)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    struct error ignored = {0};
    if (s->kind == SERVE_PLAN && !plan_read(&p, s->base, NULL, NULL, &ignored))
        s->members = p->count;
}

static int find_folder(struct session *s, struct error *e)
{
    char *path = realpath(s->base, NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    int status = 0;
    if (!slash) return error_input(e, "%s: cannot be opened: %s", s->base, strerror(errno));
    *slash = '\0';
    s->folder = path;
    s->assets = s->keys.assets ? path_beside(s->base, s->keys.assets) : NULL;
    FREED char *rates =
        s->keys.observed_rates ? path_beside(s->base, s->keys.observed_rates) : NULL;
    if (rates && !(s->rates = realpath(rates, NULL)))
        status = error_input(e, "%s: cannot be opened: %s", rates, strerror(errno));
    s->on = (struct drawing_ground){.c = &s->c,
                                    .settings = &s->settings,
                                    .files = &s->files,
                                    .assets = s->assets,
                                    .rates = s->rates,
                                    .radiant_density_J_m3 = s->keys.history.radiant_density_J_m3,
                                    .folder = s->folder};
    return s->keys.assets && !s->assets ? error_memory(e) : status;
}

int session_open(struct session *s, const struct serve_options *o, const char *input,
                 struct error *e)
{
    *s = (struct session){.o = *o, .began_s = clock_now_s()};
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->export_lock, NULL);
    pthread_mutex_init(&s->ask_lock, NULL);
    condition_init(&s->changed);
    int status = make_work(s, e);
    if (!status) status = find_base(s, input, e);
    if (!status) {
        const struct schema_values more[] = {{&plan_schema, &s->keys}, {0}};
        s->keys = plan_keys_default();
        status = case_load_base(&s->c, &s->settings, &s->files, s->base, more, NULL, e);
        if (!s->settings.run_s)
            s->settings.run_s = s->keys.run_s; /* the plan's run_h, if the base case has none */
        if (!status) status = find_folder(s, e);
        if (!status) status = ground_open(&s->ground, s->files.dem, e);
        if (!status) status = drawing_of_case(&s->on, e);
        if (!status) count_members(s);
    }
    if (status) session_close(s);
    return status;
}

void session_end(struct session *s)
{
    atomic_fetch_add(&s->run.latest, 1);
    atomic_fetch_add(&s->study.latest, 1);
}

void session_close(struct session *s)
{
    if (s->paused) s->paused_free(s->paused);
    if (s->asked) s->asked_free(s->asked);
    session_keep_ended(s, (struct ended){0});
    ground_close(&s->ground);
    cJSON_Delete(s->on.drawing);
    case_free(&s->c);
    settings_free(&s->settings);
    case_files_free(&s->files);
    for (int i = 0; i < RUNS_KEPT; i++) free(s->kept[i].drawing);
    FREE_ALL(s->drawing, s->assets, s->rates, s->folder, s->base, s->given, s->forecast.folder);
    if (s->work) folder_remove(s->work);
    free(s->work);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->ask_lock);
    pthread_mutex_destroy(&s->export_lock);
    pthread_mutex_destroy(&s->lock);
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Waits until the slot is free. After each second http_cut() ends the connection of the request that has the slot,
 * because the browser of that request may have stopped reading. */
int64_t slot_take(struct session *s, struct slot *slot, int socket)
{
    const int64_t number = atomic_fetch_add(&slot->latest, 1) + 1;
    int seconds = 0;
    LOCKED(&s->lock);
    while (slot->taken && !slot_lost(slot, number) && seconds < 20) {
        if (!condition_wait(&s->changed, &s->lock, 1) && ++seconds) http_cut(slot->socket);
    }
    if (slot->taken || slot_lost(slot, number)) return 0;
    slot->taken = true;
    slot->socket = socket;
    return number;
}

void slot_leave(struct session *s, struct slot *slot)
{
    LOCKED(&s->lock);
    slot->taken = false;
    pthread_cond_broadcast(&s->changed);
}

/* ---- drawings -------------------------------------------------------------------------------- */

void session_keep_drawing(struct session *s, const cJSON *drawing)
{
    char *text = cJSON_PrintUnformatted(drawing);
    if (!text) return;
    LOCKED(&s->lock);
    free(s->drawing);
    s->drawing = text;
}

int64_t session_new_run(struct session *s)
{
    LOCKED(&s->lock);
    return ++s->runs;
}

void session_keep_run(struct session *s, int64_t id, const cJSON *drawing, uint64_t digest)
{
    char *text = cJSON_PrintUnformatted(drawing);
    if (!text) return;
    LOCKED(&s->lock);
    struct kept_run *k = &s->kept[0]; /* replaces the oldest */
    for (int i = 1; i < RUNS_KEPT; i++)
        if (s->kept[i].id < k->id) k = &s->kept[i];
    free(k->drawing);
    *k = (struct kept_run){id, text, digest};
}

cJSON *session_run(struct session *s, int64_t id, uint64_t *digest)
{
    LOCKED(&s->lock);
    for (int i = 0; i < RUNS_KEPT && id > 0; i++) {
        if (s->kept[i].id != id) continue;
        *digest = s->kept[i].digest;
        return cJSON_Parse(s->kept[i].drawing);
    }
    return NULL;
}

/* ---- runs that have ended -------------------------------------------------------------------- */

void drawing_unload(struct drawn *d)
{
    sciara_case_free(d->c);
    if (d->folder) folder_remove(d->folder);
    free(d->folder);
    *d = (struct drawn){0};
}

static void ended_free(struct ended *r)
{
    sciara_free(r->simulation);
    drawing_unload(&r->drawn);
    *r = (struct ended){0};
}

struct ended session_take_ended(struct session *s, int64_t id)
{
    struct ended r = {0};
    LOCKED(&s->lock);
    if (s->ended.id == id) r = s->ended, s->ended = (struct ended){0};
    return r;
}

void session_keep_ended(struct session *s, struct ended r)
{
    FREED_BY(ended_free) struct ended old = {0}; /* freed after the lock is released */
    LOCKED(&s->lock);
    old = s->ended;
    s->ended = r;
}
