/* What a call of each model costs, and how often a second of flight calls it. */
#include <stdlib.h>

#include "hil/bench/bench.h"
#include "hil/bench/plant.h"
#include "models/sensors/kinds.h"
#include "models/world/geomagnetism.h"
#include "models/world/satellites.h"

#define REPEATS  5
#define STEP_NS  1000000
#define HEIGHT_M 1.5

struct stage {
        struct rig_config config;
        struct vehicle_params p;
        struct vehicle v, on_ground;
        struct vibration shake;
        struct neighbours nobody;
        struct exposure e;
        struct motor_command command;
};

/* Runs the model n times; what it returns is kept, so that no compiler leaves the work out. */
struct model {
        const char *name;
        int calls;
        double (*run)(struct stage *s, int n);
        /* How often: NULL once a plant step, never() in another's course. */
        double (*per_s)(const struct stage *s);
        enum sensor sensor; /* where `run` is NULL */
};

static double rate_hz(const struct schedule_params *p)
{
        return p->period_ns > 0 ? 1e9 / (double)p->period_ns : 0.0;
}

static double run_sensor(struct stage *s, enum sensor which, int n)
{
        int units = which == SENSOR_SONAR ? s->p.sensors.sonar.count : 1;

        for (int i = 0; i < n; i++) {
                s->e.t_ns += sensor_schedule(&s->p.sensors, which, 0)->period_ns;
                sensors_measure(&s->v.sensors, &s->p.sensors, which, i % units, &s->e);
        }
        return s->v.sensors.latest.imu.accel_body_mps2.x;
}

static double sensor_per_s(const struct stage *s, enum sensor which)
{
        double sum = 0.0;

        if (which != SENSOR_SONAR)
                return rate_hz(sensor_schedule(&s->p.sensors, which, 0));
        for (int i = 0; i < s->p.sensors.sonar.count; i++)
                sum += rate_hz(sensor_schedule(&s->p.sensors, which, i));
        return sum;
}

static double run_vibration(struct stage *s, int n)
{
        double speed_radps[ROTORS_MAX], angle_turns[ROTORS_MAX] = { 0.0 }, sum = 0.0;
        struct vibration shake;

        for (int k = 0; k < ROTORS_MAX; k++)
                speed_radps[k] = 170.0 + k;
        for (int i = 0; i < n; i++) {
                for (int k = 0; k < s->p.rotors; k++)
                        angle_turns[k] += 0.001 * (k + 27);
                vibration_find(&shake, &s->p.vibration, &s->p.shake, s->p.rotors,
                               speed_radps, angle_turns);
                sum += shake.accel_body_mps2.x;
        }
        return sum;
}

static double per_s_vibration(const struct stage *s)
{
        return s->p.vibration.harmonics > 0 ? sensor_per_s(s, SENSOR_IMU) : 0.0;
}

static double run_move(struct stage *s, int n)
{
        const struct vehicle start = s->v;
        double sum = 0.0;

        for (int i = 0; i < n; i++) {
                if (i % 1000 == 0)
                        bench_start_again(&s->v, &start);
                vehicle_move(&s->v, &s->p, &s->config.world, &s->command);
        }
        sum += s->v.body.pos_ned_m.z;
        s->v = start;
        return sum;
}

static double run_acceleration(struct stage *s, int n)
{
        for (int i = 0; i < n; i++) {
                s->v.body.vel_ned_mps.x += 1e-9;
                vehicle_update_acceleration(&s->v, &s->p);
        }
        return s->v.body.accel_ned_mps2.x;
}

static double run_finite(struct stage *s, int n)
{
        int finite = 0;

        for (int i = 0; i < n; i++) {
                s->v.thrust_n += 1e-9;
                finite += vehicle_is_finite(&s->v);
        }
        return finite;
}

static double run_surroundings(struct stage *s, int n)
{
        for (int i = 0; i < n; i++)
                surroundings_step(&s->v.around, &s->p.surroundings, &s->config.world,
                                  &s->v.body, (int64_t)i * STEP_NS, 1e-3);
        return s->v.around.wind_ned_mps.x;
}

