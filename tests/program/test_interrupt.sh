#!/bin/bash
# test_interrupt.sh — Ctrl-C while `sciara run` reads and while it writes, and in commands that write but do not run:
# it ends soon, with status 130, and leaves nothing half done. (What it does while steps are computed is in test_cli.sh.)
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/commands
. tests/check.sh
needs_sciara
needs "no /proc to see what a program is doing" [ -r /proc/self/status ]
each=yes
export OMP_NUM_THREADS=1

# Whether it is no longer the shell that starts it, and has begun to catch SIGTERM, the second of the two
listens() {
    [ "$(readlink "/proc/$child/exe")" = "$sciara" ] &&
        [ $((16#$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$child/status") & 0x4000)) != 0 ]
}
# ticks PROCESS FIELD: of its times in this field and the next; 16: of its children that have ended
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk -v at=$(($2 - 2)) '{ print $at + $(at + 1) }'; }
# finish SIGNAL: sends it, and checks how that ends
finish() {
    local begin=$SECONDS code before took # of processor time, as the machine may be busy, in hundredths of a second
    before=$(($(ticks $$ 16) + $(ticks "$child" 14)))
    kill -"$1" "$child"
    wait "$child"
    code=$?
    took=$(($(ticks $$ 16) - before))
    check "... ends with status 130" [ $code = 130 ]
    check "... soon" [ $took -lt 500 -a $((SECONDS - begin)) -lt 60 ]
    check "... says nothing" [ ! -s "$work/said" ]
}

# ---- reading: a DEM of text that takes seconds, also where the signal comes late
"$sciara" terrain "$work/case" --size 32 --quiet || exit 1
row=$(printf '%3000s' '' | sed 's/ /7 /g')
{
    printf 'ncols 3000\nnrows 12000\nxllcorner 0\nyllcorner 0\ncellsize 10\n'
    yes "$row" | head -n 12000
} >"$work/case/dem.asc"
sed -i 's/^dem .*/dem dem.asc/; /^crs/d' "$work/case/volcano.cfg"
for signal in INT TERM; do
    "$sciara" run "$work/case/volcano.cfg" 10 --output "$work/none" --quiet >"$work/said" 2>&1 &
    child=$!
    check "SIG$signal while reading: it listens" wait_until listens
    finish $signal
    check "... leaves nothing" [ ! -e "$work/none" ]
done
rm "$work/case/dem.asc"
"$sciara" terrain "$work/small" --size 32 --quiet --name small || exit 1

# ---- writing
"$sciara" terrain "$work/large" --size 1500 --quiet || exit 1
computes() { [ -e "$work/out" ] && [ "$(ps -o etimes= -p "$child")" -ge 1 ]; }
writes() { [ -n "$(find "$work/out" -name '.sciara-*' -size +0 -print -quit)" ]; }
for signal in INT TERM HUP; do
    rm -rf "$work/out"
    "$sciara" run "$work/large/volcano.cfg" 2 --layers all --output "$work/out" --variant reference --quiet \
        --format geotiff,png,original >"$work/said" 2>&1 &
    child=$!
    check "SIG$signal while writing: it writes" wait_until writes
    finish $signal
    check "... leaves no half file" [ -z "$(find "$work/out" -name '.sciara-*')" ]
    check "... and no summary" [ ! -e "$work/out/summary.json" ]
done

rm -rf "$work/out"
"$sciara" run "$work/large/volcano.cfg" 2 --layers all --output "$work/out" --variant reference --format geotiff,png,original \
    >"$work/said" 2>&1 &
child=$!
check "without --quiet: it writes" wait_until writes
kill -INT "$child"
wait "$child"
check "... says in one line what is missing" grep -q '^sciara: warning: interrupted .* summary.json and others are missing' "$work/said"

# ---- two at once, while it computes: the first ends the steps, the second the writing of what they left
rm -rf "$work/out"
"$sciara" run "$work/large/volcano.cfg" 2000000000 --layers all --output "$work/out" --variant reference --quiet --format geotiff --extent full \
    >"$work/said" 2>&1 &
child=$!
check "twice: it computes" wait_until computes
kill -TERM "$child" && sleep 0.02 && kill -TERM "$child"
wait "$child"
check "... ends with status 130" [ $? = 130 ]
check "... without what was computed" [ ! -e "$work/out/summary.json" ]

# ---- a file that lets one wait, as on a disk that does not answer: whoever opens slow* waits for ever
cat >"$work/slow.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void may_wait(const char *path, int flags)
{
    if (!strstr(path, "slow") || flags & (O_NONBLOCK | O_DIRECTORY)) return;
    close(creat(getenv("HUNG"), 0600));
    for (;;) pause();
}
#define OPEN(NAME, FIRST, FIRST_GIVEN)                                                                                 \
    int NAME(FIRST const char *path, int flags, ...)                                                                   \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;                                        \
        va_end(more);                                                                                                  \
        may_wait(path, flags);                                                                                         \
        int (*real)(FIRST const char *, int, ...) = dlsym(RTLD_NEXT, #NAME);                                           \
        return real(FIRST_GIVEN path, flags, mode);                                                                    \
    }
#define NONE
#define AT int folder,
#define AT_GIVEN folder,
OPEN(open, NONE, NONE)
OPEN(open64, NONE, NONE)
OPEN(openat, AT, AT_GIVEN)
OPEN(openat64, AT, AT_GIVEN)
FILE *fopen64(const char *path, const char *mode)
{
    may_wait(path, 0);
    FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
    return real(path, mode);
}
END
# waits WHAT ARGUMENTS...: it waits for such a file, and SIGTERM ends it within a second
waits() {
    local what=$1 i
    shift
    rm -f "$work/hung"
    HUNG=$work/hung LD_PRELOAD=$work/slow.so "$sciara" "$@" >"$work/said" 2>&1 &
    child=$!
    check "$what: it waits" wait_until [ -e "$work/hung" ]
    kill -TERM "$child" 2>/dev/null
    for ((i = 0; i < 100; i++)); do
        grep -qs '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" || break
        pause 0.01
    done
    kill -KILL "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    code=$?
    check "... SIGTERM ends it within a second" [ $code = 130 -o $code = 143 ]
}
if ${CC:-cc} -shared -fPIC -o "$work/slow.so" "$work/slow.c" -ldl 2>"$work/said"; then
    (
        cd "$work" || exit 1
        sed 's/^max_steps .*/max_steps 60/' small/small.cfg >small/short.cfg
        "$sciara" run small/short.cfg --output short --quiet --state --variant reference --format geotiff
        { cat small/short.cfg && printf '%s\n' 'members 3' 'vary_Pcool uniform 2 4' 'keep yes'; } >small/plan.cfg
        "$sciara" ensemble small/plan.cfg --output kept --layers all --quiet --map-size 300x300 --map-dpi 72
        cp small/terrain.tif small/slow.tif
        cp short/total_thickness_m_*.tif slow_layer.tif
        cp short/state_*.tif slow_state.tif
        cp kept/library.gpkg slow.gpkg
        cp -r short slow_run
        for name in short plan; do sed 's/^dem .*/dem slow.tif/' small/$name.cfg >small/late_$name.cfg; done
        { cat small/late_short.cfg && printf '%s\n' 'fit_Pcool 1 5' 'outline ../short/total_thickness_m_000060.tif'; } >small/fit.cfg
        { cat small/short.cfg && echo 'outline ../slow_layer.tif'; } >small/late_outline.cfg
        { cat small/plan.cfg && echo 'observed_front ../slow_layer.tif at 1h error_m 20'; } >small/now.cfg
    ) || exit 1
    cd "$work" || exit 1
    waits "info" info small/late_short.cfg
    waits "run" run small/late_short.cfg --no-output
    waits "run, outline" run small/late_outline.cfg --output none --quiet
    waits "run, state" run small/short.cfg 80 --from slow_state.tif --no-output
    waits "run, member" run small/late_plan.cfg --member 1 --no-output
    waits "benchmark" benchmark small/late_short.cfg --variants reference --output none
    for command in ensemble null; do waits "$command" $command small/late_plan.cfg --output none; done
    for command in calibrate sensitivity; do waits "$command" $command small/fit.cfg --output none; done
    waits "fit" fit short slow_layer.tif --no-map
    waits "fit, layer" fit slow_layer.tif short/total_thickness_m_000060.tif --no-map
    waits "compare" compare short slow_run
    waits "report" report slow_run
    waits "ask" ask slow.gpkg --output none
    waits "merge" merge slow.gpkg --plan small/plan.cfg --output none
    mkdir watched && cp slow_layer.tif watched && echo 'observed_front slow_layer.tif at 1h error_m 20' >watched/a.obs
    waits "nowcast" nowcast small/now.cfg --library kept/library.gpkg --output none
    waits "nowcast --watch" nowcast small/plan.cfg --library kept/library.gpkg --watch watched
    cd "$root" || exit 1
else
    skip "files that let one wait: $(head -n 1 "$work/said")"
fi

# ---- a page: idle, with streams whose browser reads or does not read, and while it writes
cat >"$work/browser.py" <<'END'
# browser.py ADDRESS REQUEST BODY [stay]: asks, tells when the answer has begun, and reads it to its end, or stays
import http.client, json, sys, time, urllib.parse
a = urllib.parse.urlsplit(sys.argv[1])
c = http.client.HTTPConnection(a.netloc)
head = {"Sciara-Key": a.query.split("=")[1], "Content-Type": "application/json"}
c.request("POST" if sys.argv[3] else "GET", sys.argv[2], sys.argv[3] or None, head)
r = c.getresponse()
print(r.status, r.read(4), flush=True)
while sys.argv[4:] or r.read(65536):
    time.sleep(0.01)
END
# served SIGNAL FILE WHAT [REQUEST BODY [stay]]: the signal ends it within a second, and nothing is half written
served() {
    local browser='' i
    rm -f "$work/address" "$work/began"
    rm -f "$work/address" # (of the one before)
    "$sciara" serve "$2" --no-open --output "$work/pages" >"$work/address" 2>"$work/said" &
    child=$!
    wait_until has_address "$work/address"
    if [ $# -gt 3 ]; then
        python3 "$work/browser.py" "$(grep -o 'http://[^ ]*' "$work/address")" "${@:4}" >"$work/began" 2>/dev/null &
        browser=$!
        check "$3: it answers" wait_until grep -q '^200' "$work/began"
    fi
    kill -"$1" $child
    for ((i = 0; i < 100; i++)); do
        grep -qs '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" || break
        pause 0.01
    done
    kill -KILL $child 2>/dev/null
    wait $child
    check "... SIG$1 ends it within a second" [ $? = 0 ]
    [ -z "$browser" ] || { kill $browser && wait $browser; } 2>/dev/null
    check "... and nothing is half written" [ -z "$(find "$work/pages" -name '.sciara-*' 2>/dev/null)" ]
}
if "$sciara" serve --help >/dev/null && [ -e "$work/kept/library.gpkg" ]; then
    sed 's/^max_steps .*/max_steps 100000000/' "$work/small/small.cfg" >"$work/small/endless.cfg"
    for signal in INT TERM HUP; do served $signal "$work/small/small.cfg" "a page"; done
    served TERM "$work/small/endless.cfg" "a run that is read" /api/run '{}'
    served TERM "$work/small/endless.cfg" "a run that nobody reads" /api/run '{}' stay
    served TERM "$work/small/small.cfg" "an ensemble" /api/ensemble '{"drawing": {"hours": 2000}, "members": 10000}'
    served TERM "$work/small/small.cfg" "an ensemble that nobody reads" /api/ensemble '{"drawing": {}, "members": 10000}' stay
    served TERM "$work/kept/library.gpkg" "a question" /api/ask '{}'
    served TERM "$work/small/small.cfg" "a case that is saved" /api/save '{"drawing": {"title": "new"}, "name": "new"}'
    call info "$work/pages/new/new.cfg"
    check "... which is whole" exits 0
else
    skip "a page: sciara is built without libmicrohttpd"
fi

# ---- a study that writes: at chosen names that it gives to files
if ! grep -q __asan_init "$sciara" && [ -e "$work/kept/library.gpkg" ] && cc -shared -fPIC -O1 -o "$work/kill.so" tests/kill_at.c -ldl 2>"$work/said"; then
    # is_true FOLDER: what its list names is there, as the list says; is_listed FOLDER LEAST: that are all pictures, at least so many
    is_true() {
        local name crc
        [ ! -e "$1/shown.json" ] || json '.files[] | .name + " " + .crc32' "$1/shown.json" >"$work/list" || return
        [ -e "$1/shown.json" ] || return 0
        while read -r name crc; do
            [ "$crc" = "$(gzip -c "$1/$name" | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')" ] || return
        done <"$work/list"
    }
    is_listed() {
        local names
        names=$(cd "$1" && ls | grep -E '\.(png|svg)$' | LC_ALL=C sort)
        is_true "$1" && [ "$(wc -w <<<"$names")" -ge "$2" ] && [ "$names" = "$(json '.files[].name' "$1/shown.json")" ]
    }
    killed_at() { # killed_at SIGNAL NAME COMMAND...: before the file of that name gets it
        (KILL_IN=$2 KILL_AT=1 KILL_BY=$1 LD_PRELOAD=$work/kill.so "$sciara" "${@:3}" >"$work/said" 2>&1; exit $?)
        code=$?
    }
    killed_at 2 map_000060.svg run "$work/small/small.cfg" 60 --output "$work/painting" --quiet --format png,svg --layers all --map-size 300x300 --map-dpi 72
    check "Ctrl-C while a run paints: status 130, or 0 at its end" [ $code = 130 -o $code = 0 ]
    check "... lists nothing else than it painted" is_true "$work/painting"
    check "... has no part of a record" eval '[ $code = 130 -a ! -e "$work/painting/record.zip" ] || unzip -tq "$work/painting/record.zip"'
    call run "$work/small/small.cfg" 60 --output "$work/painting" --quiet --format png --layers all --map-size 300x300 --map-dpi 72
    check "... the next run replaces it" [ "$(cd "$work/painting" && echo *.png *.svg)" = 'map_000060.png map_arrival_000060.png timeline.png *.svg' ]
    for signal in 2 9; do
        cp -r "$work/painting" "$work/again"
        killed_at $signal map_arrival_000060.png show "$work/again" --format png,svg --map-size 310x300
        check "signal $signal while painting again: ends it" [ $code = $((signal == 2 ? 130 : 137)) ]
        check "... record and summary stay" cmp <(cd "$work/again" && cat record.zip summary.json) <(cd "$work/painting" && cat record.zip summary.json)
        check "... lists nothing else than it painted" is_true "$work/again"
        [ $signal = 9 ] || check "... which is all that is there" is_listed "$work/again" 3
        call show "$work/again" --format png,svg
        check "... it can be painted again" is_listed "$work/again" 6
        rm -r "$work/again"
    done
    writes_many() { "$sciara" "${@:2}" --output "$work/$1" --layers all --quiet --map-size 300x300 --map-dpi 72; }
    for at in 9 20; do # among the layers; among pictures, or after all of them
        for command in "ensemble $work/small/plan.cfg --resume" "ask $work/kept/library.gpkg"; do
            # shellcheck disable=SC2086 # words
            (KILL_IN=$work/many/ KILL_AT=$at KILL_BY=15 LD_PRELOAD=$work/kill.so writes_many many $command >"$work/said" 2>&1; exit $?)
            check "SIGTERM in ${command%% *} before file $at: status 130" [ $? = 130 ]
            check "... says nothing" [ ! -s "$work/said" ]
            [ $at = 20 ] || check "... begins no picture" [ -z "$(find "$work/many" -name '*.png')" ]
            check "... lists nothing else than it painted" is_true "$work/many"
            check "... and leaves nothing half written" [ -z "$(find "$work/many" -name '.sciara-*')" ]
            # shellcheck disable=SC2086
            check "... the same command goes on" writes_many many $command
            check "... to the same end" [ "$(digest "$work/many")" = "$(digest "$work/kept")" ]
            rm -r "$work/many"
        done
    done
    (KILL_IN=$work/many/ KILL_AT=9 KILL_BY=15 LD_PRELOAD=$work/kill.so "$sciara" ensemble "$work/small/plan.cfg" \
        --output "$work/many" >"$work/said" 2>&1; exit $?)
    check "without --quiet it says in one line how to go on" grep -q \
        '^sciara: warning: interrupted .* some are missing; continue with sciara ensemble .*many --resume$' "$work/said"
else
    skip "a study that writes: no library that interrupts"
fi

# ---- commands that only write
held() { find "$1" -name '.sciara-*' 2>/dev/null; }
begun() { [ -n "$(find "$work/made" -name '.sciara-*' -size +0 -print -quit)" ]; }
for signal in INT TERM HUP; do
    rm -rf "$work/made"
    "$sciara" terrain "$work/made" --size 4000 >"$work/said" 2>&1 &
    child=$!
    check "SIG$signal in terrain: it writes" wait_until begun
    finish $signal
    check "... leaves no half file" [ -z "$(find "$work/made" -name '.sciara-*')" ]
    check "... and no case file" [ ! -e "$work/made/volcano.cfg" ]
done

# These write for a moment only: at whatever moment the signal comes, nothing is half written.
"$sciara" run "$work/small/small.cfg" 60 --output "$work/run" --quiet --variant reference || exit 1
printf '{"type":"Polygon","coordinates":[[[500000,4170000],[500400,4170000],[500400,4170400],[500000,4170000]]]}' \
    >"$work/outline.json"
swept() { # swept WHAT FOLDER COMMAND...: killed after 0, 50, ... 300 ms, or every 20 ms if THOROUGH is set; on a busy machine
    # after longer and longer times, until it ends before it is killed
    local what=$1 folder=$2 ms ended=0
    shift 2
    for ((ms = 0; ms <= 300 || (ended == 0 && ms < 60000); ms += ms > 300 ? ms : ${THOROUGH:+-30} + 50)); do
        "$@" >/dev/null 2>&1 &
        child=$!
        pause "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
        kill -INT "$child" 2>/dev/null || ended=$((ended + 1))
        wait "$child"
        [ -z "$(held "$folder")" ] || return 1
    done
    check "$what ends by itself, too" [ $ended -gt 0 ]
}
check "$sciara fit leaves no temporary file" swept fit "$work/run" "$sciara" fit "$work/run" "$work/outline.json"
check "benchmark leaves none" swept benchmark "$work/bench" \
    "$sciara" benchmark "$work/small/small.cfg" 60 --variants reference --threads 1 --repeat 1 --output "$work/bench"
report
