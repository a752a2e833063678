#!/usr/bin/env bash
# Compares what the sensors emit with what their files claim (tests/validate) and writes
# docs/validation.md with its pictures. First the oracle is tried on what it must know. Exit status 1:
# a claim fails; 2: it could not be tried. PYTHON: an interpreter that has numpy and matplotlib.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian's own, which has the packages that deps.sh installs; another may stand before it in PATH.
python=${PYTHON:-/usr/bin/python3}
hilrig=$(realpath "${BUILD:-build}/hilrig")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/hilrig-validate.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

"$python" tests/validate/test_oracle.py
"$python" tests/validate/validate.py "$hilrig" "$scratch" --page
