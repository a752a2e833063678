#include "tests/usb/pad_analyzer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"
#include "hil/config/config.h"

static const char *const fault_names[] = { "",        "lose",   "cut",     "stall",
                                           "overrun", "unplug", "dead-pad" };

void pad_analyzer_init(struct pad_analyzer *a)
{
        memset(a, 0, sizeof *a);
        a->rate_hz = 24e6;
        a->protocol = MOTOR_DSHOT600;
}

static bool take_fault(struct pad_analyzer *a, const char *name)
{
        for (int i = PAD_FAULT_LOSE; i <= PAD_FAULT_DEAD_PAD; i++)
                if (strcmp(name, fault_names[i]) == 0)
                        a->fault = (enum pad_fault)i;
        return a->fault != PAD_FAULT_NONE;
}

static bool take_firmware(struct pad_analyzer *a, const char *path)
{
        FILE *f = fopen(path, "rb");

        if (f == NULL) {
                perror(path);
                return false;
        }
        a->firmware_len = fread(a->firmware, 1, sizeof a->firmware, f);
        fclose(f);
        return a->firmware_len > 0;
}

static bool take_params(struct pad_analyzer *a, const char *path)
{
        struct config_error why;

        if (config_read_fc(&a->params, path, &why))
                return true;
        fprintf(stderr, "analyzer: %s\n", why.text);
        return false;
}

static bool take_link(struct pad_analyzer *a, const char *text)
{
        struct link_error why;

        if (link_spec_parse(&a->spec, text, &why))
                return true;
        fprintf(stderr, "analyzer: %s\n", why.text);
        return false;
}

bool pad_analyzer_option(struct pad_analyzer *a, const char *name, const char *value)
{
        if (strcmp(name, "--link") == 0)
                return take_link(a, value);
        if (strcmp(name, "--params") == 0)
                return take_params(a, value);
        if (strcmp(name, "--firmware") == 0)
                return take_firmware(a, value);
        if (strcmp(name, "--fault") == 0)
                return take_fault(a, value);
        if (strcmp(name, "--mhz") == 0)
                a->rate_hz = atof(value) * 1e6;
        else if (strcmp(name, "--dshot") == 0)
                a->protocol = atoi(value) == 150   ? MOTOR_DSHOT150
                              : atoi(value) == 300 ? MOTOR_DSHOT300
                                                   : MOTOR_DSHOT600;
        else if (strcmp(name, "--at") == 0)
                a->fault_at = strtoull(value, NULL, 10);
        else
                return false;
        return a->rate_hz > 0.0;
}

static bool wait_for_rig(struct pad_analyzer *a)
{
        struct link_error why;

        pad_analyzer_close(a);
        a->link = link_open(&a->spec, &why);
        if (a->link == NULL)
                fprintf(stderr, "analyzer: %s\n", why.text);
        return a->link != NULL;
}

bool pad_analyzer_open(struct pad_analyzer *a)
{
        emulated_fx2_init(&a->fx2, 0x0925, 0x3881, a->firmware_len > 0);
        a->fx2.firmware = a->firmware_len > 0 ? a->firmware : NULL;
        a->fx2.firmware_len = a->firmware_len;
        if (a->params.rotors == 0)
                return true;
        pad_board_init(&a->board, &a->params, a->protocol, a->rate_hz);
        /* A frame in each piece of samples, however short. */
        if (a->by_clock)
                a->board.first_s = 20e-6;
        return wait_for_rig(a);
}

void pad_analyzer_close(struct pad_analyzer *a)
{
        if (a->link != NULL)
                link_close(a->link);
        a->link = NULL;
}

static void go_wrong(struct pad_analyzer *a)
{
        switch (a->fault) {
        case PAD_FAULT_LOSE:
                a->fx2.lose = 2;
                break;
        case PAD_FAULT_CUT:
                a->fx2.cut = 512;
                break;
        case PAD_FAULT_STALL:
                a->fx2.stall = true;
                break;
        case PAD_FAULT_OVERRUN:
                emulated_fx2_overrun(&a->fx2);
                break;
        case PAD_FAULT_UNPLUG:
                a->pull = true;
                break;
        case PAD_FAULT_DEAD_PAD:
                a->board.dead_pad = 2;
                break;
        case PAD_FAULT_NONE:
                break;
        }
}

void pad_analyzer_sample(struct pad_analyzer *a, int64_t until)
{
        size_t count =
                pad_board_samples_to(&a->board, until, a->samples, sizeof a->samples);

        emulated_fx2_feed(&a->fx2, a->samples, count);
}

static void take_frame(struct pad_analyzer *a)
{
        if (!a->by_clock)
                pad_analyzer_sample(a, pad_board_until(&a->board));
        if (++a->frames == a->fault_at)
                go_wrong(a);
}

static void say(struct pad_analyzer *a, const uint8_t *bytes, size_t len)
{
        while (len > 0 && a->link != NULL) {
                int n = link_write(a->link, bytes, len);

                if (n <= 0)
                        return; /* the rig takes a few hundred bytes at any time, or is gone */
                bytes += n;
                len -= (size_t)n;
        }
}

void pad_analyzer_fly(struct pad_analyzer *a)
{
        uint8_t bytes[2048], out[FC_BOARD_OUT_MAX];
        int n = a->link != NULL ? link_read(a->link, bytes, sizeof bytes) : LINK_GONE;

        if (n == LINK_GONE)
                wait_for_rig(a);
        if (n > 0)
                link_confirm(a->link);
        for (int at = 0; at < n;) {
                size_t out_len = 0;
                bool fresh = false;

                at += (int)pad_board_receive(&a->board, bytes + at, (size_t)(n - at),
                                             clock_now_ns(), out, &out_len, &fresh);
                if (fresh)
                        take_frame(a);
                say(a, out, out_len);
        }
}

int pad_analyzer_fd(const struct pad_analyzer *a)
{
        return a->link != NULL ? a->link->fd : -1;
}

void pad_analyzer_report(const struct pad_analyzer *a, uint64_t plugged, uint64_t broken)
{
        printf("plugged %llu, frames %llu, firmware %zu, misloaded %s, starts %llu, "
               "given %llu, broken or stalled %llu, overruns %llu\n",
               (unsigned long long)plugged, (unsigned long long)a->frames, a->fx2.loaded,
               a->fx2.misloaded ? "yes" : "no", (unsigned long long)a->fx2.starts,
               (unsigned long long)a->fx2.given, (unsigned long long)broken,
               (unsigned long long)a->fx2.overruns);
}
