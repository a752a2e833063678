#!/usr/bin/env bash
# scripts/thesis_fits.py on vehicles that are linear and known, integrated here in steps of 0.5 ms: each fit finds the numbers of
# its form; those of an accelerometer that feels no gravity do not, nor what is recorded a row late.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

python=${PYTHON:-/usr/bin/python3}
"$python" -c "import scipy" 2>/dev/null || needs scipy python3-scipy

cat >"$scratch/recorded.py" <<'PYTHON'
import json
import sys

import numpy as np

FINE, G, BYTE = 20, 9.81, 4250 / 255 * np.pi / 30
HOVER_BYTES, VOLTAGE = 150, 0.9
HEAD = ("t ax ay az gx gy gz roll pitch true_roll true_pitch voltage "
        + " ".join(f"{what}_{i}" for what in ("speed", "duty") for i in range(4))).split()


def steps(t, windows, seed):
    """0.4 s of this sign, then of that, within the windows."""
    sign = np.random.default_rng(seed).choice([-1, 1], 1000)
    return sum(((t >= a) & (t < b)) * sign[((t - a) / 0.4).astype(int)] for a, b in windows)


def integrate(change, u, x):
    """x' = change(x, u) by the midpoint rule, u constant over a fine step; every FINEth x."""
    out, h = [], 0.01 / FINE
    for i, now in enumerate(u):
        if i % FINE == 0:
            out.append(x)
        x = x + h * change(x + 0.5 * h * change(x, now), now)
    return np.array(out)


