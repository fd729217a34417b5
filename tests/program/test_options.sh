#!/bin/bash
# test_options.sh — the tables of options as they are seen from outside: every option of every command is in
# --help, in the man page and in the completion of each shell, and means the same as --x v and as --x=v.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: program/options
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 LC_ALL=C

has_program() { command -v "$1" >/dev/null; }
quiet() { # quiet COMMAND...: succeeds and says nothing
    if "$@" >"$work/log" 2>&1 && [ ! -s "$work/log" ]; then return; fi
    cat "$work/log"
    return 1
}

commands=$("$sciara" help --options)
check "there are commands" [ "$(wc -w <<<"$commands")" -ge 8 ]
tools/write-manual "$sciara" "$work/share" || exit 1
man1=$work/share/man/man1
bash_script=$work/share/bash-completion/completions/sciara
zsh_script=$work/share/zsh/site-functions/_sciara
fish_script=$work/share/fish/vendor_completions.d/sciara.fish
declare -A table
for command in $commands; do call help --options "$command" && table[$command]=$(<"$work/stdout"); done
rows() { grep -- ^-- <<<"${table[$1]}"; } # NAME, METAVAR, type, what it can be
operands() { grep -v -- ^-- <<<"${table[$1]}"; }

# ---- completion by bash: the script is sourced, its function called
# shellcheck disable=SC1090 # the script under test
source "$bash_script"
completed() { # completed WORD...: what follows the last word, which may be empty
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _sciara
    sort_lines "${COMPREPLY[@]}"
}
is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'" && false; }; }
sort_lines() { # sort_lines LINE...: in one line, with a blank behind each
    local lines
    mapfile -t lines < <(printf '%s\n' "$@" | sort)
    printf '%s ' "${lines[@]}"
}
# shellcheck disable=SC2048,SC2086 # words
sorted() { sort_lines $*; }

check "bash: the commands" is "$(completed sciara '')" "$(sorted "$commands" --help --version)"
check "bash: the commands that begin alike" is "$(completed sciara v)" "variants "
check "bash: options that begin alike" is "$(completed sciara run --no)" "--no-output "
mkdir "$work/files" && touch "$work/files/a case.cfg" && mkdir "$work/files/folder"
check "bash: a file for an operand" is "$(completed sciara run "$work/files/a")" "$work/files/a case.cfg "
touch "$work/files/a raster.tif"
check "bash: only cases for a case" is "$(completed sciara run "$work/files/a")" "$work/files/a case.cfg "
check "bash: folders on the way to a case" is "$(completed sciara run "$work/files/f")" "$work/files/folder "
check "bash: only cases for a plan" is "$(completed sciara merge --plan "$work/files/a")" "$work/files/a case.cfg "
check "bash: any file elsewhere" is "$(completed sciara info "$work/files/a r")" "$work/files/a raster.tif "
check "bash: names of parameter sets" is "$(completed sciara parameters '')" \
    "$(sorted "$("$sciara" parameters --json | sed -n 's/.*"name":.*"\(.*\)".*/\1/p')")"
check "bash: only folders for a folder" is "$(completed sciara run --output "$work/files/")" "$work/files/folder "
check "bash: the second word of a list" is "$(completed sciara run --format png,geot)" "png,geotiff "
check "bash: a value behind =" is "$(completed sciara run --domain = f)" "full "
check "bash: all values behind =" is "$(completed sciara run --domain =)" "full lava "
check "bash: commands after help" is "$(completed sciara help t)" "terrain "
check "bash: nothing for a number" is "$(completed sciara run --every '')" " "
variant_words() { COMP_WORDS=(sciara_reference --domain l) COMP_CWORD=2 && _sciara_variant && echo "${COMPREPLY[*]}"; }
check "bash: sciara_NAME" is "$(variant_words)" lava
check "bash: the values of --variant are those of sciara variants" is "$(completed sciara run --variant '')" \
    "$(sorted auto "$("$sciara" variants --json | sed -n 's/.*"name":.*"\(.*\)".*/\1/p')")"

if has_program zsh; then check "zsh reads its script" quiet zsh -n "$zsh_script"
else skip "completion of zsh: zsh is not installed"; fi
if has_program fish; then
    check "fish reads its script" quiet fish -n "$fish_script"
    # fish_completed TEXT: what follows, each in a line, without descriptions
    fish_completed() { fish --no-config -c "source $fish_script; complete -C '$1'" | cut -f1 | sort | tr '\n' ' '; }
else skip "completion of fish: fish is not installed"; fi

