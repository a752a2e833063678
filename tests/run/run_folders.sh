#!/usr/bin/env bash
# One folder, one run: of several that are started into the same at once, one flies and the others say why not. What is no
# regular file in a run folder is refused at once, whether it is to be written or read.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

cat >"$scratch/short.json" <<'END'
{ "name": "short", "duration_s": 1.2, "steps": [{ "at_s": 0.1, "mode": "disarmed", "stimulus":
  { "input": "gyro_x_dps", "shape": "prbs", "amplitude": 5, "bits": 3, "chip_us": 10000, "for_s": 1 } }],
  "requirements": [{ "name": "stays there", "formula": "always hypot(north_m, east_m) < 1" }] }
END
rig=(rig_configs/rigs/finken3.json --pace lockstep --scenario "$scratch/short.json")

# fly FOLDER OPTIONS...: the command line of a short flight.
fly() {
        local folder=$1
        shift
        "$hilrig" run "${rig[@]}" --set "vehicles.0.fc.link=pty" --out "$folder" "$@"
}

# Five into one folder.
for i in 1 2 3 4 5; do
        fly "$scratch/one" --seed $i >"$scratch/out.$i" 2>"$scratch/err.$i" </dev/null &
        pid[i]=$!
done
flown=0
for i in 1 2 3 4 5; do
        wait "${pid[i]}"
        status=$?
        case $status in
        0)
                flown=$((flown + 1))
                seed=$i
                ;;
        2) grep -qE "one: (another hilrig is writing there|holds a run already)" "$scratch/err.$i" || fail "$(cat "$scratch/err.$i")" ;;
        *) fail "run $i: exit status $status" ;;
        esac
done
[ $flown -eq 1 ] || fail "$flown of five flew"
whole "$scratch/one"
[ "$(summary "$scratch/one" seed)" = "$seed" ] || fail "the summary is of another run"
expect 0 "$hilrig" replay "$scratch/one"

# Held by somebody: refused before a byte is written, by whatever writes there.
held() { # STATUS FOLDER COMMAND...
        local status=$1 folder=$2
        shift 2
        expect "$status" flock "$folder" "$hilrig" "$@"
        says "$folder: another hilrig is writing there"
}
mkdir "$scratch/held"
cat >"$scratch/suite.json" <<END
{ "name": "two", "rigs": [{ "file": "$PWD/${rig[0]}" }], "scenarios": [{ "file": "short.json" }], "seeds": { "count": 2 }, "pace": "lockstep" }
END
held 2 "$scratch/held" run "${rig[@]}" --out "$scratch/held"
held 2 "$scratch/held" latency "${rig[0]}" --pace lockstep --out "$scratch/held"
held 2 "$scratch/held" suite "$scratch/suite.json" --out "$scratch/held"
[ -z "$(ls -A "$scratch/held")" ] || fail "wrote into a folder that was taken"
held 2 "$scratch/one" latency --run "$scratch/one"
mkdir -p "$scratch/suite/finken3/short/1-1"
held 2 "$scratch/suite/finken3/short/1-1" suite "$scratch/suite.json" --out "$scratch/suite" --jobs 1
# A page is written beside, and takes its place whole: that needs the folder for nobody alone.
expect 0 flock "$scratch/one" "$hilrig" report "$scratch/one"
expect 0 "$hilrig" suite "$scratch/suite.json" --out "$scratch/suite"

# odd KIND PATH: something that is no regular file.
odd() {
        case $1 in
        fifo) mkfifo "$2" ;;
        socket) perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && bind(S, sockaddr_un($ARGV[0])) or die' "$2" ;;
        folder) mkdir "$2" ;;
        device) ln -s /dev/zero "$2" ;;
        esac
}
for kind in fifo socket folder device; do
        mkdir "$scratch/$kind"
        odd $kind "$scratch/$kind/config.json"
        expect 2 fly "$scratch/$kind"
        says "$kind/config.json: could not be written"
        [ "$(ls "$scratch/$kind")" = config.json ] || fail "$kind: left something"

        mkdir "$scratch/$kind-end"
        odd $kind "$scratch/$kind-end/junit.xml"
        expect 3 fly "$scratch/$kind-end"
        says "junit.xml: could not be written"

        mkdir "$scratch/$kind-suite"
        odd $kind "$scratch/$kind-suite/suite.json"
        expect 2 "$hilrig" suite "$scratch/suite.json" --out "$scratch/$kind-suite" --only 1-1
        says "suite.json: could not be written"

        # The readers, each file in its turn.
        for file in config.json run.ulg summary.json; do
                cp -r "$scratch/one" "$scratch/read"
                rm "$scratch/read/$file"
                odd $kind "$scratch/read/$file"
                expect 2 "$hilrig" replay "$scratch/read"
                says "read/$file: is not a regular file"
                if [ $file = summary.json ]; then
                        expect 2 "$hilrig" compare "$scratch/one" "$scratch/read"
                        says "read/$file: is not a regular file"
                else
                        expect 2 "$hilrig" latency --run "$scratch/read"
                        says "$file"
                        says "is not a regular file"
                        expect 2 "$hilrig" calibrate "$scratch/read"
                        says "read/$file: is not a regular file"
                fi
                expect 0 "$hilrig" report "$scratch/read"
                rm -r "$scratch/read"
        done
        # And what a command line names.
        odd $kind "$scratch/$kind.json"
        expect 2 "$hilrig" check "$scratch/$kind.json"
        says "$kind.json: is not a regular file"
        expect 2 "$hilrig" run rig_configs/default.json --scenario "$scratch/$kind.json" --out "$scratch/never"
        says "$kind.json: is not a regular file"
        expect 2 "$hilrig" suite "$scratch/$kind.json" --out "$scratch/never"
        says "$kind.json: is not a regular file"
        expect 2 "$hilrig" capture --from "$scratch/$kind.json"
done
[ ! -e "$scratch/never" ] || fail "left a folder"

# An empty log, and one that was cut inside its header, are said to be that, by everyone who reads it.
cut() { # BYTES WORDS
        cp -r "$scratch/one" "$scratch/cut"
        head -c "$1" "$scratch/one/run.ulg" >"$scratch/cut/run.ulg"
        for command in "replay $scratch/cut" "calibrate $scratch/cut" "latency --run $scratch/cut"; do
                # shellcheck disable=SC2086
                expect 2 "$hilrig" $command
                says "$2"
        done
        expect 0 "$hilrig" report "$scratch/cut"
        grep -q "There are no plots: run.ulg $2" "$scratch/cut/report.html" || fail "report.html does not say: run.ulg $2"
        rm "$scratch/cut/summary.json"
        expect 2 "$hilrig" report "$scratch/cut"
        says "cut: nothing to report: run.ulg $2, summary.json is missing"
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line"
        rm -r "$scratch/cut"
}
cut 0 "is empty"
cut 1 "ends inside its header: nothing was recorded"
cut 15 "ends inside its header: nothing was recorded"
mkdir "$scratch/begun"
head -c 200 "$scratch/one/run.ulg" >"$scratch/begun/run.ulg"
expect 0 "$hilrig" report "$scratch/begun"
grep -q "There are no plots: run.ulg ends before the first period." "$scratch/begun/report.html" || fail "no word of the cut"
