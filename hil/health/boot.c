/* One boot of a board, and what is looked at in it. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hil/health/health.h"
#include "hil/health/said.h"
#include "hil/record/signal_hash.h"
#include "hil/text/files.h"
#include "hil/time/clock.h"

#define USB_READY_NS (500 * NS_PER_MS) /* from a device to its ids */
#define USB_LOOK_NS  (10 * NS_PER_MS)

void health_judge(struct health_boot *b, enum health_claim claim, enum health_is is,
                  const char *format, ...)
{
        va_list args;

        b->claim[claim].is = is;
        va_start(args, format);
        vsnprintf(b->claim[claim].text, sizeof b->claim[claim].text, format, args);
        va_end(args);
}

void health_skip(struct health_boot *b, enum health_claim claim, const char *why)
{
        health_judge(b, claim, HEALTH_NOT_JUDGED, "%s", why);
}

static double since_s(const struct farm_times *t)
{
        return t->seen_ns > 0 ? 1e-9 * (double)(t->seen_ns - t->told_ns) : (double)NAN;
}

/* ---- Power */

static void judge_return(struct health_boot *b, enum farm_outcome was,
                         const char *off_words, enum farm_outcome is,
                         const char *on_words)
{
        if (was == FARM_NOT_DONE || is == FARM_NOT_DONE)
                health_judge(b, HEALTH_RETURNS, HEALTH_FAILED, "%s",
                             is == FARM_NOT_DONE ? on_words : off_words);
        else if (was == FARM_DONE && is == FARM_DONE)
                health_judge(b, HEALTH_RETURNS, HEALTH_PASSED,
                             "gone after %.3f s, back after %.3f s",
                             b->figure[HEALTH_GONE_S], b->figure[HEALTH_BACK_S]);
        else
                health_skip(b, HEALTH_RETURNS,
                            was == FARM_NOT_SEEN ? off_words : on_words);
}

/* False: a tool failed, in `why`. *on: when it was told to be on, or is asked. */
static bool cycle_power(struct health *h, struct health_boot *b, int64_t *on_ns,
                        char why[FARM_WHY_MAX])
{
        struct farm_times off = { 0 }, on = { 0 };
        char off_words[FARM_WHY_MAX];
        enum farm_outcome was, is;

        *on_ns = clock_now_ns();
        if (!h->board->power.used) {
                health_skip(b, HEALTH_RETURNS, "has no \"power\" in the farm file");
                return true;
        }
        /* It may have gone when the boot before closed its link, to come back at once: of what is gone before it is
         * switched off, nothing is shown. */
        if (farm_device(h->board) == DEVICE_GONE)
                farm_device_await(h->board, DEVICE_THERE, h->board->power.timeout_ns);
        was = farm_power_timed(h->board, false, &off, off_words);
        if (was == FARM_COULD_NOT) {
                memcpy(why, off_words, FARM_WHY_MAX);
                return false;
        }
        clock_sleep_until(clock_now_ns() + h->board->power.off_ns);
        is = farm_power_timed(h->board, true, &on, why);
        if (is == FARM_COULD_NOT)
                return false;
        *on_ns = on.told_ns;
        b->figure[HEALTH_GONE_S] = since_s(&off);
        b->figure[HEALTH_BACK_S] = since_s(&on);
        judge_return(b, was, off_words, is, why);
        return true;
}

/* ---- USB */

/* The kernel shows a device a moment before its ids. */
static bool await_usb(const struct farm_board *board, struct farm_usb *usb)
{
        int64_t until_ns = clock_now_ns() + USB_READY_NS;

        while (!farm_usb_look(board, usb)) {
                if (clock_now_ns() >= until_ns)
                        return false;
                clock_sleep_until(clock_now_ns() + USB_LOOK_NS);
        }
        return true;
}

static void judge_usb(struct health *h, struct health_boot *b)
{
        struct farm_usb now;

        if (h->board->usb[0] == '\0') {
                health_skip(b, HEALTH_USB, "has no \"usb\" in the farm file");
                return;
        }
        if (!h->board->power.used) {
                health_skip(b, HEALTH_USB, "was not switched off");
                return;
        }
        if (!await_usb(h->board, &now)) {
                health_judge(b, HEALTH_USB, HEALTH_FAILED,
                             "there is no USB device with ids at %s", h->board->usb);
                return;
        }
        if (h->usb.path[0] == '\0')
                health_judge(b, HEALTH_USB, HEALTH_NOT_JUDGED,
                             "%s at %s; it was not there before", now.ids, now.path);
        else if (strcmp(h->usb.ids, now.ids) != 0 || strcmp(h->usb.path, now.path) != 0)
                health_judge(b, HEALTH_USB, HEALTH_FAILED,
                             "is %.100s at %s, and was %.100s at %s", now.ids, now.path,
                             h->usb.ids, h->usb.path);
        else
                health_judge(b, HEALTH_USB, HEALTH_PASSED, "%.200s at %s", now.ids,
                             now.path);
        h->usb = now;
}

/* ---- What its tools say */

