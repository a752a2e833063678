/* The reference flight controller: sees sensor frames and pilot input, gives motor commands.
 * Estimator -> mission -> way -> position -> altitude -> attitude -> mixer -> rotors, one file
 * each; this is the chain. guidance and attitude_law choose the law of a stage. It has no access to
 * the truth, a clock or a link: time comes with the sensor frames. */
#pragma once

#include "models/fc/altitude.h"
#include "models/fc/collective.h"
#include "models/fc/laws/attitude_law.h"
#include "models/fc/estimate/estimator.h"
#include "models/fc/laws/finken_height.h"
#include "models/fc/laws/finken_target.h"
#include "models/fc/mission.h"
#include "models/fc/laws/mixer.h"
#include "models/fc/estimate/navigation.h"
#include "models/fc/laws/params.h"
#include "models/fc/planted.h"
#include "models/fc/position.h"
#include "models/fc/rotors.h"
#include "models/fc/sticks.h"
#include "models/fc/way.h"
#include "models/signals.h"

struct fc {
        struct fc_estimator estimator;
        struct dead_reckoning reckoned; /* if that is the navigation law */
        struct collective collective; /* and that */
        struct mission mission;
        struct way way;
        struct position position;
        struct altitude altitude;
        struct finken_target finken_target;
        struct finken_height finken_height;
        struct sticks sticks;
        double throttle_percent; /* from sticks or target, for the FINken's height law */
        struct attitude_law_state attitude;
        struct mixer mixer; /* constant after fc_init() */
        struct mixer_result mixed;
        struct rotors rotors;
        struct planted planted;
        double thrust_n; /* commanded, all rotors together */
        int64_t frame_t_ns; /* of the last frame */
        struct motor_command command; /* the last one */
        bool failsafe;
        char text
                [FC_TEXT_MAX]; /* why it will not arm, and other news; its reader empties it */
};

void fc_init(struct fc *fc, const struct fc_params *p);

/* One sensor frame in, one motor command out. The time step comes from the frames' IMU
 * times; frames without a new IMU sample count as silence. */
void fc_step(struct fc *fc, const struct fc_params *p, const struct sensor_frame *frame,
             struct motor_command *out);

/* RC or set-point as received. False: refused as impossible (NaN, more than 10 km away, unknown
 * mode); the previous request stays in force. */
bool fc_input(struct fc *fc, const struct pilot_input *input);

/* No sensor frame has come for another dt_s of the board's own time. */
void fc_silence(struct fc *fc, const struct fc_params *p, double dt_s,
                struct motor_command *out);

/* It has a radio to others: its address there, and how many there are. */
void fc_join_radio(struct fc *fc, int address, int radios);
/* A word that came by it. */
void fc_hear_peer(struct fc *fc, const struct fc_params *p, int from,
                  const struct peer_word *word);
/* Its own for all others, after fc_step(). False: none is due. */
bool fc_say_peer(struct fc *fc, const struct fc_params *p, struct peer_word *out);

bool fc_armed(const struct fc *fc);
enum flight_mode fc_mode(const struct fc *fc);
