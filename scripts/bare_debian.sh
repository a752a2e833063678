#!/usr/bin/env bash
# The fresh-machine check: unpacks a minimal Debian with nothing but git and make into a temporary root, puts the last
# commit into it and runs there what the README tells a newcomer to run, or the commands given.
#
#   sudo scripts/bare_debian.sh [OPTION]... [COMMAND]...     (default: 'make run' 'make test')
#   sudo scripts/bare_debian.sh --all                        every other target of the Makefile, each in a root of its own
#
#   --suite NAME     another Debian than bookworm; or, with --mirror URL, a release of Ubuntu
#   --source HOW     clone (default), shallow (--depth 1), archive (no .git)
#   --dir DIR        where it goes in the root (/root/hilrig, or the user's home)
#   --user           the commands run as a user who has no sudo; --sudo: as one who has. "root: COMMAND" is root's all the same
#   --share DIR      a folder of this machine that the root has as /share
#   --ccache         what an earlier root has compiled is not compiled again: its sources, flags and compiler are the same
#   --keep           the root stays
#
# Needs debootstrap (scripts/deps.sh bare). The base root is made once, kept in $HILRIG_BARE (/var/tmp/hilrig-bare) and
# brought up to date once a day, as are the packages that the roots install; the package mirror and its network settings
# are this machine's own. The root lives in a mount and process namespace of its own, so that nothing of it outlives the run.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=bookworm url='' source=clone dir='' user='' share='' ccache='' keep=''
cache=${HILRIG_BARE:-/var/tmp/hilrig-bare}

die() {
        echo "bare_debian: $*" >&2
        exit 2
}

# Runs this script once for each of the targets; says at the end which failed.
each_alone() { # command...
        local command failed=()

        for command in "$@"; do
                "$0" "$command" || failed+=("$command")
        done
        [ ${#failed[@]} -eq 0 ] || die "failed: $(printf "'%s' " "${failed[@]}")"
}

while [[ ${1:-} == --* ]]; do
        case $1 in
        --suite) suite=$2 && shift ;;
        --mirror) url=$2 && shift ;;
        --source) source=$2 && shift ;;
        --dir) dir=$2 && shift ;;
        --user) user=pilot ;;
        --sudo) user=copilot ;;
        --share) share=$(realpath -e "$2") && shift ;;
        --ccache) ccache=yes ;;
        --keep) keep=yes ;;
        --all)
                each_alone 'make lint' 'make san' 'make fuzz FUZZ_SECONDS=2' 'make firmware' 'make run-firmware' \
                        'make guest-test' 'make validate' 'make experiments' 'make bench' 'make deb'
                exit
                ;;
        *) die "no option $1; the file's head lists them" ;;
        esac
        shift
