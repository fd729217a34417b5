#!/bin/bash
# test_calibrate.sh — `sciara calibrate` from the command line: a twin experiment, the same bits for any number of
# threads, after Ctrl-C and --resume, a held-out part that the search does not see, noise, and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/calibration
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

. tests/tables.sh
. tests/twin.sh
same() { cmp "$1/evaluations.csv" "$2/evaluations.csv" && cmp "$1/best.cfg" "$2/best.cfg"; }
rises() { awk -F, 'NR > 2 && $4 > most { most = $4 } NR == 2 { first = $4 } END { exit !(most > first + 0.1) }' "$1"; }

# ---- a twin: what an outline was made with is found again
echo 'population 10' >>"$made/base.cfg"
{
    cat "$made/base.cfg"
    printf '%s\n' 'fit_Pcool 1 10 log' 'fit_Phc(Tvent) 0.5 6 log' 'evaluations 800' 'hold_out after 4'
} >"$made/plan.cfg"
plan=$made/plan.cfg
call calibrate "$plan" --output "$work/twin" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 2
check "it ends well" exits 0
check "it shows no progress where nobody looks" silent stderr
found_cool=$(sed -n 's/^Pcool *//p' "$work/twin/best.cfg") found_critical=$(sed -n 's/^Phc(Tvent) *//p' "$work/twin/best.cfg")
check "Pcool 4.1 is found within 5 % ($found_cool)" is_near "$found_cool" 4.1 0.05
check "Phc(Tvent) 2.3 is found within 2 % ($found_critical)" is_near "$found_critical" 2.3 0.02
best=$(value mean "$work/twin/summary.json")
check "with a score above 0.98 ($best)" is_near "$best" 0.99 0.0101
check "which the case as it stands has not" rises "$work/twin/evaluations.csv"
check "the searches began again" [ "$(value restarts "$work/twin/summary.json")" -ge 1 ]
for file in summary.json trace.png score_Pcool.png score_Phc_Tvent.png probability.tif map_probability.png members.csv; do
    check "it leaves $file" [ -s "$work/twin/$file" ]
done
check "the summary lists all that it leaves" cmp <(listed "$work/twin") \
    <(find "$work/twin" -type f ! -name summary.json ! -name shown.json -printf '%f\n' | sort)
digest=$(grep -ao 'ENSEMBLE_DIGEST"[^>]*>[0-9a-f]*' "$work/twin/probability.tif" | sed 's/.*>//')
check "its layers name the ensemble ($digest)" [ "${#digest}" = 16 -a "$digest" != 0000000000000000 ]
call run "$work/twin/best.cfg" --variant reference --output "$work/again" --quiet --format geotiff
check "the best is a case" exits 0
check "... that runs to the bits of the best" grep -q "$(digest "$work/again")" "$work/twin/members.csv"
"$sciara" fit "$work/again" "$work/truth360/total_thickness_m_000360.tif" --json --no-map >"$work/fit.json"
fit=$(value jaccard "$work/fit.json")
check "... with the J that the table says" grep -q ",${fit:0:8}" <(sed -n "$(awk -F, 'NR > 1 && $4 > m { m = $4; n = NR } END { print n }' "$work/twin/evaluations.csv")p" "$work/twin/evaluations.csv")

