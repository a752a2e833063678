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


def predicted(tau, n, b, k):
    return n * n / tau + FLOOR * b * b + k * k * tau / 3.0


def fit(tau, variance, length_s):
    """N, B, K by weighted least squares of the variances, which are linear in the squares of the
    three. The weights are the inverse squares of what the estimates scatter by, which goes with
    sqrt(tau/length); the fitted curve replaces the measured one in them, twice."""
    terms = np.stack([1.0 / tau, np.full_like(tau, FLOOR), tau / 3.0], axis=1)
    level = variance
    for _ in range(3):
        weight = np.sqrt(length_s / tau) / level
        squares, *_ = np.linalg.lstsq(terms * weight[:, None], variance * weight, rcond=None)
        squares = np.maximum(squares, 0.0)
        level = np.maximum(terms @ squares, 1e-3 * variance)
    return np.sqrt(squares)


def coefficients(x, period, longest_s, blocks):
    """N, B, K of all columns together (their variances averaged), the standard error of each, and the
    curve. The error is the scatter among blocks of the record, each long enough for longest_s: they
    are nearly independent, and so are the columns."""
    tau, variance = curve(x, period, longest_s)
    whole = fit(tau, variance.mean(axis=1), len(x) * period)
    length = len(x) // blocks
    single = []
    for i in range(blocks):
        part = x[i * length:(i + 1) * length]
        t, v = curve(part, period, longest_s)
        single += [fit(t, v[:, axis], length * period) for axis in range(x.shape[1])]
    error = np.std(single, axis=0, ddof=1) / np.sqrt(len(single))
    return whole, error, tau, variance
