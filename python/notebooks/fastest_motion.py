# SPDX-License-Identifier: MIT
# %% [markdown]
# # The fastest motion
# Along a given path, some limit is active at every instant: a speed, an acceleration, a torque or the voltage of a motor.

# %%
import numpy as np
import linkwork as lw

arm = lw.load(lw.example("robots/ur5.yaml"))
points = [[0, -1.6, 1.4, -1.4, -1.57, 0], [0.7, -1.3, 1.2, -1.6, -1.4, 0.5], [1.4, -0.7, 0.7, -2.0, -1.2, 1.2]]
straight = lw.fastest(arm, points)
spline, = lw.fastest(arm, points, shape="spline")
print(f"with a stop at the waypoint {sum(motion.duration for motion in straight):.4f} s, without {spline.duration:.4f} s")

# %% [markdown]
# What it asks of the joints:

# %%
t, q, qd, qdd = spline.sample(0.002)
tau = arm.drives(t, q, qd, qdd)[1]["torque"]
print("largest speeds, rad/s:", np.round(np.abs(qd).max(axis=0), 2))
print("largest torques, N m: ", np.round(np.abs(tau).max(axis=0), 1))

# %% [markdown]
# ## What a limit costs
# Less torque, the tool slower, or jerk limited: each limit can only lengthen the motion.

# %%
variants = {"all limits of the file": {}, "20 % of the efforts in reserve": {"reserve": 0.2}, "tool at most 1 m/s": {"tool_speed": 1.0,
            "tool": (0, 0, 0.1)}}
base = spline.duration
for name, options in variants.items():
    motion, = lw.fastest(arm, points, shape="spline", **options)
    print(f"{name:31} {motion.duration:.4f} s")
    assert motion.duration >= base * (1 - 1e-6)

# %% [markdown]
# ## A work cycle
# Moves, grips and dwells from a file; every section between stops is as fast as its limits allow.

# %%
work = lw.cycle(lw.example("examples/cycles/ur5_pick_and_place.yaml"))
print(f"{work.name}: {work.duration:.3f} s in {len(work.sections)} sections")
for section in work.sections:
    print(f"  {section.motion.duration:.4f} s, dwell {section.dwell:g} s")
