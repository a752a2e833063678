/* What makes a flight count: flight.json in its folder, which stands there whole, on the disk and behind its summary, or not
 * at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "hil/campaign/campaign.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/text/version.h"

#define RECORD "flight.json"

static char *print_record(const struct campaign *c, const struct campaign_flight *f)
{
        const struct suite_run *r = f->run;
        struct json *root = json_new_object();

        json_add_string(root, "campaign", c->file.suite.name);
        json_add_i64(root, "number", f->number);
        json_add_string(root, "name", campaign_flight_name(c, f));
        json_add_string(root, "settings_sha256", r->config_sha256);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "verdict", compared_run_name(r->verdict));
        json_add_string(root, "reason", r->reason);
        json_add_bool(root, "summary", f->summary);
        json_add_i64(root, "requirements", r->requirements);
        json_add_i64(root, "requirements_failed", r->failed);
        json_add_number(root, "wall_time_s", r->wall_s);
        json_add_string(root, "firmware", r->firmware);
        json_add_string(root, "board", f->board);
        json_add_i64(root, "attempts", f->attempts);
        return json_print_free(root);
}

static bool refuse_file(const char *path, int error, bool *full, char *why, size_t cap)
{
        *full = error == ENOSPC || error == EDQUOT;
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(error));
        return false;
}

/* What is at the path is on the disk. */
static bool sync_path(const char *path, bool *full, char *why, size_t cap)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC), error;

        if (fd < 0)
                return refuse_file(path, errno, full, why, cap);
        /* A file system that cannot says so by EINVAL. */
        error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
        close(fd);
        return error == 0 || refuse_file(path, error, full, why, cap);
}

static bool write_whole(const char *path, const char *text, bool *full, char *why,
                        size_t cap)
{
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error = 0;
        size_t len = strlen(text), done = 0;

        if (fd < 0)
                return refuse_file(path, errno, full, why, cap);
        while (error == 0 && done < len) {
                ssize_t n = write(fd, text + done, len - done);

                if (n < 0 && errno != EINTR)
                        error = errno;
                done += n > 0 ? (size_t)n : 0;
        }
        if (error == 0 && fsync(fd) != 0 && errno != EINVAL)
                error = errno;
        if (close(fd) != 0 && error == 0)
                error = errno;
        if (error == 0)
                return true;
        unlink(path);
        return refuse_file(path, error, full, why, cap);
}

bool campaign_record_write(const struct campaign *c, const struct campaign_flight *f,
                           bool *full, char *why, size_t cap)
{
        const char *folder = f->run->folder;
        char path[600], half[620];
        char *text = print_record(c, f);
        bool ok = text != NULL;

        *full = false;
        snprintf(path, sizeof path, "%s/summary.json", folder);
        if (!ok)
                snprintf(why, cap, "%s: out of memory", folder);
        ok = ok && (!f->summary || sync_path(path, full, why, cap));
        snprintf(path, sizeof path, "%s/" RECORD, folder);
        snprintf(half, sizeof half, "%s.half", path);
        ok = ok && write_whole(half, text, full, why, cap);
        if (ok && rename(half, path) != 0)
                ok = refuse_file(path, errno, full, why, cap);
        free(text);
        return ok && sync_path(folder, full, why, cap);
}

static bool says(const struct json *root, const char *key, const char *text)
{
        const char *value = json_string(root, key);

        return value != NULL && strcmp(value, text) == 0;
}

static int count_of(const struct json *root, const char *key)
{
        uint64_t n;

        return json_u64(root, key, &n) && n < 1000000 ? (int)n : 0;
}

static enum campaign_record take_record(struct campaign_flight *f,
                                        const struct json *root)
{
        struct suite_run *r = f->run;
        double wall_s = json_number(root, "wall_time_s");
        enum compared_run verdict;

        if (!compared_run_parse(json_string(root, "verdict"), &verdict))
                return RECORD_NONE;
        if (!says(root, "settings_sha256", r->config_sha256))
                return RECORD_OTHER_SETTINGS;
        if (!says(root, "version", hilrig_version()))
                return RECORD_NONE;
        r->verdict = verdict;
        r->requirements = count_of(root, "requirements");
        r->failed = count_of(root, "requirements_failed");
        r->wall_s = wall_s > 0.0 ? wall_s : 0.0;
        json_copy_string(root, "reason", r->reason, sizeof r->reason);
        json_copy_string(root, "firmware", r->firmware, sizeof r->firmware);
        json_copy_string(root, "board", f->board, sizeof f->board);
        f->attempts = count_of(root, "attempts");
        f->summary = json_bool(root, "summary", false);
        return RECORD_COUNTS;
}

enum campaign_record campaign_record_read(struct campaign_flight *f)
{
        enum campaign_record record = RECORD_NONE;
        struct config_error error;
        struct json_error json_error;
        char path[600], *text;
        struct json *root;
        size_t len;

        snprintf(path, sizeof path, "%s/" RECORD, f->run->folder);
        text = access(path, F_OK) == 0 ? config_load_text(path, &len, &error) : NULL;
        root = text != NULL ? json_parse(text, len, path, &json_error) : NULL;
        if (root != NULL)
                record = take_record(f, root);
        snprintf(path, sizeof path, "%s/summary.json", f->run->folder);
        if (record == RECORD_COUNTS && f->summary && access(path, F_OK) != 0)
                record = RECORD_NONE;
        if (record == RECORD_COUNTS)
                f->run->state = SUITE_KEPT;
        json_free(root);
        free(text);
        return record;
}

bool campaign_move_aside(struct campaign *c, const struct campaign_flight *f, char *why,
                         size_t cap)
{
        char aside[sizeof c->folder + 60];
        struct stat st;

        if (lstat(f->run->folder, &st) != 0)
                return true;
        snprintf(aside, sizeof aside, "%s/" CAMPAIGN_ASIDE, c->folder);
        if (!folder_make(aside, why, cap))
                return false;
        for (int k = 1; k < 10000; k++) {
                snprintf(aside, sizeof aside, "%s/" CAMPAIGN_ASIDE "/%05d-%d", c->folder,
                         f->number, k);
                if (lstat(aside, &st) == 0)
                        continue;
                if (rename(f->run->folder, aside) == 0) {
                        c->moved_aside++;
                        return true;
                }
                break;
        }
        snprintf(why, cap, "%s: cannot be moved to %s (%s)", f->run->folder, aside,
                 strerror(errno));
        return false;
}

bool campaign_disk_is_full(const struct campaign *c, char *why, size_t cap)
{
        struct statvfs v;
        uint64_t free_mb;

        if (statvfs(c->folder, &v) != 0)
                return false;
        free_mb = (uint64_t)v.f_bavail * v.f_frsize / 1000000;
        if (free_mb >= (uint64_t)c->file.reserve_mb)
                return false;
        snprintf(why, cap,
                 "%s: the disk has %llu MB left, and %d MB of it stay free (reserve_mb)",
                 c->folder, (unsigned long long)free_mb, c->file.reserve_mb);
        return true;
}
