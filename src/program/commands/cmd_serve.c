/* cmd_serve.c — `sciara serve INPUT`: serves a page on which the user draws an eruption and watches the flow. */
#include "run.h"

#include "base/loaded.h"
#include "base/own_library.h"
#include "serve/serve_options.h"

#define AT(member) offsetof(struct serve_options, member)
static const struct option words[] = {
    OPERAND("INPUT", option_text, input,
            "a case, a plan (.cfg), a library of eruptions (library.gpkg), a terrain, or a folder: "
            "the page then lists such files of the folder",
            .completes = COMPLETE_FILE, .optional = true, .preset = ".",
            .usual = "the current folder"),
    OPTION("--port", "N", option_int, port, "port of the page", .low = 1, .high = 65535,
           .usual = "one that is free"),
    OPTION("--listen", "ADDRESS", option_text, address,
           "address of this machine at which the page is served; other addresses than the default "
           "let other machines use the page, if they have the key, over a connection that is not "
           "encrypted",
           .preset = "127.0.0.1"),
    OPTION("--output", "DIR", option_text, folder, "folder in which the page saves cases and plans",
           .completes = COMPLETE_FOLDER, .preset = "output/serve"),
    RUN_OPTION_LANGUAGE(language, "language of the page"),
    OPTION("--threads", "N", option_int, threads, "threads that compute", .low = 1, .high = 1024,
           .usual = "all processors"),
    OPTION_FLAG("--no-open", no_open, "print the address alone, and open no browser"),
    {0},
};

#ifdef SCIARA_SERVE_LINKED

static int serve(void *options, struct error *e)
{
    ((struct serve_options *)options)->dem = cli_dem;
    return sciara_serve(options, e);
}

#elif defined SCIARA_SERVE

static int serve(void *options, struct error *e)
{
    void *library = own_library_open("libsciara_serve.so");
    int (*run)(const struct serve_options *o, struct error *e);
    ((struct serve_options *)options)->dem = cli_dem;
    if (library && loaded_find(library, "sciara_serve", &run)) return run(options, e);
    return error_failed(e,
                        "serve: libsciara_serve.so, a part of the installation, cannot be loaded: "
                        "%s; install sciara again",
                        dlerror());
}

#else

static int serve(void *options, struct error *e)
{
    return error_input(e, "serve: this program was built without libmicrohttpd; install it "
                          "(Debian, Ubuntu: libmicrohttpd-dev) and build again");
}

#endif

const struct command command_serve = {
    .name = "serve",
    .summary = "a page for the browser where one draws an eruption and sees it",
    .about = "Serves a page on this machine: a map of the terrain, on which one draws vents, "
             "fissures, walls, channels and places of interest, and gives rates. The flow grows on "
             "the map while it is computed; an ensemble shows its probability while its members "
             "come in; a library answers questions. What is drawn can be saved as a case or a "
             "plan, with which `sciara run` has the same digest. The address that is printed has a "
             "key, which every request needs; keep it to yourself.",
    .examples = "sciara serve\n"
                "sciara serve volcano.cfg\n"
                "sciara serve dem.tif --no-open --port 8080\n"
                "sciara serve output/volcano-ensemble/library.gpkg\n",
    COMMAND_OF(struct serve_options, serve),
};
