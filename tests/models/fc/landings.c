/* Every shipped vehicle of the reference flight controller, by every landing law, over many seeds: no
 * motor stops in the air, and no landing is hard. Rigs are the files that users fly. */
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "models/fc/fc.h"

#include "tests/suites.h"

#define SEEDS (SANITIZED ? 1 : 4)
#define LAWS  LANDING_LAWS

/* "Softer than 0.5 m/s at touch-down" is the states' promise; the thesis's meets the ground at the 0.5 m/s
 * that it is given, and at what the estimate of it is wrong. */
static const double softer_mps[LAWS] = {
        [LANDING_SINK] = 0.6, [LANDING_STATES] = 0.5, [LANDING_THESIS] = 0.8
};

static const char *const rigs[] = {
        "rig_configs/default.json",
        "rig_configs/rigs/md4_200_blades.json",
        "rig_configs/rigs/md4_200_thesis.json",
        "rig_configs/rigs/finken3.json",
        "rig_configs/rigs/quad_x_1kg.json",
        "rig_configs/rigs/quad_x_1kg_states.json",
};

#define RIGS ((int)(sizeof rigs / sizeof rigs[0]))

struct landing {
        struct rig_config rig;
        struct vehicle_params plant;
        struct vehicle vehicle;
        struct fc fc;
        double stands_down_m; /* where it stood */
        double stuck_m; /* the sonar from a second into the landing on; 0: it works */
        double up_m, land_s; /* how high it is asked to go, and until when */
        /* What came of it. */
        double impact_mps, down_s, off_s; /* in the landing; negative: never */
        double off_m; /* above the ground when the motors stopped */
};

static void begin(struct landing *l, const char *path, enum landing_law law,
                  enum ground_law ground)
{
        struct config_overrides o = { 0 };
        struct config_error why;
        char *resolved;

        memset(l, 0, sizeof *l);
        if (!config_read(&l->rig, path, &o, &resolved, &why))
                ck_abort_msg("%s", why.text);
        free(resolved);
        l->rig.vehicle[0].fc.reference.law.landing = law;
        l->rig.vehicle[0].fc.reference.law.ground = ground;
}

static void ask(struct landing *l, double t_s)
{
        struct pilot_input input = { .setpoint = { .mode = MODE_GOTO } };

        input.setpoint.pos_ned_m.z = -l->up_m;
        if (t_s < 3.0)
                input.setpoint.mode = MODE_DISARMED;
        else if (t_s < 4.0)
                input.setpoint.mode = MODE_ARMED;
        else if (t_s >= l->land_s)
                input.setpoint.mode = MODE_LAND;
        fc_input(&l->fc, &input);
}

static void watch(struct landing *l, double landing_s)
{
        const struct vehicle *v = &l->vehicle;

        l->impact_mps = v->impact_mps > l->impact_mps ? v->impact_mps : l->impact_mps;
        if (v->contact.touching && l->down_s < 0.0)
                l->down_s = landing_s;
        if (!fc_armed(&l->fc) && l->off_s < 0.0) {
                l->off_s = landing_s;
                l->off_m = l->stands_down_m - v->body.pos_ned_m.z;
        }
}

/* Up, hovering or still climbing until land_s, and down for at most a minute. */
static void land(struct landing *l, uint64_t seed)
{
        const struct vehicle_config *c = &l->rig.vehicle[0];
        int steps = (int)(l->rig.period_ns / l->rig.plant_step_ns);
        struct motor_command command = { 0 };

        l->plant = c->params;
        ck_assert(vehicle_params_prepare(&l->plant, l->rig.plant_step_ns, seed, 0));
        vehicle_init(&l->vehicle, &l->plant, &l->rig.world, seed, 0, c->start_ned_m,
                     c->start_yaw_rad);
        fc_init(&l->fc, &c->fc.reference);
        l->impact_mps = 0.0;
        l->down_s = l->off_s = -1.0;
        for (int64_t tick = 1;; tick++) {
                double t_s = (double)(tick * l->rig.period_ns) * 1e-9;
                struct sensor_frame frame = *vehicle_step(
                        &l->vehicle, &l->plant, &l->rig.world, NULL, &command, steps);

                if (t_s < 3.0)
                        l->stands_down_m = l->vehicle.body.pos_ned_m.z;
                if (l->stuck_m > 0.0 && t_s > l->land_s + 1.0) {
                        frame.sonar[0].range_m = l->stuck_m;
                        frame.sonar[0].echo = true;
                }
                ask(l, t_s);
                fc_step(&l->fc, &c->fc.reference, &frame, &command);
                if (t_s >= l->land_s)
                        watch(l, t_s - l->land_s);
                if (t_s > l->land_s + 60.0 ||
                    (l->off_s >= 0.0 && t_s > l->land_s + l->off_s + 1.0))
                        return;
        }
}

static void must_be_down(const struct landing *l, double softer, const char *rig)
{
        ck_assert_msg(l->off_s >= 0.0, "%s: never landed", rig);
        ck_assert_msg(l->off_m < 0.03, "%s: motors off %.2f m up", rig, l->off_m);
        ck_assert_msg(l->impact_mps < softer, "%s: %.2f m/s", rig, l->impact_mps);
}

TEST_EACH(no_vehicle_stops_its_motors_in_the_air_or_lands_hard_by_any_law, RIGS *LAWS * 2)
{
        const char *rig = rigs[_i / (2 * LAWS)];
        enum landing_law law = (enum landing_law)(_i / 2 % LAWS);
        struct landing *l = malloc(sizeof *l);

        ck_assert_ptr_nonnull(l);
        begin(l, rig, law, _i % 2 ? GROUND_WEIGHTED : GROUND_ESTIMATED);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                l->up_m = 5.0;
                l->land_s = 16.0;
                land(l, seed);
                must_be_down(l, softer_mps[law], rig);
        }
        config_free(&l->rig);
        free(l);
}

/* On its way from up to down it stands still for a moment, on little thrust. */
TEST_EACH(no_motor_stops_where_a_climb_becomes_a_landing, RIGS *LAWS)
{
        const char *rig = rigs[_i / LAWS];
        enum landing_law law = (enum landing_law)(_i % LAWS);
        struct landing *l = malloc(sizeof *l);

        ck_assert_ptr_nonnull(l);
        begin(l, rig, law, GROUND_ESTIMATED);
        for (uint64_t seed = 1; seed <= (SEEDS + 1) / 2; seed++) {
                l->up_m = 8.0;
                l->land_s = 8.5;
                land(l, seed);
                must_be_down(l, softer_mps[law], rig);
        }
        config_free(&l->rig);
        free(l);
}

/* It says 5 cm from wherever it is, in a landing from 5 or 10 m. */
TEST_EACH(a_sonar_that_is_stuck_stops_no_motor_in_the_air, RIGS * 4)
{
        const char *rig = rigs[_i / 4];
        enum landing_law law = _i % 2 ? LANDING_STATES : LANDING_SINK;
        struct landing *l = malloc(sizeof *l);

        ck_assert_ptr_nonnull(l);
        begin(l, rig, law, _i / 2 % 2 ? GROUND_WEIGHTED : GROUND_ESTIMATED);
        l->stuck_m = 0.05;
        for (uint64_t seed = 1; seed <= (SEEDS + 1) / 2; seed++) {
                l->up_m = seed % 2 ? 5.0 : 10.0;
                l->land_s = seed % 2 ? 16.0 : 21.0;
                land(l, seed);
                must_be_down(l, 1.1, rig);
        }
        config_free(&l->rig);
        free(l);
}
