/* The parameters of PX4 that a flight in the rig depends on, which it is asked for before it arms: those of its frame, which
 * must be the vehicle's, whether it listens to sticks that the scenario moves, and what its fail-safes and gains are, for
 * whoever compares two releases. One that it does not tell is not blamed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/mavlink_values.h"
#include "io/codec/px4/px4.h"

/* The last two of shipped firmware alone. */
enum { AIRFRAME, ROTOR_COUNT, STICKS, BUS = PX4_PARAMS - 2, TIMER };

static const char *const names[PX4_PARAMS] = {
        [AIRFRAME] = "CA_AIRFRAME",
        [ROTOR_COUNT] = "CA_ROTOR_COUNT",
        [STICKS] = "COM_RC_IN_MODE",
        "SYS_AUTOSTART",
        "SYS_HITL",
        "CBRK_FLIGHTTERM",
        "CBRK_SUPPLY_CHK",
        "COM_RCL_EXCEPT",
        "COM_RC_LOSS_T",
        "NAV_RCL_ACT",
        "NAV_DLL_ACT",
        "COM_LOW_BAT_ACT",
        "COM_POS_FS_EPH",
        "FD_FAIL_R",
        "FD_FAIL_P",
        "MC_ROLL_P",
        "MC_PITCH_P",
        "MC_YAW_P",
        "MC_ROLLRATE_P",
        "MC_ROLLRATE_I",
        "MC_ROLLRATE_D",
        "MC_PITCHRATE_P",
        "MC_PITCHRATE_I",
        "MC_PITCHRATE_D",
        "MC_YAWRATE_P",
        "MC_YAWRATE_I",
        "MPC_XY_P",
        "MPC_XY_VEL_P_ACC",
        "MPC_Z_P",
        "MPC_Z_VEL_P_ACC",
        "MPC_THR_HOVER",
        [BUS] = "UAVCAN_ENABLE",
        [TIMER] = "PWM_MAIN_TIM0",
};

/* Those that it has been calibrated with, or has found. */
static const struct chip_table chips = {
        12,
        { { "CAL_ACC0_ID", "CAL_ACC0_PRIO", CHIP_UNLESS_0, "accelerometer 0",
            SENSOR_IMU },
          { "CAL_ACC1_ID", "CAL_ACC1_PRIO", CHIP_UNLESS_0, "accelerometer 1",
            SENSOR_IMU },
          { "CAL_ACC2_ID", "CAL_ACC2_PRIO", CHIP_UNLESS_0, "accelerometer 2",
            SENSOR_IMU },
          { "CAL_ACC3_ID", "CAL_ACC3_PRIO", CHIP_UNLESS_0, "accelerometer 3",
            SENSOR_IMU },
          { "CAL_MAG0_ID", "CAL_MAG0_PRIO", CHIP_UNLESS_0, "compass 0", SENSOR_MAG },
          { "CAL_MAG1_ID", "CAL_MAG1_PRIO", CHIP_UNLESS_0, "compass 1", SENSOR_MAG },
          { "CAL_MAG2_ID", "CAL_MAG2_PRIO", CHIP_UNLESS_0, "compass 2", SENSOR_MAG },
          { "CAL_MAG3_ID", "CAL_MAG3_PRIO", CHIP_UNLESS_0, "compass 3", SENSOR_MAG },
          { "CAL_BARO0_ID", "CAL_BARO0_PRIO", CHIP_UNLESS_0, "barometer 0", SENSOR_BARO },
          { "CAL_BARO1_ID", "CAL_BARO1_PRIO", CHIP_UNLESS_0, "barometer 1", SENSOR_BARO },
          { "CAL_BARO2_ID", "CAL_BARO2_PRIO", CHIP_UNLESS_0, "barometer 2", SENSOR_BARO },
          { "CAL_BARO3_ID", "CAL_BARO3_PRIO", CHIP_UNLESS_0, "barometer 3",
            SENSOR_BARO } }
};

#define VALUE_MAX       1e9
#define NAME_BYTES      17
#define ASKED_AT_ONCE   4
#define ASKED_MOST      3
#define MOTOR_1         101 /* an output's function; motors 1 to 12 */
#define FAR_DEG         40.0 /* between where a motor is and where it is meant to be */
#define STICKS_OF_RADIO 0
#define STICKS_IGNORED  4
#define IN_ITS_SHELL    " in its shell, or put it into the airframe's file"

/* Of a rotor's number, behind the names above. */
enum { ROTOR_X, ROTOR_Y, ROTOR_KM, OUTPUT, ROTOR_PARAMS };

static int count_params(const struct codec_px4 *p)
{
        return PX4_PARAMS + ROTOR_PARAMS * p->setup.rotors;
}

