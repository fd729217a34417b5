/* seen.h — observations of a continuing eruption, as lines of a plan. They determine weights of existing members
 * (nowcast/), but no result of a member. So a new observation needs no new run.
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
    SEEN_FRONTS, /* one line for fronts of several dates */
    SEEN_KINDS
};
extern const char *const seen_names[SEEN_KINDS]; /* the keys, by kind */

struct seen_line {
    enum seen_kind kind;
    int line;
    char path[ENTRY_WORD]; /* path of the plan, for messages */
    /* file "": the observation has no file. within "": the whole domain was observed. */
    char file[ENTRY_WORD], within[ENTRY_WORD];
    char date[64];   /* the attribute with the dates of fronts */
    bool increments; /* each date has only the lava since the previous date */
    bool frp;        /* hot spots count by their radiative power */
    bool part;       /* the outline has only a part of the lava: cells outside it do not count */
    double time_s, error_m, error_s; /* NaN: not given */
    bool shifted;
    double shift_m;       /* added to the thicknesses of a survey */
    double correlation_m; /* cells within this distance of each other count as one */
};

enum { SEEN_MOST = 1000 };
#define SEEN_CORRELATION_M 400.0
#define SEEN_END_ERROR_S   21600.0 /* error of an end without error_h */
struct seen_lines {
    int count;
    struct seen_line *line; /* malloc'ed, or NULL */
    double correlation_s;   /* observations within this time of each other count as one */
    /* The effective number of weighted members has to be at least this share of the members. */
    double least_share;
};

/* Adds a line with one of these keys to at->target, a struct seen_lines. */
int seen_read(const struct entry *at, struct error *e);
void seen_free(struct seen_lines *s); /* all-zero is fine */
