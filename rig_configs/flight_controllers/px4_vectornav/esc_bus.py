#!/usr/bin/env python3
"""The CAN bus that PX4 as a process does not have: its motors (HIL_ACTUATOR_CONTROLS, which its own simulation sends to UDP
port 19410) as DroneCAN's esc.RawCommand, in slcan's text, to a TCP port. Ends when that is closed. docs/firmware_vectornav.md.

    esc_bus.py PORT [UDP_PORT]

UDP_PORT 0: any that is free; which one is printed.
"""
import socket
import struct
import sys
import time

HIL_ACTUATOR_CONTROLS, PAYLOAD = 93, 81
ARMED = 128
NODE = 10
RAW_COMMAND = 0x10000000 | 1030 << 8 | NODE
FULL = 8191
MOTORS = 4  # of one CAN frame


def controls(datagram):
    """The newest message's outputs; None: there is none. MAVLink 2, whose payloads lack their last zeros."""
    at, found = 0, None
    while at + 12 <= len(datagram) and datagram[at] == 0xFD:
        length = datagram[at + 1]
        if int.from_bytes(datagram[at + 7:at + 10], "little") == HIL_ACTUATOR_CONTROLS:
            payload = datagram[at + 10:at + 10 + length].ljust(PAYLOAD, b"\0")
            armed = payload[PAYLOAD - 1] & ARMED
            found = [v if armed and v > 0 else 0.0 for v in struct.unpack_from("<16f", payload, 16)]
        at += 12 + length
    return found


def raw_command(duties, transfer):
    """int14 each: the low eight bits, then the high six."""
    bits = "".join(f"{v & 0xFF:08b}{v >> 8:06b}" for v in (round(min(d, 1.0) * FULL) for d in duties))
    data = bytes(int(bits[i:i + 8].ljust(8, "0"), 2) for i in range(0, len(bits), 8))
    data += bytes([0xC0 | transfer & 31])
    return f"T{RAW_COMMAND:08X}{len(data)}{data.hex().upper()}\r".encode()


def connected(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.1)
    sys.exit(f"esc_bus.py: nobody listens at port {port}")


def main():
    firmware = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    firmware.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 19410))
    print(firmware.getsockname()[1], flush=True)
    bus = connected(int(sys.argv[1]))
    bus.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bus.setblocking(False)
    firmware.settimeout(0.5)
    transfer = 0
    while True:
        try:
            if bus.recv(65536) == b"":
                return
        except BlockingIOError:
            pass
        try:
            duties = controls(firmware.recv(2048))
        except TimeoutError:
            continue
        if duties is None:
            continue
        try:
            bus.sendall(raw_command(duties[:MOTORS], transfer))
        except OSError:
            return
        transfer += 1


main()
