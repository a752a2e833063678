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
tidied=("${sources[@]}")
[ "${LINT:-}" = deep ] || mapfile -t tidied < <(ours 'models/*.c' 'io/*.c' 'hil/*.c')
mapfile -t headers < <(ours 'models/*.h' 'io/*.h' 'hil/*.h' 'tests/*.h')
mapfile -t scripts < <(find scripts tests/run tests/deb tests/guest debian/tests .ci -name '*.sh' -o -path 'scripts/*.bash' -o -path .ci/run -o -path tests/guest/init \
        -o -path 'debian/tests/*' ! -name control | sort; ls debian/hilrig.post*)

# tests/umock and tests/guest need headers from other folders.
KITS=$(pkg-config --cflags umockdev-1.0 libevdev 2>/dev/null)
export KITS

# What earlier runs found nothing in: for clang-tidy a file for each hash of all that it saw, the source, what that includes,
# its settings and itself, and in deps/ the names of what is included.
CLEAN=${XDG_CACHE_HOME:-$HOME/.cache}/hilrig
TIDY_CLEAN=$CLEAN/tidy
TIDY_SETTINGS=$(echo "${LINT:-}"; cat .clang-tidy scripts/lint.sh; clang-tidy --version)
export TIDY_CLEAN TIDY_SETTINGS

seen() { # source, names of what it includes: the hash
        { printf '%s\n' "$1" "$TIDY_SETTINGS" && xargs cat <"$2"; } 2>/dev/null | sha256sum | cut -d' ' -f1
}

# The analyzer follows the paths of what ships, into the smallest functions only; for LINT=deep into larger ones, which takes
# several times as long. Tests, which run under sanitizers, it does not follow, and what else clang-tidy says of them
# LINT=deep asks for alone.
analyzer=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow)
[ "${LINT:-}" != deep ] || analyzer=()
ANALYZER=${analyzer[*]}
export ANALYZER

tidy_one() { # source
        local checks=() flags=(-std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
        local deps=$TIDY_CLEAN/deps/${1//\//.} hash

        # shellcheck disable=SC2206 # several words
        flags+=($KITS) checks=($ANALYZER)
        case $1 in tests/*) checks=('--checks=-clang-analyzer-*') ;; esac
        if [ -s "$deps" ]; then
                hash=$(seen "$1" "$deps")
                [ ! -e "$TIDY_CLEAN/$hash" ] || { touch "$TIDY_CLEAN/$hash" "$deps" && return; }
        fi
        clang-tidy --quiet "${checks[@]}" "$1" -- "${flags[@]}" 2>/dev/null || return
        # As make has it: "file.o: a.c b.h \"
        gcc -M "${flags[@]}" "$1" 2>/dev/null | sed 's/^[^ ]*: / /; s/\\$//' >"$deps.$$"
        [ ! -s "$deps.$$" ] || { mv "$deps.$$" "$deps" && touch "$TIDY_CLEAN/$(seen "$1" "$deps")"; }
}
export -f tidy_one seen

tidy() {
        mkdir -p "$TIDY_CLEAN/deps" && find "$TIDY_CLEAN" -type f -mtime +30 -delete
        # shellcheck disable=SC2016
        printf '%s\0' "${tidied[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_one "$1"' tidy
}

check includes scripts/includes.sh
check doc-names scripts/doc_names.sh
check clang-format clang-format --dry-run -Werror "${sources[@]}" "${headers[@]}"
check shellcheck shellcheck -x "${scripts[@]}"
mkdir -p "$CLEAN/cppcheck"
check cppcheck cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -j "$(nproc)" --cppcheck-build-dir="$CLEAN/cppcheck" \
        --enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=uninitvar --suppress=ctuuninitvar \
        -D_GNU_SOURCE -I. models io hil
check clang-tidy tidy

[ ${#failed[@]} -eq 0 ] || echo "lint: failed: ${failed[*]}" >&2
[ ${#failed[@]} -eq 0 ]
