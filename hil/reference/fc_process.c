#include "hil/reference/fc_process.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/reference/fc_board.h"
#include "hil/reference/hub_board.h"
#include "hil/reference/hub_words.h"
#include "hil/time/busy_wait.h"
#include "hil/text/version.h"
#include "hil/text/terminal.h"

#define WAIT_NS (10 * NS_PER_MS)

_Static_assert(HUB_BOARD_OUT_MAX >= FC_BOARD_OUT_MAX, "room for what either says");

/* From standard input, a line at a time. */
struct command_line {
        char text[256];
        size_t len;
        bool ended;
};

struct fc_process {
        const struct fc_process_options *options;
        struct link *link;
        struct fc_board board;
        struct hub_board hub; /* in its place */
        struct command_line *commands; /* of the hub's; NULL: none */
        bool gone;
        struct busy_wait busy;
};

/* With two ends that look, two processors would be taken: the rig's is enough where a third is needed. */
static int64_t look_ns(const struct link_spec *link)
{
        return link_is_pty(link) ? 0 : BUSY_WAIT_MOST_NS;
}

static void say(struct fc_process *p, const void *bytes, size_t len)
{
        const uint8_t *at = bytes;
        int64_t give_up_ns = clock_now_ns() + 100 * NS_PER_MS;

        while (len > 0 && !p->gone) {
                struct pollfd room = { .fd = p->link->fd, .events = POLLOUT };
                int n = link_write(p->link, at, len);

                if (n == LINK_GONE) {
                        p->gone = true;
                        return;
                }
                at += n;
                len -= (size_t)n;
                if (len > 0 && clock_now_ns() > give_up_ns)
                        return;
                if (len > 0)
                        poll(&room, 1, 1);
        }
}

static size_t board_receive(struct fc_process *p, const uint8_t *bytes, size_t n,
                            uint8_t *out, size_t *len)
{
        if (p->options->hub != NULL)
                return hub_board_receive(&p->hub, bytes, n, clock_now_ns(), out, len);
        return fc_board_receive(&p->board, bytes, n, clock_now_ns(), out, len);
}

static bool receive_bytes(struct fc_process *p)
{
        uint8_t buf[2048], out[HUB_BOARD_OUT_MAX];
        size_t at = 0;
        int n;

        link_at(p->link, clock_now_ns());
        n = link_read(p->link, buf, sizeof buf);
        if (n == LINK_GONE)
                p->gone = true;
        if (n <= 0)
                return false;
        while (at < (size_t)n && !p->gone) {
                size_t len;

                at += board_receive(p, buf + at, (size_t)n - at, out, &len);
                /* What has an answer was a message. */
                if (len > 0)
                        link_confirm(p->link);
                say(p, out, len);
        }
        return true;
}

static void mind_silence(struct fc_process *p)
{
        uint8_t out[FC_BOARD_OUT_MAX];

        if (p->options->hub == NULL)
                say(p, out, fc_board_silence(&p->board, clock_now_ns(), out));
}

static void obey_line(struct fc_process *p, const char *line)
{
        char why[HUB_TEXT_MAX];

        if (!hub_words_obey(&p->hub.hub, p->options->hub, line, why))
                terminal_complain("hub", "%s", why);
}

/* They wait for the first frame, as a hello forgets what was before. One that is too long is cut, and complained of
 * by its words. */
static void obey_commands(struct fc_process *p)
{
        struct command_line *c = p->commands;
        struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
        char *end;

        while (c != NULL && p->hub.hilp.frame_seen && !c->ended && poll(&fd, 1, 0) > 0) {
                ssize_t n =
                        read(STDIN_FILENO, c->text + c->len, sizeof c->text - 1 - c->len);

                c->ended = n <= 0;
                c->len += n > 0 ? (size_t)n : 0;
                c->text[c->len] = '\0';
                while ((end = strchr(c->text, '\n')) != NULL ||
                       (c->len > 0 && (c->ended || c->len == sizeof c->text - 1))) {
                        size_t used = end != NULL ? (size_t)(end - c->text) + 1 : c->len;

                        if (end != NULL)
                                *end = '\0';
                        obey_line(p, c->text);
                        c->len -= used;
                        memmove(c->text, c->text + used, c->len + 1);
                }
        }
}

