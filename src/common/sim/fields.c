/* fields.c — the state on the host: memory, exact sums, digest, comparison. */
/* build: optimized */
#include "fields.h"

#include "base/memory.h"
#include "digest.h"
#include "model/lattice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double QUANTA_PER_M = LATTICE_PER_M; /* 2^36: scaling by it is exact */

_Static_assert((int)THICKNESS_MAX_M + (int)EMISSION_MAX_M <= (int)HEAT_MAX_M &&
                   (int)HEAT_MAX_M * (int)HEAT_MAX_K < 1 << 23,
               "the heat of all lava that may be in a cell has an integer");

int fields_create_empty(struct fields *f, struct window window, struct error *e)
{
    assert(window.rows > 0 && window.cols > 0);
    const size_t n = window_cells(window);
    *f = (struct fields){.window = window};
    double **layers[] = {&f->elevation_m, &f->thickness_m,     &f->temp_K,
                         &f->solid_m,     &f->max_thickness_m, &f->max_temp_K};
    const size_t layer_count = sizeof layers / sizeof *layers;
    const size_t blocks = fields_block(&window, window.rows - 1, window.cols - 1) + 1;
    bool whole = (f->there = calloc(blocks, 1)) != NULL;
    for (size_t i = 0; i < layer_count; i++)
        whole = whole && (*layers[i] = memory_zeros(n * sizeof(double))) != NULL;
    whole = whole && (f->arrival = memory_zeros(n * sizeof *f->arrival)) != NULL;
    if (whole) return 0;
    fields_free(f);
    const double bytes = (double)n * FIELDS_CELL_BYTES;
    return error_input(e, "a state of %d x %d cells needs %.2f GiB of memory, more than %s",
                       window.rows, window.cols, bytes / (1024.0 * 1024.0 * 1024.0),
                       memory_is_limited() ? "is allowed; raise the limit (ulimit -v)"
                                           : "this machine has; use a smaller or coarser grid");
}

int fields_create(struct fields *f, struct window window, struct error *e)
{
    const int status = fields_create_empty(f, window, e);
    if (status) return status;
    free(f->there);
    f->there = NULL;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < window_cells(window); i++) f->arrival[i] = ARRIVAL_NEVER;
    return 0;
}

int64_t fields_begin(const struct problem *p)
{
    return p->from ? p->from->step : p->first_step;
}

/* The stopping rule is applied only after steps with a reduction. */
bool fields_stopped(const struct fields *f, const struct problem *p)
{
    return p->stop_when_still && f->step > p->first_step && f->step % p->reduce_every == 0 &&
           f->step >= p->last_vent_step && quanta_m(fields_mobile(f, NULL)) <= p->stop_mobile_m;
}

void fields_free(struct fields *f)
{
    if (!f) return;
    double *const layers[] = {f->elevation_m, f->thickness_m,     f->temp_K,
                              f->solid_m,     f->max_thickness_m, f->max_temp_K};
    const size_t n = window_cells(f->window);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        memory_free_zeros(layers[i], n * sizeof(double));
    memory_free_zeros(f->arrival, n * sizeof *f->arrival);
    free(f->there);
    *f = (struct fields){0};
}

/* ---- exact sums ------------------------------------------------------------------------------ */

/* Every length in range is below 2^14 m, and so below 2^50 quanta: the conversion cannot overflow.
 * It is exact for lengths on the lattice. States in published arithmetic are off the lattice, and
 * their lengths are truncated. */
static int64_t quanta_of(double length_m)
{
    return (int64_t)(length_m * QUANTA_PER_M);
}

static bool is_lava_length(double m)
{
    return m == 0 || (m > 0 && m <= THICKNESS_MAX_M && (double)quanta_of(m) == m * QUANTA_PER_M);
}

/* Returns a text that describes what is wrong in a cell; NULL: the cell is right. z0 and s0 are the elevation and
 * solidified lava of the cell at the beginning of the run. Differences of lattice numbers below 2^15 m are exact in a
 * double. */
