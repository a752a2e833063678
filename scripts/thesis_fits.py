# The fits of Gruber's thesis, 4.3, as he made them and as they have to be made: inputs (3.19) from rotor speeds of a
# byte, a window in which rates and tilt are small, a zero-phase Butterworth filter of 6th order at 40 Hz, output error
# by least squares.
#
#     python3 thesis_fits.py < FLIGHTS.json > FITS.json
#
# FLIGHTS.json: a list of { experiment: thesis_turn or thesis_pitch_roll, table, drawn: true or false }; a table has 100
# rows a second and a head: t; ax, ay, az (m/s^2) and gx, gy, gz (rad/s) of the IMU; roll, pitch (rad) as the flight
# controller estimates them, true_roll, true_pitch; speed_0 to _3 (rad/s) and duty_0 to _3 (0 to 1), front, right, back, left; voltage, over
# the motors' reference. FITS.json is a list of the flights' fits; of those that are drawn with signals and, of
# roll, with the residual over a pole; of some with what another recording makes of them. Needs numpy and scipy.
import itertools
import json
import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import butter, cont2discrete, lfilter, sosfiltfilt

DT_S, G = 0.01, 9.81
BYTE_RADPS = 4250 / 255 * np.pi / 30
LOWPASS = butter(3, 40, fs=1 / DT_S, output="sos")  # there and back: 6th order
TAU_S = (1e-5, 300)
FAST_PER_S = sorted([*np.logspace(0, 5, 31), 30, 300, 1656, 22399])
RECORDED_OTHERWISE = ("throttle, right", "roll, right", "roll, rate")
# Transfer functions as printed: numerator and denominator, highest power first.
PRINTED = {
    "motor": ([1.08], [0.165, 1]),
    "throttle": ([8.34167e-5, -1.59837e-4], [1, 2.77634]),
    "roll": ([7.62631e-5], [1.11583e-5, 0.24998, 1]),
    "pitch": ([-6.23695e-5], [6.67218e-5, 0.111082, 1]),
    "yaw": ([5.4143e-5], [0.774194, 1]),
}


def response(num, den, u):
    """What num/den answers from rest to u, straight between samples."""
    b, a, _ = cont2discrete((num, den), DT_S, method="foh")
    return lfilter(np.ravel(b), a, u)


def lag(tau, u):
    """The same of 1/(tau s + 1), in closed form."""
    decay, mean = np.exp(-DT_S / tau), -np.expm1(-DT_S / tau) * tau / DT_S
    return lfilter([1 - mean, mean - decay], [1, -decay], u)


def two_lags(t, u):
    if t[0] - t[1] < 1e-5 * t[0]:
        t = [t[0] * 1.00001, t[1]]
    return (t[0] * lag(t[0], u) - t[1] * lag(t[1], u)) / (t[0] - t[1])


# Forms, linear in all but their time constants (longest first): how many of these, the columns that are added up, and
# the parameters that factors c and time constants t make.
FORMS = {
    "lag": (1, lambda t, u: [lag(t[0], u)], lambda c, t: {"k": c[0], "tau": t[0]}),
    # (b0 + b1 s)/(a + s)
    "throttle": (1, lambda t, u: [u, lag(t[0], u)],
                 lambda c, t: {"b0": (c[0] + c[1]) / t[0], "b1": c[0], "a": 1 / t[0]}),
    # k s/(s + a)
    "heave": (1, lambda t, u: [u - lag(t[0], u)], lambda c, t: {"k": c[0], "a": 1 / t[0]}),
    # k/((1 + t0 s)(1 + t1 s))
    "tilt": (2, lambda t, u: [two_lags(sorted(t, reverse=True), u)],
             lambda c, t: {"k": c[0], "a1": t[0] + t[1], "a2": t[0] * t[1], "slow": 1 / t[0], "fast": 1 / t[1]}),
    # (k + kz s)/(1 + tau s)
    "lead": (1, lambda t, u: [u, lag(t[0], u)], lambda c, t: {"k": c[0] + c[1], "kz": c[0] * t[0], "tau": t[0]}),
}


def solve(form, taus, u, y):
    """Factors for given time constants, and what the model says; how it began decays with the same ones."""
    columns = FORMS[form][1](taus, u)
    starts = [np.exp(-DT_S * np.arange(len(y)) / tau) for tau in taus]
    matrix = np.column_stack(columns + starts)
    factors = np.linalg.lstsq(matrix, y, rcond=None)[0]
    return factors[:len(columns)], matrix @ factors


def search(form, u, y, fixed=()):
    """Least squares over the time constants that are not fixed, from several starts; and the residual's RMS."""
    free = FORMS[form][0] - len(fixed)
    if free == 0:
        return fixed, rms(solve(form, fixed, u, y)[1] - y)
    starts = itertools.combinations(np.log([3, 0.3, 0.02]), free)
    runs = [least_squares(lambda x: solve(form, [*np.exp(x), *fixed], u, y)[1] - y, start,
                          bounds=np.log(TAU_S)) for start in starts]
    best = min(runs, key=lambda run: run.cost)
    return sorted([*np.exp(best.x), *fixed], reverse=True), rms(best.fun)


