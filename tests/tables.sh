# shellcheck shell=bash
# tables.sh — for tests that read only tables and summaries of studies. One process computes all studies by the library. It
# starts once and paints nothing, so it is faster than a program for each study. Source it after check.sh.
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
