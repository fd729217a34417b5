/* Any bytes as the state of a run: refused with one line, or a state that is the same when it is
 * written and read once more. The seal at the end is put right, so that what lies before it is
 * looked at. Bytes that begin with a brace are what a state says of itself. */
#include "restart/restart.h"
#include "fuzz.h"

#include <cJSON.h>
#include <stdio.h>
#include <unistd.h>

enum { SEAL = 16 };

static void write_bytes(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    if (size >= SEAL && !memcmp(data + size - SEAL, "sciara ", 7)) size -= SEAL;
    fwrite(data, 1, size, f);
    fprintf(f, "sciara %08lx\n", (unsigned long)crc32(crc32(0, NULL, 0), data, (uInt)size));
    fclose(f);
}

static void try_text(const uint8_t *data, size_t size)
{
    struct restart r, again;
    struct fields sums, same;
    char *text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (restart_from_text(&r, &sums, text)) {
        char *out = restart_text(&r, &sums);
        if (!out || !restart_from_text(&again, &same, out) || !fields_same_sums(&sums, &same) ||
            again.link_count != r.link_count || again.step != r.step)
            abort();
        free(out);
        restart_free(&r);
        restart_free(&again);
    }
    free(text);
}

static void try_file(const char *path)
{
    struct restart r, again;
    struct fields f, same;
    struct error e = {0};
    const int status = restart_read(&r, &f, path, &e);
    if (status && (status != ERROR_INPUT || strchr(e.text, '\n'))) abort();
    if (status) return;
    const struct sim_case c = {.problem = {.rows = r.identity.rows,
                                           .cols = r.identity.cols,
                                           .reduce_every = 1,
                                           .params.clock_s = r.identity.parameter[0]},
                               .geo.cell_m = 10};
    if (restart_write(path, &r, &c, &f, &e) || restart_read(&again, &same, path, &e)) abort();
    if (fields_differ(&f, &same, NULL) || !fields_same_sums(&f, &same)) abort();
    restart_free(&r);
    restart_free(&again);
    fields_free(&f);
    fields_free(&same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    if (size && data[0] == '{') {
        try_text(data, size);
        return 0;
    }
    snprintf(path, sizeof path, "/tmp/fuzz-state-of-run-%ld", (long)getpid());
    write_bytes(path, data, size);
    try_file(path);
    remove(path);
    return 0;
}
