#!/usr/bin/env bash
# experiments.sh [NAME...]: flies the suites of the documents' experiments (rig_configs/suites/NAME.json) and writes their
# tables and pictures into docs/ by scripts/experiments_NAME.mjs. All of them without a name. Runs stay in
# $BUILD/experiments.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
names=("$@")
if [ ${#names[@]} = 0 ]; then
        for script in scripts/experiments_*.mjs; do
                name=${script#scripts/experiments_}
                names+=("${name%.mjs}")
        done
fi

status=0
for name in "${names[@]}"; do
        folder=$build/experiments/$name
        rm -rf "$folder"
        mkdir -p "$build/experiments"
        # A suite that fails has a table all the same.
        "$build/hilrig" suite "rig_configs/suites/$name.json" --out "$folder" | tail -3 || status=1
        node "scripts/experiments_$name.mjs" "$folder" docs
        echo "docs: $name"
done
exit $status
