"""What the units of the configuration are in SI, and what the jig feels."""

import math

G = 9.80665
DPS = math.pi / 180.0
UT = 1e-6

# WGS-84: axis, flattening, Somigliana's constants, and m = omega^2 a^2 b/GM.
A_M, FLATTENING = 6378137.0, 1.0 / 298.257223563
EQUATOR_MPS2, SOMIGLIANA, M = 9.7803253359, 0.00193185265241, 0.00344978650684


def normal_gravity_mps2(latitude_deg, height_m):
    """On the ellipsoid by Somigliana, above it by the series to second order in the height (NIMA TR8350.2,
    4-1 and 4-3)."""
    sin2 = math.sin(math.radians(latitude_deg)) ** 2
    e2 = FLATTENING * (2.0 - FLATTENING)
    surface = EQUATOR_MPS2 * (1.0 + SOMIGLIANA * sin2) / math.sqrt(1.0 - e2 * sin2)
    slope = 2.0 / A_M * (1.0 + FLATTENING + M - 2.0 * FLATTENING * sin2)
    return surface * (1.0 - slope * height_m + 3.0 * (height_m / A_M) ** 2)


def gravity_mps2(config, vehicle):
    """Where a vehicle starts, in the resolved configuration of a run."""
    world = config["world"]
    if world.get("gravity_model") != "wgs84":
        return world["gravity_mps2"]
    origin = world["origin"]
    down_m = config["vehicles"][vehicle]["start"]["at_m"]["down"]
    return normal_gravity_mps2(origin["latitude_deg"], origin["height_m"] - down_m)


def atmosphere(world, down_m):
    """Pressure, temperature and density by ISO 2533 up to 20 km, over the world's own sea level."""
    gas, lapse, at_11_km = 287.05287, 0.0065, 11000.0
    sea_k = world["atmosphere"]["sea_level_temperature_degc"] + 273.15
    pressure = world["atmosphere"]["sea_level_pressure_hpa"] * 100.0
    height = world["origin"]["height_m"] - down_m
    kelvin = sea_k - lapse * min(height, at_11_km)
    pressure *= (kelvin / sea_k) ** (G / (gas * lapse))
    if height > at_11_km:
        pressure *= math.exp(-G * (height - at_11_km) / (gas * kelvin))
    return pressure, kelvin, pressure / (gas * kelvin)
