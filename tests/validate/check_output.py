"""Rounding and limits of the IMU, to the last count. In a jig, level, it feels gravity alone."""

import math
from fractions import Fraction

import numpy as np

import rigs
from units import DPS, G, gravity_mps2

HALVES = {"accel": ("lsb_g", "range_g", "bias_mps2", "sigma_mps2", G, 1.0),
          "gyro": ("lsb_dps", "range_dps", "bias_dps", "sigma_dps", DPS, DPS)}


def phi(x):
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def lsb_nano(imu, half):
    """The wire counts in whole nano units."""
    key, _, _, _, unit, _ = HALVES[half]
    return round(rigs.imu_key(imu, half, key) * unit * 1e9)


def true_values(half, gravity):
    return (0.0, 0.0, -gravity) if half == "accel" else (0.0, 0.0, 0.0)


def nearest(value, lsb):
    """The count nearest to a value, ties to the even one, in rational numbers."""
    return round(Fraction(value) / lsb)


def check_rounding(run, claims):
    wrong = samples = 0
    for vehicle, got in run.samples.items():
        gravity = gravity_mps2(run.run.config, vehicle)
        imu = run.run.sensors(vehicle)["imu"]
        for half, (_, _, bias_key, _, _, unit) in HALVES.items():
            lsb = Fraction(lsb_nano(imu, half), 10**9)
            claims.exact("IMU, rounding", f"step of the {half}, vehicle {vehicle}",
                         lsb_nano(imu, half), got.units["nano"][half],
                         "nm/s²" if half == "accel" else "nrad/s")
            bias = rigs.imu_key(imu, half, bias_key)
            for axis, truth in enumerate(true_values(half, gravity)):
                want = nearest(truth + bias[axis] * unit, lsb)
                counts = got.sensor["imu"][half][:, axis]
                wrong += int(np.sum(counts != want))
                samples += len(counts)
    claims.exact("IMU, rounding", f"counts of {samples:,} that are not the nearest", 0, wrong)


def check_steps(run, claims):
    """Each count is as frequent as the normal distribution says for its cell: chi-squared."""
    gravity = gravity_mps2(run.run.config, 0)
    imu = run.run.sensors(0)["imu"]
    pictures = {}
    for half, (_, _, bias_key, sigma_key, _, unit) in HALVES.items():
        lsb = lsb_nano(imu, half) * 1e-9
        counts = run.samples[0].sensor["imu"][half]
        total, freedom = 0.0, 0
        for axis, truth in enumerate(true_values(half, gravity)):
            sigma = rigs.imu_key(imu, half, sigma_key)[axis] * unit
            mean = truth + rigs.imu_key(imu, half, bias_key)[axis] * unit
            cells = np.arange(counts[:, axis].min(), counts[:, axis].max() + 1)
            share = np.array([phi(((k + 0.5) * lsb - mean) / sigma) -
                              phi(((k - 0.5) * lsb - mean) / sigma) for k in cells])
            seen = np.array([np.sum(counts[:, axis] == k) for k in cells])
            often = share * len(counts) >= 20.0
            want = share * len(counts)
            total += float(np.sum((seen[often] - want[often]) ** 2 / want[often]))
            freedom += int(np.sum(often)) - 1
            pictures[half, axis] = (cells, seen, want)
        deviation = math.sqrt(2.0 / freedom)
        claims.absolute("IMU, distribution of counts", f"chi² a degree of freedom of {half} counts, "
                        f"{freedom} of them", 1.0, total / freedom, 4.0 * deviation,
                        error=deviation)
    return pictures


def limits(imu, half):
    """Lowest and highest count. A two's complement register has one more below zero."""
    key, range_key, _, _, unit, _ = HALVES[half]
    exact = rigs.imu_key(imu, half, range_key) / rigs.imu_key(imu, half, key)
    n = round(exact)
    power = abs(exact - n) < 1e-6 and n & (n - 1) == 0
    if not power:
        lsb = Fraction(lsb_nano(imu, half), 10**9)
        n = math.floor(Fraction(rigs.imu_key(imu, half, range_key) * unit) / lsb + Fraction(1, 10**6))
    return -n, n - 1 if power else n


def check_clipping(run, claims):
    gravity = gravity_mps2(run.run.config, 0)
    imu = run.run.sensors(0)["imu"]
    for half, (_, _, bias_key, sigma_key, _, unit) in HALVES.items():
        lsb = lsb_nano(imu, half) * 1e-9
        low, high = limits(imu, half)
        counts = run.samples[0].sensor["imu"][half]
        claims.exact("IMU, limits", f"lowest {half} count", low, counts.min())
        claims.exact("IMU, limits", f"highest {half} count", high, counts.max())
        want = seen = variance = 0.0
        for axis, truth in enumerate(true_values(half, gravity)):
            sigma = rigs.imu_key(imu, half, sigma_key)[axis] * unit
            mean = truth + rigs.imu_key(imu, half, bias_key)[axis] * unit
            at = counts[:, axis]
            for limit, side in ((low, 1.0), (high, -1.0)):
                share = phi(side * ((limit + 0.5 * side) * lsb - mean) / sigma)
                want += share * len(at)
                variance += share * (1.0 - share) * len(at)
                seen += int(np.sum(at == limit))
        claims.relative("IMU, limits", f"{half} samples at a limit", want, seen,
                        error=math.sqrt(variance))


def draw(pictures, path, plot):
    figure, axes = plot.subplots(2, 3, figsize=(10, 5.2))
    for (half, axis), (cells, seen, want) in pictures.items():
        ax = axes[0 if half == "accel" else 1][axis]
        ax.bar(cells, seen, width=0.8, color="C0", alpha=0.5, label="emitted packets")
        ax.plot(cells, want, "k_", ms=9, label="normal distribution")
        ax.set_yscale("log")
        ax.set_title(f"{half} {'xyz'[axis]}", fontsize=9)
        ax.set_xlabel("count", fontsize=8)
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
