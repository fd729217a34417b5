/* Any text as a time: refused with one line, or a time in range that is written and read back. */
#include "text/times.h"
#include "fuzz.h"

#include <math.h>

static void check_error(const struct error *e)
{
    if (e->code != ERROR_INPUT || !*e->text || strchr(e->text, '\n')) abort();
}

static void check_span(double time_s)
{
    char text[TIMES_TEXT];
    double again;
    if (!(time_s >= 0 && time_s <= 1e12)) abort();
    snprintf(text, sizeof text, "%.3fs", time_s);
    if (times_span(&again, text, TIMES_NONE, NULL)) abort();
    if (fabs(again - time_s) > 0) abort();
}

static void check_date(int64_t unix_s)
{
    char text[TIMES_TEXT], said[TIMES_TEXT];
    int64_t again;
    if (!times_date_scan(times_date_text(text, unix_s, TIMES_ISO), &again)) abort();
    if (again != unix_s || strlen(text) != strlen("2006-07-14T22:00:00Z")) abort();
    if (strncmp(text, times_date_text(said, unix_s, TIMES_SAID), 10) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char start[] = "2006-07-12T06:00:00Z";
    char *text = malloc(size + 1);
    struct error e = {0};
    double time_s;
    int64_t unix_s;
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (times_span(&time_s, text, TIMES_NONE, &e)) check_error(&e);
    else check_span(time_s);
    for (int plain = TIMES_SECONDS; plain <= TIMES_NONE; plain++) {
        if (times_moment(&time_s, text, (enum times_plain)plain, start, &e)) check_error(&e);
        else if (!isfinite(time_s) && plain == TIMES_NONE) abort();
    }
    if (times_date_scan(text, &unix_s)) check_date(unix_s);
    if (times_stamp_scan(text, &unix_s) && (unix_s < -62167219200 || unix_s > 253402300799))
        abort();
    free(text);
    return 0;
}
