/* The firmware that a rig starts as a process: its command, its folder, and how it is known to be up. */
#include "hil/config/rig/rig.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"

#define COMMAND(type, member)                                                            \
        .size = FC_WORD_MAX, .stride = sizeof(struct fc_command) - sizeof(int),          \
        .least = 1, AT(type, member.word), .count = offsetof(struct type, member.words)

static const struct config_field ready_fields[] = {
        { "listens", CONFIG_TEXT,
          "It is up when something listens there: tcp:127.0.0.1:5761, udp:..., "
          "unix:PATH. Left out: where the rig's own first link connects to, if that "
          "is on this machine.",
          .size = 160, .optional = true, AT(fc_start_config, listens) },
        { "output", CONFIG_TEXT,
          "It is up when its output holds this text. A program that does not write to a "
          "terminal may keep its output back: start it with stdbuf -oL.",
          .size = 160, .optional = true, AT(fc_start_config, output) },
        { "timeout_ms", CONFIG_TIME, "How long that may take.", BETWEEN(1, 600000),
          .scale = MS_TO_NS, .preset = "20000", AT(fc_start_config, ready_timeout_ns) },
        { NULL },
};

static const struct config_table ready_table = {
        .name = "fc_ready",
        .about = "How the rig knows that the firmware is up, before it greets it.",
        .field = ready_fields,
};

static const struct config_field start_fields[] = {
        { "command", CONFIG_TEXTS,
          "The program and its arguments, without a shell: an array, or one string that "
          "is cut at its blanks. A program without \"/\" is looked for in PATH. {here} "
          "is "
          "the folder of this file, ${NAME} a variable of the environment.",
          COMMAND(fc_start_config, command) },
        { "folder", CONFIG_TEXT,
          "Folder that it runs in. Left out: a new one for each run, fc-VEHICLE in the "
          "run folder.",
          .size = FC_WORD_MAX, .optional = true, AT(fc_start_config, folder) },
        { "restore", CONFIG_TEXTS,
          "Files that are copied into that folder before each start, such as an image "
          "of its EEPROM; of a folder, what is in it.",
          .size = FC_WORD_MAX, .stride = FC_RESTORES_MAX * FC_WORD_MAX, .optional = true,
          AT(fc_start_config, restore),
          .count = offsetof(struct fc_start_config, restores) },
        { "environment", CONFIG_PAIRS, "Variables on top of the rig's own.",
          .size = FC_VARIABLES_MAX, .stride = sizeof(struct fc_variable), .preset = "{}",
          AT(fc_start_config, variable),
          .count = offsetof(struct fc_start_config, variables) },
        { "priority", CONFIG_INTEGER,
          "SCHED_FIFO priority in real time, where the rig may set it; 0: ordinary "
          "scheduling.",
          BETWEEN(0, 98), .preset = "0", AT(fc_start_config, priority) },
        { "ready", CONFIG_OBJECT, "How the rig knows that it is up.",
          .table = &ready_table, .preset = "{}" },
        { NULL },
};

const struct config_table config_fc_start_table = {
        .name = "fc_start",
        .about = "A firmware that is started as a process, new for each run.",
        .field = start_fields,
};

static const int signal_numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGKILL };
static const char *const signal_names[] = { "TERM", "INT", "HUP", "QUIT", "KILL", NULL };

static const struct config_field stop_fields[] = {
        { "signal", CONFIG_CHOICE, "That it is sent.", .names = signal_names,
          .preset = "\"TERM\"", AT(fc_stop_config, signal) },
        { "command", CONFIG_TEXTS,
          "Run instead of the signal, in the same folder and environment, written as "
          "start.command.",
          .optional = true, COMMAND(fc_stop_config, command) },
        { "wait_ms", CONFIG_TIME,
          "Then its whole process group is killed, if it has not ended by then.",
          BETWEEN(0, 60000), .scale = MS_TO_NS, .preset = "2000",
          AT(fc_stop_config, wait_ns) },
        { NULL },
};

const struct config_table config_fc_stop_table = {
        .name = "fc_stop",
        .about = "How a process that the rig has started is ended.",
        .field = stop_fields,
};

