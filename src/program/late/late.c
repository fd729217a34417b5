#include "late.h"

#include "base/own_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void end_without(const struct late_library *l)
{
    fprintf(
        stderr,
        "sciara: %s %s, which belongs to sciara: %s; install sciara again, or give it more memory "
        "(`ulimit -v`)\n",
        l->use, l->name, dlerror());
    exit(EXIT_FAILURE);
}

void *late_find(struct late_library *from, const char *name)
{
    /* Threads that open the library at the same time get the same handle. */
    if (!from->handle) from->handle = own_library_open(from->name);
    if (!from->handle) end_without(from);
    void *found = dlsym(from->handle, name);
    if (!found) end_without(from);
    return found;
}
