/* The unit's binary packets: FA, the groups, a mask of fields for each of them, the fields, a CRC. One table knows the
 * fields; a mask with any other is refused, as is a packet that is longer than what the drivers' buffers hold. A unit
 * without a receiver sends zeros for what a receiver would know: PX4 asks a VN-100 for it, too. Lengths of all fields:
 * libvnc, upack.c, BinaryPacketGroupLengths. */
#include "io/device/vectornav.h"

#include "io/le.h"

#define SYNC         0xFA
#define GRAVITY_MPS2 9.80665
#define KPA_PER_PA   1e-3
#define WEEK_NS      (604800LL * 1000000000LL)
/* The unit's estimate of its own errors: VN-100 and VN-300 data sheets, static. */
#define YAW_U_DEG  2.0F
#define TILT_U_DEG 0.5F

enum group {
        GROUP_COMMON,
        GROUP_TIME,
        GROUP_IMU,
        GROUP_GNSS1,
        GROUP_ATTITUDE,
        GROUP_INS,
        GROUP_GNSS2
};

/* What the fields are made of. */
struct source {
        const struct inertial *samples;
        int64_t startup_ns;
        const struct inertial_sum *sum;
};

struct field {
        enum group group;
        uint8_t bit;
        uint8_t size;
        void (*put)(const struct source *from, uint8_t *out);
};

uint16_t vectornav_crc(const uint8_t *bytes, size_t len)
{
        uint16_t crc = 0;

        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)(crc ^ bytes[i] << 8);
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        return crc;
}

static void put_vec3(uint8_t *out, struct vec3 v)
{
        le_put_f32(out, (float)v.x);
        le_put_f32(out + 4, (float)v.y);
        le_put_f32(out + 8, (float)v.z);
}

static void put_startup(const struct source *from, uint8_t *out)
{
        int64_t t_ns = from->samples->t_ns - from->startup_ns;

        le_put_u64(out, t_ns > 0 ? (uint64_t)t_ns : 0);
}

/* All 0 of a unit without a receiver. */
static struct gnss_time time_of(const struct source *from)
{
        const struct inertial *s = from->samples;

        return s->receiver ? gnss_time_of(s->origin.utc_ns + s->t_ns)
                           : (struct gnss_time){ .year = 2000 };
}

static int64_t tow_ns(struct gnss_time t)
{
        return t.itow_ms * 1000000LL + t.ftow_ns;
}

/* ns since 1980. */
static void put_gps_time(const struct source *from, uint8_t *out)
{
        struct gnss_time t = time_of(from);

        le_put_u64(out, (uint64_t)(t.week * WEEK_NS + tow_ns(t)));
}

static void put_gps_tow(const struct source *from, uint8_t *out)
{
        le_put_u64(out, (uint64_t)tow_ns(time_of(from)));
}

static void put_gps_week(const struct source *from, uint8_t *out)
{
        le_put_u16(out, time_of(from).week);
}

static void put_utc(const struct source *from, uint8_t *out)
{
        struct gnss_time t = time_of(from);

        out[0] = (uint8_t)(t.year - 2000);
        out[1] = t.month;
        out[2] = t.day;
        out[3] = t.hour;
        out[4] = t.minute;
        out[5] = t.second;
        le_put_u16(out + 6, (uint16_t)(t.nano / 1000000U));
}

static void put_accel(const struct source *from, uint8_t *out)
{
        put_vec3(out, inertial_accel_mps2(from->samples, from->sum));
}

static void put_gyro(const struct source *from, uint8_t *out)
{
        put_vec3(out, inertial_gyro_radps(from->samples, from->sum));
}

static void put_imu(const struct source *from, uint8_t *out)
{
        put_accel(from, out);
        put_gyro(from, out + 12);
}

static void put_mag(const struct source *from, uint8_t *out)
{
        put_vec3(out, from->samples->mag_gauss);
}

static void put_temperature(const struct source *from, uint8_t *out)
{
        le_put_f32(out, (float)from->samples->temperature_c);
}

static void put_pressure(const struct source *from, uint8_t *out)
{
        le_put_f32(out, (float)(from->samples->pressure_pa * KPA_PER_PA));
}

static void put_mag_pres(const struct source *from, uint8_t *out)
{
        put_mag(from, out);
        put_temperature(from, out + 12);
        put_pressure(from, out + 16);
}

static void put_delta_theta(const struct source *from, uint8_t *out)
{
        le_put_f32(out, (float)from->sum->interval_s);
        put_vec3(out + 4, vec3_scale(DEG_PER_RAD, from->sum->dtheta_rad));
}

