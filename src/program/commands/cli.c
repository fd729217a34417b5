/* cli.c — what commands share: calls of commands, exit statuses, JSON on standard output, loading a case, and Ctrl-C. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "run.h"

#include "base/file_progress.h"
#include "library/inside.h"
#include "record/json_number.h"
#include "record/runfolder.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fail(const char *program, const struct error *e)
{
    struct error shown = *e;
    scan_make_printable(shown.text);
    fprintf(stderr, "%s: %s\n", program, shown.text);
    return e->code;
}

void cli_name_options(const struct command *c, struct error *e)
{
    static const char mark[] = "option '";
    for (char *at = e->text; (at = strstr(at, mark));) {
        const char *word = at + strlen(mark), *end = strchr(word, '\'');
        if (!end) return;
        FREED char *name = text_format("--%.*s", (int)(end - word), word);
        for (char *s = name; s && *s; s++) *s = *s == '_' ? '-' : *s;
        FREED char *rest = text_format("%s%s", name ? name : "", end + 1);
        if (name && rest && option_find(c, name))
            snprintf(at, sizeof e->text - (size_t)(at - e->text), "%s", rest);
        at++;
    }
}

char *cli_again(const char *program, const struct command *c, int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool resumes = !option_find(c, "--resume");
    if (!f) return NULL;
    fprintf(f, "%s %s", program, argv[0]);
    for (int i = 1; i < argc; i++) {
        const int dashes = (int)strspn(argv[i], "-");
        FREED char *word = text_shell_word(argv[i] + dashes);
        if (!strcmp(argv[i], "--") && !resumes) fputs(" --resume", f);
        resumes = resumes || !strcmp(argv[i], "--") || !strcmp(argv[i], "--resume");
        fprintf(f, " %.*s%s", dashes, argv[i], argv[i][dashes] || !dashes ? word : "");
    }
    if (!resumes) fputs(" --resume", f);
    return text_of_stream(f, &text);
}

int cli_run(const struct command *c, int argc, char **argv)
{
    struct error e = {0};
    if (c->main) return c->main(argc, argv);
    FREED void *request = calloc(1, c->size);
    FREED char *again = c->again ? cli_again("sciara", c, argc, argv) : NULL;
    if (request && c->defaults) memcpy(request, c->defaults, c->size);
    if (request && c->again) memcpy((char *)request + c->again, &again, sizeof again);
    int status = request ? options_parse(c, request, argc, argv, &e) : error_memory(&e);
    const bool help = status == OPTIONS_HELP;
    if (!status) status = c->run(request, &e);
    if (status == ERROR_CANCELLED) return EXIT_INTERRUPTED;
    if (!status || status == EXIT_INTERRUPTED || help || !e.code) return help ? 0 : status;
    cli_name_options(c, &e);
    return cli_fail("sciara", &e);
}

int cli_print_json(struct cJSON *tree, struct error *e)
{
    FREED char *text = json_printed(tree);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    return 0;
}

void cli_print_map(const char *folder)
{
    FREED_BY(json_free_at) struct cJSON *summary = NULL;
    if (!folder || runfolder_summary(&summary, folder, NULL) || !summary) return;
    const char *map = summary_text(summary, NULL, "map");
    FREED char *line = *map ? text_format("map           %s/%s\n", folder, map) : NULL;
    if (line) cli_print_lines(line);
}

void cli_print_lines(const char *text)
{
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        FREED char *shown = text_format("%.*s", (int)strcspn(line, "\n"), line);
        if (!shown) return;
        scan_make_printable(shown);
        puts(shown);
    }
}

/* ---- the case that a command names ----------------------------------------------------------- */

/* Folders of cases that come with the program, relative to the folder of the program. The first is of an installed
 * program, the second of a program built in the source tree. */
static const char *const known[] = {"../share/sciara/data", "../../data"};

/* Finds the case `name` in the folders of `known`. Returns its path without links, malloc'ed; NULL: not found. */
static char *find_known(const char *name)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return NULL;
    program[length] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        FREED char *relative = text_format("%s/%s", known[i], name);
        FREED char *path = relative ? path_beside(program, relative) : NULL;
        char *found = path && access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        if (found) return found;
    }
    return NULL;
}

void cli_name_place(const char *path, struct error *e)
{
    const char *slash = strrchr(path, '/');
    if (access(path, F_OK) == 0) return;
    FREED char *beside = text_format("%s.cfg", path);
    const bool there = beside && !access(beside, R_OK);
    FREED char *known_path = there ? NULL : find_known(slash ? slash + 1 : path);
    if (there || known_path)
        snprintf(e->text, sizeof e->text, "%.400s: there is no such file; did you mean %.500s?",
                 path, there ? beside : known_path);
}

static int watch_nothing(const struct sciara_progress *now, void *user)
{
    return 0;
}

const struct sciara_watcher cli_watcher = {watch_nothing, NULL};

int cli_load_case(sciara_case **c, const char *path, int64_t member, const char *arithmetic,
                  const struct sciara_watcher *watcher, struct error *e)
{
    if (!watcher) watcher = &cli_watcher;
    struct sciara_error why;
    const int status = member >= 0 ? sciara_case_load_member(c, path, member, watcher, &why)
                                   : sciara_case_load(c, path, arithmetic, watcher, &why);
    if (status) error_of_sciara(&why, e);
    if (status == SCIARA_INPUT && member < 0) cli_name_place(path, e);
    return status;
}

/* ---- signals ---------------------------------------------------------------------------------- */

/* Signals are counted, and working code asks for the count (progress.c). The handler also cancels the write operation
 * `watched`; a cancelled operation leaves only complete files. */

/* Mutable globals, because a signal handler has no argument for a state. docs/architecture.md lists all mutable globals. */
static volatile sig_atomic_t seen, at_once;
static struct file_progress *volatile watched;

static void note_signal(int signal_number)
{
    if (at_once) _exit(EXIT_INTERRUPTED);
    seen = seen + 1;
    if (watched) file_progress_cancel(watched); /* safe in a handler: sets a lock-free atomic */
}

void interrupt_watch(struct file_progress *w)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    watched = w;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL); /* batch systems send it before a job's time ends */
    if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) /* nohup ignores it */
        sigaction(SIGHUP, &action, NULL);
}

void interrupt_ends(bool ends)
{
    at_once = ends;
}

int interrupts_seen(void)
{
    return seen;
}
