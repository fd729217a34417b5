#!/bin/bash
# test_changed_input.sh — a terrain of more than 2^20 cells is read where lava comes near, long after the run began: a file
# that is replaced, written anew or removed meanwhile ends the run with all that it has, never with parts of two terrains.
# And states of such a run fit their case, whatever had been read of later surveys.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/case
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=2 LC_ALL=C
cd "$work" || exit 1
"$sciara" terrain made --kind valley --size 1100 --quiet
"$sciara" terrain other --kind pyramid --size 1100 --quiet
run() { call run made/valley.cfg "$@" --variant reference --format geotiff --every 40 --quiet; }

# ---- while a run goes on
# The run is stopped when its first files are there. Then it has made at most 120 steps, since it waits for the files of
# step 80; and lava, which goes a cell a step, needs terrain beyond the first window, 256 cells around the vent, after 128.
# meanwhile FOLDER STEPS COMMAND...: the command, then the rest of the run
meanwhile() {
    local folder=$1 steps=$2
    shift 2
    "$sciara" run made/valley.cfg "$steps" --variant reference --format geotiff --every 40 --quiet --state --output "$folder" \
        >stdout 2>stderr &
    child=$!
    wait_until [ -e "$folder/total_thickness_m_000040.tif" ]
    halt
    check "$folder: it has not gone far" [ ! -e "$folder/total_thickness_m_000160.tif" ]
    "$@"
    kill -CONT $child
    wait $child
    code=$?
}
last_state() { find "$1" -name "state_*.tif" -printf "%f\n" | sort | tail -n 1 | tr -dc 0-9; }
# kept WHAT FOLDER PATTERN: it has ended as it has to
kept() {
    local step
    step=$(last_state "$2")
    check "$1: exit status 1" exits 1
    check "$1: one line" one_line
    check "$1: says why, and where the rest is" complains \
        "made/terrain.tif: $3; the layers and the state of step $((10#$step)) are in $2\$"
    check "... which is far" [ "$((10#$step))" -ge 100 ]
    check "... they are" [ -e "$2/total_thickness_m_$step.tif" ]
}
run 340 --output whole --state
check "an undisturbed run" exits 0
cp other/terrain.tif made/next.tif
replace() { mv made/terrain.tif made/kept.tif && mv made/next.tif made/terrain.tif; }
restore() { mv made/kept.tif made/terrain.tif; }
meanwhile replaced 340 replace
kept "another file in its place" replaced 'has changed since the run began'
restore
run 340 --output replaced --resume
check "... with the file put back --resume goes on" exits 0
check "... to the same end" [ "$(digest replaced)" = "$(digest whole)" ]
meanwhile gone 340 mv made/terrain.tif made/kept.tif
kept "no file" gone 'is gone since the run began: No such file or directory'
restore
meanwhile unread 120 mv made/terrain.tif made/kept.tif
check "a file that is needed no more may go" exits 0
restore
run 120 --output short
check "... the end is the same" [ "$(digest unread)" = "$(digest short)" ]
cp made/terrain.tif kept.tif
meanwhile written 340 cp other/terrain.tif made/terrain.tif
kept "other bytes in the file" written 'has changed since the run began'
cp kept.tif made/terrain.tif

# ---- vector files, which a run reads at its beginning, and outline and places again at its end
"$sciara" terrain small --size 48 --quiet
square() { echo "{\"type\":\"Polygon\",\"properties\":{\"barrier\":\"b\",\"height_m\":2},\"coordinates\":[[[500050,4170050],[500$1,4170050],[500$1,4170$1],[500050,4170050]]]}"; }
for file in outline places; do square 300 >small/$file.json; done
echo '{"type":"Feature","properties":{"barrier":"b","height_m":2},"geometry":{"type":"LineString","coordinates":[[500050,4170050],[500090,4170050]]}}' >small/walls.json
sed 's/^max_steps .*/max_steps 400/' small/volcano.cfg >small/vectors.cfg
printf '%s\n' 'outline outline.json' 'assets places.json' 'barriers walls.json' >>small/vectors.cfg
{ sed '/^max_steps/d' small/vectors.cfg && printf '%s\n' 'run_h 2' 'members 40' 'terrain_error_m 0.5'; } >small/plan.cfg
cat >changer.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
/* Changes files once, when the first folder is made: the input has been read then. */
int mkdir(const char *path, mode_t mode)
{
    static int done;
    int (*next)(const char *, mode_t) = (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
    char command[256] = "";
    if (!done++) strcat(strcat(command, getenv("CHANGE")), " </dev/null");
    unsetenv("LD_PRELOAD");
    if (*command && system(command)) abort();
    return next(path, mode);
}
END
if ! grep -q __asan_init "$sciara" && cc -shared -fPIC -o changer.so changer.c -ldl 2>cc.log; then
    cp -r small before
    changed() { # changed FILE COMMAND...: it changes to another of its kind while the command computes
        rm -rf out small && cp -rp before small
        case $1 in
        *.json) square 150 >small/next ;;
        vents.csv) { cat small/vents.csv && echo; } >small/next ;;
        *) echo >small/next ;;
        esac
        keep env LD_PRELOAD="$PWD/changer.so" CHANGE="mv small/next small/$1" "$sciara" "${@:2}" --variant reference --quiet --map-size 300x300 --map-dpi 72 --output out
    }
    warned() { json '[.warnings[].text | select(test("has changed since the run began; results are from its earlier content"))] | length' out/summary.json; }
    call run small/vectors.cfg --variant reference --quiet --map-size 300x300 --map-dpi 72 --output steady
    for file in outline.json places.json walls.json vents.csv; do
        changed $file run small/vectors.cfg
        check "$file changes while a run computes: it ends well" exits 0
        check "... and warns" [ "$(warned)" = 1 ]
        check "... with the result of what was read" [ "$(digest out)" = "$(digest steady)" ]
        [ $file = walls.json ] || [ $file = vents.csv ] ||
            check "... and the page does not show another" grep -q 'could not be read, so' out/report.html
    done
    for file in outline.json places.json walls.json; do
        changed $file ensemble small/plan.cfg
        check "$file changes while an ensemble computes: it warns" [ "$code $(warned)" = "0 1" ]
    done
    changed nothing run small/vectors.cfg
    check "nothing changes: no warning" [ "$code $(warned)" = "0 0" ]
else
    skip "vector files: no library that changes them"
fi

# ---- states of a run with later surveys
cp made/valley.cfg made/updated.cfg
echo 'terrain_update 1h ../other/terrain.tif without_lava' >>made/updated.cfg
update() { call run made/updated.cfg "$@" --variant reference --format geotiff --quiet; }
update 60 --output all
check "a run with a survey at step 30" exits 0
check "... which changed the terrain" [ "$(entry ground_lowered all)" != 0 ]
for step in 20 45; do
    rm -rf part
    update $step --output part --state
    update 60 --output part --resume
    check "a state of step $step: --resume" exits 0
    check "... to the same end" [ "$(digest part)" = "$(digest all)" ]
done
report
