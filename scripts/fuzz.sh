#!/usr/bin/env bash
# Runs the fuzz targets of $BUILD/fuzz for $FUZZ_SECONDS each, as many at a time as there are cores.
# Seeds are tests/fuzz/corpus/NAME; what a run finds new stays in $BUILD/corpus/NAME for the next one,
# and an input that breaks a target in $BUILD/findings.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

export BUILD=${BUILD:-build-fuzz} FUZZ_SECONDS=${FUZZ_SECONDS:-60}

fuzz_one() { # name
        local name=$1 log=$BUILD/fuzz/$1.log seeds=tests/fuzz/corpus/$1 runs
        local TIMEFORMAT='stat::processor_s: %U %S'

        mkdir -p "$BUILD/corpus/$name" "$BUILD/findings"
        [ -d "$seeds" ] || seeds=
        # shellcheck disable=SC2086
        if {
                time "$BUILD/fuzz/fuzz_$name" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 \
                        -print_final_stats=1 -artifact_prefix="$BUILD/findings/$name-" \
                        "$BUILD/corpus/$name" $seeds >"$log" 2>&1 </dev/null
        } 2>>"$log"; then
                runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
                printf 'ok    %-24s %s runs in %s s\n' "$name" "$runs" "$FUZZ_SECONDS"
        else
                printf 'FAIL  %-24s see %s\n' "$name" "$log"
                grep -nE 'ERROR|SUMMARY|runtime error|Test unit written' "$log" | sed 's/^/      | /'
                return 1
        fi
}
export -f fuzz_one

names=()
for source in tests/fuzz/fuzz_*.c; do
        [ -f "$source" ] || continue
        name=${source##*/fuzz_}
        name=${name%.c}
        [ -z "${FUZZ:-}" ] || [ "$FUZZ" = "$name" ] || continue
        names+=("$name")
done
if [ ${#names[@]} -eq 0 ]; then
        echo "fuzz: no target named '${FUZZ:-}' in tests/fuzz" >&2
        exit 1
fi
# shellcheck disable=SC2016
printf '%s\0' "${names[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz_one "$0"'
