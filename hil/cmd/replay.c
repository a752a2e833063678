/* `hilrig replay`: feeds the recorded motor commands back into the configured vehicles. The same
 * build and configuration must give the same signal hash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/text/json.h"
#include "hil/text/files.h"
#include "hil/console/options.h"
#include "hil/rig/rig.h"
#include "hil/record/signal_hash.h"
#include "hil/record/topics.h"
#include "hil/text/terminal.h"

struct replay {
        const char *folder;
        struct rig_config *config;
        struct rig_vehicle *vehicle;
        struct timeline timeline;
        bool cut; /* the log ends inside a record */
        bool ended; /* what is over at the next tick has been ended */
        const uint8_t *log;
        size_t log_len;
        struct signal_hash *hash;
        char recorded[65]; /* of summary.json */
        uint64_t ticks;
        struct topic_record in;
        char why[CONFIG_ERROR_TEXT];
};

static const struct option_spec specs[] = { { NULL } };

static const struct options options = {
        .command = "replay",
        .specs = specs,
        .operand = { "run", .help = "a run folder", TEXT(replay, folder) },
        .usage = "replay RUN\n\nRUN is a run folder. Exit status 0: the signal is the "
                 "same, or of a run that was\nkilled, which has none to compare with; 1: "
                 "it is not; 2: the run could not be read\nto its end.",
};

static bool read_config(struct replay *r)
{
        struct config_overrides none = { 0 };
        struct config_error error;
        char path[1024], *resolved;

        snprintf(path, sizeof path, "%s/config.json", r->folder);
        if (!config_read(r->config, path, &none, &resolved, &error)) {
                snprintf(r->why, sizeof r->why, "%s", error.text);
                return false;
        }
        free(resolved);
        r->vehicle = calloc((size_t)r->config->vehicles, sizeof *r->vehicle);
        if (r->vehicle == NULL) {
                snprintf(r->why, sizeof r->why, "out of memory");
                return false;
        }
        r->timeline.scenario = &r->config->scenario;
        for (int i = 0; i < r->config->vehicles; i++)
                if (!rig_vehicle_init(&r->vehicle[i], r->config, i, r->why,
                                      sizeof r->why))
                        return false;
        return true;
}

/* A run that was killed has no summary: then the hash is printed, and there is nothing to compare. */
static bool read_summary(struct replay *r)
{
        struct config_error error;
        struct json_error json_error;
        char path[1024], *text;
        const char *hash;
        struct json *root;
        size_t len;

        snprintf(path, sizeof path, "%s/summary.json", r->folder);
        if (access(path, F_OK) != 0)
                return true;
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &json_error) : NULL;
        hash = root != NULL ? json_string(root, "signal_sha256") : NULL;
        if (hash == NULL || strlen(hash) != 64)
                snprintf(r->why, sizeof r->why, "%s%s%s", text == NULL ? "" : path,
                         text == NULL ? "" : ": ",
                         text == NULL   ? error.text
                         : root == NULL ? json_error.text
                                        : "signal_sha256: must be 64 hex digits");
        else
                memcpy(r->recorded, hash, 65);
        json_free(root);
        free(text);
        return r->recorded[0] != '\0';
}

static bool map_log(struct replay *r)
{
        char path[1024];
        const char *why;

        snprintf(path, sizeof path, "%s/run.ulg", r->folder);
        r->log = mapped_file_open(path, &r->log_len, &why);
        if (r->log == NULL)
                snprintf(r->why, sizeof r->why, "%s: %s", path, why);
        return r->log != NULL;
}

/* As the loop does at the begin of a tick, once. */
static void end_actions(struct replay *r)
{
        int64_t t_ns = r->vehicle[0].vehicle.t_ns + r->config->period_ns;

        for (int i = 0; !r->ended && i < r->config->vehicles; i++)
                while (rig_vehicle_end(&r->vehicle[i], i, r->config, t_ns) >= 0)
                        ;
        r->ended = true;
}

/* A step of the scenario fired: what it waited for may have been said by the flight controller, which
 * is not here. */
static bool fire_step(struct replay *r, const struct event_record *e)
{
        int64_t t_ns = r->vehicle[0].vehicle.t_ns + r->config->period_ns;

        if (e->kind != EVENT_STEP)
                return true;
        end_actions(r);
        if (!timeline_fire(&r->timeline, e->step, t_ns))
                return false;
        for (int i = 0; i < r->config->vehicles; i++)
                rig_vehicle_begin(&r->vehicle[i], i, r->config, e->step, t_ns);
        return true;
}

