#!/usr/bin/env bash
# The firmware on an emulated Cortex-M4F flies as the reference flight controller on this machine does: every
# sensor frame and motor command the same bits. The real board's image builds too.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

for program in arm-none-eabi-gcc qemu-system-arm; do
        command -v $program >/dev/null || {
                echo "no $program: scripts/deps.sh firmware"
                exit 77
        }
done
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

flight=(--scenario rig_configs/scenarios/up_and_down.json)
expect 0 "$hilrig" run rig_configs/default.json --pace lockstep "${flight[@]}" --out "$scratch/host"
expect 0 scripts/fly_firmware.sh "${flight[@]}" --out "$scratch/board"
says "hilrig firmware lm3s6965"
says " 0 bytes lost"
[ "$(summary "$scratch/board" signal_sha256)" = "$(summary "$scratch/host" signal_sha256)" ] ||
        fail "another signal than the host's reference flight controller"
