/* What may be written now, written: each file is read back, and what became of it is said. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hil/host/host.h"
#include "hil/text/terminal.h"

/* What stands in the file after a change was asked for. */
static bool is_now(const struct host *h, const struct host_change *c, char *text,
                   size_t cap)
{
        struct cpu_list is, wanted;
        char chosen[80];

        if (!system_file_read(h->root, c->path, text, cap))
                return false;
        if (system_text_chosen(text, chosen, sizeof chosen))
                snprintf(text, cap, "%s", chosen);
        if (c->list_of_cpus)
                return cpu_list_read(&is, text) && cpu_list_read(&wanted, c->now) &&
                       memcmp(&is, &wanted, sizeof is) == 0;
        return strcmp(text, c->now) == 0;
}

static bool make(const struct host *h, const struct host_change *c, FILE *out,
                 struct json *json)
{
        int error = system_file_write(h->root, c->path, c->now);
        struct json *row = json != NULL ? json_add_object(json, NULL) : NULL;
        char is[200];
        bool made = is_now(h, c, is, sizeof is);

        json_add_string(row, "path", c->path);
        json_add_string(row, "was", c->was);
        json_add_string(row, "wanted", c->now);
        json_add_string(row, "is", is);
        if (made) {
                terminal_print(out, "changed %s: %s -> %s\n", c->path, c->was, is);
        } else {
                const char *why =
                        error != 0 ? strerrordesc_np(error) : "the kernel kept it";

                json_add_string(row, "error", why);
                terminal_print(out, "not changed %s: %s; it is %s, not %s\n", c->path,
                               why, is, c->now);
        }
        return made;
}

int host_fix(const struct host *h, const struct host_report *r, FILE *out,
             struct json *json)
{
        int made = 0;

        for (int i = 0; i < r->findings; i++)
                for (int k = 0; k < r->finding[i].changes; k++)
                        made += make(h, &r->finding[i].change[k], out, json);
        return made;
}
