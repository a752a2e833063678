"""A quadrotor's motion, integrated from what docs/vehicle.md, docs/world.md and the files say, with nothing of the rig's
way of doing it: rotation matrices instead of quaternions, the rotors' speeds as states, steps of a quarter of a
millisecond."""

import math

import numpy as np

from units import atmosphere, normal_gravity_mps2

SUBSTEPS = 4


def skew(w):
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def about(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    turn = np.eye(3)
    turn[a, a] = turn[b, b] = c
    turn[a, b], turn[b, a] = -s, s
    return turn


def attitude(roll, pitch, yaw):
    """Body to north-east-down: yaw, then pitch, then roll."""
    return about(2, yaw) @ about(1, pitch) @ about(0, roll)


def euler(r):
    return (math.atan2(r[2, 1], r[2, 2]), math.asin(-r[2, 0]), math.atan2(r[1, 0], r[0, 0]))


def place(p):
    return np.array([p["forward"], p["right"], p["down"]], dtype=float)


class Vehicle:
    """The numbers of one vehicle of a resolved configuration, and of its world."""

    def __init__(self, config, index):
        world, of_rig = config["world"], config["vehicles"][index]
        v = of_rig["vehicle"]
        i, rotors, frame = v["inertia_kgm2"], v["rotors"], v["airframe"]
        self.world, self.battery = world, v["battery"]
        self.mass = v["mass_kg"]
        self.inertia = np.array([[i["xx"], i["xy"], i["xz"]], [i["xy"], i["yy"], i["yz"]],
                                 [i["xz"], i["yz"], i["zz"]]])
        self.hub = np.array([place(r["at_m"]) for r in rotors["list"]])
        self.spin = np.array([1.0 if r["spin"] == "cw" else -1.0 for r in rotors["list"]])
        self.thrust, self.torque = rotors["thrust_n_per_radps2"], rotors["torque_nm_per_radps2"]
        self.rotor_inertia, self.rho_ref = rotors["inertia_kgm2"], rotors["air_density_ref_kgpm3"]
        self.tau = v["motor"]["tau_s"]
        self.full = v["motor"]["speed_full_rpm"] * math.pi / 30.0
        self.limit = v["motor"]["speed_limit_rpm"] * math.pi / 30.0
        self.linear = np.array(frame["linear_drag_n_per_mps"])
        self.area = np.array(frame["drag_area_m2"])
        self.damping = np.array(frame["angular_damping_nm_per_radps"])
        w = world["wind_mps"]
        self.wind = np.array([w["north"], w["east"], w["down"]], dtype=float)
        start = of_rig["start"]
        at = start["at_m"]
        self.at = np.array([at["north"], at["east"], at["down"]], dtype=float)
        self.yaw = math.radians(start["yaw_deg"])

    def gravity(self, down):
        origin = self.world["origin"]
        return normal_gravity_mps2(origin["latitude_deg"], origin["height_m"] - down)

    def density(self, down):
        return atmosphere(self.world, down)[2]

    def open_circuit_v(self, used_c):
        curve = self.battery["curve"]
        percent = self.battery["charge_percent"] - used_c / (0.036 * self.battery["capacity_mah"])
        return np.interp(percent, [p["charge_percent"] for p in curve], [p["voltage_v"] for p in curve])


class State:
    """Position and velocity in the world, attitude, body rates, the rotors' speeds."""

    def __init__(self, p, v, r, w, n):
        self.p, self.v, self.r, self.w, self.n = p, v, r, w, n

    def plus(self, d, dt):
        return State(self.p + dt * d.p, self.v + dt * d.v, self.r + dt * d.r, self.w + dt * d.w,
                     self.n + dt * d.n)


def derivative(k, s, target):
    """The derivative as a state, and the specific force on the body."""
    rho = k.density(s.p[2])
    air = s.r.T @ (s.v - k.wind)
    drag = -(k.linear + 0.5 * rho * k.area * np.abs(air)) * air
    lift = k.thrust * rho / k.rho_ref * s.n ** 2
    against = k.torque * rho / k.rho_ref * s.n ** 2
    speeding = (target - s.n) / k.tau
    felt = (drag - np.array([0.0, 0.0, lift.sum()])) / k.mass
    momentum = np.array([0.0, 0.0, k.rotor_inertia * (k.spin * s.n).sum()])
    torque = -k.damping * s.w
    torque += np.cross(k.hub, np.outer(lift, [0.0, 0.0, -1.0])).sum(axis=0)
    torque[2] -= (k.spin * (against + k.rotor_inertia * speeding)).sum()
    torque -= np.cross(s.w, k.inertia @ s.w + momentum)
    return State(s.v, s.r @ felt + [0.0, 0.0, k.gravity(s.p[2])], s.r @ skew(s.w),
                 np.linalg.solve(k.inertia, torque), speeding), felt


def advance(k, s, target, dt):
    a, _ = derivative(k, s, target)
    b, _ = derivative(k, s.plus(a, 0.5 * dt), target)
    c, _ = derivative(k, s.plus(b, 0.5 * dt), target)
    d, _ = derivative(k, s.plus(c, dt), target)
    for part, share in ((a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)):
        s = s.plus(part, share * dt / 6.0)
    return s


class Power:
    """The battery: a quasi-static load each period, whose voltage scales the speeds of the next."""

    def __init__(self, k):
        self.k, self.used, self.current = k, 0.0, 0.0
        self.voltage = k.open_circuit_v(0.0)

    def draw(self, s, target, dt):
        k = self.k
        torque = (k.torque * k.density(s.p[2]) / k.rho_ref * s.n ** 2 +
                  k.rotor_inertia * (target - s.n) / k.tau)
        watts = (k.battery["idle_w"] +
                 (s.n * np.maximum(torque, 0.0)).sum() / k.battery["efficiency"])
        source, ohm = k.open_circuit_v(self.used), k.battery["resistance_mohm"] * 1e-3
        self.current = (source - math.sqrt(source ** 2 - 4.0 * ohm * watts)) / (2.0 * ohm)
        self.voltage = source - ohm * self.current
        self.used += self.current * dt


def fly(k, duties, period):
    """Duties: one for each period. Yields at each period's end the state, the specific force, and the battery's voltage
    and current during the period."""
    s = State(k.at.copy(), np.zeros(3), about(2, k.yaw), np.zeros(3), np.zeros(4))
    power = Power(k)
    for duty in duties:
        target = (power.voltage / k.battery["reference_v"] *
                  np.minimum(np.array(duty) * k.full, k.limit))
        for _ in range(SUBSTEPS):
            s = advance(k, s, target, period / SUBSTEPS)
        yield s, derivative(k, s, target)[1], power.voltage, power.current
        power.draw(s, target, period)
