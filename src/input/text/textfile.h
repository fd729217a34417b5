/* textfile.h — a text file, line by line, with line numbers for messages.
 *
 * Lines may end in LF or CRLF; a byte order mark at the beginning is skipped. A folder, a device and a file with a NUL
 * or another control character are refused. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct textfile {
    const char *path; /* borrowed: has to outlive the textfile */
    char *data;       /* the whole file; lines point into it until textfile_close() */
    char *next;       /* start of the next line, NULL at the end */
    int line;         /* number of the last returned line, from 1 */
};

/* Reads the whole file, of at most 64 MiB. On an error *t is all zero. */
int textfile_open(struct textfile *t, const char *path, struct error *e);
/* Reads a text in memory, which is copied; `path` is its name in messages. */
int textfile_of_text(struct textfile *t, const char *path, const char *text, struct error *e);
void textfile_close(struct textfile *t); /* all-zero is fine */

/* Returns 0 for a regular file, ERROR_INPUT for a missing file, a folder, a device or a FIFO. Call this function
 * before opening a file, since opening a FIFO may wait for ever. `give` names the kind of file expected. */
int textfile_check_regular(const char *path, const char *give, struct error *e);

/* Opens a regular file for reading. NULL: there is none, or it cannot be opened; errno has the reason. This function
 * never waits for the writer of a FIFO. So use it for files that a user names, or that are found in a folder. */
FILE *file_open_regular(const char *path);

/* Reads a file of at most `most` bytes, and adds a NUL; malloc'ed. */
int file_load(char **data, size_t *size, const char *path, size_t most, struct error *e);
/* Calls file_load() with a limit of 64 MiB. */
int textfile_load(char **data, size_t *size, const char *path, struct error *e);

/* Returns the next line without its end and without blanks around it; NULL: there are no more. Empty lines and lines
 * that start with '#' are skipped. The caller may change the line. */
char *textfile_content(struct textfile *t);

/* The part of a path behind its last slash. */
const char *path_name(const char *path);
/* The length of a path without the ending of its name, which begins with the last dot. A name that begins with its only
 * dot has no ending. */
int path_stem(const char *path);

/* Returns `path` in the folder of `base`, or `path` itself if it is absolute. malloc'ed; NULL: out of memory. */
char *path_beside(const char *base, const char *path);
/* Returns the relative path from `folder` to `file`, malloc'ed. Both are absolute, without symbolic links. */
char *path_from(const char *folder, const char *file);

/* Like asprintf(): malloc'ed, NULL: out of memory. */
ERROR_FORMAT(1, 2) char *text_format(const char *fmt, ...);

/* Closes the stream that open_memstream() has made for `text`, and returns *text, malloc'ed. NULL: out of memory. `f`
 * is NULL if open_memstream() has failed. */
char *text_of_stream(FILE *f, char **text);

/* Whether a text ends in `ending` and is longer than `ending`. */
bool text_ends(const char *text, const char *ending);

/* Like text_ends(), but ignores case: for extensions of files. */
bool text_has_extension(const char *path, const char *extension);

/* Returns the index of the first extension in a list (NULL after the last) that a path has; -1: it has none. */
int text_find_extension(const char *path, const char *const *extensions);

/* Whether a text is in a list (NULL after the last), ignoring case. */
bool text_is_one_of(const char *text, const char *const *list);

/* Returns a path as a word for a shell: in quotes if it has special characters, and after ./ if it looks like an
 * option. malloc'ed; NULL: out of memory. */
char *text_shell_word(const char *path);

/* Whether a file with these first bytes is a text in UTF-16. */
bool text_is_utf16(const char *text);
/* Whether a file with these first bytes is a spreadsheet or an archive. */
bool text_is_archive(const char *text);
#define TEXT_ARCHIVE "a spreadsheet (Excel, LibreOffice) or an archive"

/* Reads the first bytes of a regular file, at most size - 1, and adds a NUL. Returns the number of bytes; 0: the file
 * is empty or cannot be read. */
size_t file_head(char *head, size_t size, const char *path);
/* The kind of a file by its first bytes: "a TIFF image", "a CSV table", ...; NULL: the file may be a case or another
 * text, or cannot be read. */
const char *file_kind(const char *path);

/* Whether a file can be read and begins with the text `with`, of at most TEXTFILE_HEAD bytes. */
enum { TEXTFILE_HEAD = 255 };
bool textfile_begins(const char *path, const char *with);

/* The size of a file and the CRC-32 of its bytes: enough to distinguish the file from another with the same name. */
struct filesum {
    int64_t bytes;
    uint32_t crc32; /* as in zlib, gzip and PNG */
};

/* Reads a file for its sum. False: the file cannot be read, or is not a regular file; errno has the reason. */
bool filesum_of(struct filesum *sum, const char *path);
/* Computes size and CRC-32 of at most `most` bytes, from the present position of the stream. */
bool filesum_read(struct filesum *sum, FILE *f, int64_t most);

/* Identifies a file and its content: the stamp differs if another file has replaced it, or if it has changed. */
struct file_stamp {
    uint64_t device, inode;
    int64_t bytes, modified_s, modified_ns;
};

/* Makes the stamp of a file. False: there is no such file; errno has the reason. */
bool file_stamp_of(struct file_stamp *stamp, const char *path);
/* Returns ERROR_FAILED if the file has changed since the stamp was made, or is gone. */
int file_stamp_check(const struct file_stamp *stamp, const char *path, struct error *e);
/* Checks the head of a group of files (file_group.h) after the other files were read with the result `status`.
 * ERROR_INPUT: the head was replaced meanwhile, which explains any error in the other files. Else returns `status` and
 * leaves *e. */
int file_stamp_check_head(const struct file_stamp *stamp, const char *path, int status,
                          struct error *e);
