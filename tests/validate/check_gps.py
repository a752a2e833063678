"""GPS: satellites, and accuracies as reported, against an almanac that is computed here; errors that wander with their
correlation times and with the sizes that this geometry gives them; white errors of given sizes."""

import math

import numpy as np

import almanac
import correlation
from units import A_M, FLATTENING

BLOCKS = 4
SETTLE_S = 60.0


def north_east_up(sensor, origin):
    """Metres from the origin: over a few hundred metres the radii of curvature give them to 1e-4."""
    lat0 = math.radians(origin["latitude_deg"])
    e2 = FLATTENING * (2.0 - FLATTENING)
    w = math.sqrt(1.0 - e2 * math.sin(lat0) ** 2)
    meridian = A_M * (1.0 - e2) / w ** 3 + origin["height_m"]
    normal = A_M / w + origin["height_m"]
    north = np.radians(sensor["lat"] * 1e-7 - origin["latitude_deg"]) * meridian
    east = (np.radians(sensor["lon"] * 1e-7 - origin["longitude_deg"]) * normal *
            math.cos(lat0))
    return north, east, sensor["height"] * 1e-3 - origin["height_m"]


def settled(run):
    sensor = run.samples[0].sensor["gps"]
    keep = sensor["time_us"] > SETTLE_S * 1e6
    return {key: value[keep] for key, value in sensor.items()}


def where(run):
    start = run.run.config["vehicles"][0]["start"]["at_m"]
    return np.array([start["north"], start["east"], -start["down"]])


def looks(time_us):
    """When the receiver last looked for its satellites: it does so once a second, with a sample."""
    out, last = np.empty(len(time_us)), -np.inf
    for i, t in enumerate(time_us * 1e-6):
        last = t if t - last >= 1.0 else last
        out[i] = last
    return out


def geometry(run, root):
    """For each sample: satellites above the mask, and the variances north, east, down over a range's."""
    config = run.run.config["world"]
    origin, gps = config["origin"], run.run.sensors(0)["gps"]
    time = almanac.gps_seconds(config["time_utc"]) + looks(run.samples[0].sensor["gps"]["time_us"])
    seen, of_sample = np.unique(time, return_inverse=True)
    sight = almanac.directions(almanac.positions(almanac.read(root), seen), origin["latitude_deg"],
                               origin["longitude_deg"], origin["height_m"] - where(run)[2])
    count, ratio = almanac.dilution(sight, gps["mask_deg"])
    return count[of_sample], ratio[of_sample]


def check_geometry(run, counts, ratio, claims):
    gps, s = run.run.sensors(0)["gps"], run.samples[0].sensor["gps"]
    part = gps["part"]
    sigma = math.hypot(part["range_error_m"], part["range_jitter_m"])
    claims.exact("GPS, geometry", f"of {len(counts):,} fixes, those with another number of satellites",
                 0, np.sum(counts != s["satellites"]))
    for name, key, want, unit in (
            ("horizontal", "h_acc", sigma * np.sqrt(ratio[:, 0] + ratio[:, 1]), "m"),
            ("vertical", "v_acc", sigma * np.sqrt(ratio[:, 2]), "m"),
            ("speed", "s_acc", part["range_rate_error_mps"] * np.sqrt(ratio.sum(axis=1)), "m/s")):
        claims.absolute("GPS, geometry", f"{name} accuracy as reported, largest error", 0.0,
                        float(np.abs(s[key] * 0.01 - want).max()), 0.0051, unit)


def check_wandering(runs, root, claims):
    """Errors over their standard deviations by the geometry of the satellites, which almanac.py finds by itself; part of
    the error is white. North and east go together, as their mean, and so do the components of the velocity."""
    gps = runs[0].run.sensors(0)["gps"]
    part, period = gps["part"], 1.0 / gps["rate_hz"]
    slow, white = part["range_error_m"] ** 2, part["range_jitter_m"] ** 2
    sigma, share = math.sqrt(slow + white), slow / (slow + white)
    records = {"horizontal": [], "vertical": [], "speed": []}
    for run in runs:
        counts, ratio = geometry(run, root)
        if run is runs[0]:
            check_geometry(run, counts, ratio, claims)
        s, own = settled(run), np.sqrt(ratio[run.samples[0].sensor["gps"]["time_us"] > SETTLE_S * 1e6])
        north, east, up = (x - at for x, at in
                           zip(north_east_up(s, run.run.config["world"]["origin"]), where(run)))
        records["horizontal"].append(np.stack([north, east], axis=1) / (own[:, :2] * sigma * math.sqrt(2.0)))
        records["vertical"].append(up / (own[:, 2] * sigma))
        records["speed"].append(s["vel"] * 1e-3 /
                                (own * part["range_rate_error_mps"] * math.sqrt(3.0)))
    pictures = []
    for name, tau, portion in (("horizontal", part["range_error_tau_s"], share),
                               ("vertical", part["range_error_tau_s"], share),
                               ("speed", part["range_rate_tau_s"], 1.0)):
        got, error, lags, curve = correlation.markov(records[name], period, tau, BLOCKS)
        claims.relative("GPS", f"{name} error, variance over that of the geometry", 1.0,
                        got[0] + got[1], error=correlation.variance_error(records[name], BLOCKS))
        if portion < 1.0:
            claims.relative("GPS", f"{name} error, share that wanders", portion,
                            got[1] / (got[0] + got[1]), error=error[1])
        claims.relative("GPS", f"{name} error's correlation time", tau, got[2], "s",
                        error=error[2])
        pictures.append((name, lags, curve, correlation.shape(lags, 1.0 - portion, portion, tau)))
    return pictures


def check_white(run, claims):
    gps = run.run.sensors(0)["gps"]
    s = settled(run)
    north, east, up = north_east_up(s, run.run.config["world"]["origin"])
    for name, x, sigma, unit in (
            ("north", north, gps["sigma_horizontal_m"], "m"),
            ("east", east, gps["sigma_horizontal_m"], "m"),
            ("height", up, gps["sigma_vertical_m"], "m"),
            ("velocity", s["vel"].ravel() * 1e-3, gps["sigma_velocity_mps"], "m/s")):
        got, error, neighbours, chance = correlation.white(x)
        claims.relative("GPS, white", f"{name}, standard deviation", sigma, got, unit, error=error)
        claims.absolute("GPS, white", f"{name}, correlation of neighbours", 0.0, neighbours, 0.05,
                        error=chance)


def draw(pictures, path, plot):
    figure, axes = plot.subplots(1, len(pictures), figsize=(10, 3.4))
    for ax, (name, lags, curve, wanted) in zip(axes, pictures):
        ax.plot(lags, curve, "o", ms=4, label="emitted packets")
        ax.plot(lags, wanted, "k-", lw=1, label="as configured")
        ax.set_title(f"{name} error", fontsize=9)
        ax.set_xlabel("lag in s")
        ax.grid(True, lw=0.3)
    axes[0].set_ylabel("autocorrelation, over the geometry's variance")
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plot.close(figure)
