/* filekind.c — the kind of a file that was given in place of a case. */
#include "settings.h"

#include "text/textfile.h"

#include <string.h>
#include <strings.h>

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

/* By the first line that is not a comment. No key of a case has a comma, a semicolon or a brace. */
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

const char *filekind_not_a_case(const char *path)
{
    char head[1025];
    FILE *f = file_open_regular(path);
    if (!f) return NULL;
    const size_t n = fread(head, 1, sizeof head - 1, f);
    fclose(f);
    head[n] = '\0';
    const char *kind = kind_of_bytes(head, n);
    return kind ? kind : kind_of_text(head);
}
