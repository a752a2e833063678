/* How a campaign goes, for people: a line for each flight that ended, and on a terminal a bar. */
#include <stdarg.h>

#include "hil/campaign/session.h"
#include "hil/text/terminal.h"
#include "hil/time/clock.h"

#define BAR 24

static void print_left(const struct session *p, int open)
{
        double left = 1e-9 * (double)(clock_now_ns() - p->start_ns) * open;
        long t;

        if (p->counted == 0)
                return;
        t = (long)(left / p->counted + 0.5);
        if (t >= 3600)
                fprintf(p->out, ", %ld:%02ld:%02ld left", t / 3600, t / 60 % 60, t % 60);
        else
                fprintf(p->out, ", %ld:%02ld left", t / 60, t % 60);
}

void session_draw(const struct session *p)
{
        struct suite_count n;
        int done, full;

        if (!p->terminal)
                return;
        n = campaign_count(p->c);
        done = p->c->flights - n.open;
        full = BAR * done / p->c->flights;
        fputs("\r[", p->out);
        for (int i = 0; i < BAR; i++)
                fputc(i < full ? '#' : '.', p->out);
        fprintf(p->out, "] %d of %d, %d passed", done, p->c->flights,
                n.verdict[RUN_PASSED]);
        for (int v = RUN_FAILED; v <= RUN_ERROR; v++)
                if (n.verdict[v] > 0)
                        fprintf(p->out, ", %d %s", n.verdict[v],
                                compared_run_name((enum compared_run)v));
        fprintf(p->out, ", %d flying", p->flying);
        print_left(p, n.open);
        fputs("\x1b[K", p->out);
        fflush(p->out);
}

static void clear_line(const struct session *p)
{
        if (p->terminal)
                fputs("\r\x1b[K", p->out);
}

void session_tell(const struct session *p, const struct campaign_flight *f, bool again)
{
        const struct suite_run *r = f->run;
        struct suite_count n = campaign_count(p->c);

        if (p->terminal && r->verdict == RUN_PASSED)
                return;
        clear_line(p);
        terminal_print(p->out, "%d of %d  %-6s  %s", p->c->flights - n.open,
                       p->c->flights, compared_run_name(r->verdict),
                       campaign_flight_name(p->c, f));
        if (f->board[0] != '\0')
                terminal_print(p->out, " on %s", f->board);
        if (r->verdict != RUN_PASSED || r->failed > 0)
                terminal_print(p->out, ": %s", r->reason);
        if (again)
                fprintf(p->out, "; flown again, %d of %d attempts are over", f->attempts,
                        p->c->file.attempts);
        if (!p->terminal)
                print_left(p, n.open);
        fputc('\n', p->out);
        fflush(p->out);
}

void session_say(const struct session *p, const char *format, ...)
{
        char text[600];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        clear_line(p);
        terminal_print(p->out, "%s\n", text);
        fflush(p->out);
}
