#!/bin/bash
# test_null.sh — `sciara null`: finds the numbers with which an outline was made; one seed, one result; of cases and plans of
# all kinds; and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
. tests/check.sh
needs_sciara
export LC_ALL=C
cd "$work" || exit 1

"$sciara" terrain case --size 150 --quiet || exit 1
cp case/volcano.cfg case/fitted.cfg
echo 'outline ../made/probability.tif' >>case/fitted.cfg
plan() { # plan NAME LINE...
    { cat case/fitted.cfg && printf '%s\n' "${@:2}"; } >"case/$1.cfg"
}
plan members 'members 300' 'vary_rate_factor uniform 0.5 2' 'terrain_error_m 2' 'terrain_error_length_m 30' 'seed 5'
plan other 'members 300' 'vary_rate_factor uniform 0.5 2' 'terrain_error_m 2' 'terrain_error_length_m 30' 'seed 6'
plan few 'members 30' 'vary_rate_factor uniform 0.5 2'
plan search 'fit_Pcool 1.5 6' 'terrain_error_m 1' 'score jaccard'
number() { json "$2" "$1/summary.json"; }

call null case/volcano.cfg --length 700 --half-width 35 --output made
check "numbers that are given: exit status 0" exits 0
check "... they count" says '^paths +200 of steepest descent, 0.7 km long, half width 35 m, as given$'
check "... paths are that long" awk -F, 'NR > 1 && ($8 > 735 || $8 < 300) { exit 1 }' made/members.csv
check "... and as wide" awk -F, 'NR > 1 && ($7 > 70 * 700 + 3.2 * 35 ^ 2 + 7e3 || $7 < 70 * 300) { exit 1 }' made/members.csv
check "... no thickness, no arrival, no score" [ "$(echo made/*)" = \
    "made/map_probability.png made/members.csv made/null.state made/probability.tif made/probability_error.tif made/record.zip made/summary.json" ]

call null case/fitted.cfg --output found
check "an outline: exit status 0" exits 0
check "... in sample" says 'both fitted to the outline: in sample$'
check "... the numbers are found" [ "$(number found '.null | .length_m > 630 and .length_m < 770 and .half_width_m > 25 and .half_width_m < 45')" = true ]
check "... and the outline" [ "$(number found '.verification.best_jaccard | . > 0.85')" = true ]
check "... scores as of an ensemble" [ -s found/reliability.png -a -s found/overlap.csv ]
call null case/fitted.cfg --output again --quiet
check "... the same again" [ "$(digest again)" = "$(digest found)" ]

for kind in members few search; do
    call null case/$kind.cfg --output of_$kind --json
    check "$kind: exit status 0" exits 0
    check "... finds the outline" [ "$(number of_$kind '.verification.best_jaccard | . > 0.6')" = true ]
done
check "a plan of 300: 200 paths" [ "$(number of_members .members.done)" = 200 ]
check "a plan of 30: 30" [ "$(number of_few .members.done)" = 30 ]
call null case/other.cfg --output other --quiet
check "another seed, other paths" [ "$(column area_m2 other/members.csv)" != "$(column area_m2 of_members/members.csv)" ]

# next to the scores of a model
plan runs 'members 30' 'vary_rate_factor uniform 0.5 2'
sed -i '/^max_steps/d; $a max_steps 60' case/runs.cfg case/search.cfg
call ensemble case/runs.cfg --output runs --variant reference
check "an ensemble: exit status 0" exits 0
check "... the null model's scores" says '^null model +Brier skill 0\.[0-9]+, .* fitted to the outline$'
check "... as it has them" [ "$(number runs .null.brier)" = "$(number of_few .verification.brier)" ]
call calibrate case/search.cfg --evaluations 8 --output searched --variant reference
check "a calibration: exit status 0" exits 0
check "... the null model's scores" says '^null model +Brier skill 0\.[0-9]+, .* fitted to the outline$'
check "... as it has them" [ "$(number searched .null.best_jaccard)" = "$(number of_search .verification.best_jaccard)" ]

# persistence: initial lava, here of the first 20 steps
"$sciara" run case/volcano.cfg 20 --variant reference --output first --quiet --format geotiff
plan later "thickness ../$(echo first/total_thickness_m_000020.tif)"
call null case/later.cfg --output later --json
check "initial lava: exit status 0" exits 0
check "... persistence is scored" [ "$(number later '.persistence | .best_jaccard > 0 and .best_jaccard < 1 and .brier > 0')" = true ]
check "... only there" [ "$(number found .persistence)" = null ]

refused 2 "nothing to fit" 'volcano.cfg: has no outline .* add a line' null case/volcano.cfg --output never
refused 2 "one number" 'give both, or neither' null case/volcano.cfg --length 100 --output never
refused 2 "too wide" 'more than 1000 cells; give less' null case/volcano.cfg --length 100 --half-width 1e5 --output never
grep -v '^vents\|^rates' case/fitted.cfg >case/dry.cfg
refused 2 "no vents" 'dry.cfg' null case/dry.cfg --output never
check "nothing is left" [ ! -e never ]
report
