#include "models/fc/fc.h"

#include <string.h>

#include "models/fc/guidance.h"

#define GRAVITY_MPS2 9.80665

#define BLIND_THRUST_SHARE 0.92 /* of the weight: sinks slowly */
#define STEP_MAX_S         0.1 /* longer gaps integrate no further */

void fc_init(struct fc *fc, const struct fc_params *p)
{
        *fc = (struct fc){ .mission.phase = FC_PHASE_STARTING,
                           .mixed = { .roll_pitch = 1.0, .yaw = 1.0 } };
        estimator_init(&fc->estimator);
        way_init(&fc->way);
        collective_init(&fc->collective);
        mixer_init(&fc->mixer, p);
}

/* Nothing is carried over from the last flight to the next. */
static void forget_flight(struct fc *fc)
{
        fc->position = (struct position){ 0 };
        fc->altitude = (struct altitude){ 0 };
        fc->finken_target = (struct finken_target){ 0 };
        fc->finken_height = (struct finken_height){ 0 };
        fc->attitude = (struct attitude_law_state){ 0 };
        fc->mixed = (struct mixer_result){ .roll_pitch = 1.0, .yaw = 1.0 };
        fc->thrust_n = 0.0;
}

static void mix(struct fc *fc, const struct fc_params *p, struct vec3 torque_nm,
                double dt_s)
{
        double rotor_thrust_n[ROTORS_MAX];

        fc->mixed = mixer_step(&fc->mixer, fc->thrust_n, torque_nm, rotor_thrust_n);
        rotors_step(&fc->rotors, p, rotor_thrust_n, dt_s, &fc->command);
}

static void fly(struct fc *fc, const struct fc_params *p, const struct demand *d,
                double dt_s)
{
        const struct fc_estimator *e = &fc->estimator;
        struct attitude_ask ask = { .is = e->q_body_to_ned,
                                    .rate_body_radps = e->rate_body_radps,
                                    .speed_mps =
                                            hypot(e->vel_ned_mps.x, e->vel_ned_mps.y),
                                    .got = fc->mixed,
                                    .dt_s = dt_s };
        struct vec3 torque;

        ask.wanted = guidance_attitude(fc, p, d, dt_s, &ask.hold);
        fc->thrust_n = d->share * guidance_thrust_n(fc, p, d, dt_s);
        ask.thrust_n = fc->thrust_n;
        torque = attitude_law_torque(&fc->attitude, p, &ask);
        torque = planted_torque(&fc->planted, &p->planted, torque);
        mix(fc, p, vec3_scale(d->share * p->planted.gain_ratio, torque), dt_s);
}

static void obey(struct fc *fc, const struct fc_params *p, const struct demand *d,
                 double dt_s)
{
        switch (d->kind) {
        case DEMAND_STOP:
                forget_flight(fc);
                rotors_even(&fc->rotors, p, 0.0, dt_s, &fc->command);
                break;
        case DEMAND_IDLE:
                forget_flight(fc);
                rotors_even(&fc->rotors, p, p->idle_duty, dt_s, &fc->command);
                break;
        case DEMAND_BLIND:
                /* Level as far as is known: the trim that the integrals found. */
                fc->thrust_n = BLIND_THRUST_SHARE * p->mass_kg * GRAVITY_MPS2;
                mix(fc, p, attitude_law_trim_nm(&fc->attitude, p), dt_s);
                break;
        case DEMAND_FLY:
                fly(fc, p, d, dt_s);
                break;
        }
}

static void tell(struct fc *fc)
{
        struct mission *m = &fc->mission;

        fc->failsafe = m->failsafe;
        if (m->news)
                memcpy(fc->text, m->said, sizeof fc->text);
        m->news = false;
}

/* Time from one frame to the next, for frames without an IMU sample. */
static double frame_dt(struct fc *fc, int64_t t_ns)
{
        double dt_s = (double)(t_ns - fc->frame_t_ns) * 1e-9;

        fc->frame_t_ns = t_ns;
        return fmin(fmax(dt_s, 0.0), STEP_MAX_S);
}

static void heed_sticks(struct fc *fc, const struct fc_params *p)
{
        struct setpoint asked;

        if (p->law.position == POSITION_STICKS &&
            sticks_setpoint(&fc->sticks, &p->sticks, fc->estimator.pos_ned_m.z, &asked))
                mission_ask(&fc->mission, &asked);
}

