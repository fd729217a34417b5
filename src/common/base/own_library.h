/* own_library.h — loads separate libraries of sciara. They have the parts that few users need, and libraries that only
 * these parts need. */
#pragma once

#include <limits.h>

/* Finds the file that has this code: the program, or a library of sciara; "": not known. */
void own_library_path(char path[PATH_MAX]);

/* Opens a library of sciara. It is searched in the folder of this code, in its folder sciara (for lib), in
 * ../lib/sciara (for bin and tests), and then where the loader looks. It is never closed. NULL: dlerror() has the
 * reason. */
void *own_library_open(const char *name);
