/* painters.h — pictures are painted by a library of their own, libsciara_show.so, which is loaded when the first one is:
 * whoever paints nothing needs neither cairo nor pango. */
#pragma once

#include "base/error.h"
#include "scene.h"

#include <stdbool.h>
#include <stddef.h>

/* Receives a map that lives no longer than the call. */
typedef int map_use(const struct map *m, void *to, struct error *e);

/* The frames of an animation, maps of one size. */
struct frames {
    const char *webp_path, *film_path; /* film_path NULL: no film */
    int count;
    int (*with)(const void *of, int i, map_use *use, void *to,
                struct error *e); /* calls use() with frame i */
    const void *of;
};

/* What libsciara_show.so exports, as sciara_painters. Several threads may paint. */
struct painters {
    const char *version; /* of the program that it belongs to */
    /* A PNG, SVG or PDF, by the ending of the path, which appears whole or not at all. */
    int (*paint)(const char *path, const struct scene *s, struct error *e);
    /* A PNG as bytes, malloc'ed. */
    int (*bytes)(char **bytes, size_t *size, const struct scene *s, double dpi, struct error *e);
    int (*animate)(const struct frames *f, struct error *e);
    bool (*film_possible)(void); /* whether there is an ffmpeg on the PATH */
    void (*prepare)(void);       /* looks for fonts, which takes longest before the first text */
    /* Whether pictures can show a text: if not, the reason and a remedy, malloc'ed; NULL: they can. */
    char *(*complaint)(const char *text);
};

/* NULL and ERROR_FAILED: the library is not there, is of another version, or cannot be loaded. It stays until the end. */
const struct painters *painters_load(struct error *e);

/* Its paint(). */
int scene_paint(const char *path, const struct scene *s, struct error *e);
