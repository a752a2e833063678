#include "hil/text/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A device, a pipe or a link to one holds nothing that could be taken for a whole file. */
static void remove_half(const char *path)
{
        struct stat st;

        if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
                unlink(path);
}

bool text_file_write(const char *path, const char *text, char *why, size_t cap)
{
        FILE *f = fopen(path, "we");
        bool ok = f != NULL && fputs(text, f) >= 0;

        if (f != NULL && fclose(f) != 0)
                ok = false;
        if (ok)
                return true;
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(errno));
        if (f != NULL)
                remove_half(path);
        return false;
}

bool text_file_leave(const char *command, const char *path, char *text)
{
        char why[4200] = "";
        bool ok = false;

        if (text == NULL)
                snprintf(why, sizeof why, "%s: could not be written (out of memory)",
                         path);
        else
                ok = text_file_write(path, text, why, sizeof why);
        if (!ok)
                fprintf(stderr, "hilrig %s: %s\n", command, why);
        free(text);
        return ok;
}
