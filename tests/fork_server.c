/* fork_server.c — starts a program repeatedly, as the shell tests do, without loading its shared objects each time.
 * Most of the time of a sciara that refuses its input is that of the dynamic linker.
 *
 *     LD_PRELOAD=fork_server.so FORK_SERVER=LIBRARY:LIBRARY... PROGRAM <requests >answers
 *
 * The libraries are those that the program opens itself when it needs them. The server opens them at its third request, and
 * GDAL with them if FORK_SERVER_GDAL is set.
 *
 * The library replaces __libc_start_main(), which is called when everything is loaded, before the program begins. It
 * forks for each request. The child continues as the program, with the arguments, environment, folder, limits and
 * standard streams of the request. tests/check.sh sends the requests.
 *
 * A request consists of texts that end with NUL. They are: the process that asks; its folder; the files for standard
 * output and standard error; the seconds after which the child is stopped (0: never); the number of arguments, and
 * the arguments; the number of variables, and NAME=VALUE of each. An answer is a line with the exit status as in the
 * shell. */
#define _GNU_SOURCE
#include "../src/common/base/loaded.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXTS = 1 << 20, WORDS = 4096, MANY = 3 };
static char texts[TEXTS]; /* of the request at hand */
static char *filled;      /* the end of what has been read of it: who asks waits for the answer */

struct request {
    pid_t asking;
    char *folder, *out, *err;
    unsigned seconds;
    int arguments, variables;
    char *argument[WORDS + 1], *variable[WORDS + 1]; /* each with NULL at its end */
};

/* The next text of the requests, at *end. At their end the server ends. */
static char *read_text(char **end)
{
    char *text = *end;
    do {
        if (*end < filled) continue;
        ssize_t more = read(STDIN_FILENO, filled, (size_t)(texts + TEXTS - filled));
        if (more <= 0) _exit(0);
        filled += more;
    } while (*(*end)++);
    return text;
}

static int read_texts(char **end, char **word)
{
    int count = atoi(read_text(end));
    if (count > WORDS) _exit(126);
    for (int i = 0; i < count; i++) word[i] = read_text(end);
    word[count] = NULL;
    return count;
}

static void read_request(struct request *r)
{
    char *end = filled = texts;
    r->asking = atoi(read_text(&end));
    r->folder = read_text(&end);
    r->out = read_text(&end);
    r->err = read_text(&end);
    r->seconds = (unsigned)atoi(read_text(&end));
    r->arguments = read_texts(&end, r->argument);
    r->variables = read_texts(&end, r->variable);
}

/* As a redirection of the shell: a file that is opened anew, in place of this stream. */
static void redirect_stream(const char *path, int flags, int stream)
{
    int file = open(path, flags, 0666);
    if (file < 0) _exit(126);
    dup2(file, stream);
    if (file != stream) close(file);
}

/* The child is what the shell would have started: only its shared objects are there before it begins. */
static void become_child(struct request *r)
{
    char input[40];
    for (int limit = 0; limit < RLIM_NLIMITS; limit++) {
        struct rlimit asked;
        if (!prlimit(r->asking, limit, NULL, &asked)) setrlimit(limit, &asked);
    }
    if (chdir(r->folder)) _exit(126);
    snprintf(input, sizeof input, "/proc/%d/fd/0", (int)r->asking);
    redirect_stream(access(input, F_OK) ? "/dev/null" : input, O_RDONLY, 0);
    redirect_stream(r->out, O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect_stream(r->err, O_WRONLY | O_CREAT | O_TRUNC, 2);
    environ = r->variable;
    alarm(r->seconds);
}

/* Also loads the configuration of fontconfig, if a library depends on it. */
static void open_libraries(char *names)
{
    for (char *name = strtok(names, ":"); name; name = strtok(NULL, ":")) {
        void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        int (*find_fonts)(void) = library ? (int (*)(void))dlsym(library, "FcInit") : NULL;
        if (find_fonts) find_fonts();
    }
}

/* As the program does (src/input/raster/gdal_library.c). A server of one thread can fork. AddressSanitizer, with which the
 * program opens libraries in another way, ends a process that opens one so. */
static void open_gdal(void)
{
    char name[32];
    if (dlsym(RTLD_DEFAULT, "__asan_init")) return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    loaded_newest("libgdal", 60, 26, name);
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                      void *);
int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    static struct request r;
    char *libraries = getenv("FORK_SERVER");
    if (!libraries) return start(program, argc, argv, init, fini, loader_fini, stack_end);
    signal(SIGINT, SIG_DFL); /* which the shell ignores for what runs in the background */
    signal(SIGQUIT, SIG_DFL);
    int requests = 0;
    for (pid_t child = 1; child;) {
        int status;
        read_request(&r);
        if (++requests == MANY) {
            open_libraries(libraries);
            if (getenv("FORK_SERVER_GDAL")) open_gdal();
        }
        child = fork();
        if (child < 0 || (child && waitpid(child, &status, 0) != child)) _exit(126);
        if (child)
            dprintf(STDOUT_FILENO, "%d\n",
                    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    become_child(&r);
    return start(program, r.arguments, r.argument, init, fini, loader_fini, stack_end);
}
