# SPDX-License-Identifier: MIT
"""A controller written in Python."""
import numpy as np
import numpy.typing as npt
import linkwork as lw

arm = lw.load("robots/panda.yaml")
home = np.array([0, -0.3, 0, -1.8, 0, 1.5, 0.8])
goal = home + 0.2

def controller(t: float, q: npt.NDArray[np.float64], qd: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return arm.inverse(q, qd, 100 * (goal - q) - 20 * qd)

run = lw.simulate(arm, 1.5, q=home, controller=controller, friction="none", step=2e-3)
assert np.allclose(run.q[-1], goal, atol=1e-3)
