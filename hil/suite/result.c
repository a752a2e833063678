/* What runs left behind, and what a suite is worth. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/suite/required.h"
#include "hil/suite/suite.h"
#include "hil/text/json.h"
#include "hil/text/version.h"

/* What failed, by name; else why the run is what it is. */
static void read_reason(struct suite_run *r, const struct json *root)
{
        struct required_walk walk = { .root = root };
        const char *reason = json_string(root, "end_reason");
        struct required asked;
        size_t used = 0;

        r->requirements = r->failed = 0;
        r->reason[0] = '\0';
        while (required_next(&walk, &asked)) {
                r->requirements++;
                if (asked.outcome != 0.0)
                        continue;
                r->failed++;
                if (used < sizeof r->reason)
                        used += (size_t)snprintf(r->reason + used,
                                                 sizeof r->reason - used, "%s%.80s",
                                                 used ? ", " : "", asked.name);
        }
        if ((r->verdict != RUN_FAILED || r->failed == 0) && reason != NULL)
                snprintf(r->reason, sizeof r->reason, "%s", reason);
}

/* Whether a requirement of this name failed. */
static bool has_failed(const struct json *root, const char *wanted)
{
        struct required_walk walk = { .root = root };
        struct required asked;

        while (required_next(&walk, &asked))
                if (strcmp(asked.name, wanted) == 0 && asked.outcome == 0.0)
                        return true;
        return false;
}

/* A fault was planted, and the verdict is about whether it was found. */
static void turn_verdict(struct suite_run *r, const struct json *root)
{
        const char *wanted = r->variant != NULL ? r->variant->must_fail : "";
        char reason[sizeof r->reason];

        if (wanted[0] == '\0' || r->verdict > RUN_FAILED)
                return;
        memcpy(reason, r->reason, sizeof reason);
        if (has_failed(root, wanted)) {
                r->verdict = RUN_PASSED;
                snprintf(r->reason, sizeof r->reason, "found by: %s", reason);
                return;
        }
        /* Another requirement did, or the flight controller was gone. */
        snprintf(r->reason, sizeof r->reason, "\"%s\" did not fail%s%s", wanted,
                 r->verdict == RUN_FAILED ? ", but: " : "",
                 r->verdict == RUN_FAILED ? reason : "");
        r->verdict = RUN_FAILED;
}

static bool says_text(const struct json *root, const char *key, const char *text)
{
        const char *value = json_string(root, key);

        return value != NULL && strcmp(value, text) == 0;
}

static bool read_summary(struct suite_run *r, const struct json *root, bool must_match)
{
        double wall_s = json_number(root, "wall_time_s");
        enum compared_run v;
        bool flown;

        if (!compared_run_parse(json_string(root, "verdict"), &v))
                return false;
        /* Void or broken is no result: that is flown again. */
        flown = v < RUN_VOID || says_text(root, "end_reason", NOTHING_REQUIRED);
        r->other_settings = must_match && flown &&
                            !says_text(root, "config_sha256", r->config_sha256);
        if (must_match && (!flown || r->other_settings ||
                           !says_text(root, "version", hilrig_version())))
                return false;
        r->verdict = v;
        r->refused = json_bool(root, "settings_refused", false);
        r->wall_s = wall_s > 0.0 ? wall_s : 0.0;
        compared_firmware(root, r->firmware, sizeof r->firmware);
        read_reason(r, root);
        turn_verdict(r, root);
        return true;
}

bool suite_result_read(struct suite_run *r, bool must_match)
{
        struct config_error error;
        struct json_error json_error;
        char path[600], *text;
        struct json *root;
        size_t len;
        bool ok;

        snprintf(path, sizeof path, "%s/summary.json", r->folder);
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &json_error) : NULL;
        ok = root != NULL && read_summary(r, root, must_match);
        json_free(root);
        free(text);
        return ok;
}

