/* own_library.h — a part of sciara that few need is a library of its own, with libraries that only it needs. */
#pragma once

#include <limits.h>

/* Finds the file that this code was loaded from: the program, or a library of ours; "": that is not known. */
void own_library_path(char path[PATH_MAX]);

/* Opens a library of ours beside this code (from bin and tests in ../lib/sciara, from lib in sciara), or where the loader looks.
 * It is never closed. NULL: dlerror() says why. */
void *own_library_open(const char *name);
