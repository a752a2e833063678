/* Faults of values: of up to three numbers at a time, with what hangs together with them. */
#include "models/faults/sensor_fault_change.h"

/* One fault on up to three numbers, as it stands at this sample. */
struct change {
        struct sensor_fault_state *s;
        const struct sensor_fault *p;
        unsigned axes;
        double since_s;
};

static void swap_axes(unsigned axes, double value[3])
{
        int chosen[3], n = 0;
        double first;

        for (int i = 0; i < 3; i++)
                if (axes >> i & 1)
                        chosen[n++] = i;
        if (n != 2)
                return;
        first = value[chosen[0]];
        value[chosen[0]] = value[chosen[1]];
        value[chosen[1]] = first;
}

static double limited(double x, double most)
{
        return x > most ? most : x < -most ? -most : x;
}

/* What one chosen axis says. */
static double changed(const struct change *c, double x)
{
        double amount = c->p->amount;

        switch (c->p->kind) {
        case SENSOR_DRIFT:
                return x + amount * c->since_s;
        case SENSOR_SPIKE: /* which has been drawn */
        case SENSOR_BIAS:
                return x + amount;
        case SENSOR_NOISE:
                return x + amount * rng_normal(&c->s->rng);
        case SENSOR_SCALE:
                return x * amount;
        case SENSOR_SATURATE:
                return limited(x, amount);
        case SENSOR_FLIP_AXES:
                return 0.0 - x;
        default:
                return x;
        }
}

/* Faults of the sensor's value, rounded and clamped as it is. What it draws never depends on it. */
static void change_values(const struct change *c, const struct error_params *output,
                          double value[3])
{
        if (c->p->kind == SENSOR_SPIKE && !(rng_uniform(&c->s->rng) < c->p->probability))
                return;
        if (c->p->kind == SENSOR_SWAP_AXES)
                swap_axes(c->axes, value);
        for (int i = 0; i < 3; i++)
                if (c->axes >> i & 1)
                        value[i] = error_output(output, changed(c, value[i]));
}

static bool is_of_state(const struct change *c)
{
        enum sensor_fault_kind kind = c->p->kind;

        return kind == SENSOR_STUCK || kind == SENSOR_ZERO || kind == SENSOR_NAN;
}

/* Faults of the wire or the part: what it says has nothing to do with what it measured. */
static double stated(const struct change *c, double held)
{
        return c->p->kind == SENSOR_NAN    ? (double)NAN
               : c->p->kind == SENSOR_ZERO ? 0.0
                                           : held;
}

/* It can only say again what it has said. */
static bool sticks_at_nothing(const struct change *c, int64_t held_ns)
{
        return c->p->kind == SENSOR_STUCK && held_ns == 0;
}

/* held_ns: of the sample that `held` is from. */
static void change_axes(const struct change *c, const struct error_params *output,
                        int64_t held_ns, const double held[3], double value[3])
{
        if (!is_of_state(c)) {
                change_values(c, output, value);
                return;
        }
        if (sticks_at_nothing(c, held_ns))
                return;
        for (int i = 0; i < 3; i++)
                if (c->axes >> i & 1)
                        value[i] = stated(c, held[i]);
}

static void change_vector(const struct change *c, const struct error_params *output,
                          int64_t held_ns, struct vec3 held, struct vec3 *v)
{
        const double was[3] = { held.x, held.y, held.z };
        double value[3] = { v->x, v->y, v->z };

        change_axes(c, output, held_ns, was, value);
        *v = (struct vec3){ value[0], value[1], value[2] };
}

static void change_number(const struct change *c, const struct error_params *output,
                          int64_t held_ns, double held, double *x)
{
        struct change scalar = *c;
        const double was[3] = { held, 0.0, 0.0 };
        double value[3] = { *x, 0.0, 0.0 };

        scalar.axes = FAULT_AXIS_X;
        change_axes(&scalar, output, held_ns, was, value);
        *x = value[0];
}

/* The words for a pressure at the temperature that the part's own word says. bmp180_convert() takes
 * that to 0.1 degrees, of which several words read the same: the sixteenths of it, in which the data
 * sheet's B5 counts, find the part's own again. */
static struct bmp180_words words_for(const struct bmp180_params *p, double pressure_pa,
                                     struct bmp180_words own)
{
        int32_t b5 = 16 * bmp180_compensate(p, own).temperature_dc;
        struct bmp180_words nearest = bmp180_convert(p, pressure_pa, b5 / 160.0);

        for (int k = -8; k < 8 && nearest.ut != own.ut; k++) {
                struct bmp180_words at = bmp180_convert(p, pressure_pa, (b5 + k) / 160.0);

                if (at.ut == own.ut)
                        nearest = at;
        }
        return nearest;
}

static void say_in_words(const struct bmp180_params *p, struct baro_sample *now)
{
        struct bmp180_words own = { now->raw_temperature, now->raw_pressure };
        struct bmp180_words words = words_for(p, now->pressure_pa, own);

        now->raw_temperature = words.ut;
        now->raw_pressure = words.up;
        now->pressure_pa = bmp180_compensate(p, words).pressure_pa;
}

static void stick_baro(const struct baro_sample *held, struct baro_sample *now)
{
        int64_t t_ns = now->t_ns;

        if (held->t_ns != 0)
                *now = *held;
        now->t_ns = t_ns;
}

