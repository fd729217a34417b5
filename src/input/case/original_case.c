/* original_case.c — NAME_000000000000.cfg and the files next to it (docs/formats/original.md). */
#include "original_case.h"

#include "case_terrain.h"

#include "raster/raster.h"
#include "eruption/vents.h"
#include "eruption/rates.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 12, TAIL = 1 + DIGITS + 4 }; /* "_000000000000.cfg" */

bool original_case(const char *path, int64_t *step, const char **name, int *length)
{
    *name = path_name(path);
    size_t n = strlen(*name);
    if (n <= TAIL) return false;
    const char *tail = *name + n - TAIL;
    if (tail[0] != '_' || strspn(tail + 1, "0123456789") != DIGITS || strcmp(tail + 13, ".cfg"))
        return false;
    *step = strtoll(tail + 1, NULL, 10);
    *length = (int)(n - TAIL);
    return true;
}

/* Finds the raster `part` by either of two endings. If there is none, *out stays NULL; this is an error if
 * `required`. */
static int find_raster(char **out, const char *stem, const char *part, bool required,
                       struct error *e)
{
    static const char *const endings[] = {".asc", ".stt"};
    for (int i = 0; i < 2; i++) {
        char *path = text_format("%s_%s%s", stem, part, endings[i]);
        if (!path) return error_memory(e);
        if (access(path, F_OK) == 0) {
            *out = path;
            return 0;
        }
        free(path);
    }
    if (!required) return 0;
    return error_input(
        e,
        "%s.cfg: %s_%s.asc (or .stt) is missing; place it next to this file, or name a dem in it",
        stem, stem, part);
}

int original_case_files(struct case_files *f, const char *path, struct error *e)
{
    FREED char *stem = text_format("%.*s", (int)strlen(path) - 4, path);
    if (!stem) return error_memory(e);
    int status = find_raster(&f->dem, stem, "Morphology", true, e);
    if (!status) status = find_raster(&f->vents, stem, "Vents", true, e);
    if (!status) status = find_raster(&f->thickness, stem, "Thickness", false, e);
    if (!status) status = find_raster(&f->temperature, stem, "Temperature", false, e);
    if (!status) status = find_raster(&f->solidified, stem, "SolidifiedLavaThickness", false, e);
    if (!status && !f->outline) status = find_raster(&f->outline, stem, "RealEvent", false, e);
    if (!status && !(f->rates = text_format("%s_EmissionRate.txt", stem))) status = error_memory(e);
    return status;
}

/* ---- rasters --------------------------------------------------------------------------------- */

#define USUAL_NODATA (-9999.0)

size_t original_values(struct raster *r, bool as_published)
{
    const size_t n = (size_t)r->rows * (size_t)r->cols;
    size_t undeclared = 0;
    for (size_t i = 0; i < n; i++) {
        if (as_published && isnan(r->value[i])) r->value[i] = r->nodata;
        if (as_published || r->value[i] != USUAL_NODATA) continue;
        r->value[i] = NAN;
        undeclared++;
    }
    r->missing = as_published ? 0 : r->missing + undeclared;
    return undeclared;
}

void original_place(struct raster *r, const struct raster *dem)
{
    const struct georef *there = &dem->geo;
    if (fabs(r->geo.west_m - there->west_m) > there->cell_m) return;
    if (fabs(r->geo.south_m - there->south_m) > there->cell_m) return;
    r->geo.west_m = there->west_m;
    r->geo.south_m = there->south_m;
}

/* ---- vents: a grid of ids -------------------------------------------------------------------- */

static int add_cell(struct vent_sites *v, double value, struct vent_cell cell,
                    const struct vent_ground *g, struct error *e)
{
    struct vent_site *site;
    if (value != floor(value) || value > 1e9)
        return error_input(e,
                           "%s: the vent at row %d, column %d has the id %g; give a whole number",
                           v->path, cell.row, cell.col, value);
    int status = vent_sites_get(&site, v, (int)value, 0, e);
    return status ? status : vent_site_add(v, site, g, cell, 0, e);
}