/* The last line that a run said, for one that left no summary. */
static void read_last_words(struct suite_run *r, int status)
{
        char path[600], line[sizeof r->reason] = "";
        FILE *out;

        r->verdict = RUN_ERROR;
        snprintf(path, sizeof path, "%s/output.txt", r->folder);
        out = fopen(path, "re");
        while (out != NULL && fgets(line, sizeof line, out) != NULL)
                if (line[0] != '\n')
                        snprintf(r->reason, sizeof r->reason, "%.*s",
                                 (int)strcspn(line, "\n"), line);
        if (out != NULL)
                fclose(out);
        if (WIFSIGNALED(status))
                snprintf(r->reason, sizeof r->reason, "ended by signal %d (%s)",
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
}

bool suite_result_end(struct suite_run *r, int status)
{
        r->refused = false;
        if (!suite_result_read(r, false) || WIFSIGNALED(status)) {
                read_last_words(r, status);
                return false;
        }
        /* It says so when it could not leave behind what it should. */
        if (WEXITSTATUS(status) == 3)
                r->verdict = RUN_VOID;
        return true;
}

void suite_firmware(const struct suite *s, char *text, size_t cap)
{
        text[0] = '\0';
        for (int i = 0; i < s->runs; i++)
                compared_list_firmware(text, cap, s->run[i].firmware);
}

bool suite_asked_nothing(const struct suite_run *r)
{
        return (r->state == SUITE_KEPT || r->state == SUITE_FLOWN) &&
               r->verdict == RUN_VOID && strcmp(r->reason, NOTHING_REQUIRED) == 0;
}

struct suite_count suite_count(const struct suite *s)
{
        struct suite_count c = { 0 };

        for (int i = 0; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                c.kept += r->state == SUITE_KEPT;
                c.asked_nothing += suite_asked_nothing(r);
                if (r->state == SUITE_KEPT || r->state == SUITE_FLOWN)
                        c.verdict[r->verdict]++;
                else
                        c.open++;
        }
        return c;
}

int suite_exit_status(const struct suite *s)
{
        struct suite_count c = suite_count(s);

        if (s->interrupted || c.open > 0)
                return 3;
        if (c.verdict[RUN_FAILED] > 0)
                return 1;
        if (c.verdict[RUN_ERROR] > 0)
                return 2;
        return c.verdict[RUN_VOID] > 0 ? 3 : 0;
}

const char *suite_verdict_name(const struct suite *s)
{
        static const char *const name[] = { "passed", "failed", "error", "void" };

        return s->interrupted ? "interrupted" : name[suite_exit_status(s)];
}

double suite_remaining_s(const struct suite *s, double elapsed_s)
{
        double flown_s = 0.0, left_s = 0.0;

        for (int i = 0; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];
                double sim_s = (double)r->duration_ns * 1e-9;

                if (r->state == SUITE_FLOWN)
                        flown_s += sim_s;
                /* One in the air is half done, on average. */
                else if (r->state == SUITE_FLYING) {
                        flown_s += 0.5 * sim_s;
                        left_s += 0.5 * sim_s;
                } else if (r->state == SUITE_WAITING)
                        left_s += sim_s;
        }
        /* Nothing finished yet: nothing known. */
        for (int i = 0; i < s->runs; i++)
                if (s->run[i].state == SUITE_FLOWN)
                        return elapsed_s * left_s / flown_s;
        return -1.0;
}

static void add_run(const struct suite *s, struct json *list, const struct suite_run *r)
{
        struct json *o = json_add_object(list, NULL);
        const char *state = r->state == SUITE_KEPT || r->state == SUITE_FLOWN
                                    ? compared_run_name(r->verdict)
                                    : "open";

        json_add_string(o, "group", r->group);
        json_add_u64(o, "seed", r->seed);
        json_add_i64(o, "repeat", r->repeat);
        json_add_string(o, "folder", r->folder + strlen(s->folder) + 1);
        json_add_string(o, "firmware", r->firmware);
        json_add_string(o, "verdict", state);
        json_add_i64(o, "requirements", r->requirements);
        json_add_i64(o, "requirements_failed", r->failed);
        json_add_number(o, "wall_time_s", r->wall_s);
        json_add_i64(o, "tries", r->tries);
        json_add_string(o, "reason", r->reason);
}

/* As the suite file says it: hilrig compare reads it here. */
static void add_comparison(struct json *root, const struct suite_comparison *rules)
{
        struct json *o = json_add_object(root, "comparison"), *list;

        json_add_number(o, "false_alarm_percent", 100.0 * rules->alpha);
        json_add_number(o, "false_same_percent", 100.0 * rules->doubt);
        list = json_add_array(o, "margins");
        for (int i = 0; i < rules->margins; i++) {
                const struct suite_margin *m = &rules->margin[i];
                struct json *own = json_add_object(list, NULL);

                json_add_string(own, "row", m->row);
                if (m->ratio >= 0.0)
                        json_add_number(own, "percent", 100.0 * m->ratio);
                if (m->floor >= 0.0)
                        json_add_number(own, "at_least", m->floor);
                if (m->spread >= 0.0)
                        json_add_number(own, "spread", m->spread);
        }
}

struct json *suite_document(const struct suite *s)
{
        struct suite_count c = suite_count(s);
        struct json *root = json_new_object(), *list;
        char firmware[COMPARE_FIRMWARE_MAX];

        suite_firmware(s, firmware, sizeof firmware);
        json_add_string(root, "name", s->file.name);
        json_add_string(root, "file", s->options.file);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "verdict", suite_verdict_name(s));
        json_add_i64(root, "runs", s->runs);
        for (int v = RUN_PASSED; v <= RUN_ERROR; v++)
                json_add_i64(root, compared_run_name((enum compared_run)v), c.verdict[v]);
        json_add_i64(root, "open", c.open);
        json_add_i64(root, "kept", c.kept);
        json_add_i64(root, "nothing_required", c.asked_nothing);
        json_add_i64(root, "left_out", s->left_out);
        json_add_string(root, "firmware", firmware);
        add_comparison(root, &s->file.comparison);
        list = json_add_array(root, "run");
        for (int i = 0; i < s->runs; i++)
                add_run(s, list, &s->run[i]);
        suite_add_results(root, s);
        return root;
}

char *suite_json(const struct suite *s)
{
        return json_print_free(suite_document(s));
}