static const char *cell_fault(double z, double h, double temp_K, double s, double z0, double s0)
{
    if (!is_lava_length(h))
        return "the mobile thickness is negative, beyond 4000 m or off the lattice of 2^-36 m";
    if (!is_lava_length(s))
        return "the solidified thickness is negative, beyond 4000 m or off the lattice of 2^-36 m";
    if (!(temp_K >= 0 && isfinite(temp_K))) return "the temperature is not a number of kelvin";
    if (isnan(z0) || isnan(z)) {
        if (!isnan(z0) || !isnan(z)) return "terrain appeared or vanished";
        return h > 0 || s > 0 ? "there is lava where there is no terrain" : NULL;
    }
    if (!(z >= ELEVATION_MIN_M && z <= ELEVATION_MAX_M + THICKNESS_MAX_M) ||
        (double)quanta_of(z) != z * QUANTA_PER_M)
        return "the elevation is out of range or off the lattice of 2^-36 m";
    return z - s == z0 - s0 ? NULL : "elevation less solidified lava is not the given terrain";
}

/* Returns the fault of a cell, or NULL. `cell` is its index in the window, `d` its index in the
 * domain. */
static const char *fault_at(const struct fields *f, const struct problem *p, size_t cell, size_t d)
{
    if (f->max_temp_K[cell] > HEAT_MAX_K) return "lava was so hot that heat cannot be counted";
    return cell_fault(f->elevation_m[cell], f->thickness_m[cell], f->temp_K[cell], f->solid_m[cell],
                      p->elevation_m[d], p->solid_m ? p->solid_m[d] : 0.0);
}

static int check_cells(const struct fields *f, const struct problem *p, struct error *e)
{
    const size_t cols = (size_t)f->window.cols;
    size_t first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(min : first)
    for (int row = 0; row < f->window.rows; row++) {
        const size_t begin = (size_t)row * cols, d = fields_place(f, p, begin);
        FIELDS_ROW (f, row, i)
            if (fault_at(f, p, i, d + (i - begin)) && i < first) first = i;
    }
    if (first == SIZE_MAX) return 0;
    return error_failed(
        e, "step %lld, row %d, col %d: %s (z = %.17g, h = %.17g, s = %.17g m, T = %.17g K)",
        (long long)f->step, f->window.row0 + (int)(first / cols),
        f->window.col0 + (int)(first % cols), fault_at(f, p, first, fields_place(f, p, first)),
        f->elevation_m[first], f->thickness_m[first], f->solid_m[first], f->temp_K[first]);
}

size_t fields_thickest(const struct fields *f)
{
    size_t thickest = 0;
    double most = 0;
    FIELDS_EACH (f, row, i)
        if (f->max_thickness_m[i] > most) most = f->max_thickness_m[thickest = i];
    return thickest;
}

struct window fields_reach(const struct fields *f)
{
    const struct window *w = &f->window;
    struct window reach = {0};
    FIELDS_EACH (f, row, i)
        if (f->arrival[i] != ARRIVAL_NEVER || f->thickness_m[i] + f->solid_m[i] > 0)
            window_add(&reach, w->row0 + row, w->col0 + (int)(i % (size_t)w->cols));
    return reach;
}

/* Refuses a state in which lava was ever too thick. max_thickness_m is exact up to the step in which it first exceeds
 * the limit, and not reliable after that (docs/model.md, section 4.1). */
static int check_depth(const struct fields *f, struct error *e)
{
    const size_t i = fields_thickest(f), cols = (size_t)f->window.cols;
    if (!(f->max_thickness_m[i] > THICKNESS_MAX_M)) return 0;
    return error_input(
        e,
        "lava became %.4g m thick, more than the %g m that can be computed, at row %d, "
        "column %d in one of the steps %d to %lld; correct the rates or a pit "
        "in the terrain, spread the vents over more cells, or give a shorter Pclock",
        f->max_thickness_m[i], THICKNESS_MAX_M, f->window.row0 + (int)(i / cols),
        f->window.col0 + (int)(i % cols), f->arrival[i], (long long)f->step);
}

/* Sums an array over the cells of a state. If p is given, the array covers the domain, else the
 * window. The sum needs 128 bits: a row of 2^31 cells of 2^48 quanta would not fit 64 bits. */
static quanta sum_layer(const double *m, const struct fields *f, const struct problem *p)
{
    const struct window *w = &f->window;
    quanta sum = 0;
    if (!m) return 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int row = 0; row < w->rows; row++) {
        const size_t first = (size_t)row * (size_t)w->cols;
        const double *of = m + (p ? fields_place(f, p, first) : first);
        FIELDS_ROW (f, row, i)
            if (of[i - first] != 0) sum += quanta_of(of[i - first]); /* most are 0 */
    }
    return sum;
}

