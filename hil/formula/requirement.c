#include "hil/formula/requirement.h"

#include <stddef.h>

void requirement_free(struct requirement *r)
{
        formula_free(r->formula);
        r->formula = NULL;
}
