/* What the rig speaks: codecs with their channels and dialects, and devices; as lists for the user. */
#ifndef HIL_CMD_PROTOCOLS_H
#define HIL_CMD_PROTOCOLS_H

void protocols_print_codecs(void);
void protocols_print_devices(void);
/* Sources of twins. */
void protocols_print_sources(void);

#endif
