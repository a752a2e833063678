"""Autocovariance of long records, and what a process of one time constant and white noise make of it."""

import numpy as np


def autocovariance(x, lags):
    """Of one record with a mean known to be 0, at whole lags; of a vector's components together."""
    n = len(x)
    return np.array([np.vdot(x[:n - k], x[k:]) / (n - k) for k in lags])


def shape(lag_s, white, drift, tau_s):
    """Gauss-Markov of variance `drift`, and white noise, which is there at lag 0 alone."""
    return np.where(lag_s == 0.0, white, 0.0) + drift * np.exp(-lag_s / tau_s)


def fit_markov(covariance, lag_s):
    """White variance, the process's variance and its time constant from autocovariances at lag 0 and a
    few more, by a line through the logarithms of the latter, weighted by what they are."""
    later = lag_s > 0.0
    c, t = covariance[later], lag_s[later]
    if np.any(c <= 0.0):
        return np.full(3, np.nan)
    slope, level = np.polyfit(t, np.log(c), 1, w=c)
    drift = np.exp(level)
    return np.array([covariance[0] - drift, drift, -1.0 / slope])


def markov(records, period_s, tau_s, blocks):
    """The three from records of independent processes with the same constants, with their standard
    errors: the scatter among blocks of the records, each of hundreds of time constants. Lags go to
    the time constant that is to be expected. Also the lags and the autocovariance."""
    most = max(2, round(tau_s / period_s))
    lags = np.unique(np.round(np.linspace(0, most, min(most, 20) + 1)).astype(int))
    every, single = [], []
    for record in records:
        every.append(autocovariance(record, lags))
        for part in np.array_split(record, blocks):
            single.append(fit_markov(autocovariance(part, lags), lags * period_s))
    mean = np.mean(every, axis=0)
    error = np.nanstd(single, axis=0, ddof=1) / np.sqrt(len(single))
    return fit_markov(mean, lags * period_s), error, lags * period_s, mean


def variance_error(records, blocks):
    """Standard error of the mean square of all records."""
    single = [np.vdot(part, part) / len(part) for r in records
              for part in np.array_split(r, blocks)]
    return np.std(single, ddof=1) / np.sqrt(len(single))


def white(x):
    """Standard deviation of a record without correlation and its standard error, and the correlation
    of neighbours with its own."""
    x = x - np.mean(x)
    power = np.dot(x, x)
    n = len(x)
    sigma = np.sqrt(power / n)
    return sigma, sigma / np.sqrt(2.0 * n), np.dot(x[1:], x[:-1]) / power, 1.0 / np.sqrt(n)
