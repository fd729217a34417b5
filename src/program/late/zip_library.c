/* zip_library.c — libsciara_zip.so. It is linked with libzip; zip_calls.c finds its functions in it. */
#include <zip.h>

/* The linker omits a library unless some code refers to it. */
extern const void *const sciara_zip_needs[];
const void *const sciara_zip_needs[] = {(const void *)zip_open};
