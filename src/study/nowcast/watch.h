/* watch.h — a folder in which observations arrive: its files, and when to make a forecast of them.
 *
 * A file NAME.obs has lines as in a plan (`observed_front front.geojson at 24h error_m 30`). Names of files in these
 * lines are relative to the folder. Files with names that begin with '.' or end in '~', ".part" or ".tmp" are
 * incomplete and do not count. A forecast begins if there is a NAME.obs and the folder has changed since the last
 * forecast began. If a forecast fails because a file was half written, the next forecast begins when the file has
 * changed. So the last forecast has the final files. */
#pragma once

#include "plan/seen.h"

#include <stdint.h>

struct watch_file {
    char *name; /* malloc'ed */
    int64_t bytes, changed_ns;
    uint64_t inode;
};

/* The complete files of a folder, by name. */
struct watch_state {
    int count; /* -1: the folder was not read yet */
    struct watch_file *file;
};
#define WATCH_LINES ".obs"

/* Whether a file with this name counts. */
bool watch_counts(const char *name);

int watch_look(struct watch_state *s, const char *folder, struct error *e);
void watch_free(struct watch_state *s); /* all-zero is fine */

/* Whether a forecast begins with the files *now. If so, *now is moved to *tried; otherwise *now is freed. `any`: there
 * are observations outside the folder, so that a forecast begins even if the folder has none. */
bool watch_next(struct watch_state *tried, struct watch_state *now, bool any);

/* Adds the lines of all NAME.obs in a folder. `folder` is an absolute path. */
int watch_lines(struct seen_lines *to, const struct watch_state *s, const char *folder,
                const char *start_time, struct error *e);
