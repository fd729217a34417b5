#!/bin/bash
# test_ensemble.sh — `sciara ensemble` and `sciara merge` from the command line: one set of bits for any number of
# threads, for shards that are merged, and after Ctrl-C, kill -9 and a full disk; what is refused; what a GIS says.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/ensemble
. tests/check.sh
needs_sciara
needs "no /proc to see what a program is doing" [ -r /proc/self/status ]
export OMP_NUM_THREADS=1

. tests/eruptions.sh
make_plan 'run_h 30' 'exceed_m 1 3' 'arrive_within_h 6 12'
members=$(($("$sciara" ensemble "$plan" --list | wc -l) - 1))
check "the plan has members enough to be cut up" [ "$members" -gt 50 ]

# ---- whole, on one thread and on several
call ensemble "$plan" --output "$work/one" --layers all --map-size 300x300 --map-dpi 72 --threads 1
check "it ends well" exits 0
check "and says how many members there were" says "^members +$members of $members"
check "it shows no progress where nobody looks" silent stderr
digest=$(digest "$work/one")
check "there is a digest" [ ${#digest} = 16 ]
call ensemble "$plan" --output "$work/three" --layers all --map-size 300x300 --map-dpi 72 --threads 3 --json
check "JSON is all that --json prints" says '"digest":	"'"$digest"'"'
check "three threads leave the same files" same_files "$work/one" "$work/three"
check "pictures are PNG alone" [ -z "$(find "$work/one" -name '*.svg' -o -name '*.pdf')" ]
check "... beside a page" [ -s "$work/one/report.html" ]
check "most members differ" [ "$(cut -d, -f 1-99 "$work/one/members.csv" | grep -o '[0-9a-f]\{16\},' | sort -u | wc -l)" -gt 50 ]

# ---- a member alone
row=$(grep '^17,' "$work/one/members.csv")
call run "$plan" --member 17 --variant reference --output "$work/alone" --json --format geotiff
check "a member alone has the digest that the table says" grep -q "$(digest "$work/alone")," <<<"$row"

# ---- shards
for i in 1 2 3; do
    call ensemble "$plan" --output "$work/part$i" --shard $i/3 --quiet
    check "shard $i: ends well" exits 0
    check "shard $i: says that it is a part" grep -q "\"text\":.\"shard $i/3 is a part of the members" "$work/part$i/summary.json"
    check "shard $i: no layers of a part" [ -z "$(find "$work/part$i" -name '*.tif')" ]
done
call merge "$work/part2" "$work/part1" "$work/part3" --output "$work/merged" --layers all --map-size 300x300 --map-dpi 72 --format pdf,svg,html
check "merging ends well" exits 0
check "shards leave the same files" same_files "$work/one" "$work/merged"
check "... and maps as PDF and SVG, once each" [ "$(cd "$work/merged" && echo map_*.pdf map_*.svg)" = \
    "map_arrival.pdf map_probability.pdf map_thickness.pdf map_arrival.svg map_probability.svg map_thickness.svg" ]
check "... which are listed" [ "$(grep -c '"name":.*"map_[a-z]*\.\(png\|svg\|pdf\)"' "$work/merged/summary.json")" = 9 ]
check "... with text as text" grep -q '>Probability that lava arrives: [^<]*</text>' "$work/merged/map_probability.svg"
check "... and its page" grep -q '<!-- sciara report -->' "$work/merged/report.html"
if command -v pdfinfo >/dev/null; then
    check "a PDF has a page" [ "$(pdfinfo "$work/merged/map_probability.pdf" | sed -n 's/^Pages: *//p')" = 1 ]
else
    skip "the pages of a PDF: pdfinfo is not installed"
fi
check "and the same digest" [ "$(digest "$work/merged")" = "$digest" ]
refused 2 "a shard twice" "another folder has too; name each shard once" \
    merge "$work/part1" "$work/part1" --output "$work/none"
check "... leaves nothing" [ ! -e "$work/none" ]
call merge "$work/part1" "$work/part3" --output "$work/most" --map-size 300x300 --map-dpi 72
check "two of three shards can be merged" exits 0
check "... and the report says what is missing" says "^members +[0-9]+ of $members"
call ensemble "$plan" --output "$work/most" --map-size 300x300 --map-dpi 72 --resume --quiet
check "what is missing can be computed there" [ "$(digest "$work/most")" = "$digest" ]

# ---- Ctrl-C
# Whether it computes: it catches SIGTERM from then on
computes() {
    [ "$(readlink "/proc/$child/exe")" = "$sciara" ] &&
        [ $((16#$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$child/status") & 0x4000)) != 0 ]
}
tell() { # tell SIGNAL FOLDER OPTION...
    rm -rf "$2"
    "$sciara" ensemble "$plan" --output "$2" --layers all --map-size 300x300 --map-dpi 72 --threads 1 --quiet "${@:3}" 2>"$work/said" &
    child=$!
    wait_until computes
    sleep 0.03
    kill -"$1" $child
    wait $child
    code=$?
}
in_time tell INT "$work/stopped" --format svg,html 2>/dev/null
check "Ctrl-C: exit status 130" [ $code = 130 ]
check "Ctrl-C: says nothing" [ ! -s "$work/said" ]
check "Ctrl-C: what there is is written" [ -s "$work/stopped/map_probability.png" ]
check "Ctrl-C: as SVG and page, too" [ -s "$work/stopped/map_probability.svg" -a -s "$work/stopped/report.html" ]
check "Ctrl-C: and called interrupted" [ "$(value end "$work/stopped/summary.json")" = interrupted ]
refused 2 "going on without --resume" "unfinished study" ensemble "$plan" --output "$work/stopped"
refused 2 "another shard there" "belongs to shard 1/1, not to 2/3" \
    ensemble "$plan" --output "$work/stopped" --resume --shard 2/3
call ensemble "$plan" --output "$work/stopped" --layers all --map-size 300x300 --map-dpi 72 --resume --quiet
check "after Ctrl-C: the same files" same_files "$work/one" "$work/stopped"
check "after Ctrl-C: pictures of before are gone" [ -z "$(find "$work/stopped" -name '*.svg')" ]
echo mine | tee "$work/stopped/map_arrival.svg" >"$work/stopped/timeline.svg"
refused 2 "--resume over a picture of somebody else's" 'map_arrival\.svg: would be overwritten' \
    ensemble "$plan" --output "$work/stopped" --layers map_arrival --resume --format svg
call ensemble "$plan" --output "$work/stopped" --layers all --map-size 300x300 --map-dpi 72 --resume --format pdf
check "--resume where all is done: the same digest" says "^digest +$digest"
check "--resume: with another format" [ -s "$work/stopped/map_probability.pdf" ]
refused 2 "a new one over a picture of somebody else's" 'map_arrival\.svg: would be overwritten' \
    ensemble "$plan" --output "$work/stopped" --layers map_arrival --format svg
call ensemble "$plan" --output "$work/stopped" --layers all --map-size 300x300 --map-dpi 72 --threads 2 --quiet
check "a finished ensemble gives way to a new one" same_files "$work/one" "$work/stopped"
check "... with its pictures" [ ! -e "$work/stopped/map_probability.pdf" ]
check "... and not with those of others" [ "$(cat "$work"/stopped/*.svg | tr '\n' ' ')" = 'mine mine ' ]

# ---- kill -9, and --resume where there is nothing yet
in_time tell KILL "$work/killed" --resume 2>/dev/null
check "kill -9: it is dead" [ $code = 137 ]
call ensemble "$plan" --output "$work/killed" --layers all --map-size 300x300 --map-dpi 72 --resume --quiet
check "after kill -9: the same files" same_files "$work/one" "$work/killed"
check "after kill -9: no temporary file is left" [ -z "$(find "$work/killed" -name '.sciara-*' -mmin +1)" ]

# ---- a full disk: the state fits, a map does not
(ulimit -f 200 && keep "$sciara" ensemble "$plan" --output "$work/full" --layers all --quiet && exit "$code")
code=$?
check "a full disk: exit status 1" exits 1
check "a full disk: says so" complains "cannot be written: File too large"
call ensemble "$plan" --output "$work/full" --layers all --map-size 300x300 --map-dpi 72 --resume --quiet
check "after a full disk: the same files" same_files "$work/one" "$work/full"

# ---- lava at rest: what vents keep hot does not count
{
    grep -Ev '^(vent_grid|run_h|assets)' "$plan"
    printf '%s\n' 'vent_grid_m 600' 'vent_grid_box 500300 4170300 500900 4170900' 'run_h 400'
} >"$work/made/long.cfg"
(cat "$work/made/long.cfg" && echo "stop_at_rest yes") >"$work/made/rest.cfg"
(cat "$work/made/long.cfg" && echo "stop_when_mobile_below_m 0.01") >"$work/made/cold.cfg"
for which in long rest; do call ensemble "$work/made/$which.cfg" --output "$work/$which" --layers all --map-size 300x300 --map-dpi 72 --quiet; done
call ensemble "$work/made/cold.cfg" --output "$work/cold" --map-size 300x300 --map-dpi 72 --quiet
check "stop_at_rest: two members come to rest" [ "$(value at_rest "$work/rest/summary.json")" = 2 ]
check "... which they would not if lava at vents counted" [ "$(value at_rest "$work/cold/summary.json")" = 0 ]
# same_lava A B: all layers but for the digest that they name
same_lava() {
    local file count=0
    for file in "$work/$1"/*.tif; do
        "$sciara" compare "$file" "$work/$2/$(basename "$file")" >/dev/null || return 1
        count=$((count + 1))
    done
    [ $count -gt 15 ]
}
check "stop_at_rest: it changes no layer" same_lava rest long
row=$(grep '^1,' "$work/rest/members.csv")
call run "$work/made/rest.cfg" --member 1 --variant reference --output "$work/rested" --json --format geotiff
check "stop_at_rest: a member alone stops there, too" grep -q "$(digest "$work/rested")," <<<"$row"
check "... before its end" [ "$(value stopped "$work/rested/summary.json")" = true ]
sed '/^run_h/d' "$work/made/rest.cfg" >"$work/made/endless.cfg"
refused 2 "stop_at_rest without an end" "lava in a hollow at a vent may stay hot for ever; give run_h" \
    ensemble "$work/made/endless.cfg" --output "$work/none"
(cat "$work/made/cold.cfg" && echo "stop_at_rest yes") >"$work/made/both.cfg"
refused 2 "two stopping rules" "stop_at_rest and stop_when_mobile_below_m are both given; remove one" \
    ensemble "$work/made/both.cfg" --output "$work/none"

# ---- until it is sure
(cat "$plan" && echo "members 400") >"$work/made/drawn.cfg"
call ensemble "$work/made/drawn.cfg" --output "$work/sure" --map-size 300x300 --map-dpi 72 --until-error 0.08 --json
done=$(value "done" "$work/sure/summary.json")
check "--until-error: stops before the end" [ "$done" -ge 64 ]
check "--until-error: at a number that depends on the plan alone" [ "$done" = 64 ]

# ---- what it prints at its end
sed 's/^members .*/members 8/' "$work/made/drawn.cfg" >"$work/made/few.cfg"
call ensemble "$work/made/few.cfg" --output "$work/few" --map-size 300x300 --map-dpi 72 --until-error 0.01
check "an error that is not reached" exits 0
check "... leaves few files" [ "$(ls "$work/few" | paste -sd' ')" = "arrival_p05_h.tif arrival_p95_h.tif assets.csv ensemble.state map_probability.png probability.tif record.zip report.html shown.json summary.json thickness_p95_m.tif" ]
check "... and what they were made of in the record" cmp <(unzip -p "$work/few/record.zip" members.csv | cut -d, -f1) <(seq 0 7 | sed '1i member')
check "... is reported, with the members that it needs" \
    says '^warning +the standard error 0\.01 that was requested is not reached; it needs about [0-9]{3,5} members$'
check "... after the area" says '^covered area  mean 0\.[0-9]+ km2, 5 to 95 %: 0\.[0-9]+ to 0\.[0-9]+ km2$'
check "... and the probability at each place" [ "$(grep -cE '^  (Hut|Road) +([0-9.]+ % ± [0-9.]+|(all|none) of 8 \((above|below) [0-9.]+ %\))(, [0-9.]+ to [0-9.]+ h)?$' "$work/stdout")" = 2 ]
check "... and the map to look at" says "^open +$work/few/report\.html$"
cp "$work/stdout" "$work/printed"
call ensemble "$work/made/few.cfg" --output "$work/few" --layers all --map-size 300x300 --map-dpi 72 --until-error 0.01 --resume --format html
check "... or its page" says "^open +$work/few/report\.html$"
cp "$work/printed" "$work/stdout"
probability=$(sed -n 's/^  Road  *\([0-9.]*\) %.*/\1/p' "$work/stdout")
check "... as in assets.csv" awk -F, -v p="$probability" '$1 == "Road" { found = 1; bad = (100 * $4 - p) ^ 2 > unit * unit / 4 + 1e-9 }
    BEGIN { unit = 10 ^ -(index(p, ".") ? length(p) - index(p, ".") : 0) } END { exit bad || !found }' "$work/few/assets.csv"

# ---- what is refused
refused 2 "shard 0/3" "give I/N, such as 3/16" ensemble "$plan" --shard 0/3
refused 2 "shard 4/3" "give I/N" ensemble "$plan" --shard 4/3
refused 2 "shard 1/3x" "give I/N" ensemble "$plan" --shard 1/3x
refused 2 "pictures of a shard" "a picture shows all members, so a shard has none; give --format to sciara merge" \
    ensemble "$plan" --shard 1/3 --format pdf
refused 2 "another format" "give a list of png, svg, pdf, kmz, qgis and html, separated by commas" ensemble "$plan" --format svg,gif
refused 2 "more shards than members" "has only $members members" ensemble "$plan" --shard 1/99999
refused 2 "an error of 1" "give a probability below 1" ensemble "$plan" --until-error 1
refused 2 "--until-error of a shard" "remove one of the two" \
    ensemble "$work/made/drawn.cfg" --shard 1/2 --until-error 0.1
refused 2 "--until-error of vents with classes" "are a list, and its first members are not a sample; give 'members N'" \
    ensemble "$plan" --until-error 0.1 --output "$work/none"
refused 2 "a folder without a state" "made: holds no ensemble.state; name the folder of a shard" merge "$work/made" --output "$work/none"
refused 2 "a part that is not there" "gone/library.gpkg: cannot be opened: No such file or directory; check the name$" \
    merge "$work/part1" "$work/gone/library.gpkg" --output "$work/none"
refused 2 "no plan" "nowhere.cfg" ensemble "$work/nowhere.cfg"
sed -i 's/^run_h .*/run_h 29/' "$plan"
refused 2 "a plan that has changed" "was written with another plan \(run_h 30, now 29\)" ensemble "$plan" --output "$work/stopped" --resume
refused 2 "a shard of a plan that has changed" "was written with another plan \(run_h 30, now 29\); restore that plan, or compute it anew$" merge "$work/part1" --output "$work/none"
printf 'x' >>"$work/stopped/ensemble.state"
sed -i 's/^run_h .*/run_h 30/' "$plan"
refused 2 "a damaged state" "or damaged; remove it" ensemble "$plan" --output "$work/stopped" --resume
sed -i 's/500405/900405/' "$work/made/places.json"
call info "$plan"
check "a place that is not on the terrain is skipped" says '^warning .*all of 1 of 2 features'
sed -i 's/\[50/[90/g' "$work/made/places.json"
refused 2 "places that are not on the terrain" 'lies outside the terrain' ensemble "$plan" --output "$work/none"
check "what is refused leaves nothing" [ ! -e "$work/none" ]

# ---- what others say
validator=osgeo_utils.samples.validate_cloud_optimized_geotiff
if /usr/bin/python3 -c "import $validator" 2>/dev/null; then
    invalid=$(/usr/bin/python3 -W ignore -c "import sys; from $validator import main
for layer in sys.argv[1:]: main(['', '-q', layer]) and print(layer)" "$work"/one/*.tif 2>&1)
    check "GDAL's validator: all layers" [ -z "$invalid" ]
    [ -z "$invalid" ] || echo "$invalid"
else
    skip "GDAL's validator of Cloud Optimized GeoTIFFs: python3-gdal is not installed"
fi
report
