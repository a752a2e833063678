#!/usr/bin/env bash
# What a failed test shows: what it expected is there at the end, however much the program said.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

# shellcheck disable=SC2016
expect 1 bash -c '. tests/expect.bash; expect 0 seq -f "line %g" 500; seq 500 >"$scratch/err"; says "line 501"'
[ "$(tail -n 1 "$scratch/err")" = "did not say: line 501" ] || fail "what was expected does not stand at the end"
grep -qx 'stdout: line 500' "$scratch/err" || fail "the end of what was said is not shown"
[ "$(wc -l <"$scratch/err")" -lt 60 ] || fail "more is shown than run_tests.sh prints"
