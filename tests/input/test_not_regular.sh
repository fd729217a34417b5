#!/bin/bash
# test_not_regular.sh — a FIFO or a device in place of any file that a command opens: each command ends at once.
# Opening a FIFO waits for its writer, and reading a device may never end.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: input/raster
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C
cd "$work" || exit 1

mkfifo pipe
patience=20
# at_once WHAT COMMAND...: whatever its status is, it ends
at_once() {
    local what=$1
    shift
    call "$@"
    check "$what: ends" [ "$code" -lt 124 ]
}
# refuses WHAT COMMAND...: with a line that gives the reason
refuses() {
    at_once "$@"
    check "$1: is refused" exits 2
    check "$1: with the reason" complains 'not a regular file|is not a folder|no ensemble.state|two alike|name two runs or two rasters'
}

# ---- named on the command line
patience=1 call serve --no-open
check "what does not end is stopped" [ "$code" -ge 124 ]
"$sciara" terrain made --kind pyramid --size 61 --quiet
"$sciara" run made/pyramid.cfg 60 --output run --format geotiff,png,geojson --state --quiet --map-size 300x300 --map-dpi 72
for file in pipe /dev/zero; do
    for command in info run report fit ensemble calibrate sensitivity merge null nowcast ask plan; do
        case $command in
        fit) set -- fit "$file" run/total_thickness_m_000060.tif --no-map ;;
        *) set -- "$command" "$file" ;;
        esac
        refuses "$command $file" "$@"
    done
    refuses "fit: $file as outline" fit run "$file" --no-map
    refuses "compare $file" compare "$file" run/total_thickness_m_000060.tif
    refuses "compare with $file" compare run "$file"
    refuses "run --from $file" run made/pyramid.cfg 80 --from "$file" --no-output
done

# ---- named in a case
other() { # other KEY FILE
    { grep -v "^$1 " made/pyramid.cfg && echo "$1 ../$2"; } >made/other.cfg
}
for key in dem vents rates outline barriers assets thickness terrain_update; do
    other $key pipe
    sed -i 's/^terrain_update .*/terrain_update 60s ..\/pipe with_lava/' made/other.cfg
    refuses "a case with $key pipe" info made/other.cfg
done
mkfifo made/terrain.tif.aux.xml
refuses "a pipe beside the terrain" info made/pyramid.cfg
rm made/terrain.tif.aux.xml

# ---- named in a plan
for line in 'vent_list ../pipe' 'vent_raster ../pipe' 'classes ../pipe' 'member_table ../pipe' 'correlation ../pipe' \
    'vent_shares ../pipe' 'observed_rates ../pipe' 'from_state ../pipe' 'observed_front ../pipe at 1h error_m 20' \
    'observed_survey ../pipe at 1h error_m 1' 'assets ../pipe'; do
    { grep -v '^rates ' made/pyramid.cfg && printf '%s\n' 'members 3' 'vary_Pcool uniform 2 4' "$line"; } >made/plan.cfg
    grep '^rates ' made/pyramid.cfg >>made/plan.cfg
    case $line in vent_[lr]*) sed -i '/^vents /d' made/plan.cfg ;; classes* | observed_rates*) sed -i '/^rates /d' made/plan.cfg ;; esac
    case $line in member_table*) sed -i '/^members /d' made/plan.cfg ;; esac
    case $line in observed_[fs]*) set -- nowcast made/plan.cfg --output never ;; *) set -- ensemble made/plan.cfg --output never ;; esac
    refuses "a plan with $line" "$@"
done

# ---- in the folder of a run: nothing hangs, whatever file is one
# (pictures, which take longest, are drawn again where one of them is the pipe)
mv run whole
for file in whole/*; do
    name=${file##*/}
    again='run made/pyramid.cfg 60 --output run --quiet --format geotiff' before=''
    [[ $name != *.png ]] || again+=',png --map-size 300x300 --map-dpi 72'
    for command in 'info run' 'compare run run' 'fit run made/terrain.tif --no-map' 'report run' \
        "$again --resume" "$again"; do
        # (what only reads the folder leaves it to the next)
        [[ $before = @(info|compare|fit)* ]] || { rm -rf run && cp -rl whole run && rm "run/$name" && mkfifo "run/$name"; }
        before=$command
        # shellcheck disable=SC2086 # words
        at_once "$name is a pipe: $command" $command
    done
done
report
