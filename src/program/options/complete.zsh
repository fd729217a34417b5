#compdef sciara@@@
# zsh completion for sciara, written by `sciara help --completion zsh`
_sciara() {
    local command=run
    if [[ $service == sciara ]]; then
        if (( CURRENT == 2 )); then
            local -a names
            names=(
@@@            )
            _describe command names
            _arguments '--help' '--version'
            return
        fi
        command=$words[2]
        shift words
        (( CURRENT-- ))
    fi
    case $command in
@@@    esac
}
_sciara "$@"
