/* Plants of several vehicles moved together, an instruction for all of them: the same bits as vehicle_move() one by one,
 * because it is the same code (integrate.h, motor.h, rotor.h) on arrays whose index is the vehicle.
 *
 * A vehicle gets the step of vehicle_move() instead, within the same call, while it is anything but a rigid body in free
 * air: near the ground or an obstacle, within reach of ground effect, held in a jig, more than a metre from where its air
 * density was found; and always with blade elements, motors that slow down by another lag, products of inertia or a centre
 * of mass that a load has moved. */
#pragma once

#include "models/vehicle/vehicle.h"

/* Of a batch. Lanes may be empty, and those beyond the last vehicle of many are. */
#define BATCH_LANES 8

typedef double batch_lanes[BATCH_LANES] __attribute__((aligned(64)));

/* Units and frames are those of the structs in which each stands for one vehicle. */
struct batch_vec3 {
        batch_lanes x, y, z;
};

/* What steps change. */
struct batch_state {
        batch_lanes q_w;
        struct batch_vec3 q_xyz, rate_body_radps, vel_ned_mps, pos_ned_m;
        batch_lanes rotor_radps[ROTORS_MAX], angle_turns[ROTORS_MAX];
};

struct batch_rotor {
        batch_lanes tau_s, reach_half, reach_full, target_radps;
        batch_lanes gain
                [6]; /* struct rotor_gain's, in its order; 0 for a rotor that a vehicle does not have */
};

struct batch {
        struct batch_state state[2]; /* before the last step, and since: state[now] */
        int now;
        int64_t t_ns[BATCH_LANES] __attribute__((aligned(64)));
        int64_t moved[BATCH_LANES] __attribute__((
                aligned(64))); /* in the last step: -1 together, 0 by itself */

        /* What holds for a period, and for a run. */
        batch_lanes gravity_mps2, drive_nm;
        batch_lanes air_down_m, density_kgpm3, slope_kgpm4;
        struct batch_vec3 wind_ned_mps, force_ned_n, torque_body_nm;
        struct batch_vec3 free_ned_m; /* centre of the space that was found empty */
        batch_lanes
                room_m2; /* how far from there it stays free, squared; -1: it moves by itself */
        batch_lanes per_mass;
        struct batch_vec3 inverse_kgm2, coupling;
        struct batch_vec3 linear, quadratic, angular, angular_quadratic;
        struct batch_rotor rotor[ROTORS_MAX];
        int rotors; /* of the vehicle that has most */
        int64_t step_ns;
        double step_s;

        /* Whose lanes they are, NULL: nobody's. */
        struct vehicle *vehicle[BATCH_LANES];
        const struct vehicle_params *params[BATCH_LANES];
        const struct motor_command *command[BATCH_LANES];
};

/* One step of all lanes, from one state to the other; sets `moved`, and t_ns of those that did. */
void batch_move_lanes(struct batch *b);

/* All lanes empty; every vehicle that will be taken has this step. */
void batch_init(struct batch *b, int64_t step_ns);

/* Puts a vehicle as it is now into a lane. It and p stay the caller's, and must stay where they are. */
void batch_take(struct batch *b, int lane, struct vehicle *v,
                const struct vehicle_params *p);

/* What drives it in the steps that follow; stays the caller's until then. */
void batch_command(struct batch *b, int lane, const struct motor_command *command);

/* One plant step of every vehicle, as vehicle_move(). What a vehicle's struct says holds again after batch_put(). */
void batch_move(struct batch *b, const struct world *world);

void batch_put(const struct batch *b, int lane);

/* vehicle_step() of up to BATCH_LANES vehicles of one step, whose plants move together. */
struct vehicle_turn {
        struct vehicle *v;
        const struct vehicle_params *p;
        const struct neighbours *others;
        const struct motor_command *command;
};
void vehicles_step(const struct vehicle_turn *turn, int count, const struct world *world,
                   int steps);
