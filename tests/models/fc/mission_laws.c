/* The flight controller by the documents' take-off, landing, way-points and dead reckoning, in flight. */
#include <stdlib.h>

#include "tests/models/fc/fc_flight.h"
#include "tests/suites.h"

/* What the shipped files say (hil/config/fc/mission_laws.c). */
static void laws(struct fc_params *p)
{
        p->height_fusion = (struct height_fusion_params){ 5.0, 15.0, 4.0, 1.0 };
        p->takeoff_states = (struct takeoff_states_params){ 0.8, 10.0, 1.65, 5.0, 0.25 };
        p->takeoff_thesis = (struct takeoff_thesis_params){ 0.7, 0.3 };
        p->landing_states =
                (struct landing_states_params){ 1.0, 0.5, 0.1, 4.0, 2.0, 0.1 };
        p->landing_thesis = (struct landing_thesis_params){ 0.5, 0.1, 0.2 };
        p->position_thesis = (struct position_thesis_params){
                0.7, 1.0, 0.3, 1.0, 40.0 * DEG, 5.0 * DEG
        };
}

/* Stands until 3 s, then armed, and at 4 s asked to go; until end_s. */
static void fly_to(struct flight *f, double north_m, double east_m, double down_m,
                   double yaw_rad, double end_s)
{
        while (flight_s(f) < end_s) {
                double t = flight_s(f);

                if (t < 3.0)
                        flight_ask(f, MODE_DISARMED, 0.0, 0.0, 0.0, 0.0);
                else if (t < 4.0)
                        flight_ask(f, MODE_ARMED, 0.0, 0.0, 0.0, 0.0);
                else
                        flight_ask(f, MODE_GOTO, north_m, east_m, down_m, yaw_rad);
                flight_tick(f);
        }
}

static double height_m(const struct flight *f)
{
        return -f->vehicle.body.pos_ned_m.z;
}

/* Until it disarms, at most for 40 s; returns the hardest impact. */
static double land(struct flight *f)
{
        double end_s = flight_s(f) + 40.0, impact_mps = 0.0;

        while (fc_armed(&f->fc) && flight_s(f) < end_s) {
                flight_ask(f, MODE_LAND, 0.0, 0.0, 0.0, 0.0);
                flight_tick(f);
                impact_mps = fmax(impact_mps, f->vehicle.contact.impact_mps);
        }
        ck_assert(!fc_armed(&f->fc));
        for (int i = 0; i < 500; i++) {
                flight_tick(f);
                impact_mps = fmax(impact_mps, f->vehicle.contact.impact_mps);
        }
        ck_assert(height_m(f) < 0.1);
        return impact_mps;
}

static struct flight *on_the_pad(const struct craft *c, bool ideal, uint64_t seed)
{
        struct flight *f = malloc(sizeof *f);

        ck_assert_ptr_nonnull(f);
        flight_init(f, c, ideal, MS, seed, 0.4);
        laws(&f->params);
        return f;
}

TEST_EACH(the_states_take_off_to_5_m_and_then_go_where_it_is_asked, 3)
{
        struct flight *f = on_the_pad(&finken3, false, (uint64_t)_i + 1);

        f->params.law.takeoff = TAKEOFF_STATES;
        fly_to(f, 2.0, 0.0, -5.0, 0.0, 8.0);
        ck_assert(height_m(f) > 3.0);
        ck_assert(fabs(f->vehicle.body.pos_ned_m.x) < 1.0);
        fly_to(f, 2.0, 0.0, -5.0, 0.0, 24.0);
        ck_assert_double_eq_tol(height_m(f), 5.0, 0.6);
        ck_assert_double_eq_tol(f->vehicle.body.pos_ned_m.x, 2.0, 1.2);
        free(f);
}

/* The sonar hangs 4 cm under the centre of mass and 6 above the ground: below 0.1 m of its reading
 * the vehicle stands, or nearly. */
TEST_EACH(the_states_land_by_the_fused_height, 3)
{
        struct flight *f = on_the_pad(&finken3, false, (uint64_t)_i + 1);

        craft_sonar(&f->plant.sensors);
        f->plant.sensors.sonar.unit[0].lever_arm_body_m.z = 0.01;
        f->plant.sensors.sonar.unit[0].range.sigma[0] = 0.003;
        f->params.law.takeoff = TAKEOFF_STATES;
        f->params.law.landing = LANDING_STATES;
        f->params.law.ground = GROUND_WEIGHTED;
        f->params.sonar_tau_s = 0.2;
        f->params.baro_tau_s = 3.0;
        fly_to(f, 0.0, 0.0, -5.0, 0.0, 16.0);
        ck_assert(land(f) < 0.6);
        free(f);
}

TEST_EACH(without_a_sonar_the_states_find_the_ground_by_the_thrust, 2)
{
        struct flight *f = on_the_pad(&finken3, false, (uint64_t)_i + 1);

        f->params.law.landing = LANDING_STATES;
        f->params.law.ground = GROUND_WEIGHTED;
        fly_to(f, 0.0, 0.0, -4.0, 0.0, 14.0);
        ck_assert(land(f) < 1.5);
        free(f);
}