def as_printed(name, u, y):
    """What the printed transfer function makes of u; only how it began is fitted."""
    model = response(*PRINTED[name], u)
    starts = np.exp(DT_S * np.outer(np.arange(len(y)), np.roots(PRINTED[name][1])))
    return model + starts @ np.linalg.lstsq(starts, y - model, rcond=None)[0]


def rms(x):
    return float(np.sqrt(np.mean(x**2)))


def fit_percent(y, model):
    return float(100 * (1 - np.linalg.norm(y - model) / np.linalg.norm(y - y.mean())))


def signals(d, experiment, rounded=np.round, attitude=("roll", "pitch")):
    """Of each fit: whose printed numbers stand beside it, form, u and y, their window, and the hover whose means are the
    equilibrium."""
    speeds = np.array([rounded(d[f"speed_{i}"] / BYTE_RADPS) for i in range(4)])
    roll_rad, pitch_rad = (d[name] for name in attitude)
    commands = [np.round(255 * d[f"duty_{i}"]) for i in range(4)]
    front, right, back, left = (BYTE_RADPS * speeds) ** 2
    if experiment == "thesis_turn":
        thrust = (-(front + right + back + left), d["az"], (5.5, 44), (18, 24))
        turn = (-front + right - back + left, d["gz"], (23.5, 40), (20, 23.5))
        return {
            "motor, rear": ("motor", "lag", commands[2], speeds[2], (12, 44), (12, 24)),
            "throttle": ("throttle", "throttle", *thrust), "throttle, right": ("throttle", "heave", *thrust),
            "yaw": ("yaw", "lag", *turn), "yaw, right": ("yaw", "lead", *turn),
        }
    # An accelerometer does not feel gravity: how the velocity changes is known with the attitude only.
    along = d["ax"] - G * np.sin(pitch_rad)
    aside = d["ay"] + G * np.sin(roll_rad) * np.cos(pitch_rad)
    pitch, roll = ((21.5, 38), (18, 22)), ((43.5, 60), (40, 44))
    return {
        "motor": ("motor", "lag", commands[0], speeds[0], (12, 60), (12, 22)),
        "motor, right": ("motor", "lag", commands[0] * d["voltage"], speeds[0], (12, 60), (12, 22)),
        "pitch": ("pitch", "tilt", front - back, d["ax"], *pitch),
        "pitch, right": ("pitch", "tilt", front - back, along, *pitch),
        "pitch, rate": (None, "lag", front - back, d["gy"], *pitch),
        "roll": ("roll", "tilt", left - right, d["ay"], *roll),
        "roll, right": ("roll", "tilt", left - right, aside, *roll),
        "roll, rate": (None, "lag", left - right, d["gx"], *roll),
    }


def filtered(d, u, y, window, hover):
    rows, level = ((d["t"] >= a) & (d["t"] < b) for a, b in (window, hover))
    return rows, *(sosfiltfilt(LOWPASS, (x - x[level].mean())[rows]) for x in (u, y))


def named(form, factors, taus):
    return {name: float(value) for name, value in FORMS[form][2](factors, taus).items()}


def parameters(form, u, y):
    taus, _ = search(form, u, y)
    return named(form, solve(form, taus, u, y)[0], taus)


def fit(d, drawn, name, printed, form, u, y, window, hover):
    rows, u, y = filtered(d, u, y, window, hover)
    taus, error = search(form, u, y)
    factors, model = solve(form, taus, u, y)
    theirs = as_printed(printed, u, y) if printed else 0 * y
    told = {
        "parameters": named(form, factors, taus), "fit_percent": fit_percent(y, model),
        "printed_percent": fit_percent(y, theirs),
        "tilt_deg": float(np.degrees(np.hypot(d["roll"], d["pitch"])[rows].max())),
        "rate_dps": float(np.degrees(np.abs([d[g][rows] for g in ("gx", "gy", "gz")]).max())),
    }
    if name in RECORDED_OTHERWISE:
        told["late"] = parameters(form, u[:-1], y[1:])
    if drawn:
        told["series"] = np.column_stack([d["t"][rows], y, model, theirs]).tolist()
    if drawn and name == "roll, right":
        told["profile"] = [[p, search(form, u, y, (1 / p,))[1] / error] for p in FAST_PER_S]
    return told


def tell(flight):
    d = np.genfromtxt(flight["table"], names=True)
    told = {name: fit(d, flight["drawn"], name, *what) for name, what in signals(d, flight["experiment"]).items()}
    for key, attitude in (("exact", ("roll", "pitch")), ("true", ("true_roll", "true_pitch"))):
        other = signals(d, flight["experiment"], lambda speed: speed, attitude)
        for name, (_, form, u, y, window, hover) in other.items():
            if name in RECORDED_OTHERWISE:
                told[name][key] = parameters(form, *filtered(d, u, y, window, hover)[1:])
    return told


if __name__ == "__main__":
    json.dump([tell(flight) for flight in json.load(sys.stdin)], sys.stdout)
