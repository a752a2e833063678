#!/usr/bin/env bash
# twice.sh FOLDER: in a bare Debian (scripts/deb_test.sh), after `make deb`: the same commit is built again, in a folder with
# another name, with another umask, locale, time zone, home and number of jobs, and has to make the same bytes. Then the
# tests of the package by autopkgtest, and a package of a higher version. They go to FOLDER/first and FOLDER/second.
set -euo pipefail
cd "$(dirname "$0")/../.."

kept=$1
again=/var/tmp/another/place
rm -rf $again && git clone -q . $again

(
        cd $again
        umask 077
        export LC_ALL=C LANG=C TZ=Asia/Kathmandu HOME=/nonexistent USER=somebody
        make deb BUILD=elsewhere >/dev/null
)
same=0
for package in build/deb/*.deb; do
        sha256sum "$package" "$again/elsewhere/deb/${package##*/}"
        cmp "$package" "$again/elsewhere/deb/${package##*/}"
        same=$((same + 1))
done
[ "$same" -eq 2 ]
echo "twice: $same packages, the same bytes"

DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends autopkgtest >/dev/null 2>&1
# 2: all that were run passed, and some were skipped.
status=0
autopkgtest --no-built-binaries build/deb/hilrig_*.deb ./ -- null || status=$?
[ $status -eq 0 ] || [ $status -eq 2 ]

mkdir -p "$kept/first" "$kept/second"
cp build/deb/*.deb "$kept/first/"
scripts/deb.sh "$(cat VERSION).1" >/dev/null
cp build/deb/hilrig_*.deb "$kept/second/"
