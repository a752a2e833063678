#!/usr/bin/env python3
"""hilp_board.py LINK: a board with a flight controller of its own, in Python's standard library alone. It was written from
docs/protocol.md and docs/porting.md, without a look at the C that does the same, and flies rig_configs/vehicles/md4_200.json.
LINK is unix-listen:PATH; one connection after the other is served, until SIGTERM.
This file is the conversation; hilp_board_flight.py is the flight controller."""

import binascii
import secrets
import select
import socket
import struct
import sys
import time

from hilp_board_flight import DISARMED, INVALID, Flight

HELLO, HELLO_ACK, MOTORS, INPUT, TIME_SYNC, STATE, TEXT, GOODBYE = 1, 2, 4, 5, 6, 7, 8, 9
OPTION, OPTION_ACK, SENSORS = 13, 14, 15
VERSION = 3
NAME = b"hilp_board.py 1.0"
FRAME_LONGEST = 243  # without its zero
TIME_LAST = 2**53 - 1
FRAME_EVERY = 4  # ticks: 250 frames a second are enough for motors of 0.165 s

# Bit of `fresh`, name, layout of the block behind the head.
BLOCKS = ((0, "imu", struct.Struct("<H3i3i")), (1, "gps", struct.Struct("<I3i3i3HBB")),
          (2, "baro", struct.Struct("<Iihii")), (3, "mag", struct.Struct("<I3i")), (5, "flow", struct.Struct("<II2i2iB")),
          (6, "power", struct.Struct("<I3i")), (7, "ins", struct.Struct("<I3i3i")))


def stuff(payload):
    whole = payload + struct.pack("<H", binascii.crc_hqx(payload, 0xFFFF))
    return b"".join(bytes([len(part) + 1]) + part for part in whole.split(b"\0")) + b"\0"


def unstuff(frame):
    """The payload of a frame without its zero, or None."""
    parts, at = [], 0
    while at < len(frame):
        end = at + frame[at]
        if end > len(frame):
            return None
        parts.append(frame[at + 1:end])
        at = end
    whole = b"\0".join(parts)
    if len(whole) < 3 or binascii.crc_hqx(whole[:-2], 0xFFFF) != int.from_bytes(whole[-2:], "little"):
        return None
    return whole[:-2]


def characters(field):
    return field.split(b"\0")[0]


def printable(text):
    return all(32 <= c < 127 for c in text)


class Receiver:
    """Bytes to payloads."""

    def __init__(self):
        self.rest = b""

    def take(self, data):
        *frames, rest = (self.rest + data).split(b"\0")
        self.rest = rest[:FRAME_LONGEST + 1]  # one more than a frame has: too long, and stays so
        for frame in frames:
            payload = unstuff(frame) if 0 < len(frame) <= FRAME_LONGEST else None
            if payload is not None:
                yield payload


