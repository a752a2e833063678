/* Any bytes as the small texts of /proc and /sys, and as cyclictest's output. A list of CPUs that is read can be written,
 * and reads as the same list. */
#include <assert.h>

#include "hil/host/cyclictest.h"
#include "hil/host/system_text.h"
#include "tests/fuzz/fuzz.h"

static void try_list(const char *text)
{
        static struct cpu_list list, again;
        char written[8192];
        bool read = cpu_list_read(&list, text);

        assert(read || cpu_list_count(&list) == 0);
        assert(cpu_list_write(&list, written, sizeof written));
        assert(cpu_list_read(&again, written));
        assert(memcmp(&list, &again, sizeof list) == 0);
}

static void try_tables(const char *text)
{
        static const char *const name[] = { "CapEff", "Max locked memory", "MemTotal",
                                            "24" };
        char value[16];
        uint64_t number;

        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
                system_text_number(text, name[i], i == 0 ? 16 : 10, &number);
                for (int cpu = 0; cpu < 3; cpu++)
                        system_text_interrupts(text, name[i], cpu);
        }
        if (system_text_chosen(text, value, sizeof value))
                assert(strlen(value) < sizeof value && strpbrk(value, "])") == NULL);
        if (system_text_option(text, "preempt", value, sizeof value))
                assert(strpbrk(value, " \n") == NULL);
        assert(system_text_has("a b", "b"));
        system_text_has(text, "performance");
}

/* Line by line, as it comes out of a pipe. */
static void try_cyclictest(char *text)
{
        static struct cyclictest c[2];
        char said[40] = "", *rest = text, *line;

        memset(c, 0, sizeof c);
        while ((line = strsep(&rest, "\n")) != NULL)
                cyclictest_read_line(c, 2, line, said, sizeof said);
        for (int i = 0; i < 2; i++) {
                assert(cyclictest_us(&c[i], 0.5) <= cyclictest_us(&c[i], 0.999));
                assert(c[i].max_us >= 0);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char *text = malloc(size + 1);

        if (text == NULL)
                return 0;
        memcpy(text, data, size);
        text[size] = '\0';
        try_list(text);
        try_tables(text);
        try_cyclictest(text);
        free(text);
        return 0;
}