void fc_step(struct fc *fc, const struct fc_params *p, const struct sensor_frame *frame,
             struct motor_command *out)
{
        bool on_ground = !fc_armed(fc) || fc->mission.phase == FC_PHASE_IDLE;
        double frame_dt_s = frame_dt(fc, frame->t_ns);
        struct sensor_frame seen = *frame;
        bool located = p->law.navigation == NAVIGATION_COLLECTIVE;
        struct demand demand;
        double dt_s;

        planted_sensors(&fc->planted, &p->planted, &seen);
        if (p->law.navigation != NAVIGATION_SENSORS)
                navigation_hide(&seen, on_ground, located);
        dt_s = estimator_step(&fc->estimator, p, &seen, on_ground);
        way_hear(&fc->way, p, &seen, frame_dt_s);
        if (dt_s <= 0.0) {
                fc_silence(fc, p, frame_dt_s, out);
                return;
        }
        if (p->law.navigation != NAVIGATION_SENSORS)
                navigation_step(&fc->reckoned, &fc->estimator, &seen.imu, on_ground,
                                located, dt_s);
        else
                fc->reckoned = (struct dead_reckoning){ 0 };
        if (located)
                collective_step(&fc->collective, &p->collective, &fc->way.peers, &seen,
                                on_ground, dt_s, &fc->estimator);
        dt_s = fmin(dt_s, STEP_MAX_S);
        heed_sticks(fc, p);
        fc->mission.waits = p->law.flock != FLOCK_OFF && fc->way.peers.paused;
        mission_step(&fc->mission, p, &fc->estimator, fc->thrust_n, dt_s, &demand);
        way_step(&fc->way, p, &fc->estimator, frame->t_ns, dt_s, &demand);
        obey(fc, p, &demand, dt_s);
        tell(fc);
        *out = fc->command;
        planted_output(&fc->planted, &p->planted, dt_s, out);
}

void fc_join_radio(struct fc *fc, int address, int radios)
{
        fc->way.peers.radio = true;
        fc->way.peers.address = address;
        fc->way.peers.radios = radios;
}

void fc_hear_peer(struct fc *fc, const struct fc_params *p, int from,
                  const struct peer_word *word)
{
        if (word->says == PEER_SAYS_RANGES && p->law.navigation == NAVIGATION_COLLECTIVE)
                collective_hear(&fc->collective, &p->collective, &fc->estimator, from,
                                &word->ranges);
        else
                peers_hear(&fc->way.peers, &fc->estimator, from, word);
}

bool fc_say_peer(struct fc *fc, const struct fc_params *p, struct peer_word *out)
{
        struct flock_view seen;

        if (!fc->way.peers.radio)
                return false;
        if (p->law.navigation == NAVIGATION_COLLECTIVE &&
            collective_say(&fc->collective, &fc->estimator, &fc->way.peers,
                           p->flock.period_s, fc->frame_t_ns, out))
                return true;
        way_look_round(&fc->way, p, &fc->estimator, fc->mission.target.pos_ned_m,
                       fc->frame_t_ns, &seen);
        return peers_say(&fc->way.peers, &fc->estimator, &p->flock, &seen,
                         fc->mission.airborne, fc->frame_t_ns, out);
}

bool fc_input(struct fc *fc, const struct pilot_input *input)
{
        sticks_hear(&fc->sticks, input);
        return mission_ask(&fc->mission, &input->setpoint);
}

void fc_silence(struct fc *fc, const struct fc_params *p, double dt_s,
                struct motor_command *out)
{
        struct demand demand;

        if (mission_silence(&fc->mission, p, dt_s, &demand))
                obey(fc, p, &demand, fmin(dt_s, STEP_MAX_S));
        tell(fc);
        *out = fc->command;
}

bool fc_armed(const struct fc *fc)
{
        return mission_armed(&fc->mission);
}

enum flight_mode fc_mode(const struct fc *fc)
{
        switch (fc->mission.phase) {
        case FC_PHASE_STARTING:
        case FC_PHASE_READY:
                return MODE_DISARMED;
        case FC_PHASE_IDLE:
                return MODE_ARMED;
        case FC_PHASE_FLYING:
                return MODE_GOTO;
        case FC_PHASE_LANDING:
        case FC_PHASE_FAILSAFE:
                break;
        }
        return MODE_LAND;
}
