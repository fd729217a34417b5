#include "atomic_file.h"

#include "textfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".sciara-"
enum { DIGITS = 16, TRIES = 100 };

/* ---- temporary files ------------------------------------------------------------------------- */

/* Locks a new file. False: atomic_file_sweep() of another process removed the file before it was locked. On a file
 * system without locks atomic_file_sweep() removes nothing. */
static bool is_kept(int file)
{
    struct stat s;
    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) return false;
    return fstat(file, &s) == 0 && s.st_nlink > 0;
}

/* Creates and locks a new file in the folder of `path`, with the permissions that the umask leaves. *temp receives the
 * file's name, malloc'ed. Returns the descriptor; -1: errno has the reason. */
static int create_temporary(char **temp, const char *path)
{
    const int folder = (int)(path_name(path) - path);
    for (int i = 0; i < TRIES; i++) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != sizeof random) break;
        *temp = text_format("%.*s" PREFIX "%016llx", folder, path, (unsigned long long)random);
        if (!*temp) break;
        const int file = open(*temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0 && is_kept(file)) return file;
        const int why = file < 0 ? errno : EEXIST;
        if (file >= 0) close(file);
        free(*temp);
        *temp = NULL;
        errno = why;
        if (why != EEXIST) break;
    }
    return -1;
}

bool atomic_file_possible(const char *folder)
{
    char *temp = NULL, *path = text_format("%s/", folder);
    const int file = path ? create_temporary(&temp, path) : -1;
    const int why = errno;
    if (file >= 0) {
        unlink(temp);
        close(file);
    }
    FREE_ALL(temp, path);
    errno = why;
    return file >= 0;
}

/* Returns the text after the name of a temporary file; NULL: `name` does not begin with such a name. */
static const char *behind_temporary(const char *name)
{
    const size_t prefix = strlen(PREFIX);
    return strncmp(name, PREFIX, prefix) == 0 && strspn(name + prefix, "0123456789abcdef") == DIGITS
               ? name + prefix + DIGITS
               : NULL;
}

/* Whether a file of this user was left by a killed process. Then the lock of the file is free. */
static bool is_left_over(int file)
{
    struct stat s;
    return fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
           flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Removes a file if it is a temporary file that a killed process left, or SQLite's journal of such a file. */
static void sweep(int folder, const char *name)
{
    const char *behind = behind_temporary(name);
    if (!behind || (*behind && strcmp(behind, "-journal") != 0)) return;
    char *temp = text_format("%.*s", (int)(behind - name), name);
    const int file = temp ? openat(folder, temp, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (temp && (file < 0 ? *behind && errno == ENOENT : is_left_over(file)))
        unlinkat(folder, name, 0);
    if (file >= 0) close(file);
    free(temp);
}

void atomic_file_sweep(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *entry; (entry = readdir(d));) sweep(dirfd(d), entry->d_name);
    closedir(d);
}

/* ---- whole files ----------------------------------------------------------------------------- */

int atomic_file_failed(const char *path, int why, const char *words, struct error *e)
{
    const char *remedy =
        why == ENOSPC || why == EDQUOT ? "make room on the disk, or choose another folder"
        : why == EFBIG ? "files of this size are not allowed here (ulimit -f, or the file system)"
        : why == EMFILE || why == ENFILE ? "too many files are open (ulimit -n)"
                                         : "choose another folder";
    return error_failed(e, "%s: cannot be written: %s; %s", path, why ? strerror(why) : words,
                        remedy);
}

int atomic_file_open(struct atomic_file *w, const char *path, struct error *e)
{
    *w = (struct atomic_file){.path = text_format("%s", path)};
    const int file = w->path ? create_temporary(&w->temp, path) : -1;
    if (file >= 0 && (w->stream = fdopen(file, "wb"))) return 0;
    int status = atomic_file_failed(path, errno, "no reason is given", e);
    if (file >= 0) {
        unlink(w->temp);
        close(file);
    }
    RELEASE(w, w->path, w->temp);
    return status;
}

void atomic_file_abandon(struct atomic_file *w)
{
    if (!w->stream) return;
    remove(w->temp);
    fclose(w->stream);
    RELEASE(w, w->path, w->temp);
}

/* Returns the errno of a failed stream. The stream does not keep the errno, so this function writes more bytes, which
 * fail for the same reason. The file will be removed anyway. */
static int broken_by(FILE *f)
{
    enum { MUCH = 1 << 16 };
    clearerr(f);
    errno = 0;
    for (int i = 0; i < MUCH && putc(0, f) != EOF; i++) continue;
    fflush(f);
    return errno ? errno : EIO;
}

/* The file is closed before it is renamed, because closing may fail. A second descriptor keeps the
 * lock until the file has its name, so that no process mistakes it for a leftover. */
static int finish_file(struct atomic_file *w, bool on_disk, struct error *e)
{
    const int broken = ferror(w->stream), lock = dup(fileno(w->stream));
    int status = 0, why = broken ? broken_by(w->stream) : 0;
    errno = 0;
    bool failed = broken || fflush(w->stream);
    if (!failed && on_disk && fsync(fileno(w->stream)) && errno != EINVAL) failed = true;
    if (!why) why = errno;
    if (fclose(w->stream) && !failed) failed = true, why = errno;
    if (!failed && rename(w->temp, w->path)) failed = true, why = errno;
    if (failed) {
        status = atomic_file_failed(w->path, why, "no reason is given", e);
        remove(w->temp);
    }
    if (lock >= 0) close(lock);
    RELEASE(w, w->path, w->temp);
    return status;
}

int atomic_file_finish(struct atomic_file *w, struct error *e)
{
    return finish_file(w, false, e);
}

int atomic_file_finish_on_disk(struct atomic_file *w, struct error *e)
{
    return finish_file(w, true, e);
}

int atomic_file_bytes(const char *path, const void *data, size_t size, struct error *e)
{
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fwrite(data, 1, size, w.stream); /* atomic_file_finish() finds errors */
    return atomic_file_finish(&w, e);
}

int atomic_file_text(const char *path, const char *text, struct error *e)
{
    struct atomic_file w;
    int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fputs(text, w.stream);
    return finish_file(&w, true, e);
}
