/* `hilrig capture`: what the motor pads of a flight controller say, from an analyzer, a capture board
 * or a recording. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hil/capture/run.h"
#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "io/log/sr_metadata.h"
#include "hil/text/terminal.h"

struct capture_request {
        struct capture_job job;
        double glitch_ns;
};

static bool refuse_option(const char *option, const char *value, const char *expectation)
{
        return terminal_complain("capture", "%s: must be %s, is \"%s\"", option,
                                 expectation, value);
}

static bool take_pads(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;

        for (const char *p = value;; p += 2) {
                if (*p < '0' || *p >= '0' + MOTOR_PADS_MAX ||
                    (p[1] != ',' && p[1] != '\0'))
                        return refuse_option(spec->name, value,
                                             "numbers 0 to 7, as 0,1,2,3");
                job->mask |= (uint8_t)(1U << (*p - '0'));
                if (p[1] == '\0')
                        return true;
        }
}

static bool take_range(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;
        struct motor_range *r = &job->pad.range;
        const char *colon = strchr(value, ':');
        char low[32];

        if (colon != NULL && (size_t)(colon - value) < sizeof low) {
                snprintf(low, sizeof low, "%.*s", (int)(colon - value), value);
                if (options_double(low, &r->low) && options_double(colon + 1, &r->high) &&
                    r->low >= 500.0 && r->high > r->low && r->high <= 2500.0)
                        return true;
        }
        return refuse_option(spec->name, value, "LOW:HIGH within 500:2500 us");
}

static bool take_protocol(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;

        if (motor_protocol_find(value, &job->pad.protocol) &&
            job->pad.protocol != MOTOR_UNKNOWN)
                return true;
        fprintf(stderr, "hilrig capture: %s: must be one of", spec->name);
        for (int p = MOTOR_UNKNOWN + 1; p < MOTOR_PROTOCOLS; p++)
                fprintf(stderr, "%s %s", p > 1 ? "," : "",
                        motor_protocol_name((enum motor_protocol)p));
        terminal_print(stderr, ", is \"%s\"\n", value);
        return false;
}

static bool take_polarity(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;

        return motor_polarity_find(value, &job->pad.polarity) ||
               refuse_option(spec->name, value, "normal, inverted or auto");
}

static bool take_source(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;
        double rate_hz = job->source.rate_hz;
        struct link_error why;

        if (!capture_spec_parse(&job->source, value, &why))
                return terminal_complain("capture", "%s: %s", spec->name,
                                         capture_run_own_words(why.text));
        job->source.rate_hz = rate_hz;
        return true;
}

static bool take_from(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;

        if (value[0] == '\0' || strlen(value) >= sizeof job->source.path)
                return refuse_option(spec->name, value, "a path of 1 to 159 characters");
        job->source = (struct capture_spec){ .kind = CAPTURE_SR,
                                             .rate_hz = job->source.rate_hz };
        snprintf(job->source.path, sizeof job->source.path, "%s", value);
        return true;
}

static bool take_rate(void *of, const struct option_spec *spec, const char *value)
{
        struct capture_job *job = &((struct capture_request *)of)->job;

        job->source.rate_hz = sr_rate_parse(value);
        return job->source.rate_hz > 0.0 ||
               refuse_option(spec->name, value, "in Hz, as 24M or 500k");
}

static const struct option_spec specs[] = {
        { "--source", "SPEC", "fx2, fx2:BUS-PATH, fx2:VID:PID, board:LINK, sr:FILE; fx2",
          OTHER(take_source) },
        { "--from", "FILE.sr", "decode a recording: the same as --source sr:FILE.sr",
          OTHER(take_from) },
        { "--rate", "HZ", "samples a second of an analyzer, as 24M or 12000000; 24M",
          OTHER(take_rate) },
        { "--pads", "0,1,...", "look at these inputs only", OTHER(take_pads) },
        { "--protocol", "NAME", "of all pads, instead of recognising it: DSHOT600, PWM",
          OTHER(take_protocol) },
        { "--polarity", "NAME",
          "of all pads, normal or inverted, instead of recognising it",
          OTHER(take_polarity) },
        { "--range", "LOW:HIGH", "of PWM, in us, what counts as none and full; 1000:2000",
          OTHER(take_range) },
        { "--3d", NULL, "both directions: the middle of the range is stop",
          FLAG(capture_request, job.pad.range.three_d) },
        { "--glitch", "NS", "levels shorter than this are noise; 0",
          NUMBER(capture_request, glitch_ns, 0, 1e9) },
        { "--seconds", "S", "end after so much of the capture's own time",
          NUMBER(capture_request, job.seconds, 0, 1e9) },
        { "--record", "FILE.sr",
          "write the samples, for sigrok-cli, PulseView and --from",
          TEXT(capture_request, job.record) },
        { "--words", NULL, "of a recording: each word that was decoded, a line each",
          FLAG(capture_request, job.words) },
        { "--json", NULL,
          "JSON, a line at a time: live once a second; each word; the end",
          FLAG(capture_request, job.json) },
        { NULL },
};

static const struct options options = {
        .command = "capture",
        .specs = specs,
        .usage = "capture [--source SPEC] [--record FILE.sr] [--seconds S]...\n"
                 "       hilrig capture --from FILE.sr [--words] [--json]...\n\n"
                 "A live table of what each motor pad says; Ctrl-C ends it. Props off.\n"
                 "Exit status 0: done; 1: no pad spoke a motor protocol; 2: could not "
                 "run, "
                 "or the\nsource went away; 3: the recording has gaps, or no end.",
};

static bool is_same_file(const char *a, const char *b)
{
        struct stat one, other;

        return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
               one.st_ino == other.st_ino;
}

/* What is written must not be what is read, nor take the place of a folder or a device. */
static bool check_record(const struct capture_job *job)
{
        const char *what = NULL;
        char part[sizeof job->source.path + 8];
        struct stat st;

        snprintf(part, sizeof part, "%s.part", job->record);
        if (job->record[0] == '\0')
                return refuse_option("--record", job->record, "a file");
        if (stat(job->record, &st) == 0 && !S_ISREG(st.st_mode))
                what = "is not a file";
        else if (job->source.kind != CAPTURE_SR)
                return true;
        else if (is_same_file(job->record, job->source.path))
                what = "is what is read";
        else if (is_same_file(part, job->source.path))
                what = "is written as .part first, which is what is read: give another "
                       "name";
        if (what != NULL)
                terminal_complain("capture", "--record %s: %s", job->record, what);
        return what == NULL;
}

static bool check(const struct capture_job *job)
{
        if (job->words && job->source.kind != CAPTURE_SR)
                return terminal_complain("capture",
                                         "--words: only of a recording (--from)");
        if (job->source.rate_hz > 0.0 && job->source.kind != CAPTURE_FX2)
                return terminal_complain("capture",
                                         "--rate: only of an analyzer; a recording and a "
                                         "capture board have their own");
        if (job->record != NULL && job->source.kind == CAPTURE_BOARD)
                return terminal_complain(
                        "capture", "--record: a capture board sends no samples; only "
                                   "those of an analyzer or a file can be recorded");
        return job->record == NULL || check_record(job);
}

int capture_command(int argc, char **argv)
{
        struct capture_request w = {
                .job.source = { .kind = CAPTURE_FX2, .usb_vid = -1, .usb_pid = -1 },
                .job.pad.range = { .low = 1000.0, .high = 2000.0 },
        };
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        w.job.pad.glitch_s = w.glitch_ns * 1e-9;
        return check(&w.job) ? capture_run(&w.job) : 2;
}
