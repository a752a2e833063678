#!/bin/sh
# headers.sh CC FLAGS...: checks that the compiler runs and finds the libraries' headers; says what
# to do when it does not.
cc=$1
shift

if ! command -v "${cc%% *}" >/dev/null; then
        echo "make: no compiler '$cc'; scripts/deps.sh run installs gcc" >&2
        exit 1
fi
missing=
for header in libserialport.h libusb-1.0/libusb.h libevdev-1.0/libevdev/libevdev.h cjson/cJSON.h cminpack-1/cminpack.h nettle/sha2.h assimp/cimport.h archive.h \
        expat.h pcre2posix.h libwebsockets.h; do
        # $cc may be a command with options, such as "ccache gcc".
        # shellcheck disable=SC2086
        echo "#include <$header>" | $cc "$@" -E -x c - >/dev/null 2>&1 || missing="$missing $header"
done
if [ -n "$missing" ]; then
        echo "make: missing headers:$missing; scripts/deps.sh run installs them" >&2
        exit 1
fi
