"""The IMU's noise: white noise, bias instability and random walk out of the Allan deviation of many hours
of samples, and white noise of a part out of half an hour of its own."""

import math

import numpy as np

import allan
import rigs
from units import DPS, G

NAMES = ("white noise, N", "bias instability, B", "random walk, K")
LONGEST_S = 1000.0
# Of the 1/f noise (models/sensors/errors/drift.h): eight time constants from 0.1 s on, each four times the one
# before and standing for what lies within a factor of two.
DRIFT_S = (0.1 / 2.0, 0.1 * 4.0 ** 7 * 2.0)

# Of each half: the unit for people and what it is in SI, what the density's is, the units of N, B and K
# for people, and the keys of density, B and K.
HALVES = {
    "accel": (1.0, G * 1e-6, ("m/s²/√Hz", "m/s²", "m/s³/√Hz"),
              ("noise_density_ug_rthz", "bias_instability_mps2", "random_walk_mps3_rthz")),
    "gyro": (DPS, DPS, ("°/s/√Hz", "°/s", "°/s²/√Hz"),
             ("noise_density_dps_rthz", "bias_instability_dps", "random_walk_dps2_rthz")),
}
TITLES = {"accel": "accelerometer", "gyro": "gyroscope"}


def expected(imu, half):
    """N, B, K in SI. A data sheet's density is one-sided, and white noise of a one-sided density d has
    the Allan deviation d/sqrt(2 tau)."""
    unit, density_unit, _, keys = HALVES[half]
    density, b, k = (rigs.imu_key(imu, half, key)[0] for key in keys)
    return np.array([density * density_unit / math.sqrt(2.0), b * unit, k * unit])


def check_hours(runs, claims):
    """runs: of one rig, with other seeds. Their axes are independent records of one process."""
    pictures = {}
    imu = runs[0].run.sensors(0)["imu"]
    period = 1.0 / imu["rate_hz"]
    for half, (per_unit, _, units, _) in HALVES.items():
        single, curves, seconds = [], [], 0.0
        for run in runs:
            x = run.samples[0].si("imu", half, half)
            seconds = len(x) * period
            tau, variance = allan.curve(x, period, LONGEST_S)
            curves.append(variance)
            floor = allan.banded_floor(tau, *DRIFT_S)
            single += [allan.fit(tau, variance[:, i], seconds, floor) for i in range(3)]
        variance = np.concatenate(curves, axis=1).mean(axis=1)
        fitted = allan.fit(tau, variance, seconds, floor)
        error = np.std(single, axis=0, ddof=1) / math.sqrt(len(single))
        wanted = expected(imu, half)
        for name, want, have, err, unit in zip(NAMES, wanted, fitted, error, units):
            claims.relative(f"IMU noise, {TITLES[half]}", name, want / per_unit, have / per_unit,
                            unit, error=err / per_unit)
        pictures[half] = (tau, np.sqrt(variance) / per_unit, wanted / per_unit,
                          fitted / per_unit, units[1])
    return pictures


def check_part(run, claims):
    """White noise of a part with its own numbers. Averaging times start where its bandwidth no longer
    shows. Rounding adds white noise of LSB^2/12 a sample to it."""
    pictures = {}
    imu = run.run.sensors(0)["imu"]
    period = 1.0 / imu["rate_hz"]
    for half, (per_unit, _, units, _) in HALVES.items():
        samples = run.samples[0]
        x = samples.si("imu", half, half)
        wanted = expected(imu, half)
        rounding = samples.units[half] ** 2 / 12.0 * period
        total = math.sqrt(wanted[0] ** 2 + rounding)
        tau, variance = allan.curve(x, period, 20.0)
        slow = tau >= 0.3
        floor = allan.banded_floor(tau[slow], *DRIFT_S)
        single = [allan.fit(tau[slow], variance[slow, i], len(x) * period, floor)[0]
                  for i in range(3)]
        mean = variance.mean(axis=1)
        fitted = allan.fit(tau[slow], mean[slow], len(x) * period, floor)
        claims.relative("IMU noise, MPU-6000", f"{TITLES[half]}, white noise, N",
                        total / per_unit, fitted[0] / per_unit, units[0],
                        error=max(np.std(single, ddof=1) / math.sqrt(3.0),
                                  scatter(total, tau[slow][0], len(x) * period)) / per_unit)
        pictures[half] = (tau, np.sqrt(mean) / per_unit,
                          np.array([total, *wanted[1:]]) / per_unit, fitted / per_unit, units[1])
    return pictures


def scatter(n, tau_s, length_s):
    """Standard error of N from the shortest averaging time alone, of three axes: three records do not
    tell their own scatter well."""
    return n / math.sqrt(2.0 * 3.0 * length_s / tau_s)


def draw(pictures, title, path, plot):
    figure, axes = plot.subplots(1, 2, figsize=(10, 4.2))
    for ax, (half, (tau, deviation, wanted, fitted, unit)) in zip(axes, pictures.items()):
        n, b, k = wanted
        ax.loglog(tau, deviation, "o", ms=4, color="C0", label="emitted packets")
        ax.loglog(tau, np.sqrt(allan.predicted(tau, fitted ** 2,
                                                     allan.banded_floor(tau, *DRIFT_S))), color="C0", lw=1, label="fit")
        for line, color, label in ((n / np.sqrt(tau), "C1", "white noise, configured"),
                                   (np.sqrt(allan.FLOOR) * b + 0 * tau, "C2",
                                    "bias instability, configured"),
                                   (k * np.sqrt(tau / 3), "C3", "random walk, configured")):
            if line[0] > 0.0:
                ax.loglog(tau, line, "--", color=color, lw=1, label=label)
        ax.set_ylim(deviation.min() / 3, deviation.max() * 2)
        ax.set_xlabel("averaging time in s")
        ax.set_ylabel(f"Allan deviation in {unit}")
        ax.set_title(f"{title}, {TITLES[half]}")
        ax.grid(True, which="both", lw=0.3)
        ax.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
