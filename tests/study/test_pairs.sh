#!/bin/bash
# test_pairs.sh — `sciara ensemble PLAN --with-and-without barriers`: what it says of either side is what an ensemble with
# the barriers says, and one without; files, table of places, resuming, and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/pairs
# shellcheck disable=SC2016 # $ of awk
. tests/check.sh
needs_sciara
export LC_ALL=C
cd "$work" || exit 1

"$sciara" terrain case --kind pyramid --size 101 --quiet || exit 1
north=$("$sciara" info case/pyramid.cfg | sed -n 's/^north_m *//p')
west=$("$sciara" info case/pyramid.cfg | sed -n 's/^west_m *//p')
at() { awk "BEGIN { printf \"%.1f,%.1f\", $west + $1 * 10, $north - $2 * 10 }"; }
printf 'barrier,x,y,height_m,name\n1,%s,15,wall\n1,%s,,\n1,%s,,\n' "$(at 40 38)" "$(at 50 42)" "$(at 62 38)" >case/wall.csv
cat >case/places.json <<JSON
{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "behind the wall"}, "geometry": {"type": "Point", "coordinates": [$(at 50.5 33.5)]}},
 {"type": "Feature", "properties": {"name": "beside it"}, "geometry": {"type": "LineString", "coordinates": [[$(at 68 50)], [$(at 72 52)]]}}]}
JSON
# --kind pyramid is symmetric: noise decides where lava goes
plan() { # plan NAME LINE...
    { cat case/pyramid.cfg && printf '%s\n' 'members 40' 'seed 7' 'max_steps 250' 'terrain_error_m 1' 'terrain_error_length_m 40' \
        'vary_rate_factor uniform 0.5 2' 'assets places.json' 'arrival_bin_h 0.5' "${@:2}"; } |
        awk '$1 == "max_steps" { if (++n == 1) next } 1' >"case/$1.cfg"
}
plan walled 'barriers wall.csv'
plan plain

call ensemble case/walled.cfg --with-and-without barriers --output pairs --layers all --map-size 300x300 --map-dpi 72
check "pairs: exit status 0" exits 0
check "... says how many" says '^pairs +40 of 40, with barriers and without$'
check "... and what is gained where" says '^  behind the wall +none of 40 \(below 7.3 %\) with, [0-9.]+ % ± [0-9.]+ without: −[0-9.]+ ± [0-9.]+ points'
check "... all files, and no others" [ "$(find pairs -type f | wc -l)" = 13 ]
check "... the summary has their number" [ "$(value 'done' pairs/summary.json)" = 40 ]
check "... the volume of the wall" grep -q '"fill_m3"' pairs/summary.json

"$sciara" ensemble case/walled.cfg --output with --layers all --map-size 300x300 --map-dpi 72 --quiet
"$sciara" ensemble case/plain.cfg --output without --layers all --map-size 300x300 --map-dpi 72 --quiet
is_rounded() { # is_rounded COLUMN COLUMN [ROWS]: equal to six digits, and so many of the second above 0
    paste <(echo "$1") <(echo "$2") | awk -v rows="${3:-40}" '($1 - $2) ^ 2 > 1e-10 * $2 * $2 { bad = 1 } { n += $2 > 0 } END { exit bad || n != rows }'
}
for side in with without; do
    check "$side: the members of an ensemble" [ "$(column "digest_$side" pairs/pairs.csv)" = "$(column digest $side/members.csv)" ]
    for name in area_m2 runout_m max_thickness_m; do
        check "$side: its $name" is_rounded "$(column "${name}_$side" pairs/pairs.csv)" "$(column $name $side/members.csv)"
    done
    check "$side: as many leave the terrain" [ "$(json ".pairs.$side.off_terrain" pairs/summary.json)" = "$(column volume_off_terrain_m3 $side/members.csv | grep -c '[1-9]')" ]
    check "$side: its probabilities at places" \
        [ "$(column "probability_$side" pairs/assets_difference.csv)" = "$(column probability $side/assets.csv)" ]
    check "$side: ... and their errors" is_rounded "$(column "probability_${side}_error" pairs/assets_difference.csv)" \
        "$(column probability_error $side/assets.csv)" "$([ $side = with ] && echo 1 || echo 2)" # with the wall none comes behind it
    check "$side: its probabilities" "$sciara" compare "pairs/probability_$side.tif" "$side/probability.tif" --quiet
