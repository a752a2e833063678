/* The commands of `hilrig`, one file each. argv begins after the command's name; they return the
 * exit status: 0 passed, 1 failed its verdict, 2 could not run, 3 ran but void. */
#pragma once

int run_command(int argc, char **argv);
int check_command(int argc, char **argv);
int ports_command(int argc, char **argv);
int suite_command(int argc, char **argv);
int farm_command(int argc, char **argv);
int campaign_command(int argc, char **argv);
int compare_command(int argc, char **argv);
int bisect_command(int argc, char **argv);
int history_command(int argc, char **argv);
int replay_command(int argc, char **argv);
int retrace_command(int argc, char **argv);
int identify_command(int argc, char **argv);
int report_command(int argc, char **argv);
int view_command(int argc, char **argv);
int calibrate_command(int argc, char **argv);
int conform_command(int argc, char **argv);
int capture_command(int argc, char **argv);
int fc_command(int argc, char **argv);
int hub_command(int argc, char **argv);
int mission_command(int argc, char **argv);
int twin_command(int argc, char **argv);
int latency_command(int argc, char **argv);
int host_command(int argc, char **argv);
int bench_command(int argc, char **argv);
