/* page_words.c — texts in the languages of the page, for what is no page of a browser. */
#include "page.h"
#include "page_texts.h"

#include <ctype.h>
#include <string.h>

/* The text of that number in the row of words.js that begins with `english`; "": there is no such row. */
static void find_words(char *out, size_t size, const char *english, int language)
{
    static const char first[] = "const WORDS = `\n", between[] = " | ";
    const char *row = strstr(page_script, first);
    const size_t length = strlen(english);
    *out = '\0';
    for (row += sizeof first - 1; *row != '`'; row += strcspn(row, "\n") + 1) {
        if (strncmp(row, english, length) || strncmp(row + length, between, sizeof between - 1))
            continue;
        for (; language; language--) row = strstr(row, between) + sizeof between - 1;
        const char *end = strstr(row, between), *line = strchr(row, '\n');
        snprintf(out, size, "%.*s", (int)((end && end < line ? end : line) - row), row);
        return;
    }
}

/* The length of a number at `text`, which does not end a word such as km2; 0: there is none. */
static size_t number_length(const char *begin, const char *text)
{
    const bool after_word = text > begin && isalnum((unsigned char)text[-1]);
    size_t n = after_word ? 0 : strspn(text, "0123456789");
    if (n && text[n] == '.' && isdigit((unsigned char)text[n + 1]))
        n += 1 + strspn(text + n + 1, "0123456789");
    return n;
}

/* Numbers become {}, or {} the numbers of `english`. */
static void swap_numbers(char *out, size_t size, const char *text, const char *english)
{
    const char *at = text, *from = english;
    size_t used = 0, n;
    for (; *at && used + 1 < size; used = strlen(out)) {
        if (!english && (n = number_length(text, at))) {
            snprintf(out + used, size - used, "{}");
            at += n;
        } else if (english && !strncmp(at, "{}", 2)) {
            while (*from && !number_length(english, from)) from++;
            n = number_length(english, from);
            snprintf(out + used, size - used, "%.*s", (int)n, from);
            from += n;
            at += 2;
        } else {
            snprintf(out + used, size - used, "%c", *at++);
        }
    }
}

const char *page_words(char *out, size_t size, const char *english, const char *language)
{
    enum { ROOM = 1200 };
    char pattern[ROOM], words[ROOM] = "";
    int number = 0;
    while (language && page_languages[number] && strcmp(page_languages[number], language)) number++;
    if (number && page_languages[number]) {
        find_words(words, sizeof words, english, number);
        if (!*words) {
            swap_numbers(pattern, sizeof pattern, english, NULL);
            find_words(words, sizeof words, pattern, number);
        }
    }
    if (*words) swap_numbers(out, size, words, english);
    else snprintf(out, size, "%s", english);
    return out;
}
