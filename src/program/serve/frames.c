/* frames.c — pieces of a stream: a header of JSON, and arrays of numbers that begin at multiples of 8 bytes. */
#include "serve.h"

#include "record/json_number.h"
#include "record/pack.h"

#include <stdlib.h>
#include <string.h>

static void bytes_add(struct bytes *b, const void *data, size_t size)
{
    if (b->room - b->size < size) {
        const size_t room = 2 * b->room > b->size + size ? 2 * b->room : b->size + size;
        unsigned char *more = b->failed ? NULL : realloc(b->data, room);
        if (!more) {
            b->failed = true;
            return;
        }
        b->data = more;
        b->room = room;
    }
    unsigned char *at = b->data + b->size;
    if (data) memcpy(at, data, size);
    else memset(at, 0, size);
    b->size += size;
}

void frame_put(struct frame_array *a, uint32_t element)
{
    const uint16_t narrow = (uint16_t)element;
    if (a->wide) bytes_add(&a->data, &element, sizeof element);
    else bytes_add(&a->data, &narrow, sizeof narrow);
}

void frame_put_value(struct frame_array *a, double value)
{
    frame_put(a, pack_quantum((struct pack_scale){a->base, a->unit}, value));
}

static void add_header(struct bytes *out, cJSON *header)
{
    FREED char *text = cJSON_PrintUnformatted(header);
    if (!text) {
        out->failed = true;
        return;
    }
    const size_t length = strlen(text), pad = (8 - (4 + length) % 8) % 8;
    const uint32_t whole = (uint32_t)(length + pad);
    bytes_add(out, &whole, sizeof whole);
    bytes_add(out, text, length);
    bytes_add(out, "        ", pad);
}

void frame_add(struct bytes *out, const char *kind, cJSON *about, struct frame_array *arrays)
{
    FREED_BY(json_free_at) cJSON *header = cJSON_CreateObject();
    cJSON_AddItemToObject(header, kind, about);
    cJSON_AddNumberToObject(header, "count", arrays ? (double)(arrays->data.size / 4) : 0);
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
    for (struct frame_array *a = arrays; a && a->name; a++) {
        out->failed = out->failed || a->data.failed;
        bytes_add(out, a->data.data, a->data.size);
        bytes_add(out, NULL, (8 - a->data.size % 8) % 8);
        free(a->data.data);
    }
}

void frame_failed(struct stream *stream, const char *text)
{
    cJSON *about = cJSON_CreateObject();
    cJSON_AddStringToObject(about, "error", text);
    frame_add(&stream->out, "failed", about, NULL);
    stream->ended = true;
}
