"""Barometer and magnetometer: white noise, and the barometer's drift; the atmosphere by height, and the field of the
World Magnetic Model as its authors print it, seen by a vehicle that is held askew."""

import math

import numpy as np

import correlation
import motion
from units import UT, atmosphere

BLOCKS = 4
SETTLE_S = 60.0

# Time, latitude, longitude, and north, east, down in nT: the test values of the World Magnetic Model 2025's report.
FIELDS = (("2025-01-01T00:00:00Z", 80.0, 0.0, (6521.6, 145.9, 54791.5)),
          ("2025-01-01T00:00:00Z", 0.0, 120.0, (39677.8, -109.6, -10580.2)),
          ("2025-01-01T00:00:00Z", -80.0, -120.0, (6117.5, 15751.9, -52022.5)),
          ("2027-07-02T12:00:00Z", 80.0, 0.0, (6500.8, 294.5, 54869.4)))
HEIGHTS_M = (0, 9000)  # of the origin


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


def check_heights(runs, claims):
    pressure, temperature = [], []
    for run in runs:
        for i, samples in run.samples.items():
            at = run.run.config["vehicles"][i]["start"]["at_m"]["down"]
            want = atmosphere(run.run.config["world"], at)
            baro = samples.sensor["baro"]
            got = baro["pressure"] * samples.units["pressure"]
            pressure.append(np.abs(got - want[0]).max())
            temperature.append(np.abs(baro["temperature"] * 0.01 - (want[1] - 273.15)).max())
    name = f"{len(pressure)} heights from 1 m to 18.9 km, largest error"
    claims.absolute("Barometer", f"pressure at {name}", 0.0, max(pressure), 0.001, "Pa")
    claims.absolute("Barometer", f"temperature at {name}", 0.0, max(temperature), 0.0051, "°C")


def check_field(runs, claims):
    """The steps of 1 nT and of the printed values leave less than 1 nT in each axis."""
    for run, (when, lat, lon, field) in zip(runs, FIELDS):
        hold = run.run.config["scenario"]["steps"][0]["hold_deg"]
        turn = motion.attitude(*(math.radians(hold[key]) for key in ("roll", "pitch", "yaw")))
        samples = run.samples[0]
        off = samples.si("mag", "field", "mag") - turn.T @ (np.array(field) * 1e-9)
        claims.absolute("Magnetometer", f"field at {lat:g}°, {lon:g}° in {when[:4]}, largest error", 0.0,
                        float(np.abs(off).max()) * 1e9, 1.0, "nT")


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
