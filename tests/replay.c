/* replay.c — a fuzzer without libFuzzer. It gives tests/fuzz_NAME.c each file of a folder, and then mutations of these
 * files, which are the same in every run, until some processor time has passed. An input that ends the program is
 * written to a file. Only tools/fuzz searches for inputs that reach new code.
 *
 *     fuzz_NAME FOLDER SECONDS FOUND     FOUND: the file for an input that ends the program */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void));

enum { SEEDS_MAX = 1000, SIZE_MOST = 1 << 20, SECONDS_EACH = 20 };

static struct seed {
    uint8_t *data;
    size_t size;
} seeds[SEEDS_MAX];
static int seed_count;

/* What is given at the moment: for the callback, which has no argument. */
static uint8_t now[SIZE_MOST];
static size_t now_size;
static const char *found;

static void write_down(void)
{
    FILE *f = fopen(found, "wb");
    if (f) fwrite(now, 1, now_size, f), fclose(f);
    fprintf(stderr, "replay: the input is in %s\n", found);
}

static void ended_by(int number)
{
    write_down();
    signal(number, SIG_DFL);
    raise(number);
}

static void give(void)
{
    uint8_t *exact = malloc(now_size ? now_size : 1); /* a byte behind it is a byte too far */
    if (!exact) abort();
    memcpy(exact, now, now_size);
    alarm(SECONDS_EACH);
    LLVMFuzzerTestOneInput(exact, now_size);
    alarm(0);
    free(exact);
}

static void read_seeds(const char *folder)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        FILE *f = path[strlen(path) - 1] == '.' ? NULL : fopen(path, "rb");
        if (!f || seed_count == SEEDS_MAX) continue;
        struct seed *s = &seeds[seed_count++];
        s->size = fread(now, 1, sizeof now, f);
        if (!(s->data = malloc(s->size + 1))) abort();
        memcpy(s->data, now, s->size);
        fclose(f);
    }
    if (count >= 0) free(entry);
}

/* ---- mutations ------------------------------------------------------------------------------- */

static uint64_t state = 1;

static size_t below(size_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n ? (size_t)(state >> 33) % n : 0;
}

/* In place of `gone` bytes at a place others. */
static void put(size_t at, size_t gone, const void *other, size_t size)
{
    if (now_size - gone + size > SIZE_MOST) return;
    memmove(now + at + size, now + at + gone, now_size - at - gone);
    memcpy(now + at, other, size);
    now_size = now_size - gone + size;
}

static void mutate(void)
{
    static const char *const odd[] = {"-1", "0", "nan",  "1e999", "4294967296", "\n", ",",
                                      "\"", " ", "\xff", "#",     "{",          "]"};
    const size_t at = below(now_size), rest = now_size - at;
    const char *word = odd[below(sizeof odd / sizeof *odd)];
    const struct seed *other = &seeds[below((size_t)seed_count)];
    const size_t from = below(other->size), most = other->size - from;
    uint8_t copy[64];
    const size_t length = 1 + below(rest < sizeof copy ? rest : sizeof copy);
    if (!now_size) return put(0, 0, word, strlen(word));
    switch (below(7)) {
    case 0:
        now[at] ^= (uint8_t)(1 << below(8));
        break;
    case 1:
        now[at] = (uint8_t)below(256);
        break;
    case 2:
        put(at, length, "", 0);
        break;
    case 3:
        memcpy(copy, now + at, length);
        put(at, 0, copy, length);
        break;
    case 4:
        put(at, below(2) ? length : 0, word, strlen(word));
        break;
    case 5:
        put(at, below(2) ? rest : 0, other->data + from, below(most < 4096 ? most : 4096));
        break;
    default:
        now_size = at;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    const double seconds = atof(argv[2]);
    long given = 0;
    found = argv[3];
    read_seeds(argv[1]);
    if (!seed_count) return fprintf(stderr, "%s: no seeds\n", argv[1]), 2;
    __sanitizer_set_death_callback(write_down);
    signal(SIGABRT, ended_by);
    signal(SIGALRM, ended_by);
    const clock_t begin = clock();
    for (; given < seed_count || (double)(clock() - begin) / CLOCKS_PER_SEC < seconds; given++) {
        const struct seed *s = &seeds[given % seed_count];
        memcpy(now, s->data, now_size = s->size);
        if (given >= seed_count)
            for (size_t n = below(5) + 1; n; n--) mutate();
        give();
    }
    for (int i = 0; i < seed_count; i++) free(seeds[i].data);
    printf("%d seeds, %ld mutations\n", seed_count, given - seed_count);
    return 0;
}
