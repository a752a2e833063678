# The fits of Gruber's thesis, 4.3, as he made them and as they have to be made: inputs (3.19) from rotor speeds of a
# byte, a window in which rates and tilt are small, a zero-phase Butterworth filter of 6th order at 40 Hz, output error
# by least squares.
#
#     python3 thesis_fits.py < FLIGHTS.json > FITS.json
#
# FLIGHTS.json: a list of { experiment: thesis_turn or thesis_pitch_roll, table, drawn: true or false }; a table has 100
# rows a second and a head: t; ax, ay, az (m/s^2) and gx, gy, gz (rad/s) of the IMU; roll, pitch (rad) as the flight
# controller estimates them; speed_0 to _3 (rad/s) and duty_0 to _3 (0 to 1), front, right, back, left; voltage, over
# the motors' reference. FITS.json is a list of the flights' fits; of those that are drawn with signals and with the
# residual over the fast pole. Needs numpy and scipy.
import json
import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import butter, cont2discrete, lfilter, sosfiltfilt

DT_S, G = 0.01, 9.81
BYTE_RADPS = 4250 / 255 * np.pi / 30
LOWPASS = butter(3, 40, fs=1 / DT_S, output="sos")  # there and back: 6th order
TAU_S = (1e-5, 300)
FAST_PER_S = np.logspace(0, 5, 41)
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
    return response([1], [tau, 1], u)


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
    "tilt": (2, lambda t, u: [response([1], [t[0] * t[1], t[0] + t[1], 1], u)],
             lambda c, t: {"k": c[0], "a1": t[0] + t[1], "a2": t[0] * t[1], "slow": 1 / t[0], "fast": 1 / t[1]}),
    # (k + kz s)/(1 + tau s)
    "lead": (1, lambda t, u: [u, lag(t[0], u)], lambda c, t: {"k": c[0] + c[1], "kz": c[0] * t[0], "tau": t[0]}),
}


def solve(form, taus, u, y, free_start):
    """Factors for given time constants, and what the model says; a free start decays with the same ones."""
    columns = FORMS[form][1](taus, u)
    starts = [np.exp(-DT_S * np.arange(len(y)) / tau) for tau in taus] if free_start else []
    matrix = np.column_stack(columns + starts)
    factors = np.linalg.lstsq(matrix, y, rcond=None)[0]
    return factors[:len(columns)], matrix @ factors


def search(form, u, y, free_start, fixed=()):
    """Least squares over the time constants that are not fixed, from several starts; and the residual's RMS."""
    free = FORMS[form][0] - len(fixed)
    if free == 0:
        return fixed, rms(solve(form, fixed, u, y, free_start)[1] - y)
    starts = np.array(np.meshgrid(*[np.log([0.02, 0.3, 3])] * free)).reshape(free, -1).T
    runs = [least_squares(lambda x: solve(form, [*np.exp(x), *fixed], u, y, free_start)[1] - y, start,
                          bounds=np.log(TAU_S)) for start in starts]
    best = min(runs, key=lambda run: run.cost)
    return sorted([*np.exp(best.x), *fixed], reverse=True), rms(best.fun)


def rms(x):
    return float(np.sqrt(np.mean(x**2)))


def fit_percent(y, model):
    return float(100 * (1 - np.linalg.norm(y - model) / np.linalg.norm(y - y.mean())))


def signals(d, experiment):
    """Of each fit: whose printed numbers stand beside it, form, free start or not, u and y, their window, the hover
    whose means are the equilibrium."""
    speeds = np.array([np.round(d[f"speed_{i}"] / BYTE_RADPS) for i in range(4)])
    commands = [np.round(255 * d[f"duty_{i}"]) for i in range(4)]
    front, right, back, left = (BYTE_RADPS * speeds) ** 2
    if experiment == "thesis_turn":
        thrust = (-(front + right + back + left), d["az"], (5.5, 44), (18, 24))
        turn = (-front + right - back + left, d["gz"], (23.5, 40), (20, 23.5))
        return {
            "motor, rear": ("motor", "lag", True, commands[2], speeds[2], (12, 44), (12, 24)),
            "throttle": ("throttle", "throttle", False, *thrust), "throttle, right": ("throttle", "heave", True, *thrust),
            "yaw": ("yaw", "lag", False, *turn), "yaw, right": ("yaw", "lead", True, *turn),
        }
    # An accelerometer does not feel gravity: how the velocity changes is known with the attitude only.
    along = d["ax"] - G * np.sin(d["pitch"])
    aside = d["ay"] + G * np.sin(d["roll"]) * np.cos(d["pitch"])
    pitch, roll = ((21.5, 38), (18, 22)), ((43.5, 60), (40, 44))
    return {
        "motor": ("motor", "lag", True, commands[0], speeds[0], (12, 60), (12, 22)),
        "motor, right": ("motor", "lag", True, commands[0] * d["voltage"], speeds[0], (12, 60), (12, 22)),
        "pitch": ("pitch", "tilt", False, front - back, d["ax"], *pitch),
        "pitch, right": ("pitch", "tilt", True, front - back, along, *pitch),
        "pitch, rate": (None, "lag", True, front - back, d["gy"], *pitch),
        "roll": ("roll", "tilt", False, left - right, d["ay"], *roll),
        "roll, right": ("roll", "tilt", True, left - right, aside, *roll),
        "roll, rate": (None, "lag", True, left - right, d["gx"], *roll),
    }


def fit(d, printed, form, free_start, u, y, window, hover, drawn):
    rows, level = ((d["t"] >= a) & (d["t"] < b) for a, b in (window, hover))
    u, y = (sosfiltfilt(LOWPASS, (x - x[level].mean())[rows]) for x in (u, y))
    taus, error = search(form, u, y, free_start)
    factors, model = solve(form, taus, u, y, free_start)
    theirs = response(*PRINTED[printed], u) if printed else 0 * y
    told = {
        "parameters": {k: float(v) for k, v in FORMS[form][2](factors, taus).items()},
        "rms": error, "fit_percent": fit_percent(y, model), "printed_percent": fit_percent(y, theirs),
        "tilt_deg": float(np.degrees(np.hypot(d["roll"], d["pitch"])[rows].max())),
        "rate_dps": float(np.degrees(np.abs([d[g][rows] for g in ("gx", "gy", "gz")]).max())),
    }
    if drawn:
        told["series"] = np.column_stack([d["t"][rows], y, model, theirs]).tolist()
        told["profile"] = [[p, search(form, u, y, free_start, (1 / p,))[1]] for p in FAST_PER_S]
    return told


def main():
    told = []
    for flight in json.load(sys.stdin):
        d = np.genfromtxt(flight["table"], names=True)
        told.append({name: fit(d, *what, flight["drawn"]) for name, what in signals(d, flight["experiment"]).items()})
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
