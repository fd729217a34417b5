#!/bin/bash
# test_maps.sh — the maps of a run: one scale, the part of the domain, sizes, formats, notes, and letters that are missing.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/run, show/map
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1
"$sciara" terrain case --size 64 --quiet
with() { # with NAME LINE...: the case and further lines
    local name=$1
    shift
    { grep -v '^title' case/volcano.cfg && printf '%s\n' "$@"; } >"case/$name.cfg"
}
run() { local name=$1 && shift && call run "case/$name.cfg" --variant reference --output "$name" "$@"; }
u16() { od -An -tu4 --endian=big -j 16 -N 8 "$1" | tr -s ' '; } # width and height of a PNG
texts() { sed -n 's/.*<text[^>]*>\(.*\)<\/text>/\1/p' "$1"; }
scale() { # the numbers beside the colour bar of an SVG, from the top
    texts "$1" | sed -n '/^total lava/,$p' | sed -n '3,$p' | grep -m 1 -n '[a-z]' >line
    texts "$1" | sed -n '/^total lava/,$p' | sed -n '3,$p' | head -n "$(($(cut -d: -f1 line) - 1))"
}

# ---- formats, titles, notes
title='Éruption – Έτνα, Этна <b>&amp;'
with words "title $title" 'map_note Unverified – exercise' 'start_time 2006-07-14T22:00'
run words 60 --every 20 --format png,svg,pdf --map-size 700x500 --maps thickness,temperature,arrival,max_thickness --layers all
check "all formats" exits 0
check "... without a complaint about letters" silent stderr
check "... of all maps" [ "$(find words -name 'map*' | wc -l)" = $((3 * (3 * 2 + 2))) ]
check "... and of the timeline" [ "$(find words -name 'timeline.*' | wc -l)" = 4 ]
check "... which are listed" [ "$(listed words | grep -c "^map_")" = 24 ]
last=$(echo words/map_000060_*.svg)
denominator() { json '.. | .scale_denominator? // empty' "$1/summary.json"; }
check "... and their scale on paper" [ "$(denominator words)" -gt 1000 ]
check "a title in any language is text" grep -qF '>Éruption – Έτνα, Этна &lt;b&gt;&amp;amp;</text>' "$last"
check "... and the note, on every map" [ "$(grep -lF '>Unverified – exercise</text>' words/map*.svg | wc -l)" = 8 ]
check "... and the date" grep -q '2006-07-15 00:00 UTC, 2 h 0 min since start, step 60' "$last"
check "... and that of a band" grep -q '>2006-07-1[45][^<,]*UTC<' words/map_arrival_*.svg
check "relief and lava are a picture in it" grep -q '<image' "$last"
check "one scale for all maps" [ "$(for map in words/map_0*.svg; do scale "$map" | tr '\n' ' '; echo; done | sort -u | wc -l)" = 1 ]
check "... which has numbers" [ "$(scale "$last" | grep -c '^[0-9.]*$')" -ge 3 ]
check "... though the thicknesses differ" [ "$(grep -h '>largest' words/map_0*.svg | sort -u | wc -l)" = 3 ]
if command -v pdftotext >/dev/null; then
    pdftotext "${last%.svg}.pdf" text
    check "the text of a PDF is text" grep -qF "Éruption – Έτνα, Этна <b>&amp;" text
    check "... the note, too" grep -qF 'Unverified – exercise' text
else
    skip "the text of a PDF: pdftotext is not installed"
fi
if command -v rsvg-convert >/dev/null; then
    rsvg-convert -w 600 "$last" -o svg.png
    check "others draw the SVG" [ "$(u16 svg.png | cut -d' ' -f2)" = 600 ]
else
    skip "another program draws the SVG: rsvg-convert is not installed"
fi
run words 60 --every 20 --format png,svg,pdf --map-size 700x500 --maps arrival --quiet
check "another run there" exits 0
check "... leaves its own maps alone" [ "$(find words -name 'map*' | wc -l)" = 3 ]
echo '<svg/>' >words/map_000020.svg
run words 60 --format svg --map-size 700x500 --quiet
check "a picture that is nobody's run" exits 2
check "... is named" complains 'map_000020\.svg: would be overwritten'
rm words/map_000020.svg

