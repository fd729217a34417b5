/* picture.h — reads a PNG as pixels, and has a folder for it. */
#pragma once

#include <png.h>
#include <stdint.h>

#include "scratch.h"
#include "unit.h"

struct picture {
    int width, height;
    unsigned char *rgb;
};

static inline struct picture picture_read(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    struct picture p = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_true(png_image_finish_read(&image, NULL, p.rgb, 0, NULL));
    return p;
}

/* A whole file, with a zero behind it. */
static inline char *scratch_bytes(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *b = malloc(*size + 1);
    assert_int_equal(fread(b, 1, *size, f), *size);
    b[*size] = '\0';
    fclose(f);
    return b;
}

static inline int set_up(void **state)
{
    static struct scratch dir;
    scratch_create(&dir);
    *state = &dir;
    return 0;
}

static inline int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}