class Board:
    def __init__(self, connection, unique):
        self.connection = connection
        self.unique = unique
        self.sequence = 0
        self.units = None  # no HELLO yet: the size of a count is not known
        self.asked_for_hello = -1.0
        self.begin()

    def begin(self):
        self.flight = Flight()
        self.newest_payload = None
        self.newest = None
        self.lockstep = False
        self.over = False
        self.heard_at = None
        self.said_silent = 0.0
        self.told = ""

    # What it says.

    def say(self, kind, body):
        self.connection.sendall(stuff(bytes([kind, self.sequence]) + body))
        self.sequence = (self.sequence + 1) % 256

    def say_hello_ack(self, version, frame_every):
        self.say(HELLO_ACK, struct.pack("<4BI32s", version, frame_every, 4, 0x0F, self.unique, NAME))

    def say_motors(self):
        flight = self.flight
        flags = flight.armed | flight.failsafe << 1
        self.say(MOTORS, struct.pack("<I3B4H", self.newest, flags, flight.mode, 4,
                                     *(round(65535 * duty) for duty in flight.duty)))

    def say_state(self):
        q, pos, vel = self.flight.belief()
        self.say(STATE, struct.pack("<4h3i3h", *(round(10000 * x) for x in q), *(round(1000 * x) for x in pos),
                                    *(max(-32767, min(32767, round(100 * x))) for x in vel)))

    def say_why(self):
        if self.flight.why != self.told:
            self.told = self.flight.why
            self.say(TEXT, bytes([0]) + self.told.encode())

    # What it hears.

    def take(self, payload, arrival_us):
        if len(payload) < 2:
            return
        if payload[0] == HELLO:
            self.take_hello(payload)
            return
        if payload == self.newest_payload:
            return
        if self.newest_payload is None or (payload[1] - self.newest_payload[1]) % 256 < 240:
            self.newest_payload = payload
        if payload[0] == GOODBYE:
            if len(payload) == 2:
                self.flight.ask(DISARMED, (0, 0, 0), 0)
                self.over = True
        elif self.units is None:
            now = time.monotonic()
            if now - self.asked_for_hello >= 0.1:
                self.asked_for_hello = now
                self.say_hello_ack(VERSION, 0)
        elif payload[0] == SENSORS:
            self.take_sensors(payload)
        elif payload[0] == INPUT:
            self.take_input(payload)
        elif payload[0] == TIME_SYNC:
            self.take_time_sync(payload, arrival_us)
        elif payload[0] == OPTION:
            self.take_option(payload)

    def take_hello(self, payload):
        if len(payload) != 82:
            return
        low, high, flags, rotors, period = struct.unpack_from("<4BI", payload, 2)
        units = struct.unpack_from("<5I", payload, 30)
        if low < 1 or high < low or rotors < 1 or period < 1 or min(units) < 1:
            return
        speaks = low <= VERSION <= high
        self.begin()
        self.newest_payload = payload
        self.lockstep = bool(flags & 1)
        self.units = tuple(unit * 1e-9 for unit in units) if speaks else None
        self.say_hello_ack(VERSION if speaks else 0, FRAME_EVERY)

    def take_sensors(self, payload):
        if len(payload) < 16:
            return
        number, time_us, fresh = struct.unpack_from("<IQH", payload, 2)
        blocks, at = {}, 16
        for bit, name, layout in BLOCKS:
            if fresh >> bit & 1:
                if at + layout.size > len(payload):
                    return
                blocks[name] = layout.unpack_from(payload, at)
                at += layout.size
        if at != len(payload) or fresh >> 8 or time_us > TIME_LAST:
            return
        if "gps" in blocks and blocks["gps"][10] not in (0, 2, 3):
            return
        if not self.is_newer(number):
            return
        self.newest = number
        self.heard_at = time.monotonic()
        self.flight.step(time_us, blocks, self.units)
        self.say_motors()
        self.say_why()
        if number % 40 == 0 and self.flight.ready:
            self.say_state()

    def is_newer(self, number):
        return self.newest is None or 0 < (number - self.newest) % 2**32 < 2**31

    def take_input(self, payload):
        if len(payload) < 18:
            return
        mode, north, east, down, yaw, channels = struct.unpack_from("<B3ihB", payload, 2)
        if mode > 3 or channels > 16 or len(payload) != 18 + 2 * channels or self.over:
            return
        target = None if INVALID in (north, east, down) else (north / 1000, east / 1000, down / 1000)
        self.flight.ask(mode, target, max(-3142, min(3142, yaw)) / 1000)

    def take_time_sync(self, payload, arrival_us):
        if len(payload) == 29 and payload[4] == 0:
            sync, _, transmit = struct.unpack_from("<HBQ", payload, 2)
            self.say(TIME_SYNC, struct.pack("<HBQQQ", sync, 1, transmit, arrival_us, time.monotonic_ns() // 1000))

    def take_option(self, payload):
        if len(payload) != 42:
            return
        key, value = characters(payload[2:22]), characters(payload[22:42])
        if key and printable(key) and printable(value):
            self.say(OPTION_ACK, struct.pack("<20sB", key, 0))  # it has no settings

    # Time that passes without a word.

    def silence(self):
        if self.lockstep or self.heard_at is None or self.over:
            return
        now = time.monotonic()
        silent_s = now - self.heard_at
        if self.flight.lose_sensors(silent_s) and now - self.said_silent > 0.1:
            self.said_silent = now
            self.say_motors()


def listen(link):
    kind, _, path = link.partition(":")
    if kind != "unix-listen":
        sys.exit(f"hilp_board.py: {link}: must be unix-listen:PATH")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    return listener


def serve(connection, unique):
    board, receiver = Board(connection, unique), Receiver()
    while True:
        if select.select([connection], [], [], 0.02)[0]:
            data = connection.recv(4096)
            if not data:
                return
            arrival_us = time.monotonic_ns() // 1000
            for payload in receiver.take(data):
                board.take(payload, arrival_us)
        board.silence()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    listener, unique = listen(sys.argv[1]), secrets.randbits(32)
    while True:
        connection = listener.accept()[0]
        with connection:
            try:
                serve(connection, unique)
            except (BrokenPipeError, ConnectionResetError):
                pass


if __name__ == "__main__":
    main()
