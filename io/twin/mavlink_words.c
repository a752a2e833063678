/* What each message says. Position comes in one frame alone, the local or the global one: the two have different
 * origins, and the first that was heard is kept until it has been silent. */
#include "io/twin/mavlink_words.h"

#include "io/codec/mavlink_values.h"

#define NEVER_NS  (INT64_MIN / 2)
#define SILENT_NS INT64_C(2000000000)

void mavlink_words_init(struct mavlink_words *w, uint8_t aircraft,
                        const struct codec_origin *origin)
{
        *w = (struct mavlink_words){ .aircraft = aircraft,
                                     .origin = *origin,
                                     .position_ns = NEVER_NS,
                                     .attitude_ns = NEVER_NS,
                                     .throttle_ns = NEVER_NS };
}

#define CLOCK_MOST_MS INT64_C(1000000000000)

/* A board that started again goes back; one that wrapped goes on. */
static void read_clock(struct mavlink_words *w, uint32_t boot_ms, struct twin_word *word)
{
        w->clock_ms = w->clocked ? w->clock_ms + (int32_t)(boot_ms - w->boot_ms)
                                 : (int64_t)boot_ms;
        /* A board that says anything at all may count on for ever. */
        if (w->clock_ms > CLOCK_MOST_MS || w->clock_ms < -CLOCK_MOST_MS)
                w->clock_ms = (int64_t)boot_ms;
        w->boot_ms = boot_ms;
        w->clocked = true;
        word->measured_ns = w->clock_ms * INT64_C(1000000);
        word->said |= TWIN_TIME;
}

