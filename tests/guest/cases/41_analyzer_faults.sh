#!/usr/bin/env bash
# What can go wrong with an analyzer in flight: pulled and plugged in again, transfers that are lost, an overrun after
# which it stops without a word, a pad that is dead.
cd "$(dirname "$0")/../../.." || exit 1
. tests/guest/guest.bash

slow='"rate_mhz": 2'

watch() { analyzer --mhz 2 --dshot 150 "$@"; }

watch --at 1000 --fault unplug --replug-ms 200
by_pads 0 back "$slow, \"gaps_max\": 9" --set vehicles.0.fc.reconnect=true --set vehicles.0.fc.timeout_ms=3000
logged "$scratch/back" 'fx2 gone at 4\.[0-9]* s'
[ "$(pads "$scratch/back" losses)" = 1 ] || fail "back: lost $(pads "$scratch/back" losses) times"
pull
grep -q 'plugged 2, .* starts [2-9],' "$scratch/board" || fail "back: the analyzer said: $(cat "$scratch/board")"

# On the ground, since these runs are short.
watch --at 100 --fault unplug
by_pads 3 gone "$slow"
grep -q '"end_reason": "md4_200: fx2 gone at 0\.4' "$scratch/gone/summary.json" || fail "gone: another reason"
pull

watch --at 100 --fault lose
by_pads 3 lose "$slow" --seconds 0.8
[ "$(pads "$scratch/lose" gaps)" -ge 1 ] || fail "lose: no gap"
pull

watch --at 100 --fault overrun
by_pads 3 overrun "$slow, \"gaps_max\": 9" --seconds 0.8 --set vehicles.0.fc.timeout_ms=3000
[ "$(pads "$scratch/overrun" gaps)" -ge 1 ] || fail "overrun: no gap"
pull
grep -q 'starts [2-9], .* overruns 1' "$scratch/board" || fail "overrun: the analyzer said: $(cat "$scratch/board")"

watch --at 100 --fault dead-pad
by_pads 3 dead "$slow, \"silence_ms\": 20" --seconds 0.8
logged "$scratch/dead" 'pad 2 \(rotor 2\) silent at 0\.4'
pull
