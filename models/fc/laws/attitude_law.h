/* The attitude law that law.attitude names, and what each of them remembers. */
#ifndef MODELS_FC_LAWS_ATTITUDE_LAW_H
#define MODELS_FC_LAWS_ATTITUDE_LAW_H

#include "models/fc/laws/attitude.h"
#include "models/fc/laws/finken_attitude.h"
#include "models/fc/laws/hoffmann.h"
#include "models/fc/laws/kemper.h"
#include "models/fc/laws/rate_filter.h"

/* A law that does not fly remembers nothing. */
struct attitude_law_state {
        struct attitude cascade;
        struct kemper kemper;
        struct hoffmann hoffmann;
        struct finken_attitude finken;
        struct rate_filter filter;
};

/* Torque about the body's axes. ask->rate_body_radps is the gyroscope's: the filters come here. */
struct vec3 attitude_law_torque(struct attitude_law_state *c, const struct fc_params *p,
                                const struct attitude_ask *ask);

/* What the integrals hold: all that is known of the trim once the sensors are silent. */
struct vec3 attitude_law_trim_nm(const struct attitude_law_state *c,
                                 const struct fc_params *p);

/* Whether its gains are given: a law without proportional gain about every axis cannot fly. */
bool attitude_law_ready(const struct fc_params *p, enum attitude_law law);

#endif
