#!/bin/sh
# Prints the version: the nearest tag as git describes it, or the number in VERSION with the commit,
# or that number alone where this is no git checkout of its own.
cd "$(dirname "$0")/.." || exit 1

release=$(cat VERSION)
[ -e .git ] || { echo "$release"; exit; }
git describe --tags --dirty 2>/dev/null && exit
commit=$(git describe --always --dirty 2>/dev/null) && echo "$release-g$commit" || echo "$release"
