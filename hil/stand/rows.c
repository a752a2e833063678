#include "hil/stand/rows.h"

#include <math.h>

static double value_at(const struct track *t, enum track_kind kind, int64_t t_ns)
{
        double value;

        return t->of[kind].count > 0 && track_at(t, kind, t_ns, &value) ? value : NAN;
}

const struct track_samples *stand_rows_of(const struct track *t)
{
        return t->of[TRACK_SPEED].count > 0 ? &t->of[TRACK_SPEED] : &t->of[TRACK_THRUST];
}

void stand_add_rows(const struct track *t, int table, struct stand_row *row)
{
        const struct track_samples *s = stand_rows_of(t);
        double unchanged_s = 0.0;

        for (size_t i = 0; i < s->count; i++) {
                int64_t at = s->t_ns[i];
                struct stand_row *r = &row[i];

                *r = (struct stand_row){ .table = table };
                if (i > 0)
                        r->dt_s = 1e-9 * (double)(at - s->t_ns[i - 1]);
                r->command = track_motors(t, at)[0];
                unchanged_s = i > 0 && r->command == r[-1].command ? unchanged_s + r->dt_s
                                                                   : 0.0;
                r->settled = unchanged_s >= STAND_SETTLED_S || r->dt_s >= STAND_SETTLED_S;
                r->thrust_n = value_at(t, TRACK_THRUST, at);
                r->torque_nm = value_at(t, TRACK_TORQUE, at);
                r->speed_radps = value_at(t, TRACK_SPEED, at);
                r->voltage_v = value_at(t, TRACK_VOLTAGE, at);
                r->current_a = value_at(t, TRACK_CURRENT, at);
                r->charge_c = i > 0 ? r[-1].charge_c : 0.0;
                if (isfinite(r->current_a))
                        r->charge_c += r->current_a * r->dt_s;
        }
}

double stand_interval_s(const struct track *t)
{
        const struct track_samples *s = stand_rows_of(t);

        return 1e-9 * (double)(s->t_ns[s->count - 1] - s->t_ns[0]) /
               (double)(s->count - 1);
}