done
check "the sides differ" [ "$(column digest with/members.csv)" != "$(column digest without/members.csv)" ]
check "a difference is that of the two, and what is spared less what is struck" \
    awk -F, 'NR > 1 { if (($4 - $5 - $6) ^ 2 > 1e-9 || ($9 - $8 - $6) ^ 2 > 1e-9 || $7 < 0) exit 1; n++ } END { exit n != 2 }' pairs/assets_difference.csv
check "pairs are as sure as two ensembles, or surer" \
    awk -F, 'NR > 1 { p = $4 * (1 - $4); q = $5 * (1 - $5); if ($7 > sqrt((p + q) / 40) + 1e-6) exit 1; n++ } END { exit n != 2 }' \
    pairs/assets_difference.csv

# members that are all alike: lava comes later by as much as its arrivals differ
cat >case/behind.json <<JSON
{"type": "Point", "coordinates": [$(at 63.5 36.5)]}
JSON
for side in walled plain; do
    sed '/^vary/d; /^terrain_error/d; s/^members.*/members 3/; s/^arrival_bin_h.*/arrival_bin_h 0.1/; s/places.json/behind.json/' case/$side.cfg >case/alike_$side.cfg
    "$sciara" ensemble case/alike_$side.cfg --output alike_$side --layers all --map-size 300x300 --map-dpi 72 --quiet
done
"$sciara" ensemble case/alike_walled.cfg --with-and-without barriers --output alike --layers all --map-size 300x300 --map-dpi 72 --quiet
hours() { column arrival_p50_h "alike_$1/assets.csv"; }
check "a delay is the difference of the arrivals, $(hours walled) and $(hours plain) h" awk -v a="$(hours walled)" -v b="$(hours plain)" \
    -v c="$(column arrival_difference_h alike/assets_difference.csv)" 'BEGIN { exit !(a - b > 0.2 && (a - b - c) ^ 2 < 1e-9) }'

digest=$(digest pairs)
for options in '--threads 1 --format svg,pdf' '--threads 2 --resume' '--resume'; do
    # shellcheck disable=SC2086
    call ensemble case/walled.cfg --with-and-without barriers --output again --layers all --map-size 300x300 --map-dpi 72 --quiet $options
    check "$options: exit status 0" exits 0
    check "... the same digest" [ "$(digest again)" = "$digest" ]
    wanted=$(sed -n 's/.*--format svg,pdf/map_difference.pdf map_difference.png map_difference.svg/p' <<<"$options")
    check "... the pictures asked for" [ "$(cd again && echo map_*)" = "${wanted:-map_difference.png}" ]
    [ ! "$wanted" ] || check "... with text as text" grep -q '>Probability that lava arrives, with the barriers minus without: ' again/map_difference.svg
done
call ensemble case/walled.cfg --with-and-without barriers --output json --layers all --map-size 300x300 --map-dpi 72 --json
check "--json" says '"kind":."pairs"'

"$sciara" ensemble case/walled.cfg --with-and-without barriers --output stopped --layers all --map-size 300x300 --map-dpi 72 --quiet 2>/dev/null &
child=$!
wait_until [ -e stopped ]
kill -INT $child 2>/dev/null
wait $child
check "Ctrl-C: ends, or was faster" [ $? = 130 -o -s stopped/summary.json ]
call ensemble case/walled.cfg --with-and-without barriers --output stopped --layers all --map-size 300x300 --map-dpi 72 --quiet --resume
check "... and goes on" exits 0
check "... to the same digest" [ "$(digest stopped)" = "$digest" ]

refused 2 "a plan without barriers" 'has no barriers' ensemble case/plain.cfg --with-and-without barriers --output never
refused 2 "something else" 'with-and-without' ensemble case/walled.cfg --with-and-without rain --output never
refused 2 "shards" '--shard and --with-and-without contradict' ensemble case/walled.cfg --with-and-without barriers --shard 1/2 --output never
refused 2 "a page" 'a page needs all layers; remove --with-and-without' \
    ensemble case/walled.cfg --with-and-without barriers --format pdf,html --output never
refused 2 "--until-error" '--with-and-without and --until-error contradict' ensemble case/walled.cfg --with-and-without barriers --until-error 0.1 --output never
check "nothing is left" [ ! -e never ]
report
