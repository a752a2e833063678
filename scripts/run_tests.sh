#!/usr/bin/env bash
# Runs every suite of the programs in $BUILD/tests/suites, every tests/run/*.sh and every tests/node/*.mjs, a line
# for each, and closes with "N passed, M failed, K skipped". With arguments: only the tests of these
# names, or below these folders: models/plant/motor, io/link, run/fleet.sh. A suite counts as many times as it has checks,
# a script counts once; exit status 77 skips, and the last line of output says why. docs/testing.md has the rest.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

export BUILD=${BUILD:-build}
limit_s=${TEST_TIMEOUT_S:-600}
# Check's own 4 s are not for a machine that is busy.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-120}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0

line() { # word, name, what
        printf '%-5s %-32s %s\n' "$1" "$2" "$3"
}

# Output of a failed test, indented, so that a log shows at once whose it is.
show() {
        sed 's/^/      | /' "$scratch/out" | tail -n 60
}

wanted() {
        [ ${#only[@]} -eq 0 ] && return
        local name
        for name in "${only[@]}"; do
                [[ $1/ == "$name"/* ]] && return
        done
        return 1
}

# Runs a command with nothing on stdin and its temporary files in a folder that goes afterwards. What it
# said, its exit status and its time stand in files whose names begin with the first argument.
attempt() { # place, command...
        local place=$1 start=$EPOCHREALTIME status

        shift
        rm -rf "$place.tmp" && mkdir "$place.tmp"
        TMPDIR=$place.tmp timeout -k 5 "$limit_s" "$@" >"$place.out" 2>&1 </dev/null
        status=$?
        [ $status -ne 124 ] || echo "still running after $limit_s s" >>"$place.out"
        echo $status >"$place.status"
        awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }' >"$place.took"
        rm -rf "$place.tmp"
}
export -f attempt
export limit_s

# What an attempt left, as out, status and took.
look() { # place
        cp "$1.out" "$scratch/out"
        status=$(<"$1.status")
        took=$(<"$1.took")
}

skip() { # name
        skipped=$((skipped + 1))
        line skip "$1" "$(tail -n 1 "$scratch/out")"
}

report_checks() { # name
        local name=$1 checks=0 bad=0 c f e

        look "$scratch/${name//\//.}"
        if [ "$status" -eq 77 ]; then
                skip "$name"
                return
        fi
        # libcheck: "100%: Checks: 12, Failures: 0, Errors: 0", once for every suite runner.
        while read -r c f e; do
                checks=$((checks + c))
                bad=$((bad + f + e))
        done < <(sed -nE 's/^[0-9]+%: Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+)$/\1 \2 \3/p' \
                "$scratch/out")
        # A crash, a leak found at exit, or a program that checks nothing is a failure of its own.
        if [ $bad -eq 0 ] && { [ "$status" -ne 0 ] || [ $checks -eq 0 ]; }; then
                echo "exit status $status after $checks checks" >>"$scratch/out"
                checks=$((checks + 1))
                bad=1
        fi
        passed=$((passed + checks - bad))
        failed=$((failed + bad))
        if [ $bad -eq 0 ]; then
                line ok "$name" "$checks checks, $took"
        else
                line FAIL "$name" "$bad of $checks checks, $took"
                show
        fi
}

# Whether it may share the machine: it never flies in real time, and says so.
beside() { # script
        grep -q '^# Runs beside others' "$1"
}

report_script() { # name, place
        local name=$1

        look "$2"
        case $status in
        0)
                passed=$((passed + 1))
                line ok "$name" "$took"
                ;;
        77) skip "$name" ;;
        *)
                failed=$((failed + 1))
                line FAIL "$name" "exit status $status, $took"
                show
                ;;
        esac
}

run_script() { # name, command...
        local name=$1

        shift
        attempt "$scratch/script" "$@"
        report_script "$name" "$scratch/script"
}

# Whether tests/node has what its lock file asks for; scripts/deps.sh puts the copy there.
node_ready() {
        [ ! -f tests/node/package-lock.json ] ||
                cmp -s tests/node/package-lock.json tests/node/node_modules/.installed-lock
}

only=("$@")
names=()
declare -A program=()
for suites in "$BUILD"/tests/suites/*; do
        [ -x "$suites" ] || continue
        while read -r name; do
                if wanted "$name"; then names+=("$name") && program[$name]=$suites; fi
        done < <("$suites" --list)
done
shared=() alone=()
for script in tests/run/*.sh; do
        { [ -f "$script" ] && wanted "${script#tests/}"; } || continue
        if beside "$script"; then shared+=("$script"); else alone+=("$script"); fi
done
# The suites know no clock, nor do the scripts that say so: as many run at a time as there are cores, the
# long ones first; told in order. Other scripts fly in real time, and run alone.
run_beside() { # command, place
        # shellcheck disable=SC2086
        attempt "$2" $1
}
export -f run_beside
{
        for script in "${shared[@]}"; do
                printf '%s\0%s\0' "bash $script" "$scratch/$(basename "$script")"
        done
        for name in "${names[@]}"; do
                printf '%s\0%s\0' "${program[$name]} $name" "$scratch/${name//\//.}"
        done
} | xargs -0 -r -n 2 -P "$(nproc)" bash -c 'run_beside "$@"' run_beside
for name in "${names[@]}"; do
        report_checks "$name"
done
for script in "${shared[@]}"; do
        report_script "${script#tests/}" "$scratch/$(basename "$script")"
done
for script in "${alone[@]}"; do
        run_script "${script#tests/}" bash "$script"
done
for script in tests/node/*.mjs; do
        { [ -f "$script" ] && wanted "${script#tests/}"; } || continue
        if command -v node >/dev/null && node_ready; then
                run_script "${script#tests/}" node "$script"
        else
                run_script "${script#tests/}" bash -c '. tests/expect.bash; needs "node with the packages of tests/node" "nodejs, npm"'
        fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
