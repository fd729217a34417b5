#include "state.h"

#include "text/textfile.h"
#include "text/wholefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char MAGIC[] = "sciara ensemble 1\n";
enum { BUFFER = 1 << 16, TEXT_MAX = 1 << 16 };

/* ---- writing -------------------------------------------------------------------------------- */

struct out {
    FILE *stream;
    unsigned char *buffer;
    size_t used;
    uLong crc;
};

static void flush(struct out *o)
{
    o->crc = crc32(o->crc, o->buffer, (uInt)o->used);
    fwrite(o->buffer, 1, o->used, o->stream); /* errors are looked for at the end */
    o->used = 0;
}

static void put_byte(struct out *o, unsigned byte)
{
    if (o->used == BUFFER) flush(o);
    o->buffer[o->used++] = (unsigned char)byte;
}

static void put(struct out *o, uint64_t x)
{
    for (; x >= 128; x >>= 7) put_byte(o, (unsigned)(x & 127) | 128);
    put_byte(o, (unsigned)x);
}

static void put_real(struct out *o, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++) put_byte(o, (unsigned)(bits >> 8 * i & 255));
}

static void put_text(struct out *o, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length > TEXT_MAX) length = TEXT_MAX;
    put(o, length);
    for (size_t i = 0; i < length; i++) put_byte(o, (unsigned char)text[i]);
}

/* Counters are mostly zeros: how many, then one that is not. */
static void put_counters(struct out *o, const uint64_t *c, size_t count)
{
    size_t zeros = 0;
    for (size_t k = 0; k < count; k++) {
        if (!c[k]) {
            zeros++;
            continue;
        }
        put(o, zeros);
        put(o, c[k]);
        zeros = 0;
    }
    put(o, count); /* more zeros than there can be: the end */
}

static void put_statistics(struct out *o, const struct statistics *s)
{
    size_t gap = 0;
    put(o, s->places);
    put(o, s->stride);
    put(o, (uint64_t)s->members);
    put(o, s->weight);
    put(o, (uint64_t)s->weight2);
    put(o, (uint64_t)(s->weight2 >> 64));
    for (size_t i = 0; i < s->places; i++, gap++) {
        const uint64_t *c = statistics_at(s, i);
        if (!statistics_came(s, c)) continue;
        put(o, gap);
        put_counters(o, c, s->stride);
        gap = SIZE_MAX; /* 0 after the step to the next */
    }
    put(o, s->places);
}

static void put_result(struct out *o, const struct member_result *r)
{
    put(o, r->weight);
    put(o, r->digest);
    put(o, (uint64_t)r->step);
    put(o, r->stopped);
    put(o, r->cells);
    const double numbers[] = {r->end_s,      r->advance_s, r->runout_m, r->max_thickness_m,
                              r->emitted_m3, r->left_m3,   r->jaccard};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) put_real(o, numbers[i]);
    put_text(o, r->drawn);
    put_text(o, r->notice);
}

static void put_all(struct out *o, const struct ensemble *s)
{
    int64_t gap = 0;
    put(o, s->source->digest);
    put_text(o, s->source->path);
    put(o, (uint64_t)s->shard.index);
    put(o, (uint64_t)s->shard.count);
    put_real(o, s->until_error);
    put(o, (uint64_t)s->source->count);
    put(o, (uint64_t)s->done);
    for (int64_t i = 0; i < s->source->count; i++, gap++) {
        if (!s->result[i].done) continue;
        put(o, (uint64_t)gap);
        put_result(o, &s->result[i]);
        gap = -1;
    }
    put_statistics(o, &s->cells);
    put_statistics(o, &s->things);
}

/* Errors of the stream are looked for at its end. */
static int write_state(FILE *stream, const struct ensemble *s, const char *name, struct error *e)
{
    struct out o = {.stream = stream, .crc = crc32(0, NULL, 0), .buffer = malloc(BUFFER)};
    if (!o.buffer) return error_failed(e, "%s: out of memory", name);
    fputs(MAGIC, stream);
    put_all(&o, s);
    flush(&o);
    for (int i = 0; i < 4; i++) putc((int)(o.crc >> 8 * i & 255), stream);
    free(o.buffer);
    return 0;
}

int state_write(const char *path, const struct ensemble *s, struct error *e)
{
    struct wholefile w;
    int status = wholefile_open(&w, path, e);
    if (status) return status;
    status = write_state(w.stream, s, path, e);
    if (!status) return wholefile_finish_on_disk(&w, e);
    wholefile_abandon(&w);
    return status;
}

