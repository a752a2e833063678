#include "hil/fc_process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/clock.h"
#include "hil/spin.h"
#include "hil/version.h"
#include "io/hilp_board.h"
#include "models/fc/option.h"

#define WAIT_NS         (10 * NS_PER_MS)
#define SILENCE_NS      (20 * NS_PER_MS)
#define STATE_PERIOD_NS (20 * NS_PER_MS)
#define TEXT_PERIOD_NS  NS_PER_S
#define REAP_NS         (2 * NS_PER_S)

struct fc_process {
        const struct fc_process_options *options;
        struct link *link;
        struct hilp_board board;
        struct fc fc;
        struct fc_params params; /* with what options made of them since the hello */
        int64_t frame_host_ns; /* when the last sensor frame came */
        int64_t silence_ns; /* up to when fc_silence() has been told */
        int64_t state_ns; /* simulated time of the last STATE */
        int64_t text_host_ns;
        char text[sizeof((struct fc *)0)->text];
        bool goodbye, gone;
        struct spin spin;
};

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

static size_t add_state(struct fc_process *p, int64_t t_ns, uint8_t *out)
{
        const struct fc_estimator *e = &p->fc.estimator;
        struct fc_estimate estimate = { .q_body_to_ned = e->q_body_to_ned,
                                        .pos_ned_m = e->pos_ned_m,
                                        .vel_ned_mps = e->vel_ned_mps };

        if (!e->aligned || t_ns - p->state_ns < STATE_PERIOD_NS)
                return 0;
        p->state_ns = t_ns;
        return hilp_board_state(&p->board, &estimate, out);
}

/* News at once, the same words again only after a while. */
static size_t add_text(struct fc_process *p, int64_t now_ns, uint8_t *out)
{
        bool same = strcmp(p->fc.text, p->text) == 0;

        if (p->fc.text[0] == '\0' || (same && now_ns - p->text_host_ns < TEXT_PERIOD_NS))
                return 0;
        memcpy(p->text, p->fc.text, sizeof p->text);
        p->text_host_ns = now_ns;
        p->fc.text[0] = '\0';
        return hilp_board_text(&p->board, 0, p->text, out);
}

static void answer(struct fc_process *p, const struct motor_command *command,
                   int64_t t_ns, int64_t now_ns)
{
        uint8_t out[3 * HILP_FRAME_MAX];
        size_t len =
                hilp_board_motors(&p->board, command, p->params.rotors, fc_armed(&p->fc),
                                  p->fc.failsafe, fc_mode(&p->fc), out);

        len += add_state(p, t_ns, out + len);
        len += add_text(p, now_ns, out + len);
        say(p, out, len);
}

/* As if just switched on: no option of the last conversation holds in this one. */
static void start(struct fc_process *p)
{
        p->params = p->options->params;
        fc_init(&p->fc, &p->params);
        p->state_ns = 0;
}

static void set(struct fc_process *p, const struct hilp_option *o)
{
        uint8_t out[HILP_FRAME_MAX];
        bool accepted =
                fc_option(&p->fc, &p->params, &p->options->params, o->key, o->value);

        say(p, out, hilp_board_option_ack(&p->board, o->key, accepted, out));
}

static void take(struct fc_process *p, const struct hilp_board_news *news, int64_t now_ns)
{
        struct motor_command command = { 0 };

        if (news->out_len > 0)
                say(p, news->out, news->out_len);
        switch (news->event) {
        case HILP_BOARD_NOTHING:
                break;
        case HILP_BOARD_HELLO:
                start(p);
                break;
        case HILP_BOARD_OPTION:
                set(p, &news->option);
                break;
        case HILP_BOARD_INPUT:
                fc_input(&p->fc, &news->input);
                break;
        case HILP_BOARD_SENSORS:
                p->frame_host_ns = now_ns;
                p->silence_ns = now_ns;
                fc_step(&p->fc, &p->params, &news->sensors, &command);
                answer(p, &command, news->sensors.t_ns, now_ns);
                break;
        case HILP_BOARD_GOODBYE:
                start(p);
                p->goodbye = true;
                break;
        }
}

