#!/usr/bin/env bash
# fly_firmware.sh OPTION...: starts the firmware in QEMU, lets `hilrig run rig_configs/rigs/firmware_m4f.json OPTION...` fly
# against it, and ends QEMU. hilrig's exit status. QEMU_OPTIONS are more options for QEMU (-icount shift=0: the firmware's
# cycles are then instructions, 20 each).
set -euo pipefail
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}

# A socket's path must be short.
place=$(mktemp -d /tmp/hilrig-fw.XXXXXX)
qemu=
trap '[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true; rm -rf "$place"' EXIT

read -r -a more <<<"${QEMU_OPTIONS:-}"
qemu-system-arm -M lm3s6965evb -cpu cortex-m4 -nodefaults -nographic \
        -serial "unix:$place/uart,server=on,wait=off" "${more[@]}" \
        -kernel "$BUILD/firmware/lm3s6965.elf" </dev/null >"$place/said" 2>&1 &
qemu=$!
while [ ! -S "$place/uart" ]; do
        if ! kill -0 "$qemu" 2>/dev/null; then
                qemu=
                cat "$place/said" >&2
                exit 2
        fi
        sleep 0.02
done
status=0
"$BUILD/hilrig" run rig_configs/rigs/firmware_m4f.json --set "vehicles.0.fc.link=unix:$place/uart" "$@" || status=$?
exit $status
