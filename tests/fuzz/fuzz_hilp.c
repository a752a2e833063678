/* Any payload into the HILP decoder: what it accepts, it can encode again to a payload that decodes
 * to the same, and that has a meaning in SI. */
#include <assert.h>
#include <math.h>

#include "io/codec/hilp/hilp_si.h"
#include "tests/fuzz/fuzz.h"

static const struct hilp_units units = { 1, UINT32_MAX, 1000, 1, 1000000 };

static void sensors_have_meaning(const struct hilp_sensors *wire)
{
        struct sensor_frame frame = { 0 };
        struct hilp_sensors again;

        hilp_si_from_sensors(&frame, &units, wire);
        hilp_si_to_sensors(&again, &units, wire->number, &frame);
        assert(again.time_us == wire->time_us);
        assert(again.fresh == (wire->fresh & ~HILP_SONAR));
        assert(memcmp(again.imu.accel, wire->imu.accel, sizeof again.imu.accel) == 0);
        assert(memcmp(again.imu.gyro, wire->imu.gyro, sizeof again.imu.gyro) == 0);
        assert(again.baro.pressure == wire->baro.pressure);
        assert(again.baro.raw_temperature == wire->baro.raw_temperature);
        assert(again.baro.raw_pressure == wire->baro.raw_pressure);
        assert(memcmp(&again.flow, &wire->flow, sizeof again.flow) == 0);
        assert(memcmp(&again.power, &wire->power, sizeof again.power) == 0);
        assert(memcmp(&again.ins, &wire->ins, sizeof again.ins) == 0);
}

static void sonars_have_meaning(const struct hilp_sonars *wire)
{
        struct sensor_frame frame = { .t_ns = (int64_t)wire->time_us * 1000 };
        struct hilp_sonars again;

        frame.fresh_sonars = hilp_si_from_sonars(&frame, &units, wire);
        hilp_si_to_sonars(&again, &units, wire->number, &frame);
        assert(again.count == wire->count && again.time_us == wire->time_us);
        for (int i = 0; i < again.count; i++) {
                assert(again.sonar[i].index == wire->sonar[i].index);
                assert(again.sonar[i].age_us == wire->sonar[i].age_us);
                assert(again.sonar[i].range == wire->sonar[i].range);
                assert(again.sonar[i].echo == wire->sonar[i].echo);
        }
}

static void has_meaning(const struct hilp_message *m)
{
        struct pilot_input input;
        struct fc_estimate estimate;
        double range_m[SONARS_MAX];

        switch (m->type) {
        case HILP_SENSORS_V2:
        case HILP_SENSORS:
                sensors_have_meaning(&m->u.sensors);
                break;
        case HILP_SONARS:
                sonars_have_meaning(&m->u.sonars);
                break;
        case HILP_REAL_RANGES:
                hilp_si_from_real_ranges(range_m, &m->u.real_ranges);
                for (int i = 0; i < SONARS_MAX; i++)
                        assert(range_m[i] >= 0.0);
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
        if (m.type != HILP_HELLO && m.type != HILP_HELLO_ACK && m.type != HILP_TEXT &&
            m.type != HILP_OPTION && m.type != HILP_OPTION_ACK)
                assert(len == size && memcmp(payload, data, len) == 0);
        return 0;
}
