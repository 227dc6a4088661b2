# SPDX-License-Identifier: MIT
"""All eight solutions of inverse kinematics."""
import numpy as np
import linkwork as lw

arm = lw.load("robots/puma560.yaml")
target = arm.pose([0.1, -0.8, 0.6, 0.2, 0.5, 0.3])
solutions = arm.ik_all(target, ignore_limits=True)
for solution in solutions:
    assert np.allclose(arm.pose(solution.q).position, target.position, atol=1e-9)
nearest = arm.ik(target.position, rpy=target.rpy, guess=np.zeros(6))
assert len(solutions) == 8 and nearest.reached