static double run_turbulence(struct stage *s, int n)
{
        struct wind_params gusty = { .turbulence_mps = 8.0 };
        struct wind w;

        wind_init(&w, &gusty, 1, 0);
        for (int i = 0; i < n; i++)
                wind_step(&w, &gusty, (int64_t)i * STEP_NS, 1e-3, HEIGHT_M,
                          3.0 + 1e-6 * i);
        return w.now_ned_mps.x + s->e.voltage_v;
}

static double never(const struct stage *s)
{
        (void)s;
        return 0.0;
}

static double run_battery(struct stage *s, int n)
{
        struct battery b = s->v.battery;

        for (int i = 0; i < n; i++)
                battery_step(&b, &s->p.battery, 100.0 + 1e-6 * i, 1e-6);
        return b.voltage_v;
}

static double per_s_battery(const struct stage *s)
{
        return s->p.battery.capacity_c > 0.0 ? 1e9 / STEP_NS : 0.0;
}

static double run_blades(struct stage *s, int n)
{
        struct blades_forces f = { 0 };
        double sum = 0.0, inflow_mps = 3.1;

        for (int i = 0; i < n; i++) {
                blades_derive(&f, &s->p.blades, 170.0 + 1e-6 * i, 1.0,
                              (struct vec3){ 3.0, 1e-6 * i, -1.0 }, inflow_mps, 1.0, 1.2);
                sum += f.force_body_n.x + f.force_body_n.z + f.torque_body_nm.x +
                       f.shaft_nm;
                inflow_mps += 1e-3 * f.inflow_dot_mps2;
        }
        return sum;
}

static double per_s_blades(const struct stage *s)
{
        return s->p.blades.radius_m > 0.0 ? 5.0 * s->p.rotors * 1e9 / STEP_NS : 0.0;
}

/* Standing on its gear, which is the dearest that usually happens. */
static double run_contact(struct stage *s, int n)
{
        const struct motor_command stopped = { { 0.0 } };
        struct vehicle *on_ground = &s->on_ground;
        double lowest_m = 0.0;

        for (int i = 0; i < s->p.contact.points; i++)
                lowest_m = fmax(lowest_m, s->p.contact.point_body_m[i].z);
        vehicle_init(on_ground, &s->p, &s->config.world, 1, 0,
                     (struct vec3){ 0.0, 0.0, s->config.world.ground_down_m - lowest_m },
                     0.0);
        for (int i = 0; i < n; i++)
                vehicle_move(on_ground, &s->p, &s->config.world, &stopped);
        return on_ground->body.pos_ned_m.z;
}

static double run_field(struct stage *s, int n)
{
        struct earth_position at = { s->config.world.origin.lat_rad,
                                     s->config.world.origin.lon_rad, 0.0 };
        double sum = 0.0;

        for (int i = 0; i < n; i++) {
                at.height_m = i;
                sum += geomagnetism_field_ned_t(at, 2026.0).x;
        }
        return sum;
}

static double run_sky(struct stage *s, int n)
{
        struct sky sky;
        double sum = 0.0;

        for (int i = 0; i < n; i++) {
                satellites_sky(&sky, &almanac_shipped, &s->config.world,
                               s->v.body.pos_ned_m, s->config.world.gps_time_s + i, 0.1);
                sum += sky.pdop;
        }
        return sum;
}

