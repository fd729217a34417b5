/* file_group.h — a group of files: a head, such as a case, names the other files. At every moment, even if the writer
 * is killed, the folder has either the old group or the new one.
 *
 * Two files cannot be renamed at once. So the writer first gives the new files names with their checksum
 * (vents-1f6a0c3e.csv), next to the old files. A head with these names replaces the old head in one step. Then links
 * give the new files their plain names, too, and a head with plain names replaces the head with checksums. On a file
 * system without links the names with checksums stay. A reader looks at the head before and after it reads the group.
 * If the head has changed, the reader has to begin again (file_stamp_check_head, textfile.h). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { FILE_GROUP_MOST = 32 };
struct file_group {
    char *head; /* path of the head */
    int count;
    struct grouped {
        char *path; /* plain path */
        char *temp; /* path of the temporary file */
        char *name; /* name by which the head calls the file, without a folder */
    } file[FILE_GROUP_MOST];
};

/* Begins a group; *g has to be all zero. Also after an error, the caller calls file_group_free(), which removes
 * temporary files. */
int file_group_open(struct file_group *g, const char *head, struct error *e);
/* Adds a file called `name` in the folder of the head. The caller writes the content to the path *at. */
int file_group_add(struct file_group *g, const char *name, const char **at, struct error *e);
/* If no old head exists, returns the path of an existing file that the group would replace by another content. Returns
 * NULL if there is no such file, or if a head exists. */
const char *file_group_foreign(const struct file_group *g);

/* Writes the head, in which file[i].name is the name of file i. The function need not check the stream. If it returns an
 * error, the old head stays. */
typedef int file_group_put(FILE *out, const struct file_group *g, void *of, struct error *e);
int file_group_write(struct file_group *g, file_group_put *put, void *of, struct error *e);

/* Removes files that a killed writer left next to the head. The name of such a file is `plain` with the checksum of the
 * file in it. The file called `but` is kept; NULL: no file is kept. file_group_write() calls this function for each
 * file of a group. */
void file_group_sweep(const char *head, const char *plain, const char *but);

/* Whether a file with this checksum is at `path`, or next to it with the checksum in its name. */
bool file_group_has(const char *path, unsigned crc32);

void file_group_free(struct file_group *g); /* all-zero is fine */
