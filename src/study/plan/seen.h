/* seen.h — what was seen of an eruption that continues, as lines of a plan. They weigh members that exist
 * (nowcast/), and decide nothing of what a member does: a new front needs no new run.
 *
 *     observed_front FILE [at TIME] error_m E [part | within FILE] [correlation_m L]
 *     observed_fronts FILE date FIELD [increments] error_m E [part | within FILE] [correlation_m L]
 *     observed_dry FILE until TIME [correlation_m L]
 *     observed_arrival FILE at TIME error_h H
 *     observed_survey FILE at TIME error_m E [correlation_m L] [shift_m D]
 *     observed_hot_spots FILE [frp] [correlation_m L]
 *     observed_end TIME [error_h H]
 *     weigh_rates FILE */
#pragma once

#include "text/keyvalue.h"

enum seen_kind {
    SEEN_FRONT,
    SEEN_DRY,
    SEEN_ARRIVAL,
    SEEN_SURVEY,
    SEEN_HOT_SPOTS,
    SEEN_END,
    SEEN_RATES,
    SEEN_FRONTS, /* one line for several fronts */
    SEEN_KINDS
};
extern const char *const seen_names[SEEN_KINDS]; /* their keys */

struct seen_line {
    enum seen_kind kind;
    int line;
    char path[ENTRY_WORD];                     /* the file with the line, for messages */
    char file[ENTRY_WORD], within[ENTRY_WORD]; /* file: "" for an end; within: "" for everywhere */
    char date[64];                             /* the attribute with the dates of fronts */
    bool increments;                 /* each date has what lava covered since the one before */
    bool frp;                        /* hot spots count by their radiative power */
    bool part;                       /* of a front that was seen in part: dry cells do not count */
    double time_s, error_m, error_s; /* NaN: not given; a front then has the time of its package */
    bool shifted;
    double shift_m;       /* is added to the thicknesses of a survey */
    double correlation_m; /* cells nearer than that to each other count as one */
};

enum { SEEN_MOST = 1000 };
#define SEEN_CORRELATION_M 400.0
#define SEEN_END_ERROR_S   21600.0 /* the error of an end that gives no error_h */
struct seen_lines {
    int count;
    struct seen_line *line; /* malloc'ed, or NULL */
    double correlation_s;   /* observations nearer in time than that count as one */
    double least_share;     /* weights leave at least this part of the effective number */
};

/* Reads a line of any of these keys into *s. */
int seen_read(const struct entry *at, struct error *e);
void seen_free(struct seen_lines *s); /* all-zero is fine */
