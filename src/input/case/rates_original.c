/* rates_original.c — EmissionRate.txt of an original case: [TIME] seconds, then for each vent
 * [VENT_ID] id and [EMISSION_RATE] with its rates, then [END]. Words are what counts, not lines, as
 * for the published program. What follows [END] is not read. */
#include "rates.h"

#include "text/scan.h"
#include "text/textfile.h"

#include <string.h>

struct reader {
    struct textfile file;
    char *rest; /* of the line that is being read */
    struct rate_lists *rates;
    struct rate_list *list; /* of the vent being read */
    double time_s, clock_s;
    enum { START, TIME, VENT, RATES, END } section;
    bool value_seen; /* of the section */
};

static int refuse(const struct reader *r, const char *text, const char *expected, struct error *e)
{
    char excerpt[48];
    return error_line(e, r->file.path, r->file.line, "'%s'; expected %s",
                      scan_excerpt(excerpt, text), expected);
}

/* A section may only begin where the one before it is complete. */
static int begin_section(struct reader *r, const char *text, struct error *e)
{
    static const struct {
        const char *name;
        int before[3], section;
    } sections[] = {{"[TIME]", {START, START, START}, TIME},
                    {"[VENT_ID]", {TIME, RATES, RATES}, VENT},
                    {"[EMISSION_RATE]", {VENT, VENT, VENT}, RATES},
                    {"[END]", {TIME, RATES, RATES}, END}};
    static const char *const expected[] = {"[TIME]", "the seconds of [TIME], then [VENT_ID]",
                                           "the vent's id, then [EMISSION_RATE]",
                                           "rates in m3/s, then [VENT_ID] or [END]", ""};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strcmp(text, sections[i].name) != 0) continue;
        for (int k = 0; k < 3; k++)
            if ((int)r->section == sections[i].before[k] &&
                (r->value_seen || r->section == START)) {
                r->section = (unsigned)sections[i].section;
                r->value_seen = false;
                return 0;
            }
    }
    return refuse(r, text, expected[r->section], e);
}

static int read_vent(struct reader *r, const char *text, struct error *e)
{
    int64_t id;
    if (!scan_integer(text, &id) || id < 1 || id > 1000000000 || r->value_seen)
        return refuse(r, text, "one id of a vent, a whole number from 1, then [EMISSION_RATE]", e);
    int status = rate_lists_get(&r->list, r->rates, (int)id, e);
    if (!status && r->list->count)
        return refuse(r, text, "another id: this vent has rates already", e);
    return status;
}

/* Interval i applies at the steps n with floor(n * clock / time) == i. */
static int read_rate(struct reader *r, const char *text, struct error *e)
{
    double value, i = r->list->count;
    if (!scan_real(text, &value)) return refuse(r, text, "a rate in m3/s", e);
    if (value < 0) return refuse(r, text, "a rate of 0 or more m3/s", e);
    if ((i + 1) * r->time_s > 1e12 || (i + 1) * r->time_s / r->clock_s > 1e15)
        return refuse(r, text, "[END]: the eruption is too long", e);
    const struct rate rate = {.from_s = i * r->time_s,
                              .to_s = (i + 1) * r->time_s,
                              .first_step = rates_first_step(i, r->time_s, r->clock_s),
                              .end_step = rates_first_step(i + 1, r->time_s, r->clock_s),
                              .rate_m3_s = value,
                              .line = r->file.line};
    return rate_list_add(r->list, &rate, e);
}

static int read_value(struct reader *r, const char *text, struct error *e)
{
    int status = 0;
    if (r->section == TIME) {
        bool good = scan_real(text, &r->time_s) && r->time_s >= 1e-3 && r->time_s <= 1e12;
        if (!good || r->value_seen)
            status = refuse(r, text, "the seconds of each rate, one number from 0.001", e);
    } else if (r->section == VENT) {
        status = read_vent(r, text, e);
    } else if (r->section == RATES) {
        status = read_rate(r, text, e);
    } else {
        status = refuse(r, text, "[TIME]", e);
    }
    r->value_seen = true;
    return status;
}

static char *next_word(struct reader *r)
{
    static const char blanks[] = " \t\f\r";
    while (r->rest && !*r->rest) r->rest = textfile_content(&r->file);
    if (!r->rest) return NULL;
    char *word = r->rest, *end = word + strcspn(word, blanks);
    r->rest = end + strspn(end, blanks);
    *end = '\0';
    return word;
}

int rates_read_original(struct rate_lists *rates, const char *path, double clock_s, struct error *e)
{
    static char nothing[] = "";
    struct reader r = {.rates = rates, .clock_s = clock_s, .rest = nothing};
    char *text;
    *rates = (struct rate_lists){.path = path};
    int status = textfile_open(&r.file, path, e);
    while (!status && r.section != END && (text = next_word(&r)))
        status = *text == '[' ? begin_section(&r, text, e) : read_value(&r, text, e);
    if (!status && r.file.line == 0) status = error_input(e, "%s: is empty; fetch it again", path);
    if (!status && r.section != END)
        status = error_line(e, path, r.file.line,
                            "ends without [END]; the file is truncated, fetch it again");
    rates->time_s = r.time_s;
    textfile_close(&r.file);
    if (status) rates_free(rates);
    return status;
}
