#!/bin/bash
# test_times.sh — times as people give them, in a case and on the command line: a case in hours and its twin in dates
# are one case, to the last bit; --until and --every; and where the date is shown.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/eruption
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1
made=$work/made
"$sciara" terrain "$made" --size 60 --quiet || exit 1
sed -i 's/^max_steps .*/max_steps 500/' "$made/volcano.cfg"

printf '%s\n' vent,from_h,to_h,rate_m3_s 1,1.1,7,1.5 1,7,13.7,0.5 2,0,12,2 >"$made/hours.csv"
printf '%s\n' vent,from,to,rate_m3_s 1,66min,7h,1.5 1,7h,49320s,0.5 2,0,0.5d,2 >"$made/units.csv"
printf '%s\n' vent,from,to,rate_m3_s 1,2006-07-12T07:06,2006-07-12T13:00Z,1.5 \
    '1,2006-07-12 13:00:00,2006-07-12T21:42+02:00,0.5' 2,2006-07-12T06:00,2006-07-12T18:00,2 >"$made/dates.csv"
# case_with NAME LINE...: with those rates and lines
case_with() {
    local name=$1
    shift
    { sed "s/^rates .*/rates $name.csv/" "$made/volcano.cfg" && printf '%s\n' "$@"; } >"$made/$name.cfg"
}
case_with hours
case_with units
case_with dates 'start_time 2006-07-12T08:00+02:00'

# ---- twins
format=geotiff,png # (maps take longer than all else)
run() { call run "$made/$1.cfg" --variant reference --output "$work/$1" --format $format --layers all --quiet "${@:2}"; }
emitted() { grep -A 3 '"emitted"' "$1/summary.json"; }
for name in hours units dates; do
    [ $name != units ] || format=geotiff
    run "$name" --every 200 --state
    check "$name: runs" exits 0
    format=geotiff,png
done
check "there is lava" [ "$(emitted "$work/hours" | grep -c '"quanta":."0"')" = 0 ]
for name in units dates; do
    check "$name: the digest of the hours" [ "$(digest "$work/$name")" = "$(digest "$work/hours")" ]
    check "$name: their volume" [ "$(emitted "$work/$name")" = "$(emitted "$work/hours")" ]
    call compare "$work/hours" "$work/$name" --json
    check "$name: equal layers, the dates in their names aside" exits 0
    check "$name: ... all of three steps" [ "$(grep -c '"equal_bits":.true' "$work/stdout")" = 27 ]
    check "$name: a state of the hours is one of it" \
        "$sciara" run "$made/$name.cfg" 510 --from "$work/hours/state_000500.tif" --no-output --quiet
done
call compare "$work/dates" "$work/hours"
check "the other way round" exits 0
call compare "$work/dates" "$work/hours/state_000500.tif"
check "a state of the hours has the bits of the dates" exits 0

# ---- where the date is shown: 500 steps of 120 s are 16 h 40 min
check "names of files have it" [ -e "$work/dates/total_thickness_m_000200_20060712T1240Z.tif" ]
check "... maps, too" [ -e "$work/dates/map_000500_20060712T2240Z.png" ]
check "... states have none, so that a run goes on" [ -e "$work/dates/state_000500.tif" ]
check "without start_time there is none" [ -e "$work/hours/map_000500.png" ]
check "summary.json" grep -q '"date":."2006-07-12T22:40:00Z"' "$work/dates/summary.json"
check "... not without start_time" fails grep -q '"date"' "$work/hours/summary.json"
format=geotiff
call run "$made/dates.cfg" --variant reference --output "$work/dates" --format geotiff
check "the report" says '^steps .* since the start, 2006-07-12 22:40 UTC'
check "... and the run has replaced the one before it" [ ! -e "$work/dates/total_thickness_m_000200_20060712T1240Z.tif" ]
call info "$made/dates.cfg" --json
check "info: the start, in UTC" says '"start_time":."2006-07-12T06:00:00Z"'
check "info: the end" says '"end_date":."2006-07-12T22:40:00Z"'
check "info: the last emission" says '"last_vent_date":."2006-07-12T19:42:00Z"'
call info "$work/dates"
check "info: the folder of the run" exits 0
run dates 300 --every 100 --state
run dates --every 100 --resume
check "--resume in a folder with dates" exits 0
check "... the same digest" [ "$(digest "$work/dates")" = "$(digest "$work/hours")" ]
check "... keeps what was there" [ -e "$work/dates/total_thickness_m_000200_20060712T1240Z.tif" ]

