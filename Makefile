# make            build build/hilrig
# make run        install what is missing, build, fly the default rig in real time
# make test       install what is missing, build, run every test; TESTS='io/link run/fleet.sh' for some alone
# make validate   compare motion and sensors with what is claimed, write docs/validation.md
# make guest-test   fly over a real kernel: USB, CAN, joystick, in an emulated machine
# make experiments  fly the documents' experiments, write tables and pictures of docs/experiments.md, docs/thesis_experiments.md
# make bench      measure: throughput and latency, one JSON object a line, and a table of the targets
# make lint       format, static analysis, shell scripts, direction of includes
# make san        every test under AddressSanitizer and UndefinedBehaviorSanitizer
# make tsan       every test under ThreadSanitizer
# make fuzz       every fuzz target for FUZZ_SECONDS (60) each; FUZZ=name for one alone
# make firmware   the reference flight controller for a Cortex-M4F: $(BUILD)/firmware/*.elf, *.bin
# make run-firmware  fly it in an emulator, in lockstep
# make install    into PREFIX (/usr/local) under DESTDIR; make uninstall takes it back
# make deb        the Debian package of the last commit, in $(BUILD)/deb
# make deb-test   as root: build it twice, to the same bytes; install, fly, upgrade and purge it
# make clean      remove every build folder
# make help       this list
#
# Objects go to $(BUILD); a sanitizer or another compiler uses a folder of its own. V=1 shows the
# commands.

# Looking through them for each file of dependencies takes most of a second.
MAKEFLAGS += --no-builtin-rules

BUILD   ?= build
# However it is spelled, what an object depends on names it in one way.
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
PREFIX  ?= /usr/local
DESTDIR ?=
WERROR  ?=

TESTS        ?=
FUZZ_SECONDS ?= 60
FUZZ         ?=

VERSION := $(shell scripts/version.sh)

OPT    ?= -O3
CFLAGS ?= $(OPT) -g
WARN   := -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers

ifeq ($(findstring clang,$(shell $(CC) --version 2>/dev/null)),)
# Messages are cut to the room they have, on purpose.
WARN   += -Wno-format-truncation
# For processors that have them, as in models/isa.h, gcc 12 makes fused multiply-adds of vectorised sums, whatever
# -ffp-contract says: the last bits would differ.
SAME_BITS := -fno-tree-slp-vectorize
endif

# Bit-for-bit results across compilers and levels: no contraction, no fast math.
HIL_CFLAGS   := -std=gnu11 $(WARN) -ffp-contract=off $(SAME_BITS) -fno-math-errno -pthread
HIL_CPPFLAGS := -I. -D_GNU_SOURCE
# The libraries of the pages, for plots and for three dimensions, put into hilrig as they are (Debian: libjs-dygraphs, libjs-three).
DYGRAPHS_DIR ?= /usr/share/javascript/dygraphs
DYGRAPHS     := $(DYGRAPHS_DIR)/dygraph.min.js $(DYGRAPHS_DIR)/dygraph.min.css
THREE_DIR    ?= /usr/share/javascript/three
THREE        := $(THREE_DIR)/three.min.js

LDLIBS       := -lserialport -lusb-1.0 -levdev -lexpat -lcjson -lcminpack -lnettle -lpcre2-8 -lm -pthread

