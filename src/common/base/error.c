#include "error.h"

#include "memory.h"

#include <stdarg.h>
#include <stdio.h>

static int set_error(struct error *e, enum error_code code, const char *fmt, va_list args)
{
    if (e) {
        e->code = code;
        vsnprintf(e->text, sizeof e->text, fmt, args);
    }
    return code;
}

#define DEFINE(name, code)                                                                         \
    int name(struct error *e, const char *fmt, ...)                                                \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, fmt);                                                                       \
        int result = set_error(e, code, fmt, args);                                                \
        va_end(args);                                                                              \
        return result;                                                                             \
    }

DEFINE(error_failed, ERROR_FAILED)
DEFINE(error_input, ERROR_INPUT)
DEFINE(error_device, ERROR_DEVICE)

int error_line(struct error *e, const char *path, int line, const char *fmt, ...)
{
    char what[sizeof e->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return error_input(e, "%s:%d: %s", path, line, what);
}

int error_cancelled(struct error *e)
{
    if (e) *e = (struct error){ERROR_CANCELLED, "cancelled"};
    return ERROR_CANCELLED;
}

int error_memory(struct error *e)
{
    if (memory_is_limited())
        return error_failed(
            e, "out of memory: `ulimit -v` limits the address space, and a large terrain "
               "reserves more of it than the memory that it uses; raise the limit");
    return error_failed(e, "out of memory");
}
