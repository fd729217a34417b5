#!/bin/bash
# What the commands say of cells that the parameters are not for, and of a front at its limit: once, in a line.
# tests: input/case
. tests/check.sh
needs_sciara
cd "$work" || exit 1

warned() { [ "$(grep -c "$1" "$2")" = "$3" ]; }
summary() { grep -q "\"$1\":.*$2" "$3/summary.json"; }

"$sciara" terrain made --size 64 --cell 20 --quiet
check 'a made case says for which cells its parameters are' grep -qx 'calibrated_cell_m 10' made/volcano.cfg
sed -i 's/^max_steps.*/max_steps 60/' made/volcano.cfg
grep -v calibrated_cell_m made/volcano.cfg >made/plain.cfg
text='warning: the flow may be too long: cells of 20 m, with parameters that may be for cells of 10 m; '

call run made/plain.cfg --output plain --map-size 300x300 --map-dpi 72
check 'a run of other cells: status' exits 0
check '... warns once on stderr' warned "$text" stderr 1
check '... in one line' [ "$(grep -c . stderr)" = 1 ]
check '... names the consequence' complains 'else lava cools 0.25 times as fast here'
check '... and what to do' complains 'published ones are for cells of 10 m: add calibrated_cell_m 10.*; a Pclock of 240 s'
check '... not again in the report' warned '^warning' stdout 0
check '... and in the summary' summary warning 'cells of 20 m' plain
call run made/plain.cfg --output quiet --quiet --map-size 300x300 --map-dpi 72
check '--quiet: not on stderr' silent stderr
call info made/plain.cfg
check 'info warns' warned '^warning  *the flow may be too long: cells of 20 m' stdout 1

sed 's/^PTsol .*/PTsol 870/; s/^PTvent .*/PTvent 1087/' made/volcano.cfg >made/celsius.cfg
call info made/celsius.cfg
check 'temperatures in degrees Celsius: warned' warned '^warning  *PTsol 870 is in kelvin and means 597 °C, .*add 273.15: PTsol 1143.15 and PTvent 1360.15$' stdout 1
call info made/volcano.cfg
check '... not those in kelvin' warned 'Celsius' stdout 0

call run made/volcano.cfg --output keyed --map-size 300x300 --map-dpi 72
check 'with the key: no warning' silent stderr
check '... but what was scaled' says '^resolution .*Pcool 2.8 is scaled to 11.2; a Pclock of 240 s'
check 'what arrivals depend on' says '^arrivals .* by up to a factor of 3; they were never compared with'
check '... in the report of the run' grep -q '"arrival_caveat":"Times of a single run' keyed/report.html
check 'what was scaled is in the summary' summary Pcool_scaled 11.2 keyed
check '... where Pcool is as given' summary Pcool '2.8,' keyed
check '... and proposed' summary Pclock_proposed 240 keyed
call info made/volcano.cfg
check 'info says so, too' says '^ *Pcool_scaled  *11.2$'
check '... and the layers' grep -qa 'calibrated_cell_m=10' keyed/total_thickness_m_000060.tif
check '... with Pcool as given' grep -qaE 'Pcool=2\.8( |<)' keyed/total_thickness_m_000060.tif

# The original format has what a program without the key needs
call run made/volcano.cfg --output original --format original --quiet
check 'the original format has the scaled Pcool' grep -qP '^Pcool\t11.2$' original/volcano_000000000060.cfg

# Many runs, one line
for plan in plain volcano; do
    { cat made/$plan.cfg && printf '%s\n' 'members 3' 'vary_Pcool uniform 2 4'; } >made/many_$plan.cfg
done
call ensemble made/many_plain.cfg --map-size 300x300 --map-dpi 72 --output many --layers members
check 'an ensemble warns once' warned "$text" stderr 1
check '... not again in its report' warned "$text" stdout 0
check '... and in the summary' summary warning 'cells of 20 m' many
check '... and not of each member' [ "$(wc -l <many/members.csv) $(grep -c 'cells of' many/members.csv)" = '4 0' ]
call info made/many_plain.cfg
check 'info of the plan' warned '^warning  *the flow may be too long: cells of 20 m' stdout 1
call ensemble made/many_volcano.cfg --map-size 300x300 --map-dpi 72 --output many_keyed
check 'with the key: none' silent stderr
check '... and what was scaled' says '^resolution .*a Pclock of 240 s'
call run made/many_volcano.cfg --member 1 --output member --map-size 300x300 --map-dpi 72
drawn=$(value Pcool member/summary.json)
scaled=$(value Pcool_scaled member/summary.json)
check 'a member: Pcool as drawn, and scaled' awk "BEGIN { exit !($drawn > 2 && $drawn < 4 && ($scaled / $drawn - 4) ^ 2 < 1e-20) }"

# What a version left that did not scale the step: the case and the plan with a line that does the same
{ grep -v '^P\|^calibrated\|^algorithm' made/volcano.cfg && echo 'parameters etna-2006'; } >made/set.cfg
{ cat made/set.cfg && echo 'Pclock 120'; } >made/old.cfg
call run made/old.cfg 40 --output old --state --quiet --format geotiff
refused 2 'a state of another step' 'state_000040.tif: .* differs in Pclock \(120, now 240\); .* the line .Pclock 120. restores the earlier step$' \
    run made/set.cfg --from old/state_000040.tif --no-output
call run made/old.cfg --from old/state_000040.tif --no-output --quiet
check '... which that line resumes' exits 0
{ cat made/set.cfg && printf '%s\n' 'members 3' 'vary_Pcool uniform 2 4'; } >made/plan_set.cfg
{ cat made/plan_set.cfg && echo 'Pclock 120'; } >made/now.cfg
call ensemble made/now.cfg --map-size 300x300 --map-dpi 72 --output kept --keep --quiet
cp made/plan_set.cfg made/now.cfg # as the plan of before was
refused 2 'a library of another step' 'library.gpkg: is a library of this plan with another step \(Pclock 120, now 240\); .* the line .Pclock 120. restores the earlier step$' \
    ask kept/library.gpkg --output asked
echo 'Pclock 120' >>made/now.cfg
call ask kept/library.gpkg --map-size 300x300 --map-dpi 72 --output asked --quiet
check '... which that line makes answer' exits 0

# A thin flow on a steep slope advances a cell in every step
"$sciara" terrain pyramid --kind pyramid --quiet
sed 's/^Phc(Tvent).*/Phc(Tvent) 0.01/; s/^max_steps.*/max_steps 200/' pyramid/pyramid.cfg >pyramid/thin.cfg
call run pyramid/thin.cfg --output thin --map-size 300x300 --map-dpi 72
check 'a front at its limit is warned of' warned '^warning .* on [0-9]* % of its way .* at the limit of one cell a step, 0.0833 m/s' stdout 1
check '... and in the summary' awk '/"front_cells_at_limit"/ { exit !($2 + 0 > 90) }' thin/summary.json
sed -i 's/^max_steps.*/max_steps 2000/' pyramid/pyramid.cfg
call run pyramid/pyramid.cfg --output thick --map-size 300x300 --map-dpi 72
check 'another is not' warned 'at the limit' stdout 0
check '... nor in the summary' summary front_cells_at_limit 0 thick
cd "$root" || exit 1
report
