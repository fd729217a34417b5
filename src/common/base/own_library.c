/* own_library.c — libraries that are part of sciara and are loaded when they are needed. */
#define _GNU_SOURCE /* dladdr1 */
#include "own_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void own_library_path(char path[PATH_MAX])
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

void *own_library_open(const char *name)
{
    static const char *const places[] = {"", "sciara/", "../lib/sciara/"};
    char us[PATH_MAX], path[PATH_MAX + 64];
    own_library_path(us);
    char *slash = strrchr(us, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s/%s%s", (int)(slash - us), us, places[i], name);
        if (access(path, R_OK) == 0) return dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    }
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}