static bool is_finite(struct vec3 v)
{
        return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_position_of(struct mavlink_words *w, int64_t now_ns, uint32_t id)
{
        if (w->position_by != id && w->position_by != 0 &&
            now_ns - w->position_ns < SILENT_NS)
                return false;
        w->position_by = id;
        w->position_ns = now_ns;
        return true;
}

static enum mavlink_heard read_local(struct mavlink_words *w, int64_t now_ns,
                                     const void *values, struct twin_word *word)
{
        const struct mavlink_local_position_ned *m = values;

        word->pos_ned_m = (struct vec3){ (double)m->x, (double)m->y, (double)m->z };
        word->vel_ned_mps = (struct vec3){ (double)m->vx, (double)m->vy, (double)m->vz };
        if (!is_finite(word->pos_ned_m) || !is_finite(word->vel_ned_mps))
                return MAVLINK_MALFORMED;
        if (!is_position_of(w, now_ns, MAVLINK_LOCAL_POSITION_NED))
                return MAVLINK_OVERHEARD;
        word->said = TWIN_POSITION | TWIN_VELOCITY;
        read_clock(w, m->time_boot_ms, word);
        return MAVLINK_WORD;
}

static enum mavlink_heard read_global(struct mavlink_words *w, int64_t now_ns,
                                      const void *values, struct twin_word *word)
{
        const struct mavlink_global_position_int *m = values;
        const struct codec_origin *o = &w->origin;

        if (m->lat < -900000000 || m->lat > 900000000 || m->lon < -1800000000 ||
            m->lon > 1800000000)
                return MAVLINK_MALFORMED;
        /* Autopilots without a fix say 0, 0. */
        if (m->lat == 0 && m->lon == 0)
                return MAVLINK_OVERHEARD;
        if (!is_position_of(w, now_ns, MAVLINK_GLOBAL_POSITION_INT))
                return MAVLINK_OVERHEARD;
        word->said = TWIN_POSITION | TWIN_VELOCITY;
        word->pos_ned_m = (struct vec3){
                (m->lat * 1e-7 / DEG_PER_RAD - o->lat_rad) * o->north_m_per_rad,
                remainder(m->lon * 1e-7 / DEG_PER_RAD - o->lon_rad, 2.0 * M_PI) *
                        o->east_m_per_rad,
                o->height_m - m->alt * 1e-3,
        };
        word->vel_ned_mps = (struct vec3){ m->vx * 0.01, m->vy * 0.01, m->vz * 0.01 };
        read_clock(w, m->time_boot_ms, word);
        return MAVLINK_WORD;
}

static enum mavlink_heard read_attitude(struct mavlink_words *w, int64_t now_ns,
                                        struct quat q, struct vec3 rate_body_radps,
                                        uint32_t boot_ms, struct twin_word *word)
{
        double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;

        /* Written so that NaN fails. */
        if (!(square > 0.8 && square < 1.2) || !is_finite(rate_body_radps))
                return MAVLINK_MALFORMED;
        word->said = TWIN_ATTITUDE | TWIN_RATE;
        word->q_body_to_ned = quat_normalise(q);
        word->rate_body_radps = rate_body_radps;
        w->attitude_ns = now_ns;
        read_clock(w, boot_ms, word);
        return MAVLINK_WORD;
}

static enum mavlink_heard read_euler(struct mavlink_words *w, int64_t now_ns,
                                     const void *values, struct twin_word *word)
{
        const struct mavlink_attitude *m = values;
        struct vec3 rate = { (double)m->rollspeed, (double)m->pitchspeed,
                             (double)m->yawspeed };
        struct quat q =
                quat_from_euler((double)m->roll, (double)m->pitch, (double)m->yaw);

        return read_attitude(w, now_ns, q, rate, m->time_boot_ms, word);
}

static enum mavlink_heard read_quaternion(struct mavlink_words *w, int64_t now_ns,
                                          const void *values, struct twin_word *word)
{
        const struct mavlink_attitude_quaternion *m = values;
        struct vec3 rate = { (double)m->rollspeed, (double)m->pitchspeed,
                             (double)m->yawspeed };
        struct quat q = { (double)m->q1, (double)m->q2, (double)m->q3, (double)m->q4 };

        return read_attitude(w, now_ns, q, rate, m->time_boot_ms, word);
}

/* Attitude, and the position unless another message is followed. Velocity is said in the body's axes; a frame that
 * is not north, east, down cannot be used. */
static enum mavlink_heard read_odometry(struct mavlink_words *w, int64_t now_ns,
                                        const void *values, struct twin_word *word)
{
        const struct mavlink_odometry *m = values;
        struct vec3 rate = { (double)m->rollspeed, (double)m->pitchspeed,
                             (double)m->yawspeed };
        struct vec3 vel = { (double)m->vx, (double)m->vy, (double)m->vz };
        struct quat q = { (double)m->q[0], (double)m->q[1], (double)m->q[2],
                          (double)m->q[3] };
        uint64_t ms = m->time_usec / 1000;
        bool booted = ms <= UINT32_MAX; /* else it counts from 1970 */
        enum mavlink_heard heard;

        if (m->frame_id != MAV_FRAME_LOCAL_NED || m->child_frame_id != MAV_FRAME_BODY_FRD)
                return MAVLINK_OVERHEARD;
        word->pos_ned_m = (struct vec3){ (double)m->x, (double)m->y, (double)m->z };
        if (!is_finite(word->pos_ned_m) || !is_finite(vel))
                return MAVLINK_MALFORMED;
        heard = read_attitude(w, now_ns, q, rate, booted ? (uint32_t)ms : w->boot_ms,
                              word);
        if (!booted)
                word->said &= ~(uint32_t)TWIN_TIME;
        if (heard != MAVLINK_WORD || !is_position_of(w, now_ns, MAVLINK_ODOMETRY))
                return heard;
        word->vel_ned_mps = quat_rotate(word->q_body_to_ned, vel);
        word->said |= TWIN_POSITION | TWIN_VELOCITY;
        return MAVLINK_WORD;
}

static enum mavlink_heard read_throttle(struct mavlink_words *w, int64_t now_ns,
                                        const void *values, struct twin_word *word)
{
        const struct mavlink_vfr_hud *m = values;

        if (m->throttle > 100)
                return MAVLINK_MALFORMED;
        word->said = TWIN_THROTTLE;
        word->throttle_ratio = m->throttle * 0.01;
        w->throttle_ns = now_ns;
        return MAVLINK_WORD;
}

static enum mavlink_heard read_height(struct mavlink_words *w, const void *values,
                                      struct twin_word *word)
{
        const struct mavlink_distance_sensor *m = values;

        if (m->orientation != MAV_SENSOR_ROTATION_PITCH_270 ||
            m->current_distance < m->min_distance ||
            m->current_distance > m->max_distance)
                return MAVLINK_OVERHEARD;
        word->said = TWIN_HEIGHT;
        word->height_m = m->current_distance * 0.01;
        read_clock(w, m->time_boot_ms, word);
        return MAVLINK_WORD;
}

enum mavlink_heard mavlink_words_take(struct mavlink_words *w, int64_t now_ns,
                                      const struct mavlink_frame *frame,
                                      struct twin_word *word)
{
        const struct mavlink_message *message = mavlink_message_find(frame->id);
        union {
                uint8_t bytes[512];
                uint64_t aligned;
        } values;

        if (frame->system != w->aircraft || frame->component != MAV_COMP_ID_AUTOPILOT1 ||
            message == NULL)
                return MAVLINK_OVERHEARD;
        if (message->size > sizeof values || !mavlink_unpack(frame, message, &values))
                return MAVLINK_MALFORMED;
        *word = (struct twin_word){ .arrived_ns = now_ns };
        switch (frame->id) {
        case MAVLINK_HEARTBEAT:
                w->alive = true;
                return MAVLINK_OVERHEARD;
        case MAVLINK_LOCAL_POSITION_NED:
                return read_local(w, now_ns, &values, word);
        case MAVLINK_GLOBAL_POSITION_INT:
                return read_global(w, now_ns, &values, word);
        case MAVLINK_ATTITUDE:
                return read_euler(w, now_ns, &values, word);
        case MAVLINK_ATTITUDE_QUATERNION:
                return read_quaternion(w, now_ns, &values, word);
        case MAVLINK_ODOMETRY:
                return read_odometry(w, now_ns, &values, word);
        case MAVLINK_VFR_HUD:
                return read_throttle(w, now_ns, &values, word);
        case MAVLINK_DISTANCE_SENSOR:
                return read_height(w, &values, word);
        default:
                return MAVLINK_OVERHEARD;
        }
}
