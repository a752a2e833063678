"""Reads wire.cap, and out of it the frames of HILP versions 2 and 3. Written from docs/run-folder.md and
docs/protocol.md alone, so that it shares no line with what wrote the bytes.

A run of many hours has millions of frames, so whatever can be is done to all frames of one length at once.
"""

import struct

import numpy as np

RIG_TO_FC, FC_TO_RIG = 0, 1

HELLO = 1
# Of version 2 and since: type to length of the head, which ends with `fresh`.
SENSORS_HEAD = {3: 15, 15: 16}

# Bit of `fresh`, name, bytes of its block.
BLOCKS = [(0, "imu", 26), (1, "gps", 36), (2, "baro", 18), (3, "mag", 16),
          (5, "flow", 25), (6, "power", 16), (7, "ins", 28), (8, "relative", 18)]

BLOCK_FIELDS = {
    "imu": [("age_us", "<u2"), ("accel", "<i4", 3), ("gyro", "<i4", 3)],
    "gps": [("age_us", "<u4"), ("lat", "<i4"), ("lon", "<i4"), ("height", "<i4"),
            ("vel", "<i4", 3), ("h_acc", "<u2"), ("v_acc", "<u2"), ("s_acc", "<u2"),
            ("fix", "u1"), ("satellites", "u1")],
    "baro": [("age_us", "<u4"), ("pressure", "<i4"), ("temperature", "<i2"),
             ("raw_temperature", "<i4"), ("raw_pressure", "<i4")],
    "mag": [("age_us", "<u4"), ("field", "<i4", 3)],
    "flow": [("age_us", "<u4"), ("interval_us", "<u4"), ("flow", "<i4", 2), ("gyro", "<i4", 2),
             ("quality", "u1")],
    "power": [("age_us", "<u4"), ("voltage", "<i4"), ("current", "<i4"), ("charge", "<i4")],
    "ins": [("age_us", "<u4"), ("pos", "<i4", 3), ("euler", "<i4", 3)],
}

SONARS, SONARS_HEAD, SONAR_SIZE = 11, 15, 10
SONAR_FIELDS = [("index", "u1"), ("age_us", "<u4"), ("range", "<i4"), ("echo", "u1")]


class WireError(Exception):
    pass


