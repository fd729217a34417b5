/* own_library.h — loads separate libraries of sciara. A separate library has a part of sciara that few users need.
 * So only these users load the other libraries that this part needs. */
#pragma once

#include <limits.h>

/* Finds the file that has this code: the program, or a library of sciara; "": not known. */
void own_library_path(char path[PATH_MAX]);

/* Opens a library of sciara. Looks first in the folder of the file that has this code, then in its subfolder sciara,
 * in ../lib/sciara, and where the loader usually looks. The library is never closed. NULL: dlerror() has the reason. */
void *own_library_open(const char *name);