int state_pack(char **bytes, size_t *size, const struct ensemble *s, struct error *e)
{
    *bytes = NULL;
    FILE *stream = open_memstream(bytes, size);
    if (!stream) return error_failed(e, "out of memory");
    int status = write_state(stream, s, s->source->path, e);
    const bool failed = ferror(stream) != 0;
    if ((fclose(stream) || failed) && !status) status = error_failed(e, "out of memory");
    if (!status) return 0;
    free(*bytes);
    *bytes = NULL;
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct in {
    FILE *stream;
    const char *path;
    unsigned char *buffer;
    size_t used, size;
    uLong crc; /* of what has left the buffer */
    bool bad;  /* the file ends too early, or a number is too large */
};

static unsigned get_byte(struct in *i)
{
    if (i->used == i->size && !i->bad) {
        i->crc = crc32(i->crc, i->buffer, (uInt)i->size);
        i->size = fread(i->buffer, 1, BUFFER, i->stream);
        i->used = 0;
        i->bad = i->size == 0;
    }
    return i->bad ? 0 : i->buffer[i->used++];
}

/* A number of at most `most`; 0 where there is none. */
static uint64_t get(struct in *i, uint64_t most)
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

static double get_real(struct in *i)
{
    uint64_t bits = 0;
    double x;
    for (int k = 0; k < 8; k++) bits |= (uint64_t)get_byte(i) << 8 * k;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* malloc'ed; NULL: an empty one, or no memory, which makes the file bad. */
static char *get_text(struct in *i)
{
    const size_t length = (size_t)get(i, TEXT_MAX);
    if (!length) return NULL;
    char *text = calloc(length + 1, 1);
    for (size_t k = 0; text && k < length; k++) text[k] = (char)get_byte(i);
    i->bad = i->bad || !text;
    return text;
}

static bool get_counters(struct in *i, uint64_t *c, size_t count)
{
    size_t k = 0;
    bool any = false;
    for (;;) {
        const uint64_t zeros = get(i, count);
        if (zeros == count || i->bad) return any && !i->bad;
        k += (size_t)zeros;
        if (k >= count) return false;
        c[k++] = get(i, UINT64_MAX);
        any = true;
    }
}

static wide sum_of(const uint64_t *c, int count)
{
    wide sum = 0;
    for (int k = 0; k < count; k++) sum += c[k];
    return sum;
}

/* Every member that came has a class of thickness, one of arrival, and one of share. */
static bool adds_up(const struct statistics *s, const uint64_t *c)
{
    const wide came = sum_of(c, s->thickness_classes);
    const uint64_t *share = c + s->thickness_classes + s->arrival_classes;
    return came > 0 && came <= s->weight &&
           sum_of(c + s->thickness_classes, s->arrival_classes) == came &&
           (!s->share_classes || sum_of(share, s->share_classes) == came);
}

static bool get_statistics(struct in *i, struct statistics *s, struct error *e, int *status)
{
    if (get(i, UINT64_MAX) != s->places || get(i, UINT64_MAX) != s->stride) return false;
    s->members = (int64_t)get(i, INT64_MAX);
    s->weight = get(i, STATISTICS_WEIGHT_MAX);
    s->weight2 = get(i, UINT64_MAX);
    s->weight2 |= (wide)get(i, UINT64_MAX) << 64;
    for (size_t place = 0; !i->bad; place++) {
        const uint64_t gap = get(i, s->places);
        if (gap == s->places) return !i->bad;
        if (gap >= s->places - place) return false;
        place += (size_t)gap;
        uint64_t *c = statistics_open(s, place, e);
        if (!c) return *status = ERROR_INPUT, true;
        if (!get_counters(i, c, s->stride)) return false;
        if (!adds_up(s, c)) return false;
        if (place + 1 == s->places) return get(i, s->places) == s->places && !i->bad;
    }
    return false;
}

static void get_result(struct in *i, struct member_result *r)
{
    r->done = true;
    r->weight = get(i, STATISTICS_WEIGHT_MAX);
    r->digest = get(i, UINT64_MAX);
    r->step = (int64_t)get(i, INT64_MAX);
    r->stopped = get(i, 1) != 0;
    r->cells = get(i, UINT64_MAX);
    double *const numbers[] = {&r->end_s,      &r->advance_s, &r->runout_m, &r->max_thickness_m,
                               &r->emitted_m3, &r->left_m3,   &r->jaccard};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) *numbers[k] = get_real(i);
    r->drawn = get_text(i);
    r->notice = get_text(i);
}

static bool get_head(struct in *i, struct state_head *h)
{
    char magic[sizeof MAGIC] = "";
    *h = (struct state_head){0};
    if (!fgets(magic, sizeof magic, i->stream) || strcmp(magic, MAGIC)) return false;
    h->digest = get(i, UINT64_MAX);
    h->plan = get_text(i);
    h->shard.index = (int)get(i, INT32_MAX);
    h->shard.count = (int)get(i, INT32_MAX);
    h->until_error = get_real(i);
    h->members = (int64_t)get(i, INT64_MAX);
    h->done = (int64_t)get(i, INT64_MAX);
    return !i->bad && h->shard.index >= 1 && h->shard.index <= h->shard.count &&
           h->done <= h->members && h->until_error >= 0 && h->until_error < 1;
}

static bool get_results(struct in *i, struct ensemble *s, int64_t done)
{
    int64_t number = -1;
    for (; s->done < done && !i->bad; s->done++) {
        const uint64_t most = (uint64_t)(s->source->count - number - 1);
        if (!most) return false;
        number += 1 + (int64_t)get(i, most - 1);
        get_result(i, &s->result[number]);
    }
    return !i->bad;
}

/* Members and weights are those of the table. */
static bool is_of_results(const struct ensemble *s, const struct statistics *x)
{
    wide weight = 0, weight2 = 0;
    for (int64_t i = 0; i < s->source->count; i++) {
        const uint64_t w = s->result[i].weight;
        weight += w;
        weight2 += (wide)w * w;
    }
    return x->members == s->done && x->weight == weight && x->weight2 == weight2;
}

/* What is behind the buffer: the sum, and the end. */
static bool get_sum(struct in *i)
{
    const uLong crc = crc32(i->crc, i->buffer, (uInt)i->used);
    uLong said = 0;
    for (int k = 0; k < 4; k++) said |= (uLong)get_byte(i) << 8 * k;
    return !i->bad && said == crc && i->used == i->size && getc(i->stream) == EOF;
}

static int open_stream(struct in *i, FILE *stream, const char *name, struct error *e)
{
    *i = (struct in){.stream = stream, .path = name, .crc = crc32(0, NULL, 0)};
    if (!stream) return error_input(e, "%s: cannot be opened: %s", name, strerror(errno));
    if ((i->buffer = malloc(BUFFER))) return 0;
    fclose(stream);
    return error_failed(e, "%s: out of memory", name);
}

static int open_state(struct in *i, const char *path, struct error *e)
{
    int status = textfile_check_regular(path, "the state of an ensemble", e);
    return status ? status : open_stream(i, fopen(path, "rb"), path, e);
}

static void close_state(struct in *i)
{
    fclose(i->stream);
    free(i->buffer);
}

static int damaged(const char *path, struct error *e)
{
    return error_input(e,
                       "%s: is no state of an ensemble, or is damaged; remove it and compute its "
                       "members anew",
                       path);
}

int state_head(struct state_head *h, const char *path, struct error *e)
{
    struct in i;
    int status = open_state(&i, path, e);
    *h = (struct state_head){0};
    if (status) return status;
    if (!get_head(&i, h)) {
        state_head_free(h);
        status = damaged(path, e);
    }
    close_state(&i);
    return status;
}

void state_head_free(struct state_head *h)
{
    free(h->plan);
    *h = (struct state_head){0};
}

static int check_plan(const struct ensemble *s, const struct state_head *h, const char *path,
                      struct error *e)
{
    if (h->digest == s->source->digest && h->members == s->source->count) return 0;
    return error_input(e,
                       "%s: is of another plan, or %s or a file that it names has changed since; "
                       "remove it, or choose another folder",
                       path, s->source->path);
}

/* Closes *i. */
static int read_state(struct in *i, struct ensemble *s, struct error *e)
{
    struct state_head h;
    int status = get_head(i, &h) ? check_plan(s, &h, i->path, e) : damaged(i->path, e);
    if (!status) {
        s->shard = h.shard;
        s->until_error = h.until_error;
        const bool good =
            get_results(i, s, h.done) && get_statistics(i, &s->cells, e, &status) &&
            (status || get_statistics(i, &s->things, e, &status)) &&
            (status || (get_sum(i) && is_of_results(s, &s->cells) && is_of_results(s, &s->things)));
        if (!good) status = damaged(i->path, e);
    }
    state_head_free(&h);
    close_state(i);
    return status;
}

int state_read(struct ensemble *s, const char *path, struct error *e)
{
    struct in i;
    int status = open_state(&i, path, e);
    return status ? status : read_state(&i, s, e);
}

int state_unpack(struct ensemble *s, char *bytes, size_t size, const char *name, struct error *e)
{
    struct in i;
    int status = open_stream(&i, fmemopen(bytes, size, "rb"), name, e);
    return status ? status : read_state(&i, s, e);
}
