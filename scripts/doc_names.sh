#!/usr/bin/env bash
# What README and docs name is there: every `folder/file` of this repository, every `function()` of its sources, and, in a
# row of a table that names a function and files, the function in one of those files. Prints what is not, and exits 1.
# shellcheck disable=SC2016 # backticks are Markdown's
set -uo pipefail
cd "${1:-$(dirname "$0")/..}" || exit 1

mapfile -t pages < <(find README.md docs -name '*.md' ! -name NEWS.md | sort)
words=$(mktemp)
trap 'rm -f "$words"' EXIT
grep -rhoE --include='*.[ch]' --include='*.mjs' --include='*.sh' --include='*.py' --exclude-dir=node_modules '\b[A-Za-z_][A-Za-z0-9_]*\b *\(' \
        models io hil tests scripts | sed 's/ *(//' | sort -u >"$words"

bad=0
complain() {
        echo "$1"
        bad=1
}

# page:line:`name`, one for each.
quoted() { # pattern
        grep -HnoE "\`$1\`" "${pages[@]}" | sed 's/`//g'
}

while IFS=: read -r page line path; do
        # In capitals: to be filled in by the reader. "airspeed" is the sensor that adding-a-sensor.md adds.
        [[ $path =~ [A-Z]{4}|airspeed ]] && continue
        glob=$(sed 's/{[^}]*}/*/g; s/\[ch\]/?/g' <<<"$path")
        compgen -G "$glob" >/dev/null || complain "$page:$line: there is no $path"
done < <(quoted '(hil|io|models|tests|scripts|rig_configs|docs)/[A-Za-z0-9_./*{},[-]+\]?[A-Za-z0-9_./*-]*')

while IFS=: read -r page line name; do
        grep -qx -- "${name%%(*}" "$words" || complain "$page:$line: nothing is called ${name%%(*}()"
done < <(quoted '[a-z][a-z0-9_]*\(\)')

# Rows such as | ... | `function()` | `file`, `file` |
while IFS=: read -r page line row; do
        files=$(grep -oE '`(hil|io|models)/[a-z0-9_/]+\.[ch]`' <<<"$row" | tr -d '`')
        for name in $(grep -oE '`[a-z0-9_]+\(\)`' <<<"$row" | tr -d '`()'); do
                # shellcheck disable=SC2086
                grep -qE "\b($name\(|ISA_VERSIONS(_OF)?\($name,)" $files 2>/dev/null || complain "$page:$line: $name() is in none of: ${files//$'\n'/ }"
        done
done < <(grep -HnE '^\|.*`[a-z0-9_]+\(\)`.*\| *`(hil|io|models)/' "${pages[@]}")
exit $bad
