# SPDX-License-Identifier: MIT
"""Integration with events."""
import numpy as np
import linkwork as lw

pendulum = lambda t, y: [y[1], -9.81 * np.sin(y[0])]
swing = lw.integrate(pendulum, [0.1, 0], np.linspace(0, 5, 51), method="dop853", events=lambda t, y: y[0])
crossings = [t for t, index, rising, y in swing.events]
period = 2 * np.diff(crossings).mean()
assert abs(period - 2 * np.pi / np.sqrt(9.81) * (1 + 0.1**2 / 16)) < 1e-5
