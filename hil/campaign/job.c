/* A flight as a job of Slurm: what it is told, and what it leaves where its flight does not count. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "hil/campaign/slurm.h"
#include "hil/record/signal_hash.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/time/clock.h"

#define LOCK_NS   (30 * NS_PER_S) /* for one that still flies it elsewhere */
#define AGAIN_NS  (200 * NS_PER_MS)
#define PLAN_LINE 128

static const char *const stop_name[] = {
        [CAMPAIGN_GOES_ON] = "none",      [CAMPAIGN_INTERRUPTED] = "interrupted",
        [CAMPAIGN_DISK_FULL] = "disk",    [CAMPAIGN_NO_BOARD] = "no board",
        [CAMPAIGN_AGAIN] = "flown again", [CAMPAIGN_BUSY] = "busy",
        [CAMPAIGN_CHANGED] = "changed",
};

static void note_path(const struct campaign *c, const struct campaign_flight *f,
                      const char *kind, char path[600])
{
        snprintf(path, 600, "%s/" SLURM_FOLDER "/%05d%s", c->folder, f->number, kind);
}

/* One line for each flight, of one length. */
static char *print_plan(const struct campaign *c, size_t *len)
{
        char *text = malloc((size_t)c->flights * PLAN_LINE + 1);

        *len = 0;
        for (int i = 0; text != NULL && i < c->flights; i++)
                *len += (size_t)snprintf(text + *len, PLAN_LINE, "%05d %s\n",
                                         c->flight[i].number,
                                         c->flight[i].run->config_sha256);
        return text;
}

bool slurm_write_plan(struct slurm *s, char *why, size_t cap)
{
        static const char script[] = "#!/bin/sh\nexec \"$@\"\n";
        const struct campaign *c = s->p->c;
        char name[60], hex[65];
        size_t len;
        char *text = print_plan(c, &len);
        bool ok;

        if (text == NULL) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        sha256_hex(text, len, hex);
        snprintf(s->plan, sizeof s->plan, "%.12s", hex);
        snprintf(name, sizeof name, "plan-%s", s->plan);
        ok = run_folder_write(s->folder, name, text, why, cap) &&
             run_folder_write(s->folder, "job.sh", script, why, cap);
        free(text);
        return ok;
}

/* Whether the file still says of the flight what it said when its job was submitted. */
static bool is_as_planned(const struct campaign *c, const struct campaign_flight *f)
{
        char path[600], line[PLAN_LINE], wanted[PLAN_LINE];
        bool found = false;
        FILE *in;

        snprintf(path, sizeof path, "%s/" SLURM_FOLDER "/plan-%s", c->folder,
                 c->options.job.plan);
        snprintf(wanted, sizeof wanted, "%05d %s\n", f->number, f->run->config_sha256);
        in = fopen(path, "re");
        while (in != NULL && !found && fgets(line, sizeof line, in) != NULL)
                found = strcmp(line, wanted) == 0;
        if (in != NULL)
                fclose(in);
        return found;
}

static bool leave_note(const struct campaign *c, const struct campaign_flight *f,
                       char *why, size_t cap)
{
        struct json *root = json_new_object();
        char name[60], folder[500], *text;
        bool ok;

        json_add_string(root, "stop", stop_name[c->stop]);
        json_add_string(root, "verdict", compared_run_name(f->run->verdict));
        json_add_string(root, "reason",
                        c->stop == CAMPAIGN_AGAIN ? f->run->reason : c->stop_reason);
        json_add_string(root, "board", f->board);
        text = json_print_free(root);
        snprintf(folder, sizeof folder, "%s/" SLURM_FOLDER, c->folder);
        snprintf(name, sizeof name, "%05d.json", f->number);
        if (text == NULL)
                snprintf(why, cap, "out of memory");
        ok = text != NULL && run_folder_write(folder, name, text, why, cap);
        free(text);
        return ok;
}

static enum campaign_stop find_stop(const char *name)
{
        for (size_t i = 1; name != NULL && i < sizeof stop_name / sizeof stop_name[0];
             i++)
                if (strcmp(stop_name[i], name) == 0)
                        return (enum campaign_stop)i;
        return CAMPAIGN_GOES_ON;
}

