/* painters_load.c — finds the painters in libsciara_show.so or in the program. show/plain/plain_png.c replaces this file
 * in a program without painters. */
#include "painters.h"

#include "base/lock.h"
#include "base/own_library.h"

#include "sciara.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY          "libsciara_show.so"
#define ABOUT(NAME, ...) #NAME " "

const unsigned painters_lack = 0;
const char painters_about[] = PAINTED_LIST(ABOUT) "by " LIBRARY;

#ifdef SCIARA_PAINTERS_LINKED

extern const struct painters sciara_painters;
const struct painters *painters_load(struct error *e)
{
    return &sciara_painters;
}

#else

static void refuse_library(struct error *e, const char *why)
{
    error_failed(e,
                 "pictures and pages need " LIBRARY ", which belongs to sciara: %s; install sciara "
                 "again, or choose formats that are not painted, such as geotiff",
                 why);
}

const struct painters *painters_load(struct error *e)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const struct painters *found; /* set once, by the first call */
    LOCKED(&lock);
    if (found) return found;
    void *library = own_library_open(LIBRARY);
    const struct painters *p = library ? dlsym(library, "sciara_painters") : NULL;
    if (!library) refuse_library(e, dlerror());
    else if (!p || p->abi != PAINTERS_ABI || strcmp(p->version, SCIARA_VERSION) != 0)
        refuse_library(e, "this one is of another version");
    else found = p;
    return found;
}

#endif
