#!/bin/bash
# test_library.sh — `sciara ensemble --keep` and `sciara ask`: a library has every member once, after kills, shards and
# several ranks too; a question without a condition gives the ensemble's files, and one with a condition what an
# independent program finds; damaged and foreign files, and expressions that want more than a member, are refused.
# tests: study/ask, study/members
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

. tests/eruptions.sh
. tests/tables.sh
make_plan 'run_h 24' 'exceed_m 1 3' 'arrive_within_h 6 12'
small=(--map-size 300x300 --map-dpi 72 --quiet)
# same_rows A B [TABLE KEY]...: what two libraries say, in any order of members
same_rows() { /usr/bin/python3 -c 'import sqlite3, sys
a, b = (sqlite3.connect(f"file:{path}?mode=ro", uri=True) for path in sys.argv[1:3])
for table, key in zip(sys.argv[3::2], sys.argv[4::2]):
    one, other = (db.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall() for db in (a, b))
    assert one and one == other, table' "$@"; }
same_contents() { same_rows "$1" "$2" members member cells tile_member; }
sums() { /usr/bin/python3 tests/study/library_check.py "$1" sums; }
# of the same members as a library whose sums are those of its members
same_sums() { same_rows "$1" "$2" sums tile; }
no_sums() { [ -z "$(sql "$1" "SELECT * FROM sqlite_master WHERE name = 'sums'")" ]; }

# ---- kept
call ensemble "$plan" --output "$work/one" --layers all --keep "${small[@]}"
check "an ensemble with --keep ends well" exits 0
library=$work/one/library.gpkg
members=$(sql "$library" 'SELECT count(*) FROM members')
check "the library has all members" [ "$members" = "$(($(wc -l <"$work/one/members.csv") - 1))" ]
check "with the values of members.csv" /usr/bin/python3 tests/study/library_check.py "$library" members "$work/one/members.csv"
check "and they are many" [ "$members" -gt 50 ]
check "and what they did in many tiles" [ "$(sql "$library" 'SELECT count(*) FROM cells')" -gt $((2 * members)) ]
check "it is listed with the files" grep -q '^library.gpkg$' <(listed "$work/one")
check "nothing is left beside it" [ -z "$(find "$work/one" -name 'library.gpkg?*')" ]
check "it has the sums of all members" sums "$library"
call ensemble "$plan" --output "$work/without" --layers all "${small[@]}"
check "it changes no other file" same_files "$work/one" "$work/without"
check "and without --keep there is none" [ ! -e "$work/without/library.gpkg" ]
{ cat "$plan" && echo 'keep yes'; } >"$work/made/keeps.cfg"
call ensemble "$work/made/keeps.cfg" --output "$work/keeps" --threads 2 "${small[@]}"
check "a plan can ask for it: the same members" same_contents "$library" "$work/keeps/library.gpkg"

# ---- a question without a condition
call ask "$library" --output "$work/all" --layers all "${small[@]}"
check "a question ends well" exits 0
check "it gives the files of the ensemble" same_files "$work/one" "$work/all"
check "and its digest" [ "$(digest "$work/all")" = "$(digest "$work/one")" ]

changed "$library" "$work/unsummed.gpkg" "DROP TABLE sums; DELETE FROM sciara WHERE key = 'sums_of'"
changed "$library" "$work/fewer.gpkg" \
    "DELETE FROM members WHERE member = 5; DELETE FROM cells WHERE tile_member & 16777215 = 5"
tables ask "$work/unsummed.gpkg" "$work/question"
check "without sums: the same digest" [ "$(digest "$work/question")" = "$(digest "$work/one")" ]
tables ask "$library" "$work/question" "where=member <> 5"
check "less one: another digest" [ "$(digest "$work/question")" != "$(digest "$work/one")" ]
tables ask "$work/fewer.gpkg" "$work/fewer"
check "sums of other members than there are: not used" [ "$(digest "$work/fewer")" = "$(digest "$work/question")" ]

# ---- in QGIS, as it is
cat >"$work/draw.py" <<'END'
import os, sys
from qgis.core import *
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor
app = QgsApplication([], True)
app.setPrefixPath("/usr", True)
app.initQgis()
layer = QgsVectorLayer(sys.argv[1] + "|layername=members", "members", "ogr")
names = [field.name() for field in layer.fields()]
assert layer.isValid() and layer.featureCount() == int(sys.argv[2]) and layer.crs().authid() == "EPSG:32633", layer.crs().authid()
assert {"member", "vent", "area_m2", "runout_m", "digest"} < set(names), names
cells = {f["member"]: f["area_m2"] for f in layer.getFeatures()}
areas = {f["member"]: f.geometry().area() for f in layer.getFeatures() if f.geometry().isGeosValid()}
assert len(areas) == len(cells) and all(abs(areas[m] / cells[m] - 1) < 0.15 for m in cells), (areas, cells)
layer.renderer().symbol().setColor(QColor("red"))
to = QgsMapSettings()
to.setLayers([layer])
to.setExtent(layer.extent())
to.setOutputSize(QSize(300, 300))
to.setBackgroundColor(QColor("white"))
job = QgsMapRendererSequentialJob(to)
job.start()
job.waitForFinished()
picture = job.renderedImage()
red = sum(picture.pixelColor(x, y) == QColor("red") for x in range(300) for y in range(300))
assert 1000 < red < 80000, red
print("drawn")
sys.stdout.flush()
os._exit(0)
END
if /usr/bin/python3 -c 'import importlib.util as u; exit(not u.find_spec("qgis"))'; then
    QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work keep /usr/bin/python3 "$work/draw.py" "$library" "$members"
    check "QGIS draws the outlines of all members" says '^drawn$'
    [ "$code" = 0 ] || cat "$work/stderr"
else
    skip "QGIS: python3-qgis is not installed (tools/install-dependencies qgis)"
fi

# (of what follows all but one command is asked for numbers alone)
painting=$sciara
if without_painters "$work/plain"; then sciara=$work/plain/bin/sciara served=''; fi

# ---- questions, against a program of its own
count=0 wrong=0
while read -r expected question; do
    tables ask "$library" "$work/question" "where=$question"
    found=$(digest "$work/question" 2>/dev/null)
    count=$((count + 1))
    [ "$code" = 0 ] && [ "$found" = "$expected" ] && continue
    echo "$question: digest $found, not $expected: $(cat "$work/stderr")"
    wrong=$((wrong + 1))
done < <(/usr/bin/python3 tests/study/library_check.py "$library" 50 Hut:54:40 Road:89:1:110)
check "all questions have been asked" [ $count = 51 ]
check "and their digests are those of the members that they ask for" [ $wrong = 0 ]
call ask "$library" --where "area_m2 > 0" --output "$work/true" "${small[@]}"
check "the summary has the question" [ "$(value question "$work/true/summary.json")" = "area_m2 > 0" ]
check "a condition that is true for all gives the digest of the ensemble" [ "$(digest "$work/true")" = "$(digest "$work/one")" ]

# ---- other weights: the files of an ensemble of the plan that has them
printf '%s\n' class,weight,volume_m3,duration_h short,2,20000,6 long,7,40000,20 >"$work/made/classes2.csv"
printf '%s\n' class,weight,volume_m3,duration_h long,7,40000,20 short,2,20000,6 >"$work/made/classes3.csv"
sed 's/classes.csv/classes2.csv/' "$plan" >"$work/made/plan2.cfg"
call ensemble "$work/made/plan2.cfg" --output "$work/weights" --layers all "${small[@]}"
call ask "$library" --classes "$work/made/classes3.csv" --output "$work/asked" --layers all "${small[@]}"
check "other weights of classes: ends well" exits 0
check "other weights of classes: change the probability" fails cmp -s "$work/asked/probability.tif" "$work/one/probability.tif"
same_values() { [ -s "$1/members.csv" ] && cmp <(cut -d, -f 1-6 "$1/members.csv") <(cut -d, -f 1-6 "$2/members.csv") && cmp "$1/assets.csv" "$2/assets.csv"; }
check "other weights of classes: as computed with them" same_values "$work/weights" "$work/asked"
printf '%s\n' vent,x,y,weight 1,500350,4170350,3 2,500450,4170350,5 >"$work/made/vents2.csv"
tables ask "$library" "$work/question" "vents=$work/made/vents2.csv"
check "other weights of vents: ends well" exits 0
check "other weights of vents: of two vents, by those weights and the classes'" \
    [ "$(sed 1d "$work/question/members.csv" | cut -d, -f 2 | sort -n | xargs)" = "3 5 6 10" ]
sed 's/^1,.*/1,500350,4170350,8/' "$work/made/vents2.csv" >"$work/made/vents3.csv"
call ask "$library" --vents "$work/made/vents3.csv" --where "vent = 1" --output "$work/asked" "${small[@]}"
check "other weights of vents: of one of them" exits 0

# ---- shards
for i in 1 2; do call ensemble "$plan" --output "$work/part$i" --shard $i/2 --keep --quiet; done
call merge "$work/part1" "$work/part2" --output "$work/merged" "${small[@]}"
check "shards are merged" exits 0
check "and so are their libraries" same_contents "$library" "$work/merged/library.gpkg"
check "and their sums" same_sums "$library" "$work/merged/library.gpkg"
for until in folder library library; do # a merge that is killed, at a moment of its own
    rm -rf "$work/cut"
    "$sciara" merge "$work/part1" "$work/part2" --output "$work/cut" "${small[@]}" >"$work/log" 2>&1 &
    child=$!
    wait_until [ -e "$work/cut$([ $until = folder ] || echo /library.gpkg)" ]
    sleep "0.00$((RANDOM % 10))"
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
    call merge "$work/part1" "$work/part2" --output "$work/cut" "${small[@]}"
    check "merged again after a kill once the $until is there: exits well" exits 0
    check "... with all members once" same_contents "$library" "$work/cut/library.gpkg"
    check "... their sums" same_sums "$library" "$work/cut/library.gpkg"
    check "... and the digest" [ "$(digest "$work/cut")" = "$(digest "$work/one")" ]
done

# ---- libraries joined
keep "$painting" merge "$work/part2/library.gpkg" "$work/part1" --output "$work/joined" --layers all "${small[@]}"
check "libraries are joined" exits 0
check "and have the members of both" same_contents "$library" "$work/joined/library.gpkg"
check "and their sums" same_sums "$library" "$work/joined/library.gpkg"
check "and the files of the ensemble of all" same_files "$work/one" "$work/joined"
check "and its digest" [ "$(digest "$work/joined")" = "$(digest "$work/one")" ]
grown() { # grown NAME OLD NEW FOUND ALL: members of plan OLD in a library of plan NEW; the others are computed
    call ensemble "$2" --output "$work/$1-old" --keep "${small[@]}" && exits 0 || return 1
    call ensemble "$3" --output "$work/$1-anew" --keep "${small[@]}" && exits 0 || return 1
    call merge "$work/$1-old/library.gpkg" --plan "$3" --output "$work/$1" "${small[@]}"
    check "$1: the library is extended" exits 0
    call merge "$work/$1-old" --plan "$3" --output "$work/$1-folder" "${small[@]}"
    check "$1: a folder stands for the library in it" same_contents "$work/$1/library.gpkg" "$work/$1-folder/library.gpkg"
    check "$1: by members that it lacks" [ "$(sql "$work/$1/library.gpkg" 'SELECT count(*) FROM members')" = "$4" ]
    check "$1: of those that the plan has" [ "$(sql "$work/$1-anew/library.gpkg" 'SELECT count(*) FROM members')" = "$5" ]
    check "$1: with their sums" sums "$work/$1/library.gpkg"
    call ensemble "$3" --output "$work/$1" --resume "${small[@]}"
    check "$1: the others are computed" exits 0
    check "$1: the library is as computed anew" same_contents "$work/$1-anew/library.gpkg" "$work/$1/library.gpkg"
    check "$1: and its sums" sums "$work/$1/library.gpkg"
    check "$1: and the digest" [ "$(digest "$work/$1")" = "$(digest "$work/$1-anew")" ]
}
for n in 20 30; do { cat "$plan" && printf '%s\n' "members $n" 'seed 5' 'terrain_error_m 1'; } >"$work/made/members$n.cfg"; done
grown "more members" "$work/made/members20.cfg" "$work/made/members30.cfg" 20 30
for n in 3 4; do { cat "$plan" && printf '%s\n' "members $n" 'terrain_error_m 1' 'terrain_error_length_m 40' 'terrain_error_hurst 0.5'; } \
    >"$work/made/octaves$n.cfg"; done
grown "terrain errors of many lengths" "$work/made/octaves3.cfg" "$work/made/octaves4.cfg" 3 4
for line in terrain_error_m terrain_error_length_m terrain_error_hurst; do
    { grep -v "^$line " "$work/made/octaves3.cfg" && echo "$line $([ $line = terrain_error_length_m ] && echo 60 || echo 0.9)"; } >"$work/made/errs.cfg"
    refused 2 "another $line" "library.gpkg: shares no member with .*errs.cfg: their draws differ" \
        merge "$work/terrain errors of many lengths-old/library.gpkg" --plan "$work/made/errs.cfg" --output "$work/none"
done
printf '%s\n' vent,x,y 1,500350,4170350 2,500450,4170350 >"$work/made/two.csv"
printf '%s\n' vent,x,y 3,500550,4170450 1,500350,4170350 2,500450,4170350 >"$work/made/three.csv"
for n in two three; do { grep -Ev '^(vent_grid|vary_)' "$plan" && echo "vent_list $n.csv"; } >"$work/made/$n.cfg"; done
grown "more vents" "$work/made/two.cfg" "$work/made/three.cfg" 4 6
sed 's/^seed 5/seed 6/' "$work/made/members30.cfg" >"$work/made/seed.cfg"
refused 2 "members that draw other numbers" "library.gpkg: shares no member with .*seed.cfg: their draws differ" \
    merge "$work/more members-old/library.gpkg" --plan "$work/made/seed.cfg" --output "$work/none"
{ cat "$work/made/members30.cfg" && echo 'thickness_bin_m 0.2'; } >"$work/made/bins.cfg"
refused 2 "other classes of thickness" "library.gpkg: differs from .* in terrain, initial lava, outline, or classes" \
    merge "$work/more members-old/library.gpkg" --plan "$work/made/bins.cfg" --output "$work/none"
refused 2 "a library and a folder without" "made/library.gpkg: is not there" \
    merge "$library" "$work/made" --output "$work/none"
check "nothing of it was written" [ ! -e "$work/none/library.gpkg" ]
refused 2 "libraries joined where one of them lies" "library.gpkg" \
    merge "$work/part1/library.gpkg" "$work/part2/library.gpkg" --output "$work/part1"
refused 2 "shards merged where one of them lies" "part1/library.gpkg: is an input of this run in its output folder; choose another folder" \
    merge "$work/part1" "$work/part2" --output "$work/part1"
refused 2 "an answer where the library lies" "library.gpkg" ask "$work/part1/library.gpkg" --output "$work/part1"
check "the library is still there" [ -s "$work/part1/library.gpkg" ]
call merge "$work/part1" --output "$work/half"
line=$(sed -n 's/^continue  *//p' "$work/stdout")
check "a merge of one part says how to go on" [ "${line:0:16}" = "sciara ensemble " ]
check "... and to keep members, as its parts do" grep -q -e ' --keep' <<<"$line"
(PATH=${sciara%/*}:$PATH && eval "$line") >"$work/stdout" 2>"$work/stderr"
check "... which, to the letter, completes the ensemble" [ "$? $(digest "$work/half")" = "0 $(digest "$work/one")" ]
check "... and its library" same_contents "$library" "$work/half/library.gpkg"
rm "$work/part2/library.gpkg"
refused 2 "a shard without a library" "part2/library.gpkg: is missing.*name only shards with a library, or only shards without" \
    merge "$work/part1" "$work/part2" --output "$work/merged2"

# ---- kills at any moment, of an ensemble that takes minutes; Ctrl-C ends it once the resumed one has written its state
{ cat "$plan" && echo 'repeats 1000'; } >"$work/made/long.cfg"
state=$work/killed/ensemble.state
begin() {
    "$sciara" ensemble "$work/made/long.cfg" --output "$work/killed" --keep --checkpoint 0.1 --resume "${small[@]}" >"$work/log" 2>&1 &
    child=$!
}
end() { # end SIGNAL
    kill -"$1" $child
    wait $child 2>/dev/null
    code=$?
}
for _ in 1 2 3; do
    begin
    wait_until [ -s "$state" ]
    sleep "0.$((RANDOM % 30 + 10))"
    end KILL
    check "killed: before it ended" [ $code = 137 ]
done
check "killed: some members are done" [ -s "$state" ]
check "killed: and kept" [ "$(sql "$work/killed/library.gpkg" 'SELECT count(*) FROM members')" -gt 0 ]
check "killed: without sums, which others are to join" no_sums "$work/killed/library.gpkg"
touch "$work/before"
begin
wait_until [ "$state" -nt "$work/before" ]
end INT
check "killed and resumed: Ctrl-C ends it well" exits 130
tables ask "$work/killed/library.gpkg" "$work/question"
check "killed and resumed: the library has every member once" [ "$(digest "$work/question")" = "$(digest "$work/killed")" ]
check "killed and resumed: and the sums of all" sums "$work/killed/library.gpkg"
rm "$work/killed/summary.json"
sql "$work/killed/library.gpkg" "DELETE FROM members WHERE member = (SELECT min(member) FROM members)"
refused 2 "resuming without a member" "library.gpkg: has [0-9]* of the [0-9]* members that are done; compute the ensemble anew" \
    ensemble "$work/made/long.cfg" --output "$work/killed" --resume "${small[@]}"

# ---- refused
sciara=$painting served=$painting
ask() { refused 2 "$1" "$2" ask "$library" --output "$work/none" "${@:3}"; }
ask "a column that is not there" "no such column: rate;.*columns of members.csv" --where "rate > 1"
for open in "1) FROM members --" "1), (2" "1) or (1" "1 --" "1 /* 2" "(1" "1; DROP TABLE members" "1; ATTACH 'x.db' AS y" "'1"; do
    ask "what is open: $open" "is not one closed expression" --where "$open"
done
ask "another table" "not authorized" --where "(SELECT count(*) FROM cells) > 0"
ask "a union" "syntax error" --where "1 UNION SELECT 1"
ask "a function of the file system" "not authorized to use function: load_extension" --where "load_extension('x')"
ask "a large text" "not authorized to use function: zeroblob" --where "length(zeroblob(1000000000)) > 1"
ask "a parameter" "is not one expression" --where "weight = :a"
ask "another one" "is not one expression" --where "weight = ?1"
call ask "$library" --output "$work/closed" "${small[@]}" --quiet --where "('it''s )--(' <> ';') and ([weight] > 0)"
check "brackets and marks in quotes are text" exits 0
ask "a pragma" "authoriz" --where "(SELECT 1 FROM pragma_table_info('members')) = 1"
ask "a query without an end" "not authorized" --where \
    "EXISTS (WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT 1 FROM c)"
ask "a column of another table" "access to cells.tile_member is prohibited" --where "member IN cells"
ask "many brackets" "parser stack overflow|too large" --where "$(printf '(%.0s' {1..200})1$(printf ')%.0s' {1..200})"
ask "no member" "has no member that fulfils" --where "weight > 100"
ask "an unknown place" "there is no place 'Inn'; there are 'Hut'" --where "share('Inn') > 0"
ask "a place in other letters" "there is no place 'hut'; did you mean 'Hut'\?$" --where "share('hut') > 0"
long='Rifugio "dell'"''"'Etna, Öræfi" '$(printf 'L%.0s' {1..30})
jq -n --arg name "${long//\'\'/\'}" '{type: "FeatureCollection", features: [$name, "Ömstrand <1>"] | map({type: "Feature", properties: {name: .},
    geometry: {type: "Point", coordinates: [500405, 4170655]}})}' >"$work/made/named.json"
ask "names of places are listed as an expression needs them" "there are '$long', 'Ömstrand <1>'\$" --assets "$work/made/named.json" --where "share('Inn') > 0"
call ask "$library" --output "$work/named" "${small[@]}" --assets "$work/made/named.json" --where "ifnull(share('$long'), 0) >= 0 and ifnull(share('Ömstrand <1>'), 0) >= 0"
check "and can be copied" exits 0
call ask "$library" --output "$work/listed" --map-size 300x300 --map-dpi 72 --assets "$work/made/named.json"
check "they are listed whole" grep -qF "  ${long//\'\'/\'} " "$work/stdout"
check "above them is how fine their times are, and no end that is none" says '^places        probability that lava arrives, and times \(in classes of [0-9.]+ h\) of 5 to 95 % of the arrivals, if'
check "their probabilities stand in one column" grep -qE '^  Ömstrand <1>           ([0-9.]+ %|all|none)' "$work/stdout"
jq '.features += [.features[1] | .geometry.coordinates[0] += 100]' "$work/made/named.json" >"$work/made/twice.json"
ask "a name of two places" "places 2 and 3 are both named 'Ömstrand <1>'; give them different names" --assets "$work/made/twice.json" --where "share('Ömstrand <1>') > 0"
ask "a place in double quotes" "there is no column Hut; the name of a place stands in single quotes, such as arrival_h\('Hut'\)$" --where 'share("Hut") > 0'
ask "... that is not there either" "there is no column Inn; the name of a place stands in single quotes" --where 'share("Inn") > 0'
check "nothing of it was written" [ ! -e "$work/none" ]
ask "... says whether conditions or weights leave none" "has no member with a weight above 0: the [0-9]+ that fulfil the conditions have other vents or classes than .*vents2.csv; change the conditions or the weights" \
    --vents "$work/made/vents2.csv" --where "vent > 4"
(cat "$work/made/vents2.csv" && echo 9,500210,4170210,1) >"$work/made/vents9.csv"
ask "a vent that the plan does not have" "vents9.csv: vent 9: the library's plan has no vent there; remove it" --vents "$work/made/vents9.csv"
(cat "$work/made/classes3.csv" && echo huge,9,900000,20) >"$work/made/classes9.csv"
ask "a class that it does not have" "classes9.csv: class 'huge': the library's plan has no such class; remove it" --classes "$work/made/classes9.csv"
ask "classes that are not there" "cls.csv: cannot be opened" --classes "$work/cls.csv"
refused 2 "pairs" "--with-and-without and --keep contradict" ensemble "$plan" --keep --with-and-without barriers
refused 2 "a library that is not there" "none.gpkg.*No such file" ask "$work/none.gpkg"
printf 'x' >"$work/text.gpkg"
refused 2 "a text" "text.gpkg: is not a library of sciara, or damaged" ask "$work/text.gpkg" --output "$work/none"
refused 2 "a plan" "plan.cfg: is a plan, not a library of sciara; name its library.gpkg$" ask "$plan" --output "$work/none"
head -c 40000 "$library" >"$work/short.gpkg"
refused 2 "half a library" "short.gpkg: is not a library of sciara, or damaged" ask "$work/short.gpkg" --output "$work/none"
sed 's/^run_h.*/run_h 20/' "$plan" >"$work/made/other.cfg"
refused 2 "another plan" "library.gpkg: is a library of another plan \(run_h .*, now 20\); .*sciara merge" ask "$library" --plan "$work/made/other.cfg" --output "$work/none"

# what computes in place of what is kept, and cells that only a place would miss
endless='WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT'
inflated='CREATE TABLE new(tile_member INTEGER PRIMARY KEY, blob AS (zeroblob(900000000)))'
altered() { changed "$library" "$work/$1.gpkg" "$2"; }
altered view "ALTER TABLE members RENAME TO m; CREATE VIEW members AS SELECT * FROM m"
altered endless "ALTER TABLE cells RENAME TO old; CREATE VIEW cells AS $endless x AS tile_member, x'' AS blob FROM c"
altered keys "ALTER TABLE sciara RENAME TO old; CREATE VIEW sciara AS $endless 'format' AS key, x AS value FROM c"
altered inflated "$inflated; INSERT INTO new SELECT tile_member FROM cells; DROP TABLE cells; ALTER TABLE new RENAME TO cells"
altered virtual "DROP TABLE cells; CREATE VIRTUAL TABLE cells USING rtree(tile_member, low, high, +blob)"
altered elsewhere "UPDATE cells SET tile_member = -tile_member"
altered begun "DELETE FROM members; DELETE FROM cells; DELETE FROM sums"
altered later "UPDATE sciara SET value = 3 WHERE key = 'format'"
altered fewer_sums "DELETE FROM sums WHERE tile = (SELECT min(tile) FROM sums)"
for name in view endless keys inflated virtual; do
    refused 2 "a table that is computed: $name" "$name.gpkg: is not a library of sciara, or damaged .tables." \
        ask "$work/$name.gpkg" --output "$work/none"
done
refused 2 "cells of a place that are elsewhere, where sums answer" "is not a library of sciara, or damaged .cells." \
    ask "$work/elsewhere.gpkg" --output "$work/none"
refused 2 "a library that has only begun" "begun.gpkg: has no member yet; compute its ensemble, or wait for it$" ask "$work/begun.gpkg" --output "$work/none"
refused 2 "a library of a later version" "has the format 3 of another version of sciara" ask "$work/later.gpkg" --output "$work/none"

# bits that turn: refused, or in a byte that no question reads
/usr/bin/python3 - "$library" "$work" <<'END'
import random, sys
data = open(sys.argv[1], "rb").read()
random.seed(1)
for i in range(40):
    copy = bytearray(data)
    copy[random.randrange(len(copy))] ^= 1 << random.randrange(8)
    open(f"{sys.argv[2]}/bit{i}.gpkg", "wb").write(copy)
import shutil, sqlite3
for i in range(8):
    for table, key, of, row in ("cells", "tile_member", "unsummed", 7 * i + 3), ("sums", "tile", "one/library", i % 4):
        to = f"{sys.argv[2]}/{table}{i}.gpkg"
        shutil.copy(f"{sys.argv[2]}/{of}.gpkg", to)
        with sqlite3.connect(to) as db:
            at, blob = db.execute(f"SELECT {key}, blob FROM {table} ORDER BY {key}").fetchall()[row]
            byte = random.randrange(len(blob))
            turned = blob[:byte] + bytes([blob[byte] ^ 1 << random.randrange(8)]) + blob[byte + 1:]
            db.execute(f"UPDATE {table} SET blob = ? WHERE {key} = ?", (turned, at))
END
for i in {0..7}; do
    refused 2 "cells with a bit turned, $i" "is not a library of sciara, or damaged" ask "$work/cells$i.gpkg" --output "$work/none"
    refused 2 "sums with a bit turned, $i" "is not a library of sciara, or damaged" ask "$work/sums$i.gpkg" --output "$work/none"
done
refused 2 "sums without a tile" "is not a library of sciara, or damaged .sums." ask "$work/fewer_sums.gpkg" --output "$work/none"
wrong=0
for i in {0..39}; do
    tables ask "$work/bit$i.gpkg" "$work/bit"
    if [ "$code" = 2 ] && one_line; then continue
    elif [ "$code" != 0 ] || [ "$(digest "$work/bit")" != "$(digest "$work/one")" ]; then
        wrong=$((wrong + 1)) && cat "$work/stderr"
    fi
done
check "files with a bit turned anywhere: none answers wrongly" [ $wrong = 0 ]
report
