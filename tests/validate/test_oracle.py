"""The oracle on what it must know: frames of the protocol's page, and records that numpy made."""

import math
import sys

import numpy as np

import allan
import almanac
import board
import check_output
import correlation
import motion
import units
import wire

FAILURES = []


def claim(name, holds):
    print(f"{'ok   ' if holds else 'FAIL '} {name}")
    if not holds:
        FAILURES.append(name)


def near(got, want, share):
    return bool(np.all(np.abs(np.asarray(got) / want - 1.0) <= share))


# docs/protocol.md, SENSORS: frame 7 at 8 ms, accel 0, 2, -2047, gyro -1, 0, 3, 250 us old.
FRAME_7 = bytes.fromhex("0403090701010340 1f0101010101 0301fa0101 010102020101 0901f8ffffff"
                        "ffffff0101010203 010103c4dd00")


def frames():
    crc = wire.crc16(np.frombuffer(b"123456789", dtype=np.uint8)[None])[0]
    claim("CRC of the nine digits is 0x29B1", crc == 0x29B1)
    samples = wire.Samples(np.frombuffer(FRAME_7, dtype=np.uint8))
    imu = samples.sensor["imu"]
    claim("the frame on the page reads as the page says",
          imu["time_us"][0] == 7750 and imu["accel"][0].tolist() == [0, 2, -2047]
          and imu["gyro"][0].tolist() == [-1, 0, 3])
    payload = bytes(range(7)) * 20
    framed = board.stuff(payload)
    rows, good = wire.unstuff(np.frombuffer(framed[:-1], dtype=np.uint8)[None])
    claim("stuffing and its undoing agree", bool(good[0]) and rows[0, :-2].tobytes() == payload
          and board.unstuff(framed[:-1]) == payload)
    bad = bytearray(FRAME_7)
    bad[20] ^= 1
    try:
        wire.Samples(np.frombuffer(bytes(bad), dtype=np.uint8))
        claim("a flipped bit is noticed", False)
    except wire.WireError:
        claim("a flipped bit is noticed", True)


def flicker(rng, n, period, b):
    """1/f noise of S(f) = B^2/(2 pi f), two-sided, by shaping white noise in the frequency domain."""
    f = np.fft.rfftfreq(n, period)
    f[0] = np.inf
    spectrum = np.fft.rfft(rng.standard_normal(n))
    return np.fft.irfft(spectrum * np.sqrt(b * b / (2.0 * np.pi * f) / period), n)


def allan_deviation():
    rng = np.random.default_rng(1)
    n, period = 720_000, 0.05
    wanted = np.array([0.02, 0.01, 0.0015])
    x = np.stack([wanted[0] / np.sqrt(period) * rng.standard_normal(n) +
                  flicker(rng, n, period, wanted[1]) +
                  wanted[2] * np.sqrt(period) * np.cumsum(rng.standard_normal(n))
                  for _ in range(12)], axis=1)
    tau, variance = allan.curve(x, period, 1000.0)
    got = allan.fit(tau, variance.mean(axis=1), n * period)
    claim(f"N, B, K of a made record: {got} for {wanted}", near(got, wanted, 0.04))
    # Without scatter, so that nothing but the shape can be off: eight processes, 0.1 s to 1638 s.
    x = np.array([tau / (0.1 * 4.0 ** k) for k in range(8)])
    drift = np.sum((2.0 * x - 3.0 + 4.0 * np.exp(-x) - np.exp(-2.0 * x)) / x ** 2, axis=0)
    exact = (wanted[0] ** 2 / tau + wanted[1] ** 2 * math.log(4.0) / math.pi * drift +
             wanted[2] ** 2 * tau / 3.0)
    banded = allan.fit(tau, exact, n * period, allan.banded_floor(tau, 0.05, 3277.0))
    claim("1/f noise that ends at 0.1 s takes nothing from N",
          near(banded, wanted, 2e-3) and near(banded[0], wanted[0], 1e-4) and
          not near(allan.fit(tau, exact, n * period)[0], wanted[0], 1e-3))
    line = np.arange(1000.0)[:, None]
    claim("a ramp of slope 1 has the Allan variance tau^2/2",
          near(allan.overlapping_variance(line, 10), 50.0, 1e-12))


