#!/bin/bash
# test_exercise.sh — the drill of three days (studies/exercise), in small: an independent reader writes each bulletin anew from the
# tables of its folder, and forecasts are scored by what the lava did.
# tests: program/commands
. tests/check.sh
needs_sciara
needs "gdal_translate is not there" gdal_translate --version
export OMP_NUM_THREADS=2
keep env BUILD="$(realpath --relative-to=. "$build")" MEMBERS=12 SIZE=60 LANGUAGES=it studies/exercise "$work/drill"
check "the exercise is played to its end" exits 0
cd "$work/drill" || exit 1
check "nine times, each with a bulletin" [ "$(find times -name '*_it.png' | wc -l) $(wc -l <scores.csv)" = '9 10' ]
score() { awk -F, -v time="$1" '$1 == time { print $5 }' scores.csv; }
check "what was seen makes the forecast better" awk -v before="$(score 1)" -v now="$(score 9)" 'BEGIN { exit !(before > 0 && now < before / 2) }'
check "a front that is corrected, too" awk -v wrong="$(score 4)" -v right="$(score 5)" 'BEGIN { exit !(right < wrong) }'
check "the pictures in docs/exercise have the words that bulletins have now; else: studies/exercise --page" [ -z "$(LC_ALL=C comm -13 "$root/docs/exercise/words.txt" words.txt)" ]
check "... which are many" [ "$(wc -l <words.txt)" -gt 15 ]
check "no member is computed twice" [ "$(find output -name 'library*.gpkg' | wc -l)" = 1 ]
for folder in output/prova-forecast-nowcast/*; do
    : >"$folder.txt"
    check "$folder: its bulletin has what the tables have, line by line" eval "/usr/bin/python3 '$root/tests/study/one_number.py' bulletin '$folder' it output/prova-forecast >said.txt || { cat said.txt && false; }"
    check "... at the places, too" grep -qE '([6-9]|[0-9]{2}) bulletin, tr' said.txt
done
report
