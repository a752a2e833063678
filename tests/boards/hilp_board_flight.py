"""The flight controller of hilp_board.py: attitude by a complementary filter, height from the barometer, place from GPS, P and
PI loops for rig_configs/vehicles/md4_200_thesis.json. Forward-right-down body, north-east-down world, SI units, and no clock:
time is what the frames say."""

import math
from collections import deque

DISARMED, GOTO, LAND = 0, 2, 3
INVALID = -2**31

GRAVITY = 9.807
MASS_KG = 0.964
DRAG_PER_S = 2.776
DECLINATION_RAD = math.radians(4.6)
ARM_M = 0.26
THRUST_N_PER_RADPS2 = 8.694e-5
TORQUE_M = 1.734e-6 / THRUST_N_PER_RADPS2  # of a rotor, over its thrust
FULL_SPEED_RADPS = 4590 * math.pi / 30  # at REFERENCE_V
REFERENCE_V = 14.8
DUTY_MAX = 2000 / 4590
DUTY_IDLE = 0.08
THRUST_MAX_N = 13.0
# Front, right, back, left: place forward and right, sense of turning seen from above.
ROTORS = ((ARM_M, 0, 1), (0, ARM_M, -1), (-ARM_M, 0, 1), (0, -ARM_M, -1))

ALIGN_S = 2.0
STILL_RADPS = 0.15
FIXES_OF_ORIGIN = 8
PATIENCE_FOR_FIX_S = 10.0
SPIN_UP_S = 1.0
FAILSAFE_AFTER_S = 0.5
FAILSAFE_DESCENT_S = 3.0


def clip(value, limit):
    return max(-limit, min(limit, value))


