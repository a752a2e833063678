#!/usr/bin/env bash
# deps.sh [GROUP]... [-- GROUP...]: installs the Debian packages that these groups name (the list is below; run is always
# among them), and only what is missing. As root, or with sudo; silent when nothing is missing. Where something cannot be
# installed it says what, and fails; of groups after -- it only says so, unless CI=true.
set -euo pipefail
cd "$(dirname "$0")/.."

# "package" is looked up with dpkg; "package:command" is there when the command is, wherever from.
declare -A packages=(
        [run]='make gcc:cc libc6-dev libserialport-dev libusb-1.0-0-dev libevdev-dev libexpat1-dev libcjson-dev libcminpack-dev nettle-dev libassimp-dev
                libarchive-dev libpcre2-dev libwebsockets-dev libjs-dygraphs libjs-three'
        # Without these the tests do not build; umockdev has the library that libumockdev-dev's headers are for.
        [check]='check libsubunit-dev libumockdev-dev umockdev pkg-config:pkg-config'
        [test]='sigrok-cli:sigrok-cli sigrok-firmware-fx2lafw nodejs:node python3-gps python3-serial libbluetooth3 libdbus-1-3
                tshark:tshark clang:clang procps:pgrep r-base-core:Rscript python3-scipy chromium-headless-shell:chromium-headless-shell fonts-dejavu-core iproute2:ip'
        [guest]='qemu-system-x86:qemu-system-x86_64 busybox-static can-utils:candump socat:socat cpio:cpio kmod:modinfo binutils:strip sigrok-firmware-fx2lafw'
        [lint]='clang:clang clang-format:clang-format clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck'
        [fuzz]='clang:clang libclang-rt-dev'
        [bench]='rt-tests:cyclictest nodejs:node'
        [firmware]='gcc-arm-none-eabi:arm-none-eabi-gcc libnewlib-arm-none-eabi qemu-system-arm:qemu-system-arm'
        [validate]='python3 python3-numpy python3-matplotlib'
        [experiments]='r-base-core:Rscript gnuplot-nox:gnuplot nodejs:node python3 python3-numpy python3-scipy'
        [bare]='debootstrap:debootstrap'
        # For tests/run/campaign_slurm.sh, which is skipped without.
        [slurm]='slurmctld slurmd slurm-client munge'
        [deb]='build-essential debhelper lintian'
)
# npm packages of tests/node go with these, and so do tools of gpsd.
with_node=' test experiments '
with_gps_tools=' test '
# Longest wait for another program that installs packages.
lock_wait_s=${DEPS_LOCK_WAIT_S:-900}

# Debian's package of npm brings 350 others. Where there is none it is unpacked from its registry, whole and checked.
npm_version=10.9.4
npm_sha512=3a7506f37e85c1ba1021baad79f0cd9724748131f321fc117c4dc3ba235ec01be7327584a41d15117c01945560aa9373220628fcc1e1dddd877a5fe9b336a900

