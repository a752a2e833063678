"""The satellites of the shipped almanac: where they are (IS-GPS-200, 20.3.3.4.3 with the almanac's elements), which of
them a place on the earth sees, and what their geometry makes of the errors of ranges (Misra and Enge, chapter 6)."""

import datetime
import math
import os
import re

import numpy as np

from units import A_M, FLATTENING

MU, TURN = 3.986005e14, 7.2921151467e-5  # m^3/s^2, rad/s
NUMBER = r"[-+]?[0-9.]+(?:e[-+]?\d+)?"
GPS_EPOCH = datetime.datetime(1980, 1, 6, tzinfo=datetime.timezone.utc)
LEAP_S = 18
FILE = os.path.join("models", "world", "almanac_shipped.c")


def read(root):
    """The time of the almanac, and a row for each healthy satellite: eccentricity, inclination, node's rate, root of
    the axis, node, perigee, mean anomaly."""
    with open(os.path.join(root, FILE), encoding="utf-8") as file:
        text = file.read()
    week, second = re.search(r"reference_gps_s = ([0-9.]+) \* 604800\.0 \+ ([0-9.]+)", text).groups()
    rows = re.findall(r"\{\s*\d+, true,((?:\s*" + NUMBER + r",?){7})\s*\}", text)
    return (float(week) * 604800.0 + float(second),
            np.array([[float(n) for n in re.findall(NUMBER, row)] for row in rows]))


def gps_seconds(utc):
    at = datetime.datetime.fromisoformat(utc.replace("Z", "+00:00"))
    return (at - GPS_EPOCH).total_seconds() + LEAP_S


def positions(almanac, gps_s):
    """Earth-fixed, in metres: times x satellites x 3."""
    reference, orbits = almanac
    e, inclination, node_rate, root, node, perigee, anomaly = orbits.T
    since = np.asarray(gps_s, dtype=float)[:, None] - reference
    axis = root ** 2
    mean = anomaly + np.sqrt(MU / axis ** 3) * since
    eccentric = mean
    for _ in range(20):
        eccentric = mean + e * np.sin(eccentric)
    true = np.arctan2(np.sqrt(1.0 - e * e) * np.sin(eccentric), np.cos(eccentric) - e)
    radius = axis * (1.0 - e * np.cos(eccentric))
    x, y = radius * np.cos(true + perigee), radius * np.sin(true + perigee)
    ascending = node + (node_rate - TURN) * since - TURN * (reference % 604800.0)
    c, s = np.cos(ascending), np.sin(ascending)
    return np.stack([x * c - y * np.cos(inclination) * s, x * s + y * np.cos(inclination) * c,
                     y * np.sin(inclination)], axis=2)


def directions(places, latitude_deg, longitude_deg, height_m):
    """Unit vectors north, east, down from a place on the ellipsoid to each."""
    lat, lon = math.radians(latitude_deg), math.radians(longitude_deg)
    e2 = FLATTENING * (2.0 - FLATTENING)
    normal = A_M / math.sqrt(1.0 - e2 * math.sin(lat) ** 2)
    here = np.array([(normal + height_m) * math.cos(lat) * math.cos(lon),
                     (normal + height_m) * math.cos(lat) * math.sin(lon),
                     (normal * (1.0 - e2) + height_m) * math.sin(lat)])
    north_east_down = np.array([
        [-math.sin(lat) * math.cos(lon), -math.sin(lat) * math.sin(lon), math.cos(lat)],
        [-math.sin(lon), math.cos(lon), 0.0],
        [-math.cos(lat) * math.cos(lon), -math.cos(lat) * math.sin(lon), -math.sin(lat)]])
    away = (places - here) @ north_east_down.T
    return away / np.linalg.norm(away, axis=2)[:, :, None]


def dilution(sight, mask_deg):
    """How many satellites are above the mask, and the variances north, east, down over those of a range."""
    seen = -sight[:, :, 2] > math.sin(math.radians(mask_deg))
    rows = np.concatenate([sight, np.ones(sight.shape[:2] + (1,))], axis=2) * seen[:, :, None]
    normal = np.einsum("tsi,tsj->tij", rows, rows)
    return seen.sum(axis=1), np.einsum("tii->ti", np.linalg.inv(normal))[:, :3]
