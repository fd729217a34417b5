#!/bin/bash
# test_members.sh — sciara ensemble --list and sciara run --member: a member is a run like any other.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: study/members
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1

folder=$work/made
"$sciara" terrain "$folder" --size 64 --quiet || exit 1
grep -v -e '^#' -e max_steps "$folder/volcano.cfg" >"$folder/plan.cfg"
cat >>"$folder/plan.cfg" <<'END'
max_steps 60
members 6
sampling latin
vary_Pcool uniform 2 4
vary_rate_factor discrete 2
terrain_error_m 0.3
terrain_error_length_m 50
END
plan=$folder/plan.cfg
column() { sed -n "$((${1} + 2))p" "$work/list.csv" | cut -d, -f"$2"; }

# ---- the list
call ensemble "$plan" --list
cp "$work/stdout" "$work/list.csv"
check "--list" exits 0
check "--list names its columns" says '^member,weight,Pcool,rate_factor,terrain_seed$'
check "--list has a row for each member" [ "$(wc -l <"$work/list.csv")" = 7 ]
check "--list draws" [ "$(cut -d, -f3 "$work/list.csv" | sort -u | wc -l)" = 7 ]
check "--list says nothing else" silent stderr
call ensemble "$plan" --list
check "--list says the same again" cmp -s "$work/stdout" "$work/list.csv"
check "--list leaves no files" fails [ -e output/plan ]

# ---- a member
for member in 0 4; do
    call run "$plan" --member $member --output "$work/member$member" --variant reference --quiet --layers elevation_after_m --map-size 300x300 --map-dpi 72
    check "member $member" exits 0
done
check "members differ" fails [ "$(digest "$work/member0")" = "$(digest "$work/member4")" ]
for file in summary.json map_000060.png total_thickness_m_000060.tif arrival_h_000060.tif elevation_after_m_000060.tif; do
    check "member 4 has $file" [ -s "$work/member4/$file" ]
done
check "its name has its number" grep -q '"name":.*"plan_4"' "$work/member4/summary.json"
check "its title has its number" grep -q 'member 4"' "$work/member4/summary.json"
check "its parameter is the one in the list" grep -q "\"Pcool\":.*$(column 4 3 | cut -c1-12)" "$work/member4/summary.json"
OMP_NUM_THREADS=2 call run "$plan" --member 4 --output "$work/again" --variant reference --quiet --format geotiff
check "the same with two threads" [ "$(digest "$work/member4")" = "$(digest "$work/again")" ]
cp -r "$folder" "$work/moved"
call run "$work/moved/plan.cfg" --member 4 --output "$work/again" --variant reference --quiet --format geotiff
check "the same from another folder" [ "$(digest "$work/member4")" = "$(digest "$work/again")" ]

# ---- the case that a person would write: without the error of the terrain, whose cells have no key
sed -i '/^terrain_error/d' "$plan"
awk -F, '{ OFS = "," } NR > 1 { $4 *= 2 } 1' "$folder/rates.csv" >"$folder/rates2.csv"
sed -e '/^members\|^sampling\|^vary\|^rates\|^Pcool/d' "$plan" >"$folder/alone.cfg"
printf 'rates rates2.csv\nPcool %s\n' "$(column 4 3)" >>"$folder/alone.cfg"
call run "$plan" --member 4 --output "$work/member" --variant reference --quiet --format geotiff
call run "$folder/alone.cfg" --output "$work/alone" --variant reference --quiet --format geotiff
check "the case with its numbers" exits 0
check "lava came out" grep -q '"emitted"' "$work/alone/summary.json"
check "a member is that case" [ "$(digest "$work/member")" = "$(digest "$work/alone")" ]

# ---- refusals
refused 2 "a member that there is not" 'no member 6; members are numbered from 0 to 5' run "$plan" --member 6
refused 2 "a plan as a case" 'plan.cfg:[0-9]+: members makes this a plan' run "$plan"
refused 2 "a case as a plan" 'alone.cfg: the number of members is missing' run "$folder/alone.cfg" --member 0
refused 2 "a case as a plan" 'alone.cfg: the number of members is missing' ensemble "$folder/alone.cfg" --list
refused 2 "--published" '--published and --member contradict each other' run "$plan" --member 0 --published --variant reference
refused 2 "no number" 'give a whole number' run "$plan" --member x
refused 2 "no file" 'none.cfg' ensemble "$folder/none.cfg" --list

# ---- the plans of the repository
cp -r data "$work/data"
"$sciara" terrain "$work/data/made" --size 300 --quiet
call ensemble "$work/data/volcano-ensemble.cfg" --list
check "data/volcano-ensemble.cfg" exits 0
check "64 vents in 4 classes, four times" [ "$(wc -l <"$work/stdout")" = 1025 ]
check "weights as the classes have them" awk -F, '
    NR > 1 { sum += $2; of[$NF] += $2 }
    END { exit !(sum < 2 ^ 53 && of["short and small"] / sum > 0.4499 && of["short and small"] / sum < 0.4501) }' "$work/stdout"
[ -e "$work/data/etna2006/2006_000000000000_Morphology.asc" ] ||
    { mkdir -p "$work/data/etna2006" && "$sciara" terrain "$work/data/etna2006" --like-etna2006 --quiet; }
call ensemble "$work/data/etna2006-ensemble.cfg" --list
check "data/etna2006-ensemble.cfg" exits 0
check "10,000 members" [ "$(wc -l <"$work/stdout")" = 10001 ]
# ---- notes of members
sed 's/^vary_rate_factor.*/vary_rate_factor lognormal 1 2/; s/^members.*/members 24/' "$plan" >"$folder/much.cfg"
noted=0
for member in $(seq 0 23); do
    call run "$folder/much.cfg" --member "$member" --no-output --json
    one=$(json '.warnings[] | select(.text | contains("m of lava in a step")).text' "$work/stdout")
    if [ "$one" ]; then noted=$((noted + 1)) && last=$one; fi
done
check "some members emit much in a step, others do not" [ $noted -gt 0 -a $noted -lt 24 ]
pattern="$noted of 24 members have a notice, such as member [0-9]+: vent 1 emits up to .* m of lava in a step"
call info "$folder/much.cfg"
check "info says so, with their number" says "^notice +$pattern"
call ensemble "$folder/much.cfg" --output "$work/much" --layers all --format html --map-size 300x300 --map-dpi 72
check "the ensemble has it in its summary" matches "$work/much/summary.json" "$pattern"
check "... and says nothing" fails grep -q 'of lava in a step' "$work/stdout" "$work/stderr"
check "... each member in its row" [ "$(grep -c 'm of lava in a step' "$work/much/members.csv")" = $noted ]
check "... with what its own run has" grep -qF "${last%%;*}" "$work/much/members.csv"
check "... their number in the summary" grep -q "\"with_notice\":.*$noted," "$work/much/summary.json"
check "... and nothing in the report" fails grep -q 'of lava in a step' "$work/much/report.html"

report
