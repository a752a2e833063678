/* What the rig speaks: codecs with their channels and dialects, and devices; as lists for the user. */
#pragma once

void protocols_print_codecs(void);
void protocols_print_devices(void);
/* Sources of twins. */
void protocols_print_sources(void);
