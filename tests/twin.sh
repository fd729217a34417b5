# shellcheck shell=bash
# twin.sh — for tests of calibrations: an eruption with known parameters on synthetic terrain, and its outlines. Source it after
# check.sh. It makes in $work: made/volcano.cfg (the case without max_steps), made/base.cfg (runs of 12 hours, with the outlines
# after 4 and 12 hours as observations), truth120/ and truth360/ (the runs).
# shellcheck disable=SC2154 # of check.sh
made=$work/made
"$sciara" terrain "$made" --size 120 --quiet || exit 1
sed -i '/^max_steps/d' "$made/volcano.cfg"
{
    grep -Ev '^(Pcool|Phc\(Tvent\))' "$made/volcano.cfg"
    printf '%s\n' 'Pcool 4.1' 'Phc(Tvent) 2.3' 'max_steps 360'
} >"$made/truth.cfg"
for steps in 120 360; do
    "$sciara" run "$made/truth.cfg" $steps --variant reference --output "$work/truth$steps" --quiet --format geotiff || exit 1
done
{
    cat "$made/volcano.cfg"
    printf '%s\n' 'max_steps 360' 'outline ../truth360/total_thickness_m_000360.tif' \
        'observed_outline ../truth120/total_thickness_m_000120.tif at 4'
} >"$made/base.cfg"

# is_near A B SHARE
is_near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a >= b * (1 - by) && a <= b * (1 + by)) }'; }
# held_out FOLDER: its scores of what was held out
held_out() { json ".. | .held_out? | objects" "$1/summary.json"; }
