/* terrains.h — terrains that are sent to the page, and those that `sciara dem` prepares for it. */
#pragma once

#include "base/error.h"
#include "http.h"
#include "serve_options.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Who opens a file; of `served`. */
struct terrain_opener {
    void *of;
    /* Lists it, and opens it: its number. */
    int (*open)(void *of, const char *path, int64_t *number, struct error *e);
    char *(*path)(void *of,
                  int64_t number); /* of a file that is listed, malloc'ed; NULL: no such */
};

struct received;
struct terrains {
    char *folder; /* for what is sent and prepared: below that of --output */
    serve_dem *dem;
    struct terrain_opener opener;
    pthread_mutex_t lock; /* of all below */
    int64_t ids;
    struct received *received;
    bool busy; /* one is being prepared */
};

int terrains_open(struct terrains *t, const struct serve_options *o, struct terrain_opener opener,
                  struct error *e);
void terrains_close(struct terrains *t); /* all-zero is fine */

/* ---- received.c ------------------------------------------------------------------------------ */

http_answer answer_announced, begin_received, answer_received;

/* The rasters among the files that were sent together, without those beside them (.prj, .tfw); in the order of their names.
 * Each is malloc'ed, as the list is. */
int received_sources(struct terrains *t, int64_t id, char ***source, int *count, struct error *e);
/* They stay behind the end of the program. */
void received_keep(struct terrains *t, int64_t id);

/* ---- prepare.c ------------------------------------------------------------------------------- */

http_answer answer_open, answer_prepare;

extern const struct http_route terrain_routes[]; /* all of "/api/terrains" */
