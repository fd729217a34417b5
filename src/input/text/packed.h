/* packed.h — numbers and texts in few bytes, for files that only this program reads. Each byte has 7 bits of a number;
 * its highest bit means that more bytes follow. A double is stored as its bits, a text after its length. The CRC-32 of
 * all these bytes ends the file. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- writing: the caller checks errors when it closes the stream -------------------------- */

struct packed_out {
    FILE *stream;
    unsigned char *buffer;
    size_t used;
    uint32_t crc;
};

/* Begins a file with `magic`, which the checksum does not include. */
int packed_begin(struct packed_out *o, FILE *stream, const char *magic, struct error *e);
void packed_put(struct packed_out *o, uint64_t x);
void packed_put_signed(struct packed_out *o, int64_t x);
void packed_put_real(struct packed_out *o, double x);
void packed_put_text(struct packed_out *o, const char *text); /* NULL: an empty text */
void packed_end(struct packed_out *o);                        /* writes the checksum */

/* ---- reading --------------------------------------------------------------------------------- */

struct packed_in {
    FILE *stream;
    const char *path;
    unsigned char *buffer;
    size_t used, size;
    uint32_t crc; /* checksum of all bytes before those in the buffer */
    bool bad;     /* the file ends too early, a number is too large, or memory is missing */
};

/* Opens bytes in memory, which have to stay until packed_close(); `name` is for messages. */
int packed_open_bytes(struct packed_in *i, const void *bytes, size_t size, const char *name,
                      struct error *e);
/* Opens a regular file; `what`: the kind of file expected, for the message. */
int packed_open(struct packed_in *i, const char *path, const char *what, struct error *e);
void packed_close(struct packed_in *i);

bool packed_is(struct packed_in *i, const char *magic); /* whether the file begins with `magic` */

/* Reads a number. If it is greater than `most` or missing, returns 0 and sets `bad`. */
uint64_t packed_get(struct packed_in *i, uint64_t most);
int64_t packed_get_signed(struct packed_in *i);
double packed_get_real(struct packed_in *i);
/* Reads a text, malloc'ed. NULL: the text is empty, or memory is missing, which sets `bad`. */
char *packed_get_text(struct packed_in *i);
/* Whether the right checksum follows, and nothing after it. */
bool packed_get_sum(struct packed_in *i);
