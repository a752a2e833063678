"""Runs a rig file in lockstep over Unix sockets, into a folder."""

import json
import os
import subprocess

import board


class RunError(Exception):
    pass


class Run:
    """What a run left: the resolved configuration, and where the wire's bytes are."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            self.config = json.load(file)
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            self.summary = json.load(file)
        self.capture = os.path.join(folder, "wire.cap")

    def sensors(self, vehicle):
        return self.config["vehicles"][vehicle]["vehicle"]["sensors"]


def imu_key(imu, part, key):
    """What the IMU's accelerometer or gyroscope ends up with: the vehicle's word, else the part's."""
    own = imu.get(part) or {}
    return own[key] if own.get(key) is not None else imu["part"][part].get(key)


def start(hilrig, rig, scratch, name, settings=(), duty=None):
    """Runs to its end. Without `duty` every vehicle has the reference flight controller."""
    with open(rig, encoding="utf-8") as file:
        count = len(json.load(file)["vehicles"])
    paths = [os.path.join(scratch, f"{name}{i}.sock") for i in range(count)]
    folder = os.path.join(scratch, name)
    command = [hilrig, "run", rig, "--out", folder]
    for i, path in enumerate(paths):
        scheme = "unix-listen" if duty is None else "unix"
        command += ["--set", f"vehicles.{i}.fc.link={scheme}:{path}"]
    for setting in settings:
        command += ["--set", setting]
    boards = None if duty is None else board.Boards(paths, duty)
    if boards:
        boards.start()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if boards:
        boards.stop.set()
        boards.join()
        for path in paths:
            os.unlink(path)
        if boards.error:
            raise RunError(f"{name}: {boards.error}")
    # Of these runs nothing is required: all that they leave is their record.
    if done.returncode != 3 or Run(folder).summary["end_reason"] != "nothing was required":
        raise RunError(f"{name}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return Run(folder)