/* A board that reads the part's words sees the fault as one does that reads the pressure. */
static void change_baro(const struct change *c, const struct baro_params *b,
                        const struct baro_sample *held, struct baro_sample *now)
{
        bool has_words = now->raw_temperature != 0 || now->raw_pressure != 0;
        struct error_params output = b->pressure;
        double pressure_pa = now->pressure_pa;

        if (c->p->kind == SENSOR_STUCK) {
                stick_baro(held, now);
                return;
        }
        if (b->is_bmp180)
                output.lsb = 0.0;
        change_number(c, &output, held->t_ns, held->pressure_pa, &now->pressure_pa);
        if (now->pressure_pa == pressure_pa || !has_words)
                return;
        /* No word stands for NaN. */
        if (b->is_bmp180 && isfinite(now->pressure_pa))
                say_in_words(&b->bmp180, now);
        else
                now->raw_temperature = now->raw_pressure = 0;
}

/* Without an echo the sensor says its maximum, to which its own errors do not come either. */
static void change_sonar(const struct change *c, const struct sonar_unit_params *u,
                         const struct sonar_sample *held, struct sonar_sample *now)
{
        double range_m = now->range_m;

        switch (c->p->kind) {
        case SONAR_BLIND:
                now->echo = false;
                now->range_m = fmin(u->beam_max_m, u->range.max);
                return;
        case SONAR_GHOST:
                if (now->echo && now->range_m <= c->p->amount)
                        return;
                now->echo = true;
                now->range_m = error_output(&u->range, c->p->amount);
                return;
        default:
                break;
        }
        change_number(c, &u->range, held->t_ns, held->range_m, &range_m);
        if (is_of_state(c) || now->echo)
                now->range_m = range_m;
        if (c->p->kind == SENSOR_STUCK && held->t_ns != 0)
                now->echo = held->echo;
        else if (c->p->kind == SENSOR_ZERO)
                now->echo = true;
}

/* Where it sees nothing, its angles stay 0. */
static void change_flow(const struct change *c, const struct flow_params *f,
                        const struct flow_sample *held, struct flow_sample *now)
{
        double most_rad = f->rate_max_radps * 1e-9 * (double)now->interval_ns;
        const struct error_params output = { .lsb = f->lsb_rad,
                                             .min = -most_rad,
                                             .max = most_rad };
        const double was[3] = { held->flow_x_rad, held->flow_y_rad, 0.0 };
        double value[3] = { now->flow_x_rad, now->flow_y_rad, 0.0 };
        struct change two = *c;

        two.axes = c->axes & (FAULT_AXIS_X | FAULT_AXIS_Y);
        change_axes(&two, &output, held->t_ns, was, value);
        if (c->p->kind == SENSOR_STUCK && held->t_ns != 0)
                now->quality = held->quality;
        if (!is_of_state(c) && now->quality == 0)
                return;
        now->flow_x_rad = value[0];
        now->flow_y_rad = value[1];
}

/* The charge is the module's own count: it is wrong when the module is, not when a reading is. */
static void change_power(const struct change *c, const struct power_params *m,
                         const struct power_sample *held, struct power_sample *now)
{
        enum sensor_fault_target target = c->p->target;
        int64_t t_ns = held->t_ns;

        if (target != FAULT_CURRENT)
                change_number(c, &m->voltage, t_ns, held->voltage_v, &now->voltage_v);
        if (target != FAULT_VOLTAGE)
                change_number(c, &m->current, t_ns, held->current_a, &now->current_a);
        if (target == FAULT_POWER)
                change_number(c, &m->current, t_ns, held->charge_used_c,
                              &now->charge_used_c);
}

static void change_imu(const struct change *c, const struct imu_params *i,
                       const struct imu_sample *held, struct imu_sample *now)
{
        if (c->p->target != FAULT_GYRO)
                change_vector(c, &i->accel, held->t_ns, held->accel_body_mps2,
                              &now->accel_body_mps2);
        if (c->p->target != FAULT_ACCEL)
                change_vector(c, &i->gyro, held->t_ns, held->gyro_body_radps,
                              &now->gyro_body_radps);
}

void sensor_fault_change(struct sensor_fault_state *s, const struct sensor_fault *p,
                         const struct sensors_params *sensors, int unit, double since_s,
                         struct sensor_frame *f)
{
        const struct change change = { s, p, p->axes, since_s }, *c = &change;
        const struct sensor_frame *held = &s->held;

        switch (p->target) {
        case FAULT_GPS:
                sensor_fault_gps(s, p, &sensors->gps, since_s, &f->gps);
                break;
        case FAULT_BARO:
                change_baro(c, &sensors->baro, &held->baro, &f->baro);
                break;
        case FAULT_MAG:
                change_vector(c, &sensors->mag.field, held->mag.t_ns,
                              held->mag.field_body_t, &f->mag.field_body_t);
                break;
        case FAULT_SONAR:
                change_sonar(c, &sensors->sonar.unit[unit], &held->sonar[unit],
                             &f->sonar[unit]);
                break;
        case FAULT_FLOW:
                change_flow(c, &sensors->flow, &held->flow, &f->flow);
                break;
        case FAULT_VOLTAGE:
        case FAULT_CURRENT:
        case FAULT_POWER:
                change_power(c, &sensors->power, &held->power, &f->power);
                break;
        default:
                change_imu(c, &sensors->imu, &held->imu, &f->imu);
                break;
        }
}
