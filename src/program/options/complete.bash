# bash completion for sciara, written by `sciara help --completion bash`
_sciara() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words= files= list= head=
    COMPREPLY=()
    # bash takes --name=value for three words
    if [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
    if [[ $cur == '=' ]]; then cur=; fi
    if ((COMP_CWORD == 1)); then prev=; fi
    case "$([[ $COMP_CWORD == 1 ]] || echo "${COMP_WORDS[1]}") $prev" in
    ' ') words='@@@--help --version' ;;
@@@    esac
    if [[ $list && $cur == *,* ]]; then head=${cur%,*}, cur=${cur##*,}; fi
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        if [[ $files == .cfg ]]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.cfg' -- "$cur"; compgen -d -- "$cur")
            return
        fi
        mapfile -t COMPREPLY < <(compgen "$files" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "$cur")
    fi
}
_sciara_variant() {
    COMP_WORDS=(sciara run "${COMP_WORDS[@]:1}")
    COMP_CWORD=$((COMP_CWORD + 1))
    _sciara
}
complete -F _sciara sciara
complete -F _sciara_variant@@@
