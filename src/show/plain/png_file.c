/* build: optimized */
#include "png_file.h"
#include "base/loops.h"
#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <errno.h>
#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What libpng needs while it writes, and the error that it reports. */
struct writer {
    png_structp png;
    png_infop info;
    png_text text[3];
    char complaint[200];
    int why; /* errno when the error came */
};

static void on_error(png_structp png, png_const_charp message)
{
    struct writer *w = png_get_error_ptr(png);
    w->why = errno;
    snprintf(w->complaint, sizeof w->complaint, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {}

/* Sets texts. A text that is not plain ASCII needs a chunk iTXt, the only kind with UTF-8. The
 * casts remove const, because png_text has no const. libpng does not change the texts. */
static void set_text(struct writer *w, const char *title, const char *of)
{
    int count = 1;
    int kind = PNG_TEXT_COMPRESSION_NONE;
    for (const char *s = title; *s; s++)
        if (*s & 0x80) kind = PNG_ITXT_COMPRESSION_NONE;
    w->text[0] = (png_text){.compression = PNG_TEXT_COMPRESSION_NONE,
                            .key = (char *)(size_t) "Software",
                            .text = (char *)(size_t) "sciara"};
    if (of)
        w->text[count++] = (png_text){.compression = PNG_TEXT_COMPRESSION_NONE,
                                      .key = (char *)(size_t) "Source",
                                      .text = (char *)(size_t)of};
    if (*title)
        w->text[count++] = (png_text){
            .compression = kind, .key = (char *)(size_t) "Title", .text = (char *)(size_t)title};
    png_set_text(w->png, w->info, w->text, count);
}

/* Some rows of the picture, deflated: a chunk IDAT. */
struct strip {
    unsigned char *bytes;
    size_t size, raw;
    uLong adler; /* checksum of the `raw` bytes before deflation */
};

struct job {
    const struct png_pixels *picture;
    const struct atomic_file *to; /* the file to seal; NULL: the picture is written to memory */
    const char *title, *of;
    double dpi;
    int strips;
    struct strip *strip;
};

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Strips of this number of rows, compressed separately, have hardly more bytes than a picture compressed whole. */
enum { STRIP_ROWS = 64, FILTER_SUB = 1 };

/* Writes a row as differences to the pixel at the left, which are mostly 0 on flat paper. */
static unsigned char *filter_row(unsigned char *out, const uint32_t *pixel, int width)
{
    uint32_t left = 0;
    *out++ = FILTER_SUB;
    for (int x = 0; x < width; left = pixel[x++])
        for (int shift = 16; shift >= 0; shift -= 8)
            *out++ = (unsigned char)((pixel[x] >> shift) - (left >> shift));
    return out;
}

/* Deflates a strip at the lowest level. A long search for matches gains little, because relief does
 * not repeat itself. The short search halves the bytes of a diagram, because letters repeat. Each
 * strip except the last ends with an empty block, which fills its last byte. So the strips, which
 * are deflated separately, form one stream. */
static void deflate_strip(void *job, int i)
{
    const struct job *j = job;
    struct strip *s = &j->strip[i];
    const int row0 = i * STRIP_ROWS, last = i + 1 == j->strips;
    const int rows = last ? j->picture->height - row0 : STRIP_ROWS;
    const struct png_pixels *p = j->picture;
    z_stream z = {0};
    s->raw = (size_t)rows * (3 * (size_t)j->picture->width + 1);
    FREED unsigned char *raw = malloc(s->raw);
    unsigned char *end = raw;
    if (!raw || deflateInit2(&z, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
    for (int y = row0; y < row0 + rows; y++)
        end = filter_row(end, (const void *)(p->data + (size_t)y * p->stride), p->width);
    s->adler = adler32(1, raw, (uInt)s->raw);
    s->size = deflateBound(&z, (uLong)s->raw) + 16;
    s->bytes = malloc(s->size);
    z.next_in = raw;
    z.avail_in = (uInt)s->raw;
    z.next_out = s->bytes;
    z.avail_out = (uInt)s->size;
    if (s->bytes) deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
    s->size -= z.avail_out;
    deflateEnd(&z);
}

/* Deflates all strips; false: no memory. */
static bool deflate_picture(struct job *j)
{
    j->strips = (j->picture->height + STRIP_ROWS - 1) / STRIP_ROWS;
    j->strip = calloc((size_t)j->strips, sizeof *j->strip);
    if (!j->strip) return false;
    jobs_run(j->strips, deflate_strip, j);
    for (int i = 0; i < j->strips; i++)
        if (!j->strip[i].bytes) return false;
    return true;
}

/* Writes the seal as a chunk of text before the last chunk. */
static void write_seal(struct writer *w, const struct atomic_file *to)
{
    static const char key[] = "Comment";
    char seal[PICTURE_SEAL_ROOM];
    const size_t length = strlen(PICTURE_SEAL) + PICTURE_SEAL_DIGITS;
    png_write_chunk_start(w->png, (png_const_bytep) "tEXt", (png_uint_32)(sizeof key + length));
    png_write_chunk_data(w->png, (png_const_bytep)key, sizeof key);
    picture_seal(seal, to);
    png_write_chunk_data(w->png, (png_const_bytep)seal, length);
    png_write_chunk_end(w->png);
}

/* Writes the deflated strips as chunks, because libpng would deflate the picture row by row. The
 * stream has a header of two bytes and ends with its checksum (RFC 1950). */
static void write_strips(struct writer *w, const struct job *j)
{
    static const unsigned char head[2] = {0x78, 0x01};
    uLong adler = 1;
    for (int i = 0; i < j->strips; i++) {
        const struct strip *s = &j->strip[i];
        unsigned char check[4];
        const size_t before = i ? 0 : sizeof head, after = i + 1 < j->strips ? 0 : sizeof check;
        adler = adler32_combine(adler, s->adler, (z_off_t)s->raw);
        png_save_uint_32(check, (png_uint_32)adler);
        png_write_chunk_start(w->png, (png_const_bytep) "IDAT",
                              (png_uint_32)(before + s->size + after));
        png_write_chunk_data(w->png, head, before);
        png_write_chunk_data(w->png, s->bytes, s->size);
        png_write_chunk_data(w->png, check, after);
        png_write_chunk_end(w->png);
    }
    if (j->to) write_seal(w, j->to);
    png_write_chunk(w->png, (png_const_bytep) "IEND", NULL, 0);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Writes the PNG. This is the only function with a setjmp. None of its variables changes between setjmp and longjmp. */
static int write_stream(struct writer *w, FILE *stream, const struct job *j)
{
    if (setjmp(png_jmpbuf(w->png))) return -1;
    errno = 0;
    png_init_io(w->png, stream);
    const png_uint_32 pixels_per_metre = (png_uint_32)(j->dpi / 0.0254 + 0.5);
    png_set_IHDR(w->png, w->info, (png_uint_32)j->picture->width, (png_uint_32)j->picture->height,
                 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_pHYs(w->png, w->info, pixels_per_metre, pixels_per_metre, PNG_RESOLUTION_METER);
    set_text(w, j->title, j->of);
    png_write_info(w->png, w->info);
    write_strips(w, j);
    return 0;
}

/* Writes the picture; nonzero: it failed, and *w has the reason. */
static int write_picture(struct writer *w, FILE *stream, struct job *j)
{
    *w = (struct writer){.why = ENOMEM, .complaint = "no memory to write a PNG"};
    w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_error, on_warning);
    if (w->png) w->info = png_create_info_struct(w->png);
    const int status = w->info && deflate_picture(j) ? write_stream(w, stream, j) : -1;
    if (w->png) png_destroy_write_struct(&w->png, &w->info);
    for (int i = 0; j->strip && i < j->strips; i++) free(j->strip[i].bytes);
    free(j->strip);
    return status;
}

int png_file_write(const char *path, const struct png_pixels *picture, const char *title,
                   const char *of, double dpi, struct error *e)
{
    struct job job = {.picture = picture, .title = title, .of = of, .dpi = dpi};
    FREED_BY(atomic_file_abandon) struct atomic_file file;
    struct writer w;
    const int status = atomic_file_open(&file, path, e);
    if (status) return status;
    job.to = &file;
    if (!write_picture(&w, file.stream, &job)) return atomic_file_finish(&file, e);
    return atomic_file_failed(path, w.why, w.complaint, e);
}

char *png_file_bytes(const struct png_pixels *picture, double dpi, size_t *size)
{
    struct job job = {.picture = picture, .title = "", .dpi = dpi};
    struct writer w;
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    if (!stream) return NULL;
    const bool good = !write_picture(&w, stream, &job);
    if (!fclose(stream) && good) return bytes;
    free(bytes);
    return NULL;
}
