/* main.c — a program. The Makefile links it with the program's variants and with the core, which
 * has all other code. With SCIARA_PROGRAM=cfamo this file becomes sciara_cfamo, which works as
 * `sciara run --variant cfamo`. A run goes on in cmd_run_variant() of cmd_run.c, then in
 * sciara_run() of library/run.c. compute_steps() of library/run.c is the loop over steps. */
#include "cli.h"

#ifndef SCIARA_PROGRAM
#define SCIARA_PROGRAM NULL /* sciara itself, which has all variants */
#endif

int main(int argc, char **argv)
{
    return program_main(SCIARA_PROGRAM, argc, argv);
}