# ---- the same bits, however it came
small="--evaluations 51 --variant reference"
# shellcheck disable=SC2086 # words
call calibrate "$plan" $small --output "$work/one" --layers all --map-size 300x300 --map-dpi 72 --threads 1 --json
check "JSON is all that --json prints" says '^	"kind":	"calibration",'
# shellcheck disable=SC2086
call calibrate "$plan" $small --output "$work/three" --layers evaluations --map-size 300x300 --map-dpi 72 --threads 3 --quiet
check "three threads make the same search" same "$work/one" "$work/three"
check "of 51 evaluations" [ "$(wc -l <"$work/one/evaluations.csv")" = 52 ]
call calibrate "$plan" --evaluations 31 --variant reference --output "$work/parts" --layers all --map-size 300x300 --map-dpi 72 --quiet
# shellcheck disable=SC2086
call calibrate "$plan" $small --output "$work/parts" --layers all --map-size 300x300 --map-dpi 72 --quiet --resume --format svg
check "so does one that goes on" same "$work/one" "$work/parts"
pictures() { find "$work/$1" -name "*.$2" | sed "s/\.$2\$//; s/.*\///" | sort; }
check "... with each picture as SVG, too" [ "$(pictures parts svg)" = "$(pictures one png)" ]
check "... as text" grep -q '>51 evaluations; the best at Pcool = [^<]*</text>' "$work/parts/score_Pcool.svg"
# shellcheck disable=SC2016 # $ of awk
climbs='{ falls += NR > 1 && $3 > last + 1e-3; rises += NR > 1 && $3 < last - 1; last = $3 } END { exit !(NR > 50 && !falls && rises > 1) }'
check "... the line of the best so far never falls" awk "$climbs" <(grep -o '<path style="fill:none;stroke-width:4;[^>]*>' "$work/parts/trace.svg" | tail -n 1 | grep -oE '[ML] [0-9.]+ [0-9.]+')
check "... with the digest of the calibration" eval "for f in '$work'/parts/score*.svg; do grep -qE \">sciara [^<]*calibration $(json .plan.digest "$work/parts/summary.json")<\" \"\$f\" || echo \"\$f\"; done >'$work/bare' && [ ! -s '$work/bare' ]"
check "... listed" [ "$(grep -c '\.svg"' "$work/parts/summary.json")" = "$(pictures one png | wc -l)" ]
check "and no other has" [ -z "$(pictures one svg)$(pictures one pdf)$(pictures parts pdf)" ]
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara served=''; fi # (what follows looks at numbers alone)

"$sciara" calibrate "$plan" --evaluations 151 --output "$work/cut" --layers evaluations --map-size 300x300 --map-dpi 72 --variant reference --threads 1 >/dev/null 2>&1 &
child=$!
if wait_until [ -s "$work/cut/calibration.state" ]; then
    kill -INT $child
    wait $child
    check "Ctrl-C: exit status 130" [ $? = 130 ]
    check "... with what there is" [ -s "$work/cut/best.cfg" -a -s "$work/cut/summary.json" ]
    refused 2 "a search that is not finished" "unfinished study" \
        calibrate "$plan" --output "$work/cut"
    call calibrate "$plan" --evaluations 151 --output "$work/cut" --layers evaluations --map-size 300x300 --map-dpi 72 --variant reference --resume --quiet
    check "... and goes on to the same" cmp <(head -n "$(wc -l <"$work/cut/evaluations.csv")" "$work/twin/evaluations.csv") "$work/cut/evaluations.csv"
else
    check "a search to interrupt" false
fi
child=''

# ---- what the search does not see
tables calibrate "$plan" "$work/held" evaluations=21 hold_out=yes
check "a held-out outline is scored at the end" grep -q '"held_out":	{' "$work/held/summary.json"
check "and is no column of the table" fails grep -q 'score_outline,' "$work/held/evaluations.csv"
cp "$work/truth360/total_thickness_m_000360.tif" "$work/kept.tif"
cp "$work/truth120/total_thickness_m_000120.tif" "$work/truth360/total_thickness_m_000360.tif"
tables calibrate "$plan" "$work/changed" evaluations=21 hold_out=yes
check "another outline there: the same search" same "$work/held" "$work/changed"
check "... with another score of it" fails cmp -s <(held_out "$work/held") <(held_out "$work/changed")
tables calibrate "$plan" "$work/seen" evaluations=21
mv "$work/kept.tif" "$work/truth360/total_thickness_m_000360.tif"
check "without --hold-out another search" fails cmp -s "$work/seen/evaluations.csv" <(head -n 22 "$work/one/evaluations.csv")

# boxes WEST EAST: two rectangles, in map coordinates, beside the line x = 500550
boxes() {
    printf '{"type":"MultiPolygon","coordinates":[[[[%s,4170500],[500550,4170500],[500550,4170900],[%s,4170900],[%s,4170500]]],
[[[500550,4170500],[%s,4170500],[%s,4170900],[500550,4170900],[500550,4170500]]]]}' "$1" "$1" "$1" "$2" "$2"
}
sed -e '/^hold_out/d; /^outline/d; /^observed/d' "$plan" >"$made/line.cfg"
printf '%s\n' 'outline boxes.json' 'hold_out left_of 500550 4180000 500550 4170000' >>"$made/line.cfg"
search_boxes() { # OUTPUT WEST EAST
    boxes "$2" "$3" >"$made/boxes.json"
    tables calibrate "$made/line.cfg" "$work/$1" evaluations=21 hold_out=yes
}
search_boxes line 500350 500700
check "a line across the flow holds out what lies beyond" exits 0
search_boxes beyond 500350 500900
check "what is changed there is not seen" same "$work/line" "$work/beyond"
check "... though it is scored" fails cmp -s <(held_out "$work/line") <(held_out "$work/beyond")
search_boxes before 500450 500700
check "what is changed on this side is seen" fails cmp -s "$work/line/evaluations.csv" "$work/before/evaluations.csv"

