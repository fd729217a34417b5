/* The kernels that profiling/techniques.cu compares, compiled for the CPU by tests/emulator: in
 * random states with lava on the move, every form of computeOutflows gives the bits of physics.h,
 * and every form of the sum is exact. */
/* tests: common/gpu */
#include "random_case.h"

#include "sim/fields.h"
#include "sim/grid.h"
#include "model/physics.h"
#include "sim/variant.h"
#include "unit.h"

extern uint64_t emulator_seed;
extern long emulator_launches;
extern const struct variant variant_reference;

extern const int emulated_tile;
const char *emulated_outflows(int form, const struct physics *physics, const struct grid *g,
                              const double *z, const double *h, const double *T, double *flow);
const char *emulated_sum(int form, const double *h, int size, int most_blocks,
                         unsigned long long word[2]);

/* A state in padded arrays, and what lava leaves each of its cells. */
struct state {
    struct grid g;
    struct physics physics;
    double *z, *h, *T, *flow;
    size_t wet, flowing;
    quanta mobile;
};

static double *array(size_t n)
{
    double *a = calloc(n, sizeof *a);
    assert_non_null(a);
    return a;
}

/* What physics.h says, cell by cell. */
static void expect(struct state *s)
{
    for (int row = 0; row < s->g.rows; row++)
        for (int col = 0; col < s->g.cols; col++) {
            int at = grid_at(s->g.stride, row, col);
            double zk[8], hk[8], out[8];
            for (int k = 0; k < 8; k++) {
                int next = at + PHYSICS_ROW(k) * s->g.stride + PHYSICS_COL(k);
                zk[k] = s->z[next];
                hk[k] = s->h[next];
            }
            if (!(s->h[at] > 0.0) ||
                !physics_outflows(&s->physics, s->z[at], s->h[at], s->T[at], zk, hk, out))
                continue;
            s->flowing++;
            for (int k = 0; k < 8; k++)
                s->flow[(size_t)k * (size_t)s->g.size + (size_t)at] = out[k];
        }
}

/* The state of a random case after some steps, by the reference. */
static struct state state_after(struct random_case *c, int steps)
{
    struct error e = {0};
    struct fields f = {0};
    struct problem *p = &c->problem;
    struct state s = {.g = grid_create(p->rows, p->cols, emulated_tile, emulated_tile),
                      .physics = physics_create(&p->params)};
    void *self = NULL;
    size_t n = (size_t)s.g.size;
    must(fields_create(&f, p->window, &e), &e);
    must(variant_reference.create(&self, p, NULL, &e), &e);
    must(variant_reference.advance(self, steps, NULL, &e), &e);
    must(variant_reference.snapshot(self, &f, &e), &e);
    must(variant_reference.snapshot_wait(self, &e), &e);
    variant_reference.destroy(self);
    s.z = array(n), s.h = array(n), s.T = array(n), s.flow = array(8 * n);
    p->elevation_m = f.elevation_m;
    grid_fill_elevation(&s.g, p, grid_all(&s.g), s.z);
    p->elevation_m = c->elevation_m;
    grid_fill_value(&s.g, p, f.thickness_m, s.h);
    grid_fill_value(&s.g, p, f.temp_K, s.T);
    s.mobile = fields_mobile(&f, &s.wet);
    fields_free(&f);
    expect(&s);
    return s;
}

static void state_free(struct state *s)
{
    free(s->z);
    free(s->h);
    free(s->T);
    free(s->flow);
}

static void assert_flows_equal(const struct state *s, const double *flow)
{
    for (int k = 0; k < 8; k++)
        for (int row = 0; row < s->g.rows; row++) {
            size_t at = (size_t)k * (size_t)s->g.size + (size_t)grid_at(s->g.stride, row, 0);
            assert_memory_equal(&flow[at], &s->flow[at], (size_t)s->g.cols * sizeof *flow);
        }
}

static void check_outflows(const struct state *s)
{
    size_t bytes = 8 * (size_t)s->g.size * sizeof(double);
    double *flow = malloc(bytes);
    int forms = 0;
    assert_non_null(flow);
    assert_true(s->flowing > 10);
    for (;; forms++) {
        memset(flow, 0xff, bytes);
        if (!emulated_outflows(forms, &s->physics, &s->g, s->z, s->h, s->T, flow)) break;
        assert_flows_equal(s, flow);
    }
    assert_int_equal(forms, 5);
    free(flow);
}

/* With more threads than cells, and with fewer. */
static void check_sums(const struct state *s)
{
    static const int blocks[] = {1000, 3};
    unsigned long long word[2];
    assert_true(s->wet > 10 && s->mobile > 0);
    for (int i = 0; i < 2; i++) {
        int forms = 0;
        for (; emulated_sum(forms, s->h, s->g.size, blocks[i], word); forms++)
            assert_true((quanta)word[0] + (quanta)word[1] * ((quanta)1 << 32) == s->mobile);
        assert_int_equal(forms, 3);
    }
}

static void all_forms_agree(void **unused)
{
    (void)unused;
    static const int size[][2] = {{16, 16}, {45, 50}, {70, 31}, {96, 80}};
    long launches = emulator_launches;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct random_case c;
        random_case_create(&c, size[seed][0], size[seed][1], seed % 2 ? 0.02 : 0.0, 300 + seed);
        emulator_seed = seed;
        struct state s = state_after(&c, 40);
        check_outflows(&s);
        check_sums(&s);
        state_free(&s);
        random_case_free(&c);
    }
    assert_int_equal(emulator_launches - launches, 4 * (5 + 2 * 3));
}

int main(void)
{
    return UNIT_RUN(all_forms_agree);
}
