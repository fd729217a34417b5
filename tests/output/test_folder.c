/* The folder of commands that follow each other, each whole, in part, killed, failed or refused: whose files stay, where
 * earlier results are, and what of them is left. The commands are those of a made-up study; chance chooses them. */
/* tests: output/run, output/products */
/* run: quick */
#include "products/made_by.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "record/picture_mark.h"
#include "run/output.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include "scratch.h"
#include "unit.h"

#include <cJSON.h>
#include <errno.h>

enum { FILES_MOST = 16, COMMANDS = 7 };

/* Files by name, with a short text. The summary and shown.json have no text here. */
struct files {
    int count;
    char name[FILES_MOST][32], text[FILES_MOST][64];
};

static void put(struct files *f, const char *name, const char *text)
{
    assert_true(f->count < FILES_MOST);
    strcpy(f->name[f->count], name);
    strcpy(f->text[f->count++], text);
}

static bool has(const struct files *f, const char *name, const char *text)
{
    for (int i = 0; i < f->count; i++)
        if (!strcmp(f->name[i], name) && !strcmp(f->text[i], text)) return true;
    return false;
}

static bool has_all(const struct files *f, const struct files *wanted)
{
    for (int i = 0; i < wanted->count; i++)
        if (!has(f, wanted->name[i], wanted->text[i])) return false;
    return true;
}

static bool is_same(const struct files *a, const struct files *b)
{
    return a->count == b->count && has_all(a, b);
}

static struct files read_folder(const char *path)
{
    struct files f = {0};
    DIR *d = opendir(path);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        FREED char *file = text_format("%s/%s", path, entry->d_name);
        struct stat s;
        if (stat(file, &s) || !S_ISREG(s.st_mode)) continue;
        FREED char *text = read_text(file);
        const bool own = !strcmp(entry->d_name, "summary.json") ||
                         !strcmp(entry->d_name, "shown.json") ||
                         !strcmp(entry->d_name, "writing.json");
        if (strstr(entry->d_name, ".html")) text[strcspn(text, "\n")] = '\0'; /* without its seal */
        put(&f, entry->d_name, own ? "" : text);
    }
    if (d) closedir(d);
    return f;
}

/* ---- commands ------------------------------------------------------------------------------------ */

static const struct product rows[] = {
    {.kind = PRODUCT_TABLE, .name = "marked.csv", .head = "a mark,"},
    {.kind = PRODUCT_TABLE, .name = "bare_*.csv"},
    {.kind = PRODUCT_FILE, .name = "bulletin.html"},
    {.kind = PRODUCT_FILE, .name = "frames.csv", .wanted = PRODUCT_OF_FRAMES},
};
static const struct product_table table = {PRODUCT_TABLE_OF(rows)};

enum end {
    WHOLE,
    SETTLING, /* killed when all was written, before earlier results were removed */
    PARTIAL,  /* interrupted, with a summary that says so */
    MOVING,   /* killed while it moved earlier results */
    KILLED,   /* somewhere among its files */
    FAILED,   /* before its first file */
    LATE,     /* failed after its first file */
    MISSING,  /* a file cannot be written */
    ENDS
};

struct world {
    struct scratch s;
    struct sim_case c;
    struct output_folder folder;
    struct output_info info;
    struct made_by by;
    uint64_t seed;
};

static uint64_t chance(struct world *w, uint64_t below)
{
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (w->seed >> 33) % below;
}

static int create(void **state)
{
    struct world *w = *state = calloc(1, sizeof *w);
    if (!w) return -1;
    scratch_create(&w->s);
    w->c = (struct sim_case){.name = "hand", .path = (char *)"hand.cfg"};
    w->info = (struct output_info){.directory = scratch_file(&w->s, "out"),
                                   .version = "0",
                                   .files = &table,
                                   .study = "trial",
                                   .by = &w->by,
                                   .folder = &w->folder};
    w->by = (struct made_by){.text = (char *)"members \"9\"\n", .files = (char *)""};
    return 0;
}

