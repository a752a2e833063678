#!/usr/bin/env bash
# What the firmware's file for STM32F405 and F407 writes into the chip's registers, for each of its USARTs and
# for crystals that differ, is what the reference manual wants there; what cannot be reached is refused by the
# compiler. The registers are played on this machine.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it compiles by itself.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

warn='-Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers -Werror'
compiler=${CC:-cc}

# play DEFINE...: that choice on played registers, what it left in them in $scratch/out.
play() {
        # shellcheck disable=SC2086 # several words
        expect 0 "$compiler" -std=gnu11 -D_GNU_SOURCE -I. $warn "${@/#/-D}" -o "$scratch/played" \
                tests/firmware/stm32f4_played.c
        expect 0 "$scratch/played"
        says "168000000 Hz"
}

# refused TEXT DEFINE...: it does not compile, for that reason.
refused() {
        local why=$1
        shift
        # shellcheck disable=SC2086
        expect 1 "$compiler" -std=gnu11 -D_GNU_SOURCE -I. $warn "${@/#/-D}" -fsyntax-only tests/firmware/stm32f4_played.c
        says "$why"
}

# Clock bits of the USART; of its port; mode, type, speed and pull of the pins, whose port was all ones before;
# alternate function, low and high pins; divisor of 1,000,000 baud. In the order of the addresses.
while read -r usart interrupt apb1 apb2 port moder otyper ospeedr pupdr afrl afrh base brr; do
        play FIRMWARE_USART="$usart"
        says "interrupt $interrupt, taken"
        for register in 0x40023840:"$apb1" 0x40023844:"$apb2" 0x40023830:$((1 << port)) $((0x40020000 + 0x400 * port)):"$moder" \
                $((0x40020004 + 0x400 * port)):"$otyper" $((0x40020008 + 0x400 * port)):"$ospeedr" \
                $((0x4002000c + 0x400 * port)):"$pupdr" $((0x40020020 + 0x400 * port)):"$afrl" \
                $((0x40020024 + 0x400 * port)):"$afrh" $((base + 8)):"$brr" $((base + 12)):0x202c; do
                says "$(printf '%08x %08x' "${register%:*}" "${register#*:}")"
        done
done <<'TABLE'
1 37 0x10000000 0x00000010 0 0xffebffff 0xfffff9ff 0xffebffff 0xffd7ffff 0xffffffff 0xfffff77f 0x40011000 84
2 38 0x10020000 0x00000000 0 0xffffffaf 0xfffffff3 0xffffffaf 0xffffff5f 0xffff77ff 0xffffffff 0x40004400 42
3 39 0x10040000 0x00000000 1 0xffafffff 0xfffff3ff 0xffafffff 0xff5fffff 0xffffffff 0xffff77ff 0x40004800 42
6 71 0x10000000 0x00000020 2 0xffffafff 0xffffff3f 0xffffafff 0xffff5fff 0x88ffffff 0xffffffff 0x40011400 84
TABLE

# crystal MHZ M N: the PLL's word, and from the chip's own 16 MHz where the crystal does not start.
word() { printf '40023804 %08x' $(($1 | $2 << 6 | $3 << 22 | 7 << 24)); }
while read -r mhz m n; do
        play FIRMWARE_HSE_MHZ="$mhz"
        says "$(word "$m" "$n" 1)"
        [ $((336 * m)) -eq $((mhz * n)) ] || fail "$mhz MHz: the table here is wrong"
        expect 0 "$scratch/played" no-crystal
        says "$(word 8 168 0)"
done <<'TABLE'
4 2 168
8 4 168
12 6 168
16 8 168
24 12 168
25 25 336
26 13 168
TABLE
play FIRMWARE_HSE_MHZ=0
says "$(word 8 168 0)"
for mhz in 1 2 3 27 50 -8; do
        refused "a crystal of 4 to 26 MHz" FIRMWARE_HSE_MHZ="$mhz"
done

for usart in 0 4 5 7 x; do
        refused "must be 1, 2, 3 or 6" FIRMWARE_USART="$usart"
done

play FIRMWARE_BAUD=921600
says "40004408 0000002e"
play FIRMWARE_BAUD=3000000 FIRMWARE_USART=1
says "40011008 0000001c"
refused "FIRMWARE_BAUD: at most" FIRMWARE_BAUD=3000000
refused "FIRMWARE_BAUD: at most" FIRMWARE_BAUD=6000000 FIRMWARE_USART=6
refused "FIRMWARE_BAUD: not within 2 %" FIRMWARE_BAUD=2400000 # 17.5 of 42 MHz
refused "FIRMWARE_BAUD: too slow" FIRMWARE_BAUD=600
for baud in 0 -1000000; do
        refused "FIRMWARE_BAUD: must be greater than 0" FIRMWARE_BAUD="$baud"
done
