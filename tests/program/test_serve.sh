#!/bin/bash
# `sciara serve`: the life of a session, what is refused and how, a run that a change cancels, cases that are saved,
# 200 hostile requests, memory after 1,000 runs (SERVE_RUNS: another number), and 20 streams that are closed in a folder
# (SERVE_CLOSINGS).
# tests: input/drawing, program/serve
# shellcheck source=tests/check.sh
. tests/check.sh
. tests/parts.sh
each=yes
needs_sciara
needs "sciara is built without libmicrohttpd" "$sciara" serve --help
built() { ! "$sciara" serve /dev/null --no-open 2>&1 | grep -q libmicrohttpd; }
needs "sciara is built without libmicrohttpd" built
needs "python3 is not installed" /usr/bin/python3 -c 'import http.client'

address='' saved=$work/saved
open=--no-open
serve() { # serve INPUT...: starts it and waits for its address
    rm -f "$work/out"
    # shellcheck disable=SC2086 # none or one word
    rm -f "$work/out" # (of the one before)
    TMPDIR=$work/tmp "$sciara" serve "$@" $open --output "$saved" >"$work/out" 2>"$work/err" &
    child=$!
    wait_until has_address "$work/out"
    address=$(grep -o 'http://[^ ]*' "$work/out")
}
end() { # ends it as Ctrl-C does
    kill -INT "$child" && wait "$child"
}
start_parts tests/program/serve_client.py
client() { part "$address" "$@"; }
digest_of() { "$sciara" run "$@" --no-output --json | jq -r .digest; }

"$sciara" terrain "$work/made" --size 60 --quiet >/dev/null
case=$work/made/$(cd "$work/made" && echo *.cfg)
mkdir "$work/tmp"

terrains=yes
"$sciara" dem "$work/made/terrain.tif" --output "$work/prepared.tif" --quiet 2>"$work/dem" || { terrains='' && skip "no terrain is prepared: $(head -1 "$work/dem")"; }
serve "$case"
check "it prints an address with a key, on this machine" grep -q '^page .*http://127\.0\.0\.1:[0-9]*/?key=[0-9a-f]\{32\}$' "$work/out"
check "a session: facts, page, run with the digest of sciara run" client life "$(digest_of "$case")"
check "what is refused names the object" client refusals
check "a change, and a closed browser, cancel a run" client cancel
check "a saved case has the digest that was shown, and names stay in the folder" client save "$sciara" "$saved"
mkdir "$work/sent" && cp -r "$saved/drawn-1" "$work/sent" && mv "$work/made" "$work/away"
check "... and is sent alone, with what is small" [ "$(digest_of "$work/sent/drawn-1/drawn-1.cfg")" = "$(mv "$work/away" "$work/made" && digest_of "$saved/drawn-1/drawn-1.cfg")" ]
check "... which it has a copy of" cmp "$work/made/terrain.tif" "$saved/drawn-1/terrain.tif"
check "forecasts of a saved case have their own files" client forecasts
check "keys of the case" client keys "$sciara"
check "files of a run" client export "$work/tmp"
check "an ensemble grows, stops and continues, with the digest of sciara ensemble" client ensemble "$sciara" "$work/tmp"
check "with barriers and without" client pairs
check "200 hostile requests" client hostile
if [ -n "$terrains" ]; then
    mkdir "$work/secret" && cp "$work/made/terrain.tif" "$work/secret"
    check "terrains that are sent are opened, or prepared" client terrains "$sciara" "$saved"
    check "... nothing leads out of their folder" client hostile_terrains "$saved" "$work/secret/terrain.tif"
fi
if grep -q __asan_init "$sciara"; then
    skip "memory of runs in a row: a sanitizer keeps what is freed"
else
    check "${SERVE_RUNS:=1000} runs in a row keep memory flat" client many "$child" "$SERVE_RUNS"
fi
check "Ctrl-C ends it" end
check "nothing is left of it, and nothing was said" [ "$(find "$work/tmp" -name 'sciara-*' && cat "$work/err")" = '' ]
[ -z "$terrains" ] || check "... but the terrains that were opened" [ "$(cd "$saved/terrains" && echo *)" = "a a.tif lava lava-2 lava-2.tif lava-3 lava.tif marked marked.tif" ]