static int destroy(void **state)
{
    struct world *w = *state;
    output_folder_free(&w->folder);
    scratch_remove(&w->s);
    free(w);
    return 0;
}

static void write_in(const struct world *w, const char *name, const char *text)
{
    FREED char *path = text_format("%s/%s", w->info.directory, name);
    write_text(path, text);
}

/* A page has the seal by which it is known to be as it was written. */
static void write_page(const char *path, const char *text)
{
    FREED_BY(atomic_file_abandon) struct atomic_file w = {0};
    struct error e = {0};
    must(atomic_file_open(&w, path, &e), &e);
    fprintf(w.stream, "%s\n", text);
    picture_seal_text(&w, "<!-- ", PICTURE_SEAL_XML);
    must(atomic_file_finish(&w, &e), &e);
}

/* Writes the files, ends as it should, and leaves the folder. */
static void run(struct world *w, const struct files *new, enum end how, const char *digest)
{
    struct error e = {0};
    struct output_folder *f = &w->folder;
    must(output_folder_take(f, &w->info, &w->c, false, &e), &e);
    must(output_make_way(f, &e), &e);
    const bool ends = how == WHOLE || how == SETTLING || how == PARTIAL || how == MISSING;
    const int some = (int)chance(w, (uint64_t) new->count) + 1,
              until = how == FAILED || how == MOVING ? 0
                      : how == LATE                  ? 1
                      : how == KILLED                ? some
                                                     : new->count;
    strcpy(f->digest, digest);
    output_note_failures(&w->info);
    for (int i = 0; i < new->count; i++) {
        FREED char *path = text_format("%s/%s", w->info.directory, new->name[i]);
        const bool misses = how == MISSING && i == some - 1;
        if (i >= until) break;
        if (misses) error_failed(&e, "%s: the disk is full", path);
        else (strstr(path, ".html") ? write_page : write_text)(path, new->text[i]);
        must(output_done(&w->info, path, misses ? ERROR_FAILED : 0, &e), &e);
    }
    for (int i = 0; how == MOVING && f->first && i < f->old.count; i++) {
        FREED char *to = text_format("%s/%s", w->info.directory, f->old.name[i]),
                   *from = text_format("%s/previous/%s", w->info.directory, f->old.name[i]);
        if (strcmp(f->old.name[i], "summary.json") != 0 && chance(w, 2) && rename(from, to))
            abort();
    }
    assert_int_equal(output_misses(&w->info, ERROR_FAILED), how == MISSING);
    if (how == FAILED || how == LATE) output_folder_unmake(f);
    if (ends) {
        cJSON *root = cJSON_CreateObject();
        json_add_texts(root, {"software", "sciara"}, {"digest", digest});
        if (how == PARTIAL)
            json_add_texts(cJSON_AddObjectToObject(root, "trial"), {"end", "interrupted"});
        f->partial = how == PARTIAL;
        must(output_keep_same(&w->info, &e), &e);
        const int status = output_end(&w->info, &w->c, output_finish_summary(root, &w->info), &e);
        assert_int_equal(status, how == MISSING ? ERROR_FAILED : 0);
        if (how != SETTLING) output_settle(f);
    }
    output_folder_free(f);
    *f = (struct output_folder){0};
}

/* ---- any commands, one after the other ------------------------------------------------------------ */

static struct files files_of(struct world *w, int number)
{
    struct files f = {0};
    char name[32], text[64];
    snprintf(text, sizeof text, "a mark, of command %d", number);
    if (chance(w, 4)) put(&f, "marked.csv", text);
    for (int k = 0; k < 3; k++) {
        if (!chance(w, 2)) continue;
        snprintf(name, sizeof name, "bare_%d.csv", k);
        snprintf(text, sizeof text, "command %d of %d", number, k);
        put(&f, name, text);
    }
    snprintf(text, sizeof text, "page of command %d", number);
    put(&f, "bulletin.html", text);
    return f;
}