#define HERE "{here}"

/* Every {here} of a word becomes the folder, which is whole and without links: "{here}/../a" is its neighbour. False: it
 * gets too long. */
static bool put_here(char word[FC_WORD_MAX], const char *folder)
{
        char *at;

        while ((at = strstr(word, HERE)) != NULL) {
                size_t room = FC_WORD_MAX - (size_t)(at - word), len = strlen(folder);
                char text[FC_WORD_MAX], *rest = text;

                snprintf(text, sizeof(text), "%s", at + strlen(HERE));
                for (; strncmp(rest, "/../", 4) == 0; rest += 3)
                        while (len > 0 && folder[--len] != '/')
                                ;
                if ((size_t)snprintf(at, room, "%.*s%s", (int)len, folder, rest) >= room)
                        return false;
        }
        return true;
}

/* One that starts with a variable is whole when that is. */
static bool is_whole_path(const char *path)
{
        return path[0] == '/' || path[0] == '$' || strncmp(path, HERE, strlen(HERE)) == 0;
}

/* A word as it was written in node: where it names a file, or the folder of node's, as a whole path. */
static bool make_whole(char word[FC_WORD_MAX], const struct json *node, bool is_path,
                       struct config_error *why)
{
        bool relative = is_path && !is_whole_path(word);
        char *beside = NULL, *folder = NULL;
        char path[FC_WORD_MAX];
        bool ok = true;

        if (!relative && strstr(word, HERE) == NULL)
                return true;
        beside = config_file_beside(node->file ? node->file : "", ".");
        folder = beside ? realpath(beside, NULL) : NULL;
        ok = folder != NULL && put_here(word, folder);
        if (ok && relative) {
                snprintf(path, sizeof(path), "%s", word + 2 * !strncmp(word, "./", 2));
                ok = (size_t)snprintf(word, FC_WORD_MAX, "%s/%s", folder, path) <
                     FC_WORD_MAX;
        }
        free(folder);
        free(beside);
        return ok || config_refuse(why, node, NULL,
                                   "as a whole path must have at most %d characters",
                                   FC_WORD_MAX - 1);
}

/* A command in one string: words between blanks, with quotes around those that have blanks. */
static bool split_command(struct fc_command *c, const struct json *node,
                          struct config_error *why)
{
        const char *at = node->text;

        c->words = 0;
        memset(c->word, 0, sizeof(c->word));
        for (;;) {
                char quote = '\0', *out;

                at += strspn(at, " \t");
                if (*at == '\0')
                        break;
                if (c->words == FC_WORDS_MAX)
                        return config_refuse(why, node, NULL,
                                             "must have at most %d words", FC_WORDS_MAX);
                out = c->word[c->words++];
                for (; *at != '\0' && (quote != '\0' || !strchr(" \t", *at)); at++) {
                        if (*at == quote)
                                quote = '\0';
                        else if (quote == '\0' && (*at == '"' || *at == '\''))
                                quote = *at;
                        else
                                *out++ = *at;
                }
                if (quote != '\0')
                        return config_refuse(why, node, NULL,
                                             "has a quotation mark without its other");
        }
        return c->words > 0 || config_refuse(why, node, NULL, "must name a program");
}

static bool build_command(struct fc_command *c, const struct json *node,
                          struct config_error *why)
{
        if (json_is(node, JSON_STRING) && !split_command(c, node, why))
                return false;
        for (int i = 0; i < c->words; i++) {
                bool is_path = i == 0 && strchr(c->word[0], '/') != NULL;

                if (!make_whole(c->word[i], node, is_path, why))
                        return false;
        }
        return true;
}

/* Somebody on this machine listens there, and can be seen to. */
static bool is_local_listener(const struct link_spec *spec)
{
        return spec->kind == LINK_UNIX ||
               ((spec->kind == LINK_TCP || spec->kind == LINK_UDP) &&
                strncmp(spec->host, "127.", 4) == 0);
}

