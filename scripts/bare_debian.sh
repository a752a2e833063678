#!/usr/bin/env bash
# The fresh-machine check: unpacks a minimal Debian into a temporary root, clones the last commit into
# it and runs there, as root, what the README tells a newcomer to run, or the commands given.
#
#   sudo scripts/bare_debian.sh [--keep] [COMMAND]...     (default: 'make run' 'make test')
#
# Needs debootstrap. The base root is made once and kept in $HILRIG_BARE (/var/tmp/hilrig-bare); the
# package mirror and its network settings are this machine's own. The root lives in a mount and
# process namespace of its own, so that nothing of it outlives the run.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=bookworm
cache=${HILRIG_BARE:-/var/tmp/hilrig-bare}
base=$cache/base-$suite.tar
keep=

if [ "${1:-}" = --keep ]; then
        keep=yes
        shift
fi
[ $# -gt 0 ] || set -- 'make run' 'make test'

die() {
        echo "bare_debian: $*" >&2
        exit 2
}
[ "$(id -u)" = 0 ] || die "must be run as root: it makes device nodes and mounts"
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"

# Prints this machine's mirror of the suite, as apt knows it.
mirror() {
        apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Identifier: Packages' |
                awk -v suite=$suite '$2 == suite { print $1; exit }'
}

make_base() {
        local root from

        from=$(mirror)
        [ -n "$from" ] || die "apt on this machine knows no mirror of $suite"
        mkdir -p "$cache"
        root=$(mktemp -d "$cache/base.XXXXXX")
        echo "bare_debian: debootstrap $suite from $from"
        debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" "$from" \
                >"$cache/debootstrap.log" || die "debootstrap failed: $cache/debootstrap.log"
        rm -f "$root"/var/cache/apt/archives/*.deb
        tar -C "$root" -cf "$base.new" . && mv "$base.new" "$base"
        rm -rf "$root"
}

# How this machine reaches its package mirror; no passwords, no third-party repositories.
copy_network() { # root
        local file

        cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
        # A proxy that opens TLS is trusted inside as it is outside.
        cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
        rm -f "$1/etc/apt/sources.list"
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
                if grep -qs "debian-archive-keyring\|^deb .*debian.* $suite" "$file"; then
                        cp "$file" "$1${file}"
                fi
        done
        apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until|Check-Date|ForceIPv)' \
                >"$1/etc/apt/apt.conf.d/90host" || true
}

# Runs inside the namespaces; the rest of the arguments are the commands. The root is pivoted to, since
# within a chroot a test may not make a user namespace.
inside() { # root, npm's registry, command...
        local root=$1 registry=$2 command started
        shift 2

        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mkdir -p "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
        mount -t tmpfs tmpfs "$root/dev/shm"
        ln -sf pts/ptmx "$root/dev/ptmx"
        cd "$root"
        pivot_root . mnt
        umount -l /mnt
        cd /root/hilrig

        for command in "$@"; do
                echo "bare_debian: \$ $command"
                started=$SECONDS
                env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
                        CI="${CI:-}" http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
                        no_proxy="${no_proxy:-}" npm_config_registry="$registry" \
                        sh -c "$command" </dev/null ||
                        die "'$command' ended with $?, after $((SECONDS - started)) s"
                echo "bare_debian: '$command' took $((SECONDS - started)) s"
        done
}

registry() {
        npm config get registry 2>/dev/null || echo https://registry.npmjs.org/
}

[ -f "$base" ] || make_base
root=$(mktemp -d "$cache/root.XXXXXX")
if [ -n "$keep" ]; then
        echo "bare_debian: the root stays in $root"
else
        trap 'rm -rf --one-file-system "$root"' EXIT
fi
chmod 755 "$root"
tar -C "$root" -xpf "$base"
copy_network "$root"
[ -z "$(git status --porcelain)" ] || echo "bare_debian: changes that are not committed are not tested"
git clone -q --no-hardlinks . "$root/root/hilrig"

export -f inside die
unshare --mount --pid --fork --propagation private bash -euo pipefail -c 'inside "$@"' inside "$root" \
        "$(registry)" "$@"
