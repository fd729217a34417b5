/* loaded.h — loads a large library of the machine when it is needed, and finds its functions by name. sciara is not
 * linked with such a library. */
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Loads the library NAME.so.N of the machine with the greatest N from `newest` to `oldest` that can be loaded; NULL:
 * none can. `found` gets the name of the file. RTLD_NOW refuses a library that needs a function which the machine
 * lacks; later a call of the missing function would end the process. RTLD_NODELETE keeps the library, because the
 * libraries that it needs cannot be unloaded safely. RTLD_DEEPBIND: the library calls the libraries of the machine,
 * even if a bundle of sciara has other versions of them. */
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
