/* DroneCAN's messages of sensors, nodes and motors, field by field as the public definitions order them. */
#include "io/can/dronecan_message.h"

#include <math.h>
#include <string.h>

#define RAD_TO_DEG     (180.0 / M_PI)
#define TESLA_TO_GAUSS 1e4
#define RPM_PER_RADPS  (30.0 / M_PI)
#define UTC            2 /* GNSS_TIME_STANDARD_UTC */
#define TAI_MINUS_UTC_S                                                                  \
        37 /* since 2017; the field is "leap seconds", and TAI counts from UTC by it */
#define WELL_PLACED_DOP 1.0 /* the rig's receiver models accuracy, not geometry */
#define ARMED           255
#define PRIORITY_HIGH   8
#define PRIORITY_MEDIUM 16
#define PRIORITY_LOW    24

static struct dronecan_bits begin(struct dronecan_transfer *t, int type, uint8_t priority)
{
        memset(t->payload, 0, sizeof t->payload);
        t->kind = DRONECAN_MESSAGE;
        t->type = type;
        t->priority = priority;
        return (struct dronecan_bits){ t->payload, 8 * sizeof t->payload, 0, false };
}

static void end(struct dronecan_transfer *t, const struct dronecan_bits *b)
{
        t->len = (b->at + 7) / 8;
}

static void put_vec3_f16(struct dronecan_bits *b, struct vec3 v)
{
        dronecan_put_f16(b, v.x);
        dronecan_put_f16(b, v.y);
        dronecan_put_f16(b, v.z);
}

static void put_vec3_f32(struct dronecan_bits *b, struct vec3 v)
{
        dronecan_put_f32(b, v.x);
        dronecan_put_f32(b, v.y);
        dronecan_put_f32(b, v.z);
}

static void put_status(struct dronecan_bits *b, uint32_t uptime_s)
{
        dronecan_put(b, uptime_s, 32);
        dronecan_put(b, 0, 2 + 3 + 3); /* healthy, operational */
        dronecan_put(b, 0, 16);
}

void dronecan_write_status(struct dronecan_transfer *t, uint32_t uptime_s)
{
        struct dronecan_bits b = begin(t, DRONECAN_NODE_STATUS, PRIORITY_LOW);

        put_status(&b, uptime_s);
        end(t, &b);
}

void dronecan_write_info(struct dronecan_transfer *t, const struct dronecan_node *node)
{
        struct dronecan_bits b = begin(t, DRONECAN_GET_NODE_INFO, PRIORITY_LOW);

        t->kind = DRONECAN_RESPONSE;
        put_status(&b, node->uptime_s);
        dronecan_put(&b, 1, 8); /* software 1.0, neither commit nor CRC */
        dronecan_put(&b, 0, 8 + 8 + 32);
        dronecan_put(&b, 0, 64);
        dronecan_put(&b, 1, 8); /* hardware 1.0 */
        dronecan_put(&b, 0, 8);
        for (int i = 0; i < DRONECAN_UNIQUE_BYTES; i++)
                dronecan_put(&b, node->unique_id[i], 8);
        dronecan_put(&b, 0, 8); /* no certificate */
        for (int i = 0; i < 80 && node->name[i] != '\0'; i++)
                dronecan_put(&b, (uint8_t)node->name[i], 8);
        end(t, &b);
}

void dronecan_write_imu(struct dronecan_transfer *t, const struct imu_sample *s,
                        uint64_t utc_us)
{
        struct dronecan_bits b = begin(t, DRONECAN_RAW_IMU, PRIORITY_HIGH);
        const struct vec3 none = { 0.0, 0.0, 0.0 };

        dronecan_put(&b, utc_us, 56);
        dronecan_put_f32(&b, 0.0);
        put_vec3_f16(&b, s->gyro_body_radps);
        put_vec3_f32(&b, none);
        put_vec3_f16(&b, s->accel_body_mps2);
        put_vec3_f32(&b, none);
        end(t, &b);
}

void dronecan_write_mag(struct dronecan_transfer *t, const struct mag_sample *s,
                        uint8_t sensor)
{
        struct dronecan_bits b = begin(t, DRONECAN_MAG, PRIORITY_MEDIUM);

        dronecan_put(&b, sensor, 8);
        dronecan_put_f16(&b, s->field_body_t.x * TESLA_TO_GAUSS);
        dronecan_put_f16(&b, s->field_body_t.y * TESLA_TO_GAUSS);
        dronecan_put_f16(&b, s->field_body_t.z * TESLA_TO_GAUSS);
        end(t, &b);
}

void dronecan_write_pressure(struct dronecan_transfer *t, const struct baro_sample *s)
{
        struct dronecan_bits b = begin(t, DRONECAN_PRESSURE, PRIORITY_MEDIUM);

        dronecan_put_f32(&b, s->pressure_pa);
        dronecan_put_f16(&b, 0.0); /* variance: not known */
        end(t, &b);
}

void dronecan_write_temperature(struct dronecan_transfer *t, const struct baro_sample *s)
{
        struct dronecan_bits b = begin(t, DRONECAN_TEMPERATURE, PRIORITY_MEDIUM);

        dronecan_put_f16(&b, s->temperature_k);
        dronecan_put_f16(&b, 0.0);
        end(t, &b);
}

static int fix_status(enum gps_fix fix)
{
        return fix == GPS_FIX_3D ? 3 : fix == GPS_FIX_2D ? 2 : 0;
}

