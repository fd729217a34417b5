/* loaded.h — a large library that is loaded when it is needed, and its functions by their names. */
#ifndef SCIARA_LOADED_H
#define SCIARA_LOADED_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* NULL: it is not here. Functions are bound when they are called first, as few of them are. It
 * stays until the end: the libraries that it brings along do not foresee that they are unloaded. */
static inline void *loaded_open(const char *name)
{
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

/* `pointer` is to a pointer to a function. */
static inline bool loaded_find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

#endif
