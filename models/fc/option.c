#include "models/fc/option.h"

#include <string.h>

#include "models/fc/law_option.h"

static bool set_test_fault(struct fc *fc, struct fc_params *p,
                           const struct fc_params *given, const char *value)
{
        (void)fc;
        if (value[0] == '\0') {
                p->planted.test = given->planted.test;
                return true;
        }
        for (int i = 0; planted_test_names[i] != NULL; i++)
                if (strcmp(planted_test_names[i], value) == 0) {
                        p->planted.test = (enum planted_test)i;
                        return true;
                }
        return false;
}

/* The settings, one line each; laws are in law_option.c. */
static const struct fc_option_row rows[] = {
        { "test_fault", planted_test_names, set_test_fault },
        { NULL, NULL, NULL },
};

bool fc_option_set(const struct fc_option_row *row, struct fc *fc, struct fc_params *p,
                   const struct fc_params *given, const char *key, const char *value)
{
        for (; row->key != NULL; row++)
                if (strcmp(row->key, key) == 0)
                        return row->set(fc, p, given, value);
        return false;
}

bool fc_option(struct fc *fc, struct fc_params *p, const struct fc_params *given,
               const char *key, const char *value)
{
        return fc_option_set(rows, fc, p, given, key, value) ||
               fc_option_set(law_option_rows, fc, p, given, key, value);
}

const struct fc_option_row *fc_option_row(int i)
{
        const int own = sizeof rows / sizeof rows[0] - 1;
        const struct fc_option_row *row = law_option_rows;

        if (i < own)
                return &rows[i];
        for (i -= own; i > 0 && row->key != NULL; i--)
                row++;
        return row->key != NULL ? row : NULL;
}
