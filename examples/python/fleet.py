# SPDX-License-Identifier: MIT
"""A fleet over payloads."""
import numpy as np
import linkwork as lw

arm = lw.load("robots/puma560.yaml")
masses = np.linspace(0, 3, 12)
fleet = lw.Fleet(arm, payload={"flange_plate": masses}, viscous=True)
fleet.start(q=np.array([0, -0.5, 0.5, 0, 0, 0]))
t, q, qd = fleet.run(0.2, record=0.05)
assert q.shape == (5, 12, 6) and len(set(q[-1, :, 1])) == 12      # each falls in its own way
