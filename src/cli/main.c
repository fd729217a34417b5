/* main.c — the command `sciara SUBCOMMAND ...`. Compiled with -DSCIARA_VARIANT='"cfamo"' it is the
 * program sciara_cfamo, which is `sciara run --variant cfamo`. */
#include "cli.h"

#include "text/scan.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line, whatever the file names in it contain. */
int cli_fail(const struct error *e)
{
    struct error shown = *e;
    scan_make_printable(shown.text);
    fprintf(stderr, "sciara: %s\n", shown.text);
    return e->code;
}

#ifdef SCIARA_VARIANT

static int command(int argc, char **argv)
{
    char **words = calloc((size_t)argc + 3, sizeof *words);
    struct error e = {0};
    if (!words) {
        error_failed(&e, "out of memory");
        return cli_fail(&e);
    }
    words[0] = "run";
    words[1] = "--variant";
    words[2] = SCIARA_VARIANT;
    for (int i = 1; i < argc; i++) words[i + 2] = argv[i];
    int code = cmd_run(argc < 1 ? 3 : argc + 2, words);
    free(words);
    return code;
}

#else

static const struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"run", "compute a case and leave layers, maps and a summary", cmd_run},
    {"compare", "two runs or two rasters, field by field", cmd_compare},
    {"fit", "how well a run matches the observed outline", cmd_fit},
    {"info", "what a case, a raster or the folder of a run contains", cmd_info},
    {"variants", "which variants were built and can run on this machine", cmd_variants},
    {"terrain", "make up a landscape as a case that can be run", cmd_terrain},
    {"benchmark", "how fast each variant is, once its bits are right", cmd_benchmark},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static int help(void)
{
    puts("usage: sciara SUBCOMMAND [arguments]\n"
         "\n"
         "Simulates lava flows with the cellular automaton Sciara-fv2.\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    puts("\n"
         "  sciara SUBCOMMAND --help   its arguments and options\n"
         "  sciara --version           the version\n"
         "\n"
         "exit status: 0 done, 1 the machine failed, 2 the input or the command line cannot be\n"
         "used, 3 no CUDA device, 130 interrupted");
    return 0;
}

static int command(int argc, char **argv)
{
    struct error e = {0};
    const char *word = argc > 1 ? argv[1] : "";
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (!strcmp(word, subcommands[i].name)) return subcommands[i].run(argc - 1, argv + 1);
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) return help();
    if (!*word) error_input(&e, "name a subcommand; see sciara --help");
    else error_input(&e, "%s: no such subcommand; see sciara --help", word);
    return cli_fail(&e);
}

#endif

int main(int argc, char **argv)
{
    struct error e = {0};
    int code = 0;
    signal(SIGXFSZ,
           SIG_IGN); /* a file beyond `ulimit -f` then fails to be written, as on a full disk */
    if (argc == 2 && !strcmp(argv[1], "--version")) puts("sciara " SCIARA_VERSION);
    else code = command(argc, argv);
    /* What was printed may have got stuck on a full disk. */
    if ((fflush(stdout) || ferror(stdout)) && !code) {
        error_failed(&e, "standard output cannot be written");
        return cli_fail(&e);
    }
    return code;
}