# ---- timeline.csv
rows() { cut -d, -f "${2:-1-}" "$1/timeline.csv"; }
# (the rates change at these hours, 30 steps each)
due=$(awk -F, 'NR > 1 { print 30 * $2; print 30 * $3 } END { for (i = 0; i <= 5; i++) print 100 * i }' "$made/hours.csv" | sort -nu | tr '\n' ' ')
check "timeline.csv: a row for each reduction and each change of a rate" [ "$(rows "$work/hours" 1 | tr '\n' ' ')" = "step $due" ]
check "... which are not the same" [ "$(wc -w <<<"$due")" = 10 ]
check "... lava spreads" [ "$(rows "$work/hours" 4 | sed 1d | sort -nu | wc -l)" -ge 3 ]
check "... what snapshots know, where they are" \
    [ "$(rows "$work/hours" 1,9 | sed 1d | grep -o '^.*,[0-9]' | cut -d, -f1 | tr '\n' ' ')" = "200 400 500 " ]
check "... dates" [ "$(rows "$work/dates" 1,3 | grep '^100,')" = 100,2006-07-12T09:20:00Z ]
check "... the others are those of the hours" cmp <(rows "$work/dates" 1,2,4-8) <(rows "$work/hours" 1,2,4-8)
m3() { grep -A 4 "\"$1\"" "$work/hours/summary.json" | sed -n 's/.*"m3":.\([0-9.e+-]*\).*/\1/p' | head -n 1; }
same_number() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a == b || (a - b) ^ 2 < 1e-18 * b ^ 2) }'; }
columns=(emitted:7 mobile:9 solidified:10 left_domain:11)
for column in "${columns[@]}"; do
    check "... at the end ${column%:*} is that of the ledger" \
        same_number "$(rows "$work/hours" "${column#*:}" | tail -n 1)" "$(m3 "${column%:*}")"
done
call run "$made/hours.cfg" --variant reference --domain full --threads 2 --output "$work/full" --every 200 --quiet --format geotiff
check "... every cell computed, on two threads: the same bits" cmp "$work/full/timeline.csv" "$work/hours/timeline.csv"
call run "$made/hours.cfg" --published --variant reference --output "$work/published" --quiet --format geotiff
# (its intervals begin a step earlier)
check "... of published arithmetic, too" [ "$(rows "$work/published" 1 | wc -l) $(rows "$work/published" 1 | grep -c '^[1-5]00$')" = "11 5" ]
call run "$made/hours.cfg" 350 --variant reference --output "$work/cut" --every 200 --state --quiet --format geotiff
check "... of a run that ends between reductions" [ "$(rows "$work/cut" 1 | tail -n 2 | tr '\n' ' ')" = "300 350 " ]
call run "$made/hours.cfg" --variant reference --output "$work/on" --every 200 --from "$work/cut/state_000350.tif" --quiet --format geotiff
check "... goes on from its state, not twice and none missing" cmp "$work/on/timeline.csv" "$work/hours/timeline.csv"
sed 's/^1,7,13.7,0.5/1,7,13.7,1/' "$made/hours.csv" >"$made/more.csv"
case_with more
call run "$made/more.cfg" --variant reference --output "$work/more" --changed --from "$work/cut/state_000350.tif" --quiet --format geotiff
check "... of a case that was changed: what was emitted before, only where it is known" \
    [ "$(rows "$work/more" 1,7 | sed 1d | grep -o '^.*,[0-9]' | cut -d, -f1 | tr '\n' ' ')" = "200 360 400 411 500 " ]
check "... a picture of it" [ "$(head -c 8 "$work/hours/timeline.png" | tail -c 7 | head -c 3)" = PNG ]

# ---- --until
# until_is STEP FORM...
until_is() {
    local step=$1 form
    shift
    for form in "$@"; do
        run dates --until "$form"
        check "--until $form" exits 0
        check "--until $form: step $step" grep -q '"step":.'"$step," "$work/dates/summary.json"
    done
}
until_is 30 30 1h 60min 3600s 2006-07-12T07:00 2006-07-12T09:00+02:00 '2006-07-12 07:00:00Z'
until_is 31 2006-07-12T07:00:01 3600.001s 61min
until_is 1 1s 1 120s
refused 2 "--until: no time" '--until soon: give a time with its unit' run "$made/dates.cfg" --until soon
refused 2 "--until: the start" 'is the start itself' run "$made/dates.cfg" --until 2006-07-12T06:00
refused 2 "--until: before the start" 'before start_time 2006-07-12T06:00:00Z' run "$made/dates.cfg" --until 2006-07-12
refused 2 "--until: no such day" 'the date does not exist' run "$made/dates.cfg" --until 2006-02-30
refused 2 "--until: too late" 'after more than 2147483646 steps' run "$made/dates.cfg" --until 1000000000000s
refused 2 "--until: a date without start_time" 'add a line such as .start_time' run "$made/hours.cfg" --until 2006-07-13
refused 2 "--until and STEPS" 'contradict' run "$made/hours.cfg" 10 --until 1h

# ---- --every
snapshots() { (cd "$1" && echo total_thickness_m_*.tif); }
run hours 95 --every 1h
check "--every 1h: every 30 steps" [ "$(snapshots "$work/hours" | grep -o '0000[0-9]*' | tr '\n' ' ')" = "000030 000060 000090 000095 " ]
run hours 95 --every 45min
check "--every 45min: 22.5 steps are 23" [ "$(snapshots "$work/hours" | grep -o '0000[0-9]*' | tr '\n' ' ')" = "000023 000046 000069 000092 000095 " ]
run hours 5 --every 1s
check "--every 1s: no less than a step" [ "$(snapshots "$work/hours" | wc -w)" = 5 ]
# the last dates: step 30 ends with the year 9999, step 29 is its last hour's last but one
{ grep -v '^max_steps' "$made/hours.cfg" && printf '%s\n' 'max_steps 29' 'start_time 9999-12-31T23:00'; } >"$made/late.cfg"
run late --every 10
check "the last year that has dates: it runs" exits 0
check "... each file has its own" [ "$(snapshots "$work/late" | tr '\n' ' ')" = "$(printf 'total_thickness_m_%s.tif ' \
    000010_99991231T2320Z 000020_99991231T2340Z 000029_99991231T2358Z)" ]
refused 2 "a year that has none" 'late.cfg: step 30 is after the year 9999, .*; give fewer steps' run "$made/late.cfg" 30 --output "$work/never"
check "... nothing is left behind" [ ! -e "$work/never" ]
refused 2 "... nor has a case without an end" 'late.cfg: step 30 is after' run "$made/late.cfg" --until 1h --output "$work/never"
sed '/^max_steps/d; $ a stop_when_mobile_below_m 1' "$made/late.cfg" >"$made/open.cfg"
refused 2 "... nor an eruption" 'open.cfg: step 411 is after the year 9999' run "$made/open.cfg" --output "$work/never"
refused 2 "--every: no span" '--every 6x: give steps' run "$made/hours.cfg" --every 6x
refused 2 "--every: a date" 'give steps, .* or a simulated time' run "$made/dates.cfg" --every 2006-07-13
refused 2 "--every: 0 h" 'above 0 with its unit' run "$made/hours.cfg" --every 0h
call run "$made/hours.cfg" 5 --variant reference --output "$work/out" --state-minutes 90s --quiet --format geotiff
check "--state-minutes 90s" exits 0
refused 2 "--state-minutes: a word" 'give minutes, or a time with its unit' run "$made/hours.cfg" --state-minutes soon

# ---- what a case may say
# bad WHAT PATTERN ROW: the rates with that row
bad() {
    printf '%s\n' vent,from,to,rate_m3_s "$3" 2,0,12,2 >"$made/bad.csv"
    case_with bad ${4:+"$4"}
    refused 2 "$1" "bad.csv:2: .*$2" run "$made/bad.cfg" --output "$work/none"
    check "$1: leaves nothing" [ ! -e "$work/none" ]
}
bad "a date without start_time" "to is '2006-07-13'; a date needs start_time in the case" 1,0,2006-07-13,1
bad "a date before start_time" 'before start_time' 1,2006-07-11,2006-07-13,1 'start_time 2006-07-12'
bad "an hour that is none" 'the date does not exist' 1,2006-07-12T25:00,2006-07-13,1 'start_time 2006-07-12'
bad "fractions of a millisecond" 'fewer digits' 1,0.0001s,6,1
bad "other units" 'give hours since the start, a time with its unit' 1,0,6hours,1
bad "an end before its beginning" 'the end is not after the start' 1,7h,6h,1
report
