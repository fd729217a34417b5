/* progress.c — the line on the terminal that shows progress, and Ctrl-C. */
#include "run.h"

#include "text/scan.h"
#include "record/painters.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool progress_wanted(bool quiet)
{
    return !quiet && (isatty(STDERR_FILENO) || getenv("SCIARA_PROGRESS"));
}

/* Writes a time as "0:07", "12:30" or "3:05:00". */
void progress_left(char text[32], double seconds)
{
    if (!(seconds < 360000)) snprintf(text, 32, "%.0f days", seconds / 86400);
    else {
        const int s = (int)(seconds + 0.5);
        if (s < 3600) snprintf(text, 32, "%d:%02d", s / 60, s % 60);
        else snprintf(text, 32, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    }
}

/* The lines of show_steps() and show_files() have fewer than 80 columns, because a wrapped line cannot be rewritten. */
static void show_steps(const struct progress *p, const struct sciara_progress *now)
{
    const double per_s = (double)(now->step - now->first_step) / now->elapsed_s;
    char of[32] = "", left[48] = "";
    if (now->last_step) {
        snprintf(of, sizeof of, "/%lld", (long long)now->last_step);
        progress_left(left, (double)(now->last_step - now->step) / per_s);
    }
    fprintf(stderr, "\rstep %lld%s  %.2f days  %.4g m3 mobile  %.0f steps/s%s%s\033[K",
            (long long)now->step, of, (double)now->step * p->clock_s / 86400,
            now->mobile_m * p->area_m2, per_s, *left ? "  left " : "", left);
}

static void show_files(const struct progress *p, const struct sciara_progress *now)
{
    static const char *const doing[] = {
        [SCIARA_READING] = "reading",
        [SCIARA_SETTING_UP] = "setting up",
        [SCIARA_WRITING] = "writing",
    };
    const int s = (int)now->elapsed_s;
    char share[32] = "", name[41];
    if (now->file && now->all > 0 && now->done <= now->all)
        snprintf(share, sizeof share, ": %lld %%", (long long)(100 * now->done / now->all));
    snprintf(name, sizeof name, "%.40s", p->name[now->phase]);
    scan_make_printable(name); /* also removes the rest of a truncated character */
    fprintf(stderr, "\r%s %s", doing[now->phase], name);
    if (now->file) fprintf(stderr, "  file %d%s", now->file, share);
    fprintf(stderr, "  %d:%02d\033[K", s / 60, s % 60);
}

static void show_line(struct progress *p, const struct sciara_progress *now)
{
    const bool steps = now->phase == SCIARA_COMPUTING;
    const double time_s = clock_now_s();
    if (!p->on || time_s - p->shown_s < (steps ? 0.1 : 0.2)) return;
    if (!steps && now->elapsed_s < 0.5) return;
    p->shown_s = time_s;
    if (steps) show_steps(p, now);
    else show_files(p, now);
    fflush(stderr);
}

void progress_warn(const char *warning)
{
    if (*warning) fprintf(stderr, "sciara: warning: %s\n", warning);
}

static void print_new(FILE *to, const char *head, const struct warnings *w, struct warnings *said)
{
    char line[WARNING_TEXT];
    for (int i = 0; i < w->count; i++)
        if (w->of[i].kind != WARNING_NOTE && warnings_add_one(said, w, i))
            fprintf(to, "%s %s\n", head, warnings_line(w, i, line));
}

void progress_tell_all(const struct warnings *w, struct warnings *said)
{
    print_new(stderr, "sciara: warning:", w, said);
}

void progress_report(const struct warnings *w, struct warnings *said)
{
    print_new(stdout, "warning      ", w, said);
}

char *progress_letters(const char *title)
{
    char *complaint = NULL;
    painters_check(&(struct painting){.title = title, .complaint = &complaint}, NULL);
    return complaint;
}

/* A signal cancels the steps, or the writing of results. If the first signal cancels the steps, a second signal may cancel
 * the writing that follows. During reading and setting up, a signal ends the process at once, as nothing has been written yet. */
int progress_tell(const struct sciara_progress *now, void *self)
{
    struct progress *p = self;
    if (p->told && now->phase == SCIARA_COMPUTING) {
        progress_clear(p);
        progress_tell_all(p->told, &p->said);
        p->told = NULL;
    }
    if (interrupts_seen() == p->interrupts) {
        show_line(p, now);
        return 0;
    }
    p->interrupts++; /* a signal that comes in the meantime is left for the next call */
    if (now->phase == SCIARA_COMPUTING || now->phase == SCIARA_WRITING) return 1;
    progress_clear(p);
    _exit(EXIT_INTERRUPTED);
}

void progress_clear(struct progress *p)
{
    if (p->on && p->shown_s > 0) fputs("\r\033[K", stderr);
    p->shown_s = 0;
}
