/* serving.c — the entry of libsciara_serve.so: serves a page until a signal ends it. */
#include "serve.h"

#include "text/textfile.h"
#include "text/words.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Writes a file, in a new folder, that leads the browser to the address. All users could read an address and its key on
 * a command line; only this user can read the file. Returns the path, malloc'ed; NULL: the file cannot be written. */
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

/* Opens a browser by xdg-open, if there is a desktop. Returns the path of the file that leads to the page; the caller removes
 * this file. NULL: there is none. */
static char *open_browser(const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return NULL;
    char *path = write_opener(address);
    const pid_t child = path ? fork() : -1;
    if (!child) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        if (fork()) _exit(0); /* the grandchild runs on; init waits for it */
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        _exit(1);
    }
    if (child > 0) waitpid(child, NULL, 0);
    return path;
}

int sciara_serve(const struct serve_options *o, struct error *e)
{
    struct served *h = NULL;
    const struct timespec second = {1, 0};
    char address[ADDRESSES][HTTP_ADDRESS], *opener = NULL;
    sigset_t ends, before;
    signal(SIGPIPE, SIG_IGN);
    struct serve_options with = *o;
    if (!o->language) with.language = *words_languages;
    const int status = served_open(&h, &with, e);
    if (status) return status;
    const int count = served_addresses(h, address, ADDRESSES);
    /* Signals are blocked before the address is printed, because the reader of the address may end the program at once. */
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    printf("page          %s\n", address[0]);
    for (int i = 1; i < count; i++) printf("from outside  %s\n", address[i]);
    printf("saves to      %s\n", o->folder);
    printf("Ctrl-C ends it\n");
    if (!o->no_open) opener = open_browser(address[0]);
    for (int seconds = 0; sigtimedwait(&ends, NULL, &second) < 0;) {
        served_sweep(h);
        if (++seconds == OPEN_S) remove_opener(&opener);
    }
    remove_opener(&opener);
    served_close(h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return 0;
}
