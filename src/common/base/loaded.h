/* loaded.h — loads a large library of the machine when it is needed, and finds its functions by name. sciara is not
 * linked with such a library. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Of the libraries NAME.so.N of the machine, loads the one with the greatest N from `oldest` to `newest` that can be
 * loaded; NULL: none can. `found` gets the name of its file. RTLD_NOW refuses a library that needs functions which the
 * machine lacks, because the first call of such a function would end the process. RTLD_NODELETE: other libraries that it
 * has loaded cannot be unloaded safely. RTLD_DEEPBIND makes it call these, and no other versions in a bundle of sciara. */
#ifdef __SANITIZE_ADDRESS__
#undef RTLD_DEEPBIND /* a sanitizer's functions have to be found first */
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
