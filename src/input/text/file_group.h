/* file_group.h — files that belong together: a head, such as a case, names the others. At every moment, even if the
 * writer is killed, the folder has either the old group or the new one.
 *
 * Two files cannot be renamed at once. So new files first get names with their checksum (vents-1f6a0c3e.csv), next
 * to the old ones, and a head with these names replaces the old head in one step. Then they get their plain names,
 * and another head names these; on a file system without links they keep the names with checksums. A reader that
 * finds another head at its end than at its beginning has to begin again (file_stamp_check_head, textfile.h). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { FILE_GROUP_MOST = 32 };
struct file_group {
    char *head; /* path */
    int count;
    struct grouped {
        char *path; /* plain */
        char *temp; /* where it is written until the group is complete */
        char *name; /* its name in the head, without a folder */
    } file[FILE_GROUP_MOST];
};

/* Begins a group, which has to be all zero. The caller frees it, also after an error; temporary files are then removed. */
int file_group_open(struct file_group *g, const char *head, struct error *e);
/* Adds a file called `name` next to the head; the caller writes it to *at. */
int file_group_add(struct file_group *g, const char *name, const char **at, struct error *e);
/* If there is no head, but a file of the group with another content, returns the path of that file; else NULL. */
const char *file_group_foreign(const struct file_group *g);

/* Writes a head, in which files are called file[i].name. The stream keeps its own errors; after any other, which is
 * returned, the old head stays. */
typedef int file_group_put(FILE *out, const struct file_group *g, void *of, struct error *e);
int file_group_write(struct file_group *g, file_group_put *put, void *of, struct error *e);

/* Removes files that a killed writer left next to the head: those with the name `plain` and their checksum, except
 * `but` (or NULL). file_group_write() calls it for the files of a group. */
void file_group_sweep(const char *head, const char *plain, const char *but);

/* Whether the file has this checksum, or the file next to it that has its name with this checksum. */
bool file_group_has(const char *path, unsigned crc32);

void file_group_free(struct file_group *g); /* all-zero is fine */
