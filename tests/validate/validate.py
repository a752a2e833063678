"""Flies the rigs of rig_configs/validate, compares the bytes that they sent with what their files claim,
and writes docs/validation.md with its pictures. Exit status 1 if a claim fails.

    validate.py HILRIG SCRATCH [--page]

Without --page only the table is printed.
"""

import concurrent.futures
import os
import shutil
import sys
import time

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plot  # noqa: E402

import check_air  # noqa: E402
import check_allan  # noqa: E402
import check_gps  # noqa: E402
import check_lever_arm  # noqa: E402
import check_motion  # noqa: E402
import check_output  # noqa: E402
import claims as claim_list  # noqa: E402
import page  # noqa: E402
import rigs  # noqa: E402
import wire  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RIGS = os.path.join(ROOT, "rig_configs", "validate")
WANDERING = 6  # runs of ten hours, each with a seed of its own


class Recorded:
    """A run and its samples. Its folder goes: ten hours are hundreds of megabytes."""

    def __init__(self, run):
        self.run = run
        self.samples = wire.read(run.capture, round(run.summary["sim_time_s"] * 1e6))
        shutil.rmtree(run.folder)


def fly(hilrig, scratch, name, rig, *settings, duty=None):
    began = time.monotonic()
    run = rigs.start(hilrig, os.path.join(RIGS, rig), scratch, name, settings, duty)
    recorded = Recorded(run)
    print(f"      {name}: {run.summary['sim_time_s']:,.0f} s simulated, "
          f"{run.summary['ticks']:,} frames, {time.monotonic() - began:.0f} s", flush=True)
    return recorded


def fly_all(hilrig, scratch):
    """One at a time for each processor: a run in lockstep is two processes that take turns."""
    jobs = {f"noise{i}": ("noise.json", f"seed={i}") for i in range(1, WANDERING + 1)}
    jobs["white"] = ("noise_white.json", "seed=101")
    for name in ("part", "rounding", "steps", "clipping"):
        jobs[name] = (name + ".json",)
    for i, height in enumerate(check_air.HEIGHTS_M):
        jobs[f"heights{i}"] = ("heights.json", f"world.origin.height_m={height}")
    for i, (when, lat, lon, _) in enumerate(check_air.FIELDS):
        jobs[f"field{i}"] = ("field.json", f"world.time_utc={when}", f"world.origin.latitude_deg={lat}",
                             f"world.origin.longitude_deg={lon}")
    duties = {"lever_arm": check_lever_arm.duty, "motion": check_motion.duty}
    jobs.update({name: (name + ".json",) for name in duties})
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 2)) as pool:
        futures = {name: pool.submit(fly, hilrig, scratch, name, *job, duty=duties.get(name))
                   for name, job in jobs.items()}
        return {name: future.result() for name, future in futures.items()}


def check_all(runs, claims):
    noise = [runs[f"noise{i}"] for i in range(1, WANDERING + 1)]
    pictures = {
        "allan": check_allan.check_hours(noise, claims),
        "part": check_allan.check_part(runs["part"], claims),
    }
    check_output.check_rounding(runs["rounding"], claims)
    pictures["output"] = check_output.check_steps(runs["steps"], claims)
    check_output.check_clipping(runs["clipping"], claims)
    pictures["lever_arm"] = check_lever_arm.check(runs["lever_arm"], claims)
    pictures["motion"] = check_motion.check(runs["motion"], claims)
    pictures["gps"] = check_gps.check_wandering(noise, ROOT, claims)
    check_gps.check_white(runs["white"], claims)
    pictures["baro"] = check_air.check_baro(noise, claims)
    check_air.check_heights([runs[f"heights{i}"] for i in range(len(check_air.HEIGHTS_M))], claims)
    check_air.check_mag(noise, claims)
    check_air.check_field([runs[f"field{i}"] for i in range(len(check_air.FIELDS))], claims)
    return pictures


def draw_all(pictures):
    def path(name):
        return os.path.join(ROOT, "docs", "pictures", f"validation_{name}.png")

    check_allan.draw(pictures["allan"], "enlarged noise", path("allan"), plot)
    check_allan.draw(pictures["part"], "MPU-6000", path("part"), plot)
    check_output.draw(pictures["output"], path("output"), plot)
    check_lever_arm.draw(pictures["lever_arm"], path("lever_arm"), plot)
    check_motion.draw(pictures["motion"], path("motion"), plot)
    check_gps.draw(pictures["gps"], path("gps"), plot)
    check_air.draw(pictures["baro"], path("baro"), plot)


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[2:] not in ([], ["--page"]):
        sys.exit(__doc__)
    hilrig, scratch = arguments[:2]
    claims = claim_list.Claims()
    try:
        runs = fly_all(hilrig, scratch)
        pictures = check_all(runs, claims)
    except (OSError, rigs.RunError, wire.WireError) as error:
        print(f"validate: {error}", file=sys.stderr)
        return 2
    if arguments[2:]:
        draw_all(pictures)
        page.write(os.path.join(ROOT, "docs", "validation.md"), claims.all, runs)
    print(f"{len(claims.all) - len(claims.failed)} claims hold, {len(claims.failed)} fail")
    return 1 if claims.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
