#!/usr/bin/env bash
# Runs every suite of the programs in $BUILD/tests/suites, every tests/run/*.sh and every tests/node/*.mjs, a line
# for each with its time and, in brackets, the processor's, and closes with "N passed, M failed, K skipped". With
# arguments: only the tests of these names, or below these folders: models/plant/motor, io/link, run/fleet.sh. A suite
# counts as many times as it has checks, a script counts once; exit status 77 skips, and the last line of output says why.
# docs/testing.md has the rest.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

export BUILD=${BUILD:-build}
limit_s=${TEST_TIMEOUT_S:-600}
scratch=$(mktemp -d)
pools=()
trap '[ ${#pools[@]} -eq 0 ] || pkill -s "$(IFS=, && echo "${pools[*]}")" || true; rm -rf "$scratch"' EXIT
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
# said, its exit status and its time, the processor's in brackets, stand in files whose names begin with the first argument.
attempt() { # place, command...
        local place=$1 status TIMEFORMAT='%1R %U %S'

        shift
        rm -rf "$place.tmp" && mkdir "$place.tmp"
        {
                time TMPDIR=$place.tmp timeout -k 5 "$limit_s" "$@" >"$place.out" 2>&1 </dev/null
                status=$?
        } 2>"$place.time"
        [ $status -ne 124 ] || echo "still running after $limit_s s" >>"$place.out"
        echo $status >"$place.status"
        rm -rf "$place.tmp"
        awk '{ printf "%s s (%.1f s)", $1, $2 + $3 }' "$place.time" >"$place.new"
        mv "$place.new" "$place.took"
}

# Waits for an attempt to end; what it left, as out, status and took.
look() { # name
        local place=$scratch/${1//\//.}

        until [ -f "$place.took" ]; do
                sleep 0.1
                [ -n "$(jobs -rp)" ] || [ -f "$place.took" ] || attempt "$place" bash -c 'echo "it was never run"; exit 1'
        done
        cp "$place.out" "$scratch/out"
        status=$(<"$place.status")
        took=$(<"$place.took")
}

skip() { # name
        skipped=$((skipped + 1))
        line skip "$1" "$(tail -n 1 "$scratch/out")"
}

report_checks() { # name
        local name=$1 checks=0 bad=0 c f e

        look "$name"
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

report_script() { # name
        local name=$1

        look "$1"
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
computing=() flying=()
for script in tests/run/*.sh tests/node/*.mjs; do
        { [ -f "$script" ] && wanted "${script#tests/}"; } || continue
        if grep -q '^# Runs beside others' "$script"; then computing+=("${script#tests/}"); else flying+=("${script#tests/}"); fi
done

run_one() { # name, what runs it
        local name=$1
        shift
        attempt "$scratch/${name//\//.}" "$@"
}
export -f attempt run_one
export limit_s scratch

# Runs each line of a file, a name and what runs it: so many at a time, in a session of their own, to be ended with it.
pool() { # file, niceness, how many
        # shellcheck disable=SC2016
        setsid nice -n "$2" xargs -r -L 1 -P "$3" -a "$1" bash -c 'run_one "$@"' run_one </dev/null &
        pools+=($!)
}

node=node
command -v node >/dev/null && node_ready || node='bash tests/needs_node.bash'
say_scripts() { # name...
        local name

        for name in "$@"; do
                if [[ $BUILD == *san ]] && grep -q '^[#/]* Not under sanitizers: ' "tests/$name"; then
                        echo "$name bash tests/spared.bash tests/$name"
                        continue
                fi
                case $name in
                *.sh) echo "$name bash tests/$name" ;;
                *) echo "$name $node tests/$name" ;;
                esac
        done
}

# The suites know no clock, nor do the scripts that say so: as many run at a time as there are cores, the long ones
# first, and give way to the scripts that fly in real time, two at a time. Told in order.
say_scripts "${flying[@]}" >"$scratch/flying"
{
        say_scripts "${computing[@]}"
        for name in "${names[@]}"; do echo "$name ${program[$name]} $name"; done
} >"$scratch/computing"
pool "$scratch/flying" 0 2
pool "$scratch/computing" 10 "$(nproc)"
for name in "${names[@]}"; do
        report_checks "$name"
done
for name in "${computing[@]}" "${flying[@]}"; do
        report_script "$name"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
