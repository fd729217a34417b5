/* raster_checks.h — for tests that read rasters. */
#pragma once

#include "raster/raster.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "unit.h"

static inline uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 11;
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Reading fails with ERROR_INPUT, one line that has `what` in it, and an all-zero raster. */
static inline void assert_refused(const char *path, size_t max_cells, const char *what)
{
    const struct raster zero = {0};
    struct raster r;
    struct error e = {0};
    const int status = raster_read(&r, path, max_cells, &e);

    if (status == 0) fail_msg("%s was read, but should be refused: %s", path, what);
    assert_int_equal(status, ERROR_INPUT);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.text, what)) fail_msg("'%s' does not say '%s'", e.text, what);
    assert_ptr_equal(strstr(e.text, path), e.text);
    assert_null(strchr(e.text, '\n'));
    assert_memory_equal(&r, &zero, sizeof r);
    assert_int_equal(raster_read(&r, path, max_cells, NULL), ERROR_INPUT);
}

static inline void must_read(struct raster *r, const char *path)
{
    struct error e = {0};
    if (raster_read(r, path, 0, &e)) fail_msg("%s", e.text);
}
