/* Any text as a campaign file, as a farm file, as the record that a flight left in its folder, as the note that a job left, and as
 * Slurm's queue, cut at zero bytes: each is
 * refused with a reason, or what comes of it adds up; settings are whole, texts can be made, and no text moves a terminal's
 * cursor. */
#include <sys/stat.h>

#include "hil/campaign/slurm.h"
#include "hil/text/json.h"
#include "tests/fuzz/fuzz.h"

static void check_farm(const char *path)
{
        static char text[FARM_SETS_MAX][FARM_SET_MAX];
        struct config_error why;
        struct farm_file farm;

        if (config_read_farm(&farm, path, &why))
                for (int i = 0; i < farm.boards; i++) {
                        int n = farm_board_sets(&farm.board[i], text);

                        expect(n > 0 && n <= FARM_SETS_MAX);
                        for (int k = 0; k < n; k++)
                                expect(strnlen(text[k], FARM_SET_MAX) < FARM_SET_MAX &&
                                       strchr(text[k], '=') != NULL);
                }
        else
                check_lines(why.text, sizeof why.text);
        config_farm_free(&farm);
}

/* One flight of each version, without the rigs that the file names. */
static void make_flights(struct campaign *c)
{
        c->flights = c->file.versions;
        c->suite = calloc((size_t)c->flights, sizeof *c->suite);
        c->flight = calloc((size_t)c->flights, sizeof *c->flight);
        expect(c->suite != NULL && c->flight != NULL);
        for (int v = 0; v < c->flights; v++) {
                struct suite *s = &c->suite[v];

                s->folder_fd = -1;
                s->file = c->file.suite;
                s->extra = c->file.version[v].set;
                s->options.file = c->options.file;
                s->run = calloc(1, sizeof *s->run);
                expect(s->run != NULL);
                s->runs = 1;
                *s->run = (struct suite_run){ .rig = strdup("rig.json"),
                                              .board = "",
                                              .repeat = 1,
                                              .group = "rig/own" };
                snprintf(s->run->folder, sizeof s->run->folder, "%s/flight", c->folder);
                c->flight[v] = (struct campaign_flight){ .number = v + 1,
                                                         .version = v,
                                                         .run = s->run };
        }
}

static void check_flights(struct campaign *c)
{
        static char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        struct suite_count n;
        struct json_error why;
        struct json *root;
        char *document;

        for (int i = 0; i < c->flights; i++) {
                struct campaign_flight *f = &c->flight[i];
                char *word[SUITE_WORDS_MAX];
                int words = suite_run_words(&c->suite[f->version], f->run, text, word);

                expect(words > 4 && words < SUITE_WORDS_MAX && word[words] == NULL);
                expect((campaign_record_read(f) == RECORD_COUNTS) ==
                       (f->run->state == SUITE_KEPT));
        }
        n = campaign_count(c);
        expect(n.verdict[0] + n.verdict[1] + n.verdict[2] + n.verdict[3] + n.open ==
               c->flights);
        expect((campaign_exit_status(c) == 0) == (n.verdict[RUN_PASSED] == c->flights));
        document = campaign_json(c);
        expect(document != NULL);
        root = json_parse(document, strlen(document), "campaign.json", &why);
        expect(root != NULL);
        json_free(root);
        free(document);
        document = campaign_html(c);
        expect(document != NULL && strstr(document, "</html>") != NULL);
        free(document);
        document = campaign_junit(c);
        expect(document != NULL && strstr(document, "</testsuites>") != NULL);
        free(document);
}

/* The first flight's note, then the queue. */
static void check_jobs(struct campaign *c, const uint8_t *data, size_t size)
{
        struct session p = { .c = c };
        struct slurm s = { .p = &p, .name = "0123456789ab", .plan = "ba9876543210" };
        struct slurm_note note;
        const uint8_t *part;
        char path[600];
        size_t len;
        FILE *queue;

        snprintf(path, sizeof path, "%s/" SLURM_FOLDER, c->folder);
        mkdir(path, 0700);
        strcat(path, "/00001.json");
        part = take_part(&data, &size, &len);
        put_file(path, part, len);
        if (slurm_take_note(&s, &c->flight[0], &note))
                expect(note.stop != CAMPAIGN_GOES_ON &&
                       strnlen(note.reason, sizeof note.reason) < sizeof note.reason);
        s.flight = calloc((size_t)c->flights, sizeof *s.flight);
        queue = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
        expect(s.flight != NULL);
        if (queue != NULL) {
                slurm_place(&s, queue);
                expect(p.flying <= c->flights && s.strangers >= 0);
                fclose(queue);
        }
        free(s.flight);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct campaign *c = calloc(1, sizeof *c);
        struct config_error why;
        char path[700], below[500];
        const uint8_t *part;
        size_t len;

        expect(c != NULL);
        c->folder_fd = -1;
        c->options.file = path;
        snprintf(c->folder, sizeof c->folder, "%s", scratch());
        snprintf(path, sizeof path, "%s/campaign.json", c->folder);
        part = take_part(&data, &size, &len);
        put_file(path, part, len);
        check_farm(path);
        if (!config_read_campaign(&c->file, path, &why)) {
                check_lines(why.text, sizeof why.text);
                c->file.versions = 0;
        } else {
                snprintf(below, sizeof below, "%s/flight", c->folder);
                mkdir(below, 0700);
                part = take_part(&data, &size, &len);
                strcat(below, "/flight.json");
                put_file(below, part, len);
                make_flights(c);
                check_flights(c);
                check_jobs(c, data, size);
        }
        campaign_free(c);
        free(c);
        return 0;
}
