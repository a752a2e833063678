#include "hil/cmd/latency_fly.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/latency/run.h"
#include "hil/text/json.h"

#define SETTLE_S  0.5
#define ARM_S     2.0
#define TAKEOFF_S 1.0 /* after it has armed */
#define JIG_S     4.0 /* likewise the stimulus */
#define HOVER_S   13.0
#define HOVER_M   4.0
/* In a jig nothing climbs: only a little is asked for, so that the throttle stays in the middle. */
#define END_S     0.2 /* after the stimulus */
#define JIG_M     0.3
#define WORDS_MAX (2 * OVERRIDES_MAX + 16)

/* Repetitions in front of those that count. */
static int latency_settling(double repeat_s)
{
        return (int)ceil(SETTLE_S / repeat_s);
}

static void add_flying(struct json *step, const struct latency_flight *f)
{
        json_add_string(step, "mode", "goto");
        json_add_number(step, "up_m", f->hover ? HOVER_M : JIG_M);
}

static struct json *add_hold(struct json *steps)
{
        struct json *step = json_add_object(steps, NULL), *hold;

        json_add_number(step, "at_s", 0.0);
        hold = json_add_object(step, "hold_deg");
        json_add_number(hold, "roll", 0.0);
        json_add_number(hold, "pitch", 0.0);
        return step;
}

/* It is asked to arm until it has. */
static void add_pilot(struct json *steps, const struct latency_flight *f)
{
        struct json *step;

        if (f->hover) {
                step = json_add_object(steps, NULL);
                json_add_number(step, "at_s", 0.0);
        } else {
                step = add_hold(steps);
        }
        json_add_string(step, "mode", "disarmed");
        step = json_add_object(steps, NULL);
        json_add_number(step, "at_s", ARM_S);
        json_add_string(step, "mode", "armed");
        step = json_add_object(steps, NULL);
        json_add_string(step, "when", "armed > 0");
        json_add_i64(step, "vehicle", f->vehicle);
        json_add_string(step, "mode", "armed");
        step = json_add_object(steps, NULL);
        json_add_number(step, "after_s", TAKEOFF_S);
        add_flying(step, f);
}

static double repeat_s(const struct latency_flight *f)
{
        return answer_repeat_s(f->bits, f->chip_ns);
}

static double stimulus_s(const struct latency_flight *f)
{
        return (f->repetitions + latency_settling(repeat_s(f))) * repeat_s(f);
}

/* After it has armed, by the rig's own steps. */
static double begin_after_s(const struct latency_flight *f)
{
        return f->hover ? HOVER_S : JIG_S;
}

/* By a scenario of the user's. */
static double users_begin_s(const struct latency_flight *f)
{
        return f->begin_s > 0.0 ? f->begin_s : ARM_S + begin_after_s(f);
}

static double longest_s(const struct latency_flight *f)
{
        double begin_s = fmax(f->begin_s, f->arm_s + begin_after_s(f));

        return (f->scenario != NULL ? users_begin_s(f) : begin_s) + stimulus_s(f) +
               2.0 * END_S;
}

static void add_stimulus(struct json *steps, const struct latency_flight *f)
{
        static const char *const input[3] = { "gyro_x_dps", "gyro_y_dps", "gyro_z_dps" };
        struct json *step = json_add_object(steps, NULL), *s;

        if (f->begin_s > 0.0 || f->scenario != NULL)
                json_add_number(step, "at_s", users_begin_s(f));
        else
                json_add_number(step, "after_s", begin_after_s(f) - TAKEOFF_S);
        json_add_i64(step, "vehicle", f->vehicle);
        if (f->scenario == NULL || f->jig)
                add_flying(step, f);
        s = json_add_object(step, "stimulus");
        json_add_string(s, "input", input[f->axis]);
        json_add_string(s, "shape", "prbs");
        json_add_number(s, "amplitude", f->amplitude_dps);
        json_add_i64(s, "bits", f->bits);
        json_add_number(s, "chip_us", (double)f->chip_ns * 1e-3);
        json_add_number(s, "for_s", stimulus_s(f));
}

/* The run ends when the stimulus has, or when the vehicle has not armed in time. */
static void add_ends(struct json *root, struct json *steps,
                     const struct latency_flight *f)
{
        struct json *step = json_add_object(steps, NULL), *track;
        char when[60];

        json_add_number(step, "after_s", stimulus_s(f) + END_S);
        json_add_bool(step, "end", true);
        if (f->scenario != NULL)
                return;
        track = json_add_object(json_add_array(root, "tracks"), NULL);
        json_add_string(track, "name", "not_armed");
        step = json_add_object(json_add_array(track, "steps"), NULL);
        snprintf(when, sizeof when, "time_s > %.17g and armed < 1", f->arm_s);
        json_add_string(step, "when", when);
        json_add_i64(step, "vehicle", f->vehicle);
        json_add_bool(step, "end", true);
}

/* In a jig nothing climbs: what is to be flown to lies near. */
static void add_users_step(struct json *steps, const struct latency_flight *f,
                           const struct json *from)
{
        struct json *up;

        json_add_copy(steps, NULL, from);
        up = json_member(steps->last, "up_m");
        if (f->jig && up != NULL) {
                json_free(json_detach(up));
                json_add_number(steps->last, "up_m", JIG_M);
        }
}

