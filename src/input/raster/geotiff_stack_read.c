/* geotiff_stack_read.c — reading: nothing is read of a file whose seal does not fit. */
#include "geotiff_stack.h"

#include "geotiff_seal.h"
#include "text/textfile.h"
#include "tiff_band.h"

#include <stdlib.h>

static int not_one(const char *path, struct error *e)
{
    return error_input(e,
                       "%s: is not a whole state of a run; name a state_NNNNNN.tif that a run has "
                       "written",
                       path);
}

static int check_seal(const char *path, struct error *e)
{
    int status = textfile_check_regular(path, "a state of a run", e);
    if (status) return status;
    switch (seal_check(path)) {
    case SEAL_GOOD:
        return 0;
    case SEAL_BROKEN:
        return error_input(e,
                           "%s: is damaged: its bytes are not those that were written; use the "
                           "state before it",
                           path);
    case SEAL_NONE:
        break;
    }
    return not_one(path, e);
}

static int read_head(struct geotiff_stack_head *h, TIFF *tif, const char *path, struct error *e)
{
    struct tiff_band l;
    char *about = NULL;
    int status = tiff_band_describe(&l, tif, path, 0, e);
    if (status) return status;
    if (l.sample != F64 || l.stride != 1 || !l.tiled ||
        !TIFFGetField(tif, TIFFTAG_IMAGEDESCRIPTION, &about))
        return not_one(path, e);
    *h = (struct geotiff_stack_head){.rows = (int)l.height,
                                     .cols = (int)l.width,
                                     .band_count = l.band_count,
                                     .about = text_format("%s", about)};
    return h->about ? 0 : error_memory(e);
}

int geotiff_stack_open(struct geotiff_stack_head *h, const char *path, struct error *e)
{
    struct tiff_log log;
    *h = (struct geotiff_stack_head){0};
    int status = check_seal(path, e);
    if (status) return status;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif || log.tag_lost) status = tiff_damaged(path, &log, e);
    else status = read_head(h, tif, path, e);
    if (tif) TIFFClose(tif);
    return status;
}

void geotiff_stack_close(struct geotiff_stack_head *h)
{
    free(h->about);
    *h = (struct geotiff_stack_head){0};
}

static int describe(struct tiff_band *l, const struct geotiff_stack_head *h, const char *path,
                    struct error *e)
{
    struct tiff_log log;
    TIFF *tif = tiff_open(path, TIFF_READ, &log);
    if (!tif) return tiff_damaged(path, &log, e);
    int status = tiff_band_describe(l, tif, path, 0, e);
    const bool same = !status && (int)l->height == h->rows && (int)l->width == h->cols &&
                      l->band_count == h->band_count && l->sample == F64 && l->stride == 1 &&
                      (uint64_t)l->block_count * (uint64_t)l->band_count == TIFFNumberOfTiles(tif);
    TIFFClose(tif);
    return status || same ? status : not_one(path, e);
}

int geotiff_stack_read(const struct geotiff_stack_head *h, const char *path, int band, double *out,
                       struct error *e)
{
    struct error mine = {0};
    struct tiff_band l;
    struct raster r = {.rows = h->rows, .cols = h->cols, .value = out};
    int status = describe(&l, h, path, &mine);
    if (!status) {
        l.first_block = (uint32_t)band * l.block_count;
        status = tiff_band_read(&r, &l, &mine);
    }
    if (status && e) *e = mine;
    return status;
}
