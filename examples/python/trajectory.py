# SPDX-License-Identifier: MIT
"""A trajectory within limits, and what it asks of the motors."""
import linkwork as lw

arm = lw.load("robots/puma560.yaml")
plan = lw.plan(arm, [{"waist": 0}, {"waist": 1, "elbow": 1}], "s-curve", velocity=1, acceleration=4, jerk=40)
t, q, qd, qdd = plan.sample(0.01)
summary, series = arm.drives(t, q, qd, qdd)
for joint in summary:
    print(joint.joint, joint.loads["torque"].peak, joint.loads["torque"].rms)
assert abs(q[-1, arm.joint_names.index("elbow")] - 1) < 1e-9
