#!/usr/bin/env bash
# deps.sh [run|test|browser|usb|lint|fuzz|bench|firmware|validate|experiments]...: installs the Debian packages that each of them needs (run is
# always among them), and only what is missing. As root, or with sudo; silent when nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

# "package" is looked up with dpkg; "package:command" is there when the command is, wherever from.
declare -A packages=(
        [run]='make gcc:cc libc6-dev libserialport-dev libusb-1.0-0-dev libcjson-dev nettle-dev libassimp-dev libarchive-dev
                libjs-dygraphs'
        [test]='check libsubunit-dev sigrok-cli:sigrok-cli sigrok-firmware-fx2lafw libumockdev-dev
                pkg-config:pkg-config nodejs:node npm:npm gpsd-clients:gpsdecode'
        [browser]='chromium:chromium fonts-dejavu-core'
        [usb]='qemu-system-x86:qemu-system-x86_64 busybox-static cpio:cpio kmod:modinfo binutils:strip sigrok-firmware-fx2lafw'
        [lint]='clang-format:clang-format clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck'
        [fuzz]='clang:clang libclang-rt-dev'
        [bench]='rt-tests:cyclictest'
        [firmware]='gcc-arm-none-eabi:arm-none-eabi-gcc libnewlib-arm-none-eabi qemu-system-arm:qemu-system-arm'
        [validate]='python3 python3-numpy python3-matplotlib'
        [experiments]='r-base-core:Rscript gnuplot-nox:gnuplot nodejs:node npm:npm'
)

# The npm packages of tests/node, again whenever their lock file has changed.
node_packages() {
        [ -f tests/node/package-lock.json ] || return 0
        cmp -s tests/node/package-lock.json tests/node/node_modules/.installed-lock && return
        echo "deps: npm ci in tests/node"
        (cd tests/node && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
                --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=1000) &&
                cp tests/node/package-lock.json tests/node/node_modules/.installed-lock && return
        echo "deps: npm packages of tests/node could not be installed" >&2
        # Without a network the other tests are still worth running; CI must see them all.
        [ "${CI:-}" != true ]
}

installed() {
        case $1 in
        *:*) command -v "${1#*:}" >/dev/null ;;
        *) dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed ;;
        esac
}

# Other distributions name packages otherwise; there the Makefile's own check for headers speaks.
debian() {
        command -v dpkg-query >/dev/null && command -v apt-get >/dev/null
}

apt() {
        local root=()

        if [ "$(id -u)" != 0 ]; then
                command -v sudo >/dev/null || return 1
                root=(sudo)
                [ -t 0 ] || root+=(-n)
        fi
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null
}

[ $# -gt 0 ] || set -- run
missing=()
for group in run "$@"; do
        if [ -z "${packages[$group]:-}" ]; then
                echo "deps.sh: '$group' is none of run, test, browser, usb, lint, fuzz, bench, firmware, validate, experiments" >&2
                exit 2
        fi
        for package in ${packages[$group]}; do
                if [[ $package != *:* ]] && ! debian; then continue; fi
                installed "$package" && continue
                [[ " ${missing[*]} " == *" ${package%:*} "* ]] || missing+=("${package%:*}")
        done
done

if [ ${#missing[@]} -gt 0 ]; then
        echo "deps: installing ${missing[*]}"
        if ! debian; then
                echo "deps: this is not a Debian; install what it calls: ${missing[*]}" >&2
                exit 1
        fi
        # A stale index may still do; what counts is whether the packages come.
        said=$(apt update 2>&1) || true
        if ! said+=$(apt install --no-install-recommends "${missing[@]}" 2>&1); then
                [ -z "$said" ] || printf '%s\n' "$said" | tail -n 20 >&2
                echo "deps: could not install these packages; as root:" >&2
                echo "      apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
                exit 1
        fi
fi

case " $* " in
*' test '*) node_packages ;;
esac
