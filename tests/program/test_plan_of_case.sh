#!/bin/bash
# test_plan_of_case.sh — `sciara plan`: prints a plan that every command accepts, with the lines of the case and what fits
# its inputs; and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
. tests/check.sh
needs_sciara
export LC_ALL=C
cd "$work" || exit 1

"$sciara" terrain made --size 40 --quiet || exit 1
sed -i '/^max_steps/d; $a max_steps 60' made/volcano.cfg
call plan made/volcano.cfg
check "a case: exit status 0" exits 0
cp "$work/stdout" made/plan.cfg
check "... its lines are there" [ "$(grep -cxFf made/volcano.cfg made/plan.cfg)" -ge "$(wc -l <made/volcano.cfg)" ]
check "... a line with what is uncertain, by the value of the case" says '^vary_Pcool +lognormal [0-9.]+ 1\.5$'
check "... vents to a cell" says '^vary_vent_east_m +normal 0 10$'
check "... made-up terrain is exact" says '^terrain_error_m +0$'
check "... with the meaning of a key" says '^# another seed draws other members$'
check "... no long lines" awk 'length > 128 { exit 1 }' made/plan.cfg
call info made/plan.cfg
check "info reads it" says '^members +200$'
sed -i 's/^members.*/members 3/' made/plan.cfg
call ensemble made/plan.cfg --output out --variant reference
check "an ensemble runs" exits 0
check "... only the terrain is exact" says '^known exactly terrain$'

awk 'BEGIN { print "ncols 20\nnrows 20\nxllcorner 500000\nyllcorner 4170000\ncellsize 30\nNODATA_value -9999"
             for (i = 0; i < 20; i++) { for (j = 0; j < 20; j++) printf "%.2f ", 1000 - 3.37 * i + 0.31 * j; print "" } }' >made/dem.asc
{
    printf '%s\n' 'dem dem.asc' 'crs EPSG:32633' 'thickness dem.asc' 'parameters etna-2006' 'max_steps 10'
} >made/lava.cfg
awk 'NR > 6 { for (i = 1; i <= NF; i++) $i = 2 } 1' made/dem.asc >made/lava.asc
sed -i 's/^thickness.*/thickness lava.asc/' made/lava.cfg
call plan made/lava.cfg
check "cells of 30 m, lava without vents: exit status 0" exits 0
check "... the error of such a DEM" says '^terrain_error +from_dem copernicus30$'
check "... no rates, no vents" fails grep -q 'rate_factor\|vent_east' "$work/stdout"
cp "$work/stdout" made/lava-plan.cfg
call info made/lava-plan.cfg
check "... info reads it" says '^  terrain_error_m +2\.43'

refused 2 "a plan" 'is a plan already; name a case' plan made/plan.cfg
refused 2 "no file" 'never.cfg' plan made/never.cfg
refused 2 "nothing" 'name a case file' plan
report
