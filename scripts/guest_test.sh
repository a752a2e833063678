#!/usr/bin/env bash
# The rig on a real kernel's USB, CAN and input: boots Debian's in an emulated machine (software emulation, no KVM)
# with hilrig in its initial file system, where tests/guest/cases/*.sh fly over devices that are plugged in and pulled.
# A line for each case, and "N passed, M failed, K skipped" at the end. Exit status 77: skipped, the last line says
# why. The kernel is kept in $GUEST_KERNELS (/var/tmp/hilrig-kernels) for the next time; what happened on the guest's
# console stands in $BUILD/guest/console.log. With arguments: only the cases of these names.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

BUILD=${BUILD:-build}
kernels=${GUEST_KERNELS:-/var/tmp/hilrig-kernels}
limit_s=${TEST_TIMEOUT_S:-1200} # for all of them, on a busy host
guest=$BUILD/guest
# In the order in which they go in is modinfo's business.
modules=(xhci-pci vhci-hcd cdc-acm ftdi_sio can-raw vcan slcan evdev uinput)
# What an analyzer of 0925:3881 is loaded with.
firmware=/usr/share/sigrok-firmware/fx2lafw-saleae-logic.fw
applets=$(command -v busybox)
pids=()
scratch=$(mktemp -d)
trap 'kill ${pids[@]+"${pids[@]}"} 2>/dev/null || true; rm -rf "$scratch"' EXIT

skip() {
        echo "skip  guest: $1"
        # CI has installed everything.
        [ "${CI:-}" != true ] || exit 1
        exit 77
}

fail() {
        echo "guest: $1" >&2
        exit 1
}

# The name of the newest kernel that Debian has, as a package: linux-image-amd64 depends on it.
newest() {
        apt-cache depends linux-image-amd64 2>/dev/null | sed -nE 's/.*Depends: (linux-image-[0-9][^ ]*-amd64)$/\1/p' | head -n 1
}

# Unpacks $1 into a folder of its own, once.
unpack() { # package file
        local folder=${1%.deb}.modules

        [ -d "$folder" ] && return
        rm -rf "$folder.part" && mkdir "$folder.part" &&
                dpkg-deb --fsys-tarfile "$1" |
                tar -x -C "$folder.part" --wildcards './boot/vmlinuz*' './lib/modules/*/kernel/drivers/'{usb,net/can,input}'/*' \
                        './lib/modules/*/kernel/net/can/*' &&
                mv "$folder.part" "$folder"
}

