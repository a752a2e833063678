/* A board that goes on from one run to the next, as one on a bench does, and is armed or not when the rig has hung up:
 *
 *   kept_board FAMILY WAY LINK [CONSOLE]
 *
 * FAMILY is hilp, inav or ardupilot (which has a console, and flies in lockstep). WAY is one of
 *   well      does as it is told
 *   slow      disarms only when it was told for 0.3 s, or 100 times; inav: not by its switch
 *   stubborn  never disarms
 *   deaf      reads nothing more, and says nothing, once it has been armed for 200 frames
 *   returns   ardupilot: goes to RTL by itself when it has been armed for 200 frames
 *   reversed  ardupilot: its frame is an X whose motors turn the other way
 *
 * At each hang-up it prints a line: "disarmed" or "armed". It arms when it is asked to, and flies nowhere. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"
#include "io/codec/hilp/hilp_board.h"
#include "io/codec/mavlink_messages.h"
#include "io/link/link.h"
#include "tests/boards/inav_board.h"

#define LINKS 2

struct kept {
        const char *family, *way;
        struct link_spec spec[LINKS];
        struct link *link[LINKS];
        int links;
        bool armed, linked;
        int frames; /* since it was armed */
        int64_t told_ns; /* since when it is told to disarm; 0: it is not */
        int told; /* how often, in a row */
        struct hilp_board hilp;
        struct inav_board inav;
        struct mavlink_stream ear;
        struct mavlink_sender mouth;
        uint32_t count, mode;
};

static bool is(const struct kept *k, const char *way)
{
        return strcmp(k->way, way) == 0;
}

static bool is_deaf(const struct kept *k)
{
        return is(k, "deaf") && k->armed && k->frames > 200;
}

static void say(struct kept *k, int link, const void *bytes, size_t len)
{
        const uint8_t *at = bytes;

        while (len > 0) {
                int n = link_write(k->link[link], at, len);

                if (n <= 0)
                        return; /* gone, or so full that it does not matter */
                at += n;
                len -= (size_t)n;
        }
}

/* Of the frame or order that is there; each frame comes here. */
static void ask_armed(struct kept *k, bool wanted)
{
        if (wanted && !k->armed)
                k->frames = 0;
        if (wanted || !k->armed)
                k->told = 0;
        else if (k->told++ == 0)
                k->told_ns = clock_now_ns();
        if (is(k, "slow") && k->told > 0 &&
            (k->told < 100 && clock_now_ns() - k->told_ns < 300 * NS_PER_MS))
                return;
        if (!is(k, "stubborn") || wanted)
                k->armed = wanted;
}

static void take_hilp(struct kept *k, const uint8_t *bytes, size_t len)
{
        const struct motor_command idle = { { 0.1, 0.1, 0.1, 0.1 } };

        for (size_t used = 0; used < len && !is_deaf(k);) {
                struct hilp_board_news news;
                uint8_t out[HILP_FRAME_MAX];

                used += hilp_board_receive(&k->hilp, bytes + used, len - used, 0, &news);
                say(k, 0, news.out, news.out_len);
                if (news.event == HILP_BOARD_INPUT)
                        k->mode = news.input.setpoint.mode;
                if (news.event == HILP_BOARD_GOODBYE || news.event == HILP_BOARD_HELLO) {
                        k->mode = MODE_DISARMED;
                        ask_armed(k, false);
                }
                if (news.event != HILP_BOARD_SENSORS)
                        continue;
                k->frames++;
                ask_armed(k, k->mode != MODE_DISARMED);
                say(k, 0, out,
                    hilp_board_motors(&k->hilp, &idle, 4, k->armed, false,
                                      k->armed ? MODE_GOTO : MODE_DISARMED, out));
        }
}

static void take_inav(struct kept *k, const uint8_t *bytes, size_t len)
{
        uint8_t out[64 * MSP_FRAME_MAX];
        struct inav_board *b = &k->inav;
        size_t said;

        if (is_deaf(k) || len > 1024)
                return;
        b->stubborn = is(k, "stubborn");
        b->stuck = b->stubborn || (is(k, "slow") && k->armed);
        said = board_take(b, bytes, len, out);
        k->frames += b->frames > 0;
        if (k->armed != ((b->arming_flags & 1U << 2) != 0))
                k->frames = 0;
        k->armed = (b->arming_flags & 1U << 2) != 0;
        say(k, 0, out, said);
}

static void tell(struct kept *k, uint32_t id, const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];

        say(k, 1, bytes, mavlink_send(&k->mouth, id, values, bytes));
}

static void tell_state(struct kept *k)
{
        struct mavlink_heartbeat heart = { .custom_mode = k->mode,
                                           .type = 2,
                                           .autopilot = 3,
                                           .base_mode = k->armed ? 128 : 0 };
        struct mavlink_extended_sys_state landed = { .landed_state = k->armed ? 2 : 1 };

        tell(k, MAVLINK_HEARTBEAT, &heart);
        tell(k, MAVLINK_EXTENDED_SYS_STATE, &landed);
}

static void ask_servos(struct kept *k)
{
        uint8_t bytes[40] = { 0 };

        le_put_u16(bytes, 18458);
        le_put_u32(bytes + 4, ++k->count);
        for (int i = 0; i < 4; i++)
                le_put_u16(bytes + 8 + 2 * i, k->armed ? 1100 : 1000);
        say(k, 0, bytes, sizeof bytes);
}

