# shellcheck shell=bash
# tables.sh — studies of which a test reads nothing but tables and the summary: the library computes them, one after another in
# one process, where the program would start, and paint, for each. Sourced after check.sh.
# shellcheck disable=SC2034,SC2154 # of check.sh
needs "$build/lib/libsciara.so is not built" [ -e "$build/lib/libsciara.so" ]
coproc computing { cd "$root" && PYTHONPATH=python SCIARA_LIBRARY=$build/lib/libsciara.so exec /usr/bin/python3 -B tests/tables.py; }
disown # it ends when the test has
# tables KIND PLAN FOLDER [OPTION=VALUE]...: as `call` of the study, or with the library in place of a plan of a question
tables() {
    local IFS=$'\t' words=("${@:1:3}" "$work/stderr" "${@:4}")
    printf '%s\n' "${words[*]}" >&"${computing[1]}"
    code=
    read -r code <&"${computing[0]}"
}
