"""A flight by given motor commands, integrated independently (motion.py), against what perfect sensors say of it."""

import math

import numpy as np

import motion
from units import atmosphere

PERIOD_S = 1e-3
CONE = math.radians(15.0)  # half the sonar's


def duty(t):
    """Hover, about, with a slow wobble of each motor at a frequency of its own."""
    return [0.60 + 0.008 * math.sin(2.0 * math.pi * f * t + p)
            for f, p in ((1.0, 0.0), (0.7, 1.0), (1.3, 2.0), (0.9, 4.0))]


def integrate(vehicle, periods):
    """Before its first frame, at the end of the first period, the board commands nothing."""
    counts = [[round(65535 * d) / 65535.0 for d in duty(i * PERIOD_S)] for i in range(1, periods)]
    return list(motion.fly(vehicle, [[0.0] * 4] + counts, PERIOD_S))


def at(flight, samples):
    """The flight at the samples' times."""
    return [flight[round(t / 1000) - 1] for t in samples["time_us"]]


def worst(got, want):
    return float(np.abs(np.asarray(got) - np.asarray(want)).max())


def largest(x):
    return float(np.abs(np.asarray(x)).max())


def check_body(samples, flight, claims):
    imu, states = samples.sensor["imu"], at(flight, samples.sensor["imu"])
    for name, counts, unit, want in (
            ("angular rate", imu["gyro"], samples.units["gyro"], [s.w for s, *_ in states]),
            ("specific force", imu["accel"], samples.units["accel"], [f for _, f, *_ in states])):
        claims.absolute("Motion", f"{name}, largest error over the largest", 0.0,
                        worst(counts * unit, want) / largest(want), 1e-6)
    return imu["time_us"] * 1e-6, imu["gyro"] * samples.units["gyro"], np.array(
        [s.w for s, *_ in states])


def check_ins(samples, flight, claims):
    ins, states = samples.sensor["ins"], at(flight, samples.sensor["ins"])
    path = [s.p for s, *_ in states]
    turns = [motion.euler(s.r) for s, *_ in states]
    claims.absolute("Motion", "INS, largest error of the position", 0.0,
                    worst(ins["pos"] * 1e-3, path), 1e-3, "m")
    off = np.angle(np.exp(1j * (ins["euler"] * 1e-6 - np.array(turns))))
    claims.absolute("Motion", "INS, largest error of roll, pitch and yaw", 0.0, largest(off), 1e-5,
                    "rad")


def check_gps(samples, flight, claims):
    gps, states = samples.sensor["gps"], at(flight, samples.sensor["gps"])
    claims.absolute("Motion", "GPS, largest error of the velocity", 0.0,
                    worst(gps["vel"] * 1e-3, [s.v for s, *_ in states]), 1e-3, "m/s")


def check_air(samples, vehicle, flight, claims):
    baro, states = samples.sensor["baro"], at(flight, samples.sensor["baro"])
    claims.absolute("Motion", "barometer, largest error", 0.0,
                    worst(baro["pressure"] * samples.units["pressure"],
                          [atmosphere(vehicle.world, s.p[2])[0] for s, *_ in states]), 0.001, "Pa")


def cone_distance(r, height):
    """To a level floor, seen by a cone about the body's own down: straight, or along the cone's edge."""
    tilt = math.acos(r[2, 2])
    return height / math.cos(max(tilt - CONE, 0.0))


def check_sonar(samples, flight, sonar, claims):
    got, states = samples.sensor["sonar"], at(flight, samples.sensor["sonar"])
    arm = motion.place(sonar["at_m"])
    want = [cone_distance(s.r, -(s.p + s.r @ arm)[2]) for s, *_ in states]
    claims.exact("Sonar", "pings without an echo", 0, np.sum(got["echo"] != 1))
    off = got["range"] * samples.units["range"] - want
    edge = np.array([math.acos(s.r[2, 2]) > CONE for s, *_ in states])
    for name, which in (("straight down", ~edge), ("along the cone's edge", edge)):
        claims.absolute("Sonar", f"{np.sum(which)} ranges {name} to a level floor, largest error",
                        0.0, largest(off[which]), 2e-6, "m")


def rate_of_flow(state, arm):
    """What a camera at `arm` that looks along the body's down sees pass, about x and y."""
    velocity = state.r.T @ state.v + np.cross(state.w, arm)
    distance = -(state.p + state.r @ arm)[2] / state.r[2, 2]
    return np.array([state.w[0] - velocity[1] / distance, state.w[1] + velocity[0] / distance])


def check_flow(samples, flight, flow, claims):
    got = samples.sensor["flow"]
    arm = motion.place(flow["at_m"])
    rates = np.array([rate_of_flow(s, arm) for s, *_ in flight])
    passed = np.concatenate([[[0.0, 0.0]],
                             np.cumsum(0.5 * (rates[1:] + rates[:-1]) * PERIOD_S, axis=0)])
    ends = np.round(got["time_us"] / 1000).astype(int) - 1
    want = passed[ends[1:]] - passed[ends[0]]
    claims.absolute("Optical flow", "summed over the flight, largest error over the largest sum", 0.0,
                    worst(np.cumsum(got["flow"][1:] * 1e-8, axis=0), want) / largest(want), 1e-4)
    claims.exact("Optical flow", "samples of less than full quality: the first", 1, np.sum(got["quality"] < 255))


def check_power(samples, flight, claims):
    got, states = samples.sensor["power"], at(flight, samples.sensor["power"])
    volts, amps = ([x[i] for x in states] for i in (2, 3))
    claims.absolute("Power", "voltage, largest error", 0.0, worst(got["voltage"] * 1e-6, volts),
                    1e-5, "V")
    claims.absolute("Power", "current, largest error", 0.0, worst(got["current"] * 1e-6, amps),
                    1e-5, "A")
    steps = got["current"][1:] * 1e-6 * np.diff(got["time_us"]) * 1e-6
    claims.absolute("Power", "charge, less the readings of current times their intervals", 0.0,
                    worst((got["charge"][1:] - got["charge"][0]) * 1e-3, np.cumsum(steps)), 2e-3, "C")


def check(run, claims):
    samples, config = run.samples[0], run.run.config
    sensors = run.run.sensors(0)
    vehicle = motion.Vehicle(config, 0)
    flight = integrate(vehicle, run.run.summary["ticks"])
    picture = check_body(samples, flight, claims)
    check_ins(samples, flight, claims)
    check_gps(samples, flight, claims)
    check_air(samples, vehicle, flight, claims)
    check_sonar(samples, flight, sensors["sonar"], claims)
    check_flow(samples, flight, sensors["flow"], claims)
    check_power(samples, flight, claims)
    return picture


def draw(picture, path, plot):
    time, got, want = picture
    figure, (above, below) = plot.subplots(2, 1, figsize=(8, 5), sharex=True)
    for axis in range(3):
        above.plot(time, np.degrees(got[:, axis]), lw=1, label="xyz"[axis])
        below.plot(time, np.degrees(got[:, axis] - want[:, axis]) * 1e6, lw=0.5)
    above.set_ylabel("angular rate in °/s")
    above.legend(fontsize=8)
    below.set_ylabel("packets less the integrator in µ°/s")
    below.set_xlabel("time in s")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
