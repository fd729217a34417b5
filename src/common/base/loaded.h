/* loaded.h — loads a large library of the machine when it is needed, and finds its functions by name. sciara is not
 * linked with it. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Loads NAME.so.N with the greatest N, from `newest` down to `oldest`, that can be loaded; NULL: none can. All its
 * functions are bound at once, so that a library that does not fit the others is refused here; else its first call
 * would end the process. It is never unloaded, because the libraries that it depends on are not made for that. With
 * RTLD_DEEPBIND it calls these and not ours, which have other versions in a bundle. */
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

/* Stores the address of a function in the function pointer at `pointer`; false: the library does not have it. */
static inline bool loaded_find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}
