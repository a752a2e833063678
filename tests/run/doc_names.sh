#!/usr/bin/env bash
# The documents name what is there, and the check would notice if they did not.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it runs nothing that was compiled.
# shellcheck disable=SC2016 # backticks are Markdown's
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

expect 0 scripts/doc_names.sh

# A small tree with one page.
refuses() { # the page's line, the complaint
        rm -rf "$scratch/tree" && mkdir -p "$scratch/tree"/{docs,models,io,hil,tests,scripts}
        echo 'int motor_step(void);' >"$scratch/tree/models/motor.h"
        echo 'See `motor_step()` in `models/motor.[ch]`.' >"$scratch/tree/README.md"
        expect 0 scripts/doc_names.sh "$scratch/tree"
        echo "$1" >"$scratch/tree/docs/page.md"
        expect 1 scripts/doc_names.sh "$scratch/tree"
        says "$2"
}
refuses 'It is in `models/rotor.h`.' 'docs/page.md:1: there is no models/rotor.h'
refuses 'It is `motor_stop()`.' 'docs/page.md:1: nothing is called motor_stop()'
touch "$scratch/tree/models/rotor.h"
refuses '| a step | `motor_step()` | `models/signals.h` |' 'motor_step() is in none of: models/signals.h'
