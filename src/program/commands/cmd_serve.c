/* cmd_serve.c — `sciara serve INPUT`: a page on this machine where one draws an eruption and sees it. */
#include "cli.h"

#include "page/page.h"
#include "serve/serve.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct serving {
    struct serve_options of;
    int language;
    bool no_open;
};

#define AT(member) offsetof(struct serving, member)
static const struct option operands[] = {
    OPERAND("INPUT", option_text, of.input,
            "a case, a plan (.cfg), a library of eruptions (library.gpkg), a terrain, or a folder, "
            "of which the page lists these",
            .completes = COMPLETE_FILE, .optional = true, .preset = ".",
            .usual = "the current folder"),
    {0},
};
static const struct option options[] = {
    OPTION("--port", "N", option_int, of.port, "port of the page", .low = 1, .high = 65535,
           .usual = "one that is free"),
    OPTION("--listen", "ADDRESS", option_text, of.address,
           "address of this machine at which the page is served; with another than the default, "
           "whoever has the key can use it from elsewhere, and the way there is not encrypted",
           .preset = "127.0.0.1"),
    OPTION("--output", "DIR", option_text, of.folder,
           "folder in which the page saves cases and plans", .completes = COMPLETE_FOLDER,
           .preset = "output/serve"),
    OPTION("--language", "NAME", option_choice, language, "language of the page",
           .choices = page_languages, .usual = "en"),
    OPTION("--threads", "N", option_int, of.threads, "threads that compute", .low = 1, .high = 1024,
           .usual = "all processors"),
    OPTION_FLAG("--no-open", no_open, "print the address alone, and open no browser"),
    {0},
};

#ifdef SCIARA_SERVE

/* Where a browser can be shown; xdg-open leaves it to the desktop. */
static void open_browser(const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    const pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        if (fork()) _exit(0); /* the child of nobody who would wait */
        execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(1);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static int serve(void *request, struct error *e)
{
    struct serving *q = request;
    struct house *h = NULL;
    const struct timespec second = {1, 0};
    char address[256];
    sigset_t ends, before;
    signal(SIGPIPE, SIG_IGN);
    q->of.language = page_languages[q->language];
    const int status = house_open(&h, &q->of, e);
    if (status) return status;
    house_address(h, address);
    printf("page          %s\n", address);
    printf("saves to      %s\n", q->of.folder);
    printf("Ctrl-C ends it\n");
    fflush(stdout);
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    if (!q->no_open) open_browser(address);
    while (sigtimedwait(&ends, NULL, &second) < 0) house_sweep(h);
    house_close(h);
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
    .exits = command_exits,
    COMMAND_OF(struct serving, serve),
};
