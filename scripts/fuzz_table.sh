#!/usr/bin/env bash
# The table of docs/testing.md: what the last `make fuzz` did, target by target, by its logs in $BUILD/fuzz, and what the
# seeds alone reach. With --write it is put into the page.
set -euo pipefail
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build-fuzz}
page=docs/testing.md

# edges PROGRAM FOLDER: code edges that the files of the folder reach.
edges() { "$1" -runs=0 "$2" 2>&1 </dev/null | sed -nE 's/.*[[:space:]]DONE +cov: ([0-9]+) .*/\1/p'; }

table() {
        echo '| target | executions | a second of processor time | edges by its seeds | edges in all |'
        echo '|---|---|---|---|---|'
        for log in "$BUILD"/fuzz/*.log; do
                name=$(basename "$log" .log)
                [ -x "$BUILD/fuzz/fuzz_$name" ] || continue
                executions=$(sed -nE 's/^stat::number_of_executed_units: +//p' "$log")
                rate=$(awk -v n="$executions" '/^stat::processor_s: / { printf "%.0f", n / ($2 + $3) }' "$log")
                reached=$(sed -nE 's/^#[0-9]+[[:space:]]+[A-Z]+[[:space:]]+cov: ([0-9]+) .*/\1/p' "$log" | tail -n 1)
                echo "| \`$name\` | $executions | $rate | $(edges "$BUILD/fuzz/fuzz_$name" "tests/fuzz/corpus/$name") | $reached |"
        done
}

if [ "${1:-}" != --write ]; then
        table
        exit
fi
made=$(mktemp)
trap 'rm -f "$made"' EXIT
awk -v table="$(table)" '
        /^\| target \| executions / { print table; skipping = 1 }
        skipping && !/^\|/ { skipping = 0 }
        !skipping' "$page" >"$made"
cat "$made" >"$page"
