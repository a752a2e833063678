# bash completion for hilrig: commands, options and what they take are hilrig's own word for them.
# shellcheck shell=bash disable=SC2207

# _hilrig_rigs WORD: files here, and those that come with hilrig, which are found from any folder.
_hilrig_rigs() {
        local program share

        compgen -f -X '!*.json' -- "$1"
        compgen -d -- "$1"
        program=$(readlink -f "$(command -v hilrig)") || return 0
        share=${program%/*/*}/share/hilrig
        [ -d "$share" ] || return 0
        (cd "$share" && compgen -f -X '!*.json' -- "$1"; compgen -d -- "$1")
}

_hilrig() {
        local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]} help value

        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
                help=$(hilrig --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p')
                COMPREPLY=($(compgen -W "$help --help --version" -- "$current"))
                return
        fi
        help=$(hilrig "$command" --help 2>/dev/null)
        case $before in
        --set)
                compopt -o nospace
                COMPREPLY=($(compgen -W "$(hilrig check --keys list | cut -f 1)" -S = -- "$current"))
                return
                ;;
        --schema)
                COMPREPLY=($(compgen -W "$(hilrig check --keys kinds)" -- "$current"))
                return
                ;;
        --step)
                COMPREPLY=($(compgen -W "$(hilrig conform --list | sed 's/ .*//')" -- "$current"))
                return
                ;;
        --*)
                # "  --pace realtime|lockstep   help": what follows the option is what it takes.
                value=$(sed -n "s/^  $before \([^ ][^ ]*\)  *.*/\1/p" <<<"$help")
                case $value in
                *'|'*) COMPREPLY=($(compgen -W "${value//|/ }" -- "$current")) ;;
                DIR | RUN) COMPREPLY=($(compgen -d -- "$current")) ;;
                FILE.sr) COMPREPLY=($(compgen -f -X '!*.sr' -- "$current") $(compgen -d -- "$current")) ;;
                RIG) COMPREPLY=($(_hilrig_rigs "$current")) ;;
                FILE) COMPREPLY=($(compgen -f -- "$current")) ;;
                '['*) value= ;; # it may be left out
                esac
                [ -z "$value" ] || return
                ;;
        esac
        case $command:$current in
        *:-*) COMPREPLY=($(compgen -W "$(sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' <<<"$help") --help" -- "$current")) ;;
        run:* | check:* | suite:* | campaign:* | bisect:* | latency:* | hub:*)
                COMPREPLY=($(_hilrig_rigs "$current"))
                ;;
        farm:*) COMPREPLY=($(compgen -W "status slurm power flash identify prepare health" -- "$current") $(compgen -f -- "$current")) ;;
        twin:*) COMPREPLY=($(compgen -W "play" -- "$current") $(compgen -f -- "$current")) ;;
        mission:*) COMPREPLY=($(compgen -W "check convert" -- "$current") $(compgen -f -- "$current")) ;;
        replay:* | calibrate:* | report:* | view:* | compare:* | history:*) COMPREPLY=($(compgen -d -- "$current")) ;;
        retrace:* | identify:*) COMPREPLY=($(compgen -f -- "$current")) ;;
        bench:*) COMPREPLY=($(compgen -W "$(sed -n 's/^usage:.*\[\(plant[^]]*\)\].*/\1/p' <<<"$help" | tr '|' ' ')" -- "$current")) ;;
        esac
}

complete -o filenames -F _hilrig hilrig
