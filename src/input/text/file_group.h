/* file_group.h — files that are one thing: a head, such as a case, which names the others. Whatever ends the writer, and
 * whoever reads meanwhile, the folder has the group that was there or the new one.
 *
 * No two files can be renamed at once, so the new ones first lie next to the old ones, under names that have their
 * checksum (vents-1f6a0c3e.csv); the head, which names them so, takes the place of the old one in one step. Then they
 * get their plain names in the same way. Where a file system has no links they keep the others. A reader that has
 * begun with another head than is there at its end has to begin again (file_stamp_check_head, textfile.h). */
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
        char *temp; /* where it is written before the group is whole */
        char *name; /* its name in the head, without a folder */
    } file[FILE_GROUP_MOST];
};

/* Begins a group, which is all-zero before. The caller frees it, also after an error: what was
 * written until then is removed. */
int file_group_open(struct file_group *g, const char *head, struct error *e);
/* Adds a file called `name` next to the head; it is to be written to *at. */
int file_group_add(struct file_group *g, const char *name, const char **at, struct error *e);
/* If there is no head, but a file of the group with another content, returns the path of that file; else NULL. */
const char *file_group_foreign(const struct file_group *g);

/* Writes a head, in which the files are called file[i].name. The stream keeps its errors; any other, such as too little
 * memory, is returned, and the head that was there stays. */
typedef int file_group_put(FILE *out, const struct file_group *g, void *of, struct error *e);
int file_group_write(struct file_group *g, file_group_put *put, void *of, struct error *e);

/* Removes what a writer that was killed has left next to the head: files called as `plain` with their checksum, except
 * `but` (or NULL). Of the files of a group file_group_write() does so. */
void file_group_sweep(const char *head, const char *plain, const char *but);

/* Whether a file has this checksum, or a file that stands for it under a name with its checksum. */
bool file_group_has(const char *path, unsigned crc32);

void file_group_free(struct file_group *g); /* all-zero is fine */
