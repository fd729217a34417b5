/* Any bytes as the summary.json of a folder: refused with one line, or a list of rasters that are
 * there. A run that would write there refuses, or removes what a run wrote, and never a file that
 * the summary only names. */
#include "record/runfolder.h"
#include "run/output.h"
#include "fuzz.h"

static char folder[96];

static void put(const char *name, const void *text, size_t size)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    put_bytes(path, text, size);
}

static void refused(int status, const struct error *e)
{
    if (status != ERROR_INPUT || e->code != ERROR_INPUT || strchr(e->text, '\n')) abort();
}

static void read_back(void)
{
    struct runfolder r;
    struct error e = {0};
    const int status = runfolder_open(&r, folder, true, &e);
    if (status) {
        const struct runfolder zero = {0};
        refused(status, &e);
        if (memcmp(&r, &zero, sizeof r) != 0) abort();
        return;
    }
    if (r.count + r.other_count != 2) abort();
    int64_t step;
    free(runfolder_latest(&r, "thickness_m", &step));
    if (step > 3) abort();
    runfolder_close(&r);
}

static void run_there(void)
{
    struct sim_case c = {.name = "case"};
    struct output_folder taken;
    const struct output_info info = {.directory = folder};
    struct error e = {0};
    const int status = output_folder_take(&taken, &info, &c, false, &e);
    if (status) refused(status, &e);
    output_folder_free(&taken);
    char path[160];
    static const char *const kept[] = {"notes.txt", "../outside.tif"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, kept[i]);
        if (access(path, F_OK) != 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_begin()) {
        snprintf(folder, sizeof folder, "%s/run", scratch.path);
        mkdir(folder, 0777);
        put("../outside.tif", "x", 1);
        put("notes.txt", "x", 1);
    }
    put("summary.json", data, size);
    put("thickness_m_000003.tif", "abc", 3);
    put("other.asc", "", 0);
    read_back();
    run_there();
    return 0;
}
