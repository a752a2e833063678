/* params_c FILE: the parameters of a flight controller's JSON file as C for the firmware, on standard
 * output. The words of the struct as the configuration's reader filled it: host and Cortex-M4 lay it out
 * alike, which the C asserts as far as sizes tell and every flight does to the last member. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/text/json.h"
#include "tests/firmware/params.h"

static void print_assert(const char *what, size_t is)
{
        printf("_Static_assert(%s == %zu, \"laid out as on the host\");\n", what, is);
}

/* By which kind it is, where it is of another; else why tells the key. */
static void explain(const char *path, struct config_error *why)
{
        struct config_error unread;
        struct json_error error;
        size_t len;
        char *text = config_load_text(path, &len, &unread);
        struct json *root = text != NULL ? json_parse(text, len, path, &error) : NULL;
        const char *kind = root != NULL && json_is(root, JSON_OBJECT)
                                   ? config_kind_name(root)
                                   : NULL;

        if (kind != NULL && strcmp(kind, "flight_controller") != 0)
                snprintf(why->text, sizeof why->text,
                         "%.200s: its keys are those of a %.40s; must be a flight "
                         "controller's "
                         "parameters, as in rig_configs/flight_controllers/",
                         path, kind);
        json_free(root);
        free(text);
}

int main(int argc, char **argv)
{
        static union firmware_params_image image;
        struct config_error why;

        if (argc != 2) {
                fprintf(stderr, "usage: params_c FILE\n");
                return 2;
        }
        if (!config_read_fc(&image.params, argv[1], &why)) {
                explain(argv[1], &why);
                fprintf(stderr, "params_c: %s\n", why.text);
                return 2;
        }
        printf("/* Written by params_c from %s. */\n", argv[1]);
        printf("#include \"tests/firmware/params.h\"\n\n#include <stddef.h>\n\n");
        print_assert("sizeof(struct fc_params)", sizeof(struct fc_params));
        print_assert("offsetof(struct fc_params, planted)",
                     offsetof(struct fc_params, planted));
        printf("\nconst union firmware_params_image firmware_params_image = { .word = "
               "{\n");
        for (size_t i = 0; i < sizeof image.word / sizeof *image.word; i++)
                printf("0x%08x,%s", (unsigned)image.word[i], i % 8 == 7 ? "\n" : " ");
        printf("\n} };\n");
        return 0;
}
