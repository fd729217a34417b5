#include "packed.h"

#include "textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BUFFER = 1 << 16, TEXT_MAX = 1 << 16, MAGIC_MAX = 64 };

static uint32_t sum_up(uint32_t crc, const unsigned char *data, size_t size)
{
    return (uint32_t)crc32(crc, data, (uInt)size);
}

/* ---- writing --------------------------------------------------------------------------------- */

int packed_begin(struct packed_out *o, FILE *stream, const char *magic, struct error *e)
{
    *o = (struct packed_out){.stream = stream, .buffer = malloc(BUFFER)};
    if (!o->buffer) return error_memory(e);
    fputs(magic, stream);
    return 0;
}

static void flush(struct packed_out *o)
{
    o->crc = sum_up(o->crc, o->buffer, o->used);
    fwrite(o->buffer, 1, o->used, o->stream); /* errors are checked at the end */
    o->used = 0;
}

static void put_byte(struct packed_out *o, unsigned byte)
{
    if (o->used == BUFFER) flush(o);
    o->buffer[o->used++] = (unsigned char)byte;
}

void packed_put(struct packed_out *o, uint64_t x)
{
    for (; x >= 128; x >>= 7) put_byte(o, (unsigned)(x & 127) | 128);
    put_byte(o, (unsigned)x);
}

/* The lowest bit is the sign, so that small numbers of either sign are short. */
void packed_put_signed(struct packed_out *o, int64_t x)
{
    packed_put(o, x < 0 ? ~((uint64_t)x << 1) : (uint64_t)x << 1);
}

void packed_put_real(struct packed_out *o, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++) put_byte(o, (unsigned)(bits >> 8 * i & 255));
}

void packed_put_text(struct packed_out *o, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length > TEXT_MAX) length = TEXT_MAX;
    packed_put(o, length);
    for (size_t i = 0; i < length; i++) put_byte(o, (unsigned char)text[i]);
}

void packed_end(struct packed_out *o)
{
    flush(o);
    for (int i = 0; i < 4; i++) putc((int)(o->crc >> 8 * i & 255), o->stream);
    RELEASE(o, o->buffer);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Begins to read a stream, and takes ownership of it. If the stream is NULL, errno says why it could not be opened. */
static int open_stream(struct packed_in *i, FILE *stream, const char *name, struct error *e)
{
    *i = (struct packed_in){.stream = stream, .path = name};
    if (!stream) return error_input(e, "%s: cannot be opened: %s", name, strerror(errno));
    if ((i->buffer = malloc(BUFFER))) return 0;
    fclose(stream);
    return error_memory(e);
}

/* fmemopen() only reads the bytes here, though its parameter is not const. */
int packed_open_bytes(struct packed_in *i, const void *bytes, size_t size, const char *name,
                      struct error *e)
{
    return open_stream(i, fmemopen((void *)(uintptr_t)bytes, size, "rb"), name, e);
}

int packed_open(struct packed_in *i, const char *path, const char *what, struct error *e)
{
    int status = textfile_check_regular(path, what, e);
    return status ? status : open_stream(i, file_open_regular(path), path, e);
}

void packed_close(struct packed_in *i)
{
    fclose(i->stream);
    free(i->buffer);
}

bool packed_is(struct packed_in *i, const char *magic)
{
    char begin[MAGIC_MAX] = "";
    return fgets(begin, (int)strlen(magic) + 1, i->stream) && !strcmp(begin, magic);
}

static unsigned get_byte(struct packed_in *i)
{
    if (i->used == i->size && !i->bad) {
        i->crc = sum_up(i->crc, i->buffer, i->size);
        i->size = fread(i->buffer, 1, BUFFER, i->stream);
        i->used = 0;
        i->bad = i->size == 0;
    }
    return i->bad ? 0 : i->buffer[i->used++];
}

uint64_t packed_get(struct packed_in *i, uint64_t most)
{
    uint64_t x = 0;
    for (int shift = 0; !i->bad; shift += 7) {
        const uint64_t byte = get_byte(i), bits = byte & 127;
        if (shift > 63 || (shift == 63 && bits > 1)) i->bad = true;
        else x |= bits << shift;
        if (byte < 128) break;
    }
    if (x > most) i->bad = true;
    return i->bad ? 0 : x;
}

int64_t packed_get_signed(struct packed_in *i)
{
    const uint64_t x = packed_get(i, UINT64_MAX);
    return x & 1 ? -(int64_t)(x >> 1) - 1 : (int64_t)(x >> 1);
}

double packed_get_real(struct packed_in *i)
{
    uint64_t bits = 0;
    double x;
    for (int k = 0; k < 8; k++) bits |= (uint64_t)get_byte(i) << 8 * k;
    memcpy(&x, &bits, sizeof x);
    return x;
}

char *packed_get_text(struct packed_in *i)
{
    const size_t length = (size_t)packed_get(i, TEXT_MAX);
    if (!length) return NULL;
    char *text = calloc(length + 1, 1);
    for (size_t k = 0; text && k < length; k++) text[k] = (char)get_byte(i);
    i->bad = i->bad || !text;
    return text;
}

bool packed_get_sum(struct packed_in *i)
{
    const uint32_t crc = sum_up(i->crc, i->buffer, i->used);
    uint32_t said = 0;
    for (int k = 0; k < 4; k++) said |= (uint32_t)get_byte(i) << 8 * k;
    return !i->bad && said == crc && i->used == i->size && getc(i->stream) == EOF;
}
