/* words.c — finds and fills texts of the table that tools/words-table makes from words.tsv. */
#include "words.h"

#include <stdio.h>
#include <string.h>

bool words_is_language(const char *language)
{
    int k = 0;
    while (language && words_languages[k] && strcmp(words_languages[k], language)) k++;
    return language && words_languages[k];
}

const char *words_of(const char *english, const char *language)
{
    int k = 0;
    while (language && words_languages[k] && strcmp(words_languages[k], language)) k++;
    for (const char *const *row = words_rows; k && words_languages[k] && *row; row += words_columns)
        if (!strcmp(*row, english)) return row[k];
    return english;
}

/* Replaces a decimal point by the mark in the row "0.1", commas by the mark in the row "1,000", and a hyphen at the
 * beginning by a true minus sign. */
char *words_number(char *number, size_t size, const char *language)
{
    const char *decimal = words_of("0.1", language), *thousands = words_of("1,000", language);
    char plain[64];
    size_t used = 0;
    snprintf(plain, sizeof plain, "%s", number);
    for (const char *p = plain; *p && used + 1 < size; p++) {
        const bool minus = p == plain && *p == '-' && p[1];
        const char *mark = *p == '.'   ? decimal + 1
                           : *p == ',' ? thousands + 1
                           : minus     ? "\xE2\x88\x92"
                                       : p;
        const size_t length = *p == '.'   ? strlen(decimal) - 2
                              : *p == ',' ? strlen(thousands) - 4
                              : minus     ? strlen(mark)
                                          : 1;
        snprintf(number + used, size - used, "%.*s", (int)length, mark);
        used += strlen(number + used);
    }
    return number;
}

/* Writes the next value by a printf conversion: the `length` bytes at `at`, such as "%.3g". */
static void put_value(char out[WORDS_TEXT], const char *at, size_t length, va_list *values)
{
    char one[32];
    snprintf(one, sizeof one, "%.*s", (int)length, at);
    switch (one[length - 1]) {
    case 's':
        snprintf(out, WORDS_TEXT, one, va_arg(*values, const char *));
        break;
    case 'd':
    case 'u':
    case 'x':
        if (strstr(one, "ll")) snprintf(out, WORDS_TEXT, one, va_arg(*values, long long));
        else if (strchr(one, 'l')) snprintf(out, WORDS_TEXT, one, va_arg(*values, long));
        else snprintf(out, WORDS_TEXT, one, va_arg(*values, int));
        break;
    default:
        snprintf(out, WORDS_TEXT, one, va_arg(*values, double));
    }
}

static void append_text(char to[WORDS_TEXT], const char *text, size_t length)
{
    const size_t used = strlen(to), room = WORDS_TEXT - 1 - used;
    memcpy(to + used, text, length < room ? length : room);
    to[used + (length < room ? length : room)] = '\0';
}

char *words_pack_list(char *out, size_t size, const char *format, va_list values)
{
    char row[WORDS_TEXT] = "", list[WORDS_TEXT] = "", value[WORDS_TEXT];
    va_list rest;
    va_copy(rest, values);
    for (const char *at = format; *at;) {
        if (*at != '%' || at[1] == '%') {
            append_text(row, at, 1);
            at += *at == '%' ? 2 : 1;
            continue;
        }
        const size_t length = 1 + strcspn(at, "duxsefg");
        put_value(value, at, length, &rest);
        for (char *p = value; (p = strpbrk(p, WORDS_NEXT)); p++) *p = *WORDS_WITHIN;
        append_text(row, "{}", 2);
        append_text(list, WORDS_NEXT, 1);
        append_text(list, value, strlen(value));
        at += length;
    }
    va_end(rest);
    snprintf(out, size, "%s%s", row, *list ? list : WORDS_NEXT);
    return out;
}

char *words_pack(char *out, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    words_pack_list(out, size, format, values);
    va_end(values);
    return out;
}

/* Replaces spaces by no-break spaces. */
static void keep_together(char out[WORDS_TEXT])
{
    char text[WORDS_TEXT];
    snprintf(text, sizeof text, "%s", out);
    *out = '\0';
    for (const char *p = text; *p; p++)
        append_text(out, *p == ' ' ? "\xC2\xA0" : p, *p == ' ' ? 2 : 1);
}

