#!/bin/bash
# test_sensitivity.sh — `sciara sensitivity` from the command line: what matters in a case where it is known, the same
# bits for any number of threads, after Ctrl-C and --resume and with more samples, noise and places, and what is
# refused. Run from the root of the repository, with BUILD naming the build folder.
# tests: study/sensitivity
# shellcheck disable=SC2016 # $ of awk
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

made=$work/made
"$sciara" terrain "$made" --size 60 --quiet || exit 1
sed -i '/^max_steps/d' "$made/volcano.cfg"
# cell FOLDER FILE QUANTITY PARAMETER COLUMN: a cell of a table of indices
cell() { awk -F, -v q="$3" -v p="$4" -v c="$5" '$1 == q && $2 == p { print $c }' "$work/$1/$2"; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 > b + 0) }'; }
is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'" && false; }; }
# All files but the times in the summary
same() {
    local file status=0
    for file in "$work/$1"/*; do
        case $file in
        *summary.json) cmp <(grep -v '_s":\|threads\|md5\|bytes' "$file") <(grep -v '_s":\|threads\|md5\|bytes' "$work/$2/summary.json") || status=1 ;;
        *) cmp "$file" "$work/$2/$(basename "$file")" || status=1 ;;
        esac
    done
    is "$(ls "$work/$1")" "$(ls "$work/$2")" && [ $status = 0 ]
}

# ---- a plan in which one parameter does nothing, and one much
"$sciara" run "$made/volcano.cfg" 120 --variant reference --output "$work/truth" --quiet --format geotiff || exit 1
{
    cat "$made/volcano.cfg"
    printf '%s\n' 'max_steps 120' 'outline ../truth/total_thickness_m_000120.tif' 'fit_Pcool 1 10 log' 'fit_Phc(Tvent) 0.5 6 log' \
        'fit_vent_east_m -0.1 0.1' 'seed 5' 'samples 64' 'trajectories 8'
} >"$made/plan.cfg"
plan=$made/plan.cfg
call sensitivity "$plan" --output "$work/one" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 1
check "it ends well" exits 0
check "it shows no progress where nobody looks" silent stderr
check "it says how many runs" says '^sobol +64 samples, 320 runs of 320$'
check "and what matters most" says '^  area_m2 +Phc\(Tvent\) [01]\.'
for file in summary.json sensitivity.state morris.csv sobol.csv morris_points.csv sobol_points.csv sobol_area_m2.png morris_runout_m.png \
    sobol_S1_Pcool.tif sobol_ST_Phc_Tvent.tif sobol_dominating.tif sobol_probability.tif morris_mu_star_Pcool.tif map_sobol.png map_morris.png; do
    check "it leaves $file" [ -s "$work/one/$file" ]
done
check "the table has SALib's names" is "$(head -n 1 "$work/one/sobol.csv")" "quantity,parameter,S1,S1_conf,ST,ST_conf"
check "... of Morris, too" is "$(head -n 1 "$work/one/morris.csv")" "quantity,parameter,mu,mu_star,sigma,mu_star_conf"
check "a critical thickness matters for the area" above "$(cell one sobol.csv area_m2 'Phc(Tvent)' 5)" 0.5
check "... and for the fit" above "$(cell one sobol.csv score_outline 'Phc(Tvent)' 5)" 0.3
nothing=$(grep -h ',vent_east_m,' "$work/one/sobol.csv" "$work/one/morris.csv" | cut -d, -f 3-)
check "what does nothing has indices of 0, whatever varies" is "$(sort -u <<<"$nothing" | tr '\n' ' ')" "0,0,0,0 "
check "a row for each point" is "$(wc -l <"$work/one/sobol_points.csv") $(wc -l <"$work/one/morris_points.csv")" "321 33"
check "... lava that stays is as much as its area by its mean thickness, within reach" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { a = $at["area_m2"]; m = $at["mean_thickness_m"]; v = $at["volume_on_terrain_m3"]; r = $at["runout_m"]; n += a > 100; runs += r > 50
      if ((a * m - v) ^ 2 > 1e-18 * v * v || r < 0 || r > 850 || a > 0 && $at["max_thickness_m"] < m) bad = 1 } END { exit bad || !(n > 300 && runs > 300) }' "$work/one/sobol_points.csv"
# S1 and ST of the area once more, as SALib computes them, of what the table of points holds
salib() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { y[n++] = $at["area_m2"]; sum += $at["area_m2"] }
        END {
            for (g = 0; g < n / 5; g++) { a = y[5 * g] - sum / n; b = y[5 * g + 4] - sum / n; s += a + b; s2 += a * a + b * b
                for (k = 1; k <= 3; k++) { d = y[5 * g + k] - y[5 * g]; first[k] += b * d; total[k] += d * d / 2 } }
            m = n / 5; v = s2 / (2 * m) - (s / (2 * m)) ^ 2
            for (k = 1; k <= 3; k++) printf "%.9f,%.9f ", first[k] / m / v, total[k] / m / v }' "$work/one/sobol_points.csv"
}
indices() { awk -F, '$1 == "area_m2" { printf "%.9f,%.9f ", $3, $5 }' "$work/one/sobol.csv"; }
check "the table of points gives the same indices" is "$(salib)" "$(indices)"
"$sciara" sensitivity "$plan" --output "$work/three" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 3 --quiet
check "three threads leave the same files" same one three
check "and the same digest" is "$(digest "$work/three")" "$(digest "$work/one")"

# ---- on with it
"$sciara" sensitivity "$plan" --samples 20 --trajectories 3 --output "$work/more" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "fewer samples: another digest" [ "$(digest "$work/more")" != "$(digest "$work/one")" ]
"$sciara" sensitivity "$plan" --output "$work/more" --layers all --map-size 300x300 --map-dpi 72 --resume --quiet
check "more samples go on from fewer, to the same files" same one more
"$sciara" sensitivity "$plan" --method morris --output "$work/methods" --layers all --map-size 300x300 --map-dpi 72 --quiet --format svg,pdf
check "one method alone leaves no files of the other" [ ! -e "$work/methods/sobol.csv" ]
pictures() { (cd "$work/$1" && printf '%s\n' morris*."$2" map_morris."$2" | sed "s/$2\$//"); }
for format in svg pdf; do check "--format $format: each picture so, too" is "$(pictures methods $format)" "$(pictures one png)"; done
check "... as text" grep -q '>Morris screening: area [^<]*</text>' "$work/methods/morris_area_m2.svg"
call sensitivity "$plan" --output "$work/methods" --layers all --map-size 300x300 --map-dpi 72 --resume --json
check "the other follows, and what is not drawn again is gone" same one methods
check "JSON is all that --json prints" says '^	"kind":	"sensitivity",'
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara served=''; fi # (what follows looks at numbers alone)
"$sciara" sensitivity "$plan" --seed 6 --method sobol --samples 2 --output "$work/seed" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "another seed: other points" fails cmp -s "$work/one/sobol_points.csv" "$work/seed/sobol_points.csv"

sed 's/^samples.*/samples 4000/' "$plan" >"$made/long.cfg"
"$sciara" sensitivity "$made/long.cfg" --method sobol --output "$work/cut" --layers all --map-size 300x300 --map-dpi 72 --variant reference --threads 1 >/dev/null 2>&1 &
child=$!
has_some() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt 10000 ]; }
if wait_until has_some "$work/cut/sensitivity.state"; then
    kill -INT $child
    wait $child
    check "Ctrl-C: exit status 130" [ $? = 130 ]
    check "... with what there is" [ "$(value end "$work/cut/summary.json")" = interrupted ]
    refused 2 "an analysis that is not finished" "unfinished study" sensitivity "$made/long.cfg" --output "$work/cut"
    refused 2 "fewer samples than there are" "more than the 2 requested" \
        sensitivity "$plan" --method sobol --samples 2 --output "$work/cut" --resume
    done=$(value samples "$work/cut/summary.json")
    "$sciara" sensitivity "$plan" --method sobol --samples $((done + 2)) --output "$work/cut" --layers all --map-size 300x300 --map-dpi 72 --resume --quiet
    "$sciara" sensitivity "$plan" --method sobol --samples $((done + 2)) --output "$work/uncut" --layers all --map-size 300x300 --map-dpi 72 --quiet
    check "... and goes on to the same" same uncut cut