/* The user's files stay as they are. The last whole results are whole, in the folder or in previous/, until others are;
 * then the folder has nothing else. What fails before its first file leaves the folder as it was. */
static void earlier_results_stay_whole(void **state)
{
    struct world *w = *state;
    int ends[ENDS] = {0}, moved = 0, restored = 0, scattered = 0;
    const char *out = w->info.directory, *previous = scratch_file(&w->s, "out/previous");
    for (int round = 0; round < 24; round++) {
        struct files mine = {0}, whole = {0};
        bool any = false,
             clean = true,   /* there are whole results; the folder has nothing unfinished */
            between = false; /* some are here, some in previous/ */
        w->seed = 1000 + (uint64_t)round;
        if (mkdir(out, 0777)) abort();
        put(&mine, "notes.txt", "mine");
        put(&mine, "bare.csv", "not of a row");
        put(&mine, "marked.txt", "a mark, of nobody");
        put(&mine, "frames.csv", "of frames that nobody asks for");
        for (int i = 0; i < mine.count; i++) write_in(w, mine.name[i], mine.text[i]);
        for (int n = 0; n < COMMANDS; n++) {
            const struct files new = files_of(w, n), before = read_folder(out);
            const enum end how = (enum end)chance(w, ENDS);
            char digest[17];
            snprintf(digest, sizeof digest, "%016d", n);
            ends[how]++;
            run(w, &new, how, digest);
            const struct files now = read_folder(out), there = read_folder(previous);
            assert_true(has_all(&now, &mine));
            if (how == WHOLE) {
                struct files wanted = mine;
                for (int i = 0; i < new.count; i++) put(&wanted, new.name[i], new.text[i]);
                put(&wanted, "summary.json", "");
                put(&wanted, "shown.json", "");
                assert_true(is_same(&now, &wanted));
                assert_true(access(previous, F_OK) && errno == ENOENT);
                whole = new;
                put(&whole, "summary.json", "");
                any = clean = true, between = false;
                assert_false(output_unfinished(out));
                continue;
            }
            if (how == SETTLING) {
                whole = new;
                put(&whole, "summary.json", "");
                any = true;
            }
            if (how == MOVING) { /* what is not there yet is here yet */
                for (int i = 0; any && i < whole.count; i++)
                    assert_true(has(&now, whole.name[i], whole.text[i]) ||
                                has(&there, whole.name[i], whole.text[i]));
                scattered++;
            } else if (any && (!between || how != FAILED)) {
                assert_true(has_all(&now, &whole) || has_all(&there, &whole));
                moved += has_all(&there, &whole);
                if (!has_all(&now,
                             &whole)) /* and nothing else, which would look like a part of it */
                    for (int i = 0; i < there.count; i++)
                        assert_true(has(&whole, there.name[i], there.text[i]) ||
                                    !strcmp(there.name[i], "shown.json"));
            }
            if (how == FAILED && clean) {
                assert_true(is_same(&now, &before));
                restored++;
            }
            if (how == FAILED && has(&before, "writing.json", ""))
                assert_true(has(&now, "writing.json", ""));
            if ((how != FAILED || !clean) && how != SETTLING) assert_true(output_unfinished(out));
            if (how != FAILED) clean = false;
            between = how == MOVING || (between && how == FAILED);
        }
        remove_at(AT_FDCWD, out);
    }
    for (int i = 0; i < ENDS; i++) assert_true(ends[i] > 8);
    assert_true(moved > 12 && restored > 2 && scattered > 8);
}

/* ---- what others wrote ----------------------------------------------------------------------------- */

/* A file of somebody under a name that the command may write is refused, and nothing is touched; under any other name
 * it is nobody's business. */
