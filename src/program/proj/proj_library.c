/* proj_library.c — libsciara_proj.so: linked with PROJ and libgeotiff, which proj_calls.c finds by it. */
#include <geotiff.h>
#include <proj.h>

/* Linkers leave out libraries of which nothing is called or pointed at. */
extern const void *const sciara_proj_needs[];
const void *const sciara_proj_needs[] = {(const void *)proj_context_create, (const void *)GTIFFree};
