#!/usr/bin/env bash
# What can go wrong with an analyzer in flight: pulled and plugged in again, transfers that are lost, an overrun after
# which it stops without a word, a pad that is dead.
cd "$(dirname "$0")/../../.." || exit 1
. tests/usb/guest.bash

slow='"rate_mhz": 4'

analyzer --mhz 4 --dshot 150 --at 1000 --fault unplug --replug-ms 200
by_pads 0 back "$slow, \"gaps_max\": 9" --set vehicles.0.fc.reconnect=true --set vehicles.0.fc.timeout_ms=3000
logged back 'fx2 gone at 4\.[0-9]* s'
[ "$(pads back losses)" = 1 ] || fail "back: lost $(pads back losses) times"
pull
grep -q 'plugged 2, .* starts 2,' "$scratch/board" || fail "back: the analyzer said: $(cat "$scratch/board")"

analyzer --mhz 4 --dshot 150 --at 300 --fault unplug
by_pads 3 gone "$slow"
grep -q '"end_reason": "md4_200: fx2 gone at 1\.2' "$scratch/gone/summary.json" || fail "gone: another reason"
wait "$board" || fail "gone: the analyzer ended with status $?"

analyzer --mhz 4 --dshot 150 --at 300 --fault lose
by_pads 3 lose "$slow" --seconds 2
[ "$(pads lose gaps)" -ge 1 ] || fail "lose: no gap"
pull

analyzer --mhz 4 --dshot 150 --at 300 --fault overrun
by_pads 3 overrun "$slow, \"gaps_max\": 1" --seconds 2 --set vehicles.0.fc.timeout_ms=3000
[ "$(pads overrun gaps)" -ge 1 ] || fail "overrun: $(pads overrun gaps) gaps"
pull
grep -q 'starts [2-9], .* overruns 1' "$scratch/board" || fail "overrun: the analyzer said: $(cat "$scratch/board")"

analyzer --mhz 4 --dshot 150 --at 900 --fault dead-pad
by_pads 3 dead "$slow, \"silence_ms\": 20" --seconds 3.8
logged dead 'pad 2 \(rotor 2\) silent at 3\.7'
pull
