/* The benches, each a figure beside a reference that is measured in the same run. Each prints one
 * JSON object a line and returns 0, or -1 after a message. */
#pragma once

#include <stdio.h>

#include "hil/config/config.h"

/* Lockstep periods a second over each kind of link, beside the bare ping-pong of two processes over
 * the same link, in alternating blocks. */
int bench_link(FILE *out, const char *config_path);
/* Where a link of that kind is measured: "pty", "unix", "tcp" or "udp", at a name or port that nobody else
 * has. */
void bench_link_text(const char *name, char *text, size_t cap);

/* From the command to the first frame, by parts, beside the start of a program that does nothing. */
int bench_start(FILE *out, const char *config_path);

/* The default suite with 64 seeds: flights a second and core, and where the time goes. */
int bench_suite(FILE *out);

/* A vehicle and period of a fleet in lockstep, of 1 to 128 vehicles, beside the bare ping-pong of as many sockets and
 * processes. */
int bench_fleet(FILE *out, const char *config_path);

/* Wake-up lateness of a flight in real time beside cyclictest's, in alternating blocks. */
int bench_realtime(FILE *out, const char *config_path);

/* From a word of a twin's telemetry to its virtual ranges, beside the echo of a datagram, in alternating blocks. */
int bench_twin(FILE *out, const char *config_path);

/* HILP motor messages decoded and sensor frames encoded a second, on one CPU. */
int bench_decode(FILE *out);

/* Samples of eight motor pads at 24 MHz decoded: times faster than they arrive. */
int bench_capture(FILE *out);

/* Millions of DShot frames with jitter, off clocks and several duties: how many are read wrong. */
int bench_motor_frames(FILE *out);

/* A million HIL_SENSOR frames to a board over a line of 921,600 baud, in simulated time. */
int bench_hil_sensor(FILE *out);

/* Middle of n values, which get sorted. */
double bench_median(double *value, int n);

/* A rig file, with overrides, flown with its record in a folder that is removed afterwards.
 * False after a message. `rig` and `config` are the caller's; read histograms and times from rig,
 * then call bench_land(). */
struct rig;
bool bench_fly(struct rig *rig, struct rig_config *config, const char *config_path,
               const struct config_overrides *overrides);
void bench_land(struct rig *rig, struct rig_config *config);
