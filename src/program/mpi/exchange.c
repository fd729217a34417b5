#include "exchange.h"

#include "commands/run.h"

#include "base/lock.h"
#include "base/loops.h"
#include "ensemble/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASK = 1, DONE, END, GIVE, STOP, CLOSE };
static const struct timespec PAUSE = {0, 1000000};
static const double NEWS_S = 0.3;

/* ---- the mailbox, on threads of the engine --------------------------------------------------- */

/* Moves members from the mailbox to the engine. Returns how many; 0: no members are left; -1: more may come. */
static int next(void *exchange, int64_t *number, int at_once, int most)
{
    struct exchange *x = exchange;
    int count = 0;
    LOCKED(&x->lock);
    while (count < most && x->next < x->count) number[count++] = x->number[x->next++];
    x->at_once = at_once;
    x->most = x->job->device_count ? most : BATCH_MEMBERS_MAX;
    x->wants = x->next == x->count && !x->empty && (!count || !x->job->device_count);
    return count || x->empty ? count : -1;
}

static bool tell_exchange(const struct study_progress *now, void *exchange)
{
    struct exchange *x = exchange;
    atomic_store(&x->done, now->done);
    return atomic_load(&x->stop) || interrupts_seen() > 0;
}

static void *compute_members(void *exchange)
{
    struct exchange *x = exchange;
    const struct engine_feed feed = {next, x};
    struct engine_options o = engine_options_of(x->job);
    o.tell = tell_exchange;
    o.user = x;
    o.counts = &x->mine.counts;
    o.feed = &feed;
    x->mine.status = engine_run(&x->study->s, &o, &x->study->end, &x->mine.error);
    atomic_store(&x->engine_ended, true);
    return NULL;
}

/* ---- the main thread of each rank ------------------------------------------------------------ */

/* Sets `wanted`: the number of members that the engine computes at once, then the least and the
 * greatest number of members that rank 0 may hand out. False: the engine wants no members, or rank
 * 0 has been asked already. */
static bool wish(struct exchange *x, int32_t wanted[3])
{
    LOCKED(&x->lock);
    const bool new = x->wants && !x->asked;
    const int least = x->job->device_count && x->at_once < x->most ? x->at_once : 1;
    x->asked = x->asked || new;
    wanted[0] = x->at_once > 1 ? x->at_once : 1;
    wanted[1] = least;
    wanted[2] = x->most;
    return new;
}

static void put_numbers(struct exchange *x, const int64_t *number, int count)
{
    LOCKED(&x->lock);
    memcpy(x->number, number, (size_t)count * sizeof *number);
    x->next = 0;
    x->count = count;
    x->wants = x->asked = false;
    x->empty = count == 0;
}

