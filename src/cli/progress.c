/* progress.c — one line on the terminal that is written over and over. */
#include "run.h"

#include <stdio.h>
#include <time.h>

double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* "0:07", "12:30", "3:05:00". */
static void format_left(char text[32], double seconds)
{
    if (!(seconds < 360000)) snprintf(text, 32, "%.0f days", seconds / 86400);
    else {
        const int s = (int)(seconds + 0.5);
        if (s < 3600) snprintf(text, 32, "%d:%02d", s / 60, s % 60);
        else snprintf(text, 32, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    }
}

/* Kept below 80 columns: a line that wraps cannot be written over. */
void progress_show(struct progress *p, const struct variant_status *now)
{
    const double time_s = clock_now_s(), done = (double)(now->step - p->first_step);
    if (!p->on || time_s - p->shown_s < 0.1) return;
    p->shown_s = time_s;
    const double per_s = done / (time_s - p->began_s);
    char of[32] = "", left[48] = "";
    if (p->last_step) {
        snprintf(of, sizeof of, "/%lld", (long long)p->last_step);
        format_left(left, (double)(p->last_step - now->step) / per_s);
    }
    fprintf(stderr, "\rstep %lld%s  %.2f days  %.4g m3 mobile  %.0f steps/s%s%s\033[K",
            (long long)now->step, of, (double)now->step * p->clock_s / 86400,
            quanta_m(now->mobile) * p->area_m2, per_s, *left ? "  left " : "", left);
    fflush(stderr);
}

void progress_clear(struct progress *p)
{
    if (p->on && p->shown_s > 0) fputs("\r\033[K", stderr);
    p->on = false;
}
