/* shown.h — shown.json, the list of what was painted in a folder, with sums: whoever paints knows by it which of these files
 * somebody has changed since. Files that no list names are known by their marks (picture_mark.h). */
#pragma once

#include "base/error.h"

#include <stdbool.h>

#define SHOWN_FILE "shown.json"

struct cJSON;
struct filesum;

struct shown {
    char *path; /* of the file */
    bool there; /* it was read */
    struct cJSON *root;
};

/* The list of a folder, empty where there is none. ERROR_INPUT: a file of that name is not ours. */
int shown_read(struct shown *s, const char *folder, struct error *e);
void shown_free(struct shown *s); /* all-zero is fine */

/* Whether the list names the file at that path, in its folder, and somebody has changed it since. */
bool shown_is_changed(const struct shown *s, const char *path);
/* ERROR_INPUT, unless nothing is at that path or a file that was painted and that nobody has changed since, by the list of its
 * folder or, if it names no such file, by its seal. begins: what such a file begins with; "": anything. */
int shown_spare(const char *path, const char *begins, struct error *e);

/* Names it from now on; sum NULL: as it is. Removes its name; false: it had none. */
int shown_add(struct shown *s, const char *path, const struct filesum *sum, struct error *e);
bool shown_forget(struct shown *s, const char *path);

/* The digest of the results that were painted last; "": not known. */
const char *shown_digest(const struct shown *s);

/* Whole or not at all; an empty list is not begun. digest: of the results, as text; "": as it was. */
int shown_write(const struct shown *s, const char *digest, struct error *e);
/* Names it in the list of its folder, if there is one. */
int shown_note(const char *path, struct error *e);
