/* cmd_serve.c — `sciara serve INPUT`: a page on this machine where one draws an eruption and sees it. */
#include "run.h"

#include "serve/serve.h"
#include "text/textfile.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct serving {
    struct serve_options of;
    bool no_open;
};

#define AT(member) offsetof(struct serving, member)
static const struct option words[] = {
    OPERAND("INPUT", option_text, of.input,
            "a case, a plan (.cfg), a library of eruptions (library.gpkg), a terrain, or a folder, "
            "of which the page lists these",
            .completes = COMPLETE_FILE, .optional = true, .preset = ".",
            .usual = "the current folder"),
    OPTION("--port", "N", option_int, of.port, "port of the page", .low = 1, .high = 65535,
           .usual = "one that is free"),
    OPTION("--listen", "ADDRESS", option_text, of.address,
           "address of this machine at which the page is served; with another than the default, "
           "whoever has the key can use it from elsewhere, and the way there is not encrypted",
           .preset = "127.0.0.1"),
    OPTION("--output", "DIR", option_text, of.folder,
           "folder in which the page saves cases and plans", .completes = COMPLETE_FOLDER,
           .preset = "output/serve"),
    RUN_OPTION_LANGUAGE(of.language, "language of the page"),
    OPTION("--threads", "N", option_int, of.threads, "threads that compute", .low = 1, .high = 1024,
           .usual = "all processors"),
    OPTION_FLAG("--no-open", no_open, "print the address alone, and open no browser"),
    {0},
};

#ifdef SCIARA_SERVE

enum { ADDRESSES = 8, OPEN_S = 60 };

static void remove_opener(char **path)
{
    char *slash = *path ? strrchr(*path, '/') : NULL;
    if (slash) {
        unlink(*path);
        *slash = '\0';
        rmdir(*path);
    }
    free(*path);
    *path = NULL;
}

/* Everybody on this machine can read the words of a command: a file, which nobody else can open, leads the browser to
 * the address. Its path, in a folder of its own, malloc'ed; NULL: there is none. */
static char *write_opener(const char *address)
{
    const char *in = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    if (!in || *in != '/') in = temporary && *temporary == '/' ? temporary : "/tmp";
    FREED char *folder = text_format("%s/sciara-open-XXXXXX", in);
    if (!folder || !mkdtemp(folder)) return NULL;
    char *path = text_format("%s/sciara.html", folder);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    if (f)
        fprintf(f,
                "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" "
                "content=\"0; url=%s\">\n<title>Sciara</title>\n<a href=\"%s\">Sciara</a>\n",
                address, address);
    if (f && !fclose(f)) return path;
    if (file >= 0 && !f) close(file);
    remove_opener(&path);
    return NULL;
}

/* Where a browser can be shown; xdg-open leaves it to the desktop. The file that it opens is to be removed. */
static char *open_browser(const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return NULL;
    char *path = write_opener(address);
    const pid_t child = path ? fork() : -1;
    if (!child) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        if (fork()) _exit(0); /* the child of nobody who would wait */
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        _exit(1);
    }
    if (child > 0) waitpid(child, NULL, 0);
    return path;
}

static int serve(void *request, struct error *e)
{
    struct serving *q = request;
    struct served *h = NULL;
    const struct timespec second = {1, 0};
    char address[ADDRESSES][HTTP_ADDRESS], *opener = NULL;
    sigset_t ends, before;
    signal(SIGPIPE, SIG_IGN);
    if (!q->of.language) q->of.language = *words_languages;
    const int status = served_open(&h, &q->of, e);
    if (status) return status;
    const int count = served_addresses(h, address, ADDRESSES);
    /* (who reads the address may end it at once) */
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    printf("page          %s\n", address[0]);
    for (int i = 1; i < count; i++) printf("from outside  %s\n", address[i]);
    printf("saves to      %s\n", q->of.folder);
    printf("Ctrl-C ends it\n");
    if (!q->no_open) opener = open_browser(address[0]);
    for (int seconds = 0; sigtimedwait(&ends, NULL, &second) < 0;) {
        served_sweep(h);
        if (++seconds == OPEN_S) remove_opener(&opener);
    }
    remove_opener(&opener);
    served_close(h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return 0;
}

#else

static int serve(void *request, struct error *e)
{
    return error_input(e, "serve: this program was built without libmicrohttpd; install it "
                          "(Debian, Ubuntu: libmicrohttpd-dev) and build again");
}

#endif

const struct command command_serve = {
    .name = "serve",
    .summary = "a page for the browser where one draws an eruption and sees it",
    .about =
        "Serves a page on this machine: a map of the terrain, on which one draws vents, fissures, "
        "walls, channels and places of interest, and gives rates. The flow grows on the map while "
        "it is computed; an ensemble shows its probability while its members come in; a library "
        "answers questions. What is drawn can be saved as a case or a plan, with which `sciara "
        "run` "
        "has the same digest. The address that is printed has a key, without which nothing is "
        "answered; keep it to yourself.",
    .examples = "sciara serve\n"
                "sciara serve volcano.cfg\n"
                "sciara serve dem.tif --no-open --port 8080\n"
                "sciara serve output/volcano-ensemble/library.gpkg\n",
    COMMAND_OF(struct serving, serve),
};
