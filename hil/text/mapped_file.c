#include "hil/text/mapped_file.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const void *mapped_file_open(const char *path, size_t *len)
{
        void *map = NULL;
        struct stat st;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

        *len = 0;
        if (fd < 0)
                return NULL;
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
                map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
                if (map == MAP_FAILED)
                        map = NULL;
                else
                        *len = (size_t)st.st_size;
        }
        close(fd);
        return map;
}

void mapped_file_close(const void *map, size_t len)
{
        if (map != NULL)
                munmap((void *)(uintptr_t)map, len);
}
