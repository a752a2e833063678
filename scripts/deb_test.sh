#!/usr/bin/env bash
# deb_test.sh: the Debian package of the last commit, in roots with nothing but git and make in them (scripts/bare_debian.sh, so
# as root): built twice, to the same bytes; its tests; installed, flown, upgraded, purged; and the steps of the Containerfile.
# The packages stay in $BUILD/deb-test. Commits that are made meanwhile do not count.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=$(realpath -m "${BUILD:-build}")/deb-test
rm -rf "$kept" && mkdir -p "$kept"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks . "$work/hilrig"
cd "$work/hilrig"

# What the Containerfile runs in a stage. The root is not the image, so what the image lacks is taken away: git and make.
steps() { # stage, from 1
        awk -v stage="$1" '/^FROM / { n++ } /^RUN / && n == stage { sub(/^RUN /, ""); print }' Containerfile
}

# Whole before it begins, whoever edits this file meanwhile.
try() {
        local signal build final

        signal=$(sed -n 's/^expected=//p' debian/tests/fly)
        mapfile -t build < <(steps 1)
        mapfile -t final < <(steps 2)
        scripts/bare_debian.sh --share "$kept" 'make deb' 'tests/deb/twice.sh /share'
        scripts/bare_debian.sh --share "$kept" 'tests/deb/life.sh /share/first/hilrig_*.deb /share/second/hilrig_*.deb'
        scripts/bare_debian.sh --share "$kept" 'apt-get -q -y purge git make >/dev/null' "${build[@]}" 'cmp /built/deb/hilrig_*.deb /share/first/hilrig_*.deb'
        scripts/bare_debian.sh --share "$kept" 'apt-get -q -y purge git make >/dev/null; cp /share/first/hilrig_*.deb /' \
                "${final[@]}" "su - pilot -c 'hilrig run rig_configs/default.json --pace lockstep' | grep 'signal $signal'"
}
try
