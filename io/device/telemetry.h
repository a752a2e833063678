/* Internal to the telemetry device: the messages of one MAVLink system about a pose, and about the
 * vehicle. Fills structs in wire units; sends nothing. */
#pragma once

#include "io/device/device.h"
#include "io/codec/mavlink_messages.h"

/* Where the vehicle is, or is believed to be. */
struct telemetry_pose {
        struct quat q_body_to_ned;
        struct vec3 from_start_m; /* NED */
        struct vec3 vel_ned_mps;
        struct vec3 rate_body_radps; /* mean since the last ATTITUDE */
};

void telemetry_attitude(struct mavlink_attitude *m, const struct telemetry_pose *p,
                        int64_t t_ns);
void telemetry_local_position(struct mavlink_local_position_ned *m,
                              const struct telemetry_pose *p, int64_t t_ns);
void telemetry_global_position(struct mavlink_global_position_int *m,
                               const struct telemetry_pose *p,
                               const struct device_setup *setup, int64_t t_ns);
/* The wind is not known here: airspeed is the ground speed. */
void telemetry_vfr_hud(struct mavlink_vfr_hud *m, const struct telemetry_pose *p,
                       const struct device_setup *setup,
                       const struct motor_command *command);
void telemetry_heartbeat(struct mavlink_heartbeat *m, const struct fc_report *report,
                         int rotors);
/* seen: SENSOR_BIT() of every sensor that has given a sample. */
void telemetry_sys_status(struct mavlink_sys_status *m, const struct sensor_frame *frame,
                          uint32_t seen);
void telemetry_gps(struct mavlink_gps_raw_int *m, const struct gps_sample *gps);
void telemetry_servos(struct mavlink_servo_output_raw *m,
                      const struct motor_command *command, int rotors, int64_t t_ns);
void telemetry_rc(struct mavlink_rc_channels *m, const struct pilot_input *input,
                  int64_t t_ns);
void telemetry_home(struct mavlink_home_position *m, const struct device_setup *setup,
                    int64_t t_ns);
