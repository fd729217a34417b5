/* filekind.h — the kind of a file that was given in place of a case. */
#ifndef SCIARA_FILEKIND_H
#define SCIARA_FILEKIND_H

/* "a TIFF image", "a CSV table", ...: by its first bytes; NULL where it may be a case file, or
 * cannot be read at all. */
const char *filekind_not_a_case(const char *path);

#endif
