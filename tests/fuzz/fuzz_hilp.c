/* Any payload into the HILP decoder: what it accepts, it can encode again to a payload that decodes
 * to the same, and that has a meaning in SI. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "io/hilp_si.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void has_meaning(const struct hilp_message *m)
{
        static const struct hilp_units units = { 1, UINT32_MAX, 1000, 1, 1000000 };
        struct sensor_frame frame = { 0 };
        struct pilot_input input;
        struct fc_estimate estimate;
        struct hilp_sensors sensors;

        switch (m->type) {
        case HILP_SENSORS:
                hilp_si_from_sensors(&frame, &units, &m->u.sensors);
                hilp_si_to_sensors(&sensors, &units, m->u.sensors.number, &frame);
                assert(sensors.time_us == m->u.sensors.time_us);
                assert(memcmp(sensors.imu.accel, m->u.sensors.imu.accel,
                              sizeof sensors.imu.accel) == 0);
                assert(memcmp(sensors.imu.gyro, m->u.sensors.imu.gyro,
                              sizeof sensors.imu.gyro) == 0);
                assert(sensors.baro.pressure == m->u.sensors.baro.pressure);
                assert(sensors.sonar.range == m->u.sensors.sonar.range);
                break;
        case HILP_INPUT:
                hilp_si_from_input(&input, &m->u.input);
                assert((int)input.setpoint.mode < MODE_COUNT);
                break;
        case HILP_STATE:
                hilp_si_from_state(&estimate, &m->u.state);
                assert(isfinite(estimate.q_body_to_ned.w));
                break;
        default:
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        uint8_t payload[HILP_PAYLOAD_MAX], again[HILP_PAYLOAD_MAX];
        struct hilp_sequence sequence = { .known = 0 };
        struct hilp_message m;
        size_t len;

        if (!hilp_decode(&m, data, size))
                return 0;
        assert(size >= 2 && size <= HILP_PAYLOAD_MAX);
        assert(hilp_sequence_take(&sequence, data, size) == 1);
        assert(hilp_sequence_take(&sequence, data, size) == 0);
        has_meaning(&m);

        /* Characters behind the zero of a text are not kept; everything else is. */
        len = hilp_encode(&m, payload);
        assert(len > 0 && len <= size);
        assert(hilp_decode(&m, payload, len) == 1);
        assert(hilp_encode(&m, again) == len && memcmp(again, payload, len) == 0);
        if (m.type != HILP_HELLO && m.type != HILP_HELLO_ACK && m.type != HILP_TEXT)
                assert(len == size && memcmp(payload, data, len) == 0);
        return 0;
}
