/* Real time: absolute deadlines. The flight controller's clock runs on, so a period that
 * was missed is integrated and counted, and its packets are not sent. */
#include "hil/rig/loop.h"

#include <stdlib.h>

/* Leave the poll this long before the deadline, so that the last sleep is the clean one.
 */
#define POLL_MARGIN_NS (100 * NS_PER_US)

static void receive_all(struct rig *rig, int64_t now_ns)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                fc_port_receive(&rig->vehicle[i].port, now_ns, false);
}

int64_t pace_missed(int64_t since_start_ns, int64_t period_ns, int64_t tick,
                    int64_t ticks)
{
        /* The last deadline that has passed is still kept. */
        int64_t missed = since_start_ns / period_ns - (tick + 1);

        if (missed < 0)
                return 0;
        return missed < ticks - tick ? missed : ticks - tick;
}

static int64_t deadline(const struct rig *rig, int64_t tick)
{
        return rig->start_ns - rig->clock_fault_ns + tick * rig->config->period_ns;
}

static int64_t left_until(int64_t deadline_ns)
{
        return deadline_ns - POLL_MARGIN_NS - clock_now_ns();
}

/* Takes answers in as they come, with the time at which they came. */
static void take_answers(struct rig *rig, int64_t deadline_ns)
{
        while (!loop_all_answered(rig)) {
                int64_t left_ns = left_until(deadline_ns);
                uint64_t before = loop_bytes_received(rig);

                if (left_ns <= 0 || loop_wait_for_bytes(rig, left_ns) <= 0)
                        break;
                receive_all(rig, clock_now_ns());
                /* Readable without bytes: it hung up, or nobody opened the other end yet.
                 */
                if (loop_bytes_received(rig) == before)
                        break;
        }
}

/* An answer may come in pieces, a UART's FIFO each. */
static void take_idle(struct rig *rig, int64_t deadline_ns)
{
        int64_t left_ns;
        uint64_t before;

        do {
                before = loop_bytes_received(rig);
                left_ns = left_until(deadline_ns);
                if (left_ns > 0 && loop_wait_for_bytes(rig, left_ns) > 0)
                        receive_all(rig, clock_now_ns());
        } while (loop_bytes_received(rig) != before);
}

/* Time sync and the like while the links are idle: behind a frame it would measure the frame's way
 * and the FC's work on it, too. The answer is taken in as it comes. */
static void poll_idle(struct rig *rig, int64_t deadline_ns)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct fc_port *port = &rig->vehicle[i].port;
                uint64_t before = port->links.bytes_sent;

                fc_port_poll(port, clock_now_ns());
                if (port->links.bytes_sent != before)
                        take_idle(rig, deadline_ns);
        }
}

static int64_t wait_for_deadline(struct rig *rig, int64_t deadline_ns)
{
        take_answers(rig, deadline_ns);
        poll_idle(rig, deadline_ns);
        return clock_sleep_until(deadline_ns);
}

/* The FC's clock ran on, so the plant moves on, but what would have been sent is not sent. */
static void make_up(struct rig *rig, int64_t now_ns)
{
        int64_t missed = pace_missed(now_ns - deadline(rig, 0), rig->config->period_ns,
                                     rig->tick, rig->ticks);
        struct lateness late = { .missed = true, .wake_ns = now_ns };

        for (; missed > 0; missed--) {
                late.lateness_ns = now_ns - deadline(rig, rig->tick + 1);
                rig->missed++;
                loop_begin_tick(rig, &late);
                loop_fly_tick(rig, &late);
        }
}

static void note_lateness(struct rig *rig, int64_t lateness_ns)
{
        if (lateness_ns > rig->longest_late_ns)
                rig->longest_late_ns = lateness_ns;
}

static void look_after(struct rig *rig, int64_t now_ns)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                loop_find_late_process(rig, v, now_ns);
                loop_watch_process(v, now_ns);
                loop_notice_held(rig, v, now_ns - v->port.talk.heard_ns);
                fc_port_check_silence(&v->port, now_ns);
                loop_notice_gone(rig, v);
                loop_try_reopen(v, now_ns);
        }
        loop_check_stop(rig);
}

/* Adjusting a clock slews it by some hundred ns in a period. What is more is a jump, which the
 * deadlines follow and the flight controller does not. */
#define CLOCK_JUMP_NS NS_PER_MS
/* A look that took longer was interrupted, and says nothing. */
#define CLOCK_LOOK_NS (20 * NS_PER_US)

static void watch_clock(struct rig *rig)
{
        int64_t raw_ns = clock_raw_ns(), now_ns = clock_now_ns();
        int64_t ahead_ns = now_ns + rig->clock_fault_ns - raw_ns;
        int64_t jump_ns = ahead_ns - rig->clock_ahead_ns;

        if (clock_raw_ns() - raw_ns > CLOCK_LOOK_NS)
                return;
        if (rig->clock_ahead_ns != 0 && llabs(jump_ns) > CLOCK_JUMP_NS)
                rig->clock_step_ns = llabs(jump_ns) > llabs(rig->clock_step_ns)
                                             ? jump_ns
                                             : rig->clock_step_ns;
        rig->clock_ahead_ns = ahead_ns;
}

/* In slices, so that an interrupted run ends. */
#define STALL_SLICE_NS (100 * NS_PER_MS)

static void obey_stall(struct rig *rig)
{
        int64_t end_ns = clock_now_ns() + rig->stall_ns;

        for (; rig->stall_ns > 0 && loop_running(rig); loop_check_stop(rig)) {
                int64_t left_ns = end_ns - clock_now_ns();

                if (left_ns <= 0)
                        break;
                clock_sleep_until(clock_now_ns() +
                                  (left_ns < STALL_SLICE_NS ? left_ns : STALL_SLICE_NS));
        }
        rig->stall_ns = 0;
}

void pace_realtime_run(struct rig *rig)
{
        /* What it was before the first tick: a look may be interrupted, a hundred are not. */
        for (int i = 0; i < 100 && rig->clock_ahead_ns == 0; i++)
                watch_clock(rig);
        while (rig->tick < rig->ticks && loop_running(rig)) {
                int64_t deadline_ns = deadline(rig, rig->tick + 1);
                struct lateness late = { .wake_ns = wait_for_deadline(rig, deadline_ns) };

                late.lateness_ns = late.wake_ns - deadline_ns;
                histogram_add(&rig->wake, late.lateness_ns);
                note_lateness(rig, late.lateness_ns);
                receive_all(rig, late.wake_ns);
                loop_take_pads(rig, late.wake_ns);
                make_up(rig, late.wake_ns);
                if (rig->tick >= rig->ticks)
                        break;
                late.lateness_ns = late.wake_ns - deadline(rig, rig->tick + 1);
                loop_begin_tick(rig, &late);
                loop_fly_tick(rig, &late);
                /* What held the host up after the wake-up made the frame late too. */
                note_lateness(rig, clock_now_ns() - deadline(rig, rig->tick));
                look_after(rig, late.wake_ns);
                watch_clock(rig);
                obey_stall(rig);
        }
}
