/* test_profiling.c — the parts of profiling/ that need no GPU: how the profiler's CSV is read, what
 * the tables make of it, and that the scripts say what is missing and still succeed. */
/* tests: none */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct folder {
    char path[64];
};

/* The profiler's CSV with what makes it hard to read: its own lines before the table, commas and
 * doubled quotes inside quotes, a row of units, thousands, values that are none. */
static const char profiler_csv[] =
    "==PROF== Connected to process 1 (/bin/x)\n"
    "\"ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"Grid "
    "Size\",\"gpu__time_duration.sum\","
    "\"dram__bytes.sum\",\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\","
    "\"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum\","
    "\"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"us\",\"Kbyte\",\"inst\",\"inst\",\"inst\"\n"
    "\"0\",\"a \"\"b\"\", c\",\"void flow<double, 3>(int, double *)\",\"(16, 16, 1)\",\"(33, 24, "
    "1)\","
    "\"1,002.5\",\"10\",\"1,000\",\"500\",\"250\"\n"
    "\"1\",\"x\",\"flow\",\"(16, 16, 1)\",\"(33, 24, "
    "1)\",\"1,007.5\",\"30\",\"1,000\",\"500\",\"250\"\n"
    "\"2\",\"x\",\"rest\",\"(256, 1, 1)\",\"(7, 1, 1)\",\"2.5\",\"n/a\",\"0\",\"0\",\"0\"\n";

static const char ceilings_csv[] = "# device: made up; for a test\n"
                                   "name,detail,value,unit,time_us,spread_percent,samples,check\n"
                                   "dram_read,x,4000,GB/s,1,0.1,9,ok\n"
                                   "l2_read,x,8000,GB/s,1,0.1,9,ok\n"
                                   "shared_read_8,x,30000,GB/s,1,0.1,9,ok\n"
                                   "fp64_fma,x,33000,GFLOP/s,1,0.1,9,ok\n"
                                   "fp64_mul_add,x,16000,GFLOP/s,1,0.1,9,ok\n";

static const char kernels_csv[] =
    "kernel,variant,time_us,calls,dram_bytes,l2_bytes,l1_bytes,shared_bytes,fp64_flop\n"
    "flow,tiled,5,16000,200000,2000000,3000000,9000000,2600000\n"
    "rest,tiled,2,16000,100000,,,,0\n";

static int set_up(void **state)
{
    struct folder *f = malloc(sizeof *f);
    if (!f) return -1;
    mkdir("build", 0777);
    mkdir("build/tmp", 0777);
    strcpy(f->path, "build/tmp/profiling_XXXXXX");
    *state = f;
    return mkdtemp(f->path) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct folder *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->path);
    const int status = system(command);
    free(f);
    return status;
}