else
    check "an analysis to interrupt" false
fi
child=''

# ---- noise, places, second order, and times
{
    grep -v '^samples\|^traj' "$plan"
    printf '%s\n' 'terrain_error_m 0.3' 'terrain_error_length_m 40' 'noise_members 3' 'second_order yes' 'assets places.json' \
        'observed_runout_m 200 at 2' 'fit_rate_factor 0.5 2' 'samples 16' 'method sobol' 'resamples 50' 'confidence 0.9'
} >"$made/noise.cfg"
point() { # NAME ROW COL
    local x=$((500005 + 10 * $3)) y=$((4170595 - 10 * $2))
    printf '{"type":"Feature","properties":{"name":"%s"},"geometry":{"type":"Point","coordinates":[%s,%s]}}' "$1" $x $y
}
east='{"type":"Feature","properties":{"name":"East"},"geometry":{"type":"Polygon","coordinates":[[[500450,4170000],[500600,4170000],[500600,4170600],[500450,4170600],[500450,4170000]]]}}'
printf '{"type":"FeatureCollection","features":[%s,%s,%s,%s]}' "$(point 'Far away' 2 2)" "$(point 'Far?away' 3 3)" "$east" "$(point 'Far from all vents' 4 4)" >"$made/places.json"
call sensitivity "$made/noise.cfg" --output "$work/noise" --layers all --map-size 300x300 --map-dpi 72 --json
check "noise, places and second order" exits 0
check "each point is run three times" says '"runs":	480,'
check "... and the noise has a share of the variance" says '"noise_share":	[0-9]'
check "a table of second order" is "$(head -n 1 "$work/noise/sobol_second_order.csv")" "quantity,parameter_1,parameter_2,S2,S2_conf"
check "... with the numbers of the summary, and an interval where there is an index" awk -F, '($4 - $9) ^ 2 + ($5 - $10) ^ 2 > 1e-20 || $2 != $7 || $3 != $8 ||
    ($4 == "") != ($5 == "") { exit 1 } { n += $5 > 0 } END { exit n < 9 }' <(paste -d, <(sed 1d "$work/noise/sobol_second_order.csv") <(jq -r '.sobol as $s |
    $s.quantities | keys_unsorted[] as $q | .[$q] as $v | range($s.names | length) as $i | range($i + 1; $s.names | length) as $j |
    [$q, $s.names[$i], $s.names[$j], $v.S2[$i][$j], $v.S2_conf[$i][$j]] | map(. // "" | tostring) | join(",")' "$work/noise/summary.json"))
check "scores of each and of all" grep -q ',score,score_outline,score_runout_2h,' "$work/noise/sobol_points.csv"
check "places of like names are told apart" grep -q 'reached_Far_away,arrival_Far_away_h,reached_Far_away_2,arrival_Far_away_2_h,reached_East,arrival_East_h' "$work/noise/sobol_points.csv"
check "where no lava comes it comes later than where some does" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { came = $at["reached_East"]; h = $at["arrival_East_h"] } came == 1 && h > latest { latest = h } came == 0 && (!dry || h < first) { first = h; dry++ } { all += came == 1 }
    END { exit !(all > 9 && dry && first >= latest && latest > 0) }' "$work/noise/sobol_points.csv"
call sensitivity "$made/noise.cfg" --output "$work/noise" --layers all --map-size 300x300 --map-dpi 72 --resume
check "a long name ends before what is said of it" says '^  reached_Far_from_all_vents the same everywhere$'
check "what is the same everywhere has no index" grep -q '^reached_Far_away,Pcool,,,,$' "$work/noise/sobol.csv"
check "a critical thickness decides whether lava arrives east" above "$(cell noise sobol.csv reached_East 'Phc(Tvent)' 5)" 0.3
check "... and when" above "$(cell noise sobol.csv arrival_East_h 'Phc(Tvent)' 5)" 0.3

# ---- each run of a few points once more, as members of an ensemble: means, and the share of the noise in their variance
grep -v '^samples\|^second_order\|^fit_rate\|^observed\|^assets' "$made/noise.cfg" >"$made/few.cfg" && echo 'samples 4' >>"$made/few.cfg"
call sensitivity "$made/few.cfg" --output "$work/few" --layers all --map-size 300x300 --map-dpi 72 --quiet
awk -F, 'NR == 1 { for (i = 2; i <= 4; i++) printf "%s,", $i; print "weight,terrain_seed"; next } { for (n = 0; n < 3; n++) printf "%s,%s,%s,1,%d\n", $2, $3, $4, n }' \
    "$work/few/sobol_points.csv" >"$made/few.csv"
{ grep -v '^fit\|^samples\|^noise\|^method\|^resamples\|^confidence\|^traj' "$made/few.cfg" && echo 'member_table few.csv'; } >"$made/members.cfg"
call ensemble "$made/members.cfg" --output "$work/members" --layers members --map-size 300x300 --map-dpi 72 --quiet
column area_m2 "$work/members/members.csv" | awk 'NR % 3 == 1 { s = q = 0 } { s += $1; q += $1 * $1 } NR % 3 == 0 { printf "%.9g %.9g\n", s / 3, (q - s * s / 3) / 6 }' >"$work/anew"
column area_m2 "$work/few/sobol_points.csv" | paste - "$work/anew" >"$work/both"
check "the mean of each point" awk '{ wrong += ($1 - $2) ^ 2 > 1e-10 * $2 ^ 2; n += $3 > 0 } END { exit !(NR == 20 && n > 10 && !wrong) }' "$work/both"
share() { awk '{ sum += $3 } END { printf "%.6g\n", sum / NR / '"$(json .sobol.quantities.area_m2.variance "$work/few/summary.json")"' }' "$work/both"; }
check "... and of all the noise, $(share) of the variance" is "$(json .sobol.quantities.area_m2.noise_share "$work/few/summary.json" | xargs printf '%.6g')" "$(share)"

# ---- a plan for both
{ cat "$plan" && echo 'evaluations 8'; } >"$made/both.cfg"
call calibrate "$made/both.cfg" --output "$work/calibrated" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "the same plan is one of a calibration" exits 0
call sensitivity "$made/both.cfg" --method morris --trajectories 2 --output "$work/screened" --layers all --map-size 300x300 --map-dpi 72 --quiet
check "and of a sensitivity analysis" exits 0

# ---- what is refused
# bad WHAT PATTERN LINE...: the case with these lines
bad() {
    local what=$1 pattern=$2
    shift 2
    { cat "$made/volcano.cfg" && echo 'max_steps 120' && printf '%s\n' "$@"; } >"$made/bad.cfg"
    refused 2 "$what" "$pattern" sensitivity "$made/bad.cfg" --output "$work/none"
    check "$what: leaves nothing" [ ! -e "$work/none" ]
}
fits='fit_Pcool 1 10'
bad "nothing varies" 'names no parameter to vary; add a line'
bad "an odd number of levels" 'give an even number' "$fits" 'levels 5'
bad "one sample" 'give a value from 2 to' "$fits" 'samples 1'
bad "an unknown method" 'give morris, sobol or both' "$fits" 'method fast'
bad "second order of what" 'give yes or no' "$fits" 'second_order 1'
bad "too sure" 'give a value from 0.5 to' "$fits" 'confidence 1'
bad "too many runs" '14000000 runs; at most 10000000' "$fits" 'terrain_error_m 1' 'noise_members 4000' 'trajectories 1000' 'samples 500'
bad "noise without noise" 'noise_members 4 needs an error of the terrain; give terrain_error_m' "$fits" 'noise_members 4'
bad "a point that cannot be run" 'a point between the bounds cannot be run: draws PTvent = ' 'fit_PTvent 1100 1400'
bad "vents off the terrain" 'a point between the bounds cannot be run: ' 'fit_vent_east_m -100000 100000'
bad "members" 'draws no members' "$fits" 'members 10'
bad "a score of all runs together" "'score ensemble' judges many runs together" "$fits" 'score ensemble'
bad "an outline that is not there" 'missing.json' "$fits" 'observed_outline missing.json at 1'
many() {
    printf '{"type":"FeatureCollection","features":['
    for ((i = 0; i < 64; i++)); do point "p$i" 5 5 && printf ','; done
    point last 5 5
    printf ']}'
}
many >"$made/many.json"
bad "too many places" 'has 65 places; a sensitivity analysis computes indices for at most 64 places' "$fits" 'assets many.json'
refused 2 "a sensitivity plan as a case" 'use sciara calibrate or sciara sensitivity' run "$plan" --output "$work/none"
refused 2 "a page" 'give a list of png, svg and pdf, separated by commas' sensitivity "$plan" --format html --output "$work/none"
refused 2 "the state of another seed" 'was written with another plan \(seed 5, now 7\)' sensitivity "$plan" --seed 7 --resume --output "$work/one"
head -c -1 "$work/one/sensitivity.state" >"$work/state" && mv "$work/state" "$work/one/sensitivity.state"
refused 2 "a state that is damaged" 'damaged; remove it' sensitivity "$plan" --resume --output "$work/one"
report
