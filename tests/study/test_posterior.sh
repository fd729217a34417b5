#!/bin/bash
# test_posterior.sh — `sciara calibrate --posterior` from the command line: the parameters of a twin lie within what is
# found, weights, the same bits for any number of threads, after kill -9 and --resume, what is held out, the forecast that
# the members make, why it ends, and what is refused. Run from the root of the repository, with BUILD naming the build folder.
# tests: study/calibration
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
. tests/twin.sh

same() { cmp "$1/evaluations.csv" "$2/evaluations.csv" && cmp "$1/members.csv" "$2/members.csv"; }
# between FOLDER NAME: 2.5 and 97.5 % of a parameter
between() { json --arg name "$2" '.posterior.parameters[] | select(.name == $name) | "\(.p025) \(.p975)"' "$1/summary.json"; }
# weighted VALUES WEIGHTS: files of as many lines
weighted() { paste "$1" "$2" | awk '{ sum += $1 * $2; weight += $2 } END { printf "%.12g\n", sum / weight }'; }
is_between() { awk -v a="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(low <= a && a <= high) }'; }

{
    cat "$made/base.cfg"
    printf '%s\n' 'fit_Pcool 1 10 log' 'fit_Phc(Tvent) 0.5 6 log' 'evaluations 601' 'posterior_members 40' \
        'posterior_tolerance 0.2' 'hold_out after 4'
} >"$made/plan.cfg"
plan=$made/plan.cfg one=$work/one

# ---- a twin: what an outline was made with is among what is found
call calibrate "$plan" --posterior --output "$one" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 1
check "it ends well" exits 0
check "... when all that remain are within the tolerance" [ "$(value end "$one/summary.json")" = tolerance ]
check "it shows no progress where nobody looks" silent stderr
check "it reports what it has found" says 'posterior .* sets of parameters, effective number .*\(tolerance\)'
for name in Pcool 'Phc(Tvent)'; do
    truth=$(sed -n "s/^$name *//p" "$made/truth.cfg")
    read -r low high < <(between "$one" "$name")
    check "$name $truth is within 95 % ($low to $high)" is_between "$truth" "$low" "$high"
done
# mean, standard deviation and percentiles of a parameter, of the members once more
again() {
    paste -d, <(column "$1" "$one/members.csv") <(column weight "$one/members.csv") | sort -t, -g | awk -F, '{ x[++n] = $1; w[n] = $2; mean += $1 * $2 / 1e9 }
        END { for (i = 1; i <= n; i++) { var += w[i] * (x[i] - mean) ^ 2 / 1e9; sum += w[i]
                  for (p = 1; p <= 3; p++) if (!(p in at) && sum >= (p == 1 ? 25e6 : p == 2 ? 5e8 : 975e6)) at[p] = x[i] }
              printf "%.7g %.7g %.7g %.7g %.7g\n", mean, sqrt(var), at[1], at[2], at[3] }'
}
of() { # of a parameter, at once
    json --arg name "$1" '.posterior.parameters[] | select(.name == $name) | .mean, .sd, .p025, .p50, .p975' "$one/summary.json" |
        awk '{ printf "%s%.7g", space, $1; space = " " } END { print "" }'
}
for name in Pcool 'Phc(Tvent)'; do
    members=$(again "$name") summary=$(of "$name")
    check "$name: as its members have it ($members, $summary)" [ "$members" = "$summary" ]
done
check "critical thickness is known by now, from 0.5 to 6 before" is_near "$high" "$low" 1
for file in members.csv forecast.cfg evaluations.csv posterior.png tolerance.png summary.json; do
    check "it leaves $file" [ -s "$one/$file" ]
done
check "and no best" [ ! -e "$one/best.cfg" ]

column weight "$one/members.csv" >"$work/weights"
# shellcheck disable=SC2016 # awk's
check "weights sum up to 1,000,000,000, each from 1 on" \
    awk '{ sum += $1; less += $1 < 1 } END { exit !(sum == 1000000000 && !less) }' "$work/weights"
check "... there are 40 at least" [ "$(wc -l <"$work/weights")" -ge 40 ]
check "... not all alike" [ "$(sort -u "$work/weights" | wc -l)" -gt 25 ]
near() { awk -F, 'NR > 2 && 1 - $4 <= 0.2' "$one/evaluations.csv"; }
check "all evaluations within the tolerance are members" \
    cmp <(near | awk -F, '{ print $NF }') "$work/weights"
check "... with the parameters that the table says" cmp <(near | cut -d, -f 6,7) <(tail -n +2 "$one/members.csv" | cut -d, -f 2,3)
check "nothing else has a weight" [ "$(awk -F, 'NR > 1 && $NF > 0' "$one/evaluations.csv" | wc -l)" = "$(wc -l <"$work/weights")" ]

# ---- the same bits, however it came
call calibrate "$plan" --posterior --output "$work/three" --layers all --map-size 300x300 --map-dpi 72 --threads 3 --quiet --variant reference --format pdf
check "three threads find the same" same "$one" "$work/three"
check "... and draw it as PDF, too, if asked to" [ "$(cd "$work/three" && echo *.pdf) $(ls "$one"/*.pdf 2>/dev/null)" = "posterior.pdf tolerance.pdf " ]
check "... and the same forecast" cmp "$one/forecast.cfg" "$work/three/forecast.cfg"
painted=$sciara # (what follows looks at numbers alone)
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara served=''; fi
# Killed within a population, of which a part is in the state by then; on a busy machine the kill may come late.
# Behind 35 bytes, or one or two more, every evaluation has as many bytes.
evaluations_bytes() { echo $(($(stat -c %s "$1/calibration.state") - 35)); }
record=$(($(evaluations_bytes "$one") / ($(wc -l <"$one/evaluations.csv") - 1)))
evaluated() { echo $(($(evaluations_bytes "$work/cut") / record)); }
is_part() { [ -s "$work/cut/calibration.state" ] && [ "$(evaluated)" -gt 40 ] && [ $((($(evaluated) - 1) % 40)) != 0 ]; }
killed=''
for ((i = 0; i < 10 && !killed; i++)); do
    rm -rf "$work/cut"
    "$sciara" calibrate "$plan" --posterior --output "$work/cut" --layers evaluations,members --map-size 300x300 --map-dpi 72 --variant reference --threads 1 >/dev/null 2>&1 &
    child=$!
    wait_until is_part
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
    [ ! -e "$work/cut/summary.json" ] && is_part && killed=1
done
child=''
check "killed within a population, after $(evaluated) evaluations" [ "$killed" ]
refused 2 "a posterior that is not finished" "unfinished study" calibrate "$plan" --posterior --output "$work/cut"
call calibrate "$plan" --posterior --output "$work/cut" --layers evaluations,members --map-size 300x300 --map-dpi 72 --variant reference --resume --quiet
check "... it goes on to the same" same "$one" "$work/cut"
call calibrate "$plan" --posterior --evaluations 121 --output "$work/parts" --layers evaluations,members --map-size 300x300 --map-dpi 72 --quiet
check "with fewer evaluations it ends sooner" [ "$(value end "$work/parts/summary.json")" = budget ]
check "... after two generations" [ "$(wc -l <"$work/parts/evaluations.csv")" = 122 ]
call calibrate "$plan" --posterior --output "$work/parts" --layers evaluations,members --map-size 300x300 --map-dpi 72 --quiet --resume
check "... and goes on to the same" same "$one" "$work/parts"
sed 's/^posterior_tolerance.*/posterior_tolerance 0.15/' "$plan" >"$made/finer.cfg"
call calibrate "$made/finer.cfg" --posterior --output "$work/parts" --layers evaluations,members --map-size 300x300 --map-dpi 72 --quiet --resume
check "a smaller tolerance goes on from there" cmp -s <(head -n "$(wc -l <"$one/evaluations.csv")" "$work/parts/evaluations.csv" | cut -d, -f 1-7) \
    <(cut -d, -f 1-7 "$one/evaluations.csv")
check "... further" [ "$(wc -l <"$work/parts/evaluations.csv")" -gt "$(wc -l <"$one/evaluations.csv")" ]
{ grep -v '^posterior' "$plan" && echo 'posterior_acceptance 1' && echo 'posterior_members 30'; } >"$made/picky.cfg"
call calibrate "$made/picky.cfg" --posterior --output "$work/picky" --map-size 300x300 --map-dpi 72 --json
check "it ends when too few are accepted" [ "$(value end "$work/picky/summary.json")" = acceptance ]
check "JSON is all that --json prints" says '^	"kind":	"posterior",'

# ---- what the search does not see
unseen="--posterior --evaluations 121 --hold-out --quiet"
# shellcheck disable=SC2086 # words
call calibrate "$plan" $unseen --output "$work/held" --layers evaluations,members --map-size 300x300 --map-dpi 72
check "a held-out outline is scored at the end" grep -q '"held_out":	{' "$work/held/summary.json"
cp "$work/truth360/total_thickness_m_000360.tif" "$work/kept.tif"
cp "$work/truth120/total_thickness_m_000120.tif" "$work/truth360/total_thickness_m_000360.tif"
# shellcheck disable=SC2086
call calibrate "$plan" $unseen --output "$work/changed" --layers evaluations,members --map-size 300x300 --map-dpi 72
check "another outline there: the same posterior" same "$work/held" "$work/changed"
check "... with another score of it" fails cmp -s <(held_out "$work/held") <(held_out "$work/changed")
mv "$work/kept.tif" "$work/truth360/total_thickness_m_000360.tif"
check "without --hold-out another posterior" fails cmp -s "$work/held/members.csv" "$work/parts/members.csv"

# ---- a forecast from its members, each with noise of its own
{
    grep -v '^observed' "$made/base.cfg"
    printf '%s\n' 'fit_Pcool 1 10 log' 'fit_Phc(Tvent) 0.5 6 log' 'fit_vent_east_m -20 20' 'fit_rate_factor 0.7 1.4 log' \
        'posterior_members 24' 'evaluations 97' 'terrain_error_m 0.3' 'terrain_error_length_m 40' 'noise_members 2' \
        'finalist_members 4' 'observed_dry houses.geojson until 1h' 'seed 5'
} >"$made/noise.cfg"
call calibrate "$made/noise.cfg" --posterior --output "$work/noise" --layers members --map-size 300x300 --map-dpi 72 --quiet
check "a posterior with noise ends well" exits 0
call ensemble "$work/noise/forecast.cfg" --output "$work/forecast" --layers members --map-size 300x300 --map-dpi 72 --quiet
check "its members make an ensemble" exits 0
check "of another eruption, of which nothing was observed" fails grep -q '^observed_' "$work/noise/forecast.cfg"
column weight "$work/forecast/members.csv" >"$work/w"
check "... with their weights" cmp "$work/w" <(column weight "$work/noise/members.csv")
column jaccard "$work/forecast/members.csv" >"$work/j"
column area_m2 "$work/forecast/members.csv" >"$work/a"
yes 1 | head -n "$(wc -l <"$work/w")" >"$work/ones"
scored=$(json .posterior.unseen_noise.in_sample.mean "$work/noise/summary.json")
check "its runs are those that scored the posterior ($scored)" is_near "$(weighted "$work/j" "$work/w")" "$scored" 1e-6
area=$(awk -v a="$(value expected_area_km2 "$work/forecast/summary.json")" 'BEGIN { printf "%.12g", a * 1e6 }')
check "the weights count: $area m2 are expected" is_near "$(weighted "$work/a" "$work/w")" "$area" 1e-6
check "... not the plain mean" fails is_near "$(weighted "$work/a" "$work/ones")" "$area" 1e-4
seen=$(column terrain_seed "$work/forecast/members.csv" | sort -u | wc -l)
check "each has its own terrain" [ "$seen" = "$(wc -l <"$work/w")" ]
check "... that the search has not seen" grep -q '^seed  *6$' "$work/noise/forecast.cfg"

# ---- the discrepancy of its members, which a forecast carries
distance=$(json .posterior.discrepancy.distance_m "$work/noise/summary.json")
check "its discrepancy ($distance m) is a line of the forecast" grep -q "^discrepancy_m  *$distance$" "$work/noise/forecast.cfg"
check "... of one eruption" [ "$(json .posterior.discrepancy.eruptions "$work/noise/summary.json")" = 1 ]
check "... by its log score" is_near "$(json .posterior.discrepancy.log_score_without "$work/noise/summary.json")" \
    "$(json .verification.log_score "$work/forecast/summary.json")" 1e-6
check "a part that is held out gives none" [ "$(json .posterior.discrepancy "$work/held/summary.json")" = null ]
{ grep -v '^discrepancy_m' "$work/noise/forecast.cfg" && echo 'discrepancy_m 60'; } >"$work/noise/wide.cfg"
call ensemble "$work/noise/wide.cfg" --output "$work/wide" --layers probability,probability_discrepancy --map-size 300x300 --map-dpi 72
check "a plan may give another" says '^discrepancy   mean of 60 m around each cell: Brier skill'
check "... which changes no member" [ "$(json .digest "$work/wide/summary.json")" = "$(json .digest "$work/forecast/summary.json")" ]
check "... and has a layer" [ -s "$work/wide/probability_discrepancy.tif" ]
"$sciara" fit "$work/wide" --discrepancy 60 --json >"$work/fit.json"
check "... whose score sciara fit finds again" is_near "$(json .verification.log_score "$work/fit.json")" "$(json .discrepancy.log_score "$work/wide/summary.json")" 1e-4
refused 2 "a discrepancy of a hundred kilometres" 'give 10000 m at most' fit "$work/wide" --discrepancy 100000
check "... with other scores" fails is_near "$(json .discrepancy.log_score "$work/wide/summary.json")" \
    "$(json .verification.log_score "$work/wide/summary.json")" 1e-3

# ---- what is refused
sciara=$painted served=$painted
# bad WHAT PATTERN LINE...: the plan with other lines
bad() {
    local what=$1 pattern=$2
    shift 2
    { cat "$made/base.cfg" && printf '%s\n' 'fit_Pcool 1 10' "$@"; } >"$made/bad.cfg"
    refused 2 "$what" "$pattern" calibrate "$made/bad.cfg" --posterior --output "$work/none"
    check "$what: leaves nothing" [ ! -e "$work/none" ]
}
bad "too few evaluations" 'a first population need 401; allow more, or give fewer posterior_members' 'evaluations 400'
bad "too few members" 'posterior_members is 9; give a value from 10 to 100000' 'posterior_members 9'
bad "a tolerance beyond all" 'posterior_tolerance is 1.5; give a value from 0 to 1' 'posterior_tolerance 1.5'
bad "a share that is none" 'posterior_acceptance is -1; give a value from 0 to 1' 'posterior_acceptance -1'
bad "a word for a tolerance" 'give one finite number' 'posterior_tolerance small'
bad "points of which none can be run" \
    'bad.cfg: none of the first 20 points between the bounds can be run; the first of them: .*outside the DEM' \
    'posterior_members 10' 'fit_vent_east_m 5000 6000'
refused 2 "the state of a search" 'was written with another plan' \
    calibrate "$plan" --evaluations 101 --output "$work/parts" --resume
{ cat "$made/volcano.cfg" && echo "max_steps 9" && echo "posterior_members 50"; } >"$made/draws.cfg"
refused 2 "a key of a posterior in an ensemble" 'posterior_members makes this a plan of a calibration; use sciara calibrate' \
    ensemble "$made/draws.cfg" --output "$work/none"
call calibrate "$plan" --evaluations 21 --output "$work/search" --map-size 300x300 --map-dpi 72 --quiet
sed 's/^posterior_members.*/posterior_members 70/' "$plan" >"$made/more.cfg"
call calibrate "$made/more.cfg" --evaluations 21 --output "$work/search" --map-size 300x300 --map-dpi 72 --quiet --resume
check "a search without it does not mind such keys" exits 0
report
