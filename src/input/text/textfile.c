#include "textfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { TEXT_MAX_BYTES = 64 << 20 };

int textfile_check_regular(const char *path, const char *give, struct error *e)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return error_input(e, "%s: cannot be opened: %s; check the name", path, strerror(errno));
    if (S_ISREG(s.st_mode)) return 0;
    return error_input(e, "%s: is not a regular file; give %s", path, give);
}

FILE *file_open_regular(const char *path)
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return NULL;
    const bool regular = fstat(file, &s) == 0 && S_ISREG(s.st_mode);
    FILE *f = regular ? fdopen(file, "rb") : NULL;
    if (f) return f;
    if (!regular) errno = EINVAL;
    close(file);
    return NULL;
}

int file_load(char **data, size_t *size, const char *path, size_t most, struct error *e)
{
    struct stat s;
    int status = textfile_check_regular(path, "a text file", e);
    if (status) return status;
    FILE *f = file_open_regular(path);
    if (!f || fstat(fileno(f), &s) != 0) {
        status = error_input(e, "%s: cannot be opened: %s; check the name", path, strerror(errno));
    } else if ((size_t)s.st_size > most) {
        status = error_input(e, "%s: has more than %zu MiB; name a text file", path, most >> 20);
    } else if (!(*data = malloc((size_t)s.st_size + 1))) {
        status = error_memory(e);
    } else {
        *size = fread(*data, 1, (size_t)s.st_size, f);
        (*data)[*size] = '\0';
        if (ferror(f)) {
            status = error_input(e, "%s: cannot be read: %s", path, strerror(errno));
            free(*data);
            *data = NULL;
        }
    }
    if (f) fclose(f);
    return status;
}

int textfile_load(char **data, size_t *size, const char *path, struct error *e)
{
    return file_load(data, size, path, TEXT_MAX_BYTES, e);
}

bool text_is_archive(const char *text)
{
    return !strncmp(text, "PK\x03\x04", 4) || !strncmp(text, "\xd0\xcf\x11\xe0", 4);
}

/* Refuses control characters, which would get into messages, maps and metadata. */
static int check_text(const char *path, const char *data, size_t size, struct error *e)
{
    int line = 1;
    if (text_is_utf16(data)) return error_input(e, "%s: is UTF-16; save it as UTF-8", path);
    if (text_is_archive(data))
        return error_input(e, "%s: is " TEXT_ARCHIVE "; save the table as CSV", path);
    for (size_t i = 0; i < size; i++) {
        unsigned char ch = (unsigned char)data[i];
        if (ch == '\n') line++;
        bool blank = ch == '\t' || ch == '\n' || ch == '\f' || ch == '\r';
        if ((ch < 32 && !blank) || ch == 127)
            return error_line(e, path, line,
                              "holds the control character %d; give a plain text file", ch);
    }
    return 0;
}

/* Takes ownership of the data. */
static int take_data(struct textfile *t, const char *path, char *data, size_t size, struct error *e)
{
    int status = check_text(path, data, size, e);
    if (status) {
        free(data);
        return status;
    }
    bool marked = strncmp(data, "\xef\xbb\xbf", 3) == 0;
    *t = (struct textfile){.path = path, .data = data, .next = data + (marked ? 3 : 0)};
    return 0;
}

int textfile_open(struct textfile *t, const char *path, struct error *e)
{
    *t = (struct textfile){0};
    char *data = NULL;
    size_t size = 0;
    int status = textfile_load(&data, &size, path, e);
    return status ? status : take_data(t, path, data, size, e);
}

int textfile_of_text(struct textfile *t, const char *path, const char *text, struct error *e)
{
    *t = (struct textfile){0};
    char *data = text_format("%s", text);
    return data ? take_data(t, path, data, strlen(data), e) : error_memory(e);
}

void textfile_close(struct textfile *t)
{
    RELEASE(t, t->data);
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\f' || ch == '\r';
}

static char *next_line(struct textfile *t)
{
    if (!t->next || !*t->next) return NULL;
    char *line = t->next, *end = line + strcspn(line, "\n");
    t->next = *end ? end + 1 : NULL;
    t->line++;
    while (is_blank(*line)) line++;
    while (end > line && is_blank(end[-1])) end--;
    *end = '\0';
    return line;
}