static bool is_lockstep(const struct fc_process *p)
{
        return hilp_board_lockstep(p->options->hub != NULL ? &p->hub.hilp
                                                           : &p->board.hilp);
}

static void wait_for_bytes(struct fc_process *p)
{
        struct pollfd fd = { .fd = p->link->fd, .events = POLLIN };
        struct timespec timeout = clock_timespec(WAIT_NS);
        int64_t begin_ns = clock_now_ns();

        do {
                if (receive_bytes(p) || p->gone) {
                        busy_wait_learn(&p->busy, clock_now_ns() - begin_ns, false);
                        return;
                }
        } while (is_lockstep(p) && busy_wait_again(&p->busy, begin_ns));
        ppoll(&fd, 1, &timeout, NULL);
        if (receive_bytes(p))
                busy_wait_learn(&p->busy, clock_now_ns() - begin_ns, true);
        else if (!p->gone && (fd.revents & POLLHUP)) /* nobody at the other end yet */
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
}

static void serve(struct fc_process *p)
{
        uint32_t unique = (uint32_t)(clock_now_ns() / NS_PER_US) ^ (uint32_t)getpid();
        bool *goodbye = p->options->hub != NULL ? &p->hub.goodbye : &p->board.goodbye;
        char name[40];

        snprintf(name, sizeof name, "%s %s",
                 p->options->hub != NULL ? "hilrig-hub" : "hilrig-fc", hilrig_version());
        if (p->options->hub != NULL)
                hub_board_init(&p->hub, p->options->hub, name, unique);
        else
                fc_board_init(&p->board, &p->options->params, name, unique);
        while (!p->gone && !(*goodbye && p->options->once)) {
                wait_for_bytes(p);
                mind_silence(p);
                obey_commands(p);
        }
}

int fc_process_run(const struct fc_process_options *options)
{
        struct sched_param param = { .sched_priority = options->priority };
        const char *name = options->hub != NULL ? "hub" : "fc";
        struct command_line commands = { .len = 0 };
        bool served = false, goodbye;

        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        if (options->priority > 0)
                pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
        for (;;) {
                struct fc_process p = { .options = options,
                                        .busy.most_ns = look_ns(&options->link),
                                        .commands =
                                                options->commands ? &commands : NULL };
                struct link_error why;

                p.link = link_open(&options->link, &why);
                if (p.link == NULL && served && (options->returns || !options->once)) {
                        clock_sleep_until(clock_now_ns() + WAIT_NS);
                        continue;
                }
                served = true;
                if (p.link == NULL) {
                        terminal_complain(name, "%s", why.text);
                        return 2;
                }
                if (!options->quiet)
                        terminal_print(stderr, "%s: serving on %s\n", name, p.link->name);
                serve(&p);
                link_close(p.link);
                goodbye = p.board.goodbye || p.hub.goodbye;
                if (options->once && (goodbye || !options->returns))
                        return 0;
                if (!options->quiet)
                        fprintf(stderr, "%s: the rig is gone, waiting for the next\n",
                                name);
        }
}

pid_t fc_process_spawn(const struct fc_process_options *options)
{
        pid_t parent = getpid();
        pid_t child = fork();
        sigset_t none;

        if (child != 0)
                return child;
        /* Its own group: Ctrl-C is for the rig, which says goodbye. */
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
        if (getppid() != parent)
                _exit(2);
        prctl(PR_SET_NAME, options->hub != NULL ? "hilrig-hub" : "hilrig-fc", 0UL, 0UL,
              0UL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        /* The rig's ends of the links must close when the rig closes them. */
        close_range(3, ~0U, 0);
        _exit(fc_process_run(options));
}
