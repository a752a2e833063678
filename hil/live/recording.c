#include "hil/live/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/files.h"

#define FRAME_NS       (INT64_C(1000000000) / 30)
#define FRAMES_ALL_MAX 60000 /* of all vehicles together, so that a page can hold them */

static bool read_config(struct live_recording *r, char *why, size_t cap)
{
        const struct config_overrides none = { 0 };
        struct config_error *error = calloc(1, sizeof *error);
        char path[1100], *resolved = NULL;
        bool ok = false;

        snprintf(path, sizeof path, "%s/config.json", r->folder);
        r->rig = calloc(1, sizeof *r->rig);
        if (r->rig == NULL || error == NULL)
                snprintf(why, cap, "out of memory");
        else {
                ok = config_read(r->rig, path, &none, &resolved, error);
                if (!ok)
                        snprintf(why, cap, "%s", error->text);
        }
        free(resolved);
        free(error);
        return ok;
}

static struct json *read_summary(const char *folder)
{
        struct json_error error;
        struct json *summary = NULL;
        const char *why;
        char path[1100];
        size_t len;
        const char *text;

        snprintf(path, sizeof path, "%s/summary.json", folder);
        text = mapped_file_open(path, &len, &why);
        if (text != NULL)
                summary = json_parse(text, len, "summary.json", &error);
        mapped_file_close(text, len);
        return summary;
}

static bool map_log(struct live_recording *r, char *why, size_t cap)
{
        struct topic_reader *reader = NULL;
        const char *missing = NULL;
        bool readable = false;
        char path[1100];

        snprintf(path, sizeof path, "%s/run.ulg", r->folder);
        r->log = mapped_file_open(path, &r->log_len, &missing);
        if (r->log != NULL)
                reader = topic_reader_open(r->log, r->log_len, &readable);
        free(reader);
        if (r->log != NULL && !readable)
                missing = topic_reader_refusal(r->log, r->log_len);
        if (missing != NULL)
                snprintf(why, cap, "%s: %s", path, missing);
        return missing == NULL;
}

static int64_t frame_period_ns(const struct live_recording *r)
{
        double flown_s = json_number(r->summary, "sim_time_s");
        double all_s = isfinite(flown_s) ? flown_s : (double)r->rig->stop_after_ns * 1e-9;
        double least_s = all_s * r->rig->vehicles / FRAMES_ALL_MAX;

        return least_s * 1e9 > (double)FRAME_NS ? (int64_t)(least_s * 1e9) : FRAME_NS;
}

bool live_recording_open(struct live_recording *r, const char *folder, char *why,
                         size_t cap)
{
        *r = (struct live_recording){ .folder = strdup(folder) };
        if (strlen(folder) > 1000)
                snprintf(why, cap, "the run folder's name is too long");
        else if (r->folder == NULL)
                snprintf(why, cap, "out of memory");
        else if (read_config(r, why, cap) && map_log(r, why, cap)) {
                r->summary = read_summary(folder);
                r->frame_ns = frame_period_ns(r);
                r->scene = live_scene_text(r->rig, false);
                if (r->scene != NULL)
                        return true;
                snprintf(why, cap, "out of memory");
        }
        live_recording_close(r);
        return false;
}

void live_recording_close(struct live_recording *r)
{
        if (r->rig != NULL)
                config_free(r->rig);
        free(r->rig);
        json_free(r->summary);
        free(r->scene);
        mapped_file_close(r->log, r->log_len);
        free(r->folder);
        *r = (struct live_recording){ 0 };
}