npm_command=(npm)
find_npm() {
        local place=tests/unpacked_npm registry=${npm_config_registry:-https://registry.npmjs.org}

        command -v npm >/dev/null && return
        npm_command=(node "$PWD/$place/package/bin/npm-cli.js")
        if [ -f "${npm_command[1]}" ]; then return; fi
        debian || return
        echo "deps: unpacking npm $npm_version"
        rm -rf $place $place.new && mkdir $place.new
        if /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "${registry%/}/npm/-/npm-$npm_version.tgz" \
                $place.new/npm.tgz "SHA512:$npm_sha512" && tar -C $place.new -xzf $place.new/npm.tgz && rm $place.new/npm.tgz; then
                mv $place.new $place
                return
        fi
        rm -rf $place.new
        return 1
}

# The npm packages of tests/node, again whenever their lock file has changed.
node_packages() {
        [ -f tests/node/package-lock.json ] || return 0
        cmp -s tests/node/package-lock.json tests/node/node_modules/.installed-lock && return
        command -v node >/dev/null || return
        if find_npm; then
                echo "deps: npm ci in tests/node"
                (cd tests/node && "${npm_command[@]}" ci --ignore-scripts --no-audit --no-fund --loglevel=error \
                        --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=1000) &&
                        cp tests/node/package-lock.json tests/node/node_modules/.installed-lock && return
        fi
        echo "deps: the npm packages of tests/node could not be installed" >&2
        return 1
}

# ubxtool and gpsdecode are unpacked and not installed. The package of the one, gpsd, brings a daemon that opens serial
# adapters as they are plugged in, which are somebody's boards here; that of the other 50 packages of a desktop.
unpack_gps_tools() {
        local place=tests/unpacked deb

        if { [ -x $place/usr/bin/ubxtool ] || command -v ubxtool >/dev/null; } &&
                { [ -x $place/usr/bin/gpsdecode ] || command -v gpsdecode >/dev/null; } || ! debian; then return; fi
        rm -rf $place $place.new && mkdir $place.new
        if (cd $place.new && apt-get -qq download gpsd gpsd-clients 2>/dev/null &&
                for deb in gpsd*.deb; do dpkg-deb -x "$deb" . && rm "$deb"; done); then
                mv $place.new $place
                return
        fi
        rm -rf $place.new
        echo "deps: the packages gpsd and gpsd-clients, for ubxtool and gpsdecode, could not be downloaded" >&2
        return 1
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

# Whether packages can be installed at all; how stands in as_root.
as_root=()
may_install() {
        [ "$(id -u)" != 0 ] || return 0
        command -v sudo >/dev/null || return 1
        as_root=(sudo)
        # Where nobody can type a password none is asked for.
        [ -t 0 ] || as_root+=(-n)
        "${as_root[@]}" true 2>/dev/null
}

# Runs apt-get, what it said into $said; waits while another program holds its locks, and says so.
apt() {
        local started=$SECONDS told=

        while ! said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y "$@" 2>&1 </dev/null); do
                grep -q 'Could not get lock\|Unable to acquire the dpkg frontend lock\|Unable to lock' <<<"$said" || return 1
                [ $((SECONDS - started)) -lt "$lock_wait_s" ] || return 1
                [ -n "$told" ] ||
                        echo "deps: another program is installing packages; waiting for it, $lock_wait_s s at most"
                told=yes
                sleep 1
        done
}

# Those that apt knows where to get from.
with_candidate() { # package...
        LC_ALL=C apt-cache policy "$@" 2>/dev/null |
                awk '/^[^ ]/ { name = $1; sub(/:$/, "", name) } /^  Candidate: [^(]/ { print name }'
}

# needed and wanted: what of the groups is missing now. Groups after -- are wanted: without them there is less to do.
look() { # group...
        local group entry name to=needed

        needed=() wanted=()
        for group in run "$@"; do
                if [ "$group" = -- ]; then
                        to=wanted
                        continue
                fi
                for entry in ${packages[$group]}; do
                        if [[ $entry != *:* ]] && ! debian; then continue; fi
                        name=${entry%:*}
                        if [[ " ${needed[*]} ${wanted[*]} " == *" $name "* ]] || installed "$entry"; then continue; fi
                        if [ $to = needed ]; then needed+=("$name"); else wanted+=("$name"); fi
                done
        done
}

# What is missing and stays so: the end, or less to do. CI has to see everything.
without() { # sentence
        echo "deps: $1" >&2
        if [ ${#needed[@]} -gt 0 ] || [ "${CI:-}" = true ]; then exit 1; fi
        echo "deps: going on without; what needs them is skipped" >&2
}

install() {
        local missing=("${needed[@]}" "${wanted[@]}") updated there

        if ! debian; then
                without "this is not a Debian; install what it calls: ${missing[*]}"
                return
        fi
        if ! may_install; then
                without "packages are missing that only root can install: apt-get install --no-install-recommends ${missing[*]}"
                return
        fi
        echo "deps: installing ${missing[*]}"
        # A stale index may still do; what counts is whether the packages come.
        apt update || true
        updated=$said said=
        mapfile -t there < <(with_candidate "${missing[@]}")
        [ ${#there[@]} -eq 0 ] || apt install --no-install-recommends "${there[@]}" ||
                printf '%s\n%s\n' "$updated" "$said" | grep -E '^(E|W|Err):?' | sort -u | head -n 5 >&2 || true
        look "$@"
        [ $((${#needed[@]} + ${#wanted[@]})) -eq 0 ] ||
                without "these packages could not be installed: ${needed[*]} ${wanted[*]}"
}

[ $# -gt 0 ] || set -- run
for group in "$@"; do
        if [ "$group" != -- ] && [ -z "${packages[$group]:-}" ]; then
                echo "deps.sh: '$group' is none of ${!packages[*]}" >&2
                exit 2
        fi
done
look "$@"
[ $((${#needed[@]} + ${#wanted[@]})) -eq 0 ] || install "$@"

for group in "$@"; do
        if [[ $with_node == *" $group "* ]] && ! node_packages; then
                [ "${CI:-}" != true ] || exit 1
        fi
        if [[ $with_gps_tools == *" $group "* ]] && ! unpack_gps_tools; then
                [ "${CI:-}" != true ] || exit 1
        fi
done
