/* shown.h — shown.json lists the files painted in a folder, with checksums, by which a painter knows whether somebody has
 * changed one since. Files that no list names are known by their marks (picture_mark.h). */
#pragma once

#include "base/error.h"

#include <stdbool.h>

#define SHOWN_FILE "shown.json"

struct cJSON;
struct filesum;

struct shown {
    char *path; /* path of shown.json */
    bool there; /* the file exists and was read */
    struct cJSON *root;
};

/* Reads the list of a folder; it is empty if there is no file. ERROR_INPUT: sciara did not write that file. */
int shown_read(struct shown *s, const char *folder, struct error *e);
void shown_free(struct shown *s); /* all-zero is fine */

/* Whether the list names a file of its folder that somebody has changed since. */
bool shown_is_changed(const struct shown *s, const char *path);
/* Checks that a file can be painted at that path. ERROR_INPUT: another file is there, or a painted one that somebody has changed
 * since; the list of the folder shows that or, if it does not name the file, its seal. begins: how painted files begin. */
int shown_spare(const char *path, const char *begins, struct error *e);

/* shown_add() names a file in the list; sum NULL: that of the file as it is. shown_forget() removes its name, if any. */
int shown_add(struct shown *s, const char *path, const struct filesum *sum, struct error *e);
bool shown_forget(struct shown *s, const char *path);

/* The digest of the results painted last; "": not known. */
const char *shown_digest(const struct shown *s);

/* Writes the list, whole or not at all; an empty one is not begun. digest: of the results, as text; "": unchanged. */
int shown_write(const struct shown *s, const char *digest, struct error *e);
/* Names a file in the list of its folder, if that has a list. */
int shown_note(const char *path, struct error *e);
