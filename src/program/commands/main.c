/* main.c — a program: its variants, which the Makefile links with it, and the core, which does all else.
 * Compiled as SCIARA_PROGRAM=cfamo it is sciara_cfamo, `sciara run --variant cfamo`. */
#include "cli.h"

#ifndef SCIARA_PROGRAM
#define SCIARA_PROGRAM NULL /* sciara, with all of them */
#endif

int main(int argc, char **argv)
{
    return program_main(SCIARA_PROGRAM, argc, argv);
}
