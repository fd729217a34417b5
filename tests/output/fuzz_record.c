/* Any bytes as the record.json of a record: refused with one line, or scenes which, written as a record and read from it,
 * are written as the same bytes again. */
#include "record/record.h"
#include "record/zip_pack.h"
#include "raster/geotiff.h"
#include "fuzz.h"

enum { SIDE = 4 };

static char grid[96], path[96], first[96], second[96];

static void fill_row(const void *unused, int row, float *out)
{
    for (int col = 0; col < SIDE; col++) out[col] = (float)(row + col);
}

static void refused(int status, const struct error *e)
{
    if ((status != ERROR_INPUT && status != ERROR_FAILED) || strchr(e->text, '\n')) abort();
}

static char *bytes_of(const char *file, size_t *size)
{
    FILE *f = fopen(file, "rb");
    char *data = malloc(1 << 20);
    if (!f || !data) abort();
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

/* A record of that text, with a grid that it may name. */
static void put_record(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct zip_pack *zip;
    size_t grid_size;
    char *text = malloc(size + 1);
    if (!text || zip_pack_open(&zip, &e)) abort();
    memcpy(text, data, size);
    char *bytes = bytes_of(grid, &grid_size);
    if (zip_pack_add(zip, "record.json", text, size, 9, &e) ||
        zip_pack_add(zip, "grid.tif", bytes, grid_size, 0, &e) || zip_pack_write(zip, path, "", &e))
        abort();
    zip_pack_free(zip);
}

/* What can be read of a record, as another one. */
static bool copy_record(const char *from, const char *to)
{
    struct error e = {0};
    struct record *r;
    struct record_writer *w;
    int status = record_open(&r, from, &e);
    if (status) {
        refused(status, &e);
        return false;
    }
    if (record_create(&w, scratch.path, &e)) abort();
    for (int i = 0; i < record_count(r); i++) {
        struct record_scene s;
        status = record_scene(&s, r, i, &e);
        if (status) refused(status, &e);
        else if (record_add(w, record_name(r, i), &s.scene, &e)) abort();
        record_release(&s);
    }
    if (record_write(w, to, "sciara", 0, &e)) abort();
    record_discard(w);
    record_close(r);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_begin()) {
        const struct geotiff_layer layer = {
            .rows = SIDE, .cols = SIDE, .geo = {.cell_m = 10}, .nodata = -9999, .row = fill_row};
        struct error e = {0};
        snprintf(grid, sizeof grid, "%s/grid.tif", scratch.path);
        snprintf(path, sizeof path, "%s/record.zip", scratch.path);
        snprintf(first, sizeof first, "%s/first.zip", scratch.path);
        snprintf(second, sizeof second, "%s/second.zip", scratch.path);
        if (geotiff_write(grid, &layer, &e)) abort();
    }
    if (!size || size > 1 << 16) return 0; /* (libzip keeps nothing as something) */
    put_record(data, size);
    if (!copy_record(path, first)) return 0;
    if (!copy_record(first, second)) abort();
    size_t a_size, b_size;
    char *a = bytes_of(first, &a_size), *b = bytes_of(second, &b_size);
    if (a_size != b_size || memcmp(a, b, a_size) != 0) abort();
    free(a);
    free(b);
    return 0;
}
