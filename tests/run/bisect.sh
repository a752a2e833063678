#!/usr/bin/env bash
# The first bad one of a list of builds: named, by the same flights after an interruption, with builds that do not fly passed
# over; ends that are alike; commits of a repository; and what is wrong is said before anything flies.
cd "$(dirname "$0")/../.." || exit 1
. tests/hops.bash

hop_scenario "$stays_upright"
printf '{ "name": "hop", "rigs": [{ "file": "%s/rig_configs/rigs/md4_200_thesis.json" }], "scenarios": [{ "file": "hop.json" }],
  "set": ["log.wire=false", "vehicles.0.fc.link=inside"], "seeds": { "count": 1 } }' "$PWD" >"$scratch/suite.json"

# builds FIRST: nine of them, the gain lower from that one on.
builds() {
        for i in {0..8}; do
                echo "b$i vehicles.0.fc.reference.planted.gain_ratio=$([ "$i" -ge "$1" ] && echo 0.8 || echo 1)"
        done
}
bisect() { "$hilrig" bisect "$scratch/suite.json" "$@"; }

builds 5 >"$scratch/five"
expect 0 bisect --builds "$scratch/five" --out "$scratch/one" --seeds 7 --json "$scratch/one.json"
says "found: first bad build 6 of 9, b5 ("
says "20 flights of 9 builds, 0 of which could not be flown"
grep -q '"first_bad": "b5"' "$scratch/one.json" || fail "no b5"
cp "$scratch/out" "$scratch/first"
# Nothing is flown twice, and what is found is the same.
before=$(find "$scratch/one" -name run.ulg -printf '%T@ %p\n' | sort)
expect 0 bisect --builds "$scratch/five" --out "$scratch/one" --seeds 7
cmp "$scratch/out" "$scratch/first" || fail "other words the second time"
[ "$(find "$scratch/one" -name run.ulg -printf '%T@ %p\n' | sort)" = "$before" ] || fail "flown again"

# Wrong words.
expect 2 bisect --builds "$scratch/five"
says "needs a suite file and --out"
expect 2 bisect --out "$scratch/never"
says "needs --builds, or --git with --range"
expect 2 bisect --builds "$scratch/nowhere" --out "$scratch/never"
says "nowhere"
head -n 2 "$scratch/five" >"$scratch/two"
expect 2 bisect --builds "$scratch/two" --out "$scratch/never"
says "needs 3 builds or more"
expect 2 bisect --builds "$scratch/five" --out "$scratch/never" --seeds 6
says "it takes 7 or more to tell the ends apart, is 6"
expect 2 bisect --builds "$scratch/five" --out "$scratch/never" --error 60
expect 2 "$hilrig" bisect rig_configs/default.json --builds "$scratch/five" --out "$scratch/never"
[ ! -e "$scratch/never/b0/default" ] || fail "flew"
enough_under_sanitizers

# Short of flights it is open, and goes on.
expect 3 bisect --builds "$scratch/five" --out "$scratch/short" --seeds 7 --max-flights 16
says "the most flights have been flown"
expect 0 bisect --builds "$scratch/five" --out "$scratch/short" --seeds 7
says "found: first bad build 6 of 9, b5 ("

# Interrupted as it flies.
"$hilrig" bisect "$scratch/suite.json" --builds "$scratch/five" --out "$scratch/cut" --seeds 7 >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
for _ in {1..600}; do
        [ -n "$(find "$scratch/cut" -name summary.json 2>/dev/null)" ] && break
        sleep 0.1
done
kill -TERM $pid
wait $pid
status=$?
# In a flight, which then writes down what it has, or between two.
case $status in
3 | 143) ;;
*) fail "interrupted: exit status $status" ;;
esac
expect 0 bisect --builds "$scratch/five" --out "$scratch/cut" --seeds 7
says "found: first bad build 6 of 9, b5 ("

# A build that does not fly, and one that cannot be prepared.
sed 's/^b4 .*/b4 vehicles.0.vehicle=nowhere.json/' "$scratch/five" >"$scratch/broken"
expect 0 bisect --builds "$scratch/broken" --out "$scratch/broken.d" --seeds 7
says "b4: does not fly: "
says "found: first bad build is one of 5 to 6 of 9, b4 to b5"
# shellcheck disable=SC2016 # for the shell that prepares
expect 0 bisect --builds "$scratch/five" --out "$scratch/prepared" --seeds 7 --prepare '[ $HILRIG_BUILD != b4 ]'
says "b4: does not fly: --prepare ended with 1"

# Ends that are alike; a margin that nothing exceeds; a row of one's own.
builds 9 >"$scratch/none"
expect 1 bisect --builds "$scratch/none" --out "$scratch/none.d" --seeds 7
says "the first and the last build fly alike"
expect 1 bisect --builds "$scratch/five" --out "$scratch/one" --seeds 7 --margin 1000
expect 0 bisect --builds "$scratch/five" --out "$scratch/one" --seeds 7 --row "motor_activity_per_s (md4_200)"
expect 2 bisect --builds "$scratch/five" --out "$scratch/one" --seeds 7 --row nothing
says 'no flight has a requirement or metric "nothing"'

# Commits, oldest first, the good one among them.
git init -q "$scratch/git"
for i in 1 2 3; do
        git -C "$scratch/git" -c user.name=n -c user.email=n@example.org commit -q --allow-empty -m "$i"
done
expect 1 bisect --git "$scratch/git" --range HEAD~2..HEAD --out "$scratch/commits" --seeds 7
says "3 builds, $(git -C "$scratch/git" rev-parse HEAD~2) to $(git -C "$scratch/git" rev-parse HEAD)"
expect 2 bisect --git "$scratch/git" --range nothing..HEAD --out "$scratch/never"
says "must be a repository and GOOD..BAD"