char *textfile_content(struct textfile *t)
{
    char *line;
    do line = next_line(t);
    while (line && (!*line || *line == '#'));
    return line;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int path_stem(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return (int)(dot > name ? dot - path : (long)strlen(path));
}

char *path_from(const char *folder, const char *file)
{
    size_t common = 0;
    int up = 0;
    for (size_t i = 0;; i++) {
        const bool folder_ends = !folder[i] || folder[i] == '/';
        if (folder_ends && file[i] == '/') common = i;
        if (!folder[i] || folder[i] != file[i]) break;
    }
    for (const char *p = folder + common; *p; p++) up += *p == '/' && p[1];
    char *way = text_format("%s", file + common + 1);
    for (int i = 0; i < up && way; i++) {
        char *more = text_format("../%s", way);
        free(way);
        way = more;
    }
    return way;
}

char *path_beside(const char *base, const char *path)
{
    const char *slash = strrchr(base, '/');
    int folder = path[0] == '/' || !slash ? 0 : (int)(slash + 1 - base);
    return text_format("%.*s%s", folder, base, path);
}

char *text_format(const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

char *text_of_stream(FILE *f, char **text)
{
    if (f && !fclose(f)) return *text;
    free(*text);
    return *text = NULL;
}

static const char *tail(const char *text, const char *ending)
{
    const size_t length = strlen(text), more = strlen(ending);
    return text + (length > more ? length - more : length);
}

bool text_ends(const char *text, const char *ending)
{
    return !strcmp(tail(text, ending), ending);
}

bool text_has_extension(const char *path, const char *extension)
{
    return !strcasecmp(tail(path, extension), extension);
}

int text_find_extension(const char *path, const char *const *extensions)
{
    for (int i = 0; extensions[i]; i++)
        if (text_has_extension(path, extensions[i])) return i;
    return -1;
}

bool text_is_one_of(const char *text, const char *const *list)
{
    while (*list && strcasecmp(text, *list)) list++;
    return *list != NULL;
}

char *text_shell_word(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    const char *begin = *path == '-' ? "./" : "";
    if (*path && strspn(path, plain) == strlen(path)) return text_format("%s%s", begin, path);
    char *word = malloc(4 * strlen(path) + 8), *end = word;
    if (!word) return NULL;
    end += sprintf(end, "'%s", begin);
    /* a quote becomes an end of the quoted text, an escaped quote, and a new quoted text */
    for (; *path; path++) end += sprintf(end, *path == '\'' ? "'\\''" : "%c", *path);
    memcpy(end, "'", 2);
    return word;
}

bool text_is_utf16(const char *text)
{
    return !strncmp(text, "\xff\xfe", 2) || !strncmp(text, "\xfe\xff", 2);
}

size_t file_head(char *head, size_t size, const char *path)
{
    FILE *f = file_open_regular(path);
    const size_t n = f ? fread(head, 1, size - 1, f) : 0;
    if (f) fclose(f);
    head[n] = '\0';
    return n;
}

bool textfile_begins(const char *path, const char *with)
{
    char head[TEXTFILE_HEAD + 1];
    const size_t length = strlen(with);
    assert(length < sizeof head);
    return file_head(head, length + 1, path) == length && !memcmp(head, with, length);
}

bool filesum_read(struct filesum *sum, FILE *f, int64_t most)
{
    enum { AT_ONCE = 1 << 18 };
    FREED unsigned char *bytes = malloc(AT_ONCE);
    uLong crc = crc32(0, NULL, 0);
    *sum = (struct filesum){0};
    for (size_t got = 1; bytes && got && sum->bytes < most; sum->bytes += (int64_t)got) {
        const int64_t left = most - sum->bytes;
        got = fread(bytes, 1, left < AT_ONCE ? (size_t)left : AT_ONCE, f);
        crc = crc32(crc, bytes, (uInt)got);
    }
    sum->crc32 = (uint32_t)crc;
    return bytes && !ferror(f);
}

bool filesum_of(struct filesum *sum, const char *path)
{
    FILE *f = file_open_regular(path);
    const bool whole = f && filesum_read(sum, f, INT64_MAX);
    if (f) fclose(f);
    return whole;
}

bool file_stamp_of(struct file_stamp *stamp, const char *path)
{
    struct stat s;
    if (stat(path, &s)) return false;
    *stamp =
        (struct file_stamp){s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
    return true;
}

int file_stamp_check(const struct file_stamp *a, const char *path, struct error *e)
{
    struct file_stamp b;
    if (!file_stamp_of(&b, path))
        return error_failed(e, "%s: is gone since the run began: %s", path, strerror(errno));
    if (a->device == b.device && a->inode == b.inode && a->bytes == b.bytes &&
        a->modified_s == b.modified_s && a->modified_ns == b.modified_ns)
        return 0;
    return error_failed(e, "%s: has changed since the run began", path);
}

int file_stamp_check_head(const struct file_stamp *stamp, const char *path, int status,
                          struct error *e)
{
    struct error ignored;
    const bool was_there = stamp->inode != 0;
    if (!was_there || !file_stamp_check(stamp, path, &ignored)) return status;
    return error_input(e, "%s: was replaced while it and its files were read; start again", path);
}

/* ---- the kind of a file ---------------------------------------------------------------------- */

static const char *kind_of_bytes(const char *head, size_t n)
{
    static const struct {
        size_t size;
        const char *mark, *kind;
    } marks[] = {
        {4, "II*\0", "a TIFF image"},       {4, "MM\0*", "a TIFF image"},
        {4, "II+\0", "a TIFF image"},       {4, "MM\0+", "a TIFF image"},
        {4, "\x89PNG", "a PNG image"},      {4, "%PDF", "a PDF document"},
        {4, "PK\x03\x04", "a ZIP archive"}, {2, "\x1f\x8b", "a gzip archive"},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n >= marks[i].size && !memcmp(head, marks[i].mark, marks[i].size)) return marks[i].kind;
    return NULL;
}

/* Returns the kind of a text by its first line that is not a comment. Keys of a case or a grid have no comma,
 * semicolon or brace. */
static const char *kind_of_text(const char *text)
{
    if (!strncmp(text, "\xef\xbb\xbf", 3)) text += 3;
    for (;;) {
        text += strspn(text, " \t\r\n\f");
        if (*text != '#') break;
        text += strcspn(text, "\n");
    }
    const size_t word = strcspn(text, " \t\r\n");
    if (*text == '{' || *text == '[') return "JSON";
    if (*text == '<') return "XML or HTML";
    if (word == 5 && !strncasecmp(text, "ncols", 5)) return "an Arc/Info ASCII grid";
    return strcspn(text, ",;") < word ? "a CSV table" : NULL;
}

const char *file_kind(const char *path)
{
    char head[1025];
    const size_t n = file_head(head, sizeof head, path);
    const char *kind = kind_of_bytes(head, n);
    return kind ? kind : kind_of_text(head);
}
