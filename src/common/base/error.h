/* error.h — how library code reports errors.
 *
 * A function that can fail takes a `struct error *` last and returns 0, or one of the codes below
 * after writing one line of text: `file:line: what is wrong; what to do about it`.
 * Only the command-line layer prints, and it uses the code as the exit status. */
#pragma once

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum error_code {
    ERROR_NONE = 0,
    ERROR_FAILED = 1,    /* disk full, CUDA error, out of memory, a ledger that does not close */
    ERROR_INPUT = 2,     /* invalid input */
    ERROR_DEVICE = 3,    /* no such CUDA device, or the variant was not built */
    ERROR_CANCELLED = 4, /* cancelled by the caller (file_progress.h) */
};

struct error {
    enum error_code code;
    char text[1024];
};

/* Each function writes its message into *e and returns its code. e may be NULL. */
#if defined(__GNUC__)
#define ERROR_FORMAT(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#else
#define ERROR_FORMAT(format_at, values_at)
#endif
ERROR_FORMAT(2, 3) int error_failed(struct error *e, const char *fmt, ...);
ERROR_FORMAT(2, 3) int error_input(struct error *e, const char *fmt, ...);
ERROR_FORMAT(2, 3) int error_device(struct error *e, const char *fmt, ...);
/* error_input() for a line of a file: "PATH:LINE: " and the message. */
ERROR_FORMAT(4, 5)
int error_line(struct error *e, const char *path, int line, const char *fmt, ...);
int error_cancelled(struct error *e);
int error_memory(struct error *e); /* "out of memory", ERROR_FAILED */

/* FREED before a local pointer calls free() with the pointer at the end of its scope. FREED_BY(DESTROY) before a local
 * variable calls DESTROY(&variable) there. So a function can return where it fails. A FREED pointer is initialized
 * where it is declared. At every `return` after the declaration, the variable must be in a state that DESTROY can
 * destroy. */
static inline void error_free_at(void *variable)
{
    free(*(void **)variable);
}
/* `unused`: no warning if only the cleanup uses the variable. */
#define FREED             FREED_BY(error_free_at)
#define FREED_BY(DESTROY) __attribute__((cleanup(DESTROY), unused))

/* Calls free() for each of these pointers. */
static inline void error_free_all(size_t count, void *const *pointer)
{
    for (size_t i = 0; i < count; i++) free(pointer[i]);
}
#define FREE_ALL(...)                                                                              \
    error_free_all(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})
/* Frees these pointers of *structure, then fills *structure with zeros. */
#define RELEASE(structure, ...)                                                                    \
    (FREE_ALL(__VA_ARGS__), (void)memset(structure, 0, sizeof *(structure)))

#ifdef __cplusplus
}
#endif
