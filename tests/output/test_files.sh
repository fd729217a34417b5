#!/bin/bash
# test_files.sh — the files of a run: whose they are, that nothing else is touched, and what a refused, a
# killed or another run leaves. Run from the root of the repository, with BUILD naming the build folder.
# tests: output/run
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C

contents() { (cd "$1" && find . -type f -exec sha256sum {} + | sort -k 2); }
names() { find "$1" -mindepth 1 -printf '%P\n' | sort | tr '\n' ' '; }

cd "$work" || exit 1
"$sciara" terrain case --size 48 --quiet
good=case/volcano.cfg
run() { call run "$good" --layers all "$@"; }
layers() { # layers STEP: the names of all layers and the maps of the end
    printf '%s\n' {arrival_h,elevation_after_m,max_temperature_K,max_thickness_m,median_thickness_m,solidified_m,temperature_K,thickness_m,total_thickness_m}_"$1".tif map_"$1".png map_arrival_"$1".png
}

# ---- a run in the folder of another one -----------------------------------------------------------------
run 60 --every 20 --output out --format geotiff,png,original --map-size 300x300 --map-dpi 72
check "a first run" exits 0
check "... leaves all its files" [ "$(names out | wc -w)" = 57 ]
sums_of() { # FILE...: names, sizes and sums, as a list in JSON has them
    for file; do echo "$file $(stat -c %s "out/$file") $(gzip -c "out/$file" | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')"; done
}
listed_sums() { json '.files[] | select(.crc32) | [.name, .bytes, .crc32] | join(" ")' "$1" | sort; }
check "... which summary.json lists" cmp <(listed out) <(names out | tr ' ' '\n' | grep -vx 'summary.json\|shown.json\|')
check "... with the sums of what was not painted" cmp <(listed_sums out/summary.json) <(cd out && ls -- *.* | grep -v 'png$\|json$' | (cd .. && mapfile -t all && sums_of "${all[@]}"))
check "... and shown.json of what was" cmp <(listed_sums out/shown.json) <(cd out && ls -- *.png | (cd .. && mapfile -t all && sums_of "${all[@]}"))
echo mine >out/notes.txt
cp out/total_thickness_m_000020.tif out/my_thickness.tif
cp out/map_000020.png out/fit.png
run 30 --output out --map-size 300x300 --map-dpi 72
check "a second run in its folder" exits 0
check "... leaves its own files and the user's" \
    [ "$(names out)" = "$( (layers 000030 && printf '%s\n' record.zip report.html shown.json summary.json timeline.csv timeline.png notes.txt my_thickness.tif fit.png) | sort | tr '\n' ' ')" ]
call info out
check "info on it" exits 0
check "... names the raster that is not the run's" says 'my_thickness\.tif'
check "... as such" says '^not_of_this_run'
call compare out out
check "compare leaves it out" says 'not compared: 1 raster in out, which its run did not write: my_thickness.tif'

# A layer of another run under the right name
run 30 --output other --stop-below 1 --quiet --format geotiff
sed 's/Phc(Tvent) 1.5/Phc(Tvent) 1.4/' case/volcano.cfg >case/thin.cfg
call run case/thin.cfg 30 --output thin --format geotiff
check "another case" exits 0
check "... flows otherwise" fails cmp -s out/total_thickness_m_000030.tif thin/total_thickness_m_000030.tif
cp thin/total_thickness_m_000030.tif out/
of_grid() { sed -n "s/.*\"$1\":[^0-9]*\([0-9.]*\),.*/\1/p" out/summary.json; }
printf 'ncols 48\nnrows 48\nxllcorner %s\nyllcorner %s\ncellsize %s\n' \
    "$(of_grid west_m)" "$(of_grid south_m)" "$(of_grid cell_m)" >outline.asc
for ((i = 0; i < 48; i++)); do yes 1 | head -n 48 | paste -s -d ' '; done >>outline.asc
for command in "info out" "compare out other" "compare other out" "fit out outline.asc --no-map"; do
    # shellcheck disable=SC2086 # words
    call $command # compare has begun its table by then
    check "$command with a layer of another run: exit status 2" exits 2
    check "... one line" one_line
    check "... says why" complains 'out/total_thickness_m_000030\.tif: was not written by the run of out/summary\.json'
