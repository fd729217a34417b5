/* kill_at.c — a library for LD_PRELOAD that ends a program at a chosen moment of its writing (tools/kills,
 * test_groups.sh).
 *
 * It counts the calls that change the content of a folder. With $KILL_IN it counts only calls that create or remove
 * a file name with this text. Before call number $KILL_AT the program gets the signal $KILL_BY. When the program
 * ends, the library writes the number of calls to the file $KILL_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

/* `name`: of the file that gets or loses it; NULL: the call changes no name of a file. */
static void count_call(const char *name)
{
    const char *at = getenv("KILL_AT"), *by = getenv("KILL_BY"), *in = getenv("KILL_IN");
    if (in && !(name && strstr(name, in))) return;
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == (at ? atoi(at) : 0) && by)
        kill(getpid(), atoi(by));
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("KILL_COUNT");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    fprintf(f, "%d\n", calls);
    fclose(f);
}

/* The function of the same name that the program would call without this library. */
#define CALL(name, changed, ...)                                                                   \
    count_call(changed);                                                                           \
    __typeof__(name) *const next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                    \
    return next(__VA_ARGS__)

int rename(const char *from, const char *to)
{
    CALL(rename, to, from, to);
}

int link(const char *from, const char *to)
{
    CALL(link, to, from, to);
}

int unlink(const char *path)
{
    CALL(unlink, path, path);
}

int remove(const char *path)
{
    CALL(remove, path, path);
}

int mkdir(const char *path, mode_t mode)
{
    CALL(mkdir, NULL, path, mode);
}

int rmdir(const char *path)
{
    CALL(rmdir, NULL, path);
}

int fsync(int file)
{
    CALL(fsync, NULL, file);
}

int fdatasync(int file)
{
    CALL(fdatasync, NULL, file);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    CALL(pwrite64, NULL, file, bytes, size, at);
}
