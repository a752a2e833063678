# What the shell tests share: a scratch folder, a way to run hilrig and to say what it should have
# done. Source it from the repository's root.
# shellcheck shell=bash
set -uo pipefail
BUILD=${BUILD:-build}
hilrig=$BUILD/hilrig
# What deps.sh unpacked instead of installing it.
PATH=$PATH:$PWD/tests/unpacked/usr/bin
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT

# What was said at last, and then what is wrong with it: the end of a test's output is what a log shows.
fail() {
        local stream

        for stream in out err; do
                [ ! -s "$scratch/$stream" ] || tail -n 20 "$scratch/$stream" | sed "s/^/std$stream: /" >&2
        done
        echo "$1" >&2
        exit 1
}

# needs COMMAND_OR_FILE PACKAGE: without it the test is skipped, and fails in CI, which has installed everything.
needs() {
        if command -v "$1" >/dev/null || [ -s "$1" ]; then return; fi
        echo "no $1 (Debian: $2); scripts/deps.sh check test firmware installs it"
        [ "${CI:-}" != true ] || exit 1
        exit 77
}

# In lockstep a flight has the same bits with its flight controller in the rig's process, for a sixth of the processor's time
# (tests/run/lockstep.sh): for flights whose claim is not the link.
# shellcheck disable=SC2034
inside=(--set 'vehicles.*.fc.link=inside')

# What follows runs the code from before again, longer or with other numbers: the end under sanitizers, which say no more there.
enough_under_sanitizers() {
        [[ $BUILD != *san ]] || exit 0
}

# listens SOCKET: somebody listens at this absolute path. The file is there a moment before, when a connection is refused.
listens() {
        grep -F " $1" /proc/net/unix | grep -q '^[^ ]* [^ ]* [^ ]* 00010000 '
}

# expect STATUS COMMAND...: runs it, its output in $scratch/out and $scratch/err.
expect() {
        local wanted=$1 status
        shift
        "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
        status=$?
        [ "$status" -eq "$wanted" ] || fail "$*: exit status $status, expected $wanted"
}

# The last command's standard error (or output) has this text.
says() {
        grep -qF -- "$1" "$scratch/err" "$scratch/out" || fail "did not say: $1"
}

says_not() {
        ! grep -qF -- "$1" "$scratch/err" "$scratch/out" || fail "said: $1"
}

# summary FOLDER KEY: a string or number at the top level of its summary.json.
summary() {
        sed -nE "s/^[[:space:]]*\"$2\": \"?([^\",]*)\"?,?\$/\\1/p" "$1/summary.json" | head -n 1
}

# whole FOLDER: every file of a run is there and not empty.
whole() {
        local file
        for file in run.ulg summary.json config.json junit.xml report.html wire.cap; do
                [ -s "$1/$file" ] || fail "$1: no $file"
        done
}

# pads FOLDER KEY: the first number of that key in its summary's part on the motor pads.
pads() { sed -n '/^  "pads"/,$p' "$1/summary.json" | sed -nE "s/.*\"$2\": ([0-9.e-]+),?\$/\1/p" | head -n 1; }

# logged FOLDER TEXT: the run's log has said so.
logged() {
        grep -a -q -E -- "$2" "$1/run.ulg" ||
                fail "$1: its log does not say \"$2\" but: $(grep -a -o -E '(gone|back|lost) (at|and)[ -~]*' "$1/run.ulg")"
}