static quanta sum_heat(const double *h, const double *temp_K, const struct fields *f,
                       const struct problem *p)
{
    const struct window *w = &f->window;
    quanta sum = 0;
    if (!h || !temp_K) return 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int row = 0; row < w->rows; row++) {
        const size_t first = (size_t)row * (size_t)w->cols;
        const size_t at = p ? fields_place(f, p, first) : first;
        FIELDS_ROW (f, row, i)
            if (h[at + i - first] > 0) sum += heat_of(h[at + i - first], temp_K[at + i - first]);
    }
    return sum;
}

static struct heat_ledger heat_ledger_of(const struct fields *f, const struct problem *p)
{
    return (struct heat_ledger){.initial = sum_heat(p->thickness_m, p->temp_K, f, p),
                                .emitted = f->heat.emitted,
                                .mobile = sum_heat(f->thickness_m, f->temp_K, f, NULL),
                                .solidified = f->heat.solidified,
                                .left_domain = f->heat.left_domain,
                                .cooled = f->heat.cooled};
}

void fields_complete_cooled(struct fields *f, const struct problem *p)
{
    const struct heat_ledger l = heat_ledger_of(f, p);
    const quanta rest = l.initial + l.emitted - l.mobile - l.solidified - l.left_domain;
    f->heat.cooled = rest + (int64_t)((uint64_t)f->heat.cooled - (uint64_t)rest);
}

static quanta lava_out(const struct ledger *l)
{
    return l->mobile + l->solidified + l->left_domain + l->entered_sea;
}

static quanta heat_out(const struct heat_ledger *l)
{
    return l->mobile + l->solidified + l->left_domain + l->cooled;
}

bool ledger_closes(const struct ledger *l)
{
    return l->initial + l->emitted == lava_out(l);
}

bool heat_ledger_closes(const struct heat_ledger *l)
{
    return l->initial + l->emitted == heat_out(l);
}

bool fields_same_sums(const struct fields *a, const struct fields *b)
{
    return a->emitted == b->emitted && a->left_domain == b->left_domain &&
           a->entered_sea == b->entered_sea && a->heat.emitted == b->heat.emitted &&
           a->heat.solidified == b->heat.solidified && a->heat.left_domain == b->heat.left_domain &&
           a->heat.cooled == b->heat.cooled;
}

static int does_not_close(const struct fields *f, const struct ledger *l, struct error *e)
{
    const bool heat = ledger_closes(l);
    const quanta in = heat ? l->heat.initial + l->heat.emitted : l->initial + l->emitted;
    const quanta out = heat ? heat_out(&l->heat) : lava_out(l);
    char a[48], b[48], d[48];
    return error_failed(e,
                        "step %lld: the %sledger does not close: initial + emitted = %s, mobile + "
                        "solidified + left_domain%s = %s, difference %s (counts of %s)",
                        (long long)f->step, heat ? "heat " : "", quanta_text(in, a),
                        heat             ? " + cooled"
                        : l->entered_sea ? " + entered_sea"
                                         : "",
                        quanta_text(out, b), quanta_text(out - in, d),
                        heat ? "2^-40 K m" : "2^-36 m");
}

int fields_ledger(struct ledger *ledger, const struct fields *f, const struct problem *p,
                  struct error *e)
{
    *ledger = (struct ledger){0};
    int status = check_depth(f, e);
    if (!status) status = check_cells(f, p, e);
    if (status) return status;

    ledger->initial = sum_layer(p->thickness_m, f, p) + sum_layer(p->solid_m, f, p);
    ledger->emitted = f->emitted;
    ledger->left_domain = f->left_domain;
    ledger->entered_sea = f->entered_sea;
    ledger->mobile = sum_layer(f->thickness_m, f, NULL);
    ledger->solidified = sum_layer(f->solid_m, f, NULL);
    ledger->heat = heat_ledger_of(f, p);
    ledger->ground = f->ground;
    if (ledger_closes(ledger) && heat_ledger_closes(&ledger->heat)) return 0;
    return does_not_close(f, ledger, e);
}

quanta fields_mobile(const struct fields *f, size_t *wet_cells)
{
    quanta sum = 0;
    size_t wet = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, wet)
    FIELDS_EACH (f, row, i) {
        sum += quanta_of(f->thickness_m[i]);
        wet += f->thickness_m[i] > 0;
    }
    if (wet_cells) *wet_cells = wet;
    return sum;
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { FIELD_COUNT = DIGEST_FIELDS };

