/* Every fuzz target on the seeds in tests/fuzz/corpus, which are also the inputs that once broke something: a suite for
 * each target. The Makefile names the targets' functions apart, and lists them: TARGETS is X(hilp) X(mavlink) and so on. */
#include "tests/suites.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int fuzz_target(const uint8_t *data, size_t size);

/* A copy of just its length, so that a byte read behind it is noticed. */
static uint8_t *read_seed(const char *path, size_t *size)
{
        FILE *file = fopen(path, "rb");
        uint8_t *data;

        ck_assert_msg(file != NULL, "%s cannot be read", path);
        ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
        *size = (size_t)ftell(file);
        rewind(file);
        data = malloc(*size > 0 ? *size : 1);
        ck_assert_ptr_nonnull(data);
        ck_assert_uint_eq(fread(data, 1, *size, file), *size);
        fclose(file);
        return data;
}

static void take_seeds(const char *name, fuzz_target *take)
{
        char folder[300], path[600];
        const struct dirent *entry;
        int seeds = 0;
        DIR *dir;

        snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
        dir = opendir(folder);
        ck_assert_msg(dir != NULL, "no seeds: there is no %s", folder);
        while ((entry = readdir(dir)) != NULL) {
                size_t size;
                uint8_t *data;

                if (entry->d_name[0] == '.')
                        continue;
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
                data = read_seed(path, &size);
                /* The last line of a target that crashed. */
                fprintf(stderr, "%s\n", path);
                ck_assert_int_eq(take(data, size), 0);
                free(data);
                seeds++;
        }
        closedir(dir);
        ck_assert_msg(seeds > 0, "no seeds in %s", folder);
}

#define X(name)                                                                          \
        extern fuzz_target fuzz_##name;                                                  \
        static void name##_takes_its_seeds(int _i __attribute__((unused)))               \
        {                                                                                \
                take_seeds(#name, fuzz_##name);                                          \
        }                                                                                \
        static void __attribute__((constructor)) add_##name(void)                        \
        {                                                                                \
                static const TTest test = { #name "_takes_its_seeds",                    \
                                            name##_takes_its_seeds, "fuzz/" #name,       \
                                            __LINE__ };                                  \
                suites_add_test(&test, 1);                                               \
        }
#ifndef TARGETS /* for the linters, who know no Makefile */
#define TARGETS X(hilp)
#endif

TARGETS
