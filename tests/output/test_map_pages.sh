#!/bin/bash
# test_map_pages.sh — --map-size and --map-dpi of all commands that compute many runs: each of their maps has that page, and
# without these options the one that it needs; what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: show/map, show/paint
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
. tests/plans.sh
{ cat made/fit.cfg && printf '%s\n' 'evaluations 5' 'finalist_members 2'; } >made/calibration.cfg
{ cat made/fit.cfg && printf '%s\n' 'trajectories 2'; } >made/sensitivity.cfg

sizes() { # sizes FOLDER: of its maps
    local map
    for map in "$1"/map_*.png; do od -An -tu4 --endian=big -j 16 -N 8 "$map"; done | tr -s ' ' | sort -u
}
# paged COUNT COMMAND...: so many maps, each of that page
paged() {
    local maps=$1
    shift
    call "$@" --output paged --layers all --quiet --map-size 400x300
    check "$1: exit status 0" exits 0
    check "$1: its maps" [ "$(find paged -name 'map_*.png' | wc -l)" = "$maps" ]
    check "$1: ... are 400 x 300" [ "$(sizes paged)" = " 400 300" ]
    rm -rf paged
}
paged 3 ensemble made/plan.cfg --variant reference
paged 1 ensemble made/plan.cfg --variant reference --with-and-without barriers
paged 3 calibrate made/calibration.cfg --variant reference
paged 1 sensitivity made/sensitivity.cfg --variant reference --method morris
for i in 1 2; do "$sciara" ensemble made/plan.cfg --shard $i/2 --output "part$i" --quiet --variant reference; done
paged 3 merge part1 part2

call merge part1 part2 --output upright --quiet --map-size A5-portrait --map-dpi 60 --format pdf
check "A5, upright, 60 dpi" [ "$(sizes upright)" = " 350 496" ]
if command -v pdfinfo >/dev/null; then
    check "... the PDF, too" grep -q '^Page size: *419\.5[0-9]* x 595\.2' <(pdfinfo upright/map_probability.pdf)
else
    skip "the size of a PDF: pdfinfo is not installed (Debian: poppler-utils)"
fi
call merge part1 part2 --output plain --quiet
call merge part1 part2 --output coarse --quiet --map-dpi 100
about_half() { awk -v a="$1" -v b="$2" 'BEGIN { split(a, m, " "); split(b, n, " "); exit !(m[1] / n[1] > 0.45 && m[1] / n[1] < 0.55) }'; }
check "--map-dpi 100: about half as many pixels as with 200" about_half "$(sizes coarse)" "$(sizes plain)"

for option in '--map-size B7' '--map-size 10x10' '--map-dpi 5'; do
    # shellcheck disable=SC2086 # two words
    refused 2 "$option" "ensemble: ${option%% *}" ensemble made/plan.cfg --output never $option
done
refused 2 "too small" 'map size: 248.* x 174.* pixels; give 300' ensemble made/plan.cfg --output never --map-size A5 --map-dpi 30
refused 2 "a part" 'ensemble: --map-size: .*give --map-size to sciara merge' \
    ensemble made/plan.cfg --shard 1/2 --output never --map-size A5
refused 2 "a list" '--list and --map-dpi contradict' ensemble made/plan.cfg --list --map-dpi 100
check "... nothing is left" [ ! -e never ]
report
