#!/usr/bin/env bash
# deb.sh [VERSION]: the Debian package of the last commit, in $BUILD/deb, and what lintian says of it. Where the commit is not
# a release (a tag), the package's version is that of VERSION with the commit's time and name behind it, so that a later
# commit is an upgrade; an argument is the version itself. Sources without .git: all that is there, as VERSION.
# What is not committed is not in the package; the same commit makes the same bytes, whoever builds it where and when.
set -euo pipefail
cd "$(dirname "$0")/.."

place=$(realpath -m "${BUILD:-build}")/deb
release=$(cat VERSION)

die() {
        echo "deb: $*" >&2
        exit 1
}

[[ $place != *[[:space:]]* ]] || die "$place: compilers' options are cut at blanks; give BUILD a folder without"
said=$(dpkg-parsechangelog -S Version)
[ "$said" = "$release" ] || die "debian/changelog is of $said, VERSION of $release"

put_source() { # folder
        rm -rf "$place"
        mkdir -p "$1"
        if [ -e .git ]; then
                [ -z "$(git status --porcelain)" ] || echo "deb: changes that are not committed are not in the package"
                git archive HEAD | tar -x -C "$1"
        else
                tar --exclude='./build*' --exclude=./runs --exclude=node_modules --exclude='./tests/unpacked*' -c . | tar -x -C "$1"
        fi
}

# The package's version, and the time that all its files have at most.
version=${1:-$release}
date=$(dpkg-parsechangelog -S Date)
if [ -e .git ]; then
        commit=$(git rev-parse --short=9 HEAD)
        tagged=$(git tag --points-at HEAD)
        date=$(LC_ALL=C git log -1 --format=%cD)
        [ -n "$tagged" ] || [ $# -gt 0 ] ||
                version=$release+$(TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd).g$commit
fi

source=$place/hilrig-$version
put_source "$source"
if [ "$version" != "$release" ]; then
        {
                printf 'hilrig (%s) unstable; urgency=medium\n\n' "$version"
                printf '  * The state %s of the sources.\n\n' "${commit:-that was given}"
                printf ' -- %s  %s\n\n' "$(sed -n 's/^Maintainer: //p' debian/control)" "$date"
                cat debian/changelog
        } >"$source/debian/changelog"
fi

cd "$source"
umask 022
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD DESTDIR PREFIX SOURCE_DATE_EPOCH
dpkg-buildpackage --build=binary --no-sign --jobs="$(nproc)"
cd ..
lintian --info --fail-on error,warning hilrig_*.changes
ls "$place"/hilrig_*.deb
