"""Allan variance and the noise coefficients of IEEE Std 952 that follow from it."""

import numpy as np

# sigma^2(tau) = N^2/tau + (2 ln 2/pi) B^2 + K^2 tau/3
FLOOR = 2.0 * np.log(2.0) / np.pi


def overlapping_variance(x, m):
    """Overlapping Allan variance of the columns of x, of rates sampled at equal times, over m samples."""
    sums = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(x, axis=0)])
    means = (sums[m:] - sums[:-m]) / m
    steps = means[m:] - means[:-m]
    return 0.5 * np.mean(steps * steps, axis=0)


def averaging_counts(samples, longest):
    """About six averaging times an octave-and-a-half, from one sample to `longest` of them."""
    steps = np.unique(np.round(np.geomspace(1, longest, 40)).astype(int))
    return steps[2 * steps < samples]


def curve(x, period, longest_s):
    """Averaging times and, for each column of x, its Allan variances."""
    counts = averaging_counts(len(x), longest_s / period)
    x = x - x[0]
    return counts * period, np.array([overlapping_variance(x, m) for m in counts])


def banded_floor(tau, shortest_s, longest_s):
    """What takes FLOOR's place where 1/f noise ends at both sides, as first-order Gauss-Markov processes
    do of which every octave of time constants from the shortest to the longest has the same
    variance: B^2/pi for each e-fold."""
    edges = np.geomspace(shortest_s, longest_s, 401)
    x = tau[:, None] / np.sqrt(edges[1:] * edges[:-1])
    one = (2.0 * x - 3.0 + 4.0 * np.exp(-x) - np.exp(-2.0 * x)) / (x * x)
    return one.mean(axis=1) * np.log(longest_s / shortest_s) / np.pi


def terms_of(tau, floor):
    return np.stack([1.0 / tau, np.broadcast_to(floor, tau.shape), tau / 3.0], axis=1)


def predicted(tau, squares, floor=FLOOR):
    return terms_of(tau, floor) @ squares


def fit(tau, variance, length_s, floor=FLOOR):
    """N, B, K by weighted least squares of the variances, which are linear in the squares of the
    three. The weights are the inverse squares of what the estimates scatter by, which goes with
    sqrt(tau/length); the fitted curve replaces the measured one in them, twice."""
    terms = terms_of(tau, floor)
    level = variance
    for _ in range(3):
        weight = np.sqrt(length_s / tau) / level
        squares, *_ = np.linalg.lstsq(terms * weight[:, None], variance * weight, rcond=None)
        squares = np.maximum(squares, 0.0)
        level = np.maximum(terms @ squares, 1e-3 * variance)
    return np.sqrt(squares)
