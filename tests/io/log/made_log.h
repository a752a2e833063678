/* Logs that tests of their readers put together, and what is expected of them. */
#pragma once

#include <check.h>
#include <string.h>

#include "io/log/flight_log.h"

#define DEG 57.29577951308232

struct made {
        uint8_t bytes[8192];
        size_t len;
};

static inline void add(struct made *m, const void *bytes, size_t len)
{
        ck_assert_uint_le(m->len + len, sizeof m->bytes);
        memcpy(m->bytes + m->len, bytes, len);
        m->len += len;
}

static inline void add_text(struct made *m, const char *text)
{
        add(m, text, strlen(text));
}

static inline void add_byte(struct made *m, unsigned byte)
{
        add(m, &(uint8_t){ (uint8_t)byte }, 1);
}

static inline struct flight_log *open_log(const void *bytes, size_t len, int number)
{
        char why[300] = "";
        struct flight_log *log =
                flight_log_open(bytes, len, "log", number, why, sizeof why);

        ck_assert_msg(log != NULL, "%s", why);
        return log;
}

static inline void expect_refused(const void *bytes, size_t len, int number,
                                  const char *words)
{
        char why[300] = "";

        ck_assert_ptr_null(flight_log_open(bytes, len, "log", number, why, sizeof why));
        ck_assert_msg(strstr(why, words) != NULL, "\"%s\" has no \"%s\"", why, words);
        ck_assert_int_eq(strncmp(why, "log: ", 5), 0);
}

static inline void expect_vector(struct vec3 v, double x, double y, double z)
{
        ck_assert_double_eq_tol(v.x, x, 1e-6);
        ck_assert_double_eq_tol(v.y, y, 1e-6);
        ck_assert_double_eq_tol(v.z, z, 1e-6);
}