# ---- rates jump: their line in the timeline goes across and up and down, never aslant
sed 's/^rates .*/rates jumps.csv/' case/volcano.cfg >case/jumps.cfg
printf 'vent,from,to,rate_m3_s\n1,0,40min,6\n1,40min,2h,1\n2,0,1h,2\n' >case/jumps.csv
run jumps 60 --every 20 --format svg --layers all
segments() { grep -o '<path style="fill:none[^>]*>' jumps/timeline.svg | tail -n 1 | grep -oE 'M [0-9. ]+ L [0-9. ]+'; }
check "the timeline's rates: level lines, one between two changes" [ "$(segments | awk '$3 == $6 && $2 != $5' | wc -l)" = 4 ]
check "... and jumps" [ "$(segments | awk '$2 == $5 && $3 != $6' | wc -l)" = 2 ]
check "... nothing else" [ "$(segments | awk '$2 != $5 && $3 != $6' | wc -l)" = 0 ]
distances() { texts jumps/timeline.svg | grep -ioE 'run-out|distance reached' | sort -u; }
check "... and what it has of all cells that lava reached has not the name of what is of the end" [ "$(distances)" = 'distance reached' ]
of_state() { texts "$1" | grep -q "state $(value digest jumps/summary.json)"; }
check "its small print has the digest of the run" of_state jumps/timeline.svg
check "... that of a map, too" of_state jumps/map_000060.svg
check "... and that of an earlier map the digest of its own state" eval "! of_state jumps/map_000020.svg && texts jumps/map_000020.svg | grep -qE 'state [0-9a-f]{16}'"

# ---- a class with hours and minutes may need two lines: its times stay whole
with late 'title late'
run late 110 --format svg --maps arrival --quiet
texts late/map_arrival_000110.svg >lines
check "a class of hours and minutes" grep -qx "3.*h.*40.*min" lines
check "... no line begins with a unit" fails grep -Eq '^(d|h|min)\b' lines

# ---- the scale that is asked for, and what is drawn beside the computation
with scaled 'title scaled' 'map_scale 0 12' 'map_extent domain'
run scaled 60 --every 20 --format svg --map-size 700x500 --quiet
check "a scale of one's own" [ "$(scale scaled/map_000020.svg | tr '\n' ' ')" = '0 2 4 6 8 10 12 ' ]
check "... of the last map, too" [ "$(scale scaled/map_000060.svg | tr '\n' ' ')" = '0 2 4 6 8 10 12 ' ]
check "the whole domain" fails grep -q 'Location' scaled/map_000060.svg
"$sciara" terrain large --size 200 --quiet
call run large/volcano.cfg 10 --format svg --map-size 700x500 --quiet --output flow
check "the flow alone, with a locator" grep -q 'Location' flow/map_000010.svg