done
call fit other outline.asc --no-map
check "fit without it" exits 0
sed '7s/^1/32767/' outline.asc >marked.asc
refused 2 "fit of a mark of no data that is not declared" \
    'marked.asc: has 32767 at row 1, column 0, which is impossible; if that marks no data, declare it: gdalbuildvrt .*-vrtnodata 32767 ' fit marked.asc outline.asc --no-map
"$sciara" terrain zone34 --size 48 --epsg 32634 --quiet || exit 1
call compare case/terrain.tif zone34/terrain.tif
check "compare of two places: exit status 2" exits 2
check "... says why" complains 'zone34/terrain.tif: is in EPSG:32634, but the grid is in EPSG:32633'
run 30 --output out --quiet --format geotiff
check "the next run takes it for its own" exits 0
call compare out other
check "... and then all is well" exits 0

# Notes of a GIS beside a layer: they are of that one, and of no other
echo '<PAMDataset/>' >out/total_thickness_m_000030.tif.aux.xml
echo '<PAMDataset/>' >out/my_thickness.tif.aux.xml
run 30 --output out --map-size 300x300 --map-dpi 72
check "the next run" exits 0
check "... removes the notes of its layers" [ ! -e out/total_thickness_m_000030.tif.aux.xml ]
check "... and no others" [ -s out/my_thickness.tif.aux.xml ]
check "... and names the raster that is not its own" says '^warning +1 raster in the folder is not of this run: my_thickness\.tif$'
rm out/my_thickness.tif.aux.xml

# A picture that was drawn of it later
call fit out outline.asc --map out/mine.png
check "fit draws a map into the folder" [ -s out/mine.png ]
check "... which has the digest of the run" grep -qa "$(digest out)" out/mine.png
for kind in svg pdf; do call fit out outline.asc --map "out/mine.$kind"; done
call fit out/total_thickness_m_000030.tif outline.asc --map out/mine_of_a_layer.png
check "... of a layer, too" grep -qa "$(digest out)" out/mine_of_a_layer.png
call fit out/my_thickness.tif outline.asc --map out/of_another.png
check "... of no other raster" fails grep -qa "$(digest out)" out/of_another.png
rm out/of_another.png
run 20 --output out --map-size 300x300 --map-dpi 72 --format geotiff
check "the next run" exits 0
check "... is of another digest" fails grep -qa "$(digest out)" out/fit.png
check "... and removes it, in any format" [ -z "$(ls out | grep mine)" ]
check "... and no other picture" [ -s out/fit.png ]

