/* A DroneCAN node with every sensor of the vehicle, on the board's CAN bus: behind a serial adapter (slcan), in the multicast
 * group that ArduPilot's process takes for its bus, or at a CAN interface of Linux. It hears the commands to the ESCs, sends no
 * faster than a bus of 1 Mbit/s carries, and has a fixed node number. */
#include "io/device/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/can/dronecan_message.h"
#include "io/device/dronecan_bus.h"

#define NODE       42
#define STATUS_NS  INT64_C(1000000000)
#define IMU_NS     INT64_C(4000000) /* 7 frames each: more would fill the bus */
#define SLACK_NS   INT64_C(100000)
#define BATTERY_NS INT64_C(100000000)
#define ESC_NS     INT64_C(20000000) /* AP_Periph's ESC_RATE: 50 a second */
/* AP_Periph's ESC_CMD_TIMO: an ESC stops without a command for so long. */
#define ESC_SILENT_NS INT64_C(200000000)

struct dronecan_device {
        struct device device;
        struct dronecan_bus bus;
        struct device_setup setup;
        struct dronecan_reader reader;
        uint8_t number[DRONECAN_TYPES]; /* of the next transfer of each type */
        int64_t now_ns;
        int64_t status_due_ns, imu_due_ns, battery_due_ns, esc_due_ns;
        int escs; /* last commanded; 0: never */
        double duty[DRONECAN_ESC_MAX];
        int64_t commanded_ns;
        uint64_t commands, dropped, namesakes;
        bool armed; /* as ArmingStatus says */
};

static void send_transfer(struct dronecan_device *d, struct dronecan_transfer *t)
{
        struct can_frame frames[DRONECAN_FRAMES_MAX];
        int count;

        t->source = NODE;
        if (t->kind != DRONECAN_RESPONSE)
                t->number = d->number[t->type]++ & 31;
        count = dronecan_split(t, frames);
        if (dronecan_bus_queue(&d->bus, frames, count))
                d->device.counts.messages_out++;
        else
                d->dropped++;
}

static uint64_t utc_us(const struct dronecan_device *d, int64_t t_ns)
{
        return (uint64_t)(d->setup.origin.utc_ns + t_ns) / 1000;
}

static bool is_due(int64_t *due_ns, int64_t now_ns, int64_t every_ns)
{
        if (now_ns + SLACK_NS < *due_ns)
                return false;
        *due_ns += every_ns;
        if (*due_ns <= now_ns)
                *due_ns = now_ns + every_ns;
        return true;
}

static void send_position(struct dronecan_device *d, const struct gps_sample *s)
{
        struct dronecan_transfer t = { 0 };

        dronecan_write_fix2(&t, s, utc_us(d, s->t_ns));
        send_transfer(d, &t);
        dronecan_write_auxiliary(&t, s);
        send_transfer(d, &t);
}

static void send_air(struct dronecan_device *d, const struct baro_sample *s)
{
        struct dronecan_transfer t = { 0 };

        dronecan_write_pressure(&t, s);
        send_transfer(d, &t);
        dronecan_write_temperature(&t, s);
        send_transfer(d, &t);
}

static void send_samples(struct dronecan_device *d, const struct sensor_frame *f)
{
        struct dronecan_transfer t = { 0 };

        if (f->fresh & SENSOR_BIT(SENSOR_IMU) &&
            is_due(&d->imu_due_ns, d->now_ns, IMU_NS)) {
                dronecan_write_imu(&t, &f->imu, utc_us(d, f->imu.t_ns));
                send_transfer(d, &t);
        }
        if (f->fresh & SENSOR_BIT(SENSOR_GPS))
                send_position(d, &f->gps);
        if (f->fresh & SENSOR_BIT(SENSOR_BARO))
                send_air(d, &f->baro);
        if (f->fresh & SENSOR_BIT(SENSOR_MAG)) {
                dronecan_write_mag(&t, &f->mag, 0);
                send_transfer(d, &t);
        }
        if (f->fresh & SENSOR_BIT(SENSOR_SONAR) &&
            f->fresh_sonars >> d->setup.index & 1) {
                dronecan_write_range(&t, &f->sonar[d->setup.index], 0);
                send_transfer(d, &t);
        }
        if (f->fresh & SENSOR_BIT(SENSOR_POWER) &&
            is_due(&d->battery_due_ns, d->now_ns, BATTERY_NS)) {
                dronecan_write_battery(&t, &f->power);
                send_transfer(d, &t);
        }
}