def recording(experiment, path):
    t = np.arange(0, 62, 0.01)
    fine = np.arange(0, 62, 0.01 / FINE)
    move = {"thesis_turn": [(24, 31, 1), (31.5, 40, 2)], "thesis_pitch_roll": [(22, 38, 3), (44, 60, 4)]}[experiment]
    pushed = [steps(fine, [(a, b)], seed) for a, b, seed in move]
    # Thrust, roll, pitch, yaw in bytes of the command; front, right, back, left.
    thrust, roll, pitch, yaw = {"thesis_turn": (pushed[0], 0, 0, pushed[1]), "thesis_pitch_roll": (0, pushed[1], pushed[0], 0)}[experiment]
    amount = 12
    commands = [HOVER_BYTES + np.round(amount * (thrust + part)) for part in
                (pitch - yaw, -roll + yaw, -pitch - yaw, roll + yaw)]
    motor_gain, motor_tau = (1.08, 0.165) if experiment == "thesis_pitch_roll" else (1.2, 0.12)
    speeds = []
    for command in commands:
        start = motor_gain * VOLTAGE * command[0]
        speeds.append(BYTE * integrate(lambda x, u: (motor_gain * VOLTAGE * u - x) / motor_tau, command, start))
    # The rigid body sees the recorded speeds, straight between rows.
    front, right, back, left = (np.interp(fine, t, speed) ** 2 for speed in speeds)
    zero = np.zeros_like(t)
    d = dict.fromkeys(HEAD, zero) | {"t": t, "voltage": zero + VOLTAGE}
    for i in range(4):
        # Of a command the mean of the 10 ms around its row, as experiments_thesis_fits.mjs takes it.
        around = np.convolve(np.pad(commands[i], FINE // 2, "edge"), np.ones(FINE) / FINE, "valid")[::FINE]
        d |= {f"speed_{i}": speeds[i], f"duty_{i}": around[:len(t)] / 255}
    if experiment == "thesis_turn":
        all_four = -(front + right + back + left)
        all_four -= all_four[0]
        velocity = integrate(lambda x, u: 8e-5 * u - 0.8 * x, all_four, 0.0)
        d["az"] = 8e-5 * all_four[::FINE] - 0.8 * velocity - G
        d["gz"] = integrate(lambda x, u: (5e-5 * u - x) / 0.7, -front + right - back + left, 0.0)
    else:
        tilt = np.array([0.0, 0.0])

        def two(x, u):
            return np.array([(4e-5 * u - x[0]) / 0.5, (x[0] - x[1]) / 0.08])

        aside = integrate(two, left - right, tilt)
        along = integrate(two, -(front - back), tilt)
        d["gx"], d["gy"] = aside[:, 0], -along[:, 0]
        d["roll"], d["pitch"] = 0.3 * aside[:, 0] + 0.02, 0.3 * along[:, 0]
        d["true_roll"], d["true_pitch"] = d["roll"], d["pitch"]
        d["ax"] = along[:, 1] + G * np.sin(d["pitch"])
        d["ay"] = aside[:, 1] - G * np.sin(d["roll"]) * np.cos(d["pitch"])
    np.savetxt(path, np.column_stack([d[name] for name in HEAD]), delimiter="\t", header="\t".join(HEAD), comments="")
    return {"experiment": experiment, "table": path, "drawn": experiment == "thesis_pitch_roll"}


json.dump([recording(e, f"{sys.argv[1]}/{e}.tsv") for e in ("thesis_turn", "thesis_pitch_roll")], sys.stdout)
PYTHON
"$python" "$scratch/recorded.py" "$scratch" >"$scratch/flights.json" || fail "the recordings could not be made"
"$python" scripts/thesis_fits.py <"$scratch/flights.json" >"$scratch/fits.json" || fail "thesis_fits.py failed"

cat >"$scratch/judge.py" <<'PYTHON'
import json
import sys

turn, tilt = json.load(sys.stdin)
wrong = []


def claim(what, holds):
    if not holds:
        wrong.append(what)


def near(flight, fit, share=0.01, **truth):
    found = flight[fit]["parameters"]
    claim(f"{fit}: {found}, not {truth}", all(abs(found[k] / v - 1) < share for k, v in truth.items()))


near(turn, "motor, rear", k=1.2 * 0.9, tau=0.12)
near(turn, "throttle, right", k=8e-5, a=0.8)
near(turn, "yaw", k=5e-5, tau=0.7)
near(tilt, "motor", k=1.08 * 0.9, tau=0.165)
near(tilt, "motor, right", k=1.08, tau=0.165)
near(tilt, "roll, rate", 0.02, k=4e-5, tau=0.5)
near(tilt, "pitch, rate", 0.02, k=4e-5, tau=0.5)
near(tilt, "roll, right", 0.03, k=4e-5, slow=2, fast=12.5)
near(tilt, "pitch, right", 0.03, k=-4e-5, slow=2, fast=12.5)
for fit in ("roll", "pitch"):
    claim(f"{fit} fits what feels no gravity", abs(tilt[fit]["parameters"]["k"] / 4e-5) > 1.5
          or tilt[fit]["parameters"]["k"] * tilt[f"{fit}, right"]["parameters"]["k"] < 0)
for flight, fit in ((turn, "yaw, right"), (tilt, "roll, right"), (tilt, "pitch, right")):
    claim(f"{fit} fits {flight[fit]['fit_percent']} %", flight[fit]["fit_percent"] > 99)
# exact has speeds that are not rounded to bytes, late the answer one row later.
exact, late = tilt["roll, right"]["exact"], tilt["roll, right"]["late"]
claim(f"exact speeds tell {exact}", abs(exact["fast"] / 12.5 - 1) < 0.006 and abs(exact["k"] / 4e-5 - 1) < 0.003)
claim(f"a row early tells {late}", late["fast"] > 1.1 * 12.5)
profile = tilt["roll, right"]["profile"]
best = min(profile, key=lambda point: point[1])
claim(f"the residual is least at a pole of {best}", 10 <= best[0] <= 16 and min(r for _, r in profile) > 0.99)
# What is printed fits like the free fit where it is the truth, and not where it is not.
for flight, fit, alike in ((tilt, "motor, right", True), (turn, "motor, rear", False)):
    short = flight[fit]["fit_percent"] - flight[fit]["printed_percent"]
    claim(f"{fit}: the printed motor falls short of the fit by {short} %", short < 0.5 if alike else short > 5)
sys.exit("\n".join(wrong) or 0)
PYTHON
"$python" "$scratch/judge.py" <"$scratch/fits.json" 2>"$scratch/wrong" || fail "$(cat "$scratch/wrong")"
