# shellcheck shell=bash
# slope.sh — for tests of a terrain that changes: a slope with bumps, on which lava flows down to row 30. Source it after
# check.sh. It changes to $work and makes these files: dem.asc; wall.asc, with a wall of 12 m in row 30; half.asc, without data
# in its western half; vents.csv (vents 1 and 2). make() writes a case or a plan with these files.
# shellcheck disable=SC2154 # of check.sh
cd "$work" || exit 1
slope() { # slope WALL HOLES FILE
    awk -v wall="$1" -v holes="$2" 'BEGIN {
        print "ncols 40\nnrows 50\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\nNODATA_value -9999"
        for (r = 0; r < 50; r++) for (c = 0; c < 40; c++)
            printf "%s%s", (holes && c < 20 ? -9999 : 300 - 2 * r + (r * 7 + c * 3) % 5 / 4 + (r == 30 ? wall : 0)), (c == 39 ? "\n" : " ") }' >"$3"
}
slope 0 0 dem.asc
slope 12 0 wall.asc
slope 12 1 half.asc
printf 'vent,row,col\n1,10,20\n2,14,15\n' >vents.csv
make() { # make NAME LINE...
    printf '%s\n' 'dem dem.asc' 'vents vents.csv' 'rates rates.csv' 'parameters etna-2006' 'Pcool 40' \
        'start_time 2006-07-14T22:00' "${@:2}" >"$1.cfg"
}
members() { column digest "$1/members.csv"; }