/* The ESCs that it plays, once they are commanded. */
static void send_escs(struct dronecan_device *d, const struct device_feed *feed)
{
        struct dronecan_transfer t = { 0 };

        if (!d->setup.drives || d->escs == 0 ||
            !is_due(&d->esc_due_ns, d->now_ns, ESC_NS))
                return;
        for (int i = 0; i < d->setup.rotors; i++) {
                struct dronecan_esc esc = { .index = d->setup.motor_order[i],
                                            .voltage_v = feed->frame->power.voltage_v,
                                            .speed_radps = feed->rotor_radps[i],
                                            .duty = feed->command->duty[i] };

                if (esc.index >= d->escs)
                        continue;
                dronecan_write_esc(&t, &esc);
                send_transfer(d, &t);
        }
}

static void dronecan_feed(struct device *device, const struct device_feed *feed,
                          struct packets *out)
{
        struct dronecan_device *d = (struct dronecan_device *)device;
        struct dronecan_transfer t = { 0 };

        d->now_ns = feed->t_ns;
        if (is_due(&d->status_due_ns, d->now_ns, STATUS_NS)) {
                dronecan_write_status(&t, (uint32_t)(d->now_ns / STATUS_NS));
                send_transfer(d, &t);
        }
        send_samples(d, feed->frame);
        send_escs(d, feed);
        dronecan_bus_give(&d->bus, d->now_ns, d->setup.period_ns, out);
}

static void answer_info(struct dronecan_device *d, const struct dronecan_transfer *asked)
{
        struct dronecan_node node = { .uptime_s = (uint32_t)(d->now_ns / STATUS_NS),
                                      .unique_id = "hilrig",
                                      .name = "org.hilrig.sensors" };
        struct dronecan_transfer t = { .destination = asked->source,
                                       .number = asked->number };

        dronecan_write_info(&t, &node);
        send_transfer(d, &t);
}

static void take_command(struct dronecan_device *d, const struct dronecan_transfer *t)
{
        int escs = dronecan_read_raw_command(t, d->duty);

        if (escs < 0) {
                d->device.counts.errors++;
                device_refuse(&d->device, "a RawCommand of more than 20 ESCs", "");
                return;
        }
        d->escs = escs;
        d->commanded_ns = d->now_ns;
        d->commands++;
}

static void take_frame(struct dronecan_device *d, const struct can_frame *frame)
{
        struct dronecan_transfer t;
        uint64_t broken = d->reader.counts.broken, malformed = d->reader.counts.malformed;

        if ((frame->id & DRONECAN_NODE_MAX) == NODE) {
                if (d->namesakes++ == 0)
                        device_refuse(&d->device, "another node has its number, 42", "");
                d->device.counts.errors++;
                return;
        }
        if (dronecan_read(&d->reader, frame, d->now_ns, &t)) {
                d->device.counts.messages_in++;
                if (t.type == DRONECAN_RAW_COMMAND && t.kind == DRONECAN_MESSAGE)
                        take_command(d, &t);
                else if (t.type == DRONECAN_ARMING_STATUS)
                        dronecan_read_arming(&t, &d->armed);
                else if (t.type == DRONECAN_GET_NODE_INFO && t.kind == DRONECAN_REQUEST)
                        answer_info(d, &t);
        }
        d->device.counts.errors +=
                d->reader.counts.broken - broken + d->reader.counts.malformed - malformed;
}

static void dronecan_take(struct device *device, const uint8_t *bytes, size_t len,
                          struct packets *out)
{
        struct dronecan_device *d = (struct dronecan_device *)device;
        enum slcan_found found;
        struct can_frame frame;