static const struct model models[] = {
        { "vehicle_move", 200000, run_move, NULL },
        { "vehicle_move_on_the_ground", 20000, run_contact, never },
        { "blades_derive", 200000, run_blades, per_s_blades },
        { "vehicle_update_acceleration", 200000, run_acceleration, NULL },
        { "vehicle_is_finite", 200000, run_finite, NULL },
        { "surroundings_step", 200000, run_surroundings, NULL },
        { "turbulence", 100000, run_turbulence, never },
        { "battery_step", 200000, run_battery, per_s_battery },
        { "vibration", 100000, run_vibration, per_s_vibration },
        { "imu_step", 100000, NULL, NULL, SENSOR_IMU },
        { "gps_step", 2000, NULL, NULL, SENSOR_GPS },
        { "baro_step", 20000, NULL, NULL, SENSOR_BARO },
        { "mag_step", 100000, NULL, NULL, SENSOR_MAG },
        { "sonar_step", 5000, NULL, NULL, SENSOR_SONAR },
        { "flow_step", 20000, NULL, NULL, SENSOR_FLOW },
        { "power_step", 100000, NULL, NULL, SENSOR_POWER },
        { "ins_step", 20000, NULL, NULL, SENSOR_INS },
        { "relative_step", 20000, NULL, NULL, SENSOR_RELATIVE },
        { "geomagnetism_field", 200, run_field, never },
        { "satellites_sky", 500, run_sky, never },
};

/* 0: the vehicle has it not. */
static double calls_per_s(const struct stage *s, const struct model *m)
{
        if (m->run == NULL)
                return sensor_per_s(s, m->sensor);
        return m->per_s != NULL ? m->per_s(s) : 1e9 / STEP_NS;
}

static double run(struct stage *s, const struct model *m, int n)
{
        return m->run != NULL ? m->run(s, n) : run_sensor(s, m->sensor, n);
}

/* Nothing for what is not fitted. */
static int measure(FILE *out, struct stage *s, const struct model *m,
                   volatile double *kept)
{
        double took_ns[REPEATS], per_s = calls_per_s(s, m);

        if (per_s == 0.0 && m->per_s != never)
                return 0;
        *kept += run(s, m, m->calls / 10 + 1);
        for (int i = 0; i < REPEATS; i++) {
                double start_s = bench_cpu_s();

                *kept += run(s, m, m->calls);
                took_ns[i] = 1e9 * (bench_cpu_s() - start_s) / m->calls;
        }
        fprintf(out,
                "{\"bench\": \"models\", \"model\": \"%s\", \"ns\": %.1f, \"per_s\": "
                "%.6g, "
                "\"calls\": %d, \"repeats\": %d, \"clock\": \"thread_cpu\"}\n",
                m->name, bench_median(took_ns, REPEATS), per_s, m->calls, REPEATS);
        return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static void prepare(struct stage *s)
{
        const struct world *world = &s->config.world;
        double hover;

        s->p = s->config.vehicle[0].params;
        vehicle_params_prepare(&s->p, STEP_NS, 1, 0);
        vehicle_init(&s->v, &s->p, world, 1, 0,
                     (struct vec3){ 0.0, 0.0, world->ground_down_m - HEIGHT_M }, 0.3);
        hover = bench_hover_radps(&s->p, world);
        for (int i = 0; i < s->p.rotors; i++) {
                s->v.motor[i].speed_radps = hover;
                s->command.duty[i] = hover / s->p.motor[i].speed_full_radps;
        }
        s->e = (struct exposure){ .world = world,
                                  .others = &s->nobody,
                                  .body = &s->v.body,
                                  .vibration = &s->shake,
                                  .disk_loading_pa = 25.0,
                                  .voltage_v = 15.0,
                                  .current_a = 10.0,
                                  .real_range_m = s->v.real_range_m };
}

int bench_models(FILE *out, const char *config_path)
{
        const struct config_overrides none = { 0 };
        struct stage *s = calloc(1, sizeof *s);
        volatile double kept = 0.0;
        struct config_error error;
        char *resolved;
        int status = 0;

        if (s == NULL ||
            !config_read(&s->config, config_path, &none, &resolved, &error)) {
                fprintf(stderr, "hilrig bench: %s\n",
                        s == NULL ? "out of memory" : error.text);
                free(s);
                return -1;
        }
        free(resolved);
        prepare(s);
        for (size_t i = 0; status == 0 && i < sizeof models / sizeof models[0]; i++)
                status = measure(out, s, &models[i], &kept);
        config_free(&s->config);
        free(s);
        return status;
}
