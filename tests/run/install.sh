#!/usr/bin/env bash
# make install puts a working hilrig under DESTDIR and PREFIX, and make uninstall takes it all back.
# Runs beside others: nothing here is in real time.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${BUILD:-build}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# A space in the path, as a user's home may have one.
at="$root/a b"
prefix=/opt/rig
# "all" is taken as it is: what is installed is the build under test, whatever flags it was made with.
make --no-print-directory -s -o all install BUILD="$build" DESTDIR="$at" PREFIX=$prefix

said=$("$at$prefix/bin/hilrig" --version)
case $said in
*"$(cat "$build/version.txt")"*) ;;
*)
        echo "hilrig --version said '$said', not $(cat "$build/version.txt")"
        exit 1
        ;;
esac

for f in share/man/man1/hilrig.1 share/bash-completion/completions/hilrig \
        lib/udev/rules.d/60-hilrig.rules share/doc/hilrig/LICENSE \
        share/hilrig/rig_configs/default.json; do
        [ -s "$at$prefix/$f" ] || { echo "not installed: $f"; exit 1; }
done

# What was installed is enough: the default rig is read from its new place, from another folder.
(cd / && "$at$prefix/bin/hilrig" check "$at$prefix/share/hilrig/rig_configs/default.json")

make --no-print-directory -s uninstall BUILD="$build" DESTDIR="$at" PREFIX=$prefix
left=$(find "$at" ! -type d -o -name hilrig)
[ -z "$left" ] || { printf 'left behind:\n%s\n' "$left"; exit 1; }