/* Above 15 m the sonar counts alone, so that it can land on a roof. */
TEST(a_single_false_echo_stops_no_motor)
{
        struct flight *f = on_the_pad(&finken3, false, 1);

        craft_sonar(&f->plant.sensors);
        f->params.law.landing = LANDING_STATES;
        f->params.law.ground = GROUND_WEIGHTED;
        fly_to(f, 0.0, 0.0, -19.0, 0.0, 22.0);
        for (int i = 0; i < 600; i++) {
                flight_ask(f, MODE_LAND, 0.0, 0.0, 0.0, 0.0);
                flight_tick(f);
                if (i != 100)
                        continue;
                f->frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
                f->frame.fresh_sonars |= 1U;
                f->frame.t_ns += MS / 2;
                f->frame.imu.t_ns += MS / 2;
                f->frame.sonar[0] = (struct sonar_sample){ f->frame.t_ns, 0.02, true };
                fc_step(&f->fc, &f->params, &f->frame, &f->command);
                ck_assert(estimator_hears_ground(&f->fc.estimator));
        }
        ck_assert(height_m(f) > 15.0);
        ck_assert(fc_armed(&f->fc));
        free(f);
}

TEST_EACH(the_thesis_flies_there_turns_and_lands, 4)
{
        struct flight *f =
                on_the_pad(_i % 2 ? &md4_200_thesis : &md4_200, false, (uint64_t)_i);
        double yaw;

        f->params.law.takeoff = TAKEOFF_THESIS;
        f->params.law.position = POSITION_THESIS;
        f->params.law.landing = LANDING_THESIS;
        craft_sonar(&f->plant.sensors);
        fly_to(f, 0.0, 0.0, -4.0, 0.4, 14.0);
        fly_to(f, 4.0, 0.0, -4.0, 1.9, 17.0);
        yaw = quat_to_euler(f->vehicle.body.q_body_to_ned).z;
        ck_assert_double_eq_tol(yaw, 0.4, 0.2);
        fly_to(f, 4.0, 0.0, -4.0, 1.9, 32.0);
        yaw = quat_to_euler(f->vehicle.body.q_body_to_ned).z;
        ck_assert_double_eq_tol(yaw, 1.9, 0.2);
        ck_assert_double_eq_tol(f->vehicle.body.pos_ned_m.x, 4.0, 1.2);
        /* The 0.5 m/s that it asks for, and what its estimate of them is wrong. */
        ck_assert(land(f) < 1.0);
        free(f);
}

static double lost_m(const struct flight *f)
{
        return vec3_norm(vec3_sub(f->fc.estimator.pos_ned_m, f->vehicle.body.pos_ned_m));
}

TEST(with_an_imu_without_errors_it_knows_its_place_by_that_alone)
{
        struct flight *f = on_the_pad(&finken3, true, 1);

        f->params.law.navigation = NAVIGATION_INERTIAL;
        fly_to(f, 2.0, 2.0, -5.0, 0.0, 16.0);
        ck_assert_double_eq_tol(vec3_norm(vec3_sub(f->vehicle.body.pos_ned_m,
                                                   (struct vec3){ 2.0, 2.0, -5.0 })),
                                0.0, 0.4);
        ck_assert(lost_m(f) < 0.2);
        free(f);
}

TEST(inertial_navigation_takes_no_notice_of_gps)
{
        struct flight *f = on_the_pad(&finken3, true, 1);
        struct flight *deaf = on_the_pad(&finken3, true, 1);

        f->params.law.navigation = deaf->params.law.navigation = NAVIGATION_INERTIAL;
        deaf->plant.sensors.gps.position.bias[0] = 500.0;
        fly_to(f, 2.0, 2.0, -5.0, 0.0, 12.0);
        fly_to(deaf, 2.0, 2.0, -5.0, 0.0, 12.0);
        ck_assert_mem_eq(&f->vehicle.body, &deaf->vehicle.body, sizeof f->vehicle.body);
        free(f);
        free(deaf);
}

TEST(inertial_navigation_chosen_in_flight_goes_on_from_where_it_is)
{
        struct flight *f = on_the_pad(&finken3, true, 1);

        fly_to(f, 2.0, 0.0, -5.0, 0.0, 14.0);
        f->params.law.navigation = NAVIGATION_INERTIAL;
        fly_to(f, 2.0, 2.0, -5.0, 0.0, 20.0);
        ck_assert(lost_m(f) < 2.0);
        f->params.law.navigation = NAVIGATION_SENSORS;
        fly_to(f, 0.0, 0.0, -5.0, 0.0, 28.0);
        ck_assert(lost_m(f) < 0.5);
        free(f);
}

/* By the IMU alone it does not know when it stands: the pilot says so. */
TEST(after_a_landing_elsewhere_inertial_navigation_begins_there)
{
        struct flight *f = on_the_pad(&finken3, true, 1);
        double end_s = 40.0;

        f->params.law.navigation = NAVIGATION_INERTIAL;
        fly_to(f, 2.0, 0.0, -3.0, 0.0, 12.0);
        while (!f->vehicle.contact.touching && flight_s(f) < end_s) {
                flight_ask(f, MODE_LAND, 0.0, 0.0, 0.0, 0.0);
                flight_tick(f);
        }
        flight_ask(f, MODE_DISARMED, 0.0, 0.0, 0.0, 0.0);
        for (int i = 0; i < 2000; i++)
                flight_tick(f);
        ck_assert(!fc_armed(&f->fc));
        ck_assert_double_eq_tol(f->fc.estimator.pos_ned_m.x, 2.0, 0.4);
        ck_assert_double_eq(vec3_norm(f->fc.estimator.vel_ned_mps), 0.0);
        free(f);
}
