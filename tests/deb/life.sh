#!/usr/bin/env bash
# life.sh FIRST.deb SECOND.deb: in a bare Debian (scripts/deb_test.sh) the first is installed, flies from other folders, also as
# an ordinary user, is upgraded to the second, removed and purged. What the machine has before and
# after is compared, every file by its bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."

deb=("$1" "$2")
source=$PWD
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
scratch=$(mktemp -d)

fail() {
        echo "life: $*" >&2
        exit 1
}

apt() { apt-get -q -y "$@" >"$scratch/apt" 2>&1 || { cat "$scratch/apt" && fail "apt-get $*"; }; }

# Every file with its kind, mode, owner and bytes; but for apt's and dpkg's own books, logs, caches, and the copies (group-)
# that every change of groups and users leaves.
machine() {
        find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /share -o -path "$source" -o -path /var/lib/apt -o \
                -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path "/etc/*-" \) \
                -prune -o -printf '%p %y %m %u %g %l\n' | sort
        find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /share -o -path "$source" -o -path /var/lib/apt -o \
                -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path "/etc/*-" \) \
                -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
        getent group
        dpkg-query -W -f '${Package} ${db:Status-Status}\n'
}

# As a user of the machine would, in a folder of his own.
user() { su - pilot -s /bin/bash -c "$1"; }

apt update
useradd -m -s /bin/bash pilot
# With what hilrig needs already there, so that what is compared is hilrig alone.
apt satisfy --no-install-recommends "$(dpkg-deb -f "${deb[0]}" Depends)"
machine >"$scratch/before"

apt install --no-install-recommends "${deb[0]}"
echo "installed: $(hilrig --version); $(dpkg -L hilrig | while read -r f; do [ -d "$f" ] || echo "$f"; done | wc -l) files"
while read -r f; do [ -e "$f" ] || fail "$f is of the package and not there"; done < <(dpkg -L hilrig)
getent group hilrig >/dev/null || fail "no group hilrig"
gunzip -t /usr/share/man/man1/hilrig.1.gz
(cd "$source" && diff -r rig_configs /usr/share/hilrig/rig_configs) || fail "other rigs are installed"
# Every page that a page of the documents links to is there.
for f in /usr/share/doc/hilrig/README.md /usr/share/doc/hilrig/docs/*.md; do
        while read -r link; do
                [ -e "${f%/*}/$link" ] || fail "$f links to $link"
        done < <(grep -o ']([^)#]*\(\.md\|\.png\)' "$f" | sed 's/^](//' | grep -v '^http')
done
for test in fly rigs board group; do
        echo "life: debian/tests/$test"
        status=0
        debian/tests/$test >"$scratch/test" 2>&1 || status=$?
        [ $status -eq 0 ] || [ $status -eq 77 ] || { cat "$scratch/test" && fail "debian/tests/$test"; }
        [ $status -eq 0 ] || echo "life: skipped:"
        tail -n 1 "$scratch/test"
done
# In real time, where a busy machine may make the run void (exit status 3).
status=0
user 'mkdir -p flights && cd flights && hilrig run rig_configs/default.json --out first' >"$scratch/flight" 2>&1 || status=$?
tail -n 1 "$scratch/flight"
[ $status -eq 0 ] || [ $status -eq 3 ] || { cat "$scratch/flight" && fail "hilrig run ended with $status"; }

# What the administrator wrote stays.
echo '# kept' >>/etc/security/limits.d/hilrig.conf
apt install --no-install-recommends "${deb[1]}"
echo "upgraded: $(hilrig --version)"
[ "$(hilrig --version)" = "hilrig $(dpkg-deb -f "${deb[1]}" Version)" ] || fail "says it is $(hilrig --version)"
grep -qx '# kept' /etc/security/limits.d/hilrig.conf || fail "the upgrade has overwritten limits.d/hilrig.conf"
user 'cd flights && hilrig replay first' >"$scratch/flight" 2>&1 || { cat "$scratch/flight" && fail "does not replay"; }
user 'hilrig check rig_configs/default.json' >/dev/null || fail "does not find its rigs"

apt remove hilrig
[ -e /etc/security/limits.d/hilrig.conf ] || fail "its settings went before they were purged"
getent group hilrig >/dev/null || fail "its group went before it was purged"
apt purge hilrig
user 'rm -r flights'
machine >"$scratch/after"
diff "$scratch/before" "$scratch/after" >"$scratch/left" || { head -n 50 "$scratch/left" && fail "something is left"; }
echo "life: $(grep -c '^[0-9a-f]\{64\} ' "$scratch/before") files before and after, the same"
