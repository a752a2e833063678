#!/usr/bin/env bash
# shellcheck disable=SC2317 # the ways are called by name
# A newcomer's ways in, each tried in a minimal root of its own (scripts/bare_debian.sh), as root:
#
#   sudo scripts/bare_ways.sh [WAY]...      all of them without a name; about an hour
#
# A line for each way at the end; what was said in $HILRIG_BARE/ways/WAY.log. The way "ubuntu" needs a mirror of Ubuntu in
# $HILRIG_UBUNTU_MIRROR, and its suite in $HILRIG_UBUNTU (noble).
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

bare=scripts/bare_debian.sh
logs=${HILRIG_BARE:-/var/tmp/hilrig-bare}/ways

# Prints how to fly. The verdict may be void where this machine is busy (exit status 3): what is tried is the way in.
flying() { # what stands before make
        echo "$* make run >/tmp/flown 2>&1; status=\$?; cat /tmp/flown; [ \$status = 0 ] || grep 'Error 3\$' /tmp/flown"
}

# A user who has sudo and never has to type a password.
way_sudo() { $bare --sudo "$(flying)" 'make test'; }

# A user who may install nothing gets one sentence; what it says, said by root, is enough.
way_user() {
        # shellcheck disable=SC2016
        $bare --user \
                '! make run >said 2>&1 && cat said && [ "$(grep -c "only root can install: apt-get install" said)" = 1 ]' \
                'root: apt-get -qq update && sh -c "DEBIAN_FRONTEND=noninteractive $(sed -n "s/.*only root can install: //p" said) -y -qq" >/dev/null 2>&1' \
                "$(flying)" 'scripts/deps.sh check 2>&1 | tee said; grep "only root can install: apt-get install .*check" said'
}

# No network: what is installed works, what is missing is named. Loopback is there, as on any machine; the packages that the
# roots keep for each other are not.
way_offline() {
        local hide='mount -t tmpfs none /var/cache/apt/archives' alone
        # By the ioctl, SIOCSIFFLAGS, that sets a device running: a minimal root has perl and no ip.
        local loopback="perl -e 'socket S, 2, 2, 0; ioctl S, 0x8914, \\\$_ = pack q(a16 s x22), q(lo), 0x41 or die'"
        alone="unshare -n -m sh -c \"$hide && $loopback && exec \\\"\\\$@\\\"\" alone"

        # shellcheck disable=SC2016
        $bare "! $alone make run >said 2>&1; cat said; grep 'could not be installed: gcc .*libserialport-dev' said" \
                'scripts/deps.sh run' "$(flying "$alone")" \
                "! $alone make test >said 2>&1; cat said; grep 'could not be installed: check ' said" \
                'scripts/deps.sh check' "$alone make test >said 2>&1; grep -A 20 ^FAIL said; tail -n 3 said; grep 'what needs them is skipped' said" \
                'grep "^skip.*no tshark (Debian: tshark)" said' \
                "tail -n 1 said | grep ' passed, 0 failed, '"
}

# Another program holds dpkg's lock for a while.
way_locked() {
        # shellcheck disable=SC2016
        $bare 'perl -MFcntl -e "open F, q(+>), q(/var/lib/dpkg/lock-frontend); \$l = pack(q(s s x4 l! l! i), F_WRLCK, 0, 0, 0, 0);
                        fcntl(F, F_SETLK, \$l) or die; sleep 40" &
                sleep 1; '"$(flying)"' && grep "another program is installing packages" /tmp/flown'
}

way_trixie() { $bare --suite trixie "$(flying)" 'make test'; }
way_ubuntu() {
        [ -n "${HILRIG_UBUNTU_MIRROR:-}" ] || { echo "no mirror of Ubuntu in HILRIG_UBUNTU_MIRROR" && return 77; }
        $bare --suite "${HILRIG_UBUNTU:-noble}" --mirror "$HILRIG_UBUNTU_MIRROR" "$(flying)" 'make test'
}
way_spaces() { $bare --dir '/root/my rigs/a hil rig' "$(flying)" 'make test'; }
way_shallow() { $bare --source shallow "$(flying)" 'make test'; }
way_archive() { $bare --source archive "$(flying)" 'make test'; }

[ $# -gt 0 ] || set -- sudo user offline locked spaces shallow archive trixie ubuntu
mkdir -p "$logs"
failed=0
for way in "$@"; do
        started=$SECONDS
        "way_$way" >"$logs/$way.log" 2>&1
        status=$?
        case $status in
        0) word=ok ;;
        77) word=skip ;;
        *) word=FAIL failed=1 ;;
        esac
        printf '%-5s %-10s %4d s  %s\n' $word "$way" $((SECONDS - started)) "$(tail -n 1 "$logs/$way.log")"
done
exit $failed
