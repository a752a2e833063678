/* What motion-capture sources share: how a user says where the system is, and the turn of its axes to north, east, down. */
#pragma once

#include "io/link/link.h"
#include "models/vec.h"

/* Which axis is up. Both are right-handed, and x of them is north: of y-up (Motive's default) z is east, of z-up y is
 * west. A body's own axes lay along the system's when it was made, its nose along x. */
enum mocap_axes { MOCAP_Y_UP, MOCAP_Z_UP };

/* "LINK [axes=y-up|z-up] [data=PORT|GROUP:PORT]" */
struct mocap_place {
        char link[LINK_TEXT_MAX + 1];
        enum mocap_axes axes;
        char group[16]; /* multicast, numeric; "": none */
        int data_port; /* 0: what the link brings */
};

/* `axes` without the word. False with what is wrong. */
bool mocap_place_parse(struct mocap_place *place, const char *text, enum mocap_axes axes,
                       struct link_error *why);

struct vec3 mocap_to_ned(enum mocap_axes axes, const double v[3]);
/* And the way back. */
void mocap_from_ned(enum mocap_axes axes, struct vec3 ned, double v[3]);
void mocap_quat_from_ned(enum mocap_axes axes, struct quat q, double out[4]);
/* x, y, z, w; false: it is no attitude. */
bool mocap_quat_to_ned(enum mocap_axes axes, const double q[4], struct quat *out);
