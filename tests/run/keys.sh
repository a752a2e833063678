#!/usr/bin/env bash
# Every key of the configuration is used by a shipped file or a test, or explained by a document that somebody wrote.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 0 "$hilrig" check --keys page
# shellcheck disable=SC2016 # the backticks are Markdown's
sed -n 's/^| `\([^`]*\)`.*/\1/p' "$scratch/out" | sort -u >"$scratch/keys"
: >"$scratch/out"
[ "$(wc -l <"$scratch/keys")" -gt 400 ] || fail "found few keys"
{
        find rig_configs tests -path '*/schema/*' -prune -o -path '*/node_modules' -prune -o \
                -type f \( -name '*.json' -o -name '*.c' -o -name '*.sh' -o -name '*.mjs' \) -print0
        find docs README.md -name '*.md' ! -name keys.md ! -name NEWS.md -print0
} | xargs -0 grep -hoE '[A-Za-z][A-Za-z0-9_]*' | sort -u >"$scratch/words"
unused=$(comm -23 "$scratch/keys" "$scratch/words" | paste -sd ' ')
[ -z "$unused" ] || fail "nobody uses or explains: $unused"
