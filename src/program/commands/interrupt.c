/* interrupt.c — counts Ctrl-C and similar signals. The working code asks for the count
 * (progress.c), or cancels the current write, which leaves only whole files. */
#include "run.h"

#include "base/file_progress.h"

#include <signal.h>

/* A signal handler can reach nothing else: the mutable globals of the project. */
static volatile sig_atomic_t seen;
static struct file_progress *volatile watched;

static void note(int signal_number)
{
    (void)signal_number;
    seen = seen + 1;
    if (watched) file_progress_cancel(watched); /* a store to a lock-free atomic */
}

void interrupt_watch(struct file_progress *w)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    watched = w;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL); /* what a batch system sends before the time is over */
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) /* nohup */
        sigaction(SIGHUP, &action, NULL);
}

int interrupts_seen(void)
{
    return seen;
}
