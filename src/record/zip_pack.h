/* zip_pack.h — a zip archive, through libzip; the same files make the same bytes. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct zip_pack;

int zip_pack_open(struct zip_pack **z, struct error *e);
/* A file in it, deflated at a level from 1 to 9, or stored, 0; the data, malloc'ed, is the archive's from now on, also
 * after an error. */
int zip_pack_add(struct zip_pack *z, const char *name, void *data, size_t size, int level,
                 struct error *e);
/* Writes it, whole or not at all, with a comment. */
int zip_pack_write(struct zip_pack *z, const char *path, const char *comment, struct error *e);
void zip_pack_free(struct zip_pack *z); /* NULL is fine */

/* A file of the archive at that path, malloc'ed, with a zero behind it. ERROR_INPUT: there is none of that name, or the archive
 * cannot be read. */
int zip_pack_read(char **data, size_t *size, const char *path, const char *name, struct error *e);