# ---- every option of every command
# (the shell itself looks, in what is read once: to start grep takes longer)
newline=$'\n'
in_help() { [[ $newline$help =~ $newline"  "("-h, ")?"$1"(" "|$newline) ]]; } # of the command at hand
in_man() { [[ $man == *"\\fB${1//-/\\-}\\fR"* ]]; }
in_zsh() { [[ $zsh == *"$1"* ]]; }
in_fish() { [[ $2 = --help || $fish == *"from $1' -l ${2#--} "* ]]; }
fish=$(cat "$fish_script")
has_operand() { [[ $man == *"\\fI$1\\fR"* ]]; }
options_of() { sed -n '/:$/,$p' "$1" | sed '/^  -h, /,$d' | grep '^  '; } # those below headings
topics() { # topics COMMAND: the same, of each topic that its help names
    local heading
    sed -n '/^options by topic/,/^$/s/^  \([a-z][a-z]*\).*/\1/p' "$work/stdout" | while read -r heading; do "$sciara" help "$1" "$heading"; done | grep '^  '
}
call help
check "all commands fit a screen" [ "$(wc -l <"$work/stdout")" -le 42 -a "$(wc -L <"$work/stdout")" -le 100 ]
narrow() { ! grep -E '.{81}' "$work/help"; }
count=0
for command in $commands; do
    names=$(rows "$command" | cut -f1)
    call "$command" --help
    mv "$work/stdout" "$work/help"
    help=$(<"$work/help")$newline
    man=$(sed 's/-h, --help/--help/; s/\\-h, //' "$man1/sciara-$command.1")
    zsh=$(sed -n "/^    $command)/,/;;/p" "$zsh_script")
    call help "$command"
    if grep -q '^options by topic' "$work/stdout"; then
        check "$command: help fits a screen" [ "$(wc -l <"$work/stdout")" -le 24 ]
        check "... its topics have the options, in the words of --help" cmp <(topics "$command") <(options_of "$work/help")
    else
        check "$command: help and --help are the same" cmp "$work/stdout" "$work/help"
        check "... which fit a screen" [ "$(wc -l <"$work/stdout")" -le 40 ]
    fi
    check "$command: no line is wider than 80" narrow
    check "$command: bash completes all options, and no others" is "$(completed sciara "$command" -)" "$(sorted "$names")"
    while IFS=$'\t' read -r name metavar type values; do
        count=$((count + 1))
        check "$command $name is in --help" in_help "$name$([ "$metavar" = - ] || echo " $metavar")"
        check "$command $name is in the man page" in_man "$name"
        check "$command $name is in the completion of zsh" in_zsh "$name"
        check "$command $name is in that of fish" in_fish "$command" "$name"
        case $type in
        choice | list)
            check "$command $name: bash completes the values" is "$(completed sciara "$command" "$name" '')" "$(sorted "$values")"
            check "$command $name: so does zsh" in_zsh "$values"
            if has_program fish; then
                check "$command $name: so does fish" is "$(fish_completed "sciara $command $name ")" "$(sorted "$values")"
            fi
            ;;
        esac
    done < <(rows "$command")
    while IFS=$'\t' read -r name _; do
        check "$command $name is in --help" in_help "$name"
        check "$command $name is in the man page" has_operand "$name"
    done < <(operands "$command")
done
check "there are options" [ "$count" -ge 50 ]

