/* A vehicle's sensors, all with steps and ranges, and frames of what they say, for the tests of their
 * faults. */
#pragma once

#include <check.h>
#include <math.h>
#include <string.h>

#include "models/faults/sensor_fault.h"

#define MS 1000000LL

/* Of the BMP180's data sheet, 3.5. */
static const struct bmp180_params sheet_words = { .ac1 = 408,
                                                  .ac2 = -72,
                                                  .ac3 = -14383,
                                                  .ac4 = 32741,
                                                  .ac5 = 32757,
                                                  .ac6 = 23153,
                                                  .b1 = 6190,
                                                  .b2 = 4,
                                                  .mb = -32768,
                                                  .mc = -8711,
                                                  .md = 2868,
                                                  .oversampling = 3 };

static inline struct error_params steps(double lsb, double min, double max)
{
        struct error_params p;

        error_params_ideal(&p);
        p.lsb = lsb;
        p.min = min;
        p.max = max;
        return p;
}

static inline void stage_sensors(struct sensors_params *p)
{
        memset(p, 0, sizeof *p);
        p->imu.schedule.period_ns = p->mag.schedule.period_ns = 1 * MS;
        p->gps.schedule.period_ns = 100 * MS;
        p->baro.schedule.period_ns = p->power.schedule.period_ns = 20 * MS;
        p->flow.schedule.period_ns = 10 * MS;
        p->imu.accel = steps(0.0078125, -160.0, 160.0);
        p->imu.gyro = steps(0.0009765625, -32.0, 32.0);
        p->baro.pressure = steps(0.25, 30000.0, 110000.0);
        p->mag.field = steps(0x1p-23, -0x1p-10, 0x1p-10);
        p->sonar.count = SONARS_MAX;
        for (int i = 0; i < SONARS_MAX; i++) {
                p->sonar.unit[i].schedule.period_ns = 50 * MS;
                p->sonar.unit[i].beam_max_m = 8.0;
                p->sonar.unit[i].range = steps(0.0625, 0.25, 4.0);
        }
        p->flow.rate_max_radps = 8.0;
        p->flow.lsb_rad = 0x1p-10;
        p->power.voltage = steps(0.0625, 0.0, 32.0);
        p->power.current = steps(0.125, 0.0, 128.0);
}

/* Everything fresh at t_ns, measured just then; every number is a multiple of its step. */
static inline struct sensor_frame stage_frame(int64_t t_ns)
{
        struct sensor_frame f = {
                .t_ns = t_ns,
                .fresh = SENSOR_BIT(SENSOR_COUNT) - 1,
                .fresh_sonars = 0xffff,
                .imu = { t_ns, { 0.5, -1.0, -9.75 }, { 0.25, -0.5, 1.0 } },
                .gps = { t_ns,
                         0.9,
                         0.2,
                         120.0,
                         { 3.0, -4.0, 0.5 },
                         1.5,
                         2.5,
                         0.25,
                         12,
                         GPS_FIX_3D,
                         0xfff },
                .baro = { t_ns, 95000.0, 288.15, 0, 0 },
                .mag = { t_ns, { 0x1p-16, -0x1p-17, 0x1.8p-15 } },
                .flow = { t_ns, 10 * MS, 0x1p-6, -0x1p-7, 0.001, 0.002, 200 },
                .power = { t_ns, 15.5, 12.25, 900.0 },
                .ins = { t_ns, { 1.0, 2.0, 3.0 }, { 0.1, 0.2, 0.3 } },
        };

        for (int i = 0; i < SONARS_MAX; i++)
                f.sonar[i] = (struct sonar_sample){ t_ns, 1.0 + 0.125 * i, true };
        return f;
}

/* One fault of its own state. */
struct faulty {
        struct sensor_fault fault;
        struct sensor_fault_state state;
};

static inline struct sensor_fault stage_fault(enum sensor_fault_target target,
                                              enum sensor_fault_kind kind, double amount)
{
        return (struct sensor_fault){ .target = target,
                                      .kind = kind,
                                      .axes = FAULT_ALL_AXES,
                                      .sonar = -1,
                                      .amount = amount,
                                      .probability = 0.5,
                                      .delay_ns = 5 * MS,
                                      .count = 5 };
}

static inline void fault_begin(struct faulty *f, struct sensor_fault fault, int64_t t_ns,
                               const struct sensor_frame *last)
{
        f->fault = fault;
        sensor_fault_init(&f->state, &f->fault, 7, 0, 0, t_ns, last);
}

static inline void fault_apply(struct faulty *f, const struct sensors_params *p,
                               struct sensor_frame *frame)
{
        sensor_fault_apply(&f->state, &f->fault, p, frame->t_ns, frame);
}
