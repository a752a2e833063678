#!/usr/bin/env bash
# docs/requirements.md names every quantity and figure that there is, in the code's own words. With
# --write it is made to.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: names of quantities, which are constant.
set -euo pipefail
cd "$(dirname "$0")/../.."
tables=${BUILD:-build}/tests/programs/quantity_tables
page=docs/requirements.md

made=$(mktemp)
trap 'rm -f "$made"' EXIT
awk -v tables="$tables" '
        /^<!-- (quantities|metrics) -->$/ {
                print
                command = tables " " $2
                while ((command | getline line) > 0)
                        print line
                if (close(command) != 0)
                        exit 1
                inside = 1
                next
        }
        /^<!-- end -->$/ { inside = 0 }
        !inside
' "$page" >"$made"

if [ "${1:-}" = --write ]; then
        cp "$made" "$page"
elif ! diff "$page" "$made"; then
        echo "$page differs from the code: tests/run/requirement_tables.sh --write"
        exit 1
fi