static void write_file(const struct folder *f, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Runs a command in which %1$s stands for the folder; its output, both streams, goes to text. */
static int run(const struct folder *f, const char *format, char text[8192])
{
    char command[1024];
    snprintf(command, sizeof command, format, f->path);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    const size_t n = fread(text, 1, 8191, p);
    text[n] = '\0';
    const int status = pclose(p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_csv_quoting(void **state)
{
    char text[8192];
    write_file(*state, "ncu", profiler_csv);
    assert_int_equal(run(*state, "awk -f profiling/ncu_csv.awk %1$s/ncu 2>&1", text), 0);
    assert_non_null(strstr(text, "flow\t0\tgpu__time_duration.sum\t1002500\n")); /* ns */
    assert_non_null(strstr(text, "flow\t1\tdram__bytes.sum\t30000\n"));
    assert_non_null(strstr(text, "flow\t0\tblock\t16x16\n"));
    assert_non_null(strstr(text, "rest\t2\tblock\t256\n"));
    assert_null(strstr(text, "rest\t2\tdram__bytes.sum")); /* n/a is not zero */
    assert_null(strstr(text, "Process"));
}

static void test_kernel_tables(void **state)
{
    char text[8192];
    write_file(*state, "ncu", profiler_csv);
    write_file(*state, "calls", "tiled\tflow\t1\t16000\ntiled\trest\t0.5\t8000\n");
    assert_int_equal(
        run(*state,
            "awk -f profiling/ncu_csv.awk %1$s/ncu | sed 's/^/tiled\t/' >%1$s/counters && "
            "awk -f profiling/kernels.awk %1$s/calls %1$s/counters >%1$s/kernels.csv && "
            "cat %1$s/kernels.csv 2>&1",
            text),
        0);
    /* Means of two launches; 1000 + 500 + 2 * 250 operations; nothing counted at L2, L1, shared. */
    assert_non_null(strstr(text, "\nflow,tiled,1005,16000,20000,,,,2000,1000,500,250,"));
    assert_non_null(strstr(text, "\nrest,tiled,2.5,8000,,,,,0,0,0,0,"));

    assert_int_equal(run(*state, "awk -f profiling/kernels_md.awk %1$s/kernels.csv 2>&1", text), 0);
    assert_non_null(strstr(text, "| flow | 16.0800 | 16000 | 1005.00 | 99.9% |"));
    assert_non_null(strstr(text, "| **Total GPU** | **16.1000** |"));
}

/* Only loads, stores and atomics are traffic of shared memory; without them, all passes have to do.
 */
static void test_shared_memory(void **state)
{
    char text[8192];
    write_file(*state, "calls", "tiled\tflow\t1\t16000\ntiled\trest\t1\t16000\n");
    write_file(*state, "counters",
               "tiled\tflow\t0\tl1tex__data_pipe_lsu_wavefronts_mem_shared.sum\t100\n"
               "tiled\tflow\t0\tl1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\t20\n"
               "tiled\tflow\t0\tl1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum\t4\n"
               "tiled\tflow\t0\tl1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum\t1\n"
               "tiled\trest\t0\tl1tex__data_pipe_lsu_wavefronts_mem_shared.sum\t100\n");
    assert_int_equal(
        run(*state, "awk -f profiling/kernels.awk %1$s/calls %1$s/counters 2>&1", text), 0);
    assert_non_null(strstr(text, "\nflow,tiled,,16000,,,,3200,"));
    assert_non_null(strstr(text, "\nrest,tiled,,16000,,,,12800,"));
}

static void test_what_is_missing_is_said(void **state)
{
    char text[8192];
    assert_int_equal(run(*state, "BUILD=%1$s profiling/profile %1$s/out 2>&1", text), 0);
    assert_non_null(strstr(text, "note: no variant is built"));
    assert_int_equal(run(*state, "cat %1$s/out/kernels.csv", text), 0);
    assert_non_null(strstr(text, "# note: no variant is built"));
    assert_non_null(strstr(text, "\nkernel,variant,time_us,calls,"));

    assert_int_equal(run(*state, "BUILD=%1$s profiling/coalescing %1$s/sectors.csv 2>&1", text), 0);
    assert_non_null(strstr(text, "not measured"));
    assert_int_equal(run(*state, "cat %1$s/sectors.csv", text), 0);
    assert_non_null(strstr(text, "not measured"));
}

/* 2,600,000 operations in 5 us, per 200,000 bytes and so on; without operations: named alone. */
static void test_roofline(void **state)
{
    char text[8192];
    write_file(*state, "ceilings.csv", ceilings_csv);
    write_file(*state, "kernels.csv", kernels_csv);
    assert_int_equal(
        run(*state, "awk -f profiling/roofline.awk %1$s/ceilings.csv %1$s/kernels.csv 2>&1", text),
        0);
    assert_non_null(strstr(text, "\nline bytes at DRAM: at most 4 TB/s\n"));
    assert_non_null(strstr(text, "\npoint 13 520 flow\n"));
    assert_non_null(strstr(text, "\npoint 1.3 520 \n"));
    assert_null(strstr(text, "520 rest"));
    assert_non_null(strstr(text, "below 1 GFLOP/s: rest."));

    const char *const draw =
        "profiling/roofline %1$s/ceilings.csv %1$s/kernels.csv %1$s/roofline.svg 2>&1; "
        "echo status $?; grep -o '</svg>' %1$s/roofline.svg";
    run(*state, draw, text);
    assert_non_null(strstr(text, "status 0\n</svg>"));

    write_file(*state, "kernels.csv", "# not measured\nkernel,variant,time_us,calls\n");
    assert_int_equal(run(*state, "rm %1$s/roofline.svg", text), 0);
    run(*state, draw, text);
    assert_non_null(strstr(text, "not drawn"));
    assert_non_null(strstr(text, "status 0\n"));
    assert_null(strstr(text, "</svg>"));
}

int main(void)
{
    return UNIT_RUN_IN(set_up, tear_down, NULL, NULL, test_csv_quoting, test_kernel_tables,
                       test_shared_memory, test_what_is_missing_is_said, test_roofline);
}
