/* Every fuzz target on the seeds in tests/fuzz/corpus, which are also the inputs that once broke something: a suite for
 * each target. The Makefile names the targets' functions apart, and lists them: TARGETS is X(hilp) X(mavlink) and so on. */
#include "tests/suites.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int fuzz_target(const uint8_t *data, size_t size);

#define X(name) extern fuzz_target fuzz_##name;
TARGETS
#undef X

static const struct {
        const char *name;
        fuzz_target *run;
} targets[] = {
#define X(name) { #name, fuzz_##name },
        TARGETS
#undef X
};

enum { COUNT = sizeof targets / sizeof targets[0] };

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

START_TEST(a_target_takes_its_seeds)
{
        char folder[300], path[600];
        const struct dirent *entry;
        int seeds = 0;
        DIR *dir;

        snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", targets[_i].name);
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
                ck_assert_int_eq(targets[_i].run(data, size), 0);
                free(data);
                seeds++;
        }
        closedir(dir);
        ck_assert_msg(seeds > 0, "no seeds in %s", folder);
}
END_TEST

static void __attribute__((constructor)) add_suites(void)
{
        for (int i = 0; i < COUNT; i++) {
                char file[300];
                Suite *s = suite_create(targets[i].name);
                TCase *t = tcase_create("seeds");

                tcase_add_loop_test(t, a_target_takes_its_seeds, i, i + 1);
                suite_add_tcase(s, t);
                snprintf(file, sizeof file, "fuzz/%s", targets[i].name);
                suites_add(file, s);
        }
}
