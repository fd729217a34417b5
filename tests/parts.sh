# shellcheck shell=bash
# parts.sh — for tests that ask a script of Python dozens of times: most questions take less time than Python's start, so one
# process takes them all. Source it after check.sh.
#
#     start_parts SCRIPT      starts it, with a file for what it says (tests/parts.py)
#     part WORDS...           its status, after it has printed what it says
#     end_parts
# shellcheck disable=SC2154 # of check.sh
start_parts() {
    mkfifo "$work/parts" "$work/statuses"
    /usr/bin/python3 "$1" "$work/said" <"$work/parts" >"$work/statuses" &
    answering=$!
    exec {parts}>"$work/parts" {statuses}<"$work/statuses"
}
part() {
    local status=''
    printf '%s\0' "$@" >&"$parts" && echo >&"$parts" && read -r status <&"$statuses"
    [ ! -s "$work/said" ] || cat "$work/said"
    return "${status:-1}"
}
end_parts() { kill $answering && wait $answering; } 2>/dev/null