        (void)out;
        for (size_t used = 0; used < len;) {
                used += dronecan_bus_take(&d->bus, bytes + used, len - used, &frame,
                                          &found);
                d->device.counts.errors += found == SLCAN_REFUSED || found == SLCAN_NOISE;
                if (found == SLCAN_REFUSED)
                        device_refuse(&d->device, "the CAN adapter refused a command",
                                      "");
                if (found == SLCAN_FRAME)
                        take_frame(d, &frame);
        }
}

static void dronecan_peer_left(struct device *device)
{
        dronecan_bus_left(&((struct dronecan_device *)device)->bus);
}

static bool dronecan_motors(const struct device *device, struct motor_command *out)
{
        const struct dronecan_device *d = (const struct dronecan_device *)device;
        bool heard = d->escs > 0 && d->now_ns - d->commanded_ns <= ESC_SILENT_NS;

        *out = (struct motor_command){ 0 };
        for (int i = 0; i < d->setup.rotors && heard; i++) {
                int esc = d->setup.motor_order[i];

                if (esc < d->escs && d->duty[esc] > 0.0)
                        out->duty[i] = d->duty[esc];
        }
        return heard;
}

static void dronecan_tell(const struct device *device, char *text, size_t cap)
{
        const struct dronecan_device *d = (const struct dronecan_device *)device;
        const struct dronecan_counts *c = &d->reader.counts;

        snprintf(text, cap,
                 "heard %" PRIu64 " transfers, %" PRIu64 " of them ESC commands, %" PRIu64
                 " broken; %" PRIu64 " of its own found no room on the bus; %" PRIu64
                 " frames with its number",
                 c->transfers, d->commands, c->broken, d->dropped, d->namesakes);
}

static void dronecan_destroy(struct device *device)
{
        free(device);
}

/* clang-format off */
#define CARRIES                                                                          \
        { .of = { [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,                          \
                  [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,                           \
                  [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME,             \
                  [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,                           \
                  [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_NAN,                            \
                  [SAMPLE_SONAR] = CARRIES_VALUE | CARRIES_NAN,                          \
                  [SAMPLE_VOLTAGE] = CARRIES_VALUE | CARRIES_NAN,                        \
                  [SAMPLE_CURRENT] = CARRIES_VALUE | CARRIES_NAN } }

#define OPS(device_name, text, line)                                                     \
        { .name = device_name, .what = text, .baud = line, .heard_first = true,          \
          .imu_hz = 250, .carries = CARRIES, .feed = dronecan_feed,                      \
          .take = dronecan_take, .motors = dronecan_motors,                              \
          .peer_left = dronecan_peer_left, .tell = dronecan_tell,                        \
          .destroy = dronecan_destroy }
/* clang-format on */

const struct device_ops device_dronecan_slcan_ops =
        OPS("dronecan_slcan",
            "DroneCAN node with all sensors, by a serial CAN adapter (slcan), 1 Mbit/s",
            1000000);
const struct device_ops device_dronecan_mcast_ops = OPS(
        "dronecan_mcast",
        "the same in the multicast group that ArduPilot's process takes for a bus", 0);
const struct device_ops device_dronecan_socketcan_ops =
        OPS("dronecan_socketcan", "the same at a CAN interface of Linux", 0);

static struct device *create(const struct device_ops *ops, enum dronecan_carrier carrier,
                             const struct device_setup *setup)
{
        struct dronecan_device *d = calloc(1, sizeof *d);

        if (d == NULL)
                return NULL;
        *d = (struct dronecan_device){ .device.ops = ops,
                                       .bus.carrier = carrier,
                                       .setup = *setup };
        d->reader.node = NODE;
        return &d->device;
}

struct device *device_dronecan_slcan_create(const struct device_setup *setup)
{
        return create(&device_dronecan_slcan_ops, BY_SLCAN, setup);
}

struct device *device_dronecan_mcast_create(const struct device_setup *setup)
{
        return create(&device_dronecan_mcast_ops, BY_DATAGRAM, setup);
}

struct device *device_dronecan_socketcan_create(const struct device_setup *setup)
{
        return create(&device_dronecan_socketcan_ops, BY_SOCKET, setup);
}
