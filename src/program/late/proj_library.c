/* proj_library.c — libsciara_proj.so. It is linked with PROJ and libgeotiff; proj_calls.c finds their functions in it. */
#include <geotiff.h>
#include <proj.h>

/* The linker omits a library unless some code refers to it. */
extern const void *const sciara_proj_needs[];
const void *const sciara_proj_needs[] = {(const void *)proj_context_create, (const void *)GTIFFree};
