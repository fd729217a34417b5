/* Any bytes as a raster file: refused with one line, or a grid whose parts agree. */
#include "raster/projection.h"
#include "raster/raster.h"
#include "text/scan.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_CELLS = 1 << 16 };

static void check(const struct raster *r)
{
    size_t missing = 0;
    const size_t cells = (size_t)r->rows * (size_t)r->cols;

    if (r->rows < 1 || r->cols < 1 || cells > MAX_CELLS || !r->value) abort();
    for (size_t i = 0; i < cells; i++) {
        if (isinf(r->value[i])) abort();
        missing += isnan(r->value[i]) != 0;
    }
    if (missing != r->missing || !(r->geo.cell_m > 0) || !(r->geo.crs.unit_m > 0)) abort();
    if (raster_same_grid(r, "a", r, "b", NULL) && fabs(r->geo.west_m) < 1e9) abort();
}

/* A window is that part of the whole. */
static void check_window(const struct raster *r, const char *path)
{
    const int row0 = r->rows / 3, col0 = r->cols / 3, rows = (r->rows - row0 + 1) / 2,
              cols = (r->cols - col0 + 1) / 2;
    double *value = malloc((size_t)rows * (size_t)cols * sizeof *value);
    const struct raster_cells to = {{row0, col0, rows, cols}, value, (size_t)cols};
    struct raster_file *f;
    if (!value || raster_open(&f, path, RASTER_ANY_SIZE, NULL, NULL)) abort();
    if (raster_read_window(f, &to, NULL, NULL)) abort();
    for (int i = 0; i < rows; i++)
        if (memcmp(value + i * cols, r->value + (row0 + i) * r->cols + col0,
                   (size_t)cols * sizeof *value) != 0)
            abort();
    raster_close(f);
    free(value);
}

/* Its CRS and its unit, whatever they are, can be asked about. */
static void check_meaning(struct raster *r)
{
    struct ground_scale s;
    struct error e = {0};
    char said[RASTER_UNIT_SAID];

    if (projection_scale(&s, &r->geo, r->rows, r->cols) &&
        !(s.least > 0 && s.greatest >= s.least && isfinite(s.greatest)))
        abort();
    if (!scan_utf8(r->geo.crs.name) || !scan_utf8(r->unit) || !scan_utf8(r->vertical.name) ||
        !scan_utf8(r->terrain_source))
        abort();
    if (raster_to_metres(r, said, "it", &e) ? e.code != ERROR_INPUT : !scan_utf8(said)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct raster zero;
    struct error e = {0};
    struct raster r;
    char path[FUZZ_PATH];
    const int fd = fuzz_file(path, data, size);
    if (raster_read(&r, path, MAX_CELLS, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n')) abort();
        if (memcmp(&r, &zero, sizeof r) != 0) abort();
    } else {
        check(&r);
        check_window(&r, path);
        check_meaning(&r);
    }
    raster_free(&r);
    close(fd);
    return 0;
}