static const char *const field_names[FIELD_COUNT] = {
    "elevation",     "mobile thickness", "temperature", "solidified thickness",
    "max thickness", "max temperature",  "arrival step"};

static void cell_bits(const struct fields *f, size_t i, uint64_t bits[FIELD_COUNT])
{
    bits[DIGEST_ELEVATION] = digest_bits(f->elevation_m[i]);
    bits[DIGEST_THICKNESS] = digest_bits(f->thickness_m[i]);
    bits[DIGEST_TEMP] = digest_bits(f->temp_K[i]);
    bits[DIGEST_SOLID] = digest_bits(f->solid_m[i]);
    bits[DIGEST_MAX_THICKNESS] = digest_bits(f->max_thickness_m[i]);
    bits[DIGEST_MAX_TEMP] = digest_bits(f->max_temp_K[i]);
    bits[DIGEST_ARRIVAL] = (uint64_t)f->arrival[i];
}

static uint64_t cell_digest(const struct fields *f, size_t i, int row, int col)
{
    const uint64_t place = digest_place(row, col);
    uint64_t bits[FIELD_COUNT], sum = 0;
    cell_bits(f, i, bits);
    for (int k = 0; k < FIELD_COUNT; k++) sum += digest_of(bits[k], k, place);
    return sum;
}

/* The order of a sum does not matter, so threads may add in any order. */
uint64_t fields_digest(const struct fields *f, int rows, int cols)
{
    const struct window *w = &f->window;
    uint64_t sum = digest_grid(rows, cols);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    FIELDS_EACH (f, r, i)
        if (f->arrival[i] != ARRIVAL_NEVER)
            sum += cell_digest(f, i, w->row0 + r, w->col0 + (int)(i % (size_t)w->cols));
    return sum;
}

bool fields_find(const struct fields *f, int row, int col, size_t *i)
{
    const struct window *w = &f->window;
    *i = window_place(*w, row, col);
    return *i != SIZE_MAX && fields_has(f, row - w->row0, col - w->col0);
}

/* Sets bit k if field k differs in a cell. A cell that only one state has differs if lava reached it; then sets only
 * the bit of the arrival. */
static unsigned differ_at(const struct fields *a, const struct fields *b, int row, int col)
{
    uint64_t in_a[FIELD_COUNT], in_b[FIELD_COUNT];
    size_t i = 0, k = 0;
    unsigned differ = 0;
    const bool of_a = fields_find(a, row, col, &i), of_b = fields_find(b, row, col, &k);
    if (!of_a || !of_b) {
        const int32_t arrival = of_a ? a->arrival[i] : of_b ? b->arrival[k] : ARRIVAL_NEVER;
        return arrival != ARRIVAL_NEVER ? 1U << DIGEST_ARRIVAL : 0;
    }
    cell_bits(a, i, in_a);
    cell_bits(b, k, in_b);
    for (int n = 0; n < FIELD_COUNT; n++) differ |= (unsigned)(in_a[n] != in_b[n]) << n;
    return differ;
}

size_t fields_differ(const struct fields *a, const struct fields *b, const char **what)
{
    const struct window w = window_of_both(a->window, b->window);
    size_t cells = 0;
    unsigned fields = 0;
#pragma omp parallel for schedule(static) reduction(+ : cells) reduction(| : fields)
    for (int r = 0; r < w.rows; r++)
        for (int c = 0; c < w.cols; c++) {
            const unsigned here = differ_at(a, b, w.row0 + r, w.col0 + c);
            cells += here != 0;
            fields |= here;
        }
    if (what) {
        *what = NULL;
        for (int k = FIELD_COUNT - 1; k >= 0; k--)
            if (fields >> k & 1) *what = field_names[k];
    }
    return cells;
}

/* ---- numbers for people ---------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 uquanta;

char *quanta_text(quanta q, char *buffer)
{
    uquanta rest = (uquanta)q;
    char digits[40], *out = buffer;
    int count = 0;
    if (q < 0) {
        *out++ = '-';
        rest = 0 - rest;
    }
    do {
        digits[count++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    while (count) *out++ = digits[--count];
    *out = '\0';
    return buffer;
}

double quanta_m(quanta q)
{
    return (double)q / QUANTA_PER_M;
}

double quanta_K_m(quanta q)
{
    return (double)q / HEAT_PER_KM;
}

double quanta_J(quanta q, const struct params *p)
{
    return quanta_K_m(q) * p->cell_m * p->cell_m * p->density_kg_m3 * p->heat_J_kgK;
}
