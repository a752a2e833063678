/* The settings of ArduPilot that a flight in the rig depends on, which it is asked for on its console before it
 * arms: those without which two flights are not the same bits, and those of its frame, which must be the vehicle's.
 * Nothing is said of a frame that is not in the tables, nor before everything was answered. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"

enum { LOG_BACKEND, SPEEDUP, FRAME_CLASS, FRAME_TYPE };

static const char *const names[ARDUPILOT_PARAMS] = {
        [LOG_BACKEND] = "LOG_BACKEND_TYPE",
        [SPEEDUP] = "SIM_SPEEDUP",
        [FRAME_CLASS] = "FRAME_CLASS",
        [FRAME_TYPE] = "FRAME_TYPE",
};

/* The instances that exist (it sets the others' numbers to 0), and which of them it uses. */
static const struct chip_table chips = {
        9,
        { { "INS_ACC_ID", "INS_USE", CHIP_UNLESS_0, "IMU 1", SENSOR_IMU },
          { "INS_ACC2_ID", "INS_USE2", CHIP_UNLESS_0, "IMU 2", SENSOR_IMU },
          { "INS_ACC3_ID", "INS_USE3", CHIP_UNLESS_0, "IMU 3", SENSOR_IMU },
          { "COMPASS_DEV_ID", "COMPASS_USE", CHIP_UNLESS_0, "compass 1", SENSOR_MAG },
          { "COMPASS_DEV_ID2", "COMPASS_USE2", CHIP_UNLESS_0, "compass 2", SENSOR_MAG },
          { "COMPASS_DEV_ID3", "COMPASS_USE3", CHIP_UNLESS_0, "compass 3", SENSOR_MAG },
          { "BARO1_DEVID", "BARO_PRIMARY", 0, "barometer 1", SENSOR_BARO },
          { "BARO2_DEVID", "BARO_PRIMARY", 1, "barometer 2", SENSOR_BARO },
          { "BARO3_DEVID", "BARO_PRIMARY", 2, "barometer 3", SENSOR_BARO } }
};

#define CLASS_QUAD  1
#define QUAD_MOTORS 4
#define MOTOR_1     33 /* SRV_Channel.h, k_motor1; motors 1 to 8 */
#define MOTORS_MAX  8
#define FAR_DEG     40.0 /* between where a motor is and where it is meant to be */
#define NO_MOTOR    (-1)
#define CCW(azimuth)                                                                     \
        {                                                                                \
                azimuth, -1                                                              \
        }
#define CW(azimuth)                                                                      \
        {                                                                                \
                azimuth, 1                                                               \
        }

/* AP_MotorsMatrix.cpp: motors 1 to 4, clockwise from the nose, and the sense of rotation as in struct rotor_params. */
struct quad_type {
        int number;
        const char *name;
        struct {
                int azimuth_deg, spin;
        } motor[QUAD_MOTORS];
};

static const struct quad_type quad_types[] = {
        { 1, "X", { CCW(45), CCW(-135), CW(-45), CW(135) } },
        { 0, "plus", { CCW(90), CCW(-90), CW(0), CW(180) } },
        { 2, "V", { CCW(45), CCW(-135), CW(-45), CW(135) } },
        { 3,
          "H, an X with the opposite senses of rotation",
          { CW(45), CW(-135), CCW(-45), CCW(135) } },
        { 6,
          "plus with the opposite senses of rotation",
          { CW(90), CW(-90), CCW(0), CCW(180) } },
        { 12, "X in Betaflight's order", { CW(135), CCW(45), CCW(-135), CW(-45) } },
        { 13, "X in DJI's order", { CCW(45), CW(-45), CCW(-135), CW(135) } },
        { 14, "X, clockwise", { CCW(45), CW(135), CCW(-135), CW(-45) } },
        { 18,
          "X in Betaflight's order with the opposite senses of rotation",
          { CCW(135), CW(45), CW(-135), CCW(-45) } },
};

#define QUAD_TYPES ((int)(sizeof quad_types / sizeof quad_types[0]))

/* AP_Motors_Class.h, motor_frame_class: how many motors each has; 0: not fixed, or no multirotor. */
static const struct {
        const char *name;
        int motors;
} classes[] = { { "undefined", 0 },          { "quadrotor", 4 },
                { "hexarotor", 6 },          { "octorotor", 8 },
                { "octorotor, coaxial", 8 }, { "hexarotor, coaxial", 6 } };

