#!/usr/bin/env bash
# Includes point one way: between hil, io and models, and between their folders as docs/architecture.md lists them. Each
# third-party library has one file that knows it. Prints what breaks that and exits 1.
set -uo pipefail
cd "${1:-$(dirname "$0")/..}" || exit 1

bad=0
complain() { # text, offending lines
        [ -z "$2" ] && return
        bad=1
        printf '%s:\n' "$1"
        printf '%s\n' "$2" | sed 's/^/    /'
}

# Lines with an #include that matches the second pattern, in the files of the folders that follow.
including() { # pattern, folder...
        local pattern=$1
        shift
        grep -rnE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$pattern" "$@"
}

complain "models/ includes models/ and the C library alone" \
        "$(including '[^>"]*' models |
                grep -vE 'include[[:space:]]*("models/|<(assert|float|inttypes|limits|math|stdbool|stddef|stdint|string)\.h>)')"
complain "io/ must not include hil/" "$(including 'hil/' io)"
complain "of models/, io/ includes signals.h, vec.h and rng.h (the noise of a faulty wire) alone" \
        "$(including 'models/' io | grep -vE '"models/(signals|vec|rng)\.h"')"
complain "a header is included by its path from the top" \
        "$(grep -rnE --include='*.[ch]' --exclude-dir=node_modules '^#include "' models io hil tests | grep -vE '"(models|io|hil|tests)/')"

# The table of docs/architecture.md: "| `folder` | what it is | `folder` `folder` |"; the third column is what it may include.
# What is not said there of hil, io and models as such holds already.
rooms() {
        awk -F'|' '/^\| `(hil|io|models)/ {
                gsub(/[` ]+/, " ", $2); gsub(/[` ,]+/, " ", $4); gsub(/^ | $/, "", $2)
                print $2 ":" $4
        }' docs/architecture.md
}
folders() {
        find models io hil -name '*.[ch]' | sed 's,/[^/]*$,,' | sort -u
}
complain "docs/architecture.md must list each folder once" \
        "$(diff <(rooms | sed 's/:.*//' | sort) <(folders))"
complain "a folder includes what docs/architecture.md lists for it" \
        "$(grep -roE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(models|io|hil)/[^"]*"' models io hil |
                awk -F: '
                        NR == FNR { may[$1] = " " $2 " "; next }
                        {
                                from = $1; sub(/\/[^\/]*$/, "", from)
                                to = $2; sub(/.*"/, "", to) ; to = $2; gsub(/.*include[ \t]*"|"$/, "", to); header = to
                                sub(/\/[^\/]*$/, "", to)
                                if (from != to && index(may[from], " " to " ") == 0) print $1 ": " header
                        }' <(rooms) -)"
complain "the list of docs/architecture.md must go one way, from a folder to those listed above it" \
        "$(rooms | awk -F: '{
                n = split($2, to, " ")
                for (i = 1; i <= n; i++) if (!(to[i] in seen)) print $1 ": " to[i] " stands below it, or nowhere"
                seen[$1] = 1
        }')"

# start of the library's headers, and the file that may include them
one_file() {
        complain "$1 belongs into $2 alone" "$(including "$1" models io hil | grep -v "^$2:")"
}
one_file libserialport.h io/link/link_uart.c
complain "libusb belongs into the USB files of io/ and hil/attached/ports_usb.c alone" \
        "$(including libusb models io hil | grep -vE '^(io/link/(usb_[a-z]+|link_usb)|io/capture/(fx2_[a-z]+|capture_fx2|fx2)|hil/attached/ports_usb)\.c:')"
one_file cjson/ hil/text/json_parse.c
one_file cminpack hil/sysid/least.c
one_file nettle/sha2.h hil/record/signal_hash.c
one_file nettle/base64.h hil/film/film.c
one_file assimp/ hil/config/world/mesh_file.c
one_file archive io/log/zip_file.c
one_file pcre2.h io/twin/ivy_peer.c
one_file libwebsockets.h hil/live/web.c
exit $bad
