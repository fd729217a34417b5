/* watch.h — a folder to which observations come: what is in it, and whether to make a forecast of that.
 *
 * A file NAME.obs has lines as a plan has them (`observed_front front.geojson at 24h error_m 30`); the files that
 * they name lie next to it. Names that begin with '.' or end in '~', ".part" or ".tmp" are of files that are not whole
 * yet. A forecast begins if there is a NAME.obs and the folder has changed since the last forecast began. So if a forecast
 * fails because a file was half written, the next one begins when the file has changed, and the last forecast has the
 * final files. */
#pragma once

#include "plan/seen.h"

#include <stdint.h>

struct watch_file {
    char *name; /* malloc'ed */
    int64_t bytes, changed_ns;
    uint64_t inode;
};

/* The whole files of a folder, by name. */
struct watch_state {
    int count; /* -1: it was not looked at yet */
    struct watch_file *file;
};
#define WATCH_LINES ".obs"

/* Whether files of that name count. */
bool watch_counts(const char *name);

/* Looks at what a folder has. */
int watch_look(struct watch_state *s, const char *folder, struct error *e);
void watch_free(struct watch_state *s); /* all-zero is fine */

/* Whether a forecast of *now begins; then *now becomes *tried. *now is freed otherwise. `any`: there are observations
 * elsewhere, so that a forecast begins even if the folder is empty. */
bool watch_next(struct watch_state *tried, struct watch_state *now, bool any);

/* Adds the lines of all NAME.obs of a folder, which is a path from the root. */
int watch_lines(struct seen_lines *to, const struct watch_state *s, const char *folder,
                const char *start_time, struct error *e);