#define CLASSES ((int)(sizeof classes / sizeof classes[0]))

/* Those of the frame, and the functions of its outputs. */
static int frame_params(const struct codec_ardupilot *a)
{
        return ARDUPILOT_PARAMS + a->setup.rotors;
}

static void name_param(const struct codec_ardupilot *a, int which,
                       char name[ARDUPILOT_PARAM_NAME])
{
        if (which < ARDUPILOT_PARAMS)
                snprintf(name, ARDUPILOT_PARAM_NAME, "%s", names[which]);
        else
                snprintf(name, ARDUPILOT_PARAM_NAME, "SERVO%d_FUNCTION",
                         a->setup.motor_order[which - ARDUPILOT_PARAMS] + 1);
}

bool codec_ardupilot_param_missing(const struct codec_ardupilot *a, int which,
                                   char name[ARDUPILOT_PARAM_NAME])
{
        const char *of_chip;

        if (which < frame_params(a)) {
                name_param(a, which, name);
                /* What is before it is of the simulation. */
                return !a->status.param[which].known &&
                       (which >= FRAME_CLASS || !a->shipped);
        }
        of_chip = chips_param(&a->status.chips, &chips, which - frame_params(a));
        snprintf(name, ARDUPILOT_PARAM_NAME, "%s", of_chip != NULL ? of_chip : "");
        return of_chip != NULL;
}

int codec_ardupilot_params(const struct codec_ardupilot *a)
{
        return frame_params(a) + (a->setup.external != 0 ? 2 * chips.rows : 0);
}

static int value_of(const struct codec_ardupilot *a, int which)
{
        return (int)lroundf(a->status.param[which].value);
}

/* Which of the frame's motors, from 0 up, drives a rotor. */
static int motor_of_rotor(const struct codec_ardupilot *a, int rotor)
{
        int motor = value_of(a, ARDUPILOT_PARAMS + rotor) - MOTOR_1;

        return motor >= 0 && motor < MOTORS_MAX ? motor : NO_MOTOR;
}

static bool fits_rotor(const struct codec_ardupilot *a, const struct quad_type *type,
                       int motor, int rotor)
{
        struct vec3 at = a->setup.rotor_pos_body_m[rotor];
        double apart_deg;

        if (motor < 0 || motor >= QUAD_MOTORS)
                return false;
        apart_deg = remainder(
                atan2(at.y, at.x) * DEG_PER_RAD - type->motor[motor].azimuth_deg, 360.0);
        return fabs(apart_deg) < FAR_DEG &&
               type->motor[motor].spin * a->setup.rotor_spin[rotor] > 0.0;
}

static bool fits_vehicle(const struct codec_ardupilot *a, const struct quad_type *type)
{
        for (int i = 0; i < QUAD_MOTORS; i++)
                if (!fits_rotor(a, type, motor_of_rotor(a, i), i))
                        return false;
        return true;
}

/* The outputs in another order; false: in none. */
static bool find_order(const struct codec_ardupilot *a, const struct quad_type *type,
                       int order[QUAD_MOTORS])
{
        for (int i = 0; i < QUAD_MOTORS; i++) {
                order[i] = -1;
                for (int k = 0; k < QUAD_MOTORS; k++)
                        if (fits_rotor(a, type, motor_of_rotor(a, k), i))
                                order[i] = a->setup.motor_order[k];
                if (order[i] < 0)
                        return false;
        }
        return true;
}

static const struct quad_type *find_type(int number)
{
        for (int i = 0; i < QUAD_TYPES; i++)
                if (quad_types[i].number == number)
                        return &quad_types[i];
        return NULL;
}

static void refuse_type(struct codec_ardupilot *a, const struct quad_type *is)
{
        char *to = a->status.wrong;
        size_t cap = sizeof a->status.wrong;
        int order[QUAD_MOTORS];
        int n = snprintf(to, cap,
                         "its FRAME_TYPE is %d (%s), which is not the vehicle's: it "
                         "needs ",
                         is->number, is->name);

        for (int i = 0; i < QUAD_TYPES; i++)
                if (fits_vehicle(a, &quad_types[i])) {
                        snprintf(to + n, cap - (size_t)n,
                                 "FRAME_TYPE %d (%s), as a line of its --defaults file "
                                 "or by a ground station",
                                 quad_types[i].number, quad_types[i].name);
                        return;
                }
        if (find_order(a, is, order))
                snprintf(to + n, cap - (size_t)n, "fc.motor_order [%d, %d, %d, %d]",
                         order[0], order[1], order[2], order[3]);
        else
                snprintf(to + n, cap - (size_t)n,
                         "another frame or another vehicle file: no order of the "
                         "motors makes the two alike");
}

