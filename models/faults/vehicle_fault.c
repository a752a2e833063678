#include "models/faults/vehicle_fault.h"

#include <string.h>

void vehicle_fault_init(struct vehicle_fault_state *s, const struct vehicle_fault *p,
                        const struct vehicle *v)
{
        (void)p;
        (void)v;
        *s = (struct vehicle_fault_state){ 0 };
}

void vehicle_fault_command(const struct vehicle_fault *p, struct vehicle_fault_state *s,
                           struct motor_command *command)
{
        if (p->kind != MOTOR_STUCK)
                return;
        if (!s->holds)
                s->duty = command->duty[p->rotor];
        s->holds = true;
        command->duty[p->rotor] = s->duty;
}

/* Factors of the speed or of the blades, whichever it has. */
static void weaken_rotor(struct vehicle_params *p, int rotor, double loss_ratio)
{
        const double left = 1.0 - loss_ratio;

        p->rotor[rotor].thrust_n_per_radps2 *= left;
        p->rotor[rotor].torque_nm_per_radps2 *= left;
        p->blades_ratio[rotor] *= left;
}

/* A supply without resistance, at this voltage unless the charge gives less. */
static void brown_out(struct battery_params *p, double voltage_v)
{
        p->resistance_ohm = 0.0;
        for (int i = 0; i < p->points; i++)
                p->curve_v[i] = fmin(p->curve_v[i], voltage_v);
}

/* All but what moves the centre of mass. */
static void damage(struct vehicle_params *p, const struct vehicle_fault *f)
{
        switch (f->kind) {
        case MOTOR_DEAD:
                p->motor[f->rotor].speed_limit_radps = 0.0;
                break;
        case MOTOR_SLOW:
                p->motor[f->rotor].tau_s *= f->time_constant_ratio;
                p->motor[f->rotor].tau_down_s *= f->time_constant_ratio;
                break;
        case MOTOR_WEAK:
                weaken_rotor(p, f->rotor, f->loss_ratio);
                break;
        case PROPELLER_CHIPPED:
                weaken_rotor(p, f->rotor, f->loss_ratio);
                p->unbalance_kgm[f->rotor] += f->unbalance_kgm;
                break;
        case BATTERY_SAG:
                p->battery.resistance_ohm *= f->resistance_ratio;
                p->battery.charge_ratio -= f->charge_loss_ratio;
                break;
        case BROWN_OUT:
                brown_out(&p->battery, f->voltage_v);
                break;
        default:
                break;
        }
}

/* What has fallen off cannot fall off again. */
static bool dropped_before(const struct vehicle_fault *const *fault, int at)
{
        for (int i = 0; i < at; i++)
                if (fault[i]->kind == PAYLOAD_DROP &&
                    strcmp(fault[i]->load.name, fault[at]->load.name) == 0)
                        return true;
        return false;
}

static struct vec3 shift_of(const struct vehicle_fault *const *fault, int count)
{
        struct vec3 shift_m = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < count; i++)
                if (fault[i]->kind == COM_SHIFT)
                        shift_m = vec3_add(shift_m, fault[i]->shift_m);
        return shift_m;
}

static bool reload(struct vehicle_params *p, const struct vehicle_fault *const *fault,
                   int count)
{
        struct inertia_sum sum;
        bool moves = false;

        loading_init(&sum, p);
        for (int i = 0; i < count; i++) {
                moves |= fault[i]->kind == COM_SHIFT || fault[i]->kind == ADDED_MASS ||
                         fault[i]->kind == PAYLOAD_DROP;
                if (fault[i]->kind == ADDED_MASS)
                        loading_add(&sum, &fault[i]->load, 1.0);
                else if (fault[i]->kind == PAYLOAD_DROP && !dropped_before(fault, i))
                        loading_add(&sum, &fault[i]->load, -1.0);
        }
        return !moves || loading_apply(p, &sum, shift_of(fault, count));
}

/* A load that is impossible leaves the mass alone and mends nothing: what is broken stays broken. */
static bool make(struct vehicle_params *p, const struct vehicle_params *pristine,
                 const struct vehicle_fault *const *fault, int count)
{
        bool loaded;

        memcpy(p, pristine, sizeof *p);
        if (count == 0)
                return true;
        for (int i = 0; i < count; i++)
                damage(p, fault[i]);
        loaded = reload(p, fault, count);
        /* What scattered is in pristine already: the seed draws nothing. */
        return vehicle_params_prepare(p, p->step_ns, 0, 0) && loaded;
}

static bool same_supply(const struct battery_params *a, const struct battery_params *b)
{
        bool same = a->resistance_ohm == b->resistance_ohm &&
                    a->charge_ratio == b->charge_ratio;

        for (int i = 0; i < a->points; i++)
                same &= a->curve_v[i] == b->curve_v[i];
        return same;
}

/* The voltage of now, for the period that begins: under the current of the last one, as far as this
 * battery can give it. */
static void settle_supply(struct vehicle *v, const struct battery_params *p)
{
        struct battery *b = &v->battery;
        double left = p->charge_ratio - b->charge_used_c / p->capacity_c;
        double source_v = battery_open_circuit_v(p, left);

        b->voltage_v = fmax(source_v - p->resistance_ohm * b->current_a, 0.5 * source_v);
        v->speed_ratio = battery_speed_ratio(b, p);
}

/* What the last command adds to the rotors' momentum, with motors as they are now. */
static void settle_drive(struct vehicle *v, const struct vehicle_params *p)
{
        v->drive_nm = 0.0;
        for (int i = 0; i < p->rotors; i++)
                v->drive_nm += p->gain[i].speed[1] * v->target_radps[i];
}

bool vehicle_faults_recompute(struct vehicle_params *params, struct vehicle *v,
                              const struct vehicle_params *pristine,
                              const struct vehicle_fault *const *fault, int count)
{
        const struct vec3 centre_m = params->centre_body_m;
        const struct battery_params supply = params->battery;
        bool made = make(params, pristine, fault, count);

        loading_carry(&v->body, centre_m, params->centre_body_m);
        if (params->battery.capacity_c > 0.0 && !same_supply(&supply, &params->battery))
                settle_supply(v, &params->battery);
        settle_drive(v, params);
        v->contact.still = false; /* another body asks another question */
        vehicle_update_acceleration(v, params);
        return made;
}

bool vehicle_fault_possible(const struct vehicle_fault *p,
                            const struct vehicle_params *vehicle)
{
        struct vehicle_params trial;

        switch (p->kind) {
        case MOTOR_DEAD:
        case MOTOR_SLOW:
        case MOTOR_STUCK:
        case MOTOR_WEAK:
        case PROPELLER_CHIPPED:
                return p->rotor >= 0 && p->rotor < vehicle->rotors;
        case BATTERY_SAG:
        case BROWN_OUT:
                return vehicle->battery.capacity_c > 0.0;
        default:
                memcpy(&trial, vehicle, sizeof trial);
                return reload(&trial, &(const struct vehicle_fault *){ p }, 1);
        }
}
