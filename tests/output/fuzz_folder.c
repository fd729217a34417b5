/* Any bytes as a whole case: a text that holds its files, each after a line "=== NAME", the case
 * file first. Refused with one line, or a case of which a few steps can be computed, and a ledger
 * that closes. A name that begins with digits and ends in .cfg makes it an original case. */
#include "fuzz_steps.h"
#include "fuzz.h"

#include <ctype.h>

enum { FILES_MAX = 8, NAME_LENGTH = 48, CELLS_MAX = 4096 };

/* A file of the case: where its name and its content lie in the text. */
struct part {
    char path[128];
    const char *content, *end;
};

static bool is_name(const char *name, size_t length)
{
    if (length < 1 || length >= NAME_LENGTH || *name == '.') return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !(name[i] && strchr("._-", name[i]))) return false;
    return true;
}

/* The part that begins at `at`; NULL: none does. Returns where the next one may begin. */
static const char *take_part(struct part *p, const char *at, const char *end)
{
    static const char mark[] = "=== ";
    const size_t room = (size_t)(end - at), length = sizeof mark - 1;
    if (room < length || memcmp(at, mark, length) != 0) return NULL;
    const char *name = at + length, *line = memchr(name, '\n', (size_t)(end - name));
    if (!line || !is_name(name, (size_t)(line - name))) return NULL;
    snprintf(p->path, sizeof p->path, "%s/%.*s", scratch.path, (int)(line - name), name);
    p->content = line + 1;
    for (p->end = p->content; p->end < end; p->end++)
        if (p->end > p->content && p->end[-1] == '\n' && (size_t)(end - p->end) >= length &&
            memcmp(p->end, mark, length) == 0)
            break;
    return p->end;
}

static void put(const struct part *p)
{
    put_bytes(p->path, p->content, (size_t)(p->end - p->content));
}

static void compute(sciara_case *c)
{
    struct sciara_case_info info;
    sciara_case_info(c, &info);
    if ((int64_t)info.rows * info.cols > CELLS_MAX) return;
    if (fuzz_steps(c, 8).ledger == SCIARA_FAILED) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct part part[FILES_MAX];
    struct sciara_error e = {0};
    sciara_case *c;
    int count = 0;
    fuzz_begin();
    const char *at = (const char *)data, *end = at + size, *next;
    for (; count < FILES_MAX && (next = take_part(&part[count], at, end)); at = next) count++;
    if (!count) return -1;
    for (int i = 0; i < count; i++) put(&part[i]);
    const int status = sciara_case_load(&c, part[0].path, NULL, NULL, &e);
    if (status) {
        if (status != SCIARA_INPUT || strchr(e.text, '\n') || c) abort();
    } else {
        compute(c);
        sciara_case_free(c);
    }
    for (int i = 0; i < count; i++) unlink(part[i].path);
    return 0;
}
