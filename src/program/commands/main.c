/* main.c — a program: its variants, which the Makefile links with it, and the core, which does all else. Compiled with
 * SCIARA_PROGRAM=cfamo it becomes sciara_cfamo, which does what `sciara run --variant cfamo` does. A run goes on in
 * cmd_run_variant() of cmd_run.c, and from there in sciara_run() of library/run.c, whose compute_steps() is the loop over
 * steps. */
#include "cli.h"

#ifndef SCIARA_PROGRAM
#define SCIARA_PROGRAM NULL /* sciara itself, which has all variants */
#endif

int main(int argc, char **argv)
{
    return program_main(SCIARA_PROGRAM, argc, argv);
}