/* Where nobody said where: a link that the rig opens only when somebody listens. */
static bool build_listener(struct fc_start_config *s, const struct fc_config *fc,
                           const struct json *node, struct config_error *why)
{
        const struct codec_ops *ops = codec_find(fc->codec);
        struct link_error reason;

        for (int i = 0; s->listens[0] == '\0' && i < fc->links; i++)
                if (!ops->channel[i].optional && fc->link[i].kind != LINK_UDP &&
                    is_local_listener(&fc->link[i]))
                        snprintf(s->listens, sizeof(s->listens), "%s", fc->link_text[i]);
        if (s->listens[0] == '\0')
                return true;
        if (!link_spec_parse(&s->listener, s->listens, &reason))
                return config_refuse_at(why, node, "start.ready.listens", "%s",
                                        reason.text + reason.reason);
        return is_local_listener(&s->listener) ||
               config_refuse_at(why, node, "start.ready.listens",
                                "must be tcp: or udp: with an address of this machine "
                                "(127.0.0.1), or unix:, is \"%s\"",
                                s->listens);
}

static bool build_files(struct fc_start_config *s, const struct json *node,
                        struct config_error *why)
{
        const struct json *folder = json_at(node, "start.folder");
        const struct json *restore = json_at(node, "start.restore");
        const struct json *variables = json_at(node, "start.environment");

        if (s->folder[0] != '\0' && !make_whole(s->folder, folder, true, why))
                return false;
        for (int i = 0; i < s->restores; i++)
                if (!make_whole(s->restore[i], restore, true, why))
                        return false;
        for (int i = 0; i < s->variables; i++)
                if (!make_whole(s->variable[i].value, variables, false, why))
                        return false;
        return true;
}

bool config_build_fc_start(struct fc_config *fc, bool stop_given, const struct json *node,
                           struct config_error *why)
{
        struct fc_start_config *s = &fc->start;

        if (!s->used)
                return true;
        fc->stop.signal = stop_given ? signal_numbers[fc->stop.signal] : SIGTERM;
        if (!stop_given)
                fc->stop.wait_ns = 2000000000;
        return build_command(&s->command, json_at(node, "start.command"), why) &&
               build_files(s, node, why) && build_listener(s, fc, node, why) &&
               (fc->stop.command.words == 0 ||
                build_command(&fc->stop.command, json_at(node, "stop.command"), why));
}

/* A board on a line is new after each of its own starts, whoever gives them. */
static bool is_beside(const struct link_spec *link)
{
        switch (link->kind) {
        case LINK_TCP:
        case LINK_TCP_LISTEN:
        case LINK_UDP:
        case LINK_UDP_LISTEN:
                return strncmp(link->host, "127.", 4) == 0;
        case LINK_UNIX:
        case LINK_UNIX_LISTEN:
                return true;
        default:
                return false;
        }
}

bool config_fc_must_be_renewed(const struct fc_config *fc)
{
        return fc->codec[0] != '\0' && codec_find(fc->codec)->new_each_flight &&
               !fc->start.used && is_beside(&fc->link[0]);
}

/* In place of what the file says. */
static void resolve_texts(struct json *resolved, const char *key,
                          const char text[][FC_WORD_MAX], int count)
{
        struct json *old = json_member(resolved, key), *list;

        if (!old || count == 0)
                return;
        json_free(json_detach(old));
        list = json_add_array(resolved, key);
        for (int i = 0; i < count; i++)
                json_add_string(list, NULL, text[i]);
}

void config_resolve_fc_start(struct json *resolved, const struct fc_config *fc)
{
        struct json *start = json_member(resolved, "start"), *variables;
        const struct fc_start_config *s = &fc->start;

        resolve_texts(start, "command", s->command.word, s->command.words);
        resolve_texts(start, "restore", s->restore, s->restores);
        resolve_texts(json_member(resolved, "stop"), "command", fc->stop.command.word,
                      fc->stop.command.words);
        if (json_member(start, "folder")) {
                json_free(json_detach(json_member(start, "folder")));
                json_add_string(start, "folder", s->folder);
        }
        json_free(json_detach(json_member(start, "environment")));
        variables = json_add_object(start, "environment");
        for (int i = 0; i < s->variables; i++)
                json_add_string(variables, s->variable[i].key, s->variable[i].value);
}