# ---- noise, rates, vents, and other observations
{
    cat "$made/base.cfg"
    printf '%s\n' 'fit_rate_factor 0.5 2 log' 'fit_duration_factor 0.8 1.2' 'fit_vent_east_m -30 30' \
        'observed_volume_m3 40000 weight 0.5' 'observed_runout_m 270 at 4 weight 2' 'score f1' 'outline_weight 3' \
        'terrain_error_m 0.5' 'terrain_error_length_m 40' 'noise_members 3' 'finalists 4' 'finalist_members 12' 'evaluations 41'
} >"$made/noise.cfg"
call calibrate "$made/noise.cfg" --output "$work/noise" --layers evaluations,members --map-size 300x300 --map-dpi 72 --quiet
check "a calibration with noise ends well" exits 0
check "each evaluation has its error" [ "$(cut -d, -f 5 "$work/noise/evaluations.csv" | grep -c '^0\.')" -gt 30 ]
check "four observations are scored" grep -q 'score_outline,score_outline_4h,score_volume,score_runout_4h' "$work/noise/evaluations.csv"
check "the best is run 12 times more" [ "$(wc -l <"$work/noise/members.csv")" = 13 ]
seeds=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "terrain_seed") at = i } NR > 1 { printf "%s ", $at }' "$work/noise/members.csv")
check "... with noise that the search has not seen" [ "$seeds" = "15 16 17 18 19 20 21 22 23 24 25 26 " ]
finalists() { sed -n '/"finalists"/,/\]/p' "$work/noise/summary.json" | sed -n "s/^.*\"$1\":	\([0-9.]*\),*$/\1/p"; }
check "four were compared" [ "$(finalists evaluation | sort -u | wc -l)" = 4 ]
chosen=$(paste <(finalists mean) <(finalists evaluation) | sort -g | tail -n 1 | cut -f 2)
check "the best of these, evaluation $chosen, was chosen" grep -q "\"evaluation\":	$chosen,$" <(grep -A1 '"best":	{' "$work/noise/summary.json")
check "it has tables of its own for vents and rates" [ -s "$work/noise/best_vents.csv" -a -s "$work/noise/best_rates.csv" ]
call run "$work/noise/best.cfg" --variant reference --output "$work/noisy" --quiet --format geotiff
check "... and is a case" exits 0

# ---- a step: on cells for which the set of parameters is not, by a front and by arrivals: so few
# evaluations do it from four of six seeds
"$sciara" terrain "$work/clock" --size 48 --cell 20 --quiet || exit 1
{
    grep -Ev '^(P|max_steps|calibrated)' "$work/clock/volcano.cfg"
    printf '%s\n' 'parameters etna-2006' 'run_h 16'
} >"$work/clock/case.cfg"
{ cat "$work/clock/case.cfg" && echo 'Pclock 180'; } >"$work/clock/truth.cfg"
for hours in 8 16; do
    "$sciara" run "$work/clock/truth.cfg" --until ${hours}h --variant reference --output "$work/clock/$hours" --quiet --format geotiff || exit 1
done
{
    cat "$work/clock/case.cfg"
    printf '%s\n' 'observed_outline 8/total_thickness_m_000160.tif at 8' 'observed_arrivals 16/arrival_h_000320.tif' \
        'fit_Pclock 60 480 log' 'evaluations 61' 'population 10'
} >"$work/clock/plan.cfg"
call calibrate "$work/clock/plan.cfg" --seed 3 --variant reference --output "$work/step" --layers evaluations,members --map-size 300x300 --map-dpi 72 --quiet
found_clock=$(sed -n 's/^Pclock *//p' "$work/step/best.cfg")
check "the step of the case as it stands is the scaled one, 240 s" [ "$(sed -n '2s/^0,0,0,[^,]*,,\([0-9]*\),.*/\1/p' "$work/step/evaluations.csv")" = 240 ]
check "Pclock 180 is found within 2 % ($found_clock)" is_near "$found_clock" 180 0.02
call run "$work/step/best.cfg" --variant reference --output "$work/stepped" --quiet --format geotiff
check "... its case runs to the bits of the best" grep -q "$(digest "$work/stepped")" "$work/step/members.csv"

# ---- keys under their other names, and a file whose name needs quotes and has some
printf 'barrier,x,y,height_m,name\n1,500300,4170600,9,wall\n1,500500,4170600,,\n' >"$made/a \"wall\", no. #1.csv"
{
    grep -v '^max_steps' "$made/base.cfg" | grep -v '^observed_outline'
    printf '%s\n' 'maximum_steps_(0_for_loop) 30' 'barriers "a "wall", no. #1.csv"' 'fit_Pcool 1 10' 'evaluations 11'
} >"$made/odd.cfg"
call calibrate "$made/odd.cfg" --output "$work/odd" --layers members --map-size 300x300 --map-dpi 72 --quiet
check "a plan with barriers ends well" exits 0
call info "$work/odd/best.cfg"
check "... its best finds them" says 'a "wall", no. #1.csv'
call run "$work/odd/best.cfg" --variant reference --format geotiff --output "$work/odd-run" --quiet
check "... and runs to the bits of the best" grep -q "$(digest "$work/odd-run")" "$work/odd/members.csv"