static void put_delta_velocity(const struct source *from, uint8_t *out)
{
        put_vec3(out, from->sum->dvel_mps);
}

static void put_deltas(const struct source *from, uint8_t *out)
{
        put_delta_theta(from, out);
        put_delta_velocity(from, out + 16);
}

static void put_ypr(const struct source *from, uint8_t *out)
{
        struct vec3 e = quat_to_euler(from->samples->q_body_to_ned);

        put_vec3(out, vec3_scale(DEG_PER_RAD, (struct vec3){ e.z, e.y, e.x }));
}

static void put_quaternion(const struct source *from, uint8_t *out)
{
        struct quat q = from->samples->q_body_to_ned;

        put_vec3(out, (struct vec3){ q.x, q.y, q.z });
        le_put_f32(out + 12, (float)q.w);
}

static void put_ypr_u(const struct source *from, uint8_t *out)
{
        (void)from;
        le_put_f32(out, YAW_U_DEG);
        le_put_f32(out + 4, TILT_U_DEG);
        le_put_f32(out + 8, TILT_U_DEG);
}

/* Without gravity. */
static void put_linear_ned(const struct source *from, uint8_t *out)
{
        const struct inertial *s = from->samples;
        struct vec3 a = quat_rotate(s->q_body_to_ned, inertial_accel_mps2(s, from->sum));

        a.z += GRAVITY_MPS2;
        put_vec3(out, a);
}

/* Mode 2, tracking, with a fix, otherwise 0; bit 2: GNSS fix. */
static void put_ins_status(const struct source *from, uint8_t *out)
{
        le_put_u16(out, from->samples->epoch.fix == GPS_FIX_3D ? 0x0006 : 0x0000);
}

static void put_lla(uint8_t *out, double lat_rad, double lon_rad, double height_m)
{
        le_put_f64(out, lat_rad * DEG_PER_RAD);
        le_put_f64(out + 8, lon_rad * DEG_PER_RAD);
        le_put_f64(out + 16, height_m);
}

static void put_gnss_lla(const struct source *from, uint8_t *out)
{
        const struct gps_sample *g = &from->samples->gps;

        put_lla(out, g->lat_rad, g->lon_rad, g->height_m);
}

static void put_ins_lla(const struct source *from, uint8_t *out)
{
        struct inertial_place p = inertial_place(from->samples);

        put_lla(out, p.lat_rad, p.lon_rad, p.height_m);
}

static void put_velocity(const struct source *from, uint8_t *out)
{
        put_vec3(out, from->samples->gps.vel_ned_mps);
}

static void put_pos_u(const struct source *from, uint8_t *out)
{
        const struct gps_sample *g = &from->samples->gps;

        put_vec3(out, (struct vec3){ g->h_acc_m, g->h_acc_m, g->v_acc_m });
}

static void put_ins_pos_u(const struct source *from, uint8_t *out)
{
        le_put_f32(out, (float)from->samples->gps.h_acc_m);
}

static void put_vel_u(const struct source *from, uint8_t *out)
{
        le_put_f32(out, (float)from->samples->gps.s_acc_mps);
}

static void put_satellites(const struct source *from, uint8_t *out)
{
        out[0] = (uint8_t)from->samples->epoch.satellites;
}

static void put_fix(const struct source *from, uint8_t *out)
{
        out[0] = (uint8_t)from->samples->epoch.fix;
}

static void put_dops(const struct source *from, uint8_t *out)
{
        const struct gnss_epoch *e = &from->samples->epoch;
        const uint16_t dop[7] = { e->gdop, e->pdop, e->tdop, e->vdop,
                                  e->hdop, e->ndop, e->edop };

        for (int i = 0; i < 7; i++)
                le_put_f32(out + 4 * i, (float)dop[i] / 100.0F);
}