static void name_param(const struct codec_px4 *p, int which, char name[NAME_BYTES])
{
        static const char *const of_rotor[] = { "PX", "PY", "KM" };
        int rotor = (which - PX4_PARAMS) / ROTOR_PARAMS;
        int of = (which - PX4_PARAMS) % ROTOR_PARAMS;

        if (which < PX4_PARAMS)
                snprintf(name, NAME_BYTES, "%s", names[which]);
        else if (of == OUTPUT)
                snprintf(name, NAME_BYTES, "%s_FUNC%u",
                         p->board && !p->shipped ? "HIL_ACT" : "PWM_MAIN",
                         p->setup.motor_order[rotor] + 1U);
        else
                snprintf(name, NAME_BYTES, "CA_ROTOR%d_%s", rotor, of_rotor[of]);
}

static double rotor_param(const struct codec_px4 *p, int rotor, int of)
{
        return p->param[PX4_PARAMS + ROTOR_PARAMS * rotor + of].value;
}

/* The next one, if it is not known yet and has not been asked for too often. */
static bool next_param(struct codec_px4 *p, char name[NAME_BYTES])
{
        int of_chips = p->setup.external != 0 ? 2 * chips.rows : 0;
        int which = p->asking++ % (count_params(p) + of_chips);
        const char *of_chip;
        int *asked;

        if (which < count_params(p)) {
                name_param(p, which, name);
                asked = &p->param[which].asked;
                return !p->param[which].known &&
                       (p->shipped || which < BUS || which > TIMER) &&
                       (*asked)++ < ASKED_MOST;
        }
        which -= count_params(p);
        of_chip = chips_param(&p->chips, &chips, which);
        snprintf(name, NAME_BYTES, "%s", of_chip != NULL ? of_chip : "");
        asked = &p->chip_asked[which];
        return of_chip != NULL && (*asked)++ < ASKED_MOST;
}

void codec_px4_ask_params(struct codec_px4 *p, struct packet *packet)
{
        struct mavlink_param_request_read m = { .param_index = -1,
                                                .target_system = p->system,
                                                .target_component = 1 };
        int all = count_params(p) + 2 * chips.rows;
        char name[NAME_BYTES];

        for (int i = 0, asked = 0; i < all && asked < ASKED_AT_ONCE; i++) {
                if (!next_param(p, name))
                        continue;
                memset(m.param_id, 0, sizeof m.param_id);
                memcpy(m.param_id, name, strnlen(name, sizeof m.param_id));
                codec_px4_put(p, packet, MAVLINK_PARAM_REQUEST_READ, &m);
                asked++;
        }
}

/* Which of the frame's motors, from 0 up, drives a rotor. */
static int motor_of_rotor(const struct codec_px4 *p, int rotor)
{
        return (int)rotor_param(p, rotor, OUTPUT) - MOTOR_1;
}

/* Its KM is above 0 for a rotor that turns counter-clockwise, seen from above. */
static bool motor_fits(const struct codec_px4 *p, int motor, int rotor)
{
        struct vec3 at = p->setup.rotor_pos_body_m[rotor];
        double apart_rad;

        if (motor < 0 || motor >= p->setup.rotors)
                return false;
        apart_rad = remainder(atan2(at.y, at.x) - atan2(rotor_param(p, motor, ROTOR_Y),
                                                        rotor_param(p, motor, ROTOR_X)),
                              2.0 * 3.14159265358979323846);
        return fabs(apart_rad) * DEG_PER_RAD < FAR_DEG &&
               rotor_param(p, motor, ROTOR_KM) * p->setup.rotor_spin[rotor] < 0.0;
}

/* The outputs in another order; false: in none. */
static bool find_order(const struct codec_px4 *p, int order[ROTORS_MAX])
{
        for (int i = 0; i < p->setup.rotors; i++) {
                order[i] = -1;
                for (int k = 0; k < p->setup.rotors; k++)
                        if (motor_fits(p, motor_of_rotor(p, k), i))
                                order[i] = p->setup.motor_order[k];
                if (order[i] < 0)
                        return false;
        }
        return true;
}

static void refuse_motor(struct codec_px4 *p, int rotor)
{
        int order[ROTORS_MAX], motor = motor_of_rotor(p, rotor);
        char *to = p->wrong, *end = p->wrong + sizeof p->wrong;

        to += snprintf(to, (size_t)(end - to),
                       "its motor %d (CA_ROTOR%d_PX, _PY, _KM), which drives rotor %d, "
                       "stands elsewhere or turns the other way: it needs ",
                       motor + 1, motor, rotor);
        if (!find_order(p, order)) {
                snprintf(to, (size_t)(end - to),
                         "another airframe (SYS_AUTOSTART) or another vehicle file");
                return;
        }
        to += snprintf(to, (size_t)(end - to), "fc.motor_order ");
        for (int i = 0; i < p->setup.rotors; i++)
                to += snprintf(to, (size_t)(end - to), "%s%d", i == 0 ? "[" : ", ",
                               order[i]);
        snprintf(to, (size_t)(end - to), "]");
}

