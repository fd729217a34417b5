/* proj_library.c — libsciara_proj.so: linked with PROJ and libgeotiff, which proj_calls.c finds by it. */
#include <geotiff.h>
#include <proj.h>

/* Without a call linkers would leave the libraries out. */
extern const void *const sciara_proj_needs[];
const void *const sciara_proj_needs[] = {(const void *)proj_context_create, (const void *)GTIFFree};
