/* A sensor frame as the line of text that ArduPilot's parser reads. That parser (SIM_JSON.cpp,
 * parse_sensors) looks each key up as a substring, counts one character on from its end to the value, and
 * takes the last line that is closed at both ends: so the order of the keys, and each space that is not
 * there, matter. */
#include <math.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"
#include "io/codec/decimal.h"

/* Widest: the parts that every frame has, with every number at its limit. */
#define ALWAYS_BYTES  306
#define SONARS_BYTES  31 /* ,"attitude":[-3.14,-3.14,-3.14] */
#define SONAR_BYTES   15 /* ,"rng_1":99.000; never negative */
#define BATTERY_BYTES 50
#define RC_BYTES      8 /* ,"rc":} and a brace */
#define CHANNEL_BYTES 12 /* ,"rc_9":9999; from the tenth on one more */

static int sonars(const struct codec_setup *setup)
{
        return setup->sonars < ARDUPILOT_SONARS_MAX ? setup->sonars
                                                    : ARDUPILOT_SONARS_MAX;
}

static bool has_battery(const struct codec_setup *setup)
{
        return setup->sensor_period_ns[SENSOR_POWER] > 0;
}

int codec_ardupilot_rc_room(const struct codec_setup *setup)
{
        int room = PACKET_MAX - ALWAYS_BYTES - RC_BYTES;

        if (has_battery(setup))
                room -= BATTERY_BYTES;
        if (setup->sonars > 0)
                room -= SONARS_BYTES + sonars(setup) * SONAR_BYTES;
        for (int n = 0; n < ARDUPILOT_RC_MAX; n++) {
                room -= CHANNEL_BYTES + (n >= 9);
                if (room < 0)
                        return n;
        }
        return ARDUPILOT_RC_MAX;
}

static char *put(char *to, const char *text)
{
        size_t n = strlen(text);

        memcpy(to, text, n);
        return to + n;
}

/* key with its quotes, and what stands before it */
static char *put_vec3(char *to, const char *key, struct vec3 v, int places, double most)
{
        to = put(to, key);
        *to++ = '[';
        to = decimal_put(to, v.x, places, most);
        *to++ = ',';
        to = decimal_put(to, v.y, places, most);
        *to++ = ',';
        to = decimal_put(to, v.z, places, most);
        *to++ = ']';
        return to;
}

static char *put_quaternion(char *to, struct quat q)
{
        const double part[] = { q.w, q.x, q.y, q.z };

        to = put(to, ",\"quaternion\":");
        for (int i = 0; i < 4; i++) {
                *to++ = i == 0 ? '[' : ',';
                to = decimal_put(to, part[i], 7, 1.0);
        }
        *to++ = ']';
        return to;
}

/* The firmware takes rng_1 only from a frame that has "attitude" too (of which it uses nothing else), and rng_2 and rng_3 from one with
 * "quaternion" and "velocity", which all have (SIM_JSON.cpp, recv_fdm: the loop over bits 7 to 12). The
 * quaternion goes before the angles. */
static char *put_sonars(char *to, const struct codec_ardupilot *a,
                        const struct sensor_frame *frame)
{
        char key[] = ",\"rng_1\":";

        if (a->setup.sonars == 0)
                return to;
        to = put_vec3(to, ",\"attitude\":", quat_to_euler(frame->pose.q_body_to_ned), 2,
                      4.0);
        for (int i = 0; i < sonars(&a->setup); i++) {
                key[6] = (char)('1' + i);
                to = put(to, key);
                to = decimal_put(to, fmax(frame->sonar[i].range_m, 0.0), 3, 99.0);
        }
        return to;
}

/* A section ends where the next begins. Up to the first channel that is not sent: the firmware takes
 * the highest for their number. */
static char *put_rc(char *to, const struct codec_ardupilot *a)
{
        const uint16_t *rc_us = a->input.rc_us;

        if (!a->have_input || rc_us[0] == 0 || a->rc_max <= 0)
                return to;
        to = put(to, ",\"rc\":");
        for (int i = 0; i < a->rc_max && rc_us[i] != 0; i++) {
                to = put(to, i == 0 ? "{\"rc_" : ",\"rc_");
                to = decimal_put_u64(to, (uint64_t)i + 1);
                to = put(to, "\":");
                to = decimal_put_u64(to, rc_us[i] < 9999 ? rc_us[i] : 9999);
        }
        *to++ = '}';
        return to;
}

static char *put_battery(char *to, const struct codec_ardupilot *a,
                         const struct sensor_frame *frame)
{
        if (!has_battery(&a->setup))
                return to;
        to = put(to, ",\"battery\":{\"voltage\":");
        to = decimal_put(to, frame->power.voltage_v, 3, 99.0);
        to = put(to, ",\"current\":");
        to = decimal_put(to, frame->power.current_a, 3, 999.0);
        *to++ = '}';
        return to;
}

/* Seconds in twelve places: what the firmware's clock does with them, see stamp() in
 * codec_ardupilot.c. */
static char *put_stamp(char *to, uint64_t stamp_ps)
{
        to = put(to, "\n{\"timestamp\":");
        to = decimal_put_u64(to, stamp_ps / 1000000000000U % 1000000);
        *to++ = '.';
        return decimal_put_digits(to, stamp_ps % 1000000000000U, 12);
}

size_t codec_ardupilot_text(const struct codec_ardupilot *a, uint32_t number,
                            const struct sensor_frame *frame, char *to)
{
        char *p = put_stamp(to, a->stamp_ps);

        p = put(p, ",\"imu\":{");
        p = put_vec3(p, "\"gyro\":", frame->imu.gyro_body_radps, 6, 99.0);
        p = put_vec3(p, ",\"accel_body\":", frame->imu.accel_body_mps2, 5, 999.0);
        p = put_vec3(p, "},\"velocity\":", frame->pose.vel_ned_mps, 5, 999.0);
        p = put_vec3(p, ",\"position\":", frame->pose.pos_ned_m, 4, 99999.0);
        p = put_quaternion(p, frame->pose.q_body_to_ned);
        p = put_sonars(p, a, frame);
        p = put_rc(p, a);
        p = put_battery(p, a, frame);
        /* Not for the firmware, which knows no such key: for who looks at the wire. */
        p = put(p, ",\"frame\":");
        p = decimal_put_u64(p, number);
        p = put(p, "}\n");
        return (size_t)(p - to);
}
