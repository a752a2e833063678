/* The attitude law that law.attitude names, and the memory of each. */
#pragma once

#include "models/fc/laws/attitude.h"
#include "models/fc/laws/finken_attitude.h"
#include "models/fc/laws/hoffmann.h"
#include "models/fc/laws/kemper.h"
#include "models/fc/laws/rate_filter.h"

/* A law that is not flying has no memory. */
struct attitude_law_state {
        struct attitude cascade;
        struct kemper kemper;
        struct hoffmann hoffmann;
        struct finken_attitude finken;
        struct rate_filter filter;
};

/* Torque about the body's axes. ask->rate_body_radps is the gyroscope's: the filters are applied
 * here. */
struct vec3 attitude_law_torque(struct attitude_law_state *c, const struct fc_params *p,
                                const struct attitude_ask *ask);

/* The integrals' values: all that is known about the trim once the sensors are silent. */
struct vec3 attitude_law_trim_nm(const struct attitude_law_state *c,
                                 const struct fc_params *p);

/* Whether its gains are given: a law without proportional gain about every axis cannot fly. */
bool attitude_law_ready(const struct fc_params *p, enum attitude_law law);
