/* zip_pack.h — writes and reads zip archives with libzip. Equal files make equal archives. */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct zip_pack;

/* Opens the library that packing needs (program/late), so that a long run does not find it missing at its end. */
void zip_pack_prepare(void);

int zip_pack_open(struct zip_pack **z, struct error *e);
/* Adds a file, deflated at level 1 to 9 or stored (0). The archive takes over `data`, which is malloc'ed, even on an
 * error. */
int zip_pack_add(struct zip_pack *z, const char *name, void *data, size_t size, int level,
                 struct error *e);
/* Writes the archive, whole or not at all, with a comment. */
int zip_pack_write(struct zip_pack *z, const char *path, const char *comment, struct error *e);
void zip_pack_free(struct zip_pack *z); /* NULL is fine */

/* ---- reading ----------------------------------------------------------------------------------- */

/* Opens an archive. The archive stays readable if another file replaces it at this path. ERROR_INPUT: the archive
 * cannot be read. */
int zip_pack_open_file(struct zip_pack **z, const char *path, struct error *e);
/* Reads a file of the archive, malloc'ed and followed by a zero. ERROR_INPUT: the file is missing or damaged. */
int zip_pack_read(struct zip_pack *z, const char *name, char **data, size_t *size, struct error *e);
