"""A board that flies blind: it answers every SENSORS with a motor command that depends on the time alone.
Vehicles on such boards move alike, whatever their sensors say. Written from docs/protocol.md."""

import os
import select
import socket
import struct
import threading

import wire


def crc16(payload):
    crc = 0xFFFF
    for byte in payload:
        crc = (crc << 8 & 0xFFFF) ^ int(wire.CRC_TABLE[crc >> 8 ^ byte])
    return crc


def stuff(payload):
    body = payload + struct.pack("<H", crc16(payload))
    return b"".join(bytes([len(part) + 1]) + part for part in body.split(b"\0")) + b"\0"


def unstuff(frame):
    """For one short frame; wire.unstuff() is for very many."""
    parts, at = [], 0
    while at < len(frame):
        parts.append(frame[at + 1:at + frame[at]])
        at += frame[at]
    payload = b"\0".join(parts)
    if at != len(frame) or len(payload) < 4:
        raise wire.WireError("the board got a damaged frame")
    return payload[:-2]


class Board:
    """One vehicle's, on a socket that it listens on."""

    def __init__(self, path, duty):
        self.duty = duty  # time in s -> four numbers 0 to 1
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.peer, self.buffer, self.sequence, self.done = None, b"", 0, False
        self.number = None  # of the newest SENSORS

    def fileno(self):
        return (self.peer or self.listener).fileno()

    def say(self, kind, body):
        self.peer.sendall(stuff(bytes([kind, self.sequence & 0xFF]) + body))
        self.sequence += 1

    def ready(self):
        if self.peer is None:
            self.peer, _ = self.listener.accept()
            return
        got = self.peer.recv(65536)
        if not got:
            self.done = True
            return
        *frames, self.buffer = (self.buffer + got).split(b"\0")
        for frame in frames:
            if frame:
                self.take(frame)

    def take(self, frame):
        payload = unstuff(frame)
        if payload[0] == 1:  # HELLO -> HELLO_ACK
            self.say(2, struct.pack("<BBBBI32s", 2, 1, 4, 1, os.getpid(), b"blind"))
        elif payload[0] == 3:  # SENSORS -> MOTORS
            self.number, time_us = struct.unpack_from("<IQ", payload, 2)
            duty = [round(65535 * d) for d in self.duty(time_us * 1e-6)]
            self.say(4, struct.pack("<IBBB4H", self.number, 1, 1, 4, *duty))
        elif payload[0] == 9:  # GOODBYE: disarmed, which it says
            if self.number is not None:
                self.say(4, struct.pack("<IBBB4H", self.number, 0, 0, 4, 0, 0, 0, 0))
            self.done = True


class Boards(threading.Thread):
    """All of a rig's, until the rig has said goodbye to each or `stop` is set."""

    def __init__(self, paths, duty):
        super().__init__(daemon=True)
        self.boards = [Board(p, duty) for p in paths]
        self.stop = threading.Event()
        self.error = None

    def run(self):
        try:
            while not self.stop.is_set():
                alive = [b for b in self.boards if not b.done]
                if not alive:
                    return
                for board in select.select(alive, [], [], 0.2)[0]:
                    board.ready()
        except (OSError, wire.WireError) as error:
            self.error = error
