/* gdal_library.c — loads GDAL, and keeps it quiet. */
#include "gdal_library.h"

#ifdef SCIARA_WITH_GDAL
#include "base/loaded.h"
#include "text/scan.h"

#include <stdio.h>

/* Numbers of libgdal.so: 26 is GDAL 3.0, 38 is GDAL 3.12, and later releases have higher numbers. */
enum { OLDEST = 26, NEWEST = 60 };

bool gdal_load(struct gdal *g)
{
    g->library = loaded_newest("libgdal", NEWEST, OLDEST, g->name);
    bool all = g->library != NULL;
#define FIND(call) all = all && loaded_find(g->library, #call, &g->call);
    GDAL_CALLS(FIND)
#undef FIND
    return all;
}

bool gdal_version(char out[64])
{
    struct gdal g;
    if (!gdal_load(&g)) return false;
    snprintf(out, 64, "%s (GDAL %.24s)", g.name, g.GDALVersionInfo("RELEASE_NAME"));
    return true;
}

/* Replaces GDAL's printing to stderr; GDAL still keeps the last error. */
static void print_nothing(CPLErr class, CPLErrorNum number, const char *text) {}

static void set_each(const struct gdal *g, const char *const options[][2], size_t count, bool on)
{
    for (size_t i = 0; i < count; i++)
        g->CPLSetThreadLocalConfigOption(options[i][0], on ? options[i][1] : NULL);
}

/* Sets options so that neither the environment nor the file makes GDAL do more than read the file. With g->network,
 * also lets GDAL read files at addresses, through the proxy of the environment. `on` false: unsets all these options. */
static void set_options(const struct gdal *g, bool on)
{
    static const char *const network[][2] = {
        {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS", ".tif,.tiff"},
        {"CPL_VSIL_CURL_ALLOWED_FILENAME", NULL},
        /* cache of downloaded bytes, since some cells are read twice */
        {"CPL_VSIL_CURL_CACHE_SIZE", "134217728"},
        {"GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR"},
        {"GDAL_HTTPS_PROXY", NULL},
        {"GDAL_HTTP_CONNECTTIMEOUT", "10"},
        {"GDAL_HTTP_LOW_SPEED_LIMIT", "1"}, /* bytes per second */
        {"GDAL_HTTP_LOW_SPEED_TIME", "10"},
        {"GDAL_HTTP_MAX_RETRY", "1"},
        {"GDAL_HTTP_PROXY", NULL},
        {"GDAL_HTTP_RETRY_DELAY", "0.5"},
        {"GDAL_HTTP_TIMEOUT", "120"},
    };
    static const char *const options[][2] = {
        {"CPL_DEBUG", "OFF"},
        {"CPL_VSIL_CURL_ALLOWED_FILENAME", "none"}, /* GDAL opens no addresses (/vsicurl/) */
        {"GDAL_CACHEMAX", "64"},                    /* MB of decoded blocks */
        {"GDAL_DRIVER_PATH", "disable"},            /* no plugins */
        {"GDAL_HTTPS_PROXY", "0.0.0.0:0"},
        {"GDAL_HTTP_CONNECTTIMEOUT", "1"}, /* s */
        {"GDAL_HTTP_MAX_RETRY", "0"},
        {"GDAL_HTTP_PROXY", "0.0.0.0:0"}, /* no server has this address */
        {"GDAL_HTTP_TIMEOUT", "1"},
        {"GDAL_NUM_THREADS", "1"},  /* other threads would not see these options */
        {"GDAL_PAM_ENABLED", "NO"}, /* no .aux.xml */
        {"GDAL_SKIP", ""},
        {"GTIFF_REPORT_COMPD_CS", "YES"}, /* the CRS includes its vertical part */
        {"GDAL_VRT_ENABLE_PYTHON", "NO"},
        {"GDAL_VRT_ENABLE_RAWRASTERBAND", "NO"},
        {"LIBKML_EXTERNAL_STYLE", "NO"},
        {"LIBKML_RESOLVE_STYLE", "NO"},
        {"OGR_ORGANIZE_POLYGONS", "DEFAULT"},
        {"OGR_SKIP", ""},
        {"OGR_SQLITE_ALLOW_EXTERNAL_ACCESS", "NO"},
        {"OGR_SQLITE_LOAD_EXTENSIONS", ""},
        {"OGR_SQLITE_PRAGMA", ""},
        {"PROJ_NETWORK", "OFF"},
        {"SHAPE_RESTORE_SHX", "NO"}, /* no new file */
        {"SQLITE_USE_OGR_VFS", "NO"},
    };
    set_each(g, options, sizeof options / sizeof *options, on);
    if (g->network) set_each(g, network, sizeof network / sizeof *network, on);
}

void gdal_enter(const struct gdal *g)
{
    g->CPLPushErrorHandlerEx(print_nothing, NULL);
    set_options(g, true);
    g->CPLErrorReset();
    g->GDALAllRegister();
    g->CPLErrorReset();
}

void gdal_leave(const struct gdal *g)
{
    set_options(g, false);
    g->CPLPopErrorHandler();
}

bool gdal_failed(const struct gdal *g)
{
    return g->CPLGetLastErrorType() >= CE_Failure;
}

char *gdal_reason(const struct gdal *g, const char *otherwise, char out[256])
{
    snprintf(out, 256, "%.200s", gdal_failed(g) ? g->CPLGetLastErrorMsg() : otherwise);
    scan_make_printable(out);
    return out;
}

#else
bool gdal_version(char out[64])
{
    return false;
}
#endif
