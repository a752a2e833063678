/* Total thrust and torques -> thrust of each rotor, for any geometry: least squares if there are
 * more rotors than demands. If not all demands can be met: first yaw gives way, then the total
 * thrust shifts so that roll and pitch keep theirs, then roll and pitch are reduced together. */
#pragma once

#include "models/fc/laws/params.h"

enum mixer_axis { MIXER_THRUST, MIXER_ROLL, MIXER_PITCH, MIXER_YAW, MIXER_AXES };

struct mixer {
        int rotors;
        double share[MIXER_AXES]
                    [ROTORS_MAX]; /* rotor thrust per newton, per newton metre */
        double min_n, max_n; /* of one rotor */
};

/* How far the demands were met: 1 fully, 0 not at all. */
struct mixer_result {
        double thrust_n; /* the total that came out */
        double roll_pitch, yaw;
};

/* An axis that the rotors cannot act on gets nothing. */
void mixer_init(struct mixer *m, const struct fc_params *p);

struct mixer_result mixer_step(const struct mixer *m, double thrust_n,
                               struct vec3 torque_nm, double rotor_thrust_n[ROTORS_MAX]);