# a browser is opened: no word of a command that others can read has the key
mkdir "$work/bin"
printf '%s\n' '#!/bin/sh' "echo \"\$@\" >'$work/opened'" "tr '\\0' ' ' <\"\$1\" >/dev/null && cp \"\$1\" '$work/page.html'" \
    "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >'$work/processes'" "mv '$work/processes' '$work/listed'" >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
export PATH=$work/bin:$PATH
open='' DISPLAY=:0 XDG_RUNTIME_DIR='' serve "$case"
key=${address#*key=}
wait_until [ -s "$work/listed" ]
check "it opens a browser: the list of processes has no key" [ "$(grep -c xdg-open "$work/listed") $(grep -c "$key" "$work/listed")" = '1 0' ]
check "... with a file that nobody else can read" client opened "$(cat "$work/opened")" 600
check "Ctrl-C ends it, with that file" end
check "... which is removed" [ ! -e "$(cat "$work/opened")" ]

serve "$case" --listen 0.0.0.0
check "at all addresses: each that is printed answers" [ "$(grep -c 'http://' "$work/out") $(grep -c '0\.0\.0\.0' "$work/out")" != '0 0' ]
while read -r address; do check "... $address" client reached; done < <(grep -o 'http://[^ ]*' "$work/out")
check "... none of them is 0.0.0.0" [ "$(grep -c 'http://0\.0' "$work/out")" = 0 ]
check "Ctrl-C ends it at all of them" end

saved=$work/again # a terrain alone
awk 'BEGIN { print "ncols 260\nnrows 258\nxllcorner 500000\nyllcorner 4170000\ncellsize 10"
    for (i = 0; i < 258; i++) { for (k = 0; k < 260; k++) printf "%.2f ", 900 - i + 3 * sin(k / 7) + (i * k) % 13 / 10; print "" } }' \
    >"$work/dem.asc"
serve "$work/dem.asc" --language=it --threads 2
check "tiles of the terrain" client terrain "$work/dem.asc"
check "a drawing on a terrain alone is a case of its own" client save "$sciara" "$saved"
check "Ctrl-C ends it, too" end

coast=$work/made/coast.cfg # a sea, barriers of a file, one of them later, and a title with a #
{
    sed '/^title/d' "$case"
    printf '%s\n' 'title "Coast #1"' 'sea_level 80' 'barriers walls.csv'
} >"$coast"
printf '%s\n' barrier,x,y,height_m,depth_m,from 1,500150,4170250,20,, 1,500350,4170250,,, 2,500300,4170200,,4,5h 2,500400,4170400,,, \
    >"$work/made/walls.csv"
serve "$coast"
check "a case with a sea and barriers" client life "$(digest_of "$coast")"
check "... of which each can be changed" client coast
check "... and Ctrl-C ends it" end

# so large a terrain that a run holds a part of it, which grows with the lava, while that of the second vent has long been solid
"$sciara" terrain "$work/wide" --size 1030 --quiet >/dev/null
wide=$work/wide/volcano.cfg
sed -i 's/^max_steps .*/max_steps 300/' "$wide"
printf '%s\n' vent,from_h,to_h,rate_m3_s 1,0,48,80 2,0,0.5,1 >"$work/wide/rates.csv"
awk -F, -v OFS=, '$1 == 2 { $3 += 60 } 1' "$work/wide/vents.csv" >"$work/wide/apart.csv" && sed -i 's/^vents .*/vents apart.csv/' "$wide"
serve "$wide"
check "a part that grows: what has not changed is not sent again" client life "$(digest_of "$wide")"
check "... and is named from what is saved" client named "$saved/far" '^dem  *\.\./\.\./wide/terrain\.tif$'
check "... until Ctrl-C ends it" end
rm -r "$work/wide"

