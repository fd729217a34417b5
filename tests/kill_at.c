/* kill_at.c — a library for LD_PRELOAD that ends a program at a chosen moment of its writing (tools/kills).
 *
 * It counts the calls that change what is in a folder. Before call number $KILL_AT the program gets the signal $KILL_BY; at
 * its end their number goes to the file $KILL_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

static void count_call(void)
{
    const char *at = getenv("KILL_AT"), *by = getenv("KILL_BY");
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
#define CALL(name, ...)                                                                            \
    count_call();                                                                                  \
    __typeof__(name) *const next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                    \
    return next(__VA_ARGS__)

int rename(const char *from, const char *to)
{
    CALL(rename, from, to);
}

int unlink(const char *path)
{
    CALL(unlink, path);
}

int remove(const char *path)
{
    CALL(remove, path);
}

int mkdir(const char *path, mode_t mode)
{
    CALL(mkdir, path, mode);
}

int rmdir(const char *path)
{
    CALL(rmdir, path);
}

int fsync(int file)
{
    CALL(fsync, file);
}

int fdatasync(int file)
{
    CALL(fdatasync, file);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    CALL(pwrite64, file, bytes, size, at);
}
