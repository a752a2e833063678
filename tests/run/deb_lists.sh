#!/usr/bin/env bash
# What the Debian package says twice is said alike: version, what it is built with, its tests, the signal of the default rig.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it runs nothing that was compiled.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

changelog=$(sed -n '1s/^hilrig (\([^)]*\)).*/\1/p' debian/changelog)
[ "$changelog" = "$(cat VERSION)" ] || fail "debian/changelog is of $changelog, VERSION of $(cat VERSION)"

# make, the compiler and its headers are there wherever Debian's packages are built.
needed=$(sed -n "/\[run\]=/,/'\$/p" scripts/deps.sh | tr -d "'" | sed 's/.*=//' | tr -s ' ' '\n' | grep -v '^make$\|^gcc\|^libc6-dev\|^$' | sort)
built=$(sed -n '/^Build-Depends:/,/^[^ B]/p' debian/control | grep -o 'lib[a-z0-9.-]*\|nettle-dev' | sort)
[ "$(wc -l <<<"$needed")" -gt 5 ] || fail "scripts/deps.sh: few packages: $needed"
[ "$built" = "$needed" ] || fail "debian/control builds with $(tr '\n' ' ' <<<"$built"), scripts/deps.sh with $(tr '\n' ' ' <<<"$needed")"

[ "$(sed -n 's/^Tests: //p' debian/tests/control | sort)" = "$(find debian/tests -type f -perm -u+x -printf '%f\n' | sort)" ] ||
        fail "debian/tests/control lists other tests than there are"

signal=$(grep -oE '[0-9a-f]{64}' tests/run/start.sh)
[ "$(sed -n 's/^expected=//p' debian/tests/fly)" = "$signal" ] || fail "debian/tests/fly expects another signal than tests/run/start.sh"

# The Containerfile's user is in groups that the package or Debian makes; what the docs copy is there.
for file in debian/limits.conf debian/60-hilrig-realtime.rules; do
        grep -q "$file" docs/realtime.md debian/rules || fail "$file is not named"
        grep -q hilrig "$file" || fail "$file does not name the group"
done
