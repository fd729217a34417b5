/* Any bytes as what a caller of the library fills in: refused with one line, or a case of which a
 * few steps can be computed and a ledger that closes. The arrays are as large as they are said to
 * be where the grid is small; a large one has to be refused before anybody looks at them. */
#include "fuzz_steps.h"
#include "fuzz.h"

enum { CELLS_MAX = 1024, LIST_MAX = 16 };

struct bytes {
    const uint8_t *at;
    size_t left;
};

/* The next bytes; zeros behind the last. */
static void take(struct bytes *b, void *out, size_t size)
{
    const size_t n = size < b->left ? size : b->left;
    memset(out, 0, size);
    if (n) memcpy(out, b->at, n);
    b->at += n;
    b->left -= n;
}

static int take_int(struct bytes *b)
{
    int value;
    take(b, &value, sizeof value);
    return value;
}

static double take_double(struct bytes *b)
{
    double value;
    take(b, &value, sizeof value);
    return value;
}

static unsigned take_choice(struct bytes *b, unsigned count)
{
    uint8_t value;
    take(b, &value, 1);
    return value % count;
}

/* Mostly a plausible number, sometimes any. */
static double number(struct bytes *b, double plausible)
{
    return take_choice(b, 8) ? plausible : take_double(b);
}

static int whole(struct bytes *b, int plausible)
{
    return take_choice(b, 8) ? plausible : take_int(b);
}

/* An array that ends where it is said to, so that a sanitizer sees who reads on; NULL sometimes. */
static double *take_grid(struct bytes *b, size_t cells, double plausible, unsigned rarely)
{
    double *grid = take_choice(b, rarely) ? NULL : malloc(cells * sizeof *grid);
    for (size_t i = 0; grid && i < cells; i++) {
        const unsigned kind = take_choice(b, 64);
        grid[i] = kind == 63 ? take_double(b) : plausible + kind;
    }
    return grid;
}

static char *take_text(struct bytes *b)
{
    const unsigned length = take_choice(b, 70);
    char *text = take_choice(b, 4) ? NULL : malloc(length + 1);
    if (!text) return NULL;
    take(b, text, length);
    text[length] = '\0';
    return text;
}

struct given {
    struct sciara_case_input in;
    double *grid[4];
    char *text[4];
    struct sciara_vent *vents;
    struct sciara_rate *rates;
};

static void take_parameters(struct bytes *b, struct sciara_parameters *p)
{
    double value[sizeof *p / sizeof(double)];
    sciara_parameters_etna2006(p);
    memcpy(value, p, sizeof *p);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) value[i] = number(b, value[i]);
    memcpy(p, value, sizeof *p);
}

static void take_lists(struct bytes *b, struct given *g)
{
    struct sciara_case_input *in = &g->in;
    const int vents = (int)take_choice(b, LIST_MAX), rates = (int)take_choice(b, LIST_MAX);
    g->vents = calloc((size_t)vents + 1, sizeof *g->vents);
    g->rates = calloc((size_t)rates + 1, sizeof *g->rates);
    if (!g->vents || !g->rates) abort();
    for (int i = 0; i < vents; i++) {
        g->vents[i].id = whole(b, (int)take_choice(b, 3) + 1);
        g->vents[i].row = whole(b, (int)take_choice(b, 4));
        g->vents[i].col = whole(b, (int)take_choice(b, 4));
    }
    for (int i = 0; i < rates; i++) {
        const double from_s = 600.0 * take_choice(b, 4);
        g->rates[i].id = whole(b, (int)take_choice(b, 4));
        g->rates[i].from_s = number(b, from_s);
        g->rates[i].to_s = number(b, from_s + 600);
        g->rates[i].rate_m3_s = number(b, take_choice(b, 20));
    }
    in->vents = take_choice(b, 32) ? g->vents : NULL;
    in->rates = take_choice(b, 32) ? g->rates : NULL;
    in->vent_count = vents;
    in->rate_count = rates;
}

static void take_input(struct bytes *b, struct given *g)
{
    struct sciara_case_input *in = &g->in;
    sciara_case_input_init(in, sizeof *in);
    for (int i = 0; i < 4; i++) g->text[i] = take_text(b);
    in->name = g->text[0];
    in->title = g->text[1];
    in->start_time = g->text[2];
    in->terrain_source = g->text[3];
    in->rows = whole(b, (int)take_choice(b, 16));
    in->cols = whole(b, (int)take_choice(b, 16));
    in->cell_m = number(b, 10);
    in->west_m = number(b, 500000);
    in->south_m = number(b, 4170000);
    in->epsg = whole(b, 0);
    take_parameters(b, &in->parameters);
    take_lists(b, g);
    const double n = (double)in->rows * in->cols;
    const bool small = in->rows >= 0 && in->cols >= 0 && n <= CELLS_MAX;
    const size_t cells = small ? (size_t)in->rows * (size_t)in->cols : 1;
    const double plausible[4] = {1000, 0, 1200, 0};
    for (int i = 0; i < 4; i++) g->grid[i] = take_grid(b, cells, plausible[i], i == 0 ? 64 : 3);
    /* A caller who says more than there is cannot be helped: only what must be refused. */
    const bool absurd = n > 1e12 || in->rows < 3 || in->cols < 3;
    if (!small && !absurd) in->rows = in->cols = 0;
    in->elevation_m = take_choice(b, 64) ? g->grid[0] : NULL;
    in->thickness_m = g->grid[1];
    in->temperature_K = g->grid[2];
    in->solidified_m = g->grid[3];
    in->first_step = whole(b, 0);
    in->max_steps = whole(b, 0);
    in->reduce_every = whole(b, 3);
    in->stop_below_m = number(b, 0);
}

static void forget(struct given *g)
{
    for (int i = 0; i < 4; i++) {
        free(g->grid[i]);
        free(g->text[i]);
    }
    free(g->vents);
    free(g->rates);
}

/* Steps of a case that was taken can only fail where its first step is too far away. */
static void compute(sciara_case *c)
{
    struct sciara_case_info info;
    const struct fuzz_steps end = fuzz_steps(c, 12);
    sciara_case_info(c, &info);
    if (end.ledger || (end.created && info.first_step < 2147483646)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, size};
    struct given g = {0};
    struct sciara_error e = {0};
    sciara_case *c;
    take_input(&b, &g);
    const int status = sciara_case_create(&c, &g.in, &e);
    forget(&g); /* all was copied */
    if (status) {
        if (status != SCIARA_INPUT || strchr(e.text, '\n') || c) abort();
        return 0;
    }
    compute(c);
    sciara_case_free(c);
    return 0;
}
