/* Who listens on this machine, and which process is at the other end of a link. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/process/listening.h"
#include "hil/process/peer.h"
#include "hil/rig/spawn.h"

#include "tests/suites.h"

/* A process that opens the other end, says a word, and waits. */
static pid_t fork_peer(const struct link_spec *spec)
{
        pid_t pid = fork();
        struct link_error why;
        struct link *link;
        char buf[16];

        if (pid != 0)
                return pid;
        link = link_open(spec, &why);
        /* A listener's peer comes, and is answered. */
        if (link == NULL)
                _exit(1);
        for (bool heard = false;;) {
                heard = heard || link_read(link, buf, sizeof buf) > 0;
                if (heard)
                        link_confirm(link);
                link_write(link, "here", 4);
                usleep(1000);
        }
}

static void find_peer(const char *text)
{
        struct link_spec spec, peer_spec;
        struct link_error why;
        struct link *rig;
        char buf[16];
        pid_t pid;

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        rig = link_open(&spec, &why);
        ck_assert_msg(rig != NULL, "%s", why.text);
        ck_assert_msg(peer_process(rig) == 0, "%s", text);
        ck_assert(link_other_end(rig, &spec, &peer_spec));
        pid = fork_peer(&peer_spec);
        while (link_read(rig, buf, sizeof buf) <= 0) {
                link_write(rig, "who", 3);
                usleep(1000);
        }
        ck_assert_msg(peer_process(rig) == pid, "%s", text);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        link_close(rig);
}

TEST(the_process_at_the_other_end_is_found)
{
        static const char *const kinds[] = { "unix", "tcp", "udp" };
        char text[100];

        for (int i = 0; i < 3; i++) {
                bench_link_text(kinds[i], text, sizeof text);
                find_peer(text);
        }
}

TEST(of_a_terminal_or_of_nothing_no_process_is_known)
{
        struct link_spec spec;
        struct link_error why;
        struct link *link;

        ck_assert(link_spec_parse(&spec, "pty", &why));
        link = link_open(&spec, &why);
        ck_assert_ptr_nonnull(link);
        ck_assert_int_eq(peer_process(link), 0);
        ck_assert_int_eq(peer_process(NULL), 0);
        link_close(link);
}

/* text: of a link that listens; reaches: of one that would find it. */
static void expect_listener(const char *text, const char *reaches)
{
        struct link_spec spec, other;
        struct link_error why;
        struct link *link;

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        ck_assert_msg(link_spec_parse(&other, reaches, &why), "%s", why.text);
        ck_assert_msg(!listening_at(&other), "%s", reaches);
        link = link_open(&spec, &why);
        ck_assert_msg(link != NULL, "%s", why.text);
        ck_assert_msg(listening_at(&other), "%s", reaches);
        ck_assert(!listening_at(&spec)); /* that reaches nobody */
        link_close(link);
        ck_assert_msg(!listening_at(&other), "%s", reaches);
}

TEST(a_listener_is_seen_and_not_disturbed)
{
        char path[60], listens[80], reaches[80];

        expect_listener("tcp-listen:127.0.0.1:45893", "tcp:127.0.0.1:45893");
        expect_listener("udp-listen:127.0.0.1:45894", "udp:127.0.0.1:45894");
        snprintf(path, sizeof path, "/tmp/hilrig-listener-%d", (int)getpid());
        snprintf(listens, sizeof listens, "unix-listen:%s", path);
        snprintf(reaches, sizeof reaches, "unix:%s", path);
        expect_listener(listens, reaches);
}
