/* serve_options.h — the interface of libsciara_serve.so. `sciara serve` is a separate library, because only this command needs
 * libmicrohttpd. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

struct file_progress; /* file_progress.h */

/* Runs `sciara dem` with these words (argv[0] is "dem"), but prints nothing. */
typedef int serve_dem(int argc, char **argv, struct file_progress *progress, struct error *e);

struct serve_options {
    const char *input;    /* a case, a plan, a library, a terrain, or a folder of such files */
    const char *address;  /* address to listen at, "127.0.0.1" */
    int port;             /* 0: any free port */
    const char *folder;   /* where cases are saved */
    const char *language; /* language of the page; NULL: "en" */
    int threads;          /* 0: all */
    bool no_open;         /* open no browser */
    serve_dem *dem;       /* prepares a terrain */
};

/* Prints the address of the page and serves it until SIGINT, SIGTERM or SIGHUP. */
int sciara_serve(const struct serve_options *o, struct error *e);