static void check_frame(struct codec_ardupilot *a)
{
        int class = value_of(a, FRAME_CLASS), rotors = a->setup.rotors;
        const struct quad_type *type = find_type(value_of(a, FRAME_TYPE));

        if (class == 0 ||
            (class > 0 && class < CLASSES && classes[class].motors != rotors)) {
                int n = snprintf(a->status.wrong, sizeof a->status.wrong,
                                 "its FRAME_CLASS is %d (%s), and the vehicle has %d "
                                 "rotors",
                                 class, classes[class].name, rotors);

                if (rotors == QUAD_MOTORS)
                        snprintf(a->status.wrong + n, sizeof a->status.wrong - (size_t)n,
                                 ": it needs FRAME_CLASS %d (%s), as a line of its "
                                 "--defaults file or by a ground station",
                                 CLASS_QUAD, classes[CLASS_QUAD].name);
                return;
        }
        if (class == CLASS_QUAD && type != NULL && !fits_vehicle(a, type))
                refuse_type(a, type);
}

/* Not of outputs that do something else than turn a motor: what reaches the rotors is then not known. */
static bool knows_frame(const struct codec_ardupilot *a)
{
        for (int i = FRAME_CLASS; i < frame_params(a); i++)
                if (!a->status.param[i].known)
                        return false;
        for (int i = 0; i < a->setup.rotors; i++)
                if (motor_of_rotor(a, i) == NO_MOTOR || a->setup.rotor_spin[i] == 0.0)
                        return false;
        return true;
}

static uint32_t doubt_param(struct codec_ardupilot *a, int which, float value,
                            struct fc_report *report)
{
        if (which == LOG_BACKEND && a->setup.lockstep && value != 0.0F)
                snprintf(report->text, sizeof report->text,
                         "LOG_BACKEND_TYPE is %.0f: its log's writer has a thread of its "
                         "own; same bits every time need 0",
                         (double)value);
        else if (which == SPEEDUP && value < 20.0F && !a->shipped)
                snprintf(
                        report->text, sizeof report->text,
                        "SIM_SPEEDUP is %.0f: it sleeps to keep that pace; start it with "
                        "--speedup=100, the rig gives the pace",
                        (double)value);
        else
                return 0;
        return FC_TEXT;
}

static bool doubt_chip(struct codec_ardupilot *a, const struct mavlink_param_value *m,
                       struct fc_report *report)
{
        int row =
                chips_take(&a->status.chips, &chips, m->param_id, (double)m->param_value);

        if (row < 0 || !(a->setup.external & SENSOR_BIT(chips.row[row].kind)))
                return false;
        chips_say(&a->status.chips, &chips, row, report->text, sizeof report->text);
        report->severity = FC_SAYS_WARNING;
        return true;
}

uint32_t codec_ardupilot_take_param(struct codec_ardupilot *a,
                                    const struct mavlink_frame *frame,
                                    struct fc_report *report)
{
        struct mavlink_param_value m;
        char name[ARDUPILOT_PARAM_NAME], value[24];

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m) ||
            !isfinite(m.param_value))
                return 0;
        if (doubt_chip(a, &m, report))
                return FC_TEXT;
        for (int i = 0; i < frame_params(a) && fabsf(m.param_value) <= 1e6F; i++) {
                struct ardupilot_param *p = &a->status.param[i];

                name_param(a, i, name);
                if (p->known || strncmp(m.param_id, name, sizeof m.param_id) != 0)
                        continue;
                *p = (struct ardupilot_param){ true, m.param_value };
                snprintf(value, sizeof value, "%g", (double)m.param_value);
                codec_setting_heard(&a->codec, name, value);
                if (i >= FRAME_CLASS && knows_frame(a))
                        check_frame(a);
                report->refused = a->status.wrong[0] != '\0';
                return doubt_param(a, i, m.param_value, report);
        }
        return 0;
}
