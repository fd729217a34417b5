#!/bin/bash
# test_bank.sh — `sciara bank`: what is known of the eruptions of a folder and what they lack; that other commands take them;
# and what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/commands
. tests/check.sh
needs_sciara
export LC_ALL=C
cd "$work" || exit 1

"$sciara" terrain made --size 40 --quiet || exit 1
mkdir bank empty
"$sciara" run made/volcano.cfg 60 --variant reference --output truth --quiet --format geotiff || exit 1
sed -E 's#^(dem|vents|rates|background) +#&../made/#; /^max_steps/d' made/volcano.cfg >bank/whole.cfg
printf '%s\n' 'max_steps 60' 'outline ../truth/total_thickness_m_000060.tif' 'fit_rate_factor 0.5 2' 'start_time 2006-07-14T22:00' \
    'observed_outline ../truth/total_thickness_m_000060.tif at 2' 'observed_runout_m 300' >>bank/whole.cfg
sed -E 's#^(dem|vents|rates|background) +#&../made/#; /^title/d' made/volcano.cfg >bank/bare.cfg

call bank bank
check "two eruptions: exit status 0" exits 0
check "... each by its name" says '^bare: bare$'
check "... in order" [ "$(grep -n '^whole' "$work/stdout" | cut -d: -f1)" -gt "$(grep -n '^bare' "$work/stdout" | cut -d: -f1)" ]
check "... what was observed" says '^  observed    outline, 1 dated outline, 1 run-out$'
check "... or nothing" says '^  observed    nothing$'
check "... rates and their bounds" says '^  eruption    .* m3 in .* h, rates times 0\.5 to 2$'
check "... what one lacks, and the other does not" [ "$(grep -c '^  lacks ' "$work/stdout")" = 3 ]
call null bank/whole.cfg --map-size 300x300 --map-dpi 72 --output null --quiet
check "null takes an eruption" exits 0
{ cat bank/whole.cfg && echo 'eruption other.cfg'; } | sed '/^fit_rate/d; $a fit_Pcool 1 10' >bank/all.cfg
cp bank/whole.cfg bank/other.cfg
call calibrate bank/all.cfg --evaluations 8 --map-size 300x300 --map-dpi 72 --output fitted --quiet --variant reference
check "calibrate takes an eruption" exits 0
rm bank/all.cfg bank/other.cfg

echo 'Pcool many' >>bank/bare.cfg
call bank bank
check "one that is refused: exit status 2" exits 2
check "... one line" one_line
check "... says why" complains 'bank/bare.cfg:[0-9]+'
check "... the other is listed" says '^whole: '
sed '/^dem/d' bank/bare.cfg >bank/other.cfg
call bank bank
check "two that are refused: one line each" [ "$(grep -o 'bank/[a-z]*\.cfg' "$work/stderr" | paste -s -d ' ')" = 'bank/bare.cfg bank/other.cfg' ]
rm bank/other.cfg
refused 2 "an empty folder" 'has no case of an eruption; add a file' bank empty
refused 2 "no folder" 'never: .*; name a folder' bank never
refused 2 "nothing" 'name a folder of eruptions' bank
report
