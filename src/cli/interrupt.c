/* interrupt.c — Ctrl-C and its like are only counted here; who does the work asks how many there
 * were, and ends it with all files whole (progress.c). */
#include "run.h"

#include <signal.h>

/* A signal handler can reach nothing else: the one mutable global of the project. */
static volatile sig_atomic_t seen;

static void note(int signal_number)
{
    (void)signal_number;
    seen = seen + 1;
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int interrupts_seen(void)
{
    return seen;
}
