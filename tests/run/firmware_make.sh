#!/usr/bin/env bash
# An image of the firmware is made of what this make was told and of what the files say now, whatever was made in
# that folder before; a file of another kind is refused.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: its images are another processor's.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

needs arm-none-eabi-gcc gcc-arm-none-eabi

# A folder of its own: another test flies those of the build.
place=$scratch/firmware
image=$place/stm32f4.bin
parameters=rig_configs/flight_controllers

# build STATUS VARIABLE=VALUE...
build() {
        local wanted=$1
        shift
        expect "$wanted" make --no-print-directory BUILD="$BUILD" FIRMWARE="$place" "$@" "$image"
}

# differs NAME VARIABLE=VALUE...: another image than all before, which stays what it is when made anew.
declare -A seen
differs() {
        local name=$1 sum
        shift
        build 0 "$@"
        sum=$(sha256sum <"$image")
        [ -z "${seen[$sum]:-}" ] || fail "$name: the same image as ${seen[$sum]}"
        seen[$sum]=$name
        build 0 "$@"
        ! grep -q m4f "$scratch/out" || fail "$name: made twice"
}

# same NAME VARIABLE=VALUE...: the image that was made under that name.
same() {
        local name=$1 sum
        shift
        build 0 "$@"
        sum=$(sha256sum <"$image")
        [ "${seen[$sum]:-another}" = "$name" ] || fail "not the image of $name but of ${seen[$sum]:-none before}"
}

differs md4_200
differs finken3 FIRMWARE_PARAMS=$parameters/finken3.json
same md4_200

# A file that another includes.
cp $parameters/md4_200.json "$scratch/base.json"
echo '{ "include": "base.json", "name": "own" }' >"$scratch/own.json"
same md4_200 FIRMWARE_PARAMS="$scratch/own.json"
touch -r "$scratch/own.json" "$scratch/then"
sed -i -E 's/("tilt_max_deg": )[0-9.]+/\17/' "$scratch/base.json"
touch -r "$scratch/then" "$scratch/base.json"
! cmp -s $parameters/md4_200.json "$scratch/base.json" || fail "nothing was changed in the file"
differs "a changed file" FIRMWARE_PARAMS="$scratch/own.json"

build 2 FIRMWARE_PARAMS=rig_configs/default.json
says "rig_configs/default.json: its keys are those of a rig; must be a flight controller's parameters"
sed -i 's/"tilt_max_deg"/"tilt_most_deg"/' "$scratch/base.json"
build 2 FIRMWARE_PARAMS="$scratch/own.json"
says "base.json: control.tilt_most_deg: unknown key, did you mean \"tilt_max_deg\""
build 2 FIRMWARE_PARAMS=$parameters/none.json
says "$parameters/none.json: no such file"
same md4_200

# The board's.
differs "another baud rate" FIRMWARE_BAUD=921600
differs "another crystal" FIRMWARE_HSE_MHZ=25
differs "another USART" FIRMWARE_USART=3
build 2 FIRMWARE_BAUD=3000000
says "FIRMWARE_BAUD: at most 2,625,000 by USART 2 and 3"
same md4_200
