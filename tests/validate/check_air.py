"""Barometer and magnetometer: white noise, and the barometer's drift."""

import math

import numpy as np

import correlation
from units import UT

BLOCKS = 4
SETTLE_S = 60.0


def settled(run, sensor):
    return run.samples[0].sensor[sensor]["time_us"] > SETTLE_S * 1e6


def check_baro(runs, claims):
    """The mean is known only from the record itself; over ten hours that takes less than a thousandth
    from the variances."""
    baro = runs[0].run.sensors(0)["baro"]
    period, tau = 1.0 / baro["rate_hz"], baro["drift_tau_s"]
    records = []
    for run in runs:
        x = run.samples[0].si("baro", "pressure", "pressure")[settled(run, "baro")]
        records.append(x - x.mean())
    got, error, lags, curve = correlation.markov(records, period, tau, BLOCKS)
    for name, want, i in (("white noise", baro["sigma_pa"], 0), ("drift", baro["drift_pa"], 1)):
        have = math.sqrt(got[i])
        claims.relative("Barometer", f"{name}, standard deviation", want, have, "Pa",
                        error=error[i] / (2.0 * have))
    claims.relative("Barometer", "drift, correlation time", tau, got[2], "s", error=error[2])
    return lags, curve, correlation.shape(lags, baro["sigma_pa"] ** 2, baro["drift_pa"] ** 2, tau)


def check_mag(runs, claims):
    """Rounding adds LSB^2/12 to the variance."""
    mag = runs[0].run.sensors(0)["mag"]
    lsb = runs[0].samples[0].units["mag"]
    for axis in range(3):
        sigma = math.hypot(mag["sigma_ut"][axis] * UT, lsb / math.sqrt(12.0))
        got = [correlation.white(run.samples[0].si("mag", "field", "mag")
                                 [settled(run, "mag"), axis]) for run in runs]
        count = math.sqrt(len(got))
        claims.relative("Magnetometer", f"{'xyz'[axis]}, standard deviation", sigma / UT,
                        float(np.mean([g[0] for g in got])) / UT, "µT",
                        error=float(np.mean([g[1] for g in got])) / count / UT)
        claims.absolute("Magnetometer", f"{'xyz'[axis]}, correlation of neighbours", 0.0,
                        float(np.mean([g[2] for g in got])), 0.02,
                        error=float(np.mean([g[3] for g in got])) / count)


def draw(picture, path, plot):
    lags, curve, wanted = picture
    figure, ax = plot.subplots(figsize=(5.5, 3.6))
    ax.plot(lags, curve, "o", ms=4, label="emitted packets")
    ax.plot(lags, wanted, "k-", lw=1, label="as configured")
    ax.set_xlabel("lag in s")
    ax.set_ylabel("autocovariance of the pressure in Pa²")
    ax.grid(True, lw=0.3)
    ax.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
