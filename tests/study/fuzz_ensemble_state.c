/* Any bytes as the state of an ensemble: refused with one line, or a state that says the same when
 * it is written and read once more. The sum at the end is put right, so that what lies before it is
 * looked at. */
#include "members/ensemble_state.h"
#include "ensemble_source.h"
#include "fuzz.h"

#include <unistd.h>

static void write_bytes(const char *path, const uint8_t *data, size_t size)
{
    static const char magic[] = "sciara ensemble 2\n";
    const size_t head = sizeof magic - 1;
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fwrite(data, 1, size, f);
    if (size >= head && !memcmp(data, magic, head)) {
        const uLong crc = crc32(crc32(0, NULL, 0), data + head, (uInt)(size - head));
        for (int i = 0; i < 4; i++) putc((int)(crc >> 8 * i & 255), f);
    }
    fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct test_plan plan;
    static struct ensemble_source source;
    const struct shard whole = {1, 1};
    struct error e = {0};
    struct ensemble s, again;
    char path[64];
    if (!source.count) test_plan_create(&plan, &source, 12);
    snprintf(path, sizeof path, "/tmp/fuzz-state-%ld", (long)getpid());
    write_bytes(path, data, size);
    if (ensemble_create(&s, &source, whole, 1 << 24, &e)) abort();
    int status = state_read(&ensemble_state, &s, path, &e);
    if (status && (status != ERROR_INPUT || strchr(e.text, '\n'))) abort();
    if (!status) {
        if (state_write(&ensemble_state, &s, path, &e)) abort();
        if (ensemble_create(&again, &source, whole, 1 << 24, &e) ||
            state_read(&ensemble_state, &again, path, &e))
            abort();
        if (ensemble_digest(&again) != ensemble_digest(&s)) abort();
        for (size_t i = 0; i < s.cells.places; i++) /* every class that is asked for is one */
            if (statistics_at(&s.cells, i) &&
                (statistics_thickness_class(&s.cells, statistics_at(&s.cells, i), 95) < 0 ||
                 statistics_arrival_class(&s.cells, statistics_at(&s.cells, i), 95) < 0))
                abort();
        ensemble_free(&again);
    }
    ensemble_free(&s);
    remove(path);
    return 0;
}