# ---- the same bytes each time
with again 'title again'
run again 60 --every 30 --format png --map-size 900x700 --threads 1 --quiet
mv again first
run again 60 --every 30 --format png --map-size 900x700 --threads 2 --quiet
for map in first/*.png; do
    check "$(basename "$map"): the same bytes" cmp "$map" "again/$(basename "$map")"
done

# ---- sizes
size() { # size WIDTH HEIGHT OPTION...
    local pixels="$1 $2"
    shift 2
    run again 20 --format png --maps arrival --quiet "$@"
    check "$*" [ "$(u16 again/map_arrival_000020.png)" = " $pixels" ]
}
size 3508 2480 --map-size A4
check "... at 300 dpi" [ "$(grep -aob pHYs again/map_arrival_000020.png | head -n 1 | cut -d: -f1 |
    xargs -I{} sh -c 'od -An -tu4 --endian=big -j $(({} + 4)) -N 4 again/map_arrival_000020.png' | tr -d ' ')" = 11811 ]
size 1240 1754 --map-size A4-portrait --map-dpi 150
size 801 603 --map-size 801x603

# ---- animation
frames() { grep -ao ANMF "$1" | wc -l; }
with moving 'title moving'
run moving 60 --format png --maps thickness --map-size 600x400 --animate-every 10
check "an animation" exits 0
check "... is a WebP" [ "$(head -c 12 moving/animation.webp | tr '\0' . | cut -c 9-12)" = WEBP ]
check "... with a frame for each" [ "$(frames moving/animation.webp)" = 6 ]
check "... listed" grep -q '"animation.webp"' moving/summary.json
digest=$(grep '^digest' stdout)
cp moving/animation.webp first.webp
run moving 60 --format geotiff --map-size 600x400 --animate-every 10
check "... the same bytes again, also without maps" cmp first.webp moving/animation.webp
check "... of the same steps" says "^$digest\$"
check "... which leaves no map" [ -z "$(find moving -name 'map*')" ]
run moving 25 --format geotiff --map-size 600x400 --animate-every 10 --quiet
check "the end is a frame" [ "$(frames moving/animation.webp)" = 3 ]
run moving 20 --format geotiff --quiet
check "the next run removes it" [ ! -e moving/animation.webp ]
cp first.webp moving/animation.webp
rm moving/summary.json
run moving 20 --format geotiff --quiet
check "... also that of a run that was killed before its summary" [ "$code" = 0 -a ! -e moving/animation.webp ]
echo mine >moving/animation.webp
refused 2 "a file of that name" 'animation\.webp: would be overwritten' run case/moving.cfg 20 --output moving --animate
refused 2 "--animate and --no-output" '--no-output and --animate contradict' run case/moving.cfg 20 --no-output --animate

# ---- refusals
for line in 'map_scale 12' 'map_scale 12 0' 'map_scale 0 2e4' 'map_scale a b' 'map_scale 0 12 m' 'map_extent wide' \
    "map_note $(printf '%0200d' 0)" $'map_note a\x01b' $'title a\xFFb'; do
    with bad "$line"
    refused 2 "${line:0:20}" 'case/bad\.cfg:[0-9]+: ' run case/bad.cfg 5 --output bad
done
for option in '--map-size B7' '--map-size 10x10' '--map-size A4x' '--map-dpi 5' '--map-dpi nan' '--maps volcano' '--map-size 30000x300'; do
    # shellcheck disable=SC2086 # two words
    refused 2 "$option" "${option%% *}" run case/again.cfg 5 --output bad $option
done
check "... none leaves anything" [ ! -e bad ]

# ---- without letters
printf '<?xml version="1.0"?><fontconfig></fontconfig>' >none.conf
FONTCONFIG_FILE=$work/none.conf run again 20 --format png,svg --maps thickness
check "a machine without any font" exits 0
check "... says so, in one line" one_line
check "... with the remedy" complains 'no font was found: pictures have no text.*fonts-dejavu-core'
check "... and draws what needs none" [ "$(u16 again/map_000020.png | cut -d' ' -f2)" -gt 1000 ]
check "... without a letter" fails grep -q '<text' again/map_000020.svg
with strange $'title Etna \xF4\x80\x80\x81'
run strange 20 --format png --map-size 700x500
check "letters that no font has" complains 'no font of this machine has all letters of the title: .*fonts-noto'

# ---- places of interest: all of the terrain, a cell that lava reaches, another one beside all
"$sciara" info case/terrain.tif --json >terrain.json
of_terrain() { value "$1" terrain.json; }
west=$(of_terrain west_m) south=$(of_terrain south_m) east=$(of_terrain east_m) north=$(of_terrain north_m)
cat >case/places.geojson <<END
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}, "features": [
 {"type": "Feature", "properties": {"name": "All, \"everything\""}, "geometry": {"type": "Polygon", "coordinates":
  [[[$west, $south], [$east, $south], [$east, $north], [$west, $north], [$west, $south]]]}},
 {"type": "Feature", "properties": {"name": "Corner"}, "geometry": {"type": "Point", "coordinates": [$west.5, $south.5]}}]}
END
with places 'assets places.geojson' 'start_time 2006-07-14T22:00'
run places 60 --format geotiff,svg
check "a case with places of interest ends well" exits 0
all=$(sed -n 2p places/assets.csv)
summary() { sed -n "s/^.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" places/summary.json | tail -n 1; }
check "a place has its name, its kind and its cells" [ "${all%%,area,*},${all#*,area,}" != "$all" -a "${all#*,area,4096,}" != "$all" ]
check "... a name with a comma and quotes in quotes" [ "${all%%,area,*}" = '"All, ""everything"""' ]
IFS=, read -r lava hour date most end <<<"${all#*,area,4096,}"
check "... cells that lava came to ($lava)" [ "$lava" -gt 10 -a "$lava" -ge "$(summary covered_cells)" ]
check "... when it first came ($hour, $date)" [ "$date" = 2006-07-14T22:0"$(awk -v h="$hour" 'BEGIN { print int(60 * h + 0.5) }')":00Z ]
check "... and the greatest thicknesses ($most, $end)" awk -v a="$most" -v b="$(summary max_thickness_m)" -v c="$end" -v d="$(summary thickest_m)" \
    'BEGIN { exit !(a > 0.1 && (a - b) ^ 2 < 1e-12 && (c - d) ^ 2 < 1e-12) }'
check "one that lava never came to has no time" [ "$(sed -n 3p places/assets.csv)" = 'Corner,point,1,0,,,,' ]
check "the table is listed in the summary" grep -q '"assets.csv"' places/summary.json
check "the map names what it shows" grep -q '>All, ' places/map_000060_*.svg
echo mine >places/notes.csv
with places 'start_time 2006-07-14T22:00'
run places 60 --format geotiff
check "a run of the same case without them ends well" exits 0
check "a run without them takes the table of the one before away" [ ! -e places/assets.csv ]
check "... and nothing that is somebody else's" [ -e places/notes.csv ]
cp places/notes.csv places/assets.csv
run places 60 --format geotiff
check "... not by that name either: it ends well" exits 0
check "... and leaves it" cmp -s places/notes.csv places/assets.csv
with nowhere 'assets none.geojson'
run nowhere 10
check "a file that is not there is refused before anything is computed" exits 2
check "... by its name" complains 'none\.geojson: cannot be opened'
report