/* clang-format off */
/* In the order of the wire. */
static const struct field fields[] = {
        { GROUP_COMMON,    0,  8, put_startup },
        { GROUP_COMMON,    1,  8, put_gps_time },
        { GROUP_COMMON,    3, 12, put_ypr },
        { GROUP_COMMON,    4, 16, put_quaternion },
        { GROUP_COMMON,    5, 12, put_gyro },
        { GROUP_COMMON,    6, 24, put_ins_lla },
        { GROUP_COMMON,    7, 12, put_velocity },
        { GROUP_COMMON,    8, 12, put_accel },
        { GROUP_COMMON,    9, 24, put_imu },
        { GROUP_COMMON,   10, 20, put_mag_pres },
        { GROUP_COMMON,   11, 28, put_deltas },
        { GROUP_COMMON,   12,  2, put_ins_status },
        { GROUP_TIME,      0,  8, put_startup },
        { GROUP_TIME,      1,  8, put_gps_time },
        { GROUP_TIME,      2,  8, put_gps_tow },
        { GROUP_TIME,      3,  2, put_gps_week },
        { GROUP_TIME,      6,  8, put_utc },
        { GROUP_IMU,       1, 12, put_mag },
        { GROUP_IMU,       2, 12, put_accel },
        { GROUP_IMU,       3, 12, put_gyro },
        { GROUP_IMU,       4,  4, put_temperature },
        { GROUP_IMU,       5,  4, put_pressure },
        { GROUP_IMU,       6, 16, put_delta_theta },
        { GROUP_IMU,       7, 12, put_delta_velocity },
        { GROUP_IMU,       8, 12, put_mag },
        { GROUP_IMU,       9, 12, put_accel },
        { GROUP_IMU,      10, 12, put_gyro },
        { GROUP_GNSS1,     0,  8, put_utc },
        { GROUP_GNSS1,     1,  8, put_gps_tow },
        { GROUP_GNSS1,     2,  2, put_gps_week },
        { GROUP_GNSS1,     3,  1, put_satellites },
        { GROUP_GNSS1,     4,  1, put_fix },
        { GROUP_GNSS1,     5, 24, put_gnss_lla },
        { GROUP_GNSS1,     7, 12, put_velocity },
        { GROUP_GNSS1,     9, 12, put_pos_u },
        { GROUP_GNSS1,    10,  4, put_vel_u },
        { GROUP_GNSS1,    13, 28, put_dops },
        { GROUP_ATTITUDE,  1, 12, put_ypr },
        { GROUP_ATTITUDE,  2, 16, put_quaternion },
        { GROUP_ATTITUDE,  7, 12, put_linear_ned },
        { GROUP_ATTITUDE,  8, 12, put_ypr_u },
        { GROUP_INS,       0,  2, put_ins_status },
        { GROUP_INS,       1, 24, put_ins_lla },
        { GROUP_INS,       4, 12, put_velocity },
        { GROUP_INS,       9,  4, put_ins_pos_u },
        { GROUP_INS,      10,  4, put_vel_u },
        { GROUP_GNSS2,     3,  1, put_satellites },
        { GROUP_GNSS2,     4,  1, put_fix },
};
/* clang-format on */

#define FIELDS (sizeof fields / sizeof fields[0])

static bool is_in(const struct field *f, const struct vectornav_output *o)
{
        return o->groups >> f->group & 1 && o->mask[f->group] >> f->bit & 1;
}

size_t vectornav_packet_size(const struct vectornav_output *o)
{
        uint16_t unknown[VECTORNAV_GROUPS];
        size_t size = 2 + 2; /* sync, groups, CRC */

        for (int i = 0; i < VECTORNAV_GROUPS; i++) {
                unknown[i] = o->groups >> i & 1 ? o->mask[i] : 0;
                size += o->groups >> i & 1 ? 2 : 0;
        }
        for (size_t i = 0; i < FIELDS; i++)
                if (is_in(&fields[i], o)) {
                        unknown[fields[i].group] &= (uint16_t) ~(1U << fields[i].bit);
                        size += fields[i].size;
                }
        for (int i = 0; i < VECTORNAV_GROUPS; i++)
                if (unknown[i] != 0)
                        return 0;
        return size <= VECTORNAV_PACKET_MAX ? size : 0;
}

size_t vectornav_packet_write(const struct vectornav_output *o, const struct inertial *s,
                              int64_t startup_ns, const struct inertial_sum *sum,
                              uint8_t *out)
{
        struct source from = { s, startup_ns, sum };
        size_t len = 2;
        uint16_t crc;

        out[0] = SYNC;
        out[1] = o->groups;
        for (int i = 0; i < VECTORNAV_GROUPS; i++)
                if (o->groups >> i & 1) {
                        le_put_u16(out + len, o->mask[i]);
                        len += 2;
                }
        for (size_t i = 0; i < FIELDS; i++)
                if (is_in(&fields[i], o)) {
                        fields[i].put(&from, out + len);
                        len += fields[i].size;
                }
        crc = vectornav_crc(out + 1, len - 1);
        out[len++] = (uint8_t)(crc >> 8);
        out[len++] = (uint8_t)crc;
        return len;
}