static void files_of_others_are_refused(void **state)
{
    static const struct {
        const char *name, *text;
        bool refused, frames;
    } files[] = {{"marked.csv", "no mark", true, false},
                 {"marked.csv", "a mark, so it is ours", false, false},
                 {"bare_7.csv", "whose?", true, false},
                 {"bulletin.html", "whose?", true, false},
                 {"frames.csv", "whose?", false, false},
                 {"frames.csv", "whose?", true, true},
                 {"bare_7.csv-journal", "of SQLite", false, false},
                 {"bulletin.png", "whose?", false, false}};
    struct world *w = *state;
    const struct files new = {1, {"marked.csv"}, {"a mark, new"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct error e = {0};
        if (mkdir(w->info.directory, 0777)) abort();
        write_in(w, files[i].name, files[i].text);
        w->info.pictures.frame_every = files[i].frames ? 10 : 0;
        const struct files before = read_folder(w->info.directory);
        if (files[i].refused) {
            assert_int_equal(output_folder_take(&w->folder, &w->info, &w->c, false, &e),
                             ERROR_INPUT);
            if (!strstr(e.text, files[i].name) || !strstr(e.text, "would be overwritten"))
                fail_msg("%s", e.text);
            const struct files now = read_folder(w->info.directory);
            assert_true(is_same(&now, &before));
        } else {
            run(w, &new, WHOLE, "0");
            const struct files now = read_folder(w->info.directory);
            assert_true(has(&now, "marked.csv", "a mark, new"));
            if (strcmp(files[i].name, "marked.csv") != 0)
                assert_true(has(&now, files[i].name, files[i].text));
        }
        remove_at(AT_FDCWD, w->info.directory);
    }
    /* one that was written by a command, and changed since */
    const struct files two = {2, {"bare_1.csv", "marked.csv"}, {"text", "a mark, text"}};
    struct error e = {0};
    run(w, &two, WHOLE, "0");
    write_in(w, "bare_1.csv", "text of somebody");
    assert_int_equal(output_folder_take(&w->folder, &w->info, &w->c, false, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "bare_1.csv: would be overwritten"));
}

/* ---- pages of before -------------------------------------------------------------------------------- */

/* The bulletin of before stays, and is listed, if digest and plan are those of now: neither another digest, nor another
 * title, nor results in part leave it. One that the command writes is the new one. */
static void a_bulletin_stays_with_its_plan(void **state)
{
    static const struct {
        const char *digest, *text;
        enum end how;
        bool writes, stays;
    } now[] = {{"a", "members \"9\"\ntitle \"one\"\n", WHOLE, false, true},
               {"b", "members \"9\"\ntitle \"one\"\n", WHOLE, false, false},
               {"a", "members \"9\"\ntitle \"two\"\n", WHOLE, false, false},
               {"a", "members \"8\"\ntitle \"one\"\n", WHOLE, false, false},
               {"a", "members \"9\"\n", WHOLE, false, false},
               {"a", "members \"9\"\ntitle \"one\"\nmap_note \"a\"\n", WHOLE, false, false},
               {"a", "members \"9\"\ntitle \"one\"\n", PARTIAL, false, false},
               {"a", "members \"9\"\ntitle \"one\"\n", MISSING, false, false},
               {"a", "members \"9\"\ntitle \"one\"\n", WHOLE, true, false}};
    struct world *w = *state;
    const struct files first = {
        3, {"bulletin.html", "marked.csv", "bare_2.csv"}, {"old page", "a mark, 1", "old"}};
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        struct files second = {1, {"marked.csv"}, {"a mark, 2"}};
        w->by.text = (char *)"members \"9\"\ntitle \"one\"\n";
        run(w, &first, WHOLE, "a");
        w->by.text = (char *)(size_t)now[i].text;
        if (now[i].writes) put(&second, "bulletin.html", "new page");
        run(w, &second, now[i].how, now[i].digest);
        const struct files is = read_folder(w->info.directory);
        FREED char *summary = read_text(scratch_file(&w->s, "out/summary.json"));
        if (has(&is, "bulletin.html", "old page") != now[i].stays) fail_msg("%zu", i);
        assert_int_equal(has(&is, "bulletin.html", "new page"), now[i].writes);
        assert_false(has(&is, "bare_2.csv", "old")); /* only pages stay */
        assert_int_equal(strstr(summary, "bulletin.html") != NULL, now[i].stays || now[i].writes);
        remove_at(AT_FDCWD, w->info.directory);
    }
}

