#include "hil/text/spelling.h"

#include <string.h>

static int min3(int a, int b, int c)
{
        int m = a < b ? a : b;

        return m < c ? m : c;
}

int spelling_distance(const char *a, const char *b)
{
        int n = (int)strlen(a), m = (int)strlen(b);
        int row[SPELLING_LEN_MAX + 1];

        if (n > SPELLING_LEN_MAX || m > SPELLING_LEN_MAX)
                return SPELLING_LEN_MAX;
        for (int j = 0; j <= m; j++)
                row[j] = j;
        for (int i = 1; i <= n; i++) {
                int diagonal = row[0];

                row[0] = i;
                for (int j = 1; j <= m; j++) {
                        int above = row[j];

                        row[j] = min3(above + 1, row[j - 1] + 1,
                                      diagonal + (a[i - 1] != b[j - 1]));
                        diagonal = above;
                }
        }
        return row[m];
}

int spelling_limit(const char *word)
{
        return (int)strlen(word) / 3 + 2;
}
