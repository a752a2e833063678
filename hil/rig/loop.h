/* What both paces are made of: one tick of every vehicle, and what can end a run. Between
 * two ticks nothing here allocates, opens, prints or takes a lock; only coming back after
 * a loss opens. */
#pragma once

#include "hil/time/clock.h"
#include "hil/rig/rig.h"

/* How late the host was for one tick. */
struct lateness {
        bool missed;
        int64_t wake_ns; /* host time */
        int64_t lateness_ns;
};

/* The live line's newest figures, now and then. */
void loop_show_live(struct rig *rig);

/* The live page's frame, now and then: begun before the vehicles are looked at, filled by each, handed over after the last
 * with what else has changed. */
void loop_begin_page(struct rig *rig);
void loop_show_page(struct rig *rig, const struct rig_vehicle *v,
                    const struct tick_record *tick);
void loop_end_page(struct rig *rig);
/* What somebody has ordered on it; ends the run where that is asked for. */
void loop_obey_page(struct rig *rig, int64_t tick); /* that begins next, or has */
/* Lockstep: before the first period somebody has to let it go on. */
void loop_begin_held(struct rig *rig);
/* Lockstep: returns when the next period may begin. */
void loop_hold_for_page(struct rig *rig);

/* The next period begins: what the scenario and the wires do at this tick. */
void loop_begin_tick(struct rig *rig, const struct lateness *late);
/* Steps, senses, sends and records it of every vehicle, in this order. */
void loop_fly_tick(struct rig *rig, const struct lateness *late);

/* What boards have sent by radio since the last tick goes on its way; what has come is in v->heard. */
void loop_carry_by_radio(struct rig *rig);
/* The same of a board's own port. */
void loop_send_by_radio(struct rig *rig, const struct rig_vehicle *v, struct device *d);

/* Takes the words of all twins that have come, before the tick that they count for. */
void loop_hear_twins(struct rig *rig);
/* Of twins that are the same aircraft as another vehicle. */
void loop_measure_overlaps(struct rig *rig);
/* What its sonars see, and where the simulated vehicles are. True: it went out. */
bool loop_tell_twin(struct rig *rig, struct rig_vehicle *v);
/* Before the flight: its source has been heard. Ends the run when it has not for too long. */
bool loop_twin_met(struct rig *rig, struct rig_vehicle *v, int64_t now_ns,
                   int64_t begin_ns);

/* The flight is over, but a vehicle whose board is to be disarmed goes on, unrecorded and not judged: its
 * sensors and what it is told. */
void loop_coast_tick(struct rig *rig, struct rig_vehicle *v, int64_t tick);
/* Says goodbye to every FC until each has said that it is disarmed, or for its fc.disarm_timeout_ms. */
void loop_disarm(struct rig *rig);

/* What the scenario ends, then what it begins, at this tick. */
void loop_follow_scenario(struct rig *rig);
/* What a device at a port of the vehicle wants of it, in place of what the scenario asked last. */
void loop_follow_device(struct rig *rig, struct rig_vehicle *v, struct device *d);
/* What the rig's mission asks of its vehicle, and what has become of it so far; ends the run when it is over. */
void loop_fly_mission(struct rig *rig);
/* Asks for a place, NED of the world; one that moves is recorded now and then. */
void loop_ask_setpoint(struct rig *rig, struct rig_vehicle *v, struct setpoint to);
/* What its joystick moves: channels and set-points. */
void loop_follow_joystick(struct rig *rig, struct rig_vehicle *v);
/* What the joystick of a twin has it say at this tick; false: nothing. */
bool loop_word_of_hand(struct rig *rig, struct rig_vehicle *v, struct twin_word *word);
/* An event where an FC has done as it is asked and does not any more: a fail-safe of its own. */
void loop_notice_own_way(struct rig *rig, struct rig_vehicle *v);
/* v->input: what the steps ask of its pilot, with stimuli on top. */
void loop_ask_pilot(const struct rig *rig, struct rig_vehicle *v);

static inline int64_t loop_sim_ns(const struct rig *rig)
{
        return rig->tick * rig->config->period_ns;
}

/* What a vehicle is asked and does, once a tick; and at the end of the flight, before the last words. */
/* By a mode, or by raw sticks on the channel that its pilot arms with. What a channel means to a board without a
 * pilot is its own. */
bool loop_asks_to_arm(const struct rig_vehicle *v);
void loop_note_flight(const struct rig *rig, struct rig_vehicle *v);
void loop_conclude_flights(struct rig *rig);
/* Ends the run when all that were asked to fly have come to lie upside down, and no fault or jig of the scenario
 * had them do so. */
void loop_notice_wreck(struct rig *rig, struct rig_vehicle *v);
/* Whether all that a vehicle is made of is a number, and it is in air that is modelled; ends the run
 * where it is not. */
bool loop_check_plant(struct rig *rig, const struct rig_vehicle *v);

/* Ends the run; the first reason stays. */
void loop_finish(struct rig *rig, enum end_kind kind, const char *reason);
bool loop_running(const struct rig *rig);
/* SIGINT, SIGTERM, a record that cannot be written, or a flight controller's process that has ended. */
void loop_check_stop(struct rig *rig);
/* Says once that an optional link was lost, was not heard, or met strangers; ends the run where the FC cannot
 * be flown without it. */
