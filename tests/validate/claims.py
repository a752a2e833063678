"""What is claimed of the sensors, what was measured, and whether the one bears out the other."""


class Claim:
    """deviation, error and bound are in the same unit: percent of what is expected, or, where the
    expectation is no number to be divided by, the quantity's own."""

    def __init__(self, group, name, expected, measured, deviation, error, bound, unit, relative):
        self.group, self.name = group, name
        self.expected, self.measured, self.unit = expected, measured, unit
        self.deviation, self.error, self.bound, self.relative = deviation, error, bound, relative

    @property
    def decided(self):
        """Two standard errors are within the bound: an estimate that says nothing passes nothing."""
        return 2.0 * self.error <= self.bound

    @property
    def passed(self):
        # Written so that NaN fails.
        return bool(abs(self.deviation) <= self.bound and self.decided)

    @property
    def scale(self):
        return " %" if self.relative else " " + self.unit if self.unit else ""


def number(x):
    if isinstance(x, str):
        return x
    if isinstance(x, int):
        return f"{x:,}"
    return f"{x:.4g}"


class Claims:
    def __init__(self):
        self.all = []

    def relative(self, group, name, expected, measured, unit="", error=0.0, percent=5.0):
        """Within a share of what is expected. error: the estimate's standard error, in its unit."""
        share = 100.0 / expected
        self.add(Claim(group, name, expected, measured, (measured - expected) * share,
                       abs(error * share), percent, unit, True))

    def absolute(self, group, name, expected, measured, bound, unit="", error=0.0):
        self.add(Claim(group, name, expected, measured, measured - expected, error, bound, unit,
                       False))

    def exact(self, group, name, expected, measured, unit=""):
        """Whole numbers, to the last digit."""
        self.add(Claim(group, name, int(expected), int(measured), int(measured) - int(expected),
                       0, 0, unit, False))

    def add(self, claim):
        self.all.append(claim)
        print(line(claim), flush=True)

    @property
    def failed(self):
        return [c for c in self.all if not c.passed]


def verdict(claim):
    if claim.passed:
        return "ok"
    return "FAIL" if claim.decided else "FAIL (undecided)"


def line(c):
    error = f" +- {number(float(c.error))}" if c.error else ""
    return (f"{verdict(c):5} {c.group}: {c.name}: expected {number(c.expected)}"
            f"{' ' + c.unit if c.unit else ''}, measured {number(c.measured)}, "
            f"deviation {number(c.deviation)}{error}{c.scale}, bound {number(c.bound)}{c.scale}")


def rows(claims):
    """The same as rows of a table."""
    for c in claims:
        unit = " " + c.unit if c.unit else ""
        yield (c.name, number(c.expected) + unit, number(c.measured) + unit,
               number(c.deviation) + c.scale,
               number(float(c.error)) + c.scale if c.error else "-",
               number(c.bound) + c.scale, verdict(c))
