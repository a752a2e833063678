/* Whom the loop waits for in lockstep. */
#include <string.h>
#include <unistd.h>

#include "hil/rig/loop.h"
#include "tests/suites.h"

static struct rig rig;
static struct rig_config config;
static struct vehicle_config vehicle_config[2];
static struct rig_vehicle vehicle[2];
static struct child child[2];
static struct pollfd fds[8];
static struct link near_end[2];
static int far_end[2];

/* Two boards, each behind a pipe, that owe nothing. */
static void begin(void)
{
        memset(vehicle, 0, sizeof vehicle);
        memset(&config, 0, sizeof config);
        config.vehicles = 2;
        config.vehicle = vehicle_config;
        rig = (struct rig){
                .config = &config, .vehicle = vehicle, .child = child, .fds = fds
        };
        for (int i = 0; i < 2; i++) {
                struct fc_port *port = &vehicle[i].port;
                int pipe_fd[2];

                ck_assert_int_eq(pipe(pipe_fd), 0);
                near_end[i].fd = pipe_fd[0];
                far_end[i] = pipe_fd[1];
                vehicle_config[i].fc.links = 1;
                vehicle[i].config = &vehicle_config[i];
                port->vehicle = i;
                port->lockstep = true;
                port->state = FC_PORT_READY;
                port->config = port->links.config = &vehicle_config[i].fc;
                port->links.ops = codec_find("hilp");
                port->links.link[0] = &near_end[i];
        }
}

static void end(void)
{
        for (int i = 0; i < 2; i++) {
                close(near_end[i].fd);
                close(far_end[i]);
        }
}

static void speak(int i)
{
        ck_assert_int_eq(write(far_end[i], "x", 1), 1);
}

TEST(a_board_is_awaited_while_it_owes_an_answer_or_is_to_have_more_time)
{
        struct rig_vehicle *v = &vehicle[0];

        begin();
        ck_assert(!loop_is_awaited(v));
        v->port.talk.next_number++;
        ck_assert(loop_is_awaited(v));
        v->port.talk.answered_number++;
        ck_assert(!loop_is_awaited(v));
        v->rests = true;
        ck_assert(loop_is_awaited(v));
        v->rests = false;
        v->port.links.outbox[0].len = 1;
        ck_assert(loop_is_awaited(v));
        end();
}

TEST(one_that_is_gone_or_greeted_again_is_looked_after)
{
        begin();
        vehicle[0].port.state = FC_PORT_GREETING;
        ck_assert(loop_is_awaited(&vehicle[0]));
        vehicle[0].port.state = FC_PORT_GONE;
        ck_assert(loop_is_awaited(&vehicle[0]));
        end();
}

TEST(what_one_says_that_owes_nothing_ends_no_sleep)
{
        begin();
        vehicle[1].port.talk.next_number++;
        speak(0);
        ck_assert_int_eq(loop_wait_for_awaited(&rig, NS_PER_MS), 0);
        ck_assert_int_eq(loop_wait_for_bytes(&rig, NS_PER_S), 1);
        speak(1);
        ck_assert_int_eq(loop_wait_for_awaited(&rig, NS_PER_S), 1);
        ck_assert_int_eq(loop_wait_for_bytes(&rig, NS_PER_S), 2);
        end();
}
