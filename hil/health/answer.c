/* Who a board says that it is, by its hello or by a tool; and while it talks, the soak of its link. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/health/health.h"
#include "hil/time/clock.h"

#define OPEN_AGAIN_NS (50 * NS_PER_MS)

static void judge_answer(struct health *h, struct health_boot *b, const char *says,
                         double answer_s)
{
        snprintf(b->says, sizeof b->says, "%s", says);
        b->figure[HEALTH_ANSWER_S] = answer_s;
        if (h->says[0] != '\0' && strcmp(h->says, says) != 0)
                health_judge(b, HEALTH_ANSWERS, HEALTH_FAILED,
                             "says \"%.150s\", and said \"%.150s\" before", says,
                             h->says);
        else
                health_judge(b, HEALTH_ANSWERS, HEALTH_PASSED,
                             "says \"%.150s\" after %.3f s", says, answer_s);
        snprintf(h->says, sizeof h->says, "%s", says);
}

static void judge_soak(struct health_boot *b)
{
        const struct health_soak *s = &b->soak;
        double *f = b->figure;

        if (s->stopped) {
                health_skip(b, HEALTH_LINK, "was interrupted");
                return;
        }
        f[HEALTH_P50_US] = 1e6 * s->p50_s;
        f[HEALTH_P99_US] = 1e6 * s->p99_s;
        f[HEALTH_P999_US] = 1e6 * s->p999_s;
        f[HEALTH_DRIFT_US] = 1e6 * s->drift_s;
        f[HEALTH_UNANSWERED] = s->unanswered;
        f[HEALTH_CRC_ERRORS] = s->crc_errors;
        f[HEALTH_LOST] = s->lost;
        f[HEALTH_ODD] = s->odd;
        f[HEALTH_DROPPED] = s->dropped;
        health_judge(b, HEALTH_LINK,
                     health_soak_is_clean(s) ? HEALTH_PASSED : HEALTH_FAILED,
                     "%u frames, %u unanswered, %u with a wrong CRC, %u lost, %u that "
                     "cannot be, %u bytes dropped%s%s",
                     s->sent, s->unanswered, s->crc_errors, s->lost, s->odd, s->dropped,
                     s->gone        ? "; the link ended"
                     : s->restarted ? "; it restarted"
                     : s->silent    ? "; it fell silent"
                                    : "",
                     health_soak_is_timely(s)
                             ? ""
                             : "; this host was too late for round trips to count");
}

static void say_goodbye(struct conform_talk *t)
{
        struct hilp_message m = { .type = HILP_GOODBYE };

        conform_wire_resume(t->wire);
        for (int i = 0; i < 3; i++)
                conform_talk_say(t, &m);
}

/* A device that has come back may still belong to nobody who may open it. */
static struct link *open_link(const struct farm_board *board, int64_t until_ns,
                              struct link_error *why)
{
        struct link_spec spec;
        struct link *link;

        if (!link_spec_parse(&spec, board->link[0], why))
                return NULL;
        spec.patience_ms = (int)(board->identify.timeout_ns / NS_PER_MS);
        while ((link = link_open(&spec, why)) == NULL && clock_now_ns() < until_ns)
                clock_sleep_until(clock_now_ns() + OPEN_AGAIN_NS);
        return link;
}

static void talk_over(struct health *h, struct health_boot *b, struct link *link,
                      int64_t on_ns)
{
        struct conform_talk *t = calloc(1, sizeof *t);
        struct conform_wire wire;

        if (t == NULL) {
                health_skip(b, HEALTH_ANSWERS, "out of memory");
                health_skip(b, HEALTH_LINK, "out of memory");
                return;
        }
        conform_wire_link(&wire, link, h->options.stop_fd);
        conform_talk_init(t, &wire, h->options.rotors, h->options.period_ns);
        if (!conform_talk_hello(t, false, h->board->identify.timeout_ns)) {
                health_judge(b, HEALTH_ANSWERS,
                             wire.stopped ? HEALTH_NOT_JUDGED : HEALTH_FAILED, "%s",
                             wire.stopped ? "was interrupted" : "does not answer HELLO");
                health_skip(b, HEALTH_LINK, "does not answer HELLO");
        } else {
                judge_answer(h, b, t->board.name, 1e-9 * (double)(t->greeted_ns - on_ns));
                if (h->options.soak_s > 0.0) {
                        health_soak(t, h->options.period_ns, h->options.soak_s, &b->soak);
                        judge_soak(b);
                } else {
                        health_skip(b, HEALTH_LINK, "--soak 0");
                }
        }
        say_goodbye(t);
        free(t);
}

static void ask_by_hello(struct health *h, struct health_boot *b, int64_t on_ns)
{
        struct link_error why;
        struct link *link =
                open_link(h->board, clock_now_ns() + h->board->identify.timeout_ns, &why);

        if (link == NULL) {
                health_judge(b, HEALTH_ANSWERS, HEALTH_FAILED, "%s", why.text);
                health_skip(b, HEALTH_LINK, "its link could not be opened");
                return;
        }
        talk_over(h, b, link, on_ns);
        link_close(link);
}

void health_ask_who(struct health *h, struct health_boot *b, int64_t on_ns)
{
        char words[FARM_WHY_MAX];

        if (!h->board->identify.used) {
                health_skip(b, HEALTH_ANSWERS, "has no \"identify\" in the farm file");
                health_skip(b, HEALTH_LINK,
                            "whether it speaks the rig's protocol is not known: "
                            "has no \"identify\" by conform");
                return;
        }
        if (h->board->identify.by == IDENTIFY_CONFORM) {
                ask_by_hello(h, b, on_ns);
                return;
        }
        health_skip(b, HEALTH_LINK,
                    "is not asked in the rig's protocol (identify is not by conform)");
        if (farm_identify(h->board, words) == FARM_DONE)
                judge_answer(h, b, words, 1e-9 * (double)(clock_now_ns() - on_ns));
        else
                health_judge(b, HEALTH_ANSWERS, HEALTH_FAILED, "%.350s", words);
}