int vents_read_raster(struct vent_sites *v, const char *path, const char *dem_path,
                      const struct vent_ground *g, bool as_published,
                      struct file_progress *progress, struct error *e)
{
    FREED_BY(raster_free) struct raster r;
    struct raster dem = {.rows = g->rows, .cols = g->cols, .geo = *g->geo};
    *v = (struct vent_sites){.path = path};
    int status = raster_read_watched(&r, path, 0, progress, e), left = VENT_CELLS_MAX;
    if (status) return status;
    original_values(&r, as_published);
    original_place(&r, &dem);
    status = raster_same_grid(&dem, dem_path, &r, path, e);
    for (int row = 0; row < r.rows && !status; row++)
        for (int col = 0; col < r.cols && !status; col++) {
            double value = r.value[(size_t)row * (size_t)r.cols + (size_t)col];
            if (as_published) value = trunc(value);
            if (!(value > 0)) continue; /* also NaN: cells without data have no vent */
            if (left-- == 0)
                status = error_input(
                    e, "%s: more than %d cells with a vent; check that this is the grid of vents",
                    path, VENT_CELLS_MAX);
            else status = add_cell(v, value, (struct vent_cell){.row = row, .col = col}, g, e);
        }
    if (!status) status = vent_sites_finish(v, e);
    for (int i = 0; i < v->count; i++) v->site[i].shares = 1;
    if (status) vents_free(v);
    return status;
}

/* ---- rates: EmissionRate.txt ----------------------------------------------------------------- */

/* The file has [TIME] and seconds; for each vent [VENT_ID] and its id, [EMISSION_RATE] and its rates; last [END]. As in
 * the published program, a line break is a blank like any other. What follows [END] is ignored. */

struct reader {
    struct textfile file;
    char *rest; /* unread part of the present line */
    struct rate_lists *rates;
    struct rate_list *list; /* rates of the present vent */
    double time_s, clock_s;
    enum { START, TIME, VENT, RATES, END } section;
    bool value_seen; /* the value of the section has been read */
};

static int refuse_value(const struct reader *r, const char *text, const char *expected,
                        struct error *e)
{
    char excerpt[48];
    return error_line(e, r->file.path, r->file.line, "'%s'; expected %s",
                      scan_excerpt(excerpt, text), expected);
}

/* Begins a section. The section before it has to be complete. */
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
    return refuse_value(r, text, expected[r->section], e);
}

static int read_vent(struct reader *r, const char *text, struct error *e)
{
    int64_t id;
    if (!scan_integer(text, &id) || id < 1 || id > 1000000000 || r->value_seen)
        return refuse_value(r, text,
                            "one id of a vent, a whole number from 1, then [EMISSION_RATE]", e);
    int status = rate_lists_get(&r->list, r->rates, (int)id, e);
    if (!status && r->list->count)
        return refuse_value(r, text, "another id: this vent has rates already", e);
    return status;
}

/* The rate of index i applies in the steps n with floor(n * clock / time) == i. */
static int read_rate(struct reader *r, const char *text, struct error *e)
{
    double value, i = r->list->count;
    if (!scan_real(text, &value)) return refuse_value(r, text, "a rate in m3/s", e);
    if (value < 0) return refuse_value(r, text, "a rate of 0 or more m3/s", e);
    if ((i + 1) * r->time_s > 1e12 || (i + 1) * r->time_s / r->clock_s > 1e15)
        return refuse_value(r, text, "[END]: the eruption is too long", e);
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
            status = refuse_value(r, text, "the seconds of each rate, one number from 0.001", e);
    } else if (r->section == VENT) {
        status = read_vent(r, text, e);
    } else if (r->section == RATES) {
        status = read_rate(r, text, e);
    } else {
        status = refuse_value(r, text, "[TIME]", e);
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