# Puts its folder into $kernel; what was said when it cannot be had goes to $scratch/apt.
get_kernel() {
        local package file

        command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return
        mkdir -p "$kernels"
        package=$(newest)
        if [ -n "$package" ] && ! compgen -G "$kernels/${package}_*.deb" >/dev/null; then
                (cd "$kernels" && { apt-get -q -o APT::Sandbox::User=root download "$package" ||
                        { [ "$(id -u)" = 0 ] && apt-get -q update &&
                                apt-get -q -o APT::Sandbox::User=root download "$(newest)"; }; }) >"$scratch/apt" 2>&1
        fi
        # Without a network one from the last time is as good.
        file=$(find "$kernels" -name 'linux-image-*.deb' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
        [ -n "$file" ] && unpack "$file" || return
        kernel=${file%.deb}.modules
}

# The module's file, behind those of the modules that it needs.
with_needs() { # module
        local file need

        file=$(find "$kernel/lib/modules" -name "$1.ko" -o -name "${1//-/_}.ko" -o -name "${1//_/-}.ko" | head -n 1)
        [ -n "$file" ] || fail "$kernel has no module $1"
        for need in $(modinfo -F depends "$file" | tr ',' ' '); do
                with_needs "$need" || return
        done
        [[ " ${files[*]-} " == *" $file "* ]] || files+=("$file")
}

put_program() { # file, name in /bin
        local library

        install -D -m 755 "$1" "$root/bin/$2"
        strip "$root/bin/$2" 2>/dev/null
        for library in $(ldd "$1" 2>/dev/null | grep -o '/[^ ]*'); do
                [ -e "$root$library" ] || install -D -m 755 "$library" "$root$library"
        done
}

# What the guest's memory begins with.
make_root() {
        local module name
        local files=()

        root=$guest/root
        rm -rf "$root" && mkdir -p "$root"/{bin,dev,modules,proc,rig/tests/{usb,guest/cases},sys,tmp}
        put_program "$applets" busybox
        put_program "$(command -v bash)" bash
        put_program "$BUILD/hilrig" hilrig
        put_program "$BUILD/tests/usb/usbip_device" usbip_device
        put_program "$BUILD/tests/usb/usbip_analyzer" usbip_analyzer
        put_program "$BUILD/tests/usb/round_trips" round_trips
        put_program "$BUILD/tests/guest/uinput_stick" uinput_stick
        for name in candump cansend slcan_attach socat; do put_program "$(command -v $name)" $name; done
        for module in "${modules[@]}"; do
                with_needs "$module" || return
        done
        for module in "${files[@]}"; do
                cp "$module" "$root/modules/" && basename "$module" >>"$root/modules/order"
        done
        if [ -e "$firmware" ]; then install -D -m 644 "$firmware" "$root$firmware"; fi
        cp -r rig_configs "$root/rig/"
        cp tests/expect.bash "$root/rig/tests/"
        cp tests/usb/*.json "$root/rig/tests/usb/"
        cp tests/guest/guest.bash "$root/rig/tests/guest/"
        for name in "${cases[@]}"; do
                cp "tests/guest/cases/$name.sh" "$root/rig/tests/guest/cases/"
        done
        cp "$scratch/signal" "$root/rig/"
        install -m 755 tests/guest/init "$root/init"
        (cd "$root" && find . | cpio --quiet -o -H newc) >"$guest/initrd"
}

# The flight that the guest's are compared with, here and over a pseudo-terminal.
fly_here() {
        "$BUILD/hilrig" run tests/usb/rig.json --set vehicles.0.fc.spawn=true --out "$scratch/here" \
                --set 'vehicles.0.fc.reference="rig_configs/flight_controllers/md4_200.json"' >"$scratch/out" 2>&1 ||
                { cat "$scratch/out" && return 1; }
        sed -nE 's/.*"signal_sha256": "([0-9a-f]*)".*/\1/p' "$scratch/here/summary.json" | tr -d '\n' >"$scratch/signal"
        [ -s "$scratch/signal" ]
}

# A flight controller behind the serial adapter that the emulator has.
start_serial_board() {
        "$BUILD/hilrig" fc --link "unix-listen:$scratch/fc.sock" --params rig_configs/flight_controllers/md4_200.json --quiet &
        pids+=($!)
        for ((tries = 0; tries < 500; tries++)); do
                [ -S "$scratch/fc.sock" ] && return
                sleep 0.01
        done
        return 1
}

boot() {
        timeout -k 5 "$limit_s" qemu-system-x86_64 -accel tcg,thread=single -cpu max -smp 1 -m 512 -nodefaults \
                -no-user-config -no-reboot -display none -serial stdio -kernel "$kernel"/boot/vmlinuz* \
                -initrd "$guest/initrd" -append 'console=ttyS0 loglevel=3 panic=-1 mitigations=off' \
                -device qemu-xhci -chardev "socket,id=fc,path=$scratch/fc.sock" \
                -device usb-serial,chardev=fc,always-plugged=on,serial=HILP02 </dev/null 2>&1 |
                tr -d '\r' >"$guest/console.log"
        [ "${PIPESTATUS[0]}" -eq 0 ]
}

count() { grep -c "^@$1 " "$guest/console.log"; }

report() {
        local passed failed skipped missing

        sed -nE 's/^@figure (.*)/      \1/p; s/^@(ok|skip|FAIL) ([^:]*): (.*)/\1 guest\/\2 \3/p' "$guest/console.log" |
                awk '/^ / { print; next } { word = $1; name = $2; $1 = $2 = ""; printf "%-5s %-32s %s\n", word, name, substr($0, 3) }'
        passed=$(count ok) failed=$(count FAIL) skipped=$(count skip)
        # A guest that died has not passed what it never came to.
        missing=$((${#cases[@]} - passed - failed - skipped))
        failed=$((failed + missing))
        [ $missing -eq 0 ] || echo "FAIL  guest: it ended before $missing of ${#cases[@]} cases did"
        [ $failed -eq 0 ] || sed 's/^/      | /' "$guest/console.log" | tail -n 150
        echo "$passed passed, $failed failed, $skipped skipped"
        [ $failed -eq 0 ] && { [ "${CI:-}" != true ] || [ "$skipped" -eq 0 ]; }
}

[ "$(uname -m)" = x86_64 ] || skip "the guest is x86_64, this machine is $(uname -m)"
for program in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio modinfo:kmod bash:bash candump:can-utils socat:socat; do
        command -v "${program%%:*}" >/dev/null || skip "no ${program%%:*} (Debian: ${program#*:}); scripts/deps.sh guest installs it"
done
get_kernel || skip "Debian's kernel package could not be had: $(tail -n 1 "$scratch/apt" 2>/dev/null)"
cases=()
for file in tests/guest/cases/*.sh; do
        name=$(basename "$file" .sh)
        if [ $# -eq 0 ] || [[ " $* " == *" $name "* ]]; then cases+=("$name"); fi
done
[ ${#cases[@]} -gt 0 ] || fail "no case of that name in tests/guest/cases"
mkdir -p "$guest"
fly_here || fail "the flight to compare with did not pass"
make_root || fail "the guest's file system could not be made"
start_serial_board || fail "the serial adapter's flight controller did not start"
boot || echo "guest: the emulator failed, or was stopped after $limit_s s" >&2
report
