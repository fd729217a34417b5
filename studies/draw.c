/* draw.c — a diagram of a study or of profiling, from lines on standard input, as the program draws
 * its own.
 *
 * usage: draw PICTURE < DESCRIPTION       a .png, .svg or .pdf
 *
 *     title TEXT                      also subtitle, note
 *     x LOW HIGH TEXT                 an axis; also y, and log-x and log-y, whose grid are powers of ten
 *     line [LABEL]                    a series, of the rows that follow; also dots, steps
 *     X Y [LOW HIGH]                  a row of it, with an interval
 *     point X Y [WORDS]               a disc apart from its line, and words beside it
 *     next                            another diagram below */
#include "record/painters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MOST = 9, ROWS_MOST = 2000, LINE_MOST = 400 };

struct series_rows {
    double x[ROWS_MOST], y[ROWS_MOST], low[ROWS_MOST], high[ROWS_MOST];
    const char *words[ROWS_MOST];
};

struct drawing {
    int plots; /* before the last one */
    struct plot plot[PLOTS_MOST];
    struct plot_series series[PLOTS_MOST][SERIES_MOST];
    struct series_rows rows[PLOTS_MOST][SERIES_MOST];
};

static void fail(const char *line, const char *why)
{
    fprintf(stderr, "draw: %s: %s\n", line, why);
    exit(2);
}

/* What follows the first `words` words of a line; NULL: nothing. */
static char *text_after(const char *line, int words)
{
    for (; words; words--) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return *line ? strdup(line) : NULL;
}

static void add_row(struct drawing *d, const char *line, double x, double y, const double interval[2], const char *words)
{
    const int k = d->plot[d->plots].count - 1;
    if (k < 0 || d->series[d->plots][k].count == ROWS_MOST) fail(line, "is no row of a series");
    const int i = d->series[d->plots][k].count++;
    d->rows[d->plots][k].x[i] = x;
    d->rows[d->plots][k].y[i] = y;
    d->rows[d->plots][k].low[i] = interval[0];
    d->rows[d->plots][k].high[i] = interval[1];
    d->rows[d->plots][k].words[i] = words;
}

static void read_row(struct drawing *d, const char *line, bool apart)
{
    double x, y, interval[2] = {NAN, NAN};
    const int count = apart ? sscanf(line, "%*s %lf %lf", &x, &y)
                            : sscanf(line, "%lf %lf %lf %lf", &x, &y, &interval[0], &interval[1]);
    if (count != 2 && count != 4) fail(line, "is no row of a series");
    if (apart) add_row(d, line, NAN, NAN, interval, ""); /* no line leads to a point, nor from it */
    add_row(d, line, x, y, interval, apart ? text_after(line, 3) : "");
    if (apart) add_row(d, line, NAN, NAN, interval, "");
}

static void add_series(struct drawing *d, const char *line, int kind)
{
    struct plot *p = &d->plot[d->plots];
    struct series_rows *rows = d->rows[d->plots];
    if (p->count == SERIES_MOST) fail(line, "are too many series");
    d->series[d->plots][p->count] = (struct plot_series){
        .label = text_after(line, 1), .x = rows[p->count].x, .y = rows[p->count].y, .low = rows[p->count].low, .high = rows[p->count].high, .point = rows[p->count].words, .kind = kind};
    p->series = d->series[d->plots];
    p->count++;
}

static void read_axis(struct plot_axis *a, bool *log, const char *line)
{
    *log = !strncmp(line, "log-", 4);
    if (sscanf(line, "%*s %lf %lf", &a->low, &a->high) != 2) fail(line, "is no axis");
    a->title = text_after(line, 3);
}

static void read_line(struct drawing *d, const char *line)
{
    struct plot *p = &d->plot[d->plots];
    char word[16] = "";
    sscanf(line, "%15s", word);
    if (!strcmp(word, "title")) p->title = text_after(line, 1);
    else if (!strcmp(word, "subtitle")) p->subtitle = text_after(line, 1);
    else if (!strcmp(word, "note")) p->note = text_after(line, 1);
    else if (!strcmp(word, "x") || !strcmp(word, "log-x")) read_axis(&p->x, &p->log_x, line);
    else if (!strcmp(word, "y") || !strcmp(word, "log-y")) read_axis(&p->y, &p->log_y, line);
    else if (!strcmp(word, "line")) add_series(d, line, PLOT_LINE);
    else if (!strcmp(word, "dots")) add_series(d, line, PLOT_DOTS);
    else if (!strcmp(word, "steps")) add_series(d, line, PLOT_STEPS);
    else if (!strcmp(word, "next") && d->plots + 1 < PLOTS_MOST) d->plots++;
    else if (!strcmp(word, "point")) read_row(d, line, true);
    else read_row(d, line, false);
}

int main(int argc, char **argv)
{
    static struct drawing d;
    char line[LINE_MOST];
    struct error e = {0};
    if (argc != 2) fail("usage", "draw PICTURE.png < DESCRIPTION");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line) read_line(&d, line);
    }
    const struct scene scene = scene_of_plots(d.plot, d.plots + 1);
    const int status = scene_paint(argv[1], &scene, &e);
    if (status) fprintf(stderr, "draw: %s\n", e.text);
    return status;
}
