/* terrains.h — terrains that a browser sends, and terrains that `sciara dem` prepares for the page. */
#pragma once

#include "base/error.h"
#include "http.h"
#include "serve_options.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Functions of served.c that open a file. */
struct terrain_opener {
    void *of;
    /* Opens a file and adds it to the list. *number: its number on the list. */
    int (*open)(void *of, const char *path, int64_t *number, struct error *e);
    char *(*path)(void *of,
                  int64_t number); /* path of a listed file, malloc'ed; NULL: no such file */
};

struct received;
struct terrains {
    char *folder; /* the folder inside --output for sent and prepared terrains */
    serve_dem *dem;
    struct terrain_opener opener;
    pthread_mutex_t lock; /* guards all members below */
    int64_t ids;
    struct received *received;
    bool busy; /* a terrain is being prepared */
};

int terrains_open(struct terrains *t, const struct serve_options *o, struct terrain_opener opener,
                  struct error *e);
void terrains_close(struct terrains *t); /* all-zero is fine */

/* ---- received.c ------------------------------------------------------------------------------ */

http_answer answer_announced, begin_received, answer_received;

/* The paths of the rasters among files that were sent together, sorted by name. Files that belong to a raster (.prj, .tfw) are
 * omitted. The paths and the array are malloc'ed. */
int received_sources(struct terrains *t, int64_t id, char ***source, int *count, struct error *e);
/* Keeps the files: the program would otherwise remove them when it ends. */
void received_keep(struct terrains *t, int64_t id);

/* ---- prepare.c ------------------------------------------------------------------------------- */

http_answer answer_open, answer_prepare;

extern const struct http_route terrain_routes[]; /* the routes below "/api/terrains" */
