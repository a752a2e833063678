#!/usr/bin/env bash
# compare_libm.sh [ULPS]: where the firmware's C library (newlib, on an emulated Cortex-M4) and this machine's
# give different doubles, a line for each function. Fails where they are further apart than ULPS (0).
set -euo pipefail
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}

place=$(mktemp -d)
qemu=
trap '[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true; rm -rf "$place"' EXIT
mkfifo "$place/uart"
qemu-system-arm -M lm3s6965evb -cpu cortex-m4 -nodefaults -nographic -serial "file:$place/uart" \
        -kernel "$BUILD/firmware/libm_probe.elf" </dev/null >/dev/null 2>&1 &
qemu=$!
"$BUILD/firmware/libm_compare" "${1:-0}" <"$place/uart"
