/* watch.h — a folder to which observations come: what is in it, and whether to make a forecast of that.
 *
 * A file NAME.obs has lines as a plan has them (`observed_front front.geojson at 24h error_m 30`); the files that
 * they name lie next to it. Names that begin with '.' or end in '~', ".part" or ".tmp" are of files that are not whole
 * yet. A forecast begins when the folder differs from what the last one began with, and any NAME.obs
 * is there. So a forecast that fails, as a file was half written, is made again when the rest is there, and not
 * before; and the last forecast is always of what the folder has at rest. */
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

/* Whether a forecast of *now begins: *now then becomes *tried, which else stays. Takes *now or frees it.
 * `any`: there are observations elsewhere, so that a forecast begins with an empty folder, too. */
bool watch_next(struct watch_state *tried, struct watch_state *now, bool any);

/* Adds the lines of all NAME.obs of a folder, which is a path from the root. */
int watch_lines(struct seen_lines *to, const struct watch_state *s, const char *folder,
                const char *start_time, struct error *e);
