/* geotiff_seal.h — the last 16 bytes of a sealed file: "sciara ", the CRC-32 of all bytes before as
 * 8 hexadecimal digits, and an end of line; internal. Readers of TIFF do not look there. */
#ifndef SCIARA_GEOTIFF_SEAL_H
#define SCIARA_GEOTIFF_SEAL_H

#include <stdbool.h>
#include <stdio.h>

enum { SEAL_BYTES = 16 };
enum seal { SEAL_GOOD, SEAL_BROKEN, SEAL_NONE };

/* Appends the seal to the file at `path`, which `stream` is open for; false: errno may say why. */
bool seal_put(FILE *stream, const char *path);

enum seal seal_check(const char *path); /* SEAL_NONE also for a file that cannot be read */

#endif
