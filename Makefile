# make, make run, make test, make bench, make lint, make san, make fuzz, make install
#
# Objects go to $(BUILD); a sanitizer or another compiler uses a folder of its own.

BUILD   ?= build
CC      ?= cc
PREFIX  ?= /usr/local
DESTDIR ?=

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || cat VERSION 2>/dev/null || echo unknown)

OPT      ?= -O3
WARN     := -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers
# Bit-for-bit results across compilers and levels: no contraction, no fast math.
CFLAGS   ?= $(OPT) -g
HIL_CFLAGS := -std=gnu11 $(WARN) $(WERROR) -ffp-contract=off -fno-math-errno -pthread
CPPFLAGS += -I. -D_GNU_SOURCE
LDLIBS   := -lserialport -lcjson -lnettle -lm -pthread

SRC_MODELS := $(wildcard models/*.c models/sensors/*.c models/fc/*.c)
SRC_IO     := $(wildcard io/*.c)
SRC_HIL    := $(filter-out hil/main.c,$(wildcard hil/*.c))
SRC        := $(SRC_MODELS) $(SRC_IO) $(SRC_HIL)
OBJ        := $(SRC:%.c=$(BUILD)/%.o)
LIB        := $(BUILD)/libhilrig.a

TEST_SRC := $(wildcard tests/test_*.c)
TESTS    := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)

all: $(BUILD)/hilrig

$(BUILD)/hilrig: $(BUILD)/hil/main.o $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIB): $(OBJ)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(HIL_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(HIL_CFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(LIB) $(LDFLAGS) -lcheck -lsubunit -lrt $(LDLIBS)

tests: $(BUILD)/hilrig $(TESTS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: all tests
