/* Files to one tree: includes merged, file names where objects are expected replaced by
 * the files' content, command-line settings on top. */
#pragma once

#include <sys/stat.h>

#include "hil/config/config.h"
#include "hil/config/table.h"

/* The text of one file, bounded, and the names of files beside it. */

/* config_load_text(), and which file it was. `name` is what the path was found by, for the message; NULL: by nothing. */
char *config_file_text(const char *path, const char *name, size_t *len, struct stat *st,
                       struct config_error *why);

/* The path of `name` as written in `file`: beside it, or else among the installed files (hil/text/installed.h). Freed by
 * the caller. NULL: no memory. */
char *config_file_beside(const char *file, const char *name);
/* The same of a name on the command line, which is looked for in the working directory first. */
char *config_file_named(const char *name);

/* Files to one tree: includes merged, file names where objects are expected replaced by
 * the files' content, command-line settings on top. */

#define CONFIG_BYTES_MAX                                                                 \
        (16U << 20) /* of one file: as much as many vehicles resolve to */
#define CONFIG_TOTAL_MAX (16U << 20) /* of all files of a document */
/* Of one document, each inclusion counted, and each setting of the command line. */
#define CONFIG_FILES_MAX  (30 * VEHICLES_MAX + OVERRIDES_MAX)
#define CONFIG_NESTED_MAX 16 /* files that include each other, in a row */

/* Owns the tree and the names of the files that its values point to. */
struct config_document {
        struct json *root;
        int files;
        char *file[CONFIG_FILES_MAX];
        size_t bytes;
        uint32_t values; /* so far, of all files: the place of the last one */
};

/* Reads a file and everything that it names into a cleared document. The table says where a string may stand for
 * a file; one that cannot be read is refused and left as it is. False: not even the root is there. On any result
 * the document is freed by the caller. */
bool config_document_open(struct config_document *d, const char *path,
                          const struct config_table *table, struct config_error *why);
/* The same from memory; files are looked for relative to the directory of `name`. */
bool config_document_parse(struct config_document *d, const char *name, const char *text,
                           size_t len, const struct config_table *table,
                           struct config_error *why);
void config_document_free(struct config_document *d);

/* "key.path=value" from the command line: the value as JSON, or else as a string. Objects
 * that the table knows and the file left out are made; anything else on the way must be
 * there. */
void config_document_set(struct config_document *d, const char *assignment,
                         const struct config_table *table, struct config_error *why);

/* One key of the root becomes the content of a file, named relative to the working
 * directory; `option` is what the user called it. */
void config_document_set_file(struct config_document *d, const char *key,
                              const char *path, const char *option,
                              const struct config_table *table, struct config_error *why);

/* The value and all below it were met after all that the document has. */
void config_document_number(struct config_document *d, struct json *value);

/* A copy of the name that lives as long as the document; NULL: too many files, said in
 * *why. */
const char *config_document_name(struct config_document *d, const char *name,
                                 struct config_error *why);
/* Replaces the file names below a node of the document, which has that table, by the files, once more. */
void config_document_expand(struct config_document *d, struct json *node,
                            const struct config_table *table, struct config_error *why);
