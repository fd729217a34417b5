/* loaded.h — a large library of the machine that is loaded when it is needed, and its functions by
 * their names: sciara is built without it. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The newest NAME.so.N that there is, of N from `newest` to `oldest`; NULL: none that can be loaded.
 * All its functions are bound at once, so that one which does not fit to other libraries is not
 * loaded, where it would else end the process when it is called. It stays until the end: the
 * libraries that it brings along do not foresee that they are unloaded. It calls these before ours, which
 * in a bundle are of another age. */
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
