#include "io/capture.h"
bool capture_spec_parse(struct capture_spec *spec, const char *text, struct link_error *why)
{ *spec = (struct capture_spec){0}; (void)text; (void)why; return true; }
struct capture *capture_open(const struct capture_spec *spec, struct link_error *why)
{ (void)spec; (void)why; return NULL; }
