"""The place of an IMU on the body. Vehicles that differ in it alone fly the same motor commands, so what
their accelerometers say differs by w x (w x r) + dw/dt x r and nothing else."""

import math

import numpy as np

# The rig's vehicles, in its order.
CENTRE, FORWARD, RIGHT, DOWN, FAR, AS_BUILT = range(6)


def duty(t):
    """Hover, and a slow wobble of each motor at a frequency of its own."""
    return [0.59 + 0.05 * math.sin(2.0 * math.pi * f * t + p)
            for f, p in ((1.0, 0.0), (0.7, 1.0), (1.3, 2.0), (0.9, 4.0))]


def check(run, claims):
    accel = [run.samples[v].si("imu", "accel", "accel") for v in range(6)]
    places = [run.run.sensors(v)["imu"]["at_m"] for v in range(6)]
    arms = [np.array([p["forward"], p["right"], p["down"]], dtype=float) for p in places]
    rate = run.samples[CENTRE].si("imu", "gyro", "gyro")
    time = run.samples[CENTRE].sensor["imu"]["time_us"] * 1e-6
    group = "IMU, lever arm"

    apart = sum(int(np.sum(run.samples[v].sensor["imu"]["gyro"] !=
                           run.samples[CENTRE].sensor["imu"]["gyro"])) for v in range(1, 6))
    claims.exact(group, "gyro counts that differ between the vehicles", 0, apart)

    # Column i of the gradient: how specific force grows along axis i, from the packets alone. It is
    # w w^T - |w|^2 (symmetric) plus the cross product by dw/dt (antisymmetric).
    gradient = np.stack([(accel[v] - accel[CENTRE]) / arms[v].max()
                         for v in (FORWARD, RIGHT, DOWN)], axis=2)
    symmetric = 0.5 * (gradient + gradient.transpose(0, 2, 1))
    centripetal = (rate[:, :, None] * rate[:, None, :] -
                   np.sum(rate * rate, axis=1)[:, None, None] * np.eye(3))
    largest = np.abs(gradient).max()
    claims.absolute(group, "centripetal part, largest error over the largest gradient", 0.0,
                    np.abs(symmetric - centripetal).max() / largest, 1e-6)

    turning = np.stack([gradient[:, 2, 1] - gradient[:, 1, 2],
                        gradient[:, 0, 2] - gradient[:, 2, 0],
                        gradient[:, 1, 0] - gradient[:, 0, 1]], axis=1) / 2.0
    # A sample has the acceleration just before the motor command changes; just after, the rotors' reaction
    # has jumped, which the trapezoids do not see. Hence the wide bound.
    step = 0.5 * (turning[1:] + turning[:-1]) * np.diff(time)[:, None]
    drift = np.abs(np.cumsum(step, axis=0) - (rate[1:] - rate[0])).max()
    claims.absolute(group, "angular acceleration, integrated, less the gyro, over the largest rate",
                    0.0, drift / np.abs(rate).max(), 1e-3)

    worst = {}
    for name, v in (("3, -4, 2 m", FAR), ("20, -50, 30 mm", AS_BUILT)):
        r = arms[v]
        wanted = (np.cross(rate, np.cross(rate, r)) + np.cross(turning, r))
        error = accel[v] - accel[CENTRE] - wanted
        worst[v] = (wanted, error)
        claims.absolute(group, f"arm of {name}, largest error over the largest specific force", 0.0,
                        np.abs(error).max() / np.abs(accel[v]).max(), 1e-6)
    return time, worst[FAR]


def draw(picture, path, plot):
    time, (wanted, error) = picture
    figure, (above, below) = plot.subplots(2, 1, figsize=(8, 5), sharex=True)
    for axis in range(3):
        above.plot(time, wanted[:, axis], lw=1, label="xyz"[axis])
        below.plot(time, error[:, axis] * 1e6, lw=0.5, label="xyz"[axis])
    above.set_ylabel("ω×(ω×r) + dω/dt×r in m/s²")
    above.legend(fontsize=8)
    below.set_ylabel("packets less that in µm/s²")
    below.set_xlabel("time in s")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
