/* params_c FILE: the parameters of a flight controller's JSON file as C for the firmware, on standard
 * output. The words of the struct as the configuration's reader filled it: host and Cortex-M4 lay it out
 * alike, which the C asserts as far as sizes tell and every flight does to the last member. */
#include <stddef.h>
#include <stdio.h>

#include "hil/config.h"
#include "tests/firmware/params.h"

static void print_assert(const char *what, size_t is)
{
        printf("_Static_assert(%s == %zu, \"laid out as on the host\");\n", what, is);
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
