/* painters_load.c — the painters in libsciara_show.so, or linked; show/plain/plain_png.c is in its place in a program without them. */
#define _GNU_SOURCE /* dladdr1 */
#include "painters.h"

#include "base/lock.h"
#include "text/textfile.h"

#include "sciara.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libsciara_show.so"

const unsigned painters_lack = 0;
const char painters_about[] = "PNG, SVG, PDF, HTML, KMZ, QGIS, WebP, MP4 by " LIBRARY;

#ifdef SCIARA_PAINTERS_LINKED

extern const struct painters sciara_painters;
const struct painters *painters_load(struct error *e)
{
    return &sciara_painters;
}

#else

/* The file that this code is in: the program, or a library; "" where neither is known. */
static void find_us(char path[PATH_MAX])
{
    static const char here;
    Dl_info in;
    struct link_map *map = NULL;
    *path = '\0';
    if (!dladdr1(&here, &in, (void **)&map, RTLD_DL_LINKMAP)) return;
    if (map && *map->l_name) {
        if (!realpath(map->l_name, path)) *path = '\0';
        return;
    }
    const ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[size > 0 ? size : 0] = '\0';
}

/* Beside us, of bin and tests in ../lib/sciara, of lib in sciara; or where the loader looks. */
static void *open_library(void)
{
    static const char *const places[] = {"", "sciara/", "../lib/sciara/"};
    char us[PATH_MAX];
    void *library = NULL;
    find_us(us);
    char *slash = strrchr(us, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places && !library; i++) {
        FREED char *path = text_format("%.*s/%s" LIBRARY, (int)(slash - us), us, places[i]);
        if (path && access(path, R_OK) == 0)
            library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    }
    return library ? library : dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

static void refuse_library(struct error *e, const char *why)
{
    error_failed(e, "pictures need " LIBRARY ", which was installed with sciara: %s", why);
}

const struct painters *painters_load(struct error *e)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const struct painters *found; /* once and for all */
    LOCKED(&lock);
    if (found) return found;
    void *library = open_library();
    const struct painters *p = library ? dlsym(library, "sciara_painters") : NULL;
    if (!library) refuse_library(e, dlerror());
    else if (!p || p->abi != PAINTERS_ABI || strcmp(p->version, SCIARA_VERSION) != 0)
        refuse_library(e, "this one is of another version");
    else found = p;
    return found;
}

#endif
