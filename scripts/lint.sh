#!/usr/bin/env bash
# Format, static analysis, shell scripts, direction of includes. Prints what is wrong and fails; runs
# all of them whatever the first ones say.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

failed=()
check() { # name, command...
        local name=$1
        shift
        if "$@"; then
                echo "ok    $name"
        else
                echo "FAIL  $name"
                failed+=("$name")
        fi
}

# Not what tests/ holds of other packages.
ours() { # pattern...
        git ls-files -co --exclude-standard -- "$@" | while read -r name; do [ ! -e "$name" ] || echo "$name"; done
}
mapfile -t sources < <(ours 'models/*.c' 'io/*.c' 'hil/*.c' 'tests/*.c')
mapfile -t shipped < <(ours 'models/*.c' 'io/*.c' 'hil/*.c')
mapfile -t headers < <(ours 'models/*.h' 'io/*.h' 'hil/*.h' 'tests/*.h')
mapfile -t scripts < <(find scripts tests/run tests/deb tests/guest debian/tests .ci -name '*.sh' -o -path 'scripts/*.bash' -o -path .ci/run -o -path tests/guest/init \
        -o -path 'debian/tests/*' ! -name control | sort; ls debian/hilrig.post*)

# How clang-tidy compiles; tests/umock and tests/guest need headers from other folders.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2046 # several words
printf '%s\n' -std=gnu11 -D_GNU_SOURCE "-I$PWD" -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers \
        $(pkg-config --cflags umockdev-1.0 libevdev 2>/dev/null) >"$scratch/compile_flags.txt"

# What follows the paths through a function takes longer than all else together. It sees what the last 40 commits have
# changed of what ships (tests run under sanitizers), and clang's analyzer follows calls into the smallest functions only;
# with LINT=deep all of it, and into larger ones.
shallow=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow)
followed() {
        if [ "${LINT:-}" = deep ]; then
                printf '%s\n' "${shipped[@]}"
        else
                { git log -40 --name-only --format= && git diff --name-only HEAD && git ls-files -o --exclude-standard; } | sort -u |
                        comm -12 - <(printf '%s\n' "${shipped[@]}" | sort)
        fi
}
[ "${LINT:-}" != deep ] || shallow=()

# Runs a command on names that stand on stdin, so many at a time, on every core.
on_each() { # how many, command...
        xargs -r -d '\n' -n "$1" -P "$(nproc)" "${@:2}"
}

# Many sources in one process are faster; but the analyzer, once it has taken one's valists wrongly, finds them wrong in the next, too.
tidy() { # how many, option...
        on_each "$1" clang-tidy --quiet -p "$scratch" "${@:2}" 2>/dev/null
}

cppcheck_followed() {
        followed | on_each 32 cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr --enable=warning,performance,portability \
                --suppress=missingIncludeSystem --suppress=uninitvar -D_GNU_SOURCE -I.
}

tidy_all() {
        # What the analyzer sees is looked at with the other checks, too.
        { if [ "${LINT:-}" = deep ]; then ours 'tests/*.c'; else printf '%s\n' "${shipped[@]}"; fi; } |
                tidy 16 --checks='-clang-analyzer-*' && followed | tidy 1 "${shallow[@]}"
}

check includes scripts/includes.sh
check doc-names scripts/doc_names.sh
check clang-format clang-format --dry-run -Werror "${sources[@]}" "${headers[@]}"
check shellcheck shellcheck -x "${scripts[@]}"
check cppcheck cppcheck_followed
check clang-tidy tidy_all

[ ${#failed[@]} -eq 0 ] || echo "lint: failed: ${failed[*]}" >&2
[ ${#failed[@]} -eq 0 ]