# ---- an outline that no run comes to
echo '{"type":"Polygon","coordinates":[[[500010,4170010],[500060,4170010],[500060,4170060],[500010,4170010]]]}' >"$made/far.geojson"
sed '/^observed/d; s/^outline.*/outline far.geojson/' "$made/odd.cfg" >"$made/far.cfg"
call calibrate "$made/far.cfg" --output "$work/far" --map-size 300x300 --map-dpi 72
check "an outline that no run comes to: all scores are 0" says '^found  *0\.0000'
check "... it says so" says '^warning .*no run agrees at all'

# ---- what is refused
# bad WHAT PATTERN LINE...: the plan with other lines
bad() {
    local what=$1 pattern=$2
    shift 2
    { cat "$made/base.cfg" && printf '%s\n' "$@"; } >"$made/bad.cfg"
    refused 2 "$what" "$pattern" calibrate "$made/bad.cfg" --output "$work/none"
    check "$what: leaves nothing" [ ! -e "$work/none" ]
}
fits='fit_Pcool 1 10'
bad "nothing to fit" 'names no parameter to fit; add a line' 'evaluations 50'
bad "an unknown parameter" "'Pcol' cannot be fitted; did you mean fit_Pcool" 'fit_Pcol 1 2'
bad "a parameter that cannot be fitted" "'azimuth_deg' cannot be fitted" 'fit_azimuth_deg 1 2'
bad "bounds the wrong way round" 'give LOW below HIGH' 'fit_Pcool 10 1'
bad "bounds beyond the parameter's" 'give a value from' 'fit_Pr(Tsol) 0.1 1.5'
bad "a logarithm of 0" 'LOW has to be above 0' 'fit_Pcool 0 10 log'
bad "a parameter twice" 'was given in line' "$fits" "$fits"
bad "noise without noise" 'noise_members 4 needs an error of the terrain; give terrain_error_m' "$fits" 'noise_members 4'
bad "too few evaluations" 'a first population need 11; allow more' "$fits" 'evaluations 10'
bad "an outline without its time" 'give FILE at TIME' "$fits" 'observed_outline a.json'
bad "an outline of a date without start_time" 'a date needs start_time' "$fits" 'observed_outline a.json at 2006-07-14'
bad "a run-out at no time" 'give hours since the start, a time with its unit' "$fits" 'observed_runout_m 300 at noon'
bad "a run-out before the start" 'before start_time 2006-07-12' "$fits" 'observed_runout_m 300 at 2006-07-11' 'start_time 2006-07-12'
bad "an outline that is not there" 'missing.json' "$fits" 'observed_outline missing.json at 3'
bad "a date after the end" 'the runs end after 12 h' "$fits" 'observed_runout_m 300 at 2006-07-12T13:00Z' 'start_time 2006-07-12'
bad "an outline after the end" 'the runs end after 12 h' "$fits" 'observed_runout_m 300 at 13'
bad "members" 'draws no members; remove this line' "$fits" 'members 10'
bad "what is drawn" 'draws no members; remove this line' "$fits" 'vary_Pcool uniform 1 2'
bad "an unknown score" 'give jaccard, f1, precision, recall, distance' "$fits" 'score j'
bad "a line without length" 'give after TIME, left_of' "$fits" 'hold_out left_of 1 2 1 2'
printf '%s\n' "$fits" >"$work/fits" && cat "$made/base.cfg" "$work/fits" >"$made/plain.cfg"
refused 2 "--hold-out of nothing" 'validation needs observations to hold out' calibrate "$made/plain.cfg" --hold-out --output "$work/none"
{ cat "$made/plain.cfg" && echo 'hold_out after 1'; } >"$made/early.cfg"
refused 2 "nothing to see" 'leaves no observation for the search' calibrate "$made/early.cfg" --hold-out --output "$work/none"
grep -v outline "$made/plain.cfg" >"$made/unseen.cfg"
refused 2 "nothing observed" 'has no observation' calibrate "$made/unseen.cfg" --output "$work/none"
refused 2 "a calibration as an ensemble" 'use sciara calibrate' ensemble "$made/plain.cfg" --output "$work/none"
refused 2 "a calibration as a case" 'use sciara calibrate' run "$made/plain.cfg" --output "$work/none"
call calibrate "$made/plain.cfg" --evaluations 21 --output "$work/record" --map-size 300x300 --map-dpi 72 --quiet
refused 2 "the state of another seed" 'was written with another plan \(seed 0, now 3\)' \
    calibrate "$made/plain.cfg" --evaluations 21 --output "$work/record" --seed 3 --resume
printf x | dd of="$work/record/calibration.state" bs=1 seek=200 conv=notrunc status=none
refused 2 "a state that is damaged" 'damaged; remove it' \
    calibrate "$made/plain.cfg" --evaluations 21 --output "$work/record" --resume
report