void loop_notice_links(struct rig *rig, struct rig_vehicle *v);
/* Whether an optional link is not there, or said nothing for so long that it would have. */
bool loop_channel_unheard(const struct rig_vehicle *v, int channel, int64_t t_ns);
void loop_describe_unheard(const struct rig_vehicle *v, int channel, char *text,
                           size_t cap);
/* Learns which process of this machine each FC is; takes some milliseconds. */
void loop_find_processes(struct rig *rig);
/* The same of one that is greeted in flight, once it is heard. */
void loop_find_late_process(struct rig *rig, struct rig_vehicle *v, int64_t now_ns);
/* While an answer is due: what keeps the FC's process from running. */
void loop_watch_process(struct rig_vehicle *v, int64_t now_ns);
/* In real time, before the first tick and once the boards are disarmed: how long the host kept these processes from running
 * in between. A look takes some 50 us for each. */
void loop_weigh_processes(struct rig *rig);
/* Beyond the rig's budget the host was late, or kept a firmware's process from running at a stretch: the flight is void,
 * and why says so. */
bool loop_host_late(const struct rig *rig, char *why, size_t cap);
/* A firmware could not run for more of the flight than the budget: one that failed has not shown that the firmware fails. Why
 * it failed is in why, and this before it. */
bool loop_firmware_starved(const struct rig *rig, char *why, size_t cap);
/* For most of a silence no processor of this host was idle. */
static inline bool loop_was_crowded(const struct rig_vehicle *v, int64_t silent_ns)
{
        return v->crowded_ns > silent_ns / 2;
}

/* Ends the run where an FC has been silent for its time-out because of that, more than the rig's budget for stalls, and
 * could have run for no longer than its time-out. In real time it is waited for as long again; in lockstep a crowded host
 * explains what is left. */
void loop_notice_held(struct rig *rig, struct rig_vehicle *v, int64_t silent_ns);
/* Ends the run where an FC's process has ended. */
void loop_check_processes(struct rig *rig);
/* The same by the link, which is gone: learns whether it was the process's end, and adds that to text. */
void loop_explain_gone(struct rig *rig, struct rig_vehicle *v, char *text, size_t cap);
/* Notices that an FC has gone or is back, says so once, and ends the run unless it may
 * return. */
void loop_notice_gone(struct rig *rig, struct rig_vehicle *v);
/* Ends the run when an FC has refused an option, or says in time of settings that do not go with the vehicle; flying:
 * simulated time has begun. */
void loop_notice_refusal(struct rig *rig, struct rig_vehicle *v, bool flying);
/* Where a HILP board is open, but does not answer: appends what asks it for the reason. */
void loop_hint_conform(const struct rig *rig, const struct rig_vehicle *v, char *text,
                       size_t cap);
/* Where bytes come that nobody understands: appends the link's baud rate, if it has one. */
void loop_hint_baud(const struct rig_vehicle *v, char *text, size_t cap);
/* It never answered: the run ends as one that could not, with what is known of why. */
void loop_end_unmet(struct rig *rig, const struct rig_vehicle *v);
/* Ends the run when the first that an FC says of it is that it is armed, and nothing has asked for that. */
void loop_notice_armed(struct rig *rig, struct rig_vehicle *v);
/* Its board is lost for good, which has been said: the run ends, or the others fly on, as fc.when_lost has it. */
void loop_lose_board(struct rig *rig, struct rig_vehicle *v, enum fc_lost lost,
                     const char *text);
void loop_try_reopen(struct rig_vehicle *v, int64_t now_ns);
void loop_say(struct rig *rig, char level, const char *text);

/* Takes in what the pads have shown since. */
void loop_take_pads(struct rig *rig, int64_t now_ns);
/* Lockstep: every vehicle's pads have been seen up to the next tick. */
bool loop_pads_reached(const struct rig *rig);
/* Lockstep: nothing came from a capture for waited_ns; ends the run when that is too long. */
void loop_check_pads(struct rig *rig, int64_t waited_ns);
/* Says that a pad fell silent, that a capture was lost or is back, and ends the run where it cannot go
 * on. */
void loop_notice_pads(struct rig *rig, struct rig_vehicle *v);
void loop_record_pads(struct rig *rig, const struct rig_vehicle *v);

/* Sleeps until an FC that can still speak has bytes, or for timeout_ns; as ppoll(). */
int loop_wait_for_bytes(const struct rig *rig, int64_t timeout_ns);
/* Lockstep, in a tick: its FC owes something, or is to have more host time. The others need no look and no sleep: what
 * they say unasked is taken with their next answer. */
bool loop_is_awaited(const struct rig_vehicle *v);
/* loop_wait_for_bytes() for those alone. */
int loop_wait_for_awaited(const struct rig *rig, int64_t timeout_ns);
/* So far, of all FCs. */
uint64_t loop_bytes_received(const struct rig *rig);
bool loop_all_answered(const struct rig *rig);
/* And every byte is on its way. */
bool loop_all_settled(const struct rig *rig);

/* After `tick` periods of `ticks`: how many of the next ones are missed, because their deadline has
 * passed by a period or more. */
int64_t pace_missed(int64_t since_start_ns, int64_t period_ns, int64_t tick,
                    int64_t ticks);

/* The paces: from the first tick to the end of the run. */
void pace_lockstep_run(struct rig *rig);
void pace_realtime_run(struct rig *rig);
