#!/usr/bin/env bash
# The firmware on an emulated Cortex-M4F flies as the reference flight controller on this machine does: every
# sensor frame and motor command the same bits. The real board's image builds too.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: its images are another processor's, and the host's side is flown elsewhere.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs arm-none-eabi-gcc gcc-arm-none-eabi
needs qemu-system-arm qemu-system-arm
expect 0 make --no-print-directory BUILD="$BUILD" firmware-images

for board in lm3s6965 stm32f4; do
        [ -s "$BUILD/firmware/$board.bin" ] || fail "no image for $board"
        arm-none-eabi-nm "$BUILD/firmware/$board.elf" >"$scratch/symbols"
        ! grep -E ' _?_?(malloc|sbrk|[a-z]*printf)(_r)?$' "$scratch/symbols" || fail "$board: allocates or prints"
done

# Where the C libraries differ, it is by the last bit.
expect 0 scripts/compare_libm.sh 1
for exact in add multiply divide sqrt remainder; do
        grep -qE "^$exact +0 of" "$scratch/out" || fail "the arithmetic itself differs: $exact"
done

# fly NAME OPTION...: the same flight twice, the host's answers first.
fly() {
        local name=$1 wanted=$2
        shift 2
        expect "$wanted" "$hilrig" run rig_configs/default.json --pace lockstep --out "$scratch/host-$name" "$@"
        expect "$wanted" scripts/fly_firmware.sh --out "$scratch/board-$name" "$@"
        says "hilrig firmware lm3s6965"
        [ "$(summary "$scratch/board-$name" signal_sha256)" = "$(summary "$scratch/host-$name" signal_sha256)" ] ||
                fail "$name: another signal than the host's reference flight controller"
}
fly whole 0 --scenario rig_configs/scenarios/up_and_down.json
says " 0 bytes lost"

# It has the faults, too, by option; cut short behind the first that this one fails.
fly late 1 --scenario rig_configs/scenarios/firmware_faults.json --seconds 8.2 \
        --set scenario.steps.2.fc_option.value=late_loop
says "answers a roll rate within 5 ms"