/* Receives the messages of rank 0. True: all ranks have ended. */
static bool listen(struct exchange *x, int64_t *room)
{
    MPI_Status from;
    int there, count;
    for (;;) {
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
        if (!there) return false;
        MPI_Get_count(&from, MPI_INT64_T, &count);
        MPI_Recv(room, count, MPI_INT64_T, 0, from.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (from.MPI_TAG == CLOSE) return true;
        if (from.MPI_TAG == STOP) atomic_store(&x->stop, true);
        else put_numbers(x, room, count);
    }
}

static void note_end(struct exchange *x)
{
    x->mine.members = x->study->s.done - x->begun_with;
    x->mine.stopped = interrupts_seen() > 0;
    x->mine.gpus = x->job->device_count;
    x->mine.threads = x->job->threads;
}

static void follow_ranks(struct exchange *x, int64_t *room)
{
    double told_s = clock_now_s();
    int64_t told = 0;
    for (bool over = false, ended = false; !(over && ended); nanosleep(&PAUSE, NULL)) {
        int32_t wanted[3];
        over = listen(x, room) || over;
        if (ended) continue;
        if (wish(x, wanted)) MPI_Send(wanted, 3, MPI_INT32_T, 0, ASK, MPI_COMM_WORLD);
        const int64_t done = atomic_load(&x->done);
        if (done != told && clock_now_s() - told_s > NEWS_S) {
            MPI_Send(&done, 1, MPI_INT64_T, 0, DONE, MPI_COMM_WORLD);
            told = done;
            told_s = clock_now_s();
        }
        if (!atomic_load(&x->engine_ended)) continue;
        note_end(x);
        MPI_Send(&x->mine, (int)sizeof x->mine, MPI_BYTE, 0, END, MPI_COMM_WORLD);
        ended = true;
    }
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static int hand_out(struct exchange *x, int rank, const int32_t wanted[3], int64_t *room)
{
    if (atomic_load(&x->stop)) return 0;
    return handout_next(&x->handout, rank, room, wanted[0], wanted[1], wanted[2]);
}

static void stop_all(struct exchange *x)
{
    if (atomic_exchange(&x->stop, true)) return;
    for (int r = 1; r < x->ranks->size; r++)
        MPI_Send(NULL, 0, MPI_INT64_T, r, STOP, MPI_COMM_WORLD);
}

static void end_of(struct exchange *x, int rank)
{
    x->ended_s[rank] = clock_now_s();
    x->done_by[rank] = x->end[rank].members;
    x->ended++;
    if (x->end[rank].status || x->end[rank].stopped) stop_all(x);
}

static void answer(struct exchange *x, const MPI_Status *from, int64_t *room)
{
    const int r = from->MPI_SOURCE;
    int32_t wanted[3];
    switch (from->MPI_TAG) {
    case ASK:
        MPI_Recv(wanted, 3, MPI_INT32_T, r, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(room, hand_out(x, r, wanted, room), MPI_INT64_T, r, GIVE, MPI_COMM_WORLD);
        break;
    case DONE:
        MPI_Recv(&x->done_by[r], 1, MPI_INT64_T, r, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Recv(&x->end[r], (int)sizeof x->end[r], MPI_BYTE, r, END, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        end_of(x, r);
    }
}

static void show_progress(struct exchange *x, struct progress *line, double began_s)
{
    struct study_progress now = {.stage = "members",
                                 .all = x->study->s.source->count,
                                 .begun_with = x->begun_with,
                                 .done = x->begun_with,
                                 .elapsed_s = clock_now_s() - began_s};
    if (!x->ended_s[0]) x->done_by[0] = atomic_load(&x->done) - x->begun_with;
    for (int r = 0; r < x->ranks->size; r++) now.done += x->done_by[r] > 0 ? x->done_by[r] : 0;
    study_line_show(line, &now);
}

static void lead(struct exchange *x, int64_t *room)
{
    struct progress line = {.on = progress_wanted(x->request->of.quiet)};
    const double began_s = clock_now_s();
    while (x->ended < x->ranks->size) {
        MPI_Status from;
        int there = 0;
        int32_t wanted[3];
        for (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from); there;
             MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from))
            answer(x, &from, room);
        if (wish(x, wanted)) put_numbers(x, room, hand_out(x, 0, wanted, room));
        if (interrupts_seen()) stop_all(x);
        if (!x->ended_s[0] && atomic_load(&x->engine_ended)) {
            note_end(x);
            x->end[0] = x->mine;
            end_of(x, 0);
        }
        show_progress(x, &line, began_s);
        nanosleep(&PAUSE, NULL);
    }
    progress_clear(&line);
    for (int r = 1; r < x->ranks->size; r++)
        MPI_Send(NULL, 0, MPI_INT64_T, r, CLOSE, MPI_COMM_WORLD);
}

static int prepare_exchange(struct exchange *x, int64_t **room, struct error *e)
{
    const size_t size = (size_t)x->ranks->size;
    pthread_mutex_init(&x->lock, NULL);
    *room = malloc(BATCH_MEMBERS_MAX * sizeof **room);
    x->number = malloc(BATCH_MEMBERS_MAX * sizeof *x->number);
    if (!*room || !x->number) return error_memory(e);
    x->begun_with = x->study->s.done;
    x->done = x->begun_with;
    if (x->ranks->rank) return 0;
    x->end = calloc(size, sizeof *x->end);
    x->ended_s = calloc(size, sizeof *x->ended_s);
    x->done_by = calloc(size, sizeof *x->done_by);
    if (!x->end || !x->ended_s || !x->done_by) return error_memory(e);
    return handout_create(&x->handout, &x->study->s, x->ranks->size, e);
}

int exchange_run(struct exchange *x, struct error *e)
{
    int64_t *room;
    pthread_t engine;
    int status = ranks_agree(x->ranks, prepare_exchange(x, &room, e), e);
    if (!status) {
        const bool begun = loops_start_thread(&engine, NULL, compute_members, x);
        if (!begun) {
            x->mine.status =
                error_failed(&x->mine.error,
                             "no thread can be started; raise the limit of processes (ulimit -u)");
            atomic_store(&x->engine_ended, true);
        }
        if (x->ranks->rank) follow_ranks(x, room);
        else lead(x, room);
        if (begun) pthread_join(engine, NULL);
        *e = x->mine.error;
        /* ERROR_CANCELLED: rank 0 has stopped this rank, which is no failure */
        status = ranks_agree(x->ranks, x->mine.status == ERROR_CANCELLED ? 0 : x->mine.status, e);
    }
    free(room);
    return status;
}

void exchange_free(struct exchange *x)
{
    handout_free(&x->handout);
    FREE_ALL(x->number, x->end, x->ended_s, x->done_by);
    pthread_mutex_destroy(&x->lock);
}

/* ---- what the others did --------------------------------------------------------------------- */

enum { PIECE = 1 << 26, SIZE = CLOSE + 1, BYTES };

static int send_state(const struct exchange *x, struct error *e)
{
    FREED char *bytes = NULL;
    size_t size = 0;
    int status = state_pack(&ensemble_state, &x->study->s, &bytes, &size, e);
    uint64_t length = status ? 0 : size;
    MPI_Send(&length, 1, MPI_UINT64_T, 0, SIZE, MPI_COMM_WORLD);
    for (size_t at = 0; at < length; at += PIECE)
        MPI_Send(bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, 0, BYTES,
                 MPI_COMM_WORLD);
    return status;
}

/* Receives the state of a rank. If `status` is an error, the state is not added. */
static int receive_state(struct exchange *x, int rank, int status, struct error *e)
{
    struct ensemble *s = &x->study->s, part = {0};
    const struct shard whole = {1, 1};
    char name[32];
    uint64_t size;
    snprintf(name, sizeof name, "rank %d", rank);
    MPI_Recv(&size, 1, MPI_UINT64_T, rank, SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    FREED char *bytes = malloc(size ? size : 1);
    if (!bytes) MPI_Abort(MPI_COMM_WORLD, ERROR_FAILED);
    for (uint64_t at = 0; at < size; at += PIECE)
        MPI_Recv(bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, BYTES,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!status && size) {
        status = ensemble_create(&part, s->source, whole, SIZE_MAX, e);
        if (!status) status = state_unpack(&ensemble_state, &part, bytes, size, name, e);
        if (!status) status = ensemble_merge(s, &part, name, e);
        ensemble_free(&part);
    }
    return status;
}

int exchange_gather(struct exchange *x, struct error *e)
{
    int status = 0;
    if (x->ranks->rank) status = send_state(x, e);
    else
        for (int r = 1; r < x->ranks->size; r++) status = receive_state(x, r, status, e);
    return ranks_agree(x->ranks, status, e);
}
