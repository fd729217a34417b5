/* zip_pack.h — a zip archive, through libzip; the same files make the same bytes. */
#pragma once

#include "base/error.h"

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

/* ---- reading ----------------------------------------------------------------------------------- */

/* An archive as it is now: what takes its place at that path later is another one. ERROR_INPUT: it cannot be read. */
struct zip_file_set;
int zip_set_open(struct zip_file_set **z, const char *path, struct error *e);
/* A file of it, malloc'ed, with a zero behind it. ERROR_INPUT: there is none of that name, or it is damaged. */
int zip_set_read(struct zip_file_set *z, const char *name, char **data, size_t *size,
                 struct error *e);
void zip_set_close(struct zip_file_set *z); /* NULL is fine */
