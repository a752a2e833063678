/* Libraries that are loaded when they are needed. */
#include <string.h>

#include "io/library.h"

#include "tests/suites.h"

/* Of the C library, which is there. */
static struct {
        LIBRARY_FUNCTION(strlen)
        LIBRARY_FUNCTION(strcmp)
} functions;

TEST(functions_are_those_of_the_names)
{
        static const char *const names[] = { LIBRARY_NAME(strlen) LIBRARY_NAME(strcmp) };
        char why[200];

        memset(&functions, 0, sizeof functions);
        ck_assert(library_load(&functions, names, 2, "libm.so.6", why, sizeof why));
        ck_assert_uint_eq(functions.strlen("four"), 4);
        ck_assert_int_lt(functions.strcmp("a", "b"), 0);
        /* Not loaded again: whatever it is called. */
        ck_assert(library_load(&functions, names, 2, "no.so", why, sizeof why));
}

TEST(what_is_missing_is_named)
{
        static const char *const names[] = { "strlen", "hilrig_no_such_function" };
        char why[200];

        memset(&functions, 0, sizeof functions);
        ck_assert(!library_load(&functions, names, 2, "libm.so.6", why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "libm.so.6: cannot be loaded"));
        ck_assert_ptr_nonnull(strstr(why, "hilrig_no_such_function"));
        ck_assert(!library_load(&functions, names, 2, "libhilrig_none.so", why,
                                sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "libhilrig_none.so: cannot be loaded"));
        ck_assert_ptr_null((void *)(uintptr_t)functions.strcmp);
}
