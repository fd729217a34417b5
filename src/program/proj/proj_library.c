/* proj_library.c — libsciara_proj.so, linked with PROJ and libgeotiff, which proj_calls.c finds through it. */
#include <geotiff.h>
#include <proj.h>

/* A linker omits libraries to which nothing refers. */
extern const void *const sciara_proj_needs[];
const void *const sciara_proj_needs[] = {(const void *)proj_context_create, (const void *)GTIFFree};