# ---- man pages
clean() { # clean PAGE: groff makes a page and has nothing to say
    groff -mandoc -Tutf8 -ww "$1" >"$work/page" 2>"$work/log"
    if [ -s "$work/page" ] && [ ! -s "$work/log" ]; then return; fi
    cat "$work/log"
    return 1
}
lint() { # the date is missing on purpose: the same program writes the same page
    mandoc -Tlint -W warning "$1" | grep -v 'missing date' >"$work/log"
    [ ! -s "$work/log" ] || { cat "$work/log" && false; }
}
for page in "$man1"/*.1; do
    name=$(basename "$page")
    check "$name has the usual parts" [ "$(grep -Ec '^\.SH (NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXIT STATUS|SEE ALSO)$' "$page")" = 6 ]
    if has_program groff; then check "$name: groff" clean "$page"; else skip "$name: groff is not installed"; fi
    if has_program mandoc; then check "$name: mandoc" lint "$page"; else skip "$name: mandoc is not installed"; fi
done
check "a page for each command and one for sciara" [ "$(ls "$man1" | wc -l)" = $(($(wc -w <<<"$commands") + 1)) ]

# ---- --x v and --x=v: good values, carried out. That all commands understand the same of both forms, and of what is
# no value, test_options.c shows; the commands that see their words themselves are carried out in both forms here.
case_folder=$work/case
small="--map-size 600x400"
"$sciara" terrain "$case_folder" --size 24 --quiet || exit 1
"$sciara" run "$case_folder/volcano.cfg" 20 --quiet --output "$work/run" --format geotiff || exit 1
"$sciara" run "$case_folder/volcano.cfg" 3 --quiet --output "$work/stopped" --state --format geotiff || exit 1
cp "$work/run/total_thickness_m_000020.tif" "$work/outline.tif"
plan=$case_folder/plan.cfg
sed '/^max_steps/d' "$case_folder/volcano.cfg" >"$plan"
printf '%s\n' 'max_steps 20' 'members 4' 'vary_Pcool uniform 2 3' >>"$plan"
"$sciara" ensemble "$plan" --shard 1/2 --output "$work/part" --quiet || exit 1
walled=$case_folder/walled.cfg
{ cat "$plan" && echo 'barriers wall.csv'; } >"$walled"
"$sciara" info "$plan" --json | awk -F'[:,]' '/"west_m"/ { x = $2 } /"south_m"/ { y = $2 }
    END { printf "barrier,x,y,height_m\n1,%.1f,%.1f,5\n", x + 55, y + 55 }' >"$case_folder/wall.csv"
fits=$case_folder/fits.cfg
sed '/^max_steps/d' "$case_folder/volcano.cfg" >"$fits"
printf '%s\n' 'max_steps 20' 'outline ../outline.tif' 'fit_Pcool 1 5' 'evaluations 5' 'samples 4' 'trajectories 4' 'resamples 10' >>"$fits"
# shellcheck disable=SC2086 # words
"$sciara" null "$fits" --output "$work/forecast" --quiet $small || exit 1
asked=$case_folder/asked.cfg
{
    sed -E '/^(max_steps|vents|rates)/d' "$case_folder/volcano.cfg"
    printf '%s\n' 'run_h 1' "vent_list $work/vents.csv" "classes $work/classes.csv"
} >"$asked"
sed 's/barrier,x,y,height_m/vent,x,y,weight/' "$case_folder/wall.csv" >"$work/vents.csv"
printf '%s\n' class,weight,volume_m3,duration_h small,1,100,1 large,3,2000,1 >"$work/classes.csv"
awk -F, 'NR == 2 { printf "{\"type\":\"Feature\",\"properties\":{\"name\":\"Hut\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[%s,%s]}}", $2, $3 }' \
    "$work/vents.csv" >"$work/places.json"
# shellcheck disable=SC2086 # words
"$sciara" ensemble "$asked" --keep --output "$work/kept" --quiet $small || exit 1
# shellcheck disable=SC2086
"$sciara" ensemble "$plan" --keep --output "$work/kept_plan" --quiet $small || exit 1
seen=$case_folder/seen.cfg
{ cat "$plan" && echo 'observed_dry ../places.json until 0.1'; } >"$seen"
# shellcheck disable=SC2086 # words
"$sciara" ensemble "$seen" --keep --output "$work/kept_seen" --quiet $small || exit 1
{ grep -v '^max_steps' "$case_folder/volcano.cfg" && echo 'max_steps 20'; } >"$case_folder/hours.cfg"
volcano=$case_folder/hazard.cfg
{
    sed -E '/^(max_steps|vents|rates)/d' "$case_folder/volcano.cfg"
    printf '%s\n' 'run_h 1' 'members 3' 'past_vents ../places.json' 'opening_bandwidth_m 50' 'catalogue ../eruptions.csv' \
        'catalogue_until 2020' 'complete 1900'
} >"$volcano"
printf '%s\n' date,volume_m3,duration_h 1910,100,1 1960,200,1 >"$work/eruptions.csv"
# shellcheck disable=SC2086 # words
"$sciara" ensemble "$volcano" --keep --output "$work/kept_volcano" --quiet $small || exit 1
# usual COMMAND OPTION: words that make it a whole command line, beside the option; no maps, or small ones, where
# they cost most
usual() {
    case $1$2$at_once in
    ensemble*yes) echo "$plan --quiet" ;;
    run--member*) echo "$plan 5 --quiet --format geotiff" ;;
    run--until*) echo "$case_folder/volcano.cfg --quiet --format geotiff" ;;
    run--new-terrain*) echo "$case_folder/volcano.cfg 5 --quiet --format geotiff --changed --from $work/stopped/state_000003.tif" ;;
    run--format*) echo "$case_folder/volcano.cfg 5 --quiet" ;;
    run*) echo "$case_folder/volcano.cfg 5 --quiet --format geotiff" ;;
    ensemble--with-and-without*) echo "$walled --quiet" ;;
    ensemble--shard* | ensemble--until* | ensemble--format*) echo "$plan --quiet" ;;
    ensemble*) echo "$plan --quiet --shard 1/2" ;;
    merge*) echo "$work/part --quiet" ;;
    nowcast--library*) echo "$seen --quiet $small" ;;
    nowcast--map-size*) echo "$seen --library $work/kept_seen/library.gpkg --quiet --map-dpi 60" ;;
    nowcast*) echo "$seen --library $work/kept_seen/library.gpkg --quiet $small" ;;
    forecast*yes) echo "$case_folder/hours.cfg --quiet" ;;
    forecast*) echo "$case_folder/hours.cfg --quiet $small" ;;
    hazard--map-size*) echo "$volcano --library $work/kept_volcano/library.gpkg --quiet --map-dpi 60" ;;
    hazard--library*) echo "$volcano --quiet $small" ;;
    hazard*) echo "$volcano --library $work/kept_volcano/library.gpkg --quiet $small" ;;
    ask--plan*) echo "$work/kept_plan/library.gpkg --quiet $small" ;;
    ask--at*) echo "$work/kept/library.gpkg --quiet --given $work/outline.tif --where overlap()>=0 $small" ;;
    ask--given*) echo "$work/kept/library.gpkg --quiet --where overlap()>=0 $small" ;;
    ask--map-size*) echo "$work/kept/library.gpkg --quiet --map-dpi 60" ;;
    ask*) echo "$work/kept/library.gpkg --quiet $small" ;;
    calibrate*) echo "$fits --quiet" ;;
    null* | sensitivity*) echo "$fits --quiet" ;;
    report*) echo "$work/run" ;;
    show--map-dpi*) echo "$work/kept --only map_arrival --map-size A5" ;;
    show--map-size*) echo "$work/kept --only map_arrival" ;;
    show--only*) echo "$work/kept $small" ;;
    show*) echo "$work/kept --only map_arrival $small" ;;
    info*) echo "$case_folder/terrain.tif" ;;
    dem*yes) echo "$case_folder/terrain.tif --quiet --case" ;;
    dem--output*) echo "$case_folder/terrain.tif --quiet" ;;
    dem--like*) echo "$case_folder/terrain.tif --quiet --output sample.tif" ;;
    dem*) echo "$case_folder/terrain.tif --quiet --output sample.tif --crs 32633" ;;
    fit--map*) echo "$work/run $work/outline.tif" ;;
    fit*) echo "$work/run $work/outline.tif --no-map" ;;
    compare*) echo "$work/run $work/run" ;;
    terrain--size* | terrain--rows* | terrain--cols*) echo "folder" ;;
    terrain*) echo "folder --size 24" ;;
    benchmark*) echo "$case_folder/volcano.cfg 2 --quiet" ;;
    esac
}
# sample NAME TYPE VALUES: a value that is right; two words where it takes two
sample() {
    case $2 in
    choice | list) [ "$1" = --method ] && echo both || echo "${3%% *}" ;;
    whole) [ "${3%%..*}" -gt 40 ] && echo 32633 || echo $((${3%%..*} + 2)) ;;
    real) case $1 in --corner) echo "100 200" ;; --until-error) echo 0.5 ;; --map-dpi) echo 60 ;; *) echo 3 ;; esac ;;
    text) case $1 in --case) echo "$case_folder/volcano.cfg" ;; --map) echo sample.png ;; --dem) echo "$case_folder/terrain.tif" ;; --plan) echo "$plan" ;; --shard) echo 1/2 ;;
        --threads) echo 1 ;; --devices) echo 0 ;; --until | --every | --state-every | --animate-every) echo 6h ;; --map-size) echo A4 ;; --extent) echo 500000,4170000,500100,4170100 ;; --within) echo 60 ;; --against) [ "$command" = dem ] && echo "$case_folder/terrain.tif" || echo "$work/forecast" ;;
        --where | --compare) echo 'member>0' ;; --given | --exposed) echo "$work/outline.tif" ;; --vents | --classes) echo "$work/${1#--}.csv" ;; --assets) echo "$work/places.json" ;;
        --around) echo 500240,4170240 ;; --nodata) echo -1 ;; --crs | --source-crs) echo 32633 ;; --heights) echo m ;; --like) echo "$case_folder/terrain.tif" ;;
        --vent) echo 500240,4170240 ;; --vertical | --source-vertical) echo 5773 ;; --source-extent) echo 500000,4170000,500480,4170480 ;; --scale) echo 1,0 ;; --parameters) echo etna-2006 ;;
        --now) echo 0.5 ;; --only) echo map_arrival ;; --layers) echo all ;; --library) [ "$command" = hazard ] && echo "$work/kept_volcano/library.gpkg" || echo "$work/kept_seen/library.gpkg" ;;
        --from) echo "$work/stopped/state_000003.tif" ;;
        *) echo sample ;; esac ;;
    esac
}
# outcome FOLDER COMMAND WORD...: status, what was printed without times, and the files but for the times in them
outcome() {
    local folder=$work/$1 file left words
    shift
    words=$(usual "$1" "$2")
    left=("$folder"/*)
    # (what a refusal leaves is written over: to start programs takes longest)
    [ ${#left[@]} = 3 ] || { rm -rf "$folder" && mkdir "$folder"; }
    # shellcheck disable=SC2086 # words
    cd "$folder" && work=$folder call "$@" $words
    echo "$code" >"$folder/status"
    cd "$root" || exit 1
    for file in "$folder"/**/benchmark*; do [ -d "$file" ] || rm "$file"; done
    for file in "$folder"/**/summary.json; do sed -i '/_s"\|us_per\|device_ms/d' "$file"; done
    [ "$1" != benchmark ] || : >"$folder/stdout"
}
shopt -s globstar nullglob
same() { diff -r "$work/apart" "$work/joined"; }
done_well() { [ "$(cat "$work/apart/status")" = 0 ]; }
# one_of_many COMMAND--OPTION: goes with others of its kind in one command line, where each would take a run of its own
one_of_many() {
    [ -z "${THOROUGH:-}" ] || return
    case $1 in
    *--devices | forecast--members | ensemble--shard | ensemble--with-and-without | nowcast--library | nowcast--map-size | nowcast--watch | hazard--library | hazard--map-size) return 1 ;;
    calibrate* | ensemble* | forecast* | hazard* | merge* | nowcast* | null* | sensitivity*) return 0 ;;
    ask--assets | ask--compare | ask--exposed | ask--extent | ask--format | ask--map-dpi | ask--output | ask--where) return 0 ;;
    dem--extent | dem--from | dem--like) return 1 ;;
    dem*) return 0 ;;
    run--output | run--every | run--state-every | run--stop-below | run--domain | run--threads | run--variant) return 0 ;;
    esac
    return 1
}
# sees_words COMMAND: it sees its words itself, beside what options_parse() understands
sees_words() { [ -n "${THOROUGH:-}" ] || case $1 in run | compare | benchmark) ;; *) return 1 ;; esac; }
at_once=''
for command in $commands; do
    [ "$command" != serve ] || continue # it lasts until Ctrl-C: test_serve.sh
    apart=() joined=()
    while IFS=$'\t' read -r name _ type values; do
        [ "$type" != flag ] || continue
        value=$(sample "$name" "$type" "$values")
        if one_of_many "$command$name"; then
            apart+=("$name" "$value") joined+=("$name=$value")
        else
            # shellcheck disable=SC2086 # two words for an option that takes two
            outcome apart "$command" "$name" $value
            case $command$name in
            nowcast--watch) ;; # lasts until Ctrl-C where the folder is there: test_nowcast.sh
            dem--from) ;;      # needs a server: test_dem_network.sh
            run--variant | *--device | *--devices | benchmark--variants) ;; # needs a GPU
            *) check "$command $name $value is good" done_well ;;
            esac
            sees_words "$command" || continue
            # shellcheck disable=SC2086
            outcome joined "$command" "$name="$value
            check "$command $name $value is $name=$value" same
        fi
        sees_words "$command" || continue
        # (any name is one of a folder, and to fill it takes long)
        case $command$name in calibrate--output | merge--output | sensitivity--output) continue ;; esac
        outcome apart "$command" "$name" '=,?'
        outcome joined "$command" "$name==,?"
        check "$command $name with rubbish is refused alike" same
    done < <(rows "$command")
    [ ${#apart[@]} -gt 0 ] || continue
    at_once=yes
    outcome apart "$command" "${apart[@]}"
    sees_words "$command" && outcome joined "$command" "${joined[@]}"
    at_once=''
    check "$command ${apart[*]} is good" done_well
    sees_words "$command" && check "$command ${apart[*]} is ${joined[*]}" same
done

report
