#include "animation.h"

#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webp/encode.h>
#include <webp/mux.h>

struct animation {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height, time_ms;
};

int animation_create(struct animation **out, int width, int height, struct error *e)
{
    struct animation *a = *out = calloc(1, sizeof *a);
    WebPAnimEncoderOptions options;
    if (!a) return error_memory(e);
    *a = (struct animation){.width = width, .height = height};
    /* Letters and edges of cells stay sharp at this quality; slower methods gain a tenth. */
    if (WebPConfigPreset(&a->config, WEBP_PRESET_DRAWING, 82) &&
        WebPAnimEncoderOptionsInit(&options)) {
        a->config.method = 2;
        options.kmax = 0; /* each frame changes what differs from the one before */
        a->encoder = WebPAnimEncoderNew(width, height, &options);
    }
    if (a->encoder) return 0;
    animation_free(a);
    *out = NULL;
    return error_memory(e);
}

void animation_free(struct animation *a)
{
    if (!a) return;
    WebPAnimEncoderDelete(a->encoder);
    free(a);
}

/* NULL: the end. */
static int add(struct animation *a, WebPPicture *picture, struct error *e)
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
    if (cairo_image_surface_get_width(picture) != a->width ||
        cairo_image_surface_get_height(picture) != a->height)
        return error_failed(e, "a frame of an animation has another size");
    if (!WebPPictureAlloc(&frame)) return error_memory(e);
    const unsigned char *data = cairo_image_surface_get_data(picture);
    const size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    for (int y = 0; y < a->height; y++) {
        uint32_t *to = frame.argb + (size_t)y * (size_t)frame.argb_stride;
        memcpy(to, data + (size_t)y * stride, 4 * (size_t)a->width);
        for (int x = 0; x < a->width; x++) to[x] |= 0xFF000000; /* which RGB24 leaves open */
    }
    int status = add(a, &frame, e);
    a->time_ms += milliseconds;
    WebPPictureFree(&frame);
    return status;
}

/* A chunk at the end that names the program. */
static int mark(WebPData *data)
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
    int status = add(a, NULL, e);
    if (!status && (!WebPAnimEncoderAssemble(a->encoder, &data) || mark(&data)))
        status = error_memory(e);
    if (!status) status = atomic_file_bytes(path, data.bytes, data.size, e);
    WebPDataClear(&data);
    return status;
}

/* ---- film ------------------------------------------------------------------------------------ */

struct film {
    struct atomic_file file;
    FILE *pictures; /* into ffmpeg */
    pid_t ffmpeg;   /* 0: it does not run */
};

bool film_possible(void)
{
    const char *folders = getenv("PATH");
    bool found = false;
    while (folders && *folders && !found) {
        const size_t length = strcspn(folders, ":");
        FREED char *file = text_format("%.*s/ffmpeg", (int)length, folders);
        found = file && access(file, X_OK) == 0;
        folders += length + (folders[length] == ':');
    }
    return found;
}

/* With the pictures as its standard input, in a group of its own, which Ctrl-C does not reach, and
 * with no signal blocked. */
static int start(struct film *f, char *const argument[], int input)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&how, &none);
    const int why = posix_spawnp(&f->ffmpeg, argument[0], &files, &how, argument, environ);
    if (why) f->ffmpeg = 0;
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return why;
}

/* H.264 with a quarter of the colours' resolution is what every player has; it needs even sides. */
static int run(struct film *f, int width, int height, int milliseconds, int input)
{
    char size[32], rate[32], *target = text_format("file:%s", f->file.temp);
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "1000/%d", milliseconds);
    const char *const argument[] = {"ffmpeg",    "-nostdin",
                                    "-loglevel", "quiet",
                                    "-y",        "-f",
                                    "rawvideo",  "-pix_fmt",
                                    "bgr0",      "-s",
                                    size,        "-r",
                                    rate,        "-i",
                                    "pipe:0",    "-an",
                                    "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                    "-pix_fmt",  "yuv420p",
                                    "-c:v",      "libx264",
                                    "-crf",      "20",
                                    "-movflags", "+faststart",
                                    "-metadata", "comment=sciara",
                                    "-f",        "mp4",
                                    target,      NULL};
    const int why = target ? start(f, (char *const *)(size_t)argument, input) : ENOMEM;
    free(target);
    return why;
}

int film_create(struct film **out, const char *path, int width, int height, int milliseconds,
                struct error *e)
{
    struct film *f = *out = calloc(1, sizeof *f);
    int ends[2];
    if (!f) return error_memory(e);
    int status = atomic_file_open(&f->file, path, e), why = 0;
    if (!status && pipe(ends)) status = error_failed(e, "%s: %s", path, strerror(errno));
    if (!status) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        f->pictures = fdopen(ends[1], "wb");
        why = run(f, width, height, milliseconds, ends[0]);
        close(ends[0]);
        if (why || !f->pictures)
            status = error_failed(e, "%s: ffmpeg cannot be started: %s", path, strerror(why));
    }
    if (!status) return 0;
    film_abandon(f);
    *out = NULL;
    return status;
}

int film_add(struct film *f, cairo_surface_t *picture, struct error *e)
{
    const unsigned char *data = cairo_image_surface_get_data(picture);
    const int width = cairo_image_surface_get_width(picture),
              height = cairo_image_surface_get_height(picture);
    const size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    for (int y = 0; y < height; y++)
        if (fwrite(data + (size_t)y * stride, 4, (size_t)width, f->pictures) != (size_t)width)
            return error_failed(e, "%s: ffmpeg has ended before the film", f->file.path);
    return 0;
}

/* Ends the pictures and waits; returns whether ffmpeg is content. */
static bool end(struct film *f)
{
    int how = 1;
    const bool written = f->pictures && fclose(f->pictures) == 0;
    f->pictures = NULL;
    if (f->ffmpeg)
        while (waitpid(f->ffmpeg, &how, 0) < 0 && errno == EINTR) continue;
    f->ffmpeg = 0;
    return written && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

int film_finish(struct film *f, struct error *e)
{
    int status = end(f) ? atomic_file_finish(&f->file, e)
                        : error_failed(e, "%s: ffmpeg has failed; install an ffmpeg with libx264",
                                       f->file.path);
    film_abandon(f);
    return status;
}

void film_abandon(struct film *f)
{
    if (!f) return;
    if (f->ffmpeg) kill(f->ffmpeg, SIGTERM);
    end(f);
    if (f->file.stream) atomic_file_abandon(&f->file);
    free(f);
}
