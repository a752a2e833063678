#!/usr/bin/env bash
# Adds the airspeed sensor of docs/adding-a-sensor.md to a copy of the sources: what the page names is enough for it to be
# stepped, recorded, hashed, checked and replayed, and HILP stops the build until it has a block. Nothing else may list all
# sensors.
# Runs beside others: nothing here is in real time.
# Not under sanitizers: it compiles by itself.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
        echo "$*"
        exit 1
}

kinds=$(sed -n '/^enum sensor {/,/SENSOR_COUNT/p' models/signals.h | grep -oE 'SENSOR_[A-Z]+' | grep -v COUNT | paste -sd '|')
if grep -rnE --include='*.[ch]' "case ($kinds):" models io hil; then
        fail "these switch over sensors, which models/sensors/kinds.c has a table for"
fi

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp -r models io hil "$tree"
cd "$tree"

# 1. The sample.
sed -i -e '/^\/\* Room for any sensor/i struct airspeed_sample {\n        int64_t t_ns;\n        double pressure_pa;\n};\n' \
        -e 's/^\( *\)struct ins_sample ins;/&\n\1struct airspeed_sample airspeed;/' \
        -e 's/^\( *\)SENSOR_INS,/&\n\1SENSOR_AIRSPEED,/' models/signals.h

# 2. The model.
cat >models/sensors/airspeed.h <<'END'
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct airspeed_params {
        struct schedule_params schedule;
        struct error_params pressure;
};

struct airspeed {
        struct rng rng[1];
};

void airspeed_init(struct airspeed *airspeed, const struct airspeed_params *p, uint64_t seed,
                   uint32_t vehicle);
void airspeed_step(struct airspeed *airspeed, const struct airspeed_params *p,
                   const struct exposure *e, struct airspeed_sample *out);
END
cat >models/sensors/airspeed.c <<'END'
#include "models/sensors/airspeed.h"

void airspeed_init(struct airspeed *airspeed, const struct airspeed_params *p, uint64_t seed,
                   uint32_t vehicle)
{
        (void)p;
        rng_init(&airspeed->rng[0], seed, vehicle, SENSOR_AIRSPEED, 0);
}

void airspeed_step(struct airspeed *airspeed, const struct airspeed_params *p,
                   const struct exposure *e, struct airspeed_sample *out)
{
        out->pressure_pa = 0.6125 * e->airspeed_body_mps.x * e->airspeed_body_mps.x;
        error_apply(&p->pressure, airspeed->rng, 1, &out->pressure_pa);
}
END

# 3. Its row.
sed -i -e 's/^#include "models\/sensors\/baro.h"/#include "models\/sensors\/airspeed.h"\n&/' \
        -e 's/^\( *\)struct ins_params ins;/&\n\1struct airspeed_params airspeed;/' \
        -e 's/^\( *\)struct ins ins;/&\n\1struct airspeed airspeed;/' models/sensors/sensors.h
sed -i -e 's/^SENSOR_CALLS(ins)/&\nSENSOR_CALLS(airspeed)/' \
        -e 's/^\( *\)\[SENSOR_INS\] = /\1[SENSOR_AIRSPEED] = { SENSOR(airspeed, 1, airspeed.schedule),\n.field = { { FIELD(airspeed, pressure_pa), "Pa", 1, FIELD_F64 } } },\n&/' \
        models/sensors/kinds.c

cat >imaginary.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/record/signal_hash.h"
#include "models/sensors/kinds.h"
#include "models/sensors/sensors.h"

/* Flies on at 10 m/s; says what it measured, and whether the hash knows. */
int main(void)
{
        struct sensors_params *p = calloc(1, sizeof *p);
        struct sensors *s = calloc(1, sizeof *s);
        struct body_state body = { .q_body_to_ned = { 1, 0, 0, 0 } };
        struct exposure e = { .body = &body, .airspeed_body_mps = { 10, 0, 0 } };
        struct tick_record tick = { .frame_sent = true };
        char hex[2][65];
        int samples = 0;

        p->airspeed.schedule = (struct schedule_params){ 10000000, 0, 5000000 };
        error_params_ideal(&p->airspeed.pressure);
        sensors_params_prepare(p, 1000000);
        sensors_init(s, p, 1, 0);
        for (e.t_ns = 0; e.t_ns < 100000000; e.t_ns += 1000000) {
                s->latest.fresh = 0;
                sensors_step(s, p, &e);
                samples += sensor_is_fresh(&s->latest, SENSOR_AIRSPEED, 0);
                if (s->latest.fresh)
                        tick.frame = s->latest;
        }
        for (int i = 0; i < 2; i++) {
                struct signal_hash *h = signal_hash_create(4);

                signal_hash_add(h, &tick);
                signal_hash_finish(h, hex[i]);
                tick.frame.airspeed.pressure_pa += 1e-9;
        }
        printf("%s: %d samples of %g Pa, %s in the hash\n", sensor_kinds[SENSOR_AIRSPEED].name,
               samples, s->latest.airspeed.pressure_pa, strcmp(hex[0], hex[1]) ? "is" : "is not");
        return 0;
}
END
flags=(-std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra -Werror)
"${CC:-cc}" "${flags[@]}" -O0 -o imaginary imaginary.c hil/record/signal_hash.c models/*.c models/world/*.c models/plant/*.c \
        models/sensors/*.c models/sensors/errors/*.c -lnettle -lm
said=$(./imaginary)
[ "$said" = "airspeed: 10 samples of 61.25 Pa, is in the hash" ] || fail "$said"
for file in models/faults/*.c hil/record/record*.c hil/cmd/check.c hil/cmd/replay.c hil/rig/rig.c hil/rig/rig_open.c; do
        "${CC:-cc}" "${flags[@]}" -fsyntax-only "$file"
done
if "${CC:-cc}" "${flags[@]}" -fsyntax-only io/codec/hilp/hilp_si.c 2>said; then
        fail "HILP left a sensor out, and nobody was told"
fi
grep -q "HILP has a bit and a block for each sensor" said || fail "$(cat said)"