def streams(path, direction=RIG_TO_FC):
    """The bytes that went in one direction, vehicle by vehicle, as one array each."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 24 or struct.unpack_from("<I", data)[0] != 0xA1B23C4D:
        raise WireError(f"{path}: no pcap file with nanoseconds")
    version = struct.unpack_from("<HH", data, 4)
    if version != (2, 4) or struct.unpack_from("<I", data, 20)[0] != 147:
        raise WireError(f"{path}: pcap {version}, not 2.4 with link type 147")
    lengths = struct.Struct("<II")
    parts = {}
    at, end = 24, len(data)
    while at + 16 <= end:
        kept, whole = lengths.unpack_from(data, at + 8)
        body = at + 16
        at = body + kept
        if at > end or kept < 4:
            raise WireError(f"{path}: a packet is cut short")
        if kept != whole:
            raise WireError(f"{path}: a packet was not kept whole")
        if data[body] == direction:
            parts.setdefault(data[body + 1], []).append(data[body + 4:at])
    return {vehicle: np.frombuffer(b"".join(p), dtype=np.uint8)
            for vehicle, p in parts.items()}


def crc_table():
    table = np.zeros(256, dtype=np.uint16)
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        table[byte] = crc
    return table


CRC_TABLE = crc_table()


def crc16(rows):
    """CRC-16/IBM-3740 of each row."""
    crc = np.full(len(rows), 0xFFFF, dtype=np.uint16)
    for column in range(rows.shape[1]):
        crc = (crc << 8) ^ CRC_TABLE[(crc >> 8) ^ rows[:, column]]
    return crc


def unstuff(rows):
    """COBS backwards, on frames of one length without their closing zero. The rows lose their first
    byte; False for those whose distances do not end at the end."""
    out = rows[:, 1:].copy()
    left = rows[:, 0].astype(np.int16)
    for column in range(out.shape[1]):
        left -= 1
        here = left == 0
        left[here] = out[here, column]
        out[here, column] = 0
    return out, left == 1


def payloads(stream):
    """The payloads of all whole frames: for each length, their places in the order of sending and the
    payloads as rows. A damaged frame is an error here: nothing disturbs these links."""
    ends = np.flatnonzero(stream == 0)
    begins = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - begins
    for length in np.unique(lengths[lengths > 0]):
        which = np.flatnonzero(lengths == length)
        for part in np.array_split(which, 1 + len(which) // 500_000):
            rows = stream[begins[part][:, None] + np.arange(length)]
            out, good = unstuff(rows)
            crc = out[:, -2].astype(np.uint16) | out[:, -1].astype(np.uint16) << 8
            if not np.all(good & (crc == crc16(out[:, :-2]))):
                raise WireError("a frame is damaged")
            yield part, out[:, :-2]


def field(rows, at, form, count=1):
    size = np.dtype(form).itemsize
    raw = np.ascontiguousarray(rows[:, at:at + size * count])
    return raw.view(form) if count > 1 else raw.view(form)[:, 0]


def fields(rows, at, forms):
    values = {}
    for form in forms:
        values[form[0]] = field(rows, at, *form[1:])
        at += np.dtype(form[1]).itemsize * (form[2] if len(form) > 2 else 1)
    return values


def hello(row):
    """The units, in SI a count, and the frame period."""
    at = {"accel": 30, "gyro": 34, "pressure": 38, "mag": 42, "range": 46}
    units = {name: int(field(row[None], o, "<u4")[0]) * 1e-9 for name, o in at.items()}
    units["nano"] = {name: int(field(row[None], o, "<u4")[0]) for name, o in at.items()}
    if row[2] > 3 or row[3] < 2:
        raise WireError("the rig speaks neither version 2 nor 3")
    return units


def block_places(head, fresh):
    at, places = head, {}
    for bit, name, size in BLOCKS:
        if fresh >> bit & 1:
            places[name] = at
            at += size
    return places, at


class Samples:
    """Every sample of one vehicle, by sensor: a dict of arrays with the fields of BLOCK_FIELDS, and
    time_s, when it was measured. Counts stay counts; `units` has what one is worth."""

    def __init__(self, stream):
        self.units = None
        self.sensor = {}
        pieces = {}
        for order, rows in payloads(stream):
            for kind in np.unique(rows[:, 0]):
                chosen = rows[:, 0] == kind
                if kind == HELLO:
                    self.units = hello(rows[chosen][-1])
                elif kind in SENSORS_HEAD:
                    self.take(pieces, order[chosen], rows[chosen], SENSORS_HEAD[kind])
                elif kind == SONARS:
                    self.take_sonars(pieces, order[chosen], rows[chosen])
        for name, parts in pieces.items():
            order = np.argsort(np.concatenate([p[0] for p in parts]), kind="stable")
            self.sensor[name] = {
                key: np.concatenate([p[1][key] for p in parts])[order]
                for key in parts[0][1]}

    @staticmethod
    def take(pieces, order, rows, head):
        for fresh in np.unique(rows[:, 14]):
            same = rows[:, 14] == fresh
            chosen, places = rows[same], order[same]
            blocks, length = block_places(head, int(fresh))
            if length != rows.shape[1]:
                raise WireError(f"SENSORS of {rows.shape[1]} bytes with fresh {fresh:#x}")
            time_us = field(chosen, 6, "<u8").astype(np.int64)
            for name, at in blocks.items():
                if name in BLOCK_FIELDS:
                    values = fields(chosen, at, BLOCK_FIELDS[name])
                    values["time_us"] = time_us - values["age_us"]
                    pieces.setdefault(name, []).append((places, values))

    @staticmethod
    def take_sonars(pieces, order, rows):
        time_us = field(rows, 6, "<u8").astype(np.int64)
        for at in range(SONARS_HEAD, rows.shape[1], SONAR_SIZE):
            values = fields(rows, at, SONAR_FIELDS)
            values["time_us"] = time_us - values["age_us"]
            pieces.setdefault("sonar", []).append((order, values))

    def si(self, sensor, key, unit):
        """A field in SI units."""
        return self.sensor[sensor][key] * self.units[unit]


    def end_at(self, end_us):
        """Without what was measured while the board was told to disarm: how long that takes is the host's affair."""
        for name, fields in self.sensor.items():
            kept = fields["time_us"] <= end_us
            self.sensor[name] = {key: values[kept] for key, values in fields.items()}


def read(path, end_us):
    samples = {vehicle: Samples(s) for vehicle, s in streams(path).items()}
    for of_vehicle in samples.values():
        of_vehicle.end_at(end_us)
    return samples
