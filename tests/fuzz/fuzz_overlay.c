/* Any bytes as run.ulg: what is drawn of it lies within what was in it, and reads back as JSON. */
#include <math.h>

#include "hil/page/compare_lines.h"
#include "hil/config/config.h"
#include "hil/text/json.h"
#include "tests/fuzz/fuzz.h"

static void check_bins(const struct overlay_run *run)
{
        for (int v = 0; v < run->vehicles; v++)
                for (int q = 0; q < OVERLAY_QUANTITIES; q++)
                        for (int i = 0; i < OVERLAY_BINS; i++) {
                                struct overlay_bin b = overlay_bin(
                                        run, v, (enum overlay_quantity)q, i, 1);

                                if (b.count > 0 && !(b.low <= b.high))
                                        abort();
                        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct overlay_run run[2] = { { 0 }, { 0 } };
        struct compare_lines lines = { "fuzz", 10.0, 1, 1, run, 20000 };
        struct json_error why;
        struct json *root;
        char *text = NULL;
        size_t text_len;
        FILE *f = open_memstream(&text, &text_len);

        if (f == NULL || !overlay_open(&run[0], 10.0) ||
            !overlay_read(&run[0], data, len) || run[0].vehicles > VEHICLES_MAX)
                abort();
        check_bins(&run[0]);
        compare_lines_put(f, &lines);
        fclose(f);
        root = json_parse(text, text_len, "lines", &why);
        if (root == NULL)
                abort();
        json_free(root);
        free(text);
        overlay_close(&run[0]);
        return 0;
}
