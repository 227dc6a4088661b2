# SPDX-License-Identifier: MIT
"""Torques of a motion."""
import numpy as np
import linkwork as lw

arm = lw.load("robots/panda.yaml")
q = np.array([0, -0.3, 0, -1.8, 0, 1.5, 0.8])
tau = arm.inverse(q, qd=np.full(7, 0.5), qdd=np.ones(7))
M, b = arm.inertia(q), arm.bias(q, np.full(7, 0.5))
assert np.allclose(tau, M @ np.ones(7) + b)
