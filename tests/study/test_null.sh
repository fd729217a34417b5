#!/bin/bash
# test_null.sh — `sciara null`: finds the numbers with which an outline was made; one seed, one result; of cases and plans of
# all kinds; and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/null
. tests/check.sh
needs_sciara
export LC_ALL=C OMP_NUM_THREADS=1
small=(--map-size 300x300 --map-dpi 72)
cd "$work" || exit 1

"$sciara" terrain case --size 100 --quiet || exit 1
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

call null case/volcano.cfg "${small[@]}" --length 450 --half-width 35 --output made --layers all
check "numbers that are given: exit status 0" exits 0
check "... they count" says '^paths +1000 of steepest descent, 0.45 km long, half width 35 m, as given$'
check "... paths are that long" awk -F, 'NR > 1 && ($8 > 475 || $8 < 250) { exit 1 }' made/members.csv
check "... and as wide" awk -F, 'NR > 1 && ($7 > 70 * 450 + 3.2 * 35 ^ 2 + 7e3 || $7 < 70 * 250) { exit 1 }' made/members.csv
check "... no thickness, no arrival, no score" [ "$(echo made/*)" = \
    "made/map_probability.png made/members.csv made/null.state made/probability.tif made/probability_error.tif made/record.zip made/shown.json made/summary.json" ]

refused 2 "a report of its folder" 'made: a study of this kind \(null\) has no report; name the folder of a run' report made
call null case/fitted.cfg "${small[@]}" --output found --layers all
check "an outline: exit status 0" exits 0
check "... in sample" says 'both fitted to the outline: in sample$'
grep -v '^outline' case/fitted.cfg >case/sure.cfg
printf '%s\n' 'terrain_error_m 0.01' 'terrain_error_length_m 30' 'members 20' >>case/sure.cfg
call null case/sure.cfg "${small[@]}" --length 450 --half-width 35 --output one --quiet
echo 'outline ../one/probability.tif' >>case/sure.cfg
call null case/sure.cfg "${small[@]}" --output sure
check "... numbers are found of an outline of paths that agree" [ "$(number sure '.null | .length_m > 405 and .length_m < 495 and .half_width_m > 25 and .half_width_m < 45')" = true ]
check "... and the outline" [ "$(number sure '.verification.best_jaccard | . > 0.85')" = true ]
check "... scores as of an ensemble" [ -s found/reliability.png -a -s found/overlap.csv ]
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara served=''; fi # (what follows looks at numbers alone)
# by the score that it is judged by: no neighbour of the grid (41 lengths, 16 half widths) has a better one
length=$(number found .null.length_m) half=$(number found .null.half_width_m)
call null case/fitted.cfg "${small[@]}" --length "$length" --half-width "$half" --output given --quiet
check "... the same as given numbers" [ "$(number found .verification.log_score)" = "$(number given .verification.log_score)" ]
for at in "0.93 1" "1.07 1" "1 0.8" "1 1.2"; do
    read -r more_length more_half <<<"$at"
    call null case/fitted.cfg "${small[@]}" --length "$(awk "BEGIN { print $length * $more_length }")" --half-width "$(awk "BEGIN { print $half * $more_half }")" \
        --output near --quiet
    check "... better than $at times these" [ "$(json ".verification.log_score > $(number found .verification.log_score)" near/summary.json)" = true ]
    rm -r near
done
"$sciara" fit found made/probability.tif --json >fit.json
check "... the spread of draws is in its errors" \
    [ "$(json ".verification.brier_skill_error < $(number found .verification.brier_skill_error)" fit.json)" = true ]
call null case/fitted.cfg "${small[@]}" --output again --quiet
check "... the same again" [ "$(digest again)" = "$(digest found)" ]

for kind in members few search; do
    call null case/$kind.cfg "${small[@]}" --output of_$kind --layers members --json
    check "$kind: exit status 0" exits 0
    check "... finds the outline" [ "$(number of_$kind '.verification.best_jaccard | . > 0.6')" = true ]
