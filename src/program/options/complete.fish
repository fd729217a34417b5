# fish completion for sciara, written by `sciara help --completion fish`
complete -c sciara -f
complete -c sciara -l help -s h -d 'show the usage'
complete -c sciara -n __fish_use_subcommand -l version -d 'show the version'