static bool receive(struct fc_process *p)
{
        uint8_t buf[2048];
        int n = link_read(p->link, buf, sizeof buf);
        size_t at = 0;

        if (n == LINK_GONE)
                p->gone = true;
        if (n <= 0)
                return false;
        while (at < (size_t)n && !p->gone) {
                struct hilp_board_news news;
                int64_t now_ns = clock_now_ns();

                at += hilp_board_receive(&p->board, buf + at, (size_t)n - at,
                                         (uint64_t)(now_ns / NS_PER_US), &news);
                take(p, &news, now_ns);
        }
        return true;
}

/* The board's own clock runs on when no frame comes; in lockstep it stands still. */
static void mind_silence(struct fc_process *p, int64_t now_ns)
{
        struct motor_command command = { 0 };

        if (!p->board.ready || hilp_board_lockstep(&p->board) || p->frame_host_ns == 0 ||
            now_ns - p->silence_ns < SILENCE_NS)
                return;
        fc_silence(&p->fc, &p->params, (double)(now_ns - p->silence_ns) * 1e-9, &command);
        p->silence_ns = now_ns;
        if (fc_armed(&p->fc) || p->fc.failsafe)
                answer(p, &command, 0, now_ns);
}

static void wait_for_bytes(struct fc_process *p)
{
        struct pollfd fd = { .fd = p->link->fd, .events = POLLIN };
        struct timespec timeout = clock_timespec(WAIT_NS);
        int64_t begin_ns = clock_now_ns();

        do {
                if (receive(p) || p->gone)
                        return;
        } while (hilp_board_lockstep(&p->board) && spin_again(&p->spin, begin_ns));
        ppoll(&fd, 1, &timeout, NULL);
        /* Readable without bytes: nobody at the other end yet. */
        if (!receive(p) && !p->gone && (fd.revents & POLLHUP))
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
}

static void serve(struct fc_process *p)
{
        const struct fc_params *params = &p->options->params;
        uint32_t unique = (uint32_t)(clock_now_ns() / NS_PER_US) ^ (uint32_t)getpid();
        char name[40];

        snprintf(name, sizeof name, "hilrig-fc %s", hilrig_version());
        hilp_board_init(&p->board, name, params->rotors, 1, unique);
        start(p);
        while (!p->gone && !(p->goodbye && p->options->once)) {
                wait_for_bytes(p);
                mind_silence(p, clock_now_ns());
        }
}

int fc_process_run(const struct fc_process_options *options)
{
        struct sched_param param = { .sched_priority = options->priority };
        bool served = false;

        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        if (options->priority > 0)
                pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
        for (;;) {
                struct fc_process p = { .options = options };
                struct link_error why;

                p.link = link_open(&options->link, &why);
                if (p.link == NULL && served && (options->returns || !options->once)) {
                        clock_sleep_until(clock_now_ns() + WAIT_NS);
                        continue;
                }
                served = true;
                if (p.link == NULL) {
                        fprintf(stderr, "hilrig fc: %s\n", why.text);
                        return 2;
                }
                if (!options->quiet)
                        fprintf(stderr, "fc: serving on %s\n", p.link->name);
                serve(&p);
                link_close(p.link);
                if (options->once && (p.goodbye || !options->returns))
                        return 0;
                if (!options->quiet)
                        fprintf(stderr, "fc: the rig is gone, waiting for the next\n");
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
        prctl(PR_SET_NAME, "hilrig-fc", 0UL, 0UL, 0UL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        /* The rig's ends of the links must close when the rig closes them. */
        close_range(3, ~0U, 0);
        _exit(fc_process_run(options));
}

void fc_process_reap(pid_t child)
{
        int64_t give_up_ns = clock_now_ns() + REAP_NS;

        while (waitpid(child, NULL, WNOHANG) == 0) {
                if (clock_now_ns() > give_up_ns) {
                        kill(child, SIGKILL);
                        waitpid(child, NULL, 0);
                        return;
                }
                clock_sleep_until(clock_now_ns() + 2 * NS_PER_MS);
        }
}
