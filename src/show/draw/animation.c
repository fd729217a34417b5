#include "animation.h"

#include "record/picture_mark.h"
#include "sim/window.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>
#include <webp/mux.h>

struct animation {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height, time_ms;
};

int animation_create(struct animation **out, cairo_surface_t *first, struct error *e)
{
    struct animation *a = *out = calloc(1, sizeof *a);
    WebPAnimEncoderOptions options;
    if (!a) return error_memory(e);
    a->width = cairo_image_surface_get_width(first);
    a->height = cairo_image_surface_get_height(first);
    /* This quality keeps letters and edges of cells sharp. Slower methods save only a tenth of the bytes. */
    if (WebPConfigPreset(&a->config, WEBP_PRESET_DRAWING, 82) &&
        WebPAnimEncoderOptionsInit(&options)) {
        a->config.method = 2;
        options.kmax = 0; /* a frame has only its differences from the previous frame */
        a->encoder = WebPAnimEncoderNew(a->width, a->height, &options);
    }
    return a->encoder ? 0 : error_memory(e);
}

void animation_free(struct animation *a)
{
    if (!a) return;
    WebPAnimEncoderDelete(a->encoder);
    free(a);
}

/* Adds a picture; NULL ends the animation. */
static int add_picture(struct animation *a, WebPPicture *picture, struct error *e)
{
    if (WebPAnimEncoderAdd(a->encoder, picture, a->time_ms, &a->config)) return 0;
    return error_failed(e, "a frame of an animation cannot be packed: %s",
                        WebPAnimEncoderGetError(a->encoder));
}

int animation_add(struct animation *a, cairo_surface_t *picture, int milliseconds, struct error *e)
{
    WebPPicture frame;
    if (!WebPPictureInit(&frame)) return error_memory(e);
    frame.width = a->width;
    frame.height = a->height;
    frame.use_argb = 1;
    if (!WebPPictureAlloc(&frame)) return error_memory(e);
    const unsigned char *data = cairo_image_surface_get_data(picture);
    const size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    const int wide = int_least(a->width, cairo_image_surface_get_width(picture)),
              high = int_least(a->height, cairo_image_surface_get_height(picture));
    for (int y = 0; y < a->height; y++) {
        uint32_t *to = frame.argb + (size_t)y * (size_t)frame.argb_stride;
        memset(to, 0xFF, 4 * (size_t)a->width); /* white around a smaller picture */
        if (y < high) memcpy(to, data + (size_t)y * stride, 4 * (size_t)wide);
        for (int x = 0; x < wide; x++) to[x] |= 0xFF000000; /* opaque */
    }
    int status = add_picture(a, &frame, e);
    a->time_ms += milliseconds;
    WebPPictureFree(&frame);
    return status;
}

/* Adds, at the end, a chunk that names the program. */
static int mark_picture(WebPData *data)
{
    WebPMux *mux = WebPMuxCreate(data, 1);
    const WebPData words = {(const uint8_t *)PICTURE_MARK_XMP, sizeof PICTURE_MARK_XMP - 1};
    WebPData marked = {0};
    const int good = mux && WebPMuxSetChunk(mux, "XMP ", &words, 1) == WEBP_MUX_OK &&
                     WebPMuxAssemble(mux, &marked) == WEBP_MUX_OK;
    WebPMuxDelete(mux);
    if (!good) return -1;
    WebPDataClear(data);
    *data = marked;
    return 0;
}

int animation_write(struct animation *a, const char *path, struct error *e)
{
    WebPData data = {0};
    int status = add_picture(a, NULL, e);
    if (!status && (!WebPAnimEncoderAssemble(a->encoder, &data) || mark_picture(&data)))
        status = error_memory(e);
    if (!status) status = atomic_file_bytes(path, data.bytes, data.size, e);
    WebPDataClear(&data);
    return status;
}