done
[ $# -gt 0 ] || set -- 'make run' 'make test'
base=$cache/base-$suite.tar
dir=${dir:-/${user:+home/}${user:-root}/hilrig}

[ "$(id -u)" = 0 ] || die "must be run as root: it makes device nodes and mounts"
command -v debootstrap >/dev/null || die "debootstrap is missing: scripts/deps.sh bare installs it"

# Prints this machine's mirror of its own release, which has the other ones, too.
mirror() {
        apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Identifier: Packages' |
                awk '$2 == "bookworm" || $2 == "trixie" { print $1; exit }'
}

# How this machine reaches its package mirror; no passwords, no third-party repositories.
copy_network() { # root
        local file

        cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
        # A proxy that opens TLS is trusted inside as it is outside.
        [ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
        if [ "$suite" = bookworm ]; then
                rm -f "$1/etc/apt/sources.list"
                for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
                        if grep -qs "debian-archive-keyring\|^deb .*debian.* $suite" "$file"; then
                                cp "$file" "$1${file}"
                        fi
                done
        fi
        apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until|Check-Date|ForceIPv)' \
                >"$1/etc/apt/apt.conf.d/90host" || true
        # This root is thrown away, so that nothing needs to be on the disk for certain.
        echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/90bare"
}

# Whether what stands there is less than a day old.
fresh() { # file
        [ -n "$(find "$1" -newermt '1 day ago' 2>/dev/null)" ]
}

# Debian 13 knows Ubuntu's releases and has the keys that sign them: it makes their roots, below its own.
bootstrap() { # root, option...
        local root=$1
        shift

        if [ -z "$url" ]; then
                debootstrap "$@" "$suite" "$root" "$from"
                return
        fi
        "$0" --suite trixie true
        tar -C "$root" -xpf "$cache/base-trixie.tar"
        copy_network "$root"
        unshare --mount chroot "$root" sh -ec 'apt-get -q update
                apt-get -q -y install --no-install-recommends debootstrap ubuntu-keyring
                debootstrap --force-check-gpg --components=main,universe "$@"' sh "$@" "$suite" /made "$from"
}

make_base() {
        local root made from=${url:-$(mirror)}

        [ -n "$from" ] || die "apt on this machine knows no mirror of Debian"
        mkdir -p "$cache"
        root=$(mktemp -d "$cache/base.XXXXXX")
        made=$root
        if [ -f "$base" ]; then
                echo "bare_debian: bringing $suite up to date"
                tar -C "$root" -xpf "$base"
                copy_network "$root"
                chroot "$root" sh -c 'apt-get -q update && apt-get -q -y dist-upgrade && apt-get clean' \
                        >"$cache/upgrade.log" 2>&1 || die "could not be brought up to date: $cache/upgrade.log"
        else
                echo "bare_debian: debootstrap $suite from $from"
                bootstrap "$root" --variant=minbase --include=git,make,ca-certificates >"$cache/debootstrap-$suite.log" ||
                        die "debootstrap failed: $cache/debootstrap-$suite.log"
                made=$root${url:+/made}
        fi
        rm -f "$made"/var/cache/apt/archives/*.deb
        tar -C "$made" -cf "$base.new" . && mv "$base.new" "$base"
        rm -rf "$root"
}

# The commit, as the newcomer has it.
put_source() { # place
        mkdir -p "$(dirname "$1")"
        case $source in
        clone) git clone -q --no-hardlinks . "$1" ;;
        shallow) git clone -q --depth 1 "file://$PWD" "$1" ;;
        archive) mkdir "$1" && git archive HEAD | tar -x -C "$1" ;;
        *) die "--source $source: is none of clone, shallow, archive" ;;
        esac
}

# Runs inside the namespaces; the rest of the arguments are the commands. The root is pivoted to, since
# within a chroot a test may not make a user namespace.
inside() { # root, npm's registry where it is known, folder, user, command...
        local root=$1 registry=$2 dir=$3 user=$4 path=/usr/sbin:/usr/bin:/sbin:/bin command as TIMEFORMAT
        shift 4

        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys"
        mkdir -p "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
        mount -t tmpfs tmpfs "$root/dev/shm"
        ln -sf pts/ptmx "$root/dev/ptmx"
        # What the roots download is kept for the next.
        mount --bind "$KEPT/archives" "$root/var/cache/apt/archives"
        mkdir -p "$root/var/tmp/hilrig-kernels"
        mount --bind "$KEPT/kernels" "$root/var/tmp/hilrig-kernels"
        if [ -n "$SHARE" ]; then
                mkdir "$root/share"
                mount --bind "$SHARE" "$root/share"
        fi
        if [ -n "$CCACHE" ]; then
                mkdir "$root/var/cache/ccache"
                mount --bind "$KEPT/ccache" "$root/var/cache/ccache"
                path=/usr/lib/ccache:$path
        fi
        cd "$root"
        pivot_root . mnt
        umount -l /mnt

        if [ -n "$user" ]; then
                useradd -m -s /bin/bash "$user"
                chown -R "$user:" "$(dirname "$dir")"
        fi
        if [ "$user" = copilot ]; then
                apt-get -qq update && apt-get -qq install --no-install-recommends sudo >/dev/null 2>&1
                echo "$user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/copilot
        fi
        [ -z "$CCACHE" ] || { apt-get -qq update && apt-get -qq install --no-install-recommends ccache; } >/dev/null 2>&1
        cd "$dir"
        for command in "$@"; do
                as=()
                [ -z "$user" ] || [[ $command == 'root: '* ]] || as=(setpriv --reuid="$user" --regid="$user" --init-groups)
                echo "bare_debian: \$ $command"
                TIMEFORMAT="bare_debian: '$command' took %0R s (CPU: %0U s user, %0S s system)"
                time env -i PATH="$path" HOME="$(dirname "$dir")" LANG=C.UTF-8 TERM=dumb \
                        ${CCACHE:+CCACHE_DIR=/var/cache/ccache CCACHE_DEPEND=1 CCACHE_MAXSIZE=3G} CI="${CI:-}" WERROR="${WERROR:-}" http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
                        no_proxy="${no_proxy:-}" ${registry:+npm_config_registry="$registry"} \
                        "${as[@]}" sh -c "${command#root: }" </dev/null ||
                        die "'$command' ended with $?"
        done
}

fresh "$base" || make_base
root=$(mktemp -d "$cache/root.XXXXXX")
if [ -n "$keep" ]; then
        echo "bare_debian: the root stays in $root"
else
        trap 'rm -rf --one-file-system "$root"' EXIT
fi
tar -C "$root" -xpf "$base"
chmod 755 "$root"
copy_network "$root"
[ -z "$(git status --porcelain)" ] || echo "bare_debian: changes that are not committed are not tested"
put_source "$root$dir"

# Of the packages kept, those that nobody has used for a month go.
export KEPT=$cache/kept SHARE=$share CCACHE=$ccache
mkdir -p "$KEPT/archives/partial" "$KEPT/kernels" "$KEPT/ccache"
find "$KEPT/archives" -name '*.deb' -atime +30 -mtime +30 -delete
export -f inside die
unshare --mount --pid --fork --propagation private bash -euo pipefail -c 'inside "$@"' inside "$root" \
        "$(npm config get registry 2>/dev/null || true)" "$dir" "$user" "$@"