/* Writes a value of `length` bytes in a language. Packed texts are translated, numbers get the marks of the language,
 * other texts are copied. */
static void read_value(char out[WORDS_TEXT], const char *at, size_t length, const char *language)
{
    char value[WORDS_TEXT];
    const bool together = *at == *WORDS_TOGETHER;
    at += together, length -= together;
    snprintf(value, sizeof value, "%.*s", (int)length, at);
    for (char *p = value; (p = strpbrk(p, WORDS_WITHIN)); p++) *p = *WORDS_NEXT;
    if (strpbrk(value, WORDS_NEXT)) words_fill(out, WORDS_TEXT, value, language);
    else snprintf(out, WORDS_TEXT, "%s", value);
    if (strspn(value, "+-\xE2\x88\x92.,0123456789") == length)
        words_number(out, WORDS_TEXT, language);
    if (together) keep_together(out);
}

static char *fill_parts(char *out, size_t size, const char *parts, const char *language)
{
    char part[WORDS_TEXT];
    size_t used = 0;
    for (const char *at = parts; *at && used + 1 < size;) {
        const size_t length = strcspn(at, WORDS_PART);
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (strpbrk(part, WORDS_NEXT)) words_fill(out + used, size - used, part, language);
        else snprintf(out + used, size - used, "%s", part);
        used += strlen(out + used);
        at += length + (at[length] != '\0');
    }
    if (size) out[used] = '\0';
    return out;
}

/* Fills a text, and makes its first letter a capital: a to z, and à to þ except ÷, which have two bytes in UTF-8. */
static char *fill_sentence(char *out, size_t size, const char *packed, const char *language)
{
    words_fill(out, size, packed, language);
    unsigned char *first = (unsigned char *)out;
    if (*first >= 'a' && *first <= 'z') *first -= 'a' - 'A';
    else if (*first == 0xC3 && first[1] >= 0xA0 && first[1] != 0xB7) first[1] -= 0x20;
    return out;
}

/* Appends a text that stands between two values. Of {one|many} in this text, appends only the word that fits the value
 * before. Returns the number of bytes. */
static size_t add_text(char *out, size_t size, const char *text, size_t length, bool one)
{
    size_t used = 0;
    for (const char *end = text + length; text < end && used + 1 < size;) {
        const char *open = memchr(text, '{', (size_t)(end - text)), *bar = NULL, *close = NULL;
        if (open) bar = memchr(open, '|', (size_t)(end - open));
        if (bar) close = memchr(bar, '}', (size_t)(end - bar));
        const char *from = end, *to = end;
        if (close) from = one ? open + 1 : bar + 1, to = one ? bar : close;
        snprintf(out + used, size - used, "%.*s%.*s", (int)((close ? open : end) - text), text,
                 (int)(to - from), from);
        used += strlen(out + used);
        text = close ? close + 1 : end;
    }
    return used;
}

char *words_fill(char *out, size_t size, const char *packed, const char *language)
{
    if (strpbrk(packed, WORDS_PART)) return fill_parts(out, size, packed, language);
    if (*packed == *WORDS_SENTENCE) {
        fill_sentence(out, size, packed + 1, language);
        const size_t length = strlen(out);
        if (length + 1 < size) memcpy(out + length, ".", 2);
        return out;
    }
    char row[WORDS_TEXT], value[WORDS_TEXT];
    size_t used = 0;
    bool one = false;
    const char *at = packed + strcspn(packed, WORDS_NEXT);
    snprintf(row, sizeof row, "%.*s", (int)(at - packed), packed);
    for (const char *text = words_of(row, language); *text && used + 1 < size;) {
        const char *hole = strstr(text, "{}");
        const size_t plain = hole ? (size_t)(hole - text) : strlen(text);
        *value = '\0';
        if (hole && *at) {
            const size_t length = strcspn(++at, WORDS_NEXT);
            read_value(value, at, length, language);
            at += length;
        }
        used += add_text(out + used, size - used, text, plain, one);
        one = !strcmp(value, "1");
        snprintf(out + used, size - used, "%s", value);
        used += strlen(out + used);
        text += plain + (hole ? 2 : 0);
    }
    if (size) out[used] = '\0';
    return out;
}