# Loaded when they are needed (io/library.h), by the names under which the machine that builds has them.
LIBRARY_NAME = $(shell readelf -d "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
LOADED       = -DARCHIVE_LIBRARY='"$(call LIBRARY_NAME,archive)"' -DASSIMP_LIBRARY='"$(call LIBRARY_NAME,assimp)"' -DWEBSOCKETS_LIBRARY='"$(call LIBRARY_NAME,websockets)"'

SRC        := $(filter-out hil/main.c,$(sort $(shell find models io hil -name '*.c')))
OBJ        := $(SRC:%.c=$(BUILD)/%.o)
LIB        := $(BUILD)/libhilrig.a

# One program for the suites of each tree, and one for each file that stands before the C library (tests/staged). What is
# in tests/programs and tests/boards helps the shell and node tests.
TEST_OBJ  = $(patsubst %.c,$(BUILD)/%.o,$(sort $(shell find tests/$(1) -name '*.c')))
STAGED   := $(notdir $(basename $(wildcard tests/staged/*.c)))
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS  := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/fuzz/%)
# Their seeds go through them in one program, and in one each through those that stand before the C library.
ALONE    := $(shell grep -l '"tests/staged/' $(FUZZ_SRC))
SEEDS    := seeds $(ALONE:tests/fuzz/fuzz_%.c=seeds_%)
SUITES   := $(addprefix $(BUILD)/tests/suites/,models io hil $(STAGED) $(SEEDS))
HELPERS  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/programs/*.c tests/boards/*.c))
TESTED   := $(SUITES) $(HELPERS)

# Devices for the kernel's USB stack and its input, in the guest of scripts/guest_test.sh.
USB_PROGRAMS := $(addprefix $(BUILD)/tests/usb/,usbip_device usbip_analyzer round_trips bench_usb)
GUEST_STICK  := $(BUILD)/tests/guest/uinput_stick
USB_OBJ      := $(filter-out $(USB_PROGRAMS:%=%.o),$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/usb/*.c)))
USB_LIB      := $(BUILD)/tests/usb/models.a

# A bus that umockdev plays, for tests/run/usb_umockdev.sh, where its library is there.
UMOCK := $(if $(shell pkg-config --exists umockdev-1.0 2>/dev/null && echo yes),$(BUILD)/tests/umock/usb_bus)

COMPILE = $(CC) $(HIL_CPPFLAGS) $(CPPFLAGS) $(HIL_CFLAGS) $(WERROR) $(CFLAGS)
LINK    = $(CC) $(HIL_CFLAGS) $(CFLAGS) $(LDFLAGS)

# A line for each file; the commands themselves with V=1.
Q = $(if $(V),,@echo '  $(1) $@';)

all: $(BUILD)/hilrig

$(BUILD)/hilrig: $(BUILD)/hil/main.o $(OBJ)
	$(call Q,ld)$(LINK) -o $@ $^ $(LDLIBS)

$(LIB): $(OBJ)
	@rm -f $@
	$(call Q,ar)$(AR) qcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags.txt | $(BUILD)/headers.txt
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) $(VERSION_FLAG) -MMD -MP -c -o $@ $<

$(BUILD)/hil/text/version.o: VERSION_FLAG = -DHILRIG_VERSION='"$(VERSION)"'
$(BUILD)/hil/text/version.o: $(BUILD)/version.txt

$(BUILD)/io/log/zip_file.o $(BUILD)/hil/config/world/mesh_file.o $(BUILD)/hil/live/web.o: private override CPPFLAGS += $(LOADED)

# Files that the assembler puts in.
$(BUILD)/hil/page/page.o: private override CPPFLAGS += -DDYGRAPHS_DIR='"$(DYGRAPHS_DIR)"' -DTHREE_DIR='"$(THREE_DIR)"'
$(BUILD)/hil/page/page.o: $(wildcard hil/page/*.html hil/page/*.css hil/page/*.js)
$(BUILD)/hil/page/page.o: $(DYGRAPHS) $(THREE) $(BUILD)/page_libraries.txt

$(BUILD)/hil/live/page.o: $(wildcard hil/live/*.html hil/live/*.css hil/live/*.js)

$(DYGRAPHS):
	@echo "make: no $@; scripts/deps.sh run installs libjs-dygraphs" >&2
	@exit 1

$(THREE):
	@echo "make: no $@; scripts/deps.sh run installs libjs-three" >&2
	@exit 1

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags.txt | $(BUILD)/headers.txt
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) $(SUITE_OPT) -MMD -MP -c -o $@ $<

# A suite runs for less time than its optimisation takes.
SUITE_OBJ := $(call TEST_OBJ,models) $(call TEST_OBJ,io) $(call TEST_OBJ,hil)
$(SUITE_OBJ): private SUITE_OPT = -O0 -g1

LINK_TEST = $(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcheck -lsubunit -lrt $(LDLIBS)

$(BUILD)/tests/suites/models: $(filter $(BUILD)/tests/models/%,$(SUITE_OBJ))
$(BUILD)/tests/suites/io: $(filter $(BUILD)/tests/io/%,$(SUITE_OBJ))
$(BUILD)/tests/suites/hil: $(filter $(BUILD)/tests/hil/%,$(SUITE_OBJ))
$(STAGED:%=$(BUILD)/tests/suites/%): $(BUILD)/tests/suites/%: $(BUILD)/tests/staged/%.o

targets = -DTARGETS='$(patsubst tests/fuzz/fuzz_%.c,X(%),$(1))'
$(BUILD)/tests/fuzz/%.o: private SUITE_OPT = -O1 -g1
$(BUILD)/tests/fuzz/fuzz_%.o: private override CPPFLAGS += -DLLVMFuzzerTestOneInput=$(*F)
$(BUILD)/tests/fuzz/seeds.o: private override CPPFLAGS += $(call targets,$(filter-out $(ALONE),$(FUZZ_SRC)))
$(ALONE:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/seeds_%.o): $(BUILD)/tests/fuzz/seeds_%.o: tests/fuzz/seeds.c tests/suites.h $(BUILD)/flags.txt
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) $(call targets,tests/fuzz/fuzz_$*.c) -O1 -g1 -c -o $@ $<
$(BUILD)/tests/suites/seeds: $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(ALONE),$(FUZZ_SRC))) $(BUILD)/tests/fuzz/seeds.o
$(filter-out %/seeds,$(SEEDS:%=$(BUILD)/tests/suites/%)): $(BUILD)/tests/suites/seeds_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/seeds_%.o

$(SUITES): private override LDFLAGS += -Wl,--wrap=_mark_point
$(SUITES): $(BUILD)/tests/suites.o $(USB_LIB) $(LIB)
	@mkdir -p $(@D)
	$(call Q,ld)$(LINK_TEST)

$(HELPERS): %: %.o $(USB_LIB) $(LIB)
	$(call Q,ld)$(LINK_TEST)

# Its reader of meshes stands before the library's.
$(BUILD)/tests/suites/mesh_reader_busy: LDLIBS += -rdynamic

# What the models are made of: for test programs too, which play a kernel with them.
$(USB_LIB): $(USB_OBJ)
	@rm -f $@
	$(call Q,ar)$(AR) qcs $@ $^

$(USB_PROGRAMS): %: %.o $(USB_OBJ) $(LIB)
	$(call Q,ld)$(LINK) -o $@ $^ $(LDLIBS)

$(GUEST_STICK).o: private override CPPFLAGS += $(shell pkg-config --cflags libevdev | sed 's/-I/-isystem /g')
$(GUEST_STICK): %: %.o $(LIB)
	$(call Q,ld)$(LINK) -o $@ $^ $(LDLIBS)

$(UMOCK): $(BUILD)/tests/%: tests/%.c $(LIB) $(USB_LIB)
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) $(shell pkg-config --cflags umockdev-1.0 2>/dev/null | sed 's/-I/-isystem /g') -MMD -MP -MF $@.d -MT $@ -o $@ $< $(USB_LIB) $(LIB) $(LDFLAGS) $(LDLIBS) $(shell pkg-config --libs umockdev-1.0 2>/dev/null)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(LIB) $(USB_LIB)
	@mkdir -p $(@D)
	$(call Q,cc)$(COMPILE) -fsanitize=fuzzer -MMD -MP -MF $@.d -MT $@ -o $@ $< $(USB_LIB) $(LIB) $(LDFLAGS) $(LDLIBS)

# Files that change only when their text does: other flags rebuild everything, another version
# rebuilds hil/text/version.c.
define stamp
@mkdir -p $(@D)
@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@
endef

$(BUILD)/flags.txt: FORCE
	$(call stamp,$(CC) $(HIL_CPPFLAGS) $(CPPFLAGS) $(HIL_CFLAGS) $(CFLAGS))

$(BUILD)/version.txt: FORCE
	$(call stamp,$(VERSION))

$(BUILD)/page_libraries.txt: FORCE
	$(call stamp,$(DYGRAPHS_DIR) $(THREE_DIR))

# One hint instead of a page of errors where a library is missing.
$(BUILD)/headers.txt: $(BUILD)/flags.txt
	@scripts/headers.sh "$(CC)" $(HIL_CPPFLAGS) $(CPPFLAGS)
	@touch $@

tests: $(BUILD)/hilrig $(TESTED) $(UMOCK)

fuzzers: $(FUZZERS)

# The targets below start over in a make of their own once scripts/deps.sh has run: what it installs
# (the compiler, on a fresh machine) decides what this file says. Without -j they use every core.
AGAIN = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Sanitizers map their shadow at fixed addresses, which some kernels' randomisation takes first.
FIXED_ADDRESSES = $(if $(findstring sanitize,$(CFLAGS)),$(shell setarch -R true 2>/dev/null && echo setarch -R))

run:
	@scripts/deps.sh run
	@+$(AGAIN) all
	$(BUILD)/hilrig run rig_configs/default.json

test:
	@scripts/deps.sh check -- test firmware
	@+$(AGAIN) check

# Of TESTS the scripts need no suites.
SCRIPTS_ALONE := $(and $(strip $(TESTS)),$(if $(filter-out run run/% node node/%,$(TESTS)),,yes))

# Without installing anything. The tests see this make's variables, so that one that runs make
# builds what is built already.
check: $(if $(SCRIPTS_ALONE),$(BUILD)/hilrig $(HELPERS) $(UMOCK),tests)
	@+BUILD=$(BUILD) $(FIXED_ADDRESSES) scripts/run_tests.sh $(TESTS)

guest-test:
	@scripts/deps.sh run -- guest
	@+$(AGAIN) all guest-programs
	@BUILD=$(BUILD) scripts/guest_test.sh; status=$$?; [ $$status -eq 77 ] || exit $$status

guest-programs: $(USB_PROGRAMS) $(GUEST_STICK)

bench:
	@scripts/deps.sh run check -- bench
	@+$(AGAIN) all
	@+$(AGAIN) $(BUILD)/tests/usb/bench_usb $(addprefix $(BUILD)/tests/programs/,pads_latency exchange_ceiling)
	@node scripts/performance.mjs $(BUILD)

validate:
	@scripts/deps.sh validate
	@+$(AGAIN) all
	@BUILD=$(BUILD) scripts/validate.sh

experiments:
	@scripts/deps.sh experiments
	@+$(AGAIN) all
	@BUILD=$(BUILD) scripts/experiments.sh

lint:
	@scripts/deps.sh check lint
	@scripts/lint.sh

SAN  := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
TSAN := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread
FUZZING := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

san:
	@scripts/deps.sh check -- test
	@+$(AGAIN) BUILD=build-san WERROR= CFLAGS='$(SAN)' check

tsan:
	@scripts/deps.sh check -- test
	@+$(AGAIN) BUILD=build-tsan WERROR= CFLAGS='$(TSAN)' check

fuzz:
	@scripts/deps.sh fuzz
	@+$(AGAIN) BUILD=build-fuzz CC=clang CFLAGS='$(FUZZING)' fuzzers
	@BUILD=build-fuzz FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ='$(FUZZ)' scripts/fuzz.sh

BIN        = $(DESTDIR)$(PREFIX)/bin
MAN1       = $(DESTDIR)$(PREFIX)/share/man/man1
COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
SHARE      = $(DESTDIR)$(PREFIX)/share/hilrig
DOC        = $(DESTDIR)$(PREFIX)/share/doc/hilrig
UDEV       = $(DESTDIR)$(PREFIX)/lib/udev/rules.d
CONFIGS   := $(sort $(shell find rig_configs -type f ! -name '*~' ! -name '.*' 2>/dev/null))
DOCS      := $(wildcard README.md LICENSE docs/*.md docs/pictures/*)

install: all
	install -D -m 755 $(BUILD)/hilrig '$(BIN)/hilrig'
	install -D -m 644 docs/hilrig.1 '$(MAN1)/hilrig.1'
	install -D -m 644 scripts/completion/hilrig.bash '$(COMPLETION)/hilrig'
	install -D -m 644 scripts/60-hilrig.rules '$(UDEV)/60-hilrig.rules'
	@for f in $(CONFIGS); do install -D -m 644 "$$f" '$(SHARE)'/"$$f" || exit 1; done
	@for f in $(DOCS); do install -D -m 644 "$$f" '$(DOC)'/"$$f" || exit 1; done

uninstall:
	rm -f '$(BIN)/hilrig' '$(MAN1)/hilrig.1' '$(COMPLETION)/hilrig' '$(UDEV)/60-hilrig.rules'
	rm -rf '$(SHARE)' '$(DOC)'

deb:
	@scripts/deps.sh deb
	@BUILD='$(BUILD)' scripts/deb.sh

deb-test:
	@scripts/deps.sh bare
	@BUILD='$(BUILD)' scripts/deb_test.sh

clean:
	rm -rf build build-san build-tsan build-fuzz build-clang $(BUILD)

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

include tests/firmware/firmware.mk

-include $(OBJ:.o=.d) $(BUILD)/hil/main.d $(USB_OBJ:.o=.d) $(USB_PROGRAMS:%=%.d) $(GUEST_STICK).d $(patsubst %.c,$(BUILD)/%.d,$(shell find tests/models tests/io tests/hil tests/staged tests/programs tests/boards tests/fuzz tests/suites.c -name '*.c')) $(UMOCK:%=%.d) $(FUZZERS:%=%.d)

FORCE:
.PHONY: all tests fuzzers run test check guest-test guest-programs validate experiments bench lint san tsan fuzz install uninstall deb deb-test clean help FORCE
