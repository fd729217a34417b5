#!/bin/bash
# test_bulletin.sh — bulletins of plans that no one has seen (random_plans.py), in English and Italian, of ensembles, questions and
# forecasts: an independent reader (one_number.py) computes each number and each word anew from plan, tables and layers, and finds
# what the page says, line by line, and no more. THOROUGH=1: of 50 plans.
# tests: study/ensemble
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
repository=$PWD
cd "$work" || exit 1
[[ $sciara = /* ]] || sciara=$repository/$sciara
small=(--map-size 300x300 --map-dpi 60 --quiet)
read_anew() { # FOLDER LANGUAGE MEMBERS: what it has compared is in read.txt
    : >"$1.txt"
    /usr/bin/python3 "$repository/tests/study/one_number.py" bulletin "$@" >"$1.read" || { cat "$1.read" && false; }
}
questions=0 forecasts=0 plans=${THOROUGH:+50}
for ((number = 1; number <= ${plans:-4}; number++)); do
    IFS=' ' read -r kind options < <(/usr/bin/python3 "$repository/tests/study/random_plans.py" plans $number)
    check "plan $number: an ensemble" "$sciara" ensemble plans/$number.cfg --keep --bulletin "${small[@]}" --output e$number
    check "plan $number: its bulletin" read_anew e$number en e$number
    library=e$number/library.gpkg
    for language in en it; do
        folder=${kind}_${number}_$language
        if [ "$kind" = nowcast ]; then
            forecasts=$((forecasts + 1))
            check "plan $number: a forecast" "$sciara" nowcast plans/$number.cfg --library $library --language $language "${small[@]}" --output "$folder"
        elif [ $language = en ]; then
            continue
        else
            questions=$((questions + 1))
            # shellcheck disable=SC2086 # options are words
            check "plan $number: a question" "$sciara" ask $library $options --bulletin --language $language "${small[@]}" --output "$folder"
        fi
        check "plan $number: its bulletin, $language" read_anew "$folder" $language e$number
    done
done
# ---- members of a table, which do not weigh the same, of two vents; the end is not on the hour
{ grep -Ev '^(members|vary|observed|weigh|max_steps|seed)' plans/3.cfg && printf '%s\n' 'member_table weighed.csv' 'max_steps 1087' 'rates_error 1.5'; } >plans/weighed.cfg
awk 'BEGIN { print "vent,rate_factor,weight"; for (i = 0; i < 18; i++) printf "%d,%.2f,%d\n", i % 2 + 1, 0.5 + i * 0.1, i % 2 ? 5 + i % 3 : 2 }' >plans/weighed.csv
check "a table of members: an ensemble" "$sciara" ensemble plans/weighed.cfg --keep --bulletin "${small[@]}" --output weighed
check "... whose bulletin speaks of both vents" grep -q 'vent 2 (75 %' weighed/bulletin.html
check "... and of errors of the rates" grep -q 'errors of the effusion rates; emitted lava' weighed/bulletin.html
check "... by their weights, until a whole hour" read_anew weighed en weighed
# ---- classes, of which one has more than two thirds of the members; one emits six times as much as the other
{ grep -Ev '^(members|vary|observed|weigh|max_steps|seed|rates)' plans/3.cfg && printf '%s\n' 'classes classes.csv' 'members 20' 'max_steps 600'; } >plans/classes.cfg
printf '%s\n' class,weight,volume_m3,duration_h small,7,1000,6 large,3,6000,6 >plans/classes.csv
check "classes: an ensemble" "$sciara" ensemble plans/classes.cfg --keep --bulletin --language it "${small[@]}" --output classes
/usr/bin/python3 -c 'import zipfile; print(end=zipfile.ZipFile("classes/record.zip").read("members.csv").decode())' >classes.csv
check "... of both, which emit different amounts" [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n[$at["class"] ($at["emitted_m3"] > 3000)] = 1 }
    END { print length(n), n["small0"], n["large1"] }' classes.csv)" = '2 1 1' ]
check "... whose bulletin names them" grep -q 'classe dell.eruzione (volume, durata) una di 2; lava emessa' classes/bulletin.html
check "... and does not say that they emit the same" grep -q 'troppe eruzioni simulate ne emettono la stessa quantità' classes/bulletin.html
check "... as an independent reader finds" read_anew classes it classes
# ---- classes of which the middle third begins among those that emit the same: they are in one part, with its share
sed 's/^classes.*/classes three.csv/' plans/classes.cfg >plans/three.cfg
printf '%s\n' class,weight,volume_m3,duration_h small,9,1000,6 middle,5,2000,6 large,6,6000,6 >plans/three.csv
check "three classes: an ensemble" "$sciara" ensemble plans/three.cfg --keep --bulletin "${small[@]}" --output three
check "... two parts, which are all of it" [ "$(grep -oE '(or more|at most)[^(]*\([0-9]+ %' three/bulletin.html | grep -oE '[0-9]+ %' | awk '{ n += $1 } END { print NR, n }')" = '2 100' ]
check "... as an independent reader finds" read_anew three en three
# ---- a zone is the same with and without a colon
for zone in +05:30 +0530; do
    { grep -v '^start_time' plans/three.cfg && echo "start_time 2026-11-25T05:00$zone"; } >plans/zone.cfg
    check "the zone $zone: an ensemble" "$sciara" ensemble plans/zone.cfg --bulletin "${small[@]}" --output zone$zone
done
check "... gives the same page, in its clocks" [ "$(grep -c 'UTC+05:30' zone+0530/bulletin.html)" -gt 1 ]
check "... whichever way it is written" cmp -s zone+05:30/bulletin.html zone+0530/bulletin.html
name=$(awk -F, '$0 ~ /^[A-Z][a-z]+,/ && $4 > 0 && $4 < 1 { print $1; exit }' e*/assets.csv)
library=$(grep -l "^$name,.*" e*/assets.csv | head -1)
check "a place that some members reach" [ -n "$name" ]
check "a question about it" "$sciara" ask "${library%/*}/library.gpkg" --where "arrival_h('$name') >= 0" --bulletin "${small[@]}" --output assumed
check "... whose page has no probability there" read_anew assumed en "${library%/*}"
check "... which the table says" [ "$(grep -c "^$name,.*,1$" assumed/assets.csv)" = 1 ]
check "questions and forecasts" [ $questions -gt 0 -a $forecasts -gt 2 ]
said() { grep -ohE "[0-9]+ bulletin, $1" ./*.read | awk '{ n += $1 } END { print n + 0 }'; }
check "many places, and cells of maps" [ "$(said tr)" -gt 100 -a "$(said map)" -gt 1000 ]
report
