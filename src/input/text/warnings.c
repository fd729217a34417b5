#include "warnings.h"

#include "scan.h"
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const warning_kinds[WARNING_KINDS] = {
    [WARNING_INPUT] = "input", [WARNING_RESULT] = "result", [WARNING_NOTE] = "numerics"};

/* Returns the text that contains sentence i. */
static const char *text_of(const struct warnings *w, int i)
{
    return w->of[i].kind == WARNING_NOTE ? w->notice : w->warning;
}

static struct warning_part append_sentence(char *text, size_t size, const char *sentence)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? "; " : "", sentence);
    scan_make_printable(text + used);
    const int from = (int)used + (used ? 2 : 0), length = (int)strlen(text) - from;
    return (struct warning_part){from, length > 0 ? length : 0};
}

static struct warning_part pack_warning(struct warnings *w, const char *text)
{
    size_t used = 0;
    for (int i = 0; i < w->count; i++) used += (size_t)w->of[i].packed.length;
    if (used + strlen(text) >= sizeof w->packed) return (struct warning_part){0};
    memcpy(w->packed + used, text, strlen(text) + 1);
    return (struct warning_part){(int)used, (int)strlen(text)};
}

static bool is_there(const struct warnings *w, enum warning_kind kind, const char *text)
{
    char said[WARNING_TEXT];
    for (int i = 0; i < w->count; i++)
        if (w->of[i].kind == kind && !strcmp(warnings_part(w, i, w->of[i].text, said), text))
            return true;
    return false;
}

bool warnings_add(struct warnings *w, enum warning_kind kind, const char *text, const char *remedy)
{
    const bool note = kind == WARNING_NOTE;
    char *to = note ? w->notice : w->warning;
    const size_t size = note ? sizeof w->notice : sizeof w->warning;
    char printable[WARNING_TEXT];
    words_fill(printable, sizeof printable, text, NULL);
    scan_make_printable(printable);
    if (is_there(w, kind, printable)) return false;
    if (w->count == WARNINGS_MAX) return true;
    struct warning *x = &w->of[w->count];
    *x = (struct warning){.kind = kind, .text = append_sentence(to, size, printable)};
    if (x->text.length && remedy && *remedy) x->remedy = append_sentence(to, size, remedy);
    if (kind == WARNING_RESULT) x->packed = pack_warning(w, text);
    w->count += x->text.length > 0;
    return true;
}

bool warnings_say(struct warnings *w, enum warning_kind kind, const char *fmt, ...)
{
    char text[WARNING_TEXT];
    va_list values;
    va_start(values, fmt);
    words_pack_list(text, sizeof text, fmt, values);
    va_end(values);
    return warnings_add(w, kind, text, NULL);
}

bool warnings_add_one(struct warnings *w, const struct warnings *from, int i)
{
    char text[WARNING_TEXT], remedy[WARNING_TEXT];
    warnings_part(from, i, from->of[i].remedy, remedy);
    return warnings_add(w, from->of[i].kind, warnings_packed(from, i, text), remedy);
}

void warnings_add_all(struct warnings *w, const struct warnings *from)
{
    for (int i = 0; i < from->count; i++) warnings_add_one(w, from, i);
}

unsigned warnings_are_of(const struct warnings *w)
{
    unsigned kinds = 0;
    for (int i = 0; i < w->count; i++) kinds |= 1u << w->of[i].kind;
    return kinds;
}

char *warnings_part(const struct warnings *w, int i, struct warning_part part,
                    char out[WARNING_TEXT])
{
    snprintf(out, WARNING_TEXT, "%.*s", part.length, text_of(w, i) + part.from);
    return out;
}

/* The remedy directly follows its sentence, so sentence and remedy are copied at once. */
char *warnings_line(const struct warnings *w, int i, char out[WARNING_TEXT])
{
    const struct warning *x = &w->of[i];
    const struct warning_part *last = x->remedy.length ? &x->remedy : &x->text;
    return warnings_part(
        w, i, (struct warning_part){x->text.from, last->from + last->length - x->text.from}, out);
}

char *warnings_packed(const struct warnings *w, int i, char out[WARNING_TEXT])
{
    const struct warning_part part = w->of[i].packed;
    if (!part.length) return warnings_part(w, i, w->of[i].text, out);
    snprintf(out, WARNING_TEXT, "%.*s", part.length, w->packed + part.from);
    return out;
}

char *warnings_sentence(const struct warnings *w, int i, const char *language,
                        char out[WARNING_TEXT])
{
    char packed[WARNING_TEXT + 1];
    *packed = *WORDS_SENTENCE;
    warnings_packed(w, i, packed + 1);
    return words_fill(out, WARNING_TEXT, packed, language);
}

char *warnings_of_result(const struct warnings *w, char *out, size_t size)
{
    char packed[WARNING_TEXT];
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < w->count; i++) {
        if (w->of[i].kind != WARNING_RESULT) continue;
        warnings_packed(w, i, packed);
        snprintf(out + used, size - used, "%s" WORDS_SENTENCE "%s%s",
                 used ? WORDS_PART " " WORDS_PART : "", packed,
                 strpbrk(packed, WORDS_NEXT) ? "" : WORDS_NEXT);
        used = strlen(out);
    }
    return out;
}