bool slurm_take_note(const struct slurm *s, const struct campaign_flight *f,
                     struct slurm_note *note)
{
        struct json_error error;
        const char *why;
        struct json *root;
        char path[600];
        const void *map;
        size_t len;
        bool ok;

        note_path(s->p->c, f, ".json", path);
        map = access(path, F_OK) == 0 ? mapped_file_open(path, &len, &why) : NULL;
        root = map != NULL ? json_parse(map, len, path, &error) : NULL;
        *note = (struct slurm_note){ .verdict = RUN_VOID };
        if (root != NULL) {
                note->stop = find_stop(json_string(root, "stop"));
                compared_run_parse(json_string(root, "verdict"), &note->verdict);
                json_copy_string(root, "reason", note->reason, sizeof note->reason);
                json_copy_string(root, "board", note->board, sizeof note->board);
                unlink(path);
        }
        ok = note->stop != CAMPAIGN_GOES_ON;
        json_free(root);
        mapped_file_close(map, map != NULL ? len : 0);
        return ok;
}

/* Held until this process ends. False: somebody else has it, from a computer that Slurm gave up, perhaps. */
static bool take_flight(const struct campaign *c, const struct campaign_flight *f)
{
        int64_t until_ns = clock_now_ns() + LOCK_NS;
        char path[600];
        int fd;

        note_path(c, f, ".lock", path);
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
                if (errno != EWOULDBLOCK || clock_now_ns() > until_ns) {
                        close(fd);
                        return false;
                }
                clock_sleep_until(clock_now_ns() + AGAIN_NS);
        }
        return fd >= 0;
}

static void stop_job(struct campaign *c, enum campaign_stop stop, const char *reason)
{
        c->stop = stop;
        snprintf(c->stop_reason, sizeof c->stop_reason, "%s", reason);
}

bool campaign_fly_job(struct campaign *c, FILE *out, char *why, size_t cap)
{
        struct campaign_flight *f = &c->flight[0];
        bool ok = true;

        why[0] = '\0';
        if (!take_flight(c, f))
                stop_job(c, CAMPAIGN_BUSY, "an earlier job of this flight still runs");
        else if (campaign_record_read(f) == RECORD_COUNTS)
                return true;
        else if (!is_as_planned(c, f))
                stop_job(c, CAMPAIGN_CHANGED,
                         "what the files say has changed since the campaign was started");
        else
                ok = campaign_fly(c, out, why, cap);
        if (!campaign_is_open(f))
                return ok;
        if (!ok)
                stop_job(c, CAMPAIGN_INTERRUPTED, why);
        return leave_note(c, f, why, cap) && ok;
}

/* Troubles of boards are kept in files, as each flight is a process of its own: whoever reads or writes one has the
 * board's lock. */
static void trouble_path(const struct session *p, int board, char path[600])
{
        snprintf(path, 600, "%s/" SLURM_FOLDER "/board-%s", p->c->folder,
                 p->c->farm.board[board].name);
}

void session_read_trouble(struct session *p, int board)
{
        char path[600], text[20] = "";
        FILE *in;

        if (!p->c->options.slurm)
                return;
        trouble_path(p, board, path);
        in = fopen(path, "re");
        if (in != NULL && fgets(text, sizeof text, in) != NULL)
                p->board[board].trouble = atoi(text);
        if (in != NULL)
                fclose(in);
        p->board[board].left_out = p->board[board].trouble >= SESSION_TROUBLE_MAX;
}

void session_write_trouble(const struct session *p, int board)
{
        char path[600];
        FILE *out;

        if (!p->c->options.slurm)
                return;
        trouble_path(p, board, path);
        out = fopen(path, "we");
        if (out == NULL)
                return;
        fprintf(out, "%d\n", p->board[board].trouble);
        fclose(out);
}

void session_forget_trouble(const struct session *p, int board)
{
        char path[600];

        trouble_path(p, board, path);
        unlink(path);
}
