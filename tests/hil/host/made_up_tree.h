/* Trees of /proc, /sys and /dev as other machines have them: written for a test, removed behind it. */
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/host.h"
#include "hil/text/files.h"
#include "hil/text/tree.h"

static char root[] = "/tmp/hilrig-host-XXXXXX";
static struct realtime_config wants;
static struct host host;
static struct host_report report;

static inline void put_bytes(const char *path, const void *bytes, size_t len)
{
        char real[HOST_PATH_MAX], folder[HOST_PATH_MAX], why[400];
        FILE *f;

        system_file_path(root, path, real);
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(real, '/') - real), real);
        ck_assert_msg(folder_make(folder, why, sizeof why), "%s", why);
        f = fopen(real, "w");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
        fclose(f);
}

/* As the kernel writes it: with a newline at the end. */
static inline void put(const char *path, const char *text)
{
        char line[4000];

        snprintf(line, sizeof line, "%s\n", text);
        put_bytes(path, line, strlen(line));
}

static inline void begin_tree(void)
{
        ck_assert_ptr_nonnull(mkdtemp(root));
        wants = (struct realtime_config){
                .priority = 80, .cpu = -1, .lock_memory = true, .hold_cpu_latency = true
        };
        host = (struct host){ .root = root, .wants = &wants, .period_ns = 1000000 };
}

static inline void end_tree(void)
{

        host_report_free(&report);
        ck_assert(tree_remove(root));
}

static inline void judge_tree(void)
{
        host_report_free(&report);
        ck_assert(host_look(&host));
        ck_assert(host_judge(&host, &report));
}

static inline const struct host_finding *finding(const char *name)
{
        for (int i = 0; i < report.findings; i++)
                if (strcmp(report.finding[i].name, name) == 0)
                        return &report.finding[i];
        ck_abort_msg("no finding is called %s", name);
}

static inline void expect(const char *name, enum host_state state, const char *figure)
{
        const struct host_finding *f = finding(name);

        ck_assert_msg(f->state == state && strstr(f->figure, figure) != NULL,
                      "%s: state %d, %s", name, (int)f->state, f->figure);
        /* Whatever is to be changed says how. */
        ck_assert(f->state != HOST_CHANGE || f->advice[0] != '\0' || f->changes > 0);
}

static inline void expect_plan(const char *name, int changes, const char *path,
                               const char *was, const char *now)
{
        const struct host_finding *f = finding(name);

        ck_assert_int_eq(f->changes, changes);
        ck_assert_str_eq(f->change[0].path, path);
        ck_assert_str_eq(f->change[0].was, was);
        ck_assert_str_eq(f->change[0].now, now);
}
