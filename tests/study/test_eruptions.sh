#!/bin/bash
# test_eruptions.sh — `sciara calibrate` with several eruptions at once: parameters that two made eruptions share, and the
# rate of one, are found again; each has its scores and its case; what is refused. tests/study/test_eruptions.c has the rest.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/calibration
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

. tests/twin.sh
# column FOLDER NAME: that of the evaluation with the best score
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        $4 > most { most = $4; found = $at } END { print found }' "$1/evaluations.csv"
}

# ---- another eruption, on another terrain, with other rates than its case says
south=$work/south
"$sciara" terrain "$south" --size 90 --seed 4 --name case --quiet || exit 1
awk -F, -v OFS=, 'NR > 1 { $4 *= 1.4 } 1' "$south/rates.csv" >"$south/true_rates.csv"
sed -i '/^max_steps/d' "$south/case.cfg"
{
    grep -Ev '^(Pcool|Phc\(Tvent\)|rates)' "$south/case.cfg"
    printf '%s\n' 'Pcool 4.1' 'Phc(Tvent) 2.3' 'rates true_rates.csv' 'max_steps 240'
} >"$south/truth.cfg"
"$sciara" run "$south/truth.cfg" --variant reference --output "$south/truth" --quiet --format geotiff || exit 1
{
    cat "$south/case.cfg"
    printf '%s\n' 'max_steps 240' 'outline truth/total_thickness_m_000240.tif' 'fit_rate_factor 0.5 2 log' \
        'observed_thickness truth/total_thickness_m_000240.tif scale 0.5' 'observed_arrivals truth/arrival_h_000240.tif'
} >"$south/south.cfg"
{
    cat "$made/base.cfg"
    printf '%s\n' 'fit_Pcool 1 10 log' 'fit_Phc(Tvent) 0.5 6 log' 'eruption ../south/south.cfg weight 2' 'population 10' \
        'hold_out eruption south'
} >"$made/two.cfg"
plan=$made/two.cfg

# ---- what they were made with is found again: so few evaluations do it from three of five seeds
call calibrate "$plan" --evaluations 440 --seed 4 --output "$work/twin" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 2
check "it ends well" exits 0
check "it says how each did" says '^  south  *0\.[0-9]* in sample'
found_cool=$(sed -n 's/^Pcool *//p' "$work/twin/best.cfg") found_critical=$(sed -n 's/^Phc(Tvent) *//p' "$work/twin/best.cfg")
check "Pcool 4.1 is found within 5 % ($found_cool)" is_near "$found_cool" 4.1 0.05
check "Phc(Tvent) 2.3 is found within 2 % ($found_critical)" is_near "$found_critical" 2.3 0.02
found_rate=$(column "$work/twin" rate_factor_south)
check "the other's rate times 1.4 is found within 2 % ($found_rate)" is_near "$found_rate" 1.4 0.02
check "the other has the same parameters" cmp <(grep -E '^(Pcool|Phc)' "$work/twin/best.cfg") <(grep -E '^(Pcool|Phc)' "$work/twin/best_south.cfg")
check "... its rates in a table" [ -s "$work/twin/best_rates_south.csv" ]
check "... that the first has not" [ ! -e "$work/twin/best_rates.csv" ]
call run "$work/twin/best_south.cfg" --variant reference --output "$work/again" --quiet --format geotiff
check "... and is a case" exits 0
"$sciara" fit "$work/again" "$south/truth/total_thickness_m_000240.tif" --json --no-map >"$work/fit.json"
fit=$(value jaccard "$work/fit.json") of_table=$(column "$work/twin" score_south_outline)
check "... with the J that the table says ($fit)" [ "${fit:0:8}" = "${of_table:0:8}" ]
combined=$(awk -v a="$(column "$work/twin" score_two)" -v b="$(column "$work/twin" score_south)" 'BEGIN { printf "%.9f", (a + 2 * b) / 3 }')
check "the score is the mean by weight ($combined)" is_near "$(column "$work/twin" score)" "$combined" 1e-8
check "so are those of the eruptions, the best and as the case stands" [ "$(json '[("best", "as_it_stands") as $of | .[$of].unseen_noise.in_sample.mean -
    ([.eruptions[] | .weight * .[$of].in_sample.mean] | add) / 3 | fabs < 1e-9] | all' "$work/twin/summary.json")" = true ]
check "so are an eruption's of its observations" [ "$(json '[.eruptions[] as $e | [.observed[] | select(.eruption == $e.name)] |
    ([.[] | .weight * .best_seen] | add) / ([.[].weight] | add) - $e.best.in_sample.mean | fabs < 1e-9] | all' "$work/twin/summary.json")" = true ]
check "each eruption has a better score than as it stands" [ "$(json '[.eruptions[] | .best.in_sample.mean > .as_it_stands.in_sample.mean] | all' \
    "$work/twin/summary.json")" = true ]
hours=$(column "$work/twin" error_south_arrivals_h) of_hours=$(column "$work/twin" score_south_arrivals)
check "an error of $hours h scores $of_hours" is_near "$of_hours" "$(awk -v x="$hours" 'BEGIN { print 1 / (1 + x) }')" 1e-4
metres=$(column "$work/twin" error_south_thickness_m) of_metres=$(column "$work/twin" score_south_thickness)
check "one of $metres m $of_metres, as its scale says" is_near "$of_metres" "$(awk -v x="$metres" 'BEGIN { print 1 / (1 + x / 0.5) }')" 1e-4
check "both are small" awk -v h="$hours" -v m="$metres" 'BEGIN { exit !(h < 0.5 && m < 0.2) }'