/* A line is a frame. */
static void take_ardupilot(struct kept *k, const uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len && !is_deaf(k); i++) {
                if (bytes[i] != '\n')
                        continue;
                if (is(k, "returns") && k->armed && k->frames == 200)
                        k->mode = 6;
                if (k->frames++ % 20 == 0)
                        tell_state(k);
                ask_servos(k);
        }
}

static void obey(struct kept *k, const struct mavlink_command_long *m)
{
        struct mavlink_command_ack ack = { .command = m->command };

        if (m->command == 400)
                ask_armed(k, m->param1 > 0.5F);
        else if (m->command == 176)
                k->mode = (uint32_t)m->param2;
        else
                return;
        if (m->command == 400 && k->armed != (m->param1 > 0.5F))
                ack.result = 4;
        tell(k, MAVLINK_COMMAND_ACK, &ack);
        tell_state(k);
}

static void answer(struct kept *k, const struct mavlink_param_request_read *asked)
{
        struct mavlink_param_value m = { .param_type = 9 };
        int output;

        memcpy(m.param_id, asked->param_id, sizeof m.param_id);
        if (sscanf(asked->param_id, "SERVO%d_FUNCTION", &output) == 1)
                m.param_value = (float)(32 + output);
        else if (strncmp(asked->param_id, "FRAME_TYPE", 16) == 0)
                m.param_value = is(k, "reversed") ? 3.0F : 1.0F;
        else if (strncmp(asked->param_id, "FRAME_CLASS", 16) == 0)
                m.param_value = 1.0F;
        else
                return;
        tell(k, MAVLINK_PARAM_VALUE, &m);
}

static void take_console(struct kept *k, const uint8_t *bytes, size_t len)
{
        for (size_t used = 0; used < len;) {
                struct mavlink_param_request_read param;
                struct mavlink_command_long m;
                struct mavlink_frame frame;
                bool got = false;

                used += mavlink_stream_take(&k->ear, bytes + used, len - used, &frame,
                                            &got);
                if (got && !is_deaf(k) && frame.id == MAVLINK_COMMAND_LONG &&
                    mavlink_unpack(&frame, mavlink_message_find(frame.id), &m))
                        obey(k, &m);
                if (got && !is_deaf(k) && frame.id == MAVLINK_PARAM_REQUEST_READ &&
                    mavlink_unpack(&frame, mavlink_message_find(frame.id), &param))
                        answer(k, &param);
        }
}

static void take(struct kept *k, int link, const uint8_t *bytes, size_t len)
{
        k->linked = true;
        if (link == 1)
                take_console(k, bytes, len);
        else if (strcmp(k->family, "hilp") == 0)
                take_hilp(k, bytes, len);
        else if (strcmp(k->family, "inav") == 0)
                take_inav(k, bytes, len);
        else
                take_ardupilot(k, bytes, len);
}

static bool open_links(struct kept *k)
{
        struct link_error why;

        /* The console first: the rig looks for it when it has found the other. */
        for (int i = k->links - 1; i >= 0; i--) {
                k->link[i] = link_open(&k->spec[i], &why);
                if (k->link[i] == NULL) {
                        fprintf(stderr, "kept_board: %s\n", why.text);
                        return false;
                }
        }
        k->linked = false;
        memset(&k->ear, 0, sizeof k->ear);
        return true;
}

/* Until the rig hangs up. */
static void serve(struct kept *k)
{
        for (;;) {
                struct pollfd fds[LINKS];

                for (int i = 0; i < k->links; i++) {
                        uint8_t bytes[1024];
                        int n = link_read(k->link[i], bytes, sizeof bytes);

                        if (n == LINK_GONE)
                                return;
                        if (n > 0) {
                                link_confirm(k->link[i]);
                                take(k, i, bytes, (size_t)n);
                        }
                        fds[i] =
                                (struct pollfd){ .fd = k->link[i]->fd, .events = POLLIN };
                }
                if (!k->linked && strcmp(k->family, "ardupilot") == 0) {
                        ask_servos(k);
                        tell_state(k);
                }
                poll(fds, (nfds_t)k->links, 10);
        }
}

int main(int argc, char **argv)
{
        static struct kept k;
        struct link_error why;

        if (argc < 4 || argc > 3 + LINKS) {
                fprintf(stderr, "usage: kept_board FAMILY WAY LINK [CONSOLE]\n");
                return 2;
        }
        k.family = argv[1];
        k.way = argv[2];
        k.links = argc - 3;
        for (int i = 0; i < k.links; i++)
                if (!link_spec_parse(&k.spec[i], argv[3 + i], &why)) {
                        fprintf(stderr, "kept_board: %s\n", why.text);
                        return 2;
                }
        hilp_board_init(&k.hilp, "kept board", 4, 1, 1);
        board_begin(&k.inav);
        k.mouth = (struct mavlink_sender){ .version = 2, .system = 1, .component = 1 };
        while (open_links(&k)) {
                serve(&k);
                for (int i = 0; i < k.links; i++)
                        link_close(k.link[i]);
                printf("%s\n", k.armed ? "armed" : "disarmed");
                fflush(stdout);
        }
        return 2;
}
