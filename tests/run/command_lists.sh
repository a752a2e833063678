#!/usr/bin/env bash
# Commands and options as hilrig prints them: the manual page has each and no other, the shell completes each.
# Not under sanitizers: help texts, which are constant.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# shellcheck source=scripts/completion/hilrig.bash
. scripts/completion/hilrig.bash
PATH=$(realpath "$BUILD"):$PATH
man=$(sed 's/\\-/-/g; s/\\fI//g; s/\\fP//g' docs/hilrig.1)

# offered WORD...: what the shell makes of a line that ends there.
offered() {
        COMP_WORDS=(hilrig "$@")
        COMP_CWORD=$#
        _hilrig 2>/dev/null
        printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

commands=$(hilrig --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p')
[ "$(wc -l <<<"$commands")" -gt 10 ] || fail "hilrig --help lists few commands"
[ "$(offered '' | grep -v '^--')" = "$(sort <<<"$commands")" ] || fail "other commands are completed: $(offered '')"
for command in $commands; do
        options=$(hilrig "$command" --help | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' | sort -u)
        [ "$(offered "$command" -- | grep -v '^--help$')" = "$options" ] || fail "$command: completes $(offered "$command" --)"
        # What stands under the command in SYNOPSIS, COMMANDS and OPTIONS.
        said=$(awk -v command="$command" '
                /^\.SH/ { section = $2; inside = 0 }
                section == "SYNOPSIS" && /^\.B / { if ($2 == "hilrig") inside = $3 == command }
                section != "SYNOPSIS" && /^\.(SS|B[IR]?) "?hilrig / { inside = index($0, "hilrig " command) > 0 }
                inside' <<<"$man")
        [ -n "$said" ] || fail "the manual page has no $command"
        for option in $options; do
                grep -qE -- "$option([^a-z0-9-]|\$)" <<<"$said" || fail "the manual page has no $option of $command"
        done
        while read -r option; do
                grep -qx -- "$option" <<<"$options" || fail "the manual page has $option of $command, which it does not know"
        done < <(awk -v command="$command" '/^\.S[SH]/ { inside = $0 == ".SS hilrig " command } inside && /^\.B[IR]? --/' <<<"$man" |
                grep -oE -- '--[a-z0-9-]+' | sort -u)
done
for key in vehicles.0.fc.link= realtime.priority= vehicles.0.vehicle.sensors.imu.accel.lsb_g=; do
        offered run a.json --set "${key%?=}" | grep -qx -- "$key" || fail "--set: $key is not completed"
done
[ "$(offered run --pace '')" = $'lockstep\nrealtime' ] || fail "--pace is not completed"
offered check --schema '' | grep -qx flow_part || fail "--schema is not completed"
# The page about firmware has each list of what a codec carries, and no other.
carried=$(hilrig check --codecs | sed -n 's/^  \(carries.*\)/\1/p' | sort)
[ "$(grep -o 'carries[ :].* |$' docs/firmware.md | sed 's/ |$//' | sort)" = "$carried" ] ||
        fail "docs/firmware.md has other lists than hilrig check --codecs: $carried"
