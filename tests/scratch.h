/* scratch.h — for tests that write files: a new folder in build/tmp, the reference states, and the output of a
 * command. */
#pragma once

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static inline void put_bytes(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || (n && fwrite(data, 1, n, f) != n) || fclose(f)) abort();
}

struct scratch {
    char path[64];
    char *file[60]; /* paths given out */
    int files;
};

static inline void scratch_create(struct scratch *s)
{
    s->files = 0;
    mkdir("build", 0777);
    mkdir("build/tmp", 0777);
    strcpy(s->path, "build/tmp/test-XXXXXX");
    if (!mkdtemp(s->path)) abort();
}

/* Path of a file in the folder, valid as long as *s is. */
static inline const char *scratch_file(struct scratch *s, const char *name)
{
    const size_t base = strlen(s->path) + 1;
    for (int i = 0; i < s->files; i++)
        if (!strcmp(s->file[i] + base, name)) return s->file[i];
    assert(s->files < 60);
    char *out = malloc(base + strlen(name) + 1);
    if (!out) abort();
    sprintf(out, "%s/%s", s->path, name);
    return s->file[s->files++] = out;
}

static inline void remove_at(int parent, const char *name)
{
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder)
        for (struct dirent *entry; (entry = readdir(folder));)
            if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
                remove_at(fd, entry->d_name);
    unlinkat(parent, name, folder ? AT_REMOVEDIR : 0);
    if (folder) closedir(folder);
}

static inline void scratch_remove(struct scratch *s)
{
    remove_at(AT_FDCWD, s->path);
    while (s->files) free(s->file[--s->files]);
}

/* How many entries a folder has. */
static inline int count_files(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* A whole file as text, malloc'ed; NULL: not there. */
static inline char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    for (size_t got; text && (got = fread(text + size, 1, room - size, f)) > 0;) {
        size += got;
        if (size == room) text = realloc(text, (room *= 2) + 1);
    }
    fclose(f);
    if (text) text[size] = '\0';
    return text;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) abort();
}

/* An Arc/Info ASCII grid with cells of 10 m at (1000, 2000). */
static inline void write_grid(const char *path, int rows, int cols, const double *value)
{
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    fprintf(f, "ncols %d\nnrows %d\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n", cols, rows);
    fprintf(f, "NODATA_value -9999\n");
    for (int i = 0; i < rows * cols; i++)
        fprintf(f, "%.17g%c", value[i], (i + 1) % cols ? ' ' : '\n');
    if (fclose(f)) abort();
}

enum { GOLDEN_ROWS = 378, GOLDEN_COLS = 517, GOLDEN_CELLS = GOLDEN_ROWS * GOLDEN_COLS };

/* The folder of the real case, NULL where this machine has none. */
static inline const char *etna_folder(void)
{
    const char *folder = getenv("ETNA2006_DIR");
    return folder && access(folder, R_OK) == 0 ? folder : NULL;
}

/* z, h, T, s of a golden state, one after the other, malloc'ed; NULL, and a line that says so: not
 * there. */
static inline double *golden_read(const char *folder, int step)
{
    char path[512];
    snprintf(path, sizeof path, "%s/golden/step_%06d.f64.gz", folder ? folder : "", step);
    gzFile f = folder ? gzopen(path, "rb") : NULL;
    double *state = malloc(4 * GOLDEN_CELLS * sizeof *state);
    const unsigned size = 4 * GOLDEN_CELLS * (unsigned)sizeof *state;
    const int whole = f && state && gzread(f, state, size) == (int)size;
    if (f) gzclose(f);
    if (whole) return state;
    free(state);
    printf("skipped: needs the golden states in ETNA2006_DIR\n");
    return NULL;
}

/* Calls a subcommand with its stdout and stderr in a file, whose text it returns, malloc'ed. */
static inline char *capture(struct scratch *s, int (*command)(int, char **), int *status, int argc,
                            const char *const *argv)
{
    char path[128];
    snprintf(path, sizeof path, "%s/captured.txt", s->path);
    fflush(NULL);
    const int out = dup(1), err = dup(2);
    FILE *f = fopen(path, "wb");
    if (out < 0 || err < 0 || !f) abort();
    dup2(fileno(f), 1);
    dup2(fileno(f), 2);
    *status = command(argc, (char **)(size_t)argv);
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    fclose(f);
    return read_text(path);
}
