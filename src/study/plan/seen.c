#include "seen.h"

#include "text/grow.h"
#include "text/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTH_MOST_M = 1e5, TIME_MOST_S = 3.6e10;

const char *const seen_names[SEEN_KINDS] = {
    "observed_front",     "observed_dry", "observed_arrival", "observed_survey",
    "observed_hot_spots", "observed_end", "weigh_rates",      "observed_fronts"};

static const struct {
    const char *when; /* the word before the time of an observation; NULL: no time */
    bool error_m, error_h, correlation_m;
    const char *remedy;
} kinds[SEEN_KINDS] = {
    {"at", true, false, true,
     "give " ENTRY_FILE
     " at TIME error_m E (of a package of Copernicus EMS, a ZIP, the time may be left out), then "
     "'part' or 'within FILE' where not all was seen, and correlation_m L (else 400)"},
    {"until", false, false, true,
     "give " ENTRY_FILE " until TIME, then correlation_m L (else 400)"},
    {"at", false, true, false, "give " ENTRY_FILE " at TIME error_h H"},
    {"at", true, false, true,
     "give " ENTRY_FILE " at TIME error_m E, then correlation_m L (else 400) and shift_m D; FILE "
     "is a raster of thickness or a table x,y,thickness_m"},
    {NULL, false, false, true,
     "give " ENTRY_FILE ", hot spots as FIRMS has them, then 'frp' to count them by their "
     "radiative power, and correlation_m L (else 400)"},
    {NULL, false, true, false, "give TIME, then error_h H (else 6)"},
    {NULL, false, false, false, "give " ENTRY_FILE ", a table vent,from,to,rate_m3_s,factor"},
    {NULL, true, false, true,
     "give " ENTRY_FILE
     " date FIELD error_m E, then 'increments' where each date has new lava alone, 'part' or "
     "'within FILE' where not all was seen, and correlation_m L (else 400)"},
};

/* Checks that a number is above 0 and at most `most`. The message names the number, not the syntax of the line. */
static bool is_in_range(double value, double most, const char *word, const char *text,
                        struct error *why)
{
    char excerpt[48];
    if (value > 0 && value <= most) return true;
    return error_input(why, "%s is %s; give a number above 0%s", word, scan_excerpt(excerpt, text),
                       value > most ? " that is smaller" : "") == 0;
}

static bool read_length(double *x, const char *word, const char *text, struct error *why)
{
    return scan_real(text, x) && is_in_range(*x, LENGTH_MOST_M, word, text, why);
}

static bool read_time(double *time_s, const char *word, const struct entry *at, struct error *why)
{
    if (times_moment(time_s, word, TIMES_HOURS, at->start_time, why)) return false;
    if (*time_s > 0 && *time_s <= TIME_MOST_S) return true;
    return error_input(why, "the time is %s; correct it",
                       *time_s > 0 ? "more than 10,000,000 h after the start"
                                   : "not after the start of the eruption") == 0;
}

static bool is_front(const struct seen_line *s)
{
    return s->kind == SEEN_FRONT || s->kind == SEEN_FRONTS;
}

/* Reads a word and its value. If the field of the word is set already, refuses the word as repeated. */
static bool read_word(struct seen_line *s, const char *word, const char *value,
                      const struct entry *at, struct error *why)
{
    if (kinds[s->kind].when && !strcmp(word, kinds[s->kind].when))
        return isnan(s->time_s) && read_time(&s->time_s, value, at, why);
    if (!strcmp(word, "error_m") && kinds[s->kind].error_m)
        return isnan(s->error_m) && read_length(&s->error_m, word, value, why);
    if (!strcmp(word, "error_h") && kinds[s->kind].error_h)
        return isnan(s->error_s) && !times_span(&s->error_s, value, TIMES_HOURS, why) &&
               is_in_range(s->error_s, TIME_MOST_S, word, value, why);
    if (!strcmp(word, "correlation_m") && kinds[s->kind].correlation_m)
        return isnan(s->correlation_m) && read_length(&s->correlation_m, word, value, why);
    if (!strcmp(word, "shift_m") && s->kind == SEEN_SURVEY && !s->shifted)
        return s->shifted = scan_real(value, &s->shift_m) && fabs(s->shift_m) <= 1e4;
    if (!strcmp(word, "date") && s->kind == SEEN_FRONTS && !*s->date)
        return scan_printable(value) &&
               (size_t)snprintf(s->date, sizeof s->date, "%s", value) < sizeof s->date;
    if (strcmp(word, "within") != 0 || !is_front(s) || *s->within || s->part || !scan_utf8(value))
        return false;
    memcpy(s->within, value, sizeof s->within);
    return true;
}

static bool read_words(struct seen_line *s, const struct entry_words *w, const struct entry *at,
                       struct error *why)
{
    if (!scan_utf8(w->word[0])) return false;
    if (s->kind != SEEN_END) memcpy(s->file, w->word[0], sizeof s->file);
    else if (!read_time(&s->time_s, w->word[0], at, why)) return false;
    for (int i = 1; i < w->count; i++) {
        bool *is = !strcmp(w->word[i], "part") && is_front(s) && !*s->within     ? &s->part
                   : !strcmp(w->word[i], "increments") && s->kind == SEEN_FRONTS ? &s->increments
                   : !strcmp(w->word[i], "frp") && s->kind == SEEN_HOT_SPOTS     ? &s->frp
                                                                                 : NULL;
        if (is && !*is) {
            *is = true;
            continue;
        }
        if (i + 1 == w->count || !read_word(s, w->word[i], w->word[i + 1], at, why)) return false;
        i++;
    }
    if (s->kind == SEEN_END) {
        if (isnan(s->error_s)) s->error_s = SEEN_END_ERROR_S;
        return true;
    }
    const bool timed = !isnan(s->time_s) || (s->kind == SEEN_FRONT && strstr(s->file, ".zip"));
    return timed == (kinds[s->kind].when != NULL) && isnan(s->error_m) == !kinds[s->kind].error_m &&
           isnan(s->error_s) == !kinds[s->kind].error_h && !*s->date == (s->kind != SEEN_FRONTS);
}

int seen_read(const struct entry *at, struct error *e)
{
    struct seen_lines *to = at->target;
    struct entry_words w;
    struct error why = {0};
    int kind = SEEN_FRONT;
    while (strcmp(at->line->key, seen_names[kind])) kind++;
    if (to->count == SEEN_MOST)
        return entry_refuse(at, "more than 1000 of these lines; remove some", e);
    if (!GROW(to->line, to->count)) return error_memory(e);
    struct seen_line *s = &to->line[to->count];
    *s = (struct seen_line){.kind = kind,
                            .line = at->line->line,
                            .time_s = NAN,
                            .error_m = NAN,
                            .error_s = NAN,
                            .correlation_m = NAN};
    snprintf(s->path, sizeof s->path, "%s", at->path);
    if (!entry_words(&w, at) || !read_words(s, &w, at, &why))
        return entry_refuse(at, *why.text ? why.text : kinds[kind].remedy, e);
    if (isnan(s->correlation_m)) s->correlation_m = SEEN_CORRELATION_M;
    to->count++;
    return 0;
}

void seen_free(struct seen_lines *s)
{
    RELEASE(s, s->line);
}
