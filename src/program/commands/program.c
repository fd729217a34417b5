/* program.c — what all programs do before they call a command: check and set the environment, and find the command. */
#include "cli.h"

#include "base/loops.h"
#include "record/painters.h"

#ifdef SCIARA_WITH_GDAL
#include <gdal_version.h>
#else
#define GDAL_RELEASE_NAME "none"
#endif
#include <geotiff.h>
#include <gsl/gsl_version.h>
#ifdef SCIARA_WITH_NETCDF
#include <netcdf_meta.h>
#else
#define NC_VERSION "none"
#endif
#include <png.h>
#include <proj.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints versions and loads no library. `sciara help formats` loads the optional libraries and shows their formats. */
static void print_version(void)
{
    printf("sciara %s\ncompiled with libgeotiff %d.%d.%d, PROJ %d.%d.%d, libpng %s, GSL %s\n"
           "with headers of GDAL: %s, of NetCDF: %s\npictures and pages: %s\n",
           sciara_version(), LIBGEOTIFF_VERSION / 1000, LIBGEOTIFF_VERSION / 100 % 10,
           LIBGEOTIFF_VERSION / 10 % 10, PROJ_VERSION_MAJOR, PROJ_VERSION_MINOR, PROJ_VERSION_PATCH,
           PNG_LIBPNG_VER_STRING, GSL_VERSION, GDAL_RELEASE_NAME, NC_VERSION, painters_about);
}

static int run_command(const char *variant, int argc, char **argv)
{
    struct error e = {0};
    if (variant) return loops_limit(0), cmd_run_variant(variant, argc, argv);
    if (argc > 1 && !strcmp(argv[1], "--")) argc--, argv++; /* skips "--" before the command */
    const char *word = argc > 1 ? argv[1] : "";
    const struct command *c = command_find(word);
    if (c && c != &command_help) loops_limit(0); /* starting threads takes too long for help */
    if (c) return cli_run(c, argc - 1, argv + 1);
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return help_overview(), 0;
    if (!*word) return help_overview(), ERROR_INPUT;
    command_unknown(word, &e);
    return cli_fail("sciara", &e);
}

/* A thread's stack also holds its thread-local data. If OMP_STACKSIZE is too small for that, OpenMP's threads crash. */
static int check_stacks(struct error *e)
{
    enum { LEAST_KIB = 32 };
    const char *text = getenv("OMP_STACKSIZE");
    char *unit = NULL;
    double kib = text ? strtod(text, &unit) : LEAST_KIB;
    if (!text || unit == text) return 0; /* OpenMP itself warns if the value is not a size */
    unit += strspn(unit, " ");
    if (strchr("bB", *unit) && *unit) kib /= 1024;
    else if (strchr("mMgG", *unit) && *unit) return 0;
    return kib >= LEAST_KIB ? 0
                            : error_input(e,
                                          "OMP_STACKSIZE=%.40s: threads need %dk or more; correct "
                                          "the variable, or unset it",
                                          text, (int)LEAST_KIB);
}

int program_main(const char *variant, int argc, char **argv)
{
    struct error e = {0};
    if (check_stacks(&e)) return cli_fail("sciara", &e);
    int code = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a log gets whole lines at once, in order with stderr */
    /* OpenBLAS, which libgdal may load, would otherwise start threads, and these can wait for memory forever. */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    signal(SIGXFSZ, SIG_IGN); /* writing beyond `ulimit -f` then fails as on a full disk */
    if (argc == 2 && !strcmp(argv[1], "--version")) print_version();
    else code = run_command(variant, argc, argv);
    /* If the disk is full, output may be missing. */
    if ((fflush(stdout) || ferror(stdout)) && !code) {
        error_failed(&e, "standard output cannot be written");
        return cli_fail("sciara", &e);
    }
    return code;
}
