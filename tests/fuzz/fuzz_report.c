/* Any bytes as a run folder's files: the page is written, and nothing of them becomes markup. The
 * input is the three files one after the other, each but the last with a length of two bytes. */
#include "hil/page/report.h"
#include "tests/fuzz/fuzz.h"

static const char *take_file(const uint8_t **data, size_t *len, size_t *taken)
{
        const char *text = NULL;
        size_t wanted;

        *taken = 0;
        if (*len < 2)
                return NULL;
        wanted = (size_t)((*data)[0] | (*data)[1] << 8);
        *data += 2;
        *len -= 2;
        *taken = wanted < *len ? wanted : *len;
        text = *taken > 0 ? (const char *)*data : NULL;
        *data += *taken;
        *len -= *taken;
        return text;
}

static void check_tables(const struct report_log *log)
{
        for (int v = 0; v < VEHICLES_MAX; v++)
                for (int id = 0; id < REPORT_TABLES; id++) {
                        const struct report_table *t = &log->vehicle[v].table[id];

                        if (t->rows > t->room || t->rows > t->seen)
                                abort();
                        for (size_t i = 1; i < t->rows; i++)
                                if (t->t_us[i] < t->t_us[i - 1])
                                        abort();
                }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct report *r = calloc(1, sizeof *r);
        struct report_files files = { NULL };
        char *page = NULL;
        size_t page_len;
        FILE *out = open_memstream(&page, &page_len);

        if (r == NULL || out == NULL)
                abort();
        files.summary = take_file(&data, &len, &files.summary_len);
        files.config = take_file(&data, &len, &files.config_len);
        files.log = len > 0 ? data : NULL;
        files.log_len = len;
        if (!report_read(r, "folder", &files))
                abort();
        check_tables(&r->log);
        if (!report_page(out, r))
                abort();
        fclose(out);
        if (memmem(page, page_len, "</html>", 7) == NULL)
                abort();
        report_free(r);
        free(r);
        free(page);
        return 0;
}