def correlations():
    rng = np.random.default_rng(2)
    records = []
    for _ in range(6):
        kept = np.exp(-0.5 / 10.0)
        x = np.empty(72_000)
        x[0] = 3.0 * rng.standard_normal()
        kicks = 3.0 * np.sqrt(1.0 - kept * kept) * rng.standard_normal(len(x))
        for i in range(1, len(x)):
            x[i] = kept * x[i - 1] + kicks[i]
        records.append(x + 2.0 * rng.standard_normal(len(x)))
    got, error, _, _ = correlation.markov(records, 0.5, 10.0, 4)
    claim(f"white noise, drift and time constant of made records: {got} for 4, 9, 10",
          near(got, [4.0, 9.0, 10.0], 0.05) and bool(np.all(error / got < 0.025)))


def small_things():
    claim("ties go to the even count",
          [check_output.nearest(v, 2) for v in (1, 3, 5, -1, -3)] == [0, 2, 2, 0, -2])
    isa = {"origin": {"height_m": 0.0},
           "atmosphere": {"sea_level_pressure_hpa": 1013.25, "sea_level_temperature_degc": 15.0}}
    claim("pressure and density at 5, 11 and 20 km are ISO 2533's",
          near([units.atmosphere(isa, -1000.0 * km)[i] for km in (5, 11, 20) for i in (0, 2)],
               np.array([54019.9, 0.736116, 22632.1, 0.363918, 5474.89, 0.0880349]), 3e-6))
    claim("gravity at the pole is 9.8321849379",
          abs(units.normal_gravity_mps2(90.0, 0.0) - 9.8321849379) < 1e-9)


class Ball:
    """A body without rotors that turns freely: its angular momentum and its energy stay."""

    def __init__(self):
        self.mass, self.inertia = 2.0, np.array([[3.0, 0.3, -0.2], [0.3, 2.0, 0.1], [-0.2, 0.1, 4.0]])
        self.hub, self.spin = np.zeros((1, 3)), np.array([1.0])
        self.thrust = self.torque = self.rotor_inertia = 0.0
        self.rho_ref = self.tau = 1.0
        self.linear = self.area = self.damping = self.wind = np.zeros(3)

    def gravity(self, _):
        return 9.0

    def density(self, _):
        return 1.0


def moving():
    k = Ball()
    s = first = motion.State(np.zeros(3), np.array([1.0, 2.0, 3.0]), motion.attitude(0.3, -0.4, 2.0),
                             np.array([1.0, -2.0, 0.5]), np.zeros(1))
    for _ in range(1000):
        s = motion.advance(k, s, np.zeros(1), 1e-3)
    claim("a free body keeps its angular momentum and its energy",
          near(s.r @ k.inertia @ s.w, first.r @ k.inertia @ first.w, 1e-9) and
          near(s.w @ k.inertia @ s.w, first.w @ k.inertia @ first.w, 1e-9))
    claim("and falls in a parabola", near(s.p, [1.0, 2.0, 7.5], 1e-9))
    claim("angles of an attitude come back", near(motion.euler(first.r), np.array([0.3, -0.4, 2.0]), 1e-12))


def satellites():
    """A made orbit: a circle about the equator, over the meridian of Greenwich at its reference, once in 12 h of stars."""
    root = 5153.6
    made = (0.0, np.array([[0.0, 0.0, 0.0, root, 0.0, 0.0, 0.0]] * 4))
    at = almanac.positions(made, [0.0, 3600.0])
    turned = 3600.0 * (math.sqrt(almanac.MU) / root ** 3 - almanac.TURN)
    claim("a satellite on the equator stands where it must",
          near(at[0, 0, :1], root ** 2, 1e-12) and
          near(at[1, 0, :2], root ** 2 * np.array([math.cos(turned), math.sin(turned)]), 1e-9))
    up = almanac.directions(at, 0.0, 0.0, 0.0)[0, 0]
    claim("and is straight overhead", near(up[2], -1.0, 1e-12))
    # Four at 30 degrees of height and one overhead: worked out by hand.
    c, s = math.cos(math.radians(30.0)), math.sin(math.radians(30.0))
    sight = np.array([[[c, 0, -s], [-c, 0, -s], [0, c, -s], [0, -c, -s], [0, 0, -1.0]]])
    count, ratio = almanac.dilution(sight, 5.0)
    claim("dilutions of a cross and a zenith", count[0] == 5 and
          near(ratio[0], np.array([0.5 / c ** 2, 0.5 / c ** 2, 1.25 / (1.0 - s) ** 2]), 1e-12))


if __name__ == "__main__":
    frames()
    allan_deviation()
    correlations()
    small_things()
    moving()
    satellites()
    sys.exit(1 if FAILURES else 0)
