#!/usr/bin/env bash
# make install puts a working hilrig under DESTDIR and PREFIX: from any other folder it finds, checks and flies the rigs that
# came with it, and whatever else is named as the documents name it; make uninstall takes it all back.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it looks at files.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# A space in the path, as a user's home may have one. Names of the installed files are put into firmware's arguments,
# which have a longest length: not in the scratch folder, whose path is longer than anybody's prefix.
short=$(mktemp -d /tmp/hilrig.XXXXXX)
trap 'rm -rf "$short" "$scratch"' EXIT
at="$short/a b"
prefix=/opt/rig
# "all" is taken as it is: what is installed is the build under test, whatever flags it was made with. Nobody else's umask.
(umask 077 && make --no-print-directory -s -o all install BUILD="$BUILD" DESTDIR="$at" PREFIX=$prefix) ||
        fail "make install failed"
# However a build folder is spelled, its objects' dependencies name it in one way.
# shellcheck disable=SC2016 # make expands it
for folder in x ./x/ "$PWD/x"; do
        [ "$(make -s --eval 'tell: ; @echo $(BUILD)' tell BUILD="$folder")" = x ] || fail "BUILD=$folder is another folder than x"
done
root=$PWD
version=$(cat "$BUILD/version.txt")
hilrig=$at$prefix/bin/hilrig
share=$at$prefix/share/hilrig

expect 0 "$hilrig" --version
says "$version"

# Every file of the tree that should come along has, and is the same.
for f in bin/hilrig share/man/man1/hilrig.1 share/bash-completion/completions/hilrig lib/udev/rules.d/60-hilrig.rules \
        share/doc/hilrig/LICENSE; do
        [ -s "$at$prefix/$f" ] || fail "not installed: $f"
done
diff -r rig_configs "$share/rig_configs" >&2 || fail "other rig_configs are installed"
for f in README.md docs/*.md docs/pictures/*; do
        cmp -s "$f" "$at$prefix/share/doc/hilrig/$f" || fail "not installed: $f"
done
[ "$(man -w -M "$at$prefix/share/man" hilrig 2>/dev/null || echo none)" = "$at$prefix/share/man/man1/hilrig.1" ] ||
        ! command -v man >/dev/null || fail "man does not find the page"

# Names in documents and messages are those of the installed files, too: from a folder with nothing in it.
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere" || exit 1
rigs=0
while read -r rig; do
        expect 0 "$hilrig" check "$rig"
        rigs=$((rigs + 1))
done < <(cd "$share" && grep -rl 'schema": ".*schema/rig.schema.json"' rig_configs)
[ "$rigs" -gt 40 ] || fail "only $rigs rigs were checked"
expect 0 "$hilrig" check rig_configs/default.json --set world=rig_configs/worlds/obstacles.json \
        --scenario rig_configs/scenarios/gusts.json
says 'obstacles: 8'
# Too short to judge anything.
expect 3 "$hilrig" run rig_configs/default.json --pace lockstep --seconds 1 --mission rig_configs/missions/square.plan --out mission
says 'fence not judged'
expect 0 "$hilrig" mission check rig_configs/missions/square.plan
expect 0 "$hilrig" suite rig_configs/suites/default.json --list
says 'default/release_check/1-1'
expect 2 "$hilrig" check rig_configs/scenarios/gusts.json
says 'is a scenario, not a rig'
expect 2 "$hilrig" suite rig_configs/default.json --list
says 'this looks like a rig'

# A flight whose files lie beside each other, by the joystick that they name; its record replays without them.
expect 0 "$hilrig" run rig_configs/rigs/by_hand.json --out run
whole run
expect 0 "$hilrig" replay run
# Its resolved configuration names what it needs whole: it flies again, from there, and is the same.
signal=$(summary run signal_sha256)
(cd run && "$hilrig" run config.json --out ../again >/dev/null) || fail "config.json of the run does not fly"
[ "$(summary again signal_sha256)" = "$signal" ] || fail "config.json of the run made another signal"

# A rig of one's own takes from the installed ones by the same names; what lies beside it comes first.
printf '%s\n' '{ "include": "rig_configs/default.json", "name": "mine", "world": "rig_configs/worlds/obstacles.json" }' >mine.json
expect 0 "$hilrig" check mine.json
says 'mine, seed 1'
says 'obstacles: 8'
mkdir -p rig_configs/worlds
printf '{ "include": "%s", "wind_mps": { "north": 0.5 } }\n' "$share/rig_configs/worlds/flat.json" >rig_configs/worlds/obstacles.json
expect 0 "$hilrig" check mine.json
says_not 'obstacles: 8'

# In neither place: both are said. A name that says where its file is means that place alone.
expect 2 "$hilrig" check rig_configs/none.json
says "hilrig check: rig_configs/none.json: no such file, nor is there $share/rig_configs/none.json"
expect 2 "$hilrig" run mine.json --set world=none.json
says "hilrig run: --set: world: none.json: no such file, nor is there $share/none.json"
expect 2 "$hilrig" run rig_configs/default.json --mission none.plan
says "none.plan: no such file, nor is there $share/none.plan"
expect 2 "$hilrig" check ./rig_configs/default.json
says './rig_configs/default.json: no such file'
says_not 'nor is there'

# The shell completes them, too.
PATH=$at$prefix/bin:$PATH
# shellcheck source=scripts/completion/hilrig.bash
. "$at$prefix/share/bash-completion/completions/hilrig"
COMP_WORDS=(hilrig run rig_configs/rigs/flock_) COMP_CWORD=2
_hilrig
[ "${#COMPREPLY[@]}" -gt 0 ] || fail "no installed rig is completed"
for rig in "${COMPREPLY[@]}"; do
        [ -s "$share/$rig" ] || fail "completes $rig, which is not installed"
done

cd "$root" || exit 1
make --no-print-directory -s uninstall BUILD="$BUILD" DESTDIR="$at" PREFIX=$prefix
left=$(find "$at" ! -type d -o -name hilrig)
[ -z "$left" ] || fail "left behind: $left"