/* Six numbers: the diagonal, of position and then of velocity. */
static void put_covariance(struct dronecan_bits *b, const struct gps_sample *s)
{
        const double sigma[] = { s->h_acc_m,   s->h_acc_m,   s->v_acc_m,
                                 s->s_acc_mps, s->s_acc_mps, s->s_acc_mps };

        dronecan_put(b, 6, 6);
        for (int i = 0; i < 6; i++)
                dronecan_put_f16(b, sigma[i] * sigma[i]);
}

void dronecan_write_fix2(struct dronecan_transfer *t, const struct gps_sample *s,
                         uint64_t utc_us)
{
        struct dronecan_bits b = begin(t, DRONECAN_FIX2, PRIORITY_MEDIUM);

        dronecan_put(&b, 0, 56); /* the bus's own time is not kept */
        dronecan_put(&b, utc_us, 56);
        dronecan_put(&b, UTC, 3);
        dronecan_put(&b, 0, 13);
        dronecan_put(&b, TAI_MINUS_UTC_S, 8);
        dronecan_put_signed(&b, s->lon_rad * RAD_TO_DEG * 1e8, 37);
        dronecan_put_signed(&b, s->lat_rad * RAD_TO_DEG * 1e8, 37);
        dronecan_put_signed(&b, s->height_m * 1e3, 27);
        dronecan_put_signed(&b, s->height_m * 1e3, 27); /* sea level is the ellipsoid */
        put_vec3_f32(&b, s->vel_ned_mps);
        dronecan_put(&b, (uint64_t)(s->satellites < 63 ? s->satellites : 63) & 63, 6);
        dronecan_put(&b, (uint64_t)fix_status(s->fix), 2);
        dronecan_put(&b, 0, 4 + 6); /* neither differential nor RTK */
        put_covariance(&b, s);
        dronecan_put_f16(&b, WELL_PLACED_DOP);
        end(t, &b);
}

void dronecan_write_auxiliary(struct dronecan_transfer *t, const struct gps_sample *s)
{
        struct dronecan_bits b = begin(t, DRONECAN_AUXILIARY, PRIORITY_MEDIUM);
        uint64_t satellites = (uint64_t)(s->satellites < 63 ? s->satellites : 63) & 63;

        for (int i = 0; i < 7; i++)
                dronecan_put_f16(&b, WELL_PLACED_DOP);
        dronecan_put(&b, satellites, 7);
        dronecan_put(&b, satellites, 6);
        end(t, &b);
}

void dronecan_write_range(struct dronecan_transfer *t, const struct sonar_sample *s,
                          uint8_t sensor)
{
        struct dronecan_bits b = begin(t, DRONECAN_RANGE, PRIORITY_MEDIUM);

        dronecan_put(&b, 0, 56);
        dronecan_put(&b, sensor, 8);
        dronecan_put(&b, 0, 3 * 5 + 1); /* its orientation: not defined */
        dronecan_put_f16(&b, 0.0);
        dronecan_put(&b, 1, 5); /* a sonar */
        dronecan_put(&b, s->echo ? 1 : 3, 3); /* valid, or too far */
        dronecan_put_f16(&b, s->range_m);
        end(t, &b);
}

void dronecan_write_battery(struct dronecan_transfer *t, const struct power_sample *s)
{
        struct dronecan_bits b = begin(t, DRONECAN_BATTERY, PRIORITY_LOW);

        dronecan_put_f16(&b, NAN); /* its temperature is not known */
        dronecan_put_f16(&b, s->voltage_v);
        dronecan_put_f16(&b, s->current_a);
        for (int i = 0; i < 4; i++) /* power, capacities, time to charge: not known */
                dronecan_put_f16(&b, NAN);
        dronecan_put(&b, 1, 11); /* in use */
        dronecan_put(&b, 127, 7); /* its health is not known */
        dronecan_put(&b, 0, 7 + 7);
        dronecan_put(&b, 0, 8);
        dronecan_put(&b, 0, 32);
        end(t, &b);
}

void dronecan_write_esc(struct dronecan_transfer *t, const struct dronecan_esc *esc)
{
        struct dronecan_bits b = begin(t, DRONECAN_ESC_STATUS, PRIORITY_MEDIUM);

        dronecan_put(&b, 0, 32);
        dronecan_put_f16(&b, esc->voltage_v);
        dronecan_put_f16(&b, NAN);
        dronecan_put_f16(&b, NAN);
        dronecan_put_signed(&b, esc->speed_radps * RPM_PER_RADPS, 18);
        dronecan_put(&b, (uint64_t)lrint(100.0 * esc->duty) & 127, 7);
        dronecan_put(&b, (uint64_t)esc->index & 31, 5);
        end(t, &b);
}

/* Without a length: as many as fit, and the rest of the last byte is no command. */
int dronecan_read_raw_command(const struct dronecan_transfer *t,
                              double duty[DRONECAN_ESC_MAX])
{
        struct dronecan_bits b = { (uint8_t *)t->payload, 8 * t->len, 0, false };
        int count = (int)(8 * t->len / 14);

        if (count > DRONECAN_ESC_MAX)
                return -1;
        for (int i = 0; i < count; i++)
                duty[i] = (double)dronecan_get_signed(&b, 14) / DRONECAN_DUTY_FULL;
        return count;
}

bool dronecan_read_arming(const struct dronecan_transfer *t, bool *armed)
{
        if (t->len != 1)
                return false;
        *armed = t->payload[0] == ARMED;
        return true;
}
