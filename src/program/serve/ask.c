/* ask.c — answers questions to a library of eruptions: selects members by a condition, and sends
 * their results. */
#include "serve.h"

#include "ask/ask.h"
#include "base/processors.h"
#include "members/library.h"
#include "record/json_number.h"
#include "text/textfile.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const double PROBABILITY_UNIT = 1.0 / 65534, ARRIVAL_UNIT_H = 0.1;

/* ---- what can be asked ----------------------------------------------------------------------- */

/* Adds the least and the greatest number of a column. */
static void add_column(cJSON *list, sqlite3 *db, const char *name)
{
    sqlite3_stmt *q = NULL;
    char *sql = sqlite3_mprintf("SELECT min(\"%w\"), max(\"%w\"), count(\"%w\") FROM members WHERE "
                                "typeof(\"%w\") IN ('integer', 'real')",
                                name, name, name, name);
    if (sql && !sqlite3_prepare_v2(db, sql, -1, &q, NULL) && sqlite3_step(q) == SQLITE_ROW &&
        sqlite3_column_int64(q, 2) > 0) {
        cJSON *o = json_add_object(list);
        json_add_texts(o, {"name", name});
        json_add_numbers(o, {"low", sqlite3_column_double(q, 0)},
                         {"high", sqlite3_column_double(q, 1)});
    }
    sqlite3_finalize(q);
    sqlite3_free(sql);
}

static void add_columns(cJSON *o, sqlite3 *db)
{
    cJSON *list = cJSON_AddArrayToObject(o, "columns");
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info('members')", -1, &q, NULL))
        return;
    while (sqlite3_step(q) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        if (name && strcmp(name, "geom") && strcmp(name, "result") && strcmp(name, "digest"))
            add_column(list, db, name);
    }
    sqlite3_finalize(q);
}

/* Adds the number of members, and whether a circle on the map can select them by the places of their vents. */
static void add_members(cJSON *o, sqlite3 *db)
{
    static const char sql[] = "SELECT (SELECT count(*) FROM members), (SELECT count(*) = 2 FROM "
                              "pragma_table_info('members') WHERE name IN ('x', 'y'))";
    sqlite3_stmt *q = NULL;
    if (!sqlite3_prepare_v2(db, sql, -1, &q, NULL) && sqlite3_step(q) == SQLITE_ROW) {
        json_add_numbers(o, {"members", sqlite3_column_double(q, 0)});
        json_add_bools(o, {"vents", sqlite3_column_int(q, 1) != 0});
    }
    sqlite3_finalize(q);
}

int ask_facts(cJSON *facts, struct session *s, struct error *e)
{
    FREED_BY(library_shut) sqlite3 *db = NULL;
    if (!s->given) {
        cJSON_AddNullToObject(facts, "library");
        return 0;
    }
    const int status = library_open(&db, NULL, s->given, e);
    cJSON *o = cJSON_AddObjectToObject(facts, "library");
    if (!status) add_members(o, db);
    if (!status) add_columns(o, db);
    cJSON *places = cJSON_AddArrayToObject(o, "places");
    const cJSON *place, *all = cJSON_GetObjectItemCaseSensitive(s->on.drawing, "places");
    cJSON_ArrayForEach (place, all)
        cJSON_AddItemToArray(
            places, cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(place, "name"), false));
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void add_cells(struct bytes *out, const struct ensemble *s)
{
    const struct statistics *x = &s->cells;
    struct frame_array a[] = {{"cell", .wide = true},
                              {"probability", .unit = PROBABILITY_UNIT},
                              {"error", .unit = PROBABILITY_UNIT},
                              {"arrival_h", .unit = ARRIVAL_UNIT_H},
                              {"arrival_low_h", .unit = ARRIVAL_UNIT_H},
                              {"arrival_high_h", .unit = ARRIVAL_UNIT_H},
                              {0}};
    STATISTICS_EACH (x, cell, c) {
        const uint64_t weight = statistics_reached(x, c);
        if (!weight) continue;
        const struct report_range range = report_range_of(s, x, c);
        frame_put(&a[0], (uint32_t)cell);
        frame_put_value(&a[1], statistics_probability(x, weight));
        frame_put_value(&a[2], statistics_error(x, weight));
        frame_put_value(&a[3], report_arrival_h(s, statistics_arrival_class(x, c, 50)));
        frame_put_value(&a[4], range.low_h);
        frame_put_value(&a[5], range.high_h);
    }
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", (double)s->done}, {"effective", statistics_effective(x)},
                     {"largest_error", statistics_largest_error(x)});
    frame_add(out, "frame", o, a);
}

/* The last question. If the next question has the same places, only members that enter or leave the answer are counted. */
struct asked {
    struct ask_options options;
    struct study_job job;
    char *places; /* places as they were sent; NULL: the places of the plan */
    char *where, *assets;
    struct file_stamp file; /* the library at the time of the question */
    bool good;              /* ask_again() may answer the next question */
};

