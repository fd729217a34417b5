#!/bin/bash
# test_interrupt.sh — Ctrl-C while `sciara run` reads and while it writes: it ends soon, with status 130, and leaves
# nothing half done. (What it does while steps are computed is in test_cli.sh.)
# Run from the root of the repository, with BUILD naming the build folder.
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
# finish SIGNAL: sends it, and checks how that ends
finish() {
    local begin code took # in hundredths of a second
    begin=$(date +%s%N)
    kill -"$1" "$child"
    wait "$child"
    code=$?
    took=$((($(date +%s%N) - begin) / 10000000))
    check "... ends with status 130" [ $code = 130 ]
    check "... soon" [ $took -lt 500 ]
    check "... says nothing" [ ! -s "$work/said" ]
}

# ---- reading: a DEM of text that takes seconds
"$sciara" terrain "$work/case" --size 32 --quiet || exit 1
row=$(printf '%6000s' '' | sed 's/ /7 /g')
{
    printf 'ncols 6000\nnrows 6000\nxllcorner 0\nyllcorner 0\ncellsize 10\n'
    yes "$row" | head -n 6000
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

# ---- writing
"$sciara" terrain "$work/large" --size 1500 --quiet || exit 1
writes() { [ -n "$(find "$work/out" -name '.sciara-*' -size +0 -print -quit)" ]; }
for signal in INT TERM; do
    rm -rf "$work/out"
    "$sciara" run "$work/large/volcano.cfg" 2 --output "$work/out" --variant reference --quiet \
        --format geotiff,png,original >"$work/said" 2>&1 &
    child=$!
    check "SIG$signal while writing: it writes" wait_until writes
    finish $signal
    check "... leaves no half file" [ -z "$(find "$work/out" -name '.sciara-*')" ]
    check "... and no summary" [ ! -e "$work/out/summary.json" ]
done
report
