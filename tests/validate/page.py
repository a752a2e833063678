"""docs/validation.md: the table of all claims, the pictures, and how they came about."""

import claims as claim_list

HEAD = """# Validation of the models

`make validate` flies the rigs of `rig_configs/validate/` in lockstep and compares the bytes on the wire with
what their files claim, and with motion, air, field and satellites computed elsewhere. The oracle is `tests/validate/`: Python and numpy, which read `wire.cap` as
[run-folder.md](run-folder.md) and [protocol.md](protocol.md) describe it and share no line with the rig. It writes
this page, and fails if a claim does not hold. `tests/validate/test_oracle.py` tries the oracle itself on
records made by numpy.

The noise of these rigs is far larger than any part's, so that each kind of it dominates a stretch of averaging
times that a run of hours can reach. One part, an MPU-6000, is flown with its own numbers.

"""

NOTES = """
## How to read the table

- **measured** comes from the emitted packets alone.
- **+-** is the standard error of the measured value: the scatter among axes, runs and blocks of the record, or
  what the number of samples gives. A claim holds if the deviation is within the bound and twice the
  standard error is, too: an estimate that could not have found an error proves nothing.
- A bound of 0 is exact, to the last count.

"""

SECTIONS = (
    ("IMU noise", "allan", """The overlapping Allan deviation of {runs} runs of ten hours, three axes each, in jigs.
The fit is the sum of IEEE Std 952's N²/tau, B² times the floor, and K² tau/3 by weighted least squares. Data sheets print
one-sided noise densities d, so N = d/sqrt(2). Bias instability is 1/f noise only from 0.1 s to 1638 s
(`models/sensors/errors/drift.h`): the floor is 2 ln 2/pi between, and falls off on both sides, below a second under white noise.
A fit with a floor that goes on as far as white noise does finds 0.22 % too little of that."""),
    ("A part's own noise", "part", """A quarter of an hour of an MPU-6000, at 1 kHz. Below 0.05 s its bandwidth
shows. The line of white noise is the data sheet's density over sqrt(2), and the LSB²/12 of its own rounding."""),
    ("Rounding and limits", "output", """How often each count was emitted where the noise is about one step, and how
often it should be: the normal distribution's share of each cell."""),
    ("Lever arm", "lever_arm", """Six vehicles that differ in the place of their IMU alone fly the same motor
commands, which an open-loop board sends. Three arms of 5 m give the gradient of the specific force; its
symmetric part must be that of the gyro's own packets, its antisymmetric part is the angular
acceleration. Together they predict what an accelerometer anywhere else must read: here 3, -4, 2 m from the
centre of mass."""),
    ("Motion", "motion", """One vehicle, with an inertia that has products, rotors that are gyroscopes, a battery that
sags and drag in a wind, flies given motor commands for four seconds, and so does an integrator in numpy (`tests/validate/motion.py`),
written from [vehicle.md](vehicle.md): rotation matrices instead of quaternions, the rotors' speeds as states instead of
in closed form, steps four times as short. Sensors without errors tell the one, and are computed from the other: what is
left are their steps. The same flight gives the sonar's cone, the optical flow and the power module their truth."""),
    ("GPS", "gps", """Satellites, dilutions and accuracies come from the almanac's elements by an own computation
(`tests/validate/almanac.py`). The curves are the autocorrelation of the errors, each over its standard deviation by that geometry: at
lag 0 it is 1 if they are as large as they have to be. The drop behind it is the white part."""),
    ("Barometer", "baro", "Autocovariance of the pressure: white noise at lag 0, drift behind it."),
)


def table(claims):
    yield "| claim | expected | measured | deviation | +- | bound | |"
    yield "|---|---|---|---|---|---|---|"
    group = None
    for claim, row in zip(claims, claim_list.rows(claims)):
        if claim.group != group:
            group = claim.group
            yield f"| **{group}** | | | | | | |"
        yield "| " + " | ".join(row) + " |"


def write(path, claims, runs):
    failed = sum(not c.passed for c in claims)
    version = runs["noise1"].run.summary["version"]
    noise = sum(name.startswith("noise") for name in runs)
    frames = sum(r.run.summary["ticks"] for r in runs.values())
    hours = sum(r.run.summary["sim_time_s"] for r in runs.values()) / 3600.0
    text = HEAD
    text += (f"hilrig {version}: {len(claims)} claims, {failed} of them fail. {len(runs)} runs, "
             f"{hours:.1f} h simulated, {frames:,} sensor frames.\n\n")
    text += "\n".join(table(claims)) + "\n" + NOTES
    for title, picture, words in SECTIONS:
        text += f"## {title}\n\n{words.format(runs=noise)}\n\n"
        text += f"![{title}](pictures/validation_{picture}.png)\n\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.rstrip() + "\n")