done
check "a plan of 300: each three times" [ "$(number of_members .members.done)" = 900 ]
check "a plan of 30: each 33 times" [ "$(number of_few .members.done)" = 990 ]
plan single 'members 1' 'terrain_error_m 2' 'terrain_error_length_m 30'
call null case/single.cfg "${small[@]}" --length 450 --half-width 35 --output single --layers members --quiet
check "a plan of one: each time over other terrain" [ "$(paste <(column area_m2 single/members.csv) <(column runout_m single/members.csv) | sort -u | wc -l)" -gt 200 ]
call null case/other.cfg "${small[@]}" --output other --layers members --quiet
check "another seed, other paths" [ "$(column area_m2 other/members.csv)" != "$(column area_m2 of_members/members.csv)" ]

# next to the scores of a model
plan runs 'members 30' 'vary_rate_factor uniform 0.5 2'
sed -i '/^max_steps/d; $a max_steps 60' case/runs.cfg case/search.cfg
call ensemble case/runs.cfg "${small[@]}" --output runs --variant reference
check "an ensemble: exit status 0" exits 0
check "... the null model's scores" says '^null model +Brier skill 0\.[0-9]+ .*log score'
check "... in sample" says '^ +paths of .* fitted to the outline: in sample$'
check "... as it has them" [ "$(number runs .null.brier)" = "$(number of_few .verification.brier)" ]
call calibrate case/search.cfg --evaluations 8 "${small[@]}" --output searched --variant reference
check "a calibration: exit status 0" exits 0
check "... the null model's scores" says '^ +paths of .* fitted to the outline: in sample$'
check "... as it has them" [ "$(number searched .null.best_jaccard)" = "$(number of_search .verification.best_jaccard)" ]

# carried over from another eruption: the numbers that were fitted there, out of sample
plan carried 'members 30' 'vary_rate_factor uniform 0.5 2' 'null_from ../of_search'
call null case/carried.cfg "${small[@]}" --output carried
check "numbers of another eruption: exit status 0" exits 0
check "... are said" says '^ +paths of .* as fitted to another eruption$'
call null case/few.cfg "${small[@]}" --length "$(number of_search .null.length_m)" --half-width "$(number of_search .null.half_width_m)" --output by_hand --quiet
check "... differ from its own" [ "$(number carried '.null | .carried.half_width_m == .half_width_m and .carried.length_m == .length_m')" = false ]
check "... as if they were given" [ "$(number carried .null.carried.log_score)" = "$(number by_hand .verification.log_score)" ]
sed -i '/^max_steps/d; $a max_steps 60\nkeep yes' case/carried.cfg
call ensemble case/carried.cfg "${small[@]}" --output kept --variant reference
check "an ensemble: both" [ "$(number kept '[.null.log_score, .null.carried.log_score] | @csv')" = \
    "$(number carried '[.verification.log_score, .null.carried.log_score] | @csv')" ]
call ask kept/library.gpkg "${small[@]}" --output asked
check "a question: both" [ "$(number asked '[.null.log_score, .null.carried.log_score] | @csv')" = \
    "$(number carried '[.verification.log_score, .null.carried.log_score] | @csv')" ]

# persistence: initial lava, here of the first 20 steps
"$sciara" run case/volcano.cfg 20 --variant reference --output first --quiet --format geotiff
plan later "thickness ../$(echo first/total_thickness_m_000020.tif)"
call null case/later.cfg "${small[@]}" --output later --json
check "initial lava: exit status 0" exits 0
check "... persistence is scored" [ "$(number later '.persistence | .best_jaccard > 0 and .best_jaccard < 1 and .brier > 0')" = true ]
check "... only there" [ "$(number found .persistence)" = null ]

refused 2 "nothing to fit" 'volcano.cfg: has no outline .* add a line' null case/volcano.cfg --output never
refused 2 "one number" 'give both, or neither' null case/volcano.cfg --length 100 --output never
refused 2 "too wide" 'more than 1000 cells; give less' null case/volcano.cfg --length 100 --half-width 1e5 --output never
grep -v '^vents\|^rates' case/fitted.cfg >case/dry.cfg
refused 2 "no vents" 'dry.cfg' null case/dry.cfg --output never
plan nowhere 'null_from made'
plan without 'null_from missing'
refused 2 "results without a null model's numbers" 'nowhere.cfg:.*made has no null model; name' null case/nowhere.cfg --output never
refused 2 "no results" 'without.cfg:.*no null model; name' null case/without.cfg --output never
grep -v '^outline' case/carried.cfg >case/bare.cfg
refused 2 "carried over to no outline" 'bare.cfg:.*null_from needs an outline' null case/bare.cfg --output never
check "nothing is left" [ ! -e never ]
report