static bool fly_tick(struct replay *r, struct tick_record *t)
{
        int i = t->vehicle;
        struct rig_vehicle *v;

        if (i >= r->config->vehicles)
                return false;
        v = &r->vehicle[i];
        if (i == 0) {
                end_actions(r);
                rig_vehicles_meet(r->vehicle, r->config);
                r->ended = false;
        }
        rig_vehicle_tick(v, i, r->config, &t->command, t->missed);
        t->t_ns = v->vehicle.t_ns;
        if (!t->missed)
                rig_vehicle_sent(v, t->frame_sent);
        t->frame = v->frame;
        signal_hash_add(r->hash, t);
        r->ticks++;
        return t->tick == t->t_ns / r->config->period_ns;
}

/* Only words that can be are in the record. */
static bool hear_twin(struct rig_vehicle *v, const struct twin_word *word)
{
        struct twin_heard heard;

        return v->twin != NULL && twin_hear(v->twin, word, &heard);
}

/* Records of other topics are not needed. What real sonars had measured is for the ticks that
 * follow. */
static bool replay_record(struct replay *r, const struct topic_source *source,
                          const uint8_t *data)
{
        bool wanted = source->topic == TOPIC_TICK || source->topic == TOPIC_EVENT ||
                      source->topic == TOPIC_RANGES || source->topic == TOPIC_TWIN;

        if (!wanted || source->unread)
                return !wanted;
        topic_decode(source, data, &r->in);
        if (source->topic == TOPIC_TICK)
                return fly_tick(r, &r->in.tick);
        if (source->topic == TOPIC_EVENT)
                return fire_step(r, &r->in.event);
        if (source->vehicle >= r->config->vehicles)
                return false;
        if (source->topic == TOPIC_TWIN)
                return hear_twin(&r->vehicle[source->vehicle], &r->in.twin.word);
        memcpy(r->vehicle[source->vehicle].vehicle.real_range_m, r->in.ranges.range_m,
               sizeof r->in.ranges.range_m);
        return true;
}

static bool refuse_log(struct replay *r, const char *what)
{
        snprintf(r->why, sizeof r->why, "%s/run.ulg: %s", r->folder, what);
        return false;
}

static bool fly_log(struct replay *r)
{
        bool readable, ok = true, cut;
        struct topic_reader *reader = topic_reader_open(r->log, r->log_len, &readable);
        const struct topic_source *source;
        struct ulog_record record;
        char what[100];

        while (ok && readable && topic_reader_next(reader, &record, &source))
                ok = source == NULL || replay_record(r, source, record.data);
        cut = readable && reader->ulog.truncated;
        free(reader);
        if (!readable)
                return refuse_log(r, topic_reader_refusal(r->log, r->log_len));
        if (!ok) {
                snprintf(what, sizeof what,
                         "record after tick %llu does not follow the one before",
                         (unsigned long long)r->ticks);
                return refuse_log(r, what);
        }
        if (r->ticks == 0)
                return refuse_log(r, "nothing was flown");
        r->cut = cut;
        if (cut)
                terminal_complain("replay", "%s/run.ulg: ends inside a record",
                                  r->folder);
        return true;
}

static int compare_hashes(struct replay *r)
{
        char hex[65];

        signal_hash_finish(r->hash, hex);
        r->hash = NULL;
        printf("%llu periods re-flown\nsignal   %s\n", (unsigned long long)r->ticks, hex);
        if (r->recorded[0] == '\0') {
                printf("recorded (no summary.json: the run was cut off)\n");
                return 0;
        }
        if (r->cut) {
                terminal_print(stdout, "recorded %s\n", r->recorded);
                puts("the log was cut short: it cannot be compared");
                return 2;
        }
        terminal_print(stdout, "recorded %s\n", r->recorded);
        puts(strcmp(hex, r->recorded) == 0 ? "the same" : "DIFFERENT");
        return strcmp(hex, r->recorded) == 0 ? 0 : 1;
}

static int replay_run(struct replay *r)
{
        int status = 2;

        r->config = calloc(1, sizeof *r->config);
        if (r->config != NULL && read_config(r) && read_summary(r) && map_log(r)) {
                r->hash = signal_hash_create(rig_most_rotors(r->config));
                if (r->hash != NULL && fly_log(r))
                        status = compare_hashes(r);
        }
        if (status == 2 && !r->cut)
                options_complain("replay", r->why[0] != '\0' ? r->why : "out of memory");
        if (r->hash != NULL) {
                char hex[65];

                signal_hash_finish(r->hash, hex);
        }
        mapped_file_close(r->log, r->log_len);
        for (int i = 0;
             r->vehicle != NULL && r->config != NULL && i < r->config->vehicles; i++)
                rig_vehicle_close(&r->vehicle[i]);
        free(r->vehicle);
        if (r->config)
                config_free(r->config);
        free(r->config);
        return status;
}

int replay_command(int argc, char **argv)
{
        struct replay r = { 0 };
        int status = options_read(&options, argc, argv, &r);

        return status == OPTIONS_READ ? replay_run(&r) : status;
}