/* ---- plans that differ ------------------------------------------------------------------------------ */

/* What the message says of two plans, and whether it is a difference. A file counts by what is in it, not by its name. */
static void plans_differ_as_they_say(void **state)
{
    static const char files[] = "dem \"00000001 9 dem.tif\"\n";
    static const struct {
        const char *text, *files, *says, *alone;
        bool differs;
    } now[] = {
        {"members \"9\"\nseed \"1\"\n", files, "a file that it names has changed", NULL, false},
        {"members \"10\"\nseed \"1\"\n", files, "members 9, now 10", "members", true},
        {"seed \"1\"\n", files, "members 9, now none", "members", true},
        {"members \"9\"\nseed \"1\"\nrepeats \"2\"\n", files, "repeats none, now 2", "repeats",
         true},
        {"members \"10\"\nseed \"2\"\n", files, "members 9, now 10; seed 1, now 2", NULL, true},
        {"members \"9\"\nseed \"1\"\n", "dem \"00000001 9 other.tif\"\n",
         "a file that it names has changed", NULL, false},
        {"members \"9\"\nseed \"1\"\n", "dem \"00000002 9 dem.tif\"\n", "dem.tif has changed",
         "dem", true},
        {"members \"9\"\nseed \"1\"\n", "dem \"00000001 8 other.tif\"\n",
         "dem dem.tif, now other.tif", "dem", true},
        {"members \"9\"\nseed \"1\"\ndem \"else.tif\"\n", files, "a file that it names has changed",
         NULL, false},
        {"members \"1\"\nseed \"2\"\nrepeats \"3\"\nsampling \"sobol\"\nrun_h \"4\"\n", files,
         "members 9, now 1; seed 1, now 2; repeats none, now 3; 2 more", NULL, true},
        {"members \"9\"\nseed \"1\"\ntitle \"x\"\n", files, "a file that it names has changed",
         NULL, false},
    };
    (void)state;
    const struct made_by was = {.text = (char *)"members \"9\"\nseed \"1\"\n",
                                .files = (char *)(size_t)files};
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        const struct made_by is = {.text = (char *)(size_t)now[i].text,
                                   .files = (char *)(size_t)now[i].files};
        FREED char *says = made_by_difference(&was, &is);
        if (strncmp(says, now[i].says, strlen(now[i].says)) != 0) fail_msg("%zu: %s", i, says);
        assert_int_equal(made_by_differs(&was, &is), now[i].differs);
        if (now[i].alone) assert_true(made_by_differs_in(&was, &is, now[i].alone));
        assert_false(made_by_differs_in(&was, &is, "assets"));
    }
    /* of keys that a plan may have more than once the first is compared with the first */
    const struct made_by twice[] = {
        {.text = (char *)"observed_dry \"a until 1h\"\nobserved_dry \"b until 2h\"\n",
         .files = (char *)""},
        {.text = (char *)"observed_dry \"a until 1h\"\nobserved_dry \"b until 3h\"\n",
         .files = (char *)""}};
    const struct made_by every = {twice[0].text, twice[0].files, true};
    FREED char *says = made_by_difference(&every, &twice[1]);
    assert_string_equal(says, "observed_dry b until 2h, now b until 3h");
}

int main(void)
{
    return UNIT_RUN_IN(create, destroy, NULL, NULL, earlier_results_stay_whole,
                       files_of_others_are_refused, a_bulletin_stays_with_its_plan,
                       plans_differ_as_they_say);
}
