# What the tests share that fly a short hop many times: the scenario, and words of campaigns, beside those of expect.bash.
# shellcheck shell=bash
. tests/expect.bash

# hop_scenario REQUIREMENT: $scratch/hop.json, five seconds with this one requirement.
hop_scenario() {
        cat >"$scratch/hop.json" <<EOF
{
  "name": "hop", "duration_s": 5,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2.5, "mode": "armed" },
    { "at_s": 2.5, "mode": "goto", "up_m": 1.5 }
  ],
  "requirements": [$1]
}
EOF
}
climbs='{ "name": "climbs", "kind": "eventually", "signal": "altitude_m", "min": 0.8 }'
stays_upright='{ "name": "stays upright", "kind": "always", "signal": "tilt_deg", "max": 45 }'
: "$climbs" "$stays_upright"

# counts DIR KEY NUMBER: what campaign.json says at its top.
counts() {
        grep -qx "  \"$2\": $3,\?" "$1/campaign.json" || fail "$1: $2 is not $3: $(grep -m 1 "^  \"$2\"" "$1/campaign.json")"
}
# records DIR: every record with its inode and time: what counts, and is not to be counted again.
records() { find "$1" -name flight.json -printf '%i %T@ %p\n' | sort -k 3; }
has_records() { [ "$(find "$1" -name flight.json 2>/dev/null | wc -l)" -ge "$2" ]; } # DIR NUMBER

# await COMMAND...: until it is so.
await() {
        for _ in {1..1200}; do
                if "$@"; then return; fi
                sleep 0.05
        done
        fail "waited in vain: $*"
}
