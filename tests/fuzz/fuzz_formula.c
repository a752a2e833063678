/* Any text as a formula: it is refused in one printable line, or it can be judged, at one instant or while
 * a run goes on, and what is decided stays so. */
#include <math.h>

#include "hil/formula/formula.h"
#include "hil/judge/monitor.h"
#include "tests/fuzz/fuzz.h"

#define PERIOD_NS INT64_C(100000000)
#define TICKS     40

static const char *const quantity[] = { "a", "b", "v1.a" };
/* Of three vehicles; the last name is the second one's first. */
static const struct formula_names names = { 3, quantity, NULL, 3, 2 };

static void check_reason(const struct formula_error *why)
{
        size_t len = strnlen(why->text, sizeof why->text);

        expect(len > 0 && len < sizeof why->text);
        for (size_t i = 0; i < len; i++)
                expect(why->text[i] >= ' ' && why->text[i] <= '~');
}

static void check_run(const struct formula *f)
{
        struct monitor *m = monitor_create(f, PERIOD_NS, TICKS * PERIOD_NS);
        struct monitor_result before = { 0 }, r;

        if (m == NULL)
                return;
        for (int i = 0; i <= TICKS; i++) {
                double value[] = { (i * 7) % 11 - 5,
                                   i % 4 == 3 ? NAN : (float)(i % 3),
                                   5 - i,
                                   i,
                                   3,
                                   -i };

                monitor_observe(m, i * PERIOD_NS, value);
                monitor_judge(m, &r);
                expect(r.decided != r.open && !isnan(r.robustness) && r.lo <= r.hi);
                expect(!before.decided || (r.decided && r.holds == before.holds));
                expect(r.lo >= before.lo || i == 0);
                expect(r.hi <= before.hi || i == 0);
                before = r;
        }
        monitor_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        const double value[] = { 1.0, NAN, -INFINITY, 2.0, -0.0, INFINITY };
        struct formula_error why = { "" };
        struct formula *f;
        char *text = malloc(len + 1);

        if (text == NULL)
                return 0;
        if (len > 0)
                memcpy(text, bytes, len);
        text[len] = '\0';
        f = formula_parse(text, &names, &why);
        free(text);
        if (f == NULL) {
                check_reason(&why);
                return 0;
        }
        if (!formula_is_temporal(f) && !formula_is_number(f))
                expect(!isnan(formula_value(f, value)));
        else if (formula_is_temporal(f))
                check_run(f);
        formula_free(f);
        return 0;
}
