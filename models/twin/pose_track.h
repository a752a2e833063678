/* Where an aircraft is that says so now and then, late and with noise: a Kalman filter of constant velocity and
 * constant turn rate, whose process noise is an acceleration that holds from one word to the next (Bar-Shalom, Li
 * and Kirubarajan 2001, 6.3.2). It is as uncertain along every axis as along the others, so that position and
 * velocity share one covariance of 2 by 2, and the small rotation from the attitude to the true one and the turn
 * rate another. Between words it extrapolates; it remembers what it showed, so that a late word says by how much
 * that was wrong. Times are in one clock, ns. */
#pragma once

#include "models/signals.h"

/* One standard deviation each. */
struct pose_track_params {
        double accel_mps2; /* that the aircraft may change its velocity with */
        double turn_accel_radps2;
        double position_m, velocity_mps; /* of a word */
        double attitude_rad, rate_radps;
};

struct pose_track_covariance {
        double here, cross, speed; /* of the place, of both, of the speed */
};

struct pose_estimate {
        /* Of position and velocity, and of attitude and rate: a source that says them in different words says them of different moments. */
        int64_t place_ns, turn_ns;
        struct vec3 pos_ned_m, vel_ned_mps;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;
        struct pose_track_covariance along, about;
        bool placed, turned; /* position, attitude were said once */
};

#define POSE_TRACK_SHOWN 128

struct pose_track {
        struct pose_estimate now; /* as of the newest words */
        /* What was extrapolated from, and since when it was: a ring. */
        int shown;
        struct {
                int64_t since_ns;
                struct pose_estimate from;
        } show[POSE_TRACK_SHOWN];
};

/* What is said of one moment; the rest of it is not looked at. */
enum pose_said { POSE_PLACE = 1, POSE_VELOCITY = 2, POSE_ATTITUDE = 4, POSE_RATE = 8 };

struct pose_word {
        uint32_t said; /* enum pose_said */
        int64_t t_ns; /* when it was so */
        int64_t heard_ns; /* when it was known */
        struct vec3 pos_ned_m, vel_ned_mps;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;
};

/* How wrong what was shown at that moment turned out to be; NAN: not said, or nothing was shown yet. */
struct pose_surprise {
        double pos_m, attitude_rad;
        double pos_sigma_m,
                attitude_sigma_rad; /* that the filter had expected along one axis */
};

/* False: what it says is older than what was said last of it, and changes nothing. */
bool pose_track_hear(struct pose_track *k, const struct pose_track_params *p,
                     const struct pose_word *word, struct pose_surprise *surprise);

/* From the newest words to t_ns; known only where pose_track.now.placed and .turned say so. */
struct pose_estimate pose_track_at(const struct pose_track *k,
                                   const struct pose_track_params *p, int64_t t_ns);
