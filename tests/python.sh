# shellcheck shell=bash
# python.sh — for tests that run many Python scripts: one process (tests/python_server.py) imports the modules once, and forks
# for each script. Source it after check.sh, with other names than csv, numpy and sqlite3 in $modules.
#
#     python SCRIPT|-|-c ARGUMENTS...     as /usr/bin/python3 that begins here: with the environment of this place; one at a time
# shellcheck disable=SC2154 # of check.sh
mkfifo "$work/.asked" "$work/.told"
# shellcheck disable=SC2086 # words
OPENBLAS_NUM_THREADS=1 /usr/bin/python3 "$root/tests/python_server.py" ${modules:-csv numpy sqlite3} <"$work/.asked" >"$work/.told" &
disown # it ends when the test has
exec {to_python}>"$work/.asked" {from_python}<"$work/.told"
python() {
    local code
    printf '%s\0' $(($# + 4)) $BASHPID "$PWD" "$work/.python" "$work/.python_errors" "$@" >&"$to_python"
    read -ru "$from_python" code # (standard input is that of the script)
    [ ! -s "$work/.python" ] || cat "$work/.python"
    [ ! -s "$work/.python_errors" ] || cat "$work/.python_errors" >&2
    return "$code"
}
