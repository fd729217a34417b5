/* shown.h — shown.json lists the painted files of a folder with their checksums, so a painter notices whether a file
 * has been changed later. A file that no list names is recognised by its mark or seal (picture_mark.h). */
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

/* Reads the list of a folder. If the file is missing, the list is empty. ERROR_INPUT: sciara did not write the file. */
int shown_read(struct shown *s, const char *folder, struct error *e);
void shown_free(struct shown *s); /* all-zero is fine */

/* Whether the list names this file, and the file has been changed since it was painted. */
bool shown_is_changed(const struct shown *s, const char *path);
/* Checks that a file can be painted at this path. ERROR_INPUT: sciara did not paint the file at the path, or the file
 * was changed after it was painted. If the list of the folder names the file, the list shows a change; otherwise the
 * seal in the file shows it. begins: the first bytes of files of this format. */
int shown_spare(const char *path, const char *begins, struct error *e);

/* shown_add() adds a file to the list; sum NULL: its checksum is computed. shown_forget() removes a file; false: the list
 * did not have it. */
int shown_add(struct shown *s, const char *path, const struct filesum *sum, struct error *e);
bool shown_forget(struct shown *s, const char *path);

/* The digest of the results painted last; "": not known. */
const char *shown_digest(const struct shown *s);

/* Writes the list, whole or not at all. An empty list makes no new file. digest: the digest of the results; "": the
 * digest in the list stays. */
int shown_write(const struct shown *s, const char *digest, struct error *e);
/* Adds a file to the list of its folder, if the folder has a list. */
int shown_note(const char *path, struct error *e);
