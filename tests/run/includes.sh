#!/usr/bin/env bash
# Includes point one way in this tree, and the check would notice if they did not.
# Not under sanitizers: it runs nothing that was compiled.
# shellcheck disable=SC2016 # backticks are Markdown's
# Runs beside others: nothing here is in real time.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/includes.sh

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# A small tree that obeys, and then one disobedience at a time.
refuses() { # file, line, part of the complaint
        rm -rf "${tree:?}"/* && mkdir -p "$tree"/{models,io/link,hil/rig,tests,docs}
        printf '| `%s` | a folder | %s |\n' models '' io '`models`' io/link '`io`' hil/rig '`io/link`' hil '`hil/rig`' \
                >"$tree/docs/architecture.md"
        touch "$tree/models/signals.h" "$tree/hil/main.c"
        echo '#include "models/signals.h"' >"$tree/io/codec.c"
        echo '#include "io/codec.h"' >"$tree/io/link/link.h"
        echo '#include "io/link/link.h"' >"$tree/hil/rig/rig.c"
        scripts/includes.sh "$tree" >"$tree/said" || { echo "refused a tree that obeys"; cat "$tree/said"; exit 1; }
        echo "$2" >"$tree/$1"
        if scripts/includes.sh "$tree" >"$tree/said" || ! grep -q "$3" "$tree/said"; then
                echo "did not refuse in $1: $2"
                exit 1
        fi
}
refuses models/a.c '#include "io/link/link.h"' 'models/ includes'
refuses models/a.c '#include "hil/rig/rig.h"' 'models/ includes'
refuses models/a.c '#include <stdio.h>' 'models/ includes'
refuses io/a.c '#include "hil/rig/rig.h"' 'io/ must not'
refuses io/a.h '# include "models/vehicle/vehicle.h"' 'of models/, io/'
refuses hil/a.c '#include "config.h"' 'by its path'
refuses hil/a.c '#include <libserialport.h>' 'alone'
refuses io/a.c '#include "io/link/link.h"' 'lists for it'
refuses hil/a.c '#include "io/link/link.h"' 'lists for it'
refuses docs/architecture.md '| `hil` | circle | `hil/rig` |
| `models` | circle | |
| `io` | circle | `models` |
| `hil/rig` | circle | `io/link` |
| `io/link` | circle | `io` |' 'stands below it'
refuses docs/architecture.md '| `models` | all | |' 'list each folder once'