# Earlier results stay until the new ones are whole
layers_of() { (cd "$1" && sha256sum ./*_0000*.tif); }
layers_of out >before
mkdir -p out/previous && echo mine >out/previous/notes.txt
"$sciara" run "$good" 2000000000 --every 10 --threads 1 --layers all --output out --format geotiff >stdout 2>stderr &
child=$!
check "a run in its place" wait_until [ -e out/total_thickness_m_000010.tif ]
{ kill -KILL $child && wait $child; } 2>log
child=''
layers_of out/previous >after
check "... that is killed: earlier results are in previous/, whole" cmp before after
call info out/previous
check "... as a folder of results" says '^ +step +20'
echo mine >out/previous/total_thickness_m_000030.tif
run 30 --output out --format geotiff
check "the next run" exits 0
check "... leaves no results but its own, and the user's files" \
    [ "$(cd out/previous && echo *)" = "notes.txt total_thickness_m_000030.tif" ]
check "... nor the list" [ ! -e out/writing.json ]
refused 2 "a file of the user that would be in the way" 'out/previous/total_thickness_m_000030.tif: would be overwritten' \
    run "$good" 20 --output out --format geotiff
rm -r out/previous
echo mine >out/writing.json
refused 2 "a list of another program" 'out/writing.json: would be overwritten' run "$good" 20 --output out --format geotiff
rm out/writing.json
run 30 --output out --map-size 300x300 --map-dpi 72 --quiet

# Pictures that somebody has changed since, whatever marks they keep
run 20 --output edited --quiet --format svg,png --map-size 300x300 --map-dpi 72
check "what was painted is listed, with the digest" [ "$(json '[.software, .record, .digest] + [.files[].name] | join(" ")' edited/shown.json)" = \
    "sciara 1 $(digest edited) $(cd edited && ls -- *.png *.svg | paste -sd' ')" ]
sed -i 's/>[^<>]*hickness[^<>]*</>My title</' edited/map_000020.svg
check "a map that was edited has its mark" grep -q 'Software: sciara' edited/map_000020.svg
contents edited >before
refused 2 "... and is not overwritten" 'edited/map_000020.svg: would be overwritten' run "$good" 20 --output edited --format svg
check "... nothing is touched" cmp before <(contents edited)
run 30 --output edited --quiet --format geotiff,png --map-size 300x300 --map-dpi 72
check "... nor removed" grep -q 'My title' edited/map_000020.svg
check "... as others are" [ "$(cd edited && ls | grep 'svg$\|png$' | paste -sd' ')" = 'map_000020.svg map_000030.png map_arrival_000030.png timeline.png' ]
rm edited/shown.json
refused 2 "without a list, as in a folder of an earlier version, neither" 'edited/map_000020.svg: would be overwritten' run "$good" 20 --output edited --format svg
rm edited/map_000020.svg
run 20 --output edited --quiet --format geotiff,svg --map-size 300x300 --map-dpi 72
rm edited/shown.json
run 20 --output edited --quiet --format geotiff,svg --map-size 300x300 --map-dpi 72
check "... but what nobody has changed" exits 0
call fit edited outline.asc
check "a map of fit" [ -s edited/fit.png ]
printf x >>edited/fit.png
refused 2 "... is not overwritten when it was changed" 'edited/fit.png: would be overwritten, but was not written by sciara' fit edited outline.asc
run 20 --output edited --quiet --format png --map-size 300x300 --map-dpi 72
check "... nor removed" [ -s edited/fit.png ]
echo '{"software": "another"}' >edited/shown.json
refused 2 "a list of another program" 'edited/shown.json: would be overwritten' run "$good" 20 --output edited --format png

# A killed run: layers without a summary
rm out/summary.json
touch -d '2001-01-01' out/total_thickness_m_000030.tif
run 20 --output out --format png
check "after a killed run" exits 0
check "... its files are gone" \
    [ "$(names out)" = 'fit.png map_000020.png map_arrival_000020.png my_thickness.tif notes.txt record.zip shown.json summary.json timeline.csv timeline.png ' ]
check "... and the user's are not" [ "$(cat out/notes.txt)" = mine ]

# Files of others under the names of a run
foreign() { # foreign WHAT NAME FORMAT: with a file of another origin there
    local what=$1 name=$2 format=$3
    contents there >before
    refused 2 "$what" "there/$name: would be overwritten" \
        run "$good" 20 --output there --format "$format" --layers all
    check "$what: nothing is touched" cmp before <(contents there)
    rm -rf there && mkdir there
}
rm -rf there && mkdir there
cp case/terrain.tif there/total_thickness_m_000007.tif
foreign 'a raster of the user under the name of a layer' total_thickness_m_000007.tif geotiff
echo picture >there/map_000020.png
foreign 'a picture of the user under the name of a map' map_000020.png png
printf 'step,time_h,area\n0,0,0\n' >there/timeline.csv
foreign 'a table of the user under the name of the timeline' timeline.csv geotiff
echo picture >there/timeline.png
foreign 'a picture of the user under the name of its diagram' timeline.png png
echo picture >there/timeline.png
run 20 --output there --format geotiff --quiet
check "... which stays where no picture is asked for" [ "$(cat there/timeline.png)" = picture ]
rm -rf there && mkdir there
echo text >there/volcano_000000000020_Thickness.stt
foreign 'a raster of the user in the original format' volcano_000000000020_Thickness.stt original
echo precious >precious && ln -s ../precious there/total_thickness_m_000020.tif
foreign 'a link under the name of a layer' total_thickness_m_000020.tif geotiff
check "... which is not followed" [ "$(cat precious)" = precious ]
mkdir there/map_000020.png
foreign 'a folder under the name of a map' map_000020.png png
echo '{"software": "another"}' >there/summary.json
foreign 'a summary of another program' summary.json png
echo 'no JSON' >there/summary.json
refused 2 'a summary that is none' 'there/summary\.json: is not a summary written by sciara' \
    run "$good" 20 --output there
check "... and stays" [ "$(cat there/summary.json)" = 'no JSON' ]
rm there/summary.json
run 20 --output there --format original --quiet
echo changed >>there/volcano_000000000020_Thickness.stt
foreign 'a text raster that was changed since' volcano_000000000020_Thickness.stt original
printf '{"software": "sciara", "files": [{"name": "../case/terrain.tif", "bytes": %d, "crc32": "%s"}]}' \
    "$(stat -c %s case/terrain.tif)" "$(gzip -c case/terrain.tif | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')" >there/summary.json
run 20 --output there --format png --quiet
check "a list that names a file elsewhere" exits 0
check "... touches nothing there" [ -s case/terrain.tif ]

# Two runs at once
run 20 --output busy --quiet --format geotiff
contents busy >before
flock busy "$sciara" run "$good" 20 --map-size 300x300 --map-dpi 72 --output busy >stdout 2>stderr
code=$?
check "a folder that another run writes to" [ $code = 2 ]
check "... says so" grep -q 'busy: another run is writing to this folder' stderr
check "... nothing is touched" cmp before <(contents busy)

# ---- inputs ---------------------------------------------------------------------------------------------
run 20 --output again --quiet --format geotiff
sed "s#^dem .*#dem ../again/elevation_after_m_000020.tif#" case/volcano.cfg >case/again.cfg
contents again >before
refused 2 'a terrain in the output folder' 'again/elevation_after_m_000020\.tif: is an input of this run' \
    run case/again.cfg 30 --output again
check "... nothing is touched" cmp before <(contents again)
ln again/elevation_after_m_000020.tif case/linked.tif
sed 's#^dem .*#dem linked.tif#' case/volcano.cfg >case/again.cfg
refused 2 'the same by another name' 'again/elevation_after_m_000020\.tif: is an input of this run' \
    run case/again.cfg 30 --output again
check "... nothing is touched" cmp before <(contents again)
call run case/again.cfg 30 --output again2 --quiet --format geotiff
check "... elsewhere it runs" exits 0

# ---- what a refusal leaves ------------------------------------------------------------------------------
long=$(printf '%0256d' 0)
refused 2 'a folder name that is too long' 'cannot be written: File name too long' \
    run "$good" 20 --output "a/b/$long"
check "... leaves no folder" [ ! -e a ]
refused 2 'a terrain in such a folder' 'File name too long' terrain "a/b/$long"
check "... leaves no folder" [ ! -e a ]
mkdir kept
refused 2 'a folder name that is too long in one that was there' 'File name too long' \
    run "$good" 20 --output "kept/b/$long"
check "... which stays, empty" [ -d kept ] && check "... empty" [ -z "$(names kept)" ]

"$sciara" terrain far --size 48 --quiet
gdal_translate -q -of AAIGrid far/terrain.tif far/dem.asc
sed 's/^dem .*/dem dem.asc/; /^background/d' far/volcano.cfg >far/far.cfg
place() { sed -i "s/^xllcorner .*/xllcorner $1/; s/^yllcorner .*/yllcorner $1/" far/dem.asc; }
place 500000
call run far/far.cfg 5 --output far/near --quiet --format geotiff
check "a text grid in its place" exits 0
for corner in 1e83 -1e83 1e12 -2e9; do
    place $corner
    refused 2 "a corner at $corner" 'far/dem\.asc: its lower-left corner is at .*coordinates in metres from -1e\+09' \
        run far/far.cfg 5 --output far/out
    check "... leaves nothing" [ ! -e far/out ]
done
rm -f far/dem.prj && sed -i '/^crs/d' far/far.cfg # a grid of its own: no CRS reaches so far
place 999990000
call run far/far.cfg 5 --map-size 300x300 --map-dpi 72 --output far/out --quiet
check "a corner that is just not too far" exits 0
check "... is drawn" [ -s far/out/map_000005.png ]

# ---- names ----------------------------------------------------------------------------------------------
for name in . ..; do
    cp case/volcano.cfg "case/$name.cfg"
    refused 2 "a case named $name" "case/$name\\.cfg: '[.]+' is not a valid name of a case" run "case/$name.cfg" 5
done
escape=$'\e[31mred' control=$'\xc2\x9b31mred' broken=$'bro\xffken'
for name in "$escape" "$control" "$broken"; do
    cp case/volcano.cfg "case/$name.cfg"
    refused 2 "a case with a name that cannot be printed" 'name of a case has to be UTF-8 without control characters' \
        run "case/$name.cfg" 5 --output named
    check "... nor is printed" [ -z "$(LC_ALL=C tr -d '\n -~' <"$work/stderr")" ]
    check "... leaves nothing" [ ! -e named ]
done
for name in . .. "$escape" "$broken"; do
    refused 2 "a terrain for such a case" 'is not a valid name of a case' terrain named --name "$name"
    check "... leaves nothing" [ ! -e named ]
done
check "no folder output/ was made" [ ! -e output ]
mkdir "$escape$broken" && cp case/* "$escape$broken" 2>/dev/null
(cd "$escape$broken" && cp ../case/volcano.cfg ../case/vents.csv ../case/rates.csv ../case/terrain.tif .)
call run "$escape$broken/volcano.cfg" 5 --output "$escape$broken/out" --format geotiff
check "a folder with such a name" exits 0
check "... is not printed as it is" [ -z "$(tr -d '\n -~' <stdout)" ]
printable() { iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 && ! grep -q $'\e' "$1"; }
check "... nor stands in summary.json" printable "$escape$broken/out/summary.json"
call info "$escape$broken/volcano.cfg" --json
check "... nor is printed by info" printable stdout
call compare "$escape$broken/out" "$escape$broken/out" --json
check "... nor by compare" printable stdout

cp -r case broken
gdal_translate -q -mo TERRAIN=$'bro\xffken' case/terrain.tif broken/terrain.tif && rm -f broken/*.aux.xml
call run broken/volcano.cfg 5 --output broken/out --format geotiff
check "broken text in a terrain" exits 0
check "... does not get into summary.json" printable broken/out/summary.json

# ---- temporary files ------------------------------------------------------------------------------------
(umask 027 && exec "$sciara" run "$good" 5 --output masked --quiet --map-size 300x300 --map-dpi 72)
check "files have the permissions that the umask leaves" \
    [ "$(stat -c %a masked/summary.json masked/map_000005.png masked/total_thickness_m_000005.tif | sort -u)" = 640 ]
"$sciara" run "$good" 2000000000 --every 10 --threads 1 --layers all --output killed >stdout 2>stderr &
child=$!
wait_until [ -e killed/total_thickness_m_000010.tif ]
halt
for ((i = 0; i < 3000; i++)); do # stopped while it writes
    [ -n "$(find killed -name '.sciara-*')" ] && break
    kill -CONT $child
    pause 0.0$((RANDOM % 9 + 1))
    halt
done
check "while it writes there is a temporary file" [ -n "$(find killed -name '.sciara-*')" ]
contents killed >before
sleep 2.1
run 5 --output killed
check "no other run may have its folder" exits 2
check "... nor remove its temporary file" cmp before <(contents killed)
{ kill -KILL $child && wait $child; } 2>log
check "it leaves that file when it is killed" [ -n "$(find killed -name '.sciara-*')" ]
touch killed/.sciara-mine
run 5 --output killed
check "the next run" exits 0
check "... removes it, and the layers" \
    [ "$(names killed)" = "$( (layers 000005 && printf '%s\n' .sciara-mine record.zip report.html shown.json summary.json timeline.csv timeline.png) | sort | tr '\n' ' ')" ]

# A link under a name that could be guessed is not followed
mkdir linked
for ((i = $$; i < $$ + 300; i++)); do
    ln -s ../precious linked/summary.json.part$i
    ln -s ../precious linked/.sciara-$i
done
run 5 --output linked --quiet
check "links under temporary names" exits 0
check "... are not followed" [ "$(cat precious)" = precious ]

report