/* The user's steps up to the stimulus, and the parameters that they name; what he requires of a flight of his own
 * length is left out. */
static bool add_users_pilot(struct json *scenario, struct json *steps,
                            const struct latency_flight *f, char *why, size_t cap)
{
        struct config_error error = { "" };
        struct json_error bad = { "" };
        size_t len;
        char *text = config_load_named(f->scenario, &len, &error);
        struct json *root =
                text != NULL ? json_parse(text, len, f->scenario, &bad) : NULL;
        const struct json *list = json_member(root, "steps");
        const struct json *parameters = json_member(root, "parameters");
        const struct json *tracks = json_member(root, "tracks");
        bool whole = !json_is(tracks, JSON_ARRAY) || tracks->count == 0;
        bool ok = json_is(list, JSON_ARRAY) && whole;

        if (f->jig)
                add_hold(steps);
        if (parameters != NULL)
                json_add_copy(scenario, "parameters", parameters);
        for (const struct json *s = ok ? list->first : NULL;
             s != NULL && !(json_number(s, "at_s") > users_begin_s(f)); s = s->next)
                add_users_step(steps, f, s);
        if (text == NULL)
                snprintf(why, cap, "%s", error.text);
        else if (root == NULL)
                snprintf(why, cap, "%s: %s", f->scenario, bad.text);
        else if (!whole)
                snprintf(why, cap,
                         "%s: tracks: a measurement flies \"steps\" alone: give a "
                         "scenario without tracks, or put theirs into \"steps\"",
                         f->scenario);
        else if (!ok)
                snprintf(why, cap, "%s: has no list of steps", f->scenario);
        json_free(root);
        free(text);
        return ok;
}

/* "scenario={...}" for --set; freed by the caller. */
static char *scenario_set(const struct latency_flight *f, char *why, size_t cap)
{
        struct json *root = json_new_object(), *steps;
        char *text = NULL, *set = NULL;
        bool ok = true;

        json_add_string(root, "name", "latency");
        json_add_number(root, "duration_s", longest_s(f));
        steps = json_add_array(root, "steps");
        if (f->scenario != NULL)
                ok = add_users_pilot(root, steps, f, why, cap);
        else
                add_pilot(steps, f);
        add_stimulus(steps, f);
        add_ends(root, steps, f);
        if (ok)
                text = json_print_line(root);
        json_free(root);
        if (ok && (text == NULL || asprintf(&set, "scenario=%s", text) < 0)) {
                snprintf(why, cap, "out of memory");
                set = NULL;
        }
        free(text);
        return set;
}

struct words {
        int count;
        char *word[WORDS_MAX];
        char text[2][64];
};

/* `hilrig run` only reads its words. */
static void say(struct words *w, const char *word)
{
        w->word[w->count++] = (char *)(uintptr_t)word;
}

static void option(struct words *w, const char *name, const char *value)
{
        if (value == NULL)
                return;
        say(w, name);
        say(w, value);
}

static void make_words(struct words *w, const struct latency_flight *f,
                       const char *scenario)
{
        double rate_hz = fmin(1e9 / (double)f->period_ns, 1000.0);

        w->count = 0;
        say(w, f->config_path);
        option(w, "--out", f->folder);
        option(w, "--pace", f->pace);
        option(w, "--seed", f->seed);
        option(w, "--set", scenario);
        snprintf(w->text[0], sizeof w->text[0], "log.truth_rate_hz=%.17g", rate_hz);
        option(w, "--set", w->text[0]);
        snprintf(w->text[1], sizeof w->text[1], "stop_after_s=86400");
        option(w, "--set", w->text[1]);
        for (int i = 0; i < f->sets; i++)
                option(w, "--set", f->set[i]);
}

static void discard_output(void)
{
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

        if (nothing >= 0)
                dup2(nothing, STDOUT_FILENO);
}

/* A process of its own: the run blocks signals, takes priority and locks memory for good. Ctrl-C ends it as
 * it ends any run, and then this. */
static int run_apart(struct words *w, bool quiet, char *why, size_t cap)
{
        void (*before)(int) = signal(SIGINT, SIG_IGN);
        int status = 0;
        pid_t child;

        fflush(NULL);
        child = fork();
        if (child == 0) {
                signal(SIGINT, before);
                if (quiet)
                        discard_output();
                status = run_command(w->count, w->word);
                fflush(NULL);
                _exit(status);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
                snprintf(why, cap, "the run could not be started");
        signal(SIGINT, before);
        if (child < 0)
                return 2;
        if (WIFEXITED(status))
                return WEXITSTATUS(status);
        snprintf(why, cap, "the run was killed by signal %d", WTERMSIG(status));
        return 2;
}

int latency_fly(const struct latency_flight *f, char *why, size_t cap)
{
        char *scenario = scenario_set(f, why, cap);
        struct words w;
        int status;

        if (scenario == NULL)
                return 2;
        make_words(&w, f, scenario);
        status = run_apart(&w, f->quiet, why, cap);
        free(scenario);
        return status;
}
