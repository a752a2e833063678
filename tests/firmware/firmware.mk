# Firmware of the reference flight controller for a Cortex-M4F, one ELF and one binary image a board:
# $(BUILD)/firmware/BOARD.elf, .bin. Included by the Makefile.

FIRMWARE_BOARDS := lm3s6965 stm32f4
FIRMWARE_PARAMS ?= rig_configs/flight_controllers/md4_200.json
FIRMWARE_BAUD   ?= 1000000
# Of stm32f4 alone: the crystal, 0 for none; USART 1, 2, 3 or 6.
FIRMWARE_HSE_MHZ ?= 8
FIRMWARE_USART  ?= 2
FIRMWARE_CC     ?= arm-none-eabi-gcc
FIRMWARE        := $(BUILD)/firmware

# The host's language, warnings and arithmetic. Enumerations as large as there, so that structs are laid
# out alike; the C library was built with small ones, and exchanges none with us.
FIRMWARE_ARCH   := -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
FIRMWARE_CFLAGS := $(FIRMWARE_ARCH) -std=gnu11 -O2 -g $(filter-out -Wno-format-truncation,$(WARN)) \
                   -ffp-contract=off -fno-math-errno -fno-short-enums \
                   -ffunction-sections -fdata-sections -fstack-usage
FIRMWARE_LDFLAGS := $(FIRMWARE_ARCH) -nostartfiles -Ltests/firmware -Wl,--gc-sections \
                    -Wl,--no-enum-size-warning -Wl,--fatal-warnings

# As they are on the host, and of the other models what those call: the linker drops what nobody calls.
FIRMWARE_SRC := $(wildcard models/fc/*.c models/fc/flock/*.c models/fc/laws/*.c models/fc/laws/avoid/*.c models/fc/estimate/*.c) models/world/earth.c $(wildcard io/codec/hilp/hilp*.c) hil/reference/fc_board.c hil/reference/peer_bytes.c \
                $(addprefix tests/firmware/,core.c load.c main.c)
FIRMWARE_OBJ := $(FIRMWARE_SRC:%.c=$(FIRMWARE)/%.o) $(FIRMWARE)/params.o

FIRMWARE_BOARD_OBJ := $(FIRMWARE_BOARDS:%=$(FIRMWARE)/tests/firmware/board_%.o)

# Also those that rules in a chain made.
.SECONDARY: $(FIRMWARE_OBJ) $(FIRMWARE_BOARD_OBJ)

firmware:
	@scripts/deps.sh firmware
	@+$(AGAIN) firmware-images

firmware-images: $(FIRMWARE_BOARDS:%=$(FIRMWARE)/%.elf) $(FIRMWARE_BOARDS:%=$(FIRMWARE)/%.bin)
firmware-images: $(FIRMWARE)/libm_probe.elf $(FIRMWARE)/libm_compare
	@arm-none-eabi-size $(FIRMWARE_BOARDS:%=$(FIRMWARE)/%.elf)

run-firmware:
	@scripts/deps.sh firmware
	@+$(AGAIN) all firmware-images
	@BUILD=$(BUILD) scripts/fly_firmware.sh

# Programs of the host's.
$(FIRMWARE)/params_c $(FIRMWARE)/libm_compare: $(FIRMWARE)/%: tests/firmware/%.c $(LIB)
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) -MMD -MP -MF $@.d -MT $@ -o $@ $< $(LIB) $(LDFLAGS) $(LDLIBS)

# Read each time, with whatever the file includes; it changes only when the parameters do.
$(FIRMWARE)/params.c: $(FIRMWARE)/params_c FORCE
	@$< '$(FIRMWARE_PARAMS)' >$@.new || { rm -f $@.new; exit 1; }
	@if cmp -s $@.new $@; then rm $@.new; else echo '  gen $@'; mv $@.new $@; fi

FIRMWARE_COMPILE = $(FIRMWARE_CC) -I. -D_GNU_SOURCE $(FIRMWARE_CFLAGS)
FIRMWARE_DEFINES = -DFIRMWARE_BAUD=$(FIRMWARE_BAUD) -DFIRMWARE_HSE_MHZ=$(FIRMWARE_HSE_MHZ) \
                   -DFIRMWARE_USART=$(FIRMWARE_USART)

$(FIRMWARE)/flags.txt: FORCE
	$(call stamp,$(FIRMWARE_COMPILE) $(FIRMWARE_LDFLAGS))

$(FIRMWARE)/board.txt: FORCE
	$(call stamp,$(FIRMWARE_DEFINES))

$(FIRMWARE_BOARD_OBJ): $(FIRMWARE)/board.txt
$(FIRMWARE_BOARD_OBJ): private FIRMWARE_COMPILE += $(FIRMWARE_DEFINES)

$(FIRMWARE)/params.o: $(FIRMWARE)/params.c $(FIRMWARE)/flags.txt
	$(call Q,m4f)$(FIRMWARE_COMPILE) $(WERROR) -MMD -MP -c -o $@ $<

$(FIRMWARE)/%.o: %.c $(FIRMWARE)/flags.txt
	@mkdir -p $(@D)
	$(call Q,m4f)$(FIRMWARE_COMPILE) $(WERROR) -MMD -MP -c -o $@ $<

FIRMWARE_LINK = $(FIRMWARE_CC) $(FIRMWARE_LDFLAGS) -Wl,-Map=$@.map -o $@ $(filter %.o,$^) -lm

$(FIRMWARE)/%.elf: $(FIRMWARE_OBJ) $(FIRMWARE)/tests/firmware/board_%.o tests/firmware/memory_%.ld tests/firmware/firmware.ld
	$(call Q,m4f)$(FIRMWARE_LINK) -T tests/firmware/memory_$*.ld

$(FIRMWARE)/libm_probe.elf: $(addprefix $(FIRMWARE)/tests/firmware/,core.o libm_probe.o board_lm3s6965.o) tests/firmware/firmware.ld
	$(call Q,m4f)$(FIRMWARE_LINK) -T tests/firmware/memory_lm3s6965.ld

$(FIRMWARE)/%.bin: $(FIRMWARE)/%.elf
	$(call Q,m4f)arm-none-eabi-objcopy -O binary $< $@

-include $(FIRMWARE_OBJ:.o=.d) $(wildcard $(FIRMWARE)/*.d $(FIRMWARE)/tests/firmware/*.d)

.PHONY: firmware firmware-images run-firmware