# ---- arrivals and thicknesses that were surveyed have a CRPS, below that of a forecast without lava
call calibrate "$south/south.cfg" --evaluations 13 --output "$work/surveyed" --layers all --map-size 300x300 --map-dpi 72
check "a calibration with surveys ends well" exits 0
layers=("$south/truth/total_thickness_m_000240.tif" "$south/truth/arrival_h_000240.tif") of=(thickness_m arrival_s) scale=(1 3600)
for i in 0 1; do
    gdalinfo -stats "${layers[i]}" >"$work/stats" 2>&1
    mean=$(sed -n 's/.*STATISTICS_MEAN=//p' "$work/stats") cells=$(json ".verification.${of[i]}.cells" "$work/surveyed/summary.json")
    crps=$(json ".verification.${of[i]}.crps" "$work/surveyed/summary.json")
    no_lava=$(awk -v mean="$mean" -v scale="${scale[i]}" -v late="$i" 'BEGIN { print late ? 240 * 120 - mean * scale : mean }')
    check "CRPS of ${of[i]}: $crps of at most $no_lava in $cells cells" \
        awk -v c="$crps" -v m="$no_lava" -v n="$cells" 'BEGIN { exit !(c > 0 && c < m / 2 && n > 20) }'
done

# ---- a whole eruption that is held out, and a posterior of what the plan's own has
sed 's/^population.*/posterior_members 10/' "$plan" >"$made/post.cfg"
call calibrate "$made/post.cfg" --posterior --hold-out --evaluations 31 --output "$work/post" --layers all --map-size 300x300 --map-dpi 72
check "a posterior without the other eruption ends well" exits 0
check "... which is scored at the end" says '^  south  *0\.[0-9]* held out'
check "... and is no column of the table" fails grep -q south "$work/post/evaluations.csv"
check "its members have what they share" [ "$(head -n 1 "$work/post/members.csv")" = "weight,Phc(Tvent),Pcool" ]
check "its forecast names no eruption" fails grep -q '^eruption' "$work/post/forecast.cfg"

# ---- what is refused
# bad WHAT PATTERN LINE...: the plan with other lines
bad() {
    local what=$1 pattern=$2
    shift 2
    { grep -v -e '^eruption' -e '^hold_out' "$plan" && printf '%s\n' "$@"; } >"$made/bad.cfg"
    refused 2 "$what" "$pattern" calibrate "$made/bad.cfg" --output "$work/none"
    check "$what: leaves nothing" [ ! -e "$work/none" ]
}
# other NAME LINE...: another plan of the second eruption
other() {
    local name=$1
    shift
    { cat "$south/south.cfg" && printf '%s\n' "$@"; } >"$south/$name.cfg"
}
bad "an eruption without a file" 'give FILE, the plan of another eruption' 'eruption ../south/south.cfg 2'
bad "a weight of nothing" 'give FILE, the plan of another eruption' 'eruption ../south/south.cfg weight 0'
bad "a weight that is no number" 'give FILE, the plan of another eruption' 'eruption ../south/south.cfg weight much'
bad "an own weight below 0" 'eruption_weight' 'eruption ../south/south.cfg' 'eruption_weight -1'
bad "an eruption that is not there" 'missing.cfg' 'eruption missing.cfg'
bad "an eruption that is no case" 'rates.csv' 'eruption rates.csv'
bad "two of the same name" 'two eruptions have the name south' 'eruption ../south/south.cfg' 'eruption ../south/../south/south.cfg'
other bare && sed -i '/^observed/d; /^outline/d' "$south/bare.cfg"
bad "an eruption of which nothing was observed" 'has no observation' 'eruption ../south/bare.cfg'
other nested 'eruption south.cfg'
bad "an eruption of an eruption" 'an eruption cannot name another eruption' 'eruption ../south/nested.cfg'
other names 'hold_out eruption two'
bad "an eruption that holds one out" 'is allowed in the plan alone' 'eruption ../south/names.cfg'
other more 'fit_Pr(Tsol) 0.1 1'
bad "a parameter fitted to one" 'is fitted to all eruptions; move the line to' 'eruption ../south/more.cfg'
other noisy 'terrain_error_m 1' 'terrain_error_length_m 40'
bad "noise of one" 'in all eruptions, or in none' 'eruption ../south/noisy.cfg'
sed '/^calibrated_cell_m/d' "$south/south.cfg" >"$south/cells.cfg"
bad "cells of unknown meaning" 'the same calibrated_cell_m' 'eruption ../south/cells.cfg'
other late 'score arrival'
bad "arrivals at no time" 'needs a time' 'eruption ../south/late.cfg'
other scale 'observed_outline truth/total_thickness_m_000240.tif at 2 scale 3'
bad "a scale of a share" "'score jaccard' has no scale" 'eruption ../south/scale.cfg'
bad "a held-out eruption that is none" 'there is no eruption south' 'hold_out eruption south'
report
