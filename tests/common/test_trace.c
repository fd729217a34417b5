/* test_trace.c — ranges as a profiler gets them: this program takes the place of the one that
 * Nsight Systems puts into a process, and reads the names that arrive. Left out where there is no
 * CUDA toolkit. */
/* tests: common/sim */
#include "run/output.h"
#include "base/trace.h"
#include "unit.h"

#include <string.h>

#if defined(SCIARA_TRACE)

static struct {
    char text[8][128];
    int begun, depth;
} seen;

static int take_begin(const char *text)
{
    if (seen.begun < 8) strncpy(seen.text[seen.begun], text, sizeof seen.text[0] - 1);
    seen.begun++;
    return seen.depth++;
}
static int take_end(void)
{
    return --seen.depth;
}

static int inject(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table = NULL;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) ||
        size <= NVTX_CBID_CORE_RangePop)
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)take_begin;
    *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)take_end;
    return 1;
}

/* What NVTX calls before its first range; otherwise it is a weak symbol and NULL. */
extern NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = inject;

static void names_and_nesting(void **state)
{
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    memset(&seen, 0, sizeof seen);
    trace_begin("%d steps from %lld", 40, 7LL);
    assert_int_equal(seen.depth, 1);
    trace_begin("%s", longest);
    assert_int_equal(seen.depth, 2);
    trace_end();
    trace_end();
    assert_int_equal(seen.begun, 2);
    assert_int_equal(seen.depth, 0);
    assert_string_equal(seen.text[0], "40 steps from 7");
    assert_int_equal(strlen(seen.text[1]), 79);
}

/* Writing is a range of the writer's thread. */
static void writing(void **state)
{
    const struct output_info info = {.directory = "."}; /* in no format: nothing is written */
    const struct sim_case c = {0};
    const struct window window = {0, 0, 3, 4};
    struct output_writer *writer;
    struct fields f = {0};
    struct error e = {0};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(fields_create(&f, window, &e), 0);
    f.step = 4000;
    assert_int_equal(output_writer_create(&writer, &info, &c, &e), 0);
    assert_int_equal(output_writer_start(writer, &e), 0);
    assert_int_equal(output_writer_put(writer, &f, OUTPUT_FILES, &e), 0);
    assert_int_equal(output_writer_finish(writer, &e), 0);
    assert_int_equal(seen.begun, 1);
    assert_int_equal(seen.depth, 0);
    assert_string_equal(seen.text[0], "write step 4000");
}

#else

static void names_and_nesting(void **state)
{
    print_message("skipped: this program was built without nvtx3/nvToolsExt.h\n");
    skip();
}
#define writing names_and_nesting

#endif

int main(void)
{
    return UNIT_RUN(names_and_nesting, writing);
}
