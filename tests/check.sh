# shellcheck shell=bash
# check.sh — functions and variables of all shell tests. A test begins with `. tests/check.sh`, in the root of the repository
# and with the build folder in BUILD. It ends with `report`, whose status is that of the test.
#
#     $root $build $sciara    absolute paths of the repository, the build folder and its program, even if that is not built
#     $core                   the library that programs share; the program itself in a build with sanitizers
#     $work                   a new folder in $TEST_FOLDER (build/tmp), which is removed at the end
#     copy_program FOLDER     copies the program to FOLDER/bin, and its libraries to FOLDER/lib
#     without_painters FOLDER copies a program that was built without painters, for tests that look only at numbers. Its
#                             maps have no words, and take a third of the time. Fails if there is no such program
#     needs WHY COMMAND...    skips the whole test if the command fails; needs_sciara: if the program is not built
#     check WHAT COMMAND...   a check, which passes if the command succeeds
#     skip WHAT               prints what is not checked here, and why
#     fails COMMAND...        succeeds if the command fails
#     wait_until COMMAND...   waits until the command succeeds, at most three minutes. Fails if the process $child ends before
#                             that. $wait_every: seconds between two attempts
#     halt                    stops $child until `kill -CONT`, and returns when all of its threads have stopped
#     pause SECONDS           sleeps without starting a program, which would take longer than most pauses
#     in_time COMMAND...      runs a command that starts $child, tells it to end and leaves its status in $code. If the child
#                             ended by itself with status 0, the command runs again, at most nine times in all
#     keep COMMAND...         runs a command; keeps its exit status in $code and its output in $work/stdout and stderr
#     call ARGUMENTS...       runs sciara by `keep`
#     $patience               seconds after which a command of keep or call is stopped, with status 124 or more
#
# After keep or call
#
#     exits STATUS, says PATTERN (on standard output), complains PATTERN, one_line (on standard error),
#     silent stdout|stderr
#     refusal STATUS WHAT PATTERN                 checks a refusal: status, one line that has PATTERN, no output
#     refused STATUS WHAT PATTERN ARGUMENTS...    call and refusal
#
# For JSON and tables
#
#     json FILTER FILE        prints what a filter of jq finds, as text
#     value KEY FILE          prints the first value with this name, at any depth
#     digest FOLDER, entry NAME FOLDER, closed FOLDER, listed FOLDER
#                             print from the summary of a folder: its digest, an entry of the ledger in quanta, whether both
#                             ledgers close, and the sorted names of its files
#     column NAME FILE        prints the cells of a column of a CSV file
#
# A test with few slow checks sets each=yes, so that each check that passes prints a line. Otherwise `report` prints their
# number. tools/run-tests adds up both.
set -u

root=$PWD
build=$(realpath -m "${BUILD:-build}")
sciara=$(realpath -m "$build/bin/sciara")
core=$build/lib/sciara/libsciara_core.so
[ -e "$core" ] || core=$sciara
test=$(basename "$0" .sh)
: "${TEST_FOLDER:=$root/build/tmp}"
mkdir -p "$TEST_FOLDER"
work=$(mktemp -d "$TEST_FOLDER/${test#test_}.XXXXXX") || exit 1
# (a test that is stopped stops what it has started)
# shellcheck disable=SC2046 # words
trap 'stop_servers; kill -KILL $(jobs -rp) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
child='' served='' silence='' each='' patience='' failures=0 passes=0 skips=0