# the observed outline, on a terrain of more than 2^24 cells as on a small one, and one that covers most of it
square() { # WEST SOUTH SIDE:
    printf '%s' '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32633"}},"features":[' \
        '{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[['"[$1,$2],[$(($1 + $3)),$2],[$(($1 + $3)),$(($2 + $3))],[$1,$(($2 + $3))],[$1,$2]"']]}}]}'
}
mkdir "$work/seen" && cp "$work/made"/* "$work/seen"
square 500103 4170107 255 >"$work/seen/seen.geojson"
square 485000 4145000 30000 >"$work/seen/wide.geojson"
printf '%s\n' '<VRTDataset rasterXSize="5000" rasterYSize="5000"><SRS>EPSG:32633</SRS><GeoTransform>480000,10,0,4190000,0,-10</GeoTransform>' \
    '<VRTRasterBand dataType="Float32" band="1"><NoDataValue>-9999</NoDataValue><SimpleSource><SourceFilename relativeToVRT="1">terrain.tif</SourceFilename>' \
    '<SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="60" ySize="60"/><DstRect xOff="2000" yOff="1940" xSize="60" ySize="60"/>' \
    '</SimpleSource></VRTRasterBand></VRTDataset>' >"$work/seen/large.vrt"
awk -F, -v OFS=, 'NR > 1 { $2 += 1940; $3 += 2000 } 1' "$work/made/vents.csv" >"$work/seen/large.csv"
{ cat "$case" && echo outline seen.geojson; } >"$work/seen/small.cfg"
sed 's/^dem .*/dem large.vrt/; s/^vents .*/vents large.csv/' "$work/seen/small.cfg" >"$work/seen/large.cfg"
sed 's/^outline .*/outline wide.geojson/' "$work/seen/large.cfg" >"$work/seen/wide.cfg"
sed 's/^outline .*/outline cut.geojson/' "$work/seen/large.cfg" >"$work/seen/cut.cfg"
if "$sciara" info "$work/seen/large.cfg" >/dev/null 2>"$work/vrt"; then
    outline=$(cat "$work/seen/seen.geojson")
    for name in small large; do
        serve "$work/seen/$name.cfg"
        check "the outline on a $name terrain" client outline "$work/$name.json"
        check "... ends with Ctrl-C" end
    done
    check "... is one" client same_outline "$work/small.json" "$work/large.json"
    serve "$work/seen/wide.cfg"
    check "a wide outline has larger cells" client thinned 485000 4145000 30000
    check "... and ends with Ctrl-C" end
    echo "$outline" >"$work/seen/cut.geojson" && serve "$work/seen/cut.cfg"
    head -c 100 <<<"$outline" >"$work/seen/cut.geojson"
    check "an outline that cannot be read is said" client refused_outline
    check "... until Ctrl-C ends that" end
    sed 's/xOff="2000" yOff="1940"/xOff="2018" yOff="2018"/' "$work/seen/large.vrt" >"$work/seen/terrain.vrt"
    serve "$work/seen/terrain.vrt"
    check "tiles of a large terrain join" client seams
    check "... until Ctrl-C ends them" end
else
    skip "no VRT: $(head -1 "$work/vrt")"
fi
rm -r "$work/seen"

"$sciara" plan "$case" | sed 's/^members .*/members 12/' >"$work/made/plan.cfg"
"$sciara" ensemble "$work/made/plan.cfg" --keep --quiet --map-size 300x300 --map-dpi 72 --output "$work/kept" >/dev/null
serve "$work/kept/library.gpkg"
check "a library answers questions" client library "$(digest "$work/kept")" "$work/kept/library.gpkg"
check "Ctrl-C ends it likewise" end

sed 's/^rates .*/observed_rates observed.csv/; s/^max_steps .*\|^run_h .*/stop_when_mobile_below_m 30/; s/^vary_rate_factor.*/rates_error 1.5/; s/^members .*/members 12/' "$work/made/plan.cfg" >"$work/made/observed.cfg"
awk -F, -v OFS=, 'NR > 1 { $2 /= 4; $3 /= 4 } { print $0, NR == 1 ? "factor" : 1.3 }' "$work/made/rates.csv" >"$work/made/observed.csv"
serve "$work/made/observed.cfg"
check "a plan with observed rates and no end" client planned "$sciara" "$work/made/observed.cfg"
check "... until Ctrl-C ends it" end
printf '%s\n' time_h,radiant_power_MW 0,0 6,800 12,400 >"$work/made/observed.csv"
sed -i '/^rates_error/d' "$work/made/observed.cfg" && echo 'radiant_density 2e8 factor 1.5' >>"$work/made/observed.cfg"
serve "$work/made/observed.cfg"
check "a plan with radiant power" client power "$saved"
check "... until Ctrl-C ends that" end
rm -r "$work"/made/observed*