static void refuse_output(struct codec_px4 *p, int rotor)
{
        char name[NAME_BYTES];

        name_param(p, PX4_PARAMS + ROTOR_PARAMS * rotor + OUTPUT, name);
        snprintf(
                p->wrong, sizeof p->wrong,
                "its %s is %.0f, which is no motor (%d to %d), and rotor %d is driven by "
                "that output: type \"param set %s %d\"" IN_ITS_SHELL,
                name, rotor_param(p, rotor, OUTPUT), MOTOR_1,
                MOTOR_1 + p->setup.rotors - 1, rotor, name,
                MOTOR_1 + p->setup.motor_order[rotor]);
}

static void judge_number(struct codec_px4 *p, int which, int wanted, const char *what)
{
        double is = p->param[which].value;

        if (p->param[which].known && is != wanted)
                snprintf(p->wrong, sizeof p->wrong,
                         "its %s is %.0f, and the vehicle %s: it needs another airframe "
                         "(SYS_AUTOSTART), or type \"param set %s %d\"" IN_ITS_SHELL,
                         names[which], is, what, names[which], wanted);
}

static bool knows_frame(const struct codec_px4 *p)
{
        for (int i = PX4_PARAMS; i < count_params(p); i++)
                if (!p->param[i].known)
                        return false;
        for (int i = 0; i < p->setup.rotors; i++)
                if (p->setup.rotor_spin[i] == 0.0)
                        return false;
        return true;
}

static void judge_frame(struct codec_px4 *p)
{
        char what[40];

        snprintf(what, sizeof what, "has %d rotors", p->setup.rotors);
        judge_number(p, ROTOR_COUNT, p->setup.rotors, what);
        judge_number(p, AIRFRAME, 0, "is a multirotor");
        for (int i = 0; i < p->setup.rotors && knows_frame(p) && p->wrong[0] == '\0';
             i++) {
                int motor = motor_of_rotor(p, i);

                if (motor < 0 || motor >= p->setup.rotors) {
                        if (p->shipped)
                                return;
                        refuse_output(p, i);
                } else if (!motor_fits(p, motor, i))
                        refuse_motor(p, i);
        }
}

#define BUS_WITH_MOTORS 3
#define DSHOT_150       (-5)
#define DSHOT_1200      (-2)

/* uavcan/actuators/esc.hpp, dshot/DShot.h, pwm_out's module.yaml. */
bool codec_px4_output_range(const struct codec_px4 *p, double *least, double *most)
{
        const struct px4_param *bus = &p->param[BUS], *timer = &p->param[TIMER];

        *least = 0.0;
        if (bus->known && bus->value >= BUS_WITH_MOTORS) {
                *most = 8191.0;
        } else if (timer->known && timer->value >= DSHOT_150 &&
                   timer->value <= DSHOT_1200) {
                *most = 1999.0;
        } else {
                *least = 1000.0;
                *most = 2000.0;
        }
        return (bus->known || bus->asked >= ASKED_MOST) &&
               (timer->known || timer->asked >= ASKED_MOST);
}

void codec_px4_judge_sticks(struct codec_px4 *p)
{
        double from = p->param[STICKS].value;

        if (p->param[STICKS].known && !p->setup.receiver &&
            (from == STICKS_OF_RADIO || from == STICKS_IGNORED))
                snprintf(p->wrong, sizeof p->wrong,
                         "its COM_RC_IN_MODE is %.0f (%s), and the scenario sends "
                         "sticks: type \"param set COM_RC_IN_MODE 1\"" IN_ITS_SHELL,
                         from,
                         from == STICKS_IGNORED ? "sticks ignored"
                                                : "those of a radio alone");
}

/* A whole number's bits stand where the number would. */
static double read_value(const struct mavlink_param_value *m, char *text, size_t cap)
{
        int32_t whole;

        if (m->param_type == MAV_PARAM_TYPE_REAL32) {
                snprintf(text, cap, "%.7g", (double)m->param_value);
                return (double)m->param_value;
        }
        memcpy(&whole, &m->param_value, sizeof whole);
        snprintf(text, cap, "%d", whole);
        return whole;
}

static uint32_t doubt_chip(struct codec_px4 *p, const char *param, double value,
                           struct fc_report *report)
{
        int row = chips_take(&p->chips, &chips, param, value);

        if (row < 0 || !(p->setup.external & SENSOR_BIT(chips.row[row].kind)))
                return 0;
        chips_say(&p->chips, &chips, row, report->text, sizeof report->text);
        report->severity = FC_SAYS_WARNING;
        return FC_TEXT;
}

uint32_t codec_px4_take_param(struct codec_px4 *p, const struct mavlink_param_value *m,
                              struct fc_report *report)
{
        char name[NAME_BYTES], text[24];
        double value = read_value(m, text, sizeof text);

        for (int i = 0; i < count_params(p); i++) {
                name_param(p, i, name);
                if (strncmp(m->param_id, name, sizeof m->param_id) != 0)
                        continue;
                p->param[i].known = fabs(value) <= VALUE_MAX;
                p->param[i].value = value;
                codec_setting_heard(&p->codec, name, text);
        }
        if (p->wrong[0] == '\0')
                judge_frame(p);
        report->refused = codec_px4_refused(p);
        return doubt_chip(p, m->param_id, value, report);
}