copy_program() { mkdir -p "$1/bin" "$1/lib" && cp "$sciara" "$1/bin" && { [ "$core" = "$sciara" ] || cp -R "$build/lib/sciara" "$1/lib"; }; }
without_painters() {
    [ -e "$build/plain/libsciara_core.so" ] && [ "$core" != "$sciara" ] && copy_program "$1" && cp "$build/plain/libsciara_core.so" "$1/lib/sciara" &&
        rm "$1/lib/sciara/libsciara_show.so"
}
needs() {
    local why=$1
    shift
    "$@" >/dev/null 2>&1 || { echo "skipped: $why" && exit 0; }
}
needs_sciara() { needs "$sciara is not built" [ -x "$sciara" ]; }
check() {
    local what=$1
    shift
    if ! "$@"; then
        echo "FAILED: $what"
        failures=$((failures + 1))
    elif [ "$each" ]; then
        echo "ok: $what"
    else
        passes=$((passes + 1))
    fi
}
skip() {
    echo "skipped: $*"
    skips=$((skips + 1))
}
fails() { ! "$@"; }
# has_address FILE: what `sciara serve` prints is whole; it may come in parts
has_address() {
    local said=''
    IFS= read -rd '' said <"$1"
    [[ $said = *http://*$'\n' ]]
}
pause() {
    [ "$silence" ] || { mkfifo "$work/.silence" && exec {silence}<>"$work/.silence" && rm "$work/.silence"; }
    read -rt "$1" -u "$silence" _ || true # (in time there is nothing to read)
}
wait_until() {
    local end=$((SECONDS + 180))
    while [ $SECONDS -lt $end ]; do
        if "$@" 2>/dev/null; then return 0; fi
        kill -0 "$child" 2>/dev/null || return 1
        pause "${wait_every:-0.01}"
    done
    return 1
}

# A thread that is told to stop first ends the call of the kernel that it is in: it may still rename a file.
halt() { kill -STOP "$child" && wait_until halted; }
halted() {
    local states
    states=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$child"/task/*/status | cut -c1 | sort -u) && [ "$states" = T ]
}

in_time() {
    local i
    for ((i = 0; i < 9; i++)); do
        "$@"
        if [ "$code" != 0 ]; then return; fi
    done
}

# The program, by any of its names, is started by a fork of a server that has loaded its libraries (tests/fork_server.c). This
# takes a fifth of the time, or half with AddressSanitizer. Tools of GDAL, which load two hundred libraries, have servers, too.
# A subshell, which may run beside others, starts programs itself; so does a test that has changed variables which libraries
# read when they are loaded.
declare -A servers=() requests=() answers=() servers_loaded=()
loaded_variables() { local name && for name in ${!OMP_@} ${!GOMP_@} ${!LD_@} ${!MALLOC_@} ${!ASAN_@} ${!GLIBC_@} ${!FONTCONFIG_@}; do loaded+="$name=${!name} "; done; }
start_server() { # start_server PROGRAM LOADED
    local to from libraries=''
    servers_loaded[$1]=$2
    ! [ "$1" -ef "$sciara" ] || libraries=$(printf '%s:' "${1%/*}"/../lib/sciara/libsciara_{show,proj,zip}.so)
    [ -e "$build/tests/fork_server.so" ] && [ -x "$1" ] && mkfifo "$work/.requests" "$work/.answers" || return
    ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS:-} LD_PRELOAD=$build/tests/fork_server.so FORK_SERVER=$libraries "$1" <"$work/.requests" >"$work/.answers" 2>/dev/null &
    servers[$1]=$!
    exec {to}>"$work/.requests" {from}<"$work/.answers"
    requests[$1]=$to answers[$1]=$from
    rm "$work/.requests" "$work/.answers"
}
stop_servers() { # (each holds the requests of those before it)
    local to
    for to in "${requests[@]}"; do exec {to}>&-; done
    [ ${#servers[@]} = 0 ] || wait "${servers[@]}"
    requests=() servers=() servers_loaded=()
} 2>/dev/null
serves() { # serves PROGRAM: whether a server can start it; $serving is the program of that server
    local loaded=''
    [ $BASHPID = $$ ] || return
    serving=$1
    if [ "$1" -ef "${served:-$sciara}" ]; then serving=${served:=$sciara}; elif [[ $1 != */gdal* && $1 != */ogr* ]]; then return 1; fi
    loaded_variables
    [ "${servers_loaded[$serving]+tried}" ] || start_server "$serving" "$loaded"
    [ "${servers[$serving]:-}" ] && [ "$loaded" = "${servers_loaded[$serving]}" ] && kill -0 "${servers[$serving]}" 2>/dev/null
}
ask_server() { # ask_server OUT ERR PROGRAM ARGUMENTS...: its exit status is $code
    local names name
    compgen -e >"$work/.names" && mapfile -t names <"$work/.names"
    {
        printf '%s\0' $$ "$PWD" "$1" "$2" "${patience:-0}" $(($# - 2)) "${@:3}" ${#names[@]}
        for name in "${names[@]}"; do printf '%s\0' "$name=${!name}"; done
    } >&"${requests[$serving]}"
    read -ru "${answers[$serving]}" code # (standard input is that of the program)
}

# Tools of GDAL, as they are called
run_tool() { # run_tool PATH ARGUMENTS...
    local code patience=''
    if serves "$1" && ask_server "$work/.out" "$work/.err" "$@"; then
        [ ! -s "$work/.out" ] || cat "$work/.out"
        [ ! -s "$work/.err" ] || cat "$work/.err" >&2
        return "$code"
    fi
    command "${1##*/}" "${@:2}"
}
for tool in gdal_create gdal_translate gdalinfo gdalsrsinfo gdalwarp ogr2ogr ogrinfo; do
    if hash $tool 2>/dev/null; then eval "$tool() { run_tool ${BASH_CMDS[$tool]} \"\$@\"; }"; fi
done

keep() {
    if serves "$1"; then ask_server "$work/stdout" "$work/stderr" "$@" && return; fi
    ${patience:+timeout -k 1 "$patience"} "$@" >"$work/stdout" 2>"$work/stderr"
    code=$?
}
call() { keep "$sciara" "$@"; }
exits() { [ "$code" = "$1" ] || { echo "exit status $code:" && cat "$work/stderr" && false; }; }
# (the shell itself looks: to start grep takes longer)
matches() { # matches FILE PATTERN: in some line
    local line
    while IFS= read -r line || [ "$line" ]; do
        [[ $line =~ $2 ]] && return
    done <"$1"
    cat "$1"
    return 1
}
says() { matches "$work/stdout" "$1"; }
complains() { matches "$work/stderr" "$1"; }
one_line() {
    local lines
    mapfile lines <"$work/stderr"
    [ ${#lines[@]} = 1 ] && [[ ${lines[0]} = *$'\n' ]]
}
silent() { [ ! -s "$work/$1" ]; }
refusal() {
    check "$2: exit status $1" exits "$1"
    check "$2: one line" one_line
    check "$2: says why" complains "$3"
    check "$2: nothing on standard output" silent stdout
}
refused() {
    call "${@:4}"
    refusal "$1" "$2" "$3"
}

# jq takes 25 ms to start, so the shell itself looks where a text, a truth or a number is asked for, in files as sciara writes
# them: a line for each member, behind as many tabs as it is deep. (jq writes numbers of more digits in its own way.)
plain_value() { # plain_value TEXT: $found, behind a name
    [[ ${1%,} =~ ^(\"([^\"\\]*)\"|-?[0-9]{1,15}|-?0\.[0-9]{1,15}|-?[0-9]{1,6}\.[0-9]{1,9}|true|false|null)$ ]] && found=${BASH_REMATCH[1]} && found=${found//\"/}
}
found_at() { # found_at .NAME.NAME... FILE: $found
    local line tabs keys level=0 text
    IFS=. read -ra keys <<<"${1#.}"
    while IFS= read -r line; do
        tabs=${line%%[!$'\t']*}
        [ ${#tabs} -gt $level ] || [ "$line" = '{' ] || return
        [[ ${#tabs} = $((level + 1)) && $line = "$tabs\"${keys[level]}\":"$'\t'* ]] || continue
        text=${line#*:$'\t'} level=$((level + 1))
        if [ $level = ${#keys[@]} ]; then plain_value "$text"; return; fi
        [ "$text" = '{' ] || return
    done <"$2"
    return 1
}
found_first() { # found_first NAME FILE: $found, in the first object that has it; outer ones begin before inner ones
    local line tabs number=0 best=0 text='' start=()
    while IFS= read -r line; do
        tabs=${line%%[!$'\t']*} number=$((number + 1))
        if [[ $line = "$tabs\"$1\":"$'\t'* ]] && { [ $best = 0 ] || [ ${start[${#tabs}]} -lt $best ]; }; then
            best=${start[${#tabs}]} text=${line#*:$'\t'}
        fi
        case $line in *'[{') start[${#tabs} + 2]=$number ;; *'{') start[${#tabs} + 1]=$number ;; esac
    done <"$2"
    plain_value "$text"
}
json() {
    local found
    if [ $# = 2 ] && [[ $1 =~ ^(\.[A-Za-z_]+)+$ ]] && found_at "$1" "$2"; then echo "$found"; else jq -r "$@"; fi
}
value() {
    local found
    if found_first "$1" "$2"; then echo "$found"; else jq -r --arg key "$1" '[.. | objects | select(has($key))[$key]][0]' "$2"; fi
}
digest() { # (the shell itself looks for the line of the outermost object: jq takes ten times as long)
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^$'\t'\"digest\":$'\t'\"([0-9a-f]*)\" ]]; then echo "${BASH_REMATCH[1]}" && return; fi
    done <"$1/summary.json"
    return 1
}
entry() { json --arg entry "$1" '[.. | objects | .[$entry]? | objects | .quanta][0]' "$2/summary.json"; }
closed() { # (both are said)
    local line all=''
    while read -r line; do
        if [[ $line = '"closed":'* ]]; then all+=${line#*:}; fi
    done <"$1/summary.json"
    [[ ${all//[$'\t',]/ } =~ ^\ *true\ +true\ *$ ]]
}
listed() {
    local line on=''
    while IFS= read -r line; do
        case $line in
        $'\t"files":\t[{') on=yes ;;
        $'\t\t}]'*) on='' ;;
        $'\t\t\t"name":\t'*) [ ! "$on" ] || { line=${line#*:$'\t"'} && echo "${line%\"*}"; } ;;
        esac
    done <"$1/summary.json" | sort
}
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } { print $k }' "$2"; }

report() {
    echo "$test: $([ "$each" ] || echo "$passes checks passed, ")$failures failed, $skips skipped"
    [ $failures = 0 ]
}
