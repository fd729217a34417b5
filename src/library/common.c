/* common.c — shared by all parts of the library: errors, and structures of other versions. */
#include "inside.h"
#include "library.h"

#include <string.h>

enum { SIZE_LARGEST = 1 << 16 }; /* above the size of any version of a structure */

int return_error(struct sciara_error *e, const struct error *mine)
{
    if (!e) return mine->code;
    e->status = mine->code;
    memcpy(e->text, mine->text, sizeof e->text);
    return mine->code;
}

int error_of_sciara(const struct sciara_error *why, struct error *e)
{
    e->code = (enum error_code)why->status;
    memcpy(e->text, why->text, sizeof e->text);
    return why->status;
}

int structure_read(void *mine, size_t size, size_t least, const void *given, const char *what,
                   struct error *e)
{
    size_t given_size;
    if (!given) return 0;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < least || given_size > SIZE_LARGEST)
        return error_input(e, "%s: its size is %zu; fill it with sciara_%s_init() first", what,
                           given_size, what);
    for (size_t i = size; i < given_size; i++)
        if (((const char *)given)[i])
            return error_input(
                e, "%s: sets a field that version %s does not have; use a newer library", what,
                SCIARA_VERSION);
    memcpy(mine, given, given_size < size ? given_size : size);
    return 0;
}

void structure_write(void *given, size_t size, const void *mine, size_t mine_size)
{
    memset(given, 0, size);
    memcpy(given, mine, size < mine_size ? size : mine_size);
    memcpy(given, &size, size < sizeof size ? size : sizeof size);
}
