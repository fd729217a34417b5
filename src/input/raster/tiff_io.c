#include "tiff_io.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* libtiff asks a process-wide extender for tags that it does not know. The extender of this file is set once: it adds
 * GDAL's two tags and calls libgeotiff's extender. */
static TIFFExtendProc geotiff_extender;
static pthread_once_t extended = PTHREAD_ONCE_INIT;

static void add_gdal_tags(TIFF *tif)
{
    static char metadata[] = "GDALMetadata", nodata[] = "GDALNoDataValue";
    static const TIFFFieldInfo fields[] = {
        {TIFFTAG_GDAL_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, metadata},
        {TIFFTAG_GDAL_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, nodata},
    };

    TIFFMergeFieldInfo(tif, fields, sizeof fields / sizeof *fields);
    if (geotiff_extender) geotiff_extender(tif);
}

/* Whether libtiff warns that the value of a tag lies beyond the end of the file. libtiff drops such a tag, but a grid
 * without its nodata value is another grid. */
static bool is_truncation(const char *fmt)
{
    return strstr(fmt, "IO error during reading") != NULL;
}

static void keep_first(struct tiff_log *log, const char *fmt, va_list args)
{
    if (!log || log->text[0]) return;
    vsnprintf(log->text, sizeof log->text, fmt, args);
    const size_t named = strlen(log->path);
    if (strncmp(log->text, log->path, named) == 0 && strncmp(log->text + named, ": ", 2) == 0)
        memmove(log->text, log->text + named + 2, strlen(log->text + named + 2) + 1);
    for (char *p = log->text; *p; p++)
        if ((unsigned char)*p < ' ') *p = ' ';
}

/* Whether a file can be opened without waiting: libtiff would wait for the writer of a FIFO. */
static bool may_open(const char *path, const char *mode, struct tiff_log *log)
{
    struct stat s;
    if (*mode != 'r' || stat(path, &s) != 0 || S_ISREG(s.st_mode)) return true;
    snprintf(log->text, sizeof log->text, "not a regular file");
    return false;
}

#if TIFFLIB_VERSION >= 20221213 /* from libtiff 4.5 on, each handle has its own handlers */

static void extend_once(void)
{
    XTIFFInitialize();
    geotiff_extender = TIFFSetTagExtender(add_gdal_tags);
}

static int on_error(TIFF *tif, void *log, const char *module, const char *fmt, va_list args)
{
    keep_first(log, fmt, args);
    return 1; /* handled: do not print */
}

static int on_warning(TIFF *tif, void *log, const char *module, const char *fmt, va_list args)
{
    if (is_truncation(fmt)) {
        keep_first(log, fmt, args);
        ((struct tiff_log *)log)->tag_lost = true;
    }
    return 1;
}

TIFF *tiff_open(const char *path, const char *mode, struct tiff_log *log)
{
    TIFFOpenOptions *options;
    TIFF *tif;
    *log = (struct tiff_log){.path = path};
    if (!may_open(path, mode, log)) return NULL;
    tiff_prepare();
    options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, log);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 30);
    tif = TIFFOpenExt(path, mode, options);
    TIFFOpenOptionsFree(options);
    return tif;
}

#else
/* Before libtiff 4.5 all handles share one handler. It writes to the log of the handle that the thread opened last. */

static _Thread_local struct tiff_log *current_log;

static void on_error(const char *module, const char *fmt, va_list args)
{
    keep_first(current_log, fmt, args);
}

static void on_warning(const char *module, const char *fmt, va_list args)
{
    if (!current_log || !is_truncation(fmt)) return;
    keep_first(current_log, fmt, args);
    current_log->tag_lost = true;
}

static void extend_once(void)
{
    XTIFFInitialize();
    geotiff_extender = TIFFSetTagExtender(add_gdal_tags);
    TIFFSetErrorHandler(on_error);
    TIFFSetWarningHandler(on_warning);
}

TIFF *tiff_open(const char *path, const char *mode, struct tiff_log *log)
{
    *log = (struct tiff_log){.path = path};
    if (!may_open(path, mode, log)) return NULL;
    current_log = log;
    tiff_prepare();
    return TIFFOpen(path, mode);
}

#endif

void tiff_prepare(void)
{
    pthread_once(&extended, extend_once);
}

const char *tiff_reason(const struct tiff_log *log)
{
    return log->text[0] ? log->text : "libtiff gives no reason";
}
