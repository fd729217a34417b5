/* main.c — a program: its variants, which the Makefile links with it, and the core, which does all else.
 * Compiled as SCIARA_PROGRAM=cfamo it is sciara_cfamo, `sciara run --variant cfamo`.
 * A run goes on in cmd_run_variant() of cmd_run.c, and from there in sciara_run() of library/run.c, whose
 * compute_steps() is the loop over steps. */
#include "cli.h"

#ifndef SCIARA_PROGRAM
#define SCIARA_PROGRAM NULL /* sciara, with all of them */
#endif

int main(int argc, char **argv)
{
    return program_main(SCIARA_PROGRAM, argc, argv);
}
