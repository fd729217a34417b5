#include "scan.h"

#include "number.h"

#include <errno.h>
#include <ctype.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool scan_real(const char *text, double *value)
{
    if (!*text || text[strspn(text, "+-.0123456789eE")]) return false; /* keeps "inf", "0x1" out */
    double x;
    const char *end = number_scan(text, &x);
    if (!end || *end || !isfinite(x)) return false;
    *value = x;
    return true;
}

bool scan_integer(const char *text, int64_t *value)
{
    if (!*text || text[strspn(text, "+-0123456789")]) return false;
    char *end;
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (end == text || *end || errno == ERANGE) return false;
    *value = x;
    return true;
}

/* Returns the number of bytes of the UTF-8 character at s; 0: it is malformed. */
static int utf8_length(const unsigned char *s)
{
    const gunichar c = g_utf8_get_char_validated((const char *)s, -1);
    return c >= (gunichar)-2 ? 0 : g_utf8_skip[*s];
}

/* Whether length_of() returns a length, not 0, for all characters of a text. */
static bool consists_of(const char *text, int (*length_of)(const unsigned char *s))
{
    const unsigned char *s = (const unsigned char *)text;
    for (int length; *s; s += length)
        if ((length = length_of(s)) == 0) return false;
    return true;
}

bool scan_utf8(const char *text)
{
    return consists_of(text, utf8_length);
}

/* Returns the number of bytes of the printable character at s; 0: it is malformed, or a control character (also U+0080
 * to U+009F). */
static int printable_length(const unsigned char *s)
{
    if (s[0] < ' ' || s[0] == 127 || (s[0] == 0xc2 && s[1] < 0xa0)) return 0;
    return utf8_length(s);
}

bool scan_printable(const char *text)
{
    return consists_of(text, printable_length);
}

bool scan_file_name(const char *text)
{
    return *text && strcmp(text, ".") && strcmp(text, "..") && !strchr(text, '/') &&
           scan_printable(text);
}

void scan_make_printable(char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    char *out = text;
    while (*s) {
        const int length = utf8_length(s);
        if (printable_length(s)) {
            for (int i = 0; i < length; i++) *out++ = (char)*s++;
        } else {
            *out++ = *s == '\t' || *s == '\n' || *s == '\r' ? ' ' : '?';
            s += length ? length : 1;
        }
    }
    *out = '\0';
}

bool scan_blank(const char *text)
{
    for (; *text; text = g_utf8_next_char(text))
        if (g_unichar_isgraph(g_utf8_get_char(text))) return false;
    return true;
}

int scan_columns(const char *text)
{
    int columns = 0;
    for (; *text; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);
        columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return columns;
}

static bool is_leftward(gunichar c)
{
    return (c >= 0x590 && c < 0x900) || (c >= 0xFB1D && c < 0xFE00) ||
           (c >= 0xFE70 && c < 0xFF00) || (c >= 0x10800 && c < 0x11000) ||
           (c >= 0x1E800 && c < 0x1F000);
}

const char *scan_isolated(char *out, size_t size, const char *name)
{
    bool leftward = false;
    for (const char *s = name; *s; s = g_utf8_next_char(s))
        leftward = leftward || is_leftward(g_utf8_get_char(s));
    if (!leftward) return name;
    snprintf(out, size, SCAN_ISOLATE "%s\xE2\x81\xA9", name);
    return out;
}

void scan_cut(char *text)
{
    size_t n = strlen(text), begin = n;
    while (begin && n - begin < 4 && ((unsigned char)text[begin - 1] & 0xC0) == 0x80) begin--;
    if (begin && (unsigned char)text[begin - 1] >= 0xC0 &&
        !utf8_length((const unsigned char *)text + begin - 1))
        text[begin - 1] = '\0';
}

char *scan_excerpt(char out[48], const char *text)
{
    size_t length = strlen(text);
    snprintf(out, 44, length > 40 ? "%.37s" : "%.40s", text);
    scan_cut(out);
    return length > 40 ? strcat(out, "...") : out;
}

static bool alike(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Computes, row by row, the distances between every beginning of a (i letters) and every beginning of b (j letters). */
int scan_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int row[3][LONGEST + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST + 1;
    for (size_t i = 0; i <= n; i++) {
        int *now = row[i % 3];
        const int *above = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        for (size_t j = 0; j <= m; j++) {
            int least = (int)(i + j);
            if (i && j) {
                least = above[j - 1] + !alike(a[i - 1], b[j - 1]);
                if (above[j] + 1 < least) least = above[j] + 1;
                if (now[j - 1] + 1 < least) least = now[j - 1] + 1;
            }
            if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[n % 3][m];
}

void scan_nearest(struct scan_nearest *n, const char *candidate)
{
    const size_t length = strlen(n->given);
    const int most = (int)(length + 1) / 3;
    const int distance = scan_distance(n->given, candidate);
    const bool begins = length > 3 && !strncasecmp(n->given, candidate, length) &&
                        (candidate[length] == '_' || candidate[length] == '-');
    if ((distance > most && !begins) || (n->name && distance >= n->distance)) return;
    n->distance = distance;
    n->name = candidate;
}

/* Whether `given` is the beginning of `meant`, or `meant` with a unit or up to three letters after it: "prob", "weight
 * (%)", "from_h". */
static bool is_part(const char *given, const char *meant)
{
    const size_t n = strlen(given), m = strlen(meant);
    if (strncasecmp(given, meant, n < m ? n : m)) return false;
    if (n < m) return n >= 4;
    size_t letters = 0;
    for (const char *s = given + m; *s; s++) letters += isalpha((unsigned char)*s) != 0;
    return n > m && !isalnum((unsigned char)given[m]) && letters <= 3;
}

/* Allows one wrong letter for each three letters of `meant`, and at most two wrong letters. `words` have other meanings
 * in tables. A text that is nearer to one of these words than to `meant` is not a form of `meant`. */
bool scan_misspelt(const char *given, const char *meant)
{
    static const char *const words[] = {"event", "height"};
    const int letters = (int)strlen(meant) / 3, distance = scan_distance(given, meant);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (scan_distance(given, words[i]) < (distance < 2 ? distance : 2)) return false;
    if (strlen(meant) < 4 || !distance) return false;
    return distance <= (letters < 2 ? letters : 2) || is_part(given, meant);
}

void scan_put_xml(FILE *f, const char *text, const char *and)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "amp;"
                             : *text == '<' ? "lt;"
                             : *text == '>' ? "gt;"
                             : *text == '"' ? "quot;"
                                            : NULL;
        if (entity) fprintf(f, "%s%s", and, entity);
        else putc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
}
