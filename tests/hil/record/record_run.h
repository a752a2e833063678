/* A recorded run of two vehicles, the first with every sensor, for the recorder's tests. */
#pragma once

#include "tests/hil/record/record_log.h"

#define TICKS 200

/* A run of two vehicles with every sensor, recorded and closed. */
static inline void record_run(struct folder *f)
{
        folder_open(f);
        for (int64_t n = 0; n < TICKS; n++)
                for (int vehicle = 0; vehicle < 2; vehicle++) {
                        struct tick_record t = tick_of(n, vehicle);

                        if (n % 50 == 0)
                                t.frame.fresh |=
                                        SENSOR_BIT(SENSOR_GPS) | SENSOR_BIT(SENSOR_MAG);
                        if (n % 20 == 0 && vehicle == 0) {
                                t.frame.fresh |= 0xFF & ~(SENSOR_BIT(SENSOR_GPS) |
                                                          SENSOR_BIT(SENSOR_MAG));
                                t.frame.fresh_sonars = 1 | 1 << 3;
                        }
                        t.frame.gps.t_ns = t.t_ns - 500000;
                        t.frame.gps.lat_rad = 0.5;
                        t.frame.gps.fix = GPS_FIX_3D;
                        t.frame.gps.satellites = 11;
                        t.frame.gps.used_prn = vehicle == 0 ? 0x800103fe : 0;
                        t.frame.gps.vel_ned_mps = (struct vec3){ 3.0, 4.0, 0.0 };
                        t.frame.baro = (struct baro_sample){ t.t_ns, 101325.0, 293.15,
                                                             27898, 23843 };
                        t.frame.mag.t_ns = t.t_ns;
                        t.frame.mag.field_body_t.x = 2e-5;
                        t.frame.sonar[0] = (struct sonar_sample){ t.t_ns, 1.5, true };
                        t.frame.sonar[3] = (struct sonar_sample){ t.t_ns, 2.65, false };
                        t.frame.flow = (struct flow_sample){
                                t.t_ns - 2000000, 20000000, 0.5, -0.25, 0.125, 1.0, 99
                        };
                        t.frame.power = (struct power_sample){ t.t_ns, 14.5, 8.5, 36.0 };
                        t.frame.ins = (struct ins_sample){ t.t_ns,
                                                           { 1.0, 2.0, -3.0 },
                                                           { 0.25, 0.5, -2.0 } };
                        ck_assert(recorder_tick(f->recorder, &t));
                }
        folder_close(f);
        ck_assert_str_eq(f->totals.failure, "");
        ck_assert_uint_eq(f->totals.drops, 0);
}
