#!/bin/bash
# test_leave_one_out.sh — studies/leave-one-out on two synthetic eruptions: what was observed of one has no part in its
# forecast, and the table has what the folders have. Run from the root of the repository, with BUILD naming the build folder.
# tests: study/calibration
. tests/check.sh
needs_sciara
needs 'no python3' python3 --version
export OMP_NUM_THREADS=1 MEMBERS=6
if without_painters "$work/plain"; then export BUILD=$work/plain; fi

studies/leave-one-out --twins "$work/twins" || exit 1
sed -i -e '/twin[34].cfg/d' -e 's/^evaluations.*/evaluations 21/' -e 's/^posterior_members.*/posterior_members 10/' "$work/twins/twin1.cfg"
for name in twin1 twin2; do # half as long
    sed -i 's/^max_steps 480/max_steps 240/; s/_000960/_000480/' "$work/twins/$name.cfg"
    sed -i 's/^max_steps 960/max_steps 480/' "$work/twins/$name/truth.cfg" && rm -r "$work/twins/$name/truth"
    "$sciara" run "$work/twins/$name/truth.cfg" --member 0 --output "$work/twins/$name/truth" --format geotiff --quiet || exit 1
done
one=$work/one two=$work/two
OUTPUT=$one check 'two eruptions' studies/leave-one-out "$work/twins/twin1.cfg" --map-size 300x300 --map-dpi 72
# of LEFT_OUT FORECAST COLUMN: of the table
of() { awk -F, -v l="$1" -v f="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } $1 == l && $2 == f { print $at }' "$one/scores.csv"; }
round() { awk -v x="$1" 'BEGIN { printf "%.6g", x }'; }
check 'five forecasts of each, and the means' [ "$(wc -l <"$one/scores.csv")" = 16 ]
for name in twin1 twin2; do
    check "$name is forecast better than by its share of cells" awk -v a="$(of $name posterior brier_skill)" 'BEGIN { exit !(a > 0) }'
    check "... by members that it was held out from" [ "$(json '.hold_out.eruptions[0]' "$one/$name/posterior/summary.json")" = $name ]
    check "... with the scores of its folder" \
        [ "$(of $name posterior log_score)" = "$(round "$(json .verification.log_score "$one/$name/forecast/$name/summary.json")")" ]
    check "... the null model by the other's length" [ "$(json .null.length_m "$one/$name/null/summary.json")" = \
        "$(json .null.length_m "$one/twin$((3 - ${name#twin}))/fitted-null/summary.json")" ]
    check "... and other lava without its outline in it" [ "$(of $name prior brier_skill)" != "$(of $name posterior brier_skill)" ]
done
# a part of the work, of a bank: nothing is computed that is there
mkdir "$work/bank" && for name in twin1 twin2; do sed -E '/^eruption /d; s#(made/|twin[12]/truth)#../twins/&#' "$work/twins/$name.cfg" >"$work/bank/$name.cfg"; done
before=$(find "$one" -name summary.json -exec stat -c %Y {} + | sort -n | tail -1)
OUTPUT=$one check 'one eruption of a bank' studies/leave-one-out "$work/bank" --eruption twin2 --map-size 300x300 --map-dpi 72
part() { OUTPUT=$one studies/leave-one-out "$work/bank" --eruption twin2 --map-size 300x300 --map-dpi 72; }
check '... its rows alone' [ "$(part | grep -c '^| twin2 |') $(part | wc -l)" = "5 7" ]
check '... from what is there' [ "$(find "$one" -name summary.json -exec stat -c %Y {} + | sort -n | tail -1)" = "$before" ]
OUTPUT=$one studies/leave-one-out "$work/bank" --page "$work/page.md" --map-size 300x300 --map-dpi 72 >"$work/table"
check 'a page has the table' [ "$(grep -c '^|' "$work/page.md")" = "$(wc -l <"$work/table")" ]
seen=$(awk -F, 'NR > 1 && $1 >= 0.9 { of += $3 } END { print of }' "$one/twin1/prior/twin1/reliability.csv")
check '... the ends of the reliability as its folder has it' [ "$(of twin1 prior cells_above_90)" = "$seen" ]
check '... and of the run-out' [ "$(of twin1 prior runout_error_m)" = "$(round "$(json .verification.runout_m.mean_error "$one/twin1/prior/twin1/summary.json")")" ]
check 'another eruption is refused' fails env OUTPUT="$one" studies/leave-one-out "$work/bank" --eruption never
cp "$work/twins/twin1/truth/total_thickness_m_000480.tif" "$work/twins/twin2/truth/"
cp -r "$one" "$two" && rm -r "$two"/*/posterior "$two"/*/forecast # all else is not computed again
OUTPUT=$two check 'another outline of the second' studies/leave-one-out "$work/twins/twin1.cfg" --map-size 300x300 --map-dpi 72
check '... the same forecast of it' cmp "$one/twin2/forecast/twin2.csv" "$two/twin2/forecast/twin2.csv"
check '... another one by it' fails cmp -s "$one/twin1/forecast/twin1.csv" "$two/twin1/forecast/twin1.csv"
grep -v '^eruption' "$work/twins/twin1.cfg" >"$work/twins/alone.cfg"
refused_text=$(OUTPUT=$work/none studies/leave-one-out "$work/twins/alone.cfg" 2>&1)
check 'a single eruption is refused' [ "${refused_text##*;}" = " add lines 'eruption FILE'" ]
report