# of the files of the room, in this order, each calls those before it alone
one_way() {
    local order=(addresses http ground frames session drawn many study_stream ask run_stream save forecast answers received prepare offered served serving)
    [ "$(printf '%s\n' "${order[@]}" | sort)" = "$(basename -s .c src/program/serve/*.c | sort)" ] || return 1
    (cd "$build/obj/src/program/serve" && nm -A -g "${order[@]/%/.o}") | awk -F '[: ]+' -v order="${order[*]}" '
        BEGIN { for (i = split(order, name, " "); i; i--) place[name[i] ".o"] = i }
        $(NF - 1) ~ /[Uw]/ { calls[$1, $NF] = place[$1]; next }
        { defined[$NF] = $1; count++ }
        END { for (call in calls) { split(call, of, SUBSEP)
                  if (of[2] in defined && place[defined[of[2]]] > calls[call]) { print of[1] " calls " of[2]; bad = 1 } }
              exit bad || count < 30 }'
}
check "files call each other one way" one_way

# a folder: what is in it, but no layers of results, nothing hidden, and nothing behind a link
house=$work/house saved=$work/third
mkdir "$house" && cp -r "$work/made" "$work/kept" "$house" && cp "$work/dem.asc" "$house/made" && mkdir "$house/.hidden" &&
    cp "$case" "$house/.hidden" && sed 's|terrain.tif|made/&|; s|vents.csv|made/&|; s|rates.csv|made/&|; s|roads.geojson|made/&|' "$case" >"$house/again.cfg" &&
    echo dem >"$house/made/bad.cfg" && ln -s "$work/made" "$house/elsewhere" && ln -s "$case" "$house/link.cfg" && echo text >"$house/notes.txt"
awk 'NR <= 5 { print; next } NR == 6 { for (i = 1; i <= NF; i++) { none = none "0 "; some = some (i > 80 && i < 180 ? "1 " : "0 ") } }
    { print (NR > 100 && NR < 130 ? some : none) }' "$work/dem.asc" >"$house/made/mask.asc" &&
    /usr/bin/python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("CREATE TABLE isochrones(fid)"); db.commit()' "$house/made/lines.gpkg"
serve "$house"
check "a folder: its files, each opened when it is asked for, and nothing else" client house "$house"
check "${SERVE_CLOSINGS:=20} streams are closed while others of its files are opened" client closings "$SERVE_CLOSINGS"
number=$(client number made/volcano.cfg)
address=${address/\?/f/$number/?}
check "a file of it has its session" client life "$(digest_of "$case")"
check "what is refused there names the object" client refusals
check "a saved case of it" client save "$sciara" "$saved"
check "Ctrl-C ends all of them" end
check "nothing is left of them" [ "$(find "$work/tmp" -name 'sciara-*' && cat "$work/err")" = '' ]
rm "$work/out"
rm -f "$work/out"
(cd "$house" && exec env TMPDIR="$work/tmp" "$sciara" serve --no-open >"$work/out" 2>"$work/err") &
child=$!
wait_until has_address "$work/out"
address=$(grep -o 'http://[^ ]*' "$work/out")
check "without an operand it serves the current folder" \
    [ "$(client folder)" = "$(cd "$house" && pwd -P)" ]
check "... until Ctrl-C" end
end_parts

check "texts and refusals in the languages of the page" /usr/bin/python3 "$root/tests/program/words_check.py"
refused 2 "an input that is not there" 'nowhere\.cfg: cannot be opened' serve "$work/nowhere.cfg" --no-open
refused 2 "an address that is not one" 'not an address' serve "$case" --no-open --listen example.com
refused 2 "a language that there is not" 'choose en, it' serve "$case" --no-open --language xx
refused 2 "a case that is wrong" 'made/bad\.cfg:1' serve "$(echo 'dem' >"$work/made/bad.cfg" && echo "$work/made/bad.cfg")" --no-open
report
