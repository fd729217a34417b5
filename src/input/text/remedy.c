#include "remedy.h"

#include "textfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 }; /* the size of a message in struct error */

static void put_word(FILE *out, const char *name)
{
    FREED char *word = text_shell_word(name);
    if (word) fputs(word, out);
}

/* Copies a text, and replaces REMEDY_IN and REMEDY_OUT by names. The letters, dots and underscores after REMEDY_OUT
 * are the ending of the new name. */
static void put_names(FILE *out, const char *text, const char *file)
{
    for (; *text; text++) {
        if (*text == *REMEDY_OUT) {
            const int ending = (int)strspn(text + 1, "_abcdefghijklmnopqrstuvwxyz.");
            FREED char *name = text_format("%.*s%.*s", path_stem(file), file, ending, text + 1);
            if (name) put_word(out, name);
            text += ending;
        } else if (*text == *REMEDY_IN) {
            put_word(out, file);
        } else {
            fputc(*text, out);
        }
    }
}

static void fill_remedy(char *out, size_t size, const char *file, const char *fmt, va_list values)
{
    char plain[TEXT];
    vsnprintf(plain, sizeof plain, fmt, values);
    FILE *f = fmemopen(out, size, "w");
    *out = '\0';
    if (!f) return;
    put_names(f, plain, file);
    fclose(f); /* writes the NUL */
    out[size - 1] = '\0';
}

void remedy_text(char *out, size_t size, const char *file, const char *fmt, ...)
{
    va_list values;
    va_start(values, fmt);
    fill_remedy(out, size, file, fmt, values);
    va_end(values);
}

int remedy_refuse(struct error *e, const char *file, const char *fmt, ...)
{
    char text[TEXT];
    va_list values;
    va_start(values, fmt);
    fill_remedy(text, sizeof text, file, fmt, values);
    va_end(values);
    return error_input(e, "%s", text);
}

int remedy_check_utf16(const char *file, const char *ending, struct error *e)
{
    static const char plain[] = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    char head[3];
    file_head(head, sizeof head, file);
    if (!text_is_utf16(head)) return 0;
    return remedy_refuse(e, file,
                         "%s: text in UTF-16, which cannot be read; convert it: " REMEDY_UTF8, file,
                         ending[strspn(ending, plain)] ? "" : ending);
}
