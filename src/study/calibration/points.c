#include "points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int fits_list(struct fit *fit, const struct calibration_keys *k, int eruption)
{
    int count = 0;
    for (int i = 0; i < VARIABLES; i++) {
        const struct fit_key *key = &k->fit[i];
        const int of = calibration_is_own(i) ? eruption : ALL_ERUPTIONS;
        if (!key->line || (of != eruption && eruption)) continue;
        fit[count] = (struct fit){i, of, key->low, key->high, key->log, ""};
        snprintf(fit[count++].name, FIT_NAME, "%s", variable_row(i).name);
    }
    return count;
}

bool fit_is_of(const struct fit *f, int eruption)
{
    return f->of == ALL_ERUPTIONS || f->of == eruption;
}

double fit_value(const struct fit *f, double unit)
{
    char text[40];
    double value = f->log ? f->low * real_exp(unit * real_log(f->high / f->low))
                          : f->low + unit * (f->high - f->low);
    snprintf(text, sizeof text, "%.7g", value);
    value = strtod(text, NULL);
    return value < f->low ? f->low : value > f->high ? f->high : value;
}

double fit_unit(const struct fit *f, double value)
{
    const double unit = f->log ? real_log(value / f->low) / real_log(f->high / f->low)
                               : (value - f->low) / (f->high - f->low);
    return unit < 0 ? 0 : unit > 1 ? 1 : unit;
}

int points_make_room(struct plan *p, int64_t count, struct error *e)
{
    struct table_row *row = realloc(p->table.row, (size_t)count * sizeof *row);
    if (!row) return error_memory(e);
    p->table.row = row;
    p->table.count = (int)count;
    p->count = count;
    p->repeats = 1;
    return 0;
}

struct table_row point_row(const struct fit *f, int fits, int eruption, const double *value,
                           int64_t noise)
{
    struct table_row r = {.weight = 1,
                          .x = NAN,
                          .y = NAN,
                          .class = -1,
                          .rates = -1,
                          .terrain_seed = noise,
                          .max_steps = -1,
                          .stop_mobile_m = NAN};
    for (int i = 0; i < VARIABLES; i++) r.value[i] = NAN;
    for (int i = 0; i < fits && value; i++)
        if (fit_is_of(&f[i], eruption)) r.value[f[i].variable] = value[i];
    return r;
}

int points_base(struct plan *p, struct member *m, struct error *e)
{
    int status = points_make_room(p, 1, e);
    if (status) return status;
    p->table.row[0] = point_row(NULL, 0, 0, NULL, 0);
    return member_create_flat(m, p, 0, e);
}
