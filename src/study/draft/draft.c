/* draft.c — drafts the lines of a plan that vary what is uncertain about a case. The ranges are wide. They were chosen
 * so that they fit two eruptions (docs/validation.md). */
#include "draft.h"

#include "case/resolution.h"
#include "raster/projection.h"
#include "text/number.h"
#include "text/textfile.h"

#include <math.h>
#include <string.h>

/* Writes a comment, in lines of at most 100 characters. */
static void put_comment(FILE *out, const char *text)
{
    enum { WIDTH = 98 };
    while (*text) {
        size_t length = strlen(text);
        if (length > WIDTH) {
            length = WIDTH;
            while (length && text[length] != ' ') length--;
            if (!length) length = strcspn(text, " ");
        }
        fprintf(out, "# %.*s\n", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void put_line(FILE *out, const char *key, const char *value)
{
    fprintf(out, "%-24s%s%s\n", key, strlen(key) < 24 ? "" : " ", value);
}

/* Writes a comment with the meaning of a key from its schema, and below it the line of the key. */
static void put_key(FILE *out, const char *key, const char *value)
{
    struct key k;
    if (schema_find(&plan_schema, key, &k) || schema_find(&case_schema, key, &k))
        put_comment(out, k.meaning);
    put_line(out, key, value);
}

/* Writes a line that varies a parameter: two thirds of all members are between value / factor and value * factor. */
static void put_factor(FILE *out, const struct params *p, const char *name, const char *factor)
{
    char key[64], value[64], number[32];
    for (int i = 0; i < PARAMETERS; i++) {
        const double x = params_value(p, &params_table[i]);
        if (strcmp(params_table[i].name, name) || !(x > 0)) continue;
        snprintf(key, sizeof key, "vary_%s", name);
        snprintf(value, sizeof value, "lognormal %s %s", number_text(x, number), factor);
        put_line(out, key, value);
    }
}

/* ---- the case -------------------------------------------------------------------------------- */

/* The step of members, in seconds. Without calibrated_cell_m, the step of the case is for cells of PUBLISHED_CELL_M. So
 * it is scaled to the size of the case's cells. */
static double drafted_clock_s(const struct sim_case *c)
{
    const struct params *p = &c->problem.params;
    return c->calibrated_cell_m > 0 ? p->clock_s : p->clock_s * (p->cell_m / PUBLISHED_CELL_M);
}

/* Whether the rates of a vent change with time. Such rates were probably measured, not guessed. */
static bool rates_are_measured(const struct rate_series *r)
{
    for (int i = 1; i < r->count; i++)
        for (int k = 0; k < i; k++)
            if (r->interval[k].id == r->interval[i].id &&
                r->interval[k].rate_m3_s != r->interval[i].rate_m3_s)
                return true;
    return false;
}

/* Two thirds of all members have a duration of the eruption between given / factor and given * factor. */
static double duration_factor(const struct plan *p)
{
    return rates_are_measured(&p->rates) ? 1.25 : 1.5;
}

/* The length of a run of the case in seconds; 0: a stopping rule ends the run. */
static double given_run_s(const struct plan *p)
{
    const double of_steps_s = (double)p->base.max_steps * p->base.problem.params.clock_s;
    return p->keys.run_s > 0 ? p->keys.run_s : of_steps_s;
}

/* The length of a member's run in seconds. If the case runs until its eruption has ended, members
 * show the whole flow: 99 of 100 drawn durations of the eruption fit into this length. If the case
 * ends before the eruption ends, members end when the case ends. */
static double drafted_run_s(const struct plan *p)
{
    static const double STANDARD_NORMAL_99 = 2.326;
    const double given_s = given_run_s(p),
                 needed_s = p->rates.end_s * pow(duration_factor(p), STANDARD_NORMAL_99);
    return given_s < p->rates.end_s ? given_s : fmax(given_s, ceil(needed_s / 3600) * 3600);
}

static bool is_word(const char *word, size_t length, const char *key)
{
    return length == strlen(key) && !strncmp(word, key, length);
}

static void draft_case(FILE *out, const struct plan *p, const char *text)
{
    const struct params *now = &p->base.problem.params;
    const double clock_s = drafted_clock_s(&p->base), run_s = drafted_run_s(p);
    char value[96], number[32];
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const char *word = text + strspn(text, " \t");
        const size_t word_length = strcspn(word, " \t\r\n");
        if (run_s > 0 && (is_word(word, word_length, "max_steps") ||
                          (is_word(word, word_length, "run_h") && run_s > given_run_s(p)))) {
            put_line(out, "run_h", times_hours_text((char[TIMES_TEXT]){0}, run_s));
        } else if (is_word(word, word_length, "Pclock") && clock_s != now->clock_s) {
            snprintf(value, sizeof value, "%s # %g on cells of %g m", number_text(clock_s, number),
                     now->clock_s, PUBLISHED_CELL_M);
            put_line(out, "Pclock", value);
        } else {
            fprintf(out, "%.*s\n", (int)length, text);
        }
        text += length + (text[length] == '\n');
    }
    putc('\n', out);
}

static void put_cells(FILE *out, const struct sim_case *c)
{
    char number[32];
    if (c->calibrated_cell_m > 0) return;
    put_comment(out,
                "Size of the cells for which the parameters were calibrated: a guess, the size "
                "in the published case. Pcool is scaled from this size.");
    put_line(out, "calibrated_cell_m", number_text(PUBLISHED_CELL_M, number));
    if (c->calibrated_clock_s > 0) return;
    put_line(out, "calibrated_clock_s", number_text(c->problem.params.clock_s, number));
}

/* ---- what is uncertain ----------------------------------------------------------------------- */

static double greatest_rate_m3_s(const struct rate_series *r)
{
    double most = 0;
    for (int i = 0; i < r->count; i++) most = fmax(most, r->interval[i].rate_m3_s);
    return most;
}

static void put_rates(FILE *out, const struct plan *p)
{
    const bool measured = rates_are_measured(&p->rates);
    char value[64], number[32];
    put_comment(out, measured ? "Rates: two thirds within a factor of 1.5. Rates measured on the "
                                "ground may be known better."
                              : "Rates: a constant rate is a guess, so two thirds are within a "
                                "factor of 2. For measured rates give 1.5.");
    put_line(out, "vary_rate_factor", measured ? "lognormal 1 1.5" : "lognormal 1 2");
    put_comment(out, "Duration: when the eruption ends. Remove the line if the eruption has ended. "
                     "Members also end at the end of the run.");
    snprintf(value, sizeof value, "lognormal 1 %s", number_text(duration_factor(p), number));
    put_line(out, "vary_duration_factor", value);
}

/* The direction of the only fissure, in degrees clockwise from north; NaN: there is none, or several. */
static double fissure_deg(const struct vent_points *v)
{
    double deg = NAN;
    for (int i = 0; i < v->count; i++) {
        const struct vent_point *first = &v->point[i], *last = first;
        bool before = false;
        for (int k = 0; k < v->count; k++) {
            if (v->point[k].id != first->id) continue;
            before = before || k < i;
            last = &v->point[k];
        }
        if (before || last == first) continue;
        if (!isnan(deg)) return NAN;
        deg = atan2(last->at.right - first->at.right, last->at.up - first->at.up) * 57.29578;
    }
    return deg;
}

/* The least distance of a vent from an edge of the terrain. A member with a vent beyond the edge would be refused. */
static double edge_m(const struct plan *p)
{
    const struct problem *q = &p->base.problem;
    double cells = INFINITY;
    for (int i = 0; i < p->vents.count; i++) {
        const struct place *at = &p->vents.point[i].at;
        cells =
            fmin(cells, fmin(fmin(at->right, q->cols - at->right), fmin(at->up, q->rows - at->up)));
    }
    return cells * p->base.geo.cell_m;
}

/* Writes how vents vary. Also writes the radius over which a vent spreads its lava. This radius suffices for eight
 * times the greatest rate. Few members exceed such a rate. */
static void put_vents(FILE *out, const struct plan *p)
{
    const struct sim_case *c = &p->base;
    const double cell_m = c->geo.cell_m, deg = fissure_deg(&p->vents),
                 width_m = fmin(fmax(cell_m, 50), floor(edge_m(p) / 4)),
                 needed_m =
                     sqrt(8 * greatest_rate_m3_s(&p->rates) * drafted_clock_s(c) / 2 / 3.14159);
    char width[64], number[32];
    put_comment(out, "Vents: known to 50 m, or to the size of a cell if that is more. For surveyed "
                     "vents give the size of a cell.");
    snprintf(width, sizeof width, "normal 0 %s", number_text(width_m, number));
    put_line(out, "vary_vent_east_m", width);
    put_line(out, "vary_vent_north_m", width);
    if (!isnan(deg)) {
        snprintf(width, sizeof width, "normal %.0f 10", deg);
        put_comment(out, "The direction of the fissure, clockwise from north");
        put_line(out, "vary_azimuth_deg", width);
    }
    if (!(c->vent_radius_m > 0))
        put_key(out, "vent_radius_m", number_text(fmax(100, ceil(needed_m / 10) * 10), number));
}

/* Varies the step if there are places of interest, because the step decides when lava arrives there. */
static void put_clock(FILE *out, const struct plan *p)
{
    const double clock_s = drafted_clock_s(&p->base);
    char value[128], number[3][32];
    if (!p->settings.assets && !p->keys.assets) return;
    /* If a case does not begin with step 0, the time of its beginning depends on Pclock. So Pclock may not vary. */
    if (p->base.problem.first_step) return;
    put_comment(out, "Step: the speed of lava, for arrivals at the places. A posterior of dated "
                     "fronts (fit_Pclock) is better.");
    snprintf(value, sizeof value, "lognormal %s 1.5 from %s to %s", number_text(clock_s, number[0]),
             number_text(clock_s / 2, number[1]), number_text(clock_s * 2.5, number[2]));
    put_line(out, "vary_Pclock", value);
}

static void put_eruption(FILE *out, const struct plan *p)
{
    if (p->vents.count) {
        put_rates(out, p);
        put_vents(out, p);
    }
    put_comment(out, "Lava: parameters that are fitted, not measured. A posterior of several "
                     "eruptions (member_table) is better.");
    put_factor(out, resolution_given(&p->base), "Pcool", "1.5");
    put_factor(out, resolution_given(&p->base), "Phc(Tsol)", "1.5");
    put_factor(out, resolution_given(&p->base), "Phc(Tvent)", "1.5");
    put_clock(out, p);
}

static bool lies_in_italy(const struct sim_case *c)
{
    struct ground_scale s;
    return projection_scale(&s, &c->geo, c->problem.rows, c->problem.cols) && s.east_deg > 6.5 &&
           s.east_deg < 18.6 && s.north_deg > 35.4 && s.north_deg < 47.2;
}

/* Writes the error of the DEM that terrain_source names. If it names none, writes the largest error of the DEMs that
 * the terrain may come from. */
static void put_terrain(FILE *out, const struct sim_case *c)
{
    const char *kind = plan_dem_called(c->terrain_source);
    char value[64];
    if (c->synthetic) {
        put_comment(out, "Terrain: made up, so it is exact");
        put_line(out, "terrain_error_m", "0");
        return;
    }
    if (kind) {
        put_comment(out, "Terrain: the DEM that terrain_source names");
    } else {
        const bool fine = c->geo.cell_m < 5, italy = c->geo.cell_m < 20 && lies_in_italy(c);
        kind = fine ? "lidar" : italy ? "tinitaly" : "aster";
        put_comment(out, fine ? "Terrain: a guess by the size of the cells."
                         : italy
                             ? "Terrain: a guess by the size of the cells and the place, Italy."
                             : "Terrain: a guess, the largest error of the DEMs that it may be.");
        put_comment(out, "Give the name of the DEM, or its measured error (`sciara help keys`).");
    }
    snprintf(value, sizeof value, "from_dem %s", kind);
    put_key(out, "terrain_error", value);
}

void draft_plan(FILE *out, const struct plan *p, int64_t members)
{
    char number[32];
    put_key(out, "members", number_text((double)members, number));
    put_key(out, "sampling", "sobol");
    put_key(out, "seed", "1");
    put_cells(out, &p->base);
    putc('\n', out);
    put_eruption(out, p);
    putc('\n', out);
    put_terrain(out, &p->base);
    putc('\n', out);
    put_key(out, "exceed_m", "0.5 2 5");
    put_key(out, "thickness_of", "medians");
}

int draft_of_case(FILE *out, const char *path, int64_t members, struct error *e)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    FREED char *text = NULL;
    if (plan_has_draws(path)) return error_input(e, "%s: is a plan already; name a case", path);
    int status = plan_read(&p, path, &(struct plan_more){.members = 1}, NULL, e);
    if (!status) status = textfile_load(&text, &(size_t){0}, path, e);
    if (status) return status;
    fprintf(out, "# A plan of an ensemble: the case %s, then its uncertain inputs\n", p->base.name);
    draft_case(out, p, text);
    draft_plan(out, p, members);
    return 0;
}
