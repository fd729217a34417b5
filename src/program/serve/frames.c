/* frames.c — pieces of a stream: a header of JSON and arrays of numbers, each from a multiple of 8 bytes on. */
#include "serve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *bytes_add(struct bytes *b, const void *data, size_t size)
{
    if (b->room - b->size < size) {
        const size_t room = 2 * b->room > b->size + size ? 2 * b->room : b->size + size;
        unsigned char *more = b->failed ? NULL : realloc(b->data, room);
        if (!more) {
            b->failed = true;
            return NULL;
        }
        b->data = more;
        b->room = room;
    }
    unsigned char *at = b->data + b->size;
    if (data) memcpy(at, data, size);
    else memset(at, 0, size);
    b->size += size;
    return at;
}

uint16_t frame_quantum(double value, double base, double unit)
{
    const double q = floor((value - base) / unit + 0.5);
    return isnan(value) ? FRAME_NONE : q <= 0 ? 0 : q >= FRAME_NONE ? FRAME_NONE - 1 : (uint16_t)q;
}

static void add_header(struct bytes *out, cJSON *header)
{
    char *text = cJSON_PrintUnformatted(header);
    if (!text) {
        out->failed = true;
        return;
    }
    const size_t length = strlen(text), pad = (8 - (4 + length) % 8) % 8;
    const uint32_t whole = (uint32_t)(length + pad);
    bytes_add(out, &whole, sizeof whole);
    bytes_add(out, text, length);
    bytes_add(out, "        ", pad);
    free(text);
}

void frame_add(struct bytes *out, const char *kind, cJSON *about, size_t count,
               const struct frame_array *arrays)
{
    cJSON *header = cJSON_CreateObject();
    cJSON_AddItemToObject(header, kind, about);
    cJSON_AddNumberToObject(header, "count", (double)count);
    cJSON *list = cJSON_AddArrayToObject(header, "arrays");
    for (const struct frame_array *a = arrays; a && a->name; a++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", a->name);
        cJSON_AddStringToObject(o, "type", a->wide ? "u32" : "u16");
        if (!a->wide) cJSON_AddNumberToObject(o, "base", a->base);
        if (!a->wide) cJSON_AddNumberToObject(o, "unit", a->unit);
        cJSON_AddItemToArray(list, o);
    }
    add_header(out, header);
    cJSON_Delete(header);
    for (const struct frame_array *a = arrays; a && a->name; a++) {
        const size_t size = count * (a->wide ? 4 : 2);
        bytes_add(out, a->data, size);
        bytes_add(out, NULL, (8 - size % 8) % 8);
    }
}

void frame_failed(struct stream *stream, const char *text)
{
    cJSON *about = cJSON_CreateObject();
    cJSON_AddStringToObject(about, "error", text);
    frame_add(&stream->out, "failed", about, 0, NULL);
    stream->ended = true;
}
