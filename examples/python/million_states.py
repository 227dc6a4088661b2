# SPDX-License-Identifier: MIT
"""A million states at once, into memory that is there."""
import numpy as np
import linkwork as lw

arm = lw.load("robots/panda.yaml")
q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 100_000, 7))
tau = np.empty_like(q)
arm.inverse(q, qd, qdd, out=tau)
power = (tau * qd).sum(axis=-1)          # W, of every state
assert power.shape == (100_000,)