static void asked_free(struct asked *a)
{
    if (!a) return;
    study_close(&a->job);
    FREE_ALL(a->places, a->where, a->assets, a);
}

static void forget_answers(struct session *s)
{
    asked_free(s->asked);
    s->asked = NULL;
}

static void add_answer(struct bytes *out, const struct ensemble *s)
{
    cJSON *o = cJSON_CreateObject();
    json_add_numbers(o, {"members", (double)s->done}, {"of", (double)s->source->count});
    frame_add(out, "begin", o, NULL);
    add_cells(out, s);
    o = cJSON_CreateObject();
    json_add_hex(o, "digest", ensemble_digest(s));
    json_add_numbers(o, {"members", (double)s->done},
                     {"effective", statistics_effective(&s->cells)});
    study_places(o, s);
    frame_add(out, "end", o, NULL);
}

/* Writes a file of places, if the question has other places than the plan. */
static int write_places(struct session *s, const cJSON *question, char **path,
                        struct drawing_fault *fault, struct error *e)
{
    const cJSON *places = cJSON_GetObjectItemCaseSensitive(question, "places");
    *path = NULL;
    if (!cJSON_IsArray(places) || !places->child) return 0;
    if (drawing_check_places(question, fault, e)) return ERROR_INPUT;
    FREED char *folder = text_format("%s/ask", s->work);
    FREED_BY(json_free_at) cJSON *drawing = cJSON_CreateObject();
    cJSON_AddItemToObject(drawing, "places", cJSON_Duplicate(places, true));
    int status = folder && drawing ? folder_anew(folder, e) : error_memory(e);
    if (!status) status = drawing_write(drawing, &s->on, folder, s->c.name, NULL, e);
    if (!status && cJSON_Compare(places, cJSON_GetObjectItem(s->on.drawing, "places"), true) == 0)
        *path = text_format("%s/" DRAWING_PLACES, folder);
    return status;
}

/* Whether a question has the library and the places of the last question, so that only the condition may differ. */
static bool is_next(const struct session *s, const char *places)
{
    const struct asked *a = s->asked;
    return a && !strcmp(a->places ? a->places : "", places ? places : "") &&
           !file_stamp_check(&a->file, s->given, NULL);
}

static int ask_first(struct session *s, const cJSON *question, char *places,
                     struct drawing_fault *fault, struct error *e)
{
    forget_answers(s);
    struct asked *a = s->asked = calloc(1, sizeof *a);
    s->asked_free = asked_free;
    if (!a) {
        free(places);
        return error_memory(e);
    }
    a->places = places;
    a->options = (struct ask_options){.library = s->given, .again = true};
    a->job = (struct study_job){.study = &study_ask,
                                .plan = s->base,
                                .options = &a->options,
                                .threads = s->o.threads ? s->o.threads : processors_granted()};
    if (!file_stamp_of(&a->file, s->given)) return error_input(e, "%s: cannot be opened", s->given);
    const int status = write_places(s, question, &a->assets, fault, e);
    a->options.ensemble.assets = a->assets;
    return status ? status : study_open(&a->job, e);
}

static const struct ask *ask_of(const struct session *s)
{
    return s->asked->job.self;
}

static int ask_session(struct session *s, const cJSON *question, const char *where,
                       struct drawing_fault *fault, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(question, "places");
    char *places = cJSON_IsArray(list) && list->child ? cJSON_PrintUnformatted(list) : NULL;
    const bool next = is_next(s, places);
    int status = 0;
    if (next) free(places);
    else status = ask_first(s, question, places, fault, e);
    if (status) return status;
    struct asked *a = s->asked;
    free(a->where);
    a->options.where = a->where = where && *where ? text_format("%s", where) : NULL;
    status = next ? ask_again(&a->job, e) : study_compute(&a->job, e);
    a->good = next ? ask_of(s)->again : !status;
    return status;
}

int answer_ask(struct request *q)
{
    struct session *s = q->of;
    struct drawing_fault fault = {.number = -1};
    struct error e = {0};
    struct bytes out = {0};
    const cJSON *where = request_member(q, "where");
    if (!s->given)
        return reply_refusal(q, HTTP_NOT_FOUND, "this page was not opened with a library");
    if (where && !cJSON_IsString(where))
        return reply_refusal(q, HTTP_REFUSED, "where: give an expression as a text");
    pthread_mutex_lock(&s->ask_lock);
    const int status = ask_session(s, q->json, where ? where->valuestring : NULL, &fault, &e);
    if (!status) add_answer(&out, &ask_of(s)->of.s);
    else if (s->asked && !s->asked->good) forget_answers(s);
    pthread_mutex_unlock(&s->ask_lock);
    if (status && !*fault.object) fault = (struct drawing_fault){.object = "where", .number = -1};
    if (!status && !out.failed)
        return reply_bytes(q, "application/octet-stream; charset=binary", out.data, out.size);
    free(out.data);
    return status ? reply_error(q, &fault, &e) : HTTP_NO_REPLY;
}
