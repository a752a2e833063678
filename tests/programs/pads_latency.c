/* From a command's last edge on a motor pad to the tick that it drives, part by part, in real time: the rig
 * on an emulated analyzer behind the machine's own libusb. One JSON object, for `make bench`. The device and
 * the wire are emulated by a thread of this process; what comes after them is not. */
#include "tests/staged/pads_stage.h"

static double us(const struct histogram *h, double p)
{
        return (double)histogram_quantile_ns(h, p) * 1e-3;
}

static void print_part(const char *name, const struct histogram *h)
{
        printf(", \"%s_us\": {\"p50\": %.1f, \"p99\": %.1f}", name, us(h, 0.5),
               us(h, 0.99));
}

START_TEST(measure)
{
        const struct pads_latency *l;

        set_up(PAD_FAULT_NONE, 0);
        at_full_rate();
        bench.begin_ns = clock_now_ns();
        begin("", "stop_after_s=10");
        l = &rig.vehicle[0].pads->latency;
        printf("{\"bench\": \"pads\", \"commands\": %llu, \"gaps\": %llu",
               (unsigned long long)l->whole.count,
               (unsigned long long)rig.vehicle[0].pads->now.gaps);
        print_part("device", &l->fill);
        print_part("transfer", &l->transfer);
        print_part("decode", &l->decode);
        print_part("tick", &l->wait);
        print_part("whole", &l->whole);
        print_part("age", &l->age);
        printf(", \"overtaken\": %llu", (unsigned long long)l->overtaken);
        printf(", \"clock_ppm\": %.2f}\n",
               device_clock_ppm(&rig.vehicle[0].pads->decode.clock));
        end();
}
END_TEST

/* The stage speaks in Check's words. */
int main(void)
{
        Suite *suite = suite_create("pads_latency");
        TCase *tcase = tcase_create("pads_latency");
        SRunner *runner;
        int failed;

        tcase_add_test(tcase, measure);
        suite_add_tcase(suite, tcase);
        runner = srunner_create(suite);
        srunner_set_fork_status(runner, CK_NOFORK);
        srunner_run_all(runner, CK_SILENT);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
