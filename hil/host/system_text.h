/* What Linux says of itself in the small texts below /proc and /sys: lists of CPUs, choices, tables. Any bytes may be
 * given; every text ends with a 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_CPUS_MAX 1024

struct cpu_list {
        bool has[HOST_CPUS_MAX];
};

/* "0-3,8", "" and "(null)": none; "0-31:2/4": the first 2 of every 4. Whitespace after it is nothing. False: no such
 * list, or a CPU of HOST_CPUS_MAX or more; then *list is empty. */
bool cpu_list_read(struct cpu_list *list, const char *text);
int cpu_list_count(const struct cpu_list *list);
/* "0-3,8"; false: it did not fit. */
bool cpu_list_write(const struct cpu_list *list, char *text, size_t cap);

/* The one in brackets, or in parentheses: "always [madvise] never". False: none, or it does not fit. */
bool system_text_chosen(const char *text, char *chosen, size_t cap);
/* Is it one of the words between blanks and commas? */
bool system_text_has(const char *text, const char *word);
/* What stands behind "name=" in a kernel's command line, up to the next blank. */
bool system_text_option(const char *cmdline, const char *name, char *value, size_t cap);
/* The first number behind a line's "name", and behind a colon where there is one: of /proc/meminfo, /proc/self/limits,
 * /proc/stat. "unlimited": UINT64_MAX. */
bool system_text_number(const char *table, const char *name, int base, uint64_t *number);

/* How often an interrupt ("24", "LOC") came to a CPU, by /proc/interrupts; 0 where the table does not say. */
uint64_t system_text_interrupts(const char *table, const char *name, int cpu);
