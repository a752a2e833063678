/* Machines of several makes, by trees such as theirs: what is found, what is not judged, and what may be written. */
#include "tests/hil/host/made_up_tree.h"
#include "tests/suites.h"

PROCESS_EACH

#define CPU "/sys/devices/system/cpu"

static void put_cpu(int cpu, const char *file, const char *text)
{
        char path[HOST_PATH_MAX];

        snprintf(path, sizeof path, CPU "/cpu%d/%s", cpu, file);
        put(path, text);
}

static void put_common(const char *online)
{
        put(CPU "/online", online);
        put("/proc/loadavg", "0.05 0.03 0.01 1/200 4321");
        put("/proc/meminfo", "MemTotal:       16000000 kB\nAnonHugePages:    524288 kB\n"
                             "SwapTotal:             0 kB\nHugePages_Total:       0");
        put("/proc/self/timerslack_ns", "50000");
        put("/proc/self/status", "Name:\thilrig\nCapEff:\t0000000000000000");
        put("/proc/self/limits",
            "Limit                     Soft Limit           Hard Limit           Units\n"
            "Max locked memory         8388608              8388608              bytes\n"
            "Max realtime priority     0                    0");
}

/* A desktop with an Intel processor, as it was installed. */
static void put_intel(void)
{
        put_common("0-3");
        put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nflags\t\t: fpu vme tsc");
        put("/proc/version",
            "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) "
            "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)");
        put("/proc/cmdline", "root=/dev/sda1 quiet preempt=voluntary");
        put("/sys/kernel/debug/sched/preempt", "none (voluntary) full ");
        put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
        put("/sys/devices/system/clocksource/clocksource0/available_clocksource",
            "tsc hpet acpi_pm ");
        put("/proc/sys/kernel/sched_rt_runtime_us", "0");
        put("/proc/sys/kernel/sched_rt_period_us", "1000000");
        put(CPU "/intel_pstate/no_turbo", "0");
        put(CPU "/smt/active", "1");
        put(CPU "/isolated", "");
        put(CPU "/nohz_full", "(null)");
        for (int i = 0; i < 4; i++) {
                put_cpu(i, "cpufreq/scaling_governor",
                        i == 2 ? "performance" : "powersave");
                put_cpu(i, "cpufreq/scaling_available_governors",
                        "performance powersave");
                put_cpu(i, "cpufreq/scaling_cur_freq", "800000");
                put_cpu(i, "cpufreq/cpuinfo_max_freq", "4200000");
                put_cpu(i, "cpufreq/base_frequency", "3000000");
                put_cpu(i, "cpuidle/state0/name", "POLL");
                put_cpu(i, "cpuidle/state0/latency", "0");
                put_cpu(i, "cpuidle/state0/disable", "0");
                put_cpu(i, "cpuidle/state1/name", "C10");
                put_cpu(i, "cpuidle/state1/latency", "890");
                put_cpu(i, "cpuidle/state1/disable", "0");
                put_cpu(i, "topology/thread_siblings_list", i % 2 == 0 ? "0,2" : "1,3");
        }
        put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
        put("/sys/kernel/mm/ksm/run", "1");
        put("/sys/kernel/mm/ksm/pages_shared", "1234");
        put("/sys/devices/system/node/online", "0-1");
        put("/proc/sys/kernel/numa_balancing", "1");
        put("/proc/irq/24/smp_affinity_list", "0-3");
        put("/proc/irq/25/smp_affinity_list", "3");
        put("/proc/irq/26/smp_affinity_list", "0-1");
        put("/proc/interrupts", "           CPU0       CPU1       CPU2       CPU3\n"
                                " 24:          1          2          3        400  nvme\n"
                                " 25:          0          0          0         21  xhci");
        put("/sys/bus/usb/devices/1-0/bDeviceClass", "09");
        put("/sys/bus/usb/devices/1-0/power/control", "auto");
        put("/sys/bus/usb/devices/1-4/bDeviceClass", "00");
        put("/sys/bus/usb/devices/1-4/idVendor", "0403");
        put("/sys/bus/usb/devices/1-4/idProduct", "6001");
        put("/sys/bus/usb/devices/1-4/power/control", "auto");
        put("/sys/bus/usb/devices/1-4/power/autosuspend_delay_ms", "2000");
        put("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16");
        put("/sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "1");
}

FIXTURE(begin_tree, end_tree)

TEST(an_intel_desktop_as_installed_is_told_what_to_change)
{
        put_intel();
        judge_tree();
        expect("load", HOST_OK, "0.05 on 4 CPUs");
        expect("hypervisor", HOST_OK, "none");
        expect("preemption", HOST_CHANGE, "voluntary");
        expect_plan("preemption", 1, "/sys/kernel/debug/sched/preempt", "voluntary",
                    "full");
        expect("clock_source", HOST_CHANGE, "hpet");
        expect_plan("clock_source", 1,
                    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    "hpet", "tsc");
        expect("rtprio", HOST_CHANGE, "0, but realtime.priority is 80");
        expect("memlock", HOST_CHANGE, "8 MiB");
        expect("throttling", HOST_CHANGE, "0 of 1000000 us");
        expect("governor", HOST_CHANGE,
               "powersave on 3 of 4 CPUs; CPU 0 runs at 800 of 4200");
        expect_plan("governor", 3, CPU "/cpu0/cpufreq/scaling_governor", "powersave",
                    "performance");
        expect("turbo", HOST_OK, "on: 4200 MHz where one CPU works, 3000");
        expect("sleep_states", HOST_CHANGE,
               "C10 takes 890 us to leave, and "
               "/dev/cpu_dma_latency may not be written");
        expect("isolation", HOST_CHANGE, "no CPU is isolated");
        ck_assert_ptr_nonnull(strstr(finding("isolation")->advice, "realtime.cpu 3"));
        expect("interrupts", HOST_NOT_JUDGED, "realtime.cpu is -1");
        expect("huge_pages", HOST_CHANGE, "512 MiB so far");
        expect("same_pages", HOST_CHANGE, "1234 pages");
        expect("numa", HOST_CHANGE, "2 nodes");
        expect("swap", HOST_OK, "none");
        /* The hub may sleep. */
        expect("usb_suspend", HOST_CHANGE, "1 of 1 may; 0403:6001 after 2000 ms");
        expect("serial_latency", HOST_CHANGE, "up to 16 ms on 1 of 2");
        /* Nothing was measured, and nothing is claimed. */
        expect("lateness", HOST_NOT_JUDGED, "nothing was measured");
        expect("smi", HOST_NOT_JUDGED, "nothing was measured");
}

TEST(a_cpu_of_its_own_is_judged_by_who_else_may_use_it)
{
        put_intel();
        wants.cpu = 3;
        judge_tree();
        expect("isolation", HOST_CHANGE, "everything else may use");
        expect("siblings", HOST_CHANGE, "CPUs 1,3 are one core");
        expect("interrupts", HOST_CHANGE, "2 of 3 may come to CPU 3; 421 have");
        expect_plan("interrupts", 2, "/proc/irq/24/smp_affinity_list", "0-3", "0-2");
        /* One that had no other goes to all others. */
        ck_assert_str_eq(finding("interrupts")->change[1].now, "0-2");
        ck_assert_ptr_null(strstr(finding("interrupts")->advice, "irqbalance"));

        put("/proc/812/comm", "irqbalance");
        put(CPU "/isolated", "1,3");
        judge_tree();
        expect("isolation", HOST_CHANGE, "the scheduler's tick stays");
        ck_assert_ptr_nonnull(strstr(finding("interrupts")->advice, "irqbalance"));

        put(CPU "/nohz_full", "3");
        put("/proc/irq/24/smp_affinity_list", "0-2");
        put("/proc/irq/25/smp_affinity_list", "0");
        judge_tree();
        expect("isolation", HOST_OK, "CPU 3 is the loop's alone");
        expect("interrupts", HOST_OK, "none of 3");

        wants.cpu = 4;
        judge_tree();
        expect("isolation", HOST_CHANGE, "which this machine does not have");
}

/* A server with an AMD processor, set up as docs/realtime.md says. */
TEST(an_amd_server_that_is_set_up_has_nothing_to_change)
{
        put_common("0-1");
        put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nflags\t\t: fpu vme tsc");
        put("/proc/version", "Linux version 6.1.0-18-rt-amd64 #1 SMP PREEMPT_RT Debian");
        put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
        put("/proc/sys/kernel/sched_rt_runtime_us", "-1");
        put("/proc/self/limits", "Max locked memory         unlimited  unlimited  bytes\n"
                                 "Max realtime priority     90         90");
        put(CPU "/cpufreq/boost", "0");
        put(CPU "/smt/active", "0");
        put(CPU "/isolated", "1");
        put(CPU "/nohz_full", "1");
        for (int i = 0; i < 2; i++) {
                put_cpu(i, "cpufreq/scaling_governor", "performance");
                put_cpu(i, "cpuidle/state0/latency", "0");
                put_cpu(i, "cpuidle/state1/name", "C2");
                put_cpu(i, "cpuidle/state1/latency", "400");
                put_cpu(i, "cpuidle/state1/disable", "1");
        }
        put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
        put("/sys/kernel/mm/ksm/run", "0");
        put("/sys/devices/system/node/online", "0");
        put("/proc/irq/24/smp_affinity_list", "0");
        put("/sys/bus/usb/devices/1-4/power/control", "on");
        put("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "1");
        wants.cpu = 1;
        judge_tree();
        for (int i = 0; i < report.findings; i++)
                ck_assert_msg(report.finding[i].state != HOST_CHANGE, "%s: %s",
                              report.finding[i].name, report.finding[i].figure);
        expect("preemption", HOST_OK, "PREEMPT_RT");
        expect("governor", HOST_OK, "all 2 CPUs");
        expect("turbo", HOST_OK, "off");
        expect("rtprio", HOST_OK, "90");
        expect("memlock", HOST_OK, "unlimited");
        expect("sleep_states", HOST_OK, "takes 0 us");
        expect("usb_suspend", HOST_OK, "none of 1");
        ck_assert_int_eq(host_changes(&report), 0);
}

/* A single-board computer: no cpuidle names, no SMT, no interrupts of a firmware. */
TEST(an_arm_board_is_judged_by_what_it_has)
{
        put_common("0-3");
        put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd evtstrm\n"
                             "CPU implementer\t: 0x41");
        put("/proc/version", "Linux version 6.6.20+rpt-rpi-v8 #1 SMP PREEMPT Debian");
        put("/sys/devices/system/clocksource/clocksource0/current_clocksource",
            "arch_sys_counter");
        for (int i = 0; i < 4; i++) {
                put_cpu(i, "cpufreq/scaling_governor", "ondemand");
                put_cpu(i, "cpufreq/scaling_available_governors",
                        "conservative ondemand userspace powersave performance "
                        "schedutil ");
        }
        judge_tree();
        expect("clock_source", HOST_OK, "arch_sys_counter");
        expect("preemption", HOST_OK, "PREEMPT");
        expect("governor", HOST_CHANGE, "ondemand on 4 of 4");
        ck_assert_int_eq(finding("governor")->changes, 4);
        expect("hypervisor", HOST_OK, "none");
        expect("sleep_states", HOST_NOT_JUDGED, "there is no cpuidle");
        expect("siblings", HOST_NOT_JUDGED, "smt");
        expect("turbo", HOST_NOT_JUDGED, "boost");
        expect("huge_pages", HOST_NOT_JUDGED, "transparent_hugepage");
}

/* A container that shows the number of CPUs and nothing else. */
TEST(what_a_container_does_not_show_is_not_judged)
{
        put(CPU "/online", "0-1");
        judge_tree();
        for (int i = 0; i < report.findings; i++)
                if (strcmp(report.finding[i].name, "isolation") != 0)
                        ck_assert_msg(report.finding[i].state == HOST_NOT_JUDGED,
                                      "%s: %s", report.finding[i].name,
                                      report.finding[i].figure);
        ck_assert_int_eq(host_changes(&report), 0);
}

TEST(a_machine_without_cpus_is_not_looked_at)
{
        ck_assert(!host_look(&host));
        put(CPU "/online", "zero");
        ck_assert(!host_look(&host));
        put(CPU "/online", "");
        ck_assert(!host_look(&host));
}

TEST(a_guest_is_told_what_its_host_took)
{
        put_common("0");
        put("/proc/cpuinfo", "flags\t\t: fpu hypervisor tsc\nbugs\t\t: spectre_v1");
        put("/proc/stat",
            "cpu  100 0 100 700 0 0 0 100 0 0\ncpu0 100 0 100 700 0 0 0 100");
        judge_tree();
        expect("hypervisor", HOST_CHANGE, "10.00 % of the time");
        expect("isolation", HOST_NOT_JUDGED, "one CPU");
        put("/proc/stat", "cpu  100 0");
        put("/proc/loadavg", "0.51 0.03 0.01 1/200 4321");
        judge_tree();
        expect("hypervisor", HOST_CHANGE, "a virtual machine");
        expect("load", HOST_CHANGE, "0.51 on 1 CPU");
}

TEST(permissions_that_come_by_capabilities_count)
{
        put_intel();
        /* CAP_IPC_LOCK is bit 14, CAP_SYS_NICE bit 23: capability(7). */
        put("/proc/self/status", "CapEff:\t0000000000004000");
        put("/dev/cpu_dma_latency", "");
        judge_tree();
        expect("memlock", HOST_OK, "CAP_IPC_LOCK");
        expect("rtprio", HOST_CHANGE, "0");
        expect("sleep_states", HOST_OK, "a run holds them off");
        put("/proc/self/status", "CapEff:\t0000000000800000");
        wants.hold_cpu_latency = false;
        judge_tree();
        expect("memlock", HOST_CHANGE, "8 MiB");
        expect("rtprio", HOST_OK, "CAP_SYS_NICE");
        expect("sleep_states", HOST_CHANGE, "realtime.hold_cpu_latency is false");
        wants.lock_memory = false;
        wants.priority = 0;
        put("/proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 2097152 kB");
        judge_tree();
        expect("memlock", HOST_OK, "false");
        expect("rtprio", HOST_OK, "0");
        expect("swap", HOST_CHANGE, "2048 MiB");
}
