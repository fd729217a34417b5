/* The kernels of the variants that give every cell a thread, compiled for other shapes of a block
 * than their own and run by tests/emulator: the same bits as the reference. The Makefile compiles a
 * variant for each shape in TEST_SHAPES, columns x rows, and has it define variant_NAME_SHAPE. */
/* tests: variants */
/* run: plain */
#include "against_reference.h"
#include "random_case.h"

#include <stdio.h>
#include <string.h>

/* The Makefile's list: each(global,4x8) each(tiled,4x8) ..., of the variants that have other
 * shapes. */
#define DECLARE(name, shape) extern const struct variant variant_##name##_##shape;
SHAPED_VARIANTS(DECLARE)

#define LIST(name, shape) {#shape, &variant_##name##_##shape},
static const struct shaped {
    const char *shape;
    const struct variant *variant;
} shaped[] = {SHAPED_VARIANTS(LIST)};
enum { TESTS = sizeof shaped / sizeof *shaped };

/* Windows smaller than some blocks, of whole blocks, and of neither; every cell, lava only, and a
 * landscape without lava but for the vents', which has to wake one tile after the other. */
static void same_bits(void **state)
{
    const struct variant *variant = *state;
    static const int size[][2] = {{17, 33}, {32, 64}, {45, 50}};
    for (uint64_t seed = 0; seed < sizeof size / sizeof *size; seed++) {
        struct random_case c;
        random_case_create(&c, size[seed][0], size[seed][1], seed % 2 ? 0.02 : 0.0, 200 + seed);
        emulator_seed = seed;
        c.problem.full_domain = seed == 0;
        if (seed == 2) c.problem.thickness_m = c.problem.temp_K = NULL;
        against_reference(variant, &c.problem);
        random_case_free(&c);
    }
}

extern int emulator_registers;
extern size_t emulator_shared_bytes;

static const struct variant *find(const char *name, const char *shape)
{
    for (int i = 0; i < TESTS; i++)
        if (!strcmp(shaped[i].variant->name, name) && !strcmp(shaped[i].shape, shape))
            return shaped[i].variant;
    return NULL;
}

/* The kernel of computeOutflows, merged with others or not. */
static struct variant_kernel kernel_of(const char *name, const char *shape, int registers,
                                       size_t shared_bytes)
{
    const struct variant *v = find(name, shape);
    assert_non_null(v);
    struct variant_kernel k[VARIANT_KERNELS];
    struct error e = {0};
    int count = 0;
    emulator_registers = registers;
    emulator_shared_bytes = shared_bytes;
    must(v->kernels(k, &count, NULL, &e), &e);
    assert_int_equal(count, 4);
    assert_string_equal(k[0].name, "emitLava");
    assert_string_equal(k[2].name, "massBalance_solidification");
    assert_string_equal(k[3].name, "reduceAdd");
    return k[1];
}

static void assert_kernel(const struct variant_kernel *k, int blocks, double occupancy,
                          const char *limit)
{
    assert_int_equal(k->blocks, blocks);
    assert_true(k->occupancy == occupancy);
    assert_string_equal(k->limit, limit);
}

/* What a kernel is said to need of a device, and what keeps a multiprocessor from more of its
 * blocks. */
static void resources(void **state)
{
    struct variant_kernel k;
    int shapes = 0;
    if (find("cfamo", "32x4") && ++shapes) {
        k = kernel_of("cfamo", "32x4", 32, 0);
        assert_string_equal(k.name, "computeOutflows_massBalance");
        assert_int_equal(k.cols, 32);
        assert_int_equal(k.rows, 4);
        assert_int_equal(k.registers, 32);
        assert_kernel(&k, 16, 1.0, "threads");
        k = kernel_of("cfamo", "32x4", 96, 0);
        assert_kernel(&k, 5, 0.3125, "registers");
        k = kernel_of("tiled", "32x4", 16, 32768);
        assert_int_equal(k.shared_bytes, 32768);
        assert_kernel(&k, 6, 0.375, "shared memory");
    }
    if (find("tiled", "4x8") && ++shapes) {
        k = kernel_of("tiled", "4x8", 16, 0);
        assert_kernel(&k, 32, 0.5, "blocks");
    }
    if (find("tiled", "8x8") && ++shapes) {
        k = kernel_of("tiled", "8x8", 16, 0);
        assert_int_equal(k.cols * k.rows, 64);
        assert_kernel(&k, 32, 1.0, "threads");
    }
    if (find("tiled_halo", "32x32") && ++shapes) {
        k = kernel_of("tiled_halo", "32x32", 65, 0);
        assert_kernel(&k, 0, 0.0, "registers");
    }
    assert_true(shapes > 0);
}

int main(void)
{
    struct CMUnitTest tests[TESTS + 1] = {[TESTS] = cmocka_unit_test(resources)};
    char names[TESTS][64];
    for (int i = 0; i < TESTS; i++) {
        const struct variant *variant = shaped[i].variant;
        snprintf(names[i], sizeof names[i], "%s: %s", shaped[i].shape, variant->name);
        tests[i].name = names[i];
        tests[i].test_func = same_bits;
        tests[i].initial_state = (void *)variant;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
