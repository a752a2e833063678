/* The tables of docs/requirements.md as the code has them. */
#include <stdio.h>
#include <string.h>

#include "hil/judge/metrics.h"

static void print_quantities(void)
{
        puts("| quantity | what it is |\n| --- | --- |");
        for (int i = 0; i < quantity_count; i++)
                printf("| `%s` | %s |\n", quantities[i].name, quantities[i].about);
}

static void print_metrics(void)
{
        puts("| figure | unit | better | what it is |\n| --- | --- | --- | --- |");
        for (int i = 0; i < METRIC_COUNT; i++)
                printf("| `%s` | %s | %s | %s |\n", metric_info[i].name,
                       metric_info[i].unit[0] != '\0' ? metric_info[i].unit : "1",
                       metric_info[i].better, metric_info[i].about);
}

int main(int argc, char **argv)
{
        if (argc == 2 && strcmp(argv[1], "quantities") == 0)
                print_quantities();
        else if (argc == 2 && strcmp(argv[1], "metrics") == 0)
                print_metrics();
        else
                return 2;
        return 0;
}
