/* loaded.h — a large library of the machine that is loaded when it is needed, and its functions by
 * their names: sciara is built without it. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Loads the newest NAME.so.N that the machine has, of N from `newest` to `oldest`; NULL: none can be
 * loaded. All its functions are bound at once: a library that does not fit the others is then refused
 * here, where it would else end the process at its first call. It is never unloaded, because the
 * libraries that it brings along are not made for that. RTLD_DEEPBIND lets it call these rather than
 * ours, which in a bundle are of other versions. */
#ifdef __SANITIZE_ADDRESS__
#undef RTLD_DEEPBIND /* sanitizers have to be first */
#define RTLD_DEEPBIND 0
#endif
static inline void *loaded_newest(const char *name, int newest, int oldest, char found[32])
{
    void *library = NULL;
    for (int i = newest; i >= oldest && !library; i--) {
        snprintf(found, 32, "%s.so.%d", name, i);
        library = dlopen(found, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | RTLD_DEEPBIND);
    }
    return library;
}

/* `pointer` is to a pointer to a function. */
static inline bool loaded_find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}