/* All that the tool prints, to be freed; NULL with the reason. */
static char *ask(const struct health *h, const struct farm_question *q,
                 char why[FARM_WHY_MAX])
{
        char file[700];
        const void *bytes;
        const char *unread;
        struct tool t = { 0 };
        char *text = NULL;
        size_t len;

        farm_question_tool(h->board, q, &t);
        snprintf(file, sizeof file, "%s/%s/said.txt", h->options.out, h->board->name);
        if (!tool_run_into(&t, q->timeout_ns, file, why, FARM_WHY_MAX))
                return NULL;
        bytes = mapped_file_open(file, &len, &unread);
        if (bytes != NULL)
                text = strndup(bytes, len);
        snprintf(why, FARM_WHY_MAX, "%s printed nothing", t.word[0]);
        mapped_file_close(bytes, len);
        return text;
}

static void judge_parameters(struct health *h, struct health_boot *b, const char *now,
                             const char *why)
{
        char names[200];
        int changes;

        if (h->parameters == NULL) {
                health_judge(b, HEALTH_PARAMETERS, HEALTH_NOT_JUDGED,
                             "could not be read before: %.300s", h->parameters_why);
                return;
        }
        if (now == NULL) {
                health_judge(b, HEALTH_PARAMETERS, HEALTH_FAILED,
                             "can no longer be read: %.300s", why);
                return;
        }
        changes = said_lines_changed(h->parameters, now, names, sizeof names);
        b->figure[HEALTH_CHANGED] = changes;
        if (changes == 0)
                health_judge(b, HEALTH_PARAMETERS, HEALTH_PASSED, "sha256 %.16s...",
                             b->parameters_sha256);
        else
                health_judge(b, HEALTH_PARAMETERS, HEALTH_FAILED, "%d changed: %s",
                             changes, names);
}

/* The last ones that were read are what the next boot is held against. */
static void keep_parameters(struct health *h, char *now, const char *why)
{
        if (now == NULL) {
                snprintf(h->parameters_why, sizeof h->parameters_why, "%s", why);
                return;
        }
        free(h->parameters);
        h->parameters = now;
}

static void ask_parameters(struct health *h, struct health_boot *b)
{
        char why[FARM_WHY_MAX], *now;

        if (!h->board->parameters.used) {
                health_skip(b, HEALTH_PARAMETERS,
                            "has no \"parameters\" in the farm file");
                return;
        }
        now = ask(h, &h->board->parameters, why);
        if (now != NULL)
                sha256_hex(now, strlen(now), b->parameters_sha256);
        if (h->board->power.used)
                judge_parameters(h, b, now, why);
        else
                health_skip(b, HEALTH_PARAMETERS, "was not switched off");
        keep_parameters(h, now, why);
}

static void ask_storage(struct health *h, struct health_boot *b)
{
        double *free_bytes = &b->figure[HEALTH_FREE_BYTES];
        double *errors = &b->figure[HEALTH_STORAGE_ERRORS];
        char why[FARM_WHY_MAX], *text;

        if (!h->board->storage.used) {
                health_skip(b, HEALTH_STORAGE, "has no \"storage\" in the farm file");
                return;
        }
        text = ask(h, &h->board->storage, why);
        if (text == NULL) {
                health_judge(b, HEALTH_STORAGE, HEALTH_FAILED, "cannot be read: %.300s",
                             why);
                return;
        }
        said_storage(text, free_bytes, errors);
        free(text);
        if (isnan(*errors))
                health_skip(b, HEALTH_STORAGE,
                            isnan(*free_bytes) ? "the command printed neither errors nor "
                                                 "free_bytes"
                                               : "the command does not tell errors");
        else
                health_judge(b, HEALTH_STORAGE,
                             *errors > 0.0 ? HEALTH_FAILED : HEALTH_PASSED, "%.0f errors",
                             *errors);
}

/* ---- All of it */

static void skip_rest(struct health_boot *b, const char *why)
{
        for (int i = HEALTH_USB; i < HEALTH_CLAIMS; i++)
                health_skip(b, (enum health_claim)i, why);
}

bool health_boot(struct health *h, struct health_boot *b, char why[FARM_WHY_MAX])
{
        int64_t begin_ns = clock_now_ns(), on_ns;

        *b = (struct health_boot){ .says = "" };
        for (int i = 0; i < HEALTH_FIGURES; i++)
                b->figure[i] = (double)NAN;
        if (!cycle_power(h, b, &on_ns, why))
                return false;
        if (farm_device(h->board) == DEVICE_GONE) {
                if (b->claim[HEALTH_RETURNS].is != HEALTH_FAILED)
                        health_judge(b, HEALTH_RETURNS, HEALTH_FAILED,
                                     "its device is not there");
                skip_rest(b, "its device is not there");
        } else {
                judge_usb(h, b);
                health_ask_who(h, b, on_ns);
                ask_parameters(h, b);
                ask_storage(h, b);
        }
        b->wall_s = 1e-9 * (double)(clock_now_ns() - begin_ns);
        return true;
}

bool health_before(struct health *h, char why[FARM_WHY_MAX])
{
        char said[FARM_WHY_MAX], *parameters;

        if (farm_device(h->board) == DEVICE_GONE && h->board->power.used &&
            farm_power(h->board, true, why) == FARM_COULD_NOT)
                return false;
        if (farm_device(h->board) == DEVICE_GONE)
                return true;
        farm_usb_look(h->board, &h->usb);
        /* It may have begun to start only now. */
        if (h->board->identify.used && farm_identify(h->board, said) == FARM_DONE)
                snprintf(h->says, sizeof h->says, "%s", said);
        if (h->board->parameters.used && h->board->power.used) {
                parameters = ask(h, &h->board->parameters, said);
                keep_parameters(h, parameters, said);
        }
        return true;
}
