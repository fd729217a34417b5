#!/bin/bash
# The reference of docs/benchmarks.md, studies/lubrication.c, against closed forms, and the tables of the page against the
# committed results.
# tests: none
. tests/check.sh
needs 'no python3' python3 --version
film=$work/lubrication
${CC:-gcc} -O3 studies/lubrication.c -lm -o "$film" || exit 1

# near COLUMN VALUE PERCENT: the last line that the film has printed
near() { awk -v c="$1" -v v="$2" -v p="$3" 'END { d = 100 * ($c / v - 1); exit !(NR && d < p && d > -p) }' "$work/film"; }
# grows COLUMN EXPONENT BY: between the first line and the last
grows() { awk -v c="$1" -v e="$2" -v by="$3" 'NR == 1 { t = $1; x = $c } END { d = log($c / x) / log($1 / t) - e; exit !(NR > 1 && d < by && d > -by) }' "$work/film"; }

# Dam break, late: x = 1.411 (g A^3 t / 3 nu)^(1/5), h = A / (0.8413 x), A = 6.6 m2
"$film" 0.1 1 200 0 0 3.7037037 0 0 66 1 - - 300 550 >"$work/film" 2>"$work/steps"
check 'dam break: the front of the closed form' near 2 15.08 3
check '... and its thickness at the wall' near 5 0.520 3
check '... and no lava is lost' near 6 0.66 0.0001
check '... which spreads with t^(1/5)' grows 2 0.2 0.02
# A source on level ground: r = 0.715 (g Q^3 / 3 nu)^(1/8) t^(1/2)
"$film" 0.001 75 75 37 37 3.56e-3 0 2.2e-8 0 0 - - 40 156 >"$work/film" 2>"$work/steps"
check 'a source: the radius of the closed form' near 2 0.0282 6
check '... in all directions' [ "$(awk 'END { print $2 == $3 && $3 == $4 }' "$work/film")" = 1 ]
check '... with t^(1/2)' grows 2 0.5 0.04
check '... of the volume that came out' near 6 3.432e-6 0.0001
# A wall across the plane holds what comes down: but for its two ends nothing is beyond
"$film" 0.01 41 60 20 10 1.13e-3 2.5 1.48e-6 0 0 0.1,0.12,0.001 - 60 >"$work/film" 2>"$work/steps"
check 'a source above a wedge' near 6 8.88e-5 0.0001
# A lake that radiates: T = T0 / (1 + 3 epsilon sigma T0^3 t / (rho c h))^(1/3); and by convection T - Ta = (T0 - Ta) exp(-t k / (rho c h))
"$film" 1 1 10 0 0 1e6 0 0 10 1 - 1400,0,0.9,0,3e6 1e5 2e5 >"$work/film" 2>"$work/steps"
check 'a lake that radiates has the temperature of the closed form' near 7 455.64 0.1
"$film" 1 1 10 0 0 1e6 0 0 10 1 - 1400,400,0,30,3e6 1e5 >"$work/film" 2>"$work/steps"
check '... as one in wind' near 7 767.88 0.1
# Fed at 1,400 K into surroundings of 1,400 K nothing cools, and without a loss nothing mixes away
"$film" 0.001 31 31 15 15 3.56e-3 0 2.2e-8 0 0 - 1400,1400,0.9,10,1e6 20 >"$work/film" 2>"$work/steps"
check '... and lava that spreads keeps its heat where nothing is lost' near 7 1400 0.0001

check 'the tables of docs/benchmarks.md again' studies/benchmarks --page "$work/benchmarks.md"
check '... are the same' cmp docs/benchmarks.md "$work/benchmarks.md"
check '... and have all benchmarks' [ "$(grep -cE '^\| BM(1|2|3|-B|-D) \| [XYT] \|' docs/benchmarks.md)" = 10 ]
report
