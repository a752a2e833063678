/* Any two faults on any frames: nothing overflows or is out of range, what no fault of a sensor may touch
 * stays, and a copy of the states does the same again. */
#include "models/faults/sensor_fault.h"
#include "tests/fuzz/fuzz.h"

static struct sensor_fault_state state[2], copy[2];
static struct sensors_params sensors;

/* Zeros at the end. */
struct bytes {
        const uint8_t *at;
        size_t left;
};

static void take(struct bytes *b, void *into, size_t size)
{
        size_t n = size < b->left ? size : b->left;

        memset(into, 0, size);
        memcpy(into, b->at, n);
        b->at += n;
        b->left -= n;
}

static uint8_t take_byte(struct bytes *b)
{
        uint8_t byte;

        take(b, &byte, 1);
        return byte;
}

static double take_double(struct bytes *b)
{
        double x;

        take(b, &x, sizeof x);
        return x;
}

static int64_t take_time(struct bytes *b)
{
        int64_t t_ns;

        take(b, &t_ns, sizeof t_ns);
        return t_ns;
}

static struct error_params take_output(struct bytes *b)
{
        struct error_params p;

        error_params_ideal(&p);
        p.lsb = take_double(b);
        p.min = take_double(b);
        p.max = take_double(b);
        return p;
}

static void take_sensors(struct bytes *b)
{
        memset(&sensors, 0, sizeof sensors);
        sensors.imu.gyro = sensors.imu.accel = take_output(b);
        sensors.baro.pressure = sensors.mag.field = take_output(b);
        sensors.power.voltage = sensors.power.current = take_output(b);
        sensors.sonar.unit[1].range = take_output(b);
        sensors.flow.rate_max_radps = take_double(b);
        sensors.flow.lsb_rad = take_double(b);
        sensors.gps.model = (enum gps_model)(take_byte(b) % 3);
        sensors.gps.flat_earth = take_byte(b) & 1;
        sensors.gps.sigma_four_m = take_double(b);
        sensors.gps.errors.range_hold = take_double(b);
        sensors.baro.is_bmp180 = take_byte(b) & 1;
        take(b, &sensors.baro.bmp180, sizeof sensors.baro.bmp180);
        sensors.baro.bmp180.oversampling &= BMP180_OVERSAMPLING_MAX;
}

static struct sensor_fault take_fault(struct bytes *b)
{
        struct sensor_fault p = {
                .target = (enum sensor_fault_target)(take_byte(b) %
                                                     (SENSOR_FAULT_TARGETS + 1)),
                .kind = (enum sensor_fault_kind)(take_byte(b) % (SENSOR_FAULT_KINDS + 1)),
                .axes = take_byte(b),
                .sonar = (int8_t)take_byte(b),
                .amount = take_double(b),
                .probability = take_double(b),
                .delay_ns = take_time(b),
        };

        take(b, &p.count, sizeof p.count);
        return p;
}

/* Booleans, enums and a part's words are what they can be, all else is any bytes. */
static void take_frame(struct bytes *b, struct sensor_frame *f)
{
        memset(f, 0, sizeof *f);
        take(b, &f->t_ns, sizeof f->t_ns);
        take(b, &f->fresh, sizeof f->fresh);
        take(b, &f->fresh_sonars, 2);
        take(b, &f->imu, sizeof f->imu);
        take(b, &f->gps, sizeof f->gps);
        f->gps.fix = (enum gps_fix)(take_byte(b) & 3);
        take(b, &f->baro.pressure_pa, sizeof f->baro.pressure_pa);
        take(b, &f->baro.raw_temperature, 2);
        take(b, &f->baro.raw_pressure, 2);
        take(b, &f->mag, sizeof f->mag);
        take(b, &f->flow, sizeof f->flow);
        take(b, &f->power, sizeof f->power);
        f->sonar[1].range_m = take_double(b);
        f->sonar[1].echo = take_byte(b) & 1;
}

/* What belongs to no fault. */
static void check_rest(const struct sensor_frame *was, const struct sensor_frame *f,
                       const struct sensor_fault fault[2])
{
        uint32_t theirs = 0;

        for (int i = 0; i < 2; i++)
                theirs |= SENSOR_BIT(sensor_fault_sensor(fault[i].target));
        expect(((was->fresh ^ f->fresh) & ~theirs) == 0);
        expect((f->fresh_sonars & ~0xffffU) == 0);
        expect(was->t_ns == f->t_ns);
        expect(memcmp(&was->ins, &f->ins, sizeof f->ins) == 0);
        expect((theirs & SENSOR_BIT(SENSOR_GPS)) != 0 ||
               memcmp(&was->gps, &f->gps, sizeof f->gps) == 0);
        for (int i = 0; i < 2; i++)
                expect(state[i].waiting.count >= 0 &&
                       state[i].waiting.count <= SENSOR_FAULT_WAITING_MAX);
}

static void apply(struct sensor_fault_state s[2], const struct sensor_fault fault[2],
                  struct sensor_frame *f)
{
        for (int i = 0; i < 2; i++)
                sensor_fault_apply(&s[i], &fault[i], &sensors, f->t_ns, f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct bytes b = { data, len };
        struct sensor_fault fault[2] = { take_fault(&b), take_fault(&b) };
        int64_t begin_ns = take_time(&b);
        struct sensor_frame was, f, again;

        take_sensors(&b);
        take_frame(&b, &was);
        for (uint32_t i = 0; i < 2; i++)
                sensor_fault_init(&state[i], &fault[i], 1, 2, i, begin_ns,
                                  i == 0 ? &was : NULL);
        for (int i = 0; i < 64 && (i == 0 || b.left > 0); i++) {
                take_frame(&b, &was);
                f = again = was;
                memcpy(copy, state, sizeof copy);
                apply(state, fault, &f);
                apply(copy, fault, &again);
                expect(memcmp(&f.t_ns, &again.t_ns, sizeof f) == 0);
                check_rest(&was, &f, fault);
        }
        return 0;
}