def wrap(angle):
    return (angle + math.pi) % (2 * math.pi) - math.pi


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def multiply(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def rotate(q, v):
    """From the body to the world."""
    t = cross(q[1:], v)
    t = (2 * t[0], 2 * t[1], 2 * t[2])
    u = cross(q[1:], t)
    return tuple(v[i] + q[0] * t[i] + u[i] for i in range(3))


def rotate_back(q, v):
    return rotate((q[0], -q[1], -q[2], -q[3]), v)


def from_euler(roll, pitch, yaw):
    half = lambda angle, axis: tuple([math.cos(angle / 2)] + [math.sin(angle / 2) * (i == axis) for i in range(3)])
    return multiply(multiply(half(yaw, 2), half(pitch, 1)), half(roll, 0))


def to_euler(q):
    w, x, y, z = q
    return (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(clip(2 * (w * y - x * z), 1)),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def mean(vectors):
    return tuple(sum(column) / len(vectors) for column in zip(*vectors))


class Samples:
    """What one frame brought, in SI units; None: nothing, or no number that the sensor can have measured."""

    def __init__(self, blocks, units):
        self.accel = self.vector(blocks, "imu", 1, units[0], 200)
        self.gyro = self.vector(blocks, "imu", 4, units[1], 40)
        if self.accel is None or self.gyro is None:
            self.accel = self.gyro = None
        self.mag = self.vector(blocks, "mag", 1, units[3], 2e-4)
        self.height = self.fix = self.voltage = None
        if "baro" in blocks:
            pressure = blocks["baro"][1] * units[2]
            if 20e3 < pressure < 120e3:
                self.height = 44330 * (1 - (pressure / 101325) ** 0.190295)
        if "gps" in blocks and blocks["gps"][10] == 3:
            age, lat, lon = blocks["gps"][:3]
            vel = self.vector(blocks, "gps", 4, 1e-3, 100)
            if vel is not None and abs(lat) <= 900000000 and abs(lon) <= 1800000000:
                self.fix = (age * 1e-6, lat, lon, vel)
        if "power" in blocks and 10e6 < blocks["power"][1] < 30e6:
            self.voltage = blocks["power"][1] * 1e-6

    @staticmethod
    def vector(blocks, name, at, unit, limit):
        if name not in blocks or INVALID in blocks[name][at:at + 3]:
            return None
        v = tuple(count * unit for count in blocks[name][at:at + 3])
        return v if length(v) < limit else None


class Estimate:
    def __init__(self):
        self.q = (1.0, 0.0, 0.0, 0.0)
        self.rate = (0.0, 0.0, 0.0)
        self.pos, self.vel, self.up_bias = [0.0] * 3, [0.0] * 3, 0.0
        self.voltage = REFERENCE_V
        self.aligned = False
        self.origin, self.fixes, self.fix_at_s = None, [], None
        self.past = deque(maxlen=60)  # 0.6 s in steps of 10 ms
        self.start_over()

    def start_over(self):
        self.accels, self.gyros, self.mags, self.heights = [], [], [], []
        self.still_since_s = None

    def align(self, now_s, s):
        if s.accel is not None:
            if self.gyros and length([a - b for a, b in zip(s.gyro, self.gyros[0])]) > STILL_RADPS:
                self.start_over()
                return
            if self.still_since_s is None:
                self.still_since_s = now_s
            self.accels.append(s.accel)
            self.gyros.append(s.gyro)
        if s.mag is not None:
            self.mags.append(s.mag)
        if s.height is not None:
            self.heights.append((s.height,))
        if self.still_since_s is None or now_s - self.still_since_s < ALIGN_S or not self.mags or not self.heights:
            return
        f, m = mean(self.accels), mean(self.mags)
        roll, pitch = math.atan2(-f[1], -f[2]), math.atan2(f[0], math.hypot(f[1], f[2]))
        level = rotate(from_euler(roll, pitch, 0), m)
        self.q = from_euler(roll, pitch, DECLINATION_RAD - math.atan2(level[1], level[0]))
        self.bias, self.zero_height = mean(self.gyros), mean(self.heights)[0]
        self.gravity = length(f)
        self.aligned = True

    def step(self, now_s, dt_s, s):
        if s.voltage is not None:
            self.voltage += 0.1 * (s.voltage - self.voltage)
        if s.gyro is not None:
            self.rate = tuple(a - b for a, b in zip(s.gyro, self.bias))
            self.turn(dt_s, s)
            self.move(dt_s, s)
        if s.height is not None:
            self.correct_height(s.height - self.zero_height)
        if not self.past or now_s - self.past[-1][0] >= 0.01:
            self.past.append((now_s, self.pos[0], self.pos[1], self.vel[0], self.vel[1]))
        if s.fix is not None:
            self.correct_place(now_s, *s.fix)

    def turn(self, dt_s, s):
        w = list(self.rate)
        size = length(s.accel)
        if 0.8 < size / self.gravity < 1.2:
            up = rotate_back(self.q, (0, 0, -1))
            for i, e in enumerate(cross(s.accel, up)):
                w[i] += 0.1 * e / size
        if s.mag is not None and dt_s > 0:
            field = rotate(self.q, s.mag)
            error = wrap(DECLINATION_RAD - math.atan2(field[1], field[0]))
            for i, e in enumerate(rotate_back(self.q, (0, 0, error))):
                w[i] += 0.005 * e / dt_s  # 0.5/s at 100 samples a second
        q = multiply(self.q, (1, w[0] * dt_s / 2, w[1] * dt_s / 2, w[2] * dt_s / 2))
        size = math.sqrt(sum(x * x for x in q))
        self.q = tuple(x / size for x in q)

    def move(self, dt_s, s):
        accel = list(rotate(self.q, s.accel))
        accel[2] += self.gravity - self.up_bias
        for i in range(3):
            self.pos[i] += (self.vel[i] + accel[i] * dt_s / 2) * dt_s
            self.vel[i] += accel[i] * dt_s

    def correct_height(self, height):
        # Three poles at -1/s, at 50 samples a second.
        error = -height - self.pos[2]
        self.pos[2] += 3 * error * 0.02
        self.vel[2] += 3 * error * 0.02
        self.up_bias -= error * 0.02

    def correct_place(self, now_s, age_s, lat, lon, vel):
        if self.origin is None:
            self.fixes.append((lat, lon))
            if len(self.fixes) == FIXES_OF_ORIGIN:
                self.origin = mean(self.fixes)
                self.pos[:2] = self.vel[:2] = 0.0, 0.0
                self.past.clear()
            return
        then = next((p for p in self.past if p[0] >= now_s - age_s - 0.005), None)
        if then is None or then is self.past[0]:
            return
        metre = 1e-7 * math.radians(1) * 6378137
        pos = (lat - self.origin[0]) * metre, (lon - self.origin[1]) * metre * math.cos(math.radians(lat * 1e-7))
        dt_s = min(1.0, now_s - self.fix_at_s) if self.fix_at_s is not None else 0.1
        self.fix_at_s = now_s
        for i in range(2):
            self.pos[i] += -math.expm1(-dt_s / 3) * (pos[i] - then[1 + i])
            self.vel[i] += -math.expm1(-dt_s / 0.6) * (vel[i] - then[3 + i])


class Flight:
    def __init__(self):
        self.estimate = Estimate()
        self.began_s = self.last_s = None
        self.why = ""
        self.asked, self.target, self.target_yaw = DISARMED, (0.0, 0.0, 0.0), 0.0
        self.latched = False
        self.stop()
        self.failsafe = False

    # What the conversation sees.

    @property
    def ready(self):
        return self.estimate.aligned

    def belief(self):
        return self.estimate.q, self.estimate.pos, self.estimate.vel

    def stop(self):
        self.armed, self.mode, self.duty, self.in_air = False, DISARMED, (0.0,) * 4, False
        self.goto_since_s = None
        self.climb, self.climb_integral, self.drift_integral = 0.0, 0.0, [0.0, 0.0]
        self.light_since_s = None

    def ask(self, mode, target, yaw):
        self.asked, self.target_yaw = mode, yaw
        self.target = target if target is not None else tuple(self.estimate.pos)
        if mode == DISARMED:
            self.latched = self.failsafe = False
            self.stop()

    def lose_sensors(self, silent_s):
        """Whether it is in its failsafe, of which it then says so."""
        if self.armed and silent_s >= FAILSAFE_AFTER_S:
            self.failsafe = self.latched = True
            if not self.in_air or silent_s >= FAILSAFE_AFTER_S + FAILSAFE_DESCENT_S:
                self.stop()
            else:
                self.duty = (0.95 * sum(self.duty_before) / 4,) * 4
        return self.failsafe

    def step(self, time_us, blocks, units):
        now_s = time_us * 1e-6
        dt_s = 0.0 if self.last_s is None else max(0.0, min(0.1, now_s - self.last_s))
        if self.began_s is None:
            self.began_s = now_s
        self.last_s = now_s
        s, e = Samples(blocks, units), self.estimate
        if e.aligned:
            e.step(now_s, dt_s, s)
        else:
            e.align(now_s, s)
        self.choose_mode(now_s)
        if self.in_air:
            self.control(now_s, dt_s)
            self.duty_before = self.duty
        else:
            self.duty = (DUTY_IDLE if self.armed else 0.0,) * 4

    # What it does.

    def choose_mode(self, now_s):
        if not self.estimate.aligned:
            self.why = "aligning: keep still"
            return
        if self.estimate.origin is None and now_s - self.began_s < PATIENCE_FOR_FIX_S:
            self.why = "waiting for a GPS fix"
            return
        self.why = "failsafe: disarm first" if self.failsafe else "landed" if self.latched else "ready"
        if self.latched and not self.armed or self.asked == DISARMED:
            return
        if self.asked == LAND and not self.in_air:
            self.stop()
            return
        self.armed, self.mode = True, self.asked
        if self.asked == GOTO and not self.in_air:
            if self.goto_since_s is None:
                self.goto_since_s = now_s
            if now_s - self.goto_since_s >= SPIN_UP_S:
                self.in_air = True
                self.place = tuple(self.estimate.pos)
                self.yaw = to_euler(self.estimate.q)[2]

    def control(self, now_s, dt_s):
        e = self.estimate
        roll, pitch, yaw = to_euler(e.q)
        height, climb = -e.pos[2], -e.vel[2]

        if self.mode == GOTO and height > 1:
            self.place, self.yaw = self.target, self.target_yaw
        if self.mode == LAND or self.failsafe:
            wanted = -1.0 if height > 2 else -0.5
        else:
            wanted = clip((-self.target[2] if self.mode == GOTO else -self.place[2]) - height, 1.0)
        self.climb += clip(wanted - self.climb, dt_s)
        up = GRAVITY + 3 * (self.climb - climb) + self.climb_integral + DRAG_PER_S * self.climb
        thrust = max(1.0, MASS_KG * up / max(0.7, math.cos(roll) * math.cos(pitch)))
        if 1.0 < thrust < THRUST_MAX_N:
            self.climb_integral = clip(self.climb_integral + 1.5 * (self.climb - climb) * dt_s, 4)
        thrust = min(thrust, THRUST_MAX_N)
        self.notice_ground(now_s, up, climb)
        if not self.in_air:
            return

        north, east = (self.drift(i, dt_s) for i in range(2))
        ahead, right = (north * math.cos(yaw) + east * math.sin(yaw), east * math.cos(yaw) - north * math.sin(yaw))
        torque = (clip(3.25 * (math.atan(right / GRAVITY) - roll), 0.5) - 0.1 * e.rate[0],
                  clip(3.25 * (math.atan(-ahead / GRAVITY) - pitch), 0.5) - 0.1 * e.rate[1],
                  clip(0.17 * wrap(self.yaw - yaw), 0.04) - 0.08 * e.rate[2])
        self.mix(thrust, torque)

    def drift(self, i, dt_s):
        """Acceleration north (0) or east (1), the airframe's drag included."""
        e = self.estimate
        if e.origin is None:
            return 0.0
        wanted = clip(0.5 * (self.place[i] - e.pos[i]), 0.8)
        error = wanted - e.vel[i]
        self.drift_integral[i] = clip(self.drift_integral[i] + 0.5 * error * dt_s, 1.5)
        return clip(error + self.drift_integral[i] + DRAG_PER_S * wanted, 4.0)

    def notice_ground(self, now_s, up, climb):
        if self.mode != LAND or up > 0.6 * GRAVITY or abs(climb) > 0.3:
            self.light_since_s = None
        elif self.light_since_s is None:
            self.light_since_s = now_s
        elif now_s - self.light_since_s > 0.5:
            self.latched = True
            self.stop()

    def mix(self, thrust, torque):
        duty = []
        for forward, right, sense in ROTORS:
            share = (thrust / 4 - right * torque[0] / (2 * ARM_M**2) + forward * torque[1] / (2 * ARM_M**2)
                     - sense * torque[2] / (4 * TORQUE_M))
            speed = math.sqrt(max(share, 0.1) / THRUST_N_PER_RADPS2)
            duty.append(min(DUTY_MAX, speed * REFERENCE_V / (FULL_SPEED_RADPS * self.estimate.voltage)))
        self.duty = tuple(duty)
